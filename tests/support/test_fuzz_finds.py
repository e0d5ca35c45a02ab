"""What the fuzzers found: files and arguments that crashed, hung, ate memory, or were refused unnamed."""

from __future__ import annotations

import json
import logging
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from peptide import pdb_text, peptide
from reader_seeds import SPEC, meshes, motions, npy, npz, proteins, robots, tables, trajectories
from saved_seeds import calibration, family, own_dcd

import elbowroom as er
from elbowroom._arrays import shown
from elbowroom.files.bonds import guessed_bonds
from elbowroom.files.dcd import DcdWriter
from elbowroom.files.moveit import read_scene
from elbowroom.files.opening import LONGEST_MESSAGE, blaming
from elbowroom.files.paths import read_configurations, read_poses
from elbowroom.files.srdf import read_srdf
from elbowroom.files.trajectory import read_trajectory
from elbowroom.sampling import read_spec

BVH, URDF = motions()["small.bvh"].decode(), robots()["plain.urdf"].decode()
FRAMES = trajectories()


def whole(size: int) -> bytes:
    return struct.pack(">i", size)


def deep(name: str) -> bytes:
    """Lists within lists, beyond what Python follows."""
    return f'{{"{name}": {"[" * 100_000}'.encode()


def npy_of(shape: tuple[int, ...]) -> bytes:
    """A file that says it holds more than it does."""
    content = npy(np.zeros((4, 3)))
    header = content[10:].split(b"\n")[0]
    told = header.replace(b"(4, 3)", str(shape).encode()).strip() + b"\n"
    return content[:8] + struct.pack("<H", len(told)) + told + bytes(96)


def changed(content: bytes, old: bytes, new: bytes) -> bytes:
    assert old in content
    return content.replace(old, new, 1)


#: The name of the file, what it holds, how it is read, and what the error says of it.
FILES: dict[str, tuple[str, bytes, Callable[[Path], Any], str]] = {
    "bytes that are no text": (
        "a.pdb", proteins()["whole.pdb"].replace(b"MET A", b"M\xffT A"), er.Chain.from_pdb,
        "not text"),
    "an atom far away": (
        "a.cif", changed(proteins()["whole.cif"], b" 0.000 ", b" 1e308 "), er.Chain.from_pdb,
        "beyond 1e\\+15"),
    "XML with nothing in it": ("a.urdf", b"\x00\xff<", er.Articulated.from_urdf, "not XML"),
    "SRDF with nothing in it": ("a.srdf", b"\x1f<", read_srdf, "not XML"),
    "a parent that is no link": (
        "a.urdf", URDF.replace('parent link="l0"', 'parent link="x"').encode(), er.Articulated.from_urdf,
        "not among links"),
    "a loop of joints": (
        "a.urdf", URDF.replace('parent link="l0"', 'parent link="l1"').encode(), er.Articulated.from_urdf,
        "loop"),
    "a bone without end": ("a.bvh", BVH.replace("0 1 0", "0 1e300 0").encode(), er.Articulated.from_bvh,
    "beyond 1e\\+15"),
    "a bone too long": ("a.bvh", BVH.replace("0 1 0", "9e14 9e14 9e14").encode(), er.Articulated.from_bvh,
    "length"),
    "a channel without end": (
        "a.bvh", BVH.replace("Yrotation", "Y" * 9000).encode(), er.Articulated.from_bvh, "channel"),
    "a table that says it is large": ("a.npy", npy_of((10**12, 7)), read_poses, "a numeric array"),
    "a table without a header": ("a.npy", npy(np.eye(4))[:40], read_poses, "a numeric array"),
    "a quaternion without end": (
        "a.csv", b"x,y,z,qw,qx,qy,qz\n0,0,0,1e300,0,0,0\n", read_poses, "beyond 1e\\+15"),
    "deep JSON": ("a.json", deep("chain"), read_spec, "cannot be understood"),
    "a key without end": ("a.toml", SPEC.replace("spacing", "s" * 9000).encode(), read_spec, "no such key"),
    "a calibration of infinite runs": (
        "a.json", changed(calibration(), b'"runs": 200', b'"runs": 1e999'), er.Calibration.load, "damaged"),
    "a calibration of deep JSON": ("a.json", deep("format"), er.Calibration.load, "not JSON"),
    "a damaged zip": ("a.npz", family(20)[:900] + bytes(40) + family(20)[940:], er.SeparatingPairs.load,
    "not an .npz"),
    "a scene in which all is far away": (
        "a.yaml", b"world: {collision_objects: [{id: a, pose: {position: [1e16, 0, 0]}}]}", read_scene,
        "1e\\+15"),
    "a mesh of few bytes": ("a.stl", meshes()["mesh.stl"][:90], er.Mesh.load, "contains no triangles"),
}  # fmt: skip


@pytest.mark.parametrize("case", FILES)
def test_the_error_names_the_file(case: str, tmp_path: Path) -> None:
    name, content, read, message = FILES[case]
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message) as error:
        read(path)
    assert str(path) in str(error.value) and len(str(error.value)) < LONGEST_MESSAGE + 200


def test_lists_within_lists_are_shown_in_no_time() -> None:
    held: list[Any] = [1, 2]
    for _ in range(40):
        held = [held] * 9
    assert shown(held).startswith("[[[") and len(shown(held)) <= 80


def test_columns_that_a_table_lacks_are_as_in_zero(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(tables()["joints.csv"])
    assert read_configurations(tmp_path / "a.csv", ["a b", "elbow", "shoulder"]).shape == (4, 3)


#: Files that made MDAnalysis write where it must not, and what they are damaged in.
DAMAGED = {
    "atoms of xtc": ("frames.xtc", lambda c: c[:4] + whole(10**6) + c[8:], "10{6} atoms, then 9"),
    "magic of xtc": ("frames.xtc", lambda c: whole(7) + c[4:], "does not start with the header of XTC: 7"),
    "two kinds of frames": ("frames.xtc", lambda c: c + c[:4] + whole(1) + c[8:52] + whole(1) + bytes(12),
    "it has 1 atoms"),
    "sizes of trr": ("frames.trr", lambda c: c[:52] + whole(10**9) + c[56:], "take 10{9} bytes"),
    "magic of trr": ("frames.trr", lambda c: whole(7) + c[4:], "does not start with the header of TRR"),
    "atoms of dcd": ("frames.dcd", lambda c: c.replace(struct.pack("<3i", 4, 69, 4), struct.pack("<3i", 4,
    10**9, 4)), "10{9} atoms"),
    "fixed atoms of dcd": ("frames.dcd", lambda c: c[:40] + struct.pack("<i", 70) + c[44:], "70 stand still"),
    "title of dcd": ("frames.dcd", lambda c: c[:92] + struct.pack("<i", 10**8) + c[96:], "another length"),
    "header of dcd": ("frames.dcd", lambda c: c[:90], "ends within its header"),
}  # fmt: skip


@pytest.mark.parametrize("case", DAMAGED)
def test_damaged_frames_are_refused_before_they_are_read(case: str, tmp_path: Path) -> None:
    name, damage, message = DAMAGED[case]
    (tmp_path / "atoms.pdb").write_bytes(FRAMES["few.pdb" if name.endswith("xtc") else "atoms.pdb"])
    path = tmp_path / name
    path.write_bytes(FRAMES[name])
    assert len(list(read_trajectory(path, topology=tmp_path / "atoms.pdb", radius=0.1))) == 3
    path.write_bytes(damage(FRAMES[name]))
    with pytest.raises(ValueError, match=rf"{name}: cannot be read \(.*{message}"):
        read_trajectory(path, topology=tmp_path / "atoms.pdb", radius=0.1)


def test_the_range_of_compressed_frames_is_looked_at(tmp_path: Path) -> None:
    from trajectory_files import shaken, write_frames

    rows, moving = shaken(2)
    path = write_frames(tmp_path / "a.xtc", moving, [40, 40, 40, 90, 90, 90])
    (tmp_path / "atoms.pdb").write_text(pdb_text(rows))
    content = path.read_bytes()
    assert len(list(read_trajectory(path, topology=tmp_path / "atoms.pdb", radius=0.1))) == 2
    for place, value, message in ((84, 200, "have no range"), (88, 10**6, "take 10{6} bytes")):
        path.write_bytes(content[:place] + whole(value) + content[place + 4 :])
        with pytest.raises(ValueError, match=rf"frame 0 is damaged: .*{message}"):
            read_trajectory(path, topology=tmp_path / "atoms.pdb", radius=0.1)


def test_atoms_in_a_heap_are_bonded_to_none() -> None:
    heap = np.zeros((20_000, 3))
    bonds = guessed_bonds(np.vstack([heap, [[9.0, 0, 0], [10.5, 0, 0]]]), np.full(20_002, "C"), None)
    assert bonds.tolist() == [[20_000, 20_001]]


def test_a_file_of_our_own_that_says_it_is_large_takes_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "own.dcd"
    content = own_dcd()["own.dcd"]
    path.write_bytes(changed(content, struct.pack("<3i", 4, 5, 4), struct.pack("<3i", 4, 2**29 - 3, 4)))
    with DcdWriter.open(path) as writer:
        assert (writer.atoms, writer.frames) == (2**29 - 3, 0)
    path.write_bytes(changed(content, struct.pack("<3i", 4, 5, 4), struct.pack("<3i", 4, 2**31 - 1, 4)))
    with pytest.raises(ValueError, match="damaged DCD file"):
        DcdWriter.open(path)


def test_what_other_packages_log_is_not_printed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """By Python's last resort, which writes to the error stream where nobody has set up logging."""
    (tmp_path / "a.stl").write_bytes(meshes()["mesh.text.stl"].replace(b"normal 0.0", b"normal x", 1))
    (tmp_path / "a.urdf").write_text(URDF.replace("<link name", "<link x:n", 1))
    root = logging.getLogger()
    handlers, root.handlers = root.handlers, []
    try:
        er.Mesh.load(tmp_path / "a.stl")
        with pytest.raises(ValueError, match=r"a.urdf"):
            er.Articulated.from_urdf(tmp_path / "a.urdf")
    finally:
        root.handlers = handlers
    assert capfd.readouterr() == ("", "")


def test_an_error_about_an_argument_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.pdb").write_text(pdb_text(peptide(["ALA"] * 3)))
    with pytest.raises(ValueError, match=r"^volume must be one of"):
        er.Chain.from_pdb(tmp_path / "a.pdb", volume="ball")
    with pytest.raises(ValueError, match=r"^scene: b$"), blaming("scene", "a"):
        raise ValueError("b")
    with pytest.raises(ValueError, match=r"^a is wrong$"), blaming("scene", "a"):
        raise ValueError("a is wrong")


class Broken:
    def __repr__(self) -> str:
        raise RuntimeError


ROD = np.arange(6.0)[:, None] * [1.0, 0, 0]
ARGUMENTS: dict[str, tuple[Callable[[], Any], str]] = {
    "a number without end": (lambda: er.Box([10**400, 1, 1]), "extents"),
    "a range without end": (lambda: er.Box(range(10**12)), "extents"),
    "what cannot be shown": (lambda: er.Mimic(Broken()),
    "joint of a Mimic must be a name, got <Broken instance"),  # type: ignore[arg-type]
    "digits without end": (lambda: er.Mimic(10**6000), "joint of a Mimic must be a name, got a int"),
    # type: ignore[arg-type]
    "an array for a choice": (lambda: er.Chain(ROD, 0.1, volume=np.ones(3)), "volume"),
    # type: ignore[arg-type]
    "an array for a method": (lambda: er.Memory(np.ones(3)), "method"),  # type: ignore[arg-type]
    "an array for a flag": (lambda: er.Necklace(ROD, 0.1, closed=np.ones(3)),
    "closed must be True or False"),  # type: ignore[arg-type]
    "a text for a flag": (lambda: er.energies.LennardJones(1, 1, 2, shift="no"), "shift"),
    # type: ignore[arg-type]
    "an array of no dimension": (lambda: er.Group(np.array(3)), "members must be a list"),
    "shapes of no dimension": (lambda: er.Link("a", np.array(3)), "shapes of link 'a' must be a list"),
    "an array for a kind": (lambda: er.volumes.fit(np.ones(3), ROD), "kind"),  # type: ignore[arg-type]
    "an energy that is none": (lambda: er.energies.LennardJones(1, 1e10, 1e-50, shift=True), "cutoff"),
    "a polymer too long": (lambda: er.sampling.polymer(20, spacing=1e14), "spacing is too large"),
    "tables by numbers": (lambda: er.sampling.Spec.from_dict({0.5: {}}), "names of tables must be texts"),
    # type: ignore[dict-item]
    "tables that are none": (lambda: er.sampling.Spec.from_dict(np.ones(2)), "data: must be a dictionary"),
    # type: ignore[arg-type]
    "a ragged temperature": (
        lambda: er.sampling.sample(er.Chain(ROD, 0.1), energy=er.energies.Clashes(), steps=1,
        temperature=[[1], 2]),  # type: ignore[list-item]
        "temperature"),
    "a table learned from a text": (
        lambda: er.Calibration(np.ones(9), np.arange(2.0), np.arange(2.0), learned="many"), "learned"),
        # type: ignore[arg-type]
    "a family of lists": (lambda: er.SeparatingPairs(*[[]] * 7), "pairs must be an array"),
    "a tree of nothing": (lambda: er.BVTT({}), "nodes must have an array 'parent'"),
    "a fit of nothing": (
        lambda: er.sampling.fit_exponent([10, 20, 40, 80, 160], np.ones(5), np.full(5, 1e-300)),
        "errors must be within"),
}  # fmt: skip


@pytest.mark.parametrize("case", ARGUMENTS)
def test_the_error_names_the_argument(case: str) -> None:
    call, message = ARGUMENTS[case]
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("volume", ["auto", "sphere", "obb"])
def test_a_chain_that_excludes_everything_answers(volume: str) -> None:
    chain = er.Chain(ROD, 0.7, volume=volume, exclude=2**31 - 1)
    assert chain.excluded_gap == 2**31 - 1
    assert not chain.collides() and er.self_distance(chain, budget=er.Budget(tests=500)).value == np.inf


def test_sound_files_are_still_read(tmp_path: Path) -> None:
    (tmp_path / "a.npz").write_bytes(npz(xyz=np.zeros((1, 2, 3)), radii=np.ones(2)))
    (tmp_path / "a.json").write_text(json.dumps({"chain": {"beads": 5}, "run": {"steps": 2}}))
    assert read_trajectory(tmp_path / "a.npz").n_frames == 1
    assert read_spec(tmp_path / "a.json").settings.steps == 2
