"""Sweeps from TOML files."""

from __future__ import annotations

from pathlib import Path

import pytest

from onebit import Bit, Full, NoisyBit
from onebit.cli.plan.request import Rows, SweepRequest, arm_requests, make_sweep
from onebit.cli.plan.toml_file import REMEDY, read_request
from onebit.core.errors import ConfigError, DataError, FeedbackError
from onebit.streams import load, synsep

ARM = '[[arm]]\nlearner = "banditron"\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "plan.toml"
    path.write_text(text, encoding="utf-8")
    return path


def plan_of(folder: Path, text: str) -> SweepRequest:
    return read_request(written(folder, text))


def test_a_whole_file(tmp_path: Path) -> None:
    plan = plan_of(
        tmp_path,
        """
        rounds = 1e4
        seeds = "20:22"
        tune_seeds = [7, 8, 9]
        select = "greedy_error"
        out = "results"
        feedback = ["bit", "noisy:0.2,0.4"]
        delay = [0, 5]
        dtype = "float32"
        data = ["synsep", "digits"]

        [[arm]]
        learner = "mc-dbf"
        name = "pairs"
        set = {m = 2}
        grid = {gamma = "2^-3:2^-1", noise = [[0.2, 0.4], "none"]}

        [[arm]]
        learner = "perceptron"
        feedback = "full"
        """,
    )
    assert (plan.rounds, plan.seeds, plan.tune_seeds, plan.select) == (1e4, [20, 21], [7, 8, 9], "greedy_error")
    assert plan.out == tmp_path / "results"
    sweep = make_sweep(plan, REMEDY)
    assert (sweep.seeds, sweep.tune_seeds, sweep.select) == ((20, 21), (7, 8, 9), "greedy_error")
    assert [entry.label[:2] for entry in sweep.entries] == [
        (arm, stream) for stream in ("synsep", "digits") for arm in ("pairs", "pairs", "perceptron")
    ]
    late = (0, 5)
    assert [entry.channel for entry in sweep.entries[:3]] == [Bit(late), NoisyBit(0.2, 0.4, late), Full(late)]
    pairs = sweep.entries[0]
    assert pairs.rounds == 10_000
    assert pairs.grid == {"gamma": (0.125, 0.25, 0.5), "noise": ((0.2, 0.4), None)}
    assert (pairs.learner.get_params()["m"], pairs.learner.dtype, len(pairs.learner.classes)) == (2, "float32", 9)
    assert len(sweep.entries[3].learner.classes) == 10


def test_a_file_and_a_command_say_the_same(tmp_path: Path) -> None:
    text = (
        f'rounds = 1000\nseeds = 2\ndata = "synsep"\nfeedback = "noisy:0.1,0.1"\n{ARM}grid = {{gamma = "2^-3:2^-1"}}\n'
    )
    command = SweepRequest(
        arm_requests(["banditron"], [], ["gamma=2^-3:2^-1"], [NoisyBit(0.1, 0.1)]),
        [Rows(synsep())],
        rounds=1000,
        seeds=2,
    )
    one, other = make_sweep(plan_of(tmp_path, text)), make_sweep(command)
    assert [repr(entry.learner) for entry in one.entries] == [repr(entry.learner) for entry in other.entries]
    assert [(entry.label, entry.grid) for entry in one.entries] == [(e.label, e.grid) for e in other.entries]
    assert (one.seeds, one.tune_seeds, one.select) == (other.seeds, other.tune_seeds, other.select)


def test_streams_with_options(tmp_path: Path) -> None:
    (tmp_path / "pets.csv").write_text("weight,coat,pet\n4,red,cat\n9,red,dog\n1,blue,cat\n")
    (tmp_path / "edges.csv").write_text("source,target\na,b\nb,c\nc,a\nc,d\n")
    (tmp_path / "topics.csv").write_text("node,label\na,x\nb,x\nc,y\nd,y\n")
    plan = plan_of(
        tmp_path,
        f"""
        {ARM}
        [[stream]]
        data = "digits"
        name = "digits, unit"
        normalize = true
        bias = true
        [[stream]]
        data = "synsep"
        classes = 4
        per_class = [10, 20]
        normalize = true
        [[stream]]
        data = "pets.csv"
        label = "pet"
        hash_features = "2^6"
        [[stream]]
        graph = "edges.csv"
        labels = "topics.csv"
        d = 2
        [[stream]]
        data = "iris"
        normalize = true
        map = "rational:3"
        """,
    )
    digits, drawn, pets, graph, mapped = [rows.stream for rows in plan.rows]
    assert (digits.name, digits.n_features) == ("digits, unit", 65)
    assert (digits.X == load("digits", normalize=True, bias=True).X).all()
    assert len(drawn.classes) == 4
    assert [rows.scaled for rows in plan.rows] == [False, True, False, False, False]
    assert (pets.classes, pets.n_features, pets.sparse) == (("cat", "dog"), 64, True)
    assert (graph.classes, graph.n_features) == (("x", "y"), 2)
    assert mapped.n_features > 4
    learners = {entry.stream.name: entry.learner for entry in make_sweep(plan).entries}
    assert learners["synsep"].normalize
    assert not learners["digits, unit"].normalize


def test_nothing_said_is_what_commands_do(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, f'data = "iris"\n{ARM}')
    assert plan == SweepRequest(plan.arms, plan.rows)
    assert make_sweep(plan).entries[0].channel == Bit()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("data = iris", "plan.toml: is not TOML: "),
        (ARM, "data: give either data"),
        (f'data = "iris"\n{ARM}[[stream]]\ndata = "iris"', "data: give either data"),
        ('data = "iris"', "arm: no learner"),
        (f"data = []\n{ARM}", "data: nothing to play"),
        (f'data = "iris"\nseed = 3\n{ARM}', "plan.toml: seed: no such key; did you mean seeds?"),
        (f'data = "iris"\nvolume = 3\n{ARM}', "volume: no such key; known are rounds, seeds"),
        ('data = "iris"\narm = "banditron"', r"arm: must be tables, each under a line \[\[arm\]\]"),
        ('data = "iris"\n[arm]\nlearner = "banditron"', r"arm: must be tables, each under a line \[\[arm\]\]"),
        ('data = "iris"\n[[arm]]\nlerner = "x"', r"\[\[arm\]\] 1: lerner: no such key; did you mean learner?"),
        (f'data = "iris"\n{ARM}[[arm]]\nname = "x"', r"\[\[arm\]\] 2: learner: is missing"),
        ('data = "iris"\n[[arm]]\nlearner = 3', r"\[\[arm\]\] 1: learner = 3: must be text in quotes"),
        ('data = "iris"\n[[arm]]\nlearner = "bandit"', "no such learner; did you mean banditron?"),
        (f'data = "iris"\n{ARM}set = {{gama = 1}}', r"\[\[arm\]\] 1: set.gama: no such key; did you mean gamma?"),
        (f'data = "iris"\n{ARM}set = {{seed = 1}}', "set.seed: no such key; known are gamma, noise, normalize, ties"),
        (f'data = "iris"\n{ARM}set = 3', r"\[\[arm\]\] 1: set = 3: must be a table"),
        (f'data = "iris"\n{ARM}grid = {{gamma = 0.1}}', "grid.gamma = 0.1: must be a list of values, or text"),
        (f'data = "iris"\n{ARM}grid = {{gamma = "1:0"}}', "grid.gamma = '1:0': the range is empty"),
        (f'data = "iris"\n{ARM}grid = {{gamma = []}}', "grid.gamma.*no value; give at least one"),
        (f'data = "iris"\n{ARM}grid = {{gamma = [1, 1.0]}}', "grid.gamma.*the value 1.0 is there twice"),
        (
            f'data = "iris"\n{ARM}set = {{gamma = 1}}\ngrid = {{gamma = "0,1"}}',
            "grid.gamma: is in `set` as well; leave one of them out",
        ),
        (f'data = "iris"\nfeedback = "loud"\n{ARM}', "feedback='loud': must be full, bit or noisy"),
        (f'data = "iris"\nfeedback = 1\n{ARM}', "feedback = 1: must be text"),
        (f'data = "iris"\nseeds = "a"\n{ARM}', "seeds = 'a': write a number of seeds"),
        (f'data = "iris"\nrounds = "ten"\n{ARM}', "rounds = 'ten': must be a whole number"),
        (f'data = "iris"\ndelay = "soon"\n{ARM}', "delay = 'soon': write a number of rounds"),
        (f'data = "iris"\nselect = 1\n{ARM}', "select = 1: must be text"),
        (f"data = 3\n{ARM}", r"\[\[stream\]\] 1: data = 3: must be text"),
        (f"{ARM}[[stream]]\nnormalize = true", r"\[\[stream\]\] 1: data: give a data set or a file"),
        (f'{ARM}[[stream]]\ndata = "iris"\nnormalise = true', "normalise: no such key; did you mean normalize?"),
        (f'{ARM}[[stream]]\ndata = "iris"\nnormalize = "no"', "normalize = 'no': must be true or false"),
        (f'{ARM}[[stream]]\ndata = "iris"\nbias = 1', "bias = 1: must be true or false"),
        (f'{ARM}[[stream]]\ndata = "synsep"\nbias = true', r"\[\[stream\]\] 1: bias: no such key"),
        (f'{ARM}[[stream]]\ndata = "synsep"\nrounds = 9', r"\[\[stream\]\] 1: rounds: no such key"),
        (f'{ARM}[[stream]]\ndata = "iris"\nmap = "cubic"', "must be rational, fourier or nystroem"),
    ],
)
def test_no_plans(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        plan_of(tmp_path, text)


def test_data_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="plan.toml: cannot be read .No such file"):
        read_request(tmp_path / "plan.toml")
    with pytest.raises(DataError, match="did you mean iris?"):
        plan_of(tmp_path, f'data = "irys"\n{ARM}')
    with pytest.raises(DataError, match="none.csv: there is no such file"):
        plan_of(tmp_path, f'data = "none.csv"\n{ARM}')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('data = "iris"\nrounds = 0.5\n', "rounds=0.5: must be a whole number"),
        ('data = "iris"\nseeds = 0\n', "seeds=0: must be a whole number, 1 or larger, or a list of seeds"),
        ('data = "iris"\ntune_seeds = [0]\n', "0 is among the seeds to report"),
        ('data = "iris"\nselect = "luck"\n', "select='luck'"),
        ('data = "iris"\ndtype = "int8"\n', "dtype='int8'"),
        ('data = ["iris", "iris"]\n', "name='banditron': it meets iris twice"),
    ],
)
def test_no_sweeps(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make_sweep(plan_of(tmp_path, text + ARM))


def test_feedback_that_a_learner_cannot_hear(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, 'data = "iris"\nfeedback = "bit"\n[[arm]]\nlearner = "perceptron"')
    with pytest.raises(FeedbackError, match=r"perceptron needs full; or give its \[\[arm\]\] a feedback of its own"):
        make_sweep(plan, REMEDY)


def test_deep_brackets(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text("a = " + "[" * 5000 + "]" * 5000)
    with pytest.raises(ConfigError, match="nested too deeply"):
        read_request(path)
