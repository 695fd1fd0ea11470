"""The learners by their command-line names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from onebit.core.checks import did_you_mean
from onebit.core.errors import ConfigError

L = TypeVar("L", bound=type)

_LEARNERS: dict[str, type] = {}


def register(name: str) -> Callable[[L], L]:
    """Class decorator: make a learner known by `name`, in kebab case. Two learners cannot share one.

    A class that is defined again, as when a notebook's cell is run a second time, takes the place of the first.

    >>> from onebit.core.registry import learner_class
    >>> learner_class("banditron").__name__
    'Banditron'
    >>> @register("banditron")
    ... class Mine: pass
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: name='banditron': is taken by onebit.learners.banditron.Banditron; choose another
    """

    def add(cls: L) -> L:
        earlier = _LEARNERS.get(name)
        if earlier is not None and _place(earlier) != _place(cls):
            raise ConfigError(f"name={name!r}: is taken by {_place(earlier)}; choose another")
        _LEARNERS[name] = cls
        cls.name = name  # type: ignore[attr-defined]  # every learner class has this variable
        return cls

    return add


def _place(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def learner_names() -> list[str]:
    """The registered names, sorted.

    >>> "soba-diagonal" in learner_names()
    True
    """
    return sorted(_LEARNERS)


def registered_class(name: str) -> type | None:
    """The learner class of that name, if there is one.

    >>> registered_class("nobody") is None
    True
    """
    return _LEARNERS.get(name)


def registered_name(learner: Any) -> str:
    """The name that a learner is registered by, else that of its class.

    >>> import onebit
    >>> class Mine(onebit.Banditron): pass
    >>> registered_name(onebit.Banditron(3)), registered_name(Mine(3))
    ('banditron', 'Mine')
    """
    cls = type(learner)
    return str(learner.name) if _LEARNERS.get(learner.name) is cls else cls.__name__


def learner_class(name: str) -> type:
    """The learner class of that name, or a `ConfigError` that suggests a near one.

    >>> learner_class("banditrn")
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: learner='banditrn': no such learner; did you mean banditron?
    """
    if name not in _LEARNERS:
        hint = did_you_mean(name, learner_names())
        raise ConfigError(f"learner={name!r}: no such learner; {hint}")
    return _LEARNERS[name]
