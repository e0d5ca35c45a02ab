"""The reproduction of the paper on budgets: its scene, its counts, its tables in small, and a small run."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_reproduce import Reader, complaint

import elbowroom as er
from elbowroom import reproduce
from elbowroom.reproduce import (
    budget_calibrated,
    budget_contradiction,
    budget_covered,
    budget_depths,
    budget_roadmap,
    budget_scene,
    budget_table1,
    budget_table2,
    budget_troughs,
)
from elbowroom.reproduce.budget_paint import bin_panels, line_panels, reliability
from elbowroom.reproduce.budget_replay import AUTO, BEST, DEPTH, METHODS, Answers, replay
from elbowroom.reproduce.budget_table2 import BINS, PRINTED, Bins, bins_of, lower_bins

pytestmark = pytest.mark.reproduce

Ask = Callable[..., tuple[int, str, str]]

CHECKS = 5_000


@pytest.fixture(scope="module")
def paths() -> list[np.ndarray[Any, Any]]:
    return budget_scene.paths(8, 11)


@pytest.fixture(scope="module")
def recording() -> budget_roadmap.Recording:
    return budget_roadmap.recorded(12_000)


def made(**columns: Any) -> Answers:
    """Answers of which only some columns matter."""
    count = len(next(iter(columns.values())))
    names = list(Answers.__dataclass_fields__)
    given = {name: np.asarray(columns.get(name, np.zeros(count))) for name in names}
    flags = {name: given[name].astype(bool) for name in ("limited", "hit", "unfinished")}
    return Answers(**(given | flags))


# The scene.


def test_the_springs_are_the_papers_and_screwed_into_each_other() -> None:
    spring = budget_scene.spring()
    assert len(spring.faces) == 1800 and spring.children == 2
    between = er.Pose(translation=[0, 0, budget_scene.HALF_RISE])
    assert not er.collide(spring, spring, pose_b=between)
    assert er.collide(spring, spring, pose_b=er.Pose(translation=[0, 0, 0.3]))


def test_the_figure_path_collides_from_the_14th_to_the_83rd() -> None:
    hits = budget_scene.colliding(budget_scene.figure_path())
    assert (np.flatnonzero(hits) + 1).tolist() == list(range(14, 84))
    assert np.array_equal(hits, budget_scene.expected())


def test_paths_collide_where_the_papers_does_and_repeat(paths: list[np.ndarray[Any, Any]]) -> None:
    assert len(paths) == 8
    for path in paths:
        assert path.shape == (100, 4, 4)
        assert np.array_equal(budget_scene.colliding(path), budget_scene.expected())
        steps = np.linalg.norm(np.diff(path[:, :3, 3], axis=0), axis=1)
        assert steps.max() == pytest.approx(steps.min(), rel=1e-6)
    again = budget_scene.paths(2, 11)
    assert all(np.array_equal(a, b) for a, b in zip(again, paths, strict=False))


def test_a_screwed_space_draws_small_shifts_and_tilts() -> None:
    space = budget_scene.Screwed(*budget_scene.WIDE)
    rng = np.random.default_rng(1)
    poses, keys = space.drawn(rng.random((2_000, space.numbers)))
    shift, tilt = budget_scene.WIDE
    away = poses[:, :3, 3] - [0, 0, budget_scene.HALF_RISE]
    assert (np.abs(away) <= shift).all() and np.abs(away).max(axis=0) == pytest.approx(shift, rel=0.02)
    angles = np.arccos(np.clip((np.trace(poses[:, :3, :3], axis1=1, axis2=2) - 1) / 2, -1, 1))
    assert angles.max() <= tilt + 1e-9 and np.mean(angles < tilt / 2) == pytest.approx(1 / 8, abs=0.03)
    turned = poses[:, :3, :3] @ poses[:, :3, :3].transpose(0, 2, 1)
    assert turned == pytest.approx(np.broadcast_to(np.eye(3), turned.shape), abs=1e-12)
    assert keys.shape == (2_000, 7)


# Figures 4 to 6.


def test_no_larger_tree_has_so_small_a_mean_depth() -> None:
    assert [budget_depths.most_nodes(mean) for mean in (1.0, 5 / 3, 17 / 7)] == [1, 3, 7]
    assert budget_depths.most_nodes(8.9) == 920

    def mean_of(nodes: int) -> float:
        """Of the tree that is full level by level, which has the least mean of all with so many nodes."""
        return float(np.mean(np.floor(np.log2(np.arange(1, nodes + 1))) + 1))

    for mean in (2.0, 3.3, 6.6, 8.9):
        most = budget_depths.most_nodes(mean)
        assert mean_of(most) <= mean < mean_of(most + 1)


def test_figures_4_and_5() -> None:
    depths = budget_depths.measure(*budget_depths.trees())
    assert np.array_equal(depths.hits, budget_scene.expected())
    assert 20 <= depths.deepest.max() <= 27
    assert (depths.mean > 10).all() and depths.nodes.max() < 1000
    assert depths.unchanged.mean() > 0.98 and depths.unchanged.min() > 0.8
    assert set(np.argsort(depths.unchanged)[:2]) == {12, 82}  # a contact begins, and ends
    assert budget_depths.short_steps() > depths.unchanged.mean()
    others = budget_depths.random_paths(2)
    assert len(others) == 2 and (others > 0.9).all() and (others < 1).all()
    trees, _ = budget_depths.trees()
    for before, after in list(pairwise(trees))[::25]:
        assert after.zero_share(before) == np.mean(after.difference(before) == 0)


def test_hits_lie_in_the_troughs_and_not_in_dangerous_regions() -> None:
    poses = budget_scene.figure_path()[20:80:10]
    trees = [budget_depths.tree_at(pose, every=True)[0] for pose in poses]
    deeper, lowest = budget_troughs.depths_of_hits(trees)
    assert deeper > 5 and lowest == 1.0
    everything = budget_troughs.dangerous(trees, 8, 0.0)
    assert everything.nodes > 0.95 and everything.hits == 1.0
    nothing = budget_troughs.dangerous(trees, 8, 100.0)
    assert (nothing.nodes, nothing.hits, nothing.gain) == (0, 0, 0)
    region = budget_troughs.dangerous(trees, 8, 2.0)
    assert region.gain == region.hits / region.nodes < 1.5  # six poses say no more
    tree, hit = budget_depths.tree_at(poses[0])
    root = budget_troughs.about_hit(tree)
    below = tree.cut[(tree.cut >= root) & (tree.cut < tree.ends[root])]
    assert hit and 1 < len(below) <= budget_troughs.PART and (tree.state[below] == 3).any()


# Checks on a budget.


def test_a_replay_is_what_the_questions_answer(paths: list[np.ndarray[Any, Any]]) -> None:
    chosen = [path[:20] for path in paths[:2]]
    for method in METHODS:
        found = replay(chosen, method, 300, forget=True)
        assert len(found) == 40 and not found.limited[[0, 20]].any() and found.limited.sum() == 38
        assert not found.unfinished[[0, 20]].any() and (found.confidence[[0, 20]] == 1).all()
        assert (found.confidence[~found.unfinished] == 1).all()
        assert (found.tests[found.limited] <= 310).all()
        assert found.mean() == pytest.approx(100 * found.confidence[found.limited].mean())
        hits = np.concatenate([budget_scene.expected()[:20]] * 2)
        assert not (found.hit & ~hits).any() and not (hits & ~found.hit & ~found.unfinished).any()
    assert made(limited=[0, 1, 1], confidence=[1.0, 0.2, 0.4]).mean() == pytest.approx(30)
    assert made(limited=[0, 1], confidence=[1.0, 0.2]).mean(np.array([True, False])) == 0


def test_best_first_is_ahead_at_every_budget(paths: list[np.ndarray[Any, Any]]) -> None:
    hits = np.tile(budget_scene.expected(), len(paths))
    for tests in budget_table1.BUDGETS[:4]:
        best, depth, auto = (replay(paths, method, tests, forget=True) for method in METHODS)
        assert best.mean() > depth.mean()
        assert best.hit[hits].mean() > depth.hit[hits].mean()
        assert auto.unfinished.sum() < min(best.unfinished.sum(), depth.unfinished.sum())
        assert auto.covered[auto.unfinished].mean() > depth.covered[depth.unfinished].mean()


def test_a_variant_of_table_1(paths: list[np.ndarray[Any, Any]]) -> None:
    usual = budget_table1.vary(paths[:2], budget_table1.Variant())
    assert usual[BEST][0] == pytest.approx(replay(paths[:2], BEST, 200, forget=True).mean())
    literal = budget_table1.vary(paths[:2], replace(budget_table1.Variant(), in_full=False))
    assert literal[DEPTH][0] < usual[DEPTH][0]
    assert len(budget_table1.VARIANTS) == 12


# The roadmap, and Table 2.


def test_the_papers_second_table_adds_up() -> None:
    for method, reached, missed in ((DEPTH, 80_464, 407), (BEST, 80_566, 509)):
        bins = PRINTED[method]
        assert (bins.all.sum(), bins.colliding.sum(), bins.free.sum()) == (reached, missed, 80_057)
        assert len(bins.all) == len(BINS) == 11
    assert PRINTED[DEPTH].mean == pytest.approx(40.9, abs=0.05)
    assert PRINTED[BEST].mean == pytest.approx(22.3, abs=0.05)
    assert PRINTED[DEPTH].shares[:3] == pytest.approx([0.73, 0.87, 0.79], abs=0.01)


def test_bins() -> None:
    said = [0.05, 0.1, 0.999, 1.0, 1.0, 0.3]
    answers = made(confidence=said, limited=[1, 1, 1, 1, 0, 1], unfinished=[1, 1, 1, 1, 1, 0])
    bins = bins_of(answers, np.array([True, False, False, False, True, True]))
    assert bins.colliding.tolist() == [1] + 10 * [0]
    assert bins.free.tolist() == [0, 1, *7 * [0], 1, 1]
    assert bins.share == 25 and bins.mean == pytest.approx((5 + 15 + 95 + 100) / 4)
    few, many = np.full(11, 10), np.full(11, 1_000)
    assert lower_bins(Bins(few, many), Bins(2 * few, many)) == (11, 11)
    assert lower_bins(Bins(0 * few, few), Bins(few, few)) == (0, 0)


def test_a_recording_has_all_checks_with_their_exact_answers(recording: budget_roadmap.Recording) -> None:
    assert len(recording) == pytest.approx(12_000, rel=0.1)
    assert recording.nodes == budget_roadmap.SAMPLES and recording.found
    assert 0 < recording.edges < 50 * 49 / 2
    chosen = np.arange(0, len(recording), 97)
    assert np.array_equal(budget_scene.colliding(recording.poses[chosen]), recording.hits[chosen])
    assert recording.begins[0] and sum(map(len, recording.motions)) == len(recording)
    for motion, truth in zip(recording.motions, recording.truths, strict=True):
        assert not truth[:-1].any()  # a motion ends at its first collision
        if len(motion) > 2:
            steps = np.linalg.norm(np.diff(motion[:, :3, 3], axis=0), axis=1)
            assert steps.max() <= recording.resolution + 1e-9


def test_a_free_check_costs_the_same_in_any_order(recording: budget_roadmap.Recording) -> None:
    answers = {method: budget_table2.replayed(12_000, method) for method in METHODS}
    bins = {method: bins_of(answers[method], recording.hits) for method in METHODS}
    assert np.array_equal(
        answers[BEST].unfinished & ~recording.hits, answers[DEPTH].unfinished & ~recording.hits
    )
    assert bins[BEST].free.sum() == bins[DEPTH].free.sum() > 1_000
    assert bins[AUTO].all.sum() < bins[BEST].all.sum() < bins[DEPTH].all.sum()
    assert bins[BEST].share < bins[DEPTH].share


def test_the_tables_contradict_each_other_as_the_papers_do(recording: budget_roadmap.Recording) -> None:
    guesses = {g.what: g for g in budget_contradiction.roadmap_guesses(12_000, recording)}
    table = guesses["roadmap: unfinished, as Table 2"]
    assert table.ahead < 0 and table.paper == {m: PRINTED[m].mean for m in (BEST, DEPTH)}
    assert table.ahead < guesses["roadmap: one factor, no product"].ahead < 0
    assert guesses["roadmap: steps 8 times as long"].ahead > 0
    whole = budget_contradiction.after_full_checks(12_000, recording)
    assert whole.ahead > table.ahead / 2
    decay = budget_contradiction.by_age(budget_table2.replayed(12_000, BEST))
    means = [mean for _, mean, _ in decay]
    assert [age for age, _, _ in decay[:3]] == [1, 2, 3] and means == sorted(means, reverse=True)


def test_ages_count_unfinished_checks_in_a_row() -> None:
    flags = np.array([True, True, False, True, False, False, True, True, True])
    assert budget_contradiction.ages_of(flags).tolist() == [1, 2, 0, 1, 0, 0, 1, 2, 3]
    assert budget_contradiction._judged(3.0, -5.0) == "explains it: best-first ahead"
    assert budget_contradiction._judged(-1.0, -5.0) == "explains it: the two are level"
    assert budget_contradiction._judged(-2.2, -5.0).startswith("a part")
    assert budget_contradiction._judged(-4.0, -5.0).startswith("no")
    assert budget_contradiction._judged(1.0, 2.0).startswith("nothing to explain")


# Calibrated confidence, and what the better answer adds.


def test_a_table_makes_confidence_a_probability(paths: list[np.ndarray[Any, Any]]) -> None:
    learned = budget_scene.paths(16, 12)
    truths = [budget_scene.expected()] * len(learned)
    trial = budget_calibrated.Trial(
        learned, truths, paths, np.tile(budget_scene.expected(), len(paths)), (200, 400)
    )
    outcome = budget_calibrated.judge(trial, AUTO)
    assert outcome.calibrated is not None and outcome.paper is not None
    assert outcome.unfinished == outcome.calibrated.runs > 200
    assert outcome.missed == round(outcome.unfinished * (1 - outcome.calibrated.base_rate))
    assert outcome.calibrated.error < 0.08 and outcome.calibrated.brier < outcome.paper.brier
    finished = replace(trial, budgets=(10**6,), judged=[paths[0][:3]], hits=trial.hits[:3])
    with pytest.raises(ValueError, match="nothing to learn"):
        budget_calibrated.judge(finished, AUTO)


def test_calls_until_a_check_is_complete() -> None:
    pose = budget_scene.figure_path()[12]
    calls = budget_covered.calls_until(pose, AUTO, 200)
    assert calls is not None and 2 <= calls <= 6
    assert budget_covered.calls_until(pose, AUTO, 10_000) == 1
    assert budget_covered.calls_until(pose, DEPTH, 200) is None
    assert budget_covered.calls_until(pose, DEPTH, 10_000) == 1


def test_what_is_stated_is_summed() -> None:
    answers = made(
        limited=[0, 1, 1, 1, 1],
        unfinished=[0, 1, 1, 0, 0],
        covered=[1, 0.2, 0.6, 1, 1],
        lower=[0, 0.1, 0.3, 9, 9],
    )
    stated = budget_covered.summed(answers)
    assert vars(stated) == pytest.approx({"ended": 0.5, "covered": 0.4, "lower": 0.2, "largest": 0.3})
    assert budget_covered.summed(made(limited=[1], unfinished=[0])).covered == 1.0


# Pictures.


def test_plots_show_what_they_are_given() -> None:
    lines = {"best-first": ([1.0, 2.0], [3.0, 4.0]), "best-first, paper": ([1.0, 2.0], [1.0, 2.0])}
    figure = line_panels({"left": lines, "right": lines}, ("x", "y"))
    first, second = figure.axes[0].lines
    assert first.get_color() == second.get_color() and second.get_linestyle() == "--"
    assert len(figure.legends[0].texts) == 2
    bars = bin_panels({"a": {"best-first": [1.0, 2.0]}, "b": {"best-first": [9.0, 3.0]}}, ["0", "1"], "%")
    assert all(axes.get_ylim()[1] >= 9.0 for axes in bars.axes)
    curves = reliability({"a": {"auto": ([0.1, 0.9], [0.2, 0.8])}})
    assert len(curves.axes[0].lines) == 2


# A run.


@pytest.fixture(scope="module")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("budget")
    script = "import sys; from elbowroom.cli import main; sys.exit(main())"
    options = ["--checks", str(CHECKS), "--out", folder, "--json", folder / "figures.json"]
    command = [sys.executable, "-c", script, "reproduce", "budget", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    return folder, done.stdout, json.loads((folder / "figures.json").read_text())


def test_report_needs_nothing_but_itself(small_run: tuple[Path, str, dict[str, Any]]) -> None:
    folder, said, _ = small_run
    report = folder.resolve() / "elbowroom-budget.html"
    assert said.splitlines()[-1] == str(report)
    reader = Reader()
    page = report.read_text(encoding="utf-8")
    reader.feed(page)
    assert all(link.startswith(("data:image/png;base64,", "#")) for link in reader.links)
    assert not {"script", "link", "iframe"} & set(reader.tags)
    assert reader.tags.count("section") == len(reproduce.paper("budget").chapters) == 8
    assert len(reader.alts) == 10 and all(reader.alts)
    assert "Table 2 (b): with priority, best-first" in page and "52,772" in page


def test_figures_hold_every_number(small_run: tuple[Path, str, dict[str, Any]]) -> None:
    _, said, figures = small_run
    assert figures["settings"]["checks"] == CHECKS
    depths, differences, troughs, table1, table2, contradiction, calibrated, covered = figures["chapters"]
    assert len(depths["figures"]["mean"]) == 100 and len(differences["figures"]["unchanged"]) == 99
    assert troughs["figures"]["in_lowest"] == 1.0
    papers = {row["what"]: row["paper"] for row in table1["comparisons"]}
    assert papers["200 tests: best-first"] == 3.58 and papers["1000 tests: depth-first"] == 53.45
    ahead = [row["ours"] for row in table1["comparisons"] if row["what"].endswith("less depth-first")]
    assert len(ahead) == 5 and min(ahead) > 0
    bins = table2["figures"]["bins"]
    assert sum(bins[BEST]["free"]) == sum(bins[DEPTH]["free"]) > 0
    assert table2["figures"]["recording"]["checks"] == pytest.approx(CHECKS, rel=0.2)
    assert len(contradiction["figures"]["guesses"]) == 10
    for name in ("roadmap", "paths"):
        assert set(calibrated["figures"][name]) == set(METHODS)
    assert all(None not in calls for calls in covered["figures"]["calls"][AUTO])
    for chapter in figures["chapters"]:
        for row in chapter["comparisons"]:
            assert np.isfinite(row["ours"]) and row["verdict"]
            assert row["what"].split(":")[0] in said


def test_wrong_settings_are_named(ask: Ask) -> None:
    assert "--checks: must be at least 5,000, got 10" in complaint(
        ask("reproduce", "budget", "--checks", "10")
    )
    assert "--nodes: not supported for 'budget'" in complaint(ask("reproduce", "budget", "--nodes", "500"))
    assert "--checks: not supported for 'cab'" in complaint(ask("reproduce", "cab", "--checks", "9000"))
