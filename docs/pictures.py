"""Draws the pictures of the README and the docs again. Run by `make docs`."""

from pathlib import Path

import onebit

IMAGES = Path(__file__).parent / "images"


def learning_curve() -> None:
    """The README's picture: five learners on SynNonSep, a million rounds, five seeds."""
    stream = onebit.streams.synnonsep(1_000_000)
    learners = [
        onebit.Perceptron(9),
        onebit.Banditron(9),
        onebit.SOBADiagonal(9, gamma="adaptive"),
        onebit.BanditPA(9),
        onebit.Confidit(9, covariance="diagonal"),
    ]
    results = [onebit.simulate(learner, stream, seeds=5) for learner in learners]
    onebit.plot_results(results, IMAGES / "learning-curve.svg", title="SynNonSep: 9 classes, 5 % of labels wrong")


if __name__ == "__main__":
    learning_curve()
