"""Atoms of MDAnalysis in and out: chains, necklaces, analyses, and files that it reads back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import MDAnalysis
import numpy as np
import pytest
from peptide import SHEET, pdb_text, peptide, shifted

import elbowroom as er
from elbowroom.analysis import Proximity
from elbowroom.files.radii import RADIUS_SCALE

ROWS = peptide(["ALA", "LEU", "SER", "ARG", "TRP"], SHEET)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "made.pdb"
    path.write_text(pdb_text(ROWS))
    return path


@pytest.fixture
def universe(path: Path) -> Any:
    return MDAnalysis.Universe(str(path), to_guess=())


def test_a_chain_from_atoms_is_that_from_the_file(path: Path, universe: Any) -> None:
    for atoms in ("all", "backbone", "ca"):
        ours, theirs = er.Chain.from_pdb(path, atoms=atoms), er.Chain.from_atoms(universe, atoms=atoms)
        assert ours.labels == theirs.labels
        assert np.abs(ours.positions(side=True) - theirs.positions(side=True)).max() < 1e-5
        assert np.array_equal(ours.radii, theirs.radii)
        assert np.array_equal(ours.excluded, theirs.excluded)


def test_a_chain_is_where_the_frame_is(universe: Any) -> None:
    universe.load_new(np.stack([universe.atoms.positions, universe.atoms.positions + 5]))
    universe.trajectory[1]
    moved = er.Chain.from_atoms(universe.select_atoms("resid 1:3"))
    assert np.abs(moved.positions()[0] - np.add(ROWS[0].position, 5)).max() < 1e-4
    assert moved.residues == ["A/ALA 1", "A/LEU 2", "A/SER 3"]


def test_split_molecules_are_made_whole(universe: Any) -> None:
    universe.dimensions = [40, 40, 40, 90, 90, 90]
    universe.atoms.positions = (
        universe.atoms.positions - universe.select_atoms("name CZ").positions + [39.5, 20, 20]
    )
    whole = er.Chain.from_atoms(universe, atoms="all")
    universe.atoms.positions = np.mod(universe.atoms.positions, 40)
    with pytest.warns(UserWarning, match=r"residue ARG 4.*split across the periodic box"):
        found = er.Chain.from_atoms(universe, atoms="all")
    shift = found.positions(side=True) - whole.positions(side=True)
    assert np.abs(shift - shift[0]).max() < 1e-3


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (3, TypeError, "atomgroup must be an AtomGroup of MDAnalysis, got int"),
        (MDAnalysis.Universe.empty(2), ValueError, "atomgroup has no coordinates"),
        (MDAnalysis.Universe.empty(2, trajectory=True), ValueError, "topology has no names"),
    ],
)
def test_other_things_are_refused(given: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        er.Chain.from_atoms(given)


@pytest.mark.parametrize("suffix", [".pdb", ".cif"])
def test_structures_come_back(universe: Any, tmp_path: Path, suffix: str) -> None:
    chain = er.Chain.from_atoms(universe, atoms="all")
    chain.torsion("A", 3, "psi").angle = 1.0
    chain.write(tmp_path / f"again{suffix}")
    again = er.Chain.from_pdb(tmp_path / f"again{suffix}", atoms="all")
    assert again.labels == chain.labels
    assert np.abs(again.positions(side=True) - chain.positions(side=True)).max() < 0.00051


@pytest.mark.parametrize(("suffix", "precision"), [(".dcd", 1e-5), (".xtc", 0.0051)])
def test_frames_come_back(universe: Any, tmp_path: Path, suffix: str, precision: float) -> None:
    chain = er.Chain.from_atoms(universe, atoms="all")
    frames = np.stack([chain.positions(side=True) + k for k in range(3)])
    chain.write(tmp_path / "again.pdb")
    chain.write(tmp_path / f"again{suffix}", frames)
    again = MDAnalysis.Universe(str(tmp_path / "again.pdb"), str(tmp_path / f"again{suffix}"), to_guess=())
    assert len(again.trajectory) == 3
    for k, _ in enumerate(again.trajectory):
        found = er.Chain.from_atoms(again, atoms="all")
        assert found.labels == chain.labels
        assert np.abs(found.positions(side=True) - frames[k]).max() < precision
    assert sorted(file.suffix for file in tmp_path.iterdir() if not file.name.startswith(".")) == sorted(
        [".pdb", ".pdb", suffix]
    )


def test_wrong_files_are_refused(universe: Any, tmp_path: Path) -> None:
    chain = er.Chain.from_atoms(universe)
    with pytest.raises(ValueError, match=r"path must end in one of \.pdb"):
        chain.write(tmp_path / "again.trr")
    with pytest.raises(ValueError, match=r"frames must have shape \(k, 15, 3\), got \(15, 3\)"):
        chain.write(tmp_path / "again.xtc", chain.positions())
    with pytest.raises(ValueError, match=r"frames go into \.dcd or \.xtc"):
        chain.write(tmp_path / "again.pdb", [chain.positions()])
    assert [file.name for file in tmp_path.iterdir()] == ["made.pdb"]


def moving(universe: Any, frames: int) -> Any:
    """The atoms wander, so that some come near."""
    rng = np.random.default_rng(1)
    steps = rng.normal(size=(frames, len(universe.atoms), 3)).cumsum(axis=0) * 0.4
    universe.load_new((universe.atoms.positions + steps).astype(np.float32))
    return universe


def brute(places: np.ndarray, radii: np.ndarray, excluded: np.ndarray) -> np.ndarray:
    """Gaps of all pairs; infinite where they are not compared."""
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2) - radii[:, None] - radii[None]
    gaps[np.tril_indices(len(gaps))] = np.inf
    gaps[excluded[:, 0], excluded[:, 1]] = np.inf
    return gaps


def test_an_analysis_is_what_all_pairs_give(universe: Any) -> None:
    walk = moving(universe, 12)
    rope = er.Necklace.from_atoms(walk)
    assert np.isclose(rope.radii[0], 1.55 * RADIUS_SCALE)
    found = Proximity(walk.atoms, reach=0.5).run().results
    overlaps, pairs = [], []
    for k, step in enumerate(walk.trajectory):
        gaps = brute(step.positions.astype(float), rope.radii, rope.excluded)
        assert np.isclose(found.gap[k], gaps.min(), atol=1e-9)
        assert tuple(found.closest[k]) == np.unravel_index(gaps.argmin(), gaps.shape)
        assert found.clashes[k] == (gaps <= 0).sum()
        overlaps += [(k, i, j) for i, j in np.argwhere(gaps <= 0).tolist()]
        pairs += [(k, i, j) for i, j in np.argwhere(gaps <= 0.5).tolist()]
    assert sorted(map(tuple, found.overlaps.tolist())) == overlaps
    assert sorted(map(tuple, found.pairs.tolist())) == pairs
    assert found.clashes.max() > 0


@pytest.mark.parametrize("backend", ["multiprocessing", "dask"])
def test_backends_agree(path: Path, tmp_path: Path, backend: str) -> None:
    universe = MDAnalysis.Universe(str(path), to_guess=())
    moving(universe, 7).atoms.write(str(tmp_path / "walk.dcd"), frames="all")
    walk = MDAnalysis.Universe(str(path), str(tmp_path / "walk.dcd"), to_guess=())
    alone = Proximity(walk.atoms, reach=0.2).run().results
    found = Proximity(walk.atoms, reach=0.2).run(backend=backend, n_workers=2).results
    for name in ("frames", "gap", "closest", "clashes", "overlaps", "depths", "pairs", "distances"):
        assert np.array_equal(alone[name], found[name]), name


def test_two_groups(tmp_path: Path) -> None:
    path = tmp_path / "two.pdb"
    path.write_text(pdb_text([*ROWS, *shifted(ROWS, (0.0, 0.0, 4.0), chain="B")]))
    universe = MDAnalysis.Universe(str(path), to_guess=())
    a, b = universe.select_atoms("chainID A"), universe.select_atoms("chainID B")
    found = Proximity(a, b, reach=1.0).run().results
    radii = [er.Necklace.from_atoms(group).radii for group in (a, b)]
    between = np.linalg.norm(a.positions[:, None] - b.positions[None], axis=2)
    gaps = between - radii[0][:, None] - radii[1][None]
    assert np.isclose(found.gap[0], gaps.min(), atol=1e-5)
    assert tuple(found.closest[0]) == np.unravel_index(gaps.argmin(), gaps.shape)
    assert len(found.pairs) == (gaps <= 1.0).sum()
    universe.add_TopologyAttr("bonds", [(4, 5)])
    with pytest.raises(ValueError, match="a bond joins A/ALA 1/CB and A/LEU 2/N; select whole molecules"):
        Proximity(a[:5], a[5:])
    with pytest.raises(ValueError, match="3 of its atoms are in both groups"):
        Proximity(a, a[:3])


def test_what_compares_nothing_or_is_unknown_is_refused(universe: Any) -> None:
    with pytest.raises(ValueError, match="all pairs of its atoms are excluded"):
        Proximity(universe.atoms[:2])
    with pytest.raises(ValueError, match="A/ALA 1/CA more than once"):
        er.Necklace.from_atoms(universe.atoms[[1, 2, 1]])
    universe.atoms[3].element = "Zn"
    with pytest.raises(ValueError, match=r"^radius: no van der Waals radius is known for A/ALA 1/O"):
        er.Necklace.from_atoms(universe)
