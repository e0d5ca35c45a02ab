"""Wrong samplers: mistakes that are easily made, which the tests of statistics must catch."""

from __future__ import annotations

import numpy as np
from slow_sampler import Rule, SlowSampler, turned


class Drifting(SlowSampler):
    """Turns farther one way than the other: the way back is not as likely."""

    def angles(self, rule: Rule) -> np.ndarray:
        return self.rng.uniform(-0.6 * rule.size, rule.size, len(self.all))


class Lenient(SlowSampler):
    """Lets one collision in fifty pass."""

    def collides(self, balls: np.ndarray) -> np.ndarray:
        return super().collides(balls) & (self.rng.random(len(balls)) > 0.02)


class Restless(SlowSampler):
    """Tries up to three times until a move is accepted: states that few moves leave count for too little."""

    def step(self) -> None:
        waiting = np.ones(len(self.all), dtype=bool)
        for _ in range(3):
            proposed, ratio = self.propose()
            taken = waiting & self.accepts(proposed, ratio)
            self.balls[taken] = proposed[taken]
            waiting &= ~taken


class Warm(SlowSampler):
    """Takes a rise of energy for four fifths of what it is."""

    def rise(self, proposed: np.ndarray) -> np.ndarray:
        return 0.8 * super().rise(proposed)


class Greedy(SlowSampler):
    """Refuses every rise of energy above the temperature."""

    def rise(self, proposed: np.ndarray) -> np.ndarray:
        rise = super().rise(proposed)
        return np.where(rise > self.temperature, np.inf, rise)


class Polar(SlowSampler):
    """Draws the angle between two bonds instead of its cosine."""

    def pivot(self, rule: Rule) -> np.ndarray:
        joint = self.rng.choice(rule.at, len(self.all))
        before = self.balls[self.all, joint] - self.balls[self.all, np.maximum(joint - 1, 0)]
        after = self.balls[self.all, joint + 1] - self.balls[self.all, joint]
        axis = np.where((joint == 0)[:, None], self.rng.normal(size=before.shape), np.cross(before, after))
        swung = turned(
            self.balls, self.balls[self.all, joint], axis, self.rng.uniform(-np.pi, np.pi, len(axis))
        )
        return np.where((self.owner > joint[:, None])[:, :, None], swung, self.balls)


class Unweighted(SlowSampler):
    """Forgets the Jacobian of a concerted rotation."""

    def jacobian(self, balls: np.ndarray, joints: np.ndarray) -> np.ndarray:
        return np.ones(len(balls))


class OneWay(SlowSampler):
    """Does not ask whether a concerted rotation leads back to where it came from."""

    def returns(self, back: np.ndarray) -> np.ndarray:
        return np.ones(len(back), dtype=bool)
