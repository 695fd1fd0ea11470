"""What the learners that play a set of labels have in common."""

from __future__ import annotations

from typing import Any

from onebit.contract.learner import Learner
from onebit.contract.parameters import checked
from onebit.core.checks import check_whole
from onebit.core.errors import ConfigError


def check_size(name: str, m: Any) -> int:
    """The size of a set, or a `ConfigError`.

    >>> check_size("m", 2)
    2
    """
    return check_whole(name, m, of="labels")


class SetLearner(Learner):
    """A learner that plays m labels at a time, and is told whether the true one is among them.

    Its decisions carry, beside the `labels` played, the m labels with the largest scores as `top`.

    >>> import onebit
    >>> decision = onebit.SetBanditron(["cat", "dog", "cow"], m=2).decide([1.0])
    >>> decision.labels, decision.top
    (('cat', 'dog'), ('cat', 'dog'))
    >>> onebit.SetBanditron(["cat", "dog", "cow"], m=3)
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: m=3: with 3 classes every set would hold the true label, ...
    """

    m: int = checked(default=2, check=check_size)

    @property
    def set_size(self) -> int:
        """m."""
        return self.m

    @property
    def top_size(self) -> int:
        """m: the labels with the largest scores."""
        return self.m

    def check(self) -> None:
        """m < K, and ties are broken one way only."""
        K = len(self.classes)
        if self.m >= K:
            raise ConfigError(
                f"m={self.m}: with {K} classes every set would hold the true label, so the answer would say nothing; "
                f"choose {'m=1' if K == 2 else f'm from 1 to {K - 1}'}"
            )
        if self.ties == "random":
            raise ConfigError(
                f"ties='random': {type(self).__name__} takes only 'first', because the propensity of a set would "
                "have to sum over all ways to break the ties"
            )
