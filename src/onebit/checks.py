"""One battery of checks that every learner must pass: ours in the tests, and anybody's through `check_learner`."""

from __future__ import annotations

import gc
import io
import tempfile
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from onebit.contract.layout import Layout, RowKind
from onebit.contract.learner import Learner
from onebit.contract.saving import load
from onebit.contract.schema import Declared
from onebit.contract.states import arrays
from onebit.core.aliases import Label
from onebit.core.decision import Decision
from onebit.core.errors import DataError, FormatError, OnebitError
from onebit.core.labels import label_array, told
from onebit.engine.match import prepare
from onebit.engine.play import play
from onebit.engine.reference import play_reference
from onebit.feedback import Bit, Channel, Full, NoisyBit
from onebit.graph import Graph
from onebit.log import read_log, replay
from onebit.ops.random import pack
from onebit.streams.arrays import from_arrays
from onebit.streams.base import Stream

ROUNDS = 400
FEATURES = 8
LATE = 1000
PARTS = 40


@dataclass(frozen=True)
class Check:
    """The outcome of one check.

    >>> Check("determinism", True, "", 0.1).passed
    True
    """

    name: str
    passed: bool
    detail: str
    seconds: float


ALIKE: dict[str, Mapping[str, Any]] = {"OneBit": {"standardize": False, "variance": 100.0}}
"""Settings under which a learner that treats dense and sparse rows differently treats them alike."""

LINEAR: dict[str, Mapping[str, Any]] = {"OneBit": {"kernel": None}}
"""Settings under which one model serves both kinds of rows, for a learner that has several."""

BOUNDED: dict[str, Mapping[str, Any]] = {
    "KernelBandit": {"form": "dual", "budget": 40},
    "SecondOrderKernel": {"budget": 16},
}
"""Settings under which the state of a learner that grows stays of one size."""


EVEN_PRIOR = {"PageRankUCB"}
"""Learners that expect each of K labels with probability 1/K, so that another one changes the scores of all."""


class Scene(NamedTuple):
    """The learner to check, as a pattern, and clusters to play it on: the same rows dense and sparse."""

    learner: Learner
    alike: Mapping[str, Any]
    bounded: Mapping[str, Any]
    X: Any
    y: Any
    dense: Stream
    sparse: Stream

    def trained(self, changes: dict[str, Any] | None = None) -> Learner:
        """A clone that has lived through all rows, one decision at a time."""
        learner = self.learner.clone(**(changes or {}))
        for t in range(ROUNDS):
            self.live(learner, t)
        return learner

    def row(self, t: int, kind: str = "dense") -> Any:
        """The row of round t, going round and round."""
        x = self.X[t % len(self.X)]
        return sp.csr_array(x[None, :]) if kind == "sparse" else x

    def answer(self, decision: Decision, t: int) -> Any:
        """The true feedback to a decision about the row of round t: a bit and a label by turns, if both are taken."""
        label = self.learner.classes[self.y[t % len(self.y)]]
        bit = self.learner.takes("bit") and (t % 2 == 0 or not self.learner.takes("label"))
        return label in decision.labels if bit else told(label)

    def live(self, learner: Learner, t: int, kind: str = "dense") -> Decision:
        """One round: decide and learn."""
        decision = learner.decide(self.row(t, kind))
        learner.learn(decision, self.answer(decision, t))
        return decision


def check_learner(
    learner: Learner,
    raise_on_failure: bool = True,
    *,
    alike: Mapping[str, Any] | None = None,
    bounded: Mapping[str, Any] | None = None,
) -> list[Check]:
    """Put a learner through the battery; it serves as a pattern and is not changed.

    Raises an `AssertionError` that lists what failed, unless told not to. `alike` are settings under which a row means
    the same dense and sparse and at any time, for a learner that scales rows by what it has seen; `bounded` settings
    under which the state stays of one size, for one that grows.

    >>> import onebit
    >>> checks = onebit.checks.check_learner(onebit.Banditron(3, gamma=0.1))
    >>> all(check.passed for check in checks)
    True
    """
    scene = _scene(learner, alike, bounded)
    results = [_run(name, check, scene) for name, check in CHECKS.items()]
    failed = [f"{check.name}: {check.detail}" for check in results if not check.passed]
    if failed and raise_on_failure:
        raise AssertionError(f"{type(learner).__name__} fails {len(failed)} checks\n" + "\n".join(failed))
    return results


def _run(name: str, check: Callable[[Scene], None], scene: Scene) -> Check:
    began = perf_counter()
    detail = ""
    try:
        check(scene)
    except Exception as error:  # whatever a stranger's learner raises is the finding
        detail = f"{type(error).__name__}: {error}"
    return Check(name, not detail, detail, perf_counter() - began)


def _scene(learner: Learner, alike: Mapping[str, Any] | None = None, bounded: Mapping[str, Any] | None = None) -> Scene:
    draw = np.random.default_rng(7)
    K = len(learner.classes)
    y = draw.integers(K, size=ROUNDS)
    X = draw.normal(size=(K, FEATURES))[y] + 0.5 * draw.normal(size=(ROUNDS, FEATURES))
    X[draw.random(X.shape) < 0.3] = 0.0
    X[:, 0] = 1.0
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    labels = np.empty(K, dtype=object)
    labels[:] = learner.classes
    table = sp.csr_array(X)
    streams = (
        from_arrays(X, labels[y], classes=learner.classes),
        from_arrays(table, labels[y], classes=learner.classes),
    )
    name = type(learner).__name__
    return Scene(
        learner.clone(n_features=None, **_ground(learner)),
        ALIKE.get(name, {}) if alike is None else alike,
        BOUNDED.get(name, {}) if bounded is None else bounded,
        X,
        y,
        *streams,
    )


def _ground(learner: Any) -> dict[str, Any]:
    """A ring of as many nodes as the rows have features, for a learner that walks a graph and has none."""
    if not learner.walks_graph or learner.graph is not None:
        return {}
    step = np.roll(np.eye(FEATURES), 1, axis=0)
    return {"graph": Graph.of(step + step.T)}


def _channels(learner: Learner) -> list[Channel]:
    channels: list[Channel] = [Bit(), NoisyBit(0.1, 0.2), Bit(delay=25), NoisyBit(0.2, 0.1, delay=(0, 40))]
    channels += [Full(), Full(delay=(0, 40))]
    return [channel for channel in channels if learner.takes(channel.kind)]


def _explores(learner: Learner) -> dict[str, float]:
    """Settings under which every label is played often enough to be counted."""
    return {"gamma": 0.4} if "gamma" in learner.get_params() else {}


def _snapshot(learner: Learner) -> list[Any]:
    session = learner._session
    return [session.rng.copy(), *(array.copy() for _, array in arrays(session.state))]


def _same(left: Learner, right: Learner, what: str) -> None:
    for (name, a), (_, b) in zip(arrays(left._session.state), arrays(right._session.state), strict=True):
        assert np.array_equal(a, b, equal_nan=True), f"{what}: the state {name} differs"
    assert np.array_equal(left._session.rng, right._session.rng), f"{what}: the generators differ"


def _unchanged(learner: Learner, before: list[Any], what: str) -> None:
    for a, b in zip(_snapshot(learner), before, strict=True):
        assert np.array_equal(a, b, equal_nan=True), f"{what} changed the learner"


def determinism(scene: Scene) -> None:
    """One seed decides everything."""
    for channel in _channels(scene.learner):
        pair = [prepare(scene.learner, scene.dense, seed=5) for _ in range(2)]
        traces = [play(player, scene.dense, channel, seed=5, rounds=2 * ROUNDS) for player in pair]
        assert np.array_equal(traces[0].mistakes, traces[1].mistakes), "two plays with one seed differ"
        _same(pair[0], pair[1], what="two plays with one seed")


def compiled_equals_reference(scene: Scene) -> None:
    """The fused loop and the readable one give the same bits, at once and late."""
    for stream in (scene.dense, scene.sparse):
        for channel in _channels(scene.learner):
            fused, slow = (prepare(scene.learner, stream, seed=2) for _ in range(2))
            a = play(fused, stream, channel, 2, ROUNDS)
            b = play_reference(slow, stream, channel, 2, ROUNDS)
            for name in ("rounds", "mistakes", "greedy_mistakes", "updates"):
                assert np.array_equal(getattr(a, name), getattr(b, name)), f"{channel}, {stream.name}: {name} differ"
            _same(fused, slow, what=f"{channel}")


def batches(scene: Scene) -> None:
    """Many rows decided and learned at a time give the same bits as one by one."""
    for kind in ("dense", "sparse"):
        many = scene.learner.clone()
        single = scene.learner.clone()
        for start in range(0, ROUNDS, 50):
            rounds = range(start, start + 50)
            together = many.decide_many(sp.csr_array(scene.X[rounds]) if kind == "sparse" else scene.X[rounds])
            decisions = [single.decide(scene.row(t, kind)) for t in rounds]
            answers = [scene.answer(decision, t) for decision, t in zip(decisions, rounds, strict=True)]
            for a, b, answer in zip(together, decisions, answers, strict=True):
                assert _played(a) == _played(b), f"{kind}, decision {b.id}: {_played(a)}, one by one {_played(b)}"
                single.learn(b, answer)
            many.learn_many(together, answers)
        _same(many, single, what=f"{kind}, many rows at a time")


def _played(decision: Decision) -> tuple[Any, ...]:
    return decision.id, decision.labels, decision.propensity, decision.greedy, decision.explored, decision.top


def save_and_load(scene: Scene) -> None:
    """A loaded learner goes on with the same bits for a thousand rounds."""
    learner = scene.trained()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "learner.onebit"
        learner.save(path)
        twin = load(path)
    assert twin.get_params() == learner.get_params(), "the parameters differ"
    for t in range(LATE):
        a = scene.live(learner, t)
        b = scene.live(twin, t)
        assert (a.labels, a.propensity, a.greedy, a.id) == (b.labels, b.propensity, b.greedy, b.id), f"round {t}"
    _same(learner, twin, what="after loading")


def propensities(scene: Scene) -> None:
    """A frozen learner plays each answer as often as its propensity says; the propensities sum to 1."""
    learner = scene.trained(_explores(scene.learner))
    for t in (0, 1, 2):
        _plays_as_it_claims(learner, scene.row(t), 4000)


def _plays_as_it_claims(learner: Learner, row: Any, draws: int, among: Any = None) -> list[Decision]:
    """The state is put back after each decision; so all of them are drawn alike."""
    frozen = [array.copy() for _, array in arrays(learner._session.state)]
    claimed: dict[Any, float] = {}
    seen: dict[Any, int] = {}
    made = []
    for _ in range(draws):
        decision = learner.decide(row, among)
        made.append(decision)
        for (_, array), kept in zip(arrays(learner._session.state), frozen, strict=True):
            array[...] = kept
        p = claimed.setdefault(decision.labels, decision.propensity)
        assert p == decision.propensity, f"{decision.labels} is claimed with {p} and {decision.propensity}"
        seen[decision.labels] = seen.get(decision.labels, 0) + 1
    for labels, p in claimed.items():
        spread = 5 * np.sqrt(draws * p * (1 - p))
        assert abs(seen[labels] - draws * p) <= spread, f"{labels}: claimed {p}, played {seen[labels] / draws}"
    assert abs(sum(claimed.values()) - 1) < 1e-12, f"the propensities sum to {sum(claimed.values())}"
    return made


def proposals(scene: Scene) -> None:
    """A key decides a proposal, which changes nothing; its probabilities are those that `pmf` tells."""
    for kind in ("dense", "sparse"):
        learner = scene.learner.clone(**_explores(scene.learner))
        for t in range(PARTS):
            scene.live(learner, t, kind)
        row = scene.row(PARTS, kind)
        before = _snapshot(learner)
        counted = learner.decisions
        made = [learner.propose(row, key) for key in range(1000)]
        assert learner.decisions == counted, "a proposal was counted"
        _unchanged(learner, before, "a proposal")
        assert _played(learner.propose(row, 7)) == _played(made[7]), "one key proposes this and that"
        if learner.functions.pmf is not None:
            _plays_as_told(learner, row, made)
            _unchanged(learner, before, "pmf")


def _plays_as_told(learner: Learner, row: Any, made: Sequence[Decision]) -> None:
    """Proposals about one row are as frequent as `pmf` has it, and as likely as they say."""
    told = learner.pmf(row)
    m = learner.set_size
    assert abs(told.sum() - m) < 1e-12, f"the probabilities sum to {told.sum()}"
    for label, p in zip(learner.classes, told, strict=True):
        seen = sum(label in decision.labels for decision in made)
        spread = 5 * np.sqrt(len(made) * p * (1 - min(p, 1))) + 1e-6
        assert abs(seen - len(made) * p) <= spread, f"{label!r}: told {p}, proposed {seen / len(made)}"
    for decision in made if m == 1 else ():
        p = told[learner.classes.index(decision.label)]
        assert abs(decision.propensity - p) < 1e-12, f"{decision.label!r}: told {p}, claimed {decision.propensity}"


def answers_fold(scene: Scene) -> None:
    """Proposals teach in the order of their answers: whatever else was proposed, and after a save and load."""
    learner = scene.learner.clone()
    other = scene.learner.clone()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "learner.onebit"
        for t in range(PARTS):
            decision = learner.propose(scene.row(t), t)
            answer = scene.answer(decision, t)
            learner.learn(decision, answer)
            other.propose(scene.row(t + 1), "idle")
            other.learn(replace(decision, _spent=[False]), answer)
            if t == PARTS // 2:
                other.save(path)
                other = load(path)
    _same(learner, other, what="the same answers")


def relabelling(scene: Scene) -> None:
    """Other names for the classes, in another order, give the same play under those names."""
    K = len(scene.learner.classes)
    renamed = [("class", (k * 2 + 1) % K if K % 2 else K - 1 - k) for k in range(K)]
    names = dict(zip(scene.learner.classes, renamed, strict=True))
    plain = scene.learner.clone()
    other = scene.learner.clone(classes=renamed)
    for t in range(ROUNDS):
        a = plain.decide(scene.row(t))
        b = other.decide(scene.row(t))
        assert tuple(names[label] for label in a.labels) == b.labels, f"round {t}: {a.labels} became {b.labels}"
        answer = scene.answer(a, t)
        plain.learn(a, answer)
        other.learn(b, answer if isinstance(answer, bool) else names[answer])
    assert names[plain.predict(scene.row(0))] == other.predict(scene.row(0)), "the predictions differ"


def dense_equals_sparse(scene: Scene) -> None:
    """Rows give the same play whether they come dense or sparse."""
    linear = LINEAR.get(type(scene.learner).__name__, {})
    dense, sparse = (scene.learner.clone(**{**scene.alike, **linear}) for _ in range(2))
    for t in range(ROUNDS):
        a = scene.live(dense, t)
        b = scene.live(sparse, t, "sparse")
        assert a.labels == b.labels, f"round {t}: {a.labels} dense, {b.labels} sparse"
    tolerance = 1e-8 if dense.dtype == "float64" else 1e-3
    left = dense.scores(scene.X)
    right = sparse.scores(sp.csr_array(scene.X))
    np.testing.assert_allclose(left, right, rtol=tolerance, atol=tolerance)


def delay_safety(scene: Scene) -> None:
    """A decision learned 1,000 rounds late uses its own draw, whatever was decided just before."""
    learner = scene.learner.clone(**_explores(scene.learner), **scene.alike)
    kept = [learner.decide(scene.row(t)) for t in range(50)]
    for t in range(50, LATE):
        scene.live(learner, t)
    with tempfile.TemporaryDirectory() as folder:
        learner.save(Path(folder) / "learner.onebit")
        pair = [load(Path(folder) / "learner.onebit") for _ in range(2)]
    for other, twin in enumerate(pair):
        for t, old in enumerate(kept):
            rng = twin._session.rng.copy()
            twin._session.rng[:] = pack(np.random.PCG64(2 * t + other))
            twin.decide(scene.row(3 * t + other))
            twin._session.rng[:] = rng
            again = Decision(old.labels, old.propensity, old.greedy, old.explored, old.row, old.id, old.top)
            twin.learn(again, scene.answer(old, t))
    left, right = (twin.scores(scene.X) for twin in pair)
    assert np.array_equal(left, right), "what was decided last changed what a late lesson taught"


def pure_predict(scene: Scene) -> None:
    """`predict` and `scores` change nothing, and agree with each other and with `greedy`."""
    learner = scene.trained()
    before = _snapshot(learner)
    labels = learner.predict(scene.X)
    scores = learner.scores(scene.X)
    assert scores.shape == (ROUNDS, len(learner.classes)), f"the scores have shape {scores.shape}"
    _unchanged(learner, before, "predict")
    expected = [learner.classes[k] for k in scores.argmax(axis=1)]
    assert all(a == b for a, b in zip(labels, expected, strict=True)), "predict is not the best score"
    learner = scene.trained(dict(scene.alike))
    labels = learner.predict(scene.X)
    for t in range(50):
        greedy = learner.decide(scene.row(t)).greedy
        assert learner.ties == "random" or greedy == labels[t], f"greedy is {greedy}, predict says {labels[t]}"


def no_growth(scene: Scene) -> None:
    """Memory does not grow with the rounds, or not beyond a budget; a window for the noise estimate is let go."""
    learner = scene.trained(dict(scene.bounded))
    if learner._session.window is not None:
        learner._session.window.every = min(learner._session.window.every, LATE)
    size = sum(array.nbytes for _, array in arrays(learner._session.state))
    gc.freeze()  # what is there already need not be searched for garbage in every part
    tracemalloc.start()
    try:
        grown = _left_behind(scene, learner)
        for _ in range(PARTS):  # a leak shows in every part; what an allocator or a tracer keeps comes to an end
            if grown < 8 * LATE:
                break
            grown = _left_behind(scene, learner)
    finally:
        tracemalloc.stop()
        gc.unfreeze()
    assert grown < 8 * LATE, f"{LATE} rounds left {grown} bytes behind"
    assert sum(array.nbytes for _, array in arrays(learner._session.state)) == size, "the state has grown"


def _left_behind(scene: Scene, learner: Learner) -> int:
    """The bytes that more rounds leave in use, without what only waits to be collected."""
    gc.collect()
    before, _ = tracemalloc.get_traced_memory()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a window that tells nothing
        for t in range(LATE):
            scene.live(learner, t)
    gc.collect()
    return tracemalloc.get_traced_memory()[0] - before


def bad_input(scene: Scene) -> None:
    """A wrong row or wrong feedback raises one of onebit's errors, and changes nothing."""
    learner = scene.trained()
    decision = learner.decide(scene.row(0))
    spent = scene.live(learner, 1)
    before = _snapshot(learner)
    bad_row = scene.row(0).copy()
    bad_row[2] = np.nan
    takes_a_bool = learner.takes("bit") or any(isinstance(label, bool) for label in learner.classes)
    wrong: Any = (["neither"] if takes_a_bool else True) if learner.takes("label") else told(learner.classes[0])
    tries: dict[str, Callable[[], Any]] = {
        "a row with NaN": lambda: learner.decide(bad_row),
        "an infinite row": lambda: learner.decide(np.where(np.isnan(bad_row), np.inf, bad_row)),
        "a short row": lambda: learner.decide(scene.row(0)[:-1]),
        "a row of text": lambda: learner.decide(["text"] * FEATURES),
        "scores of a row with NaN": lambda: learner.scores(bad_row),
        "feedback of the wrong kind": lambda: learner.learn(decision, wrong),
        "learning twice": lambda: learner.learn(spent, scene.answer(spent, 1)),
    }
    for what, attempt in tries.items():
        try:
            attempt()
        except OnebitError:
            _unchanged(learner, before, what)
        else:
            raise AssertionError(f"{what} raised no error")


def hostile_decisions(scene: Scene) -> None:
    """A decision made by hand, or changed, that cannot be raises one of onebit's errors, and changes nothing."""
    for kind in ("dense", "sparse"):
        learner = scene.learner.clone()
        for t in range(50):
            scene.live(learner, t, kind)
        decision = learner.decide(scene.row(0, kind))
        answer = scene.answer(decision, 0)
        before = _snapshot(learner)
        updates = learner.updates
        for field, values in _hostile(scene, decision, kind).items():
            for value in values:
                changed = replace(decision, **{field: value}, _spent=[False])
                _refused(learner, changed, answer, f"{kind}, {field}={value!r}")
        _unchanged(learner, before, "a hostile decision")
        assert learner.updates == updates, "a hostile decision counts as an update"
        learner.learn(decision, answer)


def _hostile(scene: Scene, decision: Decision, kind: str) -> dict[str, list[Any]]:
    """Values of a decision's fields that cannot be."""
    rows = []
    for bad in (np.nan, np.inf, -np.inf):
        row = scene.row(0).copy()
        row[0] = bad
        rows.append(sp.csr_array(row[None, :]) if kind == "sparse" else row)
    wide = np.ones(FEATURES + 1)
    rows += [wide, wide[:-2], np.ones((2, FEATURES)), None, "row", []]
    stranger = object()
    return {
        "row": rows,
        "propensity": [0, 0.0, -1, 1e-320, np.nan, np.inf, "0.5", None, 2, [0.5]],
        "labels": [(), (stranger,), (*decision.labels, decision.labels[0]), None, ([],), (np.nan,)],
        "greedy": [stranger, None, [], np.nan],
        "top": [(*decision.top, decision.greedy), None, (stranger,)],
        "explored": [None, "yes", 2],
        "id": [None, "0", 2**70, 0.5],
        "among": [(), (stranger,), "labels", 5, [*decision.labels, *decision.top, decision.greedy], ([],)],
    }


def _refused(learner: Learner, decision: Decision, answer: Any, what: str) -> None:
    """Neither `learn` nor `learn_many` takes the decision."""
    tries: tuple[Callable[[], None], ...] = (
        lambda: learner.learn(decision, answer),
        lambda: learner.learn_many([decision], [answer]),
    )
    for attempt in tries:
        try:
            attempt()
        except OnebitError:
            continue
        raise AssertionError(f"{what} raised no error")


def single_precision(scene: Scene) -> None:
    """With dtype="float32" whatever grows with the features is of that type, and stays finite."""
    learner = scene.trained({"dtype": "float32"})
    for name, array in arrays(learner._session.state):
        large = array.dtype.kind == "f" and FEATURES in array.shape
        assert not large or array.dtype == np.float32, f"{name} is {array.dtype}"
        assert np.isfinite(array).all(), f"{name} is not finite"


def state_schema(scene: Scene) -> None:
    """Every array of the state is declared, the states keep to it, and files that do not are refused."""
    kinds: tuple[RowKind, ...] = ("dense", "sparse")
    for kind in kinds:
        learner = scene.learner.clone()
        learner.begin(Layout(len(learner.classes), FEATURES, kind, learner.dtype))
        _check_declared(learner)
        for t in range(ROUNDS):
            scene.live(learner, t, kind)
        forms = _check_declared(learner)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "learner.onebit"
            learner.save(path)
            with zipfile.ZipFile(path) as archive:
                parts = {name: archive.read(name) for name in archive.namelist()}
            for name, declared in forms.items():
                stored = np.load(io.BytesIO(parts[f"{name}.npy"]))
                for what, wrong in _wrong_arrays(stored, declared).items():
                    _write_archive(path, parts | {f"{name}.npy": wrong})
                    _check_refused(path, f"{kind}, array {name} {what}")


def _check_declared(learner: Learner) -> dict[str, tuple[Declared, ...]]:
    """Hold the state against its declarations; what is declared of each array of the file."""
    session = learner._session
    assert session.layout is not None
    declared = learner.schema(session.layout, session.capacity)
    assert declared is not None, (
        "it does not say what its state may be, so its files cannot be checked; give it a method schema(self, layout, "
        "capacity) that returns its State with a declaration for each array, such as State(W=reals(K, d), t=whole(1), "
        "s=room(K)) with K = layout.n_classes, d = layout.n_features; reals, whole, room, zeros are in onebit.extend"
    )
    forms: Any = learner.file_arrays(declared)
    found = learner.file_arrays(session.state)
    assert list(forms) == list(found), f"the schema declares {list(forms)}, the state has {list(found)}"
    for name, parts in found.items():
        for part, form in zip(parts, forms[name], strict=True):
            form.check(name, part, session.layout.dtype)
    return dict(forms)


def _wrong_arrays(array: Any, declared: tuple[Declared, ...]) -> dict[str, bytes]:
    """The array as it must not be in a file."""
    wrong = {"has another shape": np.zeros((*array.shape, 2), array.dtype)}
    wrong["is of another type"] = np.zeros(array.shape, np.float16)
    if array.size and array.dtype.kind == "f":
        wrong["holds NaN"] = np.full_like(array, np.nan)
    if array.size and declared[0].high < np.inf:
        wrong["holds too large a number"] = np.full_like(array, 2 * declared[0].high + 1)
    stored = {}
    for what, content in wrong.items():
        file = io.BytesIO()
        np.save(file, content)
        stored[what] = file.getvalue()
    return stored


def _write_archive(path: Path, parts: Mapping[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def _check_refused(path: Path, what: str) -> None:
    try:
        load(path)
    except FormatError:
        return
    raise AssertionError(f"{what}, and the file is loaded all the same")


def finite_at_any_scale(scene: Scene) -> None:
    """Rows whose columns are of any scale leave the state finite and the propensities sound, or are refused."""
    decades = 12 if scene.learner.dtype == "float64" else 6
    labels = label_array(scene.learner.classes)[scene.y]
    channel = _channels(scene.learner)[0]
    for what, X in _at_scales(scene.X, decades).items():
        for table in (X, sp.csr_array(X)):
            stream = from_arrays(table, labels, classes=scene.learner.classes)
            learner = prepare(scene.learner, stream, seed=3)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", UserWarning)  # that the rows are badly scaled
                    play(learner, stream, channel, 3, ROUNDS)
            except DataError:
                continue
            propensity = learner.decide_many(table).propensity
            assert ((propensity > 0) & (propensity <= 1)).all(), f"{what}: a propensity is not above 0 and up to 1"
            for name, array in arrays(learner._session.state):
                assert np.isfinite(array).all(), f"{what}: {name} is not finite"


def _at_scales(X: Any, decades: int) -> dict[str, Any]:
    """The rows at every scale, 10 to the power of -decades .. decades, and with scales mixed in several ways."""
    n, d = X.shape
    powers = np.linspace(-decades, decades, d)
    tables = {f"rows times 1e{k}": X * 10.0**k for k in range(-decades, decades + 1)}
    tables["columns of all scales"] = X * 10**powers
    tables["equal rows of all scales"] = np.tile(X[0] * 10**powers, (n, 1))
    tables["entries of all scales"] = X * 10 ** np.random.default_rng(0).choice(powers, size=X.shape)
    tables["one huge row"] = np.where(np.arange(n)[:, None] == n // 2, X * 10.0**decades, X)
    tables["a column of time stamps"] = np.where(np.arange(d) == d - 1, 1.7e9 + 60 * np.arange(n)[:, None], X)
    return tables


def _keeps_scores(before: Any, after: Any) -> None:
    """A class that joined changed no scores; if these are logarithms of beliefs, it took from each a part."""
    if np.allclose(np.exp(before).sum(axis=1), 1):
        assert np.all(after <= before), "a class that joined made another likelier"
    else:
        assert np.array_equal(after, before), "a class that joined changed the scores of the others"


def classes_come_and_go(scene: Scene) -> None:
    """A class that joins leaves the others as they are; a retired one is not played, is saved, and comes back."""
    new = ("a label", "that is new")
    learner = scene.trained()
    before = learner.scores(scene.X)
    kept = slice(len(learner.classes))
    learner.add_classes([new])
    after = learner.scores(scene.X)
    if type(learner).__name__ not in EVEN_PRIOR:
        _keeps_scores(before, after[:, kept])
    _lives_on(scene, learner, "after a class joined")
    if learner.no_retiring_because:
        return
    away = learner.classes[0]
    asked = [decision for t in range(30) if away in (decision := learner.decide(scene.row(t))).labels]
    before = learner.scores(scene.X)
    learner.retire([away])
    learner.add_classes([away])
    assert learner.classes[-1] == away, f"a label that returns stands at {learner.classes}"
    order = [*range(1, before.shape[1]), 0]
    tolerance = 1e-12 if learner.dtype == "float64" else 1e-5
    np.testing.assert_allclose(learner.scores(scene.X), before[:, order], rtol=tolerance, atol=tolerance)
    learner.retire([away])
    if asked and not learner.bound_to_classes:
        learner.learn(asked[0], scene.answer(asked[0], asked[0].id))
    played = _lives_on(scene, learner, "after a class retired")
    assert not any(away in decision.labels + decision.top for decision in played), "a retired label is played"


def _lives_on(scene: Scene, learner: Learner, what: str) -> list[Decision]:
    """Some more rounds, side by side with what was saved and loaded now."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "learner.onebit"
        learner.save(path)
        twin = load(path)
    assert (twin.classes, twin.retired) == (learner.classes, learner.retired), f"{what}: the classes differ"
    played = []
    for t in range(ROUNDS // 2):
        decisions = [one.decide(scene.row(t)) for one in (learner, twin)]
        assert _played(decisions[0]) == _played(decisions[1]), f"{what}: round {t} differs after loading"
        for one, decision in zip((learner, twin), decisions, strict=True):
            one.learn(decision, scene.answer(decision, t))
        played.append(decisions[0])
    _same(learner, twin, what=f"{what}, saved and loaded")
    return played


def labels_closed(scene: Scene) -> None:
    """Only open labels are played, as often as is claimed; what they teach is the same from a log. Or it is refused."""
    learner = scene.trained(_explores(scene.learner))
    classes = learner.classes
    some = classes[1:]
    if learner.no_among_because:
        _refuses_among(scene, learner, some)
        return
    _all_open_is_plain(scene)
    best = np.argmax(learner.scores(scene.X[:2])[:, 1:], axis=1)
    for t in (0, 1):
        made = _plays_as_it_claims(learner, scene.row(t), 2000, among=some)
        named = {label for decision in made for label in (*decision.labels, *decision.top, decision.greedy)}
        assert named <= set(some), f"the label {classes[0]!r} is closed and named: {named}"
        told_by_scores = learner.ties == "first" and type(learner).__name__ not in EVEN_PRIOR
        greedy = made[0].greedy
        assert not told_by_scores or greedy == some[best[t]], f"greedy is {greedy}, the best open one {some[best[t]]}"
    forced = classes[: learner.set_size]
    only = learner.decide(scene.row(0), among=[*forced, *forced])
    assert set(only.labels) == set(forced), f"{only.labels} is played where only {forced} is open"
    assert (only.propensity, only.among) == (1.0, forced), f"the only choice is claimed with {only.propensity}"
    _batches_and_log_among(scene)


def _refuses_among(scene: Scene, learner: Learner, some: Sequence[Label]) -> None:
    """An error that gives the reason, in `decide` and in `learn`, and nothing changes."""
    decision = learner.decide(scene.row(0))
    open_labels = (*decision.labels, *decision.top, decision.greedy)
    tries: tuple[Callable[[], Any], ...] = (
        lambda: learner.decide(scene.row(0), among=some),
        lambda: learner.decide_many(scene.X[:2], among=some),
        lambda: learner.learn(replace(decision, among=open_labels, _spent=[False]), scene.answer(decision, 0)),
    )
    before = _snapshot(learner)
    for attempt in tries:
        said = ""
        try:
            attempt()
        except OnebitError as error:
            said = str(error)
        assert learner.no_among_because in said, f"no error gives the reason, {learner.no_among_because}: {said}"
        _unchanged(learner, before, "a decision among some of the labels")


def _all_open_is_plain(scene: Scene) -> None:
    """With every label open, the bits are those of a decision without `among`."""
    plain, named = (scene.learner.clone() for _ in range(2))
    for t in range(ROUNDS // 4):
        a = scene.live(plain, t)
        b = named.decide(scene.row(t), among=reversed(named.classes))
        named.learn(b, scene.answer(b, t))
        assert _played(a) == _played(b), f"round {t}: with all labels open {_played(b)}, else {_played(a)}"
        assert b.among is None, "all labels are open, and the decision says otherwise"
    _same(plain, named, what="with all labels open")


def _batches_and_log_among(scene: Scene) -> None:
    """Lists that change from row to row: many rows at a time as one by one; what is logged teaches the same again."""
    many, single = (scene.learner.clone() for _ in range(2))
    classes = single.classes
    lists = [None if t % 3 == 0 else classes if t % 3 == 1 else classes[:-1] for t in range(50)]
    kind = single.feedback
    lived: list[tuple[Decision, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        with single.log(Path(folder) / "log.parquet"):
            for start in range(0, ROUNDS // 2, 50):
                together = many.decide_many(scene.X[start : start + 50], among=lists)
                rounds = range(start, start + 50)
                decisions = [single.decide(scene.row(t), among=lists[t - start]) for t in rounds]
                true = [classes[scene.y[t]] for t in rounds]
                answers = [
                    told(y) if kind == "label" else y in one.labels for y, one in zip(true, decisions, strict=True)
                ]
                for a, b, answer in zip(together, decisions, answers, strict=True):
                    assert _played(a) == _played(b), f"decision {b.id}: {_played(a)}, one by one {_played(b)}"
                    assert a.among == b.among, f"decision {b.id}: among {a.among}, one by one {b.among}"
                    single.learn(b, answer)
                    lived.append((b, answer))
                many.learn_many(together, answers)
        table = read_log(Path(folder) / "log.parquet")
    _same(many, single, what="many rows at a time, some labels closed")
    fresh, again = (scene.learner.clone() for _ in range(2))
    for decision, answer in lived:
        fresh.learn(replace(decision, _spent=[False]), answer)
    for decision, answer in replay(table):
        again.learn(decision, answer)
    _same(again, fresh, what="a replay of the log, in which labels are closed")


CHECKS: dict[str, Callable[[Scene], None]] = {
    check.__name__.replace("_", " "): check
    for check in (
        determinism,
        compiled_equals_reference,
        batches,
        save_and_load,
        propensities,
        proposals,
        answers_fold,
        relabelling,
        dense_equals_sparse,
        delay_safety,
        pure_predict,
        no_growth,
        bad_input,
        hostile_decisions,
        single_precision,
        state_schema,
        finite_at_any_scale,
        classes_come_and_go,
        labels_closed,
    )
}
"""The battery, by name."""
