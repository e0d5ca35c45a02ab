"""A run of the sampler beside its slow twin: what each step tried, and whether it did what it had to.

A `Plan` is a chain, a mix of moves and an energy; a `StepJudge` makes one step at a time and compares the
verdict, the acceptance, the sizes of moves and the positions with those of the twin.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from chain_makers import VOLUMES
from chain_oracle import NoAxisError, SlowChain
from fuzz_chain import allowed_matrix, smallest_gap
from fuzzing import MotionTally, Start
from sampling_twin import Proposal, SlowTwin
from sampling_walks import FORCES, MAKERS, Force, mix, varied

from elbowroom import _core

DOUBT = 1e-9  # of the size of a chain: nearer to touching, verdicts hang on rounding
STREAM = STREAM_OF_TWIN = 3  # of random numbers
TARGET = 0.4  # of acceptance, while sizes follow it
NAMES = ["end_to_end", "radius_of_gyration", "hydrodynamic_radius", "contacts"]


@dataclass
class Tally(MotionTally):
    bond_error: float = 0.0
    energy_error: float = 0.0


class Plan:
    """A chain and how it is sampled; from one start always the same."""

    def __init__(self, start: Start) -> None:
        self.rng = np.random.default_rng((start.seed, start.size))
        self.recipe = varied(self.rng, MAKERS[start.maker](self.rng, start.size))
        self.volume = VOLUMES[start.variant]
        self.rules = mix(self.rng, self.recipe)
        bonds = np.linalg.norm(np.diff(self.recipe.positions, axis=0), axis=1)
        self.unit = float(np.median(bonds)) or float(bonds.max()) or 1.0
        count = len(bonds) + 1 + (len(self.recipe.side.owner) if self.recipe.side else 0)
        self.force: Force | None = None
        if self.rng.random() < 0.5:
            self.force = FORCES[self.rng.integers(len(FORCES))](self.unit, self.rng, count)
        self.temperature = float(self.rng.choice([0.1, 1.0, 10.0, 1e6, np.inf])) if self.force else 0.0
        self.reach = self.unit * float(self.rng.choice([0.0, 0.3, 2.0]))
        self.every, self.seed = int(self.rng.integers(1, 40)), int(self.rng.integers(2**63))

    @property
    def names(self) -> list[str]:
        return NAMES + ["energy"] * (self.force is not None)

    def sampler(self) -> tuple[Any, Any]:
        """A new chain at the beginning, and its sampler."""
        chain = self.recipe.chain(**self.volume)
        if self.force is not None:
            chain.set_energy(self.force.energy, self.force.kinds)
        out = _core.Sampler(chain, self.seed, STREAM)
        for a, b, moving in [] if chain.side is None else chain.side.torsions:
            out.add_side(a, b, np.asarray(moving, np.int64))
        for rule in self.rules:
            at = np.asarray(rule.at, np.int64)
            out.add_move(rule.kind, rule.weight, rule.size, at, rule.shortest, rule.longest)
        out.observe(self.names, self.reach, np.empty(0, np.int64))
        out.set_temperature(self.temperature)
        return chain, out


class StepJudge:
    """One chain, its sampler and the tally."""

    def __init__(self, start: Start, tally: Tally) -> None:
        self.start, self.tally, self.plan = start, tally, Plan(start)
        self.rng, self.rules = self.plan.rng, self.plan.rules
        self.chain, self.sampler = self.plan.sampler()
        self.slow, self.first = SlowChain(self.plan.recipe), self.chain.positions(side=True)
        self.allowed = allowed_matrix(self.plan.recipe)
        self.history: list[tuple[str, float]] = []  # all that was done to the sampler

    def expect(self, good: Any, what: str, counter: str = "other") -> None:
        self.tally.expect(bool(good), f"{what}: --again {self.start}, step {self.sampler.step}", counter)

    @cached_property
    def pairs(self) -> tuple[np.ndarray, ...]:
        """Of balls that may not overlap."""
        return np.nonzero(np.isfinite(self.slow.sums))

    @cached_property
    def extent(self) -> float:
        return float(np.linalg.norm(np.diff(self.first, axis=0), axis=1).sum() + self.slow.radii.max())

    @cached_property
    def noise(self) -> float:
        """What rounding alone does to a position in the world."""
        return 4e-16 * (float(np.abs(self.first).max()) + self.extent)

    @property
    def doubt(self) -> float:
        return DOUBT * float(np.ptp(self.slow.balls, axis=0).max() + self.slow.radii.max()) + 4.0 * self.noise

    def clearance(self, balls: np.ndarray) -> float:
        given = (self.plan.recipe.exclude, self.allowed)
        return float(smallest_gap(np.ascontiguousarray(balls), self.slow.radii, self.slow.owner, *given))

    # Step by step.

    def do(self, action: str, number: int) -> None:
        """Run so many steps, or save: and note it, so that it can be repeated."""
        self.history.append((action, number))
        if action == "run":
            self.sampler.run(number, self.plan.every)
            self.tally.moves += number
        else:
            self.saved = self.sampler.save()

    def adapt(self, target: float) -> None:
        self.history.append(("adapt", target))
        self.sampler.adapt(target)

    def walk_with_twin(self, steps: int) -> None:
        """Until it hangs on rounding which state the sampler is in."""
        twin = SlowTwin(self.slow, self.rules, self.plan.seed, STREAM_OF_TWIN)
        adapts = bool(self.rng.random() < 0.3)
        self.adapt(TARGET if adapts else 0.0)
        for _ in range(steps):
            before = self.sampler.tallies.copy()
            try:
                move, made = twin.step()
            except NoAxisError:
                break
            self.do("run", 1)
            change = self.sampler.tallies - before
            self.expect(change.sum() == change[move].sum() and change[move][0] == 1, "another move was tried")
            if not self.agrees(twin, self.rules[move].kind, made, *change[move][1:].tolist()):
                break
            self.follow(twin, move, bool(change[move][2]), adapts)
        self.adapt(0.0)

    def agrees(self, twin: SlowTwin, kind: str, made: Proposal | None, collided: int, accepted: int) -> bool:
        """Whether the sampler did what it had to, and the twin can go on."""
        verdict, chance = self.verdict(twin, made)
        if made is not None and not made.sure:
            self.catch_up(twin)
            return not accepted
        self.tally.verdicts += 1
        self.tally.collisions += collided
        if verdict is None or (not verdict and chance is None):
            self.catch_up(twin)
        elif (collided, accepted) != (expected := (int(verdict), int(not verdict and bool(chance)))):
            counter = "wrong_free" if verdict else "wrong_hit" if collided else "other"
            told = f"{kind}: collided and accepted are {(collided, accepted)}, not {expected}"
            self.expect(False, told, counter)
            return False
        if accepted:
            self.expect(made is not None, f"{kind}: accepted what cannot be proposed")
            made = made or twin.unsure()
            self.slow.balls, self.slow.frames = made.balls, made.frames
        return self.lands(kind)

    def lands(self, kind: str) -> bool:
        """The twin goes on from where the sampler is, so that rounding does not part them."""
        there = self.chain.positions(side=True)
        off = float(np.abs(there - self.slow.balls).max())
        self.expect(off <= self.doubt, f"{kind}: a step leads {off / self.extent:.1e} of the chain elsewhere")
        self.slow.balls = there
        return off <= self.doubt

    def catch_up(self, twin: SlowTwin) -> None:
        """It hangs on rounding what was drawn: as the sampler says."""
        self.tally.in_doubt += 1
        self.do("save", 0)
        twin.resume(self.saved)

    def verdict(self, twin: SlowTwin, made: Proposal | None) -> tuple[bool | None, bool | None]:
        """Whether the proposal collides, and if not whether it is accepted; None: that hangs on rounding."""
        if made is None:
            return False, False
        gap = self.clearance(made.balls)
        if abs(gap) <= self.doubt:
            return None, None
        if gap < 0.0:
            return True, False
        gain, doubt = (float(np.log(made.ratio)) if made.ratio > 0.0 else -np.inf), 1e-6 * (made.ratio != 1.0)
        if np.isfinite(self.plan.temperature) and self.plan.temperature > 0.0:
            new, old = self.energy(made.balls), self.energy(self.slow.balls)
            gain += (old[0] - new[0]) / self.plan.temperature
            doubt += (old[1] + new[1]) / self.plan.temperature
        if not np.isfinite(doubt) or abs(gain) <= doubt:
            return False, True if doubt == 0.0 else None
        if gain > 0.0:
            return False, True
        u, chance = twin.random.uniform(), float(np.exp(gain))
        return False, None if abs(u - chance) <= 2.0 * doubt else u < chance

    def follow(self, twin: SlowTwin, move: int, accepted: bool, adapts: bool) -> None:
        """Robbins and Monro: the sizes of the sampler, and only while they are to follow."""
        if adapts and twin.sizes[move] > 0.0:
            gain = (1.0 + 0.02 * float(self.sampler.tallies[move][0])) ** -0.6
            twin.sizes[move] = float(
                np.clip(twin.sizes[move] * np.exp(gain * (accepted - TARGET)), 1e-6, np.pi)
            )
        self.expect(np.allclose(self.sampler.sizes, twin.sizes, rtol=1e-9, atol=0.0), "sizes are wrong")
        twin.sizes = self.sampler.sizes.tolist()

    def energy(self, balls: np.ndarray) -> tuple[float, float]:
        """The sum over all pairs, and what rounding may do to it."""
        force = self.plan.force
        if force is None:
            return 0.0, 0.0
        slow, kinds = self.slow, force.kinds
        kinds = np.zeros(len(balls), np.int64) if kinds is None else kinds
        i, j = self.pairs
        between = balls[i] - balls[j]
        squared = np.einsum("kx,kx->k", between, between)
        near = squared <= (force.cutoff * (1.0 + DOUBT)) ** 2
        i, j, squared = i[near], j[near], squared[near]
        with np.errstate(all="ignore"):
            terms = np.asarray(force.of(squared, kinds[i], kinds[j], slow.sums[i, j]), float)
            size = np.abs(terms) * (1e-10 + 50.0 * self.noise / np.sqrt(squared))
            edge = np.abs(np.sqrt(squared) - force.cutoff) <= 1e-9 * force.cutoff + self.noise
        unsure = float(size.sum() + np.abs(terms[edge]).sum())
        return float(terms[squared <= force.cutoff**2].sum()), unsure
