"""onebit demo: what one bit of feedback costs, and how to get it back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from onebit.cli.output import FINE, PARTLY_DONE, make_folder, note, print_table
from onebit.core.readable_numbers import spread
from onebit.feedback import Bit, Channel, Full, NoiseRates, NoisyBit
from onebit.learners import RCNBF, Banditron, Confidit, Learner, OneBit, Perceptron, SOBADiagonal
from onebit.plots.style import save_figure
from onebit.report.figures import Panel, panel_grid
from onebit.simulate.result import Result
from onebit.simulate.simulate import simulate
from onebit.streams import Stream, load, synnonsep

SEEDS = 5
ROUNDS = {"synnonsep": 200_000, "digits": 100_000}
CHANNELS: dict[str, Channel] = {"bit": Bit(), "noisy": NoisyBit(0.2, 0.2), "full": Full()}
HEADINGS = {"bit": "feedback: one bit", "noisy": "feedback: one bit, and one in five is a lie"}
TITLE = "Learning to classify when the only answer is right or wrong"

Cells = dict[tuple[str, str, str], Result]
"""The results by stream, learner and feedback."""


class Scene(NamedTuple):
    """A stream and what to call it."""

    heading: str
    stream: Stream

    @property
    def rounds(self) -> int:
        """How long it is played."""
        return ROUNDS[self.stream.name]


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the picture goes.")] = Path("demo"),
) -> int:
    """Six learners, two data sets, three kinds of feedback.

    Plays a Perceptron that is told every label, and five learners that are
    told a bit, on synthetic documents and on handwritten digits, with five
    seeds each; prints the errors and draws the learning curves. Takes less
    than a minute; the first time longer, since the learners are compiled.

    \b
    Examples:
      onebit demo
      onebit demo --out pictures
    """
    make_folder(out)
    scenes = [
        Scene("SynNonSep: synthetic documents, 5 % wrong labels", synnonsep(ROUNDS["synnonsep"])),
        Scene("digits: handwritten, 8 × 8 pixels", load("digits", normalize=True)),
    ]
    cells: Cells = {}
    try:
        complete = _play(scenes, cells)
    except KeyboardInterrupt:
        if not cells:
            raise
        complete = False
    for scene in scenes:
        _print(scene, cells)
    if not complete:
        note("onebit: warning: interrupted; no picture drawn")
        return PARTLY_DONE
    figure = panel_grid([_panels(scene, cells) for scene in scenes], out / "onebit-demo.png", title=TITLE)
    save_figure(figure, out / "onebit-demo.svg")
    note(f"wrote {out / 'onebit-demo.png'} and {out / 'onebit-demo.svg'}")
    return FINE


def _learners(stream: Stream, channel: Channel) -> list[Learner]:
    """The six, as they play this channel. RCNBF knows how often the bit lies."""
    classes = list(stream.classes)
    noise = channel.flip_rates or NoiseRates(0.0, 0.0)
    return [
        Perceptron(classes),
        Banditron(classes, gamma=2**-4),
        SOBADiagonal(classes, gamma=2**-4),
        RCNBF(classes, rho_0=noise.rho_0, rho_1=noise.rho_1, average=True),
        Confidit(classes, covariance="diagonal"),
        OneBit(classes),
    ]


def _play(scenes: list[Scene], cells: Cells) -> bool:
    """Fill the cells; False after Ctrl-C."""
    for scene in scenes:
        for kind, channel in CHANNELS.items():
            for learner in _learners(scene.stream, channel):
                if learner.feedback != channel.kind:
                    continue
                result = simulate(learner, scene.stream, channel, scene.rounds, SEEDS)
                cells[scene.stream.name, learner.name, kind] = result
                if not result.complete:
                    return False
    return True


def _print(scene: Scene, cells: Cells) -> None:
    """The played error of each learner under each kind of feedback, where the two go together."""
    rows = []
    for learner in _learners(scene.stream, Bit()):
        found = [cells.get((scene.stream.name, learner.name, kind)) for kind in CHANNELS]
        rows.append([learner.name, *(spread(cell.errors) if cell else "–" for cell in found)])
    title = f"{scene.heading}; played error after {scene.rounds:,} rounds, {SEEDS} seeds"
    print_table(["learner", *CHANNELS], rows, title=title, right=list(CHANNELS))
    print()


def _panels(scene: Scene, cells: Cells) -> list[Panel]:
    """A panel for each kind of bit, with the learner that needs every label for comparison."""
    name = scene.stream.name
    told = [cell for (stream, _, kind), cell in cells.items() if stream == name and kind == "full"]
    return [
        Panel(
            f"{scene.heading}\n{heading}",
            told + [cell for (stream, _, kind), cell in cells.items() if stream == name and kind == bit],
        )
        for bit, heading in HEADINGS.items()
    ]
