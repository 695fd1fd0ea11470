"""How OneBit learns by its experts, compiled: what an answer tells of each of them, of its own sureness, and of drift.

What the experts' weights make of an answer is for each kind of row to say: `learn_from`.
"""

from __future__ import annotations

from typing import Any

from onebit.contract.compiled import Draw, Functions
from onebit.core.aliases import Rng
from onebit.learners.one_bit.calibration import calibrate
from onebit.learners.one_bit.drift import drifted, forget_bits
from onebit.learners.one_bit.learn import is_best_of_all
from onebit.learners.one_bit.rated.decide import believe, decide, decide_among, pmf, score
from onebit.learners.one_bit.rated.rates import begin_shares, expected_rates
from onebit.learners.one_bit.state import NOTHING, Hyper
from onebit.ops.bit_likelihood import Answer, mass
from onebit.ops.jit import inline
from onebit.ops.rows import Row, by_row
from onebit.ops.sets import contains


@by_row
def learn_from(hyper: Hyper, state: Any, row: Row, answer: Answer, told: bool) -> int:
    """Weigh the experts by a bit, and take a step with each that is awake; 1 if anything was learned.

    What is believed of the row must be there, and `answer` must hold the rates that the experts count on together.
    """
    raise TypeError("only inside compiled code")


@by_row
def forget_lessons(state: Any, row: Row) -> None:
    """Every expert's weights are back at the prior."""
    raise TypeError("only inside compiled code")


@inline
def learn(hyper: Hyper, state: Any, row: Row, draw: Draw, bit: float, rng: Rng) -> int:
    """A bit: whether the label is among those played, perhaps a lie."""
    rho_0, rho_1 = expected_rates(state.rates)
    answer = Answer(draw.labels, int(bit), rho_0, rho_1, 0.0)
    return learn_answer(hyper, state, row, draw, answer, bit > 0, False)


@inline
def learn_label(hyper: Hyper, state: Any, row: Row, draw: Draw, y: int, rng: Rng) -> int:
    """The label: the same as an honest "yes" to that label alone, which makes q = e_y."""
    told = state.mixture.told
    told[0] = y
    answer = Answer(told, 1, 0.0, 0.0, 0.0)
    return learn_answer(hyper, state, row, draw, answer, contains(draw.labels, y), True)


@inline
def learn_answer(hyper: Hyper, state: Any, row: Row, draw: Draw, answer: Answer, hit: bool, told: bool) -> int:
    """Learn from an answer about the labels in it, those played or the one told; `hit`, whether the play was right."""
    clock = state.clock
    mixture = state.mixture

    # What is believed of the row as of now, and how likely the play was held to be right.
    recall(hyper, state, row, draw)
    clock.n[0] += 1
    believed = mass(mixture.p, draw.labels)
    comparable = not hyper.among or is_best_of_all(mixture.p, draw)

    # Calibration sees every answer, before the weights do.
    calibrate(state.calibration, clock.n[0], believed, int(hit), answer.rho_0, answer.rho_1)
    if not told:
        forecast = answer.rho_0 + (1 - answer.rho_0 - answer.rho_1) * believed
        calibrate(state.forecast, clock.n[0], forecast, answer.bit, 0.0, 0.0)

    # The experts' shares and their weights.
    updates = learn_from(hyper, state, row, answer, told)

    # After a change of the world nothing that was learned is kept; the statistics of the features stay.
    if hyper.drift and comparable and drifted(state.drift, not hit):
        clock.drift_restarts[0] += 1
        restart(state, row)

    # Whatever was kept of the last decision is out of date.
    mixture.known[0] = NOTHING
    return updates


@inline
def recall(hyper: Hyper, state: Any, row: Row, draw: Draw) -> None:
    """What is believed of the row as of now; it is there already if it was decided last and nothing has changed.

    A lesson beyond those it waits for is about another's decision: its row counts as if it had been decided here.
    """
    clock = state.clock
    ours = clock.waiting[0] > 0
    if ours:
        clock.waiting[0] -= 1
    else:
        clock.t[0] += 1
    if state.mixture.known[0] == NOTHING or not draw.last:
        believe(hyper, state, row, not ours)


@inline
def restart(state: Any, row: Row) -> None:
    """Back to the prior, all experts awake; the statistics of the features stay."""
    state.clock.t[0] = 0
    state.clock.n[0] = 0
    forget_bits(state.drift)
    begin_shares(state.rates)
    forget_lessons(state, row)


EXPERTS = Functions(decide, learn, score, learn_label, decide_among, pmf)
"""The same for all kinds of rows that have bodies for `seen`, `learn_from` and `forget_lessons`."""
