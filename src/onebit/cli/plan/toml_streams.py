"""The tables [[stream]] of a TOML file, turned into streams."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from onebit import streams
from onebit.cli.inputs import is_drawn, is_file
from onebit.cli.maps import map_stream
from onebit.cli.plan.request import Rows
from onebit.cli.plan.toml_tables import check_keys, text_at
from onebit.cli.values import parse_size
from onebit.core.errors import ConfigError
from onebit.features.cases.settings import KINDS, Cases
from onebit.streams.base import Stream

_OURS = ("data", "graph", "name", "map", "normalize")
_NOT_TOLD = ("path", "graph", "name", "rounds", "seed", "progress", "nodes", "batch_rows")


def open_table(table: Mapping[str, Any], where: str, folder: Path) -> Rows:
    """The stream that a table describes; paths in it are meant from `folder`.

    `data` is a data set or a file, `graph` a file of edges; `name` is what to call it, `map` a feature map. The
    other keys are the arguments of the function that opens it: `load`, `from_file`, `from_graph`, or the one that
    draws it, such as `synsep`. For a file, `text`, `category`, `number`, `date`, `vector` and `ignore` are lists of
    columns, to be read as such.

    >>> open_table({"data": "synsep", "classes": 5, "name": "five"}, "[[stream]] 1: ", Path()).stream.name
    'five'
    """
    data, graph, name = (text_at(table, key, where) for key in ("data", "graph", "name"))
    if (data is None) == (graph is None):
        raise ConfigError(f'{where}data: give a data set or a file, as in data = "synsep", or graph = a file of edges')
    opener, arguments = _opener(data, graph, folder)
    cases = _cases(table, where) if opener is streams.from_file else None
    table = {key: value for key, value in table.items() if opener is not streams.from_file or key not in KINDS}
    if cases is not None:
        arguments["cases"] = True
    options = _options(table, opener, where, KINDS if opener is streams.from_file else ())
    scaled = table.get("normalize", False)
    if not isinstance(scaled, bool):
        raise ConfigError(f"{where}normalize = {scaled!r}: must be true or false")
    late = scaled and is_drawn(data)
    if "normalize" in inspect.signature(opener).parameters:
        options["normalize"] = scaled
    elif scaled and not late:
        raise ConfigError(f"{where}normalize: is not for a graph's file; leave it out")
    if isinstance(options.get("labels"), str) and (folder / options["labels"]).is_file():
        options["labels"] = str(folder / options["labels"])
    stream = opener(**arguments, **options)
    if (text := text_at(table, "map", where)) is not None:
        stream = map_stream(stream, text, normalize=late)
        late = False
    if name is not None:
        stream.name = name
    return Rows(stream, late, cases)


def _cases(table: Mapping[str, Any], where: str) -> Cases | None:
    """How columns are to be read, if the table says so."""
    declared = {kind: table[kind] for kind in KINDS if kind in table}
    try:
        return Cases(**declared) if declared else None
    except ConfigError as error:
        raise ConfigError(f"{where}{error}") from None


def _opener(data: str | None, graph: str | None, folder: Path) -> tuple[Callable[..., Stream], dict[str, Any]]:
    """The function that opens it, and the arguments that say what."""
    if graph is not None:
        return streams.from_graph, {"graph": folder / graph, "name": Path(graph).name}
    assert data is not None
    if is_drawn(data):
        draw: Callable[..., Stream] = getattr(streams, data.replace("-", "_"))
        return draw, {}
    return (streams.from_file, {"path": folder / data}) if is_file(data) else (streams.load, {"name": data})


def _options(
    table: Mapping[str, Any], opener: Callable[..., Stream], where: str, taken: Iterable[str]
) -> dict[str, Any]:
    """The arguments that the table gives it; some of its keys are taken already."""
    takes = {key: one for key, one in inspect.signature(opener).parameters.items() if key not in _NOT_TOLD}
    check_keys(table, [*_OURS, *(key for key in takes if key not in _OURS), *taken], where)
    options = {}
    for key, parameter in takes.items():
        if key not in table or key in _OURS:
            continue
        value = table[key]
        default = parameter.default
        if isinstance(default, bool) and not isinstance(value, bool):
            raise ConfigError(f"{where}{key} = {value!r}: must be true or false")
        if key == "hash_features" and isinstance(value, str):
            value = parse_size(value)
        options[key] = tuple(value) if isinstance(default, tuple) and isinstance(value, list) else value
    return options
