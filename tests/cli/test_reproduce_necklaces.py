"""The reproduction of the necklace paper: its table as printed, counts that are exact, and a run."""

from __future__ import annotations

import io
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
from peptide import pdb_text, peptide, renamed
from PIL import Image
from test_reproduce import Reader, complaint

import elbowroom as er
from elbowroom import reproduce, scenes
from elbowroom.cli.report import figure
from elbowroom.pictures.exhibits import Picture
from elbowroom.reproduce import Settings, necklaces_bounds, necklaces_motion, necklaces_times
from elbowroom.reproduce.necklaces_counts import Beads, children, count, open_both
from elbowroom.reproduce.necklaces_paint import paint_flat, rolled_up
from elbowroom.reproduce.necklaces_table import COLUMNS, ROWS, Row, backbone, models, same_digits, verdict
from elbowroom.reproduce.plots import slope

pytestmark = pytest.mark.reproduce

Ask = Callable[..., tuple[int, str, str]]
BY_NAME = {row.name: row for row in ROWS}
MISPRINTED = ("(c) grill, 63 beads", "(e) static, 400")


def thin(positions: np.ndarray) -> Beads:
    return Beads(positions, 0.01 * float(np.linalg.norm(positions[1] - positions[0])))


# What the paper printed.


def leaves_per_cage(n: int) -> float:
    """Beads below a cage on average, in a tree that halves as long as there are more than three."""
    sizes, below = [n], [n]
    while below:
        below = [half for size in below if size > 3 for half in (size // 2, size - size // 2)]
        sizes += below
    return sum(sizes) / len(sizes)


@pytest.mark.parametrize("row", ROWS, ids=BY_NAME)
def test_the_printed_naive_tests_are_the_beads_below_a_cage(row: Row) -> None:
    n = len(row.make(Settings()).positions)
    assert same_digits(leaves_per_cage(n), row.printed[-1]) == (row.name not in MISPRINTED)


def test_the_row_of_the_grill_fits_90_beads_and_not_63() -> None:
    assert [n for n in range(60, 100) if same_digits(leaves_per_cage(n), "8.5")] == [89, 90]


def test_printed_digits_are_cut_off_or_rounded() -> None:
    assert same_digits(13.49, "13") and same_digits(0.9859, ".98") and same_digits(0.9965, "1.0")
    assert not same_digits(14.01, "13") and not same_digits(0.97, ".98")


def test_verdicts() -> None:
    row = BY_NAME["(d) spline, 100"]
    assert verdict(row, "naive tests", 8.676) == "reproduced: in all digits printed"
    assert verdict(row, "naive tests", 8.4).startswith("differs: the tree")
    assert verdict(row, "cascade tests", 6.0) == "reproduced"
    assert (
        verdict(row, "cascade tests", 10.0)
        == verdict(row, "cascade tests", 5.0)
        == "differs: the shape is ours"
    )
    assert verdict(row, "self front", 0.49) == "reproduced: less one for each cage"
    assert verdict(BY_NAME["(e) static, 400"], "naive tests", 11.37).startswith(
        "differs: the row is misprinted"
    )


def test_the_largest_helices_are_in_full_runs_only() -> None:
    short, full = (models(Settings(full=full)) for full in (False, True))
    assert len(full) - len(short) == 2 and len(full) == len(ROWS)
    assert not any("25k" in row.name for row in short)


# Counts.


@pytest.mark.parametrize(
    ("n", "cages"), [(51, 37), (500, 487), (90, 63), (100, 71), (1600, 1151), (25_600, 18_431)]
)
def test_cages_are_as_many_as_in_the_paper(n: int, cages: int) -> None:
    necklace = er.Necklace(scenes.spiral(n, 1)[0], 0.01, cages="wrapped")
    assert len(necklace.cage_ranges()) == cages == necklace.counters.cages


@pytest.mark.parametrize("n", [2, 3, 4, 5, 51, 64, 100])
def test_children_are_below_their_cage_and_nothing_else(n: int) -> None:
    ranges = er.Necklace(scenes.rod(n), 0.1, cages="wrapped").cage_ranges()
    everything = np.concatenate([ranges, np.stack([np.arange(n), np.arange(1, n + 1)], axis=1)])
    for (first, end), row in zip(ranges, children(ranges), strict=True):
        parts = everything[row[row >= 0]]
        assert parts[0, 0] == first and parts[-1, 1] == end
        assert (parts[1:, 0] == parts[:-1, 1]).all() and len(parts) >= 2


def by_recursion(beads: Beads) -> tuple[int, int, int]:
    """Tests, pairs apart and undecided pairs, one pair after the other."""
    necklace = beads.necklace()
    balls, ranges = necklace.cage_balls(), necklace.cage_ranges()
    below, m = children(ranges), len(ranges)
    found = [0, 0, 0]

    def ball(item: int) -> tuple[np.ndarray, float]:
        if item < m:
            return balls[item, :-1], balls[item, -1]
        return beads.positions[item - m], beads.radius

    def visit(a: int, b: int) -> None:
        if a >= m and b >= m and abs(a - b) <= 1:
            return
        found[0] += 1
        (p, r), (q, s) = ball(a), ball(b)
        if ((p - q) ** 2).sum() >= (r + s) ** 2:
            found[1] += 1
            return
        lowest = [x >= m or (not beads.open_lowest and below[x, 0] >= m) for x in (a, b)]
        if all(lowest):
            found[2] += 1
            return
        for x in [a] if a >= m else below[a][below[a] >= 0]:
            for y in [b] if b >= m else below[b][below[b] >= 0]:
                visit(int(x), int(y))

    for row in below:
        if row[0] < m:
            visit(int(row[0]), int(row[1]))
    return found[0], found[1], found[2]


@pytest.mark.parametrize("open_lowest", [True, False])
@pytest.mark.parametrize(
    "make", [lambda: scenes.helix(100), lambda: scenes.hairpin(1)[0], lambda: scenes.grill(70)]
)
def test_opening_both_counts_what_recursion_counts(make: Callable[[], np.ndarray], open_lowest: bool) -> None:
    positions = make()
    for share in (0.01, 0.4, 1.2):
        beads = Beads(positions, share * float(np.linalg.norm(positions[1] - positions[0])), open_lowest)
        assert open_both(beads) == by_recursion(beads)


@pytest.mark.parametrize(("n", "pairs"), [(100, 35), (400, 143), (1_600, 575)])
def test_a_smooth_spline_is_separated_by_its_sibling_cages(n: int, pairs: int) -> None:
    counts = count(thin(scenes.spline(n)))
    assert (counts.opened_both, counts.apart, counts.undecided) == (pairs, pairs, 0)
    assert counts.with_children == pairs and counts.cages == 2 * pairs + 1
    assert counts.columns()[0] == pytest.approx((counts.cages - 1) / counts.cages)


def test_a_straight_line_has_the_papers_243_pairs_and_its_spiral_nearly_2868() -> None:
    spiral = scenes.spiral()
    line, rolled = count(thin(spiral[0])), count(thin(spiral[-1]))
    assert (line.apart, line.own_pairs) == (243, 255)
    assert rolled.apart == pytest.approx(2_868, rel=0.02)
    assert rolled.columns()[0] == pytest.approx(8.1, abs=0.15)


@pytest.mark.parametrize(
    ("n", "turns", "tests", "front"), [(400, 20, 28, 22), (1_600, 40, 41, 32), (6_400, 160, 166, 130)]
)
def test_scaling_helices_have_the_papers_tests(n: int, turns: float, tests: float, front: float) -> None:
    ours = count(thin(scenes.helix(n, turns))).columns()
    assert ours[:2] == pytest.approx((tests, front), rel=0.06)


def test_self_tests_grow_with_n_squared_at_forty_beads_a_turn_and_not_with_sqrt_n_turns() -> None:
    sizes = [1_600, 6_400]
    wound = [open_both(thin(scenes.helix(n, n / 40)))[0] for n in sizes]
    loose = [open_both(thin(scenes.helix(n, math.sqrt(n))))[0] for n in sizes]
    assert slope(sizes, wound) == pytest.approx(2.0, abs=0.1)
    assert slope(sizes, loose) < 1.3


def test_most_cells_are_reproduced() -> None:
    settings, verdicts = Settings(), []
    for row in models(settings):
        if row.name.startswith(("(e) sqrt", "(c) grill, 63")):
            continue
        columns = count(row.make(settings)).columns()
        verdicts += [verdict(row, column, ours) for column, ours in zip(COLUMNS, columns, strict=True)]
    missed = [words for words in verdicts if words.startswith("differs")]
    assert len(verdicts) == 80 and len(missed) <= 8


# Proteins from files.


def test_a_backbone_is_read_from_the_first_chain(tmp_path: Path) -> None:
    first, second = peptide(["ALA"] * 12), renamed(peptide(["GLY"] * 5), chain="B")
    file = tmp_path / "1a4y_made.pdb"
    file.write_text(pdb_text([*first, *second]))
    positions = backbone(file)
    assert positions.shape == (36, 3)
    assert BY_NAME["(a) horseshoe"].make(Settings(pdb=(file,))).positions == pytest.approx(positions)
    assert len(BY_NAME["(b) globular"].make(Settings(pdb=(file,))).positions) == 1089


def test_files_of_other_proteins_are_refused(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "2abc.pdb"
    file.write_text(pdb_text(peptide(["ALA"] * 12)))
    assert "begins with none of 1A4Y, 1CEM" in complaint(ask("reproduce", "necklaces", "--pdb", file))
    assert "not supported for 'necklaces'" in complaint(ask("reproduce", "necklaces", "--frames", "100"))


# Motions, bounds, times.


def test_cages_are_far_more_stable_than_the_power_diagram() -> None:
    story = necklaces_motion.follow(scenes.hairpin(), 2.0)
    changes, events = int(story.basis_changes.sum()), int(story.events.sum())
    assert 14 <= changes <= 25  # the paper: 19
    assert events == pytest.approx(1_500, rel=1 / 3)
    assert story.edges == pytest.approx(300, rel=0.1) and story.triangles == pytest.approx(450, rel=0.1)


def test_the_spiral_ends_with_the_papers_triangulation() -> None:
    story = necklaces_motion.follow(scenes.spiral(500, 20), 0.01)
    assert story.pairs[0] == 255 and len(story.pairs) == 20
    # Euler's formula holds for the paper's numbers, and for ours.
    assert 1_425 == 500 + 926 - 1 and story.edges == 500 + story.triangles - 1
    assert story.edges == pytest.approx(1_425, rel=0.03)


def test_triangles_are_counted_once() -> None:
    assert necklaces_motion.triangles(np.array([[0, 1, 2], [1, 2, 3]], dtype=np.int32)) == 2
    assert necklaces_motion.triangles(np.array([[0, 1, 2, 3], [4, 3, 2, 1]], dtype=np.int32)) == 7
    assert necklaces_motion.triangles(np.array([[0, 1], [1, 2]], dtype=np.int32)) == 0


def test_layered_roots_reach_their_bound_and_do_not_pass_it() -> None:
    assert necklaces_bounds.looseness(scenes.sqrt_log(7)) == pytest.approx(math.sqrt(7), rel=1e-12)
    assert necklaces_bounds.looseness(scenes.sqrt_log(7)) / necklaces_bounds.bound(128) == pytest.approx(1.0)
    assert 0.5 < necklaces_bounds.nearest_to_bound(60) <= 1.0


def test_grids_grow_as_the_theorem_says() -> None:
    plane = necklaces_bounds.pairs_on_grids(2, (16, 32, 64))
    space = necklaces_bounds.pairs_on_grids(3, (8, 16))
    assert slope(*plane) == pytest.approx(slope(plane[0], [n * math.log2(n) for n in plane[0]]), abs=0.08)
    assert slope(*space) == pytest.approx(4 / 3, abs=0.1)


def test_times_are_positive_and_name_all_that_the_paper_times() -> None:
    times = necklaces_times.measure(Beads(scenes.spline(50), 0.01), repeats=2)
    assert all(0 < seconds < 1 for seconds in vars(times).values())
    assert {part for _, printed in necklaces_times.PAPER_SECONDS.values() for part in printed} <= set(
        vars(times)
    )


# Pictures.


def test_cages_are_painted_as_circles_around_their_beads() -> None:
    axes = Figure().add_subplot()
    cages = np.array([[0.0, 0.0, 2.0], [3.0, 0.0, 1.5]])
    paint_flat(axes, np.array([[0.0, 0.0], [3.0, 0.0]]), 0.25, cages=[cages])
    drawn, beads = axes.collections
    assert drawn.get_offsets() == pytest.approx(cages[:, :2]) and drawn.get_widths() == pytest.approx(
        [4.0, 3.0]
    )
    assert beads.get_widths() == pytest.approx([0.5, 0.5])


def test_a_film_has_as_many_frames_as_asked_for_and_stands_in_the_report() -> None:
    film = rolled_up(scenes.spiral(60, 3), 0.4, size=1.0)
    with Image.open(io.BytesIO(film)) as opened:
        assert (opened.format, opened.n_frames) == ("GIF", 3)
    assert 'src="data:image/gif;base64,R0lGOD' in figure(Picture(film, "a film", "It moves."))


# A run.


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("necklaces")
    script = "import sys; from elbowroom.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", script, "reproduce", "necklaces", "--out", folder]
    done = subprocess.run(
        [*command, "--json", folder / "figures.json"], capture_output=True, text=True, timeout=600
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder, done.stdout, json.loads((folder / "figures.json").read_text())


def test_report_needs_nothing_but_itself(whole_run: tuple[Path, str, dict[str, Any]]) -> None:
    folder, said, _ = whole_run
    report = folder.resolve() / "elbowroom-necklaces.html"
    assert said.splitlines()[-1] == str(report)
    reader = Reader()
    reader.feed(report.read_text(encoding="utf-8"))
    assert all(link.startswith(("data:image/", "#")) for link in reader.links)
    assert not {"script", "link", "iframe"} & set(reader.tags)
    assert reader.tags.count("section") == len(reproduce.paper("necklaces").chapters) == 5
    assert len(reader.alts) == 9 and all(reader.alts)


def test_figures_hold_every_number(whole_run: tuple[Path, str, dict[str, Any]]) -> None:
    _, said, figures = whole_run
    table, sets, motion, bounds, times = figures["chapters"]
    assert len(table["comparisons"]) == 5 * len(models(Settings()))
    assert sets["figures"]["cages"] == {"51": 37, "500": 487}
    exact = {row["what"]: (row["ours"], row["paper"]) for row in sets["comparisons"]}
    assert exact["(d) spline, 1600: pairs"] == (575, 575) and exact["(g) line: pairs"] == (243, 243)
    assert set(motion["figures"]) == {"(f) hairpin", "(g) spiral"}
    assert bounds["figures"]["ratios"]["4"] == pytest.approx(2.0)
    assert set(times["figures"]["seconds"]) == set(necklaces_times.PAPER_SECONDS)
    for chapter in figures["chapters"]:
        for row in chapter["comparisons"]:
            assert np.isfinite(row["ours"]) and row["ours"] >= 0 and row["verdict"]
            assert row["what"].split(":")[0] in said
