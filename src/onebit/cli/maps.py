"""The feature maps of the command line: `--map rational:18` and the like."""

from __future__ import annotations

from typing import Any

from onebit.cli.inputs import Source, is_drawn, open_source, parse_value
from onebit.core.checks import check_number, check_whole
from onebit.core.errors import ConfigError
from onebit.simulate.progress import progress_bar
from onebit.streams.base import Stream
from onebit.streams.graph import GraphStream
from onebit.streams.mapped import mapped

_FIT_ROWS = 2000
_FORMS = {
    "rational": "rational or rational:DEGREE",
    "fourier": "fourier, fourier:N or fourier:N,GAMMA",
    "nystroem": "nystroem, nystroem:N or nystroem:N,GAMMA",
}


def parse_map(text: str) -> Any:
    """The transformer that a `--map` names.

    >>> parse_map("rational:12"), parse_map("fourier:100,0.5"), parse_map("nystroem")
    (RationalMap(degree=12), RandomFourier(gamma=0.5, n_components=100),
     Nystroem(gamma=1.0, n_components=512, random_state=0))
    """
    kind, colon, rest = text.partition(":")
    if kind not in _FORMS:
        raise ConfigError(f"--map {text!r}: must be rational, fourier or nystroem, as in rational:18")
    values = [parse_value(part) for part in rest.split(",")] if colon else []
    if len(values) > (1 if kind == "rational" else 2):
        raise ConfigError(f"--map {text!r}: write {_FORMS[kind]}")
    size = values[0] if values else (18 if kind == "rational" else 512)
    size = int(size) if isinstance(size, float) and size.is_integer() else size
    gamma = values[1] if len(values) > 1 else 1.0
    try:
        check_whole("DEGREE" if kind == "rational" else "N", size)
        check_number("GAMMA", gamma, 0, open_low=True)
    except ConfigError as error:
        raise ConfigError(f"--map {text!r}: {error}; write {_FORMS[kind]}") from None
    from onebit.features import Nystroem, RandomFourier, RationalMap

    if kind == "rational":
        return RationalMap(size)
    if kind == "fourier":
        return RandomFourier(size, gamma=gamma)
    return Nystroem(gamma=gamma, n_components=size, random_state=0)


def map_stream(stream: Stream, text: str, *, normalize: bool = False) -> Stream:
    """The stream through the map that a `--map` names; `normalize` scales its rows to unit norm before.

    >>> import onebit
    >>> map_stream(onebit.streams.load("iris"), "rational:2", normalize=True).n_features
    15
    """
    transformer = parse_map(text)
    fit_rows = max(_FIT_ROWS, getattr(transformer, "n_components", 0))
    if normalize:
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import Normalizer

        transformer = make_pipeline(Normalizer(), transformer)
    if isinstance(stream, GraphStream):
        with progress_bar(None, f"rows of {stream.name}", stream.facts["d"], "eigenpairs") as update:
            stream.ready(lambda what, done, total: update(done))
    return mapped(stream, transformer, fit_rows=fit_rows)


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
