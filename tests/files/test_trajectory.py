"""Trajectories of molecules: formats, atoms, radii, and which pairs bonds leave out."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from peptide import Row, pdb_text, peptide
from trajectory_files import MASSES, SEQUENCE, Bond, peptide_bonds, places, psf_text, shaken, write_frames

from elbowroom._bonds import bond_distances
from elbowroom.files.trajectory import read_trajectory

FRAMES = 5
#: Coordinates are kept to so much, in angstrom.
KEPT = {"dcd": 1e-5, "trr": 1e-5, "nc": 1e-5, "xyz": 1e-5, "xtc": 0.0051, "pdb": 0.00051}
BOX = (30.0, 40.0, 50.0, 90.0, 90.0, 90.0)


def apart(bonds: list[Bond], count: int, steps: int) -> set[Bond]:
    """Pairs at most so many bonds apart, by a search from every atom."""
    neighbours: list[set[int]] = [set() for _ in range(count)]
    for i, j in bonds:
        neighbours[i].add(j)
        neighbours[j].add(i)
    found = set()
    for start in range(count):
        seen, queue = {start: 0}, deque([start])
        while queue:
            here = queue.popleft()
            for other in neighbours[here] - seen.keys():
                seen[other] = seen[here] + 1
                queue.append(other)
        found |= {(start, k) for k, far in seen.items() if far <= steps and start < k}
    return found


def as_set(pairs: object) -> set[Bond]:
    return {(int(i), int(j)) for i, j in np.asarray(pairs)}


@pytest.fixture
def topology(tmp_path: Path) -> Path:
    """The peptide with its bonds."""
    rows = peptide(SEQUENCE)
    file = tmp_path / "peptide.psf"
    masses = [MASSES[row.symbol] for row in rows]
    file.write_text(psf_text([row.name for row in rows], masses, peptide_bonds(rows)))
    return file


def models(file: Path, rows: list[Row], frames: np.ndarray) -> Path:
    """A PDB file of many models."""
    moved = [
        [replace(row, position=tuple(place)) for row, place in zip(rows, frame.tolist(), strict=True)]
        for frame in frames
    ]
    file.write_text(pdb_text(*moved))
    return file


@pytest.mark.parametrize("format", KEPT)
def test_every_format_has_the_same_frames(tmp_path: Path, topology: Path, format: str) -> None:
    rows, frames = shaken(FRAMES)
    names = [row.name for row in rows]
    file = write_frames(tmp_path / f"shaken.{format}", frames, box=BOX, names=names)
    found = read_trajectory(file, topology=topology)
    assert (found.frames, found.n_frames, found.dimension) == (range(FRAMES), FRAMES, 3)
    for _ in range(2):  # it can be gone through again
        assert np.array(list(found)) == pytest.approx(frames, abs=KEPT[format])
    assert found.first == pytest.approx(frames[0], abs=KEPT[format])
    assert as_set(found.excluded) == apart(peptide_bonds(rows), len(rows), 3)
    assert found.bonds == "bonds of peptide.psf"


def test_a_part_of_the_frames(tmp_path: Path, topology: Path) -> None:
    _, frames = shaken(FRAMES)
    file = write_frames(tmp_path / "shaken.dcd", frames)
    found = read_trajectory(file, topology=topology, start=1, stop=4, step=2)
    assert found.frames == range(1, 4, 2)
    assert np.array(list(found)) == pytest.approx(frames[1:4:2], abs=1e-5)
    assert found.first == pytest.approx(frames[1], abs=1e-5)


def test_radii_by_element(tmp_path: Path) -> None:
    rows, frames = shaken(1)
    file = models(tmp_path / "shaken.pdb", rows, frames)
    bondi = np.array([{"C": 1.70, "N": 1.55, "O": 1.52, "S": 1.80}[row.symbol] for row in rows])
    assert read_trajectory(file).radii == pytest.approx(0.6 * bondi)
    assert read_trajectory(file, scale=1).radii == pytest.approx(bondi)
    assert read_trajectory(file, radius=0.5).radii == pytest.approx(0.5)
    assert read_trajectory(file, radius=0.5, scale=3).radii == pytest.approx(1.5)


def test_labels_are_those_of_the_residues(tmp_path: Path, topology: Path) -> None:
    rows, frames = shaken(1)
    labels = read_trajectory(models(tmp_path / "shaken.pdb", rows, frames)).labels
    assert labels == tuple(f"A/{row.residue} {row.number}/{row.name}" for row in rows)
    plain = write_frames(tmp_path / "shaken.xyz", frames, names=[row.symbol for row in rows])
    assert read_trajectory(plain).labels[:2] == ("atom 0 N", "atom 1 C")
    assert read_trajectory(plain, topology=topology).labels[1] == "MAIN/UNK 2/CA"


@pytest.mark.parametrize("exclude", [0, 1, 2, 3, 5])
def test_pairs_up_to_so_many_bonds_apart(tmp_path: Path, topology: Path, exclude: int) -> None:
    rows, frames = shaken(1)
    file = write_frames(tmp_path / "shaken.dcd", frames)
    found = read_trajectory(file, topology=topology, exclude=exclude)
    assert as_set(found.excluded) == apart(peptide_bonds(rows), len(rows), exclude)
    assert found.exclude == exclude


def test_pairs_of_a_random_graph() -> None:
    """With rings, atoms without bonds, and some that are not chosen."""
    rng = np.random.default_rng(8)
    for count in (1, 2, 12, 40):
        bonds = [(int(i), int(j)) for i, j in rng.integers(0, count, (count, 2)) if i != j]
        chosen = np.flatnonzero(rng.random(count) < 0.6)
        place = {int(k): at for at, k in enumerate(chosen)}
        for steps in (0, 1, 3, 50):
            expected = {
                (place[i], place[j]) for i, j in apart(bonds, count, steps) if i in place and j in place
            }
            pairs, lengths = bond_distances(np.array(bonds, np.int32).reshape(-1, 2), count, steps, chosen)
            assert as_set(pairs) == expected
            assert pairs.tolist() == sorted(pairs.tolist())
            for (i, j), length in zip(chosen[pairs].tolist(), lengths.tolist(), strict=True):
                assert (i, j) in apart(bonds, count, length) - apart(bonds, count, length - 1)


def test_bonds_lead_over_atoms_that_are_not_selected(tmp_path: Path, topology: Path) -> None:
    """From CA to CA it is three bonds."""
    _, frames = shaken(1)
    file = write_frames(tmp_path / "shaken.dcd", frames)
    found = read_trajectory(file, topology=topology, select="name CA")
    count = len(SEQUENCE)
    assert as_set(found.excluded) == {(k, k + 1) for k in range(count - 1)}
    assert len(read_trajectory(file, topology=topology, select="name CA", exclude=2).excluded) == 0


def test_bonds_are_guessed_where_none_are_listed(tmp_path: Path) -> None:
    rows, frames = shaken(2)
    found = read_trajectory(models(tmp_path / "shaken.pdb", rows, frames), exclude=1, start=1)
    assert as_set(found.excluded) == as_set(np.sort(peptide_bonds(rows), axis=1))
    assert found.bonds == "bonds by distance in frame 1"


def test_bonds_that_a_pdb_file_lists_are_not_all(tmp_path: Path) -> None:
    rows, frames = shaken(1)
    file = models(tmp_path / "shaken.pdb", rows, frames)
    last = len(rows)
    file.write_text(file.read_text().replace("END\n", f"CONECT    1{last:5d}\nEND\n"))
    found = read_trajectory(file, exclude=1)
    assert as_set(found.excluded) == as_set(np.sort(peptide_bonds(rows), axis=1)) | {(0, last - 1)}
    assert found.bonds == "bonds of shaken.pdb and by distance in frame 0"


def test_a_disulfide_bridge_is_a_bond(tmp_path: Path) -> None:
    sulfurs = [Row("SG", "CYS", k, (x, 0.0, 0.0)) for k, x in ((1, 0.0), (5, 2.05), (9, 5.5))]
    found = read_trajectory(models(tmp_path / "s.pdb", sulfurs, places(sulfurs)[None]))
    assert as_set(found.excluded) == {(0, 1)}


def test_a_molecule_cut_by_the_box_is_whole(tmp_path: Path) -> None:
    """The bond from the first carbon to the last leads through the face of the box."""
    chain = np.array([[0.5, 1, 1], [2.0, 1, 1], [9.3, 1, 1]])
    names = ["C", "C", "C"]
    file = write_frames(tmp_path / "cut.dcd", [chain], box=(10, 10, 10, 90, 90, 90))
    atoms = write_frames(tmp_path / "cut.xyz", [chain], names=names)
    found = read_trajectory(file, topology=atoms, exclude=1)
    assert as_set(found.excluded) == {(0, 1), (0, 2)}
    assert as_set(read_trajectory(atoms, exclude=1).excluded) == {(0, 1)}


def test_a_box_is_noted(tmp_path: Path, topology: Path) -> None:
    _, frames = shaken(1)
    boxed = write_frames(tmp_path / "boxed.dcd", frames, box=BOX)
    found = read_trajectory(boxed, topology=topology)
    assert found.box == pytest.approx(BOX)
    assert found.notes == (
        "the periodic box, 30 x 40 x 50, is not taken into account: images are not compared",
    )
    free = read_trajectory(write_frames(tmp_path / "free.dcd", frames), topology=topology)
    assert (free.box, free.notes) == (None, ())


# Which atoms, and what they are.


def written(folder: Path, names: list[str], masses: list[float]) -> tuple[Path, Path]:
    """Atoms in a row, 5 apart: the trajectory and the topology."""
    line = np.array([[5.0 * k, 0, 0] for k in range(len(names))])
    topology = folder / "line.psf"
    topology.write_text(psf_text(names, masses, []))
    return write_frames(folder / "line.dcd", [line]), topology


@pytest.mark.parametrize(
    ("name", "mass", "radius"),
    [
        ("CA", 12.011, 1.70),
        ("CA", 12.01, 1.70),
        ("CLA", 35.45, 1.75),
        ("X", 15.9994, 1.52),
        ("CB", 7.979, 1.70),  # it gave mass to two hydrogens
        ("N", 11.991, 1.55),  # nearly the mass of carbon
        ("SE", 78.971, 1.90),
    ],
)
def test_elements_by_mass_and_by_name(tmp_path: Path, name: str, mass: float, radius: float) -> None:
    file, topology = written(tmp_path, [name], [mass])
    assert read_trajectory(file, topology=topology, scale=1).radii == pytest.approx([radius])


def test_the_heavy_atoms_are_read(tmp_path: Path) -> None:
    names = ["C", "H1", "HB", "M", "SOD", "ZN", "O"]
    masses = [12.011, 1.008, 3.024, 0.0, 22.98977, 65.37, 15.9994]
    file, topology = written(tmp_path, names, masses)
    found = read_trajectory(file, topology=topology)
    assert [label.rpartition("/")[2] for label in found.labels] == ["C", "O"]
    (note,) = found.notes
    assert note.startswith("metals are left out (1 Na, 1 Zn)")
    all_of_them = read_trajectory(file, topology=topology, radius=1.0)
    assert [label.rpartition("/")[2] for label in all_of_them.labels] == ["C", "SOD", "ZN", "O"]
    assert all_of_them.notes == ()


def test_what_is_selected_is_read(tmp_path: Path) -> None:
    file, topology = written(tmp_path, ["C", "H1", "O"], [12.011, 1.008, 15.9994])
    found = read_trajectory(file, topology=topology, select="all", scale=1)
    assert found.radii == pytest.approx([1.70, 1.20, 1.52])
    near = read_trajectory(file, topology=topology, select="point 0 0 0 6", scale=1)
    assert near.radii == pytest.approx([1.70, 1.20])


def test_beads_of_no_element_are_neighbours_in_the_file(tmp_path: Path) -> None:
    file, topology = written(tmp_path, ["X"] * 6, [1.0] * 6)
    found = read_trajectory(file, topology=topology, radius=1.0, exclude=2)
    assert as_set(found.excluded) == {(i, j) for i in range(6) for j in range(i + 1, 6) if j - i <= 2}
    assert found.bonds == "neighbours in line.psf, which has neither bonds nor elements"
