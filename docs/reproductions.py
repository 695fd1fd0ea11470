"""Writes the page on what reproduces from the folders that `make papers` has filled: `python -m docs.reproductions`."""

import json
from pathlib import Path
from textwrap import wrap
from typing import Any

from onebit.core.version import __version__
from onebit.papers import IDS

PAGE = Path(__file__).parent / "reproductions.md"
ABOUT = (
    "Every table and figure of the five papers that our data can serve, beside what is printed. The bars by which "
    "a row is judged are stated in it, or above its table; they are ours, since papers rarely say what would count. "
    "Quick runs: fewer seeds, and where said fewer rounds, than in the paper. `onebit paper run ID --full` runs one at "
    "full size."
)
VERDICTS = ("reproduces", "better", "does not reproduce", "not comparable")


def main(folder: Path = Path("papers")) -> None:
    """Write the page."""
    found = [json.loads((folder / id / "table.json").read_text()) for id in IDS]
    lines = [
        "# What reproduces",
        "",
        *wrap(ABOUT, 120),
        "",
        f"Written by `make papers` and `python -m docs.reproductions`, onebit {__version__}.",
        "",
        "| experiment | " + " | ".join(VERDICTS) + " |",
        "| --- |" + " --- |" * len(VERDICTS),
    ]
    for one in found:
        counts = [sum(row["verdict"] == verdict for row in one["rows"]) for verdict in VERDICTS]
        anchor = one["id"].replace("/", "")
        lines.append(f"| [{one['id']}](#{anchor}) | " + " | ".join(str(n or "") for n in counts) + " |")
    for one in found:
        about = wrap(one["about"], 120, break_on_hyphens=False)
        head = ["", f"## {one['id']}", "", f"{one['title']}. {one['paper']}.", "", *about, ""]
        lines += [*head, *table(one["rows"])]
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"wrote {PAGE.name}: {sum(len(one['rows']) for one in found)} rows")


def table(rows: list[dict[str, Any]]) -> list[str]:
    """The rows of one experiment."""
    lines = ["| what | printed | ours | verdict |", "| --- | --- | --- | --- |"]
    for row in rows:
        verdict = f"**{row['verdict']}**" + (f": {row['why']}" if row["why"] else "")
        cells = [str(cell).replace("|", "\\|") for cell in (row["what"], row["printed"], row["ours"], verdict)]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


if __name__ == "__main__":
    main()
