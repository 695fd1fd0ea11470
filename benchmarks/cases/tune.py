"""VW's setting for each set, found step by step on a seed that the report never sees.

First who explores, then how the set is shown, then the steps, each with the best of what was tried before; at last the
runners-up among the explorers once more. 16 to 29 settings for a set, all of its cases.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cases import kept, vw
from benchmarks.cases.sets import Cases, available, load
from onebit.core.files import written_whole

SETTINGS = Path(__file__).parent / "settings.json"
SEED = 11
KINDS = ("sets", "plain")
"""The best setting there is; and the best without tenths of numbers."""
LIMIT = 120.0
"""CPU seconds for one play; one that takes longer is out."""


def tune(names: list[str]) -> Iterator[str]:
    """Tune each set that is not tuned yet; a line about each."""
    for name in names:
        found = settings()
        kinds = [kind for kind in KINDS if name not in found[kind]]
        if not kinds or not available(name):
            continue
        cases = load(name)
        for kind in kinds:
            found[kind][name] = tuned(cases, tenths=kind == "sets")
        with written_whole(SETTINGS) as path:
            path.write_text(json.dumps(found | {"date": date.today().isoformat()}, indent=1) + "\n")
        for kind in kinds:
            chosen = found[kind][name]
            yield f"{name}, {kind}: {100 * chosen['error']:.1f} % of {chosen['tried']} settings: {chosen['setting']}"


def settings() -> dict[str, Any]:
    """What was found so far."""
    if SETTINGS.exists():
        found: dict[str, Any] = json.loads(SETTINGS.read_text())
        return {kind: {} for kind in KINDS} | found
    about = {"command": "python -m benchmarks.cases tune", "seed": SEED, "vw": kept.vw_version()}
    return about | {kind: {} for kind in KINDS}


def tuned(cases: Cases, tenths: bool = True) -> dict[str, Any]:
    """The best setting, with tenths of numbers or without, its error on the tuning seed, and all that was tried."""
    tried = list[tuple[float, vw.Setting]]()
    forms = [form for form in vw.forms(cases) if tenths or not form["bins"]]
    base = {"explorer": vw.EXPLORERS[0], "step": vw.STEPS[0], **forms[0]}
    errors = {explorer: _try(cases, base | {"explorer": explorer}, tried) for explorer in vw.EXPLORERS}
    for form in forms[1:]:
        _try(cases, _best(tried) | form, tried)
    for step in vw.STEPS[1:]:
        _try(cases, _best(tried) | {"step": step}, tried)
    for explorer in sorted(errors, key=lambda one: errors[one])[:3]:
        _try(cases, _best(tried) | {"explorer": explorer}, tried)
    error, setting = min(tried, key=lambda one: one[0])
    last = [{"error": round(one, 5), "setting": other} for one, other in sorted(tried, key=lambda one: one[0])]
    return {"setting": setting, "error": round(error, 5), "tried": len(tried), "all": last}


def _best(tried: list[tuple[float, vw.Setting]]) -> vw.Setting:
    return min(tried, key=lambda one: one[0])[1]


def _try(cases: Cases, setting: vw.Setting, tried: list[tuple[float, vw.Setting]]) -> float:
    """Its error; 1 if it was stopped. What was tried before is not tried again."""
    for error, other in tried:
        if other == setting:
            return error
    about = {
        "setting": setting,
        "seed": SEED,
        "digest": cases.digest,
        "version": kept.vw_version(),
        **lines_about(cases),
    }
    path = kept.path_of("tuning", cases.name, about)
    found = kept.read(path) or kept.keep(path, about, played(cases, setting, SEED, LIMIT))
    error = found["wrong"] / found["cases"] if found["cases"] == len(cases.rows) else 1.0
    tried.append((error, setting))
    return error


def played(cases: Cases, setting: vw.Setting, seed: int, limit: float = float("inf")) -> kept.Measured:
    """One pass in the order of the seed."""
    order = np.random.default_rng(seed).permutation(len(cases.rows)).tolist()
    texts = _lines(cases, setting["bins"])
    return vw.play(texts, order, vw.arguments(setting, len(cases.classes), seed), limit)._asdict()


def lines_about(cases: Cases) -> dict[str, int]:
    """`about_lines`, kept for each set."""
    if cases.digest not in _about:
        _about[cases.digest] = vw.about_lines(cases)
    return _about[cases.digest]


_about: dict[str, dict[str, int]] = {}
_written: dict[tuple[str, bool], list[str]] = {}


def _lines(cases: Cases, bins: bool) -> list[str]:
    """As VW reads them, kept for the set that was asked for last."""
    key = (cases.digest, bins)
    if key not in _written:
        for other in [one for one in _written if one[0] != cases.digest]:
            del _written[other]
        _written[key] = vw.lines(cases, bins)
    return _written[key]
