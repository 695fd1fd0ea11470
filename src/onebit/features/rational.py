"""The rational kernel as features: weighted monomials of the row."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from onebit.core.aliases import FloatArray, IntArray
from onebit.core.checks import check_number, check_whole
from onebit.core.errors import ConfigError, DataError
from onebit.features.validation import validated
from onebit.ops.jit import entry_point
from onebit.ops.monomials import expand, exponents, monomial_count, monomials

MOST_FEATURES = 50_000
"""How many features a `RationalMap` makes at most."""

_BALL = 1 + 1e-6  # rows scaled to norm 1, perhaps as floats of 32 bits, may lie a rounding beyond


@entry_point
def _expand_rows(blocks: IntArray, scale: FloatArray, X: FloatArray, out: FloatArray) -> None:
    for t in range(len(X)):
        row = out[t]
        expand(blocks, X[t], row)
        for j in range(len(row)):
            row[j] *= scale[j]


class RationalMap(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn is not typed
    """Features whose inner products are the rational kernel 1 / (1 - c ⟨x, x'⟩), for rows in the unit ball.

    The kernel is replaced by the polynomial Σ a_n ⟨x, x'⟩ⁿ of degree D, which is an inner product of monomials:

        φ_α(x) = √(a_|α| multinomial(α)) x^α   for all exponents α with |α| ≤ D

    A square root needs a_n ≥ 0, and the best polynomial, the Chebyshev series cut off after T_D, has a few negative
    ones from D = 14 on. So a_n are fitted at 4 (D + 1) Chebyshev nodes (least squares), and powers that come out below
    0 are left out, the lowest first. It costs little: the largest error at c = ½ is

        D                        4        8        12       14       18       22       27
        a_n ≥ 0              4.4e-3   2.2e-5   1.2e-7   8.4e-9  1.4e-10  1.2e-12    1e-14
        Chebyshev series     4.4e-3   2.2e-5   1.2e-7   8.3e-9   4e-11    2e-13     4e-16
        Taylor series        6.2e-2   3.9e-3   2.4e-4   6.1e-5   3.8e-6   2.4e-7   7.5e-9

    Parameters: `degree`, D; `c`, between 0 and 1 (near 1 it needs a larger degree); `normalize`, whether to scale
    each row to norm 1 (zeros stay), otherwise rows outside the unit ball are refused. There are C(D + d, d) features
    of d: 190 for d = 2, 1,330 for d = 3, 7,315 for d = 4; more than 50,000 are refused. Rows may be dense or sparse.

    Attributes: `coefficients_`, a_0 to a_D; `error_`, the largest |φ(x)·φ(x') - k(x, x')|, but for rounding;
    `exponents_`, a row α for each feature; `n_features_in_`, d.

    It passes scikit-learn's `check_estimator` with `normalize=True` and a small degree. Otherwise the rows of these
    checks, which lie outside the unit ball and have up to 20 features, are refused.

    >>> X = np.array([[0.6, 0.8], [-0.3, 0.5]])
    >>> phi = RationalMap(degree=18).fit_transform(X)
    >>> phi.shape
    (2, 190)
    >>> bool(abs(phi[0] @ phi[1] - 1 / (1 - 0.5 * X[0] @ X[1])) < 2e-10)
    True
    """

    def __init__(self, degree: int = 18, c: float = 0.5, *, normalize: bool = False) -> None:
        self.degree = degree
        self.c = c
        self.normalize = normalize

    def fit(self, X: Any, y: Any = None) -> RationalMap:
        """Lay out the monomials for rows like X, and find their weights.

        >>> round(RationalMap(degree=8).fit([[0.0, 1.0]]).error_, 7)
        2.25e-05
        """
        degree = check_whole("degree", self.degree)
        check_number("c", self.c, 0, 1, open_low=True, open_high=True)
        table = validated(self, X, reset=True)
        d = table.shape[1]
        if monomial_count(d, degree) > MOST_FEATURES:
            raise ConfigError(
                f"degree={degree}: rows of {d} features would have {monomial_count(d, degree):,} monomials, and the "
                f"limit is {MOST_FEATURES:,}; lower the degree, or use RandomFourier or Nystroem"
            )
        self._inside(table)
        self.coefficients_, self.error_ = nonnegative_coefficients(self.c, degree)
        self._blocks, weight = monomials(d, self.coefficients_)
        self._scale = np.sqrt(weight)
        self.exponents_ = exponents(self._blocks, d)
        return self

    def transform(self, X: Any) -> FloatArray:
        """The features of each row, a row each; floats of 32 bits stay so.

        >>> RationalMap(degree=1, c=0.25).fit([[0.6, 0.8]]).transform([[0.0, 0.0], [1.0, 0.0]]).round(2)
        array([[1.02, 0.  , 0.  ], [1.02, 0.51, 0.  ]])
        """
        check_is_fitted(self)
        table = self._inside(validated(self, X, reset=False))
        features = np.empty((len(table), len(self._scale)), table.dtype)
        _expand_rows(self._blocks, self._scale.astype(table.dtype), table, features)
        return features

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The monomial of each feature.

        >>> RationalMap(degree=2).fit([[0.6, 0.8]]).get_feature_names_out(["a", "b"]).tolist()
        ['1', 'a', 'b', 'a^2', 'a b', 'b^2']
        """
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        return np.array([_monomial(names, powers) for powers in self.exponents_.tolist()], dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _inside(self, table: Any) -> FloatArray:
        """The rows as a dense table, scaled if that is asked for; an error if one lies outside the unit ball."""
        table = table.toarray() if sp.issparse(table) else table
        norms = np.sqrt(np.einsum("ij,ij->i", table, table, dtype=np.float64))
        if self.normalize:
            scaled: FloatArray = (table / np.where(norms > 0, norms, 1)[:, None]).astype(table.dtype)
            return scaled
        if (norms > _BALL).any():
            row = int(np.argmax(norms > _BALL))
            raise DataError(
                f"row {row}: has norm {norms[row]:.6g}, and the rational kernel needs rows in the unit ball; divide "
                "all rows by the largest norm that can come, or say normalize=True to scale each to norm 1"
            )
        inside: FloatArray = table
        return inside


def nonnegative_coefficients(c: float, degree: int) -> tuple[FloatArray, float]:
    """a_0, ..., a_D ≥ 0 with Σ a_n zⁿ near 1 / (1 - c z) on [-1, 1], and the largest error there.

    >>> a, error = nonnegative_coefficients(0.5, 18)
    >>> bool((a >= 0).all()), bool(1e-10 < error < 2e-10)
    (True, True)
    """
    n = 4 * (degree + 1)
    z = np.cos(np.pi * (np.arange(n) + 0.5) / n)
    powers = np.arange(degree + 1)
    table = z[:, None] ** powers
    kept = powers
    near = -np.ones(degree + 1)
    while (near < 0).any():
        near = np.zeros(degree + 1)
        near[kept] = np.linalg.lstsq(table[:, kept], 1 / (1 - c * z), rcond=None)[0]
        kept = kept[kept != np.argmin(near)]
    taylor: FloatArray = c**powers
    a = min(near, taylor, key=lambda a: _error(a, c))
    return a, _error(a, c)


def _error(a: FloatArray, c: float) -> float:
    z = np.cos(np.linspace(0, np.pi, 32 * len(a) + 1))
    return float(np.abs(np.polynomial.polynomial.polyval(z, a) - 1 / (1 - c * z)).max())


def _monomial(names: Any, powers: list[int]) -> str:
    parts = [name if n == 1 else f"{name}^{n}" for name, n in zip(names, powers, strict=True) if n]
    return " ".join(parts) or "1"
