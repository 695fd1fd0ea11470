"""SynSep and SynNonSep: the synthetic documents of Kakade, Shalev-Shwartz and Tewari (2008)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from onebit.core.aliases import IntArray, Rng
from onebit.core.checks import LARGEST_WHOLE, check_number, check_whole, shown
from onebit.core.errors import ConfigError
from onebit.core.seeds import bit_generator, check_seed
from onebit.ops.jit import entry_point
from onebit.ops.random import below, pack, uniform
from onebit.streams.base import Stream, Window

_WINDOW = 16_384
_LARGEST_SIZE = 1_000_000  # of classes or words: more is a slip of the pen, and fills the memory
_LONGEST_DOCUMENT = 5000  # words: a window of such takes a gigabyte


class Documents(NamedTuple):
    """The structure of the documents, as the compiled code that draws them sees it."""

    keywords: NDArray[np.int32]  # the keywords of class c: keywords[starts[c]:starts[c + 1]], sorted
    starts: IntArray
    n_keywords: int
    off: int
    on: int
    label_noise: float
    redraw: bool


@entry_point
def _draw_documents(
    structure: Documents, rng: Rng, common: NDArray[np.int32], dropped: NDArray[np.bool_],
    indptr: IntArray, indices: NDArray[np.int32], y: IntArray,
) -> None:  # fmt: skip
    """Fill a window with documents.

    The words in `common` are shuffled on from row to row; `dropped` marks keywords, and is all off between rows.
    """
    K = len(structure.starts) - 1
    end = 0
    for t in range(len(y)):
        c = below(rng, K)
        first = structure.starts[c]
        last = structure.starts[c + 1]
        left = structure.off
        while left > 0:
            word = structure.keywords[first + below(rng, last - first)]
            if not dropped[word]:
                dropped[word] = True
                left -= 1
        for i in range(first, last):
            word = structure.keywords[i]
            if not dropped[word]:
                indices[end] = word
                end += 1
            dropped[word] = False
        for i in range(structure.on):
            j = i + below(rng, len(common) - i)
            common[i], common[j] = common[j], common[i]
            at = end + i  # insertion sort: the row's words in increasing order
            while at > end and indices[at - 1] > common[i]:
                indices[at] = indices[at - 1]
                at -= 1
            indices[at] = common[i]
        end += structure.on
        indptr[t + 1] = end
        if structure.label_noise > 0 and uniform(rng) < structure.label_noise:
            c = below(rng, K) if structure.redraw else (c + 1 + below(rng, K - 1)) % K
        y[t] = c


class SyntheticDocuments(Stream):
    """Documents of binary words, drawn without end; each seed gives another sample of the same structure."""

    sparse = True
    sound = True

    def __init__(
        self,
        name: str,
        rounds: int,
        classes: int,
        seed: int,
        structure_seed: int,
        keywords: int,
        common: int,
        per_class: tuple[int, int],
        off: int,
        on: int,
        label_noise: float,
        redraw: bool,
    ) -> None:
        _check_sizes(rounds, classes, keywords, common, per_class, off, on, label_noise)
        self.name = name
        self.rounds = rounds
        self.seed = check_seed(seed)
        self.classes = tuple(range(classes))
        self.n_features = keywords + common
        draw = np.random.Generator(bit_generator(check_seed(structure_seed, "structure_seed"), "structure"))
        sets = [
            np.sort(draw.choice(keywords, draw.integers(per_class[0], per_class[1] + 1), replace=False))
            for _ in range(classes)
        ]
        starts = np.concatenate([[0], np.cumsum([len(s) for s in sets])])
        words = np.concatenate(sets).astype(np.int32)
        self._structure = Documents(words, starts, keywords, off, on, float(label_noise), redraw)

    def windows(self, seed: int, rounds: int | None = None) -> Iterator[Window]:
        """Windows of freshly drawn documents."""
        rounds = self.rounds if rounds is None else rounds
        assert rounds is not None
        structure = self._structure
        rng = pack(bit_generator(seed, "stream"))
        common = np.arange(structure.n_keywords, self.n_features, dtype=np.int32)
        dropped = np.zeros(structure.n_keywords, dtype=np.bool_)
        longest = int(np.diff(structure.starts).max()) - structure.off + structure.on
        ones = np.ones(min(_WINDOW, rounds) * longest)
        for start in range(0, rounds, _WINDOW):
            n = min(_WINDOW, rounds - start)
            indptr = np.zeros(n + 1, dtype=np.int64)
            indices = np.empty(n * longest, dtype=np.int32)
            y = np.empty(n, dtype=np.int64)
            _draw_documents(structure, rng, common, dropped, indptr, indices, y)
            table = sp.csr_array((n, self.n_features))
            table.data = ones[: indptr[-1]]
            table.indices = indices[: indptr[-1]]
            table.indptr = indptr
            table.has_canonical_format = True
            yield Window(table, y, np.arange(n))


def synsep(
    rounds: int = 1_000_000,
    classes: int = 9,
    seed: int = 0,
    structure_seed: int = 0,
    *,
    keywords: int = 120,
    common: int = 280,
    per_class: tuple[int, int] = (20, 40),
    off: int = 5,
    on: int = 20,
) -> SyntheticDocuments:
    """SynSep: linearly separable documents.

    Of 400 binary words, 120 are keywords; once per `structure_seed` each class gets a random set of 20 to
    40 of them. A document of a class has its keywords but for 5 random ones, and 20 random common words.

    >>> stream = synsep(1000, seed=3)
    >>> stream.X.shape, len(stream.classes)
    ((1000, 400), 9)
    """
    return SyntheticDocuments(
        "synsep", rounds, classes, seed, structure_seed, keywords, common, per_class, off, on, 0.0, False
    )


def synnonsep(
    rounds: int = 1_000_000,
    classes: int = 9,
    seed: int = 0,
    structure_seed: int = 0,
    *,
    label_noise: float = 0.05,
    redraw: bool = False,
    keywords: int = 120,
    common: int = 280,
    per_class: tuple[int, int] = (20, 40),
    off: int = 5,
    on: int = 20,
) -> SyntheticDocuments:
    """SynNonSep: SynSep with a share `label_noise` of the labels moved to another class (Bayes error 5 %).

    With `redraw=True` those labels are drawn uniformly over all classes, so some stay (Bayes error 4.44 %).

    >>> bool((synnonsep(1000).y != synsep(1000).y).any())
    True
    """
    return SyntheticDocuments(
        "synnonsep", rounds, classes, seed, structure_seed, keywords, common, per_class, off, on, label_noise, redraw
    )


def _check_sizes(
    rounds: Any,
    classes: Any,
    keywords: Any,
    common: Any,
    per_class: Any,
    off: Any,
    on: Any,
    label_noise: Any,
) -> None:
    sizes = {"rounds": (rounds, 1), "classes": (classes, 2), "keywords": (keywords, 1), "common": (common, 0)}
    for name, (value, least) in (sizes | {"off": (off, 0), "on": (on, 0)}).items():
        check_whole(name, value, least, most=LARGEST_WHOLE if name == "rounds" else _LARGEST_SIZE)
    pair = isinstance(per_class, tuple) and len(per_class) == 2 and all(isinstance(n, int) for n in per_class)
    if not pair or not off < per_class[0] <= per_class[1] <= keywords:
        raise ConfigError(
            f"per_class={shown(per_class)}: must be a pair (low, high) with off={off} < low ≤ high ≤ "
            f"keywords={keywords}"
        )
    if per_class[1] + on > _LONGEST_DOCUMENT:
        raise ConfigError(f"per_class={per_class}, on={on}: a document has at most {_LONGEST_DOCUMENT:,} words")
    if classes * keywords > 100 * _LARGEST_SIZE:
        raise ConfigError(f"classes={classes}, keywords={keywords}: must be 100,000,000 or less when multiplied")
    if on > common:
        raise ConfigError(f"on={on}: there are only common={common} common words to switch on")
    check_number("label_noise", label_noise, 0, 1)
