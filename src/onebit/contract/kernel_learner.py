"""What learners with a kernel share: the kernel as a parameter, its checks, and kernels written in Python."""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.parameters import checked
from onebit.contract.teaching import answers_of, draws_of
from onebit.core.aliases import FloatArray
from onebit.core.decision import Decision
from onebit.core.errors import ConfigError, DataError
from onebit.kernels import Kernel, Polynomial, Rational, as_kernel
from onebit.ops.gram import BLOCK, CALLED, KernelValues
from onebit.ops.rows import DenseRows, Rows

_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
_PROBES = 8
_WIDEST = 2**16
_LARGEST_POWER = {"float64": 1e120, "float32": 1e24}  # of k(x, x): as large as ‖x‖² may be
_UNIT = 1 + 1e-5  # rows of unit norm in single precision are welcome


class Bridge:
    """Lets compiled code call a kernel that is a Python function. An error waits in `trouble`, and k is NaN."""

    def __init__(self, kernel: Any) -> None:
        self.kernel = kernel
        self.trouble: Exception | None = None
        self.d = 0
        self.dtype = np.dtype("float64")
        self._callback = _CALLBACK(self._write)
        self.address = int(ctypes.cast(self._callback, ctypes.c_void_p).value or 0)

    def matrix(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        """The kernel's matrix, checked."""
        found = np.asarray(self.kernel(X, Z))
        if found.shape != (len(X), len(Z)) or found.dtype.kind not in "fiu":
            raise DataError(
                f"kernel={self.kernel!r}: gave {found.dtype} of shape {found.shape} for tables of {len(X)} and "
                f"{len(Z)} rows; it must give a number for each pair, an array of shape {(len(X), len(Z))}"
            )
        if not np.isfinite(found).all():
            i, j = np.argwhere(~np.isfinite(found))[0]
            raise DataError(
                f"kernel={self.kernel!r}: is {found[i, j]} for the rows {X[i]} and {Z[j]}; it must be finite for all"
            )
        return found

    def probe(self, layout: Layout) -> None:
        """A few rows, to see whether it is a kernel at all."""
        self.d = layout.n_features
        self.dtype = np.dtype(layout.dtype)
        X = np.abs(np.random.default_rng(0).normal(size=(_PROBES, self.d)))  # some kernels take no numbers below 0
        X /= np.linalg.norm(X, axis=1, keepdims=True)
        K = self.matrix(X, X)
        i, j = np.unravel_index(np.argmax(np.abs(K - K.T)), K.shape)
        scale = np.abs(K).max()
        if abs(K[i, j] - K[j, i]) > 1e-8 * scale:
            raise ConfigError(
                f"kernel={self.kernel!r}: is not symmetric: k(x, z) = {K[i, j]:g}, k(z, x) = {K[j, i]:g} for "
                f"x = {X[i]}, z = {X[j]}; a kernel must be"
            )
        if np.linalg.eigvalsh((K + K.T) / 2)[0] < -1e-8 * scale * _PROBES:
            raise ConfigError(
                f"kernel={self.kernel!r}: its matrix of {_PROBES} rows has an eigenvalue below 0; a kernel must not"
            )

    def hand_over(self) -> Exception | None:
        """The error that waits, once."""
        error = self.trouble
        self.trouble = None
        return error

    def _write(self, blocks: int, used: int, x: int, out: int) -> None:
        """k(x, x') for all vectors of the blocks, one call for all."""
        n = used * BLOCK
        values = _view(out, used * BLOCK, np.dtype("float64"))
        try:
            table = _view(blocks, n * (self.d + 2), self.dtype).reshape(used, self.d + 2, BLOCK)
            vectors = table[:, : self.d].transpose(0, 2, 1).reshape(n, self.d)
            values[:] = self.matrix(vectors, _view(x, self.d, self.dtype)[None, :].copy())[:, 0] if n else 0
        except Exception as error:  # compiled code cannot raise it: the learner will
            values[:] = np.nan
            self.trouble = self.trouble or error


def _view(address: int, n: int, dtype: np.dtype[Any]) -> FloatArray:
    """The n numbers that stand at an address, as an array that can be written to."""
    kind = ctypes.c_double if dtype == np.float64 else ctypes.c_float
    return np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(kind)), (n,))


def _squared_norms(rows: Rows) -> FloatArray:
    """‖x‖² of every row."""
    if isinstance(rows, DenseRows):
        return np.asarray(np.einsum("ij,ij->i", rows.X, rows.X))
    sums = np.concatenate([[0.0], np.cumsum(rows.values.astype(np.float64) ** 2)])
    return np.asarray(np.diff(sums[rows.indptr]))


class KernelLearner(Learner):
    """A learner that keeps vectors and compares rows with them by a kernel; it cannot be played itself.

    >>> import onebit
    >>> issubclass(onebit.KernelBandit, KernelLearner)
    True
    """

    kernel: Any = checked(default=Rational(), check=as_kernel)
    _bridge: Bridge | None = field(init=False, default=None)

    def kernel_values(self) -> KernelValues:
        """The kernel for compiled code; a Python function is reached by its address."""
        if isinstance(self.kernel, Kernel):
            return self.kernel.values()
        bridge = self._bridge or Bridge(self.kernel)
        object.__setattr__(self, "_bridge", bridge)
        return KernelValues(CALLED, 0.0, 0.0, 0, bridge.address)

    def check_width(self, layout: Layout) -> None:
        """Whether rows of this width can be kept."""
        if layout.n_features > _WIDEST:
            raise ConfigError(
                f"n_features={layout.n_features}: {type(self).__name__} keeps whole rows, of up to {_WIDEST} features; "
                "give dict rows a smaller n_features, such as 2**12, or take OneBit"
            )

    def check_layout(self, layout: Layout) -> None:
        """Whether rows of this width can be kept, and a kernel in Python is one; and a word about its speed."""
        self.check_width(layout)
        if self._bridge is not None:
            self._bridge.probe(layout)
            warnings.warn(
                f"kernel={self.kernel!r}: runs in Python, which is slow: one call in every round; the kernels of "
                "onebit.kernels are compiled",
                stacklevel=2,
            )

    def check_rows(self, rows: Rows) -> None:
        """The rational kernel wants rows in the unit ball, a polynomial one such as do not overflow in its power."""
        if not isinstance(self.kernel, Rational | Polynomial) or self.normalize:
            return
        squares = _squared_norms(rows)
        most, why = self._largest_square()
        if squares.max(initial=0.0) > most:
            at = int(np.argmax(squares))
            which = "row:" if len(squares) == 1 else f"row {at}:"
            raise DataError(
                f"{which} has norm {np.sqrt(squares[at]):.6g}, and {why}; "
                "scale the rows, give normalize=True, or take another kernel, such as kernel='rbf'"
            )

    def _largest_square(self) -> tuple[float, str]:
        """The largest ‖x‖² that the kernel takes, and what to say of it."""
        kernel = self.kernel
        if isinstance(kernel, Rational):
            return _UNIT, "the rational kernel is for rows in the unit ball"
        root = _LARGEST_POWER[self.dtype] ** (1 / kernel.degree)
        most = max(root - kernel.coef0, 1.0) / kernel.gamma
        return most, f"{kernel!r} is for norms up to {np.sqrt(most):.2g}, or its power is too large for {self.dtype}"

    @property
    def trouble(self) -> Callable[[], Exception | None] | None:
        """What a kernel in Python raised."""
        return None if self._bridge is None else self._bridge.hand_over

    def learn_many(self, decisions: Sequence[Decision], feedback: Any) -> None:
        """Learn from the answers to many decisions, in order; one by one with a kernel that runs in Python."""
        if self._bridge is None:
            super().learn_many(decisions, feedback)
            return
        taken = list(decisions)
        draws_of(self, taken)
        answers_of(self, feedback, len(taken))
        for decision, answer in zip(taken, feedback, strict=True):
            self.learn(decision, answer)
