"""The encoder of raw cases, written straight from its description: dicts, and a value for each feature by its name."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from datetime import date, datetime
from itertools import combinations, pairwise
from math import cos, exp, inf, log, pi, sin, sqrt
from typing import Any

_WORD = re.compile(r"[0-9a-zA-Z_\u00c0-\u1fff\u2080-\u2fff\u3040-\U0010ffff]+")


class Node:
    def __init__(self) -> None:
        self.boundary = 0.0
        self.children: tuple[Node, Node] | None = None
        self.values: list[float] = []


class Column:
    def __init__(self) -> None:
        self.values = 0
        self.recurred = 0
        self.texts = 0
        self.seen: set[Any] = set()
        self.df: Counter[str] = Counter()
        self.numbers = 0
        self.mean = 0.0
        self.spread = 0.0
        self.root = Node()
        self.places: list[tuple[float, float]] = []

    def meet(self, whole: Any) -> None:
        self.values += 1
        self.recurred += whole in self.seen
        self.seen.add(whole)

    @property
    def share(self) -> float:
        return self.recurred / self.values

    def idf(self, feature: str) -> float:
        return log((1 + self.values) / (1 + self.df[feature])) + 1


class NaiveEncoder:
    """Text, words, numbers, dates, lists of text, vectors, booleans, gaps and dicts within; nothing is declared."""

    def __init__(self, pairs: bool = False, rarity: bool = True) -> None:
        self.with_pairs = pairs
        self.rarity = rarity
        self.columns: defaultdict[str, Column] = defaultdict(Column)
        self.symbols: list[str] = []  # of the case that is read
        self.met: Counter[str] = Counter()
        self.given: set[str] = set()  # features that have a column

    def row(self, case: dict[str, Any]) -> dict[str, float]:
        """Meet a case, and say what its features are."""
        features: dict[str, float] = {}
        self.symbols = []
        for name, value in case.items():
            features |= self._features(name, value)
        if self.with_pairs:
            features |= self.pairs()
        self.met.update(features.keys())
        for name, value in features.items():
            if value != 0 and (len(self.given) < 4096 or self.met[name] > 1):
                self.given.add(name)
        return {name: value for name, value in features.items() if value != 0 and name in self.given}

    def pairs(self) -> dict[str, float]:
        """The pairs of the symbols of the case that was met last."""
        return _unit({f"{a} & {b}": 1.0 for a, b in combinations(self.symbols[:12], 2)})

    def _features(self, name: str, value: Any) -> dict[str, float]:
        if isinstance(value, dict):
            return {k: v for inner, x in value.items() for k, v in self._features(f"{name}.{inner}", x).items()}
        column = self.columns[name]
        if value is None or value != value or value == "":
            return {f"{name} is missing": 1.0}
        if isinstance(value, bool):
            return self._symbol(column, name, str(value).lower())
        if isinstance(value, date):
            return self._date(name, value)
        if isinstance(value, int | float):
            return self._number(column, name, float(value))
        if isinstance(value, list) and isinstance(value[0], float):
            return self._vector(column, name, value)
        if isinstance(value, list):
            column.values += 1
            return self._weighed(column, Counter(f"{name}: {one.lower()!r}" for one in value), {})
        if len(value.split()) > 1 or column.texts:
            return self._text(column, name, value.lower())
        return self._symbol(column, name, value.lower())

    def _symbol(self, column: Column, name: str, value: str) -> dict[str, float]:
        column.meet(value)
        self.symbols.append(f"{name} = {value}")
        return {f"{name} = {value}": 1.0}

    def _text(self, column: Column, name: str, text: str) -> dict[str, float]:
        column.meet(text[:200])
        column.texts += 1
        words = _WORD.findall(text)
        found: Counter[str] = Counter()
        weights: dict[str, float] = {}
        for word in words:
            found[f"{name}: {word!r}"] += 1
            edged = ["^", *word, "$"]
            for i in range(len(edged) - 3):
                part = edged[i : i + 4]
                left = "" if i == 0 else "…"
                right = "" if i == len(edged) - 4 else "…"
                letters = f"{name}: {left + ''.join(part).removeprefix('^').removesuffix('$') + right!r}"
                # A word of two letters has one part, from edge to edge: it is not the word itself.
                letters += " (letters)"
                found[letters] += 1
                weights[letters] = 0.5
        for a, b in pairwise(words):
            found[f"{name}: {f'{a} {b}'!r}"] += 1
        if words:
            found[f"{name} begins with {words[0]!r}"] += 1
            found[f"{name} ends with {words[-1]!r}"] += 1
        whole = f"{name} = {text[:200]}"
        if column.share > 0.5:
            self.symbols.append(whole)
        found[whole] += 1
        weights[whole] = sqrt(column.share)
        return self._weighed(column, found, weights)

    def _weighed(self, column: Column, found: Counter[str], weights: dict[str, float]) -> dict[str, float]:
        for feature in found:
            column.df[feature] += 1
        values = {
            f: weights.get(f, 1.0) * (1 + log(tf)) * (column.idf(f) if self.rarity else 1) for f, tf in found.items()
        }
        return _unit(values)

    def _number(self, column: Column, name: str, x: float) -> dict[str, float]:
        column.meet(x)
        column.numbers += 1
        sigma = sqrt(column.spread / (column.numbers - 1)) if column.numbers > 1 else 0.0
        heard = x if sigma == 0 else min(max(x, column.mean - 10 * sigma), column.mean + 10 * sigma)
        by = heard - column.mean
        column.mean += by / column.numbers
        column.spread += by * (heard - column.mean)
        self._split(column, x)
        sigma = sqrt(column.spread / column.numbers)
        z = min(max((x - column.mean) / sigma, -3), 3) if sigma > 0 else 0.0
        path = []
        low, high = -inf, inf
        node = column.root
        while node.children:
            right = x > node.boundary
            low, high = (node.boundary, high) if right else (low, node.boundary)
            node = node.children[right]
            path.append((low, high))
        bins = {_range(name, *ends): 1 / sqrt(2 * len(path)) for ends in path}
        self.symbols += list(bins)[:3][-1:]
        return {name: z / sqrt(2), **bins, f"{name} = {x:g}": sqrt(column.share)}

    def _split(self, column: Column, x: float) -> None:
        node = column.root
        while node.children:
            node = node.children[x > node.boundary]
        node.values.append(x)
        count = len(node.values)
        if count % 32 or count <= column.numbers / 16:
            return
        last = sorted(node.values[-32:])
        cuts = [cut for cut in range(1, 32) if last[cut - 1] < last[cut]]
        if cuts:
            cut = min(cuts, key=lambda c: (abs(c - 16), c))
            node.boundary = last[cut - 1] + (last[cut] - last[cut - 1]) / 2
            node.children = (Node(), Node())

    def _date(self, name: str, when: date) -> dict[str, float]:
        values = {f"{name} on a {when:%A}": 1.0, f"{name} in {when:%B}": 1.0}
        if isinstance(when, datetime):
            hour = when.hour + when.minute / 60
            values[f"{name} from {when.hour} h"] = 1.0
            values[f"{name}: sine of the hour"] = sin(2 * pi * hour / 24)
            values[f"{name}: cosine of the hour"] = cos(2 * pi * hour / 24)
        self.symbols.append(f"{name} on a {when:%A}")
        day = f"{name} (day)"
        return _unit(values) | self._number(self.columns[day], day, float(when.toordinal()))

    def _vector(self, column: Column, name: str, x: list[float]) -> dict[str, float]:
        column.values += 1
        n = column.values
        column.places = column.places or [(0.0, 0.0)] * len(x)
        z = []
        for j, (value, (mean, spread)) in enumerate(zip(x, column.places, strict=True)):
            sigma = sqrt(spread / (n - 1)) if n > 1 else 0.0
            heard = value if sigma == 0 else min(max(value, mean - 10 * sigma), mean + 10 * sigma)
            by = heard - mean
            mean += by / n
            spread += by * (heard - mean)
            column.places[j] = (mean, spread)
            sigma = sqrt(spread / n)
            z.append(min(max(value - mean, -3 * sigma), 3 * sigma))
        return _unit({f"{name}[{j}]": value for j, value in enumerate(z)})


def _unit(values: dict[str, float]) -> dict[str, float]:
    norm = sqrt(sum(value**2 for value in values.values()))
    return {name: value / norm for name, value in values.items()} if norm > 0 else values


def _range(name: str, low: float, high: float) -> str:
    if low == -inf:
        return f"{name} up to {high:.6g}"
    return f"{name} above {low:.6g}" if high == inf else f"{name} {low:.6g} to {high:.6g}"


def random_case(rng: Any) -> dict[str, Any]:
    """A case with a value of every kind, or a gap in its place."""
    words = [
        "refund",
        "Money",
        "back",
        "card",
        "lost",
        "ätzend",
        "日本語",
        "parcel",
        "don't",
        "“hello”",
        "world",
        "a",
        "to_day",
    ]
    case: dict[str, Any] = {
        "subject": " ".join(rng.choice(words, rng.integers(1, 9)).tolist()),
        "plan": str(rng.choice(["gold", "silver", "bronze"])),
        "amount": float(exp(3 * rng.normal())),
        "code": int(rng.integers(6)),
        "sent": datetime(2026, 1 + int(rng.integers(12)), 1 + int(rng.integers(28)), int(rng.integers(24)), 30),
        "due": date(2026, 1 + int(rng.integers(12)), 1 + int(rng.integers(28))),
        "tags": rng.choice(["red", "Green", "blue sky"], 2).tolist(),
        "vector": rng.normal(size=5).tolist(),
        "open": bool(rng.integers(2)),
        "inner": {"deep": {"score": float(rng.normal())}},
    }
    return {name: None if rng.random() < 0.1 else value for name, value in case.items()}
