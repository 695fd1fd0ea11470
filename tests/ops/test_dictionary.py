"""A dictionary: each class's vectors in blocks of its own, which are filled, replaced and resized."""

from __future__ import annotations

from typing import Any

import numpy as np

from onebit.ops.dictionary import Dictionary, blocks_for, new_dictionary, put_vector, resized
from onebit.ops.gram import BLOCK
from onebit.ops.jit import entry_point


@entry_point
def put_one(dictionary: Any, k: int, slot: int, x: Any, weight: float) -> None:
    put_vector(dictionary, k, slot, x, weight)


def vector(i: int) -> Any:
    """Two features and the squared norm."""
    return np.array([float(i), 1.0, i * i + 1.0])


def filled(n: int) -> Dictionary:
    """One class with n vectors, each weighing 1, another with a single one."""
    dictionary = new_dictionary(4, 2, 2, "float64", 0)
    for i in range(n):
        put_one(dictionary, 0, i, vector(i), 1.0)
    put_one(dictionary, 1, 0, vector(7), -1.0)
    return dictionary


def test_a_class_takes_the_next_block_when_its_last_is_full() -> None:
    dictionary = filled(BLOCK + 1)
    assert dictionary.counts.tolist() == [BLOCK + 1, 1, 3]
    assert dictionary.owner[:3].tolist() == [0, 0, 1]
    assert dictionary.blocks[0, 0].tolist() == list(range(BLOCK))
    assert dictionary.blocks[1, :, 0].tolist() == [*vector(BLOCK), 1.0]


def test_slots_that_hold_nothing_are_copies_without_weight() -> None:
    dictionary = filled(1)
    assert (dictionary.blocks[1, 0] == 7).all()
    assert dictionary.blocks[1, 3].tolist() == [-1.0] + [0.0] * (BLOCK - 1)


def test_a_slot_in_use_is_written_over() -> None:
    dictionary = filled(3)
    put_one(dictionary, 0, 1, vector(9), 2.0)
    assert dictionary.counts.tolist() == [3, 1, 2]
    assert dictionary.blocks[0, 0, :3].tolist() == [0.0, 9.0, 2.0]
    assert dictionary.blocks[0, 3, :3].tolist() == [1.0, 2.0, 1.0]


def test_there_is_room_for_the_lessons_whichever_classes_they_fall_to() -> None:
    counts = np.array([BLOCK, 1, 2])
    assert blocks_for(counts, 1) >= 3
    assert blocks_for(counts, 2 * BLOCK + 1) >= 2 + 4
    assert blocks_for(np.array([0, 0, 0]), 0) == 2


def test_resizing_keeps_what_fits() -> None:
    array = np.arange(6.0).reshape(3, 2)
    assert resized(array, 2).tolist() == [[0.0, 1.0], [2.0, 3.0]]
    assert resized(array, 4)[3].tolist() == [0.0, 0.0]
