"""What every flip-rate estimator takes and gives."""

from __future__ import annotations

from math import nan
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import FloatArray, IntArray
from onebit.core.checks import MOST_CLASSES, check_whole
from onebit.core.errors import DataError
from onebit.features.arrays import as_array
from onebit.feedback import NoiseRates
from onebit.ops.csr import sound_csr

_LARGEST_SUM = 0.95
"""Of the two rates: nearer to 1, the correction of a bit would be all noise."""


class NoiseEstimate(NoiseRates):
    """Estimated flip rates: `NoiseRates` (a learner takes it as such) that know how sure they are.

    Attributes: `rho_0`, `rho_1`; their standard errors `se_0`, `se_1` (NaN where the estimator has none);
    `notes`, sentences that say where the data cannot support the estimate; `predicted`, the probability of a
    "yes" that the estimator's model gave to rounds it was not fitted on, and `said`, the bits they got.

    >>> estimate = NoiseEstimate(0.21, 0.38, se_0=0.01, se_1=0.02)
    >>> estimate.rho_0, estimate.se_0, isinstance(estimate, NoiseRates)
    (0.21, 0.01, True)
    """

    se_0: float
    se_1: float
    notes: tuple[str, ...]
    predicted: FloatArray
    said: IntArray

    def __new__(
        cls,
        rho_0: float,
        rho_1: float,
        se_0: float = nan,
        se_1: float = nan,
        notes: tuple[str, ...] = (),
        predicted: Any = (),
        said: Any = (),
    ) -> Self:
        """Rates are kept inside what flip rates can be: not negative, their sum at most .95."""
        low_0 = max(0.0, float(rho_0))
        low_1 = max(0.0, float(rho_1))
        shrink = min(1.0, _LARGEST_SUM / max(low_0 + low_1, 1e-300))
        if shrink < 1:
            notes = (*notes, "the bits say almost nothing about the truth: the rates were cut to a sum of .95")
        estimate = super().__new__(cls, low_0 * shrink, low_1 * shrink)
        estimate.se_0 = float(se_0)
        estimate.se_1 = float(se_1)
        estimate.notes = tuple(notes)
        estimate.predicted = np.asarray(predicted, float)
        estimate.said = np.asarray(said, np.int64)
        return estimate


class Estimator(Protocol):
    """Anything that estimates flip rates from answered decisions.

    `rows` is a table of n rows, dense or CSR; `played` the labels, n of them or an (n, m) table for sets;
    `propensity` the probability with which each was played; `bit` what the world said, 0 or 1.
    """

    def fit(self, rows: Any, played: Any, propensity: Any, bit: Any) -> NoiseRates:
        """The rates."""


class AnsweredPlays(NamedTuple):
    """Answered decisions, checked: rows, labels as numbers (n, m), propensities, bits, and the number of classes."""

    rows: Any
    played: IntArray
    propensity: FloatArray
    bit: IntArray
    n_classes: int


def check_class_count(classes: Any) -> int | None:
    """How many classes there are, as estimators take it: None counts those that were played.

    >>> check_class_count(1)
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: classes=1: must be a whole number, 2 or larger, or None to count those played
    """
    if classes is None:
        return None
    return check_whole("classes", classes, 2, most=MOST_CLASSES, instead="None to count those played")


def check_lessons(rows: Any, played: Any, propensity: Any, bit: Any, classes: int | None = None) -> AnsweredPlays:
    """The four columns as arrays, or a `DataError` that names the column, the row and the remedy.

    >>> check_lessons([[1.0], [2.0]], ["a", "b"], [0.5, 0.5], [1, 0]).n_classes
    2
    >>> check_lessons([[1.0], [2.0]], ["a", "b"], [0.5, 0.0], [1, 0])
    Traceback (most recent call last):
    onebit.core.errors.DataError: propensity: 0.0 in row 1; ...
    """
    # Each column as an array of numbers, all of the same length.
    table = sound_csr(rows, "rows") if sp.issparse(rows) else as_array(rows, "rows")
    if table.ndim != 2 or table.dtype.kind not in "fiub":
        raise DataError(
            f"rows: {table.dtype} with {table.ndim} dimensions; give a table of numbers, one row per decision"
        )
    n = table.shape[0]
    labels = np.asarray(played)
    p = _numbers("propensity", propensity)
    f = _numbers("bit", bit)
    if not n or not n == len(labels) == len(p) == len(f):
        raise DataError(
            f"rows, played, propensity, bit: {n}, {len(labels)}, {len(p)} and {len(f)} entries; "
            "give one of each per decision, and at least one decision"
        )
    # Every value is one that can be.
    _check_all("rows", np.isfinite(table.data if sp.issparse(table) else table), table, "must be finite numbers")
    _check_all("propensity", (p > 0) & (p <= 1), p, "must be above 0 and at most 1; log the probability of each draw")
    _check_all("bit", (f == 0) | (f == 1), f, "must be 0 (wrong) or 1 (right); drop decisions without an answer")
    if len(np.unique(f)) < 2:
        raise DataError(f"bit: all {n} are {int(f[0])}; rates can be told only where both answers occur")
    # Labels as numbers, of which there are enough and not too many.
    found, codes = np.unique(labels, return_inverse=True)
    K = len(found) if classes is None else classes
    if len(found) < 2:
        raise DataError(f"played: only the label {found.tolist()[0]!r}; at least 2 are needed to tell the rates")
    if len(found) > K:
        raise DataError(f"classes={classes}: but {len(found)} different labels were played")
    return AnsweredPlays(table, codes.reshape(n, -1).astype(np.int64), p, f.astype(np.int64), K)


def _numbers(name: str, column: Any) -> FloatArray:
    try:
        array = np.asarray(column, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"{name}: holds values that are not numbers") from None
    if array.ndim != 1:
        raise DataError(f"{name}: has {array.ndim} dimensions; give one number per decision")
    return array


def _check_all(name: str, fine: Any, values: Any, remedy: str) -> None:
    if not fine.all():
        bad = np.argwhere(~fine)
        shown = (values.data if sp.issparse(values) else values)[tuple(bad[0])]
        where = f" in row {bad[0][0]}" if not sp.issparse(values) else ""
        raise DataError(f"{name}: {shown}{where}; {remedy}" + (f" ({len(bad)} such)" if len(bad) > 1 else ""))
