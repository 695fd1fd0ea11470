"""Learners that read raw cases: the same bits as on the rows that these become, through every method and a file."""

from __future__ import annotations

import copy
import json
import pickle
import zipfile
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy.sparse as sp

import onebit
from onebit.contract import case_columns
from onebit.contract.states import arrays, grown
from onebit.features.cases.encoder import MEET, Encoder
from onebit.features.cases.settings import Cases
from onebit.graph import Graph
from tests.naive.cases import random_case


class State(NamedTuple):
    """A state with a weight per class and column, in a row."""

    w: Any


CLASSES: list[Any] = ["billing", "refund", "abuse"]


def sample(n: int, seed: int = 1) -> list[tuple[dict[str, Any], str]]:
    """Cases whose right label is in their words."""
    rng = np.random.default_rng(seed)
    cases = []
    for i in range(n):
        case = random_case(rng)
        subject = f"{case['subject']} number{i}"
        case["subject"] = subject
        cases.append((case, "refund" if "refund" in subject else "abuse" if "card" in subject else "billing"))
    return cases


def play(learner: onebit.Learner, cases: list[tuple[dict[str, Any], str]]) -> list[tuple[Any, float]]:
    made = []
    for case, label in cases:
        decision = learner.decide(case)
        made.append((decision.label, decision.propensity))
        learner.learn(decision, decision.label == label)
    return made


def width_of(learner: onebit.Learner) -> int:
    layout = learner._session.layout
    assert layout is not None
    return layout.n_features


def encoder_of(learner: onebit.Learner) -> Encoder:
    encoder = learner._session.encoder
    assert encoder is not None
    return encoder


def error(made: list[tuple[Any, float]], cases: list[tuple[dict[str, Any], str]]) -> float:
    return float(np.mean([label != right for (label, _), (_, right) in zip(made, cases, strict=True)]))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_one_bit_learns_from_raw_cases(dtype: str) -> None:
    cases = [({"subject": case["subject"], "plan": case["plan"]}, label) for case, label in sample(1500)]
    made = play(onebit.OneBit(CLASSES, cases=Cases(), dtype=dtype), cases)
    assert error(made[-500:], cases[-500:]) < 0.1


@pytest.mark.parametrize(
    "make",
    [
        lambda **more: onebit.OneBit(CLASSES, curvature="diagonal", **more),
        lambda **more: onebit.Banditron(CLASSES, gamma=0.1, **more),
        lambda **more: onebit.SOBADiagonal(CLASSES, gamma=0.1, **more),
        lambda **more: onebit.Confidit(CLASSES, **more),
    ],
)
def test_growing_with_the_columns_changes_nothing(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = sample(900)
    growing = make(cases=Cases())
    made = play(growing, cases)
    assert width_of(growing) > 4096
    monkeypatch.setattr(case_columns, "_FIRST_WIDTH", 2**15)
    wide = make(cases=Cases())
    assert play(wide, cases) == made
    assert width_of(wide) == 2**15


def test_rows_are_those_of_the_encoder() -> None:
    cases = sample(300)
    made = play(onebit.Banditron(CLASSES, gamma=0.1, cases=Cases()), cases)
    encoder = Encoder(Cases())
    learner = onebit.Banditron(CLASSES, gamma=0.1, n_features=2**15)
    for (case, label), expected in zip(cases, made, strict=True):
        row = encoder.row(case, MEET)
        decision = learner.decide(sp.csr_array((row.values, row.indices, row.indptr), shape=(1, 2**15)))
        assert (decision.label, decision.propensity) == expected
        learner.learn(decision, decision.label == label)


def test_a_restart_in_the_middle_changes_nothing(tmp_path: Any) -> None:
    cases = sample(900)
    straight = onebit.OneBit(CLASSES, cases=Cases(ignore="open"))
    expected = play(straight, cases)
    learner = onebit.OneBit(CLASSES, cases=Cases(ignore="open"))
    made = play(learner, cases[:500])
    learner.save(tmp_path / "half.onebit")
    again = onebit.load(tmp_path / "half.onebit")
    assert again.cases == learner.cases
    made += play(pickle.loads(pickle.dumps(again)), cases[500:])
    assert made == expected


def test_answers_may_come_late_and_across_a_restart(tmp_path: Any) -> None:
    cases = sample(700)
    learner = onebit.OneBit(CLASSES, cases=Cases())
    other = onebit.OneBit(CLASSES, cases=Cases())
    for one in (learner, other):
        play(one, cases[:100])
    waiting = [learner.decide(case) for case, _ in cases[100:]]
    waiting_other = [other.decide(case) for case, _ in cases[100:]]
    other.save(tmp_path / "half.onebit")
    other = onebit.load(tmp_path / "half.onebit")
    waiting_other = pickle.loads(pickle.dumps(waiting_other))
    for i, (_, label) in enumerate(cases[100:]):
        learner.learn(waiting[i], waiting[i].label == label)
        other.learn(waiting_other[i], waiting_other[i].label == label)
    rows = [case for case, _ in cases[:50]]
    assert np.array_equal(learner.scores(rows), other.scores(rows))


def test_many_at_a_time_are_as_one_by_one() -> None:
    cases = sample(300)
    rows = [case for case, _ in cases]
    right = np.array([label for _, label in cases])
    one = onebit.OneBit(CLASSES, cases=Cases())
    many = onebit.OneBit(CLASSES, cases=Cases())
    singles = [one.decide(row) for row in rows]
    decisions = many.decide_many(rows)
    assert [d.propensity for d in singles] == decisions.propensity.tolist()
    for decision, label in zip(singles, right, strict=True):
        one.learn(decision, decision.label == label)
    many.learn_many(decisions[:100], decisions[:100].labels == right[:100])
    many.learn_many(list(decisions[100:]), decisions[100:].labels == right[100:])
    assert np.array_equal(one.scores(rows), many.scores(rows))
    assert decisions[3].row == rows[3]


def test_another_learner_reads_the_case_again() -> None:
    cases = sample(200)
    teacher = onebit.OneBit(CLASSES, cases=Cases())
    play(teacher, cases)
    decision = teacher.decide({"subject": "refund, please", "new": "column"})
    pupil = onebit.OneBit(CLASSES, cases=Cases())
    pupil.learn(decision, "refund")
    assert "new" in encoder_of(pupil).names
    assert pupil.predict({"subject": "refund, please"}) == "refund"
    many = teacher.decide_many([case for case, _ in cases[:5]])
    pupil.learn_many(many, ["refund"] * 5)


def test_predicting_changes_nothing() -> None:
    learner = onebit.OneBit(CLASSES, cases=Cases())
    assert learner.predict_proba({"subject": "refund"}).tolist() == [1 / 3] * 3
    play(learner, sample(100))
    before = pickle.dumps(encoder_of(learner).memory[2:])
    names = list(encoder_of(learner).names)
    row = {"subject": "words that nobody knows", "new": 3}
    learner.predict(row)
    learner.predict_proba([row, row])
    learner.explain(row)
    assert encoder_of(learner).names == names
    assert pickle.dumps(encoder_of(learner).memory[2:]) == before


def test_frames_and_series_are_cases_too() -> None:
    pd = pytest.importorskip("pandas")
    rows = [{"subject": case["subject"], "amount": case["amount"]} for case, _ in sample(30)]
    frame = pd.DataFrame(rows)
    dicts = onebit.OneBit(CLASSES, cases=Cases())
    frames = onebit.OneBit(CLASSES, cases=Cases())
    assert dicts.decide_many(rows).propensity.tolist() == frames.decide_many(frame).propensity.tolist()
    assert dicts.decide(rows[0]).propensity == frames.decide(frame.iloc[0]).propensity


def test_rows_of_numbers_are_refused() -> None:
    learner = onebit.OneBit(CLASSES, cases=Cases())
    for row in ([1.0, 2.0], np.ones((3, 2)), sp.csr_array(np.ones((1, 2)))):
        for call in (learner.decide, learner.predict, learner.scores):
            with pytest.raises(onebit.DataError, match="the learner reads raw cases"):
                call(row)
    with pytest.raises(onebit.DataError, match="one case at a time"):
        learner.decide([{"a": 1}, {"a": 2}])
    assert learner._session.layout is None


def test_streams_of_numbers_are_refused() -> None:
    with pytest.raises(onebit.ConfigError, match="the stream synsep has rows of numbers"):
        onebit.simulate(onebit.OneBit(9, cases=Cases()), onebit.streams.synsep(100), seeds=1)


def test_a_state_that_cannot_grow_says_so() -> None:
    flat = State(np.zeros(3 * 4))
    with pytest.raises(onebit.ConfigError, match="SOBA: its state cannot grow"):
        grown(flat, State(np.zeros(3 * 8)), 4, 8, "SOBA")


def test_settings_are_checked() -> None:
    with pytest.raises(onebit.ConfigError, match="cases='raw': must be onebit.Cases"):
        onebit.OneBit(CLASSES, cases="raw")
    with pytest.raises(onebit.ConfigError, match="'a' is declared as text too"):
        Cases(text="a", number=["a"])
    with pytest.raises(onebit.ConfigError, match="must be names of columns"):
        Cases(ignore=[1])  # type: ignore[list-item]  # refused
    with pytest.raises(onebit.ConfigError, match="hash=0"):
        Cases(hash=0)


def test_a_log_keeps_the_rows(tmp_path: Any) -> None:
    cases = sample(200)
    learner = onebit.OneBit(CLASSES, cases=Cases())
    with learner.log(tmp_path / "log.parquet"):
        made = play(learner, cases)
    table = onebit.read_log(tmp_path / "log.parquet")
    assert len(table) == 200
    assert table.propensity.tolist() == [p for _, p in made]


def test_a_label_may_join() -> None:
    cases = [({"subject": case["subject"]}, label) for case, label in sample(900)]
    learner = onebit.OneBit(["billing", "refund"], cases=Cases())
    play(learner, cases[:300])
    rows = [case for case, _ in cases[:20]]
    before = learner.scores(rows)
    weights = learner._session.state.bank.W.copy()
    learner.add_classes(["abuse"])
    assert np.array_equal(learner._session.state.bank.W[:2], weights)
    assert np.array_equal(learner.scores(rows)[:, :2].argmax(axis=1), before.argmax(axis=1))
    made = play(learner, cases[300:])
    assert error(made[-200:], cases[-200:]) < 0.1


@pytest.mark.parametrize("learner", [onebit.OneBit, onebit.Banditron, onebit.SOBADiagonal])
@pytest.mark.parametrize("saved", [False, True])
def test_what_is_kept_of_a_retired_label_grows_with_the_columns(learner: Any, saved: bool, tmp_path: Any) -> None:
    # Beside one that never retires it, and decides the same cases without learning from them.
    leaves, stays = (learner(CLASSES, cases=Cases()) for _ in range(2))
    first = sample(200)
    for one in (leaves, stays):
        play(one, first)
    narrow = width_of(leaves)
    leaves.retire(["refund"])
    many = [{"subject": f"word{i} letter{i}", "amount": i} for i in range(narrow)]
    for one in (leaves, stays):
        one.decide_many(many)
    assert width_of(leaves) == width_of(stays) > narrow
    if saved:
        leaves.save(tmp_path / "learner.onebit")
        leaves = onebit.load(tmp_path / "learner.onebit")
    leaves.add_classes(["refund"])
    assert leaves.classes == ("billing", "abuse", "refund")
    rows = [case for case, _ in first] + many[:50]
    places = [0, 2, 1]
    assert np.allclose(leaves.scores(rows)[:, places], stays.scores(rows), rtol=1e-12, atol=1e-12)
    axes = stays.class_axes(stays._session.state, stays._session.layout, 0)
    divided = zip(axes, arrays(leaves._session.state), arrays(stays._session.state), strict=True)
    for axis, (name, array), (_, wanted) in divided:
        if axis.per_class[0] == 1 and len(axis.per_class) > 1 and name not in ("s", "z"):
            assert np.array_equal(array[places], wanted), name


def test_the_columns_are_told() -> None:
    learner = onebit.OneBit(CLASSES, cases=Cases(ignore="due"))
    assert str(learner.cases) == "Cases(ignore=('due',))"
    play(learner, sample(50))
    shown = str(learner.cases)
    for part in ("subject", "text", "sent (day)", "due", "ignored", "missing"):
        assert part in shown
    assert repr(learner) == "OneBit(['billing', 'refund', 'abuse'], cases=Cases(ignore=('due',)))"
    why = str(learner.explain({"subject": "my refund", "amount": 3.5}))
    assert "subject: 'refund'" in why


def every_learner() -> list[Any]:
    """Each learner that takes sparse rows, as its defaults have it; kernels for rows of any norm."""
    found = [value for value in vars(onebit).values() if isinstance(value, type) and issubclass(value, onebit.Learner)]
    return [one for one in found if one is not onebit.Learner and not one.walks_graph]


@pytest.mark.parametrize("kind", every_learner(), ids=lambda kind: kind.__name__)
def test_every_learner_reads_cases_by_itself_and_from_its_file(kind: Any, tmp_path: Any) -> None:
    cases = sample(120)
    options = {"normalize": True} if "kernel" in kind(3).get_params() else {}
    learner = kind(CLASSES, **options)
    half = cases[:60]
    for case, label in half:
        decision = learner.decide(case)
        learner.learn(decision, label in decision.labels if learner.takes("bit") else label)
    learner.save(tmp_path / "half.onebit")
    again = onebit.load(tmp_path / "half.onebit")
    assert repr(again) == repr(learner) == repr(kind(CLASSES, **options))
    assert again.get_params() == learner.get_params()
    assert learner.clone()._session.encoder is None
    for case, label in cases[60:]:
        one, other = learner.decide(case), again.decide(case)
        assert (one.labels, one.propensity) == (other.labels, other.propensity)
        for player, decision in ((learner, one), (again, other)):
            player.learn(decision, label in decision.labels if player.takes("bit") else label)
    rows = [case for case, _ in cases[:20]]
    assert np.array_equal(learner.scores(rows), again.scores(rows))
    assert np.abs(learner.scores(rows)).max() > 0
    assert "subject" in str(learner.cases)


def test_matrices_and_kernels_have_a_fixed_width_that_the_user_may_choose() -> None:
    cases = sample(200)
    for learner in (onebit.LinUCB(CLASSES), onebit.SOBA(CLASSES), onebit.SecondOrderKernel(CLASSES, kernel="rbf")):
        play(learner, cases[:100])
        assert width_of(learner) == 513
        assert encoder_of(learner).columns == 512
    chosen = onebit.LinUCB(CLASSES, cases=Cases(hash=100))
    given = onebit.LinUCB(CLASSES, n_features=101)
    assert play(chosen, cases[:100]) == play(given, cases[:100])
    assert (width_of(chosen), width_of(given)) == (101, 101)
    assert encoder_of(onebit.LinUCB(CLASSES, cases=Cases(ignore="open"))).cases == Cases(ignore="open", hash=512)


def test_a_learner_of_nodes_says_why_it_reads_no_cases() -> None:
    graph = Graph.of(np.ones((4, 4)) - np.eye(4))
    learner = onebit.PageRankUCB(CLASSES, graph=graph)
    with pytest.raises(onebit.DataError, match="its rows are nodes of a graph"):
        learner.decide({"subject": "refund"})
    with pytest.raises(onebit.ConfigError, match="its rows are nodes of a graph"):
        onebit.PageRankUCB(CLASSES, graph=graph, cases=Cases())


def test_the_first_row_decides_what_rows_are() -> None:
    pa = pytest.importorskip("pyarrow")
    numbers = pa.table({"a": [1.0, 2.0], "b": [3.0, 4.0]})
    dense = onebit.OneBit(CLASSES)
    dense.decide_many(numbers)
    assert dense._session.encoder is None
    for case in ({"a": 1.0}, [{"a": 1.0}, {"a": 2.0}], numbers.append_column("c", [["x", "y"]])):
        with pytest.raises(
            onebit.DataError, match="is a raw case, by its names, and the learner has had rows of 2 num"
        ):
            dense.predict(case)
    with pytest.raises(onebit.DataError, match="column 'a' is missing"):
        dense.predict(pa.table({"a": [1.0, None], "b": [3.0, 4.0]}))
    for first in (
        {"a": 1.0},
        [{"a": 1.0}, {"b": 2}],
        numbers.append_column("c", [["x", "y"]]),
        numbers.append_column("c", [[None, 1.0]]),
        numbers.append_column("c", [[float("nan"), 1.0]]),
        numbers.append_column("c", [[[1, 2], [3]]]),
        pa.table({"when": pa.array([1, 2], pa.date32())}),
    ):
        raw = onebit.OneBit(CLASSES)
        raw.decide_many(first) if not isinstance(first, dict) else raw.decide(first)
        assert raw._session.encoder is not None
        raw.predict(numbers)
        with pytest.raises(onebit.DataError, match="the learner reads raw cases"):
            raw.decide([1.0, 2.0])


def test_a_first_case_that_cannot_be_read_leaves_a_learner_as_it_was() -> None:
    learner = onebit.OneBit(CLASSES)
    with pytest.raises(onebit.DataError, match="column 'a' is <object"):
        learner.decide({"a": object()})
    assert learner._session.encoder is None
    assert learner.cases == "auto"
    assert learner.decide([1.0, 2.0]).id == 0


def test_a_pickle_of_version_0_1_hashes_its_dict_rows() -> None:
    learner = onebit.OneBit(CLASSES, cases=None)
    learner.decide({"a": "x"})
    state = {name: value for name, value in vars(learner).items() if name != "cases"}
    old = onebit.OneBit.__new__(onebit.OneBit)
    old.__setstate__(state)
    assert old.cases is None
    assert old.decide({"a": "x"}).propensity == learner.decide({"a": "x"}).propensity


def test_copies_read_on_by_themselves() -> None:
    cases = sample(200)
    learner = onebit.OneBit(CLASSES)
    play(learner, cases[:100])
    for twin in (copy.copy(learner), pickle.loads(pickle.dumps(learner))):
        told = str(learner.cases)
        assert str(twin.cases) == told
        play(twin, cases[100:])
        assert str(twin.cases) != told == str(learner.cases)


def test_files_whose_cases_do_not_fit_are_refused(tmp_path: Any) -> None:
    learner = onebit.OneBit(CLASSES)
    play(learner, sample(20))
    learner.save(tmp_path / "model.onebit")
    for change in ({"parameters": {"cases": None}}, {"cases": {"hash": -1}}, {"cases": {"hash": 3}}):
        with zipfile.ZipFile(tmp_path / "model.onebit") as old, zipfile.ZipFile(tmp_path / "bad.onebit", "w") as new:
            for name in old.namelist():
                data = old.read(name)
                if name.endswith(".json"):
                    header = json.loads(data)
                    for part, values in change.items():
                        header[part] |= values
                    data = json.dumps(header).encode()
                new.writestr(name, data)
        with pytest.raises(onebit.FormatError):
            onebit.load(tmp_path / "bad.onebit")


def test_no_cases_are_no_decisions() -> None:
    pandas = pytest.importorskip("pandas")
    learner = onebit.OneBit(CLASSES)
    with pytest.raises(onebit.DataError, match="row: is empty; a row needs at least one feature"):
        learner.decide_many([])
    learner.decide(sample(1)[0][0])
    empty: list[Any] = [[], (), pandas.DataFrame({"subject": pandas.Series([], dtype=str)})]
    for nothing in empty:
        assert len(learner.decide_many(nothing)) == 0
        assert learner.predict(nothing).tolist() == []
        assert learner.predict_proba(nothing).shape == (0, len(CLASSES))
    with pytest.raises(onebit.DataError, match="is a table of 0 cases; decide and learn take one case at a time"):
        learner.decide([])
    assert learner.decisions == 1
