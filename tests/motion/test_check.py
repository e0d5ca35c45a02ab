"""er.check of rigid bodies: the verdicts of all methods and the first contact, held against slow sampling."""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any

import nasty
import numpy as np
import pytest
from chain_makers import rng_of
from motion_judge import Asked, judged, witnesses
from motion_makers import CLEARING, MAKERS, METHODS, MOVING, pushed
from motion_oracle import ROUNDING, least
from motion_paths import Paths, still
from motion_scenes import Obstacle, Scene
from nasty import Thing

import elbowroom as er

CUBE, BALL = Thing("box", (np.ones(3),)), Thing("sphere", (0.5,))
CASES = [(maker, method) for maker in MAKERS for method in (CLEARING if maker in MOVING else METHODS)]


#: By a bound on speeds it takes a million looks to slide past something: more than this is not waited for.
PATIENCE = er.Budget(tests=20_000)


def certificates(scene: Scene, **settings: Any) -> list[Any]:
    if settings.get("method", "auto") != "auto":
        settings = {"budget": PATIENCE} | settings
    return [er.check(scene.body.body, scene.motion(k), scene.given(k), **settings) for k in range(len(scene))]


def check_scene(scene: Scene, asked: Asked, **settings: Any) -> list[Any]:
    """Ask about every motion, and hold the answers against the slow ones."""
    told: dict[str, Any] = {"tolerance": asked.tolerance, "clearance": asked.clearance, "first": asked.first}
    found, doubts = certificates(scene, **told | settings), ROUNDING * scene.sizes
    problems = judged(found, scene.course, doubts, asked)
    for k, certificate in enumerate(found):
        problems += [(k, *p) for p in witnesses(certificate, scene, k, asked, doubts[k])]  # type: ignore[misc]
    assert not problems, "\n".join(f"{p[1]}: {p[2]}\n{scene.code(p[0])}" for p in problems[:3])
    return found


# Against the slow judgement.


@functools.cache
def made(maker: str, seed: int) -> Scene:
    """The same scenes for all methods; those of many primitives take long to make."""
    return MAKERS[maker](rng_of(maker, seed), 2 if maker.startswith("crowds") else 4)


@pytest.mark.parametrize("maker", MAKERS)
def test_the_slow_judgement_finds_the_least_gap_and_a_false_certificate(maker: str) -> None:
    """No even sampling finds a smaller gap; and a "free" is refused wherever there is an overlap."""
    scene, dense = made(maker, 0), np.linspace(0.0, 1.0, 201)
    course, found = scene.course, least(scene.course)
    sampled = np.min([course.at(np.full(len(scene), t)) for t in dense], axis=0)
    assert (found.gaps <= sampled + 1e-12 * scene.sizes).all()
    assert course.at(found.times) == pytest.approx(found.gaps, abs=1e-12 * scene.sizes.max())
    free = SimpleNamespace(free=True, status="settled", intervals=np.array([[0.0, 1.0]]), covered=1.0,
                           clearance=None, closest_time=None)  # fmt: skip
    doubts = ROUNDING * scene.sizes
    refused = {
        p.motion for p in judged([free] * len(scene), course, doubts, Asked()) if p.counter == "wrong_free"
    }
    assert set(np.flatnonzero(found.gaps < -doubts).tolist()) <= refused
    assert refused <= set(np.flatnonzero(found.gaps < doubts).tolist())


@pytest.mark.parametrize(("maker", "method"), CASES)
def test_verdicts_contacts_and_proofs(maker: str, method: str) -> None:
    seen = set()
    for seed in range(2 if method == "auto" else 1):
        found = check_scene(made(maker, seed), Asked(), method=method)
        seen |= {certificate.free for certificate in found}
    assert seen & {True, False}, "nothing was decided"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("tolerance", [1.0, 0.1, 1e-3, 1e-9, 1e-10])
def test_any_tolerance(method: str, tolerance: float) -> None:
    for maker in ("plain", "walls", "grazing"):
        check_scene(made(maker, 2), Asked(tolerance=tolerance), method=method)


@pytest.mark.parametrize("method", CLEARING)
@pytest.mark.parametrize("clearance", [1e-9, 0.01, 0.5])
def test_nearer_than_the_clearance_is_contact(method: str, clearance: float) -> None:
    for maker in ("plain", "walls", "grazing", "posts"):
        check_scene(made(maker, 3), Asked(clearance=clearance), method=method)


def test_a_clearance_with_moving_obstacles() -> None:
    for maker in MOVING:
        check_scene(made(maker, 0), Asked(clearance=0.05))


@pytest.mark.parametrize("method", METHODS)
def test_any_contact_will_do(method: str) -> None:
    """With first=False the verdict is the same, and the contact that is told is one."""
    for maker in ("plain", "walls", "grazing", "touching"):
        scene = made(maker, 4)
        firsts = check_scene(scene, Asked(), method=method)
        anys = check_scene(scene, Asked(first=False), method=method)
        for first, some in zip(firsts, anys, strict=True):
            assert first.free == some.free or None in (first.free, some.free)
            assert some.free is not False or some.contact_time >= first.first_contact[0]


@pytest.mark.parametrize("method", METHODS)
def test_both_ways_round_in_time(method: str) -> None:
    """The way back is as free as the way there."""
    scene = MAKERS["plain"](rng_of("back"), 12)
    for k in range(len(scene)):
        there = er.check(scene.body.body, scene.motion(k), scene.given(k), method=method)
        back = er.check(scene.body.body, scene.motion(k).reversed(), scene.given(k), method=method)
        assert there.free == back.free


def test_a_body_that_moves_past_is_one_that_is_passed() -> None:
    """Obstacle and body change places: the obstacle moves, the body stands."""
    for seed in range(3):
        scene = MAKERS["plain"](rng_of("places", seed), 6)
        one = Scene(scene.body, scene.paths, scene.obstacles[:1])
        other = Scene(one.obstacles[0].thing, one.obstacles[0].paths, (Obstacle(one.body, one.paths, True),))
        for a, b in zip(check_scene(one, Asked()), check_scene(other, Asked()), strict=True):
            assert a.free == b.free or None in (a.free, b.free)


# Contacts that are over in no time.


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("speed", [1.0, 1e3, 1e6])
def test_a_bullet_does_not_pass_a_sheet_of_paper(method: str, speed: float) -> None:
    sheet = er.Mesh([[-1, -1, 0], [1, -1, 0], [0, 2, 0]], [[0, 1, 2]])
    for body in (er.Sphere(1e-6), er.Box(1e-6), er.Capsule(1e-9, 1e-3)):
        motion = er.Motion(
            er.Pose(translation=[0, 0, -0.3 * speed]), er.Pose(translation=[0, 0, 0.7 * speed])
        )
        found = er.check(body, motion, sheet, method=method)
        assert found.free is not True
        if found.free is False:
            assert abs(found.contact_time - 0.3) < 1e-3 and found.first_contact[0] < found.contact_time
        assert er.check(body, motion, sheet, method=method, tolerance=1e-14).free is False


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("angle", [np.pi, np.pi - 1e-9, 3.0, 0.1])
def test_a_blade_that_swings_through_a_wire(method: str, angle: float) -> None:
    """The wire stands where the blade is in the middle of its swing."""
    blade = er.Group([(er.Box([2.0, 1e-6, 0.1]), er.Pose(translation=[1.0, 0, 0]))])
    turn = er.Pose([np.cos(angle / 2.0), 0, 0, np.sin(angle / 2.0)])
    motion = er.Motion(er.Pose(), turn)
    middle = motion.at(0.5).rotation @ [1.5, 0.0, 0.0]
    wire = (er.Capsule(1e-6, 4.0), er.Pose(translation=middle))
    found = er.check(blade, motion, wire, method=method)
    assert found.free is False and found.contact_time == pytest.approx(0.5, abs=1e-4)
    beyond = (er.Capsule(1e-6, 4.0), er.Pose(translation=-middle))
    assert er.check(blade, motion, beyond, method=method).free is True


@pytest.mark.parametrize("method", METHODS)
def test_what_cannot_be_told_from_a_touch_is_not_free(method: str) -> None:
    """A point that goes through a triangle is in it for no time at all."""
    sheet = er.Mesh([[-1, -1, 0], [1, -1, 0], [0, 2, 0]], [[0, 1, 2]])
    for end in np.linspace(0.5, 0.7, 11):
        motion = er.Motion(er.Pose(translation=[0.1, 0.1, -0.3]), er.Pose(translation=[0.1, 0.1, end]))
        found, crossing = er.check(er.Sphere(0), motion, sheet, method=method), 0.3 / (0.3 + end)
        assert not found
        if found.free is False:  # one look in many falls on the very instant
            assert found.contact_time == pytest.approx(crossing, abs=1e-9)
            continue
        assert found.status == "within tolerance" and found.first_contact is found.contact_time is None
        assert found.closest is not None and found.closest < 2e-6
        assert found.closest_time == pytest.approx(crossing, abs=2e-6)
        assert found.points is not None and np.linalg.norm(found.points[1] - found.points[0]) <= 2e-6


@pytest.mark.parametrize("method", METHODS)
def test_points_that_pass_through_each_other_are_not_free(method: str) -> None:
    """Whatever the numbers are: looks on both sides of the instant must not be taken to meet there."""
    rng = rng_of("points")
    for here, way, share in zip(
        rng.normal(size=(200, 3)), rng.normal(size=(200, 3)), rng.random(200), strict=True
    ):
        turn = nasty.rotations(rng, 1)[0]
        motion = er.Motion((turn, here - share * way), (turn, here + (1.0 - share) * way))
        assert er.check(er.Sphere(0), motion, (er.Sphere(0), (turn, here)), method=method).free is not True


@functools.cache
def rolling(hair: float) -> Scene:
    """A cube rolls past a ball, and misses it, or hits it, by a hair."""
    n = 3
    starts = nasty.matrices(np.tile(np.eye(3), (n, 1, 1)), np.tile([-2.0, 0.0, 1.2], (n, 1)))
    along, about = np.tile([4.0, 0.0, 0.0], (n, 1)), np.tile([0.0, 1.0, 0.0], (n, 1))
    paths = Paths(starts, about, np.array([0.0, 1.0, 3.0]), along)
    scene = Scene(CUBE, paths, (Obstacle(BALL, still(np.tile(np.eye(4), (n, 1, 1)))),))
    return pushed(scene, np.full(n, hair))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("hair", [1e-9, -1e-9, 1e-6, -1e-6])
def test_grazing_by_a_hair_is_told_right(method: str, hair: float) -> None:
    """A miss by 1e-9 is proved, a hit by 1e-9 is found, if the tolerance is small enough."""
    scene = rolling(hair)
    assert np.abs(least(scene.course).gaps - hair).max() < 1e-11
    found = check_scene(scene, Asked(tolerance=1e-11), method=method)
    if method == "auto":
        assert [certificate.free for certificate in found] == [hair > 0.0] * len(scene)
