"""The feature columns of a table: which they are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from onebit.core.checks import check_whole
from onebit.core.errors import ConfigError, DataError
from onebit.features.columns import Columns
from onebit.streams.tables.readers import Table

MOST_ROWS_OR_FEATURES = 2**31 - 1
"""Of one table: its indices have 32 bits."""


def check_label(table: Table, label: str | None) -> str:
    """The name of the label column, if there is such a one."""
    if label is None:
        option = " (--label NAME)" if isinstance(table.path, Path) else ""
        raise DataError(
            f"label=None: which column of {table.path} holds the right label? Give label=NAME{option}; the columns are "
            f"{_shown(table.types)}"
        )
    if not isinstance(label, str) or label not in table.types:
        raise DataError(f"label={label!r}: {table.path} has no such column; name one of {_shown(table.types)}")
    return label


def choose_features(table: Table, label: str, columns: Sequence[str] | None, hashed: int | None) -> Columns:
    """The columns asked for, or all but the label and pandas' index, if they can be features."""
    if hashed is not None:
        check_whole("hash_features", hashed, high=MOST_ROWS_OR_FEATURES)
    if columns is None:
        names = [name for name in table.types if name != label and name not in table.index]
    else:
        names = _asked(table, label, columns)
    if not names:
        raise DataError(f"{table.path}: has no column beside the label {label!r}; a row needs at least one feature")
    wrong = [name for name in names if table.content(name) == "other"]
    if wrong:
        raise DataError(
            f"{table.path}: column {wrong[0]!r} holds {table.types[wrong[0]]}, and features are numbers, booleans or "
            "text; leave it out by naming the others with columns=[...]"
            + (" (--columns A,B,...)" if isinstance(table.path, Path) else "")
        )
    return Columns(table.path, {name: table.types[name] for name in names}, hashed)


def _asked(table: Table, label: str, columns: Sequence[str]) -> list[str]:
    if isinstance(columns, str) or not all(isinstance(name, str) for name in columns):
        raise ConfigError(f"columns={columns!r}: give a list of column names")
    names = list(columns)
    unknown = [name for name in names if name not in table.types]
    if unknown:
        raise DataError(f"columns: {table.path} has no column {unknown[0]!r}; its columns are {_shown(table.types)}")
    if label in names:
        raise ConfigError(f"columns: has the label {label!r}, which would give the answer away; leave it out")
    if len(set(names)) < len(names) or not names:
        raise ConfigError(f"columns={names}: name at least one column, and none twice")
    return names


def _shown(names: Sequence[str] | dict[str, Any]) -> str:
    shown = [repr(name) for name in names][:20]
    return ", ".join(shown) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
