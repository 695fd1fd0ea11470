"""Docstrings as mkdocstrings shows them: doctests as code, and the arguments of learners. An extension of Griffe."""

import inspect
import re
from importlib import import_module
from typing import Any

import griffe

DOCTEST = re.compile(r"^>>> .*\n(?:.*\S.*(?:\n|\Z))*", re.M)
WRITERS = (
    *("hyper", "start", "check", "set_size", "top_size", "flip_rates", "scoring_state", "capacity", "resized"),
    *("deciding_state", "hyper_to_propose", "count_decisions"),
    *("file_arrays", "check_rows", "check_state", "trouble", "begin"),
)
"""What a learner's class gives to the library: shown once, for those who write one."""

KINDS: dict[Any, griffe.ParameterKind] = {
    inspect.Parameter.POSITIONAL_OR_KEYWORD: griffe.ParameterKind.positional_or_keyword,
    inspect.Parameter.KEYWORD_ONLY: griffe.ParameterKind.keyword_only,
}


class Docstrings(griffe.Extension):
    """What static reading of the source does not see, or would not show as it is meant."""

    def on_object(self, *, obj: griffe.Object, **more: Any) -> None:
        """Doctests become code blocks: in Markdown `>>>` would be a quotation."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(inspect.cleandoc(obj.docstring.value))

    def on_class(self, *, cls: griffe.Class, **more: Any) -> None:
        """Learners show their arguments, which `Learner` makes from their fields, and what is for users."""
        if any("register(" in str(decorator.value) for decorator in cls.decorators):
            signature = inspect.signature(getattr(import_module(cls.module.path), cls.name))
            cls.set_member("__init__", constructor(signature))
            for name in WRITERS:
                cls.members.pop(name, None)


def fenced(text: str) -> str:
    """A docstring with its doctests in code blocks.

    >>> fenced("Twice.\\n\\n>>> 1 + 1\\n2\\n").splitlines()
    ['Twice.', '', '```pycon', '>>> 1 + 1', '2', '```']
    """
    return DOCTEST.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text)


def constructor(signature: inspect.Signature) -> griffe.Function:
    """The `__init__` of this signature."""
    parameters = [
        griffe.Parameter(
            one.name,
            kind=KINDS[one.kind],
            default=None if one.default is inspect.Parameter.empty else repr(one.default),
        )
        for one in signature.parameters.values()
    ]
    me = griffe.Parameter("self", kind=griffe.ParameterKind.positional_or_keyword)
    return griffe.Function("__init__", parameters=griffe.Parameters(me, *parameters))
