"""Hostile commands, sweep plans and data files, and a check that a command ends as a program should."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.fuzz.room import MEMORY
from tests.fuzz.status import bytes_of

SECONDS = 600
"""How long a command may take, on a busy machine; the room counts the processor's seconds."""

NUMBERS = (
    "", "0", "-1", "1", "2", "3", "0.5", "-0.0", "nan", "inf", "-inf", "1e400", "1e18", "1e-320", "2^62", "2^-7",
    "-8^0.5", "0^-1", "9" * 30, "9" * 5000, "1_000", "0x10", "٣", "1,2", "1:2", "5:", ":5", ":", ",", "2:1",
    "0:99999999999", "true",
)  # fmt: skip
WORDS = (
    "", " ", "-", "--", "é", "γ", "\udcff", "𝔘", "a" * 300, "a\nb", "{seed}", "{0}", "%s", "../..", "none", "classes",
)  # fmt: skip
PATHS = (
    ".",
    "/",
    "/dev/null",
    "/dev/full",
    "missing.csv",
    "missing/",
    "/missing/none/x.csv",
    "/proc/self/mem",
    "table.csv",
)
LEARNERS = ("banditron", "one-bit", "perceptron", "mc-dbf", "kernel-bandit", "rcine", "page-rank-ucb", "nobody", "soba")
DATA = ("iris", "synsep", "digits", "strong-separable", "group-separable", "table.csv", "table.svm", "table.parquet")
FEEDBACK = ("bit", "full", "noisy:0.1,0.2", "noisy:1,1", "noisy:nan,0", "noisy:1e400,0", "noisy:", ":", "loud", "bit:1")
MAPS = (
    "rational:2",
    "fourier:8",
    "nystroem:8",
    "rational:1e9",
    "fourier:1e12",
    "fourier:nan",
    "nystroem:-1",
    "x:1",
    ":",
)
PARAMETERS = (
    "gamma",
    "m",
    "budget",
    "noise",
    "rho_0",
    "N_s",
    "ties",
    "normalize",
    "kernel",
    "degree",
    "nothing",
    "seed",
)


def hostile_command(draw: random.Random) -> list[str]:
    """The arguments of a command, most of them good, some not."""
    kind = draw.choice(["run"] * 6 + ["sweep", "sweep", "paper", "noise", "report", "data", "check", "learners"])
    if kind == "run":
        return ["run", *_some(draw, LEARNERS), *_options(draw, _RUN, short=True)]
    if kind == "sweep":
        target = draw.choice([draw.choice(LEARNERS), "plan.toml", "missing.toml", "/dev/null.toml"])
        return ["sweep", target, *_options(draw, _RUN | _SWEEP, short=target != "plan.toml")]
    if kind == "paper":
        return ["paper", "run", draw.choice(["nothing", *WORDS]), *_options(draw, _PAPER)]
    if kind == "noise":
        return ["noise", _path(draw), *_options(draw, _NOISE)]
    if kind == "report":
        return ["report", _path(draw), *_options(draw, {"--out": _path})]
    if kind == "data":
        rows = {"--label": _word, "--columns": _word, "--hash-features": _number, "--rows": _number}
        return ["data", "show", _data(draw), *_options(draw, rows), *draw.choice([[], ["--separability"], ["--json"]])]
    if kind == "check":
        return ["check", draw.choice(["onebit", "os:path", "onebit:Banditron2", ":", "a:b", *WORDS])]
    return [draw.choice(["learners", "data", "paper", "demo2", *WORDS]), *draw.choice([[], ["--json"], ["--nothing"]])]


def _number(draw: random.Random) -> str:
    return draw.choice(NUMBERS)


def _word(draw: random.Random) -> str:
    return draw.choice((*WORDS, "y", "label"))


def _path(draw: random.Random) -> str:
    return draw.choice((*PATHS, *WORDS))


def _data(draw: random.Random) -> str:
    return draw.choice(DATA) if draw.random() < 0.8 else _path(draw)


def _setting(draw: random.Random) -> str:
    return f"{draw.choice(PARAMETERS)}={draw.choice((*NUMBERS, *WORDS))}"


_RUN: dict[str, Any] = {
    "--feedback": lambda draw: draw.choice(FEEDBACK),
    "--delay": _number,
    "--seeds": _number,
    "--set": _setting,
    "--hash-features": _number,
    "--map": lambda draw: draw.choice(MAPS),
    "--dtype": _word,
    "--label": _word,
    "--columns": _word,
    "--graph": _path,
    "--labels": _path,
    "--dims": _number,
    "--out": _path,
    "--log": _path,
    "--boundary": _path,
    "--workers": _number,
}
_SWEEP: dict[str, Any] = {
    "--grid": _setting,
    "--tune-seeds": _number,
    "--select": _word,
    "--executor": lambda draw: draw.choice(["dask://", "dask://x", "local", *WORDS]),
}
_PAPER: dict[str, Any] = {"--rounds": _number, "--seeds": _number, "--out": _path, "--workers": _number}
_NOISE: dict[str, Any] = {"--data": _data, "--label": _word, "--estimator": _word, "--classes": _number, "--out": _path}


def _some(draw: random.Random, words: tuple[str, ...]) -> list[str]:
    return draw.sample(words, draw.choice([1, 1, 1, 2]))


def _options(draw: random.Random, known: dict[str, Any], short: bool = False) -> list[str]:
    """Up to three hostile options; with `short`, also data and so few rounds that a play ends soon."""
    given = []
    for option in draw.sample(sorted(known), draw.randrange(min(4, len(known) + 1))):
        given += [option, known[option](draw)]
    if short:
        given += [
            "--data",
            _data(draw),
            "--rounds",
            draw.choice(["20", "20", "20", "20.5", "-3", "nan", "inf", "1e400"]),
        ]
        given += [] if "--seeds" in given else ["--seeds", "1"]
    return given


def hostile_plan(draw: random.Random) -> str:
    """The TOML of a sweep plan: a small good one with a few values or keys changed, or text that is no plan."""
    if draw.random() < 0.1:
        return draw.choice(
            ["", "\0", "[" * 5000, "a = " + "[" * 5000 + "]" * 5000, "a = " + "{b = " * 3000, "= 1", "data"]
        )
    plan: dict[str, Any] = {"data": '"iris"', "rounds": "20", "seeds": "1", "tune_seeds": "1"}
    arm: dict[str, Any] = {"learner": '"banditron"', "grid": '{gamma = "2^-3:2^-2"}'}
    keys = [*plan, "delay", "select", "dtype", "feedback", "out", "stream", "arm", "nothing"]
    for _ in range(draw.randrange(1, 4)):
        if draw.random() < 0.6:
            plan[draw.choice(keys)] = draw.choice(_TOML)
        else:
            arm[draw.choice([*arm, "set", "name", "feedback", "nothing"])] = draw.choice(_TOML)
    lines = [f"{key} = {value}" for key, value in plan.items()]
    lines += ["[[arm]]", *(f"{key} = {value}" for key, value in arm.items())]
    return "\n".join(lines) + "\n"


_TOML = (
    "0", "-1", "2", "1.5", "nan", "inf", "1e400", "9" * 30, "9" * 5000, "true", '""', '"1e400"', '"nan"', '"5:"', '"é"',
    '"\\u0000"', "[]", "[1, 2]", "[2, 1]", '["a"]', "[[1]]", "{}", "{gamma = 2}", '{gamma = "2^9999"}',
    "{gamma = [1, 1]}", '{gamma = "0:99999999"}', "{m = 1e3}", "1979-05-27",
    '"synsep"', '"../../x.csv"', '"noisy:0.5,0.5"', "[0.5, nan]",
)  # fmt: skip


def hostile_table(draw: random.Random) -> tuple[str, bytes]:
    """A data file: its ending, and its bytes."""
    ending = draw.choice([".csv", ".tsv", ".svm", ".parquet", ".json"])
    if ending == ".parquet":
        content = _parquet(draw)
    elif ending == ".svm":
        rows = [
            f"{draw.choice(_CELLS)} {draw.choice(_INDICES)}:{draw.choice(_CELLS)} 3:1" for _ in range(draw.randrange(4))
        ]
        content = "\n".join(["1 1:1 2:2", "2 1:2 2:1", *rows]).encode("utf-8", "surrogateescape")
    elif ending == ".json":
        content = json.dumps([draw.choice(_CELLS)]).encode()
    else:
        cells = [[draw.choice(_CELLS) for _ in range(draw.choice([3, 3, 3, 2, 4]))] for _ in range(draw.randrange(5))]
        mark = "," if ending == ".csv" else "\t"
        table = [["a", "b", draw.choice(["y", "label", "a", ""])], ["1", "2", "p"], ["2", "1", "q"], *cells]
        content = "\n".join(mark.join(row) for row in table).encode("utf-8", "surrogateescape")
    return ending, _damaged(draw, content)


_CELLS = (
    "0",
    "1",
    "-1.5",
    "nan",
    "inf",
    "1e400",
    "9" * 30,
    "",
    " ",
    '"',
    '"a',
    "é",
    "\udcff",
    "a b",
    "2026-01-01",
    "true",
)
_INDICES = ("1", "2", "0", "-1", "4294967296", "1000000000", "1.5", "x", "")


def _parquet(draw: random.Random) -> bytes:
    """A small Parquet file, perhaps of a log."""
    import pyarrow as pa
    from pyarrow import parquet

    columns: dict[str, Any] = {
        "played": draw.choice(
            [[0, 1, 0], ["a", "b", "a"], [None, 1, 2], [[0, 1], [1, 2], [0, 2]], [1.5, float("nan"), 0]]
        ),
        "propensity": draw.choice([[0.5, 0.5, 1.0], [0.0, 2.0, -1.0], ["x", "y", "z"], [float("nan")] * 3]),
        "bit": draw.choice([[True, False, True], [0, 1, 2], [None] * 3, ["yes", "no", "yes"]]),
        "row": draw.choice([[0, 1, 2], [-1, 0, 10**9], [0.5, 1.0, 2.0]]),
        "features": draw.choice([[[1.0, 2.0]] * 3, [[1.0], [1.0, 2.0], []], [[float("inf")]] * 3, [1.0, 2.0, 3.0]]),
        "y": ["p", "q", "p"],
    }
    for name in draw.sample(sorted(columns), draw.randrange(3)):
        del columns[name]
    table = pa.table(columns or {"y": ["p"]})
    facts: dict[str, Any] = {"kind": "decisions", "format": 1, "learner": "", "classes": [0, 1, 2], "n_features": 2}
    facts[draw.choice([*facts, "rows_made_with"])] = draw.choice([None, 2, -1, "x", [], {}, [[]], 10**400, {"bias": 1}])
    if draw.random() < 0.5:
        table = table.replace_schema_metadata({"onebit": json.dumps(facts)})
    sink = pa.BufferOutputStream()
    parquet.write_table(table, sink)
    return bytes(sink.getvalue())


def _damaged(draw: random.Random, content: bytes) -> bytes:
    """The same in half of the cases, else cut short or with a byte changed."""
    if not content or draw.random() < 0.5:
        return content
    at = draw.randrange(len(content))
    if draw.random() < 0.5:
        return content[:at]
    return content[:at] + bytes([draw.randrange(256)]) + content[at + 1 :]


def exercise_lessons(draw: random.Random, folder: Path) -> None:
    """Teach a learner from a hostile table, let it decide about another, and teach it from that."""
    model = str(folder / "learner.onebit")
    for table in ("past", "new"):
        (folder / f"{table}.csv").write_bytes(_lessons(draw))
    commands = [
        ["teach", model, "--data", "past.csv", *_options(draw, _TEACH)],
        ["decide", model, "--data", "new.csv", "--played", "team", "--out", "out.csv", *_options(draw, _DECIDE)],
        ["teach", model, "--data", draw.choice(["out.csv", "new.csv"]), *_options(draw, _TEACH)],
    ]
    for command in commands:
        exercise_command(command, folder)


_TEACH: dict[str, Any] = {
    "--played": _word,
    "--right": _word,
    "--classes": _word,
    "--text": _word,
    "--category": _word,
    "--number": _word,
    "--date": _word,
    "--ignore": _word,
    "--seed": _number,
}
_DECIDE: dict[str, Any] = {"--right": _word, "--among": _word, "--out": _path}


def _lessons(draw: random.Random) -> bytes:
    """A CSV file of cases, what was played, how likely that was, and answers."""
    names = draw.sample(["subject", "when", draw.choice(["label", "y", ""]), "right", "propensity", "a"], 5)
    names += draw.choice([[], ["label"], ["label", "right"]])
    rows = [
        [draw.choice((*_CELLS, "p", "q", "yes", "no", "0.5", "x" * 10_000)) for _ in names]
        for _ in range(draw.choice([0, 1, 3, 40]))
    ]
    content = "\n".join(",".join(row) for row in [names, *rows]).encode("utf-8", "surrogateescape")
    return _damaged(draw, content) if draw.random() < 0.3 else content


_PROGRAM = """
import sys
import tempfile
from pathlib import Path
from onebit.cli import main
try:
    code = main(sys.argv[2:])
finally:
    Path(sys.argv[1]).write_bytes(Path("/proc/self/status").read_bytes())
sys.exit(code)
"""


def exercise_command(args: list[str], folder: Path, seconds: float = SECONDS) -> None:
    """Run a command in `folder`, in a process of its own, and check that it ends as a program should.

    No traceback, no mistake of onebit itself, an exit code among those promised, no signal, in time, in so much memory;
    the first time it may compile something, which takes more.
    """
    if _memory_of(args, folder, seconds) > MEMORY:
        memory = _memory_of(args, folder, seconds)
        assert memory <= MEMORY, f"{args}: took {memory / 2**20:,.0f} MB"


def _memory_of(args: list[str], folder: Path, seconds: float) -> int:
    """Run a command, see how it ends, and what memory it took at the most."""
    with tempfile.NamedTemporaryFile() as told_by_kernel:
        command: list[Any] = [sys.executable, "-c", _PROGRAM, told_by_kernel.name]
        command += [arg.replace("\0", "") for arg in args]
        done = subprocess.run(
            command, cwd=folder, env=os.environ | {"COLUMNS": "80"}, capture_output=True, timeout=seconds, check=False
        )
        status = Path(told_by_kernel.name).read_text()
    told = done.stderr.decode(errors="replace")
    assert done.returncode in (0, 1, 2, 3, 130), f"{args}: ended with {done.returncode}: {told[-2000:]}"
    for sign in ("Traceback (most recent", "a mistake of onebit itself", "Exception ignored"):
        assert sign not in told, f"{args}: {told[-2000:]}"
    return bytes_of("VmHWM", status)
