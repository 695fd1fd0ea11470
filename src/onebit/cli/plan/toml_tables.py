"""Tables of a TOML file: their keys, and the kinds of their values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from onebit.core.checks import did_you_mean
from onebit.core.errors import ConfigError


def check_keys(table: Mapping[str, Any], known: Collection[str], where: str = "") -> None:
    """A `ConfigError` that names the nearest known key for one that is not known.

    >>> check_keys({"lerner": "banditron"}, ["learner", "grid"], "[[arm]] 1: ")
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: [[arm]] 1: lerner: no such key; did you mean learner?
    """
    for key in table:
        if key not in known:
            raise ConfigError(f"{where}{key}: no such key; {did_you_mean(key, known)}")


def text_at(table: Mapping[str, Any], key: str, where: str = "") -> str | None:
    """The text at a key, if it is there.

    >>> text_at({"out": "results"}, "out")
    'results'
    """
    value = table.get(key)
    if value is not None and not isinstance(value, str):
        raise ConfigError(f"{where}{key} = {value!r}: must be text in quotes")
    return value


def table_at(table: Mapping[str, Any], key: str, where: str = "") -> dict[str, Any]:
    """The table at a key, or an empty one.

    >>> table_at({"set": {"m": 2}}, "set")
    {'m': 2}
    """
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise ConfigError(f"{where}{key} = {value!r}: must be a table, as in {key} = {{gamma = 0.1}}")
    return value


def tables_at(table: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """The tables `[[key]]`, as many as there are.

    >>> tables_at({"arm": [{"learner": "banditron"}]}, "arm")
    [{'learner': 'banditron'}]
    """
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise ConfigError(f"{key}: must be tables, each under a line [[{key}]]")
    return value
