"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Label = Annotated[str | None, typer.Option(metavar="COL", help="The label column of a file.")]
Chosen = Annotated[
    list[str] | None,
    typer.Option("--columns", metavar="COL,COL", help="The feature columns of a file. Default: all but the label."),
]
Delayed = Annotated[
    str | None, typer.Option(metavar="N|LOW:HIGH", help="Rounds until the feedback comes; a range is drawn.")
]
Rounds = Annotated[str | None, typer.Option(metavar="N", help="Also as 1e6. Default: one pass.")]
Assigned = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A hyper-parameter; repeatable, see above."),
]
Normalize = Annotated[bool, typer.Option("--normalize", help="Scale rows to unit norm.")]
Bias = Annotated[bool, typer.Option("--bias", help="Append a feature that is always 1.")]
Hashed = Annotated[
    str | None, typer.Option(metavar="N", help="Hash a file's columns, any text too, into N features (2^18).")
]
Text = Annotated[
    list[str] | None, typer.Option("--text", metavar="COL,COL", help="Columns of a file to be read as text, ...")
]
Category = Annotated[
    list[str] | None,
    typer.Option("--category", metavar="COL,COL", help="... as names that are alike or not (a zip), ..."),
]
Number = Annotated[list[str] | None, typer.Option("--number", metavar="COL,COL", help="... as numbers, ...")]
Date = Annotated[list[str] | None, typer.Option("--date", metavar="COL,COL", help="... as dates, ...")]
Vector = Annotated[list[str] | None, typer.Option("--vector", metavar="COL,COL", help="... as vectors, ...")]
Ignore = Annotated[list[str] | None, typer.Option("--ignore", metavar="COL,COL", help="... or not at all (an id).")]
Edges = Annotated[
    Path | None, typer.Option("--graph", metavar="FILE", help="In place of --data: a graph's edges, or GraphML.")
]
NodeLabels = Annotated[
    str | None, typer.Option("--labels", metavar="FILE|NAME", help="The graph's labels; of GraphML, an attribute.")
]
Dims = Annotated[
    int | None, typer.Option("-d", "--dims", metavar="N", help="Features that a graph's nodes get. Default: 100.")
]
NodeFeatures = Annotated[bool, typer.Option("--node-features", help="Join them with a data set's own features.")]
Map = Annotated[
    str | None,
    typer.Option("--map", metavar="MAP", help="A feature map: rational:DEGREE, fourier:N or nystroem:N."),
]
Dtype = Annotated[str, typer.Option(metavar="TYPE", help="float64 or float32.")]
