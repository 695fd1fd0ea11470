"""NREst: flip rates from a classifier that predicts the bit."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp

from onebit.core.aliases import FloatArray, IntArray
from onebit.core.checks import check_choice, check_number, check_whole, wrong
from onebit.core.errors import DataError
from onebit.core.seeds import check_seed
from onebit.noise.estimate import AnsweredPlays, NoiseEstimate, check_class_count, check_lessons
from onebit.noise.network import fit_network, one_thread, torch_module

Form = Literal["per-label", "released"]

Answers = Callable[[Any, int], FloatArray]
"""q(rows, j): for each row, the probability that the world says "right" if label j is played."""

_FEWEST_ROUNDS = 50
"""A label with fewer rounds than this has no say."""

_ENOUGH_ROUNDS = 1000
"""With fewer rounds per label than this, the estimate carries a note."""

_ROUNDS_PER_FEATURE = 25
_MOST_FEATURES = 250
"""Where, on pictures, the percentile's shortfall and the overfitting were measured to cancel best."""

_PERCENTILES_NEAR = 1
"""x*_k stands for the examples within so many percentiles of it: what one of them is told as another class
depends on which one it happens to be."""

_KEPT_SHARE = 10
"""One round in so many is kept from fitting."""

_ROWS_FOR_DIRECTIONS = 5000
"""So many rows, or a few more, tell the principal directions well enough."""

_ROWS_AT_ONCE = 1024


@dataclass(frozen=True)
class NREst:
    """Noise Rate Estimator: where the classifier of the bit is surest, the bit shows its flip rates.

    A classifier learns q(x, j) = P(the world says "right" | x, played j). If every class k has "perfect
    examples", rows that are surely of class k, then playing k on one of them is told "right" with probability
    1-ρ1, and playing any other label with probability ρ0. The perfect example x*_k is the one at the 89th
    percentile of q(x, k) among the rounds that played k (the maximum would be an outlier), or rather the mean of
    those within one percentile of it: what a single one would be told as another class is left to chance.

        1-ρ̂1 = mean over k of q(x*_k, k),   ρ̂0 = mean over k ≠ l of q(x*_k, l)

    Parameters: `classifier`, None for logistic regression on the rows' leading principal components (as many as
    leave 25 rounds of each label per component, at most 250), "network" for the paper's network (needs the
    `torch` extra), or any scikit-learn classifier with `predict_proba`; `classes`, the number of classes if some
    were never played; `percentile`; `layers`, `epochs` of the network; `seed`. Logistic regression and a
    classifier of your own are fitted once per played label, since joined to the rows as a feature the label could
    not change what a linear classifier makes of the other features; yours is cloned, never changed. A tenth of
    the rounds is kept from fitting, for `predicted` and `said`.

    `form` is how the rates are read off the classifier. "per-label" is the above, ours. "released" is what the code
    that the authors released does, and differs in four ways. One classifier sees all labels: the row, scaled to unit
    norm, with the played label appended as one number. Among all rounds it was fitted on, whatever was played, it
    takes the one whose predicted "wrong" is largest below the 89th percentile of all, and ρ̂0 is what is predicted
    there for "right"; likewise the surest "right", and ρ̂1. There are no standard errors. And `classifier=None` is
    scikit-learn's network of these `layers`; "network" is the authors', from He's weights. Take "per-label" for
    rates; "released" is there to compare with the paper. On USPS (60,000 rounds, γ = .2, six pairs of rates) the RMSE
    of (ρ̂0, ρ̂1) is .008, .020 in .6 s for "per-label"; for "released" .013, .020 in 9 s with "network", and
    .031, .027 in 9 s without (`python -m benchmarks.nrest_rates usps`; `released network usps`; `released usps`).

    Guarantee: consistent if perfect examples exist, make up 11 % of the rounds of each label, and the classifier
    is. Where classes overlap, ρ̂1 is too large; where rounds are few, a classifier that overfits makes it too
    small. The standard errors tell how far the labels disagree, and know nothing of these two.

    >>> draw = np.random.default_rng(0)
    >>> truth, played = draw.integers(3, size=(2, 30_000))
    >>> said = draw.random(30_000) < np.where(played == truth, 0.6, 0.2)
    >>> estimate = NREst().fit(np.eye(3)[truth], played, np.full(30_000, 1 / 3), said)
    >>> round(estimate.rho_0, 2), round(estimate.rho_1, 2)
    (0.2, 0.4)

    Reference: Agarwal, Manwani, "Learning multiclass classifier under noisy bandit feedback", PAKDD 2021,
    Algorithm 3. (It looks for x*_k among all rows; for many classes, most rounds of which are wrong, that fails.)
    """

    classifier: Any = None
    classes: int | None = None
    percentile: float = 89
    layers: tuple[int, ...] = (128, 128)
    epochs: int = 70
    seed: int = 0
    form: Form = "per-label"

    def __post_init__(self) -> None:
        chosen = self.classifier
        able = all(callable(getattr(chosen, name, None)) for name in ("fit", "predict_proba", "get_params"))
        if not (chosen is None or chosen == "network" or (able and not isinstance(chosen, type))):
            wanted = "None, 'network', or a scikit-learn classifier (an object, not a class) with predict_proba"
            raise wrong("classifier", chosen, wanted)
        if chosen == "network":
            torch_module()  # better now than after the first window of a long run
        check_number("percentile", self.percentile, 0, 100, open_low=True)
        if not isinstance(self.layers, tuple) or not self.layers:
            raise wrong("layers", self.layers, "a tuple of whole numbers, 1 or larger, as in (128, 128)")
        object.__setattr__(self, "classes", check_class_count(self.classes))
        object.__setattr__(self, "layers", tuple(check_whole("layers", width, of="units") for width in self.layers))
        object.__setattr__(self, "epochs", check_whole("epochs", self.epochs))
        check_seed(self.seed)
        check_choice("form", self.form, ("per-label", "released"))

    def fit(self, rows: Any, played: Any, propensity: Any, bit: Any) -> NoiseEstimate:
        """The rates, from rows, single played labels, their propensities (not used) and the bits.

        >>> NREst().fit([[1.0], [0.0]], [("a", "b"), ("b", "c")], [0.5, 0.5], [1, 0])
        Traceback (most recent call last):
        onebit.core.errors.DataError: played: sets of 2 labels; NREst takes single labels; use TailMoment for sets
        """
        lessons = check_lessons(rows, played, propensity, bit, self.classes)
        if lessons.played.shape[1] > 1:
            raise DataError(
                f"played: sets of {lessons.played.shape[1]} labels; NREst takes single labels; use TailMoment for sets"
            )
        labels = lessons.played[:, 0]
        names = np.unique(np.asarray(played))
        counts = np.bincount(labels)
        heard = np.flatnonzero(counts >= _FEWEST_ROUNDS)
        if len(heard) < 2:
            raise DataError(
                f"played: {len(heard)} of {len(counts)} labels have {_FEWEST_ROUNDS} rounds or more, and NREst "
                "compares at least 2; give more rounds, or explore more"
            )
        with self._threads():
            if self.form == "released":
                return self._released_estimate(lessons, labels)
            return self._estimate(lessons, labels, names, heard)

    def _threads(self) -> AbstractContextManager[Any]:
        """One thread for our own classifiers: the same bits on every machine, and no crowd beside other replicas."""
        if self.classifier == "network":
            return one_thread()
        if self.classifier is not None:
            return nullcontext()
        from threadpoolctl import threadpool_limits

        limits: AbstractContextManager[Any] = threadpool_limits(1, "blas")
        return limits

    def _estimate(self, lessons: AnsweredPlays, labels: IntArray, names: Any, heard: IntArray) -> NoiseEstimate:
        """The rates, from the classifier's answers at the perfect examples."""
        table = lessons.rows
        bits = lessons.bit
        n_labels = len(names)
        if self.classifier is None:
            width = len(labels) // (_ROUNDS_PER_FEATURE * n_labels)
            table = _components(table, min(max(width, 1), _MOST_FEATURES), self.seed)
        # Fit the classifier, and read the rates off it.
        tested, taught = self._split(len(labels))
        q = self._fit_answers(table[taught], labels[taught], bits[taught], n_labels)
        M = self._examples(table, labels, heard, q)
        rho_0, rho_1, se_0, se_1 = _rates(M)
        # What it says of the rounds that were kept from it.
        predicted = np.empty(len(tested))
        for j in range(n_labels):
            here = labels[tested] == j
            if here.any():
                predicted[here] = q(table[tested[here]], j)
        notes = _notes(lessons, names, heard, (rho_0, rho_1), self.percentile)
        return NoiseEstimate(rho_0, rho_1, se_0, se_1, notes, predicted, bits[tested])

    def _split(self, n: int) -> tuple[IntArray, IntArray]:
        """The rounds that are kept from fitting, and the others."""
        order = np.random.default_rng(self.seed).permutation(n)
        tested, taught = np.split(order, [n // _KEPT_SHARE])
        taught.sort()
        return tested, taught

    def _released_estimate(self, lessons: AnsweredPlays, labels: IntArray) -> NoiseEstimate:
        """The rates as the released code has them: of one round that seems surely wrong, and one surely right."""
        bits = lessons.bit
        table = _joined(lessons.rows, labels)
        tested, taught = self._split(len(labels))
        predict = self._fit_joined(table[taught], bits[taught])
        yes = predict(table[taught])
        rho_0 = float(yes[_surest(1 - yes, self.percentile)])
        rho_1 = float(1 - yes[_surest(yes, self.percentile)])
        notes = _released_notes(bits, rho_0, rho_1, self.percentile)
        return NoiseEstimate(rho_0, rho_1, notes=notes, predicted=predict(table[tested]), said=bits[tested])

    def _fit_joined(self, table: Any, bits: IntArray) -> Callable[[Any], FloatArray]:
        """The probability of "right" for rows that end in the label played."""
        if len(np.unique(bits)) < 2:
            return lambda rows: np.full(rows.shape[0], float(bits[0]))
        if self.classifier == "network":
            unused = np.zeros(len(bits), dtype=np.int64)
            q = fit_network(table, unused, bits, 0, self.layers, self.epochs, self.seed, he=True)
            return lambda rows: q(rows, 0)
        from sklearn.base import clone
        from sklearn.neural_network import MLPClassifier

        ours = MLPClassifier(
            self.layers,
            batch_size=min(128, len(bits)),
            max_iter=self.epochs,
            early_stopping=True,
            random_state=self.seed,
        )
        model = clone(ours if self.classifier is None else self.classifier)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Stochastic Optimizer: Maximum iterations", module="sklearn")
            model.fit(table, bits)
        return lambda rows: np.asarray(model.predict_proba(rows)[:, 1], dtype=np.float64)

    def _fit_answers(self, table: Any, labels: IntArray, bits: IntArray, n_labels: int) -> Answers:
        if self.classifier == "network":
            return fit_network(table, labels, bits, n_labels, self.layers, self.epochs, self.seed)
        from sklearn.base import clone
        from sklearn.linear_model import LogisticRegression

        ours = LogisticRegression(solver="newton-cholesky", tol=1e-3)
        pattern = ours if self.classifier is None else self.classifier
        models: list[Any] = []
        for j in range(n_labels):
            mine = np.flatnonzero(labels == j)
            told = bits[mine]
            if len(np.unique(told)) == 2:
                models.append(clone(pattern).fit(table[mine], told))
            else:
                models.append(float(told[0]) if len(told) else float(bits.mean()))
        return lambda rows, j: (
            np.full(rows.shape[0], models[j]) if isinstance(models[j], float) else models[j].predict_proba(rows)[:, 1]
        )

    def _examples(self, table: Any, labels: IntArray, heard: IntArray, q: Answers) -> FloatArray:
        """M[k, l] = q(x*_k, l), the mean over the examples of class k that stand for x*_k."""
        M = np.empty((len(heard), len(heard)))
        for k, label in enumerate(heard):
            mine = np.flatnonzero(labels == label)
            ranked = mine[np.argsort(q(table[mine], int(label)), kind="stable")]
            low, high = (
                round(p / 100 * (len(mine) - 1))
                for p in (self.percentile - _PERCENTILES_NEAR, self.percentile + _PERCENTILES_NEAR)
            )
            stars = ranked[max(low, 0) : high + 1]
            M[k] = [q(table[stars], int(j)).mean() for j in heard]
        return M


def _joined(rows: Any, labels: IntArray) -> Any:
    """Each row scaled to unit norm, and the number of its label behind it."""
    scale = max(float(rows.max()), -float(rows.min())) or 1.0
    unit = rows / scale
    if sp.issparse(unit):
        lengths = np.sqrt(np.asarray(unit.multiply(unit).sum(axis=1)).ravel())
        return sp.hstack([sp.diags_array(1 / np.where(lengths > 0, lengths, 1)) @ unit, labels[:, None]], format="csr")
    lengths = np.linalg.norm(unit, axis=1, keepdims=True)
    return np.hstack([unit / np.where(lengths > 0, lengths, 1), labels[:, None]])


def _surest(probability: FloatArray, percentile: float) -> int:
    """The round of the largest probability below the percentile; of the largest, where none is below."""
    limit = np.percentile(probability, percentile, method="higher")
    below = np.where(probability < limit, probability, -1)
    return int(np.argmax(below if below.max() >= 0 else probability))


def _released_notes(bits: IntArray, rho_0: float, rho_1: float, percentile: float) -> tuple[str, ...]:
    right = (bits.mean() - rho_0) / max(1 - rho_0 - rho_1, 1e-9)
    least = 1 - percentile / 100
    rare = "right" if right < least else "wrong" if right > 1 - least else ""
    if not rare:
        return ()
    return (
        f"answers that are truly {rare} seem too rare for the percentile {percentile:g} to fall on one; "
        "take form='per-label', or a higher percentile",
    )


def _components(rows: Any, width: int, seed: int) -> FloatArray:
    """The rows' coordinates on their leading principal directions (all features if few), centred, of unit variance."""
    from sklearn.utils.extmath import randomized_svd

    n, d = rows.shape
    scale = max(float(rows.max()), -float(rows.min())) or 1.0
    sample = rows[:: max(1, n // _ROWS_FOR_DIRECTIONS)]
    width = min(width, d, sample.shape[0])
    # The directions, unless all features are few enough.
    V = None
    if width < d:
        _, _, V = randomized_svd((sample / scale).astype(np.float32), width, n_iter=2, random_state=seed)
    # The coordinates, block by block: the table is never dense as a whole.
    Z = np.empty((n, width), dtype=np.float32)
    for i in range(0, n, _ROWS_AT_ONCE):
        block = (rows[i : i + _ROWS_AT_ONCE] / scale).astype(np.float32)
        block = block.toarray() if sp.issparse(block) and V is None else block
        Z[i : i + _ROWS_AT_ONCE] = block if V is None else block @ V.T
    Z -= Z.mean(axis=0)
    spread = Z.std(axis=0)
    return Z / np.where(spread > 0, spread, 1)


def _rates(M: FloatArray) -> tuple[float, float, float, float]:
    """ρ̂0, ρ̂1 and their standard errors over labels (for ρ̂0: over those of the example, and those played)."""
    K = len(M)
    right = np.diag(M)
    by_example, by_label = ((M.sum(axis=axis) - right) / (K - 1) for axis in (1, 0))
    se_0 = np.sqrt((by_example.var(ddof=1) + by_label.var(ddof=1)) / K)
    se_1 = right.std(ddof=1) / np.sqrt(K)
    return float(by_example.mean()), float(1 - right.mean()), float(se_0), float(se_1)


def _notes(
    lessons: AnsweredPlays, names: Any, heard: IntArray, rates: tuple[float, float], percentile: float
) -> tuple[str, ...]:
    labels = lessons.played[:, 0]
    classes = lessons.n_classes
    counts = np.bincount(labels)
    notes = []
    if len(counts) < classes:
        notes.append(f"{classes - len(counts)} of {classes} labels were never played: they have no say")
    if len(heard) < len(counts):
        quiet = ", ".join(str(names[j]) for j in range(len(counts)) if j not in heard)
        notes.append(f"labels played fewer than {_FEWEST_ROUNDS} times have no say: {quiet}")
    if len(labels) < _ENOUGH_ROUNDS * len(counts):
        notes.append(
            f"{len(labels) // len(counts)} rounds per label: with fewer than {_ENOUGH_ROUNDS} the classifier may "
            "overfit"
        )
    beta = 1 - sum(rates)
    right = (np.bincount(labels, lessons.bit)[heard] / counts[heard] - rates[0]) / max(beta, 1e-9)
    rare = [str(names[j]) for j, share in zip(heard, right, strict=True) if share < 1 - percentile / 100]
    if rare:
        notes.append(
            f"labels that seem right too rarely for the percentile {percentile:g} to fall on a perfect example: "
            f"{', '.join(rare)}; explore more, or take a higher percentile"
        )
    return tuple(notes)
