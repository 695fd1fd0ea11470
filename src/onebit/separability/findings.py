"""What was found: whether each notion of separability holds, with which margin, and the proof."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

import numpy as np

from onebit.core.aliases import Label
from onebit.separability.certificates import Contradiction, GroupVectors, StrongVectors, WeakVectors

Notion = Literal["strong", "weak", "group"]


@dataclass(frozen=True, eq=False)
class Finding:
    """Whether one notion of separability holds, and the proof.

    `holds` is True, False, or None when it is not decided. `margin` is the margin of the `certificate`'s vectors on
    the data (None without vectors), and `at_most` what no vectors exceed (infinite if nothing is known of that). If
    the notion fails, `contradictions` prove it: one is enough, except where orders of classes or groupings are ruled
    out one by one.

    >>> import onebit
    >>> found = onebit.streams.separability([[1.0, 0.2], [0.1, 1.0], [-1.0, -1.0]], ["a", "b", "c"])
    >>> found.weak.holds, found.weak.margin <= found.weak.at_most
    (True, True)
    """

    notion: Notion
    holds: bool | None
    margin: float | None
    at_most: float
    certificate: StrongVectors | WeakVectors | GroupVectors | None = None
    contradictions: tuple[Contradiction, ...] = ()

    @property
    def answer(self) -> str:
        """yes, no, or not decided."""
        return {True: "yes", False: "no", None: "not decided"}[self.holds]

    @property
    def bounds(self) -> tuple[str, str]:
        """The margin and its upper bound, as text."""
        margin = "–" if self.margin is None else f"{self.margin:.6g}"
        return margin, f"{self.at_most:.6g}" if isfinite(self.at_most) else "–"

    @property
    def proof(self) -> str:
        """The proof in a few words."""
        if isinstance(self.certificate, GroupVectors):
            groups = (" < ".join(map(str, order)) for order in self.certificate.orders)
            count = len(self.certificate.orders)
            return f"{count} group{'s' if count != 1 else ''}: {' | '.join(groups)}"
        if self.certificate is not None:
            return f"{len(self.certificate.vectors)} vectors"
        if not self.contradictions:
            return "the search was given up"
        shown = min(self.contradictions, key=lambda one: len(one.examples))
        rows = shown.examples.tolist()
        some = ", ".join(map(str, rows[:6])) + (f", … ({len(rows)} in all)" if len(rows) > 6 else "")
        more = len(self.contradictions) - 1
        who = f"row {some} rules" if len(rows) == 1 else f"rows {some} rule"
        return f"{who} out: {shown.claim}" + (f" (and {more} more)" if more else "")

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values, for JSON.

        >>> import onebit
        >>> onebit.streams.separability([[1.0], [-1.0]], [0, 1]).strong.to_dict()["holds"]
        True
        """
        certificate = {} if self.certificate is None else _plain(self.certificate)
        proofs = [_plain(one) for one in self.contradictions]
        bounds = {"margin": self.margin, "at_most": self.at_most if isfinite(self.at_most) else None}
        return {"holds": self.holds, **bounds, "certificate": certificate or None, "contradictions": proofs}


@dataclass(frozen=True, eq=False)
class Separability:
    """Which of the three notions of separability a labelled set has, with margins and proofs.

    `groups` is the group of each class that `group` is about: the given one or the one found, None if none was found.

    >>> import onebit
    >>> X, y = [[-0.5, 0.0], [0.0, 0.1], [0.5, 0.0]], ["left", "middle", "right"]
    >>> print(onebit.streams.separability(X, y, groups=[0, 0, 0]))
    3 rows, 2 features, 3 classes
    strong  no           margin –         at most 0         rows 0, 2 rule out: a plane through the origin between ...
    weak    yes          margin 0.115728  at most 0.115728  3 vectors
    group   yes          margin 0.25      at most 0.25      1 group: left < middle < right
    """

    rows: int
    features: int
    classes: tuple[Label, ...]
    groups: tuple[int, ...] | None
    strong: Finding
    weak: Finding
    group: Finding

    @property
    def findings(self) -> tuple[Finding, Finding, Finding]:
        """The three findings, from the strongest notion to the weakest."""
        return self.strong, self.weak, self.group

    def summary(self) -> str:
        """A line per notion."""
        lines = [f"{self.rows:,} rows, {self.features:,} features, {len(self.classes)} classes"]
        for one in self.findings:
            margin, at_most = one.bounds
            line = f"{one.notion:<7} {one.answer:<12} margin {margin:<9} at most {at_most:<9} {one.proof}"
            lines.append(line.rstrip())
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        answers = ", ".join(f"{one.notion}={one.answer}" for one in self.findings)
        return f"<Separability of {self.rows} rows, {len(self.classes)} classes: {answers}>"


def _plain(proof: Any) -> dict[str, Any]:
    values = {name: getattr(proof, name) for name in proof.__dataclass_fields__}
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()}
