"""`elbowroom check --between-frames`: what overlaps or crosses from one frame to the next."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from trajectory_files import MASSES, peptide_bonds, psf_text, shaken, write_frames

import elbowroom as er

Ask = Callable[..., tuple[int, str, str]]
#: Five beads; the bond between the last two comes down through the first bond.
GATE = np.array([[-1.0, 0, 0], [1, 0, 0], [2, 2, 0], [0, 1, 1], [0, -1, 1]])
HEIGHTS = [1.0, 0.5, -0.25, -1.0]


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    np.save(tmp_path / "gate.npy", [GATE * [1, 1, height] for height in HEIGHTS])
    return tmp_path / "gate.npy"


def test_a_crossing_is_named_by_its_frames(ask: Ask, gate: Path, tmp_path: Path) -> None:
    assert ask("check", gate, "--radius", 0.1)[0] == 0, "every frame is free"
    file = tmp_path / "found.json"
    status, out, err = ask("check", gate, "--radius", 0.1, "--between-frames", "--json", file)
    assert (status, err) == (1, "")
    assert "1 of bonds that cross, in 1 of 3 steps between the 4 frames" in out
    assert "1 and 2" in out and "bead 0-bead 1, bead 3-bead 4" in out
    (found,) = json.loads(file.read_text())["between_frames"]
    assert (found["frames"], found["what"], found["decided"]) == ([1, 2], "bonds", True)
    assert found["numbers"] == [[0, 1], [3, 4]]
    assert found["at"] == pytest.approx(1 + 0.5 / 0.75, abs=1e-9)
    status, out, _ = ask("check", gate, "--radius", 0.1, "--between-frames", "--start", 2)
    assert status == 0 and out.startswith("free: no two beads of gate.npy overlap between the 2 frames")


def test_atoms_and_bonds_of_a_molecule(ask: Ask, tmp_path: Path) -> None:
    """As er.check of the same beads and bonds says, frame by frame; also in a box that is wrapped."""
    rows, frames = shaken(5, amount=1.2)
    names, masses = [row.name for row in rows], [MASSES[row.symbol] for row in rows]
    bonds = peptide_bonds(rows)
    (tmp_path / "atoms.psf").write_text(psf_text(names, masses, bonds))
    write_frames(tmp_path / "open.dcd", frames)
    frames = frames.astype(np.float32).astype(float)
    write_frames(tmp_path / "boxed.dcd", np.mod(frames, 90.0), box=(90, 90, 90, 90, 90, 90))
    told = {}
    for name in ("open", "boxed"):
        arguments = [tmp_path / f"{name}.dcd", "--topology", tmp_path / "atoms.psf", "--between-frames"]
        status, _, _ = ask("check", *arguments, "--radius", 0.6, "--select", "all", "--json", tmp_path / name)
        facts = json.loads((tmp_path / name).read_text())
        assert facts["periodic"] is (name == "boxed") and facts["bonds"] == len(bonds)
        assert status == int(bool(facts["between_frames"]))
        told[name] = [(each["frames"][0], each["what"], each["numbers"]) for each in facts["between_frames"]]
    assert sorted(told["open"]) == sorted(told["boxed"])
    rope = er.Necklace(frames[0], 0.3, exclude=[(i, j) for i in range(len(rows)) for j in range(i)])
    for step in range(4):
        rope.move(frames[step])
        found = er.check(rope, frames[step + 1], bonds=bonds)
        crossed = [each[2] for each in told["open"] if each[0] == step and each[1] == "bonds"]
        assert found.free is not bool(crossed)
        if crossed:
            assert sorted(sorted(bond) for bond in found.beads) in [
                sorted(sorted(bond) for bond in each) for each in crossed
            ]
    assert any(each[1] == "bonds" for each in told["open"])
    assert any(each[1] == "atoms" for each in told["open"])


def test_what_is_refused(ask: Ask, gate: Path, tmp_path: Path) -> None:
    for option in (["--distance"], ["--plot", tmp_path / "a.png"], ["--cluster", "local"], ["--bridge", 1]):
        status, _, err = ask("check", gate, "--radius", 0.1, "--between-frames", *option)
        assert status == 2 and err.startswith(f"elbowroom: {option[0]}: ")
    status, _, err = ask("check", gate, "--radius", 0.1, "--between-frames", "--stop", 1)
    assert status == 2 and "has one frame only" in err
    rows, frames = shaken(2, amount=0.1)
    frames[1, 3] += 12
    names, masses = [row.name for row in rows], [MASSES[row.symbol] for row in rows]
    (tmp_path / "atoms.psf").write_text(psf_text(names, masses, peptide_bonds(rows)))
    write_frames(tmp_path / "far.dcd", frames, box=(40, 40, 40, 90, 90, 90))
    status, _, err = ask(
        "check",
        tmp_path / "far.dcd",
        "--topology",
        tmp_path / "atoms.psf",
        "--select",
        "all",
        "--between-frames",
    )
    assert status == 2 and "moves too far between two frames" in err and "--no-box" in err
