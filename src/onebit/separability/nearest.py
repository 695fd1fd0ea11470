"""The point of a convex hull that is nearest to the origin, by an active-set method.

For rows a_1 .. a_m let q = Σ p_r a_r with p ≥ 0, Σ p = 1, have the least norm. Then q/‖q‖ is the unit vector with the
largest least product, max min ⟨a_r, w⟩ = ‖q‖; and if q = 0 the weights p prove that no vector has a positive product
with every row (Gordan). Found as the non-negative least-squares problem min ‖[Aᵀ; 1ᵀ]x - (0, 1)‖, x ≥ 0 (Lawson and
Hanson, "Solving Least Squares Problems", 1974, chapter 23), on a QR factorisation of the columns in use, which grows
and shrinks by one column. The rows in use are never more than the dimension plus one.
"""

from __future__ import annotations

import numpy as np

from onebit.core.types import FloatArray

_ROUNDING = 1e-15
"""Products of rows of norm 1 with the point are not known better than this."""


class NearestPoint:
    """The nearest point to the origin in the hull of the rows given so far; more can be added.

    >>> hull = NearestPoint(2)
    >>> hull.add(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
    >>> _ = hull.solve()
    >>> hull.point, hull.used, hull.weights
    (array([0.5, 0.5]), [0, 1], array([0.5, 0.5]))
    """

    def __init__(self, dimension: int) -> None:
        self.rows: FloatArray = np.empty((0, dimension + 1))
        self.used: list[int] = []
        self._work = 0
        self._x: FloatArray = np.empty(0)
        self._Q: FloatArray = np.empty((dimension + 1, 0))
        self._R: FloatArray = np.empty((0, 0))

    def add(self, rows: FloatArray) -> None:
        """Let rows of norm about 1 or less into the hull."""
        self.rows = np.vstack([self.rows, np.column_stack([rows, np.ones(len(rows))])])

    @property
    def weights(self) -> FloatArray:
        """The weights of the rows in use: positive, of sum 1."""
        weights: FloatArray = self._x / self._x.sum()
        return weights

    @property
    def point(self) -> FloatArray:
        """The point, as the weighted sum of the rows in use."""
        point: FloatArray = self.weights @ self.rows[self.used, :-1]
        return point

    def solve(self, gap: float = 1e-9, limit: float = np.inf) -> int:
        """Move to the nearest point: until no row's product is below ‖point‖² by more than a share `gap` of it.

        Stops before when it costs more than `limit`.
        Returns what it cost, in multiplications of a matrix with a vector.
        """
        before = self._work
        refused: list[int] = []
        for _ in range(10 * len(self.rows) + 100):
            row = self._next(gap, refused)
            if row is None or (self.used and self._work - before > limit):
                break
            if self._enter(row):
                refused.clear()
            else:
                refused.append(row)
        return self._work - before

    def _next(self, gap: float, refused: list[int]) -> int | None:
        """The row that lies deepest behind the plane through the point, if one does."""
        self._work += self.rows.size
        if not self.used:
            return int(np.argmin(np.einsum("ij,ij->i", self.rows, self.rows)))
        point = self.point
        square = float(point @ point)
        products = self.rows[:, :-1] @ point
        products[self.used] = np.inf
        products[refused] = np.inf
        row = int(np.argmin(products))
        return row if products[row] < square * (1 - gap) - _ROUNDING else None

    def _enter(self, row: int) -> bool:
        """Take a row into use; False if it would get no weight."""
        from scipy.linalg import LinAlgError, qr_insert

        if len(self.used) > self.rows.shape[1] - 1:
            return False
        before = self._Q, self._R
        if self.used:
            try:
                self._Q, self._R = qr_insert(
                    self._Q, self._R, self.rows[row], len(self.used), "col", check_finite=False
                )
            except LinAlgError:
                return False
        else:
            norm = np.linalg.norm(self.rows[row])
            self._Q = np.asfortranarray(self.rows[row][:, None] / norm)
            self._R = np.array([[norm]], order="F")
        z = self._least_squares()
        if z[-1] <= 0:
            self._Q, self._R = before
            return False
        self.used.append(row)
        self._x = np.append(self._x, 0.0)
        self._walk(z)
        return True

    def _walk(self, z: FloatArray) -> None:
        """From the weights towards z as far as none turns negative; rows that come to 0 leave, and again."""
        from scipy.linalg import qr_delete

        while (z <= 0).any():
            sinking = np.flatnonzero(z <= 0)
            shares = self._x[sinking] / (self._x[sinking] - z[sinking])
            first = sinking[np.argmin(shares)]
            self._x = self._x + shares.min() * (z - self._x)
            self._x[first] = 0.0
            for at in np.flatnonzero(self._x <= 0)[::-1]:
                Q, R = qr_delete(self._Q, self._R, at, which="col", check_finite=False)
                del self.used[at]
                self._Q = Q[:, : len(self.used)]
                self._R = R[: len(self.used)]
                self._work += 4 * self._Q.size
            self._x = self._x[self._x > 0]
            z = self._least_squares()
        self._x = z

    def _least_squares(self) -> FloatArray:
        from scipy.linalg import solve_triangular

        self._work += 6 * self._Q.size
        solution: FloatArray = solve_triangular(self._R, self._Q[-1], check_finite=False)
        return solution
