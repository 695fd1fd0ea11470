"""OneBit for raw cases: a bank of members, alike but for the prior variance of their weights, mixed by evidence."""

from onebit.contract.compiled import Functions
from onebit.learners.one_bit.bank.decide import decide, decide_among, pmf, score
from onebit.learners.one_bit.bank.kept import new_kept, with_room
from onebit.learners.one_bit.bank.learn import learn, learn_label
from onebit.learners.one_bit.bank.state import (
    CURVED,
    VARIANCES,
    BankState,
    file_arrays,
    forget_row,
    leading,
    move_bias,
    schema,
    start,
    with_other_room,
)

FUNCTIONS = Functions(decide, learn, score, learn_label, decide_among, pmf)

__all__ = [
    "CURVED",
    "FUNCTIONS",
    "VARIANCES",
    "BankState",
    "file_arrays",
    "forget_row",
    "leading",
    "move_bias",
    "new_kept",
    "schema",
    "start",
    "with_other_room",
    "with_room",
]
