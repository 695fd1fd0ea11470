"""Labels that can be, and those that cannot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import onebit

NAN = float("nan")


@pytest.mark.parametrize("classes", [[NAN, NAN], [NAN, 1.0], [np.nan, "b"], [("a", NAN), "b"]])
def test_a_label_equals_itself(classes: list[Any]) -> None:
    with pytest.raises(onebit.ConfigError, match="not equal to itself"):
        onebit.Banditron(classes)


@pytest.mark.parametrize("classes", [["\ud800", "b"], [("a", "\udfff"), "b"]])
def test_a_label_can_be_written(classes: list[Any]) -> None:
    with pytest.raises(onebit.ConfigError, match="surrogates"):
        onebit.Banditron(classes)
    if isinstance(classes[0], str):
        with pytest.raises(onebit.ConfigError, match="surrogates"):
            onebit.streams.from_arrays(np.eye(2), classes)
