"""What the viewer sends to browsers: each layer once, and then what changed of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from view_makers import BLUE, GREY, Row
from view_messages import Listener, server, updates

from elbowroom.viewer import (
    Balls,
    Boxes,
    Layer,
    Segments,
    Show,
    Triangulated,
)
from elbowroom.viewer.render import Painter
from elbowroom.viewer.render_balls import SOLID, Look
from elbowroom.viewer.render_shapes import CORNERS, EDGED, FACES, quaternions


def heard(
    action: Callable[[Painter], Any], *before: list[Layer], look: Look = "auto"
) -> list[dict[str, Any]]:
    """What an action on a painter sends, after these layers were shown."""
    with server() as made:
        painter = Painter(made, look)
        for layers in before:
            painter.show(layers)
        listener = Listener(made)
        action(painter)
        return listener.heard()


def cloud(count: int, **more: Any) -> Balls:
    centres = np.random.default_rng(3).normal(size=(count, 3))
    return Balls("body/cloud", centres, np.linspace(0.5, 1.0, count).round(1), **more)


def test_nothing_is_sent_for_what_did_not_change() -> None:
    row = Row()
    everything = Show(level=1, closest=True, within=1.0)
    assert heard(lambda painter: painter.show(row.layers(everything)), row.layers(everything)) == []


def test_a_ball_that_moves_sends_its_place_alone() -> None:
    row = Row()
    first = row.layers(Show(collisions=False))
    row.set("place", -4.0)
    sent = heard(lambda painter: painter.show(row.layers(Show(collisions=False))), first)
    assert updates(sent) == [("/body/first", "batched_positions")] and len(sent) == 1


def test_a_mesh_that_moves_sends_its_pose_alone() -> None:
    corners, faces = np.eye(3), np.array([[0, 1, 2]], np.int32)
    pose = np.eye(4)
    pose[0, 3] = 2.0
    before = Triangulated("body/mesh", corners, faces, np.eye(4))
    after = Triangulated("body/mesh", corners, faces, pose)
    sent = heard(lambda painter: painter.show([after]), [before])
    assert [each["type"] for each in sent] == ["SetPositionMessage"]
    assert sent[0]["position"] == [2.0, 0.0, 0.0]


def test_what_is_gone_is_hidden_and_comes_back() -> None:
    row = Row()
    with server() as made:
        painter, listener = Painter(made), None
        for place, visible in ((0.0, None), (-6.0, False), (0.0, True)):
            row.set("place", place)
            listener = Listener(made)
            painter.show(row.layers(Show()))
            shown = [each for each in listener.heard() if each["type"] == "SetSceneNodeVisibilityMessage"]
            hits = [each["visible"] for each in shown if each["name"] == "/collisions/row"]
            assert hits[-1:] == ([True] if visible is None else [visible])


def test_many_balls_are_points_and_few_are_round() -> None:
    def kinds(count: int, look: Look, **more: Any) -> set[str]:
        sent = heard(lambda painter: painter.show([cloud(count, **more)]), look=look)
        return {each["type"] for each in sent} & {"PointCloudMessage", "BatchedMeshesMessage"}

    assert kinds(SOLID, "auto") == {"BatchedMeshesMessage"}
    assert kinds(SOLID + 1, "auto") == {"PointCloudMessage"}
    assert kinds(SOLID + 1, "auto", opacity=0.5) == {"BatchedMeshesMessage"}  # points cannot be seen through
    assert kinds(SOLID + 1, "solid") == {"BatchedMeshesMessage"}
    assert kinds(5, "points") == {"PointCloudMessage"}


def test_points_are_as_large_as_the_balls_and_none_is_lost() -> None:
    sent = heard(lambda painter: painter.show([cloud(2 * SOLID)]))
    clouds = [each["props"] for each in sent if each["type"] == "PointCloudMessage"]
    assert sorted(each["point_size"] for each in clouds) == pytest.approx([1.0, 1.2, 1.4, 1.6, 1.8, 2.0])
    assert sum(each["points"] for each in clouds) == 3 * 2 * SOLID


def test_ten_thousand_balls_that_move_send_places_and_shades_quickly() -> None:
    centres = np.random.default_rng(1).normal(size=(10_000, 3))
    radii = np.ones(10_000)
    with server() as made:
        painter = Painter(made)
        painter.show([Balls("body/cloud", centres, radii)])
        listener = Listener(made)
        spent = []
        for turn in range(5):
            begin = time.process_time()
            painter.show([Balls("body/cloud", centres + turn + 1, radii)])
            spent.append(time.process_time() - begin)
        assert {name for name, _ in updates(listener.heard())} == {"/body/cloud/0"}
    assert min(spent) < 0.02  # 2 ms on a quiet machine


def test_a_layer_may_change_its_kind_its_count_and_its_colours() -> None:
    steps: list[list[Layer]] = [
        [Balls("x", np.zeros((2, 3)), np.ones(2))],
        [Balls("x", np.zeros((5, 3)), np.ones(5), colour=np.full((5, 3), 9, np.uint8), opacity=0.4)],
        [Segments("x", np.zeros((2, 2, 3)), colour=GREY)],
        [Segments("x", np.ones((3, 2, 3)), 5.0, colour=np.full((3, 3), 7, np.uint8))],
        [Segments("x", np.zeros((0, 2, 3)))],
        [Boxes("x", np.zeros((2, 3)), np.ones((2, 3)), np.tile(np.eye(3), (2, 1, 1)), opacity=0.5)],
        [Boxes("x", np.ones((4, 3)), np.ones((4, 3)), np.tile(np.eye(3), (4, 1, 1)), colour=BLUE)],
        [cloud(SOLID + 5)],
        [],
    ]
    types = [{each["type"] for each in heard(lambda p, now=now: p.show(now), *steps[:at])}
             for at, now in enumerate(steps)]  # fmt: skip
    assert "BatchedMeshesMessage" in types[0] and types[1] == {"SceneNodeUpdateMessage"}
    assert "LineSegmentsMessage" in types[2] and types[3] == {"SceneNodeUpdateMessage"}
    assert types[4] == types[8] == {"SetSceneNodeVisibilityMessage"}
    assert {"BatchedMeshesMessage", "LineSegmentsMessage"} <= types[5]
    assert types[6] == {"SceneNodeUpdateMessage"}


def test_very_many_boxes_have_no_edges() -> None:
    def edges(count: int) -> bool:
        boxes = Boxes("x", np.zeros((count, 3)), np.ones((count, 3)), np.tile(np.eye(3), (count, 1, 1)))
        sent = heard(lambda painter: painter.show([boxes]))
        return any(each["type"] == "LineSegmentsMessage" for each in sent)

    assert edges(EDGED) and not edges(EDGED + 1)


def test_boxes_about_bodies_that_are_seen_through_have_edges_alone() -> None:
    def faces(opacity: float) -> list[bool]:
        boxes = Boxes("x", np.zeros((2, 3)), np.ones((2, 3)), np.tile(np.eye(3), (2, 1, 1)), opacity=0.3)
        body = Triangulated("y", np.eye(3), np.array([[0, 1, 2]], np.int32), np.eye(4), opacity=opacity)
        sent = heard(lambda painter: painter.show([boxes, body]))
        shown = [each for each in sent if each["type"] == "SetSceneNodeVisibilityMessage"]
        return [each["visible"] for each in shown if each["name"] == "/x/faces"]

    assert faces(1.0)[-1] and not faces(0.5)[-1]


def test_faces_of_a_box_look_outwards() -> None:
    a, b, c = CORNERS[FACES].transpose(1, 0, 2)
    normals = np.cross(b - a, c - a)
    assert (np.einsum("ij,ij->i", normals, a) > 0).all() and len(np.unique(FACES)) == 8


def test_quaternions_have_the_scalar_first() -> None:
    turns = Rotation.random(20, random_state=4)
    held = quaternions(turns.as_matrix())
    assert np.allclose(Rotation.from_quat(held, scalar_first=True).as_matrix(), turns.as_matrix(), atol=1e-6)
    assert quaternions(np.zeros((0, 3, 3))).shape == (0, 4)
