"""How the columns of raw cases are read, where the user knows better than the values show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Any

from onebit.core.checks import check_whole, wrong
from onebit.core.errors import ConfigError

_MOST_COLUMNS = 2**30
KINDS = ("text", "category", "number", "date", "vector", "ignore")


def _names(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


@dataclass(frozen=True)
class Cases:
    """How columns are read that are not to be read as their values look: by kind, the names of the columns.

    `hash` is how many features get weights of their own; those that come after share them. `print(learner.cases)` tells
    how each column is read.

    >>> Cases(text="subject", ignore=["id"])
    Cases(text=('subject',), ignore=('id',))
    """

    text: Iterable[str] = ()
    category: Iterable[str] = ()
    number: Iterable[str] = ()
    date: Iterable[str] = ()
    vector: Iterable[str] = ()
    ignore: Iterable[str] = ()
    hash: int = field(default=2**20)

    def __post_init__(self) -> None:
        seen: dict[str, str] = {}
        for kind in KINDS:
            try:
                names = _names(getattr(self, kind))
            except TypeError:
                names = (None,)  # type: ignore[assignment]  # refused below
            for name in names:
                if not isinstance(name, str):
                    raise ConfigError(f"{kind}={getattr(self, kind)!r}: must be names of columns")
                if seen.setdefault(name, kind) != kind:
                    raise ConfigError(f"{kind}: column {name!r} is declared as {seen[name]} too; choose one")
            object.__setattr__(self, kind, names)
        object.__setattr__(self, "hash", check_whole("hash", self.hash, low=1, high=_MOST_COLUMNS))

    def __repr__(self) -> str:
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        shown = [f"{name}={value!r}" for name, value in given.items() if value and (name, value) != ("hash", 2**20)]
        return f"Cases({', '.join(shown)})"

    def bound(self, encoder: Any) -> Cases:
        """The same settings, which tell as text how this encoder reads the columns."""
        cases = replace(self)
        object.__setattr__(cases, "_encoder", encoder)
        return cases

    def __str__(self) -> str:
        encoder = getattr(self, "_encoder", None)
        return repr(self) if encoder is None or not encoder.names else f"{self!r}\n\n{encoder}"

    def by_name(self) -> dict[str, str]:
        """How each column that is declared is to be read.

        >>> Cases(text="subject", ignore=["id"]).by_name()
        {'subject': 'text', 'id': 'ignore'}
        """
        return {name: kind for kind in KINDS for name in getattr(self, kind)}


def check_cases(name: str, cases: Any) -> Cases | None:
    """Settings for raw cases, or None.

    >>> check_cases("cases", None) is None
    True
    """
    if cases is None or isinstance(cases, Cases):
        return cases
    raise wrong(name, cases, "onebit.Cases(...)", "None")
