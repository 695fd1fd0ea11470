"""onebit learners: which there are."""

from __future__ import annotations

from dataclasses import MISSING, fields
from math import log2
from typing import Annotated, Any

import typer

from onebit.cli.output import print_json, print_table
from onebit.contract.learner import Learner
from onebit.core.registry import learner_class, learner_names
from onebit.feedback import AnswerKind, usual_channel
from onebit.kernels import Kernel
from onebit.noise import ESTIMATORS

_KINDS: tuple[AnswerKind, ...] = ("bit", "label")


def learners(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the learners and their parameters.

    Every learner also takes normalize=true (rows to unit norm first), most
    take ties=random (instead of the first among equal scores), and those
    whose step is linear in the bit noise=RHO_0,RHO_1 or noise=tail-moment,
    for a bit that lies.

    \b
    Examples:
      onebit learners
      onebit learners --json
    """
    found = [_describe(name) for name in learner_names()]
    if as_json:
        print_json({"learners": found})
        return
    rows = []
    for learner in found:
        parameters = " ".join(f"{name}={_short(value)}" for name, value in learner["parameters"].items())
        what = f"{learner['summary']}\n{parameters}".rstrip()
        rows.append([learner["name"], learner["feedback"], what])
    print_table(["learner", "feedback", "what, and its parameters"], rows)


def _describe(name: str) -> dict[str, Any]:
    cls: Any = learner_class(name)
    common = {field.name for field in fields(Learner)} | {"graph"}  # which comes with the data
    return {
        "name": name,
        "class": cls.__name__,
        "feedback": " or ".join(usual_channel(kind).text for kind in _KINDS if cls.takes(kind)),
        "summary": (cls.__doc__ or "").strip().partition("\n")[0],
        "parameters": {
            field.name: _default(field.default) for field in fields(cls) if field.init and field.name not in common
        },
    }


def _default(value: Any) -> Any:
    """A default as `--set` would take it."""
    if value is MISSING:
        return None
    if isinstance(value, Kernel):
        return str(value)
    return next((name for name, estimator in ESTIMATORS.items() if isinstance(value, estimator)), value)


def _short(value: Any) -> str:
    """A default in few characters: small powers of two as such."""
    if isinstance(value, float):
        power = log2(value) if value > 0 else 0.5
        return f"2^{power:g}" if power < -2 and power.is_integer() else f"{value:g}"
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)
