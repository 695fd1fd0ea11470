"""onebit run: learners against a stream."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from onebit.cli import inputs
from onebit.cli.output import FINE, PARTLY_DONE, make_folder, note, print_json, print_table
from onebit.core.registry import learner_class
from onebit.engine.play import check_pair
from onebit.experiments.plot import plot_results, save_figure
from onebit.experiments.result import Result
from onebit.experiments.simulate import simulate
from onebit.feedback import Bit, Channel, Full, parse_channel
from onebit.learners.base import Learner
from onebit.report.tables import HEADER, result_record, results_rows, results_title
from onebit.streams.base import Stream


def run(
    learners: Annotated[list[str], typer.Argument(metavar="LEARNER", help="Names as in `onebit learners`.")],
    data: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="A data set as in `onebit data`, or a file.")
    ],
    label: Annotated[str | None, typer.Option(metavar="COL", help="The label column of a file.")] = None,
    feedback: Annotated[
        str | None,
        typer.Option(
            metavar="KIND", help="bit, full or noisy:RHO_0,RHO_1. Default: what each learner needs."
        ),
    ] = None,
    delay: Annotated[
        str | None,
        typer.Option(metavar="N|LOW:HIGH", help="Rounds until the feedback comes; a range is drawn."),
    ] = None,
    rounds: Annotated[str | None, typer.Option(metavar="N", help="Also as 1e6. Default: one pass.")] = None,
    seeds: Annotated[
        str, typer.Option(metavar="N|A:B|A,B", help="How many, or which; A:B excludes B.")
    ] = "1",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A hyper-parameter; repeatable, see above."),
    ] = None,
    normalize: Annotated[bool, typer.Option("--normalize", help="Scale rows to unit norm.")] = False,
    bias: Annotated[bool, typer.Option("--bias", help="Append a feature that is always 1.")] = False,
    hash_features: Annotated[
        str | None, typer.Option(metavar="N", help="Hash a file's columns, text too, into N features (2^18).")
    ] = None,
    dtype: Annotated[str, typer.Option(metavar="TYPE", help="float64 or float32.")] = "float64",
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write tables, settings and figures.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: errors, settings and curves.")] = False,
    workers: Annotated[int | None, typer.Option(metavar="N", help="Threads. Default: one per core.")] = None,
) -> int:
    """Play learners against data, print their errors.

    --set NAME=VALUE is for every learner of the run that has NAME;
    LEARNER.NAME=VALUE for that one. A value is a number (0.01, 1e-3, 2^-7),
    true, false or a word.

    --out writes LEARNER.parquet and LEARNER.json for each learner, and
    curve.svg and curve.png.

    \b
    Examples:
      onebit run banditron --data synsep --rounds 1e5 --seeds 5
      onebit run banditron rcnbf --data digits --rounds 2e4 \\
          --feedback noisy:0.2,0.4 --set rcnbf.rho_0=0.2 --set rcnbf.rho_1=0.4
      onebit run confidit --data tickets.csv --label topic --normalize \\
          --set covariance=diagonal --out results
    """

    for name in learners:
        learner_class(name)
    wanted, chosen, length = (
        inputs.parse_settings(settings or []),
        inputs.parse_seeds(seeds),
        inputs.parse_rounds(rounds),
    )
    late = inputs.parse_delay(delay)
    given = None if feedback is None else parse_channel(feedback, late)
    if out is not None:
        make_folder(out)

    drawn = data in (
        "synsep",
        "synnonsep",
    )  # their rows are drawn as they are played: the learner normalizes them
    stream = inputs.open_stream(
        data, label, normalize=normalize and not drawn, bias=bias, hash_features=hash_features
    )
    common = {"dtype": dtype} | ({"normalize": True} if normalize and drawn else {})
    patterns = inputs.make_learners(learners, stream.classes, wanted, **common)
    channels = [given or (Full(late) if pattern.feedback == "label" else Bit(late)) for pattern in patterns]
    for pattern, channel in zip(patterns, channels, strict=True):
        check_pair(pattern, stream, channel)

    results = _play(patterns, stream, channels, length, chosen, workers)
    _show(results, as_json)
    if out is not None:
        _write(results, out)
    return (
        FINE if len(results) == len(patterns) and all(result.complete for result in results) else PARTLY_DONE
    )


def _play(
    patterns: list[Learner],
    stream: Stream,
    channels: list[Channel],
    rounds: float | None,
    seeds: int | list[int],
    workers: int | None,
) -> list[Result]:
    """The results of all learners, or, after Ctrl-C, of those that got somewhere."""

    results: list[Result] = []
    for pattern, channel in zip(patterns, channels, strict=True):
        try:
            results.append(simulate(pattern, stream, channel, rounds, seeds, workers=workers))
        except KeyboardInterrupt:
            if not results:
                raise
            note(f"onebit: warning: interrupted before {pattern.name} began")
            return results
        if not results[-1].complete:
            return results
    return results


def _show(results: list[Result], as_json: bool) -> None:

    if as_json:
        print_json({"results": [result_record(result) for result in results]})
    else:
        print_table(HEADER, results_rows(results), title=results_title(results), right=HEADER[2:])


def _write(results: list[Result], folder: Path) -> None:

    for result in results:
        name = result.settings["learner"]["name"]
        result.save_as(folder / f"{name}.parquet", folder / f"{name}.json")
    figure = plot_results(results, folder / "curve.svg")
    save_figure(figure, folder / "curve.png")
    note(f"wrote {2 * len(results) + 2} files to {folder}")
