"""Saved files, changed in one place: unzip, change a field of the header or an array, zip again."""

from __future__ import annotations

import io
import json
import random
import tempfile
import warnings
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

import onebit
from onebit.core.registry import learner_class
from tests.needed import needed

FEATURES = 5
KINDS = ("dense", "sparse")

SETTINGS: dict[str, list[dict[str, Any]]] = {
    "confidit": [{}, {"covariance": "full"}],
    "kernel-bandit": [
        {},
        {"form": "dual"},
        {"form": "dual", "budget": 3},
        {"kernel": "polynomial:2", "form": "primal"},
    ],
    "one-bit": [{}, {"kernel": None}, {"curvature": "diagonal"}, {"m": 2, "noise": (0.1, 0.2)}],
    "rcine": [{}, {"N_s": 40, "average": True}],
    "banditron": [{}, {"noise": "nrest"}, {"dtype": "float32"}],
    "second-order-kernel": [{}, {"budget": 8}],
    "set-banditron": [{}, {"loss": "log", "noise": "tail-moment"}],
}
"""Settings under which a state has another form."""

_ODD: list[Any] = [
    None, True, False, 0, -1, 1, 2, 3, 7, 10**6, 10**9, 2**31, 2**53, 2**63, 2**64, 10**400, 0.5, -0.0, 1e-320, 1e308,
    float("nan"), float("inf"), "", "x", "dense", "sparse", "float32", "float16", "nan", "os.system", "\ud800", [], {},
    [[]], {"Graph": []}, {"tuple": [1]}, {"TailMoment": {}}, {"Reestimated": {}}, {"NREst": {"layers": [10**9]}},
    [1, 2, 3, 4], "rbf:1e400", "polynomial:100", "polynomial:1000000000",
]  # fmt: skip
"""Values that a field of the header is given."""

_ODD_NUMBERS: list[Any] = [
    0, 1, -1, 2, 3, 63, 64, 65, 127, 255, 10**6, 10**9, -(10**9), 2**31 - 1, 2**31, 2**32 - 1, 2**53, 2**62, 2**63 - 1,
    -(2**63), 0.5, 1e-320, -1e-3, 1e19, 1e154, 1e300, -1e300, 1.7e308, float("nan"), float("inf"), float("-inf"),
]  # fmt: skip
"""Values that an entry of an array is given."""

_ODD_DTYPES = ["<f8", "<f4", "<f2", "<i8", "<i4", "<u4", "<u8", "|b1", "|u1", "<c16", "<U3", "|O", ">f8", "<M8[s]"]
_ODD_HEADERS = [
    b"", b"(", b"{", b"(" * 200, b"[" * 500 + b"]" * 500, b"  1", b"'", b"\x00", b"{'descr': '<f8'}", b"lambda: 1",
    b"{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }", b"{'descr': [], 'fortran_order': 1, 'shape': 3, }",
    b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }",
    b"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 999999999999999999), }", b"9**9**9",
]  # fmt: skip


def mutate(data: bytes, draw: random.Random) -> bytes:
    """The file with one thing changed, or a few."""
    if draw.random() < 0.05:
        return _changed_bytes(data, draw)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for _ in range(draw.choice([1, 1, 1, 2, 4])):
        change = draw.choice(
            [_header_field, _header_field, _array_entry, _array_entry, _array_whole, _array_form, _member]
        )
        change(parts, draw)
    return _zipped(parts, draw)


def exercise(path: Path) -> None:
    """Load the file and use what comes of it as anybody would; only onebit's errors are raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        learner = onebit.load(path)
        layout = learner._session.layout
        d = FEATURES if layout is None else layout.n_features
        draw = np.random.default_rng(0)
        for _ in range(70):
            x = draw.normal(size=min(d, FEATURES))
            x /= max(float(np.linalg.norm(x)), 1.0)
            row = _row(x, d, None if layout is None else layout.kind)
            decision = learner.decide(row)
            assert decision.label in learner.classes
            bit = bool(draw.random() < 0.5)
            answer = bit if learner.takes("bit") else learner.classes[0 if bit else -1]
            learner.learn(decision, int(answer) if isinstance(answer, bool) and not learner.takes("bit") else answer)
        learner.predict(row)
        learner.scores(row)
        repr(learner)
        with tempfile.TemporaryDirectory() as folder:
            learner.save(Path(folder) / "again.onebit")


def saved(name: str, kind: str, setting: int = 0, trained: bool = True) -> bytes:
    """A good file of this learner."""
    return _saved(name, kind, setting, trained)


@cache
def _saved(name: str, kind: str, setting: int, trained: bool) -> bytes:
    options = SETTINGS.get(name, [{}])
    parameters = needed(name, FEATURES) | options[setting % len(options)]
    learner = learner_class(name)(["a", "b", "c"], **parameters)
    draw = np.random.default_rng(1)
    for _ in range(30 if trained else 0):
        x = draw.normal(size=FEATURES)
        decision = learner.decide(_row(x / np.linalg.norm(x), FEATURES, kind))
        learner.learn(decision, bool(draw.random() < 0.5) if learner.takes("bit") else "b")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.onebit"
        learner.save(path)
        return path.read_bytes()


def _row(x: Any, d: int, kind: str | None) -> Any:
    """The numbers as a row of d features."""
    if kind == "sparse":
        return sp.csr_array((x, np.arange(len(x)), [0, len(x)]), shape=(1, d))
    return np.pad(x, (0, d - len(x)))


def _zipped(parts: dict[str, bytes], draw: random.Random) -> bytes:
    method = zipfile.ZIP_DEFLATED if draw.random() < 0.02 else zipfile.ZIP_STORED
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(file, "w", method) as archive:
            for name, content in parts.items():
                archive.writestr(name, content)
                if draw.random() < 0.002:
                    archive.writestr(name, content)
    return file.getvalue()


def _changed_bytes(data: bytes, draw: random.Random) -> bytes:
    """Bytes overwritten, cut out or put in."""
    changed = bytearray(data)
    for _ in range(draw.choice([1, 1, 4, 64])):
        at = draw.choice([draw.randrange(len(changed)), max(0, len(changed) - draw.randrange(1, 300))])
        how = draw.randrange(3)
        if how == 0:
            changed[at] = draw.randrange(256)
        elif how == 1:
            del changed[at : at + draw.randrange(1, 30)]
        else:
            changed[at:at] = draw.randbytes(draw.randrange(1, 30))
        if not changed:
            break
    return bytes(changed)


def _header_field(parts: dict[str, bytes], draw: random.Random) -> None:
    """One field of the header, however deep, becomes another value, goes, or comes twice."""
    try:
        header = json.loads(parts["header.json"])
        holder, key = draw.choice(_fields(header))
    except (KeyError, ValueError, IndexError, RecursionError):
        return
    how = draw.random()
    if how < 0.1:
        del holder[key]
    elif how < 0.2 and isinstance(holder, list):
        holder.append(holder[key])
    elif how < 0.25:
        deep: Any = draw.choice(_ODD)
        for _ in range(draw.choice([3, 600])):
            deep = draw.choice([[deep], {"tuple": [deep]}])
        holder[key] = deep
    elif how < 0.4 and isinstance(holder[key], int | float):
        holder[key] = holder[key] * draw.choice([-1, 0, 2, 10, 1000]) + draw.choice([-1, 0, 1])
    else:
        holder[key] = draw.choice(_ODD)
    try:
        parts["header.json"] = json.dumps(header).encode()
    except (RecursionError, ValueError):
        parts["header.json"] = b"[" * 100_000


def _fields(value: Any) -> list[tuple[Any, Any]]:
    """Every place in the header that holds a value."""
    keys: list[Any] = (
        list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    )
    return [(value, key) for key in keys] + [place for key in keys for place in _fields(value[key])]


def _array_names(parts: dict[str, bytes]) -> list[str]:
    return [name for name in parts if name.endswith(".npy")]


def _read(data: bytes) -> Any:
    return np.load(io.BytesIO(data), allow_pickle=False)


def _written(array: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def _chosen(parts: dict[str, bytes], draw: random.Random) -> tuple[str, Any] | None:
    """An array of the file, if there is one."""
    names = _array_names(parts)
    if not names:
        return None
    name = draw.choice(names)
    try:
        return name, _read(parts[name])
    except Exception:  # changed before
        return None


def _array_entry(parts: dict[str, bytes], draw: random.Random) -> None:
    """One entry of an array, or a few, or all, become another number."""
    chosen = _chosen(parts, draw)
    if chosen is None or not chosen[1].size or chosen[1].dtype.kind not in "fiub":
        return
    name, array = chosen
    flat = np.array(array).reshape(-1)
    which: Any = draw.choice([draw.randrange(len(flat)), -1, slice(None)])
    with np.errstate(all="ignore"):
        new = np.array([draw.choice(_ODD_NUMBERS)], dtype=object)
        try:
            flat[which] = new.astype(float).astype(flat.dtype)[0] if flat.dtype.kind == "f" else int(new[0])
        except (OverflowError, ValueError):
            flat[which] = flat.dtype.type(1)
    parts[name] = _written(flat.reshape(array.shape))


def _array_whole(parts: dict[str, bytes], draw: random.Random) -> None:
    """An array of another shape or type, or with entries mixed."""
    chosen = _chosen(parts, draw)
    if chosen is None or chosen[1].dtype.kind not in "fiub":
        return
    name, array = chosen
    how = draw.randrange(6)
    with np.errstate(all="ignore"):
        if how == 0:
            array = array[: draw.randrange(len(array) + 1)] if array.ndim else array
        elif how == 1:
            array = np.concatenate([array, array]) if array.ndim else array
        elif how == 2:
            array = array.reshape(-1)
        elif how == 3:
            array = array.astype(draw.choice(["f8", "f4", "i8", "i4", "u4", "u1", "?", "c16"]))
        elif how == 4:
            array = np.asfortranarray(array.T)
        else:
            array = array.reshape(-1)[draw.sample(range(array.size), array.size)].reshape(array.shape)
    parts[name] = _written(array)


def _array_form(parts: dict[str, bytes], draw: random.Random) -> None:
    """What an array says about itself, without the bytes for it."""
    chosen = _chosen(parts, draw)
    if chosen is None:
        return
    name, array = chosen
    shape = list(array.shape) or [1]
    shape[draw.randrange(len(shape))] = draw.choice([0, 1, 10**5, 10**9, 2**62, 10**30, -1])
    made = f"{{'descr': '{draw.choice(_ODD_DTYPES)}', 'fortran_order': False, 'shape': {tuple(shape)}, }}".encode()
    header = draw.choice([made, draw.choice(_ODD_HEADERS)]) + b"\n"
    version = draw.choice([b"\x01\x00", b"\x01\x00", b"\x02\x00", b"\x09\x00"])
    length = len(header).to_bytes(2 if version[0] == 1 else 4, "little")
    parts[name] = b"\x93NUMPY" + version + length + header + array.tobytes()


def _member(parts: dict[str, bytes], draw: random.Random) -> None:
    """A member goes, takes the place of another, is cut, or is one that does not belong."""
    name = draw.choice(list(parts))
    other = draw.choice(list(parts))
    how = draw.randrange(5)
    if how == 0 and len(parts) > 1:
        del parts[name]
    elif how == 1:
        parts[name] = parts[other]
    elif how == 2:
        parts[name] = parts[name][: draw.randrange(len(parts[name]) + 1)]
    elif how == 3:
        parts[draw.choice(["/etc/passwd", "../x.npy", "x.npy", "é.npy", "a\\b", "W.npy/"])] = parts[name]
    else:
        parts[name] += draw.randbytes(draw.choice([1, 8, 1000]))


_CHANGES = (_header_field, _header_field, _array_entry, _array_entry, _array_whole, _array_form, _member)
