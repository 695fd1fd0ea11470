"""Where a simulation logs its decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from onebit.core.errors import ConfigError
from onebit.learners.base import Learner
from onebit.learners.live_log import open_log
from onebit.streams.base import Stream


@dataclass(frozen=True)
class LogPlan:
    """A path, in which `{seed}` stands for the seed, and whether the rows are logged (None: if need be).

    >>> LogPlan("decisions.parquet", None, [0, 1])
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: log='decisions.parquet': must contain {seed} where several seeds are played, ...
    """

    path: str
    features: bool | None
    seeds: Sequence[int]

    def __post_init__(self) -> None:
        if len(self.seeds) > 1 and "{seed}" not in self.path:
            raise ConfigError(
                f"log={self.path!r}: must contain {{seed}} where several seeds are played, as in log-{{seed}}.parquet"
            )
        for path in map(self.of, self.seeds):
            if path.is_file():
                raise ConfigError(f"log={str(path)!r}: exists already; remove it or choose another path")

    def of(self, seed: int) -> Path:
        """The path for one seed."""
        return Path(self.path.replace("{seed}", str(seed)))

    @contextmanager
    def writing(self, player: Learner, stream: Stream, seed: int) -> Iterator[None]:
        """Log what the player decides in the meantime."""
        run = player._run
        assert run.layout is not None
        features = not stream.numbered if self.features is None else self.features
        with open_log(player, run.layout, self.of(seed), features=features, has_row=stream.numbered) as log:
            run.log = log
            try:
                yield
            finally:
                run.log = None
