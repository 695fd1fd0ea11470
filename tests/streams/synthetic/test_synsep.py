"""SynSep and SynNonSep: the structure of the documents, label noise, seeds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import onebit
from onebit.streams import Stream, synnonsep, synsep

ROUNDS = 20_000


def keyword_sets(stream: Stream, classes: int = 9, keywords: int = 120) -> list[set[int]]:
    """The keywords that occur in the documents of each class of a stream without noise."""
    X, y = stream.X, stream.y
    return [set(np.flatnonzero(X[y == c].sum(axis=0)[:keywords]).tolist()) for c in range(classes)]


def true_classes(stream: Stream, sets: list[set[int]], off: int = 5) -> Any:
    """The class whose keywords a document has, whatever its label says."""
    truth = []
    for row in np.split(stream.X.indices, stream.X.indptr[1:-1]):
        words = {int(word) for word in row if word < 120}
        fits = [c for c, own in enumerate(sets) if words <= own and len(words) == len(own) - off]
        assert len(fits) == 1, "the structure of this seed tells every document's class"
        truth.append(fits[0])
    return np.array(truth)


def test_documents_have_their_keywords_but_five_and_twenty_common_words() -> None:
    stream = synsep(ROUNDS, seed=1)
    sets = keyword_sets(stream)
    sizes = np.array([len(own) for own in sets])
    assert sizes.min() >= 20
    assert sizes.max() <= 40
    X, y = stream.X, stream.y
    assert X.shape == (ROUNDS, 400)
    assert (X.data == 1).all()
    assert set(y.tolist()) == set(range(9))
    for label, row in zip(y.tolist(), np.split(X.indices, X.indptr[1:-1]), strict=True):
        assert (np.diff(row) > 0).all()
        words = {int(word) for word in row if word < 120}
        assert words <= sets[label]
        assert len(words) == len(sets[label]) - 5
        assert len(row) - len(words) == 20
    assert 35 <= X.nnz / ROUNDS <= 55


def test_every_word_gets_its_turn() -> None:
    X, y = synsep(ROUNDS).X, synsep(ROUNDS).y
    common = X[:, 120:].sum(axis=0) / ROUNDS
    assert common == pytest.approx(20 / 280, abs=5 * np.sqrt(20 / 280 / ROUNDS))
    for c, own in enumerate(keyword_sets(synsep(ROUNDS))):
        shares = X[y == c][:, sorted(own)].mean(axis=0)
        assert shares == pytest.approx(1 - 5 / len(own), abs=5 * np.sqrt(0.25 / (y == c).sum()))
    assert np.bincount(y) / ROUNDS == pytest.approx(1 / 9, abs=5 * np.sqrt(1 / 9 / ROUNDS))


def test_five_percent_of_labels_move_and_none_of_them_stays() -> None:
    sets = keyword_sets(synsep(ROUNDS))
    stream = synnonsep(ROUNDS, seed=4)
    wrong = stream.y != true_classes(stream, sets)
    assert wrong.mean() == pytest.approx(0.05, abs=4 * np.sqrt(0.05 * 0.95 / ROUNDS))
    always = synnonsep(5_000, label_noise=1.0)
    truth = true_classes(always, sets)
    assert (always.y != truth).all()
    steps = np.bincount((always.y - truth) % 9, minlength=9)[1:] / 5_000
    assert steps == pytest.approx(1 / 8, abs=4 * np.sqrt(1 / 8 / 5_000))


def test_redrawn_labels_may_stay() -> None:
    sets = keyword_sets(synsep(ROUNDS))
    stream = synnonsep(ROUNDS, redraw=True)
    wrong = stream.y != true_classes(stream, sets)
    floor = 0.05 * 8 / 9
    assert wrong.mean() == pytest.approx(floor, abs=4 * np.sqrt(floor / ROUNDS))
    always = synnonsep(5_000, label_noise=1.0, redraw=True)
    stays = always.y == true_classes(always, sets)
    assert stays.mean() == pytest.approx(1 / 9, abs=4 * np.sqrt(1 / 9 / 5_000))


def test_structure_seed_keeps_the_keywords_and_the_seed_draws_the_rows() -> None:
    one, other = synsep(ROUNDS, seed=1, structure_seed=5), synsep(ROUNDS, seed=2, structure_seed=5)
    assert keyword_sets(one) == keyword_sets(other)
    assert (one.X != other.X).nnz > 0
    assert keyword_sets(one) != keyword_sets(synsep(ROUNDS, seed=1, structure_seed=6))


def test_the_same_seed_gives_the_same_rows() -> None:
    one, again = synsep(2_000, seed=3), synsep(2_000, seed=3)
    assert (one.X != again.X).nnz == 0
    assert (one.y == again.y).all()


def test_fewer_rounds_are_the_beginning_of_more() -> None:
    long, short = synnonsep(40_000, seed=2), synnonsep(17_000, seed=2)
    assert (long.X[:17_000] != short.X).nnz == 0
    assert (long.y[:17_000] == short.y).all()
    asked = [w.y for w in long.windows(2, rounds=17_000)]
    assert (np.concatenate(asked) == short.y).all()


def test_windows_play_the_rounds_asked_for() -> None:
    stream = synsep(100)
    assert sum(len(w.order) for w in stream.windows(0)) == 100
    assert sum(len(w.order) for w in stream.windows(0, rounds=50_000)) == 50_000


def test_sizes_by_parameter() -> None:
    stream = synsep(3_000, classes=4, keywords=30, common=10, per_class=(6, 6), off=2, on=3)
    assert (stream.n_features, stream.classes) == (40, (0, 1, 2, 3))
    assert (np.diff(stream.X.indptr) == 6 - 2 + 3).all()
    assert stream.describe()["features"] == 40


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rounds": 0}, "rounds=0"),
        ({"rounds": 10.5}, "rounds=10.5"),
        ({"classes": 1}, "classes=1"),
        ({"seed": -1}, "seed=-1"),
        ({"structure_seed": "a"}, "structure_seed='a'"),
        ({"per_class": (5, 40)}, "per_class="),
        ({"per_class": (20, 200)}, "per_class="),
        ({"on": 281}, "on=281"),
        ({"label_noise": 1.5}, "label_noise=1.5"),
    ],
)
def test_sizes_that_cannot_be(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(onebit.ConfigError, match=message):
        synnonsep(**({"rounds": 10} | wrong))
