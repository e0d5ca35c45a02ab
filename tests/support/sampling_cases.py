"""Short chains, how they are moved, and what is known of them: for samplers slow, wrong and true."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from chain_makers import Recipe, Side
from sampling_exact import (
    Features,
    Known,
    bent_chain,
    bent_known,
    cosines_of,
    crank_features,
    crank_known,
    free_known,
    gaps,
    placed,
    seen_from,
    swung_features,
    swung_known,
    torsions_of,
)
from sampling_judge import surprise
from slow_sampler import Attraction, Rule, SlowSampler

import elbowroom as er

CROWD = 3000
BEND = np.radians(110.0)
ATTRACTION = Attraction(1.0, 2.0, 3.5)
NOTHING = Known(np.empty((0, 0)), np.empty(0))  # until a crowd says more
ANY = -1.0  # the size of pivots that take any rotation


@dataclass(frozen=True)
class Case:
    """A chain, how it is moved, and what is known of it. `steps`: after which a slow crowd has forgotten."""

    recipe: Recipe
    rules: tuple[Rule, ...]
    features: Features
    truth: Known
    energy: Attraction | None = None
    temperature: float = np.inf
    steps: int = 150

    def slow(self, kind: type[SlowSampler] = SlowSampler, crowd: int = CROWD) -> SlowSampler:
        given = {"energy": self.energy, "temperature": self.temperature}
        return kind(self.recipe, self.rules, crowd=crowd, seed=1, **given)

    def library(self) -> dict[str, Any]:
        """What er.sampling.sample takes: the chain, the moves and the energy."""
        out = {"chain": self.recipe.chain(), "moves": {rule.kind: as_move(rule) for rule in self.rules}}
        if self.energy is None:
            return out
        attraction = er.energies.LennardJones(self.energy.epsilon, self.energy.sigma, self.energy.cutoff)
        return out | {"energy": attraction, "temperature": self.temperature}

    def doubt(self, balls: np.ndarray) -> float:
        """How likely a right sampler is to look so wrong; 0 if it lets balls collide."""
        if (gaps(balls, self.recipe) < -1e-9).any():
            return 0.0
        return surprise(self.features(balls), self.truth)


def as_move(rule: Rule) -> er.sampling.Move:
    """The same for the library."""
    if rule.kind == "crankshaft":
        return er.sampling.Move(rule.weight, rule.size, shortest=rule.shortest, longest=rule.longest)
    where = {"torsions" if rule.kind == "side" else "joints": list(rule.at)}
    return er.sampling.Move(rule.weight, None if rule.size == ANY else rule.size, **where)


def bent(links: int, radius: float) -> Recipe:
    """Stretched out, where it is free of collisions."""
    return bent_chain(links, BEND, radius, 2, np.full(links - 3, np.pi))


def uneven() -> Recipe:
    """Five links of different bonds, angles and radii."""
    cosines, bonds = np.cos(np.radians([[100.0, 120.0, 95.0]])), np.array([1.0, 1.3, 0.9, 1.1])
    balls = placed(bonds, cosines, np.full((1, 2), np.pi))[0]
    return Recipe(balls, np.array([1.1, 0.9, 1.1, 1.0, 1.2]), exclude=2)


def bent_case(recipe: Recipe, points: int, cells: int, size: float, warmth: float = np.inf) -> Case:
    """Torsions at all joints; an energy unless the temperature is infinite."""
    energy = None if np.isinf(warmth) else ATTRACTION
    rules = (Rule("torsion", size=size, at=range(len(recipe.positions) - 1)),)
    truth = bent_known(recipe, points, cells, energy, warmth)
    return Case(recipe, rules, seen_from(recipe, torsions_of), truth, energy, warmth)


def free_case(links: int, points: int, cells: int, *rules: Rule, attracted: bool = False) -> Case:
    recipe = bent_chain(links, BEND, 0.45 if attracted else 0.6, 1, np.full(links - 3, np.pi))
    energy = Attraction(1.0, 0.9, 2.0) if attracted else None
    truth = free_known(recipe, points, cells, energy)
    features = seen_from(recipe, cosines_of, torsions_of)
    return Case(recipe, rules, features, truth, energy, 1.0 if attracted else np.inf)


def crank_case() -> Case:
    recipe = bent_chain(4, np.radians(90.0), 0.6, 1, np.array([0.9]))
    rules = (Rule("crankshaft", size=1.0, shortest=2, longest=3),)
    return Case(recipe, rules, crank_features, crank_known(recipe, 600, 10))


def branched(links: int) -> Recipe:
    """Side balls on the first link, one turning on the other, and one that turns on the last but one."""
    base, last = bent_chain(links, BEND, 0.4, 2, np.full(links - 3, np.pi)), links - 2
    owner = np.array([0, 0, 0, last, last])
    arms = np.array([[0.0, 0.9, 0.3], [-0.8, 1.3, 0.2], [-1.3, 1.5, 1.0], [0.1, -0.9, 0.1], [0.9, -1.0, 0.6]])
    n = links
    torsions = [(0, n, [n + 1, n + 2]), (n, n + 1, [n + 2]), (last, n + 3, [n + 4])]
    side = Side(owner, base.positions[owner] + arms, np.array([0.3, 0.5, 0.5, 0.3, 0.6]), torsions)
    return Recipe(base.positions, base.radii, 1, (), side)


def side_case(links: int, joints: tuple[int, ...], points: int, cells: int) -> Case:
    recipe = branched(links)
    rules = [Rule("side", 1.0, 2.0, range(3))] + [Rule("torsion", 1.0, 2.0, joints)] * bool(joints)
    truth = swung_known(recipe, joints, points, cells)
    return Case(recipe, tuple(rules), swung_features(recipe, joints), truth)


CASES: dict[str, Callable[[], Case]] = {
    "torsion, 4 links": lambda: bent_case(bent(4, 1.1), 100_000, 24, 1.5),
    "torsion, 5 uneven links": lambda: bent_case(uneven(), 400, 10, 2.0),
    "torsion, 6 links": lambda: bent_case(bent(6, 1.1), 60, 6, 2.0),
    "torsion, 5 links attracted": lambda: bent_case(bent(5, 1.0), 400, 10, 2.0, 0.5),
    "torsion, 6 links attracted": lambda: bent_case(bent(6, 1.0), 60, 6, 2.0, 1.0),
    "pivot, 3 links": lambda: free_case(3, 100_000, 24, Rule("pivot", size=ANY, at=range(2))),
    "pivot, 4 links": lambda: free_case(4, 60, 6, Rule("pivot", size=1.5, at=range(3))),
    "pivot, 4 links attracted": lambda: free_case(
        4, 60, 6, Rule("pivot", size=ANY, at=range(3)), attracted=True
    ),
    "crankshaft, 4 links": crank_case,
    "crankshaft and pivot, 4 links": lambda: free_case(
        4, 60, 6, Rule("crankshaft", 1.0, 2.0, (), 2, 3), Rule("pivot", size=1.0, at=range(3))
    ),
    "torsion and pivot, 4 links": lambda: free_case(
        4, 60, 6, Rule("torsion", 1.0, 2.0, range(3)), Rule("pivot", size=1.5, at=range(3))
    ),
    "side, 3 links": lambda: side_case(3, (), 40, 6),
    "side and torsion, 4 links": lambda: side_case(4, (1,), 20, 4),
}


def judged_by_crowd(of: Case, steps: int) -> Case:
    """The same, with what a slow crowd draws for truth."""
    seen = of.features(of.slow().run(steps))
    return replace(of, truth=Known(seen, np.ones(len(seen)), draws=len(seen)))


def long_free_case(links: int, *rules: Rule) -> Case:
    recipe = bent_chain(links, BEND, 0.6, 1, np.full(links - 3, np.pi))
    return Case(recipe, rules, seen_from(recipe, cosines_of, torsions_of), NOTHING)


def long_bent_case(recipe: Recipe, size: float, warmth: float = np.inf) -> Case:
    rules = (Rule("torsion", size=size, at=range(len(recipe.positions) - 1)),)
    energy = None if np.isinf(warmth) else ATTRACTION
    return Case(recipe, rules, seen_from(recipe, torsions_of), NOTHING, energy, warmth)


LONG: dict[str, Callable[[], Case]] = {
    "torsion, 7 links attracted": lambda: judged_by_crowd(long_bent_case(bent(7, 1.0), 2.0, 1.0), 150),
    "pivot, 8 links": lambda: judged_by_crowd(long_free_case(8, Rule("pivot", size=ANY, at=range(7))), 100),
    "three kinds, 10 links": lambda: judged_by_crowd(
        long_free_case(
            10,
            Rule("pivot", size=2.0, at=range(9)),
            Rule("crankshaft", 1.0, 2.0, (), 2, 9),
            Rule("torsion", 1.0, 2.0, range(9)),
        ),
        150,
    ),
    "torsion, 12 links": lambda: judged_by_crowd(long_bent_case(bent(12, 1.0), 2.5), 200),
}


@cache
def case(name: str) -> Case:
    return (CASES | LONG)[name]()
