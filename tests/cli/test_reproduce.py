"""The reproduction of papers: its command, its verdicts, its walks, and a short run from end to end."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy.spatial import cKDTree

import elbowroom as er
from elbowroom import reproduce, scenes
from elbowroom.reproduce import Settings, chaintree, chaintree_walks, chaintree_worst
from elbowroom.reproduce.findings import judge, judge_exponent
from elbowroom.reproduce.paint import paint_chain
from elbowroom.reproduce.plots import bars, growth, slope

pytestmark = pytest.mark.reproduce

COMPACT = chaintree_walks.Scene("compact", scenes.serpentine(64), 1.0, 1)

Ask = Callable[..., tuple[int, str, str]]


def complaint(answer: tuple[int, str, str]) -> str:
    """The one line on stderr of a command that failed as it should."""
    status, out, err = answer
    assert (status, out, err.count("\n")) == (2, "", 1)
    return err


# The command.


def test_help_has_an_example_and_names_the_papers(ask: Ask) -> None:
    status, out, _ = ask("reproduce", "--help")
    assert status == 0
    assert "elbowroom reproduce chaintree" in out
    options = ("--full", "--json", "--out", "--pdb", "--step", "--frames", "--checks")
    assert all(word in out for word in (*options, *reproduce.PAPERS))


def test_an_unknown_paper_is_told_the_known_ones(ask: Ask) -> None:
    err = complaint(ask("reproduce", "gravity"))
    assert "unknown paper 'gravity'" in err
    assert all(name in err for name in reproduce.PAPERS)
    with pytest.raises(ValueError, match="known: chaintree"):
        reproduce.paper("gravity")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([], "PAPER"),
        (["chaintree", "--step", "0"], "--step"),
        (["chaintree", "--step", "nan"], "--step"),
        (["chaintree", "--steps", "0"], "--steps"),
        (["chaintree", "--pdb", "nowhere.pdb"], "nowhere.pdb"),
        (["chaintree", "--json", "missing/file.json"], "--json"),
        (["chaintree", "--fast"], "--fast"),
        (["chaintree", "--frames", "100"], "--frames: not supported for 'chaintree'"),
        (["cab", "--frames", "0"], "--frames"),
        (["cab", "--steps", "100"], "--steps: not supported for 'cab'"),
    ],
)
def test_wrong_arguments_are_named_before_the_work(ask: Ask, arguments: list[str], named: str) -> None:
    assert named in complaint(ask("reproduce", *arguments))


def test_a_broken_protein_file_is_named(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "1shg.pdb"
    file.write_text("this is no protein\n")
    assert f"--pdb: cannot read '{file}'" in complaint(ask("reproduce", "chaintree", "--pdb", file))


@pytest.mark.parametrize("name", reproduce.PAPERS)
def test_every_paper_can_be_loaded(name: str) -> None:
    paper = reproduce.paper(name)
    assert paper.name == name
    assert paper.title and paper.lead
    assert all(chapter.title and chapter.shows for chapter in paper.chapters)
    assert paper.takes <= set(Settings.__dataclass_fields__)


# Verdicts and plots.


def test_verdicts() -> None:
    assert judge(100, 100, "why", "what") == judge(75, 100, "why", "what") == "reproduced"
    assert judge(74, 100, "why", "what") == "better: why"
    assert judge(134, 100, "why", "what") == "differs: what"
    assert judge_exponent(1.3, 4 / 3, "low", "high") == "reproduced"
    assert judge_exponent(1.0, 4 / 3, "low", "high") == "differs: low"
    assert judge_exponent(1.5, 4 / 3, "low", "high") == "differs: high"


def test_slope_of_a_power_law() -> None:
    sizes = [10.0, 100.0, 1000.0]
    assert slope(sizes, [3 * n ** (4 / 3) for n in sizes]) == pytest.approx(4 / 3)


def test_growth_shows_the_paper_in_the_colour_of_ours() -> None:
    line = ([10.0, 100.0], [5.0, 50.0])
    axes = growth({"tree": line, "tree, paper": line, "grid": line}, ("links", "tests")).axes[0]
    ours, paper, grid = axes.lines
    assert ours.get_color() == paper.get_color() != grid.get_color()
    assert (ours.get_linestyle(), paper.get_linestyle()) == ("-", "--")


def test_bars_have_one_scale() -> None:
    figure = bars({"a": {"x": [1, 10]}, "b": {"x": [100, 1000]}}, ["first", "second"], "µs")
    left, right = figure.axes
    assert left.get_ylim() == right.get_ylim()
    assert left.get_yscale() == "log"
    assert [len(axes.patches) for axes in (left, right)] == [2, 2]


def test_a_chain_is_painted_from_far_to_near_and_bonds_end_at_the_balls() -> None:
    axes = Figure().add_subplot()
    links = np.array([[3.0, 0, 0], [0, 4, 0], [0, 6, 0]])  # the first is nearest to a viewer on the x axis
    paint_chain(axes, links, 1.0, camera=(0.0, 0.0), tube=0.5)
    (discs,) = axes.collections
    widths, right = discs.get_widths(), discs.get_offsets()[:, 0]
    assert widths[-3:] == pytest.approx(widths[-3] * np.array([1.0, 0.86, 0.3]))
    assert widths[-3] == widths.max()
    # Three discs a ball. The last bond is inside its balls; of the first, dots are seen between them.
    balls = [(np.abs(right - right[-3]) < 0.6).sum(), (right > right[-3] + 3.0).sum()]
    assert balls == [3, 6]
    assert 2 <= len(widths) - 9 <= 6


# Walks.


def brute_verdicts(scene: chaintree_walks.Scene, moves: chaintree_walks.Moves) -> list[bool]:
    """The walk by rotating every position, and looking at all pairs of links."""
    here, hits = scene.positions.copy(), []
    for joint, angle in zip(moves.joints, moves.angles, strict=True):
        axis = here[joint + 1] - here[joint]
        axis /= np.linalg.norm(axis)
        beyond = here[joint + 1 :] - here[joint]
        along = np.outer(beyond @ axis, axis)
        there = here.copy()
        turned = np.cos(angle) * (beyond - along) + np.sin(angle) * np.cross(axis, beyond)
        there[joint + 1 :] = here[joint] + along + turned
        pairs = cKDTree(there).query_pairs(2.0, output_type="ndarray")
        hits.append(bool((pairs[:, 1] - pairs[:, 0] > scene.exclude).any()))
        here = here if hits[-1] else there
    return hits


@pytest.mark.parametrize("name", [*chaintree_walks.CHAIN_TREES, *chaintree_walks.REBUILT])
def test_every_structure_walks_like_brute_force(name: str) -> None:
    moves = chaintree_walks.random_moves(64, Settings(steps=300, step=25.0))
    makers = {**chaintree_walks.CHAIN_TREES, **chaintree_walks.REBUILT}
    tally, hits = chaintree_walks.walk(makers[name](COMPACT.positions, COMPACT), moves)
    assert hits.tolist() == brute_verdicts(COMPACT, moves)
    assert tally.tests == 300
    assert 0 < tally.colliding == hits.mean() < 1
    assert tally.leaf_tests > 0 and tally.update_us > 0 and tally.test_us > 0


def test_probing_every_step_counts_what_walking_counts() -> None:
    moves = chaintree_walks.random_moves(64, Settings(steps=120))
    make = chaintree_walks.REBUILT["K-OBBTree"]
    walked, hits = chaintree_walks.walk(make(COMPACT.positions, COMPACT), moves)
    probed, same = chaintree_walks.probe(make, COMPACT, moves, hits, np.arange(120))
    assert same.tolist() == hits.tolist()
    # Positions differ in their last bits, and a tree that is built anew may split them another way.
    assert probed.box_tests == pytest.approx(walked.box_tests, rel=0.02)


def test_moves_are_the_same_every_time_and_within_bounds() -> None:
    first, second = (chaintree_walks.random_moves(50, Settings(steps=500, step=7.0)) for _ in range(2))
    assert np.array_equal(first.joints, second.joints) and np.array_equal(first.angles, second.angles)
    assert first.joints.min() >= 1 and first.joints.max() <= 47
    assert np.abs(first.angles).max() <= np.radians(7.0)


def test_structures_that_disagree_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Careless(er.Chain):
        def collides(self) -> bool:
            super().collides()
            return False

    makers = chaintree_walks.CHAIN_TREES | {"careless": lambda p, scene: Careless(p, scene.radii)}
    monkeypatch.setattr(chaintree_walks, "CHAIN_TREES", makers)
    with pytest.raises(RuntimeError, match="careless and the ChainTree disagree"):
        chaintree_walks.measure(COMPACT, Settings(steps=200, step=25.0), ["ChainTree", "careless"])


# Scenes of the ChainTree paper.


def test_backbones_come_from_files_where_there_are_any(tmp_path: Path) -> None:
    file = tmp_path / "1shg.pdb"
    atoms = zip(scenes.backbone(30), "NCC" * 10, ["N", "CA", "C"] * 10, strict=True)
    lines = []
    for k, ((x, y, z), element, name) in enumerate(atoms):
        place = f"{x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00           {element}"
        lines.append(f"ATOM  {k + 1:5}  {name:<3} ALA A{k // 3 + 1:4}    {place}")
    file.write_text("\n".join([*lines, "END", ""]))
    names = [(scene.name, len(scene.positions)) for scene in chaintree.backbones((file,))]
    assert names == [("1SHG", 30), ("1B4E, made up", 969), ("1LOX, made up", 1941)]


def test_a_tree_that_keeps_its_boxes_is_corrupted_by_one_joint() -> None:
    _, counts = chaintree_worst._kept([20, 40])
    assert counts == [45, 190]  # every pair of the 10 and of the 20 boxes


def test_lemma_7_meets_every_pair_of_units_across_the_joint() -> None:
    links, counts = chaintree_worst._counted(scenes.lemma7, [16, 32], chaintree_worst.chain_tree)
    assert links == [192, 1536]
    assert counts[0] >= 2 * 2 and counts[1] >= 8 * 8


def test_growth_of_the_worst_cases_is_the_paper_s() -> None:
    rows = chaintree_worst._counted(scenes.tangent_rows, [256, 1024], chaintree_worst.chain_tree)
    units = chaintree_worst._counted(scenes.lemma7, [32, 64], chaintree_worst.sphere_tree)
    folded = chaintree_worst._counted(scenes.worst_spatial, [256, 1024], chaintree_worst.chain_tree)
    assert slope(*rows) == pytest.approx(1.0, abs=0.05)
    assert slope(*units) == pytest.approx(4 / 3, abs=0.1)
    assert max(folded[1]) < 10


# A short run from end to end.


class Reader(HTMLParser):
    """Collects the tags and links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.alts: list[str | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href") and value is not None]
        self.alts += [dict(attrs)["alt"]] if tag == "img" else []


@pytest.fixture(scope="module")
def short_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("reproduce")
    script = "import sys; from elbowroom.cli import main; sys.exit(main())"
    options = ["--steps", "6", "--out", folder / "new", "--json", folder / "figures.json"]
    command = [sys.executable, "-c", script, "reproduce", "chaintree", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    return folder, done.stdout, json.loads((folder / "figures.json").read_text())


def test_report_needs_nothing_but_itself(short_run: tuple[Path, str, dict[str, Any]]) -> None:
    folder, said, _ = short_run
    report = folder.resolve() / "new" / "elbowroom-chaintree.html"
    assert said.splitlines()[-1] == str(report)
    reader = Reader()
    reader.feed(report.read_text(encoding="utf-8"))
    assert all(link.startswith(("data:image/png;base64,", "#")) for link in reader.links)
    assert not {"script", "link", "iframe"} & set(reader.tags)
    assert reader.tags.count("section") == len(reproduce.paper("chaintree").chapters)
    assert len(reader.alts) >= 6 and all(reader.alts)


def test_figures_hold_every_number(short_run: tuple[Path, str, dict[str, Any]]) -> None:
    _, said, figures = short_run
    assert figures["paper"] == "chaintree" and figures["settings"]["steps"] == 6
    compact, backbones, worst, variants = figures["chapters"]
    papers = [row["paper"] for row in compact["comparisons"] if "ChainTree, pieces" in row["what"]]
    assert papers == [703, 715, 905, 964]
    assert [row["paper"] for row in backbones["comparisons"]][::5] == [242, 664, 747]
    for chapter in figures["chapters"]:
        for row in chapter["comparisons"]:
            assert np.isfinite(row["ours"]) and row["ours"] >= 0 and row["verdict"]
            assert row["what"].split(":")[0] in said
    structures = {"ChainTree", "ChainTree, pieces", "fast tree", "Grid", "1-OBBTree", "K-OBBTree"}
    unbounded = {"ChainTree, any angle", "K-OBBTree, any angle"}
    assert set(compact["figures"]["N = 10,000"]) == structures | unbounded
    assert {"obb", "obb, shrunk", "rss", "capsule", "sphere"} == set(variants["figures"]["coil"])
    assert all(len(links) == len(counts) for links, counts in worst["figures"]["counts"].values())
