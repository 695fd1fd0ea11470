"""What each of several results is called."""

from __future__ import annotations

from onebit import Banditron, Bit, Full, NoisyBit, Perceptron, Result, simulate
from onebit.plots.result_names import result_names, usual_play
from onebit.streams import from_arrays, synsep


def test_names_say_what_differs() -> None:
    def play(gamma: float, channel: Bit | NoisyBit | None = None) -> Result:
        return simulate(Banditron(9, gamma=gamma), synsep(50), channel)

    told = simulate(Perceptron(9), synsep(50), Full())
    assert result_names([play(0.5), told]) == ["banditron", "perceptron (full)"]
    assert result_names([play(0.5), play(0.25)]) == ["banditron gamma=0.5", "banditron gamma=0.25"]
    noisy = play(0.5, NoisyBit(0.1, 0.2))
    assert result_names([play(0.5), noisy]) == ["banditron gamma=0.5", "banditron gamma=0.5 (noisy:0.1,0.2)"]
    named = simulate(Banditron(["a", "b"], gamma=0.5), from_arrays([[1.0], [2.0]], ["a", "b"]))
    assert result_names([named, play(0.25)]) == ["banditron gamma=0.5", "banditron gamma=0.25 (synsep)"]


def test_the_title_is_what_most_results_share() -> None:
    told = simulate(Perceptron(9), synsep(50), Full())
    bits = [simulate(Banditron(9, gamma=gamma), synsep(50)) for gamma in (0.5, 0.25)]
    assert usual_play([told, *bits]) == "synsep, bit feedback"
