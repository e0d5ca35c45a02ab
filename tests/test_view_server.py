"""The server of the viewer: what it sends, when, and to whom."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from view_makers import BLUE, GREY, Busy, Row
from view_messages import Listener, server, updates

from elbowroom.viewer import (
    Balls,
    Boxes,
    Layer,
    Segments,
    Show,
    Triangulated,
    built_in,
    open_exhibit,
)
from elbowroom.viewer.render import Painter
from elbowroom.viewer.render_balls import SOLID, Look
from elbowroom.viewer.render_shapes import CORNERS, EDGED, FACES, quaternions
from elbowroom.viewer.render_stage import check_host, look_at
from elbowroom.viewer.server import Viewer


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


# What is sent


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


def test_faces_of_a_box_look_outwards() -> None:
    a, b, c = CORNERS[FACES].transpose(1, 0, 2)
    normals = np.cross(b - a, c - a)
    assert (np.einsum("ij,ij->i", normals, a) > 0).all() and len(np.unique(FACES)) == 8


def test_quaternions_have_the_scalar_first() -> None:
    turns = Rotation.random(20, random_state=4)
    held = quaternions(turns.as_matrix())
    assert np.allclose(Rotation.from_quat(held, scalar_first=True).as_matrix(), turns.as_matrix(), atol=1e-6)
    assert quaternions(np.zeros((0, 3, 3))).shape == (0, 4)


# Who may look


def test_the_server_is_never_shared_through_another_machine() -> None:
    with server() as made:
        assert made.request_share_url() is None


def test_it_listens_at_the_address_that_is_asked_for_alone() -> None:
    with Viewer(Row(), port=0) as viewer:
        port = int(viewer.address.rsplit(":", 1)[1])
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(("127.0.0.2", port), timeout=5)


def test_an_address_that_this_machine_has_not_is_an_error() -> None:
    check_host("localhost")
    with pytest.raises(ValueError, match=r"host: this machine has no address '192\.0\.2\.1'"):
        check_host("192.0.2.1")


def test_a_port_that_is_taken_is_not_fought_for() -> None:
    with Viewer(Row(), port=0) as one:
        port = int(one.address.rsplit(":", 1)[1])
        with Viewer(Row(), port=port) as other:
            assert other.address != one.address


# The thread that owns the exhibit


def assured(what: bool) -> None:
    assert what


def settled(viewer: Viewer) -> None:
    """Wait until all that was wished for is done."""
    done = threading.Event()
    viewer.wish("last", done.set)
    assert done.wait(20)
    viewer.wish("very last", done.clear)  # one more round: the picture of the first is out by then
    begin = time.monotonic()
    while done.is_set():
        assert time.monotonic() - begin < 20
        time.sleep(0.002)


def test_of_several_wishes_about_the_same_only_the_last_is_done() -> None:
    row, gate = Row(), threading.Event()
    with Viewer(row, port=0) as viewer:
        viewer.wish("wait", lambda: assured(gate.wait(20)))
        time.sleep(0.05)
        for place in (1.0, 2.0, 3.0, 4.0):
            viewer.wish("set place", lambda place=place: row.set("place", place))
        gate.set()
        settled(viewer)
        assert row.asked == [("place", 4.0)] and ("verdict", "collision") in viewer.facts


def test_what_an_exhibit_refuses_does_not_end_the_viewer() -> None:
    row = Row()
    with Viewer(row, port=0) as viewer:
        viewer.wish("set place", lambda: row.set("place", 9.0))
        begin = time.monotonic()
        while not viewer.wrong:
            assert time.monotonic() - begin < 20
            time.sleep(0.002)
        assert viewer.wrong == "place: 9 is one too far"
        viewer.wish("set place", lambda: row.set("place", 3.0))
        settled(viewer)
        assert row.place == 3.0 and ("verdict", "collision") in viewer.facts and viewer.wrong == ""


def test_another_scene_can_be_chosen_and_one_that_fails_leaves_this_one() -> None:
    def broken() -> Row:
        raise ValueError("no such thing")

    busy = Busy()
    with Viewer(
        Row(), port=0, scenes={"row": Row, "busy": lambda: busy, "broken": broken}, scene="row"
    ) as viewer:
        viewer.wish("scene", lambda: viewer.choose("broken"))
        settled(viewer)
        assert viewer.scene == "row" and viewer.exhibit.title == Row.title
        viewer.wish("scene", lambda: viewer.choose("busy"))
        settled(viewer)
        assert viewer.scene == "busy" and viewer.exhibit is busy


def test_every_built_in_scene_can_be_chosen() -> None:
    scenes = {name: partial(open_exhibit, name) for name in built_in()}
    first = next(iter(scenes))
    with Viewer(scenes[first](), port=0, scenes=scenes, scene=first) as viewer:
        for name in scenes:
            viewer.wish("scene", partial(viewer.choose, name))
            settled(viewer)
            assert (viewer.scene, viewer.wrong) == (name, "") and viewer.facts
            viewer.wish("fit", viewer.fit)
            viewer.wish(
                "show", lambda: setattr(viewer, "show", Show(level=1, closest=True, within=0.1, cut=True))
            )
            settled(viewer)
            assert viewer.wrong == ""


def test_the_view_can_be_fitted_to_what_has_moved() -> None:
    row = Row()
    with Viewer(row, port=0) as viewer:
        before = viewer._server.initial_camera.look_at
        viewer.wish("move", lambda: row.set("place", -8.0))
        viewer.wish("fit", viewer.fit)
        settled(viewer)
        after = viewer._server.initial_camera.look_at
        assert after[0] < before[0] and after[0] == pytest.approx(row.bounds()[:, 0].mean())


def test_play_goes_on_until_it_is_stopped() -> None:
    busy = Busy()
    busy.frame_time = 0.001
    with Viewer(busy, port=0) as viewer:
        viewer.wish("play", lambda: viewer.play(True))
        begin = time.monotonic()
        while busy.place < 0.0:
            assert time.monotonic() - begin < 30
            time.sleep(0.01)
        viewer.wish("play", lambda: viewer.play(False))
        settled(viewer)
        place = busy.place
        time.sleep(0.2)
        assert busy.place == place


def test_the_camera_sees_all_of_it_whatever_its_size() -> None:
    for size in (1e-3, 1.0, 1e4):
        row = Row()
        row._rest, row._radii = row._rest * size, row._radii * size
        low, high = row.bounds()
        with server() as made:
            look_at(made, row)
            camera = made.initial_camera
            away = np.linalg.norm(camera.position - (low + high) / 2)
            assert camera.near < 0.1 * away and camera.far > 3 * away
            assert 0.5 * np.linalg.norm(high - low) < away < 1.5 * np.linalg.norm(high - low)
