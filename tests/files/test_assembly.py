"""Readers of assemblies: names, places, instances, scale and units are those of the file."""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from assembly_files import CORNERS, FACES, Gltf, object_3mf, three_mf
from robot_files import collision, joint, link, robot, write_dae, write_obj
from scene_files import one, scene_text
from scipy.spatial.transform import Rotation

import elbowroom as er
from elbowroom.files.assembly import Assembly, Part, read_assembly


def world_of(part: Part) -> np.ndarray:
    """Corners of all triangles, in the assembly."""
    return part.pose.apply(part.shape.vertices)[part.shape.faces]


def volume(part: Part) -> float:
    a, b, c = np.moveaxis(world_of(part), 1, 0)
    return float(np.einsum("nd,nd->", a, np.cross(b, c)) / 6)


def named(assembly: Assembly) -> dict[str, Part]:
    return {part.name: part for part in assembly.parts}


# glTF.


def random_tree(rng: np.random.Generator, count: int) -> tuple[Gltf, dict[str, np.ndarray]]:
    """Nodes below one another, turned, scaled and mirrored, and where their meshes are by plain products."""
    made, where = Gltf(), dict[str, np.ndarray]()
    mesh, above = made.mesh(), list[np.ndarray]()
    for k in range(count):
        turn = Rotation.random(random_state=rng)
        scale, shift = rng.choice([-2.0, -1, 0.5, 1, 3], 3), rng.normal(size=3)
        own = np.eye(4)
        own[:3, :3], own[:3, 3] = turn.as_matrix() * scale, shift
        places: dict[str, Any] = {"matrix": own.T.ravel().tolist()}
        if rng.random() < 0.5:
            places = {
                "translation": shift.tolist(),
                "rotation": turn.as_quat().tolist(),
                "scale": scale.tolist(),
            }
        made.node(f"n{k}", mesh=mesh, **places)
        if k:
            parent = int(rng.integers(k))
            made.held["nodes"][parent].setdefault("children", []).append(k)
            own = above[parent] @ own
        above.append(own)
        where[f"n{k}"] = own
    return made, where


def test_nodes_are_where_the_products_of_their_matrices_put_them(tmp_path: Path) -> None:
    """Also where scale differs by direction, shears or mirrors; outer sides of triangles stay outside."""
    for seed in range(10):
        made, where = random_tree(np.random.default_rng(seed), 8)
        found = named(read_assembly(made.write(tmp_path / "tree.glb")))
        assert set(found) == set(where)
        for name, matrix in where.items():
            true = (CORNERS @ matrix[:3, :3].T + matrix[:3, 3])[FACES]
            size = np.abs(true).max()
            ours = np.sort(world_of(found[name]).reshape(len(FACES), -1), axis=1)
            assert np.allclose(ours, np.sort(true.reshape(len(FACES), -1), axis=1), atol=1e-5 * size)
            assert volume(found[name]) == pytest.approx(abs(np.linalg.det(matrix[:3, :3])), rel=1e-5)


def test_hierarchy_and_instances(tmp_path: Path) -> None:
    made = Gltf()
    mesh = made.mesh(name="bolt")
    made.node("frame", children=[1, 2, 3])
    made.node("left", mesh=mesh, translation=[1, 0, 0])
    made.node("right", mesh=mesh, translation=[2, 0, 0], scale=[-1, 1, 1])
    made.node("", mesh=mesh, scale=[-1, 1, 1])
    read = read_assembly(made.write(tmp_path / "a.glb"))
    left, right, third = read.parts
    assert read.names == ("left", "right", "bolt") and read.unit == "m"
    assert left.parents == right.parents == ("frame",)
    assert left.shape is not right.shape and right.shape is third.shape  # one mirrored geometry for both
    assert left.body is left.body and isinstance(left.body, er.Mesh)
    assert repr(read) == "Assembly of 3 parts, 12 triangles, in m: a.glb"


def test_only_the_scene_that_is_shown_is_read(tmp_path: Path) -> None:
    made = Gltf()
    mesh = made.mesh()
    made.node("shown", mesh=mesh)
    made.node("hidden", mesh=mesh)
    made.held |= {"scenes": [{"nodes": [1]}, {"nodes": [0]}], "scene": 1}
    assert read_assembly(made.write(tmp_path / "a.glb")).names == ("shown",)


@pytest.mark.parametrize("kind", ["u1", "u2", "u4"])
def test_indices_of_all_kinds_strips_and_fans(tmp_path: Path, kind: str) -> None:
    square = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]
    made = Gltf()
    order = {4: [0, 1, 2, 2, 1, 3], 5: [0, 1, 2, 3], 6: [0, 1, 3, 2]}
    for mode, indices in order.items():
        made.node(
            f"mode {mode}", mesh=made.mesh(square, None, mode=mode, indices=made.accessor(indices, kind))
        )
    for part in read_assembly(made.write(tmp_path / "a.glb")).parts:
        triangles = world_of(part)
        across = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        assert across.tolist() == [[0, 0, 1], [0, 0, 1]], part.name


def test_arrays_may_be_sparse_interleaved_shares_or_missing(tmp_path: Path) -> None:
    made = Gltf()
    places = np.array([[0, 0, 0], [127, 0, 0], [0, 127, 0]])
    shares = made.accessor(np.column_stack([places, [0, 0, 0]])[:, :3], "i1", normalized=True)
    rows = np.zeros((3, 5), "<f4")
    rows[:, :3] = [[0, 0, 0], [2, 0, 0], [0, 2, 0]]
    view = made.view(rows.tobytes(), byteStride=20)
    made.held["accessors"].append({"bufferView": view, "componentType": 5126, "count": 3, "type": "VEC3"})
    apart = len(made.held["accessors"]) - 1
    values = {"bufferView": made.view(np.array([[3, 0, 0], [0, 3, 0]], "<f4").tobytes())}
    where = {"bufferView": made.view(b"\1\2"), "componentType": 5121}
    sparse = {"count": 2, "indices": where, "values": values}
    made.held["accessors"].append({"componentType": 5126, "count": 3, "type": "VEC3", "sparse": sparse})
    for name, number in (("1", shares), ("2", apart), ("3", len(made.held["accessors"]) - 1)):
        made.held["meshes"].append({"primitives": [{"attributes": {"POSITION": number}}]})
        made.node(name, mesh=len(made.held["meshes"]) - 1)
    for name, part in named(read_assembly(made.write(tmp_path / "a.glb"))).items():
        size = float(name)
        assert world_of(part)[0].tolist() == [[0, 0, 0], [size, 0, 0], [0, size, 0]]


def test_instances_of_the_extension(tmp_path: Path) -> None:
    made = Gltf()
    lists = {
        "TRANSLATION": made.accessor([[1, 0, 0], [2, 0, 0]]),
        "SCALE": made.accessor([[1, 1, 1], [2, 2, 2]]),
    }
    made.node("many", mesh=made.mesh(), extensions={"EXT_mesh_gpu_instancing": {"attributes": lists}})
    one, two = read_assembly(made.write(tmp_path / "a.glb")).parts
    assert (one.name, two.name) == ("many #1", "many #2")
    assert world_of(two).max() == 6.0 and two.pose.translation.tolist() == [2, 0, 0]


def test_skinned_meshes_are_where_their_bones_are(tmp_path: Path) -> None:
    """The place of the mesh's own node does not count, by the rules of glTF."""
    made = Gltf()
    mesh = made.mesh()
    binds = made.accessor(np.array([np.eye(4), np.eye(4)]).reshape(2, 16))
    made.held["skins"] = [{"joints": [1, 2], "inverseBindMatrices": binds}]
    attributes = made.held["meshes"][mesh]["primitives"][0]["attributes"]
    attributes["JOINTS_0"] = made.accessor([[0, 1, 0, 0]] * 4, "u1")
    attributes["WEIGHTS_0"] = made.accessor([[0.5, 0.5, 0, 0]] * 4)
    made.node("skinned", mesh=mesh, skin=0, translation=[100, 0, 0])
    made.node("bone", translation=[0, 0, 1], children=[2])
    made.node("end", translation=[0, 0, 2])
    made.held["animations"] = [{}]
    read = read_assembly(made.write(tmp_path / "a.glb"))
    assert np.allclose(world_of(read.parts[0]), np.add(CORNERS, [0, 0, 2])[FACES])
    assert "animated" in read.notes[0] and "skinned" in read.notes[1]


def test_buffers_in_the_text_and_beside_the_file(tmp_path: Path) -> None:
    made = Gltf()
    made.node("part", mesh=made.mesh())
    text = "data:application/octet-stream;base64," + base64.b64encode(made.binary).decode()
    (tmp_path / "a b.bin").write_bytes(made.binary)
    for uri in (text, "a%20b.bin"):
        file = tmp_path / "a.gltf"
        file.write_text(json.dumps(made.held | {"buffers": [{"byteLength": len(made.binary), "uri": uri}]}))
        assert np.allclose(world_of(read_assembly(file).parts[0]), CORNERS[FACES])


def damaged(change: Any) -> bytes:
    """A part named "part" of a mesh named "thing", with a change."""
    made = Gltf()
    made.node("part", mesh=made.mesh(name="thing"))
    change(made)
    return made.glb()


def held(**more: Any) -> Any:
    return lambda made: made.held.update(more)


def node(**more: Any) -> Any:
    return lambda made: made.held["nodes"][0].update(more)


def corners(*numbers: int) -> Any:
    return lambda made: made.held["meshes"][0]["primitives"][0].update(indices=made.accessor(numbers, "u1"))


def below_itself(made: Gltf) -> None:
    made.held |= {"scenes": [{"nodes": [0]}]}
    made.held["nodes"][0]["children"] = [0]


def beyond(made: Gltf) -> None:
    made.held["accessors"][0]["count"] = 5000


DAMAGES: dict[str, tuple[Any, str]] = {
    "loop": (below_itself, "node 'part' has two parents, or is below itself"),
    "draco": (held(extensionsRequired=["KHR_draco_mesh_compression"]), "compressed by KHR_draco_mesh"),
    "unknown": (held(extensionsRequired=["ACME_x"]), "requires the extension ACME_x"),
    "beyond": (beyond, "POSITION of 'thing' reaches beyond the end of its buffer"),
    "index": (corners(0, 1, 9), "'thing': faces"),
    "corners": (corners(0, 1), "'thing' has 2 corners, which is no multiple"),
    "mesh": (node(mesh=7), "no number 7 among 1 meshes"),
    "name": (node(mesh="x"), "must be a whole number, got 'x'"),
    "turn": (node(rotation=[0, 0, 0, 0]), "rotation of 'part' is not a unit"),
    "place": (node(translation=[0, 0]), "translation of 'part' must be 3"),
    "version": (held(asset={"version": "1.0"}), "version '1.0' is not supported"),
    "nothing": (held(nodes=[]), "contains no triangles"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_what_is_wrong_with_a_gltf_is_named(name: str, tmp_path: Path) -> None:
    change, words = DAMAGES[name]
    file = tmp_path / "damaged.glb"
    file.write_bytes(damaged(change))
    with pytest.raises(ValueError, match=words) as told:
        read_assembly(file)
    assert "damaged.glb" in str(told.value)


@pytest.mark.parametrize("uri", ["../secret.bin", "/etc/passwd", "https://host/a.bin"])
def test_a_gltf_names_no_file_outside_its_folder(uri: str, tmp_path: Path) -> None:
    made = Gltf()
    made.node("part", mesh=made.mesh())
    file = tmp_path / "a.gltf"
    file.write_text(json.dumps(made.held | {"buffers": [{"byteLength": 9, "uri": uri}]}))
    with pytest.raises(ValueError, match="not in the folder of the file"):
        read_assembly(file)


# 3MF.


def test_3mf_components_units_and_other_models(tmp_path: Path) -> None:
    inside = "<components>{}</components>"
    group = '<component objectid="1" transform="0 1 0 -1 0 0 0 0 1 5 0 0"/>'
    far = '<component objectid="7" p:path="/3D/other.model"/>'
    objects = object_3mf(1, "part") + f'<object id="2" name="pair">{inside.format(group + far)}</object>'
    other = f'<model xmlns="x"><resources>{object_3mf(7, "far")}</resources></model>'
    build = '<item objectid="2" transform="2 0 0 0 2 0 0 0 2 0 0 1"/><item objectid="1" partnumber="own"/>'
    file = tmp_path / "a.3mf"
    file.write_bytes(three_mf(objects, build, "inch", {"3D/other.model": other}))
    read = read_assembly(file)
    assert read.names == ("part", "far", "own") and read.unit == "in"
    # Rows of a transform are the images of the axes: x goes to y.
    true = 2 * np.column_stack([5 - CORNERS[:, 1], CORNERS[:, 0], CORNERS[:, 2] + 0.5])
    assert np.allclose(world_of(read.parts[0]), true[FACES])
    assert read.parts[0].parents == ("pair",)
    assert np.ptp(world_of(read_assembly(file, units="mm").parts[2])[..., 0]) == pytest.approx(25.4)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (three_mf(object_3mf(1), '<item objectid="3"/>'), "no object '3'"),
        (
            three_mf('<object id="1"><components><component objectid="1"/></components></object>',
                     '<item objectid="1"/>'),
            "nested more than 1000 deep",
        ),
        (three_mf(object_3mf(1), '<item objectid="1" transform="1 2"/>'), "twelve numbers"),
        (three_mf(object_3mf(1).replace('x="0.0"', 'x="a"', 1), '<item objectid="1"/>'), "could not convert"),
        (three_mf(object_3mf(1), "<item/>"), "attribute 'objectid' is missing"),
        (three_mf(object_3mf(1), '<item objectid="1"/>', "parsec"), "unit must be one of"),
        (b"PK\3\4 nothing", "damaged 3MF file"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_3mf_is_named(content: bytes, words: str, tmp_path: Path) -> None:
    file = tmp_path / "damaged.3mf"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=words) as told:
        read_assembly(file)
    assert "damaged.3mf" in str(told.value)


def test_a_3mf_with_entities_is_refused(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE m [<!ENTITY a "b"><!ENTITY c "&a;&a;&a;">]><model>&c;</model>'
    file = tmp_path / "bomb.3mf"
    file.write_bytes(
        three_mf(
            '<object id="1" p:path="x"/>', '<item objectid="1" p:path="/b.model"/>', more={"b.model": bomb}
        )
    )
    with pytest.raises(ValueError, match="declares a document type"):
        read_assembly(file)


def test_components_that_multiply_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    levels = "".join(
        f'<object id="{k + 1}"><components>{f"""<component objectid="{k}"/>""" * 10}</components></object>'
        for k in range(1, 9)
    )
    file = tmp_path / "bomb.3mf"
    monkeypatch.setattr("elbowroom.files.assembly_parts.MOST_PARTS", 1000)
    monkeypatch.setattr("elbowroom.files.assembly_3mf.LEAST_STEPS", 1000)
    file.write_bytes(three_mf(object_3mf(1) + levels, '<item objectid="9"/>'))
    with pytest.raises(ValueError, match="more than 1,000 parts"):
        read_assembly(file)
    file.write_bytes(three_mf('<object id="1"/>' + levels, '<item objectid="9"/>'))
    with pytest.raises(ValueError, match="components without end"):
        read_assembly(file)


# OBJ.


def test_objects_and_groups_of_obj(tmp_path: Path) -> None:
    file = tmp_path / "a.obj"
    file.write_text(
        "v 0 0 0\nv 1 0 0 0.5\nv 0 1 0\nf 1 2 3\no plate\ng top\nf 1/1/1 2//1 \\\n 3/1\ng side\nf 3 2 1\n"
        "o lid\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf -4 -3 -2 -1\no plate\ng top\nf 2 1 3\nf 2 1\n"
    )
    found = named(read_assembly(file))
    assert {name: len(part.shape.faces) for name, part in found.items()} == {
        "a": 1, "plate/top": 1, "plate/side": 1, "lid": 2, "plate": 2
    }  # fmt: skip
    assert found["plate/top"].parents == ("plate",) and found["lid"].parents == ()
    assert world_of(found["lid"])[:, :, 2].min() == 1 and len(found["lid"].shape.vertices) == 4


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("v 0 0 0\nf 1 1 0\n", "line 2: a face names vertex 0"),
        ("v 0 0 0\nf 1 1 -2\n", "line 2: a face names vertex -2"),
        ("v 0 0 0\no part\nf 1 1 7\n", "'part' names vertex 7, but there are 1"),
        ("v 0 0\n", "line 1: a vertex needs three"),
        ("v 0 0 x\n", "line 1: could not convert"),
        ("v 0 0 0\nf\n", "line 2: a face needs corners"),
        ("v 0 0 nan\nf 1 1 1\n", "vertices"),
        ("", "contains no triangles"),
    ],
)
def test_what_is_wrong_with_an_obj_is_named(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "damaged.obj"
    file.write_text(text)
    with pytest.raises(ValueError, match=words) as told:
        read_assembly(file)
    assert "damaged.obj" in str(told.value)


# Several files, folders, names, units.


def test_a_folder_is_its_files(tmp_path: Path) -> None:
    write_obj(tmp_path / "a.obj")
    write_obj(tmp_path / "more" / "a.obj")
    (tmp_path / "readme.txt").write_text("no mesh")
    assert read_assembly(tmp_path).names == ("a", "more/a")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="contains no mesh files"):
        read_assembly(tmp_path / "empty")


def test_names_that_occur_twice_get_numbers(tmp_path: Path) -> None:
    made = Gltf()
    mesh = made.mesh()
    for name in ("bolt", "bolt #1", "bolt"):
        made.node(name, mesh=mesh)
    read = read_assembly(made.write(tmp_path / "a.glb"))
    assert read.names == ("bolt #2", "bolt #1", "bolt #3")
    assert "more than once" in read.notes[0]


def test_units_are_converted_and_said(tmp_path: Path) -> None:
    """The first file that states a unit decides, unless it is asked for."""
    made = Gltf()
    made.node("metres", mesh=made.mesh())
    metres = made.write(tmp_path / "a.glb")
    inches = tmp_path / "b.3mf"
    inches.write_bytes(three_mf(object_3mf(1, "inches"), '<item objectid="1"/>', "inch"))
    bare = write_obj(tmp_path / "bare.obj")

    def longest(*files: Path, **options: str) -> dict[str, float]:
        return {part.name: float(np.ptp(world_of(part))) for part in read_assembly(files, **options).parts}

    assert longest(metres, inches, bare) == pytest.approx({"metres": 3, "inches": 3 * 0.0254, "bare": 3})
    assert longest(metres, bare, units="mm") == pytest.approx({"metres": 3000, "bare": 3})
    assert longest(metres, assume="mm", units="m") == pytest.approx({"metres": 0.003})
    notes = read_assembly([metres, inches, bare]).notes
    assert notes == (
        "units differ: b.3mf converted from in to m",
        "bare.obj without a unit, taken to be in m",
    )
    assert read_assembly(bare).unit is None
    with pytest.raises(ValueError, match="units must be one of"):
        read_assembly(bare, units="parsec")


def test_collada_in_metres(tmp_path: Path) -> None:
    read = read_assembly(write_dae(tmp_path / "a.dae", unit=0.5))
    assert read.unit == "m" and np.ptp(world_of(read.parts[0])[..., 2]) == pytest.approx(1.5)


@pytest.mark.parametrize("paths", [[], 7, [7]])
def test_wrong_paths_are_named(paths: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="paths"):
        read_assembly(paths)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere\.glb"):
        read_assembly(tmp_path / "nowhere.glb")


def test_a_robot_and_what_it_holds(tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text(
        robot(
            link("base", collision('<box size="1 1 1"/>')),
            link("hand", collision('<box size="1 1 1"/>')),
            joint("slide", "prismatic", "base", "hand", "", '<axis xyz="0 0 1"/>'),
        )
    )
    ball = one("type: sphere, dimensions: [0.1]", name="cup")
    cup = f"{{link_name: hand, object: {ball}, touch_links: [base]}}"
    more = "robot_state:\n  joint_state: {name: [slide], position: [4]}\n"
    more += f"  attached_collision_objects: [{cup}]\n"
    scene = tmp_path / "scene.yaml"
    scene.write_text(scene_text(one("type: box, dimensions: [1, 1, 1]", name="table"), more=more))
    read = read_assembly([tmp_path / "arm.urdf", scene])
    assert read.names == ("arm", "table", "cup") and read.unit == "m"
    held = named(read)["cup"]
    assert held.pose.translation.tolist() == [0, 0, 4] and held.attached.robot == "arm"
    assert read.allowed == (("cup", "arm/base"), ("cup", "arm/hand"))
    assert "no robot among the files" in read_assembly(scene).notes[-1]


@pytest.mark.parametrize(("ending", "package"), [("step", "OCP"), ("ifc", "ifcopenshell")])
def test_a_missing_package_is_named_with_another_way(
    ending: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    file = tmp_path / f"a.{ending}"
    file.write_text("ISO-10303-21;")
    with pytest.raises(ImportError, match=r"pip install elbowroom\[cad\]; or convert the file to GLB"):
        read_assembly(file)
