"""The plan of a sweep, as the user writes it: arms with grids of hyper-parameters, streams, channels and seeds."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from onebit.contract.learner import Learner
from onebit.core.checks import check_choice
from onebit.core.errors import ConfigError
from onebit.core.registry import registered_name
from onebit.engine.match import Match
from onebit.feedback import Channel, check_channel, usual_channel
from onebit.simulate.simulate import check_rounds, check_seeds
from onebit.streams.base import Stream
from onebit.sweep.outcomes import METRICS

if TYPE_CHECKING:
    from onebit.sweep.results import Results

Select = Literal["error", "greedy_error"]
TUNE_FROM = 1000
"""The first tune seed, where only their number is given."""


@dataclass(frozen=True, init=False)
class Arm:
    """A learner in a sweep, and the values of its hyper-parameters to choose from.

    Parameters: `learner`, a pattern; `grid`, lists of values by the parameter's name, of which every combination is
    tried; `name` (default: the learner's); `feedback`, a channel (default: what the learner needs).

    >>> import onebit
    >>> onebit.Arm(onebit.Banditron(9), {"gamma": [0.01, 0.1]}).name
    'banditron'
    """

    learner: Learner
    grid: Mapping[str, Sequence[Any]]
    name: str
    feedback: Channel

    def __init__(
        self,
        learner: Learner,
        grid: Mapping[str, Iterable[Any]] | None = None,
        name: str | None = None,
        feedback: Channel | None = None,
    ) -> None:
        if not isinstance(learner, Learner):
            raise ConfigError(f"learner={learner!r}: must be a learner, such as onebit.Banditron(classes=9)")
        channel = usual_channel(learner.feedback) if feedback is None else check_channel(feedback)
        object.__setattr__(self, "learner", learner)
        object.__setattr__(self, "grid", _check_grid(learner, grid or {}))
        object.__setattr__(self, "name", str(name) if name else registered_name(learner))
        object.__setattr__(self, "feedback", channel)


@dataclass(frozen=True)
class Entry:
    """One arm against one stream under one channel: what is tuned, and reported, by itself."""

    arm: str
    learner: Learner
    grid: Mapping[str, Sequence[Any]]
    stream: Stream
    channel: Channel
    rounds: int | None
    match: Match  # the learner, the stream and the channel as they play

    @property
    def label(self) -> tuple[str, str, str]:
        """The names by which results know it: arm, stream, channel."""
        return self.arm, self.stream.name, self.channel.text_with_delay


@dataclass(frozen=True)
class Sweep:
    """What to play: entries, the seeds to report, those to tune by, and the error that decides what is best.

    `Sweep.cross` makes one; two with the same seeds can be added.

    >>> import onebit
    >>> plan = onebit.Sweep.cross([onebit.Arm(onebit.Banditron(9))], onebit.streams.synsep(1000), seeds=3)
    >>> plan.seeds, plan.tune_seeds, len(plan.entries)
    ((0, 1, 2), (1000, 1001, 1002), 1)
    """

    entries: tuple[Entry, ...]
    seeds: tuple[int, ...]
    tune_seeds: tuple[int, ...]
    select: Select = "error"

    def __post_init__(self) -> None:
        labels = [entry.label for entry in self.entries]
        if not labels:
            raise ConfigError("arms=[], streams=[]: a sweep needs at least one of each")
        if twice := [label for label in labels if labels.count(label) > 1]:
            arm, stream, channel = twice[0]
            raise ConfigError(
                f"name={arm!r}: it meets {stream} twice under {channel}; give one arm, or one stream, another name"
            )
        if both := sorted(set(self.seeds) & set(self.tune_seeds)):
            raise ConfigError(
                f"tune_seeds={list(self.tune_seeds)}: {both[0]} is among the seeds to report as well; what is tuned "
                "on the seeds it reports looks better than it is: choose others (or tune_seeds=0 for no tuning)"
            )
        check_choice("select", self.select, METRICS)

    @classmethod
    def cross(
        cls,
        arms: Sequence[Arm | Learner],
        streams: Stream | Sequence[Stream],
        feedback: Channel | Sequence[Channel] | None = None,
        rounds: float | None = None,
        seeds: int | Iterable[int] = 10,
        tune_seeds: int | Iterable[int] = 3,
        select: Select = "error",
    ) -> Sweep:
        """Every arm against every stream, under its own channel or under each of those given.

        `rounds` as for `simulate`. `seeds` are those reported: their number (from 0 on), or exactly which.
        `tune_seeds` are those by which the best configuration of each arm is chosen: their number (from 1000 on), or
        which; with 0, every configuration plays the seeds that are reported. `select` is the error that is compared.

        >>> import onebit
        >>> arms = [onebit.Banditron(9), onebit.Arm(onebit.BanditPA(9), {"C": [0.1, 1]})]
        >>> plan = onebit.Sweep.cross(arms, onebit.streams.synsep(1000), onebit.NoisyBit(0.1, 0.1))
        >>> [entry.label for entry in plan.entries]
        [('banditron', 'synsep', 'noisy:0.1,0.1'), ('bandit-pa', 'synsep', 'noisy:0.1,0.1')]
        """
        length = check_rounds("rounds", rounds)
        named = [one if isinstance(one, Arm) else Arm(one) for one in arms]
        entries = []
        for stream in [streams] if isinstance(streams, Stream) else streams:
            for arm in named:
                for channel in _channels(arm, feedback):
                    match = Match.of(arm.learner, stream, channel)
                    entries.append(Entry(arm.name, arm.learner, arm.grid, stream, channel, length, match))
        tune = () if isinstance(tune_seeds, int) and tune_seeds == 0 else check_seeds(tune_seeds, "tune_seeds")
        if isinstance(tune_seeds, int):
            tune = tuple(TUNE_FROM + seed for seed in tune)
        return cls(tuple(entries), check_seeds(seeds), tune, select)

    def __add__(self, other: Sweep) -> Sweep:
        """The entries of both, which must agree in everything else."""
        if replace(self, entries=other.entries) != other:
            raise ConfigError("sweeps can be added only if their seeds, tune_seeds and select are the same")
        return replace(self, entries=self.entries + other.entries)

    def shortened(self, rounds: int | None, seeds: int) -> Sweep:
        """The same with at most so many rounds, and so many seeds of either kind.

        >>> import onebit
        >>> plan = onebit.Sweep.cross([onebit.Banditron(9)], onebit.streams.synsep(1000))
        >>> plan.shortened(50, 1).entries[0].rounds
        50
        """
        entries = tuple(replace(entry, rounds=_least(rounds, entry)) for entry in self.entries)
        return replace(self, entries=entries, seeds=self.seeds[:seeds], tune_seeds=self.tune_seeds[:seeds])


def _channels(arm: Arm, feedback: Any) -> list[Channel]:
    if feedback is None:
        return [arm.feedback]
    return [check_channel(channel) for channel in (feedback if isinstance(feedback, Sequence) else [feedback])]


def _least(rounds: int | None, entry: Entry) -> int | None:
    """At most so many rounds, and no more passes than before."""
    played = entry.stream.rounds if entry.rounds is None else entry.rounds
    return played if rounds is None else rounds if played is None else min(rounds, played)


def _check_grid(learner: Learner, grid: Mapping[str, Iterable[Any]]) -> dict[str, tuple[Any, ...]]:
    """The grid, each value as the learner keeps it; an error names the value that cannot be."""
    known = learner.get_params()
    kept = {}
    for name, values in grid.items():
        if name not in known or name in ("classes", "seed", "n_features"):
            raise ConfigError(f"grid: {registered_name(learner)} has no parameter {name!r} to vary")
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise ConfigError(f"grid: {name}={values!r} must be a list of values")
        kept[name] = tuple(values)
        if not kept[name] or any(value in kept[name][:at] for at, value in enumerate(kept[name])):
            raise ConfigError(f"grid: {name}={list(kept[name])} must have at least one value, and none twice")
        for value in kept[name]:
            learner.clone(**{name: value})
    return kept


def sweep(
    plan: Sweep,
    folder: str | os.PathLike[str],
    *,
    executor: Executor | str | None = None,
    workers: int | None = None,
    progress: bool | None = None,
    command: str | None = None,
) -> Results:
    """Play a sweep into a folder, and open its results.

    First every configuration plays the tune seeds; then the best of each entry plays the seeds to report. A cell that
    is in the folder is never played again, so the same call goes on where an interrupted one stopped, and a changed
    grid plays only what is new.

    Parameters: `executor`, any `concurrent.futures.Executor`, or "dask://HOST:PORT" (default: local processes);
    `workers`, how many cells to play at a time (default: one per core); `progress`, whether to show a live table
    (default: if stderr is a terminal; else a few lines); `command`, how to run it again, for the report.

    >>> import onebit, tempfile
    >>> arm = onebit.Arm(onebit.Banditron(9), {"gamma": [0.01, 0.3]})
    >>> plan = onebit.Sweep.cross([arm], onebit.streams.synsep(2000), seeds=2, tune_seeds=1)
    >>> results = onebit.sweep(plan, tempfile.mkdtemp(), workers=1, progress=False)
    >>> results.complete, results.cells_done, results.entries[0].best.setting
    (True, 4, 'gamma=0.01')
    """
    from onebit.sweep.run.driver import drive

    return drive(plan, folder, executor=executor, workers=workers, progress=progress, command=command)
