"""The results as numbers to compare: errors at equal rounds, speeds, memory, and the bars."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from benchmarks.peers.contenders import CONTENDERS, LINEAR_PEERS, PEERS
from benchmarks.peers.races import LONG, Race
from benchmarks.peers.rows import NAMES

VW_FACTOR, LOOP_FACTOR = 5, 50


class Cell:
    """A contender on a stream: its plays, one for each seed."""

    def __init__(self, kept: dict[str, Any], rounds: int) -> None:
        self.stream, self.contender = kept["stream"], kept["contender"]
        self.setting, self.why_not, self._plays = kept["setting"], kept["why_not"], kept["plays"]
        self.asked = rounds

    def __bool__(self) -> bool:
        return bool(self._plays)

    @cached_property
    def rounds(self) -> int:
        """To which its errors refer: all, or the last checkpoint that every seed reached before it was stopped."""
        if not self.stopped:
            return self.asked
        reached = min(play["rounds"] for play in self._plays)
        return max(int(n) for n in self._plays[0]["curve"] if int(n) <= reached)

    @property
    def stopped(self) -> bool:
        """Whether the limit cut a play short."""
        return any(play["rounds"] < self.asked for play in self._plays)

    def errors(self, rounds: int | None = None) -> Any:
        """Of each seed, in per cent, at `rounds` (a checkpoint) or at its own rounds."""
        at = rounds or self.rounds
        counts = [p["mistakes"] if at == p["rounds"] else p["curve"][str(at)] for p in self._plays]
        return 100 * np.array(counts) / at

    @property
    def error(self) -> float:
        """The mean over the seeds, in per cent."""
        return float(self.errors().mean())

    @property
    def speed(self) -> float:
        """Rounds per CPU-second, over all seeds."""
        return float(sum(p["rounds"] for p in self._plays) / sum(p["seconds"] for p in self._plays))

    @property
    def speed_without_reading(self) -> float:
        """The same without the time of reading rows from a file."""
        spent = sum(p["seconds"] - p["reading"] for p in self._plays)
        return float(sum(p["rounds"] for p in self._plays) / max(spent, 1e-9))

    @property
    def memory(self) -> float:
        """MB above the rows, the largest of all seeds."""
        return float(max(p["memory"] for p in self._plays))


class Verdict(NamedTuple):
    """OneBit against one peer on one stream, at the same number of rounds, in per cent."""

    peer: str
    rounds: int
    ours: float
    theirs: float
    gap: float
    deviation: float
    """The standard error of the gap, over the seeds."""


class Bar(NamedTuple):
    """What was to be shown, what was measured, and whether it is enough."""

    what: str
    measured: str
    met: bool


class Report:
    """All results of a race."""

    def __init__(self, kept: dict[str, Any], race: Race = LONG) -> None:
        self.kept, self.race = kept, race
        self.rounds: dict[str, int] = kept["rounds"]
        self._cells = {
            (one["stream"], one["contender"]): Cell(one, self.rounds[one["stream"]]) for one in kept["cells"]
        }
        self.streams = [name for name in NAMES if any(stream == name for stream, _ in self._cells)]
        self.contenders = [name for name in CONTENDERS if any(one == name for _, one in self._cells)]

    def cell(self, stream: str, contender: str) -> Cell | None:
        """What was kept of it, perhaps without a play."""
        return self._cells.get((stream, contender))

    def played(self, stream: str) -> Iterator[Cell]:
        """The contenders that played a stream."""
        for name in self.contenders:
            if cell := self.cell(stream, name):
                yield cell

    def verdicts(self, stream: str) -> list[Verdict]:
        """OneBit against each peer, the hardest first."""
        ours, found = self.cell(stream, "OneBit"), []
        for cell in self.played(stream):
            if cell.contender in PEERS and ours:
                mine, theirs = ours.errors(cell.rounds), cell.errors()
                seeds = min(len(mine), len(theirs))
                gap = mine[:seeds] - theirs[:seeds]
                spread = float(gap.std(ddof=1) / np.sqrt(seeds)) if seeds > 1 else 0.0
                found.append(
                    Verdict(
                        cell.contender, cell.rounds, float(mine.mean()), float(theirs.mean()), float(gap.mean()), spread
                    )
                )
        return sorted(found, key=lambda verdict: -verdict.gap)

    def won(self, stream: str) -> bool:
        """Whether OneBit played it, and its error is at or below that of every peer."""
        verdicts = self.verdicts(stream)
        return bool(verdicts) and all(verdict.gap <= 0 for verdict in verdicts)

    def bars(self) -> Iterator[Bar]:
        """Those of speed, on SynSep, and that of error, over the streams."""
        ours = self.cell("synsep", "OneBit")
        for cell in self.played("synsep"):
            if not ours or cell.contender not in LINEAR_PEERS:
                continue
            compiled = CONTENDERS[cell.contender].compiled
            factor, ratio = VW_FACTOR if compiled else LOOP_FACTOR, ours.speed / cell.speed
            what = f"on SynSep, at least {factor} × the rounds per CPU-second of {cell.contender}"
            measured, met = f"{ratio:,.1f} ×", ratio >= factor
            if compiled:
                what += ", at equal or lower error"
                measured += f", error {ours.error:.3f} % against {cell.error:.3f} %"
                met = met and ours.error <= cell.error
            yield Bar(what, measured, met)
        yield self.error_bar()

    def error_bar(self) -> Bar:
        """On how many streams OneBit's error is at or below that of every peer."""
        won = [stream for stream in self.streams if self.won(stream)]
        lost = [NAMES[stream] for stream in self.streams if stream not in won]
        what = f"error at or below the best peer's on at least {self.race.to_win} of {len(self.race.streams)} streams"
        measured = f"{len(won)} of {len(self.streams)}" + (f"; not on {', '.join(lost)}" if lost else "")
        return Bar(what, measured, len(won) >= self.race.to_win)
