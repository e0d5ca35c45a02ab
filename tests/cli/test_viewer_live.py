"""Exhibits that compute while one looks: sampling, a check on a budget, planning, a motion with its proof."""

from __future__ import annotations

import numpy as np
import pytest

import elbowroom as er
from elbowroom import scenes
from elbowroom.viewer import Boxes, Exhibit, Segments, Show, Triangulated, open_exhibit
from elbowroom.viewer.bodies import RigidActor
from elbowroom.viewer.built_in_bodies import small_hook, twin, window
from elbowroom.viewer.exhibit_live import Budgeted, Sampling
from elbowroom.viewer.exhibit_plan import Planning, proved_motion


def facts(exhibit: Exhibit) -> dict[str, str]:
    exhibit.layers(exhibit.start)
    return dict(exhibit.counters())


def test_a_polymer_walks_through_free_states() -> None:
    exhibit = Sampling("walk", lambda: er.sampling.polymer(60, radius=0.4, seed=2), steps=20)
    assert exhibit.live and exhibit.plays and exhibit.frames == 0
    before = exhibit.layers(Show())[0]
    assert facts(exhibit)["steps"] == "0"
    for _ in range(5):
        exhibit.advance()
        told = facts(exhibit)
        assert told["verdict"] == "free, proved"
    assert told["steps"] == "100" and 0 < float(told["accepted"].rstrip("%")) <= 100
    assert not exhibit.layers(Show())[0].same(before)
    (line,) = [layer for layer in exhibit.layers(Show()) if layer.name == "body/end to end"]
    assert isinstance(line, Segments)
    exhibit.set("start again", True)
    assert exhibit.layers(Show())[0].same(before) and facts(exhibit)["steps"] == "0"


def test_a_walk_is_the_same_every_time() -> None:
    ends = []
    for _ in range(2):
        exhibit = Sampling("walk", lambda: er.sampling.polymer(40, radius=0.4, seed=3), moves="crankshafts")
        for _ in range(4):
            exhibit.advance()
        ends.append(exhibit.layers(Show())[0])
    assert ends[0].same(ends[1])


def budgeted(place: int) -> tuple[Budgeted, er.Mesh, np.ndarray]:
    spring, path = er.Mesh(*scenes.spring()), scenes.spring_path(100)[:40]
    actors = RigidActor("spring", spring), RigidActor("other", twin(spring))
    return Budgeted("budget", *actors, path, place=place), spring, path


def test_calls_on_a_budget_end_in_a_proof() -> None:
    exhibit, _, _ = budgeted(11)
    assert exhibit.start.cut and facts(exhibit)["on the budget"] == "not asked yet"
    covered = []
    for _ in range(40):
        exhibit.advance()
        told = facts(exhibit)
        covered.append(float(told["proved apart"].partition("%")[0]))
        if told["on the budget"] == "free, proved":
            break
        assert told["on the budget"] == "not decided yet" and told["status"] == "out of budget"
    assert 2 < len(covered) < 40 and covered[-1] == 100 and covered == sorted(covered)


def test_open_volumes_become_fewer_until_all_are_apart() -> None:
    exhibit, _, _ = budgeted(11)
    assert not [layer for layer in exhibit.layers(exhibit.start) if layer.name.startswith("cut")]
    exhibit.advance()

    def counts() -> dict[str, int]:
        layers = [layer for layer in exhibit.layers(exhibit.start) if isinstance(layer, Boxes)]
        states = ("apart", "open", "hit")
        return {s: sum(len(x.centres) for x in layers if x.name.startswith(f"cut/{s}/")) for s in states}

    first = counts()
    assert first["open"] > 0 and first["hit"] == 0
    for _ in range(40):
        exhibit.advance()
    last = counts()
    assert last["open"] == 0 and last["apart"] > first["apart"]


def test_a_budget_finds_collisions_and_forgets() -> None:
    exhibit, spring, path = budgeted(30)
    assert er.collide(spring, twin(spring), pose_b=path[30])
    for _ in range(40):
        exhibit.advance()
    told = facts(exhibit)
    assert told["on the budget"] == "collision" and told["calls"] == "40"
    exhibit.set("forget", True)
    assert facts(exhibit)["calls"] == "0"
    exhibit.set("method", "best-first")
    exhibit.advance()
    assert facts(exhibit)["calls"] == "1"


def test_the_body_goes_along_its_path() -> None:
    exhibit, _, path = budgeted(38)
    exhibit.set("go along", True)
    exhibit.advance()
    assert exhibit.values()["place"] == 39
    exhibit.advance()
    assert exhibit.values()["place"] == 0
    (other,) = [layer for layer in exhibit.layers(Show()) if layer.name == "body/other"]
    assert isinstance(other, Triangulated) and np.array_equal(other.pose, path[0])


def test_a_path_is_found_proved_and_followed() -> None:
    exhibit = open_exhibit("plan")
    assert isinstance(exhibit, Planning) and facts(exhibit)["path"] == "not found yet"
    grown = []
    for _ in range(1500):
        exhibit.advance()
        told = facts(exhibit)
        grown.append(int(told["states in both trees"].replace(",", "")))
        if told["path"] != "not found yet":
            break
    assert told["whole path"] == "free, proved" and grown == sorted(grown) and grown[-1] > 10
    names = [layer.name for layer in exhibit.layers(Show())]
    assert {"body/path", "body/goal", "body/tree from the start", "body/tree from the goal"} <= set(names)
    poses = []
    for _ in range(240):
        exhibit.advance()
        assert facts(exhibit)["verdict"] == "free, proved"
        poses.append(exhibit.layers(Show())[0].pose)  # type: ignore[attr-defined]
    assert np.ptp([pose[0, 3] for pose in poses]) > 5  # through the wall and back
    exhibit.set("look again", True)
    assert facts(exhibit)["attempts"] == "0"


def test_a_motion_is_told_free_or_not_as_a_whole() -> None:
    hook, wall = small_hook(), window()
    free = er.Motion(er.Pose(translation=[-3, 0, 0]), er.Pose(translation=[-2.5, 0, 0]))
    whole = proved_motion("free", hook, free, wall)
    told = facts(whole)
    (shadows,) = [layer for layer in whole.layers(Show()) if layer.name == "body/proved"]
    assert isinstance(shadows, Triangulated) and np.ptp(shadows.vertices[:, 0]) == pytest.approx(
        1.9 + 0.125 + 0.5
    )
    assert told["whole motion"] == "free, proved" and int(told["intervals proved"]) >= 1
    hit = er.Motion(er.Pose(translation=[-3, 2, 0]), er.Pose(translation=[3, 2, 0]))
    exhibit = proved_motion("hit", hook, hit, wall)
    certificate = er.check(hook, hit, wall)
    assert certificate.first_contact is not None
    assert facts(exhibit)["whole motion"] == f"contact at {certificate.first_contact[1]:.4f} of the way"
    frame = round(certificate.first_contact[1] * (exhibit.frames - 1)) + 2
    exhibit.set_frame(frame)
    assert facts(exhibit)["verdict"].startswith("collision")
    (shadows,) = [layer for layer in exhibit.layers(Show()) if layer.name == "body/proved"]
    assert isinstance(shadows, Triangulated) and len(shadows.triangles)
    assert shadows.vertices[:, 0].max() <= -0.15 + 1e-6  # before the wall, of which nothing is proved beyond


def test_a_motion_past_a_plate_is_free() -> None:
    hook = open_exhibit("hook")
    assert facts(hook)["whole motion"] == "free, proved"
    hook.set_frame(hook.frames // 2)
    assert float(facts(hook)["distance"]) > 0


@pytest.mark.parametrize("name", ["polymer", "budget", "plan"])
def test_what_is_live_has_no_frames(name: str) -> None:
    exhibit = open_exhibit(name)
    assert exhibit.live and exhibit.plays and exhibit.frames == 0
    with pytest.raises(ValueError, match="has no frames"):
        exhibit.set_frame(0)
