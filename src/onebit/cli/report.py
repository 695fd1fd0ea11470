"""onebit report: the results of a sweep as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from onebit.cli.output import FINE, PARTLY_DONE, note
from onebit.report.page import write_page
from onebit.sweep.results import open_results


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `onebit sweep` has written.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Where the page goes. Default: DIR/report.html.")
    ] = None,
) -> int:
    """Write the results of a sweep as one HTML page.

    The page has who is ahead and how sure that is, error curves to hover over,
    a table to sort, the parameter searches, settings and versions. It is one
    file that needs nothing else, not even a network. Prints its path.

    A sweep that is only partly done is reported as far as it got, with exit
    code 3.

    \b
    Examples:
      onebit report sweeps/banditron-synsep
      onebit report results --out page.html
    """
    results = open_results(folder)
    print(write_page(results, out))
    if results.complete:
        return FINE
    failed = f", {len(results.failed):,} failed" if results.failed else ""
    note(f"onebit: warning: the sweep is partly done ({results.cells_done:,} of {results.cells_total:,} cells{failed})")
    return PARTLY_DONE
