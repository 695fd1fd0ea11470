"""OneBit: one posterior update for every kind of answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onebit.contract.class_axes import Axes, Part, class_axes
from onebit.contract.compiled import Functions
from onebit.contract.layout import Layout, is_many
from onebit.contract.parameters import checked, choice, number
from onebit.contract.schema import reals, room, whole
from onebit.contract.set_learner import SetLearner, check_size
from onebit.contract.states import grown, with_copies
from onebit.core.aliases import FloatArray
from onebit.core.checks import check_whole
from onebit.core.errors import ConfigError, DataError, FormatError
from onebit.core.registry import register
from onebit.feedback import NoiseRates
from onebit.learners.one_bit import bank
from onebit.learners.one_bit.among import decide_among
from onebit.learners.one_bit.bank import BankState
from onebit.learners.one_bit.calibration import Calibration, calibrated, calibration_schema, new_calibration, worth
from onebit.learners.one_bit.classes import begin_classes, in_form, restarts
from onebit.learners.one_bit.curved import state as curved
from onebit.learners.one_bit.curved import step
from onebit.learners.one_bit.curved.state import CurvedState
from onebit.learners.one_bit.decide import decide, pmf, score
from onebit.learners.one_bit.describe import Description, describe
from onebit.learners.one_bit.drift import drift_schema, new_drift
from onebit.learners.one_bit.explain import explain
from onebit.learners.one_bit.explanation import Explanation
from onebit.learners.one_bit.features import new_prepared_row, new_statistics, prepared_row_schema, statistics_schema
from onebit.learners.one_bit.learn import learn, learn_label
from onebit.learners.one_bit.lies import FIRST_RATE, Lies, lies_schema, new_lies
from onebit.learners.one_bit.rated import linear
from onebit.learners.one_bit.rated.linear import RatedState
from onebit.learners.one_bit.rated.rates import check_rates, expected_rates
from onebit.learners.one_bit.state import NOTHING, SPREADS, Clock, Hyper, Room, State, WarmUp, Weights, file_arrays
from onebit.ops.bit_likelihood import Beliefs, new_beliefs

_MOST_FEATURES_FULL = 300  # with the bias
_MOST_NUMBERS_FULL = 2**27
_MOST_NUMBERS_WARM_UP = 2**21
_SPARSE_VARIANCE = 10_000.0
_DENSE_VARIANCE = 100.0
_SHARED_ABOVE = 80  # more dense features than this share the variance that so many have
_MOST_BUDGET = 4096


def _check_budget(name: str, value: Any) -> int:
    return check_whole(name, value, 0, _MOST_BUDGET, of="cases", floats=True)


def _check_line(name: str, line: Calibration) -> None:
    if not line.S_aa[0] * line.S_bb[0] > line.S_ab[0] ** 2:
        raise FormatError(f"array {name} holds no information that could have been learned")


def _check_noise(name: str, value: Any) -> NoiseRates | str | None:
    if value is None or (isinstance(value, str) and value == "auto"):
        return value
    if isinstance(value, tuple | list) and len(value) == 2:
        return NoiseRates(*value).checked()
    raise ConfigError(f"{name}={value!r}: must be 'auto', None, or NoiseRates(rho_0, rho_1)")


@register("one-bit")
class OneBit(SetLearner):
    """One learner, one default, every kind of answer: a bit about a label or a set, a bit that lies, the label.

    It believes that the label is r with probability p_r = softmax(W x)_r. A played set A is answered "yes" with
    probability π = ρ0 + (1-ρ0-ρ1) Σ_{r∈A} p_r, so by Bayes the bit turns p into a posterior q, and the gradient of
    its log-likelihood in the scores is q - p. No importance weights, so "wrong" teaches too. The weights are
    Gaussian, with one covariance P_r per class; each step goes as far as its own end agrees with it, so there is no
    learning rate to set.

        p = Σ_e s_e softmax(W_e x),   one expert e for each flip rate ρ_e that may hold,   Σ_e s_e = 1
        A = the m labels with the largest p, w the last of them, c = Σ_{r∉A} p_r
        r ∉ A takes the place of w with probability (1-γ) c / (K c + 40 c_λ √(K t) (p_w - p_r)) + γ/K
        s_e ∝ s_e P(bit | e);   and each expert, with its own p, q, ρ, W and P:
        q_r ∝ p_r P(bit | r),   w_r += τ (q_r - p_r) P_r x,   τ where the gradient at the end is τ (q - p)
        P_r -= h_r/(1 + h_r s_r) P_r x xᵀP_r,   h_r = [p_r(1-p_r) - q_r(1-q_r)]₊ at the end,   s_r = xᵀP_r x

    What x is, and how many models there are, follows from the rows:

    - Dense rows (`one_bit.curved`): x are the kernels to at most `budget` rows that were news and are kept, so
      boundaries bend. Four experts, with flip rates of .01, .05, .25 and .4 (`one_bit.rated`), unless rates are known.
    - Sparse rows of 300 features and more: the row itself, diagonal covariances, the same four experts.
    - Sparse rows of fewer, and all of them with `kernel=None`, `budget=0` or a `curvature` of your own: one model. It
      decides by p~ = softmax(z_r + b √(xᵀP_r x)) with b = max(1, 5/√d) if full and d ≤ 64, else 0, and estimates the
      flip rates (`one_bit.lies`); where bits lie often it begins again, with a prior tighter by κ² = (1-ρ0-ρ1)².
    - Raw cases: a bank of three such models (`one_bit.bank`), with diagonal covariances, that differ in their prior
      variance alone: .3 K, 5 K and 300 K, and a fourth one with .3 K that also keeps cases by their numbers and
      vectors. They are mixed by how well they foretell the bits, so that one default serves mixed tables, where the
      tight one is best, curved ones, and sentences with a hundred labels.

    Rows need no preparation. Drift: if wrong answers become more frequent (Page and Hinkley), it begins again.
    Probabilities are calibrated by the bits themselves: `one_bit.calibration`.

    Parameters: `m`, how many labels it plays, 1 to K-1; `gamma`, a share of uniform exploration, for logs whose
    propensities have a floor; `noise`, "auto" to find the flip rates, None for bits that never lie, or their
    `NoiseRates`; `kernel`, None for flat cuts and one model on all rows; `budget`, how many rows or cases it may keep,
    more for fewer mistakes and slower rounds; `curvature`, "auto", or for one model on all rows "full" (a d × d matrix
    per class) or "diagonal": by itself that one is full up to 299 features, and beyond them diagonal after a warm-up
    of 500 lessons with full ones, if these take no more than 2^21 numbers; `variance`, that of a weight before the
    first lesson, for sets divided by m: "auto" for 100 if rows are dense (one model above 80 features: 8,000/d) or of
    few sparse columns, 10,000 if sparse columns are many or `kernel` is None, and a bank for raw cases, which a number
    makes one model; `drift`, "restart" or None;
    `standardize`, False for rows that come as they should be; `open`, True to add a told label that is new by itself;
    the others as for every learner.

    Guarantee: none is proved. `benchmarks.onebit` measures it against every other learner here.

    >>> import onebit
    >>> learner = onebit.OneBit(["billing", "refund", "abuse"])
    >>> decision = learner.decide({"text": "charged twice", "amount": 20})
    >>> learner.learn(decision, True)                                      # right: a bit
    >>> learner.learn(learner.decide({"text": "spam", "amount": 0}), "abuse")   # or the label, if known
    >>> result = onebit.simulate(onebit.OneBit(9), onebit.streams.synsep(20_000), seeds=1)
    >>> bool(result.error < 0.01)
    True
    """

    m: int = checked(default=1, check=check_size)
    gamma: float = number(default=0.0, low=0, high=1)
    noise: Any = checked(default="auto", check=_check_noise)
    curvature: str = choice("auto", "full", "diagonal", default="auto")
    variance: float | str = number(default="auto", low=0, open_low=True, words=("auto",))
    drift: str | None = choice("restart", None, default="restart")
    standardize: bool = choice(True, False, default=True)
    open: bool = choice(False, True, default=False, later=True)
    kernel: str | None = choice("auto", None, default="auto", formerly=None)
    budget: int = checked(default=256, check=_check_budget, later=True)

    takes_noise = True
    functions = Functions(decide, learn, score, learn_label, decide_among, pmf)

    @property
    def has_bank(self) -> bool:
        """Whether its state is that for raw cases: a bank of prior variances."""
        return self._session.encoder is not None and self.curvature != "full"

    @property
    def has_experts(self) -> bool:
        """Whether dense rows are learned by a dictionary of kept cases, and unknown lies by a grid of flip rates."""
        return self.kernel is not None and self.budget > 0 and self.curvature == "auto"

    def form(self, layout: Layout) -> str:
        """How such rows are learned: "bank", "curved", "rated", or "linear"."""
        if self.has_bank:
            return "bank"
        if not self.has_experts:
            return "linear"
        if layout.kind == "dense":
            return "curved"
        return "rated" if layout.n_features + 1 > _MOST_FEATURES_FULL else "linear"

    @property
    def rows_of_cases(self) -> dict[str, bool]:
        """A bank is at its best with pairs, and keeps cases by quantities; rarity is by OneBit's own count."""
        return {"pairs": self.curvature != "full", "rarity": False, "quantities": self.has_experts}

    def compiled_for(self, state: Any) -> Functions:
        """Those for the form of the state."""
        if isinstance(state, CurvedState):
            return step.FUNCTIONS
        if isinstance(state, RatedState):
            return linear.FUNCTIONS
        return bank.FUNCTIONS if self.has_bank else self.functions

    @property
    def top_size(self) -> int:
        """None: learning needs nothing but the labels played."""
        return 0

    @property
    def takes_new_labels(self) -> bool:
        """Whether it is open."""
        return self.open

    def flip_rates(self) -> None:
        """None: the flip rates are part of the state."""

    def hyper(self) -> Hyper:
        """γ and the switches for compiled code."""
        estimate = self.noise == "auto"
        return Hyper(self.gamma, estimate, self.drift is not None, self.standardize, False, self.most_kept, True)

    def hyper_among(self) -> Hyper:
        """The same for a lesson about some of the labels: not every wrong answer to it speaks of drift."""
        return self.hyper()._replace(among=True)

    def hyper_to_propose(self, hyper: Hyper) -> Hyper:
        """The same for a proposal, whose row counts when its answer is learned."""
        return hyper._replace(counts=False)

    @property
    def most_kept(self) -> int:
        """How many cases a dictionary may hold."""
        return curved.most_kept(self.budget, len(self.classes))

    @property
    def _bank_keeps_cases(self) -> bool:
        """Whether a member of the bank for raw cases does, by their quantities."""
        encoder = self._session.encoder
        alone = isinstance(self.variance, str)
        return self.has_experts and alone and encoder is not None and encoder.has_quantities

    def start(self, layout: Layout) -> Any:
        """W = 0, P_r = κ² variance · I; or an empty dictionary."""
        form = self.form(layout)
        if form == "bank":
            capacity = curved.first_capacity(self.most_kept) if self._bank_keeps_cases else 0
            kept = bank.new_kept(layout.n_classes, _DENSE_VARIANCE / self.m, capacity)
            return bank.start(layout, self._variances(layout.n_classes), self._first_lies(), kept)
        if form == "curved":
            prior = _DENSE_VARIANCE if isinstance(self.variance, str) else self.variance
            return curved.start(layout, self._known_rates(), prior / self.m, self.most_kept)
        if form == "rated":
            prior = _SPARSE_VARIANCE if isinstance(self.variance, str) else self.variance
            return linear.start(layout, self._known_rates(), prior / self.m, self._warms_up(layout))
        return self._start_linear(layout)

    def _start_linear(self, layout: Layout) -> State:
        """W = 0, P_r = κ² variance · I."""
        K = layout.n_classes
        d = layout.n_features + 1
        dtype = layout.dtype
        kind = layout.kind
        wide = layout._replace(n_features=d)
        lies = self._first_lies()
        prior = (self._default_variance(layout) if isinstance(self.variance, str) else self.variance) / self.m
        variance = prior * lies.trust.item()

        full, warm = self._full_covariances(K, d)
        advice = "curvature='diagonal'"
        P = layout.identities(K, d, variance, "OneBit", advice) if full else wide.per_feature(variance)

        return State(
            weights=Weights(W=wide.per_feature(), P=P, prior=np.array([prior])),
            warm_up=WarmUp(
                P=layout.identities(warm, d, variance, "OneBit", advice),
                Px=np.zeros((warm, d), dtype),
            ),
            statistics=new_statistics(layout.n_features, kind, dtype),
            clock=Clock(
                t=np.zeros(1, np.int64),
                n=np.zeros(1, np.int64),
                waiting=np.zeros(1, np.int64),
                drift_restarts=np.zeros(1, np.int64),
                lie_restarts=np.zeros(1, np.int64),
            ),
            lies=lies,
            calibration=new_calibration(),
            drift=new_drift(),
            exploration=np.ones(1),
            room=Room(
                row=new_prepared_row(layout.n_features, kind, dtype),
                beliefs=new_beliefs(K, dtype),
                s=layout.per_class(),
                Px=np.zeros((K, d) if full else d, dtype),
                optimistic=np.zeros(K),
                told=np.zeros(1, np.int64),
                known=np.zeros(1, np.int64),
            ),
        )

    def _default_variance(self, layout: Layout) -> float:
        """Of one model. Few sparse columns are learned with full covariances, for which 10,000 is far too much."""
        if layout.kind == "dense":
            return _DENSE_VARIANCE * min(1.0, _SHARED_ABOVE / layout.n_features)
        return _DENSE_VARIANCE if self.has_experts else _SPARSE_VARIANCE

    def _known_rates(self) -> NoiseRates | None:
        return None if self.noise == "auto" else self.noise or NoiseRates(0.0, 0.0)

    def _first_lies(self) -> Lies:
        return new_lies(self._known_rates())

    def capacity(self, state: Any, lessons: int) -> int:
        """Kept cases, as a power of two up to the budget; none where weights are those of features."""
        if isinstance(state, CurvedState):
            return curved.capacity(state.dictionary.size.item(), lessons, self.most_kept)
        if isinstance(state, BankState) and self._bank_keeps_cases:
            return curved.capacity(state.kept.size.item(), lessons, self.most_kept)
        return 0

    @property
    def keeps_cases(self) -> bool:
        """No: raw cases are sparse rows, for which it has weights."""
        return False

    def resized(self, state: Any, capacity: int) -> Any:
        """With room for so many kept cases."""
        if isinstance(state, BankState):
            return state._replace(kept=bank.with_room(state.kept, capacity))
        return curved.resized(state, capacity)

    def _variances(self, K: int) -> list[float]:
        """The prior variance of each member of a bank."""
        if isinstance(self.variance, str):
            return [v * K / self.m for v in bank.VARIANCES]
        return [self.variance / self.m]

    def schema(self, layout: Layout, capacity: int) -> Any:
        """What a file may hold of it."""
        form = self.form(layout)
        if not 0 <= capacity <= self.budget:
            raise FormatError(f"capacity {capacity}")
        if form == "bank":
            members = len(self._variances(layout.n_classes)) + self._bank_keeps_cases
            return bank.schema(layout, members, capacity)
        if form == "curved":
            if capacity == 0:
                raise FormatError("capacity 0")
            return curved.schema(layout, self._known_rates(), capacity)
        if form == "rated":
            return linear.schema(layout, self._known_rates(), self._warms_up(layout))
        return self._schema(layout, *self._full_covariances(layout.n_classes, layout.n_features + 1))

    def _schema(self, layout: Layout, full: bool, warm: int) -> State:
        """The same for covariances that are full or not, with so many full ones for a warm-up."""
        K = layout.n_classes
        d = layout.n_features + 1
        per_class = room(K, dtype="float64")
        return State(
            weights=Weights(
                W=reals(K, d),
                P=reals(K, d, d) if full else reals(K, d),
                prior=reals(1, dtype="float64", low=0),
            ),
            warm_up=WarmUp(P=reals(warm, d, d), Px=room(warm, d)),
            statistics=statistics_schema(layout.n_features, layout.kind),
            clock=Clock(t=whole(1), n=whole(1), waiting=whole(1), drift_restarts=whole(1), lie_restarts=whole(1)),
            lies=lies_schema(),
            calibration=calibration_schema(),
            drift=drift_schema(),
            exploration=reals(1, dtype="float64"),
            room=Room(
                row=prepared_row_schema(layout.n_features, layout.kind),
                beliefs=Beliefs(room(K), per_class, per_class, per_class, per_class, per_class),
                s=room(K),
                Px=room(K, d) if full else room(d),
                optimistic=per_class,
                told=whole(1, high=K - 1),
                known=whole(1, high=SPREADS),
            ),
        )

    def widened(self, state: Any, layout: Layout, wider: Layout) -> Any:
        """The bias stays the last column; columns that are new are as the one before it, which no row has reached."""
        if isinstance(state, BankState):
            # What is kept has the columns of quantities alone, of which there are always as many.
            none = bank.new_kept(0, 1.0, 0)
            fresh = self.start(wider)._replace(kept=none)
            grown_: BankState = grown(state._replace(kept=none), fresh, layout.n_features, wider.n_features, "OneBit")
            bank.move_bias(grown_, layout.n_features)
            return grown_._replace(kept=state.kept)
        wide = super().widened(state, layout, wider)
        bias = layout.n_features
        for array, old in ((wide.weights.W, state.weights.W), (wide.weights.P, state.weights.P)):
            array[:, bias:] = old[:, bias - 1 : bias]
            array[:, -1] = old[:, bias]
        wide.room.known[0] = NOTHING  # what is known of the last row has the bias in its old place
        return wide

    def check_state(self, state: Any) -> None:
        """The calibration's information has an inverse, the bit says something, and a member of a mixture is awake."""
        _check_line("line", state.calibration)
        if isinstance(state, CurvedState | RatedState):
            _check_line("forecast", state.forecast)
            check_rates(state.rates)
            if isinstance(state, CurvedState):
                curved.check_prior(state)
            return
        NoiseRates(state.lies.rho_0.item(), state.lies.rho_1.item()).checked()
        if self.has_bank and not state.bank.share.any():
            raise FormatError("array share has no member that is awake")

    def _full_covariances(self, K: int, d: int) -> tuple[bool, int]:
        """Whether covariances are full; if they are diagonal, how many full ones there are for a warm-up.

        Retired classes count as if they were there, so that coming and going does not change the form.
        """
        numbers = (K + len(self._session.retired)) * d * d
        fits = d <= _MOST_FEATURES_FULL and numbers <= _MOST_NUMBERS_FULL
        full = self.curvature == "full" or (self.curvature == "auto" and fits)
        warm = self.curvature == "auto" and not fits and numbers <= _MOST_NUMBERS_WARM_UP
        return full, K if warm else 0

    def _warms_up(self, layout: Layout) -> bool:
        """Whether experts on sparse rows begin with full covariances; retired classes count as if they were there."""
        d = layout.n_features + 1
        return (layout.n_classes + len(self._session.retired)) * d * d <= _MOST_NUMBERS_WARM_UP

    def regrouped(self, state: Any, layout: Layout, capacity: int, kept: Sequence[int], n_classes: int) -> Any:
        """Full covariances that would be too many become diagonals; new ones are as large as after a restart."""
        if isinstance(state, CurvedState):
            return curved.forget_row(super().regrouped(state, layout, capacity, kept, n_classes))
        if isinstance(state, RatedState):
            stays = self._warms_up(layout._replace(n_classes=n_classes))
            some = state if stays else linear.without_warm_up(state)
            grown: RatedState = super().regrouped(some, layout, capacity, kept, n_classes)
            linear.begin_at_prior(grown, len(kept))
            return grown
        if self.has_bank:
            return bank.forget_row(super().regrouped(state, layout, capacity, kept, n_classes))
        full, warm = self._full_covariances(n_classes, layout.n_features + 1)
        after: State = super().regrouped(in_form(state, full, warm > 0), layout, capacity, kept, n_classes)
        begin_classes(after, len(kept))
        return after

    def class_axes(self, state: Any, layout: Layout, capacity: int) -> list[Axes]:
        """For covariances of the state's own form."""
        if self.has_bank or isinstance(state, CurvedState):
            return super().class_axes(state, layout, capacity)
        if isinstance(state, RatedState):
            more = layout._replace(n_classes=layout.n_classes + 1)
            both = (linear.schema(one, self._known_rates(), len(state.warm_up.P) > 0) for one in (layout, more))
            return class_axes(*both)
        full = state.weights.P.ndim == 3
        warm = len(state.warm_up.P)
        one_more = layout._replace(n_classes=layout.n_classes + 1)
        return class_axes(self._schema(layout, full, warm), self._schema(one_more, full, warm + (warm > 0)))

    def class_part(self, state: Any, layout: Layout, capacity: int, k: int) -> Part:
        """What belongs to class k, and the number of restarts so far."""
        return (restarts(state), *super().class_part(state, layout, capacity, k))

    def put_class_part(self, state: Any, layout: Layout, capacity: int, k: int, part: Part) -> Any:
        """After a restart since, a class that returns begins at the prior, like all others did."""
        if part[0] != restarts(state):
            return state
        after: Any = super().put_class_part(state, layout, capacity, k, part[1:])
        return after

    def scoring_state(self, state: Any) -> Any:
        """With other room for a row."""
        if isinstance(state, CurvedState):
            return curved.with_own_room(state)
        if isinstance(state, RatedState):
            return linear.with_own_room(state)
        if self.has_bank:
            return bank.with_other_room(state, self.dtype)
        layout = self._session.layout
        kind = layout.kind if layout else "dense" if state.room.row.x.ndim == 2 else "sparse"
        row = new_prepared_row(state.weights.W.shape[1] - 1, kind, self.dtype)
        return state._replace(room=state.room._replace(row=row))

    def deciding_state(self, state: Any) -> Any:
        """With other room, and a clock of its own."""
        own = ("clock", "exploration")
        if isinstance(state, CurvedState | RatedState) or self.has_bank:
            return with_copies(self.scoring_state(state), own)
        return with_copies(self.scoring_state(state), (*own, "room"))

    def scales_columns(self, kind: str) -> bool:
        """Dense rows, unless told not to."""
        return self.standardize and kind == "dense"

    def file_arrays(self, state: Any) -> dict[str, tuple[NDArray[Any], ...]]:
        """Under the names that files have used from the first version on."""
        if isinstance(state, CurvedState):
            return curved.file_arrays(state)
        if isinstance(state, RatedState):
            return linear.file_arrays(state)
        return bank.file_arrays(state) if self.has_bank else file_arrays(state)

    def predict_proba(self, X: Any) -> FloatArray:
        """The probability of each label, calibrated: one column per class, for one row a vector. Changes nothing.

        Labels that are wrong at random look like bits that lie: these are the probabilities of the label without
        them, as `probability_of_yes` is that of the bit with them.

        >>> import onebit
        >>> onebit.OneBit(4, n_features=2).predict_proba([1.0, 2.0])
        array([0.25, 0.25, 0.25, 0.25])
        """
        line = new_calibration() if self._session.state is None else self._session.state.calibration
        P = calibrated(line.a.item(), line.b.item(), np.atleast_2d(self._believed(X)), self.m)
        return P if is_many(X) else P[0]

    def _believed(self, X: Any) -> FloatArray:
        """The probability of each label as it is believed, without calibration."""
        z = np.asarray(self.scores(X), np.float64)
        raised = np.exp(z - z.max(axis=-1, keepdims=True))
        believed: FloatArray = raised / raised.sum(axis=-1, keepdims=True)
        return believed

    def probability_of_yes(self, X: Any, labels: Any) -> Any:
        """π: how likely the bit is "yes" if these labels, a set or one, are played for a row, or for each of many.

        Lies included. Where experts differ about their rates, a line of its own brings the forecasts to what came true.

        >>> import onebit
        >>> learner = onebit.OneBit(["cat", "dog", "cow", "hen"], n_features=2, noise=None)
        >>> learner.probability_of_yes([1.0, 2.0], ("cat", "cow")), learner.probability_of_yes([1.0, 2.0], "dog")
        (0.5, 0.25)
        """
        many = isinstance(labels, list | set | frozenset | np.ndarray)
        many |= isinstance(labels, tuple) and labels not in self._codes
        played = list(labels) if many else [labels]
        try:
            numbers = {self._codes[label] for label in played}
        except (KeyError, TypeError):
            numbers = set()
        if not numbers or len(numbers) < len(played):
            raise DataError(f"labels={labels!r}: must be different labels among the classes {list(self.classes)[:10]}")
        rates = self.noise_rates
        state = self._session.state
        by_forecast = self.noise == "auto" and isinstance(state, CurvedState | RatedState)
        P = self._believed(X) if by_forecast else self.predict_proba(X)
        inside = np.minimum(P[..., sorted(numbers)].sum(axis=-1), 1)
        yes = rates.rho_0 + (1 - rates.rho_0 - rates.rho_1) * inside
        if by_forecast:
            yes = worth(state.forecast, yes)
        return yes if is_many(X) else float(yes)

    @property
    def noise_rates(self) -> NoiseRates:
        """The flip rates that the learner counts on now.

        >>> import onebit
        >>> onebit.OneBit(3, noise=(0.1, 0.2)).noise_rates
        NoiseRates(rho_0=0.1, rho_1=0.2)
        """
        state = self._session.state
        if isinstance(state, CurvedState | RatedState):
            return NoiseRates(*expected_rates(state.rates))
        if state is not None:
            return NoiseRates(state.lies.rho_0.item(), state.lies.rho_1.item())
        if isinstance(self.noise, NoiseRates):
            return self.noise
        return NoiseRates(FIRST_RATE, FIRST_RATE) if self.noise == "auto" else NoiseRates(0.0, 0.0)

    def explain(self, row: Any, *, top: int = 10, names: Iterable[str] | None = None) -> Explanation:
        """Why one row is scored as it is: what each feature adds to the score of each label, and how sure that is.

        The `top` largest contributions of each label are told by name, the rest as a sum: for dict rows by the
        names in the row, else by `names`, one for each feature, or by position. Changes nothing.

        >>> import onebit
        >>> learner = onebit.OneBit(["billing", "refund", "abuse"])
        >>> for _ in range(30):
        ...     learner.learn(learner.decide({"subject": "charged twice"}), "refund")
        ...     learner.learn(learner.decide({"subject": "spam again"}), "abuse")
        >>> why = learner.explain({"subject": "I was charged twice"})
        >>> why.best, why["refund"].parts[0].name
        ('refund', "subject: 'charged'")
        """
        return explain(self, row, top, names)

    def describe(self) -> Description:
        """What the learner has seen: lessons, flip rates, restarts, how much it explores now, its calibration.

        >>> import onebit
        >>> print(onebit.OneBit(3, n_features=20).describe())
        OneBit: 3 labels
        <BLANKLINE>
        nothing seen yet
        """
        return describe(self)
