"""Where the rows come from: what the command line says about data, opened as a stream."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from onebit.cli.maps import map_stream, parse_map
from onebit.cli.values import parse_size
from onebit.core.errors import ConfigError, DataError
from onebit.features.cases.settings import KINDS, Cases
from onebit.streams import from_file, from_graph, known, load
from onebit.streams.base import Stream
from onebit.streams.files import ENDINGS
from onebit.streams.tables.stream import TableStream


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
    cases: Cases | None = None


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
        cases=source.cases,
        **spectral,
    )


def _open_graph(source: Source, normalize: bool, bias: bool) -> Stream:
    if source.labels is None:
        raise ConfigError(f"--graph {source.graph}: needs --labels, a file with the columns node and label")
    given: dict[str, Any] = {"--label": source.label, "--hash-features": source.hash_features, "--bias": bias or None}
    given |= {"--node-features": source.node_features or None, "--columns": source.columns or None}
    given |= {f"--{kind}": names for kind, names in _declared(source.cases).items()}
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
    cases: Cases | None = None,
    **spectral: Any,
) -> Stream:
    """The stream that `--data` names: a known data set, or a file (its name has a dot or a slash).

    >>> open_stream("digits", None).name
    'digits'
    """
    if is_file(text):
        hashed = None if hash_features is None else parse_size(hash_features)
        chosen = split_names(columns) if columns else None
        raw = True if cases else None
        if hashed is not None and cases:
            kind = next(iter(_declared(cases)))
            raise ConfigError(f"--hash-features {hash_features}: hashes what --{kind} says is to be read; leave it out")
        stream = from_file(text, label, columns=chosen, hash_features=hashed, normalize=normalize, bias=bias, cases=raw)
        _check_declared(stream, cases)
        return stream
    here = [text + end for end in ENDINGS if Path(text + end).is_file()]
    if here and text not in {entry.name for entry in known()}:
        raise DataError(f"{text!r}: there is no such data set, but a file {here[0]}; write {here[0]}")
    if label is not None or columns or hash_features is not None or cases:
        raise ConfigError(
            f"--data {text!r}: --label, --columns, --hash-features, --text and the like are for files; a data set "
            "needs none"
        )
    return load(text, normalize=normalize, bias=bias, **spectral)


def split_names(parts: Sequence[str]) -> list[str]:
    """The names of columns in options that may be repeated, each with commas.

    >>> split_names(["weight,legs", "food"])
    ['weight', 'legs', 'food']
    """
    return [name for part in parts for name in part.split(",")]


def parse_cases(**given: Sequence[str] | None) -> Cases | None:
    """How columns are to be read, by the options --text, --category and so on; None where nothing is said.

    >>> parse_cases(text=["subject,body"], ignore=None)
    Cases(text=('subject', 'body'))
    """
    declared: dict[str, Any] = {kind: split_names(parts) for kind, parts in given.items() if parts}
    try:
        return Cases(**declared) if declared else None
    except ConfigError as error:
        raise ConfigError(f"--{error}") from None


def _declared(cases: Cases | None) -> dict[str, tuple[str, ...]]:
    return {} if cases is None else {kind: names for kind in KINDS if (names := tuple(getattr(cases, kind)))}


def _check_declared(stream: Stream, cases: Cases | None) -> None:
    """An error for a column that the file does not have, or that is its label."""
    if not isinstance(stream, TableStream):
        return
    for kind, names in _declared(cases).items():
        if stream.facts.get("label") in names:
            raise ConfigError(f"--{kind} {stream.facts['label']!r}: is the label, which no learner reads; leave it out")
        if (unknown := stream.first_unknown(names)) is not None:
            there = stream.shown_names()
            raise DataError(f"--{kind} {unknown!r}: {stream.name} has no such column; name one of {there}")


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


def open_rows(source: Source, normalize: bool, bias: bool, feature_map: str | None) -> tuple[Stream, bool]:
    """The stream, and whether the learner is still to scale its rows: those drawn as they are played, unless mapped.

    >>> stream, late = open_rows(Source("synsep"), normalize=True, bias=False, feature_map=None)
    >>> stream.name, late
    ('synsep', True)
    """
    if feature_map is not None:
        parse_map(feature_map)
        if bias:
            raise ConfigError("--bias: is not for mapped rows; leave it out, or leave --map out")
    late = normalize and is_drawn(source.data)
    stream = open_source(source, normalize=normalize and not late, bias=bias)
    if feature_map is None:
        return stream, late
    return map_stream(stream, feature_map, normalize=late), False
