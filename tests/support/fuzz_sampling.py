"""Sampling of chains of every make by every mix of moves: steps judged by a slow twin, states by all pairs.

    python tests/support/fuzz_sampling.py --moves 1000000 --seconds 600 --seed 0 [--makers ring,atoms]
    python tests/support/fuzz_sampling.py --again "ring auto 300 17"

Exit status 1 if anything was wrong. First every step is compared with what the same random numbers lead to in
plain NumPy: verdicts where the clearance is larger than 1e-9 of the size of the chain, the others are counted
as in doubt. Then come longer stretches, and after each the state is looked at: no pair may overlap, bonds are
as long as they were, what must stay has stayed, energy and observables are what all pairs say. And the run is
repeated in other pieces, and saved and gone on with on another chain: all that must give the same bits.
"""

from __future__ import annotations

import sys
from functools import cached_property, partial
from typing import Any

import numpy as np
from chain_makers import FAST
from fuzzing import Fuzzer, Start, size_up_to
from sampling_cases import as_move
from sampling_steps import DOUBT, StepJudge, Tally
from sampling_walks import MAKERS
from scipy.spatial.distance import cdist, pdist

import elbowroom as er

TWIN_STEPS, STRETCHES = 40, 4
STEPS_OF_A_CHAIN = 400  # on average
LONGEST = 400
CHAINS_PER_CHUNK = 10
TORSIONS = {"torsion", "rebridge", "side"}  # these keep bond angles


def apart(balls: np.ndarray, along: int) -> np.ndarray:
    """From each ball to the one so much further along the chain."""
    return np.asarray(np.linalg.norm(balls[along:] - balls[:-along], axis=1))


class Judge(StepJudge):
    """What holds of the states that stretches lead to."""

    def look(self, rows: np.ndarray) -> None:
        self.slow.balls = self.chain.positions(side=True)
        self.look_for_collisions()
        self.look_at_bonds()
        self.look_at_what_stays()
        self.look_at_rows(rows)
        self.look_at_tallies()
        self.chain.validate()

    def look_for_collisions(self) -> None:
        gap = self.clearance(self.slow.balls)
        self.tally.verdicts += 1
        self.tally.in_doubt += abs(gap) <= self.doubt
        self.expect(gap > -self.doubt, f"balls overlap by {-gap / self.plan.unit:.3g} bonds", "wrong_free")
        self.expect(not self.chain.collides(), "the chain says that it collides", "wrong_hit")
        found = bool(er.self_collide(self.chain))
        self.expect(not found or gap < self.doubt, "self_collide sees what is not there", "wrong_hit")
        self.expect(found or gap > -self.doubt, "self_collide sees nothing", "wrong_free")

    def look_at_bonds(self) -> None:
        links, first = self.slow.balls[: self.slow.links], self.first[: self.slow.links]
        kept = 1 + ({rule.kind for rule in self.rules} <= TORSIONS)
        for along in range(1, min(kept, self.slow.links - 1) + 1):
            was = apart(first, along)
            off = np.abs(apart(links, along) - was) - 4.0 * self.noise
            worst = float((off / np.maximum(was, 1e-3 * self.extent)).max())
            self.tally.bond_error = max(self.tally.bond_error, worst)
            self.expect(worst <= DOUBT, f"links {along} apart are {worst:.1e} further from each other")

    @cached_property
    def moving_links(self) -> tuple[int, int]:
        """Of the links that moves may carry elsewhere: the first, and the one after the last."""
        begin, end = self.slow.links, 0
        for rule in self.rules:
            if rule.kind == "crankshaft":
                begin, end = 1, max(end, self.slow.links - 1)
            elif rule.kind != "side":
                begin = min(begin, int(rule.at[0]) + 1)  # on the axis, or not
                last = int(rule.at[-1]) + 1 if rule.kind == "rebridge" else self.slow.links
                end = max(end, last)
        return begin, end

    def look_at_what_stays(self) -> None:
        links, first = self.slow.balls[: self.slow.links], self.first[: self.slow.links]
        begin, end = self.moving_links
        self.expect(np.array_equal(links[:begin], first[:begin]), "links before all moves have moved")
        off = float(np.abs(links[end:] - first[end:]).max(initial=0.0)) if end > begin else 0.0
        self.expect(off <= self.doubt, f"links beyond all moves went {off / self.plan.unit:.1e} bonds")

    # What is measured.

    def look_at_rows(self, rows: np.ndarray) -> None:
        balls, size = self.slow.balls, len(self.slow.balls)
        if not len(rows):
            return self.expect(False, "nothing was recorded")
        row = dict(zip(self.plan.names, rows[-1].tolist(), strict=True))
        centred = balls - balls.mean(axis=0)
        with np.errstate(divide="ignore"):
            hydrodynamic = size**2 / (2.0 * (1.0 / pdist(balls)).sum())
        self.expect_near(row, "end_to_end", float(np.linalg.norm(balls[self.slow.links - 1] - balls[0])))
        self.expect_near(row, "radius_of_gyration", float(np.sqrt((centred**2).sum(axis=1).mean())))
        self.expect_near(row, "hydrodynamic_radius", float(hydrodynamic))
        gaps = cdist(balls, balls) - self.slow.sums
        low, high = ((gaps <= self.plan.reach + sign * self.doubt).sum() for sign in (-1.0, 1.0))
        self.expect(low <= row["contacts"] <= high, f"{row['contacts']} contacts, not {low} to {high}")
        if self.plan.force is not None:
            self.look_at_energy(row["energy"])

    def expect_near(self, row: dict[str, float], name: str, true: float) -> None:
        near = abs(row[name] - true) <= DOUBT * true + 8.0 * self.noise * len(self.slow.balls)
        self.expect(near, f"{name} is {row[name]!r}, not {true!r}")

    def look_at_energy(self, recorded: float) -> None:
        true, unsure = self.energy(self.slow.balls)
        for value in (recorded, self.chain.energy(), self.sampler.energy):
            error = abs(value - true)
            same = error <= unsure or value == true or not np.isfinite(true)
            self.expect(same, f"the energy is {value!r}, not {true!r}")
        if np.isfinite(error) and unsure > 0.0:
            self.tally.energy_error = max(self.tally.energy_error, 1e-10 * error / unsure)

    def look_at_tallies(self) -> None:
        tried, collided, accepted = self.sampler.tallies.T
        good = (
            tried.sum() == self.sampler.step and (collided + accepted <= tried).all() and collided.min() >= 0
        )
        self.expect(good, f"tallies do not add up: {self.sampler.tallies.tolist()}")

    # The same bits again.

    def go_on_elsewhere(self) -> None:
        """A saved state, on another chain that has seen something else."""
        self.do("save", 0)
        chain, sampler = self.plan.sampler()
        sampler.run(int(self.rng.integers(0, 30)), 7)
        sampler.restore(self.saved)
        steps = self.plan.every * int(self.rng.integers(1, 4))
        self.do("run", steps)
        sampler.run(steps, self.plan.every)
        rows = self.sampler.take()
        self.expect(rows.tobytes() == sampler.take().tobytes(), "rows differ after a restore")
        self.expect_same(chain, sampler, "after a restore")
        self.look(rows)

    def repeat(self) -> None:
        chain, sampler = self.plan.sampler()
        for action, number in self.history:
            if action == "run":
                cut = int(self.rng.integers(0, int(number) + 1))
                for steps in (cut, int(number) - cut):
                    sampler.run(steps, self.plan.every)
                    chain.positions()
            else:
                getattr(sampler, action)(*[number] * (action == "adapt"))
        self.expect_same(chain, sampler, "when it is repeated")

    def expect_same(self, chain: Any, sampler: Any, when: str) -> None:
        bits = [c.positions(side=True).tobytes() for c in (self.chain, chain)]
        self.expect(bits[0] == bits[1], f"positions differ {when}")
        self.expect(np.array_equal(self.sampler.tallies, sampler.tallies), f"tallies differ {when}")
        self.expect(np.array_equal(self.sampler.sizes, sampler.sizes), f"sizes differ {when}")

    def sample(self) -> None:
        """The public function: the same for any number of threads, and the chain that is given stays."""
        plan, chain = self.plan, self.plan.recipe.chain(**self.plan.volume)
        given: dict[str, Any] = {"steps": 300, "seed": plan.seed, "burn_in": 50, "observables": ()}
        if plan.force is not None:
            given |= {"energy": plan.force.energy, "kinds": plan.force.kinds, "swap_every": 20}
            given["temperature"] = [0.5, 2.0, np.inf] if self.rng.random() < 0.7 else 1.0
        moves = {rule.kind: as_move(rule) for rule in self.rules}
        runs = [er.sampling.sample(chain, moves, **given, threads=threads) for threads in (1, 3)]
        self.tally.moves += 2 * 300
        self.expect(np.array_equal(chain.positions(side=True), self.first), "the chain given has moved")
        for one, other in zip(runs[0].chains, runs[1].chains, strict=True):
            balls = one.positions(side=True)
            self.expect(balls.tobytes() == other.positions(side=True).tobytes(), "threads differ")
            self.slow.balls = balls
            gap = self.clearance(balls)
            self.expect(gap > -self.doubt, f"a run ends with an overlap of {-gap:.3g}", "wrong_free")

    def steps(self) -> int:
        """Of a stretch; of short chains now and then many."""
        most = 3000.0 if self.slow.links < 60 and self.plan.force is None else 200.0
        return int(20.0 * (most / 20.0) ** self.rng.random())

    def run(self) -> None:
        self.expect(not self.chain.collides(), "collides at the beginning")
        self.walk_with_twin(TWIN_STEPS)
        self.do("run", self.plan.every - self.sampler.step % self.plan.every)
        for _ in range(STRETCHES):
            self.do("run", self.plan.every * max(1, self.steps() // self.plan.every))
            self.look(self.sampler.take())
        self.go_on_elsewhere()
        self.repeat()
        if self.rng.random() < 0.2:
            self.sample()


def check(start: Start, tally: Tally) -> None:
    Judge(start, tally).run()


def makes(makers: list[str], volumes: list[str]) -> list[tuple[str, str]]:
    return [(maker, volume) for volume in volumes for maker in makers]


FUZZER = Fuzzer(
    about=__doc__,
    thing="chain",
    things="chains",
    variant="volume",
    makers=list(MAKERS),
    variants=list(FAST),
    makes=makes,
    size=partial(size_up_to, LONGEST),
    check=check,
    check_again=check,
    tally=Tally,
    moves=1_000_000,
    moves_each=STEPS_OF_A_CHAIN,
    per_chunk=CHAINS_PER_CHUNK,
    worst=(("worst bond", "bond_error"), ("worst energy", "energy_error")),
)

if __name__ == "__main__":
    sys.exit(FUZZER.main())
