"""The paper, the data sets of Figure 2, and what stands in for Reuters4."""

from __future__ import annotations

import numpy as np

from onebit.streams.arrays import from_arrays
from onebit.streams.base import Stream
from onebit.streams.catalog import dataset
from onebit.streams.datasets import load
from onebit.streams.synthetic.synsep import synnonsep, synsep

PAPER = "Beygelzimer, Orabona and Zhang, Efficient online bandit multiclass learning with Õ(√T) regret (2017)"

ROUNDS = {"SynSep": 1_000_000, "SynNonSep": 1_000_000, "Covtype": 581_012, "Reuters4": 665_265}
"""As many as the paper plays: a million documents, one pass of Covtype, one of Reuters4."""

TOPICS = ("comp", "rec", "sci", "talk")
"""The four topics with several newsgroups each."""

RAW = "Covtype raw"
STAND_IN = "Newsgroups4"
"""In place of Reuters4, unless its files are at hand."""


def rounds_of(name: str) -> int:
    """How many rounds the paper plays on a data set, by our name of it.

    >>> rounds_of("Newsgroups4"), rounds_of("Covtype raw")
    (665265, 581012)
    """
    return ROUNDS[{RAW: "Covtype", STAND_IN: "Reuters4"}.get(name, name)]


def streams() -> list[Stream]:
    """SynSep, SynNonSep, Covtype scaled to -1 .. 1, Reuters4 or what stands in for it, and Covtype raw."""
    raw = load("covtype")
    text = load("reuters4") if dataset("reuters4").available else newsgroups()
    text.name = "Reuters4" if dataset("reuters4").available else STAND_IN
    found = [synsep(ROUNDS["SynSep"]), synnonsep(ROUNDS["SynNonSep"]), scaled(raw), text, raw]
    for name, stream in zip(("SynSep", "SynNonSep", "Covtype", text.name, RAW), found, strict=True):
        stream.name = name
    return found


def scaled(original: Stream) -> Stream:
    """The same rows with each column scaled to -1 .. 1, as LibSVM scales them.

    >>> scaled(from_arrays([[2.0, 0.0], [6.0, 4.0], [4.0, 1.0]], [0, 1, 1])).X.tolist()
    [[-1.0, -1.0], [1.0, 1.0], [0.0, -0.5]]
    """
    low = original.X.min(axis=0)
    high = original.X.max(axis=0)
    X = 2 * (original.X - low) / (high - low) - 1
    return from_arrays(X, original.y, classes=original.classes)


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
    return from_arrays(X, topics[kept], classes=TOPICS, normalize=True, name=STAND_IN)
