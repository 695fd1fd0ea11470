"""The contract of a learner.

A learner's file holds the whole algorithm:

- `Hyper`, a named tuple of plain numbers, and `State`, a named tuple of arrays or of such tuples (single numbers
  are arrays of length 1), both made for compiled code;
- `decide`, `learn` and `score`, and `learn_label` where it takes both bits and labels: compiled functions over
  them (see `onebit.contract.compiled.Functions`), which never allocate and never raise, and draw only from the
  generator they are given;
- a class that declares the hyper-parameters as fields and makes `Hyper` and the first `State`.

Everything about a draw (labels, propensity, greedy, explored) reaches `learn` through the draw itself;
everything about the model (weights, covariance, scores) is read at the time of learning. So feedback may
come late and in any order. `score` and `predict` change nothing. A learner belongs to one thread at a time.

A bit that lies at rates ρ0, ρ1 is made honest before it reaches `learn`: where the learner has `noise`,
`learn` gets h(f) in place of f, the number whose mean over the lies is the true bit. That is right for every
learner whose update is linear in the bit; such a learner says so with `against_noise = ""`, and the others
say there why not.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, NamedTuple, Self, dataclass_transform

import numpy as np
from numpy.typing import NDArray

from onebit.contract.compiled import Functions, entries
from onebit.contract.decisions import Decisions, decide_many, learn_many
from onebit.contract.layout import Layout, check_finite, is_many, kind_of, settled, to_rows, width_of
from onebit.contract.live_log import LiveLog
from onebit.contract.noise_window import Estimated, NoiseWindow
from onebit.contract.parameters import check_dtype, check_field, check_labels, check_width, checked, choice, number
from onebit.contract.session import Run
from onebit.contract.states import arrays
from onebit.contract.teaching import Lessons, answer_of, copied, numbers_of, one_row, teach
from onebit.core.decision import Decision
from onebit.core.errors import ConfigError
from onebit.core.labels import label_array
from onebit.core.seeds import check_seed
from onebit.core.types import FloatArray, Label
from onebit.feedback import AnswerKind, NoiseRates
from onebit.noise.live import Reestimated, check_noise
from onebit.ops.rows import Rows


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field, number, choice, checked))
class _Declared:
    """Turns the annotated fields of every learner class into constructor arguments."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True, eq=False, repr=False)(cls)


class Learner(_Declared):
    """What all learners have in common: it cannot be played itself.

    Parameters: `classes`, their number (labels 0 .. K-1) or a list of labels; `n_features`, fixed by the
    first row if not given; `dtype`, "float64" or "float32"; `seed`, which decides every draw; `normalize`,
    rows to unit norm first; `ties`, "first" or "random" among equal scores; `noise`, for a bit that lies: its
    `NoiseRates(rho_0, rho_1)`, or an estimator from `onebit.noise` (not every learner can take it).

    >>> import onebit
    >>> issubclass(onebit.Banditron, onebit.Learner)
    True
    """

    classes: Any = checked(check=check_labels, kw_only=False)
    n_features: int | None = checked(default=None, check=check_width)
    dtype: str = checked(default="float64", check=check_dtype)
    seed: int = checked(default=0, check=lambda name, value: check_seed(value))
    normalize: bool = choice(False, True, default=False)
    ties: str = choice("first", "random", default="first")
    noise: Any = checked(default=None, check=check_noise)
    _codes: dict[Label, int] = field(init=False)
    _run: Run = field(init=False)

    name: ClassVar[str] = ""
    feedback: ClassVar[AnswerKind] = "bit"
    against_noise: ClassVar[str] = 'it does not say that its step is linear in the bit (against_noise = "")'
    as_they_come: ClassVar[Mapping[str, Any]] = {}  # settings with which dense and sparse rows are treated alike
    bounded: ClassVar[Mapping[str, Any]] = {}  # settings with which the state of one that grows stays of one size
    zero_divides: ClassVar[bool] = False  # whether a score above 0 is a yes by itself, whatever the others are
    walks_graph: ClassVar[bool] = False  # whether rows are nodes of a graph, which it has as a parameter
    functions: ClassVar[Functions]

    def __post_init__(self) -> None:
        for parameter in self._parameters():
            kept = check_field(parameter, getattr(self, parameter.name))
            object.__setattr__(self, parameter.name, kept)
        if self.noise is not None and self.against_noise:
            raise ConfigError(f"noise={self.noise!r}: {type(self).__name__} cannot take it: {self.against_noise}")
        self.check()
        object.__setattr__(self, "_codes", {label: k for k, label in enumerate(self.classes)})
        object.__setattr__(self, "_run", Run(self))

    @classmethod
    def _parameters(cls) -> list[Field[Any]]:
        return [f for f in fields(cls) if f.init]

    # What a learner's own file gives

    def check(self) -> None:
        """Checks of hyper-parameters that depend on each other."""

    def hyper(self) -> NamedTuple:
        """The hyper-parameters as compiled code sees them."""
        raise TypeError(f"{type(self).__name__} is not a learner that can be played: it gives no `hyper`")

    def start(self, layout: Layout) -> Any:
        """The state before the first row."""
        raise TypeError(f"{type(self).__name__} is not a learner that can be played: it gives no `start`")

    def aside(self, state: Any) -> Any:
        """The state for `score`: one that works in the state's own room gets other room, so that nothing changes."""
        return state

    def capacity(self, state: Any, lessons: int) -> int:
        """How much room the state needs for so many lessons more, in units of its own; 0 if it never grows."""
        return 0

    def resized(self, state: Any, capacity: int) -> Any:
        """The state with this much room, for one that grows. `start` makes it with room for one lesson."""
        return state

    def file_arrays(self, state: Any) -> dict[str, tuple[NDArray[Any], ...]]:
        """The arrays of a file by name: each is one of the state, or several of equal length in a row."""
        return {name: (array,) for name, array in arrays(state)}

    def check_rows(self, rows: Rows) -> None:
        """A `DataError` for rows that are finite, but not such as the learner can take."""

    def check_state(self, state: Any) -> None:
        """A `FormatError` for a state from a file whose arrays have the right form, but do not fit together."""

    def trouble(self) -> Exception | None:
        """What went wrong inside the compiled functions, which cannot raise it."""
        return None

    @property
    def set_size(self) -> int:
        """How many labels one decision plays."""
        return 1

    @property
    def top_size(self) -> int:
        """How many labels believed best one decision carries beside those it plays."""
        return 0

    def flips(self) -> NoiseRates | Reestimated | None:
        """How the bit lies."""
        return self.noise  # type: ignore[no-any-return]  # `check_noise` has settled it

    # What users call

    def decide(self, row: Any) -> Decision:
        """Play a label for one row, with exploration.

        >>> import onebit
        >>> onebit.Banditron(["no", "yes"]).decide([0.5, 1.0]).label
        'no'
        """
        row = settled(row)
        rows = self._begin(row)
        run = self._run
        self.check_rows(rows)
        if run.entries.decide(run.hyper, run.state, rows, self.normalize, run.rng, run.draw) >= 0:
            check_finite(rows)
        numbers, propensity, greedy, explored = run.draw
        labels = tuple([self.classes[k] for k in numbers[0].tolist()])
        m = run.set_size
        run.decisions += 1
        return Decision(
            labels[:m],
            propensity.item(),
            self.classes[greedy.item()],
            explored.item(),
            copied(row),
            run.decisions - 1,
            labels[m:],
        )

    def decide_many(self, X: Any) -> Decisions:
        """Play a label for every row of a table, at compiled speed: the same decisions as `decide` on each in turn.

        >>> import onebit
        >>> decisions = onebit.Banditron(["no", "yes"]).decide_many([[0.5, 1.0], [1.0, 0.0]])
        >>> decisions.labels, decisions.propensity, decisions[1].label
        (array(['no', 'no'], dtype='<U3'), array([0.99609375, 0.99609375]), 'no')
        """
        return decide_many(self, X)

    def learn(self, decision: Decision, feedback: Any) -> None:
        """Learn from the answer to a decision, whenever it comes: a bit, or the label for full information.

        A learner that takes both is told by each answer which it is: True and False are bits, and anything
        else is a label, 1 and 0 too; so labels that are booleans themselves are told as 1 and 0.

        >>> import onebit
        >>> learner = onebit.Banditron(["no", "yes"])
        >>> learner.learn(learner.decide([0.5, 1.0]), False)
        >>> learner.predict([0.5, 1.0])
        'yes'
        """
        run, (labels, greedy), (kind, answer) = self._run, numbers_of(self, decision), answer_of(self, feedback)
        run.check_log(kind)
        rows = self._begin(decision.row)
        draw = run.draw
        draw.labels[0] = labels
        draw.propensity[0] = decision.propensity
        draw.greedy[0] = greedy
        draw.explored[0] = decision.explored
        run.answer[0] = answer
        teach(self, kind, Lessons((decision.id,), draw, run.answer, rows), 0, 1)
        decision._spent[0] = True

    def learn_many(self, decisions: Sequence[Decision], feedback: Any) -> None:
        """Learn from the answers to many decisions, in order, at compiled speed: as `learn` from each in turn.

        `decisions` are what `decide_many` returned, or some of them (`decisions[answered]`), or a list of single
        ones; `feedback` has one answer for each.

        >>> import onebit
        >>> learner = onebit.Banditron(["no", "yes"])
        >>> decisions = learner.decide_many([[0.5, 1.0], [1.0, 0.0]])
        >>> learner.learn_many(decisions, decisions.labels == "yes")
        >>> learner.predict([[0.5, 1.0], [1.0, 0.0]])
        array(['yes', 'yes'], dtype='<U3')
        """
        learn_many(self, decisions, feedback)

    @classmethod
    def takes(cls, kind: AnswerKind) -> bool:
        """Whether the learner learns from answers of this kind, "bit" or "label".

        >>> import onebit
        >>> onebit.Banditron(3).takes("bit"), onebit.Banditron(3).takes("label")
        (True, False)
        """
        return kind == cls.feedback or (kind == "label" and cls.functions.learn_label is not None)

    def scores(self, X: Any) -> FloatArray:
        """Raw scores, one column per class; for one row, a vector. Changes nothing.

        >>> import onebit
        >>> onebit.Banditron(3, n_features=2).scores([1.0, 2.0])
        array([0., 0., 0.])
        """
        X = settled(X)
        layout = self._run.layout or self._layout_for(X)
        state = self._run.state if self._run.layout else self.start(layout)
        rows = to_rows(X, layout.n_features, layout.kind, self.dtype)
        check_finite(rows)
        self.check_rows(rows)
        n = len(rows[0]) - (layout.kind == "sparse")
        out = np.zeros((n, layout.n_classes), dtype=self.dtype)
        entries(self.functions, self.feedback).score(self._run.hyper, self.aside(state), rows, self.normalize, out)
        return out if is_many(X) else out[0]

    def predict(self, X: Any) -> Any:
        """The best label for one row, or an array of them for a table. No exploration, and changes nothing.

        >>> import onebit
        >>> onebit.Banditron(["no", "yes"]).predict([[0.5, 1.0], [1.0, 0.0]])
        array(['no', 'no'], dtype='<U3')
        """
        best = np.argmax(self.scores(X), axis=-1)
        return self.classes[best] if best.ndim == 0 else label_array(self.classes)[best]

    def clone(self, **changes: Any) -> Self:
        """A fresh learner with the same parameters, but for the changes.

        >>> import onebit
        >>> onebit.Banditron(3, gamma=0.1).clone(seed=5)
        Banditron(3, seed=5, gamma=0.1)
        """
        return type(self)(**(self.get_params() | changes))

    __sklearn_clone__ = clone  # what scikit-learn's own clone calls

    def get_params(self) -> dict[str, Any]:
        """The constructor's arguments by name.

        >>> import onebit
        >>> onebit.Banditron(3).get_params()["gamma"]
        0.0078125
        """
        return {f.name: getattr(self, f.name) for f in self._parameters()}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the learner to a `.onebit` file, exactly: `onebit.load` goes on with the same bits.

        >>> import onebit, tempfile
        >>> path = tempfile.mkdtemp() + "/model.onebit"
        >>> onebit.Banditron(3, n_features=2).save(path)
        >>> onebit.load(path)
        Banditron(3, n_features=2)
        """
        from onebit.contract.saving import save

        save(self, path)

    def log(
        self,
        path: str | os.PathLike[str],
        *,
        features: bool = True,
        overwrite: bool = False,
        feedback: AnswerKind | None = None,
    ) -> LiveLog:
        """From now on, write every decision to a log (Parquet) when its answer is learned.

        A path that ends in `.parquet` becomes one file, complete when the log is closed; any other becomes
        a folder that grows file by file and survives a kill. `features=False` leaves out the rows. One log
        keeps answers of one kind: `feedback`, "bit" or "label", says which (default: the learner's own).

        >>> import onebit, tempfile
        >>> learner = onebit.Banditron(["cat", "dog"], gamma=0.2)
        >>> path = tempfile.mkdtemp() + "/decisions.parquet"
        >>> with learner.log(path):
        ...     for _ in range(100):
        ...         learner.learn(learner.decide([1.0, 0.5]), True)
        >>> onebit.read_log(path)
        DecisionTable(100 decisions, 2 features)
        """
        return LiveLog(self, path, features, overwrite, feedback)

    @property
    def decisions(self) -> int:
        """How many decisions the learner has made."""
        return self._run.decisions

    @property
    def updates(self) -> int:
        """How often learning has changed the state."""
        return self._run.updates

    @property
    def noise_rates(self) -> NoiseRates:
        """The flip rates that the learner reckons with now.

        >>> import onebit
        >>> onebit.Banditron(3, noise=(0.1, 0.2)).noise_rates
        NoiseRates(rho_0=0.1, rho_1=0.2)
        """
        return self._run.rates

    @property
    def noise_history(self) -> list[Estimated]:
        """The estimates of the flip rates so far, each with the number of lessons after which it was made.

        >>> import onebit
        >>> onebit.RCINE(3).noise_history
        []
        """
        return list(self._run.window.history) if self._run.window else []

    def noise_window(self) -> tuple[Any, Any, Any, Any]:
        """Rows, played labels, propensities and bits since the last estimate: what an estimator's `fit` takes.

        >>> import onebit
        >>> learner = onebit.RCINE(3)
        >>> for _ in range(5):
        ...     learner.learn(learner.decide([1.0, 0.5]), False)
        >>> rows, played, propensity, bit = learner.noise_window()
        >>> rows.shape, bit.tolist()
        ((5, 2), [0, 0, 0, 0, 0])
        """
        window = self._run.window
        if window is None or not window.held:
            raise ConfigError("noise_window: no lessons are kept; make the learner with noise=..., an estimator")
        return window.columns()

    def __repr__(self) -> str:
        K = len(self.classes)
        shown = [repr(K) if self.classes == tuple(range(K)) else repr(list(self.classes))]
        for f in self._parameters()[1:]:
            value = getattr(self, f.name)
            if value != f.default:
                shown.append(f"{f.name}={value!r}")
        return f"{type(self).__name__}({', '.join(shown)})"

    def begin(self, layout: Layout) -> None:
        """Make the first state. The first row does this; the engine does it before the first round."""
        run = self._run
        if isinstance(run.log, LiveLog):
            run.log.open(layout)
        run.state = self.start(layout)
        run.capacity = self.capacity(run.state, 1)
        run.entries = entries(self.functions, self.feedback)
        flips = self.flips()
        run.window = NoiseWindow(flips, layout, self.set_size) if isinstance(flips, Reestimated) else None
        run.layout = layout

    def _begin(self, row: Any) -> Rows:
        """One row for the compiled functions; the first one also fixes the layout of the state."""
        layout = self._run.layout or self._layout_for(row)
        rows = one_row(row, layout)
        if self._run.layout is None:
            check_finite(rows)
            self.check_rows(rows)
            self.begin(layout)
        return rows

    def _layout_for(self, X: Any) -> Layout:
        return Layout(len(self.classes), self.n_features or width_of(X), kind_of(X), self.dtype)
