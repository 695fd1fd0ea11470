"""Streams of River: the rows and labels that River gives, in its order, per seed, in windows."""

from __future__ import annotations

import pickle
from itertools import cycle
from typing import Any

import numpy as np
import pytest

import onebit
from onebit.features import hash_rows
from onebit.streams import as_stream, from_river
from onebit.streams.river import stream as river

PAIRS: list[tuple[dict[str, Any], str]] = [
    ({"f": i / 7, "g": i % 5, "on": i % 2 == 0}, ("ant", "bee", "cow")[i % 3]) for i in range(100)
]
X = np.array([list(x.values()) for x, _ in PAIRS], dtype=float)
Y = [y for _, y in PAIRS]


def in_windows(monkeypatch: pytest.MonkeyPatch, rows: int, pairs: Any = PAIRS, **options: Any) -> Any:
    monkeypatch.setattr(river, "_WINDOW_ROWS", rows)
    monkeypatch.setattr(river, "_READ_ROWS", 8)
    return from_river(pairs, **options)


# Pairs from anywhere


def test_numbers_under_the_same_names_are_dense() -> None:
    stream = from_river([(dict(sorted(x.items(), reverse=i > 0)), y) for i, (x, y) in enumerate(PAIRS)])
    assert (stream.name, stream.rounds, stream.n_features, stream.sparse) == ("pairs", 100, 3, False)
    assert stream.classes == ("ant", "bee", "cow")
    assert stream.X.tolist() == X.tolist()
    assert stream.y.tolist() == Y


@pytest.mark.parametrize(
    "odd",
    [
        {"f": 1.0, "g": 2, "on": "yes"},
        {"f": 1.0, "g": 2},
        {"f": 1, "g": 2, "on": 3, "h": 4},
        {"f": None, "g": float("nan"), "on": True},
    ],
)
def test_text_gaps_and_names_that_come_and_go_are_raw_cases(odd: dict[str, Any]) -> None:
    rows = [x for x, _ in PAIRS[:-1]] + [odd]
    pairs = list(zip(rows, Y, strict=True))
    stream = from_river(pairs)
    assert (stream.cases, stream.n_features) == (True, len({*rows[0], *odd}))
    assert repr(stream.X) == repr([dict(sorted(row.items())) for row in rows])
    with pytest.raises(onebit.DataError, match=r"row 99: .*feature"):
        from_river(pairs, cases=False)


def test_raw_cases_can_be_asked_for() -> None:
    stream = from_river(PAIRS, cases=True)
    assert [dict(sorted(x.items())) for x, _ in PAIRS] == stream.X
    with pytest.raises(onebit.ConfigError, match="hash_features=64: is not for raw cases"):
        from_river(PAIRS, cases=True, hash_features=64)


def test_windows_of_raw_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = from_river(PAIRS, cases=True)
    parts = in_windows(monkeypatch, 30, cases=True)
    assert parts.X == whole.X
    learner = onebit.OneBit(whole.classes)
    for channel in (onebit.Bit(), onebit.Bit(delay=(0, 40))):
        a = onebit.simulate(learner, whole, channel, rounds=250)
        b = onebit.simulate(learner, parts, channel, rounds=250)
        assert a.error == b.error > 0
        assert a.learners[0].scores(whole.X).tolist() == b.learners[0].scores(whole.X).tolist()
    first, same = (in_windows(monkeypatch, 30, cases=True).identity() for _ in range(2))
    assert first == same != in_windows(monkeypatch, 30).identity()


def test_hashing_can_be_asked_for() -> None:
    stream = from_river([({0: x["f"], "g": x["g"]}, y) for x, y in PAIRS], hash_features=64)
    assert abs(stream.X - hash_rows([{"0": x["f"], "g": x["g"]} for x, _ in PAIRS], 64)).nnz == 0


def test_order_stays_unless_it_is_to_be_shuffled() -> None:
    kept, shuffled = from_river(PAIRS), from_river(PAIRS, shuffle=True)
    assert [w.order.tolist() for w in kept.windows(1, 130)] == [list(range(100)), list(range(30))]
    assert [w.order.tolist() for w in shuffled.windows(1)] == [
        w.order.tolist() for w in onebit.streams.from_arrays(X, Y).windows(1)
    ]


def test_labels_of_numpy_are_plain_and_given_classes_are_kept() -> None:
    stream = from_river([(x, np.bool_(y == "ant")) for x, y in PAIRS], classes=[True, False])
    assert stream.classes == (True, False)
    assert stream.y.tolist() == [y == "ant" for y in Y]


def test_rounds_cut_what_has_an_end() -> None:
    assert from_river(PAIRS, rounds=10).X.tolist() == X[:10].tolist()


class Endless:
    """Pairs without end that can be read again."""

    def __iter__(self) -> Any:
        return cycle(PAIRS)


def test_rounds_cut_what_has_none() -> None:
    assert from_river(Endless(), rounds=250).y.tolist() == (Y * 3)[:250]


# Windows


@pytest.mark.parametrize("rows", [1, 7, 16, 99])
def test_windows_of_any_size_give_the_rows_in_order(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    stream = in_windows(monkeypatch, rows)
    assert [len(w.y) for w in stream.windows(0)][:-1] == [rows] * (99 // rows)
    assert stream.X.tolist() == X.tolist()
    assert sum(len(w.order) for w in stream.windows(0, 230)) == 230
    assert np.concatenate([w.y[w.order] for w in stream.windows(0, 230)]).tolist() == [i % 100 % 3 for i in range(230)]


def test_windows_of_hashed_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = in_windows(monkeypatch, 30, hash_features=64)
    assert abs(stream.X - from_river(PAIRS, hash_features=64).X).nnz == 0


def test_windows_are_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(river, "_WINDOW_BYTES", 8 * 3 * 40)
    assert [w.X.nbytes for w in from_river(PAIRS).windows(0)] == [960, 960, 480]


def test_shuffling_stays_inside_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    windows = list(in_windows(monkeypatch, 40, shuffle=True).windows(3, 150))
    assert [len(w.order) for w in windows] == [40, 40, 20, 40, 10]
    assert sorted(windows[0].order.tolist()) == list(range(40))
    assert windows[0].order.tolist() != windows[3].order.tolist()
    assert (windows[0].X == windows[3].X).all()


def test_late_answers_cross_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    learner, channel = onebit.Banditron(["ant", "bee", "cow"], gamma=0.2), onebit.Bit(delay=(0, 50))
    whole = onebit.simulate(learner, from_river(PAIRS), channel, rounds=250)
    parts = onebit.simulate(learner, in_windows(monkeypatch, 17), channel, rounds=250)
    assert parts.learners[0].scores(np.eye(3)).tolist() == whole.learners[0].scores(np.eye(3)).tolist()


def test_identity_is_the_content(monkeypatch: pytest.MonkeyPatch) -> None:
    one, same = in_windows(monkeypatch, 17), in_windows(monkeypatch, 17, list(PAIRS))
    other = in_windows(monkeypatch, 17, [*PAIRS[:-1], ({"f": 0.0, "g": 1, "on": True}, "ant")])
    assert one.identity() == same.identity() != other.identity()
    sent = pickle.loads(pickle.dumps(one))
    assert (sent.identity(), sent.X.tolist()) == (one.identity(), X.tolist())


# River's own


@pytest.fixture
def datasets() -> Any:
    return pytest.importorskip("river.datasets", reason="River is not installed; the extra `river` has it")


@pytest.mark.parametrize(("name", "n"), [("Phishing", 1_250), ("ImageSegments", 2_310), ("Bananas", 5_300)])
def test_data_sets(datasets: Any, name: str, n: int) -> None:
    dataset = getattr(datasets, name)()
    stream = as_stream(dataset)
    assert (stream.name, stream.rounds, stream.sparse, stream.n_features) == (name, n, False, dataset.n_features)
    assert len(stream.classes) == (dataset.n_classes or 2)
    x, y = list(dataset)[-1]
    assert (stream.X[-1].tolist(), stream.y[-1]) == (list(x.values()), y)
    assert stream.describe()["source"].startswith("river.datasets.")


def test_a_data_set_is_simulated(datasets: Any) -> None:
    stream = from_river(datasets.Phishing(), name="phish")
    result = onebit.simulate(onebit.Banditron(stream.classes), stream, seeds=2)
    assert result.error < 0.35
    assert onebit.simulate(onebit.Banditron([False, True]), datasets.Phishing(), seeds=2).errors == result.errors
    assert result.settings["stream"]["name"] == "phish"


def generators(datasets: Any) -> dict[str, Any]:
    synth = datasets.synth
    return {
        "LED": synth.LED(noise_percentage=0.1),
        "RandomRBF": synth.RandomRBF(n_classes=4),
        "ConceptDriftStream": synth.ConceptDriftStream(position=50, width=10),
        "SEA": synth.SEA(),
    }


@pytest.mark.parametrize("name", ["LED", "RandomRBF", "ConceptDriftStream", "SEA"])
def test_a_generator_is_drawn_afresh_by_each_seed(datasets: Any, name: str) -> None:
    stream = from_river(generators(datasets)[name])
    assert stream.rounds is None
    rows = [np.concatenate([w.X for w in stream.windows(seed, 100)]) for seed in (1, 1, 2)]
    assert rows[0].shape == (100, stream.n_features)
    assert (rows[0] == rows[1]).all()
    assert (rows[0] != rows[2]).any()


def test_seed_s_plays_the_rows_of_that_seed_of_river(datasets: Any) -> None:
    synth = datasets.synth
    stream = from_river(synth.RandomRBF(seed_model=4, n_classes=3), rounds=50)
    want = list(synth.RandomRBF(seed_model=4, seed_sample=9, n_classes=3).take(50))
    (window,) = stream.windows(9)
    assert window.X.tolist() == [list(x.values()) for x, _ in want]
    assert window.y.tolist() == [y for _, y in want]
    led = synth.LED(seed=7)
    assert from_river(led, rounds=50).X.tolist() == [list(x.values()) for x, _ in led.take(50)]


def test_a_generator_that_ends_comes_again(datasets: Any) -> None:
    stream = from_river(datasets.synth.AnomalySine(n_samples=60, n_anomalies=20))
    assert stream.rounds == 60
    rows = np.concatenate([w.X[w.order] for w in stream.windows(3, 90)])
    assert (rows[60:] == rows[:30]).all()


def test_identity_of_a_generator_is_its_settings(datasets: Any) -> None:
    synth = datasets.synth
    one, same, other = (from_river(g, rounds=9) for g in (synth.LED(1), synth.LED(2), synth.LED(1, 0.2)))
    assert one.identity() == same.identity() != other.identity()
    nested = from_river(generators(datasets)["ConceptDriftStream"], rounds=9).identity()["options"]["settings"]
    (inner,) = nested["drift_stream"].values()
    assert (inner["classification_function"], "seed" in inner) == (2, False)
    sent = pickle.loads(pickle.dumps(one))
    assert (sent.X == one.X).all()


def test_seeds_play_side_by_side_as_one_by_one(datasets: Any) -> None:
    stream, learner = from_river(datasets.synth.LED(), rounds=400), onebit.Banditron(10)
    errors = [onebit.simulate(learner, stream, seeds=4, workers=n).errors for n in (1, 4)]
    assert errors[0] == errors[1]
    assert len(set(errors[0])) > 1


# Wrong inputs


@pytest.mark.parametrize(
    ("pairs", "options", "said"),
    [
        (3, {}, r"dataset=3: must be a data set of River, or a list"),
        ("text", {}, r"dataset='text': must be"),
        (iter(PAIRS), {}, r"can be read only once; give the data set \(rounds=200"),
        (PAIRS, {"rounds": 0}, r"rounds=0: must be a whole number"),
        (PAIRS, {"hash_features": 2.5}, r"hash_features=2.5: must be a whole number"),
        (PAIRS, {"classes": ["ant"]}, r"classes=\['ant'\]: there must be at least 2"),
        ([], {}, r"has no rows"),
        ([1, 2], {}, r"row 0: 1 is not a pair"),
        ([({"a": 1}, "x"), ({"a": None}, "y")], {"cases": False}, r"row 1: feature 'a' is None; fill gaps"),
        ([({"a": 1}, "x"), ({"a": None}, "y")], {"hash_features": 8}, r"row 1: feature 'a' is None; fill gaps"),
        ([({"a": 1}, "x"), ({"a": 1}, None)], {}, r"row 1: has the label None; drop"),
        ([({"a": 1}, "x"), ({"a": 1}, {"b": 1})], {}, r"row 1: the label \{'b': 1\} is not a single value"),
        ([({"a": 1}, "x"), ({"a": 1}, 2)], {}, r"cannot be sorted; give them as classes="),
        ([({"a": 1}, "x"), ({"a": 2}, "x")], {}, r"2 rows show the labels \['x'\].*2 or more"),
        (PAIRS, {"classes": ["ant", "bee"]}, r"has the label 'cow' as well; add it"),
    ],
)
def test_what_cannot_be(pairs: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises((onebit.ConfigError, onebit.DataError), match=said):
        from_river(pairs, **options)


def test_what_is_no_stream() -> None:
    with pytest.raises(onebit.ConfigError, match=r"stream=\[1\]: must be a stream, such as .*data set of River"):
        as_stream([1])


def test_tasks_without_a_label(datasets: Any) -> None:
    for dataset in (datasets.TrumpApproval(), datasets.synth.Friedman(), datasets.Yeast()):
        with pytest.raises(onebit.DataError, match=r"is made for .*; a stream needs rows with one class each"):
            as_stream(dataset)


def test_a_generator_needs_rounds_and_no_shuffling(datasets: Any) -> None:
    stream = from_river(datasets.synth.LED())
    with pytest.raises(onebit.ConfigError, match=r"rounds=None: LED is drawn without end"):
        onebit.simulate(onebit.Banditron(10), stream)
    with pytest.raises(onebit.ConfigError, match=r"shuffle=True: LED is drawn afresh"):
        from_river(datasets.synth.LED(), shuffle=True)


def test_rows_that_change_after_the_first_look(datasets: Any) -> None:
    class Turncoat(datasets.base.SyntheticDataset):  # type: ignore[misc]  # River comes through the fixture
        def __init__(self, late: Any, n_classes: int = 2) -> None:
            super().__init__(task="Binary classification", n_features=1, n_classes=n_classes)
            self.late = late

        def __iter__(self) -> Any:
            yield from (({"a": i}, i % 2) for i in range(10_000))
            yield self.late

    for late, said in [
        (({"a": "x"}, 0), r"row 10000: feature 'a' is 'x', unlike the first rows; give cases=True"),
        (({"b": 1}, 0), r"row 10000: there is no feature 'a'"),
        (({"a": 1, "b": 1}, 0), r"row 10000: there is a feature 'b'"),
        (({"a": 1}, 7), r"row 10000: has the label 7, which is not among \[0, 1\]"),
    ]:
        with pytest.raises(onebit.DataError, match=said):
            list(from_river(Turncoat(late)).windows(0, 10_001))
    with pytest.raises(onebit.DataError, match=r"10,000 rows show the labels \[0, 1\], and there should be 3"):
        from_river(Turncoat(None, n_classes=3))
