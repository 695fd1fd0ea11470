"""What the command line says about data, opened as a stream."""

from __future__ import annotations

import numpy as np
import pytest

from onebit.cli.inputs import Source, open_rows
from onebit.core.errors import ConfigError


@pytest.mark.parametrize(
    ("data", "feature_map", "late"),
    [("iris", None, False), ("iris", "rational:2", False), ("synsep", None, True), ("synsep", "fourier:8", False)],
)
def test_rows_are_scaled_once_by_the_stream_or_by_the_learner(data: str, feature_map: str | None, late: bool) -> None:
    stream, left_to_the_learner = open_rows(Source(data), normalize=True, bias=False, feature_map=feature_map)
    assert left_to_the_learner is late
    if data == "iris" and feature_map is None:
        assert np.linalg.norm(stream.X, axis=1) == pytest.approx(1)
    assert (stream.raw is stream) == (feature_map is None)


def test_a_map_is_read_before_the_data() -> None:
    with pytest.raises(ConfigError, match="--map 'spline'"):
        open_rows(Source("no such data"), normalize=False, bias=False, feature_map="spline")
