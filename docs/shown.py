"""Writes into a page what its examples print, where it shows that: `python -m docs.shown docs/start-here.md`.

The pages are tested, so that what is shown is what is printed; this brings a page up to date where more than times have
changed. Read what it changed.
"""

from __future__ import annotations

import sys
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.pages import FENCE, play, steady


def update(page: Path) -> int:
    """Run the page in an empty folder, and write what its blocks print behind those that show it; how many changed."""
    page = page.resolve()
    with TemporaryDirectory() as folder, chdir(folder):
        printed = [text for block, text in play(page) if block.shown is not None]
    text = page.read_text(encoding="utf-8")
    parts, end, changed = list[str](), 0, 0
    runs = ""
    for match in FENCE.finditer(text):
        shows = match["kind"] == "text" and runs in ("python", "sh") and not text[end : match.start()].strip()
        parts.append(text[end : match.start()])
        new = printed.pop(0) if shows else ""
        if shows and steady(new) != steady(match["text"]):
            changed += 1
            lines = [line.rstrip() for line in new.rstrip().splitlines()]
            parts.append("\n".join(["```text", *lines, "```"]))
        else:
            parts.append(match[0])
        runs, end = "" if match["why"] else match["kind"], match.end()
    page.write_text("".join([*parts, text[end:]]), encoding="utf-8")
    return changed


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(f"{name}: {update(Path(name))} blocks changed")
