"""The parts of a file: what they claim is held against what there is."""

import io
import zipfile
from typing import Any

import numpy as np
import pytest

from onebit.contract.archive import Archive
from onebit.core.errors import FormatError


def archive_of(parts: list[tuple[str, bytes]]) -> Archive:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in parts:
            archive.writestr(name, content)
    return Archive(zipfile.ZipFile(file), len(file.getvalue()), 2**32)


def stored(array: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3).T, np.zeros((0, 3)), np.array([True, False]),
        np.arange(4, dtype=np.uint32), np.array(3), np.arange(300_000.0), np.zeros((2, 0)), np.ones((3, 1, 2), np.int8),
    ],
)  # fmt: skip
def test_arrays_come_back(array: Any) -> None:
    found = archive_of([("a.npy", stored(array))]).array("a")
    assert found.dtype == array.dtype
    assert found.shape == array.shape
    assert np.array_equal(found, array)


HEADERS = [
    b"", b"(", b"(" * 900, b"  1\n 2", b"{'descr': '<f8', 'fortran_order': False, 'shape': (3,), } x\n",
    b"{'descr': '<f8', 'fortran_order': False, 'shape': (-3,), }\n",
    b"{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }\n",
    b"{'descr': '<f8', 'fortran_order': False, 'shape': (999999999999999999, 999999999999999999), }\n",
    b"{'descr': '|O', 'fortran_order': False, 'shape': (3,), }\n",
    b"{'descr': '>f8', 'fortran_order': False, 'shape': (3,), }\n",
    b"{'descr': '<q9', 'fortran_order': False, 'shape': (3,), }\n",
]  # fmt: skip


@pytest.mark.parametrize("header", HEADERS)
def test_array_headers_that_are_none(header: bytes) -> None:
    content = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + np.zeros(3).tobytes()
    with pytest.raises(FormatError, match="array a is damaged"):
        archive_of([("a.npy", content)]).array("a")


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([("a.npy", b""), ("a.npy", b"")], "twice"),
        ([("/a.npy", b"")], "not a .onebit file"),
        ([("../a.npy", b"")], "not a .onebit file"),
    ],
)
def test_members_that_do_not_belong(parts: list[tuple[str, bytes]], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        archive_of(parts)


def test_members_that_lie_upon_each_other() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.npy", bytes(10_000))
        for name in ("b.npy", "c.npy"):
            again = zipfile.ZipInfo(name)
            for slot in ("CRC", "compress_size", "file_size", "header_offset"):
                setattr(again, slot, getattr(archive.infolist()[0], slot))
            archive.filelist.append(again)
    with pytest.raises(FormatError, match="claim 30,000 bytes"):
        Archive(zipfile.ZipFile(file), len(file.getvalue()), 2**32)
