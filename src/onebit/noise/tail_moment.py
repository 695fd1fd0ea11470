"""TailMoment: flip rates from counts, at the two places where the truth is known without labels."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, lgamma, log, sqrt
from typing import Any, NamedTuple

import numpy as np

from onebit.core.aliases import FloatArray, IntArray
from onebit.core.checks import check_number
from onebit.core.errors import DataError
from onebit.feedback import NoiseRates
from onebit.noise.estimate import AnsweredPlays, NoiseEstimate, check_class_count, check_lessons
from onebit.noise.shadow import Shadow

_FIRST_RATES = NoiseRates(0.2, 0.2)
"""What the shadow believes of the bits until there is an estimate."""

_LEAST_RATE = 0.01
"""What it believes at least: at 0, one bit against it would be impossible."""

_ROUNDS_PER_ESTIMATE = 2_500
"""How often its rates are estimated again."""

_LEAST_TAIL = 500
_TAIL_GROWTH = 1.4
_LARGEST_SHARE = 0.6
"""Of the tail: its fewest rounds, the factor by which it grows, and the most of all rounds that it may take in."""

_TRUSTED_ROUNDS = 20_000
_TRUSTED_EXPLORATION = 0.09
_TRUSTED_BELIEF = 0.75
_TRUSTED_ERROR = 0.04
"""What an estimate without notes has at least, and the standard error that it has at most."""

_CLEARLY = 4.0
"""So many standard errors are no chance."""

_LARGEST_LOG = 700.0
"""exp of it is still a number."""


class _Tail(NamedTuple):
    """The rounds most surely right: how many, the mean û of their bits, its error, and which they are."""

    size: int
    mean: float
    se: float
    order: IntArray


@dataclass(frozen=True, kw_only=True)
class TailMoment:
    """Flip rates from two means of the bit, each at a place where the truth is known on average.

    Where labels are played uniformly, the truth is among m of K with probability m/K whatever the data; and
    far out in the tail of confidence the played label is right. Confidence is the margin of a shadow learner
    that watches the decisions, before it learns the round; it sees the halves of the log in both orders, and the
    half seen last counts.

        m̂ = Σ f/p / Σ 1/p = ρ0 + (1-ρ0-ρ1) m/K,      û = mean of f in the tail = 1-ρ1
        ρ̂1 = 1 - û,      ρ̂0 = (K m̂ - m û)/(K - m)

    The tail begins as the top `share` of the margins (at least 500 rounds) and grows by 1.4, up to 60 %, while
    its mean drops by no more than one standard error. The margin is the logit of the believed probability of
    the played set; for one label it ranks as the difference of the two best scores does, and sets have it too.

    Parameters: `classes`, their number K (default: as many as were played); `share`, where the tail begins.

    It needs examples that can be told with confidence, without which 1-ρ0-ρ1 is not identified by any method,
    and should have 20,000 rounds with a tenth of exploration; the estimate's notes say where it has not.

    >>> import onebit
    >>> stream = onebit.streams.synsep(20_000)
    >>> draw = np.random.default_rng(0)
    >>> played = draw.integers(9, size=20_000)                        # uniform play: propensity 1/9
    >>> flip = draw.random(20_000) < np.where(played == stream.y, 0.3, 0.1)
    >>> bit = (played == stream.y) != flip
    >>> estimate = TailMoment(classes=9).fit(stream.X, played, np.full(20_000, 1 / 9), bit)
    >>> bool(abs(estimate.rho_0 - 0.1) < 0.02), bool(abs(estimate.rho_1 - 0.3) < 0.06)
    (True, True)
    """

    classes: int | None = None
    share: float = 0.05

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", check_class_count(self.classes))
        check_number("share", self.share, 0, _LARGEST_SHARE, open_low=True)

    def fit(self, rows: Any, played: Any, propensity: Any, bit: Any) -> NoiseEstimate:
        """The rates, their standard errors, and notes on what the data cannot support.

        >>> TailMoment().fit([[0.0], [1.0]], ["no", "yes"], [1.0, 1.0], [0, 1])
        Traceback (most recent call last):
        onebit.core.errors.DataError: propensity: all above 0.5, so nothing was explored; ...
        """
        lessons = check_lessons(rows, played, propensity, bit, self.classes)
        _check_sets(lessons)
        # The two means of the bit, and what they say of the rates.
        margins = self._margins(lessons)
        tail = self._tail(margins, lessons.bit)
        uniform_mean, uniform_se = _uniform_mean(lessons.propensity, lessons.bit)
        K = lessons.n_classes
        m = lessons.played.shape[1]
        se_0 = sqrt((K * uniform_se) ** 2 + (m * tail.se) ** 2) / (K - m)
        se_1 = tail.se
        rates = _solve(lessons, tail.mean, uniform_mean)
        kept = NoiseEstimate(*rates)
        # What the shadow believed, for the notes; of the later half, whether it was right.
        belief = (1 + np.tanh(margins / 2)) / 2
        late = len(belief) // 2
        notes = [*_notes_on_play(lessons), *_notes_on_tail(tail, belief, lessons.bit)]
        for name, se in (("rho_0", se_0), ("rho_1", se_1)):
            if se > _TRUSTED_ERROR:
                notes.append(f"{name}: known to ±{se:.2f} only (one standard error)")
        predicted = kept.rho_0 + (1 - sum(kept)) * belief
        return NoiseEstimate(*rates, se_0, se_1, tuple(notes), predicted[late:], lessons.bit[late:])

    def _margins(self, lessons: AnsweredPlays) -> FloatArray:
        """The shadow's margin of every round before it was learned, each half seen after the other."""
        n = len(lessons.bit)
        half = len(lessons.bit) // 2
        rates = _FIRST_RATES
        shadow = Shadow(lessons.rows, lessons.n_classes)
        margins = np.zeros(n)

        def watch(part: slice) -> None:
            margins[part] = shadow.watch(part.start, lessons.played[part], lessons.bit[part], rates)

        # In order, with better rates from time to time: so the later half is seen last.
        for part in _slices(0, n):
            watch(part)
            if part.stop >= 2 * _ROUNDS_PER_ESTIMATE:
                late = slice(part.stop // 2, part.stop)
                tail = self._tail(margins[late], lessons.bit[late])
                uniform_mean, _ = _uniform_mean(lessons.propensity[: part.stop], lessons.bit[: part.stop])
                rho_0, rho_1 = NoiseEstimate(*_solve(lessons, tail.mean, uniform_mean))
                rates = NoiseRates(max(rho_0, _LEAST_RATE), max(rho_1, _LEAST_RATE))
        # The later half first, with the last rates: so the earlier one is seen last.
        late_margins = margins[half:].copy()
        shadow.forget()
        for part in (*_slices(half, n), *_slices(0, half)):
            watch(part)
        margins[half:] = late_margins
        return margins

    def _tail(self, margins: FloatArray, bit: IntArray) -> _Tail:
        """The rounds with the largest margins, as many as have about the same mean."""
        n = len(bit)
        order = np.argsort(-margins, kind="stable")
        yes = np.cumsum(bit[order])
        size = min(n, max(_LEAST_TAIL, int(self.share * n)))
        while (larger := int(size * _TAIL_GROWTH)) <= _LARGEST_SHARE * n:
            mean = yes[size - 1] / size
            next_mean = yes[larger - 1] / larger
            se = sqrt(next_mean * (1 - next_mean) * (1 / size - 1 / larger))
            if mean - next_mean > se:
                break
            size = larger
        mean = (yes[size - 1] + 1) / (size + 2)  # for the error only: all bits alike is no certainty
        return _Tail(size, float(yes[size - 1] / size), sqrt(mean * (1 - mean) / size), order[:size])


def _slices(first: int, stop: int) -> list[slice]:
    """The rounds between two estimates."""
    step = _ROUNDS_PER_ESTIMATE
    return [slice(i, min(i + step, stop)) for i in range(first, stop, step)]


def _check_sets(lessons: AnsweredPlays) -> None:
    K = lessons.n_classes
    m = lessons.played.shape[1]
    if m >= K:
        raise DataError(f"played: sets of {m} labels out of {K} classes; the answer says nothing about a set of all")
    ordered = np.sort(lessons.played, axis=1)
    twice = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
    if len(twice):
        raise DataError(f"played: a label stands twice in row {twice[0]}; give sets of different labels")
    if lessons.propensity.min() > 0.5:
        raise DataError(
            "propensity: all above 0.5, so nothing was explored; rho_0 can be told only from a log that "
            "plays other labels too, say a tenth of the time, with the propensity of each draw"
        )


def _uniform_mean(propensity: FloatArray, bit: IntArray) -> tuple[float, float]:
    """m̂ = Σ f/p / Σ 1/p, the mean of the bit had the play been uniform, and its standard error."""
    weight = propensity.min() / propensity  # the smallest: no square of a weight can overflow
    mean = float(weight @ bit / weight.sum())
    return mean, float(np.linalg.norm(weight * (bit - mean)) / weight.sum())


def _solve(lessons: AnsweredPlays, tail_mean: float, uniform_mean: float) -> tuple[float, float]:
    """ρ̂0 and ρ̂1 from û and m̂."""
    K = lessons.n_classes
    m = lessons.played.shape[1]
    return (K * uniform_mean - m * tail_mean) / (K - m), 1 - tail_mean


def _notes_on_play(lessons: AnsweredPlays) -> list[str]:
    """Too few rounds, too little exploration, and propensities that do not fit the number of classes."""
    notes = []
    n, m = lessons.played.shape
    K = lessons.n_classes
    least = lessons.propensity.min()
    weight = least / lessons.propensity
    if n < _TRUSTED_ROUNDS:
        notes.append(f"{n} rounds: the estimate is to be trusted from {_TRUSTED_ROUNDS} on")
    # 1/propensity has as its mean the number of sets that can be played, counted with their order or without
    found = log(weight.mean()) - log(least)
    ordered = lgamma(K + 1) - lgamma(K - m + 1)
    expected = min(ordered, ordered - lgamma(m + 1), key=lambda count: abs(count - found))
    explored = weight.sum() ** 2 / (weight**2).sum() / n * (1 - exp(-expected))
    if explored < _TRUSTED_EXPLORATION:
        notes.append(
            f"exploration: worth {explored:.1%} of the rounds played uniformly; "
            "rho_0 is to be trusted from 10 % on (gamma=0.1)"
        )
    ratio = exp(min(expected - found, _LARGEST_LOG))
    spread = weight.std() / weight.mean() / sqrt(n)
    if abs(1 - ratio) > _CLEARLY * spread + 0.01 * ratio:
        notes.append(
            f"propensity: 1/propensity has a mean {1 / ratio:.3g} times that of {K} classes, all of them explored; "
            "give their number as classes=, or look how the propensities were logged"
        )
    return notes


def _notes_on_tail(tail: _Tail, belief: FloatArray, said: IntArray) -> list[str]:
    """A tail that is too small, not sure, or not flat."""
    notes = []
    consequence = "rho_1 may be too large"
    if tail.size < _LEAST_TAIL:
        notes.append(f"tail: only {tail.size} rounds, and rho_1 should have {_LEAST_TAIL}")
    sure = belief[tail.order[:_LEAST_TAIL]].mean()
    if sure < _TRUSTED_BELIEF:
        notes.append(f"tail: even the surest rounds are believed right with {sure:.2f} only; {consequence}")
    top, rest = np.array_split(said[tail.order], 2)
    if len(rest) and top.mean() - rest.mean() > _CLEARLY * 2 * tail.se:
        notes.append(f"tail: {top.mean():.3f} yes in its surer half and {rest.mean():.3f} in the other; {consequence}")
    return notes
