"""The data sets of Figure 2, and what stands in for Reuters4."""

from __future__ import annotations

import numpy as np

from onebit.streams.arrays import from_arrays
from onebit.streams.base import Stream
from onebit.streams.datasets import load
from onebit.streams.synthetic.synsep import synnonsep, synsep

ROUNDS = {"SynSep": 1_000_000, "SynNonSep": 1_000_000, "Covtype": 581_012, "Newsgroups4": 665_265}
"""As many as the paper plays: a million documents, one pass of Covtype, and as many documents as Reuters4 has."""

TOPICS = ("comp", "rec", "sci", "talk")
"""The four topics with several newsgroups each."""


def streams() -> list[Stream]:
    """SynSep, SynNonSep, Covtype as it comes, and Newsgroups4 in place of Reuters4."""
    found = [synsep(ROUNDS["SynSep"]), synnonsep(ROUNDS["SynNonSep"]), load("covtype"), newsgroups()]
    for name, stream in zip(ROUNDS, found, strict=True):
        stream.name = name
    return found


def scaled(original: Stream) -> Stream:
    """The same rows with each column scaled to 0 .. 1.

    >>> scaled(from_arrays([[2.0, 0.0], [6.0, 4.0], [4.0, 1.0]], [0, 1, 1], name="rows")).X.tolist()
    [[0.0, 0.0], [1.0, 1.0], [0.5, 0.25]]
    """
    low = original.X.min(axis=0)
    high = original.X.max(axis=0)
    X = (original.X - low) / (high - low)
    return from_arrays(X, original.y, classes=original.classes, name=f"{original.name} 0..1")


def newsgroups() -> Stream:
    """The documents of 20 Newsgroups by topic (comp, rec, sci, talk), in the form that RCV1's have.

    That is: 1 + log of a word's count, times its idf in the training part, divided by the document's norm.
    """
    every = load("newsgroups20", split="all")
    known = load("newsgroups20").X
    topics = np.array([str(label).partition(".")[0] for label in every.y])
    kept = np.isin(topics, TOPICS)
    X = every.X[kept]
    documents = np.bincount(known.indices, minlength=known.shape[1])
    X.data = (1 + np.log(X.data)) * np.log(known.shape[0] / documents)[X.indices]
    return from_arrays(X, topics[kept], classes=TOPICS, normalize=True, name="Newsgroups4")
