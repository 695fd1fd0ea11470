"""Eigenpairs of large graphs: CPU time and memory on one core, each graph in a process of its own; no cache.

python -m benchmarks.graphs.eigenpairs            # about three minutes; or some of: pubmed planted random long
python -m benchmarks.graphs.eigenpairs others     # SciPy's solvers on the same graphs: about six minutes

`planted` and `random` have 10^5 nodes and 5·10^5 edges; the eigenvalues of the second crowd at the edge of its
spectrum. `long` are graphs whose eigenvalues are tiny: a ring and a grid of 10^4 nodes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator

from benchmarks.onebit.streams import Line, Part, Plan, main

_graphS = {
    "pubmed": "onebit.streams.load('pubmed').graph",
    "planted": "onebit.streams.planted_graph({n}, classes=5, degree=10, inside=0.8).graph",
    "random": "onebit.streams.planted_graph({n}, classes=5, degree=10, inside=0).graph",
    "ring": "Graph.of(ring(10_000))",
    "grid": "Graph.of(sp.kron(ring(100), sp.eye_array(100)) + sp.kron(sp.eye_array(100), ring(100)))",
}

_CODE = """
import json, pathlib, re, time, warnings, numpy as np, onebit, scipy.sparse as sp
from scipy.sparse.linalg import eigsh, lobpcg
from onebit.graph import Graph
from onebit.streams.graph.eigenpairs import smallest_pairs
from onebit.streams.graph.laplacian import Normalised

def memory(what):
    return int(re.search(what + r":\\s+(\\d+)", pathlib.Path("/proc/self/status").read_text())[1]) / 1024

def ring(n):
    there = sp.coo_array((np.ones(n), (np.arange(n), np.roll(np.arange(n), 1))))
    return there + there.T

def dropped(pairs):  # the known eigenvalue 0
    order = np.argsort(pairs[0])[1:]
    return pairs[0][order], pairs[1][:, order]

def laplacian():
    return sp.eye_array(len(graph), format="csc") - Normalised(graph).matrix.tocsc()

smallest_pairs(Graph.of(ring(1100)), 2)  # compiles
graph = {graph}
base, began = memory("VmRSS"), time.process_time()
values, vectors = {solve}
spent, peak = time.process_time() - began, memory("VmHWM")
worst = Normalised(graph).residuals(vectors, 1 - values).max()
print(json.dumps([len(graph), graph.edges, spent, peak - base, worst]))
"""


_OURS = "smallest_pairs(graph, 100)"
_OTHERS = {
    "Lanczos": "dropped(eigsh(laplacian(), 101, which='SA', ncv=250, tol=1e-9, v0=np.ones(len(graph))))",
    "shift-invert": "dropped(eigsh(laplacian(), 101, sigma=-1e-3, v0=np.ones(len(graph))))",
    "LOBPCG": "dropped(lobpcg(laplacian(), np.random.default_rng(0).normal(size=(len(graph), 101)), tol=1e-7, "
    "largest=False, maxiter=500))",
}


def _measure(
    name: str, seconds: float | None, plan: Plan, megabytes: float | None = None, solver: str = ""
) -> Iterator[Line]:
    code = _CODE.replace("{graph}", _graphS[name].format(n=2_000 if plan.quick else 100_000))
    code = code.replace("{solve}", _OTHERS.get(solver, _OURS))
    one_core = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=one_core)
    nodes, edges, spent, above, worst = json.loads(done.stdout.splitlines()[-1])
    what = f"{name}, {solver}" if solver else name
    yield Line(f"{what}, CPU s", spent, seconds, f"100 pairs of {nodes:,} nodes, {edges:,} edges")
    yield Line(f"{what}, peak MB above the graph", above, megabytes)
    yield Line(f"{what}, largest residual / 10^-6", worst / 1e-6, None if solver else 1.0)


def pubmed(plan: Plan) -> Iterator[Line]:
    yield from _measure("pubmed", 60.0, plan, 500.0)


def planted(plan: Plan) -> Iterator[Line]:
    yield from _measure("planted", 180.0, plan)


def random(plan: Plan) -> Iterator[Line]:
    yield from _measure("random", 180.0, plan)


def long(plan: Plan) -> Iterator[Line]:
    for name in ("ring", "grid"):
        yield from _measure(name, 60.0, plan)


def others(plan: Plan) -> Iterator[Line]:
    """SciPy's solvers, those that were seen to end in minutes."""
    for name, solver in (
        ("pubmed", "Lanczos"),
        ("pubmed", "shift-invert"),
        ("pubmed", "LOBPCG"),
        ("planted", "Lanczos"),
    ):
        yield from _measure(name, None, plan, solver=solver)


PARTS: dict[str, Part] = {"pubmed": pubmed, "planted": planted, "random": random, "long": long, "others": others}

if __name__ == "__main__":
    sys.exit(main(PARTS, sys.argv[1:], "Eigenpairs", ("pubmed", "planted", "random", "long")))
