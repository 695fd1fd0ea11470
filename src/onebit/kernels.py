"""Kernels by name: values that say which kernel a learner uses, and compute it in NumPy.

Anything else that maps tables of n and of m rows to their (n, m) kernel matrix can stand in their place: a
function such as `sklearn.metrics.pairwise.laplacian_kernel`, or a kernel of `sklearn.gaussian_process`. It runs
in Python, hundreds of times slower than these.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields
from math import comb, sqrt
from typing import Any, ClassVar

import numpy as np

from onebit.core.aliases import FloatArray
from onebit.core.checks import check_choice, check_number, check_whole, did_you_mean, wrong
from onebit.core.errors import ConfigError
from onebit.ops import gram
from onebit.ops.gram import KernelValues
from onebit.ops.monomials import rational_coefficients


@dataclass(frozen=True)
class Kernel(ABC):
    """What the named kernels have in common; `kernel(X, Z)` is their matrix.

    >>> str(RBF(0.5)), as_kernel("kernel", "rbf:0.5") == RBF(0.5)
    ('rbf:0.5', True)
    """

    name: ClassVar[str] = ""

    def _keep(self, **values: float) -> None:
        """Set parameters, once they are checked; they are frozen from then on."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __call__(self, X: Any, Z: Any) -> FloatArray:
        """The matrix k(x, z) for every row x of X and z of Z."""
        return np.asarray(self._matrix(np.asarray(X, dtype=float), np.asarray(Z, dtype=float)))

    @abstractmethod
    def _matrix(self, X: FloatArray, Z: FloatArray) -> Any: ...

    @abstractmethod
    def values(self) -> KernelValues:
        """The kernel for compiled code."""

    def coefficients(self, degree: int) -> FloatArray | None:
        """a_0, a_1, ... if k = Σ a_n ⟨x, x'⟩ⁿ up to this degree, exactly or nearly; None if it is no such sum."""
        return None

    def __str__(self) -> str:
        return ":".join([self.name, *(repr(getattr(self, field.name)) for field in fields(self))])


@dataclass(frozen=True)
class Linear(Kernel):
    """k = ⟨x, x'⟩.

    >>> Linear()([[1.0, 2.0]], [[3.0, 4.0]])
    array([[11.]])
    """

    name: ClassVar[str] = "linear"

    def _matrix(self, X: FloatArray, Z: FloatArray) -> Any:
        return X @ Z.T

    def values(self) -> KernelValues:  # noqa: D102  # as above
        return KernelValues(gram.LINEAR, 0.0, 0.0, 0, 0)

    def coefficients(self, degree: int) -> FloatArray:  # noqa: D102  # as above
        return np.array([0.0, 1.0])


@dataclass(frozen=True)
class Polynomial(Kernel):
    """k = (γ⟨x, x'⟩ + coef0)^degree, as in scikit-learn; coef0 is 0 or larger.

    >>> Polynomial(2)([[1.0, 2.0]], [[3.0, 4.0]])
    array([[144.]])
    """

    degree: int = 3
    gamma: float = 1.0
    coef0: float = 1.0

    name: ClassVar[str] = "polynomial"

    def __post_init__(self) -> None:
        self._keep(
            degree=check_whole("Polynomial.degree", self.degree, 1, 100),
            gamma=check_number("Polynomial.gamma", self.gamma, 0, open_low=True),
            coef0=check_number("Polynomial.coef0", self.coef0, 0),
        )

    def _matrix(self, X: FloatArray, Z: FloatArray) -> Any:
        return (self.gamma * X @ Z.T + self.coef0) ** self.degree

    def values(self) -> KernelValues:  # noqa: D102  # as above
        return KernelValues(gram.POLYNOMIAL, self.gamma, self.coef0, self.degree, 0)

    def coefficients(self, degree: int) -> FloatArray:  # noqa: D102  # as above
        n = self.degree
        return np.array([comb(n, j) * self.coef0 ** (n - j) * self.gamma**j for j in range(n + 1)])


@dataclass(frozen=True)
class Rational(Kernel):
    """k = 1/(1 - c⟨x, x'⟩), for rows in the unit ball and 0 < c < 1: it contains every polynomial.

    >>> Rational()([[0.6, 0.8]], [[0.6, 0.8], [0.0, 0.0]])
    array([[2., 1.]])
    """

    c: float = 0.5

    name: ClassVar[str] = "rational"

    def __post_init__(self) -> None:
        self._keep(c=check_number("Rational.c", self.c, 0, 1, open_low=True, open_high=True))

    def _matrix(self, X: FloatArray, Z: FloatArray) -> Any:
        return 1 / (1 - self.c * X @ Z.T)

    def values(self) -> KernelValues:  # noqa: D102  # as above
        return KernelValues(gram.RATIONAL, self.c, 0.0, 0, 0)

    def coefficients(self, degree: int) -> FloatArray:  # noqa: D102  # as above
        return rational_coefficients(self.c, degree)


@dataclass(frozen=True)
class RBF(Kernel):
    """k = exp(-γ ‖x - x'‖²).

    >>> RBF(2.0)([[0.0, 1.0]], [[0.0, 1.0], [1.0, 1.0]]).round(4)
    array([[1.    , 0.1353]])
    """

    gamma: float = 1.0

    name: ClassVar[str] = "rbf"

    def __post_init__(self) -> None:
        self._keep(gamma=check_number("RBF.gamma", self.gamma, 0, open_low=True))

    def _matrix(self, X: FloatArray, Z: FloatArray) -> Any:
        return np.exp(-self.gamma * _squares(X, Z))

    def values(self) -> KernelValues:  # noqa: D102  # as above
        return KernelValues(gram.RBF, self.gamma, 0.0, 0, 0)


@dataclass(frozen=True)
class Matern(Kernel):
    """Matérn's kernel of ν = 3/2 or 5/2: (1 + r) e^-r or (1 + r + r²/3) e^-r, with r = √(2ν) ‖x - x'‖ / length_scale.

    >>> Matern(1.5)([[0.0, 1.0]], [[0.0, 1.0], [1.0, 1.0]]).round(4)
    array([[1.    , 0.4834]])
    """

    nu: float = 1.5
    length_scale: float = 1.0

    name: ClassVar[str] = "matern"

    def __post_init__(self) -> None:
        self._keep(
            nu=check_choice("Matern.nu", check_number("Matern.nu", self.nu), (1.5, 2.5)),
            length_scale=check_number("Matern.length_scale", self.length_scale, 0, open_low=True),
        )

    def _matrix(self, X: FloatArray, Z: FloatArray) -> Any:
        r = sqrt(2 * self.nu) / self.length_scale * np.sqrt(_squares(X, Z))
        return (1 + r + (r * r / 3 if self.nu == 2.5 else 0)) * np.exp(-r)

    def values(self) -> KernelValues:  # noqa: D102  # as above
        kind = gram.MATERN_3 if self.nu == 1.5 else gram.MATERN_5
        return KernelValues(kind, sqrt(2 * self.nu) / self.length_scale, 0.0, 0, 0)


KERNELS: dict[str, type[Kernel]] = {cls.name: cls for cls in (Linear, Polynomial, Rational, RBF, Matern)}
"""The named kernels."""


def as_kernel(name: str, value: Any) -> Kernel | Callable[[Any, Any], Any]:
    """A kernel from a name such as "rbf", with parameters behind it ("rbf:0.5"); other kernels stay as they are.

    >>> as_kernel("kernel", "matern:2.5")
    Matern(nu=2.5, length_scale=1.0)
    """
    if isinstance(value, str):
        word, *numbers = value.split(":")
        if word not in KERNELS:
            raise ConfigError(f"{name}={value!r}: no such kernel; {did_you_mean(word, KERNELS)}")
        if len(numbers) > len(fields(KERNELS[word])):
            known = ":".join([word, *(field.name.upper() for field in fields(KERNELS[word]))])
            raise ConfigError(f"{name}={value!r}: has too many parameters; write {known}")
        return KERNELS[word](*(_number(name, value, text) for text in numbers))
    if isinstance(value, Kernel) or (callable(value) and not isinstance(value, type)):
        return value
    named = ", ".join(map(repr, KERNELS))
    raise wrong(name, value, f"a kernel: {named}, a value from onebit.kernels", "a function of two tables")


def _number(name: str, value: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise ConfigError(f"{name}={value!r}: {text!r} is not a number") from None
    return int(number) if number.is_integer() else number


def _squares(X: FloatArray, Z: FloatArray) -> FloatArray:
    """‖x - z‖² for every row x of X and z of Z."""
    from scipy.spatial.distance import cdist

    return np.asarray(cdist(X, Z, "sqeuclidean"))
