"""What the site has beside its pages: the changelog, the help of every command, whole folders. A hook of mkdocs."""

from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import typer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from onebit.cli import app, main

ROOT = Path(__file__).parent.parent
PAGES = ("changelog.md", "reference/command-line.md")
"""The pages that are made here."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """In the navigation, a folder (`decisions/`) stands for its pages, the first of them README or index."""
    config.nav = [_expanded(entry, Path(config.docs_dir)) for entry in config.nav or []]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The pages of the site, and ours."""
    texts = ((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), command_line())
    for path, text in zip(PAGES, texts, strict=True):
        files.append(File.generated(config, path, content=text))
    return files


def command_line() -> str:
    """The page of the command line: what each command says of itself."""
    lines = ["# Command line", "", "What `onebit COMMAND --help` prints, for every command.", ""]
    for names in commands(typer.main.get_command(app)):
        lines += [f"## onebit {' '.join(names)}".rstrip(), "", "```text", help_of(names), "```", ""]
    return "\n".join(lines)


def commands(command: Any, names: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """A command and all below it, by their words."""
    yield names
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(below, (*names, name))


def help_of(names: tuple[str, ...]) -> str:
    """What a command prints for `--help`."""
    text = StringIO()
    with redirect_stdout(text):
        main([*names, "--help"])
    return text.getvalue().strip()


def _expanded(entry: Any, folder: Path) -> Any:
    if isinstance(entry, dict):
        return {title: _expanded(below, folder) for title, below in entry.items()}
    if isinstance(entry, list):
        return [_expanded(below, folder) for below in entry]
    if not entry.endswith("/"):
        return entry
    pages = sorted((folder / entry).glob("*.md"), key=lambda page: (page.stem not in ("README", "index"), page.name))
    return [str(page.relative_to(folder)) for page in pages]
