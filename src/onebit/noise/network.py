"""The network of NREst's paper: from a row and a label to the probability of "right"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import FloatArray, IntArray
from onebit.core.errors import OnebitError

_DROPOUT = 0.2
_BATCH = 128
_RATE = 0.01
_DELTA = 1e-6
"""As in the paper: the share of hidden units dropped, rounds per step, AdaGrad's rate and its δ."""

_KEPT_SHARE = 10
"""One round in so many is kept for validation."""

_ROWS_AT_ONCE = 8192


def fit_network(
    rows: Any,
    labels: IntArray,
    bits: IntArray,
    n_labels: int,
    layers: tuple[int, ...],
    epochs: int,
    seed: int,
    *,
    he: bool = False,
) -> Callable[[Any, int], FloatArray]:
    """Train the network on (x, ỹ, f); returns q(rows, j) = P(f = 1 | x, ỹ = j).

    The input is x joined with one-hot ỹ; then dense layers of ReLU with dropout .2, and a softmax of two. AdaGrad
    at rate .01 (δ = 10^-6), batches of 128; a tenth of the rounds is kept for validation, and the weights of the
    epoch with the smallest cross-entropy there are used. The paper's layers: (128, 128) for MNIST, (32, 256, 32)
    for USPS, (32, 128, 32) for Fashion-MNIST (on 100 learned features), all for 70 epochs. With `n_labels=0` the rows
    are taken as they are. `he` starts from He's weights in place of Glorot's. The random draws come from a generator
    of its own: torch's global one is left as it was.
    """
    torch = torch_module()
    generator = torch.Generator().manual_seed(seed)
    weights = _first_weights(torch, [rows.shape[1] + n_labels, *layers, 2], he, generator)
    optimizer = torch.optim.Adagrad(weights, lr=_RATE, eps=_DELTA)
    order = torch.randperm(len(labels), generator=generator).numpy()
    check, train = np.split(order, [max(1, len(order) // _KEPT_SHARE)])
    best = weights
    smallest = np.inf
    for _ in range(epochs):
        # One epoch over the rounds that are not kept.
        shuffled = train[torch.randperm(len(train), generator=generator).numpy()]
        for i in range(0, len(shuffled), _BATCH):
            batch = shuffled[i : i + _BATCH]
            scores = _forward(torch, weights, _inputs(torch, rows[batch], labels[batch], n_labels), generator)
            loss = torch.nn.functional.cross_entropy(scores, torch.from_numpy(bits[batch]))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        # Is it the best so far on those that are?
        q = _probability(torch, weights, rows[check], labels[check], n_labels)
        likelihood = np.where(bits[check] == 1, q, 1 - q)
        loss = float(-np.log(np.maximum(likelihood, 1e-12)).mean())
        if loss < smallest:
            best = [w.detach().clone() for w in weights]
            smallest = loss
    return lambda table, j: _probability(torch, best, table, np.full(table.shape[0], j), n_labels)


@contextmanager
def one_thread() -> Iterator[None]:
    """Torch on one thread for a while: the same bits on every machine, and for such small batches the fastest."""
    torch = torch_module()
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def torch_module() -> Any:
    """PyTorch, or an error that says how to get it."""
    try:
        import torch
    except ImportError:
        raise OnebitError("classifier='network': needs PyTorch; install it with pip install 'onebit[torch]'") from None
    return torch


def _first_weights(torch: Any, sizes: list[int], he: bool, generator: Any) -> list[Any]:
    """Uniform weights as of Glorot and Bengio, or as of He et al., and biases of 0, layer by layer."""
    weights = []
    for fan_in, fan_out in pairwise(sizes):
        bound = (6 / (fan_in if he else fan_in + fan_out)) ** 0.5
        drawn = torch.empty(fan_in, fan_out).uniform_(-bound, bound, generator=generator)
        weights += [drawn.requires_grad_(), torch.zeros(fan_out, requires_grad=True)]
    return weights


def _forward(torch: Any, weights: list[Any], x: Any, generator: Any = None) -> Any:
    """Scores of the two answers; with a generator, hidden units are dropped."""
    *hidden, last = list(zip(weights[::2], weights[1::2], strict=True))
    for W, b in hidden:
        x = torch.relu(torch.addmm(b, x, W))
        if generator is not None:
            x = x * (torch.rand(x.shape, generator=generator) >= _DROPOUT) / (1 - _DROPOUT)
    return torch.addmm(last[1], x, last[0])


def _inputs(torch: Any, rows: Any, labels: IntArray, n_labels: int) -> Any:
    table = rows.toarray() if sp.issparse(rows) else rows
    one_hot = labels[:, None] == np.arange(n_labels)
    return torch.from_numpy(np.hstack([table, one_hot]).astype(np.float32))


def _probability(torch: Any, weights: list[Any], rows: Any, labels: IntArray, n_labels: int) -> FloatArray:
    q = np.empty(len(labels))
    with torch.no_grad():
        for i in range(0, len(labels), _ROWS_AT_ONCE):
            some = slice(i, i + _ROWS_AT_ONCE)
            scores = _forward(torch, weights, _inputs(torch, rows[some], labels[some], n_labels))
            q[some] = torch.softmax(scores, dim=1)[:, 1].numpy()
    return q
