"""Labels that can be, and those that cannot."""

from __future__ import annotations

from itertools import count, repeat
from pathlib import Path
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


@pytest.mark.parametrize("classes", [count(), repeat("a"), range(10**12)])
def test_labels_without_an_end(classes: Any) -> None:
    for take in (onebit.Banditron, onebit.Banditron(["a", "b", "c"]).add_classes, onebit.Banditron(3).retire):
        with pytest.raises(onebit.ConfigError, match="has more than 1,000,000 labels"):
            take(classes)


@pytest.mark.parametrize("label", [10**4300, -(10**5000)], ids=["above", "below"])
def test_a_label_of_thousands_of_digits_cannot_be_written(label: int, tmp_path: Path) -> None:
    with pytest.raises(onebit.ConfigError, match="has more than 4,300 digits"):
        onebit.Banditron([label, 1])
    with pytest.raises(onebit.ConfigError, match="classes=<list>: labels must be hashable"):
        onebit.Banditron([label, []])
    onebit.Banditron([10**4300 - 1, 1]).save(tmp_path / "m.onebit")
    assert onebit.load(tmp_path / "m.onebit").classes == (10**4300 - 1, 1)
