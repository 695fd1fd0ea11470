"""How OneBit learns from answers about raw cases, compiled: a posterior step for every member, and the evidence."""

from __future__ import annotations

from math import exp

from onebit.contract.compiled import Draw
from onebit.core.aliases import Rng
from onebit.learners.one_bit.bank.decide import believe
from onebit.learners.one_bit.bank.kept import Kept, add_spreads, forget_on_kept, has_room, keep_if_novel, step_on_kept
from onebit.learners.one_bit.bank.state import CURVED, Bank, BankState, Room, begin_shares
from onebit.learners.one_bit.calibration import calibrate
from onebit.learners.one_bit.drift import drifted, forget_bits
from onebit.learners.one_bit.features import as_row
from onebit.learners.one_bit.learn import is_best_of_all
from onebit.learners.one_bit.lies import forget_em, forget_rates, hear
from onebit.learners.one_bit.state import NOTHING, Hyper
from onebit.ops.bit_likelihood import Answer, curvature, gradient, implicit_step, mass, posterior
from onebit.ops.jit import inline, jit, noinline
from onebit.ops.rows import Row, index, size, value
from onebit.ops.sets import contains
from onebit.ops.softmax import softmax

_LEAST_GRADIENT = 0.3
"""Over K: an answer with no |q_r - p_r| as large as this is no news to a member ..."""

_MOST_GRADIENT = 0.05
"""... and as large as this is news with however few labels."""

_DOUBT = 0.02
"""Over K²: after a "no", this much is added to the prior of every label, so that no label is out of the question."""

_MEMORY = 0.999  # of the evidence, per answer
_WORTH = 2.0  # of the squared error of a forecast
_LEAST_SHARE = 1e-3
_DEVIATIONS = 4.0
"""How clearly explored plays must show that bits lie: labels that are hard to tell look like lies, too."""

_HOPELESS = 50.0  # evidence: a member this far behind sleeps ...
_FIRST_SLEEP = 5000  # ... from this answer on


@inline
def learn(hyper: Hyper, state: BankState, row: Row, draw: Draw, bit: float, rng: Rng) -> int:
    """A bit: whether the label is among those played, perhaps a lie."""
    K = state.room.p.shape[0]
    doubt = 0.0 if bit > 0 else _DOUBT / (K * K)
    answer = Answer(draw.labels, int(bit), state.lies.rho_0[0], state.lies.rho_1[0], doubt)
    return learn_answer(hyper, state, row, draw, answer, bit > 0, False)


@inline
def learn_label(hyper: Hyper, state: BankState, row: Row, draw: Draw, y: int, rng: Rng) -> int:
    """The label: the same as an honest "yes" to that label alone."""
    state.room.told[0] = y
    answer = Answer(state.room.told, 1, 0.0, 0.0, 0.0)
    return learn_answer(hyper, state, row, draw, answer, contains(draw.labels, y), True)


@inline
def learn_answer(hyper: Hyper, state: BankState, row: Row, draw: Draw, answer: Answer, hit: bool, told: bool) -> int:
    """Learn from an answer about the labels in it, those played or the one told; `hit`, whether the play was right."""
    clock = state.clock
    room = state.room

    # What is believed of the row as of now, and how likely the play was held to be right.
    recall(hyper, state, row, draw)
    clock.n[0] += 1
    believed = mass(room.p, draw.labels)
    comparable = not hyper.among or is_best_of_all(room.p, draw)
    calibrate(state.calibration, clock.n[0], believed, int(hit), answer.rho_0, answer.rho_1)

    # The weights of every member, then how much each is to be believed.
    trust = state.lies.trust[0]
    updates = members_step(state.bank, state.kept, room, answer, as_row(room.row, row), trust, clock.n[0], hyper.budget)
    share_out(state.bank, clock.n[0])

    # The flip rates, of which only a bit can tell, and drift.
    K = room.p.shape[0]
    lied = hyper.estimate and not told and hear(state.lies, clock.n[0], draw, answer, believed, K, _DEVIATIONS)
    changed = hyper.drift and comparable and drifted(state.drift, not hit)
    if changed:
        clock.drift_restarts[0] += 1
        if hyper.estimate:
            forget_rates(state.lies)
    elif lied:
        clock.lie_restarts[0] += 1
    if changed or lied:
        restart(state)
    room.known[0] = NOTHING
    return updates


@inline
def recall(hyper: Hyper, state: BankState, row: Row, draw: Draw) -> None:
    """What is believed of the row as of now; it is there already if it was decided last and nothing has changed."""
    clock = state.clock
    ours = clock.waiting[0] > 0
    if ours:
        clock.waiting[0] -= 1
    else:
        clock.t[0] += 1
    if state.room.known[0] == NOTHING or not draw.last:
        believe(hyper, state, row, not ours)


@noinline
def members_step(
    bank: Bank, kept: Kept, room: Room, answer: Answer, x: Row, trust: float, n: int, budget: int
) -> int:  # fmt: skip
    """The posterior step of each member, the evidence for it, and what the answer tells about the weights, Σ h x².

    If one of them keeps cases, at most as many as `budget`, it steps on them too.
    """
    member = room.member
    h = room.h
    K = h.shape[0]
    learned = 0
    for r in range(K):
        h[r] = 0.0
    for b in range(bank.share.shape[0]):
        if bank.share[b] == 0:
            continue
        for r in range(K):
            member.z[r] = room.z[b, r]
        softmax(member.z, 1.0, member.p)
        yes = answer.rho_0 + (1 - answer.rho_0 - answer.rho_1) * mass(member.p, answer.played)
        miss = answer.bit - yes
        bank.evidence[b] = _MEMORY * bank.evidence[b] - _WORTH * miss * miss
        posterior(member.p, answer, member.q)
        if gradient(member.p, member.q, member.g) >= min(_LEAST_GRADIENT / K, _MOST_GRADIENT):
            curved = b == CURVED and has_room(kept)
            if curved:
                keep_if_novel(kept, n, budget)
            member_step(bank, kept, room, answer, x, b, trust, curved)
            learned = 1
    if learned:
        for i in range(size(x)):
            j = index(x, i)
            square = value(x, i) ** 2
            for r in range(K):
                bank.information[r, j] += h[r] * square
    return learned


@jit
def member_step(
    bank: Bank, kept: Kept, room: Room, answer: Answer, x: Row, b: int, trust: float, curved: bool
) -> None:  # fmt: skip
    """w_r += τ g_r P_r x, where P_r = 1/(1/(v κ²) + information_r); the curvature at its end joins that of the others.

    What the member believes, and g, must be there. If it is `curved`, its weights on kept cases move too.
    """
    member = room.member
    s = room.s
    information = bank.information
    K = s.shape[0]
    tightness = 1 / (bank.variance[b] * trust)
    for r in range(K):
        s[r] = 0.0
    for i in range(size(x)):
        j = index(x, i)
        square = value(x, i) ** 2
        for r in range(K):
            s[r] += square / (tightness + information[r, j])
    if curved:
        add_spreads(kept, trust, member.g, s)
    tau = implicit_step(member, answer, s)
    if curved:
        step_on_kept(kept, member, tau)
    for r in range(K):
        member.g[r] *= tau
        room.h[r] += bank.share[b] * curvature(member.p, member.q, r)
    for i in range(size(x)):
        j = index(x, i)
        x_j = value(x, i)
        for r in range(K):
            bank.W[r, b, j] += member.g[r] * x_j / (tightness + information[r, j])


@jit
def share_out(bank: Bank, n: int) -> None:
    """The share of each member is as its evidence, handicap taken off; one that is far behind sleeps."""
    share = bank.share
    best = -1e300
    for b in range(share.shape[0]):
        if share[b] > 0:
            best = max(best, bank.evidence[b] - bank.handicap[b])
    sum_ = 0.0
    for b in range(share.shape[0]):
        if share[b] > 0:
            behind = best - (bank.evidence[b] - bank.handicap[b])
            asleep = behind > _HOPELESS and n >= _FIRST_SLEEP
            share[b] = 0.0 if asleep else max(exp(-behind), _LEAST_SHARE)
            sum_ += share[b]
    for b in range(share.shape[0]):
        share[b] /= sum_


@inline
def restart(state: BankState) -> None:
    """Back to the prior, all members awake; the statistics of the features stay."""
    state.clock.t[0] = 0
    state.clock.n[0] = 0
    forget_em(state.lies)
    forget_bits(state.drift)
    forget_weights(state.bank)
    forget_on_kept(state.kept)


@noinline
def forget_weights(bank: Bank) -> None:
    """Nothing learned, all members awake."""
    for j in range(bank.W.shape[2]):
        for b in range(bank.W.shape[1]):
            for r in range(bank.W.shape[0]):
                bank.W[r, b, j] = 0
        for r in range(bank.W.shape[0]):
            bank.information[r, j] = 0
    begin_shares(bank)
