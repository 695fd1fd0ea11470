"""The pages as a reader would play them: their blocks in order, in one folder, with what each prints.

- ```python is run, in one namespace per page; each command of ```sh is run if it begins with `onebit`.
- ```text right behind such a block is what it prints.
- ```toml, ```csv and the like whose first line is `# NAME.toml` are written to that file.
- <!-- not run: why --> above a block: it is not. Its commands must still be such as `onebit` takes.
"""

from __future__ import annotations

import re
import shlex
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import typer

from onebit.cli import app, main

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^(?:<!-- not run: (?P<why>.+?) -->\n)?^```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.M | re.S)
NAMED = re.compile(r"# ([\w-]+\.\w+)\n")


class Block(NamedTuple):
    """One fenced block: its language, its text, why it is not run, and what it prints if the page shows it."""

    kind: str
    text: str
    why: str | None
    shown: str | None

    @property
    def runs(self) -> bool:
        return self.kind in ("python", "sh") and self.why is None

    @property
    def commands(self) -> list[list[str]]:
        """The words of each command of a ```sh block."""
        lines = self.text.replace("\\\n", " ").splitlines()
        return [words for line in lines if (words := shlex.split(line, comments=True))]


def blocks(page: Path) -> list[Block]:
    """The blocks of a page, a block of output joined to what prints it."""
    text, found = page.read_text(encoding="utf-8"), list[Block]()
    end = 0
    for match in FENCE.finditer(text):
        behind = found and not text[end : match.start()].strip()
        if match["kind"] == "text" and behind and found[-1].kind in ("python", "sh"):
            found[-1] = found[-1]._replace(shown=match["text"])
        else:
            found.append(Block(match["kind"], match["text"], match["why"], None))
        end = match.end()
    return found


def play(page: Path) -> list[tuple[Block, str]]:
    """Run a page in the current folder: its blocks that run, with what each printed."""
    namespace: dict[str, Any] = {"__name__": "page"}
    played = []
    for block in blocks(page):
        printed = StringIO()
        with redirect_stdout(printed):
            if block.runs and block.kind == "python":
                exec(compile(block.text, str(page), "exec", dont_inherit=True), namespace)
            elif block.runs:
                for words in block.commands:
                    assert words[0] == "onebit", f"{page.name}: {words}: only onebit is run here; say why it is not run"
                    assert main(words[1:]) == 0, f"{page.name}: {shlex.join(words)}"
            elif named := NAMED.match(block.text):
                Path(named[1]).write_text(block.text, encoding="utf-8")
        if block.runs:
            played.append((block, printed.getvalue()))
    return played


def check_command(words: list[str]) -> None:
    """An error if `onebit` has no such command, or the command no such options."""
    command: Any = typer.main.get_command(app)
    rest = words[1:]
    while hasattr(command, "commands") and rest and rest[0] in command.commands:
        command, rest = command.commands[rest[0]], rest[1:]
    command.make_context("onebit", rest)


def steady(text: str) -> list[list[str]]:
    """What a block prints, word by word, without rules and times."""
    timed, kept = False, list[list[str]]()
    for line in text.splitlines():
        words = re.sub(r"[\d,]+ ns per round", "", line).split()
        if words and set("".join(words)) == {"─"}:
            continue
        timed = bool(words) and (timed or words[-1] == "ns/round")
        kept.append(words[:-1] if timed else words)
    return kept
