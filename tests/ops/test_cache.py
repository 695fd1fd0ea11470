"""The cache of compiled code: a second process compiles nothing, an edit recompiles exactly what it touches."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from onebit.ops.cache import digest

MODULE = """
from onebit.ops.jit import jit, entry_point

FACTOR = {factor}

@jit
def inner(x):
    '''{doc}'''
    return FACTOR * x {tail}

x = [1, 2]  # a global that only shares its name with variables and attributes

@entry_point
def outer(x):
    return inner(x)

@entry_point
def bystander(x):
    return -x

print(outer(3.0), bystander(3.0))
print(*(sum(k.stats.cache_hits.values()) for k in (outer, bystander)))
"""


def run(folder: Path, *, factor: int = 2, tail: str = "", doc: str = "Doc.", cache: Path | None = None) -> list[str]:
    script = folder / "script.py"
    script.write_text(MODULE.format(factor=factor, tail=tail, doc=doc))
    env = os.environ | {"ONEBIT_CACHE": str(cache or folder / "cache")}
    done = subprocess.run([sys.executable, script], env=env, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_the_second_process_loads_and_edits_recompile_only_what_they_touch(tmp_path: Path) -> None:
    assert run(tmp_path) == ["6.0", "-3.0", "0", "0"]
    assert run(tmp_path) == ["6.0", "-3.0", "1", "1"], "the second process compiled"
    assert run(tmp_path, tail="+ 1") == ["7.0", "-3.0", "0", "1"], "an edit of an inlined function"
    assert run(tmp_path, factor=5) == ["15.0", "-3.0", "0", "1"], "an edit of a constant"
    assert run(tmp_path, doc="Other words.") == ["6.0", "-3.0", "1", "1"], "a docstring is not code"


def test_what_is_defined_later_is_refused(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from onebit.ops.jit import entry_point, jit\n"
        "@entry_point\ndef outer(x):\n    return inner(x)\n"
        "@jit\ndef inner(x):\n    return x\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert "refers to inner, which is not there yet" in done.stderr


def test_every_signature_has_files_of_its_own(tmp_path: Path) -> None:
    script, cache = tmp_path / "script.py", tmp_path / "cache"
    script.write_text(
        "import sys\nfrom onebit.ops.jit import entry_point\n"
        "@entry_point\ndef double(x):\n    return 2 * x\n"
        "print(double(eval(sys.argv[1])))\n"
    )
    env = os.environ | {"ONEBIT_CACHE": str(cache)}
    commands = [[sys.executable, script, argument] for argument in ("3", "1.5", "2j", "True") * 2]
    running = [subprocess.Popen(c, env=env, stdout=subprocess.PIPE, text=True) for c in commands]
    assert [p.communicate()[0].strip() for p in running] == ["6", "3.0", "4j", "2"] * 2
    assert len(list(cache.rglob("*.nbi"))) == len(list(cache.rglob("*.nbc"))) == 4


def test_a_type_that_has_moved_to_another_module_is_compiled_for_again(tmp_path: Path) -> None:
    """As after an upgrade that moves classes, with the compiled code of the old version still there."""
    where = "from typing import NamedTuple\nclass Pair(NamedTuple):\n    a: float\n    b: float\n"
    script = tmp_path / "script.py"
    env = os.environ | {"ONEBIT_CACHE": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    hits = []
    for module in ("old", "new", "new"):
        for name in ("old", "new"):
            (tmp_path / f"{name}.py").unlink(missing_ok=True)
        (tmp_path / f"{module}.py").write_text(where)
        script.write_text(
            f"from {module} import Pair\nfrom onebit.ops.jit import entry_point\n"
            "@entry_point\ndef total(pair):\n    return pair.a + pair.b\n"
            "print(total(Pair(1.0, 2.0)), sum(total.stats.cache_hits.values()))\n"
        )
        done = subprocess.run([sys.executable, script], env=env, capture_output=True, text=True, check=True)
        hits.append(done.stdout.split())
    assert hits == [["3.0", "0"], ["3.0", "0"], ["3.0", "1"]]


def test_functions_reached_through_a_module_count(tmp_path: Path) -> None:
    inner, script = tmp_path / "inner.py", tmp_path / "outer.py"
    script.write_text(
        "import inner\nfrom onebit.ops.jit import entry_point\n"
        "@entry_point\ndef outer(x):\n    return inner.part(x)\n"
        "print(outer(3.0), sum(outer.stats.cache_hits.values()))\n"
    )
    printed = []
    for change in ("+ 1", "+ 1", "+ 2"):
        inner.write_text(f"from onebit.ops.jit import jit\n@jit\ndef part(x):\n    return x {change}\n")
        env = os.environ | {"ONEBIT_CACHE": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([sys.executable, script], env=env, capture_output=True, text=True, check=True)
        printed.append(done.stdout.strip())
    assert printed == ["4.0 0", "4.0 1", "5.0 0"]


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    assert run(tmp_path, cache=blocker / "below") == ["6.0", "-3.0", "0", "0"]


def test_a_value_without_stable_content_is_refused() -> None:
    mutable = [1, 2]

    def uses_a_list() -> int:
        return len(mutable)

    with pytest.raises(TypeError, match="mutable"):
        digest(uses_a_list)
