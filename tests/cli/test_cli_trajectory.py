"""`elbowroom check` of trajectories: gaps and overlaps that a slow search finds, too, and one-line errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from peptide import moved, pdb_text, peptide, place_of
from trajectory_files import MASSES, SEQUENCE, peptide_bonds, psf_text, shaken, write_frames

from elbowroom.files.trajectory import Trajectory, read_trajectory

Ask = Callable[..., tuple[int, str, str]]
OPEN, SHUT = 0.6, 0.3  # where the last of the five beads of a hook is above the first, of radius 0.2


def hook(heights: Any) -> np.ndarray:
    """Five beads (k, 5, 3), the last of which comes down upon the first."""
    frames = np.tile([[0.0, 0, 0], [1, 0, 0], [1, 0, 1], [1, 0, 2], [0, 0, 0]], (len(heights), 1, 1))
    frames[:, 4, 2] = heights
    return frames


def saved(file: Path, array: Any) -> Path:
    np.save(file, array)
    return file


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """A peptide that is shaken so much that it overlaps itself at times, in several formats."""
    rows, frames = shaken(12, amount=0.28)
    names, masses = [row.name for row in rows], [MASSES[row.symbol] for row in rows]
    (tmp_path / "atoms.psf").write_text(psf_text(names, masses, peptide_bonds(rows)))
    (tmp_path / "atoms.pdb").write_text(pdb_text(rows))
    write_frames(tmp_path / "shaken.dcd", frames)
    write_frames(tmp_path / "boxed.xtc", frames, box=(60, 60, 60, 90, 90, 90))
    write_frames(tmp_path / "fewer.dcd", frames[:, 1:])
    models = [
        [replace(row, position=tuple(place)) for row, place in zip(rows, frame.tolist(), strict=True)]
        for frame in frames
    ]
    (tmp_path / "models.pdb").write_text(pdb_text(*models))
    names_of = "atoms.psf atoms.pdb shaken.dcd boxed.xtc fewer.dcd models.pdb"
    return {name.replace(".", "_"): tmp_path / name for name in names_of.split()}


def facts_of(ask: Ask, folder: Path, *arguments: object) -> tuple[int, dict[str, Any]]:
    file = folder / "facts.json"
    file.unlink(missing_ok=True)
    status, _, err = ask("check", *arguments, "--json", file)
    assert err == ""
    return status, json.loads(file.read_text())


def slow(trajectory: Trajectory) -> list[tuple[float, set[str], int]]:
    """Of each frame the closest gap, between whom, and how many pairs overlap: by looking at all pairs."""
    count = len(trajectory.radii)
    allowed = trajectory.excluded
    if isinstance(allowed, int):
        pairs = [(i, j) for i, j in combinations(range(count), 2) if j - i > allowed]
    else:
        known = {(int(i), int(j)) for i, j in allowed}
        pairs = [pair for pair in combinations(range(count), 2) if pair not in known]
    i, j = np.array(pairs).T
    found = []
    for xyz in trajectory:
        gaps = np.linalg.norm(xyz[i] - xyz[j], axis=1) - trajectory.radii[i] - trajectory.radii[j]
        k = int(gaps.argmin())
        names = {trajectory.labels[i[k]], trajectory.labels[j[k]]}
        found.append((float(gaps[k]), names, int((gaps <= 0).sum())))
    return found


@pytest.mark.parametrize("name", ["shaken_dcd", "boxed_xtc"])
def test_every_frame_is_that_of_a_slow_search(
    ask: Ask, tmp_path: Path, files: dict[str, Path], name: str
) -> None:
    asked = (files[name], "--topology", files["atoms_psf"], "--radius-scale", "0.8")
    status, facts = facts_of(ask, tmp_path, *asked)
    expected = slow(read_trajectory(files[name], topology=files["atoms_psf"], scale=0.8))
    assert [frame["frame"] for frame in facts["by_frame"]] == list(range(12))
    assert [frame["gap"] for frame in facts["by_frame"]] == pytest.approx([gap for gap, _, _ in expected])
    assert [set(frame["closest"]) for frame in facts["by_frame"]] == [names for _, names, _ in expected]
    assert [frame["overlaps"] for frame in facts["by_frame"]] == [count for _, _, count in expected]
    hits = sum(count > 0 for _, _, count in expected)
    assert 0 < hits < 12  # some are free, and some are not
    assert (status, facts["verdict"], facts["frames_colliding"]) == (1, "collision", hits)
    assert facts["closest"]["distance"] == min(frame["gap"] for frame in facts["by_frame"])


def test_a_free_trajectory_and_its_nearest_atoms(ask: Ask, files: dict[str, Path]) -> None:
    asked = ("check", files["shaken_dcd"], "--topology", files["atoms_psf"], "--radius-scale", "0.3")
    status, out, err = ask(*asked)
    found = slow(read_trajectory(files["shaken_dcd"], topology=files["atoms_psf"], scale=0.3))
    gap = min(gap for gap, _, _ in found)
    frame = [each[0] for each in found].index(gap)
    head, closest, compared, pairs, bonds = out.splitlines()
    assert (status, err) == (0, "")
    assert head == "free: no two atoms of shaken.dcd overlap in 12 frames"
    assert closest.startswith("  closest: MAIN/UNK ")
    assert closest.endswith(f", {gap:.4g} apart in frame {frame}")
    assert compared.startswith("compared: ") and compared.endswith("of radii 0.456 to 0.54,")
    assert (pairs, bonds) == ("  pairs more than 3 bonds apart", "  (bonds of atoms.psf)")


def test_the_nearest_of_every_frame_are_listed(ask: Ask, files: dict[str, Path]) -> None:
    asked = ("check", files["shaken_dcd"], "--topology", files["atoms_psf"], "--radius-scale", "0.8")
    status, out, _ = ask(*asked, "--distance", "--start", "3", "--step", "4")
    found = slow(read_trajectory(files["shaken_dcd"], topology=files["atoms_psf"], scale=0.8))
    table = out[out.index("  frame  closest atoms") :].splitlines()[1:4]
    assert [line.split()[0] for line in table] == ["3", "7", "11"]
    for line, k in zip(table, (3, 7, 11), strict=True):
        gap, _, count = found[k]
        assert line.split()[-2:] == [f"{gap:.4g}", str(count)]
    assert "3 frames (3 to 11, every 4)" in out
    assert status == int(any(found[k][2] for k in (3, 7, 11)))


def test_a_box_is_told(ask: Ask, files: dict[str, Path]) -> None:
    _, out, err = ask("check", files["boxed_xtc"], "--topology", files["atoms_psf"])
    assert "  in a periodic box, 60 x 60 x 60 in frame 0" in out.splitlines()
    assert err == ""
    _, out, _ = ask("check", files["boxed_xtc"], "--topology", files["atoms_psf"], "--no-box")
    assert "note: the periodic box, 60 x 60 x 60, is not taken into account" in out


def test_atoms_that_meet_through_a_face(ask: Ask, tmp_path: Path) -> None:
    """Two carbons come near each other only in the second frame, and only through the face of its box."""
    frames = [[[0.5, 5, 5], [5.5, 5, 5]], [[0.5, 5, 5], [8.5, 5, 5]]]
    boxes = [(14, 12, 12, 90, 90, 90), (10, 12, 12, 90, 90, 90)]
    atoms = write_frames(tmp_path / "two.xyz", frames[:1], names=["C", "C"])
    file = write_frames(tmp_path / "two.xtc", frames, box=boxes)
    status, facts = facts_of(ask, tmp_path, file, "--topology", atoms, "--exclude", "0")
    assert (status, facts["periodic"], facts["frames_colliding"]) == (1, True, 1)
    gaps = [frame["gap"] for frame in facts["by_frame"]]
    assert gaps == pytest.approx([5 - 2 * 1.02, 2 - 2 * 1.02], abs=0.02)
    status, facts = facts_of(ask, tmp_path, file, "--topology", atoms, "--exclude", "0", "--no-box")
    assert (status, facts["periodic"]) == (0, False)


def test_a_box_too_small_for_the_radii_is_named(ask: Ask, tmp_path: Path) -> None:
    frames = [[[0.5, 5, 5], [5.5, 5, 5]]]
    atoms = write_frames(tmp_path / "two.xyz", frames, names=["C", "C"])
    file = write_frames(tmp_path / "two.xtc", frames, box=(4, 12, 12, 90, 90, 90))
    status, out, err = ask("check", file, "--topology", atoms, "--exclude", "0")
    assert (status, out) == (2, "")
    assert "frame 0: box is too small: two radii, 2.04 together" in err and "--no-box" in err


def test_a_topology_without_bonds(ask: Ask, tmp_path: Path, files: dict[str, Path]) -> None:
    """A peptide that is hardly shaken: its bonds can be told by distance, and it is free by default."""
    file = write_frames(tmp_path / "calm.dcd", shaken(3, amount=0.02)[1])
    status, out, err = ask("check", file, "--topology", files["atoms_pdb"])
    assert (status, err) == (0, "")
    assert "closest: A/" in out and "(bonds by distance in frame 0)" in out


def test_a_pdb_file_of_many_models(ask: Ask, tmp_path: Path, files: dict[str, Path]) -> None:
    """Any option of trajectories makes it one; by itself it is a protein."""
    rows = peptide(SEQUENCE)
    bent = moved(rows, 4, "NZ", place_of(rows, 2, "CD1") + np.array([0.5, 0, 0]))
    file = tmp_path / "models.pdb"
    file.write_text(pdb_text(rows, rows, bent))
    assert ask("check", file)[1].startswith("free: no clash among ")
    for option in (("--start", "0"), ("--topology", file), ("--select", "all")):
        status, facts = facts_of(ask, tmp_path, file, *option)
        assert (status, facts["frames_looked_at"]) == (1, 3)
        deepest = max(facts["intervals"], key=lambda each: each["depth"])
        assert (deepest["first_frame"], deepest["last_frame"]) == (2, 2)
        assert set(deepest["beads"]) == {"A/LEU 2/CD1", "A/LYS 4/NZ"}
        assert deepest["depth"] == pytest.approx(0.6 * (1.70 + 1.55) - 0.5, abs=2e-3)
    assert ask("check", file, "--stop", "2")[0] == 0


def test_intervals_of_beads_in_an_array(ask: Ask, tmp_path: Path) -> None:
    heights = [OPEN, SHUT, 0.25, SHUT, OPEN, OPEN, SHUT, OPEN, OPEN, OPEN, OPEN, OPEN, 0.1]
    file = saved(tmp_path / "hook.npy", hook(heights))
    status, out, err = ask("check", file, "--radius", "0.2")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert (status, err) == (1, "")
    assert lines == [
        "collision: beads of hook.npy overlap in 5 of 13 frames",
        "2 intervals, deepest: bead 0 and bead 4, 0.3 in frame 12",
        "frames beads depth at frame",
        "1 to 6 bead 0, bead 4 0.15 2",
        "12 bead 0, bead 4 0.3 12",
        "compared: 5 beads of radius 0.2,",
        "pairs more than 1 position apart in the sequence",
    ]
    _, facts = facts_of(ask, tmp_path, file, "--radius", "0.1", "--radius-scale", "2", "--bridge", "0")
    spans = [(each["first_frame"], each["last_frame"]) for each in facts["intervals"]]
    assert spans == [(1, 3), (6, 6), (12, 12)]


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("exclude", [0, 1, 4])
def test_beads_in_the_plane_and_in_space(ask: Ask, tmp_path: Path, dimension: int, exclude: int) -> None:
    rng = np.random.default_rng(dimension)
    frames = np.cumsum(rng.normal(size=(8, 20, dimension)), axis=1)
    np.savez(tmp_path / "walk.npz", xyz=frames, radii=rng.uniform(0.05, 0.5, 20))
    asked = (tmp_path / "walk.npz", "--exclude", exclude)
    status, facts = facts_of(ask, tmp_path, *asked)
    expected = slow(read_trajectory(asked[0], exclude=exclude))
    assert [each["gap"] for each in facts["by_frame"]] == pytest.approx([gap for gap, _, _ in expected])
    assert [each["overlaps"] for each in facts["by_frame"]] == [count for _, _, count in expected]
    assert (facts["dimension"], facts["beads"], facts["exclude"]) == (dimension, 20, exclude)
    assert status == int(any(count for _, _, count in expected)) == 1


def test_beads_that_just_touch_collide(ask: Ask, tmp_path: Path) -> None:
    file = saved(tmp_path / "touching.npy", hook([0.5]))
    status, facts = facts_of(ask, tmp_path, file, "--radius", "0.25")
    assert (status, facts["by_frame"][0]["gap"], facts["by_frame"][0]["overlaps"]) == (1, 0.0, 1)


def test_nothing_is_compared(ask: Ask, tmp_path: Path) -> None:
    file, picture = saved(tmp_path / "hook.npy", hook([OPEN])), tmp_path / "p.png"
    status, out, err = ask(
        "check", file, "--radius", "0.2", "--exclude", "4", "--distance", "--plot", picture
    )
    assert (status, err) == (0, "")
    assert out == "nothing is compared: all pairs of 5 beads of hook.npy are excluded\n"
    status, facts = facts_of(ask, tmp_path, file, "--radius", "0.2", "--exclude", "4")
    assert (status, facts["verdict"], facts["by_frame"]) == (0, "nothing is compared", [])
    assert facts["closest"] is None


@pytest.mark.parametrize("heights", [[OPEN, SHUT, OPEN], [OPEN] * 50, [SHUT]])
def test_the_picture(ask: Ask, tmp_path: Path, heights: list[float]) -> None:
    file, picture = saved(tmp_path / "hook.npy", hook(heights)), tmp_path / "picture.png"
    status, _, err = ask("check", file, "--radius", "0.2", "--plot", picture)
    assert (status, err) == (int(SHUT in heights), "")
    assert picture.read_bytes().startswith(b"\x89PNG")


WRONG = [
    (["nowhere.dcd"], "A: no such file 'nowhere.dcd'"),
    (["{shaken_dcd}"], "--topology: "),
    (["{shaken_dcd}", "--topology", "nowhere.psf"], "--topology: no such file 'nowhere.psf'"),
    (["{fewer_dcd}", "--topology", "{atoms_psf}"], "--topology: "),
    (["{shaken_dcd}", "--topology", "{atoms_psf}", "--select", "nam CA"], "--select: "),
    (
        ["{shaken_dcd}", "--topology", "{atoms_psf}", "--select", "name ZZ"],
        "--select: 'name ZZ' matches none",
    ),
    (
        ["{shaken_dcd}", "--topology", "{atoms_psf}", "--start", "12"],
        "--start: leaves none of the frames 0 to 11",
    ),
    (["{shaken_dcd}", "--topology", "{atoms_psf}", "--stop", "0"], "--stop: leaves none"),
    (["{shaken_dcd}", "--topology", "{atoms_psf}", "--step", "0"], "--step: must be at least 1"),
    (["{shaken_dcd}", "--topology", "{atoms_psf}", "--radius", "-1"], "--radius: must be"),
    (["{shaken_dcd}", "--topology", "{atoms_psf}", "--radius-scale", "0"], "--radius-scale: must be above 0"),
    (["{shaken_dcd}", "--topology", "{atoms_psf}", "--exclude", "-2"], "--exclude: must be at least 0"),
    (["{shaken_dcd}", "--topology", "{atoms_psf}", "--bridge", "-2"], "--bridge: must be at least 0"),
    (["{shaken_dcd}", "{atoms_psf}"], "B: a trajectory is only checked against itself"),
    (["{atoms_pdb}", "{shaken_dcd}"], "B: give the trajectory first: elbowroom check '"),
    (["{atoms_psf}"], "pass a topology with --topology"),
    (["{broken}", "--topology", "{atoms_psf}"], "broken.dcd: cannot be read"),
    (["{array}"], "--radius: "),
    (["{array}", "--radius", "1", "--select", "all"], "--select: "),
    (["{array}", "--radius", "1", "--plot", "picture.gif"], "--plot: "),
    (["{array}", "--radius", "1", "--json", "nowhere/facts.json"], "--json: "),
    (["{array}", "--radius", "1", "--pose-b", "1 2 3"], "--pose-b: "),
    (["{array}", "--radius", "1", "--chain", "A"], "--chain: not supported for a trajectory"),
    (["{array}", "--radius", "1", "--radii", "1"], "--radii: not supported for a trajectory"),
    (["{array}", "--radius", "1", "--random", "5"], "--random: not supported for a trajectory"),
    (["{nan}", "--radius", "0.1"], "nan.npy: frame 1 has a coordinate of bead 4 that is not finite"),
    (["{far}", "--radius", "0.1"], "far.npy: frame 2: "),
    (["mesh.stl", "mesh.stl", "--exclude", "1"], "--exclude: not supported for a mesh"),
]


@pytest.mark.parametrize(("arguments", "words"), WRONG)
def test_a_wrong_argument_is_one_line(
    ask: Ask, tmp_path: Path, files: dict[str, Path], arguments: list[str], words: str
) -> None:
    files["array"] = saved(tmp_path / "array.npy", hook([OPEN]))
    files["nan"] = saved(tmp_path / "nan.npy", hook([OPEN, np.nan]))
    files["far"] = saved(tmp_path / "far.npy", hook([OPEN, OPEN, 1e20]))
    files["broken"] = tmp_path / "broken.dcd"
    files["broken"].write_text("nothing of the kind")
    status, out, err = ask("check", *(word.format(**files) for word in arguments))
    assert (status, out) == (2, "")
    assert err.count("\n") == 1 and words in err
