"""The door for authors holds what the page on writing a learner uses, and nothing that is not there."""

from pathlib import Path

import onebit.extend

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "write-a-learner.md"


def test_every_name_is_there() -> None:
    assert all(hasattr(onebit.extend, name) for name in onebit.extend.__all__)
    assert list(onebit.extend.__all__) == sorted(onebit.extend.__all__, key=lambda name: (not name.isupper(), name))


def test_the_page_needs_no_other_import() -> None:
    imports = [line for line in PAGE.read_text().splitlines() if line.startswith(("from onebit", "import onebit"))]
    assert imports == [
        "import onebit",
        "from onebit.extend import FloatArray, Functions, Layout, Learner, jit, number, random, register, weights",
        "from onebit.extend import reals, room",
    ]
