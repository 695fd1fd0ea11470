"""onebit demo: what one bit of feedback costs, and how to get it back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from onebit.cli.output import PARTLY_DONE, note, print_table
from onebit.experiments.plot import save_figure
from onebit.experiments.result import Result
from onebit.experiments.simulate import simulate
from onebit.experiments.summary import spread
from onebit.feedback import Bit, Channel, Full, NoisyBit
from onebit.learners import Banditron, Confidit, Learner, Perceptron, RCNBF, SOBADiagonal
from onebit.report.figures import Panel, panel_grid
from onebit.streams import Stream, load, synnonsep

SEEDS = 5
NOISE = NoisyBit(0.2, 0.2)
"""In the demo, one answer in five is a lie."""
