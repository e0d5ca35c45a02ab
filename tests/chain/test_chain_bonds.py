"""Proteins with all atoms: free is free of all pairs more than three bonds apart, by brute force."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from peptide import HELIX, SHEET, pdb_text, peptide
from scipy.spatial.distance import cdist

import elbowroom as er

BOND = 2.1  # in an ideal peptide bonded atoms are nearer, and no others of neighbouring residues
SEQUENCE = ["GLY", "GLU", "LYS", "PRO", "TRP", "ARG", "ALA", "ILE", "ASN", "MET", "GLY", "TYR"]


class Pairs:
    """The pairs of a protein that are more than so many bonds apart, from distances as it is at first."""

    def __init__(self, chain: er.Chain, bonds: int = 3) -> None:
        side = chain.side
        self.radii = np.concatenate([chain.radii, [] if side is None else side.radii])
        places = chain.positions(side=True)
        number = np.array([int(label.split("/")[1].split()[1]) for label in chain.labels or []])
        bonded = ((cdist(places, places) < BOND) & (np.abs(number[:, None] - number) <= 1)).astype(int)
        self.compared = np.triu(np.linalg.matrix_power(bonded, bonds) == 0, 1)

    def gaps(self, places: np.ndarray) -> np.ndarray:
        return np.asarray((cdist(places, places) - self.radii[:, None] - self.radii)[self.compared])

    def gap(self, chain: er.Chain) -> float:
        """The least gap of the chain as it is."""
        return float(self.gaps(chain.positions(side=True)).min())


def made(
    tmp_path: Path, sequence: list[str], shape: tuple[float, float] = SHEET, **reading: object
) -> er.Chain:
    path = tmp_path / "made.pdb"
    path.write_text(pdb_text(peptide(sequence, shape)))
    return er.Chain.from_pdb(path, atoms="all", **reading)  # type: ignore[arg-type]


@pytest.mark.parametrize("bonds", [2, 3, 4])
def test_every_answer_compares_the_atoms_that_more_bonds_join(tmp_path: Path, bonds: int) -> None:
    rng = np.random.default_rng(bonds)
    chain = made(tmp_path, SEQUENCE, HELIX, exclude=("bonds", bonds), scale=0.6)
    pairs, seen = Pairs(chain, bonds), set()
    chain.set_energy(er.energies.Clashes())
    for _ in range(150):
        if rng.random() < 0.5:
            chain.rotate(int(rng.integers(len(chain) - 1)), float(rng.normal() * 0.5))
        else:
            chain.rotate_side(int(rng.integers(len(chain.side.torsions))), float(rng.uniform(-3, 3)))
        verdict, gaps = chain.collides(), pairs.gaps(chain.positions(side=True))
        overlaps = int((gaps <= 0).sum())
        assert verdict == (overlaps > 0)
        assert chain.energy() == overlaps == len(er.self_collide(chain, every=True).pairs)
        assert er.self_distance(chain).value == pytest.approx(max(gaps.min(), 0.0), abs=1e-9)
        assert len(er.self_within(chain, 1.0)) == (gaps <= 1.0).sum()
        seen.add(verdict)
        if rng.random() < (0.9 if verdict else 0.1):
            chain.undo()
    chain.validate()
    assert seen == {False, True}


def test_torsions_that_are_tried_are_free_of_all_pairs(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    chain = made(tmp_path, SEQUENCE)
    pairs = Pairs(chain)
    joints, angles = rng.integers(0, len(chain) - 1, 300), rng.uniform(-np.pi, np.pi, 300)
    free = chain.try_torsions(joints, angles, stay=True)
    assert 20 < free.sum() < 280
    for joint, angle, expected in zip(joints.tolist(), angles.tolist(), free.tolist(), strict=True):
        chain.rotate(joint, angle)
        assert (pairs.gap(chain) > 0) == expected
        chain.undo()


def test_random_rotamers(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    chain = made(tmp_path, SEQUENCE)
    pairs, free = Pairs(chain), 0
    for _ in range(100):
        for k in np.flatnonzero(rng.random(len(chain.side.torsions)) < 0.1).tolist():
            chain.rotate_side(k, float(rng.uniform(-np.pi, np.pi)))
        assert chain.collides() == (pairs.gap(chain) <= 0)
        free += not chain.collides()
    assert 10 < free < 90


@pytest.mark.parametrize("scale", [0.6, 0.7, 0.8])
def test_the_allowed_share_of_three_alanines(tmp_path: Path, scale: float) -> None:
    """Phi and psi of the second, on a grid."""
    chain = made(tmp_path, ["ALA"] * 3, scale=scale)
    pairs, steps = Pairs(chain), 24
    free = np.zeros((2, steps, steps), bool)
    for i in range(steps):
        chain.rotate(3, 2 * np.pi / steps)
        for j in range(steps):
            chain.rotate(4, 2 * np.pi / steps)
            free[:, i, j] = not chain.collides(), pairs.gap(chain) > 0
    assert np.array_equal(free[0], free[1])
    assert 0.02 < free[0].mean() < 0.98


def test_larger_scales_allow_less_and_leave_the_energy_alone(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    turns = [(int(rng.integers(3, 30)), float(rng.normal() * 0.3)) for _ in range(40)]
    energies, free = [], []
    for scale in (0.5, 0.6, 0.7, 0.70000001, 0.71, 0.8, 0.9):
        chain = made(tmp_path, SEQUENCE, scale=scale)
        chain.set_energy(er.energies.LennardJones(0.5, 3.3, cutoff=8.0, shift=True))
        free.append(chain.try_torsions(*zip(*turns, strict=True), stay=True).sum())
        chain.change(dict(turns[:10]))
        energies.append(chain.energy())
    assert energies == pytest.approx([energies[0]] * len(energies), rel=1e-12)
    assert free == sorted(free, reverse=True) and free[0] > free[-1]


def test_no_frame_of_an_ensemble_has_a_clash(tmp_path: Path) -> None:
    import MDAnalysis

    chain = made(tmp_path, SEQUENCE)
    pairs = Pairs(chain)
    run = er.sampling.sample(chain, steps=4000, every=20, seed=1, out=tmp_path / "run", progress=False)
    frames = MDAnalysis.Universe(tmp_path / "run" / "topology.pdb", tmp_path / "run" / "trajectory.dcd")
    names = [f"A/{atom.resname} {atom.resid}/{atom.name}" for atom in frames.atoms]
    order = [names.index(label) for label in chain.labels or []]
    least = [pairs.gaps(frame.positions[order].astype(float)).min() for frame in frames.trajectory]
    assert len(least) == 200 and min(least) > -1e-4  # frames are in single precision
    assert pairs.gap(run.chain) > 0
    assert run.observables["radius_of_gyration"].std() > 0.1


def test_copies_and_pickles_exclude_the_same(tmp_path: Path) -> None:
    import copy
    import pickle

    chain = made(tmp_path, SEQUENCE)
    for twin in (copy.copy(chain), pickle.loads(pickle.dumps(chain))):
        assert np.array_equal(twin.excluded, chain.excluded) and np.array_equal(twin.bonds, chain.bonds)
    a, b = chain.excluded[-1].tolist()
    chain.include([(a, b)])
    assert [a, b] not in chain.excluded.tolist()
    chain.exclude([(b, a), (0, 60)])
    assert {(a, b), (0, 60)} <= set(map(tuple, chain.excluded.tolist()))


def test_pickles_of_former_releases_exclude_links_with_all_of_their_balls() -> None:
    chain = er.Chain([[k, 0, 0] for k in range(4)], 0.4, side=STAR, exclude=(1, [(0, 3)]))
    make, (*arguments, _, _, _) = chain.__reduce__()  # they ended before these
    arguments[5] = np.array([[3, 1]], np.int32)
    assert {*map(tuple, make(*arguments).excluded.tolist())} == {
        *[(0, 1), (1, 2), (2, 3), (0, 4), (0, 5), (1, 4), (1, 5), (2, 4), (2, 5), (4, 5)],
        *[(1, 3), (3, 4), (3, 5)],
    }


# Chains whose bonds are given.

STAR = ([1, 1], [[1.0, 1.0, 0.0], [1.0, 2.0, 0.0]], 0.4)


def test_bonds_of_any_chain() -> None:
    """Balls 0 to 3 in a row, 4 on ball 1 and 5 on ball 4."""
    bonds = [(0, 1), (1, 2), (2, 3), (1, 4), (4, 5)]
    for exclude, far in (
        ("bonds", [(3, 5)]),
        (("bonds", 2), [(0, 3), (0, 5), (2, 5), (3, 4), (3, 5)]),
        (("bonds", 5), []),
    ):
        chain = er.Chain([[k, 0, 0] for k in range(4)], 0.4, side=STAR, bonds=bonds, exclude=exclude)
        every = {(i, j) for i in range(6) for j in range(i + 1, 6)}
        assert {*map(tuple, chain.excluded.tolist())} == every - set(far)
        assert len(er.self_within(chain, 100.0)) == len(far)
        assert (chain.excluded_gap, chain.bonds.tolist()) == (-1, [list(pair) for pair in bonds])


def test_bonds_along_a_chain_without_side_balls_are_a_distance_along_it() -> None:
    row = [(k, k + 1) for k in range(9)]
    chain = er.Chain(er.scenes.serpentine(10), 1.0, bonds=row, exclude="bonds")
    assert (chain.excluded_gap, len(chain.excluded)) == (3, 9 + 8 + 7)
    ring = er.Chain(er.scenes.serpentine(10), 1.0, bonds=[*row, (9, 0)], exclude="bonds")
    assert (ring.excluded_gap, len(ring.excluded)) == (3, 30)


def test_pairs_of_balls_and_the_balls_of_one_link() -> None:
    line = [[k, 0, 0] for k in range(4)]
    exactly = er.Chain(line, 0.4, side=STAR, exclude=[(1, 4)])
    assert exactly.excluded.tolist() == [[1, 4]]
    with_links = er.Chain(line, 0.4, side=STAR, exclude=(0, [(0, 5)]))
    assert with_links.excluded.tolist() == [[0, 5], [1, 4], [1, 5], [4, 5]]
    with_links.include([(4, 5)])
    assert with_links.excluded.tolist() == [[0, 5], [1, 4], [1, 5]]


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"exclude": "bonds"}, "exclude='bonds' needs bonds"),
        ({"exclude": "bond", "bonds": [(0, 1)]}, 'exclude must be "bonds" or'),
        ({"exclude": ("bonds", -1), "bonds": [(0, 1)]}, r"exclude\[1\] must be at least 0"),
        ({"bonds": [(0, 6)]}, "bonds"),
        ({"bonds": [(2, 2)]}, r"bonds\[0\] names 2 with itself"),
        ({"exclude": [(0, 6)]}, "exclude"),
    ],
)
def test_bad_bonds_are_refused(given: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        er.Chain([[k, 0, 0] for k in range(4)], 0.4, side=STAR, **given)  # type: ignore[arg-type]
