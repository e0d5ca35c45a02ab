"""Files of proteins that are not tidy: what is read all the same, under which name, and what is said."""

from __future__ import annotations

import bz2
import sys
import threading
import warnings
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import gemmi
import numpy as np
import pytest
from peptide import SHEET, Row, pdb_line, pdb_text, peptide, place_of, renamed, shifted

from elbowroom.files import ChainAtoms, read_chain
from elbowroom.files.quiet import quietly

Read = Callable[..., ChainAtoms]

PEPTIDE = peptide(["ALA", "LEU", "SER", "ARG"], SHEET)
BOX = "CRYST1   60.000   60.000   60.000  90.00  90.00  90.00 P 1           1\n"


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def written(content: str | Iterable[Row], name: str = "made.pdb", **options: Any) -> ChainAtoms:
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else pdb_text(content))
        return read_chain(path, atoms="all", **options)

    return written


def same(a: ChainAtoms, b: ChainAtoms) -> bool:
    """The same balls, whatever their chain is called."""
    names = [[label.split("/", 1)[1] for label in one.labels] for one in (a, b)]
    return (
        names[0] == names[1] and np.array_equal(a.positions, b.positions) and np.array_equal(a.radii, b.radii)
    )


def records(*parts: Iterable[Row], between: str = "TER\n") -> str:
    """Parts with records between them."""
    return (
        between.join("".join(pdb_line(k, row) for k, row in enumerate(part, 1)) for part in parts) + "END\n"
    )


def left(rows: Iterable[Row]) -> str:
    """The text of CHARMM's files: names begin in the first column, and there are no elements."""
    lines = pdb_text(rows).splitlines(keepends=True)
    return "".join(
        f"{line[:12]}{line[12:16].strip():<4}{line[16:76].rstrip()}\n" if line.startswith("ATOM") else line
        for line in lines
    )


def test_names_in_the_wrong_columns_are_no_metals(read: Read) -> None:
    assert same(read(left(PEPTIDE)), read(PEPTIDE))
    histidine = read(left(renamed(PEPTIDE, residue="HSX")))  # a residue that nobody knows, of atoms that are
    assert len(histidine.positions) == 12


def test_hydrogens_are_no_mercury_and_are_read_on_request(read: Read) -> None:
    x, y, z = place_of(PEPTIDE, 3, "OG").tolist()
    rows = [*PEPTIDE, Row("HG", "SER", 3, (x, y, z + 0.96))]
    rows.sort(key=lambda row: row.number)
    assert same(read(left(rows)), read(PEPTIDE))
    found = read(left(rows), hydrogens=True)
    ball = found.labels.index("A/SER 3/HG") - len(found.positions)
    assert found.side is not None
    assert np.isclose(found.side.radii[ball] / found.side.radii[0], 1.20 / 1.52)
    turned = [moving for a, b, moving in found.side.torsions if found.labels[b] == "A/SER 3/CB"]
    assert found.labels.index("A/SER 3/HG") in turned[0]
    with pytest.raises(ValueError, match="hydrogens are side balls, which there are with atoms='all' alone"):
        read_chain("none.pdb", hydrogens=True)


def test_what_is_there_twice_in_one_place_is_dropped_and_said(read: Read) -> None:
    twice = [again for row in PEPTIDE for again in ([row, row] if row.name in ("CG", "CD1") else [row])]
    with pytest.warns(UserWarning, match="residue LEU 2: dropped what is there twice: atom CG, CD1"):
        assert same(read(twice), read(PEPTIDE))
    moved = [replace(row, position=(row.position[0] + 0.01, *row.position[1:])) for row in twice]
    with pytest.raises(ValueError, match="LEU 2: atom CG occurs twice, in two places"):
        read(
            [*twice[:8], *(a if k % 2 else b for k, (a, b) in enumerate(zip(twice, moved, strict=True)))][8:]
        )


@pytest.mark.parametrize(("name", "parts"), [("", ["1", "2"]), ("A", ["A-1", "A-2"])])
@pytest.mark.parametrize("between", ["TER\n", ""])
def test_molecules_that_share_a_name_are_taken_apart(
    read: Read, name: str, parts: list[str], between: str
) -> None:
    rows = renamed(PEPTIDE, chain=name)
    text = records(rows, shifted(rows, (30.0, 0.0, 0.0)), between=between)
    with pytest.raises(ValueError, match=f"several protein chains.*: '{parts[0]}', '{parts[1]}'"):
        read(text)
    first, second = (read(text, chain=part) for part in parts)
    assert same(first, read(PEPTIDE))
    assert np.allclose(second.positions, first.positions + np.array([30.0, 0.0, 0.0]))


def test_a_blank_chain_in_one_piece_stays_blank(read: Read) -> None:
    rows = renamed(PEPTIDE, chain="")
    water = Row("O", "HOH", 9, (20.0, 0.0, 0.0), chain="", hetero=True)
    assert read(records(rows, [water])).labels[0] == "/ALA 1/N"


def test_a_blank_chain_is_taken_apart_at_ter_alone(read: Read) -> None:
    rows = renamed(PEPTIDE, chain="")
    later = shifted([replace(row, number=row.number + 10) for row in rows], (30.0, 0.0, 0.0))
    assert read(records(rows, later), chain="2").labels[0] == "2/ALA 11/N"


@pytest.mark.parametrize("cell", [(60, 60, 60, 90, 90, 90), (60, 55, 50, 70, 80, 60)])
@pytest.mark.parametrize("part", [0.97, 0.0])
def test_a_residue_that_is_split_across_the_box_is_made_whole(
    read: Read, part: float, cell: tuple[float, ...]
) -> None:
    """Atoms that stick out of the box are put back at the other side; also where it is skewed."""
    edges = np.array(gemmi.UnitCell(*cell).orth.mat.tolist()).T
    placed = shifted(PEPTIDE, [part, 0.4, 0.4] @ edges - PEPTIDE[8].position)
    inside = np.mod([row.position for row in placed] @ np.linalg.inv(edges), 1.0) @ edges
    rows = [replace(row, position=tuple(at)) for row, at in zip(placed, inside.tolist(), strict=True)]
    box = "CRYST1{:9.3f}{:9.3f}{:9.3f}{:7.2f}{:7.2f}{:7.2f} P 1\n".format(*cell)
    with pytest.warns(UserWarning, match="split across the periodic box"):
        found = read(box + pdb_text(rows)).positions
    step = found - read(box + pdb_text(placed)).positions
    assert np.abs(step - step[0]).max() < 0.01


def test_a_chain_that_is_split_between_residues_is_made_whole(read: Read) -> None:
    parts = [row if row.number < 3 else shifted([row], (60.0, 0.0, 0.0))[0] for row in PEPTIDE]
    with pytest.warns(UserWarning, match=r"residue SER 3: it is split .* residues .* moved .*: 2"):
        assert np.abs(read(BOX + pdb_text(parts)).positions - read(PEPTIDE).positions).max() < 1e-3
    with pytest.raises(ValueError, match="LEU 2: the chain is broken after it"):
        read(parts)


def test_models_without_order(read: Read) -> None:
    other = pdb_text(shifted(PEPTIDE, (1.0, 0.0, 0.0))).replace("END\n", "")
    text = f"MODEL 1\n{pdb_text(PEPTIDE).replace('END', 'ENDMDL')}MODEL 1\n{other}"
    with pytest.warns(UserWarning, match="its models are numbered 1 to 2"):
        second = read(text, model=2)
    assert np.allclose(second.positions[0], np.add(PEPTIDE[0].position, (1.0, 0.0, 0.0)), atol=1e-3)


def test_gro_files_are_read_by_mdanalysis(read: Read) -> None:
    lines = [
        f"{row.number:5d}{row.residue:<5}{row.name:>5}{k:5d}"
        + "".join(f"{x / 10:8.3f}" for x in row.position)
        for k, row in enumerate(PEPTIDE, 1)
    ]
    lines.append(f"{9:5d}{'SOL':<5}{'OW':>5}{99:5d}" + f"{1.0:8.3f}" * 3)
    text = "\n".join(["made", str(len(lines)), *lines, "   9.0   9.0   9.0", ""])
    found = read(text, "made.gro")
    assert found.labels[0] == "/ALA 1/N"
    assert np.abs(found.positions - read(PEPTIDE).positions).max() < 0.0051
    water = "\n".join(["water", "1", lines[-1], "   9.0   9.0   9.0", ""])
    with pytest.raises(ValueError, match="no protein chain, but water alone"):
        read(water, "water.gro")


def test_bzip2_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "made.pdb.bz2"
    path.write_bytes(bz2.compress(pdb_text(PEPTIDE).encode()))
    assert len(read_chain(path).positions) == 12
    path.write_bytes(bz2.compress(pdb_text(PEPTIDE).encode())[:-9])
    with pytest.raises(ValueError, match="damaged bz2 file"):
        read_chain(path)


def test_nucleotides_of_charmm_are_known(read: Read) -> None:
    with pytest.raises(ValueError, match="residue ADE 1: no atom O5' and no C5'"):
        read([Row("P", "ADE", 1, (0.0, 0.0, 0.0)), Row("P", "GUA", 2, (6.0, 0.0, 0.0))])


def test_tidy_files_raise_no_warning(read: Read) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(PEPTIDE)


def test_names_of_four_letters_are_not_taken_for_chains(read: Read) -> None:
    """Files of GROMOS, Amber and CHARMM: the fourth letter stands where a chain of two letters would."""
    rows = peptide(["ALA", "LYS", "CYS", "GLY"])
    names = {1: "NALA", 2: "LYSH", 3: "CYSH", 4: "CGLY"}
    lines = records(rows).splitlines(keepends=True)
    atoms = [line for line in lines if line.startswith("ATOM")]
    long = "".join(f"{line[:17]}{names[int(line[22:26])]}{line[21:]}" for line in atoms)
    assert same(read(long), read(rows))
    # A chain HA has residues of other kinds, too.
    two = "".join(f"{line[:20]}HA{line[22:]}" for line in atoms)
    assert read(two).labels[0] == "HA/ALA 1/N"


def test_threads_are_quiet_together() -> None:
    """However they overlap, filters of warnings and the hook come back."""
    before = list(warnings.filters), sys.unraisablehook
    first, second = quietly(), quietly()
    with first:
        other = threading.Thread(target=second.__enter__)
        other.start()
        other.join()
        with warnings.catch_warnings(record=True) as seen:
            warnings.warn("silent", UserWarning, stacklevel=1)
        assert not seen
    second.__exit__(None, None, None)
    assert (list(warnings.filters), sys.unraisablehook) == before
