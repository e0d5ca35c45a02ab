"""What unpacks to more than the limit is refused before it is read, with a hint how to raise the limit."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from assembly_files import Gltf
from peptide import pdb_text, peptide
from robot_files import COLLADA

import elbowroom as er
from elbowroom.files import mesh_limits, unpacking
from elbowroom.files.assembly import read_assembly
from elbowroom.files.moveit import read_problems, read_scene
from elbowroom.files.srdf import read_srdf
from elbowroom.files.trajectory import read_trajectory
from elbowroom.sampling._disk.parts import Parts, pyarrow

LIMIT = 200_000
ZEROS = bytes(1_000_000)
PDB = pdb_text(peptide(("GLY", "ALA", "SER"))).encode()
Read = Callable[[Path], object]


@pytest.fixture(autouse=True)
def limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(unpacking.VARIABLE, str(LIMIT))


def zipped(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return file.getvalue()


def tarred(mode: str, **members: bytes) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as archive:
        for name, content in members.items():
            member = tarfile.TarInfo(name.replace("_", "."))
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return file.getvalue()


def arrays(**held: Any) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **held)
    return file.getvalue()


def family() -> bytes:
    proof = er.Necklace([[0, 0], [1, 0], [2, 0]], 0.4).separating_pairs()
    held = {
        name: getattr(proof, name) for name in ("pairs", "colliding", "cages", "ranges", "radii", "tests")
    }
    return arrays(**held, excluded=np.zeros((90_000, 2), np.int32), positions=np.zeros((90_000, 2)))


def positions(path: Path) -> object:
    return read_trajectory(path, radius=0.1)


def with_topology(path: Path) -> object:
    frames = path.with_name("frames.npy")
    np.save(frames, np.zeros((1, 3, 3)))
    return read_trajectory(frames, topology=path, radius=0.1)


def zeros() -> bytes:
    """An accessor without a buffer."""
    made = Gltf()
    made.node(mesh=made.mesh())
    made.held["accessors"][0] = {"componentType": 5126, "count": 10**6, "type": "VEC3"}
    return made.glb()


def stretched() -> bytes:
    """A mesh at many scales, each of which makes another mesh."""
    made = Gltf()
    mesh = made.mesh(np.zeros((300, 3)))
    for k in range(50):
        made.node(mesh=mesh, scale=[1, 1, k + 2])
    return made.glb()


BOMBS: dict[str, tuple[bytes, Read]] = {
    "a.pdb.gz": (gzip.compress(PDB + ZEROS), er.Chain.from_pdb),
    "a.cif.gz": (gzip.compress(b"data_a\n" + ZEROS), er.Chain.from_pdb),
    "a.bvh.gz": (gzip.compress(b"HIERARCHY\n" + ZEROS), er.Articulated.from_bvh),
    "a.urdf.gz": (gzip.compress(b"<robot/>" + ZEROS), er.Articulated.from_urdf),
    "a.srdf.gz": (gzip.compress(b"<robot/>" + ZEROS), read_srdf),
    "two.srdf.gz": (gzip.compress(ZEROS[:150_000]) * 2, read_srdf),
    "a.yaml.gz": (gzip.compress(ZEROS), read_scene),
    "a.tar.gz": (tarred("w:gz", scene1_yaml=ZEROS), lambda path: list(read_problems(path))),
    "a.tar.bz2": (tarred("w:bz2", scene1_yaml=ZEROS), lambda path: list(read_problems(path))),
    "a.tar.xz": (tarred("w:xz", other=ZEROS), lambda path: read_scene(path / "scene.yaml")),
    "family.npz": (family(), er.SeparatingPairs.load),
    "frames.npz": (arrays(xyz=np.zeros((10, 9000, 3))), positions),
    "many.npz": (arrays(**{f"a{k}": np.zeros(9000) for k in range(9)}), positions),
    "a.xyz.gz": (gzip.compress(b"1\n\nC 0 0 0\n" + ZEROS), positions),
    "a.xyz.bz2": (bz2.compress(b"1\n\nC 0 0 0\n" + ZEROS), positions),
    "hidden.xyz": (gzip.compress(b"1\n\nC 0 0 0\n" + ZEROS), positions),
    "atoms.pdb.gz": (gzip.compress(PDB + ZEROS), with_topology),
    "a.3mf": (zipped(_3D__3dmodel_model=ZEROS), er.Mesh.load),
    "parts.3mf": (zipped(**{"3D__3dmodel_model": ZEROS}), read_assembly),
    "zeros.glb": (zeros(), read_assembly),
    "stretched.glb": (stretched(), read_assembly),
    "a.zip": (zipped(a_stl=ZEROS), er.Mesh.load),
    "a.zae": (zipped(a_dae=ZEROS), er.Mesh.load),
    "zip.dae": (zipped(a_dae=ZEROS), er.Mesh.load),
    "inner.zip": (zipped(a_3mf=zipped(_3D__3dmodel_model=ZEROS)), er.Mesh.load),
    "mesh.tar.gz": (tarred("w:gz", a_stl=ZEROS), er.Mesh.load),
    "mesh.tar.bz2": (tarred("w:bz2", a_3mf=zipped(a_model=ZEROS)), er.Mesh.load),
    "a.stl.bz2": (bz2.compress(ZEROS), er.Mesh.load),
}  # fmt: skip


@pytest.mark.parametrize("name", BOMBS)
def test_what_unpacks_to_too_much_is_refused(name: str, tmp_path: Path) -> None:
    content, read = BOMBS[name]
    file = tmp_path / name
    file.write_bytes(content)
    assert len(content) < LIMIT / 10
    with pytest.raises(ValueError, match=rf"{name}.*200,000 bytes.*{unpacking.VARIABLE}"):
        read(file)


def test_no_more_is_unpacked_than_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, passed = tmp_path / "a.pdb.gz", []
    file.write_bytes(gzip.compress(bytes(20_000_000)))
    monkeypatch.setattr(unpacking, "CHUNK", 10_000)
    whole = gzip.GzipFile.read

    def counted(self: gzip.GzipFile, size: int | None = -1) -> bytes:
        passed.append(part := whole(self, size))
        return part

    monkeypatch.setattr(gzip.GzipFile, "read", counted)
    with pytest.raises(ValueError, match="200,000 bytes"):
        er.Chain.from_pdb(file)
    assert LIMIT < sum(map(len, passed)) <= LIMIT + 10_000


@pytest.mark.parametrize(("text", "value"), [("", 1 << 30), ("7", 7), ("3k", 3072), (" 4G ", 4 << 30)])
def test_the_limit_can_be_set(text: str, value: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(unpacking.VARIABLE, text)
    assert unpacking.read_limit() == value


@pytest.mark.parametrize("text", ["-1", "much", "1.5G", "9" * 30])
def test_a_limit_that_is_none_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(unpacking.VARIABLE, text)
    with pytest.raises(ValueError, match=unpacking.VARIABLE):
        unpacking.read_limit()


def test_a_larger_limit_lets_a_file_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "frames.npz"
    file.write_bytes(arrays(xyz=np.zeros((2, 90_000, 3))))
    with pytest.raises(ValueError, match=unpacking.VARIABLE):
        positions(file)
    monkeypatch.setenv(unpacking.VARIABLE, "8M")
    assert len(read_trajectory(file, radius=0.1).radii) == 90_000


def test_what_is_not_compressed_may_be_as_large_as_it_is(tmp_path: Path) -> None:
    np.savez(tmp_path / "frames.npz", xyz=np.zeros((2, 90_000, 3)))
    assert len(read_trajectory(tmp_path / "frames.npz", radius=0.1).radii) == 90_000
    (tmp_path / "a.pdb").write_bytes(PDB + b"REMARK\n" * 100_000)
    assert len(er.Chain.from_pdb(tmp_path / "a.pdb")) == 9


def test_small_archives_are_read(tmp_path: Path) -> None:
    mesh = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
    for name, content in (("a.zip", zipped(a_obj=mesh)), ("a.tar.gz", tarred("w:gz", a_obj=mesh))):
        (tmp_path / name).write_bytes(content)
        assert len(er.Mesh.load(tmp_path / name)) == 1
    scene = b"world: {collision_objects: []}"
    for mode, name in (("w", "a.tar"), ("w:gz", "b.tar.gz"), ("w:bz2", "c.tar.bz2"), ("w:xz", "d.tar.xz")):
        (tmp_path / name).write_bytes(tarred(mode, scene_yaml=scene))
        assert read_scene(tmp_path / name / "scene.yaml").obstacles == ()


def test_a_sparse_file_of_an_archive_is_not_filled_with_zeros(tmp_path: Path) -> None:
    """512 bytes of an archive say that a file has a gigabyte, nearly all of it holes."""
    head = bytearray(tarfile.TarInfo("scene1.yaml").tobuf(tarfile.GNU_FORMAT))
    head[124:136], head[156:157] = b"%011o\0" % 0, b"S"
    head[386:410] = b"%011o\0%011o\0" % (2**30, 0)
    head[483:495] = b"%011o\0" % 2**30
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    (tmp_path / "a.tar").write_bytes(bytes(head) + bytes(10_240))
    with pytest.raises(ValueError, match=unpacking.VARIABLE):
        list(read_problems(tmp_path / "a.tar"))


# Files that grow without being compressed.


def glb(**held: Any) -> bytes:
    text = json.dumps({"asset": {"version": "2.0"}, "scene": 0, **held}).encode()
    text += b" " * (-len(text) % 4)
    data = struct.pack("<3I9f", 0, 1, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def triangle(count: int = 3, nodes: int = 1, primitives: int = 1, **more: Any) -> bytes:
    views = [{"buffer": 0, "byteLength": 12}, {"buffer": 0, "byteOffset": 12, "byteLength": 36}]
    places = {"componentType": 5126, "type": "VEC3", "count": count, **more}
    part = {"attributes": {"POSITION": 1}, "indices": 0}
    return glb(
        scenes=[{"nodes": list(range(nodes))}],
        nodes=[{"mesh": 0}] * nodes,
        meshes=[{"primitives": [part] * primitives}],
        accessors=[{"componentType": 5125, "type": "SCALAR", "count": 3, "bufferView": 0}, places],
        bufferViews=views,
        buffers=[{"byteLength": 48}],
    )


@pytest.mark.parametrize("content", [triangle(10**9), triangle(nodes=3000, bufferView=1),
                                     triangle(primitives=3000, bufferView=1)])  # fmt: skip
def test_gltf_that_stands_for_too_much_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "small.glb").write_bytes(triangle(bufferView=1, nodes=20))
    assert len(er.Mesh.load(tmp_path / "small.glb")) == 20
    (tmp_path / "a.glb").write_bytes(content)
    with pytest.raises(ValueError, match=unpacking.VARIABLE):
        er.Mesh.load(tmp_path / "a.glb")


def collada(levels: int) -> str:
    """A tetrahedron in a node, and nodes of which each places the one before twice."""
    points, faces = "0 0 0 1 0 0 0 1 0 0 0 1", "0 1 2 0 2 3 0 1 3 1 2 3"
    placed = '<instance_geometry url="#g"/>'
    nodes = f'<node id="n0">{placed}</node>'
    for k in range(levels):
        nodes += f'<node id="n{k + 1}">' + f'<instance_node url="#n{k}"/>' * 2 + "</node>"
    text = COLLADA.replace(placed, f'<instance_node url="#n{levels}"/>')
    text = text.replace(
        "</library_geometries>", f"</library_geometries><library_nodes>{nodes}</library_nodes>"
    )
    return text.format(unit=1, up="Y_UP", points=points, faces=faces)


def test_nodes_within_nodes_of_collada_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.dae").write_text(collada(3))
    assert len(er.Mesh.load(tmp_path / "a.dae")) == 8 * 4
    for levels in (14, 300):
        (tmp_path / "a.dae").write_text(collada(levels))
        with pytest.raises(ValueError, match=r"a\.dae: places its meshes"):
            er.Mesh.load(tmp_path / "a.dae")


def test_totals_of_nodes_go_deep_and_through_loops() -> None:
    chain = [[k + 1] for k in range(5000)] + [[]]
    assert mesh_limits._totals([1] * 5001, chain)[0] == 5001
    doubled = [[k + 1, k + 1] for k in range(400)] + [[]]
    assert mesh_limits._totals([0] * 400 + [1], doubled)[0] == 2**400
    assert mesh_limits._totals([1, 1], [[1], [0]])[0] >= 1


def test_a_table_of_rows_that_are_all_the_same_is_counted(tmp_path: Path) -> None:
    arrow = pyarrow()
    table = arrow.table({"step": np.zeros(2_000_000, np.int64), "energy": np.zeros(2_000_000)})
    (tmp_path / "rows").mkdir()
    arrow.parquet.write_table(table, tmp_path / "rows" / "part-000000.parquet")
    parts = Parts(tmp_path / "rows", ["energy"], 1)
    parts.count = 1
    with pytest.raises(ValueError, match=unpacking.VARIABLE):
        parts.rows()
