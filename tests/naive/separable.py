"""Separable rows, drawn the obvious way from the same random numbers."""

from typing import Any

import numpy as np

from onebit.core.seeds import bit_generator


def _in_ball(d: int, draw: np.random.Generator) -> Any:
    """d normal numbers over the length of themselves and √(2E)."""
    rest = -2 * np.log(1 - draw.random())
    normal: list[float] = []
    while len(normal) < d:
        pair = 2 * np.array([draw.random(), draw.random()]) - 1
        s = (pair**2).sum()
        if 0 < s < 1:
            normal += (pair * np.sqrt(-2 * np.log(s) / s)).tolist()
    x = np.array(normal[:d])
    return x / np.sqrt((x**2).sum() + rest)


def _noisy(label: int, K: int, share: float, draw: np.random.Generator) -> int:
    u = draw.random()
    return int(u / share * K) if u < share else label


def group_rows(stream: Any, n: int, seed: int) -> tuple[Any, list[int]]:
    """Uniform in the ball, but for what is too near a boundary."""
    draw = np.random.Generator(bit_generator(seed, "stream"))
    K = len(stream.classes)
    rows: list[Any] = []
    labels: list[int] = []
    while len(rows) < n:
        x = _in_ball(stream.n_features, draw)
        scores = stream.u @ x
        g = int(scores.argmax())
        cuts = stream.thresholds[g] - stream.u_prime[g] @ x
        if (scores[g] - np.delete(scores, g) >= stream.margin).all() and (abs(cuts) >= stream.margin).all():
            rows.append(x)
            labels.append(_noisy(stream.groups.index(g) + int((cuts < 0).sum()), K, stream.label_noise, draw))
    return np.array(rows), labels


def region_rows(stream: Any, centres: Any, n: int, seed: int) -> tuple[Any, list[int]]:
    """From the centre of a class's region towards its border, which is found by halving."""
    draw = np.random.Generator(bit_generator(seed, "stream"))
    K = len(stream.classes)
    d = stream.n_features
    rows = []
    labels = []
    for _ in range(n):
        y = int(draw.random() * K)
        b = _in_ball(d, draw)
        length = np.sqrt((b**2).sum())
        inside = 0.0
        outside = 2.0
        for _ in range(60):
            middle = (inside + outside) / 2
            fits = _is_inside(stream, y, centres[y] + middle * b / length)
            inside, outside = (middle, outside) if fits else (inside, middle)
        rows.append(centres[y] + inside * b)
        labels.append(_noisy(y, K, stream.label_noise, draw))
    return np.array(rows), labels


def _is_inside(stream: Any, y: int, x: Any) -> bool:
    scores = stream.vectors @ x
    others = np.delete(scores, y)
    weak = scores[y] - others.max()
    strong = 2 * min(scores[y], -others.max())
    margin = weak if stream.name == "weak-separable" else strong
    return bool(margin >= stream.margin and (x**2).sum() <= 1)
