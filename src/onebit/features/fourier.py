"""Random Fourier features: waves whose inner products are, on average, a kernel of the distance."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from onebit.core.aliases import FloatArray
from onebit.core.checks import check_choice, check_number, check_whole
from onebit.core.errors import ConfigError
from onebit.features.validation import validated

_DEGREES_OF_FREEDOM = {"rbf": None, "matern-3/2": 3, "matern-5/2": 5}


class RandomFourier(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]  # untyped
    """Features whose inner products estimate a kernel k(x - x'), without bias: cosines and sines of random waves.

    By Bochner's theorem k is the mean of cos(ω·(x - x')) over the frequencies ω of its spectrum: Gaussian for the RBF
    kernel, Student's t with 2ν degrees of freedom for Matérn. For m = n_components / 2 of them

        φ(x) = (cos ω_1·x, ..., cos ω_m·x, sin ω_1·x, ..., sin ω_m·x) / √m

    so φ(x)·φ(x) = 1 exactly, and φ(x)·φ(x') is a mean of m cosines: for the RBF kernel and independent frequencies
    its standard deviation is (1 - k²) / √(2m), next to nothing for near rows. With `orthogonal` the ω come in groups
    of d at right angles, each still with its own exact distribution: no bias, and less variance.

    Parameters: `n_components`, the number of features, even; `kernel`, "rbf" (exp(-gamma ‖x - x'‖²)), "matern-3/2"
    or "matern-5/2"; `gamma` for the RBF kernel and `length_scale` for Matérn, as in scikit-learn (the other one is
    not looked at); `orthogonal`; `random_state`, the seed of the frequencies. Rows may be dense or sparse.

    Attributes: `frequencies_`, a column for each ω; `n_features_in_`, d. Of scikit-learn's `check_estimator` it fails
    the checks that set n_components to 1, and no other.

    References: Rahimi and Recht 2007; Sutherland and Schneider 2015 (cosine and sine); Yu et al. 2016 (orthogonal).

    >>> X = np.array([[0.6, 0.8], [-0.3, 0.5]])
    >>> phi = RandomFourier(2000, gamma=0.5).fit_transform(X)
    >>> bool(abs(phi[0] @ phi[1] - np.exp(-0.5 * ((X[0] - X[1]) ** 2).sum())) < 0.03)
    True
    """

    def __init__(
        self,
        n_components: int = 512,
        *,
        kernel: str = "rbf",
        gamma: float = 1.0,
        length_scale: float = 1.0,
        orthogonal: bool = True,
        random_state: Any = 0,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.length_scale = length_scale
        self.orthogonal = orthogonal
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> RandomFourier:
        """Draw the frequencies for rows like X; of X only the number of its features counts.

        >>> RandomFourier(8).fit([[0.0, 1.0, 2.0]]).frequencies_.shape
        (3, 4)
        """
        if check_whole("n_components", self.n_components, 2) % 2:
            raise ConfigError(f"n_components={self.n_components}: must be even, a cosine and a sine for each frequency")
        check_choice("kernel", self.kernel, list(_DEGREES_OF_FREEDOM))
        check_number("gamma", self.gamma, 0, open_low=True)
        check_number("length_scale", self.length_scale, 0, open_low=True)
        table = validated(self, X, reset=True)
        draw = check_random_state(self.random_state)
        d = table.shape[1]
        m = self.n_components // 2
        waves = _orthogonal(d, m, draw) if self.orthogonal else draw.normal(size=(d, m))
        freedom = _DEGREES_OF_FREEDOM[self.kernel]
        if freedom is None:
            waves *= np.sqrt(2 * self.gamma)
        else:
            waves /= np.sqrt(draw.chisquare(freedom, size=m) / freedom) * self.length_scale
        self.frequencies_ = waves.astype(table.dtype, copy=False)
        return self

    def transform(self, X: Any) -> FloatArray:
        """The features of each row, a row each.

        >>> RandomFourier(4).fit([[0.0]]).transform([[0.0]])
        array([[0.70710678, 0.70710678, 0.        , 0.        ]])
        """
        check_is_fitted(self)
        table = validated(self, X, reset=False)
        angles = table @ self.frequencies_.astype(table.dtype, copy=False)
        rows, m = angles.shape
        features = np.empty((rows, 2 * m), angles.dtype)
        np.cos(angles, out=features[:, :m])
        np.sin(angles, out=features[:, m:])
        features *= m**-0.5
        return features

    @property
    def _n_features_out(self) -> int:
        return 2 * int(self.frequencies_.shape[1])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _orthogonal(d: int, m: int, draw: Any) -> FloatArray:
    """m Gaussian vectors as columns, d at a time at right angles: uniform directions, independent lengths."""
    groups = []
    for first in range(0, m, d):
        q, r = np.linalg.qr(draw.normal(size=(d, min(d, m - first))))
        groups.append(q * np.sign(np.diag(r)))
    waves: FloatArray = np.hstack(groups) * np.sqrt(draw.chisquare(d, size=m))
    return waves
