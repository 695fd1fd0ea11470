"""Plays whose bits must never change: every learner, dense and sparse rows, every kind of feedback.

`python -m tests.compatibility.plays` prints the table that `bits.json` holds. It was made by 0.1.0.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding
import numba
import numpy as np
import scipy
import scipy.sparse as sp

import onebit
from tests.needed import needed

ROUNDS = 400

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("bandit-pa", {}),
    ("bandit-perceptron", {}),
    ("banditron", {"gamma": 0.1}),
    ("banditron", {"noise": (0.1, 0.2), "ties": "random"}),
    ("confidit", {}),
    ("confidit", {"covariance": "full"}),
    ("gpa", {}),
    ("kernel-bandit", {}),
    ("kernel-bandit", {"budget": 40}),
    ("lin-ucb", {}),
    ("mc-dbf", {"m": 4, "noise": (0.2, 0.1)}),
    ("mc-slp", {"m": 3}),
    ("molg-b", {}),
    ("molg-f", {}),
    ("msg", {}),
    ("one-bit", {}),
    ("one-bit", {"curvature": "diagonal"}),
    ("one-bit", {"m": 3, "noise": (0.2, 0.1), "gamma": 0.1}),
    ("one-bit", {"dtype": "float32"}),
    ("oslg", {}),
    ("oslg-bandit", {}),
    ("page-rank-ucb", {}),
    ("perceptron", {}),
    ("pnewtron", {}),
    ("rcine", {}),
    ("rcnbf", {"average": True, "rho_0": 0.1, "rho_1": 0.1}),
    ("second-order-kernel", {}),
    ("set-banditron", {"m": 3, "loss": "log"}),
    ("soba", {}),
    ("soba-diagonal", {"gamma": "adaptive"}),
]


def streams() -> dict[str, Any]:
    """The same clusters dense and sparse, and documents."""
    draw = np.random.default_rng(16)
    y = draw.integers(6, size=ROUNDS)
    X = draw.normal(size=(6, 19))[y] + draw.normal(size=(ROUNDS, 19))
    X[draw.random(X.shape) < 0.4] = 0.0
    X[:, 0] = 1.0
    return {"dense": onebit.streams.from_arrays(X, y), "sparse": onebit.streams.from_arrays(sp.csr_array(X), y)}


CHANNELS: dict[str, Any] = {
    "bit": onebit.Bit(),
    "late": onebit.NoisyBit(0.2, 0.1, delay=(0, 30)),
    "full": onebit.Full(),
    "late label": onebit.Full(delay=5),
}


def learner_of(name: str, settings: dict[str, Any], stream: Any) -> Any:
    """A learner for the rows of a stream."""
    from onebit.core.registry import learner_class

    unit = {"normalize": True} if name in ("molg-b", "molg-f") else {}
    linear = {"kernel": None} if name == "one-bit" else {}  # all that OneBit was in 0.1
    return learner_class(name)(stream.classes, **unit, **linear, **settings, **needed(name, stream.n_features))


def plays() -> Iterator[tuple[str, Any, Any, Any]]:
    """Every play: its name, the learner, the stream and the channel."""
    for kind, stream in streams().items():
        for name, settings in SETTINGS:
            learner = learner_of(name, settings, stream)
            for world, channel in CHANNELS.items():
                if learner.takes(channel.kind):
                    yield f"{name} {settings} {kind} {world}", learner, stream, channel


def counts(result: Any) -> str:
    """The counts at every checkpoint as text."""
    columns = [(t.rounds, t.mistakes, t.greedy_mistakes, t.updates) for t in result.traces]
    return hashlib.sha256(str([[c.tolist() for c in seed] for seed in columns]).encode()).hexdigest()[:16]


def state(learner: Any) -> str:
    """All that a learner would write to its file, but for what makes no difference to how it goes on."""
    sha = hashlib.sha256()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "learner.onebit"
        learner.save(path)
        with zipfile.ZipFile(path) as archive:
            for name in sorted(archive.namelist()):
                content = archive.read(name)
                if name == "header.json":
                    header = json.loads(content)
                    kept = ("capacity", "generator", "decisions", "updates", "rates", "window")
                    content = json.dumps({key: header[key] for key in kept}).encode()
                sha.update(name.encode() + content)
    return sha.hexdigest()[:16]


def machine() -> str:
    """What exact bits depend on besides the source."""
    versions = f"numba {numba.__version__} llvmlite {llvmlite.__version__} numpy {np.__version__}"
    return f"{llvmlite.binding.get_host_cpu_name()} {versions} scipy {scipy.__version__}"


def rows_of_streams() -> dict[str, str]:
    """The first rows of generated streams and embedded data sets."""
    made = {
        "synsep": onebit.streams.synsep(300),
        "synnonsep": onebit.streams.synnonsep(300, seed=3),
        "synnonsep redraw": onebit.streams.synnonsep(300, redraw=True),
        "strong": onebit.streams.strong_separable(300),
        "weak": onebit.streams.weak_separable(300),
        "group": onebit.streams.group_separable(300),
        "digits": onebit.streams.load("digits"),
        "iris": onebit.streams.load("iris", normalize=True, bias=True),
    }
    found = {}
    for name, stream in made.items():
        window = next(stream.windows(1, 300))
        X = window.X[window.order[:300]]
        dense = X.toarray() if sp.issparse(X) else np.asarray(X)
        sha = hashlib.sha256(np.round(dense, 9).tobytes() + np.asarray(window.y)[window.order[:300]].tobytes())
        found[name] = sha.hexdigest()[:16]
    return found


def table() -> dict[str, Any]:
    """Every play with the hash of its counts and of the state it ends in."""
    found = {}
    for name, learner, stream, channel in plays():
        result = onebit.simulate(learner, stream, channel, ROUNDS, [5], progress=False)
        found[name] = [counts(result), state(result.learners[0])]
    return {"machine": machine(), "plays": found, "rows": rows_of_streams()}


if __name__ == "__main__":
    json.dump(table(), sys.stdout, indent=1)
