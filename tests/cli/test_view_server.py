"""The server of the viewer: who may look, and the thread that owns the exhibit."""

from __future__ import annotations

import socket
import threading
import time
from functools import partial

import numpy as np
import pytest
from view_makers import Busy, Row
from view_messages import server
from view_requests import port_of

import elbowroom as er
from elbowroom import _core
from elbowroom.viewer import (
    Show,
    built_in,
    open_exhibit,
)
from elbowroom.viewer.render_stage import check_host, look_at
from elbowroom.viewer.server import Viewer

# Who may look


def test_the_server_is_never_shared_through_another_machine() -> None:
    with server() as made:
        assert made.request_share_url() is None


def test_it_listens_at_the_address_that_is_asked_for_alone() -> None:
    with Viewer(Row(), port=0) as viewer:
        port = port_of(viewer.address)
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(("127.0.0.2", port), timeout=5)


def test_an_address_that_this_machine_has_not_is_an_error() -> None:
    check_host("localhost")
    with pytest.raises(ValueError, match=r"host: this machine has no address '192\.0\.2\.1'"):
        check_host("192.0.2.1")


def test_a_port_that_is_taken_is_not_fought_for() -> None:
    with Viewer(Row(), port=0) as one:
        port = port_of(one.address)
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


def test_closing_ends_a_question_that_takes_long() -> None:
    chain, begun = er.Chain(er.scenes.serpentine(300), 1.0), threading.Event()
    sampler = _core.Sampler(chain, 1)
    sampler.add_move("torsion", 1.0, 0.01, np.arange(len(chain) - 1))

    def endless() -> None:
        begun.set()
        sampler.run(10**12, 10**12)

    with Viewer(Row(), port=0) as viewer:
        viewer.wish("long", endless)
        assert begun.wait(20)
    assert viewer.wrong == "the call was cancelled by another thread"


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
