"""What `--set` and `--grid` say about learners, and the learners they make."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from onebit.cli.values import parse_value
from onebit.contract.learner import Learner
from onebit.core.aliases import Label
from onebit.core.errors import ConfigError
from onebit.core.registry import learner_class

FROM_ELSEWHERE = {
    "cases": "--text, --category, --number, --date, --vector and --ignore",
    "classes": "--data",
    "dtype": "--dtype",
    "graph": "--data or --graph",
    "n_features": "--data",
    "seed": "--seeds",
}
"""What a learner takes but no `--set` gives, and the option that decides it."""


class Setting(NamedTuple):
    """One `--set` or `--grid`: for every learner that has the parameter, or for one."""

    learner: str | None
    name: str
    value: Any
    text: str


def parse_settings(
    texts: Iterable[str], option: str = "--set", parse: Callable[[str], Any] = parse_value
) -> list[Setting]:
    """The `--set` options, or others of that form.

    >>> parse_settings(["gamma=2^-7", "rcnbf.rho_0=0.2"])[1]
    Setting(learner='rcnbf', name='rho_0', value=0.2, text='rcnbf.rho_0=0.2')
    """
    settings = []
    for text in texts:
        target, equals, value = text.partition("=")
        learner, dot, name = target.rpartition(".")
        if not (equals and name and value) or bool(dot) != bool(learner):
            form = "NAME=VALUES" if option == "--grid" else "NAME=VALUE"
            raise ConfigError(f"{option} {text!r}: write {form}, or LEARNER.{form} for one of several learners")
        if name in FROM_ELSEWHERE:
            raise ConfigError(f"{option} {text!r}: {name} comes from {FROM_ELSEWHERE[name]}")
        try:
            settings.append(Setting(learner or None, name, parse(value), text))
        except ConfigError as error:
            raise ConfigError(f"{option} {target}: {error}") from None
    return settings


def assign(names: Sequence[str], settings: Sequence[Setting], option: str = "--set") -> dict[str, dict[str, Any]]:
    """For each learner, what it is set to. A setting that no learner takes is an error.

    >>> assign(["banditron", "perceptron"], parse_settings(["gamma=0.5"]))
    {'banditron': {'gamma': 0.5}, 'perceptron': {}}
    """
    if repeated := [name for name in names if names.count(name) > 1]:
        raise ConfigError(f"learner={repeated[0]!r}: named twice; each learner plays once per run")
    takes = {name: parameters_of(learner_class(name)) for name in names}
    for setting in settings:
        if setting.learner is not None and setting.learner not in takes:
            raise ConfigError(f"{option} {setting.text!r}: {setting.learner} is not among the learners of this run")
        targets = [setting.learner] if setting.learner else names
        if not any(setting.name in takes[name] for name in targets):
            known = sorted({p for name in targets for p in takes[name]} - set(FROM_ELSEWHERE))
            raise ConfigError(
                f"{option} {setting.text!r}: {' or '.join(targets)} has no parameter {setting.name}; "
                f"known are {', '.join(known)}"
            )
    return {
        name: {s.name: s.value for s in settings if s.learner is None and s.name in takes[name]}
        | {s.name: s.value for s in settings if s.learner == name}
        for name in names
    }


def make_learners(
    names: Sequence[str], classes: Sequence[Label], settings: Sequence[Setting], **common: Any
) -> list[Learner]:
    """The learners of these names, set up. A setting that no learner takes is an error.

    >>> make_learners(["banditron", "perceptron"], range(3), parse_settings(["gamma=0.5"]))
    [Banditron(3, gamma=0.5), Perceptron(3)]
    """
    return [make_learner(name, classes, common | own) for name, own in assign(names, settings).items()]


def make_learner(name: str, classes: Sequence[Label], parameters: Mapping[str, Any]) -> Learner:
    """The learner of that name, for these classes.

    >>> make_learner("banditron", range(3), {"gamma": 0.5})
    Banditron(3, gamma=0.5)
    """
    learner: Learner = learner_class(name)(list(classes), **parameters)
    return learner


def parameters_of(cls: type) -> set[str]:
    """What the constructor of a learner takes.

    >>> "gamma" in parameters_of(learner_class("banditron"))
    True
    """
    return {field.name for field in fields(cls) if field.init}
