"""What changes while a learner lives."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from onebit.contract.class_axes import Part
from onebit.contract.compiled import Entries
from onebit.contract.layout import Layout
from onebit.contract.live_log import LiveLog
from onebit.contract.noise_window import NoiseWindow
from onebit.contract.taught import TaughtNumbers
from onebit.core.aliases import Label
from onebit.core.lessons import Lessons, new_lessons
from onebit.core.seeds import bit_generator
from onebit.features.cases.encoder import Encoder
from onebit.features.cases.settings import Auto, Cases
from onebit.feedback import AnswerKind, NoiseRates, corrected
from onebit.log import DecisionLog
from onebit.ops.random import pack
from onebit.ops.rows import Rows

if TYPE_CHECKING:
    from onebit.contract.learner import Learner


class Session:
    """The state, the generator and the counts. The hyper-parameters, which never change, are on the learner."""

    __slots__ = (
        "_machine_code",
        "_machine_code_for",
        "capacity",
        "changed_at",
        "decisions",
        "encoder",
        "entries",
        "hyper",
        "layout",
        "lesson",
        "log",
        "rates",
        "retired",
        "rng",
        "set_size",
        "state",
        "taught",
        "trouble",
        "updates",
        "width",
        "window",
        "worth",
    )  # fmt: skip

    def __init__(self, learner: Learner) -> None:
        self.hyper = learner.hyper()
        self.trouble = learner.trouble
        self.set_size = learner.set_size
        self.width = learner.set_size + learner.top_size
        self.rng = pack(bit_generator(learner.seed, "learner"))
        self.lesson = new_lessons(1, self.width)  # room for one
        self.worth = np.array([0.0, 1.0])  # h(0), h(1)
        self.rates = NoiseRates(0.0, 0.0)
        self.entries: Entries
        self.layout: Layout | None = None
        self.state: Any = None
        self.window: NoiseWindow | None = None
        self.log: LiveLog | DecisionLog | None = None
        self.capacity = 0
        self.decisions = 0
        self.updates = 0
        self.encoder: Encoder | None = None  # made by the first raw case, or for declared ones by the learner
        self.taught: TaughtNumbers | None = None  # made by the first lesson
        self.retired: dict[Label, Part | None] = {}  # what belongs to each, None if nothing had begun
        self.changed_at = 0  # how many decisions had been made when the classes changed last
        self._machine_code: dict[Any, Callable[..., Any]] = {}
        self._machine_code_for: Any = None
        flips = learner.flip_rates()
        if isinstance(flips, NoiseRates):
            self.believe(flips)

    def read_with(self, learner: Learner, encoder: Encoder) -> None:
        """From now on, this encoder reads the learner's raw cases, and `learner.cases` tells of it."""
        self.encoder = encoder
        told = encoder.cases if isinstance(learner.cases, Cases) else Auto.of(encoder)
        object.__setattr__(learner, "cases", told)

    def __getstate__(self) -> dict[str, Any]:
        """All but what is found again in another process."""
        kept = (name for name in self.__slots__ if not name.startswith("_"))
        return {name: getattr(self, name) for name in kept if hasattr(self, name)}

    def __setstate__(self, pickled: dict[str, Any]) -> None:
        """Compiled code writes to the arrays, and joblib maps large ones into memory read-only: those are copied."""
        self.taught = None  # pickles of version 0.1 have none of these
        self.retired = {}
        self.changed_at = 0
        self.encoder = None
        for name, value in pickled.items():
            setattr(self, name, _writable(value))
        self._machine_code = {}
        self._machine_code_for = None

    def call(self, compiled: Any, *arguments: Any, state: Any = None, hyper: Any = None) -> Any:
        """Call compiled code with hyper-parameters and state, and raise what it could not raise itself.

        Where it is raised, the generator is as it was before.
        """
        if state is None:
            state = self.state
        if hyper is None:
            hyper = self.hyper
        if self.trouble is None:
            return compiled(hyper, state, *arguments)
        rng = self.rng.copy()
        result = compiled(hyper, state, *arguments)
        error = self.trouble()
        if error is not None:
            self.rng[:] = rng
            raise error
        return result

    def call_for_one(self, compiled: Any, rows: Rows, *arguments: Any, hyper: Any = None) -> Any:
        """The same for one row, and arguments that are the session's own arrays, or plain numbers.

        Numba names the types of all arguments again at every call, which takes several times as long as a decision.
        Here only the row can be of another type than at the last call, so the machine code is found once for each.
        """
        if self.state is not self._machine_code_for:
            self._machine_code = {}
            self._machine_code_for = self.state
        key = (compiled, *[part.flags.num for part in rows])
        code = self._machine_code.get(key)
        if code is None:
            types = tuple(map(compiled.typeof_pyval, (self.hyper, self.state, rows, *arguments)))
            code = self._machine_code[key] = compiled.compile(types)
        return self.call(code, rows, *arguments, hyper=hyper)

    def believe(self, rates: NoiseRates) -> None:
        """From now on the bit is taken to lie at these rates."""
        self.rates = rates
        self.worth[:] = corrected(0, *rates), corrected(1, *rates)

    def make_room(self, learner: Learner, lessons: int, trim: bool = False) -> None:
        """Let a state that grows have room for so many lessons more; trimmed, for these and no others."""
        wanted = learner.capacity(self.state, lessons)
        if wanted > self.capacity or (trim and wanted < self.capacity):
            self.state = learner.resized(self.state, wanted)
            self.capacity = wanted

    def check_log(self, kind: AnswerKind) -> None:
        """A `FeedbackError` where an open log does not keep answers of this kind."""
        if isinstance(self.log, LiveLog):
            self.log.check(kind)

    def window_for(self, kind: AnswerKind) -> NoiseWindow | None:
        """The window that hears answers of this kind: only a bit can lie."""
        return self.window if kind == "bit" else None

    def listens(self, kind: AnswerKind) -> bool:
        """Whether somebody keeps lessons of this kind."""
        return self.log is not None or self.window_for(kind) is not None

    def wants_rows(self, kind: AnswerKind) -> bool:
        """Whether somebody keeps the rows of such lessons."""
        return self.window_for(kind) is not None or (self.log is not None and self.log.keeps_rows)

    def hear(self, lessons: Lessons, kind: AnswerKind) -> None:
        """Hand lessons of one kind to the log and to the window; a window that is full gives new rates.

        Lessons that were drawn among some of the labels are not for the window: estimators count on draws among all.
        """
        if self.log is not None:
            self.log.write(lessons)
        if (window := self.window_for(kind)) is not None and lessons.among is None:
            window.write(lessons)
            if window.room <= 0 and (rates := window.estimate()) is not None:
                self.believe(rates)


def _writable(value: Any) -> Any:
    """An array, or those in a named tuple, such that compiled code can write to them; anything else as it is."""
    if isinstance(value, np.ndarray):
        return np.require(value, requirements=["WRITEABLE", "ENSUREARRAY"])
    return value._make(map(_writable, value)) if hasattr(value, "_make") else value
