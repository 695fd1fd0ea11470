"""How second-order learners do where columns are of very different scales: played errors, into docs/decisions/0018.

python -m benchmarks.scales            # half a minute
"""

from __future__ import annotations

import warnings

import numpy as np

import onebit
from onebit.core.aliases import FloatArray, IntArray

ROUNDS, FEATURES, CLASSES, SEED = 3000, 6, 3, 0
LEARNERS = {
    "LinUCB": onebit.LinUCB(CLASSES),
    "SOBA, γ = .1": onebit.SOBA(CLASSES, gamma=0.1),
    "MSG": onebit.MSG(CLASSES),
    "OSLG": onebit.OSLG(CLASSES),
    "OSLGBandit": onebit.OSLGBandit(CLASSES),
}


def tables() -> tuple[dict[str, FloatArray], IntArray]:
    """The same cases in several units, and their labels."""
    draw = np.random.default_rng(SEED)
    y = draw.integers(CLASSES, size=ROUNDS)
    X = 3 * np.eye(CLASSES, FEATURES)[y] + draw.normal(size=(ROUNDS, FEATURES))
    stamp = 1.7e9 + 60.0 * np.arange(ROUNDS)
    rare = np.where(draw.random(ROUNDS) < 0.01, 1e12, 1.0)
    once = np.where(np.arange(ROUNDS) == ROUNDS // 2, 1e12, 1.0)
    rows = {
        "plain": X,
        "a time stamp": np.column_stack([X, stamp]),
        "two": np.column_stack([X, stamp, stamp + draw.integers(10**6, size=ROUNDS)]),
        "all × 1e12": X * 1e12,
        "all × 1e-12": X * 1e-12,
        "1e-12 .. 1e12": X * 10 ** np.linspace(-12, 12, FEATURES),
        "one row × 1e12": X * once[:, None],
        "a row in 100 × 1e12": X * rare[:, None],
        "all × 1e59": X * 1e59,
    }
    return rows, y


def error(learner: onebit.Learner, X: FloatArray, y: IntArray) -> str:
    """The played error."""
    stream = onebit.streams.from_arrays(X, y, shuffle=False)
    result = onebit.simulate(learner, stream, seeds=[SEED], workers=1, progress=False)
    return f"{result.error:.3f}".removeprefix("0")


def main() -> None:
    """Print the table."""
    rows, y = tables()
    print("| |", " | ".join(rows), "|")
    print("|" + "---|" * (len(rows) + 1))
    for name, learner in LEARNERS.items():
        print(f"| {name} |", " | ".join(error(learner, X, y) for X in rows.values()), "|", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
