"""What a user calls: the methods that all learners have."""

from __future__ import annotations

import os
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import field
from typing import Any, Self

import numpy as np

from onebit.contract.algorithm import Algorithm
from onebit.contract.among import draw_among, labels_of, open_classes
from onebit.contract.classes import add_classes, labels_named, named_retired, new_labels, retire, with_labels
from onebit.contract.compiled import entries
from onebit.contract.decisions import Decisions, decide_many, learn_many
from onebit.contract.layout import Layout, check_finite, is_many, kind_of, settled, width_of
from onebit.contract.live_log import LiveLog
from onebit.contract.noise_window import Estimated, NoiseWindow
from onebit.contract.proposals import as_it_is, pmf, propose
from onebit.contract.raw_cases import (
    first_layout,
    new_encoder,
    read_case,
    reads_cases,
    row_of_decision,
)
from onebit.contract.scales import warn_of_scale
from onebit.contract.session import Session
from onebit.contract.teaching import among_column, answer_of, copied, note_taught, numbers_of, one_row, teach
from onebit.core.aliases import FloatArray, Label
from onebit.core.decision import Decision
from onebit.core.errors import ConfigError
from onebit.core.labels import label_array
from onebit.core.lessons import Lessons
from onebit.features.cases.encoder import MEET
from onebit.features.cases.settings import Cases
from onebit.feedback import AnswerKind, NoiseRates
from onebit.noise.live import Reestimated
from onebit.ops.rows import Rows


class Learner(Algorithm):
    """What all learners have in common: it cannot be played itself.

    Parameters: `classes`, their number (labels 0 .. K-1) or a list of labels; `n_features`, fixed by the
    first row if not given; `dtype`, "float64" or "float32"; `seed`, which decides every draw; `normalize`,
    rows to unit norm first; `ties`, "first" or "random" among labels of equal score when one is played (the best rival
    in a lesson is always the first); `noise`, for a bit that lies: its `NoiseRates(rho_0, rho_1)`, or an estimator from
    `onebit.noise` (not every learner can take it); `cases`, how dict rows and frames with text, dates or gaps are read:
    "auto" as raw cases, by what their values look like, an `onebit.Cases` as it says, None hashed as in version 0.1.

    >>> import onebit
    >>> issubclass(onebit.Banditron, onebit.Learner)
    True
    """

    _codes: dict[Label, int] = field(init=False)
    _session: Session = field(init=False)

    def __post_init__(self) -> None:
        for parameter in self._parameters():
            if check := parameter.metadata.get("check"):
                object.__setattr__(self, parameter.name, check(parameter.name, getattr(self, parameter.name)))
        if self.noise is not None and not self.takes_noise:
            raise ConfigError(f"noise={self.noise!r}: {type(self).__name__} cannot take it: {self.no_noise_because}")
        self.check()
        object.__setattr__(self, "_codes", {label: k for k, label in enumerate(self.classes)})
        object.__setattr__(self, "_session", Session(self))
        if isinstance(self.cases, Cases):
            self._session.read_with(self, new_encoder(self))

    def __setstate__(self, pickled: dict[str, Any]) -> None:
        """Pickles of older versions lack parameters that came later; dict rows were hashed."""
        vars(self).update(self._formerly() | pickled)

    def decide(self, row: Any, among: Any = None) -> Decision:
        """Play a label for one row, with exploration: any label, or only one `among` these.

        Propensity and greedy label are those of the choice among the open labels. Not every learner can choose so: one
        whose lesson would need the labels that were closed raises a `ConfigError` that says why.

        >>> import onebit
        >>> learner = onebit.Banditron(["no", "yes", "later"])
        >>> learner.decide([0.5, 1.0]).label
        'no'
        >>> decision = learner.decide([0.5, 1.0], among=["yes", "later"])
        >>> decision.label, decision.propensity, decision.among
        ('yes', 0.99609375, ('yes', 'later'))
        """
        numbers = None if among is None else open_classes(self, among)
        row = settled(row)
        rows = self._begin(row)
        self.check_rows(rows)
        session = self._session
        draws = session.lesson.draws
        if numbers is None:
            bad = session.call_for_one(session.entries.decide, rows, self.normalize, session.rng, draws)
        else:
            bad = draw_among(self, rows, [numbers], draws)
        if bad >= 0:
            check_finite(rows)
        session.decisions += 1
        m = session.set_size
        labels = tuple([self.classes[k] for k in draws.labels[0].tolist()])
        return Decision(
            labels=labels[:m],
            propensity=draws.propensity.item(),
            greedy=self.classes[draws.greedy.item()],
            explored=draws.explored.item(),
            row=copied(row),
            id=session.decisions - 1,
            top=labels[m:],
            _features=None if session.encoder is None else (session.encoder.token, rows),
            among=labels_of(self, numbers),
        )

    def propose(self, row: Any, key: Any, among: Any = None) -> Decision:
        """What `decide` would play, drawn by a key: the learner stays as it was, and the same key plays the same.

        For programs that ask now and hear later, or ask twice: the key, a text, bytes or a whole number, is the name of
        the event. `learn` takes the decision, and only then counts it: rows enter the statistics in the order in which
        their answers are learned. Its `id` is -1, so to teach each event once is for the caller to see to.

        >>> import onebit
        >>> learner = onebit.Banditron(["no", "yes", "later"], gamma=0.3)
        >>> first, again = (learner.propose([0.5, 1.0], key="event 17") for _ in range(2))
        >>> first.label == again.label, round(first.propensity, 6), learner.decisions
        (True, 0.8, 0)
        """
        return propose(self, row, key, among)

    def pmf(self, X: Any) -> FloatArray:
        """How likely `propose` plays each label, one column per class, for one row a vector. Changes nothing.

        For a learner that plays sets: how likely each label is in the set.

        >>> import onebit
        >>> onebit.Banditron(["no", "yes", "later"], gamma=0.3).pmf([0.5, 1.0])
        array([0.8, 0.1, 0.1])
        """
        return pmf(self, X)

    def decide_many(self, X: Any, among: Any = None) -> Decisions:
        """Play a label for every row of a table, at compiled speed: the same decisions as `decide` on each in turn.

        `among` says which labels can be played: a list for all rows, or a list with one list per row (None: any label).

        >>> import onebit
        >>> decisions = onebit.Banditron(["no", "yes"]).decide_many([[0.5, 1.0], [1.0, 0.0]])
        >>> decisions.labels, decisions.propensity, decisions[1].label
        (array(['no', 'no'], dtype='<U3'), array([0.99609375, 0.99609375]), 'no')
        """
        return decide_many(self, X, among)

    def learn(self, decision: Decision, feedback: Any) -> None:
        """Learn from the answer to a decision, whenever it comes: a bit, or the label for full information.

        A learner that takes both is told by each answer which it is: True and False are bits, and anything
        else is a label, 1 and 0 too; so labels that are booleans themselves are told as 1 and 0.

        Each decision teaches once. That holds for copies too, restored from a pickle or from JSON, by their `id`: the
        learner remembers which of its own numbers have taught, at least the latest 16,384 of them, in memory and in a
        pickle; one that `onebit.load` gives remembers what it is taught from then on. A decision made elsewhere whose
        `id` is below `learner.decisions` counts as the learner's own; with -1 it is nobody's, and only the object
        itself teaches once. Its row, labels and propensity are checked like those of any other.

        >>> import onebit
        >>> learner = onebit.Banditron(["no", "yes"])
        >>> learner.learn(learner.decide([0.5, 1.0]), False)
        >>> learner.predict([0.5, 1.0])
        'yes'
        """
        session = self._session
        if session.retired or self.takes_new_labels:
            new = new_labels(self, [feedback])
            gone = named_retired(self, labels_named(decision), [feedback])
            if new or gone:
                with with_labels(self, new, gone):
                    self.learn(decision, feedback)
                return
        labels, greedy = numbers_of(self, decision)
        kind, answer = answer_of(self, feedback)
        session.check_log(kind)
        raw = reads_cases(self, decision.row)
        rows = row_of_decision(self, decision) if raw else self._begin(decision.row)
        self.check_rows(rows)
        room = session.lesson
        room.id[0] = decision.id
        room.draws.labels[0] = labels
        room.draws.propensity[0] = decision.propensity
        room.draws.greedy[0] = greedy
        room.draws.explored[0] = decision.explored
        room.answer[0] = answer
        among = None if decision.among is None else among_column([decision.among])
        teach(self, kind, Lessons(room.id, room.step, room.draws, room.answer, None, rows, among), 0, 1)
        if not 0 <= decision.id < session.decisions:
            self.count_decisions(session.state, 1)
        decision._spent[0] = True
        note_taught(self, decision.id)

    def learn_many(self, decisions: Sequence[Decision], feedback: Any) -> None:
        """Learn from the answers to many decisions, in order, at compiled speed: as `learn` from each in turn.

        `decisions` are what `decide_many` returned, or some of them (`decisions[answered]`), or a list of single
        ones; `feedback` has one answer for each.

        >>> import onebit
        >>> learner = onebit.Banditron(["no", "yes"])
        >>> decisions = learner.decide_many([[0.5, 1.0], [1.0, 0.0]])
        >>> learner.learn_many(decisions, decisions.labels == "yes")
        >>> learner.predict([[0.5, 1.0], [1.0, 0.0]])
        array(['yes', 'yes'], dtype='<U3')
        """
        learn_many(self, decisions, feedback)

    @classmethod
    def takes(cls, kind: AnswerKind) -> bool:
        """Whether the learner learns from answers of this kind, "bit" or "label".

        >>> import onebit
        >>> onebit.Banditron(3).takes("bit"), onebit.Banditron(3).takes("label")
        (True, False)
        """
        return kind == cls.feedback or (kind == "label" and cls.functions.learn_label is not None)

    def scores(self, X: Any) -> FloatArray:
        """Raw scores, one column per class; for one row, a vector. Changes nothing.

        >>> import onebit
        >>> onebit.Banditron(3, n_features=2).scores([1.0, 2.0])
        array([0., 0., 0.])
        """
        X = settled(X)
        now = as_it_is(self, X)
        out = np.zeros((now.n, now.layout.n_classes), dtype=self.dtype)
        state = self.scoring_state(now.state)
        self._session.call(now.entries.score, now.rows, self.normalize, out, state=state)
        return out if is_many(X) else out[0]

    def predict(self, X: Any) -> Any:
        """The best label for one row, or an array of them for a table. No exploration, and changes nothing.

        >>> import onebit
        >>> onebit.Banditron(["no", "yes"]).predict([[0.5, 1.0], [1.0, 0.0]])
        array(['no', 'no'], dtype='<U3')
        """
        best = np.argmax(self.scores(X), axis=-1)
        return self.classes[best] if best.ndim == 0 else label_array(self.classes)[best]

    def add_classes(self, classes: Any) -> None:
        """Let more labels be played: a list of them, which join behind the present ones.

        What is learned of the others stays to the last bit, and decisions made before still teach. A new label begins
        at the prior, as all did at the first row; one that was retired comes back as it was.

        >>> import onebit
        >>> learner = onebit.Banditron(["cat", "dog"])
        >>> learner.add_classes(["cow"])
        >>> learner.classes, learner.scores([1.0, 2.0])
        (('cat', 'dog', 'cow'), array([0., 0., 0.]))
        """
        add_classes(self, classes)

    def retire(self, classes: Any) -> None:
        """Never play these labels again, nor believe in them: `predict`, `scores` and the like leave them out.

        At least two labels must stay, or m + 1 for sets of m. What was learned of a retired label is kept, in files
        too, and `add_classes` brings it back. An answer that names it, or is about a decision that did, teaches as if
        it were still there.

        >>> import onebit
        >>> learner = onebit.Banditron(["cat", "dog", "cow"])
        >>> learner.retire(["dog"])
        >>> learner.classes, learner.retired
        (('cat', 'cow'), ('dog',))
        """
        retire(self, classes)

    @property
    def retired(self) -> tuple[Label, ...]:
        """The labels that were retired and have not come back."""
        return tuple(self._session.retired)

    def clone(self, **changes: Any) -> Self:
        """A fresh learner with the same parameters, but for the changes.

        >>> import onebit
        >>> onebit.Banditron(3, gamma=0.1).clone(seed=5)
        Banditron(3, seed=5, gamma=0.1)
        """
        return type(self)(**(self.get_params() | changes))

    __sklearn_clone__ = clone  # what scikit-learn's own clone calls

    def get_params(self) -> dict[str, Any]:
        """The constructor's arguments by name.

        >>> import onebit
        >>> onebit.Banditron(3).get_params()["gamma"]
        0.0078125
        """
        return {f.name: getattr(self, f.name) for f in self._parameters()}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the learner to a `.onebit` file, exactly: `onebit.load` goes on with the same bits.

        The file is written whole or not at all, and is on the disk when this returns: after a kill or a power cut
        there is the old one or the new one. A file that is replaced keeps its rights, a link stays a link.

        >>> import onebit, tempfile
        >>> path = tempfile.mkdtemp() + "/model.onebit"
        >>> onebit.Banditron(3, n_features=2).save(path)
        >>> onebit.load(path)
        Banditron(3, n_features=2)
        """
        from onebit.contract.saving import save

        save(self, path)

    def log(
        self,
        path: str | os.PathLike[str],
        *,
        features: bool = True,
        overwrite: bool = False,
        feedback: AnswerKind | None = None,
    ) -> LiveLog:
        """From now on, write every decision to a log (Parquet) when its answer is learned.

        A path that ends in `.parquet` becomes one file, complete when the log is closed; any other becomes
        a folder that grows file by file and survives a kill. `features=False` leaves out the rows. One log
        keeps answers of one kind: `feedback`, "bit" or "label", says which (default: the learner's own).

        >>> import onebit, tempfile
        >>> learner = onebit.Banditron(["cat", "dog"], gamma=0.2)
        >>> path = tempfile.mkdtemp() + "/decisions.parquet"
        >>> with learner.log(path):
        ...     for _ in range(100):
        ...         learner.learn(learner.decide([1.0, 0.5]), True)
        >>> onebit.read_log(path)
        DecisionTable(100 decisions, 2 features)
        """
        return LiveLog(self, path, features, overwrite, feedback)

    @property
    def decisions(self) -> int:
        """How many decisions the learner has made."""
        return self._session.decisions

    @property
    def updates(self) -> int:
        """How often learning has changed the state."""
        return self._session.updates

    @property
    def noise_rates(self) -> NoiseRates:
        """The flip rates that the learner reckons with now.

        >>> import onebit
        >>> onebit.Banditron(3, noise=(0.1, 0.2)).noise_rates
        NoiseRates(rho_0=0.1, rho_1=0.2)
        """
        return self._session.rates

    @property
    def noise_history(self) -> list[Estimated]:
        """The estimates of the flip rates so far, each with the number of lessons after which it was made.

        >>> import onebit
        >>> onebit.RCINE(3).noise_history
        []
        """
        return list(self._session.window.history) if self._session.window else []

    def noise_window(self) -> tuple[Any, Any, Any, Any]:
        """Rows, played labels, propensities and bits since the last estimate: what an estimator's `fit` takes.

        >>> import onebit
        >>> learner = onebit.RCINE(3)
        >>> for _ in range(5):
        ...     learner.learn(learner.decide([1.0, 0.5]), False)
        >>> rows, played, propensity, bit = learner.noise_window()
        >>> rows.shape, bit.tolist()
        ((5, 2), [0, 0, 0, 0, 0])
        """
        window = self._session.window
        if window is None or not window.held:
            raise ConfigError("noise_window: no lessons are kept; make the learner with noise=..., an estimator")
        return window.columns()

    def __copy__(self) -> Self:
        """A copy has a life of its own."""
        return deepcopy(self)

    def __repr__(self) -> str:
        K = len(self.classes)
        shown = [repr(K) if self.classes == tuple(range(K)) else repr(list(self.classes))]
        for f in self._parameters()[1:]:
            value = getattr(self, f.name)
            if value != f.default:
                shown.append(f"{f.name}={value!r}")
        return f"{type(self).__name__}({', '.join(shown)})"

    def begin(self, layout: Layout) -> None:
        """Make the first state. The first row does this; the engine does it before the first round."""
        session = self._session
        logged = self._logged(layout)
        if isinstance(session.log, LiveLog):
            session.log.open(logged)
        session.state = self.start(layout)
        session.capacity = self.capacity(session.state, 1)
        session.entries = entries(self.compiled_for(session.state), self.feedback)
        rates = self.flip_rates()
        session.window = NoiseWindow(rates, logged, self.set_size) if isinstance(rates, Reestimated) else None
        session.layout = layout

    def _logged(self, layout: Layout) -> Layout:
        """The layout of all rows there will be: those of raw cases grow."""
        encoder = self._session.encoder
        return layout if encoder is None else layout._replace(n_features=encoder.cases.hash)

    def _begin(self, row: Any) -> Rows:
        """One row for the compiled functions; the first one also fixes the layout of the state."""
        if reads_cases(self, row):
            return read_case(self, row, MEET)
        layout = self._session.layout or self._layout_for(row)
        rows = one_row(row, layout)
        if self._session.layout is None:
            check_finite(rows)
            self.check_rows(rows)
            self.begin(layout)
            warn_of_scale(self, layout.kind, rows)
        return rows

    def _layout_for(self, X: Any) -> Layout:
        if reads_cases(self, X):
            return first_layout(self)
        return Layout(len(self.classes), self.n_features or width_of(X), kind_of(X), self.dtype)
