"""onebit check: the battery on anybody's learner."""

from __future__ import annotations

import sys
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from onebit.checks import check_learner
from onebit.cli.learner_settings import parse_settings
from onebit.cli.output import print_json
from onebit.contract.learner import Learner
from onebit.core.errors import ConfigError, OnebitError


def check(
    target: Annotated[str, typer.Argument(metavar="MODULE:CLASS", help="The learner's class and where to import it.")],
    alike: Annotated[
        list[str] | None,
        typer.Option(
            "--alike", metavar="NAME=VALUE", help="A setting with which dense and sparse rows are alike to it."
        ),
    ] = None,
    bounded: Annotated[
        list[str] | None,
        typer.Option("--bounded", metavar="NAME=VALUE", help="A setting with which its state stays of one size."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Check a learner of yours as ours are checked.

    The class is made as CLASS(classes=3). MODULE is imported as Python would
    from the current folder. Exit code 1 if a check fails.
    A learner that scales rows by what it has seen needs --alike, one that grows
    with what it learns --bounded; both can be repeated.

    \b
    Examples:
      onebit check onebit.learners.banditron:Banditron
      onebit check my_learner:MyLearner --bounded budget=40 --json
    """
    settings = {
        "alike": {one.name: one.value for one in parse_settings(alike or [], option="--alike")} or None,
        "bounded": {one.name: one.value for one in parse_settings(bounded or [], option="--bounded")} or None,
    }
    checks = check_learner(_make(target), raise_on_failure=False, **settings)
    failed = sum(not found.passed for found in checks)
    if as_json:
        print_json({"learner": target, "passed": not failed, "checks": [asdict(found) for found in checks]})
    else:
        for found in checks:
            detail = f"  {' '.join(found.detail.split())}" if found.detail else ""
            print(f"{'pass' if found.passed else 'FAIL'}  {found.name:<26}{found.seconds:6.2f} s{detail}")
        print(f"{len(checks) - failed} of {len(checks)} checks passed")
    return int(failed > 0)


def _make(target: str) -> Any:
    """The learner to check, or a `ConfigError`."""
    cls = _load_class(target)
    try:
        return cls(classes=3)
    except OnebitError:
        raise
    except Exception as error:  # a stranger's constructor may raise anything
        raise ConfigError(f"{target}: cannot be made with classes=3 ({type(error).__name__}: {error})") from error


def _load_class(target: str) -> Any:
    """The class that MODULE:CLASS names, or a `ConfigError`."""
    module_name, colon, class_name = target.partition(":")
    if not (module_name and colon and class_name):
        raise ConfigError(f"{target!r}: write MODULE:CLASS, as in onebit.learners.banditron:Banditron")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    try:
        module = import_module(module_name)
    except Exception as error:  # a stranger's module may raise anything while it is imported
        raise ConfigError(f"{target}: cannot import {module_name} ({type(error).__name__}: {error})") from error
    found = getattr(module, class_name, None)
    if not (isinstance(found, type) and issubclass(found, Learner)):
        raise ConfigError(f"{target}: {module_name} has no learner class {class_name} (a child of onebit.Learner)")
    return found
