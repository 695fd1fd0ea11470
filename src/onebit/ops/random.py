"""Random draws in compiled code: NumPy's PCG64, its state kept in four words.

A NumPy `Generator` costs 7 µs each time it enters a compiled function from Python, four words in an array
0.15 µs (`python -m benchmarks.decisions`), and they save as they are. The numbers are those of
`numpy.random.Generator(PCG64).random()`, bit for bit; the tests hold them equal.
"""

from __future__ import annotations

import numpy as np

from onebit.core.aliases import FloatArray, Rng
from onebit.ops.jit import jit

_WORD = 2**64
_MULTIPLIER_HIGH = np.uint64(0x2360ED051FC65DA4)
_MULTIPLIER_LOW = np.uint64(0x4385DF649FCCF645)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_ROTATION = np.uint64(58)
_WIDTH = np.uint64(63)
_TO_DOUBLE = np.uint64(11)
"""Of the 128 bits of PCG64: its multiplier, and how far words are shifted and rotated."""


def pack(generator: np.random.PCG64) -> Rng:
    """The state of a NumPy PCG64 as four words: state high, low, increment high, low.

    >>> rng = pack(np.random.PCG64(0))
    >>> rng.dtype, rng.shape
    (dtype('uint64'), (4,))
    """
    inner = generator.state["state"]
    words = [half for number in (inner["state"], inner["inc"]) for half in divmod(number, _WORD)]
    return np.array(words, dtype=np.uint64)


@jit
def _multiply_high(a: np.uint64, b: np.uint64) -> np.uint64:
    """The high word of the 128-bit product."""
    a_low = a & _LOW_HALF
    a_high = a >> _HALF
    b_low = b & _LOW_HALF
    b_high = b >> _HALF
    middle = a_high * b_low + ((a_low * b_low) >> _HALF)
    return a_high * b_high + (middle >> _HALF) + ((a_low * b_high + (middle & _LOW_HALF)) >> _HALF)


@jit
def uniform(rng: Rng) -> float:
    """The next number, uniform in [0, 1).

    >>> rng = pack(np.random.PCG64(0))
    >>> uniform(rng) == np.random.Generator(np.random.PCG64(0)).random()
    True
    """
    # state = state · multiplier + increment, in 128 bits.
    high = rng[0]
    low = rng[1]
    product = low * _MULTIPLIER_LOW
    high = _multiply_high(low, _MULTIPLIER_LOW) + low * _MULTIPLIER_HIGH + high * _MULTIPLIER_LOW
    low = product + rng[3]
    high = high + rng[2] + (_ONE if low < product else _ZERO)
    rng[0] = high
    rng[1] = low
    # The halves of the state, combined and rotated; the highest 53 bits are the number.
    word = high ^ low
    turn = high >> _ROTATION
    word = (word >> turn) | (word << ((_ZERO - turn) & _WIDTH))
    return float(word >> _TO_DOUBLE) * 2.0**-53


@jit
def below(rng: Rng, n: int) -> int:
    """A whole number, uniform in 0 .. n-1.

    >>> 0 <= below(pack(np.random.PCG64(0)), 6) < 6
    True
    """
    return min(int(uniform(rng) * n), n - 1)


@jit
def first_best(scores: FloatArray) -> int:
    """The index of the largest score, the lowest one of a tie.

    >>> first_best(np.array([1.0, 3.0, 3.0]))
    1
    """
    best = 0
    top = scores[0]
    for k in range(1, scores.shape[0]):
        if scores[k] > top:
            best = k
            top = scores[k]
    return best


@jit
def best_label(scores: FloatArray, random_ties: bool, rng: Rng) -> tuple[int, int]:
    """The index of the largest score, and among how many equals it was drawn.

    >>> best_label(np.array([1.0, 3.0, 3.0]), False, pack(np.random.PCG64(0)))
    (1, 1)
    >>> best_label(np.array([1.0, 3.0, 3.0]), True, pack(np.random.PCG64(0)))[1]
    2
    """
    top = first_best(scores)
    if not random_ties:
        return top, 1
    # Count the equals, and draw one of them.
    ties = 0
    for k in range(scores.shape[0]):
        ties += scores[k] == scores[top]
    if ties == 1:
        return top, 1
    skip = below(rng, ties)
    for k in range(top, scores.shape[0]):
        if scores[k] == scores[top]:
            if skip == 0:
                return k, ties
            skip -= 1
    return top, ties


@jit
def best_label_pmf(scores: FloatArray, random_ties: bool, out: FloatArray) -> None:
    """How likely `best_label` is to give each label.

    >>> out = np.zeros(3)
    >>> best_label_pmf(np.array([1.0, 3.0, 3.0]), True, out)
    >>> out
    array([0. , 0.5, 0.5])
    """
    top = first_best(scores)
    ties = 0
    for k in range(scores.shape[0]):
        tied = scores[k] == scores[top] if random_ties else k == top
        out[k] = 1.0 if tied else 0.0
        ties += tied
    for k in range(scores.shape[0]):
        out[k] /= ties


@jit
def gamma_greedy_pmf(scores: FloatArray, gamma: float, random_ties: bool, out: FloatArray) -> None:
    """How likely `gamma_greedy` is to play each label.

    >>> out = np.zeros(2)
    >>> gamma_greedy_pmf(np.array([0.0, 1.0]), 0.5, False, out)
    >>> out
    array([0.25, 0.75])
    """
    best_label_pmf(scores, random_ties, out)
    for k in range(out.shape[0]):
        out[k] = gamma / out.shape[0] + (1 - gamma) * out[k]


@jit
def gamma_greedy(scores: FloatArray, gamma: float, random_ties: bool, rng: Rng) -> tuple[int, int, float, bool]:
    """Play the best label, or with probability γ a uniform one: played, greedy, propensity, explored.

    The propensity is p_r = (1-γ) 1[r is greedy] + γ/K; with random ties (1-γ) is shared by the tied labels.

    >>> gamma_greedy(np.array([0.0, 1.0]), 0.0, False, pack(np.random.PCG64(0)))
    (1, 1, 1.0, False)
    """
    n = scores.shape[0]
    greedy, ties = best_label(scores, random_ties, rng)
    u = uniform(rng)
    explored = u < gamma
    played = min(int(u / gamma * n), n - 1) if explored else greedy
    propensity = gamma / n
    if scores[played] == scores[greedy] and (random_ties or played == greedy):
        propensity += (1 - gamma) / ties
    return played, greedy, propensity, explored
