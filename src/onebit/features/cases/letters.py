"""Letters beyond ASCII, as Python's strings handle them: which are small, which are digits, which are spaces."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onebit.ops.jit import jit, noinline

Bytes = NDArray[np.uint8]
Letters = NDArray[np.int32]

ASK = np.int32(-1)
"""In the table, for a letter whose small form depends on others, or is several letters."""

DIGIT = np.int32(-2)
"""In the table, for a digit; it is its own small form."""

NO_LETTERS: Letters = np.zeros(0, np.int32)
"""The table where all text is ASCII."""

_BEYOND = 0x20000  # no capital and no digit comes after it
_SIGMA = "\u03a3"  # its small form depends on where it stands


@cache
def letter_table() -> Letters:
    """The small form of each character, by number, as Python has it.

    >>> table = letter_table()
    >>> chr(table[ord("Ä")]), int(table[ord("²")]), int(table[ord("Σ")])
    ('ä', -2, -1)
    """
    table = np.arange(_BEYOND, dtype=np.int32)
    for code in range(128, _BEYOND):
        letter = chr(code)
        small = letter.lower()
        if letter == _SIGMA or len(small) > 1:
            table[code] = ASK
        elif letter.isdigit():
            table[code] = DIGIT
        elif small != letter:
            table[code] = ord(small)
    return table


@jit
def width_of(c: Any) -> int:
    """How many bytes the character has that begins with this one; a byte from within counts as one."""
    if c < 0xC0:
        return 1
    return 2 if c < 0xE0 else 3 if c < 0xF0 else 4


@jit
def character_at(text: Bytes, i: int, stop: int) -> Any:
    """The number of the character that begins here; 0xFFFD where it is cut off."""
    c = np.int64(text[i])
    width = width_of(c)
    if width == 1:
        return c
    if i + width > stop:
        return 0xFFFD
    if width == 2:
        return (c & 0x1F) << 6 | (np.int64(text[i + 1]) & 0x3F)
    if width == 3:
        return (c & 0x0F) << 12 | (np.int64(text[i + 1]) & 0x3F) << 6 | (np.int64(text[i + 2]) & 0x3F)
    high = (c & 0x07) << 18 | (np.int64(text[i + 1]) & 0x3F) << 12
    return high | (np.int64(text[i + 2]) & 0x3F) << 6 | (np.int64(text[i + 3]) & 0x3F)


@jit
def put_character(out: Bytes, n: int, code: int) -> int:
    """Write a character; where the next one goes."""
    if code < 0x80:
        out[n] = code
        return n + 1
    if code < 0x800:
        out[n] = 0xC0 | code >> 6
        out[n + 1] = 0x80 | code & 0x3F
        return n + 2
    if code < 0x10000:
        out[n] = 0xE0 | code >> 12
        out[n + 1] = 0x80 | code >> 6 & 0x3F
        out[n + 2] = 0x80 | code & 0x3F
        return n + 3
    out[n] = 0xF0 | code >> 18
    out[n + 1] = 0x80 | code >> 12 & 0x3F
    out[n + 2] = 0x80 | code >> 6 & 0x3F
    out[n + 3] = 0x80 | code & 0x3F
    return n + 4


@jit
def put_small(out: Bytes, text: Bytes, start: int, stop: int, letters: Letters) -> int:
    """Write a text in small letters to the beginning of `out`, which has room for twice as many bytes; its length."""
    if letters.shape[0] == 0:
        for i in range(stop - start):
            c = text[start + i]
            out[i] = c | 32 if 65 <= c <= 90 else c
        return stop - start
    return put_small_letters(out, text, start, stop, letters)


@noinline
def put_small_letters(out: Bytes, text: Bytes, start: int, stop: int, letters: Letters) -> int:
    """The same, with letters beyond ASCII."""
    n = 0
    i = start
    while i < stop:
        c = text[i]
        if c < 128:
            out[n] = c | 32 if 65 <= c <= 90 else c
            n += 1
            i += 1
            continue
        code: Any = character_at(text, i, stop)
        i = min(i + width_of(c), stop)
        if code < letters.shape[0] and letters[code] >= 0:
            code = np.int64(letters[code])
        n = put_character(out, n, code)
    return n


@jit
def space_at(text: Bytes, i: int, stop: int) -> int:
    """How many bytes the space has that begins here; 0 if none does."""
    c = text[i]
    if c <= 32:
        return 1 if c == 32 or 9 <= c <= 13 or 28 <= c <= 31 else 0
    if c < 0xC2 or i + 1 >= stop:
        return 0
    second = text[i + 1]
    if c == 0xC2:
        return 2 if second == 0x85 or second == 0xA0 else 0
    if i + 2 >= stop or c > 0xE3:
        return 0
    third = text[i + 2]
    found = c == 0xE1 and second == 0x9A and third == 0x80
    found = found or (c == 0xE2 and second == 0x80 and (third <= 0x8A or 0xA8 <= third <= 0xA9 or third == 0xAF))
    found = found or (c == 0xE2 and second == 0x81 and third == 0x9F)
    found = found or (c == 0xE3 and second == 0x80 and third == 0x80)
    return 3 if found else 0


@jit
def without_spaces(text: Bytes, start: int, stop: int) -> tuple[int, int]:
    """Where a text begins and ends without the spaces around it."""
    while start < stop:
        width = space_at(text, start, stop)
        if width == 0:
            break
        start += width
    while start < stop:
        width = 0
        for back in range(1, 4):
            if stop - back >= start and space_at(text, stop - back, stop) == back:
                width = back
                break
        if width == 0:
            break
        stop -= width
    return start, stop


@jit
def cut(text: Bytes, start: int, stop: int, characters: int) -> int:
    """Where a text ends that has at most so many characters."""
    if stop - start <= characters:
        return stop
    i = start
    while characters > 0 and i < stop:
        i += width_of(text[i])
        characters -= 1
    return min(i, stop)
