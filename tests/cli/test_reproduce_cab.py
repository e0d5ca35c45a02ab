"""The reproduction of the CAB paper: its tables as printed, verdicts, turning points, and a short run."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_reproduce import Reader

import elbowroom as er
from elbowroom import reproduce, scenes
from elbowroom.pictures.links import RED, placed_boxes, placed_links
from elbowroom.reproduce import Settings, cab, cab_boxes, cab_costs, cab_measure
from elbowroom.reproduce.cab_measure import Tally
from elbowroom.reproduce.cab_tables import EXPERIMENTS, PAPERS_OWN, REFITS, Cast, Experiment

pytestmark = pytest.mark.reproduce

NAMES = [experiment.name for experiment in EXPERIMENTS]


def tally(exact: int = 10, update: float = 1.0, test: float = 1.0, query: float = 1.0) -> Tally:
    return Tally(5, exact, 2, (9.0, 9.0 + update, 9.0 + update + test, 9.0 + update + test + query))


# What the paper printed.


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=NAMES)
def test_the_printed_tables_are_consistent(experiment: Experiment) -> None:
    rows = experiment.rows
    assert tuple(rows) == PAPERS_OWN
    for name, row in rows.items():
        # "Times are rounded to two decimal places and do not always add up exactly." One is a slip.
        total = 15.49 if (experiment.number, name) == (1, "AABB*") else row.total
        assert row.query + row.update + row.test == pytest.approx(total, abs=0.025)
    assert len({row.exact - row.false for row in rows.values()}) == 1
    assert rows["OBB"][:2] == rows["CAB"][:2]
    pairs = 18 * 4 if experiment.number == 5 else 16 * 15 // 2
    assert rows["brute"].exact == pairs * experiment.frames


def test_the_printed_gains_are_not_2_on_average() -> None:
    gains = [e.rows["OBB"].total / e.rows["CAB"].total for e in EXPERIMENTS]
    assert [round(gain, 2) for gain in gains] == [1.93, 1.87, 1.97, 1.57, 1.39]
    assert np.mean(gains) == pytest.approx(1.75, abs=0.005)


# Turning points and verdicts.


def test_two_methods_are_equal_at_their_turning_point() -> None:
    few, many = tally(exact=10, update=7.0, test=2.0), tally(exact=60, update=1.0, test=3.0)
    cost = cab_costs.turning_point(few, many)
    assert cost is not None
    assert 7.0 + 2.0 + 10 * cost == pytest.approx(1.0 + 3.0 + 60 * cost)
    assert cab_costs.turning_point(few, tally(exact=60, update=70.0)) == 0.0
    assert cab_costs.turning_point(many, few) is None


def test_an_exact_query_that_cab_spares_took_23_to_25_microseconds_in_the_paper() -> None:
    costs = [1e6 * cab_costs.spared(e.rows["CAB"], e.rows["AABB*"]) for e in EXPERIMENTS]
    assert [round(cost) for cost in costs] == [23, 23, 25, 25, 193]
    assert [cab_costs.turning_point(e.rows["CAB"], e.rows["AABB*"]) for e in EXPERIMENTS] == [0.0] * 5


def test_verdicts_on_what_cab_gains() -> None:
    assert cab.gain(1.5, 2.0, "less", "more") == cab.gain(2.6, 2.0, "less", "more") == "reproduced"
    assert cab.gain(2.7, 2.0, "less", "more") == "better: more"
    assert cab.gain(1.4, 2.0, "less", "more") == "differs: less"


def halved(even: Tally, odd: Tally) -> Tally:
    return replace(even.best(odd), halves=(even, odd))


def test_what_even_and_odd_repeats_do_not_agree_on_is_noise() -> None:
    calm = halved(tally(update=1.0), tally(update=1.1))
    assert calm.part("update") == 1.0 and calm.figures()["noise"] == []
    noisy = halved(tally(update=1.0), tally(update=1.2))
    assert noisy.part("update") is None and noisy.part("test") is not None
    nothing = halved(tally(update=1.0), tally(update=0.0))
    assert nothing.part("update") is None and nothing.figures()["noise"] == ["update", "total"]


def test_noise_gives_no_verdict_and_what_is_not_positive_no_number() -> None:
    calm = halved(tally(), tally())
    by = dict.fromkeys(REFITS, calm) | {"OBB": halved(tally(update=5.0), tally(update=9.0))}
    rows = {row.what: row for row in cab._time_comparisons(EXPERIMENTS[0], by)}
    assert rows["3:1: OBB / CAB, update"].verdict.startswith("noise")
    assert rows["3:1: AABB* / CAB, all"].verdict.startswith("differs")
    by["CAB"] = halved(tally(update=0.0), tally(update=0.0))
    assert "3:1: OBB / CAB, update" not in {row.what for row in cab._time_comparisons(EXPERIMENTS[0], by)}
    assert cab._cell("CAB", by["CAB"], "update") == "noise" and cab._cell("brute", calm, "update") == "none"


def test_counts_of_the_paper_are_scaled_to_the_frames_that_are_run() -> None:
    by = dict.fromkeys(REFITS, replace(tally(exact=3000), frames=300))
    rows = {row.what: row for row in cab._count_comparisons(EXPERIMENTS[0], by)}
    assert (rows["3:1: frames"].ours, rows["3:1: frames"].paper) == (300, 10_000)
    assert rows["3:1: frames"].verdict == "paper's counts scaled to 300"
    assert rows["3:1: collisions"].paper == 6  # 0.03 * 214
    assert rows["3:1: brute, exact queries"].verdict == "differs: the motion is ours"  # fewer, and not better
    whole = dict.fromkeys(REFITS, replace(tally(), frames=10_000))
    first, second, *_ = cab._count_comparisons(EXPERIMENTS[0], whole)
    assert (first.verdict, second.paper) == ("as in the paper", 1_200_000)


def test_who_is_ahead_at_the_cost_of_a_query_here() -> None:
    many = halved(tally(exact=60, update=1.0, test=3.0, query=6.0), tally(exact=60, test=3.0, query=6.0))

    def said(*updates: float) -> str:
        cab_halves = [tally(exact=10, update=update, test=2.0) for update in updates]
        return cab_costs.order({"CAB": halved(*cab_halves), "AABB*": many}, "AABB*")

    # CAB spares 50 queries of 0.1 s each, and its boxes cost `update` - 2 s more.
    assert said(4.0, 4.1).endswith("ours costs 100000.00 µs: CAB ahead")
    assert said(9.0, 9.1).endswith("AABB* ahead")
    assert said(7.0, 7.1).endswith("about equal")
    assert said(1.0, 1.0).startswith("reproduced: at any cost")
    assert said(1.0, 3.0).startswith("noise")


def test_short_runs_are_repeated_more_often() -> None:
    assert [cab_measure.repeats("cab", seconds) for seconds in (1e-4, 0.05, 3.0)] == [40, 10, 6]
    assert [cab_measure.repeats("none", seconds) for seconds in (1e-4, 0.1, 3.0)] == [16, 6, 4]


def test_motions_are_measured_in_pieces_that_add_up() -> None:
    cast = Cast(scenes.swinging_chains(2 * cab_measure.PIECE + 1))
    found = cab_measure.in_turns(cast, {"CAB": "cab"})["CAB"]
    whole, _ = cast.bodies("cab")
    spent = whole.measure()
    assert (found.frames, found.exact, found.hits) == (501, spent["exact"], spent["hits"])
    assert len(found.halves) == 2
    assert found.seconds[3] <= min(half.seconds[3] for half in found.halves)


def test_the_least_time_up_to_each_step_is_kept() -> None:
    best = tally(update=1.0, test=5.0, query=2.0).best(tally(update=3.0, test=4.0, query=0.5))
    assert best.seconds == (9.0, 10.0, 15.0, 16.5)
    assert (best.update, best.test, best.query, best.total) == (1.0, 5.0, 1.5, 7.5)


# Measurements.


@pytest.fixture(scope="module")
def short() -> Settings:
    return Settings(frames=250)


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=NAMES)
def test_refits_differ_in_exact_queries_and_agree_on_collisions(
    experiment: Experiment, short: Settings
) -> None:
    tallies = cab_measure.measure(experiment, short)
    assert set(tallies) == set(REFITS)
    exact = {name: tally.exact for name, tally in tallies.items()}
    assert exact["OBB"] == exact["CAB"] == exact["CAB, sum"] < exact["AABB*"] < exact["brute"]
    assert exact["AABB+"] <= exact["AABB*"]
    assert exact["brute"] == tallies["brute"].frames * (72 if experiment.number == 5 else 120)
    assert len({tally.hits for tally in tallies.values()}) == 1
    assert tallies["brute"].query > 0
    assert all(tally.total > 0 for tally in tallies.values())
    assert cab_measure.measure(experiment, short) is tallies  # shared by the chapters


def test_refits_that_disagree_are_an_error() -> None:
    tallies = {"OBB": tally(), "CAB": Tally(5, 10, 3, (0.0, 1.0, 2.0, 3.0))}
    with pytest.raises(RuntimeError, match="3:1: the refits disagree about the collisions"):
        cab_measure._agree(EXPERIMENTS[0], tallies)


def test_boxes_above_the_links_are_compared_one_by_one() -> None:
    boxes = cab_boxes.volumes(scenes.swinging_chains(20))
    assert len({len(volumes) for volumes in boxes.values()}) == 1
    assert 0 < len(boxes["CAB"]) <= 20 * 15
    assert 0.8 < cab_boxes.larger(boxes, "CAB", "OBB") < 1.25


def test_the_variant_differs_at_sharp_elbows_and_has_larger_boxes() -> None:
    boxes = cab_boxes.elbows(300)
    assert 0 < len(boxes["CAB"]) < 100
    assert 1.02 < cab_boxes.larger(boxes, "CAB, sum", "CAB") < 1.2


def test_a_straight_limb_has_a_tight_box() -> None:
    assert cab_boxes._straight().ours == pytest.approx(1.0)
    (box,) = cab_boxes.elbow((6.0, 3.0), "cab", np.eye(4)[0]).boxes(0)
    assert sorted(2 * np.asarray(box.half)) == pytest.approx([1.0, 1.0, 9.0])


# Pictures and a short run.


def test_links_that_collide_are_red_and_boxes_are_where_the_links_are() -> None:
    limbs = scenes.swinging_chains(1)
    body = er.Articulated(limbs.links, limbs.joints, refit="cab", exclude=None)
    body.move(limbs.motion[0])
    items = placed_links(body, ["#000000"] * 16, {3})
    assert [look.colour == RED for _, _, look in items] == [k == 3 for k in range(16)]
    (box, pose, _), *others = placed_boxes(body.boxes(0))
    assert not others
    middles = np.array([np.asarray(matrix)[:3, 3] for _, matrix, _ in items])
    assert (np.abs(pose.inverse().apply(middles)) <= np.asarray(box.extents) / 2).all()


@pytest.fixture(scope="module")
def short_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("cab")
    script = "import sys; from elbowroom.cli import main; sys.exit(main())"
    options = ["--frames", "250", "--out", folder, "--json", folder / "figures.json"]
    command = [sys.executable, "-c", script, "reproduce", "cab", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    return folder, done.stdout, json.loads((folder / "figures.json").read_text())


def test_report_needs_nothing_but_itself(short_run: tuple[Path, str, dict[str, Any]]) -> None:
    folder, said, _ = short_run
    report = folder.resolve() / "elbowroom-cab.html"
    assert said.splitlines()[-1] == str(report)
    reader = Reader()
    reader.feed(report.read_text(encoding="utf-8"))
    assert all(link.startswith(("data:image/png;base64,", "#")) for link in reader.links)
    assert not {"script", "link", "iframe"} & set(reader.tags)
    assert reader.tags.count("section") == len(reproduce.paper("cab").chapters) == 7
    assert len(reader.alts) == 17 and all(reader.alts)


def test_figures_hold_every_number(short_run: tuple[Path, str, dict[str, Any]]) -> None:
    _, said, figures = short_run
    assert figures["paper"] == "cab" and figures["settings"]["frames"] == 250
    *tables, costs, boxes = figures["chapters"]
    for experiment, chapter in zip(EXPERIMENTS, tables, strict=True):
        assert set(chapter["figures"]) == set(REFITS)
        same = [row for row in chapter["comparisons"] if "OBB less CAB" in row["what"]]
        assert [(row["ours"], row["verdict"]) for row in same] == [(0, "reproduced: equal")]
        assert all(row["what"].startswith(experiment.name) for row in chapter["comparisons"])
    for chapter in figures["chapters"]:
        for row in chapter["comparisons"]:
            assert np.isfinite(row["ours"]) and row["ours"] >= 0 and row["verdict"]
            assert row["what"].split(":")[0] in said
    assert set(costs["figures"]) == set(boxes["figures"]) == set(NAMES)
