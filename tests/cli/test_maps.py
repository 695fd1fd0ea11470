"""onebit run --map."""

from __future__ import annotations

import json
from pathlib import Path

from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer

from onebit import Banditron, simulate
from onebit.features import Nystroem, RandomFourier, RationalMap
from onebit.streams import load, mapped, synsep
from tests.cli.conftest import Command


def test_a_map_is_what_mapped_gives_and_is_kept_in_the_settings(onebit: Command) -> None:
    source = load("iris", normalize=True)
    maps = {
        "rational:3": RationalMap(3),
        "fourier:1e1,2^-1": RandomFourier(10, gamma=0.5),
        "nystroem:9": Nystroem(gamma=1.0, n_components=9, random_state=0),
    }
    for text, transformer in maps.items():
        outcome = onebit("run", "banditron", "--data", "iris", "--normalize", "--map", text, "--json")
        (record,) = json.loads(outcome.out)["results"]
        stream = mapped(source, transformer)
        assert record["errors"] == simulate(Banditron(source.classes), stream).errors
        assert record["settings"]["stream"]["map"] == stream.describe()["map"]


def test_rows_that_are_drawn_are_scaled_before_the_map(onebit: Command) -> None:
    outcome = onebit(
        "run", "banditron", "--data", "synsep", "--rounds", 300, "--normalize", "--map", "fourier:8", "--json"
    )
    (record,) = json.loads(outcome.out)["results"]
    stream = mapped(synsep(), make_pipeline(Normalizer(), RandomFourier(8)))
    assert record["errors"] == simulate(Banditron(9), stream, rounds=300).errors
    assert record["settings"]["learner"]["parameters"]["normalize"] is False


def test_a_graph_and_a_file(onebit: Command, tmp_path: Path) -> None:
    edges, labels = tmp_path / "edges.csv", tmp_path / "labels.csv"
    edges.write_text("source,target\na,b\nb,c\nc,d\nd,a\n")
    labels.write_text("node,label\na,x\nb,x\nc,y\nd,y\n")
    outcome = onebit("run", "banditron", "--graph", edges, "--labels", labels, "-d", 2, "--map", "rational:2", "--json")
    (record,) = json.loads(outcome.out)["results"]
    assert record["settings"]["stream"]["name"] == "edges.csv (RationalMap)"
    assert record["settings"]["stream"]["features"] == 6
    table = tmp_path / "table.csv"
    table.write_text("up,down,answer\n0.1,0.2,yes\n0.3,-0.4,no\n")
    outcome = onebit("run", "banditron", "--data", table, "--label", "answer", "--map", "rational:2")
    assert outcome.out.startswith("table.csv (RationalMap): 6 features, 2 classes; 2 rounds")


def test_bad_maps_are_one_line_and_exit_2(onebit: Command) -> None:
    wrong = {
        "spline": "--map 'spline': must be rational, fourier or nystroem, as in rational:18",
        "rational:": "DEGREE='': must be a whole number, 1 or larger; write rational or rational:DEGREE",
        "rational:2,3": "write rational or rational:DEGREE",
        "fourier:-4": "N=-4: must be a whole number",
        "fourier:7": "n_components=7: must be even",
        "nystroem:7,0": "GAMMA=0: must be a number above 0; write nystroem, nystroem:N or nystroem:N,GAMMA",
        "rational:99": "degree=99: rows of 4 features would have",
    }
    for text, message in wrong.items():
        outcome = onebit("run", "banditron", "--data", "iris", "--normalize", "--map", text)
        assert message in outcome.one_line_error
        assert outcome.code == 2
    outcome = onebit("run", "banditron", "--data", "iris", "--bias", "--map", "rational")
    assert outcome.one_line_error == "--bias: is not for mapped rows; leave it out, or leave --map out"


def test_rows_outside_the_unit_ball_are_named(onebit: Command) -> None:
    outcome = onebit("run", "banditron", "--data", "iris", "--map", "rational:2")
    assert "has norm" in outcome.one_line_error
    assert outcome.code == 1
