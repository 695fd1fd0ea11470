"""The benchmarks against peers: that all play the same rows, that mistakes are counted right, that the page is true."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.peers import contextual, crew, mabwiser, nets, ours, plan, river, river_forest, trees, tune, vw
from benchmarks.peers.__main__ import main
from benchmarks.peers.contenders import CONTENDERS, why_not
from benchmarks.peers.measure import Played, play_batches
from benchmarks.peers.page import write
from benchmarks.peers.races import LONG, SHORT, Race
from benchmarks.peers.report import Report
from benchmarks.peers.rows import Game, forms, game, source

import onebit
from onebit.streams.base import Window

needs_linux = pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="memory is measured by /proc")


def toy(rounds: int = 200, seed: int = 0) -> Game:
    """Three classes that a linear model tells apart, in two windows."""
    draw = np.random.default_rng(seed)
    y = draw.integers(3, size=rounds)
    X, order = np.eye(3)[y] + draw.normal(scale=0.1, size=(rounds, 3)), draw.permutation(rounds)
    windows = tuple(Window(X, y, part) for part in np.array_split(order, 2))
    return Game("toy", f"toy {seed}", 3, 3, False, windows)


def truth(rows: Game) -> Any:
    return np.concatenate([y for _, y in rows.batches(7)])


def exclusive_or(rounds: int, seed: int = 0) -> Game:
    """Two classes in four corners."""
    draw = np.random.default_rng(seed)
    corners = draw.integers(2, size=(rounds, 2))
    X = np.eye(2)[corners].reshape(rounds, 4) + draw.normal(scale=0.05, size=(rounds, 4))
    return Game("corners", "corners", 2, 4, False, (Window(X, corners.sum(axis=1) % 2, np.arange(rounds)),))


class Stubborn:
    """Plays the label 0, and remembers what it was told."""

    batch = 10

    def __init__(self) -> None:
        self.told: list[bool] = []

    def take(self, X: Any) -> Any:
        return X

    def decide(self, rows: Any) -> Any:
        return np.zeros(len(rows), dtype=np.int64)

    def learn(self, rows: Any, labels: Any, hits: Any) -> None:
        self.told += hits.tolist()


@needs_linux
@pytest.mark.parametrize("name", ["digits", "synsep"])
def test_a_game_has_the_rows_of_simulate_in_its_order(name: str) -> None:
    stream = onebit.streams.load(name)
    expected = onebit.simulate(onebit.Banditron(stream.classes), stream, rounds=2500, seeds=[5])
    played = ours.play(game(name, "raw", 5, 2500), {"learner": "Banditron"}, 5, 60, 1)
    assert played.mistakes == expected.traces[0].mistakes[-1]
    assert played.rounds == 2500


@pytest.mark.parametrize("name", ["digits", "synnonsep"])
def test_every_form_has_the_same_labels_in_the_same_order(name: str) -> None:
    games = [game(name, form, 3, 2000) for form in forms(name)]
    for other in games[1:]:
        assert truth(other).tolist() == truth(games[0]).tolist()
        assert other.digest() != games[0].digest()
    assert game(name, "raw", 3, 2000).digest() == games[0].digest()
    assert game(name, "raw", 4, 2000).digest() != games[0].digest()


@needs_linux
def test_mistakes_are_those_of_a_hand_count() -> None:
    rows, player = toy(), Stubborn()
    played = play_batches(lambda: player, rows, 60)
    wrong = truth(rows) != 0
    assert player.told == (~wrong).tolist()
    assert (played.rounds, played.mistakes) == (200, wrong.sum())
    assert {n: wrong[:n].sum() for n in played.curve} == played.curve
    assert 200 in played.curve


@needs_linux
def test_a_play_stops_at_its_limit() -> None:
    played = play_batches(Stubborn, toy(), 0)
    assert played.rounds == 10
    assert max(played.curve) == 10


@needs_linux
@pytest.mark.parametrize(
    "explorer",
    [
        "--cb_force_legacy --cb_type dm --epsilon 0.2 --coin",
        f"--cb_type mtr --epsilon 0.2{vw.WRONG_IS_0}",
        "--cover 4 --nounif --psi 0.1 --cb_type dr",
        "--cb_force_legacy --cb_type dm --epsilon 0 -l 0.5 -q ::",
        "--cb_force_legacy --cb_type dm --epsilon 0.005 -l 0.1 --nn 30 --inpass",
    ],
)
def test_the_loss_of_vw_is_the_played_error(explorer: str, tmp_path: Path) -> None:
    workspace = pytest.importorskip("vowpalwabbit", reason="the extra `peers` is not installed").Workspace
    rows, said = toy(), tmp_path / "said.txt"
    setting = {"arguments": explorer}
    played = vw.play(rows, setting, 1, 60, 2)
    vw.write(rows, tmp_path / "rows.txt")
    vw.drive(f"{vw.arguments(rows, setting, 1)} -d {tmp_path / 'rows.txt'} -p {said}")
    labels = np.loadtxt(said, dtype=np.int64) - 1
    assert played.mistakes == (labels != truth(rows)).sum()
    single = workspace(vw.arguments(rows, setting, 1))
    for line in vw.lines(rows):
        single.learn(line.strip())
    assert round(single.get_sum_loss()) == played.mistakes
    single.finish()


@needs_linux
def test_river_plays_and_learns_one_row_at_a_time() -> None:
    pytest.importorskip("river", reason="the extra `peers` is not installed")
    from river import linear_model, optim

    rows, mistakes = toy(), 0
    models = [linear_model.LogisticRegression(optimizer=optim.SGD(0.5)) for _ in range(3)]
    for X, y in rows.batches(1):
        row = dict(enumerate(X[0].tolist()))
        scores = [model.predict_proba_one(row)[True] for model in models]
        best = int(np.argmax(scores))
        models[best].learn_one(row, best == y[0])
        mistakes += best != y[0]
    played = river.play(rows, {"optimizer": "SGD", "rate": 0.5, "epsilon": 0.0}, 1, 60, 1)
    assert played.mistakes == mistakes
    assert mistakes < 60


@needs_linux
@pytest.mark.parametrize(("module", "package"), [(mabwiser, "mabwiser"), (contextual, "contextualbandits")])
@pytest.mark.filterwarnings("ignore")
def test_the_first_and_last_settings_of_a_grid_learn(module: Any, package: str) -> None:
    pytest.importorskip(package, reason="the extra `peers` is not installed")
    settings = list(module.grid("toy", ("raw",)))
    for setting in (settings[0], settings[-1]):
        assert module.play(toy(), setting | {"batch": 10}, 1, 60, 1).mistakes < 100


@needs_linux
@pytest.mark.parametrize(
    ("play", "grid", "package"),
    [
        (trees.play, trees.boosted, "contextualbandits"),
        (trees.play, trees.forests, "contextualbandits"),
        (river_forest.play, river_forest.grid, "river"),
        (nets.play, nets.greedy, "torch"),
        (nets.play, nets.thompson, "torch"),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_peers_that_are_not_linear_learn_what_no_linear_model_can(play: Any, grid: Any, package: str) -> None:
    pytest.importorskip(package, reason="its extra is not installed")
    settings = list(grid("nursery", ("raw",)))
    rows = exclusive_or(1500)
    for setting in (settings[0], settings[-1]):
        played = play(rows, setting, 1, 60, 1)
        assert played == played._replace(rounds=1500)
        late = played.mistakes - played.curve[1000]
        assert late < 200  # of 500; a guess is wrong in 250


@needs_linux
@pytest.mark.parametrize("name", ["net greedy", "net Thompson"])
def test_a_seed_decides_a_network(name: str) -> None:
    pytest.importorskip("torch", reason="the extra `peers-torch` is not installed")
    few = CONTENDERS[name].few
    assert few is not None
    setting = next(few("nursery", ("raw",)))
    first, second, other = (nets.play(toy(), setting, seed, 60, 1) for seed in (1, 1, 2))
    assert first.curve == second.curve != other.curve


@needs_linux
def test_trees_are_fitted_to_every_bit_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    fits: list[tuple[int, int]] = []

    class Policy:
        def fit(self, X: Any, labels: Any, rewards: Any) -> None:
            assert len(X) == len(labels) == len(rewards)
            fits.append((len(X), int(rewards.sum())))

        def predict(self, X: Any) -> Any:
            return np.zeros(len(X))

    monkeypatch.setattr(trees, "_policy", lambda *about: Policy())
    played = trees.play(toy(400), {"grow": 1.3}, 1, 60, 1)
    assert [seen for seen, _ in fits] == [50, 100, 150, 200, 300, 400]
    assert fits[-1][1] == 400 - played.mistakes


def test_nursery_has_a_column_for_each_value() -> None:
    if not (onebit.core.paths.data_folder() / "cases" / "nursery.parquet").exists():
        pytest.skip("nursery is not in the data folder")
    X = source("nursery").X
    assert set(np.unique(X)) == {0.0, 1.0}
    assert (X.sum(axis=1) == 8).all()
    assert X.shape == (12_958, 27)


def test_settings_that_finish_come_before_those_that_are_stopped() -> None:
    fast, slow, best = Played(100, 40, 1, 0, {}), Played(50, 5, 1, 0, {50: 5}), Played(100, 30, 1, 0, {})
    tried: tune.Tried = [({"a": 1}, [slow]), ({"a": 2}, [fast]), ({"a": 3}, [best])]
    assert [setting["a"] for setting, _ in tune.ranked(tried, 100)] == [3, 2, 1]


def test_settings_that_are_all_stopped_are_compared_at_equal_rounds() -> None:
    furthest, better = Played(80, 16, 1, 0, {10: 5, 63: 14}), Played(70, 14, 1, 0, {10: 6, 63: 12})
    hardly = Played(12, 1, 1, 0, {10: 1})
    tried: tune.Tried = [({"a": 1}, [furthest]), ({"a": 2}, [hardly]), ({"a": 3}, [better])]
    assert [setting["a"] for setting, _ in tune.ranked(tried, 100)] == [3, 1, 2]


def test_matrices_that_do_not_fit_are_named() -> None:
    assert why_not(CONTENDERS["MABWiser"], 20, 32_435) == "needs 20 matrices of 32,435 × 32,435: 168 GB"
    assert why_not(CONTENDERS["MABWiser"], 10, 784) == why_not(CONTENDERS["VW"], 20, 32_435) == ""


def test_a_peer_that_is_not_installed_is_skipped_with_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(CONTENDERS, "River", CONTENDERS["River"]._replace(package="no-such-package"))
    assert [one.name for one in plan.installed(["OneBit", "River"])] == ["OneBit"]
    assert "River is skipped: no-such-package is not installed" in capsys.readouterr().err


def test_a_command_that_fails_is_told() -> None:
    ended: list[int] = []
    failed = crew.run_all([("no_such_module", "x"), ("this",)], 2, lambda done, command: ended.append(done))
    assert ended == [1, 2]
    assert len(failed) == 1
    assert "no_such_module" in failed[0]


@pytest.mark.parametrize(
    "wrong", [["--streams", "iris"], ["--contenders", "Perceptron"], ["--workers", "0"], ["--race", "wide"]]
)
def test_wrong_words_are_refused(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["run", *wrong])
    assert stopped.value.code == 2
    assert wrong[1] in capsys.readouterr().err


def results(vw_seconds: float = 1.0, stopped_at: int = 0, race: Race = LONG) -> dict[str, Any]:
    """Made up: OneBit has 10 mistakes in 1,000 rounds, everybody else 20; River may be stopped."""

    def play(name: str, extra: int) -> dict[str, Any]:
        seconds = {"OneBit": 0.1, "VW": vw_seconds}.get(name, 10.0)
        rounds = stopped_at if name == "River" and stopped_at else 1000
        mistakes = (10 if name == "OneBit" else 20) + extra
        curve = {str(n): mistakes for n in (100, 1000) if n <= rounds}
        return Played(rounds, mistakes, seconds, 1.0, {}, 0.0)._asdict() | {"curve": curve}

    cells = [
        {
            "stream": stream,
            "contender": name,
            "setting": {"rows": "raw", "rate": 1},
            "why_not": "",
            "plays": [play(name, extra) for extra in (0, 2)],
        }
        for stream in race.streams
        for name in race.contenders
    ]
    about = {"date": "2026-01-01", "machine": "a machine", "versions": {"onebit": "1"}, "imports": {"onebit": 100.0}}
    size = {"rounds": dict.fromkeys(race.streams, 1000), "size": {"seeds": 2, "limit": 60}}
    return {**about, **size, "first_seed": 1, "cells": cells}


def test_the_bars_follow_the_figures() -> None:
    assert [bar.met for bar in Report(results()).bars()] == [True, True, True, True, True]
    slower = list(Report(results(vw_seconds=0.4)).bars())
    assert [bar.met for bar in slower] == [False, True, True, True, True]
    assert slower[0].measured == "4.0 ×, error 1.100 % against 2.100 %"
    worse = results()
    for cell in worse["cells"]:
        if cell["contender"] == "OneBit" and cell["stream"] in ("letter", "mnist"):
            for one in cell["plays"]:
                one["mistakes"] = 50
    assert list(Report(worse).bars())[-1].measured == "5 of 7; not on MNIST, letter"


def test_a_peer_that_was_stopped_is_compared_where_it_stopped() -> None:
    verdict = next(v for v in Report(results(stopped_at=150)).verdicts("letter") if v.peer == "River")
    assert (verdict.rounds, verdict.ours, verdict.theirs) == (100, 11.0, 21.0)


def test_the_page_is_drawn_from_a_results_file(tmp_path: Path) -> None:
    kept = tmp_path / "results.json"
    kept.write_text(json.dumps(results(vw_seconds=0.4, stopped_at=150)))
    assert write(kept, tmp_path / "none.json", tmp_path) == 0
    page = (tmp_path / "benchmarks.md").read_text()
    assert "4.0 ×, error 1.100 % against 2.100 % | **missed** |" in page
    assert "| letter | **1.10 ± 0.14** | 2.10 ± 0.14 |" in page
    assert "not linear" not in page.partition("## Among linear models")[2]
    assert "(stopped, at 100; OneBit there 11.00)" in page
    assert "**VW**: nowhere" in page
    assert (tmp_path / "images" / "peers.svg").stat().st_size > 10_000


def test_the_page_tells_the_short_race_too(tmp_path: Path) -> None:
    kept, short = tmp_path / "results.json", results(race=SHORT)
    for cell in short["cells"]:
        if (cell["stream"], cell["contender"]) == ("nursery", "CB boosted"):
            for one in cell["plays"]:
                one["mistakes"] = 5
        if (cell["stream"], cell["contender"]) == ("usps", "net greedy"):
            cell.update(plays=[], why_not="not measured")
    kept.write_text(json.dumps(results() | {"short": short}))
    assert write(kept, tmp_path / "none.json", tmp_path) == 0
    page = (tmp_path / "benchmarks.md").read_text()
    assert "streams: **11 of 12; not on nursery**, met." in page
    assert "| nursery | 1,000 | 2 | 1.10 | 2.10 | CB boosted 0.50 | +0.60 ± 0.10 | CB boosted |" in page
    assert "| net greedy | 2.10 | 2.10 | 2.10 | 2.10 | 2.10 | 2.10 | 2.10 | 2.10 | not measured |" in page
    assert "CB boosted 100 to 100" in " ".join(page.split())
    assert (tmp_path / "images" / "peers-short.svg").stat().st_size > 10_000


def test_what_is_not_measured_again_keeps_what_was_gathered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def cell(race: Race, stream: str, contender: Any) -> dict[str, Any]:
        plays = [{"new": True}] * race.seeds if contender.name == "OneBit" else []
        about = {"stream": stream, "contender": contender.name, "setting": {"rate": 1}}
        return {**about, "why_not": "", "date": "2026-02-02", "plays": plays}

    monkeypatch.setattr(plan, "_cell", cell)
    monkeypatch.setattr(plan, "RESULTS", tmp_path / "results.json")
    before = results()
    for one in before["cells"]:
        one["plays"] = [{"new": False}] * LONG.seeds
        one["setting"] = {"rate": 2 if one["contender"] == "River" else 1}
    plan.RESULTS.write_text(json.dumps(before | {"short": {"left": "alone"}}))
    plan._write(plan.RESULTS, LONG, plan.gathered(LONG))
    after = json.loads(plan.RESULTS.read_text())
    assert after["short"] == {"left": "alone"}
    found = {one["contender"]: one for one in after["cells"] if one["stream"] == "letter"}
    assert found["OneBit"]["plays"] == [{"new": True}] * LONG.seeds
    assert (found["VW"]["plays"], found["VW"]["date"]) == ([{"new": False}] * LONG.seeds, "2026-01-01")
    assert found["River"]["plays"] == []  # it was measured with another setting


def test_without_results_there_is_no_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert write(tmp_path / "results.json", tmp_path / "settings.json", tmp_path) == 1
    assert "python -m benchmarks.peers run" in capsys.readouterr().err
