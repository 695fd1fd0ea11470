"""Channels: the simulated world that answers a decision. And the unbiased correction of a noisy bit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from onebit.core.errors import ConfigError
from onebit.core.types import FloatArray, Rng
from onebit.ops.jit import jit
from onebit.ops.random import below, uniform

AnswerKind = Literal["bit", "label"]
Delay = int | tuple[int, int]


class ChannelValues(NamedTuple):
    """A channel as compiled code sees it."""

    reveals_label: bool
    noisy: bool
    rho_0: float
    rho_1: float
    delay_low: int
    delay_high: int


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
            if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 <= rate < 1:
                raise ConfigError(f"{name}={rate!r}: must be a number from 0 up to, not including, 1")
        if self.rho_0 + self.rho_1 >= 1:
            raise ConfigError(
                f"rho_0={self.rho_0}, rho_1={self.rho_1}: their sum must be below 1, "
                "or the bit says nothing about the truth"
            )
        return NoiseRates(float(self.rho_0), float(self.rho_1))


@dataclass(frozen=True)
class Full:
    """The true label is revealed, after `delay` rounds (a number, or a (low, high) range drawn per round).

    >>> Full(delay=3)
    Full(delay=3)
    """

    delay: Delay = 0
    kind: ClassVar[AnswerKind] = "label"

    def __post_init__(self) -> None:
        self.values()

    def values(self) -> ChannelValues:
        """The channel as compiled code sees it."""
        low, high = _delay_range(self.delay)
        return ChannelValues(self.kind == "label", False, 0.0, 0.0, low, high)


@dataclass(frozen=True)
class Bit(Full):
    """Answers whether the true label is among those played.

    >>> Bit(delay=(0, 100))
    Bit(delay=(0, 100))
    """

    kind: ClassVar[AnswerKind] = "bit"


@dataclass(frozen=True)
class NoisyBit:
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

    def __post_init__(self) -> None:
        self.values()

    def values(self) -> ChannelValues:
        """The channel as compiled code sees it."""
        rates = NoiseRates(self.rho_0, self.rho_1).checked()
        return ChannelValues(False, True, rates.rho_0, rates.rho_1, *_delay_range(self.delay))


Channel = Full | Bit | NoisyBit


def channel_text(channel: Channel) -> str:
    """A channel's name as the command line writes it.

    >>> channel_text(NoisyBit(0.2, 0.4))
    'noisy:0.2,0.4'
    """
    if isinstance(channel, NoisyBit):
        return f"noisy:{channel.rho_0:g},{channel.rho_1:g}"
    return "full" if channel.kind == "label" else "bit"


def _delay_range(delay: Delay) -> tuple[int, int]:
    low, high = delay if isinstance(delay, tuple) and len(delay) == 2 else (delay, delay)
    if any(isinstance(d, bool) or not isinstance(d, int) for d in (low, high)):
        raise ConfigError(f"delay={delay!r}: must be a number of rounds, or a pair (low, high) of them")
    assert isinstance(low, int)
    assert isinstance(high, int)
    if not 0 <= low <= high:
        raise ConfigError(f"delay={delay!r}: must not be negative, and low not above high")
    return low, high


def parse_channel(text: str, delay: Delay = 0) -> Channel:
    """A channel from its name on the command line: `full`, `bit` or `noisy:RHO_0,RHO_1`.

    >>> parse_channel("noisy:0.2,0.4")
    NoisyBit(rho_0=0.2, rho_1=0.4, delay=0)
    """
    name, _, rates = text.partition(":")
    if name == "noisy":
        try:
            rho_0, rho_1 = (float(rate) for rate in rates.split(","))
        except ValueError:
            raise ConfigError(f"feedback={text!r}: write two rates after noisy, as in noisy:0.2,0.4") from None
        return NoisyBit(rho_0, rho_1, delay=delay)
    if text not in ("full", "bit"):
        raise ConfigError(f"feedback={text!r}: must be full, bit or noisy:RHO_0,RHO_1")
    return Full(delay=delay) if text == "full" else Bit(delay=delay)


@jit
def answer(channel: ChannelValues, hit: bool, label: int, rng: Rng) -> int:
    """What the world says: the label's number, or the bit, perhaps flipped."""
    if channel.reveals_label:
        return label
    if not channel.noisy:
        return int(hit)
    flips = uniform(rng) < (channel.rho_1 if hit else channel.rho_0)
    return int(hit != flips)


@jit
def draw_delay(channel: ChannelValues, rng: Rng) -> int:
    """For how many rounds the answer is under way."""
    spread = channel.delay_high - channel.delay_low
    return channel.delay_low + (below(rng, spread + 1) if spread > 0 else 0)


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
