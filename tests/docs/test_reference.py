"""Every public name is in the reference, once."""

import re
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from operator import attrgetter
from pkgutil import resolve_name
from types import ModuleType
from typing import Any

import onebit
from onebit.contract.algorithm import Algorithm
from tests.pages import ROOT

REFERENCE = ROOT / "docs" / "reference"
ENTRY = re.compile(r"^(?:::: |#+ )(onebit\.[\w.]+)$(?P<options>(?:\n +.*)*)", re.M)


def public(module: ModuleType) -> Iterator[str]:
    """The dotted names that a module offers: those it says, or the classes and functions that it defines."""
    names = getattr(module, "__all__", None) or [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and callable(value) and value.__module__ == module.__name__
    ]
    yield from (f"{module.__name__}.{name}" for name in names)


def thing(name: str) -> tuple[str, Any]:
    """What a dotted name stands for, by a key that all names of one object share."""
    try:
        value = attrgetter(name.removeprefix("onebit."))(onebit)
    except AttributeError:  # inside a room that has the name of a function, such as onebit.sweep
        value = resolve_name(name)
    if isinstance(value, ModuleType):
        return value.__name__, value
    return (f"{value.__module__}.{value.__qualname__}" if hasattr(value, "__qualname__") else name), value


def test_every_public_name_is_there_once() -> None:
    offered, modules = set(public(onebit)) - {"onebit.__version__"}, [onebit]
    modules += [value for name in offered if isinstance(value := thing(name)[1], ModuleType)]
    modules += [import_module("onebit.sklearn"), import_module("onebit.river")]
    expected = {thing(name)[0] for module in modules for name in public(module)}
    shown = Counter[str]()
    for page in REFERENCE.glob("*.md"):
        for entry in ENTRY.finditer(page.read_text(encoding="utf-8")):
            key, value = thing(entry[1])
            shown[key] += 1
            if isinstance(value, ModuleType) and "members: []" not in entry["options"]:
                shown.update(thing(name)[0] for name in public(value))
    assert not expected - set(shown), "not in docs/reference"
    assert not [name for name, times in shown.items() if times > 1], "twice in docs/reference"


def test_functions_with_the_name_of_a_room_are_shown_as_functions() -> None:
    """`::: onebit.sweep` would show the folder."""
    pages = "".join(page.read_text(encoding="utf-8") for page in REFERENCE.glob("*.md"))
    for function in (onebit.simulate, onebit.sweep):
        assert f"::: {function.__module__}.{function.__qualname__}\n" in pages
        assert f"heading: onebit.{function.__name__}," in pages


def test_every_member_of_a_learner_is_there() -> None:
    learners, own = ((REFERENCE / page).read_text(encoding="utf-8") for page in ("learners.md", "own-learners.md"))
    listed = re.search(r"onebit\.Learner\n +options:\n +members: \[(.*?)\]", learners, re.S)
    assert listed is not None
    for_users = re.split(r",\s+", listed[1])
    for_writers = re.findall(r"::: onebit\.(?:Learner|contract\.algorithm\.Algorithm)\.(\w+)", own)
    offered = vars(Algorithm) | vars(onebit.Learner)
    kinds = (property, classmethod)
    members = {name for name, value in offered.items() if callable(value) or isinstance(value, kinds)}
    assert sorted(for_users + for_writers) == sorted(name for name in members if not name.startswith("_"))
