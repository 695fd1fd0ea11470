"""onebit run: learners against a stream."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from onebit.cli.channels import check_hears
from onebit.cli.inputs import Source, open_rows, parse_cases
from onebit.cli.learner_settings import make_learners, parse_settings
from onebit.cli.options import (
    Assigned,
    Bias,
    Category,
    Chosen,
    Date,
    Delayed,
    Dims,
    Dtype,
    Edges,
    Hashed,
    Ignore,
    Label,
    Map,
    NodeFeatures,
    NodeLabels,
    Normalize,
    Number,
    Rounds,
    Text,
    Vector,
)
from onebit.cli.output import FINE, PARTLY_DONE, make_folder, note, print_json, print_table
from onebit.cli.values import parse_delay, parse_rounds, parse_seeds
from onebit.contract.idle_columns import idle_columns, warn_of_idle
from onebit.core.errors import ConfigError
from onebit.core.registry import learner_class
from onebit.engine.match import Match
from onebit.feedback import channel_usages, parse_channel, usual_channel
from onebit.plots.boundary.picture import plot_boundaries
from onebit.plots.boundary.plane import check_drawable
from onebit.plots.curves import plot_results
from onebit.plots.style import check_format, save_figure
from onebit.report.tables import HEADER, result_record, results_rows, results_title
from onebit.simulate.result import Result
from onebit.simulate.simulate import compute_rows, simulate_match

Names = Annotated[list[str], typer.Argument(metavar="LEARNER", help="Names as in `onebit learners`.")]
Data = Annotated[str | None, typer.Option(metavar="NAME|FILE", help="A data set as in `onebit data`, or a file.")]
Feedback = Annotated[
    str | None,
    typer.Option(metavar="KIND", help=f"{channel_usages()}. Default: what each learner needs."),
]
Seeds = Annotated[str, typer.Option(metavar="N|A:B|A,B", help="How many, or which; A:B excludes B.")]
Out = Annotated[Path | None, typer.Option(metavar="DIR", help="Write tables, settings and figures.")]
Boundary = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Draw which class is predicted where (.svg, .png, .pdf).")
]
Log = Annotated[
    str | None,
    typer.Option(metavar="PATH", help="Log every decision (Parquet); {learner} and {seed} are filled in."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON: errors, settings and curves.")]
Workers = Annotated[int | None, typer.Option(metavar="N", help="Threads. Default: one per core.")]


def run(
    learners: Names,
    data: Data = None,
    label: Label = None,
    columns: Chosen = None,
    text: Text = None,
    category: Category = None,
    number: Number = None,
    date: Date = None,
    vector: Vector = None,
    ignore: Ignore = None,
    graph: Edges = None,
    labels: NodeLabels = None,
    dims: Dims = None,
    node_features: NodeFeatures = False,
    feedback: Feedback = None,
    delay: Delayed = None,
    rounds: Rounds = None,
    seeds: Seeds = "1",
    settings: Assigned = None,
    normalize: Normalize = False,
    bias: Bias = False,
    hash_features: Hashed = None,
    feature_map: Map = None,
    dtype: Dtype = "float64",
    out: Out = None,
    boundary: Boundary = None,
    log: Log = None,
    as_json: Json = False,
    workers: Workers = None,
) -> int:
    """Play learners against data, print their errors.

    --set NAME=VALUE is for every learner of the run that has NAME;
    LEARNER.NAME=VALUE for that one. A value is a number (0.01, 1e-3, 2^-7),
    true, false, a word, or numbers with commas.

    --out writes LEARNER.parquet and LEARNER.json for each learner (and
    LEARNER.noise.parquet where flip rates were estimated), and curve.svg and
    curve.png. --log writes every decision: what `onebit noise` reads. For a
    learner that can take it, --set noise=0.2,0.4 tells how often the bit lies,
    and --set noise=tail-moment lets it find out.

    --boundary draws the plane of the first two features, a panel for each learner
    (its first seed): the class predicted everywhere, and some of the rows.

    A file is Parquet, CSV or svmlight; --label names the column of the right
    label. Features are the other columns, or those of --columns (which may be
    repeated; a name with a comma in it, only Python takes). A file with anything
    but numbers (text, dates, gaps) gives raw cases, which each learner reads by
    itself; `onebit data show FILE` tells how. --text, --category, --number,
    --date, --vector and --ignore say so where you know better.

    A graph is a data set such as cora, or a file: --graph holds two columns, the
    ends of each edge, and perhaps `weight`; --labels two, node and label.

    --map puts rows through a feature map, so that linear learners draw curved
    boundaries. rational:DEGREE is for few features and rows in the unit ball,
    perhaps with --normalize; fourier:N,GAMMA and nystroem:N,GAMMA make N features
    for the kernel exp(-GAMMA ‖x-z‖²). Left out, DEGREE is 18, N 512, GAMMA 1.

    \b
    Examples:
      onebit run banditron --data synsep --rounds 1e5 --seeds 5
      onebit run banditron rcnbf --data digits --rounds 2e4 \\
          --feedback noisy:0.2,0.4 --set rcnbf.rho_0=0.2 --set rcnbf.rho_1=0.4
      onebit run one-bit --data tickets.csv --label topic --ignore id --out runs
      onebit run molg-b page-rank-ucb --graph edges.csv --labels topics.csv
      onebit run one-bit --data iris --normalize --map rational:6
    """
    # What is wrong with the words alone is told before any data are read.
    for name in learners:
        learner_class(name)
    assigned = parse_settings(settings or [])
    late = parse_delay(delay)
    length = parse_rounds(rounds)
    chosen = parse_seeds(seeds)
    given = None if feedback is None else parse_channel(feedback, late)
    cases = parse_cases(text=text, category=category, number=number, date=date, vector=vector, ignore=ignore)
    if out is not None:
        make_folder(out)

    # The data say which classes the learners have.
    source = Source(data, label, hash_features, graph, labels, dims, node_features, columns, cases)
    stream, scaled = open_rows(source, normalize, bias, feature_map)
    common = {"dtype": dtype} | ({"normalize": True} if scaled else {}) | ({"cases": cases} if cases else {})
    patterns = make_learners(learners, stream.classes, assigned, **common)

    # What cannot be played, logged or drawn is told before the first learner plays.
    matches = []
    for pattern in patterns:
        channel = given or usual_channel(pattern.feedback, late)
        check_hears(pattern, channel)
        matches.append(Match.of(pattern, stream, channel))
    if log is not None and len(matches) > 1 and "{learner}" not in log:
        raise ConfigError(f"--log {log!r}: must contain {{learner}} where several play, as in {{learner}}.parquet")
    if boundary is not None:
        check_format(boundary)
        for match in matches:
            check_drawable(match.stream)
    for match in matches:
        compute_rows(match.stream)
        match.compile()

    # After Ctrl-C, what was played is shown and written all the same.
    results = _play(matches, length, chosen, workers, log)
    warn_of_idle(stream.name, idle_columns(chain.from_iterable(result.learners for result in results)))
    if as_json:
        print_json({"results": [result_record(result) for result in results]})
    else:
        print_table(HEADER, results_rows(results), title=results_title(results), right=HEADER[2:])
    if out is not None:
        _write(results, out)
    if boundary is not None:
        plot_boundaries(results, boundary, points=min(2000, 6000 // len(results)))
        note(f"wrote {boundary}")
    complete = len(results) == len(matches) and all(result.complete for result in results)
    return FINE if complete else PARTLY_DONE


def _play(
    matches: list[Match],
    rounds: float | None,
    seeds: int | list[int],
    workers: int | None,
    log: str | None,
) -> list[Result]:
    """The results of all learners, or, after Ctrl-C, of those that got somewhere."""
    results: list[Result] = []
    for match in matches:
        name = match.learner.name
        try:
            path = log and log.replace("{learner}", name)
            results.append(simulate_match(match, rounds, seeds, workers=workers, log=path))
        except KeyboardInterrupt:
            if not results:
                raise
            note(f"onebit: warning: interrupted before {name} began")
            return results
        if not results[-1].complete:
            return results
    return results


def _write(results: list[Result], folder: Path) -> None:
    written: list[Path] = []
    for result in results:
        name = result.settings["learner"]["name"]
        written += result.save_as(*(folder / f"{name}{end}" for end in (".parquet", ".json", ".noise.parquet")))
    figure = plot_results(results, folder / "curve.svg")
    save_figure(figure, folder / "curve.png")
    note(f"wrote {len(written) + 2} files to {folder}")
