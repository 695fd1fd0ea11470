"""Cases on their way into compiled code: a cell for each value, and what the cells point to."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from onebit.core.aliases import FloatArray, IntArray
from onebit.features.cases.letters import (
    ASK,
    DIGIT,
    Bytes,
    Letters,
    character_at,
    cut,
    space_at,
    width_of,
    without_spaces,
)
from onebit.features.cases.written import ASK_PYTHON, IS_NONE, IS_ONE, date_in, is_digit, number_in
from onebit.ops.jit import entry_point, jit
from onebit.ops.rows import LARGEST_DOUBLE

# What a value is. Behind it, what its cell has in FIRST and SECOND.
IS_GAP = 0  # nothing
IS_SYMBOL = 1  # where its text begins and ends
IS_TEXT = 2  # the same
IS_WORD = 3  # the same: a text of one word is a symbol, unless the field has texts
IS_NUMBER = 4  # the number
IS_DATE = 5  # its day number, and the hour with its minutes as a share; -1 if there is none
IS_BAG = 6  # where its parts begin and end
IS_VECTOR = 7  # where its numbers begin and end

# What a text may still turn out to be: a gap, if it is blank; else this.
MAY_BE_ANYTHING = 8
MAY_BE_TEXT = 9
MAY_BE_SYMBOL = 10
MAY_BE_NUMBER = 11  # or a date: as declared, else it is wrong
MAY_BE_DATE = 12

ASKS_PYTHON = 16
"""Added to what a text may be, where compiled code cannot tell."""

# The numbers of a cell.
KIND = 0
FIELD = 1  # -1 for a field that the encoder does not know
FIRST = 2
SECOND = 3
N_CELL = 4

LONGEST_TEXT = 2**16
"""Characters that are read of a text."""

LONGEST_WHOLE = 200
"""Characters that are read of a whole value, and of a part of a list."""

_LONGEST_NUMBER = 1000  # bytes of a text that may be a number or a date, to compiled code
_MINUS = 45
_DOT = 46
_PLUS = 43


class Cells(NamedTuple):
    """Cases as cells, and where those of each case begin; the text, the parts of lists, and the numbers of vectors."""

    ends: IntArray
    cells: FloatArray
    text: Bytes
    parts: IntArray
    numbers: FloatArray
    letters: Letters


NO_PARTS: IntArray = np.zeros((0, 2), np.int64)
NO_NUMBERS: FloatArray = np.zeros(0)


@jit
def asks_for_day(cases: Cells, r: int, i: int, day_of: NDArray[np.int32]) -> bool:
    """Whether the day of a date has no field yet, or the case has another value in it."""
    field = int(cases.cells[i, FIELD])
    found = field < 0 or day_of[field] == 0
    if not found:
        for other in range(cases.ends[r], cases.ends[r + 1]):
            found = found or cases.cells[other, FIELD] == day_of[field] - 1
    return found


@jit
def put_number(cell: FloatArray, x: float) -> None:
    """A number: NaN is a gap, and none is too large."""
    if x != x:
        cell[KIND] = IS_GAP
        return
    cell[KIND] = IS_NUMBER
    cell[FIRST] = min(max(x, -LARGEST_DOUBLE), LARGEST_DOUBLE)


@jit
def sort_text(cell: FloatArray, text: Bytes, letters: Letters) -> None:
    """What a text is, if compiled code can tell."""
    kind = int(cell[KIND])
    start, stop = without_spaces(text, int(cell[FIRST]), int(cell[SECOND]))
    cell[FIRST] = start
    cell[SECOND] = stop
    if start == stop:
        cell[KIND] = IS_GAP
        return
    if asks(text, start, stop, letters, kind == MAY_BE_ANYTHING or kind >= MAY_BE_NUMBER):
        cell[KIND] = kind + ASKS_PYTHON
        return
    if kind == MAY_BE_TEXT:
        cell[KIND] = IS_TEXT
        cell[SECOND] = cut(text, start, stop, LONGEST_TEXT)
        return
    if kind == MAY_BE_SYMBOL:
        cell[KIND] = IS_SYMBOL
        cell[SECOND] = cut(text, start, stop, LONGEST_WHOLE)
        return
    if kind != MAY_BE_ANYTHING or looks_written(text, start, stop):
        if stop - start > _LONGEST_NUMBER:
            cell[KIND] = kind + ASKS_PYTHON
            return
        answer = sort_written(cell, text, start, stop, kind)
        if answer == IS_ONE:
            return
        if answer == ASK_PYTHON or kind != MAY_BE_ANYTHING:
            cell[KIND] = kind + ASKS_PYTHON
            return
    cell[KIND] = IS_WORD
    i = start
    while i < stop:
        if (text[i] <= 32 or text[i] >= 0xC2) and space_at(text, i, stop) > 0:
            cell[KIND] = IS_TEXT
            break
        i += 1
    cell[SECOND] = cut(text, start, stop, LONGEST_TEXT)


@jit
def asks(text: Bytes, start: int, stop: int, letters: Letters, digits: bool) -> bool:
    """Whether a text holds a letter that Python has to make small, or such a digit where digits matter."""
    high = np.uint8(0)
    for i in range(start, stop):
        high |= text[i]
    if high < 128:
        return False
    i = start
    while i < stop:
        c = text[i]
        if c < 128:
            i += 1
            continue
        code = character_at(text, i, stop)
        i += width_of(c)
        if letters.shape[0] == 0 or (
            code < letters.shape[0] and (letters[code] == ASK or (digits and letters[code] == DIGIT))
        ):
            return True
    return False


@jit
def looks_written(text: Bytes, start: int, stop: int) -> bool:
    """Whether a text begins as a number or ends with a digit."""
    c = text[start]
    return is_digit(c) or c in (_PLUS, _MINUS, _DOT) or is_digit(text[stop - 1])


@jit
def sort_written(cell: FloatArray, text: Bytes, start: int, stop: int, kind: int) -> int:
    """Whether a text is a number or a date; if it is, so is its cell then."""
    if stop - start >= 6 and kind != MAY_BE_NUMBER:
        answer, day, hour = date_in(text, start, stop)
        if answer == IS_ONE:
            cell[KIND] = IS_DATE
            cell[FIRST] = day
            cell[SECOND] = hour
        if answer != IS_NONE:
            return answer
    if kind == MAY_BE_DATE:
        return IS_NONE
    answer, x = number_in(text, start, stop)
    if answer == IS_ONE:
        put_number(cell, x)
    return answer


@entry_point
def sort_out(cases: Cells, day_of: NDArray[np.int32]) -> int:
    """Find out what each text is; how many cells Python has to look at.

    Those are texts that compiled code cannot tell, and dates whose day has no field yet, or one that the case has too.
    """
    cells = cases.cells
    asked = 0
    for r in range(cases.ends.shape[0] - 1):
        for i in range(cases.ends[r], cases.ends[r + 1]):
            cell = cells[i]
            if cell[KIND] >= MAY_BE_ANYTHING:
                sort_text(cell, cases.text, cases.letters)
            elif cell[KIND] == IS_NUMBER:
                put_number(cell, cell[FIRST])
            elif cell[KIND] == IS_BAG:
                for part in range(int(cell[FIRST]), int(cell[SECOND])):
                    start, stop = without_spaces(cases.text, cases.parts[part, 0], cases.parts[part, 1])
                    cases.parts[part, 0] = start
                    cases.parts[part, 1] = cut(cases.text, start, stop, LONGEST_WHOLE)
            if cell[KIND] >= ASKS_PYTHON or (cell[KIND] == IS_DATE and asks_for_day(cases, r, i, day_of)):
                asked += 1
    return asked
