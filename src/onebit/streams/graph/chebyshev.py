"""Eigenpairs of large graphs: a block of vectors, filtered by Chebyshev polynomials until it holds them.

Sweep by sweep the block is filtered, made orthonormal, and turned to its best approximations (Rayleigh-Ritz).
It is half as wide again as needed, since what counts is how far the wanted eigenvalues are from the first one
outside the block; pairs that are exact enough leave it. See Zhou, Saad, Tiago and Chelikowsky, "Self-consistent-field
calculations using Chebyshev-filtered subspace iteration", 2006.
"""

from __future__ import annotations

from math import acosh, log

import numpy as np
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, Progress
from onebit.core.errors import DataError
from onebit.streams.graph.laplacian import Normalised
from onebit.streams.graph.spmm import STRIP

_SWEEPS = 100
_FIRST_DEGREE = 8
_LEAST_DEGREE = 4
_MOST_DEGREE = 4000
_RANGE = log(1e10)
"""The ratio of growth inside the block that rounding allows, if the slowest vector is to stay visible."""
_WIDEST_GAP = 0.05
_CHUNK = 4096


def allowed(values: FloatArray) -> FloatArray:
    """The largest residual that a pair may have: 10^-6, and 10^-6 of its eigenvalue λ of L down to rounding.

    An error of the size λ would spoil a weight of 1/√λ; what mixes vectors of nearly the same λ does no harm.

    >>> allowed(np.array([1.5, 0.01])).round(12)
    array([1.00001e-06, 1.00100e-08])
    """
    limit: FloatArray = 1e-6 * np.clip(values, 0, 1) + 1e-11
    return limit


def block_size(d: int) -> int:
    """The columns of the block for d pairs.

    >>> block_size(100)
    160
    """
    return -(-(d + d // 2 + 8) // STRIP) * STRIP


def filtered_pairs(N: Normalised, d: int, progress: Progress | None = None) -> tuple[FloatArray, FloatArray]:
    """The d largest eigenvalues of N below the known one, descending, and their vectors; the block must fit twice.

    >>> from onebit.graph import Graph
    >>> ring = np.roll(np.eye(200), 1, axis=0)
    >>> filtered_pairs(Normalised(Graph.of(ring + ring.T)), 3)[0].round(6)
    array([0.999507, 0.999507, 0.998027])
    """
    block = _Block(N, d)
    for sweep in range(_SWEEPS):
        block.orthonormalise()
        block.turn()
        finished = block.lock()
        if progress is not None:
            progress("eigenpairs", block.done(), d)
        if finished:
            return block.result()
        cut, degree = block.plan(sweep)
        for at in range(block.locked, block.V.shape[1], STRIP):
            N.filter(block.V[:, at : at + STRIP], cut, degree, block.V[:, : block.locked])
            if progress is not None:
                progress("eigenpairs", block.done(), d)
    raise DataError(
        f"graph: the {d} smallest eigenpairs did not converge in {_SWEEPS} sweeps, {block.done()} are done; choose "
        "another d, or leave out edges of very small weight"
    )


class _Block:
    """Column 0 is the known eigenvector, then come the locked ones, which are done, then those in work."""

    def __init__(self, N: Normalised, d: int) -> None:
        width = block_size(d) + 1
        self.N = N
        self.d = d
        self.locked = 1
        self.V = np.empty((len(N), width), order="F")
        self.V[:, 0] = N.top
        np.random.default_rng(0).standard_normal(out=self.V.T[1:])
        self.mu = np.ones(width)
        self.errors = np.zeros(width)

    def orthonormalise(self) -> None:
        """Make the columns in work orthonormal, and orthogonal to the locked ones."""
        from scipy.linalg import qr

        known = self.V[:, : self.locked]
        work = self.V[:, self.locked :]
        for _ in range(3):
            for _ in range(2):
                for at in range(0, work.shape[1], STRIP):
                    strip = work[:, at : at + STRIP]
                    strip -= known @ (known.T @ strip)
                norms = np.linalg.norm(work, axis=0)
                work /= np.where(norms > 0, norms, 1)
            work[...] = qr(work, mode="economic", overwrite_a=True, check_finite=False)[0]
            if np.abs(known.T @ work).max() < 1e-12:
                return

    def turn(self) -> None:
        """Turn the columns in work into the best approximations of eigenvectors among their combinations."""
        from scipy.linalg import eigh

        work = self.V[:, self.locked :]
        H = np.empty((work.shape[1], work.shape[1]))
        for at in range(0, work.shape[1], STRIP):
            H[:, at : at + STRIP] = work.T @ self.N.times(work[:, at : at + STRIP])
        mu, Y = eigh((H + H.T) / 2, driver="evd")
        mu = mu[::-1]
        Y = np.ascontiguousarray(Y[:, ::-1])
        for i in range(0, len(work), _CHUNK):
            work[i : i + _CHUNK] = work[i : i + _CHUNK] @ Y
        self.mu[self.locked :] = mu
        self.errors[self.locked :] = self.N.residuals(work, mu)

    def wanted(self) -> NDArray[np.bool_]:
        """Which columns hold the d largest eigenvalues below the known one."""
        chosen = np.zeros(len(self.mu), dtype=bool)
        chosen[1 + np.argsort(-self.mu[1:], kind="stable")[: self.d]] = True
        return chosen

    def lock(self) -> bool:
        """Lock wanted columns that are exact enough; whether all wanted ones are."""
        wanted = self.wanted()
        exact = wanted & (self.errors <= 0.5 * allowed(1 - self.mu))
        exact[: self.locked] = True
        order = np.argsort(~exact, kind="stable")
        if (order[:-1] > order[1:]).any():
            self.V[...] = self.V[:, order]
            self.mu = self.mu[order]
            self.errors = self.errors[order]
        self.locked = int(exact.sum())
        return bool(exact[wanted].all())

    def plan(self, sweep: int) -> tuple[float, int]:
        """Where the next filter cuts, and its degree."""
        todo = np.flatnonzero(self.wanted()[self.locked :]) + self.locked
        last = todo[np.argmin(self.mu[todo])]
        slowest = self.mu[last]
        error = self.errors[last]
        gap = slowest - self.mu.min()
        # Where one eigenvalue fills the block's end, the gap vanishes, and error² / gap tells how far the next one is.
        gap = max(gap, min(error**2 / 4 / max(gap, 1e-300), _WIDEST_GAP))
        cut = max(slowest - gap, -0.999)
        growth, fastest = (
            acosh(max((2 * mu + 1 - cut) / (cut + 1), 1)) for mu in (slowest, self.mu[self.locked :].max())
        )
        missing = log(20 * (self.errors[todo] / allowed(1 - self.mu[todo])).max())
        degree = min(missing / max(growth, 1e-9) + 1, _RANGE / max(fastest - growth, 1e-9))
        most = min(_FIRST_DEGREE ** (sweep + 1), _MOST_DEGREE)  # the first sweeps know little of where to cut
        return float(cut), int(np.clip(degree, _LEAST_DEGREE, most))

    def done(self) -> int:
        """How far the search is, as a number of pairs: each counts by the decimals it has of those it needs."""
        wanted = self.wanted()
        errors = self.errors[wanted]
        limits = allowed(1 - self.mu[wanted])
        share = np.log(np.clip(errors, limits, 1)) / np.log(limits)
        return int(share.sum() + 1e-9)

    def result(self) -> tuple[FloatArray, FloatArray]:
        """The wanted pairs in order."""
        order = 1 + np.argsort(-self.mu[1:], kind="stable")[: self.d]
        return self.mu[order], self.V[:, order]
