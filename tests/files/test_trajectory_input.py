"""Trajectories as they come: arrays, and what is refused."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from peptide import pdb_text, peptide
from trajectory_files import SEQUENCE, places, psf_text, shaken, write_frames

from elbowroom.files.trajectory import Trajectory, read_trajectory

RNG = np.random.default_rng(11)
Read = Callable[..., Trajectory]


@pytest.mark.parametrize("shape", [(4, 6, 3), (4, 6, 2), (6, 3), (6, 2)])
@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int16])
def test_arrays_of_every_shape(tmp_path: Path, shape: tuple[int, ...], kind: type) -> None:
    array = (10 * RNG.normal(size=shape)).astype(kind)
    np.save(tmp_path / "beads.npy", array)
    found = read_trajectory(tmp_path / "beads.npy", radius=0.5)
    frames = array if array.ndim == 3 else array[None]
    assert np.array_equal(list(found), frames)
    assert (found.n_frames, found.dimension) == (len(frames), shape[-1])
    assert (found.excluded, found.exclude, found.bonds) == (1, 1, "neighbours along the sequence")
    assert found.radii.tolist() == [0.5] * 6
    assert found.labels[3] == "bead 3"
    assert (found.box, found.notes) == (None, ())


def test_an_archive_of_arrays(tmp_path: Path) -> None:
    file, xyz, radii = tmp_path / "beads.npz", RNG.normal(size=(4, 6, 3)), RNG.random(6)
    np.savez(file, xyz)
    assert np.array_equal(list(read_trajectory(file, radius=1)), xyz)
    np.savez(file, names=np.array(list("abcdef")), xyz=xyz)
    assert np.array_equal(list(read_trajectory(file, radius=1)), xyz)
    np.savez(file, places=xyz, radii=radii)
    found = read_trajectory(file, scale=2, exclude=3, start=1, step=2)
    assert np.array_equal(list(found), xyz[1::2])
    assert np.array_equal(found.radii, 2 * radii)
    assert (found.excluded, found.frames) == (3, range(1, 4, 2))
    assert read_trajectory(file, radius=0.25).radii.tolist() == [0.25] * 6


def test_an_array_with_a_topology(tmp_path: Path) -> None:
    rows, frames = shaken(3)
    np.save(tmp_path / "shaken.npy", frames)
    (tmp_path / "atoms.pdb").write_text(pdb_text(rows))
    found = read_trajectory(tmp_path / "shaken.npy", topology=tmp_path / "atoms.pdb", select="name CA")
    chosen = [row.name == "CA" for row in rows]
    assert np.array(list(found)) == pytest.approx(frames[:, chosen], abs=1e-5)
    assert found.labels[0] == "A/ALA 1/CA"


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Reads one of a few files by its name; `topology` is a name, too."""
    rows, frames = shaken(4)
    write_frames(tmp_path / "good.dcd", frames)
    write_frames(tmp_path / "good.xtc", frames)
    write_frames(tmp_path / "fewer.dcd", frames[:, 1:])
    frames[2, 7, 1] = np.nan
    write_frames(tmp_path / "nan.dcd", frames)
    write_frames(tmp_path / "nan_at_first.dcd", frames[2:])
    np.save(tmp_path / "nan.npy", frames)
    np.save(tmp_path / "few.npy", np.zeros((2, 3, 3)))
    np.save(tmp_path / "plane.npy", np.zeros((2, 3, 2)))
    np.save(tmp_path / "cube.npy", np.zeros((2, 3, 4)))
    np.save(tmp_path / "none.npy", np.zeros((0, 3, 3)))
    np.save(tmp_path / "words.npy", np.array([["a", "b", "c"]]))
    np.save(tmp_path / "objects.npy", np.array([[None, 1, 2]], object))
    np.savez(tmp_path / "two.npz", a=np.zeros((2, 3, 3)), b=np.zeros(3))
    np.savez(tmp_path / "radii.npz", xyz=np.zeros((2, 3, 3)), radii=np.ones(4))
    (tmp_path / "atoms.pdb").write_text(pdb_text(peptide(SEQUENCE)))
    (tmp_path / "beads.psf").write_text(psf_text(["X"] * len(rows), [72.0] * len(rows), []))
    for name in ("broken.dcd", "broken.xtc", "broken.psf", "broken.npy", "broken.npz"):
        (tmp_path / name).write_text("nothing of the kind\n" * 20)
    cut = (tmp_path / "good.xtc").read_bytes()
    (tmp_path / "cut.xtc").write_bytes(cut[: 3 * len(cut) // 4 - 20])

    def reading(name: str, topology: str | None = None, **options: Any) -> Trajectory:
        atoms = None if topology is None else tmp_path / topology
        return read_trajectory(tmp_path / name, topology=atoms, **options)

    return reading


ATOMS = {"topology": "atoms.pdb"}
WRONG: dict[str, tuple[str, dict[str, Any], str]] = {
    "no topology": ("good.dcd", {}, "^topology: .*good.dcd contains coordinates only"),
    "frames for a topology": (
        "good.dcd",
        {"topology": "good.xtc"},
        "^topology: .*good.xtc contains coord",
    ),
    "a broken topology": ("good.dcd", {"topology": "broken.psf"}, "^topology: .*broken.psf: cannot be read"),
    "other atoms": ("fewer.dcd", ATOMS, "^topology: .*atoms.pdb has 6. atoms, but .*fewer.dcd has "),
    "other atoms in an array": ("few.npy", ATOMS, "^topology: .*atoms.pdb has 6. atoms, but .*few.npy has 3"),
    "a plane": ("plane.npy", ATOMS, "^topology: cannot be used with the 2D points"),
    "a topology for a path": ("beads.psf", {}, "beads.psf: contains no coordinates"),
    "no word of selections": ("good.dcd", {**ATOMS, "select": "nam CA"}, "^select: MDAnalysis .*'nam CA'"),
    "what nothing has": ("good.dcd", {**ATOMS, "select": "charge 1"}, "^select: MDAnalysis rejects"),
    "nothing selected": ("good.dcd", {**ATOMS, "select": "name X"}, "^select: 'name X' matches none of 6"),
    "no text": ("good.dcd", {**ATOMS, "select": 5}, "^select must be a text"),
    "names in an array": ("few.npy", {"radius": 1, "select": "all"}, "^select: .*few.npy has no atom names"),
    "no radii": ("few.npy", {}, "^radius: .*few.npy has none; give one"),
    "no elements": (
        "good.dcd",
        {"topology": "beads.psf"},
        "^radius: no van der Waals radius is known",
    ),
    "a negative radius": ("few.npy", {"radius": -1}, "^radius must be finite, not negative"),
    "radii of others": ("radii.npz", {}, r"^radii must be a number or have shape \(3,\), got \(4,\)"),
    "no scale": ("few.npy", {"radius": 1, "scale": 0}, "^scale must be above 0"),
    "half a bond": ("few.npy", {"radius": 1, "exclude": 1.5}, "^exclude must be a whole number"),
    "fewer than no bonds": ("few.npy", {"radius": 1, "exclude": -1}, "^exclude must be at least 0"),
    "too late": ("good.dcd", {**ATOMS, "start": 4}, "^start: leaves none of the frames 0 to 3"),
    "too early": ("good.dcd", {**ATOMS, "stop": 0}, "^stop: leaves none of the frames 0 to 3"),
    "from the end": ("good.dcd", {**ATOMS, "start": -1}, "^start must be at least 0"),
    "no step": ("good.dcd", {**ATOMS, "step": 0}, "^step must be at least 1"),
    "broken": ("broken.dcd", ATOMS, "broken.dcd: cannot be read"),
    "broken, too": ("broken.xtc", ATOMS, "broken.xtc: cannot be read"),
    "no array": ("broken.npy", {"radius": 1}, "broken.npy: does not contain a numeric array"),
    "no archive": ("broken.npz", {"radius": 1}, "broken.npz: does not contain a numeric array"),
    "objects": ("objects.npy", {"radius": 1}, "objects.npy: does not contain a numeric array"),
    "words": ("words.npy", {"radius": 1}, "words.npy: positions must be real numbers, got <U1"),
    "four coordinates": ("cube.npy", {"radius": 1}, r"must have shape .*got \(2, 3, 4\)"),
    "no frames": ("none.npy", {"radius": 1}, r"has no positions: their shape is \(0, 3, 3\)"),
    "which of two": ("two.npz", {"radius": 1}, "or one named 'xyz'; it holds 'a', 'b'"),
    "nan at first": ("nan_at_first.dcd", ATOMS, "frame 0 has a coordinate of A/LEU 2/C that is not finite"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_named(read: Read, capfd: pytest.CaptureFixture[str], case: str) -> None:
    name, options, message = WRONG[case]
    with pytest.raises(ValueError, match=message):
        read(name, **options)
    assert capfd.readouterr() == ("", "")  # nor do the readers say anything


@pytest.mark.parametrize(("name", "who"), [("nan.dcd", "A/LEU 2/C"), ("nan.npy", "bead 7")])
def test_a_frame_that_is_not_finite(read: Read, name: str, who: str) -> None:
    found = read(name, radius=1, **(ATOMS if name.endswith("dcd") else {}))
    with pytest.raises(ValueError, match=f"{name}: frame 2 has a coordinate of {who} that is not finite"):
        list(found)
    assert len(list(read(name, radius=1, stop=2, **(ATOMS if name.endswith("dcd") else {})))) == 2


def test_a_file_that_is_cut_off(read: Read) -> None:
    found = read("cut.xtc", **ATOMS)
    with pytest.raises(ValueError, match=r"cut.xtc: frame 2 cannot be read"):
        list(found)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "beads.npy", np.zeros((2, 3, 3)))
    with pytest.raises(FileNotFoundError, match=r"none.dcd: no such file"):
        read_trajectory(tmp_path / "none.dcd")
    with pytest.raises(FileNotFoundError, match=r"^topology: .*it is a folder"):
        read_trajectory(tmp_path / "beads.npy", topology=tmp_path)
    with pytest.raises(TypeError, match="path must be a file name, got int"):
        read_trajectory(5)  # type: ignore[arg-type]


def test_arrays_need_no_mdanalysis(tmp_path: Path, read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "MDAnalysis", None)
    assert read("few.npy", radius=1).n_frames == 2
    with pytest.raises(ImportError, match=r"needs MDAnalysis.*pip install elbowroom\[trajectory\]"):
        read("good.dcd", **ATOMS)


def test_formats_that_need_another_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("elbowroom.files.topology.find_spec", lambda name: None)
    (tmp_path / "some.gsd").write_bytes(b"")
    with pytest.raises(ValueError, match="to read it MDAnalysis needs gsd: pip install gsd"):
        read_trajectory(tmp_path / "some.gsd")


def test_places_of_the_peptide_are_its_own() -> None:
    """What the cases above call A/LEU 2/C is the eighth atom."""
    row = peptide(SEQUENCE)[7]
    assert (row.residue, row.number, row.name) == ("LEU", 2, "C")
    assert len(places(peptide(SEQUENCE))) // 10 == 6


def test_arrays_in_broken_files_are_refused_by_the_name_of_the_file(tmp_path: Path) -> None:
    """NumPy lets through what its tokenizer, the zip or the pickle raise; users want one kind of error."""
    rng, sound = np.random.default_rng(4), tmp_path / "sound"
    np.save(f"{sound}.npy", rng.normal(size=(3, 9, 3)))
    np.savez_compressed(f"{sound}.npz", xyz=rng.normal(size=(3, 9, 3)))
    refused = 0
    for k in range(400):
        suffix = ".npy" if k % 2 else ".npz"
        content = bytearray((tmp_path / f"sound{suffix}").read_bytes())
        for place in rng.integers(0, 160, 4):
            content[place] = int(rng.integers(256))
        broken = tmp_path / f"broken{suffix}"
        broken.write_bytes(content)
        try:
            for _ in read_trajectory(broken, radius=0.1):
                pass
        except ValueError as error:
            refused += str(error).startswith(str(broken))
    assert refused > 200
