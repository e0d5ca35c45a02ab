"""Chains sampled among obstacles."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sampling_makers import ATTRACTION, assert_same, beads, bonds, branched

import elbowroom as er
from elbowroom.sampling import Move, sample

ALL = {"pivot": 1.0, "torsion": 1.0, "crankshaft": 1.0, "translation": 1.0, "rotation": 1.0}


def cage(chain: er.Chain, room: float) -> list[tuple[er.Box, er.Pose]]:
    """Six plates around a chain; `room` is what they leave free around it."""
    balls = chain.positions(side=True)
    low, high = balls.min(axis=0) - room, balls.max(axis=0) + room
    plates = []
    for axis in range(3):
        for face, sign in ((low, -1.0), (high, 1.0)):
            middle = (low + high) / 2
            middle[axis] = face[axis] + 5 * sign
            extents = [1000.0] * 3
            extents[axis] = 10.0
            plates.append((er.Box(extents), er.Pose(translation=middle)))
    return plates


def outside(chain: er.Chain, start: er.Chain, room: float) -> float:
    """How far the farthest ball reaches out of the cage around `start`."""
    balls, radii = chain.positions(side=True), np.asarray(chain.radii)
    if chain.side is not None:
        radii = np.concatenate([radii, chain.side.radii])
    held = start.positions(side=True)
    low, high = held.min(axis=0) - room, held.max(axis=0) + room
    return float(max((low - (balls - radii[:, None])).max(), (balls + radii[:, None] - high).max()))


@pytest.mark.parametrize("make", [beads, branched])
def test_a_chain_stays_in_its_cage_and_keeps_its_bonds(make: Any) -> None:
    start = make()
    moves = ALL | ({"side": 1.0} if make is branched else {})
    reached = []

    def look(state: er.sampling.State) -> None:
        reached.append(outside(state.chain, start, 2.0))
        assert not er.self_collide(state.chain) and state.chain.validate() is None

    how = {"steps": 6000, "callback": look, "callback_every": 100, "seed": 1}
    run = sample(start, moves, **how, obstacles=cage(start, 2.0))
    assert max(reached) <= 1e-9
    assert max(reached) > -1.0  # it does come near the plates
    assert all(run.tallies[move][1] > 0 for move in ("pivot", "translation", "rotation"))
    lengths = [np.linalg.norm(bonds(chain), axis=1) for chain in (run.chain, start)]
    assert lengths[0] == pytest.approx(lengths[1], abs=1e-9)


def test_without_moves_a_chain_among_obstacles_moves_as_a_whole() -> None:
    start = beads()
    run = sample(start, steps=500, obstacles=cage(start, 3.0))
    assert {"pivot", "translation", "rotation"} == set(run.tallies)
    assert np.linalg.norm(run.chain.positions()[0] - start.positions()[0]) > 0.1
    assert set(sample(start, steps=50).tallies) == {"pivot"}


def test_every_kind_of_body_is_an_obstacle() -> None:
    """In single file with a chain between plates: each verdict of the sampler is one of er.collide."""
    chain = er.Chain(np.arange(8)[:, None] * [1.0, 0.0, 0.0], 0.4)
    arm = er.Articulated([er.Link("post", [(er.Capsule(0.3, 2.0), er.Pose())])], [])
    bodies = [
        er.Mesh(*er.scenes.spring()),
        er.Chain(np.arange(5)[:, None] * [0.0, 1.0, 0.0], 0.4),
        er.Necklace(np.arange(5)[:, None] * [0.0, 0.0, 1.0], 0.4),
        arm,
    ]
    poses = [er.Pose(translation=at) for at in ([20.0, 0, 0], [3, 1.5, 2], [4.0, -2, -2], [0, 0, 3])]
    placed = list(zip(bodies, poses, strict=True))
    seen = []

    def look(state: er.sampling.State) -> None:
        seen.append(any(er.collide(state.chain, body, pose_b=pose) for body, pose in placed))

    run = sample(chain, ALL, steps=4000, obstacles=placed, callback=look, callback_every=20, seed=2)
    assert not any(seen)
    assert sum(collided for _, collided, _ in run.tallies.values()) > 100


def test_a_dumbbell_between_plates_has_the_distribution_of_the_quadrature() -> None:
    """Two tangent balls between plates: the tilt z of the bond has the weight of the room it leaves."""
    gap, radius = 3.0, 0.5
    plates = [(er.Box([1e4, 1e4, 1.0]), er.Pose(translation=[0, 0, s * (gap + 1) / 2])) for s in (-1, 1)]
    chain = er.Chain([[0, 0, 0], [1.2, 0, 0], [2.4, 0, 0]], radius, exclude=2)
    moves = {"rotation": 1.0, "translation": Move(size=0.7)}
    tilts = []

    def look(state: er.sampling.State) -> None:
        ends = state.chain.positions()
        tilts.append((ends[2] - ends[0])[2] / 2.4)

    sample(chain, moves, steps=60_000, obstacles=plates, callback=look, callback_every=10, seed=5)
    u = (np.arange(2000) + 0.5) / 1000 - 1  # the cosine of the tilt is uniform but for the room
    room = np.maximum(0.0, gap - 2 * radius - 2.4 * np.abs(u))
    expected = (u**2 * room).sum() / room.sum()
    squares = np.array(tilts) ** 2
    blocks = squares.reshape(50, -1).mean(axis=1)
    error = blocks.std(ddof=1) / np.sqrt(50)
    assert error < 0.02 * expected + 0.005
    assert abs(squares.mean() - expected) < 4.5 * error


def test_moves_of_the_whole_chain_change_no_energy_and_no_shape() -> None:
    chain = beads()
    chain.set_energy(ATTRACTION)
    run = sample(chain, {"translation": 1.0, "rotation": 1.0}, steps=400, temperature=1.0, seed=3)
    assert run.acceptance == {"translation": 1.0, "rotation": 1.0}
    assert run.observables["energy"] == pytest.approx(chain.energy(), rel=1e-9)
    assert run.observables["radius_of_gyration"] == pytest.approx(run.observables["radius_of_gyration"][0])
    assert run.chain.energy() == pytest.approx(chain.energy(), rel=1e-9)
    before, after = chain.positions(), run.chain.positions()
    assert np.linalg.norm(after - before, axis=1).min() > 0.1
    distances = [np.linalg.norm(x[:, None] - x[None], axis=2) for x in (before, after)]
    assert distances[0] == pytest.approx(distances[1], abs=1e-9)
    fresh = er.Chain(after, chain.radii)
    wall = er.Box([1.0, 50.0, 50.0])
    for x in np.linspace(after[:, 0].min() - 3, after[:, 0].max() + 3, 9):
        pose = er.Pose(translation=[x, 0, 0])
        ours, true = er.distance(run.chain, wall, pose_b=pose), er.distance(fresh, wall, pose_b=pose)
        assert ours.value == pytest.approx(true.value, abs=1e-9)
        assert bool(er.collide(run.chain, fresh, pose_b=pose)) == bool(er.collide(fresh, fresh, pose_b=pose))


def test_a_memory_notices_that_the_whole_chain_was_moved() -> None:
    chain, wall, memory = beads(), er.Box([1.0, 1000.0, 1000.0]), er.Memory()
    pose = er.Pose(translation=[chain.positions()[:, 0].min() - 4.0, 0, 0])

    def look(state: er.sampling.State) -> None:
        with_memory = er.distance(state.chain, wall, pose_b=pose, memory=memory)
        true = er.distance(state.chain, wall, pose_b=pose)
        assert with_memory.value == pytest.approx(true.value, abs=1e-9)

    sample(
        chain, {"translation": Move(size=1.0), "rotation": 1.0}, steps=300, callback=look, callback_every=1
    )


def test_a_run_goes_on_among_the_same_obstacles_alone(tmp_path: Path) -> None:
    start = beads()
    plates = cage(start, 3.0)
    whole = sample(start, ALL, steps=600, obstacles=plates, seed=4)
    sample(start, ALL, steps=300, every=1, obstacles=plates, seed=4, out=tmp_path / "run")
    again = sample(
        start, ALL, steps=600, every=1, obstacles=plates, seed=4, out=tmp_path / "run", resume=True
    )
    assert_same(sample(start, ALL, steps=600, every=1, obstacles=plates, seed=4), again)
    assert np.array_equal(whole.chain.positions(), again.chain.positions())
    for other in (None, cage(start, 3.5)):
        with pytest.raises(ValueError, match="obstacles"):
            sample(start, ALL, steps=900, every=1, obstacles=other, seed=4, out=tmp_path / "run", resume=True)


def test_what_is_wrong_with_obstacles_is_said() -> None:
    chain = beads()
    at = chain.positions()[3]
    ball = (er.Sphere(0.2), er.Pose(translation=at))
    with pytest.raises(ValueError, match=r"chain collides with obstacles\[1\] .*link 3 overlaps"):
        sample(chain, steps=10, obstacles=[(er.Sphere(0.1), er.Pose(translation=at + 1e3)), ball])
    with pytest.raises(ValueError, match=r"chain collides with obstacles before the first step"):
        sample(chain, steps=10, obstacles=ball)
    moving = (er.Sphere(0.2), er.Motion(er.Pose(), er.Pose(translation=[1, 0, 0])))
    with pytest.raises(ValueError, match=r"obstacles\[0\] moves"):
        sample(chain, steps=10, obstacles=[moving])
    with pytest.raises(ValueError, match="obstacles is empty"):
        sample(chain, steps=10, obstacles=[])


def test_an_obstacle_may_be_changed_while_the_run_has_its_own() -> None:
    start, other = beads(), er.Chain(np.arange(5)[:, None] * [1.0, 0, 0] + [0, 0, 500.0], 0.4)
    kept = copy.copy(other)

    def turn(state: er.sampling.State) -> None:
        other.rotate(1, 0.3)

    runs = [
        sample(start, ALL, steps=200, obstacles=o, callback=turn, callback_every=20) for o in (other, kept)
    ]
    assert_same(*runs)
