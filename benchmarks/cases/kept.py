"""Measurements, each kept in a file of its own under the hash of what was measured, so that a stopped run goes on."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import onebit
from onebit.core.files import written_whole

BUILD = Path(__file__).parents[1] / "build" / "cases"

Measured = dict[str, Any]


def path_of(contender: str, name: str, about: dict[str, Any]) -> Path:
    """Where a measurement is kept."""
    content = json.dumps([contender, name, about], sort_keys=True)
    return BUILD / name / f"{contender}-{hashlib.sha256(content.encode()).hexdigest()[:20]}.json"


def read(path: Path) -> Measured | None:
    """What was measured before."""
    return json.loads(path.read_text())["measured"] if path.exists() else None


def keep(path: Path, about: dict[str, Any], measured: Measured) -> Measured:
    """Write it down."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as draft:
        draft.write_text(json.dumps({"about": about, "measured": measured}))
    return measured


@cache
def our_code() -> str:
    """A digest of onebit's own code: with another one, what was measured before does not count."""
    digest = hashlib.sha256()
    root = Path(onebit.__file__).parent
    for part in ("ops", "core", "features", "contract", "learners"):
        for file in sorted((root / part).rglob("*.py")):
            digest.update(str(file.relative_to(root)).encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def vw_version() -> str:
    """Of the package."""
    return version("vowpalwabbit")
