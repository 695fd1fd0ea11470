"""A plan spelled out: every configuration of every entry and the name of each of its cells, as `sweep.json` holds them.

`plan` is what the user asks for; this is what will be played.
"""

from __future__ import annotations

import pickle
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import product
from math import frexp, prod
from typing import Any, NamedTuple

from onebit.contract.learner import Learner
from onebit.core.errors import ConfigError, DataError
from onebit.core.forms import Keys, is_dict, is_text, is_whole, is_whole_or_none, misfit
from onebit.core.registry import registered_name
from onebit.core.version import __version__
from onebit.simulate.settings import plain
from onebit.simulate.simulate import compute_rows
from onebit.sweep.cells import Cell, make_cell
from onebit.sweep.outcomes import METRICS
from onebit.sweep.plan import Entry, Sweep

FORMAT = 1


class Candidate(NamedTuple):
    """One configuration of an entry, and its cells by seed."""

    setting: str
    tune: dict[int, Cell]
    report: dict[int, Cell]


class PlannedEntry(NamedTuple):
    """An entry and its configurations, in the order of the grid."""

    entry: Entry
    candidates: tuple[Candidate, ...]

    @property
    def tunes(self) -> bool:
        """Whether there is something to choose, and seeds to choose by."""
        return len(self.candidates) > 1 and bool(self.candidates[0].tune)


def plan_entries(sweep: Sweep, progress: bool | None = None) -> list[PlannedEntry]:
    """The entries with all their cells.

    >>> import onebit
    >>> arm = onebit.Arm(onebit.Banditron(9), {"gamma": [0.01, 0.1]})
    >>> plan = onebit.Sweep.cross([arm], onebit.streams.synsep(100), seeds=5, tune_seeds=3)
    >>> [(one.setting, len(one.tune), len(one.report)) for one in plan_entries(plan)[0].candidates]
    [('gamma=0.01', 3, 5), ('gamma=0.1', 3, 5)]
    """
    identities: dict[int, dict[str, Any]] = {}
    planned = []
    for entry in sweep.entries:
        stream = entry.match.stream
        compute_rows(stream, progress)
        identity = identities.setdefault(id(entry.stream), {}) if stream is entry.stream else {}
        if not identity:
            identity.update(stream.identity())
        tune_seeds = sweep.tune_seeds if prod(map(len, entry.grid.values())) > 1 else ()
        candidates = []
        for values in product(*entry.grid.values()):
            chosen = dict(zip(entry.grid, values, strict=True))
            player = entry.match.learner.clone(**chosen)
            tune, report = (
                {seed: make_cell(player, stream, identity, entry.channel, entry.rounds, seed) for seed in seeds}
                for seeds in (tune_seeds, sweep.seeds)
            )
            candidates.append(Candidate(setting_text(chosen), tune, report))
        planned.append(PlannedEntry(entry, tuple(candidates)))
    return planned


def setting_text(values: Mapping[str, Any]) -> str:
    """What was chosen, in a few words that `--set` understands.

    >>> setting_text({"gamma": 2**-7, "eta": 0.3, "covariance": "full"})
    'gamma=2^-7 eta=0.3 covariance=full'
    """
    texts = []
    for name, value in values.items():
        small_power = isinstance(value, float) and 0 < value < 0.1 and frexp(value)[0] == 0.5
        texts.append(f"{name}=2^{frexp(value)[1] - 1}" if small_power else f"{name}={value}")
    return " ".join(texts)


def manifest(sweep: Sweep, planned: list[PlannedEntry], command: str | None) -> dict[str, Any]:
    """The plan as JSON knows it: what `sweep.json` holds."""
    import llvmlite
    import numba
    import numpy as np
    import scipy

    return {
        "format": FORMAT,
        "onebit": __version__,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command,
        "versions": {
            "python": platform.python_version(),
            "numpy": np.__version__,
            "scipy": scipy.__version__,
            "numba": numba.__version__,
            "llvmlite": llvmlite.__version__,
            "machine": f"{platform.system()} {platform.machine()}",
        },
        "seeds": list(sweep.seeds),
        "tune_seeds": list(sweep.tune_seeds),
        "select": sweep.select,
        "entries": [_entry_record(one) for one in planned],
    }


def _entry_record(planned: PlannedEntry) -> dict[str, Any]:
    entry = planned.entry
    arm, stream, feedback = entry.label
    facts = plain(entry.stream.describe())
    return {
        "arm": arm,
        "learner": registered_name(entry.learner),
        "stream": stream,
        "feedback": feedback,
        "channel": entry.channel.text,
        "rounds": entry.stream.rounds if entry.rounds is None else entry.rounds,
        "classes": facts["classes"],
        "features": facts["features"],
        "about": {key: facts[key] for key in ("title", "source", "licence", "options", "sha256") if key in facts},
        "grid": plain(entry.grid),
        "configurations": [
            {
                "setting": one.setting,
                "parameters": _parameters(one),
                "tune": {str(seed): cell.key for seed, cell in one.tune.items()},
                "report": {str(seed): cell.key for seed, cell in one.report.items()},
            }
            for one in planned.candidates
        ],
    }


def _parameters(candidate: Candidate) -> dict[str, Any]:
    cell = next(iter(candidate.report.values()))
    found = dict(cell.settings["learner"]["parameters"])
    found.pop("classes", None)
    return found


def _is_seed_text(value: Any) -> bool:
    return is_text(value) and value.isdecimal() and len(value) < 20


def _is_key(value: Any) -> bool:
    return is_text(value) and value.isalnum()


def _is_dict_or_none(value: Any) -> bool:
    return value is None or is_dict(value)


def _are_seeds(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_whole, value))


_CELLS = Keys(_is_seed_text, _is_key)
_ENTRY = {
    "arm": is_text,
    "learner": is_text,
    "stream": is_text,
    "feedback": is_text,
    "rounds": is_whole_or_none,
    "classes": is_whole_or_none,
    "features": is_whole_or_none,
    "about?": {"options?": _is_dict_or_none},
    "configurations": [{"setting": is_text, "parameters": is_dict, "tune": _CELLS, "report": _CELLS}],
}
_PLAN = {
    "format": is_whole,
    "onebit": is_text,
    "made": is_text,
    "versions": is_dict,
    "seeds": [is_whole],
    "tune_seeds": _are_seeds,
    "select": lambda value: value in METRICS,
    "command?": lambda value: value is None or is_text(value),
    "entries": [_ENTRY],
}


def check_travel(planned: list[PlannedEntry]) -> None:
    """A `ConfigError` for a learner or a stream that cannot be sent to another process."""
    for one in planned:
        learner = one.entry.learner
        stream = one.entry.stream
        for what, value in {f"learner={learner!r}": learner, f"stream={stream.name!r}": stream}.items():
            instead = "or play in threads: executor=concurrent.futures.ThreadPoolExecutor()"
            if type(value).__module__ == "__main__":
                raise ConfigError(
                    f"{what}: {type(value).__name__} is defined in the script that runs, where other processes cannot "
                    f"find it; put it in a module of its own, {instead}"
                )
            try:
                pickle.dumps((type(value), value.get_params()) if isinstance(value, Learner) else value)
            except Exception as error:
                raise ConfigError(f"{what}: cannot be sent to another process ({error}); {instead}") from None


def check_manifest(found: Any, where: str) -> dict[str, Any]:
    """The plan read from a file; a `ConfigError` for one that a newer onebit wrote, a `DataError` for a damaged one."""
    if not isinstance(found, dict) or not isinstance(found.get("entries"), list):
        raise ConfigError(f"{where}: is not the plan of a sweep; name a folder that `onebit sweep` has written")
    written = found.get("format", 0)
    if is_whole(written) and written > FORMAT:
        raise ConfigError(f"{where}: was written by onebit {found.get('onebit')}, which is newer; update onebit")
    if wrong := misfit(found, _PLAN):
        raise DataError(f"{where}: damaged ({wrong}); run the sweep again, its cells are kept")
    return found
