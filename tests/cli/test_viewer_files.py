"""Exhibits of files of every kind, and what is said about those that cannot be shown."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
import trimesh
from peptide import pdb_text, peptide, renamed, shifted
from robot_files import Bvh, bvh_text, collision, joint, link, robot, write_obj
from trajectory_files import SEQUENCE, shaken, write_frames

import elbowroom as er
from elbowroom import scenes
from elbowroom.viewer import Balls, Exhibit, Show, Triangulated, exhibit_of, open_exhibit

BALL = '<sphere radius="0.5"/>'


def save_mesh(path: Path, vertices: np.ndarray, faces: np.ndarray) -> Path:
    trimesh.Trimesh(vertices, faces, process=False).export(path)
    return path


def names(exhibit: Exhibit, show: Show | None = None) -> list[str]:
    return [layer.name for layer in exhibit.layers(show or Show())]


def test_a_mesh_alone_has_boxes_and_nothing_to_ask(tmp_path: Path) -> None:
    path = save_mesh(tmp_path / "spring.ply", *scenes.spring())
    exhibit = open_exhibit(path)
    assert exhibit.title == "spring.ply" and exhibit.levels > 3 and not exhibit.controls
    assert not exhibit.has_closest and not exhibit.has_within and not exhibit.has_cut
    assert names(exhibit, Show(closest=True, within=1.0)) == ["body/spring"] and exhibit.counters() == []


@pytest.mark.parametrize("ending", ["stl", "obj", "off", "ply", "glb"])
def test_two_meshes_of_which_one_can_be_moved(tmp_path: Path, ending: str) -> None:
    for name in ("a", "b"):
        save_mesh(tmp_path / f"{name}.{ending}", *scenes.torus())
    exhibit = open_exhibit(tmp_path / f"a.{ending}", str(tmp_path / f"b.{ending}"))
    assert "collisions/a" in names(exhibit)
    exhibit.set("z", 3)
    assert names(exhibit) == ["body/a", "body/b"]
    assert dict(exhibit.counters())["verdict"] == "free, proved"


def test_meshes_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        write_obj(tmp_path / folder / "part.obj")
    exhibit = open_exhibit(tmp_path / "one/part.obj", tmp_path / "two/part.obj")
    assert {"body/part 1", "body/part 2"} <= set(names(exhibit))


def arm_text() -> str:
    limit = '<axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="1" velocity="1"/>'
    return robot(
        link("base", collision('<box size="1 1 1"/>')),
        link("upper", collision(BALL, "0 0 1.5")),
        link("hand", collision(BALL, "0 0 1.9")),
        joint("shoulder", "revolute", "base", "upper", '<origin xyz="0 0 1"/>', limit),
        joint("elbow", "revolute", "upper", "hand", '<origin xyz="0 0 1.5"/>', limit),
    )


def test_a_robot_bends_until_it_hits_itself(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text(arm_text())
    exhibit = open_exhibit(path)
    assert [control.name for control in exhibit.controls][:2] == ["shoulder", "elbow"]
    exhibit.layers(Show())
    assert dict(exhibit.counters())["verdict"] == "free, proved"
    exhibit.set("elbow", 2.9)
    exhibit.layers(Show())
    assert dict(exhibit.counters())["verdict"] == "collision: 1 pair"
    exhibit.set("boxes", "AABB")
    assert names(exhibit, Show(level=1))[-1] == "hierarchy/1/arm"
    mesh = write_obj(tmp_path / "shelf.obj")
    both = open_exhibit(path, mesh)
    assert {"body/arm/balls", "body/arm/base", "body/shelf"} <= set(names(both))


def test_clips_play_together_until_the_shorter_ends(tmp_path: Path) -> None:
    root = Bvh(
        "hip",
        (0, 0, 0),
        ("Xposition", "Yposition", "Zposition", "Zrotation", "Yrotation", "Xrotation"),
        [Bvh("knee", (0, -1, 0), ends=[(0, -1, 0)])],
    )
    for name, count in (("she", 5), ("he", 3)):
        values = np.zeros((count, 9))
        values[:, 0] = np.arange(count)
        (tmp_path / f"{name}.bvh.gz").write_bytes(gzip.compress(bvh_text(root, values, 0.02).encode()))
    exhibit = open_exhibit(tmp_path / "she.bvh.gz", tmp_path / "he.bvh.gz", radii=0.1)
    assert exhibit.frames == 3 and exhibit.frame_time == 0.02 and exhibit.up == "y"
    assert {"body/she/hip", "body/he/knee"} <= set(names(exhibit))
    exhibit.set_frame(2)
    (hip,) = [layer for layer in exhibit.layers(Show()) if layer.name == "body/she/hip"]
    assert isinstance(hip, Triangulated) and hip.pose[:3, 3].tolist() == [2, 0, 0]


def test_a_protein_has_torsions_and_all_its_atoms(tmp_path: Path) -> None:
    path, rows = tmp_path / "small.pdb", peptide(SEQUENCE)
    path.write_text(pdb_text(rows))
    exhibit = open_exhibit(path)
    balls = exhibit.layers(Show())[0]
    assert isinstance(balls, Balls) and len(balls.centres) == len(rows)
    assert [control.name for control in exhibit.controls][:2] == ["joint", "torsion"]
    links = open_exhibit(path, atoms="ca").layers(Show())[0]
    assert isinstance(links, Balls) and len(links.centres) == len(SEQUENCE)


def test_each_chain_of_a_protein_is_shown(tmp_path: Path) -> None:
    path, rows = tmp_path / "two.pdb", peptide(SEQUENCE)
    other = renamed(shifted(rows, [0, 0, 12.0]), chain="B")
    path.write_text(pdb_text([*renamed(rows, chain="A"), *other]))
    exhibit = open_exhibit(path)
    assert {"body/two A", "body/two B"} <= set(names(exhibit))
    assert {"two A torsion", "two B torsion", "x"} <= {control.name for control in exhibit.controls}
    assert "body/two" in names(open_exhibit(path, chain="B"))


def test_an_array_gets_a_radius_at_which_nothing_overlaps(tmp_path: Path) -> None:
    frames = scenes.spiral(80, frames=12)
    np.save(tmp_path / "roll.npy", frames)
    exhibit = open_exhibit(tmp_path / "roll.npy")
    assert exhibit.frames == 12 and exhibit.hint.startswith("The file has no radii")
    exhibit.layers(Show())
    assert dict(exhibit.counters())["verdict"] == "free, proved"
    given = open_exhibit(tmp_path / "roll.npy", radius=0.3, step=3)
    balls = given.layers(Show())[0]
    assert given.frames == 4 and isinstance(balls, Balls) and balls.radii[0] == 0.3
    np.savez(tmp_path / "own.npz", xyz=frames, radii=np.full(80, 0.1))
    own = open_exhibit(tmp_path / "own.npz")
    assert own.layers(Show())[0].radii[0] == 0.1 and "radii" not in own.hint  # type: ignore[attr-defined]


def test_a_trajectory_with_its_topology_in_either_order(tmp_path: Path) -> None:
    rows, frames = shaken(4)
    atoms = tmp_path / "atoms.pdb"
    atoms.write_text(pdb_text(rows))
    moving = write_frames(tmp_path / "shaken.dcd", frames)
    for files in ((moving, atoms), (atoms, moving)):
        exhibit = open_exhibit(*files)
        balls = exhibit.layers(Show())[0]
        assert exhibit.frames == 4 and isinstance(balls, Balls) and len(balls.centres) == len(rows)
        assert names(exhibit) == ["body/shaken"]  # no lines from atom to atom by their order in the file
    exhibit.set_frame(3)
    assert exhibit.layers(Show())[0].centres == pytest.approx(frames[3], abs=1e-4)  # type: ignore[attr-defined]


def test_long_trajectories_are_thinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("elbowroom.viewer.exhibit_files.MOST_NUMBERS", 1000)
    np.save(tmp_path / "long.npy", scenes.spiral(50, frames=40))
    assert open_exhibit(tmp_path / "long.npy", radius=0.3).frames == 10
    assert open_exhibit(tmp_path / "long.npy", radius=0.3, step=1).frames == 40


def test_what_does_not_go_together_is_refused(tmp_path: Path) -> None:
    mesh = write_obj(tmp_path / "a.obj")
    protein, clip, urdf = tmp_path / "p.pdb", tmp_path / "c.bvh", tmp_path / "r.urdf"
    protein.write_text(pdb_text(peptide(SEQUENCE)))
    clip.write_text("HIERARCHY")
    urdf.write_text(robot(link("base")))
    srdf = tmp_path / "r.srdf"
    srdf.write_text("<robot/>")
    wrong = {
        (mesh, srdf): "unknown file type",
        (urdf,): "has no collision shapes",
        (clip,): "c.bvh",
    }
    for files, message in wrong.items():
        with pytest.raises(ValueError, match=message):
            open_exhibit(*files)
    with pytest.raises(ValueError, match="radius: not supported for a mesh"):
        open_exhibit(mesh, radius=1)
    with pytest.raises(ValueError, match="srdf: not supported for a protein"):
        open_exhibit(protein, srdf="x")
    with pytest.raises(FileNotFoundError, match="it is a folder"):
        open_exhibit(tmp_path)
    np.save(tmp_path / "x.npy", np.zeros((2, 3, 3)))
    with pytest.raises(ValueError, match="takes one topology"):
        open_exhibit(tmp_path / "x.npy", protein, mesh)


def test_a_mesh_that_is_named_like_a_scene_is_opened_by_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    save_mesh(Path("springs.stl"), *scenes.torus())
    assert open_exhibit("springs").title == "Two springs"
    assert open_exhibit("springs.stl").title == "springs.stl"


def test_broken_files_name_themselves(tmp_path: Path) -> None:
    for name in ("m.stl", "p.pdb", "r.urdf", "c.bvh", "t.npy"):
        (tmp_path / name).write_bytes(b"\x00\xffnonsense")
        with pytest.raises((ValueError, OSError), match=name):
            open_exhibit(tmp_path / name)


def test_bodies_of_any_kinds_are_shown_together(tmp_path: Path) -> None:
    arm, protein = tmp_path / "arm.urdf", tmp_path / "small.pdb"
    arm.write_text(arm_text())
    protein.write_text(pdb_text(peptide(SEQUENCE)))
    exhibit = open_exhibit(arm, write_obj(tmp_path / "part.obj"), protein, exclude=None)
    assert {"body/arm/balls", "body/part", "body/small"} <= set(names(exhibit))
    controls = {control.name for control in exhibit.controls}
    assert {"elbow", "torsion", "part x", "small x"} <= controls


def test_bodies_need_no_files() -> None:
    rope, limbs = er.Necklace(scenes.spiral(60, frames=9)[0], 0.4), scenes.swinging_chains(6)
    body = er.Articulated(limbs.links, limbs.joints)
    body.motion = limbs.motion
    exhibit = exhibit_of(
        rope, body, (er.Box(1), er.Pose(translation=[0.5, 0, 0])), frames=scenes.spiral(60, frames=9)
    )
    assert exhibit.frames == 6 and exhibit.title == "necklace and articulated and box"
    exhibit.set_frame(5)
    assert np.array_equal(rope.positions(), scenes.spiral(60, frames=9)[5])
    assert np.array_equal(body.configuration, limbs.motion[5])
    two = exhibit_of(er.Chain(scenes.rod(9), 1.0), er.Chain(scenes.rod(9), 1.0))
    assert {"chain 1 torsion", "chain 2 torsion", "x"} <= {control.name for control in two.controls}


@pytest.mark.parametrize(
    "body",
    [
        er.Chain([[0, 0, 0], [1, 0, 0]], 0.0),
        er.Necklace([[0, 0, 0]], 1.0),
        er.Necklace([[0, 0], [0, 0]], 0.0),
        er.Sphere(0.0),
        er.Articulated([er.Link("only", er.Box(0))]),
        er.Articulated(
            [er.Link("a", er.Box(1)), er.Link("b", er.Box(1))],
            [er.Joint("held", "revolute", "a", "b", limits=(1, 1))],
        ),
    ],
)
def test_the_smallest_bodies_can_be_shown(body: object) -> None:
    exhibit = exhibit_of(body)
    assert exhibit.reach > 0 and np.isfinite(exhibit.bounds()).all()
    show = Show(level=0, closest=True, within=1.0, cut=True)
    for layer in exhibit.layers(show):
        assert all(np.isfinite(a).all() for a in vars(layer).values() if isinstance(a, np.ndarray))
    assert all(control.low < control.high for control in exhibit.controls if control.kind == "slider")


def colours_of(exhibit: Exhibit) -> dict[str, set[tuple[int, ...]]]:
    layers = exhibit.layers(Show(collisions=False))
    return {layer.name: {tuple(row) for row in np.atleast_2d(layer.colour).tolist()} for layer in layers}


def test_bodies_are_told_apart_by_their_colours() -> None:
    chain, box = er.Chain(scenes.rod(40), 2.0), er.Box(1)
    alone = colours_of(exhibit_of(chain, box))
    two = colours_of(exhibit_of(chain, chain.__copy__(), box))
    boxes = colours_of(exhibit_of(box, er.Box(2)))
    assert len(alone["body/chain"]) > 30  # from one end to the other
    assert not two["body/chain 1"] & two["body/chain 2"]
    assert two["body/box"] == alone["body/box"] not in boxes.values()
    assert boxes["body/box 1"] != boxes["body/box 2"]


def test_bodies_that_are_none_are_refused() -> None:
    rope = er.Necklace(scenes.spiral(60)[0], 0.4)
    with pytest.raises(ValueError, match="bodies is empty"):
        exhibit_of()
    with pytest.raises(TypeError, match=r"bodies\[1\] must be a body"):
        exhibit_of(rope, "springs")
    with pytest.raises(ValueError, match=r"bodies\[0\]\[1\]"):
        exhibit_of((rope, [1, 2]))
    with pytest.raises(ValueError, match=r"frames must have shape \(frames, 60, 2\)"):
        exhibit_of(rope, frames=np.zeros((3, 59, 2)))
    with pytest.raises(ValueError, match="frames are for a necklace"):
        exhibit_of(er.Sphere(1), frames=np.zeros((3, 59, 2)))


def test_the_room_of_a_scene_is_that_of_most_frames() -> None:
    exhibit = open_exhibit("springs")
    low, high = exhibit.bounds()
    spring = er.Mesh(*scenes.spring())
    assert (low <= spring.bounds[0] + 0.5).all() and (high >= spring.bounds[1] - 0.5).all()
