"""The feature columns of a table: which they are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from onebit.core.checks import check_whole
from onebit.core.errors import ConfigError, DataError
from onebit.features.columns import Columns, content_of, plain_type
from onebit.streams.tables.readers import Table

MOST_ROWS_OR_FEATURES = 2**31 - 1
"""Of one table: its indices have 32 bits."""


def check_label(table: Table, label: str | None) -> str:
    """The name of the label column, if there is such a one."""
    if label is None:
        option = " (--label NAME)" if isinstance(table.path, Path) else ""
        raise DataError(
            f"label=None: which column of {table.path} holds the right label? Give label=NAME{option}; the columns are "
            f"{shown(table.types)}"
        )
    if not isinstance(label, str) or label not in table.types:
        raise DataError(f"label={label!r}: {table.path} has no such column; name one of {shown(table.types)}")
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
    return Columns(table.path, {name: table.types[name] for name in names}, hashed)


def check_features(table: Table, features: Columns, cases: bool) -> None:
    """A `DataError` for a column that cannot be a feature: of a case, of a hashed row, or of a row of numbers."""
    if cases and features.hashed is not None:
        raise ConfigError(f"hash_features={features.hashed}: is not for raw cases; leave it out, or leave cases out")
    for name, kind in features.types.items():
        content = content_of(kind)
        if cases:
            fits = _is_value(kind)
            wanted = "a case has text, numbers, booleans, dates and lists of these"
        elif features.hashed is not None:
            fits = content != "other"
            wanted = "hashed columns are numbers, booleans or text"
        else:
            fits = content == "numbers"
            wanted = "cases=False asks for rows of numbers"
        if not fits:
            raise DataError(
                f"{table.path}: column {name!r} holds {kind}, and {wanted}; leave it out by naming the others with "
                "columns=[...]" + (" (--columns A,B,...)" if isinstance(table.path, Path) else "")
            )


def _is_value(kind: Any) -> bool:
    """Whether a case may have values of this Arrow type: a text, a number, a date, a list of such, or a dict."""
    import pyarrow.types as kinds

    if kinds.is_struct(kind):
        return all(_is_value(field.type) for field in kind)
    if any(test(kind) for test in (kinds.is_list, kinds.is_large_list, kinds.is_fixed_size_list)):
        return _is_single(kind.value_type)
    return _is_single(kind)


def _is_single(kind: Any) -> bool:
    import pyarrow.types as kinds

    return content_of(plain_type(kind)) != "other" or kinds.is_date(kind) or kinds.is_timestamp(kind)


def _asked(table: Table, label: str, columns: Sequence[str]) -> list[str]:
    if isinstance(columns, str) or not all(isinstance(name, str) for name in columns):
        raise ConfigError(f"columns={columns!r}: give a list of column names")
    names = list(columns)
    unknown = [name for name in names if name not in table.types]
    if unknown:
        raise DataError(f"columns: {table.path} has no column {unknown[0]!r}; its columns are {shown(table.types)}")
    if label in names:
        raise ConfigError(f"columns: has the label {label!r}, which would give the answer away; leave it out")
    if len(set(names)) < len(names) or not names:
        raise ConfigError(f"columns={names}: name at least one column, and none twice")
    return names


def shown(names: Sequence[str] | dict[str, Any]) -> str:
    """The first names of columns, for an error.

    >>> shown(["weight", "legs"])
    "'weight', 'legs'"
    """
    first = [repr(name) for name in names][:20]
    return ", ".join(first) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
