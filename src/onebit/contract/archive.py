"""The parts of a `.onebit` file, read with care: a file decides nothing that its own size does not bear out.

Members are stored as they are, so none is larger in memory than in the file; what a member claims about itself (its
size, its shape, its type) is checked before memory is taken for it. Array headers have the one form that NumPy writes,
and nothing in them is evaluated.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.core.errors import FormatError

HEADER = "header.json"
HEADER_SHARE = 1024
"""The header may take this part of the limit, and so may the list of members: a byte of them becomes dozens."""

_MAGIC = b"\x93NUMPY\x01\x00"
_LONGEST_ARRAY_HEADER = 1024
_ARRAY_HEADER = re.compile(
    rb"\{'descr': '([<|][a-z]\d)', 'fortran_order': (True|False), "
    rb"'shape': \(((?:\d{1,18}, ?)*(?:\d{1,18})?)\), \} *\n"
)
_NAME = re.compile(r"[A-Za-z_][\w-]*\.npy|header\.json")
_NUMBERS = ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8")
_TYPES = {np.dtype(name).str.encode(): np.dtype(name) for name in _NUMBERS}
_CHUNK = 2**18


class Form(NamedTuple):
    """What an array of the file says about itself."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    by_columns: bool
    begin: int


class CarefulFile(io.BufferedReader):
    """A file that is never read in parts larger than `most` bytes, whatever it says about itself.

    >>> from pathlib import Path
    >>> CarefulFile(Path(__file__), most=3).read(4)
    Traceback (most recent call last):
    onebit.core.errors.FormatError: a part of it takes 4 bytes, and at most 3 are read at once; ...
    """

    def __init__(self, path: Path, most: int) -> None:
        super().__init__(io.FileIO(path))
        self._most = most
        self._size = path.stat().st_size

    def read(self, size: int | None = -1) -> bytes:
        """So many bytes, or all that are left."""
        wanted = self._size - self.tell() if size is None or size < 0 else size
        if wanted > self._most:
            raise FormatError(
                f"a part of it takes {wanted:,} bytes, and at most {self._most:,} are read at once; if you trust the "
                f"file, load it with limit={wanted * HEADER_SHARE}"
            )
        return super().read(size)


class Archive:
    """The members of a zip archive by name, every one checked.

    >>> import io
    >>> file = io.BytesIO()
    >>> with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
    ...     archive.writestr("header.json", "{}")
    >>> Archive(zipfile.ZipFile(file), size=len(file.getvalue()), limit=2**20)
    Traceback (most recent call last):
    onebit.core.errors.FormatError: header.json is compressed or encrypted, and onebit stores arrays as they are; ...
    """

    def __init__(self, archive: zipfile.ZipFile, size: int, limit: int) -> None:
        self._archive = archive
        self._limit = limit
        self.size = size
        self._members: dict[str, zipfile.ZipInfo] = {}
        self._forms: dict[str, Form] = {}
        for member in archive.infolist():
            name = member.filename
            if not _NAME.fullmatch(name):
                raise FormatError(
                    f"a zip archive, but not a .onebit file (it holds {name[:50]!r}, and no readable {HEADER})"
                )
            if name in self._members:
                raise FormatError(f"it holds {name} twice")
            if member.compress_type != zipfile.ZIP_STORED or member.flag_bits & 1:
                raise FormatError(
                    f"{name} is compressed or encrypted, and onebit stores arrays as they are; save the learner again"
                )
            self._members[name] = member
        total = sum(member.file_size for member in self._members.values())
        if total > size or any(member.compress_size != member.file_size for member in self._members.values()):
            raise FormatError(f"its parts claim {total:,} bytes, and the file has {size:,}")

    def header(self) -> dict[str, Any]:
        """The header, as far as JSON goes."""
        member = self._members.get(HEADER)
        if member is None:
            raise FormatError(f"a zip archive, but not a .onebit file (no readable {HEADER})")
        most = self._limit // HEADER_SHARE
        if member.file_size > most:
            raise FormatError(
                f"its header takes {member.file_size:,} bytes, and at most {most:,} are read; if you trust the file, "
                f"load it with limit={member.file_size * HEADER_SHARE}"
            )
        try:
            header = json.loads(self._archive.read(member))
        except (ValueError, RecursionError) as error:
            raise FormatError(f"a zip archive, but not a .onebit file (no readable {HEADER})") from error
        if not isinstance(header, dict):
            raise FormatError(f"a zip archive, but not a .onebit file (no readable {HEADER})")
        return header

    def form(self, name: str) -> Form:
        """What an array says about itself, held against the bytes that it has."""
        if name not in self._forms:
            self._forms[name] = self._read_form(name)
        return self._forms[name]

    def _read_form(self, name: str) -> Form:
        member = self._members.get(f"{name}.npy")
        if member is None:
            raise FormatError(f"array {name} is missing")
        with self._archive.open(member) as entry:
            start = entry.read(len(_MAGIC) + 2)
            length = int.from_bytes(start[len(_MAGIC) :], "little")
            if start[: len(_MAGIC)] != _MAGIC or length > _LONGEST_ARRAY_HEADER:
                raise FormatError(f"array {name} is damaged (no array in NumPy's format 1.0)")
            found = _ARRAY_HEADER.fullmatch(entry.read(length))
        if found is None or found[1] not in _TYPES:
            raise FormatError(f"array {name} is damaged (its header does not describe numbers)")
        shape = tuple(int(n) for n in found[3].replace(b" ", b"").split(b",") if n)
        dtype = _TYPES[found[1]]
        begin = len(start) + length
        if begin + prod(shape) * dtype.itemsize != member.file_size:
            raise FormatError(f"array {name} is damaged ({dtype}{list(shape)} in {member.file_size:,} bytes)")
        return Form(shape, dtype, found[2] == b"True", begin)

    def array(self, name: str) -> NDArray[Any]:
        """An array of the file; call `form` first, to see whether it is one that is wanted."""
        form = self.form(name)
        array = np.empty(form.shape[::-1] if form.by_columns else form.shape, form.dtype)
        room = array.reshape(-1).view(np.uint8)
        with self._archive.open(f"{name}.npy") as entry:
            entry.read(form.begin)
            for at in range(0, len(room), _CHUNK):
                part = room[at : at + _CHUNK]
                part[:] = np.frombuffer(entry.read(len(part)), np.uint8)
            entry.read(1)  # the end, where the checksum is compared
        return array.T if form.by_columns else array
