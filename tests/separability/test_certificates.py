"""Proofs: few rows, and none of them fits other data."""

from __future__ import annotations

import numpy as np
import pytest

import onebit
from onebit.streams import separability, weak_separable

RNG = np.random.default_rng(5)


def test_contradictions_are_few_and_notice_other_data() -> None:
    stream = weak_separable(5000, label_noise=0.1)
    found = separability(stream.X, stream.y)
    proof = found.weak.contradictions[0]
    assert proof.verify(stream.X, stream.y) <= 1e-9
    assert len(proof.examples) <= 2 * 9 + 1
    assert proof.weights.sum() == pytest.approx(1)
    assert (proof.weights > 0).all()
    with pytest.raises(onebit.DataError, match="do not fit the claim"):
        proof.verify(stream.X, (stream.y + 1) % 9)
    with pytest.raises(onebit.DataError, match="give the same rows"):
        proof.verify(stream.X[:2], stream.y[:2])
    moved = stream.X.copy()
    moved[proof.rows[0]] += 0.1
    assert proof.verify(moved, stream.y) > 1e-4


def test_vectors_have_no_margin_on_other_data() -> None:
    y = np.arange(15) % 3
    X = np.eye(3)[y] + RNG.uniform(-0.2, 0.2, (15, 3))
    found = separability(X, y, [0, 0, 1])
    for one in found.findings:
        assert one.certificate is not None
        assert one.certificate.verify(2 * X, y) == pytest.approx(2 * (one.margin or 0))
        assert one.certificate.verify(X, (y + 1) % 3) < 0
