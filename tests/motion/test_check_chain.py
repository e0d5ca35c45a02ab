"""er.check of torsions: balls and bonds of a chain on a continuous turn, itself and obstacles."""

from __future__ import annotations

from typing import Any

import chain_makers
import numpy as np
import pytest
from chain_makers import rng_of
from motion_bending_makers import (
    TWISTED,
    TorsionScene,
    gate,
    slimmer,
    torsion_scene,
)
from motion_judge import contact_time_of
from motion_oracle import ROUNDING, least

import elbowroom as er


def check_torsions(scene: TorsionScene, **settings: Any) -> Any:
    """Balls are judged like all else; bonds must not be said to be free where they cross."""
    chain = scene.recipe.chain()
    before = chain.positions(side=True)
    found = er.check(chain, scene.torsions, **settings)
    assert np.array_equal(chain.positions(side=True), before), "the chain was changed"
    deepest = least(scene.path.course())
    doubt = ROUNDING * scene.size
    crossings = scene.path.crossings(400)
    if found.free is True:
        assert deepest.gaps[0] >= -doubt and not crossings, scene.code()
    else:
        way = scene.path.speed() * found.tolerance
        gap = scene.path.course().at(np.array([contact_time_of(found)]))[0]
        assert gap <= 2.0 * way + doubt, f"{found!r}, gap {gap}\n{scene.code()}"
    return found


@pytest.mark.parametrize("maker", TWISTED)
def test_torsions_of_chains(maker: str) -> None:
    for seed in range(6):
        rng = rng_of(maker, seed)
        found = check_torsions(torsion_scene(rng, maker, int(rng.integers(4, 11))))
        found.verify()


def test_a_bond_cannot_pass_through_another() -> None:
    scene = gate()
    chain = scene.recipe.chain()
    assert not er.self_collide(chain)
    chain.change(scene.torsions)
    assert not er.self_collide(chain), "both ends are free"
    chain.undo()
    found = check_torsions(scene)
    assert found.free is not True
    time = found.contact_time if found.free is False else found.closest_time
    assert time == pytest.approx(0.5, abs=1e-5)
    assert check_torsions(TorsionScene(scene.recipe, {2: 0.4})).free is True
    assert check_torsions(TorsionScene(scene.recipe, {2: -5.0})).free is True


def test_bonds_next_but_one_cannot_pass_through_each_other_either() -> None:
    """Two long arms on a short axis, each leaning over the other end: half a turn makes them cross."""
    positions = np.array([[1.0, 0.0, 3.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.1, -2.0]])
    recipe = chain_makers.Recipe(positions, np.full(4, 0.05))
    crossing = [angle for angle in (-0.3, 0.3) if TorsionScene(recipe, {1: angle}).path.crossings()]
    assert len(crossing) == 1
    assert check_torsions(TorsionScene(recipe, {1: crossing[0]})).free is not True
    wide = chain_makers.Recipe(positions, np.full(4, 0.05), exclude=3)
    assert check_torsions(TorsionScene(wide, {1: crossing[0]})).free is not True


def test_two_torsions_that_cancel_at_the_end() -> None:
    """The chain ends where it began, and hits itself on the way."""
    base = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0], [3, 2, 0], [1.0, 2.0, 0.0]])
    recipe = chain_makers.Recipe(base, np.full(6, 0.3))
    there = TorsionScene(recipe, {0: 2.0, 2: -2.0})
    end = there.path.positions(np.array([1.0]))[0]
    assert np.abs(end - base).max() < 1e-12
    check_torsions(there)


def test_a_torsion_about_nothing_is_refused_or_free() -> None:
    """Two links in one place have no axis."""
    positions = np.array([[0.0, 0, 0], [0, 0, 0], [1, 0, 0], [1, 1, 0]])
    chain = er.Chain(positions, 0.1)
    with pytest.raises(ValueError, match="axis"):
        er.check(chain, {0: 1.0})


def test_a_chain_against_obstacles() -> None:
    scene = gate()
    chain = scene.recipe.chain()
    corner = scene.path.positions(np.array([0.25]))[0][4]
    found = er.check(chain, {2: 0.4}, (er.Sphere(0.1), er.Pose(translation=corner)))
    assert found.free is False and found.obstacle == 0
    assert tuple(int(x) for x in found.pair) == (4, 0)
    assert (
        er.check(chain, {2: 0.4}, (er.Sphere(0.1), er.Pose(translation=corner + np.eye(3)[2]))).free is True
    )


def test_a_chain_with_side_balls() -> None:
    """Side balls go with their links and count as balls."""
    for seed in range(6):
        rng = rng_of("side", seed)
        make = chain_makers.branched if seed % 2 else chain_makers.bonded
        recipe = slimmer(make(rng, 8), 0.5)
        torsions = {int(j): float(rng.uniform(-1.5, 1.5)) for j in rng.choice(7, 2, replace=False)}
        check_torsions(TorsionScene(recipe, torsions))


@pytest.mark.parametrize(
    "settings", [{"volume": "obb"}, {"volume": "sphere", "children": 8}, {"volume": "rss"}]
)
def test_chains_in_any_tree(settings: dict[str, Any]) -> None:
    scene = torsion_scene(rng_of("trees"), "coil", 12)
    plain, other = (er.check(scene.recipe.chain(**s), scene.torsions) for s in ({}, settings))
    assert plain.free == other.free and plain.first_contact == other.first_contact
