"""Which columns of a row hold quantities, for learners that ask for it: the first ones.

A number shows how far it is from its mean, a vector each of its places. A learner that compares cases needs to know
these among all that is written in a row; the number of a column tells. Those that come after the last such column are
columns like all others.
"""

NUMBERS = 256
"""So many numbers have the first columns, in the order in which they are met ..."""

PLACES = 512
"""... and so many places of vectors the next ones."""

QUANTITIES = NUMBERS + PLACES

LEAST_COLUMNS = 4096
"""With fewer columns in all, there are none for quantities alone."""
