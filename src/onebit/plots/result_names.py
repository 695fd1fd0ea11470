"""What each of several results is called, in figures and tables. Nothing is drawn here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields

from onebit.engine.played import Played


def result_names(results: Sequence[Played]) -> list[str]:
    """A name for each result: its learner, and what sets it apart from the others.

    >>> import onebit
    >>> stream = onebit.streams.synsep(50)
    >>> result_names([onebit.simulate(onebit.Banditron(9, gamma=g), stream) for g in (0.01, 0.1)])
    ['banditron gamma=0.01', 'banditron gamma=0.1']
    """
    names = [str(result.settings["learner"]["name"]) for result in results]
    if len(set(names)) < len(names):
        names = [f"{name} {_changes(result)}".rstrip() for name, result in zip(names, results, strict=True)]
    for part in (_streams(results), _channels(results)):
        usual = _most_common(part)
        names = [name if text == usual else f"{name} ({text})" for name, text in zip(names, part, strict=True)]
    return names


def usual_play(results: Sequence[Played]) -> str:
    """The stream and the feedback of most results, for a title; `result_names` tell the others apart.

    >>> import onebit
    >>> usual_play([onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(50))])
    'synsep, bit feedback'
    """
    return f"{_most_common(_streams(results))}, {_most_common(_channels(results))} feedback"


def _changes(result: Played) -> str:
    """The parameters that are not at their default, but for the classes."""
    values = result.learner.get_params()
    changed = [f.name for f in fields(result.learner) if f.init and f.name != "classes" and values[f.name] != f.default]
    return " ".join(f"{name}={values[name]}" for name in changed)


def _streams(results: Sequence[Played]) -> list[str]:
    return [str(result.stream["name"]) for result in results]


def _channels(results: Sequence[Played]) -> list[str]:
    return [result.channel.text for result in results]


def _most_common(texts: Sequence[str]) -> str:
    return Counter(texts).most_common(1)[0][0]
