"""A sweep as it was asked for, by a command or by a file, and the `onebit.Sweep` that comes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from onebit.cli.channels import LEAVE_OUT, check_hears
from onebit.cli.learner_settings import assign, make_learner, parse_settings
from onebit.cli.plan.grids import parse_values
from onebit.core.errors import ConfigError
from onebit.features.cases.settings import Cases
from onebit.feedback import Channel, Delay, usual_channel
from onebit.streams.base import Stream
from onebit.sweep.plan import Arm, Sweep

SEEDS = 10
TUNE_SEEDS = 3
SELECT = "error"
"""What a sweep does if nothing is said: how many seeds report and tune, and by what the best is chosen."""


class ArmRequest(NamedTuple):
    """A learner by its name, what it is set to, which values to try, and the channels it hears through.

    Without a name it is called as the learner, and without channels it hears what it needs.
    """

    learner: str
    settings: Mapping[str, Any]
    grid: Mapping[str, Sequence[Any]]
    name: str | None = None
    channels: tuple[Channel, ...] = ()


class Rows(NamedTuple):
    """A stream, whether the learners are to scale its rows, and how they are to read its columns, if that is said."""

    stream: Stream
    scaled: bool = False
    cases: Cases | None = None


class SweepRequest(NamedTuple):
    """All that makes a sweep, and where its results go."""

    arms: list[ArmRequest]
    rows: list[Rows]
    rounds: float | None = None
    seeds: int | list[int] = SEEDS
    tune_seeds: int | list[int] = TUNE_SEEDS
    select: str = SELECT
    delay: Delay = 0
    dtype: str = "float64"
    out: Path | None = None


def arm_requests(
    names: Sequence[str], settings: Iterable[str], grids: Iterable[str], channels: Sequence[Channel] = ()
) -> list[ArmRequest]:
    """The arms that `--set` and `--grid` make of these learners.

    >>> arm_requests(["banditron", "perceptron"], [], ["gamma=0.1,1"])[0].grid
    {'gamma': [0.1, 1]}
    """
    tried = parse_settings(grids, "--grid", parse_values)
    assigned = assign(names, parse_settings(settings))
    grid = assign(names, tried, "--grid")
    for name in names:
        for parameter in assigned[name].keys() & grid[name].keys():
            text = next(one.text for one in tried if one.name == parameter)
            raise ConfigError(f"--grid {text!r}: --set sets {parameter} of {name} as well; leave one of them out")
    return [ArmRequest(name, assigned[name], grid[name], None, tuple(channels)) for name in names]


def make_sweep(request: SweepRequest, remedy: str = LEAVE_OUT) -> Sweep:
    """Every arm on every stream. `remedy` is for those who ask a learner to hear what it cannot.

    >>> import onebit
    >>> request = SweepRequest(arm_requests(["banditron"], [], ["gamma=0.1,1"]), [Rows(onebit.streams.load("iris"))])
    >>> [(entry.arm, entry.stream.name) for entry in make_sweep(request).entries]
    [('banditron', 'iris')]
    """
    whole: Sweep | None = None
    for stream, scaled, cases in request.rows:
        common: dict[str, Any] = {"dtype": request.dtype} | ({"normalize": True} if scaled else {})
        common |= {"cases": cases} if cases else {}
        arms = []
        for arm in request.arms:
            learner = make_learner(arm.learner, stream.classes, common | dict(arm.settings))
            for channel in arm.channels or (usual_channel(learner.feedback, request.delay),):
                check_hears(learner, channel, remedy)
                arms.append(Arm(learner, dict(arm.grid), arm.name, channel))
        select: Any = request.select
        part = Sweep.cross(
            arms, stream, rounds=request.rounds, seeds=request.seeds, tune_seeds=request.tune_seeds, select=select
        )
        whole = part if whole is None else whole + part
    if whole is None:
        raise ConfigError("data: nothing to play; name a data set, as in --data synsep")
    return whole
