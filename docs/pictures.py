"""Draws the pictures of the README and the docs again. Run by `make docs`."""

import re
from collections.abc import Callable
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

import onebit
from onebit.plots.reliability import reliability_figure
from onebit.plots.style import COLOURS, GREY, INK, plain_axes, save_figure, short_rounds, spread_out

IMAGES = Path(__file__).parent / "images"
TUTORIALS = Path(__file__).parent / "tutorials"


def learning_curve() -> None:
    """The README's picture: six learners on SynNonSep, a million rounds, five seeds."""
    stream = onebit.streams.synnonsep(1_000_000)
    learners = [
        onebit.Perceptron(9),
        onebit.Banditron(9),
        onebit.SOBADiagonal(9, gamma="adaptive"),
        onebit.BanditPA(9),
        onebit.Confidit(9, covariance="diagonal"),
        onebit.OneBit(9),
    ]
    results = [onebit.simulate(learner, stream, seeds=5) for learner in learners]
    onebit.plot_results(results, IMAGES / "learning-curve.svg", title="SynNonSep: 9 classes, 5 % of labels wrong")


def noisy_curve() -> None:
    """Banditron, RCNBF and RCINE on MNIST under lies, with RCINE's estimates."""
    stream, lies = onebit.streams.load("mnist", normalize=True), onebit.NoisyBit(0.2, 0.3)
    learners = [
        onebit.Banditron(stream.classes, gamma=2**-3),
        onebit.RCNBF(stream.classes, rho_0=0.2, rho_1=0.3),
        onebit.RCINE(stream.classes),
    ]
    results = [onebit.simulate(learner, stream, lies, rounds=200_000, seeds=3) for learner in learners]
    onebit.plot_results(results, IMAGES / "noisy-curve.svg", title="MNIST, the bit lies at rates .2 and .3")


def reliability() -> None:
    """Estimated flip rates on digits, against what was observed."""
    stream, lies = onebit.streams.load("digits", normalize=True), onebit.NoisyBit(0.2, 0.3)
    learner = onebit.Banditron(stream.classes, gamma=0.2)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "digits.parquet"
        onebit.simulate(learner, stream, lies, rounds=60_000, log=path)
        lessons = onebit.read_log(path, rows=stream.X).lessons
    reliability_figure(onebit.noise.TailMoment().fit(*lessons), IMAGES / "reliability.svg")


def sets() -> None:
    """How often a set of m labels misses the truth on SynNonSep, for each set learner."""
    stream, sizes = onebit.streams.synnonsep(100_000), (1, 2, 3, 4, 5, 6, 7, 8)
    learners: dict[str, Callable[[int], onebit.Learner]] = {
        "MCSLP, told every label": lambda m: onebit.MCSLP(9, m=m),
        "SetBanditron, log": lambda m: onebit.SetBanditron(9, m=m, loss="log"),
        "SetBanditron": lambda m: onebit.SetBanditron(9, m=m),
        "MCDBF": lambda m: onebit.MCDBF(9, m=m),
    }
    figure = Figure(figsize=(7.2, 4.0), layout="constrained")
    axes = figure.add_subplot()
    ends = []
    for (name, make), colour in zip(learners.items(), (GREY, *COLOURS), strict=False):
        errors = [onebit.simulate(make(m), stream, seeds=3).error for m in sizes]
        axes.plot(sizes, errors, "--" if colour == GREY else "-", marker="o", markersize=4, color=colour)
        ends.append((errors[-1], name, colour))
    axes.set_ylim(0, None)
    top = axes.get_ylim()[1]
    for (_, name, colour), place in zip(ends, spread_out([end / top for end, _, _ in ends], 0.065), strict=True):
        axes.text(1.015, place, name, color=colour, fontsize=9.5, va="center", transform=axes.transAxes)
    axes.yaxis.set_major_formatter(lambda rate, at: f"{100 * rate:.3g} %")
    axes.set_xlabel("labels in the set, m", color=INK)
    axes.set_ylabel("sets that missed", color=INK)
    axes.set_title("SynNonSep, 9 classes, 100,000 rounds", loc="left", color=INK)
    plain_axes(axes)
    save_figure(figure, IMAGES / "sets.svg")


def tickets() -> None:
    """The curves of the tutorial on tickets, as its own code computes them."""
    page, launch, step = TUTORIALS / "tickets.md", 2_000, 250
    namespace: dict[str, Any] = {"__name__": "page"}
    with TemporaryDirectory() as folder, chdir(folder), redirect_stdout(StringIO()):
        for block in re.findall(r"^```python\n(.*?)^```", page.read_text(), flags=re.M | re.S):
            exec(compile(block, str(page), "exec"), namespace)
    figure = Figure(figsize=(7.2, 4.0), layout="constrained")
    axes = figure.add_subplot()
    styles = ((GREY, "--"), (COLOURS[2], "-"), (COLOURS[1], "-"), (COLOURS[0], "-"))
    ends = []
    for (name, hits), (colour, stroke) in zip(namespace["curves"].items(), styles, strict=True):
        shares = hits.reshape(-1, step).mean(axis=1)
        axes.plot(step * np.arange(1, len(shares) + 1), shares, stroke, color=colour, linewidth=1.8)
        ends.append((float(shares[-4:].mean()), name, colour))
    axes.axvline(launch, color=GREY, linewidth=0.8)
    axes.annotate("a new product", (launch, 0.02), (4, 0), textcoords="offset points", fontsize=8.5, color=GREY)
    axes.set_xlim(0, len(namespace["live"]))
    axes.set_ylim(0, 1)
    for (_, name, colour), place in zip(ends, spread_out([end for end, _, _ in ends], 0.065), strict=True):
        axes.text(1.015, place, name, color=colour, fontsize=9.5, va="center", transform=axes.transAxes)
    axes.xaxis.set_major_formatter(lambda rounds, at: short_rounds(rounds))
    axes.yaxis.set_major_formatter(lambda share, at: f"{100 * share:.3g} %")
    axes.set_xlabel("live tickets", color=INK)
    axes.set_ylabel("went to the right team", color=INK)
    axes.set_title("Tickets: six teams, answers 50 tickets late", loc="left", color=INK)
    plain_axes(axes)
    save_figure(figure, IMAGES / "tickets.svg")


def start_here() -> None:
    """The curve that the page for beginners shows, on the tickets that it makes."""
    stream = onebit.streams.tickets(3_005)
    result = onebit.simulate(onebit.OneBit(stream.classes), stream, seeds=5)
    onebit.plot_results([result], IMAGES / "start-here.svg")


def network() -> None:
    """A small network, coloured by what MOLGB believes after some of its nodes were asked about."""
    import networkx

    stream = onebit.streams.planted_graph(nodes=150, classes=4, degree=5, inside=0.85, d=20, seed=4)
    places = networkx.spring_layout(
        networkx.from_scipy_sparse_array(stream.graph.matrix), seed=2, iterations=200, k=0.16
    )
    xy = np.array([places[i] for i in range(len(stream.graph))])
    edges = [xy[[i, j]] for i, j in zip(*stream.graph.matrix.nonzero(), strict=True) if i < j]
    learner, order, asked = onebit.MOLGB(stream.classes), np.random.default_rng(0).permutation(len(xy)), 0
    figure = Figure(figsize=(10.4, 3.9), layout="constrained")
    for axes, share in zip(figure.subplots(1, 3), (0.05, 0.2, 1.0), strict=True):
        for i in order[asked : (asked := round(share * len(xy)))]:
            decision = learner.decide(stream.X[i])
            learner.learn(decision, decision.label == stream.y[i])
        belief, seen = learner.predict(stream.X), np.isin(np.arange(len(xy)), order[:asked])
        axes.add_collection(LineCollection(edges, colors="#c8c8c8", linewidths=0.6, zorder=1))
        for label, colour in zip(stream.classes, COLOURS, strict=False):
            for told, size in ((False, 26), (True, 64)):
                here = (belief == label) & (seen == told)
                axes.scatter(*xy[here].T, s=size, color=colour, edgecolors="white", linewidths=0.5, zorder=2)
        wrong = belief != stream.y
        axes.scatter(*xy[wrong].T, s=26, marker="x", color=INK, linewidths=1.1, zorder=3)
        axes.set_title(f"{share:.0%} asked: {1 - wrong.mean():.0%} right", loc="left", color=INK)
        axes.set_axis_off()
        axes.set_aspect("equal")
    save_figure(figure, IMAGES / "network.svg")


def boundary() -> None:
    """Straight and curved: what three learners made of the same group-separable stream."""
    stream = onebit.streams.group_separable(20_000)
    learners = [onebit.BanditPerceptron(9), onebit.KernelBandit(9), onebit.SecondOrderKernel(9)]
    results = [onebit.simulate(learner, stream) for learner in learners]
    title = "Nine classes in three groups, 20,000 rounds of one bit"
    onebit.plot_boundaries(results, IMAGES / "boundary.svg", points=1500, title=title)


if __name__ == "__main__":
    learning_curve()
    if any(entry.name == "mnist" and entry.available for entry in onebit.streams.known()):
        noisy_curve()
    else:
        print("noisy-curve.svg: left as it is, since MNIST is not at hand (see `onebit data show mnist`)")
    reliability()
    sets()
    tickets()
    start_here()
    network()
    boundary()
