"""Raw cases for Vowpal Wabbit: a namespace for each column, prepared by hand as its users would, and its driver.

What is read from the whole table beforehand (which columns are texts, the mean and the deviation of a number, where its
tenths are) is given to VW as a present; no learner on a live stream could have it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from benchmarks.cases.sets import Cases

Setting = dict[str, Any]

WRITTEN = 2
"""Of how numbers are written: raised where that changes, so that what was measured before does not count."""

WRONG_IS_0 = " --loss0 -1 --loss1 0"
"""Costs of -1 for right and 0 for wrong: a label that was never played then looks bad, not good."""

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

EXPLORERS = (
    "--cb_force_legacy --cb_type dm --epsilon 0",
    "--cb_force_legacy --cb_type dm --epsilon 0.02",
    "--cb_force_legacy --cb_type dm --bag 4 --epsilon 0",
    "--cb_force_legacy --cb_type dr --epsilon 0.02",
    "--cb_type mtr --epsilon 0.02",
    f"--cb_type mtr --epsilon 0.005{WRONG_IS_0}",
    "--cover 4 --nounif --psi 0.01 --cb_type dr",
    "--squarecb --gamma_scale 1000 --cb_type mtr",
    "--regcb --mellowness 0.001 --cb_type mtr",
)
STEPS = ("-l 0.5", "-l 0.1", "-l 2", "-l 0.1 --power_t 0", "-l 0.5 --power_t 0", "-l 2 --power_t 0", "--coin")


class Column(NamedTuple):
    """How a column is written: its letter, its kind, and of numbers the mean, the deviation and the tenths."""

    letter: str
    name: str
    kind: str
    recurs: bool
    mean: float
    deviation: float
    cuts: tuple[float, ...]


class Played(NamedTuple):
    """How often the label was wrong, after how many cases, and CPU seconds."""

    wrong: int
    cases: int
    seconds: float


def columns(cases: Cases) -> list[Column]:
    """Every column of the set, in its order."""
    names = list(dict.fromkeys(name for row in cases.rows for name in row))
    found = []
    for letter, name in zip(LETTERS, names, strict=False):
        values = [value for row in cases.rows if not missing(value := row.get(name))]
        kind = kind_of(values)
        recurs = kind in ("text", "word") and len({str(value) for value in values}) < len(values) / 2
        numbers = [float(value) for value in values if value is not None] if kind == "number" else []
        cuts = tuple(np.unique(np.quantile(numbers, np.linspace(0.1, 0.9, 9))).tolist()) if numbers else ()
        mean, deviation = (float(np.mean(numbers)), float(np.std(numbers)) or 1.0) if numbers else (0.0, 1.0)
        found.append(Column(letter, re.sub(r"\W", "", name) or letter, kind, recurs, mean, deviation, cuts))
    return found


def about_lines(cases: Cases) -> dict[str, int]:
    """What decides how the cases are written, beside them and the setting."""
    return {"written": WRITTEN} if any(column.kind == "number" for column in columns(cases)) else {}


def missing(value: Any) -> bool:
    """Whether there is nothing.

    >>> missing(None), missing(float("nan")), missing(" "), missing(0)
    (True, True, True, False)
    """
    return value is None or value != value or (isinstance(value, str) and not value.strip())


def kind_of(values: Sequence[Any]) -> str:
    """What nearly all values of a column are: list, date, number, text (of several words) or word.

    >>> kind_of(["1", "2.5"]), kind_of(["a b", "c d"]), kind_of(["a", "b"]), kind_of(["2026-11-02"])
    ('number', 'text', 'word', 'date')
    """
    tests = {
        "list": lambda value: isinstance(value, list),
        "date": lambda value: as_date(value) is not None,
        "number": lambda value: as_number(value) is not None,
        "text": lambda value: len(str(value).split()) > 1,
    }
    for kind, test in tests.items():
        enough = 0.3 if kind == "text" else 1
        if values and sum(map(test, values)) >= enough * len(values):
            return kind
    return "word"


def as_date(value: Any) -> date | None:
    """The day that a value tells, in the forms that occur here."""
    if isinstance(value, date):
        return value
    if isinstance(value, str):
        for form in ("%Y-%m-%d", "%Y-%m-%dT%H:%M:%SZ", "%m/%d/%Y", "%b %d %Y"):
            try:
                return datetime.strptime(value.strip(), form)
            except ValueError:
                continue
    return None


def as_number(value: Any) -> float | None:
    """The number that a value is, or is the text of."""
    if isinstance(value, bool):
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def token(value: Any) -> str:
    """A word that VW reads as one.

    >>> token("a:b | c")
    'a_b___c'
    """
    return re.sub(r"[\s:|]", "_", str(value).strip().lower()) or "_"


def written(column: Column, value: Any, bins: bool) -> str:
    """What stands in the namespace of a column."""
    if missing(value):
        return "gap"
    if column.kind == "number":
        number = float(value)
        of = f" b{int(np.searchsorted(column.cuts, number, side='right'))}" if bins else ""
        z = min(max((number - column.mean) / column.deviation, -3.0), 3.0)
        return f"v:{z:.6g}{of}" + (f" ={token(value)}" if bins and number == int(number) else "")
    if column.kind == "date":
        day = as_date(value)
        assert day is not None
        return f"m{day.month} w{day.weekday()} y{day.year} d:{(day.toordinal() - 735_000) / 365:.5g}"
    if column.kind == "list":
        return " ".join(f"{token(item)}" for item in value) or "gap"
    if column.kind == "text":
        words = re.findall(r"\w+|[^\w\s]", str(value).lower())
        whole = [f"={token(value)}"] if column.recurs else []
        return " ".join([token(word) for word in words] + whole)
    return f"={token(value)}"


def lines(cases: Cases, bins: bool) -> list[str]:
    """One line for each case, in the order of the table."""
    places = {label: i + 1 for i, label in enumerate(cases.classes)}
    names = list(dict.fromkeys(name for row in cases.rows for name in row))
    how = list(zip(columns(cases), names, strict=False))
    return [
        f"{places[label]} "
        + " ".join(f"|{column.letter}{column.name} {written(column, row.get(name), bins)}" for column, name in how)
        for row, label in zip(cases.rows, cases.labels, strict=True)
    ]


def forms(cases: Cases) -> list[Setting]:
    """The ways to show the set: numbers with and without bins, words alone or with neighbours, pairs of columns."""
    kinds = {column.kind: column.letter for column in columns(cases)}
    texts = [column.letter for column in columns(cases) if column.kind == "text"]
    grams = ["", *(" ".join(f"--ngram {letter}{n}" for letter in texts) for n in (2, 3) if texts)]
    bins = [True, False] if "number" in kinds else [False]
    shown = [" ".join(filter(None, pair)) for pair in product(grams, ("", "-q ::"))]
    return [{"bins": cut, "rows": rows} for cut in bins for rows in shown]


def arguments(setting: Setting, classes: int, seed: int) -> str:
    chosen = f"{setting['explorer']} {setting['step']} {setting['rows']}"
    return f"--cbify {classes} -b 22 {chosen} --random_seed {seed} --quiet"


def play(texts: Sequence[str], order: Iterable[int], options: str, limit: float) -> Played:
    """One pass, case by case, up to `limit` CPU seconds."""
    from vowpalwabbit import Workspace

    workspace, done, began = Workspace(options), 0, time.process_time()
    for done, i in enumerate(order, 1):
        workspace.learn(texts[i])
        if done % 100 == 0 and time.process_time() - began > limit:
            break
    wrong = round(workspace.get_sum_loss())
    workspace.finish()
    return Played(wrong, done, time.process_time() - began)


def driven(path: str, options: str) -> tuple[int, int]:
    """The same by VW's own driver, which reads a file: wrong labels, and cases."""
    from vowpalwabbit import Workspace

    workspace = Workspace(f"{options} -d {path}")
    workspace.run_parser()
    found = round(workspace.get_sum_loss()), round(workspace.get_weighted_examples())
    workspace.finish()
    return found
