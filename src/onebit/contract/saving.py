"""The `.onebit` file: a zip of raw `.npy` arrays and one JSON header. Nothing in it is ever executed."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import asdict
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.contract.archive import HEADER, HEADER_SHARE, Archive, CarefulFile
from onebit.contract.classes import all_there, set_aside
from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.saved_window import read_window, window_arrays, window_header
from onebit.contract.schema import MOST_COUNTED, Declared, check_form, form_of, joined
from onebit.contract.states import arrays
from onebit.core.checks import check_whole, wrong
from onebit.core.errors import ConfigError, DataError, FormatError
from onebit.core.files import written_whole
from onebit.core.registry import learner_class, registered_class
from onebit.features.cases.saved import ARRAYS, encoder_arrays, encoder_header, read_encoder
from onebit.features.cases.settings import AUTO, Cases
from onebit.feedback import NoiseRates
from onebit.graph import Graph
from onebit.kernels import Kernel
from onebit.noise.naming import decode_noise, encode_noise

FORMAT = 3
"""The latest: with retired labels. A file without any is of format 2."""

LIMIT = 4 * 2**30
"""Larger files are read only by those who ask for it."""

_MOST_FEATURES = 2**32 - 1
_LONGEST_TEXT = 300
_FEW = (2, 3)  # columns
_LEAST_READ = 2**20  # whatever the limit is


def save(learner: Learner, path: str | os.PathLike[str]) -> None:
    """Write a learner, whole or not at all."""
    if registered_class(learner.name) is not type(learner):
        raise ConfigError(
            f"{type(learner).__name__}: not registered, so the file could not be loaded again; "
            "decorate the class with @onebit.register('some-name')"
        )
    n_retired = len(learner.retired)
    with all_there(learner):
        _write(learner, path, n_retired)


def _write(learner: Learner, path: str | os.PathLike[str], n_retired: int) -> None:
    """Write a learner whose last classes are those that it has retired."""
    session = learner._session
    params = learner.get_params().items()
    apart = ("classes", "cases")
    given = {name: str(v) if isinstance(v, Kernel) else v for name, v in params if name not in apart}
    graphs = {name: _graph_arrays(value) for name, value in given.items() if isinstance(value, Graph)}
    edges = [(f"{name}-{part}", array) for name, parts in graphs.items() for part, array in parts.items()]
    parameters: dict[str, Any] = {name: encode_noise(value) for name, value in given.items() if name not in graphs}
    parameters |= {name: {"Graph": list(parts)} for name, parts in graphs.items()}
    if learner.cases is not None:
        parameters["cases"] = {"Cases": asdict(learner.cases)} if isinstance(learner.cases, Cases) else AUTO
    parameters["classes"] = [_encode(label) for label in learner.classes]
    header = {
        "format": FORMAT if n_retired else 2,
        "learner": learner.name,
        "parameters": parameters,
        "layout": session.layout,
        "capacity": session.capacity,
        "generator": [str(word) for word in session.rng.tolist()],
        "decisions": session.decisions,
        "updates": session.updates,
        "rates": session.rates,
        "window": window_header(session.window),
    }
    read: dict[str, Any] = {}
    if session.encoder is not None:
        header["cases"] = encoder_header(session.encoder)
        read = {f"cases-{name}": array for name, array in encoder_arrays(session.encoder).items()}
    if n_retired:
        header["retired"] = n_retired
    if session.changed_at:
        header["changed_at"] = session.changed_at
    text = json.dumps(header, indent=1)
    with written_whole(path) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(HEADER, text)
        for name, array in [*_state_arrays(learner).items(), *window_arrays(session.window), *edges, *read.items()]:
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)


def load(path: str | os.PathLike[str], *, limit: int = LIMIT) -> Any:
    """Read a learner that was saved. It goes on exactly where the saved one stood.

    Nothing in the file is executed, and what it claims is checked before memory is taken for it: a file that is
    damaged, foreign or made up raises a `FormatError`. Files of more than `limit` bytes (4 GiB) are not read; give a
    larger limit for those that you trust.

    >>> import onebit, tempfile
    >>> path = tempfile.mkdtemp() + "/model.onebit"
    >>> onebit.Banditron(["a", "b"], gamma=0.25).save(path)
    >>> onebit.load(path)
    Banditron(['a', 'b'], gamma=0.25)
    """
    limit = check_whole("limit", limit, of="bytes", floats=True)
    path = _checked_path(path)
    size = path.stat().st_size
    if size > limit:
        raise FormatError(f"{path}: has {size:,} bytes, more than limit={limit}; if you trust it, give limit={size}")
    try:
        with CarefulFile(path, max(limit // HEADER_SHARE, _LEAST_READ)) as file, zipfile.ZipFile(file) as archive:
            return _read(Archive(archive, size, limit))
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from error
    except MemoryError as error:
        raise FormatError(f"{path}: there is not enough memory for its {size:,} bytes; free some") from error
    except Exception as error:  # a damaged archive can make `zipfile` raise nearly anything
        raise FormatError(f"{path}: damaged ({_short(error)}); restore it from a copy") from error


def _checked_path(path: Any) -> Path:
    try:
        found = Path(path)
    except TypeError:
        raise wrong("path", path, "the path of a .onebit file") from None
    if not found.is_file():
        problem = "is a folder or a device, not a file" if found.exists() else "there is no such file"
        raise FormatError(f"{found}: {problem}; give the path to which `save` has written")
    if not zipfile.is_zipfile(found):
        raise FormatError(
            f"{found}: not a .onebit file (no zip archive); was it cut short or written by something else?"
        )
    return found


def _read(archive: Archive) -> Learner:
    header = archive.header()
    version = header.get("format")
    if type(version) is not int or not 1 <= version <= FORMAT:
        newer = "; upgrade onebit" if type(version) is int and version > FORMAT else ""
        raise FormatError(f"format version {_short(version)}, this onebit reads 1 to {FORMAT}{newer}")
    try:
        learner = _read_learner(archive, header)
        session = learner._session
        if isinstance(learner.cases, Cases) or "cases" in header:
            found = {name: archive.array(f"cases-{name}") for name in ARRAYS}
            settings = _settings(learner, header["cases"])
            encoder = read_encoder(settings, header["cases"], found, **learner.rows_of_cases)
            session.read_with(learner, encoder)
        if header["layout"]:
            _read_state(archive, learner, _checked_layout(learner, header["layout"]), header.get("capacity", 0))
        if "retired" in header:
            most = len(learner.classes) - learner.set_size - 1
            set_aside(learner, check_whole("retired", header["retired"], 1, most))
        if "rates" in header:
            session.believe(NoiseRates(*header["rates"]).checked())
        read_window(archive, session.window, header.get("window"), session.width)
        session.rng[:] = _checked_generator(header["generator"])
        session.decisions = check_whole("decisions", header["decisions"], 0, MOST_COUNTED)
        session.updates = check_whole("updates", header["updates"], 0, MOST_COUNTED)
        session.changed_at = check_whole("changed_at", header.get("changed_at", 0), 0, session.decisions)
    except (FormatError, MemoryError, zipfile.BadZipFile, EOFError, OSError):
        raise
    except Exception as error:  # what a learner's own checks raise, and all that a made-up header can lead to
        raise FormatError(f"its header does not describe a learner ({_short(error)})") from error
    return learner


def _read_learner(archive: Archive, header: dict[str, Any]) -> Learner:
    """The learner with its parameters, before its state."""
    learner_type: type[Learner] = learner_class(header["learner"])
    parameters = learner_type._formerly() | dict(header["parameters"])
    labels = parameters.pop("classes")
    if not isinstance(labels, list):
        raise DataError("its classes are not a list")
    classes = [_decode(label) for label in labels]
    cases = parameters.pop("cases")
    parameters["cases"] = Cases(**cases["Cases"]) if isinstance(cases, dict) else cases
    for name, value in parameters.items():
        if name == "cases":
            continue
        graph = isinstance(value, dict) and "Graph" in value
        parameters[name] = _read_graph(archive, name, value["Graph"]) if graph else decode_noise(value)
    learner: Learner = learner_type(classes, **parameters)
    return learner


def _settings(learner: Learner, header: Any) -> Cases:
    """The settings of the encoder: those declared, or for "auto" what the file says of the columns."""
    if isinstance(learner.cases, Cases):
        return learner.cases
    if learner.cases is None:
        raise DataError("it holds raw cases, and its learner reads none")
    return Cases(hash=header["hash"])


def _checked_layout(learner: Learner, layout: Any) -> Layout:
    """The layout, which must be one of this learner."""
    K, d, kind, dtype = layout
    if type(K) is not int or len(learner.classes) != K:
        raise DataError(f"its layout has {_short(K)} classes, and the learner {len(learner.classes)}")
    check_whole("n_features", d, 1, _MOST_FEATURES)
    encoder = learner._session.encoder
    if encoder is not None and (kind != "sparse" or d <= encoder.columns):
        raise DataError(f"its layout has {d} features of the kind {_short(kind)}, and its cases {encoder.columns}")
    if learner.n_features not in (None, d):
        raise DataError(f"its layout has {d} features, and the learner {learner.n_features}")
    if kind not in ("dense", "sparse"):
        raise DataError(f"its layout has rows of the kind {_short(kind)}")
    if dtype != learner.dtype:
        raise DataError(f"its layout has dtype {_short(dtype)}, and the learner {learner.dtype}")
    return Layout(K, d, kind, dtype)


def _checked_generator(words: Any) -> Any:
    """The four words of the generator; the increment is odd."""
    if not isinstance(words, list) or len(words) != 4:
        raise DataError("its generator does not have 4 words")
    if not all(isinstance(word, str) and word.isascii() and word.isdecimal() and len(word) <= 20 for word in words):
        raise DataError("its generator does not consist of words")
    numbers = [int(word) for word in words]
    if max(numbers) >= 2**64 or numbers[3] % 2 == 0:
        raise DataError("its generator is none of PCG64")
    return np.array(numbers, dtype=np.uint64)


def _read_state(archive: Archive, learner: Learner, layout: Layout, capacity: Any) -> None:
    """The state, once the arrays of the file have the form that the learner declares."""
    check_whole("capacity", capacity, 0, _MOST_FEATURES)
    declared = learner.schema(layout, capacity)
    forms: Any = None if declared is None else learner.file_arrays(declared)
    if forms is not None:
        _check_forms(archive, forms, layout)
    else:
        _check_size(archive, learner, layout, capacity)
    _begin(learner, layout, capacity)
    state = learner.file_arrays(learner._session.state)
    if forms is None:
        forms = {name: tuple(form_of(part) for part in parts) for name, parts in state.items()}
        _check_forms(archive, forms, layout)
    try:
        _fill(archive, state, forms, layout.dtype)
        _check_state(learner)
    except FormatError as error:
        raise FormatError(f"damaged ({error}); restore it from a copy") from error


def _fill(archive: Archive, state: Mapping[str, Any], forms: Mapping[str, Any], dtype: str) -> None:
    """Write the arrays of the file to the state, each checked before."""
    for name, parts in state.items():
        stored = np.array_split(archive.array(name), len(parts)) if len(parts) > 1 else [archive.array(name)]
        for part, form, content in zip(parts, forms[name], stored, strict=True):
            form.check(name, content, dtype)
            check_form(name, form_of(part), content.shape, content.dtype, dtype)
            part[...] = content


def _check_forms(archive: Archive, forms: Mapping[str, tuple[Declared, ...]], layout: Layout) -> None:
    """Hold what the arrays of the file say about themselves against what is declared."""
    for name, parts in forms.items():
        found = archive.form(name)
        check_form(name, joined(parts), found.shape, found.dtype, layout.dtype)


def _check_size(archive: Archive, learner: Learner, layout: Layout, capacity: int) -> None:
    """A `FormatError` where a state that nobody has declared would be larger than the file.

    How it grows with the columns is told by the first states for two and for three of them.
    """
    if learner.n_features is None:
        few, more = (arrays(learner.start(layout._replace(n_features=d))) for d in _FEW)
        size = 0
        for (_, a), (_, b) in zip(few, more, strict=True):
            grown = (n + (m - n) * (layout.n_features - _FEW[0]) for n, m in zip(a.shape, b.shape, strict=True))
            size += prod(grown) * a.itemsize
        if size > archive.size:
            raise FormatError(f"its layout needs {size:,} bytes, and the file has {archive.size:,}")
    if capacity > archive.size:
        raise FormatError(f"it has room for {capacity:,}, and {archive.size:,} bytes")


def _begin(learner: Learner, layout: Layout, capacity: int) -> None:
    """The first state, with as much room as the saved one had."""
    learner.begin(layout)
    session = learner._session
    if capacity != session.capacity:
        if not 0 < session.capacity < capacity:
            raise FormatError(f"capacity {capacity}")
        session.state = learner.resized(session.state, capacity)
        session.capacity = capacity


def _check_state(learner: Learner) -> None:
    """What was read must be a state that the learner can go on from."""
    session = learner._session
    learner.check_state(session.state)
    needed = learner.capacity(session.state, 1)
    if needed != session.capacity:
        raise FormatError(f"room for {session.capacity} where {needed} are needed")


def _state_arrays(learner: Learner) -> dict[str, Any]:
    """The arrays of the state as the file keeps them, if there is one."""
    session = learner._session
    if session.layout is None:
        return {}
    declared = learner.schema(session.layout, session.capacity)
    forms: Any = {} if declared is None else learner.file_arrays(declared)
    return {
        name: _joined(parts, any(form.is_room for form in forms.get(name, ())))
        for name, parts in learner.file_arrays(session.state).items()
    }


def _joined(parts: tuple[Any, ...], is_room: bool) -> Any:
    """What stands in one array of the file; what is not finite in room to work is 0 there."""
    array = parts[0] if len(parts) == 1 else np.concatenate(parts)
    if is_room and not np.isfinite(array).all():
        return np.nan_to_num(array, nan=0.0, posinf=0.0, neginf=0.0)
    return array


def _short(value: Any) -> str:
    """An error or a value in a few words."""
    text = str(value) or type(value).__name__
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]} ..."


def _graph_arrays(graph: Graph) -> dict[str, Any]:
    """The edges of a graph, and their weights unless each weighs 1."""
    edges = {"indptr": graph.indptr, "indices": graph.indices}
    return edges if graph.weights is None else edges | {"weights": graph.weights}


def _read_graph(archive: Archive, name: str, parts: list[str]) -> Graph:
    """The graph of a parameter, checked as if a user had given it."""
    indptr, indices, *weights = (archive.array(f"{name}-{part}") for part in parts)
    try:
        if indptr.dtype != np.int64 or indices.dtype != np.int32:
            raise ValueError(f"indptr is {indptr.dtype} and indices {indices.dtype}, expected int64 and int32")
        data = weights[0] if weights else np.ones(len(indices))
        matrix = sp.csr_array((data, indices, indptr), shape=(len(indptr) - 1, len(indptr) - 1))
        matrix.check_format(full_check=True)
        return Graph.of(matrix, name)
    except (DataError, IndexError, TypeError, ValueError) as error:
        raise FormatError(f"its arrays {name}-... are no graph ({_short(error)})") from error


def _encode(label: Any) -> Any:
    """A label as JSON: numbers, strings, booleans and None as they are, tuples marked as such."""
    if label is None or isinstance(label, str | int | float | bool):
        return label
    if isinstance(label, tuple):
        return {"tuple": [_encode(part) for part in label]}
    raise ConfigError(
        f"classes: a label of type {type(label).__name__} cannot be saved; "
        "use strings, numbers, booleans, None, or tuples of these"
    )


def _decode(label: Any) -> Any:
    if isinstance(label, dict):
        return tuple(_decode(part) for part in label["tuple"])
    if isinstance(label, list):
        raise DataError("a label is a list")
    return label
