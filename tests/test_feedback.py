"""Channels and the correction of a noisy bit."""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

import onebit
from onebit import Bit, Full, NoiseRates, NoisyBit
from onebit.cli import main
from onebit.core.aliases import Rng
from onebit.core.checks import check_number, check_whole
from onebit.core.errors import ConfigError
from onebit.engine.loop import fused
from onebit.engine.match import Match
from onebit.engine.reference import play_reference
from onebit.feedback import (
    _KNOWN,
    AnswerKind,
    Channel,
    Delay,
    channel_usages,
    check_channel,
    corrected,
    draw_delay,
    parse_channel,
)
from onebit.ops.jit import jit
from onebit.ops.random import pack, uniform


def test_the_bit_and_the_label_come_as_they_are() -> None:
    rng = pack(np.random.PCG64(0))
    before = rng.copy()
    assert Full.answer(Full().values(), False, 7, rng) == 7
    assert [Bit.answer(Bit().values(), hit, 7, rng) for hit in (False, True)] == [0, 1]
    assert np.array_equal(rng, before), "a channel without noise draws nothing"


@pytest.mark.parametrize(("rho_0", "rho_1"), [(0.0, 0.0), (0.2, 0.4), (0.0, 0.9)])
def test_noise_flips_with_its_rates(rho_0: float, rho_1: float) -> None:
    values, rng, n = NoisyBit(rho_0, rho_1).values(), pack(np.random.PCG64(0)), 20_000
    for hit, expected in ((False, rho_0), (True, 1 - rho_1)):
        rate = np.mean([NoisyBit.answer(values, hit, 0, rng) for _ in range(n)])
        assert abs(rate - expected) <= 5 * np.sqrt(expected * (1 - expected) / n)


@pytest.mark.parametrize(("rho_0", "rho_1"), [(0.0, 0.0), (0.2, 0.4), (0.4, 0.2), (0.45, 0.45)])
def test_the_correction_is_unbiased(rho_0: float, rho_1: float) -> None:
    one, zero = corrected(1, rho_0, rho_1), corrected(0, rho_0, rho_1)
    assert (1 - rho_1) * one + rho_1 * zero == pytest.approx(1, abs=1e-12)
    assert rho_0 * one + (1 - rho_0) * zero == pytest.approx(0, abs=1e-12)


def test_delays_fill_their_range() -> None:
    rng = pack(np.random.PCG64(0))
    assert {draw_delay(Bit(delay=(2, 5)).delay_range(), rng) for _ in range(500)} == {2, 3, 4, 5}
    assert {draw_delay(Bit(delay=3).delay_range(), rng) for _ in range(50)} == {3}


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
    for text in ("noisy", "noisy:0.2", "noisy:a,b", "noisy:0.2,", "loud", "bit:1", "bit:", ""):
        with pytest.raises(ConfigError, match="feedback="):
            parse_channel(text)


@pytest.mark.parametrize("channel", [Full(), Bit(delay=2), NoisyBit(0.2, 0.4), NoisyBit(0, 0.3, delay=(1, 5))], ids=str)
def test_a_channel_can_be_read_from_its_text(channel: Channel) -> None:
    assert parse_channel(channel.text, channel.delay) == channel


def test_settings_that_name_cells_stay_as_they_are() -> None:
    assert Bit().settings() == {"channel": "bit", "delay": 0}
    assert Full(delay=(0, 9)).settings() == {"channel": "full", "delay": (0, 9)}
    noisy = NoisyBit(0.2, 1 / 3, delay=4).settings()
    assert list(noisy.items()) == [("channel", "noisy:0.2,0.333333"), ("rho_0", 0.2), ("rho_1", 1 / 3), ("delay", 4)]


def test_the_kinds_of_channels_are_classes_of_their_own() -> None:
    assert not isinstance(Bit(), Full)
    assert {Bit(), NoisyBit(0, 0), Full()} == {Bit(delay=0), NoisyBit(0, 0, 0), Full(0)}
    assert len({Bit(), Full()}) == 2
    for wrong in ("bit", None, Bit, True):
        with pytest.raises(ConfigError, match="feedback=.*must be a channel"):
            check_channel(wrong)


def test_bits_with_and_without_lies_share_one_loop() -> None:
    functions = onebit.Banditron.functions
    assert fused(functions, "bit", Bit().answer) is fused(functions, "bit", NoisyBit(0.1, 0.2).answer)
    assert type(Bit().values()) is type(NoisyBit(0.1, 0.2).values())


class Lapses(NamedTuple):
    label: int
    rate: float


def shy_channel(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A new kind of feedback, as somebody else would write it: this class, and nothing elsewhere."""

    monkeypatch.setitem(_KNOWN, "shy", Bit)  # so that the end of the test forgets the name

    @dataclass(frozen=True)
    class Shy(Channel, name="shy"):
        """A bit that, about one of the classes, is sometimes lost, and then says wrong."""

        label: int
        rate: float
        delay: Delay = 0
        kind: ClassVar[AnswerKind] = "bit"

        def values(self) -> Lapses:
            return Lapses(check_whole("label", int(self.label), 0), check_number("rate", self.rate, 0, 1))

        @staticmethod
        @jit
        def answer(values: Lapses, hit: bool, label: int, rng: Rng) -> int:
            if label != values.label:
                return int(hit)
            return int(hit and uniform(rng) >= values.rate)

    return Shy


@pytest.mark.parametrize("delay", [0, (0, 20)])
def test_a_new_channel_plays_in_both_loops(monkeypatch: pytest.MonkeyPatch, delay: Delay) -> None:
    iris = onebit.streams.load("iris")
    channel = shy_channel(monkeypatch)(1, 0.5, delay=delay)
    learner = onebit.Banditron(iris.classes[::-1], gamma=0.2)  # the numbers are the learner's, not the stream's
    result = onebit.simulate(learner, iris, channel, rounds=600, seeds=[3])
    match = Match.of(learner, iris, channel)
    slow = play_reference(match.player(3), iris, channel, 3, 600)
    for name in ("rounds", "mistakes", "greedy_mistakes", "updates"):
        assert np.array_equal(getattr(result.traces[0], name), getattr(slow, name)), name
    honest = onebit.simulate(learner, iris, Bit(delay=delay), rounds=600, seeds=[3])
    assert not np.array_equal(result.traces[0].mistakes, honest.traces[0].mistakes)
    assert result.settings["feedback"] == {
        "channel": "shy:1,0.5", "label": 1, "rate": 0.5, "delay": [0, 20] if delay else 0,
    }  # fmt: skip


def test_a_new_channel_is_known_to_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Shy = shy_channel(monkeypatch)
    assert parse_channel("shy:1,0.5", delay=3) == Shy(1, 0.5, delay=3)
    assert channel_usages("bit") == "bit, noisy:RHO_0,RHO_1 or shy:LABEL,RATE"
    with pytest.raises(ConfigError, match="rate=2"):
        parse_channel("shy:1,2")
    main(["run", "banditron", "--data", "iris", "--feedback", "shy:1,0.5"])
    assert "shy:1,0.5" in capsys.readouterr().out


def test_a_new_channel_answers_in_scikit_learn_and_river(monkeypatch: pytest.MonkeyPatch) -> None:
    from onebit.river import wrap
    from onebit.sklearn import BanditClassifier

    silent = shy_channel(monkeypatch)(1, 1.0)
    X, y = np.eye(2)[[0, 1] * 50], ["no", "yes"] * 50
    asked = BanditClassifier(onebit.Banditron(2), feedback=silent, random_state=0).fit(X, y)
    assert asked.score(X, y) == 0.5, "it never hears that 'yes' was right"
    model = wrap(onebit.Banditron(["no", "yes"]), silent, features=["a", "b"])
    for row, label in zip(X, y, strict=True):
        model.learn_one({"a": row[0], "b": row[1]}, label)
    assert model.learner._session.state.W[1].max() <= 0


def test_a_channel_without_a_name_plays_but_is_not_known() -> None:
    @dataclass(frozen=True)
    class Silent(Channel):
        delay: Delay = 0
        kind: ClassVar[AnswerKind] = "bit"

        def values(self) -> tuple[()]:
            return ()

        @staticmethod
        @jit
        def answer(values: tuple[()], hit: bool, label: int, rng: Rng) -> int:
            return 0

    result = onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(100), Silent())
    assert result.settings["feedback"] == {"channel": "silent", "delay": 0}
    with pytest.raises(ConfigError, match="feedback='silent'"):
        parse_channel("silent")


@pytest.mark.parametrize("delay", [10**8, 10**12, 10**400, (0, 10**12)])
def test_a_delay_that_would_fill_the_memory(delay: Any) -> None:
    with pytest.raises(ConfigError, match="must be a whole number of rounds from 0 to 10000000"):
        Bit(delay=delay)
