"""A learner in River: the same bits as in a simulation, and River's pipelines, metrics and clones."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import onebit
from onebit.streams import from_river

pytest.importorskip("river", reason="River is not installed; the extra `river` has it")

from river import compose, datasets, evaluate, feature_extraction, metrics, preprocessing, stream

from onebit.river import wrap

WIDTH, N = 2**10, 300
SEGMENTS = ["brickface", "cement", "foliage", "grass", "path", "sky", "window"]
ROWS = list(datasets.ImageSegments().take(N))
NAMES = list(ROWS[0][0])


def taught(model: Any, rows: Any = ROWS) -> Any:
    for x, y in rows:
        model.learn_one(x, y)
    return model


def banditron(**more: Any) -> onebit.Banditron:
    return onebit.Banditron(SEGMENTS, **({"n_features": WIDTH, "gamma": 0.1, "seed": 5, "cases": None} | more))


# The same bits as in a simulation


@pytest.mark.parametrize("channel", [onebit.Bit(), onebit.NoisyBit(0.1, 0.3)])
@pytest.mark.parametrize("kind", [onebit.Banditron, onebit.OneBit])
def test_hashed_rows_are_played_as_simulated(kind: Any, channel: Any) -> None:
    learner = kind(SEGMENTS, n_features=WIDTH, seed=5, cases=None)
    result = onebit.simulate(learner, from_river(ROWS, hash_features=WIDTH), channel, seeds=[5])
    model = taught(wrap(learner.clone(), channel))
    assert model.played_error == result.error > 0
    probes = [x for x, _ in ROWS[:20]]
    np.testing.assert_allclose(model.learner.scores(probes), result.learners[0].scores(probes), rtol=1e-9)


TICKETS = [
    ({"subject": "money back please", "amount": 12.5 + i, "plan": None, "sent": f"2026-11-{i % 28 + 1:02d}"}, "refund")
    if i % 2
    else ({"subject": "what is this charge", "amount": float("nan"), "plan": "gold", "tags": ["a", "b"]}, "billing")
    for i in range(120)
]


@pytest.mark.parametrize("channel", [onebit.Bit(), onebit.NoisyBit(0.1, 0.3)])
@pytest.mark.parametrize("kind", [onebit.Banditron, onebit.OneBit])
def test_raw_cases_are_played_as_simulated(kind: Any, channel: Any) -> None:
    learner = kind(["billing", "refund"], seed=5)
    stream = from_river(TICKETS)
    assert (stream.cases, stream.n_features) == (True, 5)
    result = onebit.simulate(learner, stream, channel, seeds=[5])
    model = taught(wrap(learner.clone(), channel), TICKETS)
    assert model.played_error == result.error
    probes = [x for x, _ in TICKETS[:20]]
    assert model.learner.scores(probes).tolist() == result.learners[0].scores(probes).tolist()
    turned = taught(wrap(learner.clone(), channel), [(dict(reversed(x.items())), y) for x, y in TICKETS])
    assert [turned.predict_one(x) for x in probes] == [model.predict_one(x) for x in probes]
    assert turned.played_error == model.played_error


def test_a_pickled_reader_of_cases_goes_on() -> None:
    model = taught(wrap(onebit.OneBit(["billing", "refund"], cases=onebit.Cases(ignore="sent"))), TICKETS[:60])
    other = pickle.loads(pickle.dumps(model))
    assert taught(other, TICKETS[60:]).played_error == taught(model, TICKETS[60:]).played_error
    for x, _ in TICKETS[:9]:
        assert other.predict_proba_one(x) == model.predict_proba_one(x)
    assert "subject" in str(other.learner.cases)


def test_dense_rows_are_played_as_simulated() -> None:
    result = onebit.simulate(banditron(n_features=None), from_river(ROWS), seeds=[5])
    model = taught(wrap(banditron(n_features=None), features=NAMES))
    assert model.played_error == result.error
    assert model.learner.n_features is None
    assert model.learner.scores(np.eye(18)).tolist() == result.learners[0].scores(np.eye(18)).tolist()


def test_full_feedback_is_the_label_even_if_it_is_a_boolean() -> None:
    rows, learner = list(datasets.Phishing().take(N)), onebit.OneBit([False, True])
    result = onebit.simulate(learner, from_river(rows, cases=True), onebit.Full())
    told, asked = taught(wrap(learner.clone(), "full"), rows), taught(wrap(learner.clone()), rows)
    assert told.played_error == result.error
    x, _ = rows[0]
    assert told.predict_proba_one(x) != asked.predict_proba_one(x)
    assert taught(wrap(onebit.Perceptron(SEGMENTS), features=NAMES)).played_error < 0.8


def test_a_set_is_right_if_the_label_is_in_it() -> None:
    one, two = (taught(wrap(onebit.OneBit(SEGMENTS, m=m, n_features=WIDTH))) for m in (1, 2))
    assert two.played_error < one.played_error
    assert two.predict_one(ROWS[0][0]) in SEGMENTS


def test_nothing_played_is_no_error_yet() -> None:
    assert np.isnan(wrap(banditron()).played_error)


# In River


def test_progressive_validation_counts_the_label_believed_best() -> None:
    model = preprocessing.StandardScaler() | wrap(onebit.OneBit(SEGMENTS, gamma=0.3), features=NAMES)
    accuracy = evaluate.progressive_val_score(ROWS, model, metrics.Accuracy())
    assert accuracy.get() > 0.6
    assert 1 - accuracy.get() < model["BanditClassifier"].played_error - 0.1


def test_probabilities_reach_binary_metrics() -> None:
    model = wrap(onebit.OneBit([False, True], n_features=WIDTH))
    assert not model._multiclass
    assert evaluate.progressive_val_score(datasets.Phishing(), model, metrics.ROCAUC(), delay=10).get() > 0.8


def test_names_may_be_anything_and_values_text() -> None:
    model = wrap(onebit.Banditron(["no", "yes"], n_features=WIDTH, gamma=0.0))
    for _ in range(3):
        model.learn_one({0: 1, ("a", "b"): True, "colour": "red"}, "yes")
        model.learn_one({0: 1, ("a", "b"): False, "colour": "blue"}, "no")
    assert [model.predict_one({0: 1, "colour": colour}) for colour in ("red", "blue")] == ["yes", "no"]


def test_words_reach_the_learner_through_a_pipeline() -> None:
    learner = onebit.Banditron(["ham", "spam"], n_features=WIDTH, cases=None)
    model: Any = feature_extraction.BagOfWords() | wrap(learner)
    taught(model, [("win money", "spam"), ("see you", "ham")] * 5)
    assert model.predict_one("money money") == "spam"


def test_frames_are_learned_and_predicted_as_rows() -> None:
    pd = pytest.importorskip("pandas")
    X, y = pd.DataFrame([x for x, _ in ROWS], index=range(7, 7 + N)), pd.Series([y for _, y in ROWS])
    for features in (None, NAMES):
        model = wrap(banditron(n_features=None if features else WIDTH), features=features)
        model.learn_many(X, y)
        assert model.played_error == taught(model.clone()).played_error
        best = model.predict_many(X)
        assert best.index.tolist() == X.index.tolist()
        assert best.tolist() == [model.predict_one(x) for x, _ in ROWS]
        assert model.predict_many(X[:0]).tolist() == []
    proba = wrap(onebit.OneBit(SEGMENTS, n_features=WIDTH))
    assert proba.predict_proba_many(X[:0]).columns.tolist() == SEGMENTS
    taught(proba, ROWS[:50])
    assert proba.predict_proba_many(X[:3]).to_dict("records") == [proba.predict_proba_one(x) for x, _ in ROWS[:3]]


def test_the_learner_goes_on_from_where_it_stands() -> None:
    learner = banditron()
    taught(wrap(learner), ROWS[:100])
    model = taught(wrap(learner), ROWS[100:])
    assert model.learner is learner
    assert learner.scores(ROWS[0][0]).tolist() == taught(wrap(banditron())).learner.scores(ROWS[0][0]).tolist()


@pytest.mark.parametrize("again", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_a_copy_goes_on_with_the_same_bits(again: Any) -> None:
    model = taught(wrap(banditron(), onebit.NoisyBit(0.2, 0.2)), ROWS[:100])
    other = again(model)
    assert taught(other, ROWS[100:]).played_error == taught(model, ROWS[100:]).played_error
    assert other.learner.scores(ROWS[0][0]).tolist() == model.learner.scores(ROWS[0][0]).tolist()


def test_a_clone_is_fresh_even_in_a_pipeline() -> None:
    pipeline = compose.Pipeline(preprocessing.StandardScaler(), wrap(banditron(n_features=None), features=NAMES))
    taught(pipeline)
    fresh = pipeline.clone()["BanditClassifier"]
    assert (fresh.learner.decisions, np.isnan(fresh.played_error), fresh.features) == (0, True, tuple(NAMES))
    changed = pipeline["BanditClassifier"].clone({"feedback": "noisy:0.1,0.1"})
    assert (changed.feedback, changed.learner.decisions) == ("noisy:0.1,0.1", 0)
    lied_to = pipeline["BanditClassifier"].clone({"feedback": "noisy:0,0.99"}, include_attributes=True)
    told_right = pipeline["BanditClassifier"].clone(include_attributes=True)
    assert taught(lied_to).played_error > taught(told_right).played_error, "the new channel answers"
    kept = pipeline.clone(include_attributes=True)
    assert kept.predict_one(ROWS[0][0]) == pipeline.predict_one(ROWS[0][0])
    assert kept["BanditClassifier"].played_error == pipeline["BanditClassifier"].played_error


def test_memory_is_what_the_model_holds() -> None:
    small, large = (taught(wrap(banditron(n_features=n)), ROWS[:1])._raw_memory_usage for n in (2**10, 2**14))
    assert 0 <= large - small - 8 * len(SEGMENTS) * (2**14 - 2**10) < 1000


# Wrong inputs


@pytest.mark.parametrize("y", ["lava", None, 3, ["sky"], {"a": 1}])
def test_an_unknown_label_is_refused_before_anything_is_played(y: Any) -> None:
    model = wrap(banditron())
    with pytest.raises(onebit.FeedbackError, match=r"y=.* not among the classes \['brickface', .*name all of them"):
        model.learn_one(ROWS[0][0], y)
    assert model.learner.decisions == 0


@pytest.mark.parametrize(
    ("x", "said"),
    [
        ({"age": None}, r"feature 'age' is None; fill gaps first"),
        ({"age": float("nan")}, r"feature 'age' is nan; fill gaps first"),
        ({"age": np.float32("inf")}, r"feature 'age' is inf"),
        ({"age": [1, 2]}, r"feature 'age' is \[1, 2\]; rows hold numbers, strings and booleans"),
        ({0: 1, "0": 2}, r"two of the names .* are the same as text"),
        ([1, 2], r"row: \[1, 2\] is not a dict"),
    ],
)
def test_a_row_that_cannot_be_is_refused_by_name(x: Any, said: str) -> None:
    model = wrap(banditron())
    for call in (model.predict_one, lambda row: model.learn_one(row, "sky")):
        with pytest.raises(onebit.DataError, match=said):
            call(x)
    assert model.learner.decisions == 0


def test_a_learner_goes_on_with_rows_of_its_kind() -> None:
    dense = taught(wrap(banditron(n_features=None), features=NAMES), ROWS[:1]).learner
    with pytest.raises(onebit.ConfigError, match=r"features=None: .* from dense rows; name their features"):
        wrap(dense)
    with pytest.raises(onebit.ConfigError, match=r"features=.* from sparse rows; leave features out"):
        wrap(taught(wrap(banditron()), ROWS[:1]).learner, features=NAMES)


def test_dense_rows_hold_no_text() -> None:
    with pytest.raises(onebit.DataError, match=r"feature 'colour' is the text 'red'"):
        wrap(banditron(n_features=None), features=["colour"]).predict_one({"colour": "red"})


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"learner": "banditron"}, onebit.ConfigError, r"learner='banditron': must be a learner"),
        ({"feedback": "bits"}, onebit.ConfigError, r"feedback='bits': must be full, bit or noisy"),
        ({"feedback": 3}, onebit.ConfigError, r"feedback=3: must be a channel such as .* or text such as 'bit'"),
        ({"feedback": onebit.Bit(delay=3)}, onebit.ConfigError, r"River decides when an answer comes"),
        ({"feedback": "full"}, onebit.FeedbackError, r"Banditron learns from a bit"),
        ({"features": "weight"}, onebit.ConfigError, r"features='weight': give a list"),
        ({"features": []}, onebit.ConfigError, r"features=\[\]: name at least one"),
        ({"features": ["a", "a"]}, onebit.ConfigError, r"none twice"),
    ],
)
def test_parameters_that_cannot_be(arguments: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        wrap(**({"learner": banditron()} | arguments))


def test_a_learner_without_probabilities_says_so() -> None:
    with pytest.raises(NotImplementedError, match="Banditron has no probabilities"):
        wrap(banditron()).predict_proba_one(ROWS[0][0])


def test_rows_of_arrays_come_through_river() -> None:
    X, y = np.array([[0.0, 1.0], [1.0, 0.0]] * 30), np.array(["up", "down"] * 30)
    model = taught(wrap(onebit.Banditron(["down", "up"], n_features=WIDTH)), stream.iter_array(X, y))
    assert [model.predict_one({0: 0.0, 1: 1.0}), model.predict_one({0: 1.0, 1: 0.0})] == ["up", "down"]
