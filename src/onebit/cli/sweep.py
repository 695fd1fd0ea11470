"""onebit sweep: learners with grids of hyper-parameters, against many streams, into a folder that can be continued."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from onebit.cli.channels import LEAVE_OUT
from onebit.cli.inputs import Source, is_file, open_rows, parse_cases
from onebit.cli.options import (
    Assigned,
    Bias,
    Category,
    Chosen,
    Date,
    Delayed,
    Dims,
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
from onebit.cli.output import FAILED, FINE, PARTLY_DONE, note, print_json
from onebit.cli.plan.request import SEEDS, SELECT, TUNE_SEEDS, Rows, SweepRequest, arm_requests, make_sweep
from onebit.cli.plan.toml_file import REMEDY, read_request
from onebit.cli.sweep_output import print_sweep, sweep_record
from onebit.cli.values import parse_delay, parse_rounds, parse_seeds
from onebit.core.errors import ConfigError
from onebit.feedback import channel_usages, parse_channel
from onebit.streams import known
from onebit.sweep.plan import sweep as play
from onebit.sweep.progress.state import SweepState, final_line
from onebit.sweep.results import Results

Names = Annotated[
    list[str], typer.Argument(metavar="LEARNER", help="Names as in `onebit learners`; or a FILE.toml alone.")
]
Data = Annotated[
    list[str] | None, typer.Option(metavar="NAME|FILE", help="A data set as in `onebit data`, or a file; repeatable.")
]
Grid = Annotated[list[str] | None, typer.Option(metavar="NAME=VALUES", help="Values to try; repeatable, see above.")]
Feedback = Annotated[
    list[str] | None,
    typer.Option(metavar="KIND", help=f"{channel_usages()}; repeatable. Default: what each learner needs."),
]
Seeds = Annotated[
    str | None, typer.Option(metavar="N|A:B|A,B", help=f"Those reported: how many, or which. Default: {SEEDS}.")
]
TuneSeeds = Annotated[
    str | None,
    typer.Option(metavar="N|A:B|A,B", help=f"Those that choose the best; 0 for none. Default: {TUNE_SEEDS}."),
]
Select = Annotated[
    str | None, typer.Option(metavar="ERROR", help=f"By which: error or greedy_error. Default: {SELECT}.")
]
Dtype = Annotated[str | None, typer.Option(metavar="TYPE", help="float64 or float32. Default: float64.")]
Out = Annotated[Path | None, typer.Option(metavar="DIR", help="Where results go. Default: sweeps/NAME.")]
Executor = Annotated[
    str | None, typer.Option(metavar="dask://HOST:PORT", help="Play on a Dask cluster. Default: processes here.")
]
Workers = Annotated[int | None, typer.Option(metavar="N", help="Cells at a time. Default: one per core.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON: the best, differences and settings.")]

_WITH_FILE = ("learners", "rounds", "seeds", "tune_seeds", "select", "out", "executor", "workers", "as_json")
_REASONS = 5  # of failures are told, the most frequent first
_NAMED = 4  # of more learners or streams, only the number goes into the folder's name


def sweep(
    context: typer.Context,
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
    grid: Grid = None,
    settings: Assigned = None,
    feedback: Feedback = None,
    delay: Delayed = None,
    rounds: Rounds = None,
    seeds: Seeds = None,
    tune_seeds: TuneSeeds = None,
    select: Select = None,
    normalize: Normalize = False,
    bias: Bias = False,
    hash_features: Hashed = None,
    feature_map: Map = None,
    dtype: Dtype = None,
    out: Out = None,
    executor: Executor = None,
    workers: Workers = None,
    as_json: Json = False,
) -> int:
    """Tune learners over grids, report the best of each.

    Every configuration plays the tune seeds; the best of each learner then
    plays the seeds that are reported. What is played is kept in a folder, cell
    by cell: the same command goes on where an interrupted one stopped, and a
    changed grid plays only what is new.

    --grid NAME=VALUES is for every learner that has NAME; LEARNER.NAME=VALUES
    for that one. VALUES are a list (0.1,1), powers (2^-13:2^-2, or with a step
    2^-13:2^-3:2) or whole numbers (2:6), both ends included. --set NAME=VALUE
    fixes a parameter, as in `onebit run`, which explains --map, --graph and
    --text too.

    A FILE.toml says all that, and can differ from arm to arm; --rounds, --seeds,
    --tune-seeds, --select and --out then change what it says.

    \b
    Examples:
      onebit sweep soba-diagonal banditron --data synnonsep --rounds 1e6 \\
          --grid gamma=2^-13:2^-2 --grid a=0.1,1
      onebit sweep mc-dbf --data mnist --data fashion_mnist --normalize \\
          --grid gamma=2^-9:2^-3 --grid m=2:4 --out results
      onebit sweep tuning.toml --seeds 3 --executor dask://10.0.0.7:8786
    """
    # The sweep asked for, by a file or by options; those that hold for both change what a file says.
    said = {
        "rounds": parse_rounds(rounds),
        "seeds": None if seeds is None else parse_seeds(seeds),
        "tune_seeds": None if tune_seeds is None else parse_seeds(tune_seeds, "--tune-seeds"),
        "select": select,
    }
    stated: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
    if any(name.endswith(".toml") for name in learners):
        path = _only_file(context, learners)
        request = read_request(path)._replace(**stated)
        name = path.stem
        remedy = REMEDY
    else:
        late = parse_delay(delay)
        channels = [parse_channel(text, late) for text in feedback or []]
        arms = arm_requests(learners, settings or [], grid or [], channels)
        cases = parse_cases(text=text, category=category, number=number, date=date, vector=vector, ignore=ignore)
        source = Source(None, label, hash_features, graph, labels, dims, node_features, columns, cases)
        asked = sources(data or [], source)
        rows = [Rows(*open_rows(one, normalize, bias, feature_map), one.cases) for one in asked]
        request = SweepRequest(arms, rows, delay=late, dtype=dtype or "float64")._replace(**stated)
        name = folder_name(learners, [one.stream.name for one in rows])
        remedy = LEAVE_OUT

    # Play what its folder does not hold yet, and show all of it.
    folder = out or request.out or Path("sweeps") / name
    plan = make_sweep(request, remedy)
    command = shlex.join(["onebit", *context.obj])
    before = _cells(folder)
    results = play(plan, folder, executor=executor, workers=workers, command=command)
    if as_json:
        print_json(sweep_record(results))
    elif results.cells_done:
        print_sweep(results)
    return _end(results, _cells(folder) > before, command)


def _only_file(context: typer.Context, names: list[str]) -> Path:
    """The file, or an error where more is said than goes with one."""
    if len(names) > 1:
        raise ConfigError(f"{names[1]!r}: a file stands alone; name the learners in it, in tables [[arm]]")
    for parameter in context.command.params:
        source: Any = context.get_parameter_source(parameter.name or "")
        if parameter.name not in _WITH_FILE and source.name == "COMMANDLINE":
            raise ConfigError(f"{parameter.opts[-1]}: does not go with {names[0]}; write it into the file")
    return Path(names[0])


def sources(data: list[str], common: Source) -> list[Source]:
    """One source per `--data`. Where there are several, what is for files or graphs goes to those only.

    >>> [one.label for one in sources(["a.csv", "digits"], Source(None, label="y"))]
    ['y', None]
    """
    if repeated := [text for text in data if data.count(text) > 1]:
        raise ConfigError(f"--data {repeated[0]!r}: is there twice; leave one out")
    graphs = {entry.name for entry in known() if entry.form == "graph"}
    files = [is_file(text) for text in data]
    nets = [text in graphs for text in data]
    found = []
    for text, file, net in zip(data, files, nets, strict=True):
        one = common._replace(data=text)
        if any(files) and not file:
            one = one._replace(label=None, hash_features=None, columns=None, cases=None)
        if any(nets) and not net:
            one = one._replace(dims=None, node_features=False)
        found.append(one)
    return found or [common]


def folder_name(learners: list[str], streams: list[str]) -> str:
    """What to call the folder of a sweep: who plays against what, whichever the values tried.

    >>> folder_name(["soba-diagonal", "banditron"], ["synnonsep"])
    'soba-diagonal-banditron-synnonsep'
    """
    parts = [
        "-".join(names) if len(names) <= _NAMED else f"{len(names)}-{what}"
        for what, names in (("learners", learners), ("streams", streams))
    ]
    return re.sub(r"[^\w.-]+", "_", "-".join(parts)).lstrip(".")


def _cells(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("cells/*.parquet")}


def _end(results: Results, played: bool, command: str) -> int:
    """Say where the results are and how to go on; the exit code."""
    reasons = Counter(" ".join(str(failure["error"]).split()) for failure in results.failed)
    for why, cells in reasons.most_common(_REASONS):
        note(f"onebit: warning: {cells:,} cell{'s' if cells > 1 else ''} failed: {why}")
    if results.complete and not played:
        note(final_line(SweepState(results.cells_done, results.cells_total, results.cells_done), 0))
    if not results.complete:
        missing = results.cells_total - results.cells_done
        note(f"{missing:,} {'cell is' if missing == 1 else 'cells are'} missing; this goes on: {command}")
    if results.cells_done:
        note(f"results are in {results.folder}")
    if results.complete:
        return FINE
    return PARTLY_DONE if results.cells_done else FAILED
