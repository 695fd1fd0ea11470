"""MSG: parameters."""

from __future__ import annotations

from typing import Any

import pytest

import onebit
from onebit import ConfigError


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"b": 0}, r"b=0: must be a number above 0"),
        ({"noise": (0.1, 0.1)}, r"MSG cannot take it: it is told the true label"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        onebit.MSG(3, **parameters)
