"""Channels and the correction of a noisy bit."""

from typing import Any

import numpy as np
import pytest

from onebit import Bit, Full, NoiseRates, NoisyBit
from onebit.core.errors import ConfigError
from onebit.feedback import answer, corrected, draw_delay, parse_channel
from onebit.ops.random import pack


def test_the_bit_and_the_label_come_as_they_are() -> None:
    rng = pack(np.random.PCG64(0))
    before = rng.copy()
    assert answer(Full().values(), False, 7, rng) == 7
    assert [answer(Bit().values(), hit, 7, rng) for hit in (False, True)] == [0, 1]
    assert np.array_equal(rng, before), "a channel without noise draws nothing"


@pytest.mark.parametrize(("rho_0", "rho_1"), [(0.0, 0.0), (0.2, 0.4), (0.0, 0.9)])
def test_noise_flips_with_its_rates(rho_0: float, rho_1: float) -> None:
    values, rng, n = NoisyBit(rho_0, rho_1).values(), pack(np.random.PCG64(0)), 20_000
    for hit, expected in ((False, rho_0), (True, 1 - rho_1)):
        rate = np.mean([answer(values, hit, 0, rng) for _ in range(n)])
        assert abs(rate - expected) <= 5 * np.sqrt(expected * (1 - expected) / n)


@pytest.mark.parametrize(("rho_0", "rho_1"), [(0.0, 0.0), (0.2, 0.4), (0.4, 0.2), (0.45, 0.45)])
def test_the_correction_is_unbiased(rho_0: float, rho_1: float) -> None:
    one, zero = corrected(1, rho_0, rho_1), corrected(0, rho_0, rho_1)
    assert (1 - rho_1) * one + rho_1 * zero == pytest.approx(1, abs=1e-12)
    assert rho_0 * one + (1 - rho_0) * zero == pytest.approx(0, abs=1e-12)


def test_delays_fill_their_range() -> None:
    rng = pack(np.random.PCG64(0))
    assert {draw_delay(Bit(delay=(2, 5)).values(), rng) for _ in range(500)} == {2, 3, 4, 5}
    assert {draw_delay(Bit(delay=3).values(), rng) for _ in range(50)} == {3}


@pytest.mark.parametrize("delay", [-1, (3, 2), 1.5, "soon", True, (1, 2, 3), (0, "x")])
def test_bad_delays(delay: Any) -> None:
    with pytest.raises(ConfigError, match="delay="):
        Bit(delay=delay)


@pytest.mark.parametrize(("rho_0", "rho_1"), [(0.5, 0.5), (-0.1, 0), (0, 1), ("x", 0), (float("nan"), 0), (True, 0)])
def test_bad_rates(rho_0: Any, rho_1: Any) -> None:
    with pytest.raises(ConfigError, match="rho_"):
        NoisyBit(rho_0, rho_1)
    with pytest.raises(ConfigError, match="rho_"):
        NoiseRates(rho_0, rho_1).checked()


def test_channels_from_text() -> None:
    assert parse_channel("full", delay=2) == Full(delay=2)
    assert parse_channel("bit") == Bit()
    assert parse_channel("noisy:.2,.4", delay=(0, 9)) == NoisyBit(0.2, 0.4, delay=(0, 9))
    for text in ("noisy", "noisy:0.2", "noisy:a,b", "loud", "bit:1"):
        with pytest.raises(ConfigError, match="feedback="):
            parse_channel(text)
