"""The experiment of section 4: the plane, nine classes in three groups, a margin of .005."""

from __future__ import annotations

from onebit.streams.synthetic.group_separable import GroupSeparable, Layout, group_separable

PAPER = "Fakcharoenphol and Prompak, Bandit multiclass linear classification for the group linear separable case (2024)"

ROUNDS = 1_000_000
CLASSES = 9
GROUPS = 3
MARGIN = 0.005

UNPUBLISHED = "the paper's sample is not published, and how classes lie inside a group is not said"


def plane(layout: Layout, structure_seed: int = 0) -> GroupSeparable:
    """Group separable rows in the plane; the stream is named after its layout.

    >>> plane("perp").name, plane("random", 3).name
    ('perp', 'random 3')
    """
    stream = group_separable(ROUNDS, 2, CLASSES, GROUPS, MARGIN, layout, structure_seed=structure_seed)
    stream.name = f"{layout} {structure_seed}" if structure_seed else layout
    return stream
