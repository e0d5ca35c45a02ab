"""Ligands and nucleic acids as rigid groups, from files and from atoms of MDAnalysis."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import MDAnalysis
import numpy as np
import pytest
from peptide import SHEET, Row, cif_text, pdb_text, peptide, renamed, shifted

import elbowroom as er
from elbowroom.files.radii import RADIUS_SCALE

PROTEIN = peptide(["ALA", "LEU", "SER"], SHEET)
LIGAND = [
    Row("C1", "LIG", 101, (0.0, 0.0, 9.0), hetero=True),
    Row("CO", "LIG", 101, (1.5, 0.0, 9.0), hetero=True),  # a carbon, whatever it is called
    Row("HO", "LIG", 101, (2.0, 0.8, 9.0), hetero=True, element="H"),
]
ZINC = [Row("ZN", "ZN", 102, (20.0, 0.0, 9.0), hetero=True, element="ZN")]
WATER = [Row("O", "HOH", 201, (30.0, 0.0, 0.0), hetero=True)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "made.pdb"
    path.write_text(pdb_text([*PROTEIN, *LIGAND, *ZINC, *WATER]))
    return path


@pytest.mark.parametrize("residue", ["LIG", 101, "101"])
def test_a_ligand_is_its_heavy_atoms(path: Path, residue: str | int) -> None:
    found = er.Group.from_pdb(path, residue=residue)
    assert found.labels == ("A/LIG 101/C1", "A/LIG 101/CO")
    reach = 1.70 * RADIUS_SCALE
    assert np.allclose(found.bounds, [[-reach, -reach, 9 - reach], [1.5 + reach, reach, 9 + reach]])
    again = pickle.loads(pickle.dumps(found))
    assert again.labels == found.labels and np.array_equal(again.bounds, found.bounds)


def test_its_distance_from_the_protein_is_that_of_all_pairs(path: Path) -> None:
    chain, ligand = er.Chain.from_pdb(path, atoms="all"), er.Group.from_pdb(path, residue="LIG", scale=1.0)
    assert chain.labels is not None and ligand.labels is not None
    near = er.distance(chain, ligand)
    places = np.array([row.position for row in LIGAND[:2]])
    side = chain.side
    assert side is not None
    radii = np.concatenate([chain.radii, side.radii])
    gaps = np.linalg.norm(chain.positions(side=True)[:, None] - places[None], axis=2) - radii[:, None] - 1.70
    assert near.value == pytest.approx(gaps.min())
    i, j = np.unravel_index(gaps.argmin(), gaps.shape)
    assert (chain.labels[near.pair[0]], ligand.labels[near.pair[1]]) == (chain.labels[i], ligand.labels[j])


def test_hydrogens_metals_and_all_of_it(path: Path) -> None:
    with pytest.raises(ValueError, match=r"^radii: none is known for A/ZN 102/ZN \(element 'Zn'\)"):
        er.Group.from_pdb(path)
    found = er.Group.from_pdb(path, radii={"Zn": 0.74}, hydrogens=True, scale=1.0)
    assert found.labels is not None
    assert [label.rpartition("/")[2] for label in found.labels] == ["C1", "CO", "HO", "ZN"]
    assert found.bounds[1, 0] == pytest.approx(20.74)


@pytest.mark.parametrize("write", [pdb_text, cif_text])
def test_nucleic_acids_are_rigid_groups(tmp_path: Path, write: Any) -> None:
    rows = [Row("P", "DA", 1, (0.0, 0.0, 0.0), chain="N"), Row("O5'", "DA", 1, (1.6, 0.0, 0.0), chain="N")]
    path = tmp_path / "made"
    path.write_text(write([*PROTEIN, *rows]))
    found = er.Group.from_pdb(path, chain="N")
    assert found.labels == ("N/DA 1/P", "N/DA 1/O5'")


def test_atoms_of_mdanalysis(path: Path) -> None:
    universe = MDAnalysis.Universe(str(path), to_guess=())
    found = er.Group.from_atoms(universe.select_atoms("resname LIG and not name HO"))
    ours = er.Group.from_pdb(path, residue="LIG")
    assert found.labels == ours.labels
    assert np.allclose(found.bounds, ours.bounds, atol=1e-5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"residue": "HEM"}, "^residue: 'HEM' is no ligand of .*, which has A/LIG 101, A/ZN 102"),
        ({"residue": 2}, "^residue: 2 is no ligand"),
        ({"residue": 1.5}, "^residue must be a name or a number"),
        ({"chain": "B"}, "^chain 'B' is not in .*, which has 'A'"),
        ({"model": 2}, "^model 2 is not in"),
        ({"scale": -1}, "^scale must be"),
        ({"radii": {"Zn": -1}}, r"^radii\['Zn'\]"),
        ({"radii": 3}, "^radii must map elements"),
    ],
)
def test_errors_name_the_argument(path: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        er.Group.from_pdb(path, **options)


def test_two_of_a_name_must_be_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "made.pdb"
    path.write_text(pdb_text([*LIGAND, *shifted(renamed(LIGAND, number=102), (9.0, 0.0, 0.0))]))
    with pytest.raises(
        ValueError, match="has LIG several times: A/LIG 101, A/LIG 102; choose by chain and number"
    ):
        er.Group.from_pdb(path, residue="LIG")
    assert len(er.Group.from_pdb(path, residue=102)) == 2
    path.write_text(pdb_text(PROTEIN))
    with pytest.raises(ValueError, match="has no atoms but those of amino acids and water"):
        er.Group.from_pdb(path)
