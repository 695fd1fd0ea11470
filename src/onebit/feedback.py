"""Channels: the simulated world that answers a decision. And the unbiased correction of a noisy bit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields
from functools import cache
from typing import Any, ClassVar, Literal, NamedTuple, Self

from onebit.core.aliases import FloatArray, Rng
from onebit.core.checks import check_number, check_whole, wrong
from onebit.core.errors import ConfigError
from onebit.ops.jit import entry_point, jit
from onebit.ops.random import below, uniform

AnswerKind = Literal["bit", "label"]
Delay = int | tuple[int, int]
LONGEST_DELAY = 10_000_000
"""In rounds: what is under way is kept in memory, some 100 bytes each."""


class NoiseRates(NamedTuple):
    """Flip rates of a noisy bit: ρ0 = P(says 1 | truth 0), ρ1 = P(says 0 | truth 1).

    >>> NoiseRates(0.2, 0.4).rho_1
    0.4
    """

    rho_0: float
    rho_1: float

    def checked(self) -> NoiseRates:
        """These rates, or a `ConfigError` where they cannot be."""
        for name, rate in zip(self._fields, self, strict=True):
            check_number(name, rate, 0, 1, open_high=True)
        if self.rho_0 + self.rho_1 >= 1:
            raise ConfigError(
                f"rho_0={self.rho_0}, rho_1={self.rho_1}: their sum must be below 1, "
                "or the bit says nothing about the truth"
            )
        return NoiseRates(float(self.rho_0), float(self.rho_1))


class DelayRange(NamedTuple):
    """For how many rounds an answer is under way, at least and at most."""

    low: int
    high: int


class Channel(ABC):
    """The world in a simulation: it answers every decision, at once or late.

    A new kind of feedback is one subclass, a frozen dataclass whose last field is `delay: Delay = 0`. It gives

    - `kind`, what its answers are: "bit" for 0 and 1, or "label" for the number of a class;
    - `answer(values, hit, label, rng)`, compiled: the answer to one decision. `hit` says whether the true label was
      among those played, `label` is the true one's number among the learner's classes, `rng` is for `ops.random`;
    - `values()`, the fields as `answer` reads them: numbers, or tuples of them. It raises a `ConfigError` for fields
      that cannot be.

    With `class Mine(Channel, name="mine")` the command line knows it, too: as `mine:1,0.5` if its fields beside the
    delay are two numbers. A channel with other fields has its own `parsed` and `text`.

    >>> @dataclass(frozen=True)
    ... class Encouraging(Channel):
    ...     '''A bit that calls every `every`-th class right.'''
    ...     every: int
    ...     delay: Delay = 0
    ...     kind = "bit"
    ...     def values(self) -> int:
    ...         return check_whole("every", self.every)
    ...     @staticmethod
    ...     @jit
    ...     def answer(every, hit, label, rng):
    ...         return int(hit or label % every == 0)
    >>> import onebit
    >>> onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(1000), Encouraging(2)).channel.text
    'encouraging:2'
    """

    kind: ClassVar[AnswerKind]
    name: ClassVar[str]
    delay: Delay

    def __init_subclass__(cls, name: str | None = None, **others: Any) -> None:
        super().__init_subclass__(**others)
        cls.name = name or cls.__name__.lower()
        if name is not None:
            _KNOWN[name] = cls

    def __post_init__(self) -> None:
        # Each raises a `ConfigError` for fields that cannot be.
        self.delay_range()
        self.values()

    @abstractmethod
    def values(self) -> Any:
        """The fields as `answer` reads them."""

    @staticmethod
    @abstractmethod
    def answer(values: Any, hit: bool, label: int, rng: Rng) -> int:
        """What the world says, as a compiled function: a bit, or the number of a label."""

    def says(self, hit: bool, label: int, rng: Rng) -> int:
        """The same, called from Python.

        >>> import numpy as np
        >>> from onebit.ops.random import pack
        >>> NoisyBit(0.0, 0.9).says(True, 3, pack(np.random.PCG64(0)))
        0
        """
        return _entry_point(self.answer)(self.values(), hit, label, rng)

    @property
    def flip_rates(self) -> NoiseRates | None:
        """The rates at which the bit is flipped, for a channel that lies at such rates."""
        return None

    @classmethod
    def parsed(cls, text: str, delay: Delay = 0) -> Self:
        """The channel from what the command line writes behind its name: numbers, with commas between.

        >>> NoisyBit.parsed("0.2,0.4", delay=3)
        NoisyBit(rho_0=0.2, rho_1=0.4, delay=3)
        >>> NoisyBit.parsed("0.2")
        Traceback (most recent call last):
        onebit.core.errors.ConfigError: feedback='noisy:0.2': must be noisy:RHO_0,RHO_1, with a number for each name
        """
        make: Any = cls
        names = cls._own_fields()
        try:
            numbers = [float(part) for part in text.split(",")] if text else []
        except ValueError:
            numbers = []
        if len(numbers) != len(names):
            wanted = f"{cls.usage()}, with a number for each name" if names else cls.usage()
            raise wrong("feedback", f"{cls.name}:{text}" if text else cls.name, wanted)
        channel: Self = make(*numbers, delay=delay)
        return channel

    @classmethod
    def usage(cls) -> str:
        """How the command line writes such a channel.

        >>> NoisyBit.usage(), Bit.usage()
        ('noisy:RHO_0,RHO_1', 'bit')
        """
        return _joined(cls.name, (field.upper() for field in cls._own_fields()))

    @property
    def text(self) -> str:
        """The channel as the command line writes it, without its delay.

        >>> NoisyBit(0.2, 0.4, delay=3).text
        'noisy:0.2,0.4'
        """
        return _joined(self.name, (f"{getattr(self, field):g}" for field in self._own_fields()))

    @property
    def text_with_delay(self) -> str:
        """The same, and the delay behind, if there is one: what tables call it.

        >>> NoisyBit(0.2, 0.4, delay=3).text_with_delay, Bit().text_with_delay
        ('noisy:0.2,0.4 delay 3', 'bit')
        """
        return f"{self.text} delay {self.delay}" if self.delay else self.text

    def settings(self) -> dict[str, Any]:
        """All that decides what it answers, by name.

        >>> NoisyBit(0.2, 0.4).settings()
        {'channel': 'noisy:0.2,0.4', 'rho_0': 0.2, 'rho_1': 0.4, 'delay': 0}
        """
        this: Any = self
        return {"channel": self.text, **asdict(this)}

    def delay_range(self) -> DelayRange:
        """The delay as compiled code sees it.

        >>> Bit(delay=3).delay_range(), Bit(delay=(0, 9)).delay_range()
        (DelayRange(low=3, high=3), DelayRange(low=0, high=9))
        """
        given = self.delay
        pair = given if isinstance(given, tuple) and len(given) == 2 else (given, given)
        instead = "a pair (low, high) of them"
        low, high = (check_whole("delay", one, 0, of="rounds", instead=instead, most=LONGEST_DELAY) for one in pair)
        if low > high:
            raise wrong("delay", given, "a pair (low, high) whose first is not above its second")
        return DelayRange(low, high)

    @classmethod
    def _own_fields(cls) -> list[str]:
        this: Any = cls
        return [field.name for field in fields(this) if field.name != "delay"]


@cache
def _entry_point(answer: Callable[..., int]) -> Callable[..., int]:
    """The way from Python into an `answer`, kept on disk."""

    @entry_point
    def answer_one(values: Any, hit: bool, label: int, rng: Rng) -> int:
        return answer(values, hit, label, rng)

    return answer_one


_KNOWN: dict[str, type[Channel]] = {}
"""The channels by their names on the command line."""


@dataclass(frozen=True)
class Full(Channel, name="full"):
    """The true label is revealed, after `delay` rounds (a number, or a (low, high) range drawn per round).

    >>> Full(delay=3)
    Full(delay=3)
    """

    delay: Delay = 0
    kind: ClassVar[AnswerKind] = "label"

    def values(self) -> tuple[()]:
        """Nothing to tell."""
        return ()

    @staticmethod
    @jit
    def answer(values: tuple[()], hit: bool, label: int, rng: Rng) -> int:
        """The label."""
        return label


class Flips(NamedTuple):
    """What `flipped` reads. One that is not `noisy` draws no random number."""

    noisy: bool
    rho_0: float
    rho_1: float


@jit
def flipped(values: Flips, hit: bool, label: int, rng: Rng) -> int:
    """The bit, flipped at rates that depend on the truth alone.

    Channels that answer so share one compiled loop.
    """
    if not values.noisy:
        return int(hit)
    lies = uniform(rng) < (values.rho_1 if hit else values.rho_0)
    return int(hit != lies)


@dataclass(frozen=True)
class Bit(Channel, name="bit"):
    """Answers whether the true label is among those played.

    >>> Bit(delay=(0, 100))
    Bit(delay=(0, 100))
    """

    delay: Delay = 0
    kind: ClassVar[AnswerKind] = "bit"
    answer = staticmethod(flipped)

    def values(self) -> Flips:
        """It never lies."""
        return Flips(False, 0.0, 0.0)


@dataclass(frozen=True)
class NoisyBit(Channel, name="noisy"):
    """The answer of `Bit`, flipped: P(says 1 | truth 0) = rho_0, P(says 0 | truth 1) = rho_1.

    >>> NoisyBit(0.2, 0.4)
    NoisyBit(rho_0=0.2, rho_1=0.4, delay=0)
    >>> NoisyBit(0.5, 0.5)
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: rho_0=0.5, rho_1=0.5: their sum must be below 1, or the bit says nothing ...
    """

    rho_0: float
    rho_1: float
    delay: Delay = 0
    kind: ClassVar[AnswerKind] = "bit"
    answer = staticmethod(flipped)

    @property
    def flip_rates(self) -> NoiseRates:
        """ρ0 and ρ1."""
        return NoiseRates(self.rho_0, self.rho_1).checked()

    def values(self) -> Flips:
        """It lies at its rates."""
        return Flips(True, *self.flip_rates)


def check_channel(feedback: Any, instead: str = "") -> Channel:
    """The channel, or a `ConfigError` for what is none; `instead` says what else may be given.

    >>> check_channel(Bit())
    Bit(delay=0)
    """
    if not isinstance(feedback, Channel):
        raise wrong("feedback", feedback, "a channel such as onebit.Bit() or onebit.NoisyBit(0.2, 0.4)", instead)
    return feedback


def as_channel(feedback: Any) -> Channel:
    """The channel, or the one that a text names.

    >>> as_channel("noisy:0.2,0.4") == as_channel(NoisyBit(0.2, 0.4))
    True
    """
    if isinstance(feedback, str):
        return parse_channel(feedback)
    return check_channel(feedback, instead="text such as 'bit' or 'noisy:0.2,0.4'")


def usual_channel(kind: AnswerKind, delay: Delay = 0) -> Channel:
    """The channel for a learner that learns from answers of this kind, where none is asked for.

    >>> usual_channel("bit"), usual_channel("label", delay=5)
    (Bit(delay=0), Full(delay=5))
    """
    return Full(delay) if kind == "label" else Bit(delay)


def parse_channel(text: str, delay: Delay = 0) -> Channel:
    """A channel as the command line writes it.

    >>> parse_channel("noisy:0.2,0.4")
    NoisyBit(rho_0=0.2, rho_1=0.4, delay=0)
    >>> parse_channel("loud")
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: feedback='loud': must be full, bit or noisy:RHO_0,RHO_1
    """
    name, colon, values = text.partition(":")
    if name not in _KNOWN or (colon and not values):
        raise wrong("feedback", text, channel_usages())
    return _KNOWN[name].parsed(values, delay)


def channel_usages(kind: AnswerKind | None = None) -> str:
    """How the command line writes the channels it knows: all of them, or those of one kind.

    >>> channel_usages("bit"), channel_usages("label")
    ('bit or noisy:RHO_0,RHO_1', 'full')
    """
    *most, last = (cls.usage() for cls in _KNOWN.values() if kind in (None, cls.kind))
    return f"{', '.join(most)} or {last}" if most else last


def _joined(name: str, values: Iterable[str]) -> str:
    return ":".join(part for part in (name, ",".join(values)) if part)


@jit
def draw_delay(delay: DelayRange, rng: Rng) -> int:
    """For how many rounds the answer is under way."""
    spread = delay.high - delay.low
    return delay.low + (below(rng, spread + 1) if spread > 0 else 0)


@jit
def heard_bit(answer: int, worth: FloatArray) -> float:
    """What a learner makes of a bit: h(f), looked up in `worth` = (h(0), h(1)).

    >>> import numpy as np
    >>> heard_bit(1, np.array([-0.5, 1.5]))
    1.5
    """
    return float(worth[answer])


@jit
def heard_label(answer: int, worth: FloatArray) -> int:
    """What a learner makes of a label: its number, as it is.

    >>> import numpy as np
    >>> heard_label(7, np.array([0.0, 1.0]))
    7
    """
    return answer


@jit
def corrected(bit: int, rho_0: float, rho_1: float) -> float:
    """h(f): the number whose mean, over the noise, is the true bit (RCNBF, Lemma 1).

    >>> round(0.8 * corrected(1, 0.3, 0.2) + 0.2 * corrected(0, 0.3, 0.2), 12)
    1.0
    """
    return (bit - rho_0) / (1 - rho_0 - rho_1)
