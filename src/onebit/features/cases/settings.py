"""How the columns of raw cases are read, where the user knows better than the values show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from itertools import islice
from typing import Any

from onebit.core.checks import check_whole, shown, wrong
from onebit.core.errors import ConfigError

MOST_FIELDS = 100_000
"""How many columns the cases of one learner may have."""

_MOST_COLUMNS = 2**30
MOST_OWN_COLUMNS = 2**20
"""How many features get weights of their own, if nothing else is said and the learner's state can grow with them."""

AUTO = "auto"
"""The word for: the first row tells whether rows are raw cases or numbers."""

KINDS = ("text", "category", "number", "date", "vector", "ignore")


def _names(kind: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    names = tuple(islice(value, MOST_FIELDS + 1))
    if len(names) > MOST_FIELDS:
        raise ConfigError(f"{kind}={shown(value)}: names more than {MOST_FIELDS:,} columns; no case may have so many")
    return names


@dataclass(frozen=True)
class Cases:
    """How columns are read that are not to be read as their values look: by kind, the names of the columns.

    `hash` is how many features get weights of their own; those that come after share them. A learner that keeps a
    matrix or whole rows takes at most 512, unless another number is given. `print(learner.cases)` tells how each column
    is read.

    >>> Cases(text="subject", ignore=["id"])
    Cases(text=('subject',), ignore=('id',))
    """

    text: Iterable[str] = ()
    category: Iterable[str] = ()
    number: Iterable[str] = ()
    date: Iterable[str] = ()
    vector: Iterable[str] = ()
    ignore: Iterable[str] = ()
    hash: int = field(default=MOST_OWN_COLUMNS)

    def __post_init__(self) -> None:
        seen: dict[str, str] = {}
        for kind in KINDS:
            try:
                names = _names(kind, getattr(self, kind))
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
        usual = ("hash", MOST_OWN_COLUMNS)
        shown = [f"{name}={value!r}" for name, value in given.items() if value and (name, value) != usual]
        return f"Cases({', '.join(shown)})"

    def bound(self, encoder: Any) -> Cases:
        """The same settings, which tell as text how this encoder reads the columns."""
        cases = replace(self)
        object.__setattr__(cases, "_encoder", encoder)
        return cases

    def with_columns(self, most: int) -> Cases:
        """The same settings for at most so many columns.

        >>> Cases(text="subject").with_columns(512)
        Cases(text=('subject',), hash=512)
        """
        return replace(self, hash=most)

    def __str__(self) -> str:
        encoder = getattr(self, "_encoder", None)
        return repr(self) if encoder is None or not encoder.names else f"{self!r}\n\n{encoder}"

    def by_name(self) -> dict[str, str]:
        """How each column that is declared is to be read.

        >>> Cases(text="subject", ignore=["id"]).by_name()
        {'subject': 'text', 'id': 'ignore'}
        """
        return {name: kind for kind in KINDS for name in getattr(self, kind)}


class Auto(str):
    """The word "auto" of a learner that has met raw cases: as text, it also tells how their columns are read.

    >>> from onebit.features.cases.encoder import MEET, Encoder
    >>> encoder = Encoder(Cases())
    >>> row = encoder.row({"plan": "gold"}, MEET)
    >>> Auto.of(encoder) == "auto"
    True
    >>> print(Auto.of(encoder))
    auto
    <BLANKLINE>
    column  read as  missing  recurring  first value
    plan    symbol       0 %        0 %  gold
    """

    _encoder: Any

    @classmethod
    def of(cls, encoder: Any) -> Auto:
        """The word that tells of this encoder."""
        word = cls(AUTO)
        word._encoder = encoder
        return word

    def __str__(self) -> str:
        return f"{AUTO}\n\n{self._encoder}"


def check_cases(name: str, cases: Any) -> Cases | str | None:
    """Settings for raw cases, "auto" or None.

    >>> check_cases("cases", None) is None
    True
    """
    if isinstance(cases, str) and cases == AUTO:
        return AUTO
    if cases is None or isinstance(cases, Cases):
        return cases
    raise wrong(name, cases, "onebit.Cases(...)", "'auto', or None to hash dict rows as version 0.1 did")
