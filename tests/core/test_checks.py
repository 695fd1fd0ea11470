"""Checks of arguments: numbers of every size, and values that are hard to show."""

from __future__ import annotations

from typing import Any

import pytest

from onebit.core.checks import check_number, check_whole, shown
from onebit.core.errors import ConfigError


@pytest.mark.parametrize(
    "value",
    [10**400, -(10**400), 10**9999, float("nan"), float("inf"), "1", None, 1j],
    ids=lambda value: f"{type(value).__name__}",
)
@pytest.mark.parametrize("check", [check_whole, check_number])
def test_what_is_no_number_of_ours(check: Any, value: Any) -> None:
    with pytest.raises(ConfigError, match="^x=.{1,90}: must be"):
        check("x", value)


def test_a_limit_is_told_only_where_it_is_passed() -> None:
    with pytest.raises(ConfigError, match="seeds=0: must be a whole number, 1 or larger$"):
        check_whole("seeds", 0, most=10)
    with pytest.raises(ConfigError, match="seeds=11: must be a whole number from 1 to 10$"):
        check_whole("seeds", 11, most=10)
    assert check_whole("seeds", 10, most=10) == 10


def test_what_cannot_be_shown_is_named_by_its_type() -> None:
    class Shy:
        def __repr__(self) -> str:
            raise RuntimeError

    assert "Shy" in shown(Shy())
    assert shown(10**9999) == "<int>"
    assert len(shown(["long" * 100] * 100)) < 1100
    shown("\udcff").encode()
