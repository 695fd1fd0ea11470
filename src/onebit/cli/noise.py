"""onebit noise: how often does the bit lie?"""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import typer

from onebit.cli.inputs import open_stream
from onebit.cli.output import FINE, make_folder, note, print_json, print_table
from onebit.core.errors import ConfigError
from onebit.log import DecisionTable, read_log
from onebit.log.source import rows_made_with
from onebit.noise import ESTIMATORS, NoiseEstimate
from onebit.plots.reliability import reliability_figure
from onebit.plots.style import save_figure


def noise(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A decision log: Parquet file or folder of them.")],
    data: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="Where the rows are, if the log has only their numbers.")
    ] = None,
    label: Annotated[str | None, typer.Option(metavar="COL", help="The label column of that file.")] = None,
    estimator: Annotated[str, typer.Option(metavar="NAME", help="tail-moment or nrest.")] = "tail-moment",
    classes: Annotated[
        int | None, typer.Option(metavar="K", help="How many classes. Default: as the log says, or as were played.")
    ] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the picture goes.")] = Path("noise"),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Estimate flip rates from a decision log.

    rho_0 is how often a wrong label is called right, rho_1 how often a right
    one is called wrong. The log has a row per answered decision, with the
    columns played, propensity and bit, and the features: as a list column
    `features`, as columns of numbers, or as a column `row` of numbers of the
    rows that --data names, scaled and with a bias as the log says they were
    played. `onebit run --log` and `learner.log` write such logs. Draws a picture that shows whether the rates fit.

    \b
    Examples:
      onebit run banditron --data digits --rounds 6e4 --feedback noisy:0.2,0.3 \\
          --set gamma=0.2 --log digits.parquet
      onebit noise digits.parquet --data digits
      onebit noise decisions/ --estimator nrest --json
    """
    if estimator not in ESTIMATORS:
        raise ConfigError(f"--estimator {estimator!r}: must be {' or '.join(ESTIMATORS)}")
    played_as: dict[str, Any] = {} if data is None else {**rows_made_with(log)}
    stream = None if data is None else open_stream(data, label, **played_as)
    if stream is not None and stream.cases:
        raise ConfigError(f"--data {data!r}: has raw cases, whose log has the rows as they were read; leave --data out")
    rows = None if stream is None else stream.X
    make_folder(out)
    table = read_log(log, rows)
    K = len(table.classes) if classes is None and table.classes else classes
    estimate = ESTIMATORS[estimator](classes=K).fit(*table.lessons)
    _show(estimate, table, {"log": str(log), "estimator": estimator}, as_json)
    for sentence in estimate.notes:
        note(f"onebit: warning: {sentence}")
    figure = reliability_figure(estimate, out / "reliability.png")
    save_figure(figure, out / "reliability.svg")
    note(f"wrote {out / 'reliability.png'} and {out / 'reliability.svg'}")
    return FINE


def _show(estimate: NoiseEstimate, table: DecisionTable, settings: dict[str, Any], as_json: bool) -> None:
    errors = [error if isfinite(error) else None for error in (estimate.se_0, estimate.se_1)]
    if as_json:
        rates = {"rho_0": estimate.rho_0, "rho_1": estimate.rho_1, "se_0": errors[0], "se_1": errors[1]}
        counts = {"decisions": len(table), "unanswered": table.unanswered, "notes": list(estimate.notes)}
        print_json(settings | rates | counts)
        return
    left_out = f", {table.unanswered:,} without an answer left out" if table.unanswered else ""
    said = ("a wrong label is called right", "a right label is called wrong")
    rows = [
        [name, f"{rate:.4f}", "–" if error is None else f"{error:.4f}", what]
        for name, rate, error, what in zip(("rho_0", "rho_1"), estimate, errors, said, strict=True)
    ]
    title = f"{settings['log']}: {len(table):,} decisions{left_out}; {settings['estimator']}"
    print_table(["rate", "estimate", "std error", "how often"], rows, title=title, right=["estimate", "std error"])
