"""Exhibits: every built-in scene, what can be set in them, and that they show what the questions answer."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest

import elbowroom as er
from elbowroom import scenes
from elbowroom.bvtt import APART
from elbowroom.viewer import Balls, Boxes, Exhibit, Layer, Segments, Show, built_in, open_exhibit
from elbowroom.viewer.bodies import RigidActor
from elbowroom.viewer.bodies_balls import ChainActor, NecklaceActor
from elbowroom.viewer.built_in_bodies import dancers, twin
from elbowroom.viewer.exhibit_cut import CutBoxes, has_cut
from elbowroom.viewer.exhibit_joints import Joints
from elbowroom.viewer.exhibit_meetings import Meeting
from elbowroom.viewer.exhibit_movers import Placing, Torsions
from elbowroom.viewer.exhibit_scene import ENOUGH, Scene
from elbowroom.viewer.layers_volumes import placed_boxes


def by_name(exhibit: Exhibit, show: Show) -> dict[str, Layer]:
    layers = exhibit.layers(show)
    named = {layer.name: layer for layer in layers}
    assert len(named) == len(layers), "names must differ"
    return named


def everything(exhibit: Exhibit) -> Show:
    return Show(
        level=exhibit.levels - 1 if exhibit.levels else None,
        closest=exhibit.has_closest,
        within=exhibit.reach if exhibit.has_within else None,
        cut=exhibit.has_cut,
    )


@pytest.mark.parametrize("name", built_in())
def test_a_built_in_scene_shows_all_that_it_says_it_has(name: str) -> None:
    exhibit = open_exhibit(name)
    assert exhibit.title and exhibit.hint and exhibit.levels
    assert exhibit.plays or exhibit.controls
    assert (np.ptp(exhibit.bounds(), axis=0) > 0).any()
    for _ in range(3):
        exhibit.advance()
        for layer in by_name(exhibit, everything(exhibit)).values():
            assert layer.kind in ("balls", "mesh", "segments", "boxes")
            assert all(np.isfinite(a).all() for a in vars(layer).values() if isinstance(a, np.ndarray))
    facts = exhibit.counters()
    assert facts and all(isinstance(text, str) for fact in facts for text in fact)
    assert len(dict(facts)) == len(facts)
    assert by_name(exhibit, Show(body=False, collisions=False)) == {}


@pytest.mark.parametrize("name", built_in())
def test_every_control_can_be_set_and_says_so(name: str) -> None:
    exhibit = open_exhibit(name)
    at_first = exhibit.values()
    for control in exhibit.controls:
        if control.kind == "button":
            exhibit.set(control.name, True)
            continue
        assert at_first[control.name] == control.initial
        value = {"slider": control.high, "check": True}.get(control.kind) or control.choices[-1]
        exhibit.set(control.name, value)
        assert exhibit.values()[control.name] == pytest.approx(value) or abs(control.high) == 180
        assert exhibit.layers(exhibit.start)
        if control.kind in ("slider", "choice"):
            with pytest.raises(ValueError, match=control.name):
                exhibit.set(control.name, control.high + 1 if control.kind == "slider" else "no such")
    with pytest.raises(ValueError, match="has no control 'nothing'"):
        exhibit.set("nothing", 1)


def test_there_are_no_other_scenes() -> None:
    with pytest.raises(FileNotFoundError, match="no built-in scene of this name"):
        open_exhibit("no such scene")
    with pytest.raises(ValueError, match="takes no files and no options"):
        open_exhibit("springs", radius=1)


def test_frames_are_gone_through_and_begin_again() -> None:
    springs = open_exhibit("springs")
    assert springs.plays and not springs.live and springs.frames == 240
    springs.set_frame(springs.frames - 1)
    assert springs.frame == 239
    last = by_name(springs, Show())["body/other"]
    springs.advance()
    assert springs.frame == 0 and not by_name(springs, Show())["body/other"].same(last)
    for frame in (-1, 240):
        with pytest.raises(ValueError, match="frame must be from 0 to 239"):
            springs.set_frame(frame)
    with pytest.raises(ValueError, match="has no frames"):
        open_exhibit("ring").set_frame(0)


def test_springs_show_what_the_questions_answer() -> None:
    exhibit, spring, path = open_exhibit("springs"), er.Mesh(*scenes.spring()), scenes.spring_path(240)
    for frame in (10, 26, 60):
        exhibit.set_frame(frame)
        named = by_name(exhibit, Show(closest=True, within=0.2))
        other = twin(spring)
        hits = er.collide(spring, other, pose_b=path[frame], every=True)
        assert ("collisions/spring" in named) == ("collisions/other" in named) == bool(hits)
        if hits:
            marked = named["collisions/other"].triangles  # type: ignore[attr-defined]
            assert len(marked) == 2 * len(np.unique(hits.pairs[:, 1]))
        nearest = er.distance(spring, other, pose_b=path[frame])
        line = named["closest/line"]
        assert isinstance(line, Segments)
        assert np.linalg.norm(line.points[0, 1] - line.points[0, 0]) == pytest.approx(
            nearest.value, abs=1e-12
        )
        facts = dict(exhibit.counters())
        assert facts["verdict"].startswith("collision" if hits else "free, proved")
        near = er.within(spring, other, 0.2, None, path[frame])
        assert facts["within 0.2"].startswith(f"{len(near):,} pair")
        assert len(named["within"].points) == min(len(near), 4000)  # type: ignore[attr-defined]


def test_a_body_that_stands_elsewhere_tells_its_own_closest_points_there() -> None:
    aside = er.Pose([0.5, 0.5, 0.5, 0.5], [50.0, 0, 0]).matrix
    actor = ChainActor("chain", er.Chain(scenes.coil(200), 0.3), aside)
    named = by_name(Scene("aside", [actor]), Show(closest=True, within=1.0))
    ends, near = named["closest/points"], er.self_distance(actor.body)
    assert isinstance(ends, Balls) and isinstance(named["within"], Segments)
    assert ends.centres == pytest.approx(near.points @ aside[:3, :3].T + aside[:3, 3])
    middles = actor.middles(np.asarray(near.pair, np.int64))
    assert np.linalg.norm(ends.centres - middles, axis=1) == pytest.approx(0.3)
    assert (named["within"].points[..., 0] > 30).all()


@pytest.mark.parametrize("first_moves", [False, True])
def test_volumes_of_pairs_that_are_apart_are_apart_where_they_are_shown(first_moves: bool) -> None:
    spring, pose = er.Mesh(*scenes.spring()), scenes.spring_path(100)[11]
    poses = (pose, np.eye(4)) if first_moves else (np.eye(4), pose)
    for one, two in ((spring, twin(spring)), (twin(spring), spring)):
        a, b = (RigidActor(name, s, p) for name, s, p in zip("ab", (one, two), poses, strict=True))
        meeting, memory = Meeting(a, b), er.Memory()
        assert not meeting.collide(budget=ENOUGH, memory=memory)
        boxes, tree = CutBoxes(meeting), memory.bvtt
        assert tree is not None
        apart = tree.cut[tree.state[tree.cut] == APART]
        assert len(apart) > 5
        sides = boxes._sides
        for node in apart[:60]:
            fitted = [boxes._fit(k)(int(number)) for k, number in enumerate((tree.a[node], tree.b[node]))]
            shapes = [er.Box(2 * box.half) for box in fitted]
            at = [actor.pose @ _pose(box) for actor, box in zip(sides, fitted, strict=True)]
            assert not er.collide(*shapes, *at)


def _pose(box: er.volumes.Obb) -> np.ndarray:
    layer = placed_boxes("x", _columns(box))
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = layer.rotations[0], layer.centres[0]
    return out


def _columns(box: er.volumes.Obb) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    from elbowroom.viewer.layers_volumes import box_columns

    return box_columns([box])


def test_the_cut_of_a_chain_is_made_of_runs_that_hold_their_balls() -> None:
    for actor in (
        ChainActor("chain", er.Chain(scenes.coil(700), 0.4)),
        NecklaceActor("rope", er.Necklace(scenes.long_coil(700), 0.4)),
    ):
        named = by_name(Scene("cut", [actor]), Show(body=False, collisions=False, cut=True))
        boxes = [layer for layer in named.values() if isinstance(layer, Boxes)]
        assert sum(len(layer.centres) for layer in boxes) > 20
        points = actor.centres()
        away = [np.einsum("kij,nki->nkj", b.rotations, points[:, None] - b.centres) for b in boxes]
        outside = [(np.abs(a) - b.halves).max(axis=2) for a, b in zip(away, boxes, strict=True)]
        assert np.concatenate(outside, axis=1).min(axis=1).max() < 1e-4


def test_no_cut_where_it_cannot_be_told_whose_volumes_they_are() -> None:
    spring = er.Mesh(*scenes.spring())
    same = Meeting(RigidActor("a", spring), RigidActor("b", spring, scenes.spring_path(10)[1]))
    assert not has_cut(same)
    with pytest.raises(ValueError, match="the cut of a with b cannot be shown"):
        CutBoxes(same)


def test_torsions_are_turned_undone_and_remembered() -> None:
    actor = ChainActor("chain", er.Chain(scenes.coil(100), 0.3))
    scene = Scene("chain", [actor], movers=[Torsions(actor)])
    start = actor.body.positions()
    scene.set("joint", 40)
    scene.set("torsion", 25)
    twin_chain = er.Chain(start, 0.3)
    twin_chain.rotate(40, np.radians(25))
    assert actor.body.positions() == pytest.approx(twin_chain.positions())
    scene.set("joint", 70)
    assert scene.values()["torsion"] == 0
    scene.set("torsion", -10)
    assert scene.values()["torsion"] == pytest.approx(-10)
    scene.set("undo", True)
    assert scene.values()["torsion"] == pytest.approx(0)
    assert actor.body.positions() == pytest.approx(twin_chain.positions())
    scene.set("joint", 40)
    assert scene.values()["torsion"] == pytest.approx(25)
    scene.set("torsion", 0)  # from where it was, and not by so much more
    assert actor.body.positions() == pytest.approx(start)
    scene.set("random torsion", True)
    assert not np.allclose(actor.body.positions(), start)
    scene.set("as at first", True)
    assert np.array_equal(actor.body.positions(), start) and scene.values()["torsion"] == 0


def test_a_body_is_placed_by_sliders() -> None:
    actor = RigidActor("box", er.Box([1, 2, 3]), er.Pose(translation=[1, 0, 0]).matrix)
    scene = Scene("box", [actor], movers=[Placing(actor, 10.0)])
    scene.set("x", 2)
    scene.set("turn z", 90)
    assert actor.pose[:3, 3].tolist() == [3, 0, 0]
    assert actor.pose[:3, :3] @ [1, 0, 0] == pytest.approx([0, 1, 0])
    scene.set("turn z", 0)
    scene.set("x", 0)
    assert actor.pose == pytest.approx(er.Pose(translation=[1, 0, 0]).matrix)


def test_joints_of_every_kind_have_sliders() -> None:
    links = [er.Link(name, er.Box(1)) for name in "abcde"]
    kinds = ("free", "revolute", "prismatic", "spherical")
    joints = [er.Joint("free", "free", None, "a")] + [
        er.Joint(kind, kind, "abcd"[k], "abcd"[k + 1], er.Pose(translation=[2, 0, 0]))
        for k, kind in enumerate(kinds[1:])
    ]
    from elbowroom.viewer.bodies_links import LinksActor

    actor = LinksActor("body", er.Articulated(links, joints))
    scene = Scene("joints", [actor], movers=[Joints(actor)])
    assert len([c for c in scene.controls if c.kind == "slider"]) == 6 + 1 + 1 + 3
    assert "random pose" not in [c.name for c in scene.controls]  # the slide has no limits
    scene.set("free y", 1.5)
    scene.set("revolute", 0.3)
    scene.set("prismatic", -0.7)
    scene.set("spherical turn x", 0.6)
    scene.set("spherical turn z", -0.8)
    held = actor.body.configuration
    assert held[:7].tolist() == [0, 1.5, 0, 1, 0, 0, 0] and held[7:9].tolist() == [0.3, -0.7]
    assert held[9:] == pytest.approx([np.cos(0.5), 0.6 * np.sin(0.5), 0, -0.8 * np.sin(0.5)])
    assert Joints(actor).values() == pytest.approx(scene.values())  # read back from the body
    scene.set("zero pose", True)
    assert not any(scene.values().values())


def test_arm_in_collision_is_red() -> None:
    arm = open_exhibit("arm")
    arm.set("joint 2", 1.9)
    arm.set("joint 3", 0.4)
    named = by_name(arm, Show())
    assert dict(arm.counters())["verdict"].startswith("collision")
    red = [name for name, layer in named.items() if np.array_equal(layer.colour, (224, 36, 94))]
    assert any(name.startswith("body/arm") for name in red) and "collisions/table" in red


def test_dancers_touch_at_times_and_not_at_others() -> None:
    she, he = dancers(180)
    assert she.motion is not None and he.motion is not None
    she.move(she.motion)
    he.move(he.motion)
    share = np.mean(er.collide(she, he).hits)
    assert 0.05 < share < 0.95
    assert er.self_collide(she).hits.mean() < 0.5


def test_the_proof_of_a_necklace_is_shown_when_asked_for() -> None:
    spiral = open_exhibit("spiral")
    assert "body/proof" not in by_name(spiral, Show())
    spiral.set("proof", True)
    lines = by_name(spiral, Show())["body/proof"]
    facts = dict(spiral.counters())
    assert facts["proof"].endswith("prove 500 beads free")
    assert facts["proof"].startswith(f"{len(lines.points):,} pairs")  # type: ignore[attr-defined]


def test_ten_thousand_balls_are_rebuilt_in_time() -> None:
    chain = open_exhibit("chain")
    show, seconds = Show(level=chain.levels - 1, closest=True), []
    for angle in range(8):
        chain.set("torsion", 0.5 * angle)
        begin = perf_counter()
        chain.layers(show)
        seconds.append(perf_counter() - begin)
    assert min(seconds) < 0.05  # the least, because the machine may be busy
