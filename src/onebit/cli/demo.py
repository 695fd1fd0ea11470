"""onebit demo: what one bit of feedback costs, and how to get it back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from onebit.cli.output import FINE, PARTLY_DONE, make_folder, note, print_table
from onebit.core.readable_numbers import spread
from onebit.features.hashing import HASHED_FEATURES, hash_rows
from onebit.feedback import Bit, Channel, Full, NoiseRates, NoisyBit
from onebit.learners import RCNBF, Banditron, Confidit, Learner, OneBit, Perceptron, SOBADiagonal
from onebit.plots.style import save_figure
from onebit.report.figures import Panel, panel_grid
from onebit.simulate.result import Result
from onebit.simulate.simulate import simulate
from onebit.streams import Stream, from_arrays, load, synnonsep, tickets

SEEDS = 5
ROUNDS = {"synnonsep": 200_000, "digits": 100_000, "tickets": 5_000}
CHANNELS: dict[str, Channel] = {"bit": Bit(), "noisy": NoisyBit(0.2, 0.2), "full": Full()}
HEADINGS = {"bit": "feedback: one bit", "noisy": "feedback: one bit, and one in five is a lie"}
TITLE = "Learning to classify when the only answer is right or wrong"

HASHED = "one-bit, hashed"
"""OneBit on raw cases of which each name, and each text, is hashed into one feature, as in version 0.1."""

Cells = dict[tuple[str, str, str], Result]
"""The results by stream, name in the table, and feedback."""


class Entry(NamedTuple):
    """What a learner is called, and the stream that it plays."""

    name: str
    learner: Learner
    stream: Stream


class Scene(NamedTuple):
    """A stream and what to call it; of raw cases also the same rows, hashed."""

    heading: str
    stream: Stream
    hashed: Stream | None = None

    @property
    def rounds(self) -> int:
        """How long it is played."""
        return ROUNDS[self.stream.name]


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the picture goes.")] = Path("demo"),
) -> int:
    """Six learners, three data sets, three kinds of feedback.

    Plays a Perceptron that is told every label, and five learners that are
    told a bit, on synthetic documents, on handwritten digits and on raw
    support tickets (text, amounts with gaps, dates), with five seeds each;
    prints the errors and draws the learning curves. Takes about a minute;
    the first time longer, since the learners are compiled.

    \b
    Examples:
      onebit demo
      onebit demo --out pictures
    """
    make_folder(out)
    scenes = [
        Scene("SynNonSep: synthetic documents, 5 % wrong labels", synnonsep(ROUNDS["synnonsep"])),
        Scene("digits: handwritten, 8 × 8 pixels", load("digits", normalize=True)),
        _tickets(),
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


def _tickets() -> Scene:
    """Raw cases, and the same hashed: a name with its text is one feature there, and gaps are left out."""
    stream = tickets(ROUNDS["tickets"])
    plain = [
        {name: value if isinstance(value, float) else str(value) for name, value in case.items() if value is not None}
        for case in stream.X
    ]
    hashed = from_arrays(hash_rows(plain, HASHED_FEATURES), stream.y, classes=stream.classes, name=stream.name)
    return Scene("tickets: raw cases with text, amounts, gaps and dates", stream, hashed)


def _entries(scene: Scene, channel: Channel) -> list[Entry]:
    """The six, as they play this channel, and OneBit on hashed rows. RCNBF knows how often the bit lies."""
    classes = list(scene.stream.classes)
    noise = channel.flip_rates or NoiseRates(0.0, 0.0)
    learners = [
        Perceptron(classes),
        Banditron(classes, gamma=2**-4),
        SOBADiagonal(classes, gamma=2**-4),
        RCNBF(classes, rho_0=noise.rho_0, rho_1=noise.rho_1, average=True),
        Confidit(classes, covariance="diagonal"),
        OneBit(classes),
    ]
    entries = [Entry(learner.name, learner, scene.stream) for learner in learners]
    if scene.hashed is not None:
        entries.append(Entry(HASHED, OneBit(classes), scene.hashed))
    return [entry for entry in entries if entry.learner.feedback == channel.kind]


def _play(scenes: list[Scene], cells: Cells) -> bool:
    """Fill the cells; False after Ctrl-C."""
    for scene in scenes:
        for kind, channel in CHANNELS.items():
            for entry in _entries(scene, channel):
                result = simulate(entry.learner, entry.stream, channel, scene.rounds, SEEDS)
                cells[scene.stream.name, entry.name, kind] = result
                if not result.complete:
                    return False
    return True


def _print(scene: Scene, cells: Cells) -> None:
    """The played error of each learner under each kind of feedback, where the two go together."""
    names = [entry.name for kind in ("full", "bit") for entry in _entries(scene, CHANNELS[kind])]
    rows = []
    for name in names:
        found = [cells.get((scene.stream.name, name, kind)) for kind in CHANNELS]
        rows.append([name, *(spread(cell.errors) if cell else "–" for cell in found)])
    title = f"{scene.heading}; played error after {scene.rounds:,} rounds, {SEEDS} seeds"
    print_table(["learner", *CHANNELS], rows, title=title, right=list(CHANNELS))
    print()


def _panels(scene: Scene, cells: Cells) -> list[Panel]:
    """A panel for each kind of bit, with the learner that needs every label for comparison."""
    panels = []
    for bit, heading in HEADINGS.items():
        keys = [key for kind in ("full", bit) for key in cells if key[0] == scene.stream.name and key[2] == kind]
        names = [name for _, name, _ in keys]
        panels.append(Panel(f"{scene.heading}\n{heading}", [cells[key] for key in keys], names))
    return panels
