"""OSLGBandit: parameters."""

from __future__ import annotations

from typing import Any

import pytest

import onebit
from onebit import ConfigError


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"eta": -1}, r"eta=-1: must be a number, 0 or larger"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        onebit.OSLGBandit(3, **parameters)
