"""Claims that all of a motion is free, made by nobody: believed where there is room, and nowhere else."""

from __future__ import annotations

from typing import Any

import nasty
import numpy as np
import pytest
from chain_makers import rng_of
from motion_bending_makers import TWISTED, arm_scene, torsion_scene
from motion_claims import at, claimed_free, is_refused
from motion_makers import MAKERS
from motion_oracle import ROUNDING, least

import elbowroom as er


@pytest.mark.parametrize("gap", [1e-2, 1e-6, 1e-9])
def test_a_hairs_breadth_decides(gap: float) -> None:
    tilt = er.Pose(nasty.rotations(rng_of("tilt"), 1)[0], [1, 2, 3])
    turn = er.Pose([np.cos(0.7), 0, 0, np.sin(0.7)], [2, 1, 0])
    floor = (er.Box([40, 40, 1]), tilt @ at(0, 0, -0.5))
    for side, refused in ((gap, False), (-gap, True)):
        rise = at(0, 0, 0.5 + side)
        slide = er.Motion(tilt @ rise, tilt @ rise @ turn)
        assert is_refused(claimed_free(er.Box([1, 2, 1]), slide, floor)) is refused


@pytest.mark.parametrize("share", [-0.9, -0.3, 0.05, 0.9])
@pytest.mark.parametrize("quarter", [0.25, 0.75])
def test_an_arc_between_two_looks_is_not_taken_for_its_chord(quarter: float, share: float) -> None:
    """A point on a circle and a wall that its arc reaches between the times at which it is looked at.

    Along the normal of the wall the arc rises above its chord by half the turn squared over eight, as
    much as any path can: a bound that is less by a part would believe some of these claims.
    """
    turn = 0.8
    path = er.Motion(er.Pose(), er.Pose([np.cos(turn / 2), 0, 0, np.sin(turn / 2)]))
    point = er.Group([(er.Sphere(0), at(1, 0, 0))])
    rise = (turn / 2) ** 2 / 8
    normal = er.Pose([np.cos(quarter * turn / 2), 0, 0, np.sin(quarter * turn / 2)])
    wall = (er.Box([1, 8, 8]), normal @ at(1.5 + share * rise, 0, 0))
    assert is_refused(claimed_free(point, path, wall)) is (share < 0)


def judge(said: Any, gap: float, size: float, counts: dict[bool, int]) -> None:
    """Refused where things overlap, believed where there is room; the slow judgement knows the least gap."""
    refused = is_refused(said)
    assert refused or gap > -ROUNDING * size, f"believed, but the gap is {gap}"
    assert not refused or gap < 1e-9 * size, f"refused, but the gap is {gap}"
    counts[refused] += 1


@pytest.mark.parametrize(
    "maker", ["plain", "grazing", "walls", "posts", "sliding", "headon", "rotors", "far"]
)
def test_claims_of_rigid_motions_are_judged_as_by_samples(maker: str) -> None:
    counts = {True: 0, False: 0}
    for seed in range(3):
        scene = MAKERS[maker](rng_of("claims", maker, seed), 5)
        for k, gap in enumerate(least(scene.course).gaps):
            said = claimed_free(scene.body.body, scene.motion(k), scene.given(k))
            judge(said, gap, scene.sizes[k], counts)
    assert min(counts.values()) > 0


def test_claims_of_paths_and_torsions_are_judged_as_by_samples() -> None:
    counts = {True: 0, False: 0}
    for seed, maker in enumerate(("arm", "tree", "hand", "crane", "whip", "skins") * 2):
        scene = arm_scene(rng_of("claims", seed), maker, 4)
        course = scene.course()
        if course is not None and scene.path.shape[1]:
            said = claimed_free(scene.recipe.body(), scene.path, scene.given())
            judge(said, least(course).gaps[0], scene.size, counts)
    for seed, maker in enumerate(TWISTED):
        twist = torsion_scene(rng_of("claims", seed), maker, 12)
        said = claimed_free(twist.recipe.chain(), twist.torsions, None)
        judge(said, least(twist.path.course()).gaps[0], twist.size, counts)
    assert min(counts.values()) > 4
