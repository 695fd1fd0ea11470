"""OneBit for dense rows: the posterior over a growing dictionary of kept cases, for each of several flip rates."""

from onebit.contract.compiled import Functions
from onebit.learners.one_bit.curved.decide import decide, decide_among, score
from onebit.learners.one_bit.curved.experts import expected_rates
from onebit.learners.one_bit.curved.learn import learn, learn_label
from onebit.learners.one_bit.curved.state import (
    CurvedState,
    capacity,
    check_state,
    file_arrays,
    forget_row,
    most_kept,
    resized,
    schema,
    start,
    with_own_room,
)

FUNCTIONS = Functions(decide, learn, score, learn_label, decide_among)

__all__ = [
    "FUNCTIONS",
    "CurvedState",
    "capacity",
    "check_state",
    "expected_rates",
    "file_arrays",
    "forget_row",
    "most_kept",
    "resized",
    "schema",
    "start",
    "with_own_room",
]
