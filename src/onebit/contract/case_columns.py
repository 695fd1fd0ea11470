"""How many columns the rows of raw cases may have for a learner: its state grows with them, or has a fixed width."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from onebit.contract.layout import Layout
from onebit.contract.states import arrays
from onebit.core.errors import ConfigError
from onebit.features.cases.settings import MOST_OWN_COLUMNS

if TYPE_CHECKING:
    from onebit.contract.learner import Learner

_FIRST_WIDTH = 4096
_FIXED = (512, 256, 128, 64)
_MOST_NUMBERS = 2**24
"""In a state of fixed width, unless it has the least one."""


def most_columns(learner: Learner) -> int:
    """How many columns features may have of their own, if the user does not say.

    >>> import onebit
    >>> most_columns(onebit.Banditron(5)), most_columns(onebit.LinUCB(5)), most_columns(onebit.LinUCB(100))
    (1048576, 512, 256)
    """
    if grows_with_columns(learner):
        return MOST_OWN_COLUMNS
    if learner.keeps_cases:
        return _FIXED[0]
    fitting = [columns for columns in _FIXED if _numbers(learner, columns + 1) <= _MOST_NUMBERS]
    return fitting[0] if fitting else _FIXED[-1]


def first_width(learner: Learner, columns: int) -> int:
    """The width of the first state, for rows of at most so many columns; one more than those is never needed."""
    if learner.n_features is not None:
        if learner.n_features < 2:
            raise ConfigError(f"n_features={learner.n_features}: raw cases need at least 2; leave it out")
        return learner.n_features
    return _FIRST_WIDTH if grows_with_columns(learner) else columns + 1


def roomy_width(width: int, columns: int) -> int:
    """The first width above so many columns, a quarter more at a time: the same however often it is asked.

    >>> roomy_width(4096, 5000), roomy_width(4096, 6000) == roomy_width(5120, 6000)
    (5120, True)
    """
    while width <= columns:
        width += width // 4
    return width


def grows_with_columns(learner: Learner) -> bool:
    """Whether the state has a weight for each column, so that it can grow: none of its arrays is square.

    >>> import onebit
    >>> grows_with_columns(onebit.Banditron(3)), grows_with_columns(onebit.SOBA(3))
    (True, False)
    """
    if learner.keeps_cases:
        return False
    narrow, wide = (_declared(learner, width) for width in (_FIRST_WIDTH, 2 * _FIRST_WIDTH))
    return all(_grows(a.shape, b.shape) for a, b in zip(narrow, wide, strict=True))


def _grows(narrow: tuple[int, ...], wide: tuple[int, ...]) -> bool:
    """Whether an array has at most one axis with an entry for each column, and perhaps one for a bias."""
    changed = [(n, m) for n, m in zip(narrow, wide, strict=True) if n != m]
    known = {(_FIRST_WIDTH + more, 2 * _FIRST_WIDTH + more) for more in (0, 1)}
    return 0 in narrow or (len(changed) < 2 and known.issuperset(changed))


def _numbers(learner: Learner, width: int) -> int:
    return sum(prod(n or 1 for n in one.shape) for one in _declared(learner, width))


def _declared(learner: Learner, width: int) -> list[Any]:
    """What the arrays of a state for rows of this width are; nothing is known of them where there is no schema."""
    schema = learner.schema(Layout(len(learner.classes), width, "sparse", learner.dtype), 0)
    return [] if schema is None else [declared for _, declared in arrays(schema)]
