"""What an author writes: the contract of an algorithm.

A learner's file holds the whole algorithm:

- `Hyper`, a named tuple of plain numbers, and `State`, a named tuple of arrays or of such tuples (single numbers
  are arrays of length 1), both made for compiled code;
- `decide`, `learn` and `score`, and `learn_label` where it takes both bits and labels: compiled functions over
  them (their forms are in `onebit.contract.compiled`), which never allocate and never raise, and draw only from the
  generator they are given;
- a class that declares the hyper-parameters as fields and makes `Hyper` and the first `State`.

Everything about a draw (labels, propensity, greedy, explored) reaches `learn` through the draw itself;
everything about the model (weights, covariance, scores) is read at the time of learning. So feedback may
come late and in any order. `score` and `predict` change nothing. A learner belongs to one thread at a time.

A bit that lies at rates ρ0, ρ1 is made honest before it reaches `learn`: where the learner has `noise`,
`learn` gets h(f) in place of f, the number whose mean over the lies is the true bit. That is right for every
learner whose update is linear in the bit; such a learner says `takes_noise = True`, and the others say in
`no_noise_because` why not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, NamedTuple, dataclass_transform

from numpy.typing import NDArray

from onebit.contract.class_axes import Axes, Part, class_axes, copy_classes, part_of, put_part
from onebit.contract.compiled import Functions
from onebit.contract.layout import Layout
from onebit.contract.parameters import check_dtype, check_labels, check_width, checked, choice, number
from onebit.contract.states import arrays, grown, with_copies
from onebit.core.seeds import check_seed
from onebit.features.cases.settings import AUTO, Cases, check_cases
from onebit.feedback import AnswerKind, NoiseRates
from onebit.noise.live import Reestimated, check_noise
from onebit.ops.rows import Rows


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field, number, choice, checked))
class _Declared:
    """Turns the annotated fields of every learner class into constructor arguments."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True, eq=False, repr=False)(cls)


class Algorithm(_Declared):
    """The parameters that all learners have, and what a learner's own file gives. `Learner` adds what users call.

    Only `functions`, `hyper` and `start` must be given.

    >>> import onebit
    >>> issubclass(onebit.Learner, Algorithm)
    True
    """

    classes: Any = checked(check=check_labels, kw_only=False)
    n_features: int | None = checked(default=None, check=check_width)
    dtype: str = checked(default="float64", check=check_dtype)
    seed: int = checked(default=0, check=lambda name, value: check_seed(value))
    normalize: bool = choice(False, True, default=False)
    ties: str = choice("first", "random", default="first")
    noise: Any = checked(default=None, check=check_noise)
    cases: Cases | str | None = checked(default=AUTO, check=check_cases, later=True)

    functions: ClassVar[Functions]
    name: ClassVar[str] = ""
    revision: ClassVar[int] = 1  # one more with each correction of the algorithm, so that sweeps play it again
    feedback: ClassVar[AnswerKind] = "bit"
    takes_noise: ClassVar[bool] = False  # whether the step is linear in the bit
    no_noise_because: ClassVar[str] = "it does not say that its step is linear in the bit (takes_noise = True)"
    zero_divides: ClassVar[bool] = False  # whether a score above 0 is a yes by itself, whatever the others are
    walks_graph: ClassVar[bool] = False  # whether rows are nodes of a graph, which it has as a parameter
    decides_in: ClassVar[tuple[str, ...] | None] = None  # the parts of the state that `decide` writes to; None: any
    no_retiring_because: ClassVar[str] = ""  # why a class cannot leave and come back as it was, if so

    def __init_subclass__(cls) -> None:
        """A class with a first state, or functions, of its own does not inherit what another says of its own."""
        if "start" in vars(cls) and "schema" not in vars(cls):
            cls.schema = Algorithm.schema  # type: ignore[method-assign]  # as if it had been inherited from here
        if "functions" in vars(cls) and "decides_in" not in vars(cls):
            cls.decides_in = None
        super().__init_subclass__()

    @classmethod
    def _parameters(cls) -> list[Field[Any]]:
        return [f for f in fields(cls) if f.init]

    @classmethod
    def _formerly(cls) -> dict[str, Any]:
        """What stood for the parameters that came later than the learner, where a file or a pickle has none of them."""
        return {f.name: f.metadata["formerly"] for f in cls._parameters() if "formerly" in f.metadata} | {"cases": None}

    def check(self) -> None:
        """Checks of hyper-parameters that depend on each other."""

    def hyper(self) -> NamedTuple:
        """The hyper-parameters as compiled code sees them."""
        raise TypeError(f"{type(self).__name__} is not a learner that can be played: it gives no `hyper`")

    def start(self, layout: Layout) -> Any:
        """The state before the first row."""
        raise TypeError(f"{type(self).__name__} is not a learner that can be played: it gives no `start`")

    def compiled_for(self, state: Any) -> Functions:
        """The compiled functions for a state, None before the first row: learners of several forms have several."""
        return self.functions

    @property
    def rows_of_cases(self) -> dict[str, bool]:
        """What rows raw cases become: with `pairs` of symbols, rare words heavier by `rarity`, `quantities` first."""
        return {"pairs": False, "rarity": True, "quantities": False}

    def scoring_state(self, state: Any) -> Any:
        """The state for `score`: one that works in the state's own room gets other room, so that nothing changes."""
        return state

    def deciding_state(self, state: Any) -> Any:
        """The state for a proposal: what `decide` writes to is copied, so that nothing changes."""
        return with_copies(state, self.decides_in)

    def hyper_to_propose(self, hyper: Any) -> Any:
        """The hyper-parameters for a proposal, which counts no row: that is done when its answer is learned."""
        return hyper

    def count_decisions(self, state: Any, n: int) -> None:
        """Count so many decisions that were proposed, or made elsewhere, and whose answers were learned."""

    def capacity(self, state: Any, lessons: int) -> int:
        """How much room the state needs for so many lessons more, in units of its own; 0 if it never grows."""
        return 0

    @property
    def keeps_cases(self) -> bool:
        """Whether raw cases are kept whole, as those with a kernel do it: then their rows must be narrow."""
        return type(self).capacity is not Algorithm.capacity

    def resized(self, state: Any, capacity: int) -> Any:
        """The state with this much room, for one that grows. `start` makes it with room for one lesson."""
        return state

    def widened(self, state: Any, layout: Layout, wider: Layout) -> Any:
        """The state for rows with more columns, those of raw cases; what was learned stays as it was."""
        fresh = self.start(wider)
        return grown(state, fresh, layout.n_features, wider.n_features, f"{type(self).__name__} with raw cases")

    def regrouped(self, state: Any, layout: Layout, capacity: int, kept: Sequence[int], n_classes: int) -> Any:
        """The state for `n_classes` classes: those kept, in this order, just as they were, then new ones at the prior.

        `layout` and `capacity` are those of the state given. What belongs to which class is seen from the schema.
        """
        after = self.start(layout._replace(n_classes=n_classes))
        if capacity:
            after = self.resized(after, capacity)
        copy_classes(self.class_axes(state, layout, capacity), state, after, kept, (layout.n_classes, n_classes))
        return after

    def class_part(self, state: Any, layout: Layout, capacity: int, k: int) -> Part:
        """A copy of what belongs to class k."""
        return part_of(self.class_axes(state, layout, capacity), state, k)

    def put_class_part(self, state: Any, layout: Layout, capacity: int, k: int, part: Part) -> Any:
        """The state with what `class_part` gave as class k, which is at the prior."""
        put_part(self.class_axes(state, layout, capacity), state, k, part)
        return state

    def class_axes(self, state: Any, layout: Layout, capacity: int) -> list[Axes]:
        """How each array of the state is divided among classes."""
        one_more = layout._replace(n_classes=layout.n_classes + 1)
        return class_axes(self.schema(layout, capacity), self.schema(one_more, capacity))

    def recount(self, state: Any) -> None:
        """Bring up to date what is kept over all classes together, when some that had learned have left or returned."""

    @property
    def takes_new_labels(self) -> bool:
        """Whether a told label that is new is added by itself."""
        return False

    @property
    def bound_to_classes(self) -> bool:
        """Whether a decision can teach only among as many classes as it was drawn from."""
        return False

    @property
    def no_among_because(self) -> str:
        """Why a decision cannot be drawn among some of the labels; empty if it can, and teaches as it should.

        A learner needs such a reason if its lesson works with the probabilities of labels that were not played, or with
        their number.
        """
        return "it weighs an answer by how many labels there were to draw from" if self.bound_to_classes else ""

    def hyper_among(self) -> Any:
        """The hyper-parameters for a lesson about a decision that was drawn among some of the labels."""
        return self.hyper()

    def bring_back(self, state: Any, part: Any, layout: Layout, capacity: int) -> None:
        """Write to the state what deciding has changed in `part`, the same regrouped to some of the classes.

        That is whatever belongs to no class: clocks, counters, statistics. `layout` and `capacity` are the state's.
        """
        for axes, (_, whole), (_, some) in zip(
            self.class_axes(state, layout, capacity), arrays(state), arrays(part), strict=True
        ):
            if not axes.divided:
                whole[...] = some

    def schema(self, layout: Layout, capacity: int) -> Any:
        """What each array of a state may be, with this much room if it grows: a state that holds declarations.

        They are made by `reals`, `whole`, `room` and `zeros`. A file is held against them before memory is taken for
        its arrays. A learner that gives None fails the battery; of its files only shapes and types are checked.
        """
        return None

    def file_arrays(self, state: Any) -> dict[str, tuple[NDArray[Any], ...]]:
        """The arrays of a file by name: each is one of the state, or several of equal length in a row."""
        return {name: (array,) for name, array in arrays(state)}

    def check_rows(self, rows: Rows) -> None:
        """A `DataError` for rows that are finite, but not such as the learner can take."""

    def scales_columns(self, kind: str) -> bool:
        """Whether rows of this kind are brought to a common scale, column by column, before anything is learned."""
        return self.walks_graph

    @property
    def trouble(self) -> Callable[[], Exception | None] | None:
        """For compiled functions that call Python: a function that hands over, once, what went wrong there."""
        return None

    def check_state(self, state: Any) -> None:
        """A `FormatError` for a state from a file whose arrays have the right form, but do not fit together."""

    @property
    def set_size(self) -> int:
        """How many labels one decision plays."""
        return 1

    @property
    def top_size(self) -> int:
        """How many labels believed best one decision carries beside those it plays."""
        return 0

    def flip_rates(self) -> NoiseRates | Reestimated | None:
        """How the bit lies."""
        return self.noise  # type: ignore[no-any-return]  # `check_noise` has settled it
