"""OSLG: parameters."""

from __future__ import annotations

from typing import Any

import pytest

import onebit
from onebit import ConfigError


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"b": -1}, r"b=-1: must be a number above 0"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        onebit.OSLG(3, **parameters)
