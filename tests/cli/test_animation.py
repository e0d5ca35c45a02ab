"""Animations and recorded scenes: pages that need nothing but themselves, and hold all frames."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import numpy as np
import pytest
from page_reader import Reader, data_of, floats

import elbowroom as er
from elbowroom.pictures.animation import animation
from elbowroom.pictures.exhibits import Scene
from elbowroom.pictures.moving import LINKS, Moving, Standing, moving_links, paced, rigid_length
from elbowroom.pictures.moving_balls import Balls, Lines, box_edges
from elbowroom.pictures.player import stage
from elbowroom.pictures.player_data import recorded


def sliding(count: int = 5) -> np.ndarray:
    poses = np.tile(np.eye(4), (count, 1, 1))
    poses[:, 0, 3] = np.linspace(0, 4, count)
    return poses


def test_the_page_refers_to_nothing_outside_itself() -> None:
    page = animation("A <title>", [Moving([(er.Box(1), None)], sliding())], [Standing(er.Sphere(1))])
    read = Reader(page)
    assert read.links == [] and "http" not in page and "import" not in page
    assert "A &lt;title&gt;" in page
    used = set(re.findall(r'control\("([\w ]+)"\)', page))
    assert used <= read.names and {"play", "time", "speed"} <= used
    assert "canvas" in read.tags


def test_poses_and_shapes_are_those_of_the_bodies() -> None:
    """Spheres and boxes are shapes of unit size that are used many times; groups are taken apart."""
    pair = er.Group([(er.Sphere(2), er.Pose(translation=[1, 0, 0])), er.Box([1, 2, 3])])
    hull = er.Convex([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    still = [Standing(er.Sphere(0.5), er.Pose(translation=[0, 9, 0])), Standing(hull), Standing(hull)]
    held = data_of(animation("t", [Moving([(pair, er.Pose(translation=[0, 0, 7]))], sliding())], still))
    assert (held["frames"], held["movers"], held["marks"]) == (5, 1, [0, 4])
    assert floats(held["poses"], 5, 1, 3, 4)[:, 0] == pytest.approx(sliding()[:, :3])
    ball, box, small, one, two = held["bodies"]
    assert len(held["shapes"]) == 3 and ball["shape"] == small["shape"] and one["shape"] == two["shape"]
    assert ball["size"] == [2, 2, 2] and box["size"] == [1, 2, 3]
    assert [body["mover"] for body in held["bodies"]] == [0, 0, -1, -1, -1]
    assert np.reshape(ball["matrix"], (3, 4))[:, 3].tolist() == [1, 0, 7]
    corners = floats(held["shapes"][one["shape"]]["points"], -1, 3)
    assert sorted(map(tuple, corners.tolist())) == [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]
    faces = np.frombuffer(base64.b64decode(held["shapes"][one["shape"]]["faces"]), "<u4")
    assert faces.size == 12 and faces.max() == 3


def test_everything_is_in_view() -> None:
    held = data_of(animation("t", [Moving([(er.Sphere(1), None)], sliding())], [Standing(er.Box(6))]))
    assert held["centre"] == pytest.approx([1, 0, 0])
    assert held["reach"] == pytest.approx(np.sqrt(4**2 + 3**2 + 3**2))
    corners = np.reshape(held["corners"], (-1, 3))
    assert corners.min(axis=0).tolist() == [-3, -3, -3] and corners.max(axis=0).tolist() == [5, 3, 3]
    box = np.array([[x, y, z] for x in (-3, 3) for y in (-3, 3) for z in (-3, 3)])
    for towards in np.random.default_rng(0).normal(size=(50, 3)):
        assert (corners @ towards).max() >= (box @ towards).max() - 1e-9


def test_one_may_see_through_what_stands_about() -> None:
    moving, still = [Moving([(er.Sphere(1), None)], sliding())], [Standing(er.Box(6))]
    for through in (True, False):
        assert ("see through" in Reader(animation("t", moving, still, through=through)).checked) is through


def test_links_move_and_the_base_stands() -> None:
    bar = [(er.Capsule(0.1, 0.8), er.Pose(translation=[0, 0, 0.5]))]
    above = er.Pose(translation=[0, 0, 1])
    joints = [er.Joint(p + c, "revolute", p, c, above, (0, 1, 0)) for p, c in ("ab", "bc")]
    arm = er.Articulated([er.Link(name, bar) for name in "abc"], joints)
    rows = np.array([[0.0, 0.0], [0.5, 0.0], [0.5, 1.0]])
    moving, still = moving_links(arm, rows)
    assert len(moving) == 2 and len(still) == 1
    assert [each.colour for each in moving] == list(LINKS)
    twin = er.Articulated([er.Link(name, bar) for name in "abc"], joints)
    twin.move(rows[2])
    assert np.array_equal(moving[1].poses[2], twin.link_poses()[2])
    assert arm.configuration.tolist() == [0, 0]


def test_a_steady_pace_visits_every_state() -> None:
    times, marks = paced([1.0, 0.0, 3.0], 100)
    assert times[0] == 0 and times[-1] == 1 and (np.diff(times) > 0).all()
    assert times[marks] == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert np.diff(marks).tolist() == [25, 2, 75]
    assert len(times) == marks[-1] + 1


def test_the_length_of_a_motion_has_its_turn_in_it() -> None:
    start, goal = np.eye(4), er.Pose([0, 0, 0, 1], [3, 4, 0]).matrix
    assert rigid_length(2.0)(start, goal) == pytest.approx(5 + 2 * np.pi)


def test_what_cannot_be_shown() -> None:
    with pytest.raises(ValueError, match="moving is empty"):
        animation("t", [])
    with pytest.raises(ValueError, match="moving must have poses"):
        animation("t", [Moving([(er.Box(1), None)], sliding(1))])


def spread(text: dict[str, Any], *shape: int) -> np.ndarray:
    """Places as the player makes them of whole numbers."""
    whole = np.frombuffer(base64.b64decode(text["data"]), "<u2").reshape(-1, 3)
    return (np.array(text["low"]) + whole * np.array(text["step"])).reshape(shape)


def test_balls_keep_their_places_colours_and_sizes() -> None:
    places = np.random.default_rng(0).normal(size=(4, 7, 3))
    sizes = np.random.default_rng(1).uniform(1, 2, size=(4, 7))
    red = [[], [1, 2], [], [6]]
    held = recorded(balls=[Balls(places, sizes, "#ff0000", red, bonds=0.1), Balls([[0, 0, 9]], 2.0)])
    first, second = held["balls"]
    assert held["frames"] == 4 and first["red"] == red and first["bonds"] == 0.1
    assert spread(first["places"], 4, 7, 3) == pytest.approx(places, abs=1e-4)
    assert floats(first["radii"], 4, 7) == pytest.approx(sizes)
    assert base64.b64decode(first["colours"]) == bytes([255, 0, 0] * 7)
    assert spread(second["places"], 3).tolist() == [0, 0, 9] and floats(second["radii"], 1) == [2]
    corners = np.reshape(held["corners"], (-1, 3))
    assert corners[:, 2].max() == pytest.approx(11)  # the top of the ball at height 9


def test_lines_may_be_more_in_one_frame_than_in_another() -> None:
    one, two = np.zeros((1, 2, 3)), np.ones((2, 2, 3))
    held = recorded(lines=[Lines([one, two, one[:0]], radius=0.5), Lines(two)], captions=["a", "b", "c"])
    assert [each["counts"] for each in held["lines"]] == [[1, 2, 0], [2]]
    assert floats(held["lines"][0]["points"], 3, 2, 3).tolist() == [*one.tolist(), *two.tolist()]
    assert held["lines"][0]["ends"] == 1.0 and held["lines"][1]["radius"] == 0


def test_a_view_that_follows_has_the_balls_in_the_middle() -> None:
    places = np.random.default_rng(0).normal(size=(20, 50, 3)) + np.linspace(0, 100, 20)[:, None, None]
    held = recorded(balls=[Balls(places, 0.1)], follow=1.0)
    sights = np.array(held["sights"])
    assert sights.shape == (20, 4) and sights[:, 3].max() == 1
    assert sights[4:-4, :3] == pytest.approx(places.mean(axis=1)[4:-4], abs=1.5)
    assert held["reach"] < 5  # and not the hundred of the whole way


def test_frames_of_all_that_is_shown_must_agree() -> None:
    with pytest.raises(ValueError, match=r"one number of frames, got \[3, 5\]"):
        recorded([Moving([(er.Box(1), None)], sliding())], captions=["a", "b", "c"])
    with pytest.raises(ValueError, match="nothing is shown"):
        recorded()


def test_edges_of_boxes() -> None:
    chain = er.Chain(er.scenes.serpentine(50), 1.0, volume="obb", children=2)
    boxes = chain.boxes(2)
    edges = box_edges(boxes)
    assert edges.shape == (12 * len(boxes), 2, 3)
    lengths = np.linalg.norm(edges[:12, 1] - edges[:12, 0], axis=1)
    assert sorted(lengths) == pytest.approx(sorted(np.repeat(2 * np.asarray(boxes[0].half), 4)))
    assert edges[:12].mean(axis=(0, 1)) == pytest.approx(np.asarray(boxes[0].centre))
    assert box_edges([]).shape == (0, 2, 3)


def test_a_stage_says_what_it_shows_and_no_text_ends_its_data() -> None:
    held = recorded(balls=[Balls(np.zeros((2, 1, 3)), 1.0)], captions=["</script>", "b"])
    html = stage(Scene(held, "A <ball>.", "It & more", {"boxes": True, "trail": False}))
    read = Reader(html)
    assert json.loads(read.scripts[0])["captions"] == ["</script>", "b"]
    assert html.count("</script>") == 1
    assert "A &lt;ball&gt;." in html and "It &amp; more" in html
    assert read.checked == {"boxes"} and {"boxes", "trail", "play", "time"} <= read.names
    assert "controls" not in stage(Scene(recorded(balls=[Balls([[0, 0, 0]], 1.0)]), "A ball.", ""))
