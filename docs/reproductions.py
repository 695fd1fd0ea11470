"""Writes the page on what reproduces from full runs: `python -m docs.reproductions`, after `make papers-full`.

`python -m docs.reproductions --quick` writes the first look, without verdicts, beside the quick runs of `make papers`.
"""

import json
import sys
from pathlib import Path
from textwrap import wrap
from typing import Any

from onebit.core.version import __version__
from onebit.papers import IDS, NOT_RUN
from onebit.papers.base import HOLDS_NOT, HOLDS_TOO, MEANINGS, ON_THE_PAPER
from onebit.papers.run import TABLE

PAGE = Path(__file__).parent / "reproductions.md"
FULL = Path("papers") / "full"
QUICK = Path("papers")
FIRST_LOOK = QUICK / "first-look.md"

ABOUT = (
    "Every table and figure of the five papers, beside what is printed, from runs as long as the papers' where we know "
    "how long those are. The bars by which a claim is judged are stated in its row, or above the table; they are ours, "
    "since papers rarely say what would count. A printed number reproduces if it differs from ours by at most two "
    "standard errors. Where the paper's data or settings cannot be had, there is no verdict. Each row says how many "
    "rounds and seeds were played."
)
QUICK_ABOUT = (
    "A first look: shorter runs than the papers', which give no verdict on them, and can mislead where a learner is "
    "slow to start. The full runs are on the page on what reproduces."
)
NO_VERDICT = ("not comparable", "too short")


class NotFull(Exception):
    """A table that is no full run."""


def main(arguments: list[str]) -> None:
    """Write the page that is asked for."""
    quick = "--quick" in arguments
    page = FIRST_LOOK if quick else PAGE
    found = tables(QUICK if quick else FULL, quick)
    page.write_text("\n".join(lines_of(found, quick)) + "\n", encoding="utf-8")
    print(f"wrote {page.name}: {sum(len(one['rows']) for one in found)} rows")


def tables(folder: Path, quick: bool) -> list[dict[str, Any]]:
    """The tables of all experiments; for the page with verdicts, each must be of a full run."""
    found = []
    for id in IDS:
        one = json.loads((folder / id / TABLE).read_text(encoding="utf-8"))
        if not quick and not (one["full"] and one["judged"]):
            raise NotFull(f"{folder / id}: is no full run; run `onebit paper run {id} --full`")
        found.append(one)
    return found


def lines_of(found: list[dict[str, Any]], quick: bool) -> list[str]:
    """The page: what it is, the summary, and a table for each experiment."""
    command = "make papers" if quick else "make papers-full"
    how = (
        f"Written by `{command}` and `python -m docs.reproductions{' --quick' if quick else ''}`, onebit {__version__}."
    )
    minutes = sum(one["minutes"] for one in found)
    lines = ["# A first look" if quick else "# What reproduces", "", *wrap(QUICK_ABOUT if quick else ABOUT, 120), ""]
    lines += [f"{how} It took {minutes:.0f} minutes on two cores.", "", *summary(found), ""]
    lines += [f"- **{verdict}**: {meaning}" for verdict, meaning in MEANINGS.items()]
    lines += ["", "Not run: " + "; ".join(f"{id}, {why}" for id, why in NOT_RUN.items()) + "."]
    for one in found:
        about = wrap(one["about"], 120, break_on_hyphens=False)
        head = [f"{one['title']}. {one['paper']}. {one['minutes']:.1f} minutes."]
        lines += ["", f"## {one['id']}", "", *head, "", *about, "", *table(one["rows"])]
    return lines


def summary(found: list[dict[str, Any]]) -> list[str]:
    """How many rows came out how; those without a verdict, and our own learners, in columns of their own."""
    columns = [*ON_THE_PAPER, *NO_VERDICT, "ours"]
    lines = ["| experiment | " + " | ".join(columns) + " |", "| --- |" + " --- |" * len(columns)]
    for one in found:
        counts = [counted(one["rows"], verdict) for verdict in columns]
        anchor = one["id"].replace("/", "")
        lines.append(f"| [{one['id']}](#{anchor}) | " + " | ".join(counts) + " |")
    return lines


def counted(rows: list[dict[str, Any]], verdict: str) -> str:
    """How many rows have a verdict; of what was tried on other data, how much holds there.

    >>> row = {"verdict": "not comparable", "why": "what is printed holds here too; another graph"}
    >>> counted([row, {"verdict": "not comparable", "why": "no number is printed"}], "not comparable")
    '2 (1 of 1 holds there)'
    """
    some = [row for row in rows if row["verdict"] == verdict]
    tried = [row for row in some if row["why"].startswith((HOLDS_TOO, HOLDS_NOT))]
    if not tried:
        return str(len(some) or "")
    holds = sum(row["why"].startswith(HOLDS_TOO) for row in tried)
    return f"{len(some)} ({holds} of {len(tried)} hold{'s' if holds == 1 else ''} there)"


def table(rows: list[dict[str, Any]]) -> list[str]:
    """The rows of one experiment; those about our own learners in a table of their own."""
    theirs = [row for row in rows if row["verdict"] != "ours"]
    ours = [row for row in rows if row["verdict"] == "ours"]
    lines = ["| what | printed | here | played | verdict |", "| --- | --- | --- | --- | --- |"] if theirs else []
    for row in theirs:
        verdict = f"**{row['verdict']}**" + (f": {row['why']}" if row["why"] else "")
        lines.append(_line(row["what"], row["printed"], row["here"], row["played"], verdict))
    if ours:
        gap = [""] if theirs else []
        lines += [*gap, "Beyond the paper:", "", "| what | beside it | ours | played |", "| --- | --- | --- | --- |"]
    for row in ours:
        here = f"{row['here']}; {row['why']}" if row["why"] else row["here"]
        lines.append(_line(row["what"], row["printed"], here, row["played"]))
    return lines


def _line(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    main(sys.argv[1:])
