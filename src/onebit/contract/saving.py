"""The `.onebit` file: a zip of raw `.npy` arrays and one JSON header. Nothing in it is ever executed."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from onebit.contract.layout import Layout
from onebit.contract.learner import Learner
from onebit.contract.noise_window import Estimated, NoiseWindow
from onebit.contract.states import arrays
from onebit.core.errors import ConfigError, DataError, FormatError, OnebitError
from onebit.core.files import written_whole
from onebit.core.lessons import Draws, Lessons
from onebit.core.registry import learner_class, registered_class
from onebit.feedback import NoiseRates
from onebit.graph import Graph
from onebit.kernels import Kernel
from onebit.noise.estimate import NoiseEstimate
from onebit.noise.naming import decode_noise, encode_noise
from onebit.ops.rows import DenseRows, SparseRows
from onebit.ops.tables import to_table

FORMAT = 2
_HEADER = "header.json"
_WINDOW_COLUMNS = ("id", "step", "labels", "top", "propensity", "greedy", "explored", "answer")


def save(learner: Learner, path: str | os.PathLike[str]) -> None:
    """Write a learner, whole or not at all."""
    if registered_class(learner.name) is not type(learner):
        raise ConfigError(
            f"{type(learner).__name__}: not registered, so the file could not be loaded again; "
            "decorate the class with @onebit.register('some-name')"
        )
    session = learner._session
    params = learner.get_params().items()
    given = {name: str(v) if isinstance(v, Kernel) else v for name, v in params if name != "classes"}
    graphs = {name: _graph_arrays(value) for name, value in given.items() if isinstance(value, Graph)}
    edges = [(f"{name}-{part}", array) for name, parts in graphs.items() for part, array in parts.items()]
    parameters: dict[str, Any] = {name: encode_noise(value) for name, value in given.items() if name not in graphs}
    parameters |= {name: {"Graph": list(parts)} for name, parts in graphs.items()}
    parameters["classes"] = [_encode(label) for label in learner.classes]
    header = {
        "format": FORMAT,
        "learner": learner.name,
        "parameters": parameters,
        "layout": session.layout,
        "capacity": session.capacity,
        "generator": [str(word) for word in session.rng.tolist()],
        "decisions": session.decisions,
        "updates": session.updates,
        "rates": session.rates,
        "window": _window_header(session.window),
    }
    text = json.dumps(header, indent=1)
    with written_whole(path) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(_HEADER, text)
        state = [(name, _joined(parts)) for name, parts in _state_arrays(learner).items()]
        for name, array in [*state, *_window_arrays(session.window), *edges]:
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)


def load(path: str | os.PathLike[str]) -> Any:
    """Read a learner that was saved. It goes on exactly where the saved one stood.

    >>> import onebit, tempfile
    >>> path = tempfile.mkdtemp() + "/model.onebit"
    >>> onebit.Banditron(["a", "b"], gamma=0.25).save(path)
    >>> onebit.load(path)
    Banditron(['a', 'b'], gamma=0.25)
    """
    path = Path(path)
    if not path.is_file():
        raise FormatError(f"{path}: there is no such file")
    if not zipfile.is_zipfile(path):
        raise FormatError(
            f"{path}: not a .onebit file (no zip archive); was it cut short or written by something else?"
        )
    try:
        with zipfile.ZipFile(path) as archive:
            return _read(archive, path)
    except (zipfile.BadZipFile, EOFError, OSError) as error:
        raise FormatError(f"{path}: damaged ({error}); restore it from a copy") from error


def _read(archive: zipfile.ZipFile, path: Path) -> Learner:
    header = _read_header(archive, path)
    try:
        parameters = dict(header["parameters"])
        classes = [_decode(label) for label in parameters.pop("classes")]
        for name, value in parameters.items():
            graph = isinstance(value, dict) and "Graph" in value
            parameters[name] = _read_graph(archive, name, value["Graph"], path) if graph else decode_noise(value)
        learner: Learner = learner_class(header["learner"])(classes, **parameters)
        layout = Layout(*header["layout"]) if header["layout"] else None
        rng = np.array([int(word) for word in header["generator"]], dtype=np.uint64)
        decisions = int(header["decisions"])
        updates = int(header["updates"])
        if rng.shape != (4,):
            raise ValueError(f"the generator has {len(rng)} words, not 4")
        if layout:
            _begin(learner, layout, int(header.get("capacity", 0)))
        if "rates" in header:
            learner._session.believe(NoiseRates(*header["rates"]).checked())
        if learner._session.window and header["window"]:
            _read_window(archive, learner._session.window, header["window"], path)
    except FormatError:
        raise
    except (OnebitError, KeyError, TypeError, ValueError, OverflowError, AttributeError, MemoryError) as error:
        raise FormatError(f"{path}: its header does not describe a learner ({error})") from error
    session = learner._session
    for name, parts in _state_arrays(learner).items():
        array = _joined(parts)
        stored = _read_array(archive, name, path)
        if stored.shape != array.shape or stored.dtype != array.dtype:
            raise FormatError(
                f"{path}: array {name} is {stored.dtype}{list(stored.shape)}, expected {array.dtype}{list(array.shape)}"
            )
        for part, content in zip(parts, np.array_split(stored, len(parts)), strict=True):
            part[...] = content
    if session.layout is not None:
        _check_state(learner, path)
    session.rng[:] = rng
    session.decisions = decisions
    session.updates = updates
    return learner


def _begin(learner: Learner, layout: Layout, capacity: int) -> None:
    """The first state, with as much room as the saved one had."""
    learner.begin(layout)
    session = learner._session
    if capacity != session.capacity:
        if not 0 < session.capacity < capacity < 2**31:
            raise ValueError(f"capacity {capacity}")
        session.state = learner.resized(session.state, capacity)
        session.capacity = capacity


def _check_state(learner: Learner, path: Path) -> None:
    """What was read must be a state that the learner can go on from."""
    session = learner._session
    try:
        learner.check_state(session.state)
        if learner.capacity(session.state, 1) != session.capacity:
            raise FormatError(f"room for {session.capacity} where {learner.capacity(session.state, 1)} are needed")
    except FormatError as error:
        raise FormatError(f"{path}: damaged ({error}); restore it from a copy") from error


def _read_header(archive: zipfile.ZipFile, path: Path) -> dict[str, Any]:
    try:
        header = json.loads(archive.read(_HEADER))
        version = header["format"]
    except (KeyError, ValueError, TypeError) as error:
        raise FormatError(f"{path}: a zip archive, but not a .onebit file (no readable {_HEADER})") from error
    if not isinstance(version, int) or version > FORMAT:
        raise FormatError(f"{path}: format version {version}, this onebit reads up to {FORMAT}; upgrade onebit")
    return dict(header)


def _read_array(archive: zipfile.ZipFile, name: str, path: Path) -> Any:
    try:
        with archive.open(f"{name}.npy") as entry:
            return np.lib.format.read_array(entry, allow_pickle=False)
    except KeyError as error:
        raise FormatError(f"{path}: array {name} is missing") from error
    except ValueError as error:
        raise FormatError(f"{path}: array {name} is damaged ({error})") from error


def _state_arrays(learner: Learner) -> dict[str, tuple[Any, ...]]:
    """The arrays of the state as the file keeps them, if there is one."""
    return {} if learner._session.state is None else learner.file_arrays(learner._session.state)


def _joined(parts: tuple[Any, ...]) -> Any:
    """What stands in one array of the file."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _graph_arrays(graph: Graph) -> dict[str, Any]:
    """The edges of a graph, and their weights unless each weighs 1."""
    edges = {"indptr": graph.indptr, "indices": graph.indices}
    return edges if graph.weights is None else edges | {"weights": graph.weights}


def _read_graph(archive: zipfile.ZipFile, name: str, parts: list[str], path: Path) -> Graph:
    """The graph of a parameter, checked as if a user had given it."""
    indptr, indices, *weights = (_read_array(archive, f"{name}-{part}", path) for part in parts)
    try:
        if indptr.dtype != np.int64 or indices.dtype != np.int32:
            raise ValueError(f"indptr is {indptr.dtype} and indices {indices.dtype}, expected int64 and int32")
        data = weights[0] if weights else np.ones(len(indices))
        matrix = sp.csr_array((data, indices, indptr), shape=(len(indptr) - 1, len(indptr) - 1))
        matrix.check_format(full_check=True)
        return Graph.of(matrix, name)
    except (DataError, TypeError, ValueError) as error:
        raise FormatError(f"{path}: its arrays {name}-... are no graph ({error})") from error


def _window_header(window: NoiseWindow | None) -> dict[str, Any] | None:
    """The counts and the history of a noise estimate."""
    if window is None:
        return None
    history = [[at, *rates, rates.se_0, rates.se_1, rates.notes] for at, rates in window.history]
    return {"lessons": window.lessons, "held": window.held, "history": history}


def _window_arrays(window: NoiseWindow | None) -> list[tuple[str, Any]]:
    """The lessons that a noise estimate waits with."""
    if window is None or not window.held:
        return []
    held = window.whole()
    m = window.set_size
    columns = {
        "id": held.id,
        "step": held.step,
        "labels": held.draws.labels[:, :m],
        "top": held.draws.labels[:, m:],
        "propensity": held.draws.propensity,
        "greedy": held.draws.greedy,
        "explored": held.draws.explored.astype(np.int64),
        "answer": held.answer,
    }
    return [(f"window-{name}", array) for name, array in [*columns.items(), *arrays(held.rows)]]


def _read_window(archive: zipfile.ZipFile, window: NoiseWindow, header: dict[str, Any], path: Path) -> None:
    """Put back what a noise estimate had collected."""
    window.lessons = int(header["lessons"])
    window.held = int(header["held"])
    window.history = [Estimated(int(at), NoiseEstimate(*rest)) for at, *rest in header["history"]]
    if not window.held:
        return
    kind = DenseRows if window.layout.kind == "dense" else SparseRows
    rows = kind(*(_read_array(archive, f"window-{name}", path) for name in kind._fields))
    columns = {name: _read_array(archive, f"window-{name}", path) for name in _WINDOW_COLUMNS}
    table = to_table(rows, window.layout.n_features)
    if window.layout.kind == "sparse":
        table.check_format(full_check=True)
    fits = table.shape == (window.held, window.layout.n_features) and columns["labels"].shape[1] == window.set_size
    if not fits or any(len(column) != window.held for column in columns.values()):
        raise ValueError("the lessons for the noise estimate do not fit together")
    draws = Draws(
        labels=np.hstack([columns["labels"], columns["top"]]),
        propensity=columns["propensity"],
        greedy=columns["greedy"],
        explored=columns["explored"].astype(np.bool_),
    )
    window.joined = [Lessons(columns["id"], columns["step"], draws, columns["answer"], rows=rows)]


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
