"""Worlds of assemblies: names, poses, shared geometry, robots, and what they hold and may touch."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from assembly_files import Gltf, seeds
from robot_files import collision, joint, link, robot
from scene_files import one, scene_text

import elbowroom as er


def test_parts_keep_names_places_and_what_they_share(tmp_path: Path) -> None:
    made = Gltf()
    mesh = made.mesh(name="bolt")
    made.node("left", mesh=mesh)
    made.node("right", mesh=mesh, translation=[1.5, 0, 0])
    made.node("large", mesh=mesh, translation=[9, 0, 0], scale=[2, 2, 2])
    world = er.World.load(made.write(tmp_path / "a.glb"))
    assert world.names == ("left", "right", "large")
    assert world["left"].body is world["right"].body and world["large"].body is not world["left"].body
    assert world["right"].pose.translation.tolist() == [1.5, 0, 0]
    assert er.self_distance(world).value == pytest.approx(0.5)
    assert er.World.load(tmp_path / "a.glb", units="mm")["right"].pose.translation[0] == 1500
    world.validate()


def test_notes_are_warnings(tmp_path: Path) -> None:
    for name, content in seeds().items():
        (tmp_path / name).write_bytes(content)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        world = er.World.load(
            [tmp_path / "assembly.3mf", tmp_path / "assembly.glb", tmp_path / "assembly.obj"]
        )
    said = " / ".join(str(each.message) for each in told)
    assert "assembly.glb converted from m to mm" in said and "assembly.obj without a unit" in said
    assert len(world) == 6 and {"inner", "twin", "plate", "plate/side"} <= set(world.names)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        er.World.load(tmp_path / "assembly.glb")


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        er.World.load(tmp_path / "nowhere")


def test_a_robot_in_its_scene(tmp_path: Path) -> None:
    """What it holds moves with its link; what may touch is excluded."""
    limits = '<axis xyz="0 0 1"/><limit lower="-9" upper="9" effort="1" velocity="1"/>'
    (tmp_path / "arm.urdf").write_text(
        robot(
            *(link(name, collision('<box size="1 1 1"/>')) for name in ("base", "hand")),
            joint("slide", "prismatic", "base", "hand", "", limits),
        )
    )
    ball = one("type: sphere, dimensions: [0.6]", name="cup")
    more = f"""robot_state:
  joint_state: {{name: [slide], position: [4]}}
  attached_collision_objects: [{{link_name: hand, object: {ball}, touch_links: [hand]}}]
allowed_collision_matrix:
  entry_names: [base, table]
  entry_values: [[true, true], [true, true]]
"""
    table = one("type: box, dimensions: [1, 1, 1]", name="table")
    (tmp_path / "scene.yaml").write_text(scene_text(table, more=more))
    world = er.World.load([tmp_path / "arm.urdf", tmp_path / "scene.yaml"])
    assert world.names == ("arm", "table", "cup") and world["cup"].attached_to == ("arm", "hand")
    assert not er.self_collide(world)
    arm = world["arm"].body
    assert isinstance(arm, er.Articulated)
    arm.move({"slide": 1.5})
    assert world["cup"].pose.translation.tolist() == [0, 0, 1.5]
    arm.move({"slide": 0.8})
    touching = {frozenset(pair) for pair in er.self_collide(world, every=True).names}
    assert touching == {frozenset(pair) for pair in (("arm", "table"), ("table", "cup"), ("arm", "cup"))}
