"""onebit teach: a learner in a file learns from a table of what was played, and whether that was right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from onebit.cli.case_files import Case, check_column, is_blank, read_cases
from onebit.cli.inputs import parse_cases, split_names
from onebit.cli.output import FINE, note
from onebit.core.checks import shown
from onebit.core.decision import Decision
from onebit.core.errors import ConfigError, DataError
from onebit.learners import Learner, OneBit, load

PROPENSITY = "propensity"
"""The column that says how likely it was that the label was played; where there is none, it was sure."""

_MOST_LABELS_SHOWN = 10
_YES = ("yes", "y", "true", "1", "right")
_NO = ("no", "n", "false", "0", "wrong")


class Lesson(NamedTuple):
    """A case, the label that was played, how likely that was, and the answer: a bit, or the right label."""

    case: Case
    played: str
    propensity: float
    answer: bool | str


def teach(
    model: Annotated[Path, typer.Argument(metavar="LEARNER", help="The learner's file; made if it is not there.")],
    data: Annotated[Path, typer.Option(metavar="FILE", help="CSV or Parquet: a case in each line.")],
    played: Annotated[str, typer.Option(metavar="COL", help="The column of the label that was played.")] = "label",
    right: Annotated[str, typer.Option(metavar="COL", help="The column of the answer.")] = "right",
    classes: Annotated[
        str | None, typer.Option(metavar="A,B", help="Labels beside those of the column; a learner takes new ones.")
    ] = None,
    text: Annotated[list[str] | None, typer.Option(metavar="COL,COL", help="Columns to be read as text, ...")] = None,
    category: Annotated[
        list[str] | None, typer.Option(metavar="COL,COL", help="... as names that are alike or not (a zip), ...")
    ] = None,
    number: Annotated[list[str] | None, typer.Option(metavar="COL,COL", help="... as numbers, ...")] = None,
    date: Annotated[list[str] | None, typer.Option(metavar="COL,COL", help="... as dates, ...")] = None,
    ignore: Annotated[list[str] | None, typer.Option(metavar="COL,COL", help="... or not at all (an id).")] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Of a learner that is made.")] = 0,
) -> int:
    """Teach a learner from a table of yes and no.

    The table has a line for each case: what is known of it, the label that
    was played, and the answer: yes or no (true or false, 1 or 0), or the
    right label where somebody has told it. Lines without an answer wait for
    another time. All other columns are the case, read as they are: text,
    numbers, dates, gaps. A column `propensity`, as `onebit decide` writes it,
    says how likely it was that this label was played.

    \b
    Examples:
      onebit teach router.onebit --data past.csv --played team --right right
      onebit decide router.onebit --data new.csv --out decided.csv
      onebit teach router.onebit --data decided.csv
    """
    check_names(played, right)
    rows = read_cases(data)
    check_column(data, rows, played, "--played", "name the column of the label that was played with --played")
    check_column(data, rows, right, "--right", "name the column of yes and no with --right")
    lessons = [lesson for i, row in enumerate(rows, 1) if (lesson := _lesson(data, i, row, played, right)) is not None]
    more = split_names([classes]) if classes else []
    declared = parse_cases(text=text, category=category, number=number, date=date, ignore=ignore)
    labels = list(dict.fromkeys([*sorted({lesson.played for lesson in lessons}), *more]))
    if model.exists():
        if declared is not None:
            raise ConfigError(f"--text and the like: {model} reads columns as it was told when it was made; leave them")
        learner = load(model)
        learner.add_classes([label for label in more if label not in learner.classes])
    elif len(labels) < 2:
        raise ConfigError(f"{data}: was played {labels or 'nothing'} only; name the other labels with --classes")
    else:
        learner = OneBit(labels, seed=seed, cases=declared or "auto")
    _check_labels(data, learner, lessons)
    for lesson in lessons:
        learner.learn(_decision(lesson), lesson.answer)
    learner.save(model)
    waiting = len(rows) - len(lessons)
    yes = sum(lesson.answer is True or lesson.answer == lesson.played for lesson in lessons)
    told = f", {waiting:,} without an answer" if waiting else ""
    note(f"{model}: learned {len(lessons):,} answers, {yes:,} of them yes{told}; {len(learner.classes)} labels")
    return FINE


def check_names(played: str, right: str) -> None:
    """A `ConfigError` where two of the columns that are written for an answer would have one name.

    >>> check_names("label", "label")
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: --played label, --right label: must be two columns, neither of them 'propensity'
    """
    if played == right or PROPENSITY in (played, right):
        raise ConfigError(f"--played {played}, --right {right}: must be two columns, neither of them {PROPENSITY!r}")


def _lesson(path: Path, line: int, row: Case, played: str, right: str) -> Lesson | None:
    """What a line says; None where it has no answer yet."""
    case = dict(row)
    label, answer = case.pop(played), case.pop(right)
    likely = case.pop(PROPENSITY, None)
    if is_blank(answer):
        return None
    if is_blank(label):
        raise DataError(f"{path}: row {line} has an answer and no {played}; say what was played, or leave the line out")
    try:
        propensity = 1.0 if is_blank(likely) else float(likely)
    except (TypeError, ValueError):
        propensity = 0.0
    if not 0 < propensity <= 1:
        raise DataError(f"{path}: row {line}: {PROPENSITY} is {shown(likely)}; must be a number above 0 and up to 1")
    return Lesson(case, str(label).strip(), propensity, answer_of(answer))


def answer_of(value: Any) -> bool | str:
    """A bit, or the label that somebody has told.

    >>> answer_of("Yes"), answer_of(0), answer_of("billing")
    (True, False, 'billing')
    """
    word = str(value).strip()
    small = word.lower().removesuffix(".0")
    if small in _YES or small in _NO:
        return small in _YES
    return word


def _check_labels(path: Path, learner: Learner, lessons: Sequence[Lesson]) -> None:
    """A `DataError` for a label that the learner does not have."""
    for lesson in lessons:
        told = [lesson.answer] if isinstance(lesson.answer, str) else []
        for label in (lesson.played, *told):
            if label not in learner.classes and label not in learner.retired:
                more = len(learner.classes) - _MOST_LABELS_SHOWN
                known = ", ".join(shown(one) for one in learner.classes[:_MOST_LABELS_SHOWN])
                raise DataError(
                    f"{path}: {shown(label)} is neither yes nor no nor one of the labels {known}"
                    + (f" and {more:,} more" if more > 0 else "")
                    + f"; new ones join with --classes {label:.80}"
                )


def _decision(lesson: Lesson) -> Decision:
    """What was played, as a decision of nobody's."""
    return Decision(
        labels=(lesson.played,),
        propensity=lesson.propensity,
        greedy=lesson.played,
        explored=False,
        row=lesson.case,
        id=-1,
    )
