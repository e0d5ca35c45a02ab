"""Small sound files of every kind that is read, made here: what the fuzzer of readers begins with."""

from __future__ import annotations

import io
import json
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from peptide import SHEET, cif_text, pdb_text, peptide, renamed, shifted
from robot_files import (
    COLLADA,
    CORNERS,
    FACES,
    bvh_text,
    collision,
    figure,
    joint,
    link,
    mesh,
    random_values,
    robot,
)
from scene_files import REQUEST, TETRAHEDRON, TURNED, one, scene_text

Trimesh = Any  # of trimesh, which is imported when meshes are made
Seeds = dict[str, bytes]  # by name; the suffix tells the kind

SEQUENCE = ("MET", "CYS", "GLY", "PRO", "TRP", "SER", "CYS", "LYS", "SEP", "ALA")
SSBOND = "SSBOND   1 CYS A    2    CYS A    7                          1555   1555  2.03\n"
SPEC = """[chain]
beads = 12
spacing = 1.0
radius = 0.4
start = "rod"
[moves]
torsion = 2
pivot = { weight = 0.5, size_degrees = 90, joints = [4, 5, 6] }
crankshaft = { shortest = 2, longest = 6 }
[energy]
form = "lennard-jones"
epsilon = 0.5
sigma = 1
cutoff = 2.5
shift = true
[run]
steps = 1e4
every = 20
seed = 9223372036854775807
burn_in = 1_000
temperature = [1, 2.5, inf]
swap_every = 50
observables = ["end_to_end", "contacts"]
contact_reach = 4.0
[output]
folder = "results"
frames = 0
"""


def proteins(count: int = 1) -> Seeds:
    rows = peptide(SEQUENCE * count)
    water = renamed(shifted(rows[:1], (30, 0, 0)), name="O", residue="HOH", hetero=True, number=901)
    twice = renamed(rows[:8], altloc="B", occupancy=0.4) + rows[8:]
    return {
        "whole.pdb": (SSBOND + pdb_text(rows + water)).encode(),
        "models.pdb": pdb_text(peptide(SEQUENCE[:3]), peptide(SEQUENCE[:3], SHEET)).encode(),
        "alternate.pdb": pdb_text(renamed(rows[:8], altloc="A", occupancy=0.6) + twice).encode(),
        "whole.cif": cif_text(rows + water).encode(),
        "two.cif": cif_text(rows[:20], shifted(rows[:20], (0, 0, 1))).encode(),
    }


def arm(count: int) -> str:
    """Links of every shape, joined in every way, one after the other."""
    shapes = ('<box size="1 2 0.5"/>', '<sphere radius="0.3"/>', '<cylinder radius="0.2" length="1"/>',
              '<capsule radius="0.1" length="0.4"/>')  # fmt: skip
    kinds = ("revolute", "continuous", "prismatic", "fixed", "floating", "spherical")
    more = '<axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="1" velocity="1"/>'
    parts = [link("l0", mesh("t.obj", 'scale="1 1 -2"'), mesh("package://kit/t.stl"))]
    for k in range(1, count):
        placed = collision(shapes[k % len(shapes)], xyz="0 0 0.5", rpy="0 1.57 0")
        origin = '<origin xyz="0 0 1.25" rpy="0.1 0.2 0.3"/>'
        parts += [
            link(f"l{k}", placed),
            joint(f"j{k}", kinds[k % len(kinds)], f"l{k - 1}", f"l{k}", origin, more),
        ]
    follow = '<mimic joint="j7" multiplier="-1" offset="0.5"/>'
    return robot(*parts, link("tip"), joint("follow", "prismatic", "l0", "tip", follow, more))


SRDF = """<?xml version="1.0"?><robot name="arm"><group name="g"><link name="l0"/></group>
<disable_default_collisions link="l1"/><enable_collisions link1="l1" link2="l2"/>
<disable_collisions link1="l0" link2="l3" reason="Never"/><!-- a remark -->
<disable_collisions link1="l0" link2="l4"/></robot>"""


def robots() -> Seeds:
    plain = robot(link("l0", collision('<box size="1 1 1"/>')), link("l1", collision('<sphere radius="1"/>')),
                  joint("j1", "revolute", "l0", "l1"))  # fmt: skip
    return {"arm.urdf": arm(10).encode(), "plain.urdf": plain.encode()}


def motions(frames: int = 3) -> Seeds:
    small = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\n"
    small += "OFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.01\n1 2 3\n4 5 6\n"
    moving = bvh_text(figure(), random_values(figure(), frames))
    return {"figure.bvh": moving.encode(), "small.bvh": small.encode()}


def tetrahedron() -> Trimesh:
    import trimesh

    return trimesh.Trimesh(CORNERS, FACES, process=False)


def meshes(shape: Callable[[], Trimesh] = tetrahedron) -> Seeds:
    made = shape()
    points, faces = (" ".join(map(str, values.ravel())) for values in (CORNERS, FACES))
    kinds = {"obj": "obj", "stl": "stl", "text.stl": "stl_ascii", "ply": "ply", "off": "off", "glb": "glb"}
    out = {f"mesh.{suffix}": exported(made, kind) for suffix, kind in kinds.items()}
    out["text.ply"] = made.export(file_type="ply", encoding="ascii")
    out["groups.obj"] = (
        b"mtllib a.mtl\no a\nv 0 0 0 1\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\ng b\nusemtl c\n"
        + (b"v 0 0 1\nf 1/1/1 2//1 3/1\ns off\nf -1 -2 -3\nf 1 2 3 4\n")
    )
    out["mesh.dae"] = COLLADA.format(unit=0.5, up="Y_UP", points=points, faces=faces).encode()
    return out


def exported(made: Trimesh, kind: str) -> bytes:
    content = made.export(file_type=kind)
    return content.encode() if isinstance(content, str) else bytes(content)


def npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def npz(**arrays: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def trajectories(frames: int = 3) -> Seeds:
    """Frames of a peptide in many formats, and files of its atoms: atoms.pdb and atoms.psf."""
    from trajectory_files import MASSES, peptide_bonds, psf_text, shaken, write_frames  # takes a while

    rows, moving = shaken(frames)
    masses = [MASSES[row.symbol] for row in rows]
    out = {"frames.npy": npy(moving.astype(np.float32)), "plane.npy": npy(moving[:, :, :2]),
           "many.npz": npz(xyz=moving, radii=np.full(len(rows), 0.5)),
           "atoms.pdb": pdb_text(rows).encode(), "models.pdb": pdb_text(rows, rows).encode(),
           "atoms.psf": psf_text([row.name for row in rows], masses,
           peptide_bonds(rows)).encode()}  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("dcd", "xtc", "trr", "xyz", "nc"):
            # Nine atoms are not compressed in XTC: of what is, MDAnalysis does not survive damage.
            count = 9 if suffix == "xtc" else len(rows)
            names = {"names": [row.name for row in rows[:count]]}
            box = [40, 40, 40, 90, 90, 90]
            file = write_frames(Path(folder, f"frames.{suffix}"), moving[:, :count], box, **names)
            out[file.name] = file.read_bytes()
    out["few.pdb"] = pdb_text(rows[:9]).encode()
    return out


def specs() -> Seeds:
    grid = SPEC + '[campaign]\nreplicas = 2\ngrid = { "chain.beads" = [10, 20] }\n'
    data = {"chain": {"beads": 20}, "run": {"steps": 1000, "temperature": "inf"}, "moves": {"pivot": 1}}
    table = '[chain]\nbeads = 9\n[run]\nsteps = 5\n[energy]\nform = "table"\nvalues = [[1, 2], [2, 1]]\n'
    table += "cutoff = 2.0\nkinds = [0, 1, 0, 1, 0, 1, 0, 1, 0]\n"
    return {"run.toml": SPEC.encode(), "campaign.toml": grid.encode(), "table.toml": table.encode(),
            "run.json": json.dumps(data, indent=1).encode()}  # fmt: skip


def tables(count: int = 4) -> Seeds:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(count, 7))
    rows[:, 3:] /= np.linalg.norm(rows[:, 3:], axis=1)[:, None]
    lines = [",".join(map(repr, row)) for row in rows.tolist()]
    return {
        "poses.csv": "\n".join(["x,y,z,qw,qx,qy,qz", *lines]).encode(),
        "bare.txt": b"# a remark\n\n" + "\n".join(lines).replace(",", " ").encode(),
        "joints.csv": b'shoulder, elbow,"a b",\n' + b"0.5,0.25,1e-3\n" * count,
        "poses.npy": npy(np.tile(np.eye(4), (count, 1, 1))),
        "rows.npy": npy(rows),
        "joints.npy": npy(rng.normal(size=(count, 3))),
    }


def scenes(count: int = 1) -> Seeds:
    placed = f"primitive_poses: [{{position: [0.5, 0, 1e-1], orientation: {TURNED}}}]"
    shapes = ("type: cylinder, dimensions: [0.12, 0.03]", "type: 1, dimensions: [1, 2, 3]",
              "type: sphere, dimensions: [0.1]", "type: cone, dimensions: [0.2, 0.1]")  # fmt: skip
    many = [one(shapes[k % len(shapes)], placed, f"thing{k}") for k in range(4 * count)]
    inline = (
        "{id: own, meshes: [{vertices: [[0, 0, 0], [1, 0, 0], {x: 0, y: 1, z: 0}], triangles: [[0, 1, 2]]}], "
    )
    inline += "mesh_poses: [{}]}"
    named = "{id: named, header: {frame_id: table}, meshes: [{resource: t.obj, dimensions: [1, 1, 2]}]}"
    cup = "{id: cup, primitives: [{type: sphere, dimensions: [0.1]}]}"
    held = f"{{link_name: hand, object: {cup}, touch_links: [l1]}}"
    more = f"""fixed_frame_transforms:
  - {{child_frame_id: table, transform: {{translation: {{x: 1, y: 0, z: 0}}, rotation: {TURNED}}}}}
allowed_collision_matrix:
  entry_names: [hand, thing0]
  entry_values: [{{enabled: [true, true]}}, [true, false]]
link_padding: [{{link_name: hand, padding: 0.0}}]
robot_state:
  joint_state: {{name: &n [a, b], position: [1, -2e-0]}}
  attached_collision_objects: [{held}]
"""
    whole = scene_text(*many, inline, named, more=more).encode()
    return {"scene.yaml": whole, "request.yaml": REQUEST.encode(), "problems.tar.gz": archive(whole)}


def archive(scene: bytes) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as tar:
        for name, content in (("a/scene0001.yaml", scene), ("a/request0001.yaml", REQUEST.encode())):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return file.getvalue()


def beside() -> Seeds:
    """What the files above name: they lie beside them."""
    return {"t.obj": TETRAHEDRON.encode(), "kit/t.stl": exported(tetrahedron(), "stl")}
