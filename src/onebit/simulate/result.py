"""Result: what came of a simulation."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from onebit.core.aliases import Label
from onebit.core.errors import OnebitError
from onebit.core.files import written_whole
from onebit.core.readable_numbers import seeds_text, spread
from onebit.engine.played import Played

if TYPE_CHECKING:
    import pandas
    import pyarrow
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False, repr=False)
class Result(Played):
    """What a simulation counted, for each seed and each checkpoint, with everything that decided it.

    Attributes: `learner`, the pattern; `stream`, its description; `channel`; `seeds`; `traces`, the counts
    of each seed; `learners`, the trained clones; `settings`, all of it ready for JSON; `complete`, False
    if it was interrupted; `source`, the stream itself, where it is at hand.

    Two errors are kept, since papers differ in which one they report: `error` counts the rounds in which the
    true label was not among those played, exploration included; `greedy_error` those in which it was not the
    label believed best.

    >>> import onebit
    >>> result = onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(2000), seeds=2)
    >>> len(result.errors), bool(np.mean(result.errors) == result.error)
    (2, True)
    >>> print(result.summary())
    learner       Banditron(9)
    stream        synsep: 400 features, 9 classes
    feedback      bit
    rounds        2,000
    seeds         2 (0, 1)
    error         ... ± ... %
    greedy error  ... ± ... %
    updates       2,000
    time          ... ns per round
    """

    @property
    def error(self) -> float:
        """Mean over seeds of the played error.

        >>> import onebit
        >>> onebit.simulate(onebit.Banditron(9, gamma=1), onebit.streams.synsep(90_000)).error > 0.87
        True
        """
        return float(np.mean(self.errors))

    @property
    def greedy_error(self) -> float:
        """Mean over seeds of the error of the label believed best.

        >>> import onebit
        >>> result = onebit.simulate(onebit.Banditron(9, gamma=0.5), onebit.streams.synsep(20_000))
        >>> result.greedy_error < result.error
        True
        """
        return float(np.mean(self.greedy_errors))

    @property
    def errors(self) -> list[float]:
        """The played error of each seed."""
        return [float(trace.mistakes[-1] / trace.rounds[-1]) for trace in self.traces]

    @property
    def greedy_errors(self) -> list[float]:
        """The greedy error of each seed."""
        return [float(trace.greedy_mistakes[-1] / trace.rounds[-1]) for trace in self.traces]

    @property
    def updates(self) -> int:
        """How often the learner changed its state: the mean over seeds, to the nearest whole number.

        >>> import onebit
        >>> onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(2000), seeds=2).updates
        2000
        """
        return round(float(np.mean([trace.updates[-1] for trace in self.traces])))

    @property
    def rounds(self) -> list[int]:
        """How many rounds each seed played.

        >>> import onebit
        >>> onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(100), seeds=2).rounds
        [100, 100]
        """
        return [int(trace.rounds[-1]) for trace in self.traces]

    @property
    def seconds(self) -> list[float]:
        """Seconds of the processor for each seed, the making of the rows included."""
        return [trace.seconds for trace in self.traces]

    @property
    def nanoseconds(self) -> float:
        """The time of one round, over all seeds."""
        return 1e9 * sum(self.seconds) / sum(self.rounds)

    @property
    def curve(self) -> pyarrow.Table:
        """The learning curve: one row per seed and checkpoint (log-spaced rounds).

        >>> import onebit
        >>> onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(100)).curve.column_names
        ['seed', 'rounds', 'error', 'greedy_error', 'updates']
        """
        import pyarrow

        seeds = np.repeat(self.seeds, [len(trace.rounds) for trace in self.traces]).astype(np.int64)
        rounds, mistakes, greedy, updates = (np.concatenate(part) for part in list(zip(*self.traces, strict=True))[:4])
        columns = {
            "seed": seeds,
            "rounds": rounds,
            "error": mistakes / rounds,
            "greedy_error": greedy / rounds,
            "updates": updates,
        }
        return pyarrow.table(columns)

    @property
    def noise_history(self) -> pyarrow.Table:
        """The flip rates as the learners estimated them: one row per seed and estimate. Empty if they did not.

        >>> import onebit
        >>> stream, noise = onebit.streams.synsep(40_000), onebit.NoisyBit(0.2, 0.2)
        >>> result = onebit.simulate(onebit.RCINE(9, gamma=0.2), stream, noise, seeds=2)
        >>> result.noise_history.column_names
        ['seed', 'rounds', 'rho_0', 'rho_1', 'se_0', 'se_1', 'notes']
        >>> result.noise_history["rounds"].to_pylist()
        [20000, 40000, 20000, 40000]
        """
        import pyarrow

        found = [(s, *e) for s, learner in zip(self.seeds, self.learners, strict=True) for e in learner.noise_history]
        numbers = pyarrow.float64()
        columns = {
            "seed": pyarrow.array([seed for seed, _, _ in found], pyarrow.int64()),
            "rounds": pyarrow.array([at for _, at, _ in found], pyarrow.int64()),
        }
        for name in ("rho_0", "rho_1", "se_0", "se_1"):
            columns[name] = pyarrow.array([getattr(rates, name) for _, _, rates in found], numbers)
        columns["notes"] = pyarrow.array(["; ".join(rates.notes) for _, _, rates in found], pyarrow.string())
        return pyarrow.table(columns)

    def to_arrow(self) -> pyarrow.Table:
        """The curve as an Arrow table, with the settings as JSON in its metadata under `onebit`.

        >>> import onebit
        >>> table = onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(100)).to_arrow()
        >>> json.loads(table.schema.metadata[b"onebit"])["rounds"]
        100
        """
        return self.curve.replace_schema_metadata({"onebit": json.dumps(self.record())})

    def to_pandas(self) -> pandas.DataFrame:
        """The curve as a pandas data frame, the settings in its `attrs`.

        >>> import onebit
        >>> onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(100)).to_pandas().shape
        (18, 5)
        """
        try:
            import pandas  # noqa: F401  # Arrow needs it, and says less about how to get it
        except ImportError:
            raise OnebitError("to_pandas: pandas is not installed; run `pip install pandas`") from None
        frame = self.curve.to_pandas()
        frame.attrs["onebit"] = self.record()
        return frame

    def record(self) -> dict[str, Any]:
        """The settings, and how far it got; ready for JSON.

        >>> import onebit
        >>> onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(100), seeds=[4]).record()["played"]
        {'4': 100}
        """
        return self.settings | {
            "played": dict(zip(map(str, self.seeds), self.rounds, strict=True)),
            "complete": self.complete,
        }

    def summary(self) -> str:
        """The result as a small table to print."""
        played = self.rounds
        stream = self.stream
        rounds = f"{min(played):,}" + (f" to {max(played):,}" if min(played) != max(played) else "")
        delay = f", delay {self.channel.delay}" if self.channel.delay else ""
        lines = {
            "learner": repr(self.learner),
            "stream": f"{stream['name']}: {stream['features']:,} features, {stream['classes']} classes",
            "feedback": self.channel.text + delay,
            "rounds": rounds + ("" if self.complete else " (interrupted)"),
            "seeds": f"{len(self.seeds)} ({seeds_text(self.seeds)})",
            "error": spread(self.errors),
            "greedy error": spread(self.greedy_errors),
            "updates": f"{self.updates:,}",
            "time": f"{self.nanoseconds:,.0f} ns per round",
        }
        return "\n".join(f"{name:<14}{value}" for name, value in lines.items())

    def plot(self, path: str | os.PathLike[str] | None = None, *, title: str | None = None) -> Figure:
        """Draw the learning curve, and write it if there is a path (.svg, .png or .pdf).

        >>> import onebit
        >>> figure = onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(1000), seeds=3).plot()
        >>> figure.axes[0].get_ylabel()
        'played error'
        """
        from onebit.plots.curves import plot_results

        return plot_results([self], path, title=title)

    def plot_boundary(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        label: Label | None = None,
        axes: tuple[int, int] = (0, 1),
        at: ArrayLike | None = None,
        seed: int | None = None,
        points: int = 2000,
        title: str | None = None,
    ) -> Figure:
        """Draw which class is predicted where on a plane of two features; written if there is a path.

        `label` adds a panel with the contours of that class; `axes` are the two features, and the others are held
        at the values in `at` (one per feature; default: the mean of the rows drawn); `seed`, whose learner (default:
        the first); `points`, how many rows of the stream to draw. See `plot_boundaries`.

        >>> import onebit
        >>> iris = onebit.streams.load("iris")
        >>> result = onebit.simulate(onebit.Perceptron(iris.classes), iris)
        >>> figure = result.plot_boundary(axes=(2, 3), label="setosa")
        >>> [axes.get_xlabel() for axes in figure.axes[:2]]
        ['feature 2', 'feature 2']
        """
        from onebit.plots.boundary.picture import plot_boundaries

        return plot_boundaries([self], path, label=label, axes=axes, at=at, seed=seed, points=points, title=title)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write `curve.parquet`, `settings.json` and, if flip rates were estimated, `noise.parquet` to a folder.

        >>> import onebit, tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(100)).save(folder)
        >>> sorted(path.name for path in folder.iterdir())
        ['curve.parquet', 'settings.json']
        """
        self.save_as(*(Path(folder) / name for name in ("curve.parquet", "settings.json", "noise.parquet")))

    def save_as(self, table: Path, settings: Path, noise: Path) -> list[Path]:
        """Write the curve, the settings and the noise history, if any, each whole or not at all; names the files."""
        from pyarrow import parquet

        with written_whole(table) as draft:
            parquet.write_table(self.to_arrow(), draft)
        with written_whole(settings) as draft:
            draft.write_text(json.dumps(self.record(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        history = self.noise_history
        if not history.num_rows:
            return [table, settings]
        with written_whole(noise) as draft:
            parquet.write_table(history, draft)
        return [table, settings, noise]

    def __repr__(self) -> str:
        where = f"{self.stream['name']}, {self.channel.text}, {len(self.seeds)} seeds"
        return f"<Result of {self.learner!r} on {where}: error {spread(self.errors)}>"
