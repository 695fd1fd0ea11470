"""Where a simulation logs its decisions."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from onebit.contract.learner import Learner
from onebit.contract.live_log import open_log
from onebit.core.checks import check_flag
from onebit.core.errors import ConfigError
from onebit.engine.match import Match
from onebit.log import check_path
from onebit.log.form import HOW_ROWS_WERE_MADE


@dataclass(frozen=True)
class LogPlan:
    """A path, in which `{seed}` stands for the seed, and whether the rows are logged (None: if need be).

    >>> LogPlan("decisions.parquet", None, [0, 1])
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: log='decisions.parquet': must contain {seed} where several seeds are played, ...
    """

    path: Any
    features: bool | None
    seeds: Sequence[int]

    def __post_init__(self) -> None:
        check_path(self.path)
        if self.features is not None:
            check_flag("log_features", self.features, instead="None for: if need be")
        if len(self.seeds) > 1 and "{seed}" not in os.fspath(self.path):
            raise ConfigError(
                f"log={self.path!r}: must contain {{seed}} where several seeds are played, as in log-{{seed}}.parquet"
            )
        for seed in self.seeds:
            check_path(self.of(seed))

    def of(self, seed: int) -> Path:
        """The path for one seed."""
        return Path(os.fspath(self.path).replace("{seed}", str(seed)))

    @contextmanager
    def writing(self, player: Learner, match: Match, seed: int) -> Iterator[None]:
        """Log what the player decides meanwhile, and the answers; where labels are closed, rows have no numbers."""
        session = player._session
        stream = match.stream
        assert session.layout is not None
        numbered = stream.numbered and not match.closed
        features = not numbered if self.features is None else self.features
        with open_log(
            player,
            player._logged(session.layout),
            self.of(seed),
            feedback=match.channel.kind,
            features=features,
            has_row=numbered,
            rows_made_with={name: stream.options[name] for name in HOW_ROWS_WERE_MADE if name in stream.options},
            classes_change=match.closed > 0,
        ) as log:
            session.log = log
            try:
                yield
            finally:
                session.log = None
