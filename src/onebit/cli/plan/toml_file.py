"""A sweep asked for by a TOML file: the file itself, and its tables [[arm]]."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from onebit.cli.learner_settings import FROM_ELSEWHERE, parameters_of
from onebit.cli.plan.grids import distinct, parse_values
from onebit.cli.plan.request import SEEDS, SELECT, TUNE_SEEDS, ArmRequest, SweepRequest
from onebit.cli.plan.toml_streams import open_table
from onebit.cli.plan.toml_tables import check_keys, table_at, tables_at, text_at
from onebit.cli.values import parse_delay, parse_rounds, parse_seeds, parse_value
from onebit.core.errors import ConfigError, DataError
from onebit.core.registry import learner_class
from onebit.feedback import Channel, Delay, parse_channel

REMEDY = 'or give its [[arm]] a feedback of its own, as in feedback = "full"'
"""What to do about feedback that a learner of a file cannot hear."""

_KEYS = (
    "rounds", "seeds", "tune_seeds", "select", "out", "data", "stream", "feedback", "delay", "dtype", "arm",
)  # fmt: skip
_ARM_KEYS = ("learner", "name", "set", "grid", "feedback")


def read_request(path: Path) -> SweepRequest:
    """The sweep that a TOML file asks for. Paths in it are meant from the folder of the file.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "iris.toml"
    >>> _ = path.write_text('data = "iris"\\n[[arm]]\\nlearner = "banditron"\\ngrid = {gamma = "2^-3:2^-1"}\\n')
    >>> read_request(path).arms[0].grid
    {'gamma': [0.125, 0.25, 0.5]}
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}); check its name and folder") from None
    except RecursionError:
        raise ConfigError(f"{path}: its brackets are nested too deeply; a plan needs few") from None
    except ValueError as error:
        raise ConfigError(f"{path}: is not TOML: {error}") from None
    try:
        return _request(table, path.parent)
    except (ConfigError, DataError) as error:
        raise type(error)(f"{path}: {error}") from None


def _request(table: Mapping[str, Any], folder: Path) -> SweepRequest:
    check_keys(table, _KEYS)
    if ("data" in table) == ("stream" in table):
        raise ConfigError('data: give either data = "synsep", or a list of names, or tables [[stream]]')
    names = table.get("data", [])
    streams = [{"data": name} for name in (names if isinstance(names, list) else [names])] + tables_at(table, "stream")
    arms = tables_at(table, "arm")
    delay = _delay(table.get("delay"))
    rounds = table.get("rounds")
    out = text_at(table, "out")
    if not arms or not streams:
        missing = "arm: no learner; add a table [[arm]] with" if not arms else "data: nothing to play; add"
        raise ConfigError(f"{missing} " + ('learner = "banditron", say' if not arms else 'data = "synsep", say'))
    channels = _channels(table, delay, "")
    return SweepRequest(
        arms=[_arm(arm, f"[[arm]] {place}: ", channels, delay) for place, arm in enumerate(arms, start=1)],
        rows=[open_table(stream, f"[[stream]] {place}: ", folder) for place, stream in enumerate(streams, start=1)],
        rounds=parse_rounds(rounds, "rounds =") if isinstance(rounds, str) else rounds,
        seeds=_seeds(table, "seeds", SEEDS),
        tune_seeds=_seeds(table, "tune_seeds", TUNE_SEEDS),
        select=text_at(table, "select") or SELECT,
        delay=delay,
        dtype=text_at(table, "dtype") or "float64",
        out=None if out is None else folder / out,
    )


def _arm(table: Mapping[str, Any], where: str, channels: tuple[Channel, ...], delay: Delay) -> ArmRequest:
    check_keys(table, _ARM_KEYS, where)
    name = text_at(table, "learner", where)
    if name is None:
        raise ConfigError(f'{where}learner: is missing; name one, as in learner = "banditron"')
    takes = sorted(parameters_of(learner_class(name)) - set(FROM_ELSEWHERE))
    given = table_at(table, "set", where)
    grid = table_at(table, "grid", where)
    check_keys(given, takes, f"{where}set.")
    check_keys(grid, takes, f"{where}grid.")
    if both := sorted(given.keys() & grid.keys()):
        raise ConfigError(f"{where}grid.{both[0]}: is in `set` as well; leave one of them out")
    settings = {key: _value(value) for key, value in given.items()}
    values = {key: _values(value, f"{where}grid.{key}") for key, value in grid.items()}
    own = _channels(table, delay, where) if "feedback" in table else channels
    return ArmRequest(name, settings, values, text_at(table, "name", where), own)


def _value(value: Any) -> Any:
    """As `--set` has it: text may be a number, such as "2^-7", and a list is a pair or more."""
    if isinstance(value, list):
        return tuple(_value(one) for one in value)
    return parse_value(value) if isinstance(value, str) else value


def _values(value: Any, where: str) -> list[Any]:
    if isinstance(value, list):
        return distinct([_value(one) for one in value], where)
    if not isinstance(value, str):
        raise ConfigError(f'{where} = {value!r}: must be a list of values, or text as in "2^-13:2^-2"')
    try:
        return parse_values(value)
    except ConfigError as error:
        raise ConfigError(f"{where} = {error}") from None


def _channels(table: Mapping[str, Any], delay: Delay, where: str) -> tuple[Channel, ...]:
    given = table.get("feedback", [])
    texts = given if isinstance(given, list) else [given]
    for text in texts:
        if not isinstance(text, str):
            raise ConfigError(f'{where}feedback = {given!r}: must be text, as in "bit" or "noisy:0.2,0.4", or a list')
    return tuple(parse_channel(text, delay) for text in texts)


def _delay(value: Any) -> Delay:
    if isinstance(value, list) and len(value) == 2:
        return (value[0], value[1])
    return parse_delay(value, "delay =") if isinstance(value, str) else value or 0


def _seeds(table: Mapping[str, Any], key: str, default: int) -> Any:
    value = table.get(key, default)
    return parse_seeds(value, f"{key} =") if isinstance(value, str) else value
