"""What people write on the command line, turned into values."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

from onebit.contract.learner import Learner
from onebit.core.errors import ConfigError, DataError
from onebit.core.registry import learner_class
from onebit.core.types import Label
from onebit.feedback import Delay
from onebit.streams import from_file, from_graph, known, load
from onebit.streams.base import Stream
from onebit.streams.files import ENDINGS

FROM_ELSEWHERE = {
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


def parse_value(text: str) -> Any:
    """A number (also as a power, 2^-7), true, false, none, a word, or several of these with commas.

    >>> [parse_value(text) for text in ("3", "1e-3", "2^-7", "true", "diagonal", "0.2,0.4")]
    [3, 0.001, 0.0078125, True, 'diagonal', (0.2, 0.4)]
    """
    if "," in text:
        return tuple(parse_value(part) for part in text.split(","))
    words = {"true": True, "false": False, "none": None}
    if text.lower() in words:
        return words[text.lower()]
    base, caret, exponent = text.partition("^")
    try:
        return float(base) ** float(exponent) if caret else int(text)
    except (ValueError, OverflowError, ZeroDivisionError):
        pass
    try:
        return float(text)
    except ValueError:
        return text


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
            form = "NAME=VALUE" if option == "--set" else "NAME=VALUES"
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


class Source(NamedTuple):
    """Where the rows come from: the options of `onebit run` that say so."""

    data: str | None
    label: str | None = None
    hash_features: str | None = None
    graph: Path | None = None
    labels: str | None = None
    dims: int | None = None
    node_features: bool = False
    columns: Sequence[str] | None = None


def open_source(source: Source, *, normalize: bool = False, bias: bool = False) -> Stream:
    """The stream that these options name.

    >>> open_source(Source("iris")).name
    'iris'
    """
    if (source.data is None) == (source.graph is None):
        what = "--data: nothing to play" if source.data is None else f"--data {source.data}: --graph is given as well"
        raise ConfigError(f"{what}; give --data NAME, or --graph FILE with --labels FILE")
    if source.graph is not None:
        return _open_graph(source, normalize, bias)
    assert source.data is not None
    if source.labels is not None:
        raise ConfigError(f"--labels {source.labels!r}: belongs to --graph; the labels of a table are a --label COL")
    spectral = {} if source.dims is None else {"d": source.dims}
    if source.node_features:
        spectral["features"] = True
    if spectral and is_file(source.data):
        raise ConfigError(f"--data {source.data!r}: --dims and --node-features are for graphs; leave them out")
    return open_stream(
        source.data,
        source.label,
        columns=source.columns,
        normalize=normalize,
        bias=bias,
        hash_features=source.hash_features,
        **spectral,
    )


def _open_graph(source: Source, normalize: bool, bias: bool) -> Stream:
    if source.labels is None:
        raise ConfigError(f"--graph {source.graph}: needs --labels, a file with the columns node and label")
    given: dict[str, Any] = {"--label": source.label, "--hash-features": source.hash_features, "--bias": bias or None}
    given |= {"--node-features": source.node_features or None, "--columns": source.columns or None}
    for option, value in given.items():
        if value is not None:
            raise ConfigError(f"{option}: is not for a graph's file; leave it out")
    assert source.graph is not None
    return from_graph(source.graph, source.labels, d=source.dims or 100, name=source.graph.name)


def open_stream(
    text: str,
    label: str | None,
    *,
    columns: Sequence[str] | None = None,
    normalize: bool = False,
    bias: bool = False,
    hash_features: str | None = None,
    **spectral: Any,
) -> Stream:
    """The stream that `--data` names: a known data set, or a file (its name has a dot or a slash).

    >>> open_stream("digits", None).name
    'digits'
    """
    if is_file(text):
        hashed = None if hash_features is None else parse_value(hash_features)
        hashed = int(hashed) if isinstance(hashed, float) and hashed.is_integer() else hashed
        chosen = parse_columns(columns) if columns else None
        return from_file(text, label, columns=chosen, hash_features=hashed, normalize=normalize, bias=bias)
    if here := _file_of(text):
        raise DataError(f"{text!r}: there is no such data set, but a file {here}; write {here}")
    if label is not None or columns or hash_features is not None:
        raise ConfigError(
            f"--data {text!r}: --label, --columns and --hash-features are for files; a data set needs none"
        )
    return load(text, normalize=normalize, bias=bias, **spectral)


def parse_columns(texts: Iterable[str]) -> list[str]:
    """The names that the `--columns` options give, several with commas between them.

    >>> parse_columns(["age,weight", "home town"])
    ['age', 'weight', 'home town']
    """
    return [name for text in texts for name in text.split(",")]


def _file_of(text: str) -> str | None:
    """The file whose name the text begins, where it is no data set."""
    if any(entry.name == text for entry in known()):
        return None
    return next((text + end for end in ENDINGS if Path(text + end).is_file()), None)


def is_file(text: str) -> bool:
    """Whether a `--data` names a file: it has a dot or a slash, and is no data set.

    >>> is_file("tickets.csv"), is_file("digits")
    (True, False)
    """
    return text not in {entry.name for entry in known()} and ("." in text or "/" in text or os.sep in text)


def is_drawn(data: str | None) -> bool:
    """Whether that is a data set whose rows are drawn as they are played.

    >>> is_drawn("synsep"), is_drawn("digits")
    (True, False)
    """
    return any(entry.drawn and entry.name == data for entry in known())


def parse_rounds(text: str | None, option: str = "--rounds") -> float | None:
    """A number of rounds; 1e6 and 1_000_000 will do. `simulate` says whether it can be.

    >>> parse_rounds("1e6")
    1000000
    """
    if text is None:
        return None
    try:
        number = float(text)
    except ValueError:
        raise ConfigError(f"{option} {text!r}: must be a whole number above 0, as 100000 or 1e5") from None
    return int(number) if number.is_integer() else number


def parse_seeds(text: str, option: str = "--seeds") -> int | list[int]:
    """N seeds; or A:B, from A up to but not including B; or A,B,C.

    >>> parse_seeds("5"), parse_seeds("10:13"), parse_seeds("3,8")
    (5, [10, 11, 12], [3, 8])
    """
    try:
        if ":" in text:
            first, last = map(int, text.split(":"))
            return list(range(first, last))
        return [int(part) for part in text.rstrip(",").split(",")] if "," in text else int(text)
    except ValueError:
        raise ConfigError(f"{option} {text!r}: write a number of seeds, a range A:B or a list A,B,C") from None


def parse_delay(text: str | None, option: str = "--delay") -> Delay:
    """A number of rounds, or LOW:HIGH.

    >>> parse_delay("10"), parse_delay("0:100"), parse_delay(None)
    (10, (0, 100), 0)
    """
    if text is None:
        return 0
    try:
        low, _, high = text.partition(":")
        return (int(low), int(high)) if high else int(low)
    except ValueError:
        raise ConfigError(f"{option} {text!r}: write a number of rounds, or a range LOW:HIGH") from None


def parameters_of(cls: type) -> set[str]:
    """What the constructor of a learner takes.

    >>> "gamma" in parameters_of(learner_class("banditron"))
    True
    """
    return {field.name for field in fields(cls) if field.init}
