"""Explanations and descriptions in plain text, for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onebit.learners.one_bit.insight_report import Description, Explanation, Reasons

_MOST_LABELS = 10
_LABEL = 24
_NAME = 44
_SAID = 0.9


def explanation(why: Explanation) -> str:
    """The labels by probability; the parts of the score for the best one and for the next."""
    ranked = why.ranked
    table = [("label", "probability", "score", "±")]
    for r in ranked[:_MOST_LABELS]:
        table.append((_cut(str(r.label), _LABEL), f"{r.probability:.3f}", f"{r.score:.3f}", f"{r.deviation:.3f}"))
    lines = _aligned(table)
    if len(ranked) > _MOST_LABELS:
        lines.append(f"and {len(ranked) - _MOST_LABELS} more")
    for r, word in zip(ranked[:2], ("why", "why not"), strict=True):
        lines += ["", *_parts(r, f"{word} {_cut(str(r.label), _LABEL)}")]
    return "\n".join(lines)


def _parts(r: Reasons, title: str) -> list[str]:
    table = [(title, "value", "adds")]
    table += [(_cut(p.name, _NAME), f"{p.value:.4g}", f"{p.amount:+.3f}") for p in r.parts]
    if r.n_others:
        table.append((f"({_count(r.n_others, 'other feature')})", "", f"{r.others:+.3f}"))
    table += [("(bias)", "", f"{r.bias:+.3f}"), ("score", "", f"{r.score:+.3f}")]
    return _aligned(table)


def description(seen: Description) -> str:
    """One line for each thing known."""
    sets = f", {seen.set_size} played at a time" if seen.set_size > 1 else ""
    title = f"OneBit: {_count(seen.n_classes, 'label')}{sets}"
    if seen.n_features is None or seen.exploration is None:
        return f"{title}\n\nnothing seen yet"
    since = " since the last restart" if seen.drift_restarts + seen.lie_restarts else ""
    facts = [
        ("seen", f"{_count(seen.decisions, 'decision')}, {_count(seen.updates, 'update')}"),
        ("learned", f"{_count(seen.lessons, 'lesson')}{since}"),
        ("rows", f"{seen.kind}, {_count(seen.n_features, 'feature')}, {seen.dtype}"),
        ("curvature", f"{seen.curvature}, {_bytes(seen.curvature_bytes)}"),
        *_noise(seen),
        ("restarts", _restarts(seen)),
        ("explores", f"{seen.exploration:.1%} of decisions, over about the last hundred".replace("%", " %")),
        ("calibration", f"says {_SAID:.2f}, is {seen.worth(_SAID):.2f}; predict_proba is corrected for it"),
    ]
    width = max(len(name) for name, _ in facts)
    return "\n".join([title, "", *(f"{name.ljust(width)}  {fact}" for name, fact in facts)])


def _noise(seen: Description) -> list[tuple[str, str]]:
    if seen.noise == "none":
        return [("bits", "taken as honest (noise=None)")]
    if seen.noise == "known":
        return [("bits", f"lie at known rates: ρ0 = {seen.rho_0:.3f}, ρ1 = {seen.rho_1:.3f}")]
    if seen.rho_0 is not None:
        rho_0 = f"{seen.rho_0:.3f} ± {seen.se_0:.3f}, from {_count(round(seen.explored), 'explored play')}"
    else:
        rho_0 = "unknown: " + ("sets do not tell" if seen.set_size > 1 else "not enough explored plays to tell")
    return [
        ("bits", "lie often: they are trusted less" if seen.lying else "are not known to lie often"),
        ("  false yes", f"ρ0 {rho_0}"),
        ("  false no", f"ρ1 {seen.rho_1:.3f}, by what it believes the labels to be"),
    ]


def _restarts(seen: Description) -> str:
    drift = f"{seen.drift_restarts} after drift" if seen.drift else "drift is not watched"
    return f"{drift}, {seen.lie_restarts} after lies" if seen.noise == "auto" else drift


def _aligned(table: Sequence[Sequence[str]]) -> list[str]:
    """A table with a rule under its header; the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in table]
    return [lines[0], "─" * len(lines[0]), *lines[1:]]


def _cut(name: str, width: int) -> str:
    name = " ".join(name.split())
    return name if len(name) <= width else name[: width - 1] + "…"


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _bytes(n: float) -> str:
    for unit in ("B", "kB", "MB"):
        if n < 1000:
            return f"{n:.3g} {unit}"
        n /= 1000
    return f"{n:.3g} GB"
