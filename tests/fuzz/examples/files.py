"""Saved files that once crashed compiled code, took gigabytes, or raised errors of others."""

from __future__ import annotations

_PREPARE = """
import io, json, tempfile, warnings, zipfile
from pathlib import Path
import numpy as np
import onebit
from tests.fuzz.files import exercise, saved

PATH = Path(tempfile.mkdtemp()) / "m.onebit"

def changed(name, kind="dense", setting=0, header=None, **arrays):
    '''Load a file with other fields in its header and other entries in its arrays, and use it.'''
    with zipfile.ZipFile(io.BytesIO(saved(name, kind, setting))) as archive:
        parts = {part: archive.read(part) for part in archive.namelist()}
    fields = json.loads(parts["header.json"])
    if header:
        header(fields)
    parts["header.json"] = json.dumps(fields).encode()
    for array, (at, value) in arrays.items():
        member = array.replace("__", "-") + ".npy"
        stored = np.load(io.BytesIO(parts[member]))
        stored[at] = value
        file = io.BytesIO()
        np.save(file, stored)
        parts[member] = file.getvalue()
    write(parts)

def write(parts, method=zipfile.ZIP_STORED):
    with zipfile.ZipFile(PATH, "w", method) as archive:
        for part, content in parts.items():
            archive.writestr(part, content)
    try:
        exercise(PATH)
    except onebit.OnebitError:
        return
"""


def _example(name: str, source: str) -> tuple[str, str]:
    return name, _PREPARE + source


EXAMPLES: list[tuple[str, str]] = [
    _example("a layout of the other kind", """
for name in ("banditron", "one-bit", "lin-ucb"):
    changed(name, header=lambda h: h.update(layout=[3, 5, "sparse", "float64"]))
    changed(name, "sparse", header=lambda h: h.update(layout=[3, 5, "dense", "float64"]))
"""),
    _example("a layout of more classes or features", """
for K, d, dtype in ((9, 5, "float64"), (3, 9, "float64"), (3, 5, "float32"), (2, 5, "float64")):
    changed("banditron", header=lambda h: h.update(layout=[K, d, "dense", dtype]))
changed("banditron", header=lambda h: h["parameters"].update(classes=["a", "b"]))
"""),
    _example("more steps than a matrix has rows", """
for name in ("molg-b", "molg-f", "msg", "oslg", "oslg-bandit"):
    changed(name, n=(0, 10**9))
    changed(name, "sparse", n=(0, -1))
"""),
    _example("kernel-bandit: blocks beyond those there are", """
changed("kernel-bandit", setting=2, counts=(-1, 10**9))
changed("kernel-bandit", setting=2, counts=(0, 10**9))
changed("kernel-bandit", setting=2, oldest=(0, 10**9))
changed("kernel-bandit", setting=1, owner=(0, 10**9))
"""),
    _example("kernel-bandit: a plan of other monomials", """
changed("kernel-bandit", setting=3, plan=((0, 0), 10**9))
changed("kernel-bandit", setting=3, plan=((0, 3), 10**9))
"""),
    _example("second-order-kernel: more vectors than room", """
changed("second-order-kernel", size=(0, 10**9))
changed("second-order-kernel", size=(0, -5))
"""),
    _example("rcine: a window that is full already", """
changed("rcine", header=lambda h: h["parameters"].update(N_s=5))
changed("rcine", header=lambda h: h["window"].update(held=10**9))
changed("rcine", window__labels=(0, 10**9))
changed("rcine", window__propensity=(0, 0.0))
changed("rcine", "sparse", window__indices=(0, 10**9))
changed("rcine", "sparse", window__indptr=(1, 10**9))
"""),
    _example("mc-dbf: every label is taken", """
changed("mc-dbf", taken=(slice(None), True))
"""),
    _example("one-bit: indices and counts", """
changed("one-bit", "sparse", indices=(0, 2**32 - 1))
changed("one-bit", "sparse", size=(0, 10**9))
changed("one-bit", setting=1, told=(0, 10**9))
changed("one-bit", setting=1, t=(0, -1))
changed("one-bit", last__told=(0, 10**9))
changed("one-bit", clock=(0, -1))
changed("one-bit", kept__size=(0, 10**9))
changed("one-bit", line=(2, 0.0))
"""),
    _example("states that are not finite", """
for name in ("banditron", "one-bit", "soba", "pnewtron"):
    changed(name, **{"b" if name == "pnewtron" else "W": ((0, 0), np.nan)})
"""),
    _example("a layout of 10^8 features", """
for name in ("banditron", "one-bit", "page-rank-ucb", "kernel-bandit", "soba-diagonal"):
    changed(name, header=lambda h: h.update(layout=[3, 10**8, "sparse", "float64"]))
    changed(name, header=lambda h: h.update(layout=[3, 10**8, "dense", "float64"]))
"""),
    _example("a deflated array", """
header = zipfile.ZipFile(io.BytesIO(saved("banditron", "dense"))).read("header.json")
form = b"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 5000000), }\\n"
content = b"\\x93NUMPY\\x01\\x00" + len(form).to_bytes(2, "little") + form + bytes(120_000_000)
write({"header.json": header, "W.npy": content}, zipfile.ZIP_DEFLATED)
"""),
    _example("a header of many classes", """
changed("banditron", header=lambda h: h["parameters"].update(classes=list(range(150_000))))

def many(header):
    header["parameters"].update(classes=list(range(150_000)))
    header.update(layout=[150_000, 5, "dense", "float64"])

for name in ("one-bit", "kernel-bandit", "second-order-kernel", "lin-ucb"):
    changed(name, header=many)
"""),
    _example("headers that are nested or none", """
for header in (b"[" * 10**6, b'{"a":' * 10**5, b"", b"3", b"[]", b"{}", bytes(30_000_000)):
    write({"header.json": header})
"""),
    _example("array headers that are not of NumPy", """
header = zipfile.ZipFile(io.BytesIO(saved("banditron", "dense"))).read("header.json")
for form in (b"(", b"  1", b"{", b"(" * 9000, b"'", b"lambda: 0", b"9**9**9",
             b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }"):
    write({"header.json": header, "W.npy": b"\\x93NUMPY\\x01\\x00" + len(form).to_bytes(2, "little") + form})
"""),
    _example("versions, counters, generators", """
for field, values in {"format": [True, 0, -1, 3, 2.5, "2", None], "decisions": [-1, 2**63, 2**70, 0.5, True, "1"],
                      "updates": [-1, None], "capacity": [-1, 1, 10**9, 2**62, None, "x"],
                      "rates": [[2, 0], [0.6, 0.6], None, []],
                      "generator": [[], ["1"] * 3, ["x"] * 4, ["-1"] * 4, ["2"] * 4, [10**30] * 4, None]}.items():
    for value in values:
        changed("banditron", header=lambda h: h.update({field: value}))
        changed("kernel-bandit", setting=1, header=lambda h: h.update({field: value}))
"""),
    _example("parameters that are none", """
for value in (None, 10**400, [], {}, {"Graph": []}, {"TailMoment": {"share": 5}}, {"x": 1}, {"tuple": 3}, "x" * 10**5,
              float("nan")):
    for name in ("gamma", "noise", "classes", "dtype", "n_features", "seed", "colour"):
        changed("banditron", header=lambda h: h["parameters"].update({name: value}))
"""),
]  # fmt: skip
"""Names, and what to run: each ends well, or raises an `onebit.OnebitError`."""
