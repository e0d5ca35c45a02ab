"""The reproduction of the paper on motions: its numbers, its bounds, counts that agree, and a small run."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from test_reproduce import Reader, complaint

import elbowroom as er
from elbowroom import reproduce, scenes
from elbowroom.reproduce import motion_first, motion_hourglass, motion_metric, motion_open, motion_table
from elbowroom.reproduce.findings import Comparison
from elbowroom.reproduce.motion_check import Bound, Rule, check
from elbowroom.reproduce.motion_growth import sliding
from elbowroom.reproduce.motion_paint import bars_from_zero, ellipsoid, growth_over_nodes, mapped, paint_tree
from elbowroom.reproduce.motion_tree import HOOKS, METHODS, Connections, Tally, compare, grow, hook, measure
from elbowroom.reproduce.motion_tree import obstacles as tetrahedra
from elbowroom.reproduce.motion_variants import trial

pytestmark = pytest.mark.reproduce

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def world() -> er.Group:
    return tetrahedra()


@pytest.fixture(scope="module")
def connections(world: er.Group) -> Connections:
    return grow(er.MotionChecker(hook(), world), 1_000)


@pytest.fixture(scope="module")
def tallies(world: er.Group, connections: Connections) -> dict[str, Tally]:
    return {method: measure(hook(), world, connections, method) for method in METHODS}


def random_motion(rng: np.random.Generator) -> er.Motion:
    return er.Motion(*scenes.hook_poses(2, int(rng.integers(1 << 30))))


# What the paper printed.


def test_the_printed_rows_add_up_and_the_text_s_percentage_does_not_fit() -> None:
    every, free, failed = (motion_table.PRINTED[which] for which in motion_table.WHICH)
    for column in ("connections", "standard", "hourglass"):
        assert getattr(every, column) == getattr(free, column) + getattr(failed, column)
    for row in motion_table.PRINTED.values():
        cut_off = math.floor(1_000 * (1 - row.hourglass / row.standard)) / 10
        assert cut_off == row.fewer != 23.9


def test_verdicts_on_savings() -> None:
    assert motion_table.judge_saving(20.0, 23.2, "why") == "reproduced"
    assert motion_table.judge_saving(70.0, 23.2, "why") == "better: fewer still"
    assert motion_table.judge_saving(10.0, 23.2, "why") == "differs: why"


def test_only_a_tree_of_the_paper_s_size_is_judged() -> None:
    found = [Comparison("share", 0.7, 0.5, "differs: why"), Comparison("ratio", 0.3, None, "reproduced")]
    assert motion_table.of_size(10_000, found) == found
    small = motion_table.of_size(500, found)
    assert {row.verdict for row in small} == {"not comparable: 500 nodes, in the paper 10,000"}
    assert [(row.what, row.ours, row.paper) for row in small] == [("share", 0.7, 0.5), ("ratio", 0.3, None)]


# Bounds.


@pytest.mark.parametrize("chord", [False, True])
def test_the_ball_of_the_python_check_is_the_standard_bound(chord: bool) -> None:
    rng = np.random.default_rng(1)
    for _ in range(30):
        motion, time = random_motion(rng), float(rng.uniform(0.01, 0.5))
        bound = Bound(Rule(directed=False, chord=chord), motion, 5.0)
        assert bound.size(time, 0.5) == pytest.approx(motion.standard_bound(5.0, time, chord=chord))


@pytest.mark.parametrize("rule", motion_open.RULES.values(), ids=motion_open.RULES)
def test_no_point_of_a_body_gets_farther_than_a_bound_says(rule: Rule) -> None:
    rng, body = np.random.default_rng(2), hook()
    points = np.concatenate([er.Pose.from_matrix(pose).apply(box._points) for box, pose in body.members])
    for _ in range(40):
        motion = random_motion(rng)
        bound = Bound(rule, motion, motion.radius(body, about=rule.about))
        half, share = float(rng.uniform(0.02, 0.5)), float(rng.uniform(0.05, 1.0))
        linear = bound.linear(half)
        moved = motion.at(0.5 + share * half * 0.999).apply(points) - motion.at(0.5).apply(points)
        lengths = np.linalg.norm(moved if linear is None else moved @ linear.T, axis=1)
        assert lengths.max() <= bound.size(share * half, half) * (1 + 1e-9)
        proved = bound.proved(float(lengths.max()), half)
        assert proved <= share * half * (1 + 1e-6)  # that distance would not prove more than was moved


@pytest.mark.parametrize("directed", [False, True])
def test_smaller_radii_and_chords_prove_more(directed: bool) -> None:
    rng, body = np.random.default_rng(3), hook()
    for _ in range(30):
        motion, half = random_motion(rng), 0.5
        wide, narrow = motion.radius(body), motion.radius(body, about="axis")
        sizes = [
            Bound(Rule(directed, chord=chord), motion, radius).swing(half)
            for radius, chord in ((wide, False), (narrow, False), (narrow, True))
        ]
        assert sizes[0] >= sizes[1] > sizes[2]


# The check in Python and the core.


@pytest.mark.parametrize(("name", "method"), motion_open.CORE.items())
def test_python_and_the_core_count_the_same(
    name: str, method: str, world: er.Group, connections: Connections, tallies: dict[str, Tally]
) -> None:
    some = motion_open.spread(connections, 150)
    which = np.linspace(0, len(connections) - 1, 150).round().astype(int)
    counted = motion_open.count(motion_open.RULES[name], hook(), world, some)
    by_core = tallies[method].calls[which]  # takes rounding off, which may leave a sliver for one more look
    assert (by_core != counted).mean() <= 0.02
    assert np.abs(by_core - counted).max() <= 1
    assert counted.min() == 1 < counted.max()


def test_the_python_check_knows_contacts_and_motions_that_are_none() -> None:
    ball, wall, still = er.Sphere(1.0), er.Box([1.0, 10.0, 10.0]), er.Pose(translation=[3.0, 0, 0])
    through = er.Motion(er.Pose(translation=[-3.0, 0, 0]), still)
    for rule in motion_open.RULES.values():
        assert check(rule, ball, wall, through).free is False
        assert check(rule, ball, wall, er.Motion(still, still)).free is True
        assert check(rule, ball, wall, er.Motion(er.Pose(), er.Pose())).free is False
        grazing = er.Motion(er.Pose(translation=[1.5, -3.0, 0]), er.Pose(translation=[1.5, 3.0, 0]))
        assert check(rule, ball, wall, grazing).free is not True


def test_a_rule_that_proves_too_much_is_an_error(world: er.Group, connections: Connections) -> None:
    wrong = Connections(connections.starts, connections.goals, ~connections.free)
    with pytest.raises(RuntimeError, match="disagrees on connection 0"):
        motion_open.count(Rule(directed=False), hook(), world, wrong)


# Trees and tallies.


def test_a_tree_has_the_nodes_that_were_asked_for(world: er.Group, connections: Connections) -> None:
    assert connections.nodes[-1] == 1_000 == 1 + connections.free.sum()
    assert connections.free[-1] and len(connections) > 2_000
    assert np.array_equal(connections.starts[0], scenes.hook_root())
    again = grow(er.MotionChecker(hook(), world), 50)
    assert np.array_equal(again.goals, connections.goals[: len(again)])
    assert not np.array_equal(grow(er.MotionChecker(hook(), world), 50, seed=5).goals[0], again.goals[0])
    # The nearest by position: no earlier node is nearer than the one a connection starts from.
    k = len(connections) - 1
    earlier = connections.goals[:k][connections.free[:k], :3, 3]
    nearest = np.linalg.norm(earlier - connections.goals[k, :3, 3], axis=1).min()
    assert connections.lengths[k] == pytest.approx(nearest)


def test_no_connection_that_is_kept_collides(world: er.Group, connections: Connections) -> None:
    body, times = hook(), np.linspace(0, 1, 40)
    kept = np.flatnonzero(connections.free)[::10]
    for k in kept:
        motion = er.Motion(connections.starts[k], connections.goals[k])
        assert not er.collide(body, world, pose_a=motion.at(times)).hits.any()


def test_methods_agree_and_contradictions_are_errors(tallies: dict[str, Tally]) -> None:
    compare(tallies)
    good = tallies["auto"]
    parts = vars(good) | {"proved": ~good.proved, "refuted": ~good.refuted}
    with pytest.raises(RuntimeError, match="auto, careless disagree on"):
        compare({"auto": good, "careless": Tally(**parts)})


def test_tallies_add_up(connections: Connections, tallies: dict[str, Tally]) -> None:
    for tally in tallies.values():
        for what in motion_table.WORK:
            every, free, failed = tally.of(what)
            assert every == free + failed and min(free, failed) > 0
        assert tally.of("calls")[0] == tally.calls.sum() and (tally.calls >= 1).all()
        assert tally.total_seconds == sum(tally.seconds) > 0
        assert np.array_equal(tally.proved | tally.refuted, np.ones(len(connections), dtype=bool))


def test_the_conclusions_of_the_paper_hold_on_a_small_tree(tallies: dict[str, Tally]) -> None:
    every, free, failed = motion_table.fewer(tallies["hourglass"], tallies["isotropic"])
    assert 15 < every < 35 and 20 < free < 45 and failed < free
    about = motion_table.fewer(tallies["hourglass-axis"], tallies["isotropic"])
    auto = motion_table.fewer(tallies["auto"], tallies["isotropic"])
    assert every < about[0] < auto[0]
    assert min(auto) > 40 and auto[0] > 60
    assert motion_table.fewer(tallies["auto"], tallies["isotropic"], "volume_tests")[0] > 40


def test_a_wider_hook_fails_more_often_and_one_about_its_ball_needs_fewer_calls() -> None:
    trials = {name: trial(name, 600) for name in ("0.2, corner", "0.5, corner", "0.4, ball", "0.4, corner")}
    assert trials["0.5, corner"].connections[0] > trials["0.2, corner"].connections[0]
    ball, corner = (trials[name].tallies["isotropic"] for name in ("0.4, ball", "0.4, corner"))
    assert ball.of("calls")[1] < 0.9 * corner.of("calls")[1]
    assert len(HOOKS) == 6 and {len(hook(name)) for name in HOOKS} == {2}


def test_means_slide() -> None:
    assert sliding(np.arange(5.0), 2).tolist() == [0.5, 1.5, 2.5, 3.5]
    assert sliding(np.array([1.0, 3.0]), 100).tolist() == [2.0]


# The hourglass, its metric, and Figure 1.


def test_the_ellipsoid_is_three_root_three_times_the_hourglass() -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        shift = rng.uniform(-2, 2, 3)
        shift[2] = rng.uniform(1.0, 2.0)
        motion = motion_hourglass.motion_of(tuple(shift), float(rng.uniform(0.2, 3.0)))
        linear = motion.hourglass(motion_hourglass.RADIUS)
        assert motion_hourglass.volume_ratio(motion, linear) == pytest.approx(3 * math.sqrt(3), rel=1e-6)
        assert motion_hourglass.farthest(motion, linear) <= 1 + 1e-9


def test_a_small_value_is_not_safe_and_the_library_is() -> None:
    flat = motion_hourglass.motion_of((1.0, 0.0, 0.0), 0.5)
    naive = motion_hourglass.as_printed(flat, 1e-6)
    assert motion_hourglass.farthest(flat, naive) == pytest.approx(2.449, abs=1e-3)
    assert motion_hourglass.farthest(flat, flat.hourglass(1.0)) <= 1 + 1e-9
    upright = motion_hourglass.motion_of((0.3, -0.4, 1.5), 0.5)
    printed = motion_hourglass.as_printed(upright, 1e-6)
    ours = upright.hourglass(motion_hourglass.RADIUS)
    assert printed.T @ printed == pytest.approx(ours.T @ ours, rel=1e-9)  # the same but for a rotation


def test_figure_1_has_its_counts() -> None:
    found = motion_first.run(reproduce.Settings(), lambda _: None)
    verdicts = {row.what: (row.ours, row.verdict.split(":")[0]) for row in found.comparisons}
    assert verdicts["Figure 1: isotropic, calls"] == (9, "reproduced")
    assert verdicts["Figure 1: hourglass, calls"] == (3, "reproduced")
    assert verdicts["Figure 1: auto, calls"][1] == "better"
    assert motion_first._comparison("hourglass", 4).verdict == "differs: the scene is ours"
    assert motion_first._comparison("auto", 3).verdict.startswith("not in the paper")


def test_the_volume_alone_is_a_bad_metric(world: er.Group) -> None:
    body = hook()
    chosen = motion_metric.metrics(er.Motion(er.Pose(), er.Pose()).radius(body))
    position, volume = (
        motion_metric.grow(body, world, 300, chosen[name])
        for name in (motion_metric.POSITION, motion_metric.VOLUME)
    )
    assert volume.free < 0.6 * position.free and volume.length > position.length
    assert motion_metric._comparison(motion_metric.VOLUME, volume, position).verdict.startswith("differs")
    assert motion_metric._comparison("other", position, volume).verdict.startswith("better")


# Pictures.


def test_a_tree_is_painted_with_a_line_for_each_motion(connections: Connections) -> None:
    axes = Figure().add_subplot()
    ends = np.stack([connections.starts[:, :3, 3], connections.goals[:, :3, 3]], axis=1)[connections.free]
    paint_tree(axes, ends, scenes.tetrahedra()[:20])
    faces, lines = axes.collections
    assert len(lines.get_segments()) == len(ends) and len(faces.get_paths()) == 80


def test_an_ellipsoid_is_a_ball_in_the_space_of_its_map() -> None:
    linear, centre = np.array([[2.0, 0.3, 0], [0, 0.5, 0.1], [0, 0, 1.5]]), np.array([1.0, -2.0, 3.0])
    points = ellipsoid(linear, 0.7, centre).points
    assert np.linalg.norm((points - centre) @ linear.T, axis=1) == pytest.approx(np.full(len(points), 0.7))


def test_bodies_are_mapped_part_by_part(world: er.Group) -> None:
    linear, body, pose = np.diag([2.0, 1.0, 0.5]), hook(), scenes.hook_poses(1)[0]
    parts = er.Group([(part, None) for part in mapped(body, pose, linear)])
    plate = er.Group([(part, None) for part in mapped(world, None, linear)])
    expected = er.distance(body, world, pose_a=pose, linear=linear).value
    assert er.distance(parts, plate).value == pytest.approx(expected, rel=1e-9)


def test_plots_show_what_they_are_given() -> None:
    nodes, lengths = np.arange(1.0, 201.0), np.linspace(9.0, 2.0, 101)
    figure = growth_over_nodes(
        nodes, {"isotropic": 5 * nodes, "auto": nodes}, lengths, {"isotropic": (200, 900)}
    )
    left, right = figure.axes
    assert [len(line.get_xdata()) for line in left.lines] == [200, 200, 1]
    assert right.lines[0].get_xdata()[0] == 100.0 and left.get_ylim()[0] == 0.0
    bars = bars_from_zero({"a": {"x": [1.0, 4.0]}, "b": {"x": [100.0, 50.0]}}, ["first", "second"])
    assert [axes.get_ylim()[0] for axes in bars.axes] == [0.0, 0.0]
    form = bars.axes[0].yaxis.get_major_formatter()
    assert [form(x) for x in (0.0, 2.5, 0.1 + 0.2, 12_500.0)] == ["0", "2.5", "0.3", "12,500"]


# A run.


@pytest.fixture(scope="module")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("motion")
    script = "import sys; from elbowroom.cli import main; sys.exit(main())"
    options = ["--nodes", "300", "--out", folder, "--json", folder / "figures.json"]
    command = [sys.executable, "-c", script, "reproduce", "motion", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    return folder, done.stdout, json.loads((folder / "figures.json").read_text())


def test_report_needs_nothing_but_itself(small_run: tuple[Path, str, dict[str, Any]]) -> None:
    folder, said, _ = small_run
    report = folder.resolve() / "elbowroom-motion.html"
    assert said.splitlines()[-1] == str(report)
    reader = Reader()
    reader.feed(report.read_text(encoding="utf-8"))
    assert all(link.startswith(("data:image/png;base64,", "#")) for link in reader.links)
    assert not {"script", "link", "iframe"} & set(reader.tags)
    assert reader.tags.count("section") == len(reproduce.paper("motion").chapters) == 6
    assert len(reader.alts) == 8 and all(reader.alts)
    page = report.read_text(encoding="utf-8")
    assert "(for one connection) of a tree of 300 nodes, " in page and "116,132\u00a0(5.9)" in page


def test_figures_hold_every_number(small_run: tuple[Path, str, dict[str, Any]]) -> None:
    _, said, figures = small_run
    assert figures["settings"]["nodes"] == 300
    first, hourglass, table, variants, left_open, metric = figures["chapters"]
    assert first["figures"]["isotropic"]["calls"] == 9 and len(first["figures"]["hourglass"]["times"]) == 3
    assert hourglass["figures"]["naive"] == pytest.approx(2.449, abs=1e-3)
    papers = {row["what"]: row["paper"] for row in table["comparisons"]}
    for which, percent in (("all", 23.2), ("successful", 29.2), ("failed", 7.7)):
        assert papers[f"{which}: hourglass, % fewer"] == papers[f"{which}: auto, % fewer"] == percent
    for row in table["comparisons"] + variants["comparisons"]:
        assert row["verdict"].startswith(("not comparable: 300 nodes", "not in the paper"))
    assert "10,000" not in table["title"]
    papers = {row["what"]: row["paper"] for row in variants["comparisons"]}
    assert papers["0.4, corner: % failed"] == pytest.approx(49.5, abs=0.1)
    unlike = [row for row in left_open["comparisons"] if row["what"].endswith("counts unlike Python's")]
    assert len(unlike) == 3
    for row in unlike:
        assert (row["ours"] == 0) == (row["verdict"] == "reproduced: exactly")
    assert set(table["figures"]) == set(METHODS)
    assert set(variants["figures"]["hooks"]) == set(HOOKS) and len(variants["figures"]["seeds"]) == 3
    assert set(left_open["figures"]) == set(motion_open.RULES)
    assert 20 < metric["figures"]["position"]["nodes"] <= 60
    for chapter in figures["chapters"]:
        for row in chapter["comparisons"]:
            assert np.isfinite(row["ours"]) and row["verdict"]
            assert row["what"].split(":")[0] in said


def test_wrong_settings_are_named(ask: Ask) -> None:
    assert "--nodes: must be at least 100, got 5" in complaint(ask("reproduce", "motion", "--nodes", "5"))
    assert "--steps: not supported for 'motion'" in complaint(ask("reproduce", "motion", "--steps", "7"))
    assert "--nodes: not supported for 'cab'" in complaint(ask("reproduce", "cab", "--nodes", "500"))
