"""How a table of probabilities is fitted: a line through the signs by logistic regression, then levels of it.

The line sorts the runs, from those that are likely to hide a collision to those that are not. What its
values are worth is not believed but counted: groups of runs of equal size, the share of free ones in each,
made to rise by pooling neighbours that do not (pool adjacent violators).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

RIDGE = 1.0  # strength of the pull of all weights towards zero, in runs
STEPS = 100  # of Newton's method, which takes about eight
FLAT = 1e-9  # a sign that varies less than this says nothing
GROUP, MOST_GROUPS = 50, 30  # runs in a group at least, and groups at most
BORROWED = 4.0  # runs that a group borrows from itself and its neighbours


class Table(NamedTuple):
    """Probability of free = values at weights[:-1] @ signs + weights[-1] between the knots, linear there."""

    weights: Floats
    knots: Floats
    values: Floats

    def probability(self, signs: Floats) -> Floats:
        """Of signs (n, k): (n,)."""
        scores = signs @ self.weights[:-1] + self.weights[-1]
        return np.asarray(np.interp(scores, self.knots, self.values), np.float64)


def fit(signs: Floats, free: Flags) -> Table:
    """The table of runs with these signs (n, k), of which these were free (n,)."""
    if free.all() or not free.any():
        nothing = np.zeros(signs.shape[1] + 1)
        return Table(nothing, np.zeros(1), np.array([succession(free.sum(), len(free))]))
    weights = logistic(signs, free)
    scores = signs @ weights[:-1] + weights[-1]
    return Table(weights, *levels(scores, free))


def succession(successes: float, trials: float) -> float:
    """Laplace's rule: what to expect of the next trial, never 0 and never 1."""
    return float((successes + 1) / (trials + 2))


def logistic(signs: Floats, free: Flags) -> Floats:
    """Weights (k + 1,), the last one without a sign, of the most likely line through the log odds of free."""
    centre, spread = signs.mean(axis=0), signs.std(axis=0)
    scale = np.where(spread > FLAT, spread, np.inf)  # what does not vary gets no weight
    columns = np.column_stack([(signs - centre) / scale, np.ones(len(signs))])
    found = _newton(columns, free.astype(float))
    weights = found[:-1] / scale
    return np.append(weights, found[-1] - weights @ centre)


def _newton(columns: Floats, target: Floats) -> Floats:
    """Minimises the regularised loss; steps that do not lower it are halved, so that it always converges."""
    ridge = np.full(columns.shape[1], RIDGE)
    ridge[-1] = 1e-6 * RIDGE  # the constant is free to go where it must
    weights = np.zeros(columns.shape[1])
    loss = _loss(columns, target, ridge, weights)
    for _ in range(STEPS):
        chance = _chance(columns @ weights)
        slope = columns.T @ (chance - target) + ridge * weights
        curve = (columns * (chance * (1 - chance))[:, None]).T @ columns + np.diag(ridge)
        step = np.asarray(np.linalg.solve(curve, slope), np.float64)
        weights, better = _descend(columns, target, ridge, weights, step, loss)
        if loss - better <= 1e-10 * (1 + loss):
            break
        loss = better
    return weights


def _descend(
    columns: Floats, target: Floats, ridge: Floats, weights: Floats, step: Floats, loss: float
) -> tuple[Floats, float]:
    for halving in range(30):
        tried = weights - 0.5**halving * step
        better = _loss(columns, target, ridge, tried)
        if better < loss:
            return tried, better
    return weights, loss


def _loss(columns: Floats, target: Floats, ridge: Floats, weights: Floats) -> float:
    score = columns @ weights
    return float((np.logaddexp(0, score) - target * score).sum() + (ridge * weights**2).sum() / 2)


def _chance(score: Floats) -> Floats:
    return np.exp(-np.logaddexp(0, -score))


def levels(scores: Floats, free: Flags) -> tuple[Floats, Floats]:
    """Knots (k,), rising, and the probability of free at each, which never falls.

    A knot is the mean score of a group. Groups of equal scores are one, so there may be a single knot.
    """
    group = _groups(scores)
    counts = np.bincount(group).astype(float)
    successes = np.bincount(group[free], minlength=len(counts)).astype(float)
    return _means(scores, group, counts), rising(_borrowed(successes, counts), counts)


def _means(scores: Floats, group: NDArray[np.int64], counts: Floats) -> Floats:
    """The mean score of each group, within its scores in spite of rounding: so that the means rise."""
    low, high = np.full(len(counts), np.inf), np.full(len(counts), -np.inf)
    np.minimum.at(low, group, scores)
    np.maximum.at(high, group, scores)
    return np.clip(np.bincount(group, scores) / counts, low, high)


def _groups(scores: Floats) -> NDArray[np.int64]:
    """The group of each run (n,): of equal size, but equal scores are never parted."""
    wanted = int(np.clip(len(scores) // GROUP, 1, MOST_GROUPS))
    edges = np.quantile(scores, np.arange(1, wanted) / wanted)
    return np.unique(np.searchsorted(edges, scores, side="right"), return_inverse=True)[1]


def _borrowed(successes: Floats, counts: Floats) -> Floats:
    """Shares of success, each drawn a little to that of its neighbourhood: never 0 and never 1."""
    three = np.ones(3)
    near = (np.convolve(successes, three)[1:-1] + 1) / (np.convolve(counts, three)[1:-1] + 2)
    return (successes + BORROWED * near) / (counts + BORROWED)


def rising(values: Floats, counts: Floats) -> Floats:
    """The nearest values that never fall, in the mean square weighted by counts: pool adjacent violators."""
    blocks: list[tuple[float, float, int]] = []  # value, weight, length
    for value, weight in zip(values.tolist(), counts.tolist(), strict=True):
        block = (value, weight, 1)
        while blocks and blocks[-1][0] >= block[0]:
            block = _pooled(blocks.pop(), block)
        blocks.append(block)
    return np.repeat([value for value, _, _ in blocks], [length for _, _, length in blocks])


def _pooled(a: tuple[float, float, int], b: tuple[float, float, int]) -> tuple[float, float, int]:
    weight = a[1] + b[1]
    return (a[0] * a[1] + b[0] * b[1]) / weight, weight, a[2] + b[2]
