"""Largest margins: our cutting planes beside the same problems in the hands of SciPy, HiGHS and Clarabel. Run it with

python -m benchmarks.separability                  (all problems: ten minutes)
python -m benchmarks.separability iris digits      (those of some data)

Clarabel and HiGHS's quadratic solver are taken if they are installed (pip install clarabel highspy). Times are CPU
seconds. `margin` is what the vector found really has, `bound` what the weights found prove that none exceeds, both
computed here from the rows and in units of the longest row (inf: no weights were given); `proof` is how many conditions
have weight. A bound of 10^-9 or less proves that there is no margin.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise, permutations
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.optimize import Bounds, LinearConstraint, linprog, milp, nnls
from threadpoolctl import threadpool_limits

from onebit.core.errors import DataError
from onebit.separability import margins
from onebit.separability.constraints import Constraints, HalfSpaces, Rivals, Slabs, Table
from onebit.separability.margins import GAP, ZERO, Budget, largest_margin
from onebit.separability.slab_order import best_order
from onebit.streams import group_separable, load, strong_separable, synsep, weak_separable


def optional(library: str) -> Any:
    """A library, or None where it is not installed."""
    return import_module(library) if find_spec(library) else None


clarabel = optional("clarabel")
highspy = optional("highspy")

SECONDS = 60.0
"""A solver that has not come to an end by then is stopped after its step."""
DIMENSIONS = 3000
"""Beyond this dimension only our own choice is measured: a single step of the others takes minutes."""
ENTRIES = 3_000_000
"""Conditions are written out as one table up to this size."""

Solver = Callable[[Any], Any]


class Outcome(NamedTuple):
    """A margin that was reached, a bound that was proved, by how many conditions, and whether it came to an end."""

    margin: float
    bound: float
    proof: int
    finished: bool = True


DATA: dict[str, Callable[[], Any]] = {
    "iris": lambda: load("iris"),
    "digits": lambda: load("digits"),
    "synsep": lambda: synsep(10_000),
    "strong": lambda: strong_separable(50_000, d=2, classes=3),
    "weak": lambda: weak_separable(50_000),
    "weak, d = 20": lambda: weak_separable(20_000, d=20, margin=0.001),
    "weak, label noise": lambda: weak_separable(20_000, label_noise=0.1),
    "group": lambda: group_separable(50_000),
    "group, d = 10": lambda: group_separable(20_000, d=10),
    "pendigits": lambda: load("pendigits"),
    "letter": lambda: load("letter"),
    "usps": lambda: load("usps"),
    "reuters21578": lambda: load("reuters21578"),
}


def problems(table: Table) -> Iterator[tuple[str, Constraints]]:
    """Problems of each of the three kinds."""
    K = table.classes
    yield "0 | all others", HalfSpaces(table, [0], range(1, K))
    yield "0 | 1", HalfSpaces(table, [0], [1])
    yield "a vector for each class", Rivals(table, range(K))
    yield "slabs 0 < 1", Slabs(table, (0, 1))
    if K > 2:
        yield "slabs 0 < 1 < 2", Slabs(table, (0, 1, 2))


def ours(constraints: Constraints, large: int = margins.LARGE) -> Outcome:
    """Our cutting planes; by SciPy's nnls below the dimension `large`, by pivoting on inner products from there on."""
    before = margins.LARGE
    margins.LARGE = large
    budget = Budget()
    try:
        found = largest_margin(constraints, budget)
    finally:
        margins.LARGE = before
    return Outcome(found.least, found.most, len(found.weights), budget.left > 0)


def by_planes(constraints: Constraints, solve: Solver) -> Outcome:
    """The same cutting planes with any solver that turns rows into the weights of their hull's nearest point."""
    batch = max(50, min(1000, constraints.dimension // 4))
    conditions = new = constraints.worst(np.zeros(constraints.dimension), np.inf, batch)[1]
    rows = constraints.vectors(conditions)
    best = -np.inf
    lowest = np.inf
    began = time.process_time()
    while True:
        weights = solve(rows)
        if not weights.any():
            return Outcome(best, np.inf, 0)
        bound = float(np.linalg.norm(weights @ rows))
        proof = int(np.count_nonzero(weights))
        if bound <= ZERO:
            return Outcome(best, bound, proof)
        value, found = constraints.worst(weights @ rows / bound, bound * (1 - GAP / 2), batch)
        best = max(best, value)
        if bound < lowest * (1 - 1e-9):
            lowest = bound
            rows = rows[weights > 0]
            conditions = conditions[weights > 0]
        new = margins._unknown(found, conditions)
        stopped = time.process_time() - began > SECONDS
        if best >= bound * (1 - GAP) or not len(new) or stopped:
            return Outcome(best, bound, proof, not stopped)
        conditions = np.concatenate([conditions, new])
        rows = np.concatenate([rows, constraints.vectors(new)])


def at_once(constraints: Constraints, solve: Solver) -> Outcome | None:
    """All conditions written out, if they are not too many; the solver gives weights, or a vector and weights."""
    every = all_conditions(constraints)
    if len(every) * constraints.dimension > ENTRIES:
        return None
    rows = constraints.vectors(every)
    found = solve(rows)
    w, weights = found if isinstance(found, tuple) else (found @ rows, found)
    norm = float(np.linalg.norm(w)) or 1.0
    bound = float(np.linalg.norm(weights @ rows))
    return Outcome(float((rows @ w).min()) / norm, bound, int(np.count_nonzero(weights)))


def all_conditions(constraints: Constraints) -> Any:
    """The pairs that name all conditions."""
    rows = np.arange(len(constraints.table.y))
    if isinstance(constraints, HalfSpaces):
        return np.column_stack([rows, np.where(np.isin(constraints.table.y, constraints.above), 1, -1)])
    if isinstance(constraints, Rivals):
        own = np.array(constraints.groups)[constraints.table.y]
        pairs = np.stack(np.meshgrid(rows, np.arange(constraints.count), indexing="ij"), axis=-1).reshape(-1, 2)
        return pairs[own[pairs[:, 0]] != pairs[:, 1]]
    assert isinstance(constraints, Slabs)
    members = [np.flatnonzero(constraints.table.y == k) for k in constraints.order]
    if sum(len(a) * len(b) for a, b in pairwise(members)) > ENTRIES:
        return np.empty((ENTRIES, 2), dtype=np.int64)
    grids = [np.stack(np.meshgrid(b, a), axis=-1).reshape(-1, 2) for a, b in pairwise(members)]
    return np.concatenate(grids)


def shares(x: Any) -> Any:
    """Not negative and of sum 1; all 0 if nothing is left."""
    x = np.maximum(np.asarray(x, dtype=float), 0)
    return x / (x.sum() or 1.0)


def scipy_nnls(rows: Any) -> Any:
    A = np.vstack([rows.T, np.ones(len(rows))])
    return shares(nnls(A, np.append(np.zeros(rows.shape[1]), 1.0), maxiter=30 * len(rows))[0])


def clarabel_weights(rows: Any) -> Any:
    """The multipliers of min ½‖w‖² with ⟨a_r, w⟩ ≥ 1, or the certificate that there is no such w."""
    m, d = rows.shape
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    settings.time_limit = SECONDS
    for name in ("tol_gap_abs", "tol_gap_rel", "tol_feas", "tol_infeas_abs", "tol_infeas_rel"):
        setattr(settings, name, 1e-12)
    cone = [clarabel.NonnegativeConeT(m)]
    problem = clarabel.DefaultSolver(
        sp.eye(d, format="csc"), np.zeros(d), sp.csc_matrix(-rows), -np.ones(m), cone, settings
    )
    return shares(problem.solve().z)


def highs_weights(rows: Any) -> Any:
    """The same problem by HiGHS's active-set method."""
    m, d = rows.shape
    table = sp.csr_matrix(rows)
    model = highspy.HighsModel()
    model.lp_.num_col_ = d
    model.lp_.num_row_ = m
    model.lp_.col_cost_ = np.zeros(d)
    model.lp_.col_lower_ = np.full(d, -highspy.kHighsInf)
    model.lp_.col_upper_ = np.full(d, highspy.kHighsInf)
    model.lp_.row_lower_ = np.ones(m)
    model.lp_.row_upper_ = np.full(m, highspy.kHighsInf)
    model.lp_.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.lp_.a_matrix_.start_ = table.indptr
    model.lp_.a_matrix_.index_ = table.indices
    model.lp_.a_matrix_.value_ = table.data
    model.hessian_.dim_ = d
    model.hessian_.format_ = highspy.HessianFormat.kTriangular
    model.hessian_.start_ = np.arange(d + 1)
    model.hessian_.index_ = np.arange(d)
    model.hessian_.value_ = np.ones(d)
    solver = highspy.Highs()
    for option, value in (("output_flag", False), ("time_limit", SECONDS), ("threads", 1)):
        solver.setOptionValue(option, value)
    for option in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        solver.setOptionValue(option, 1e-10)
    solver.passModel(model)
    solver.run()
    return shares(np.abs(solver.getSolution().row_dual))


def highs_lp(rows: Any) -> Any:
    """max t with ⟨a_r, w⟩ ≥ t, |w| ≤ 1 in each coordinate: yes or no, but not the largest margin."""
    m, d = rows.shape
    cost = np.append(np.zeros(d), -1.0)
    found = linprog(
        cost,
        A_ub=np.column_stack([-rows, np.ones(m)]),
        b_ub=np.zeros(m),
        bounds=[(-1, 1)] * d + [(None, None)],
        method="highs",
        options={"time_limit": SECONDS},
    )
    if found.x is None:
        return np.zeros(d), np.zeros(m)
    return found.x[:d], shares(-found.ineqlin.marginals)


SOLVERS: dict[str, Callable[[Constraints], Outcome | None]] = {
    "ours": ours,
    "ours, nnls only": lambda one: ours(one, 10**9) if margins.LARGE <= one.dimension <= DIMENSIONS else None,
    "ours, pivoting only": lambda one: ours(one, 0) if one.dimension < margins.LARGE else None,
    "nnls, at once": lambda one: at_once(one, scipy_nnls),
    "HiGHS LP, at once": lambda one: at_once(one, highs_lp),
}
if clarabel is not None:
    SOLVERS["Clarabel, planes"] = lambda one: written(one, clarabel_weights)
    SOLVERS["Clarabel, at once"] = lambda one: at_once(one, clarabel_weights)
if highspy is not None:
    SOLVERS["HiGHS QP, planes"] = lambda one: written(one, highs_weights)


def written(constraints: Constraints, solve: Solver) -> Outcome | None:
    """Cutting planes, in dimensions where a step does not take minutes."""
    return by_planes(constraints, solve) if constraints.dimension <= DIMENSIONS else None


def milp_order(table: Table, classes: list[int]) -> tuple[float, bool]:
    """The order of slabs as one mixed-integer problem for HiGHS: its gap for |w| ≤ 1 in each coordinate.

    Variables: w, the low and high end of each class, the gap, and for each pair of classes which one is above.
    """
    d = table.X.shape[1]
    K = len(classes)
    pairs = list(permutations(range(K), 2))
    far = 4.0 * d**0.5
    ends = d + 2 * K
    size = ends + 1 + len(pairs)
    parts = []
    for k, label in enumerate(classes):
        rows = table.rows(np.flatnonzero(table.y == label))
        for end, sign in ((d + k, 1.0), (d + K + k, -1.0)):
            block = np.zeros((len(rows), size))
            block[:, :d] = sign * rows
            block[:, end] = -sign
            parts.append(block)
    A = np.concatenate(parts)
    low = np.zeros(len(A))
    links = np.zeros((2 * len(pairs), size))
    least = np.empty(2 * len(pairs))
    for at, (a, b) in enumerate(pairs):
        links[at, [d + b, d + K + a, ends, ends + 1 + at]] = 1, -1, -1, -far
        least[at] = -far
        links[len(pairs) + at, [ends + 1 + at, ends + 1 + pairs.index((b, a))]] = 1, 1
        least[len(pairs) + at] = 1
    cost = np.zeros(size)
    cost[ends] = -1
    whole = np.append(np.zeros(ends + 1), np.ones(len(pairs)))
    limits = Bounds(
        np.concatenate([-np.ones(d), np.full(2 * K + 1, -far), np.zeros(len(pairs))]),
        np.concatenate([np.ones(d), np.full(2 * K + 1, far), np.ones(len(pairs))]),
    )
    found = milp(
        cost,
        constraints=[LinearConstraint(A, low, np.inf), LinearConstraint(links, least, np.inf)],
        bounds=limits,
        integrality=whole,
        options={"time_limit": SECONDS},
    )
    return (float(found.x[ends]) if found.x is not None else 0.0), found.status == 0


def show(solver: str, seconds: float, outcome: Outcome) -> None:
    margin, bound, proof, finished = outcome
    gap = f"gap {(bound - margin) / bound:8.1e}" if ZERO < bound < np.inf and margin > 0 else " " * 12
    end = "" if finished else "   stopped"
    print(f"  {solver:<22}{seconds:>9.3f} s   margin {margin:>13.6g}   bound {bound:>11.6g}   {gap}   {proof:>5}{end}")


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds, the better of two if they are few, and the result."""
    times = []
    for _ in range(2):
        began = time.process_time()
        result = work()
        times.append(time.process_time() - began)
        if times[0] > 2:
            break
    return min(times), result


def run(name: str, table: Table) -> None:
    for title, constraints in problems(table):
        print(f"\n{name}: {title} ({len(constraints.table.y):,} rows, {constraints.dimension:,} dimensions)")
        for solver, solve in SOLVERS.items():
            try:
                seconds, outcome = timed(lambda: solve(constraints))  # noqa: B023  # called at once
            except RuntimeError as error:
                print(f"  {solver:<22} {error}")
                continue
            if outcome is not None:
                show(solver, seconds, outcome)
    if name.startswith(("iris", "group")):
        members = [0, 1, 2]
        print(f"\n{name}: the best order of slabs of the classes 0, 1, 2")
        seconds, order = timed(lambda: best_order(table, members, Budget()))
        print(f"  {'ours':<22}{seconds:>9.3f} s   gap {order.least:.6g} of at most {order.most:.6g}")
        seconds, (gap, finished) = timed(lambda: milp_order(table.part(members), members))
        print(f"  {'HiGHS MILP':<22}{seconds:>9.3f} s   gap {gap:.6g} for |w| <= 1{'' if finished else '   stopped'}")


def main(chosen: list[str]) -> None:
    for library, name in ((clarabel, "clarabel"), (highspy, "highspy")):
        if library is None:
            print(f"{name} is not installed: left out")
    with threadpool_limits(1, "blas"):
        for name, opened in DATA.items():
            if chosen and name not in chosen:
                continue
            try:
                stream = opened()
                labels, codes = np.unique(stream.y, return_inverse=True)
            except DataError:
                print(f"\n{name}: its file is not there: left out")
                continue
            run(name, Table.of(stream.X, codes, len(labels)))


if __name__ == "__main__":
    main(sys.argv[1:])
