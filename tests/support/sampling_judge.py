"""How likely it is that samples come from a known distribution: one number, for samplers right and wrong.

The number is a p-value: the chance that a right sampler looks at least so wrong. It is the least of several,
Kolmogorov-Smirnov for every feature and chi-square for the joint cells, times their number (Bonferroni).
"""

from __future__ import annotations

import numpy as np
from sampling_exact import Known
from scipy.stats import chi2, kstwo

FALSE_ALARM = 1e-4  # the chance that one test fails although the sampler is right
FEWEST = 10.0  # samples expected in a cell; cells with fewer are thrown together


def surprise(seen: np.ndarray, truth: Known) -> float:
    """The p-value of independent samples (k, features)."""
    assert seen.shape[1] == truth.features.shape[1] and np.isfinite(seen).all()
    worth = 1.0 / (1.0 / len(seen) + 1.0 / truth.draws)
    columns = zip(seen.T, truth.features.T, strict=True)
    values = [float(kstwo.sf(largest_gap(a, b, truth.weights), int(worth))) for a, b in columns]
    if truth.cells:
        values.append(joint_surprise(seen, truth))
    return min(1.0, len(values) * min(values))


def largest_gap(seen: np.ndarray, points: np.ndarray, weights: np.ndarray) -> float:
    """Between the distribution functions of samples and of weighted points (Kolmogorov-Smirnov)."""
    order = np.argsort(points)
    below = np.concatenate([[0.0], np.cumsum(weights[order])])
    there = np.sort(seen)
    expected = below[np.searchsorted(points[order], there)] / below[-1]
    steps = np.arange(len(there) + 1) / len(there)
    return float(max((steps[1:] - expected).max(), (expected - steps[:-1]).max()))


def joint_surprise(seen: np.ndarray, truth: Known) -> float:
    """Chi-square over the cells of the first columns, the rare ones thrown together."""
    edges = [np.linspace(low, high, count + 1) for low, high, count in truth.cells]
    d = len(edges)
    found = np.histogramdd(seen[:, :d], edges)[0].ravel()
    expected = np.histogramdd(truth.features[:, :d], edges, weights=truth.weights)[0].ravel()
    expected *= len(seen) / expected.sum()
    if found.sum() < len(seen):  # a sample lies outside all cells
        return 0.0
    order = np.argsort(expected)
    rare = np.searchsorted(np.cumsum(expected[order]), FEWEST, side="right") + 1
    rare = max(rare, np.searchsorted(expected[order], FEWEST))
    starts = np.concatenate([[0], np.arange(rare, len(order))])
    found, expected = np.add.reduceat(found[order], starts), np.add.reduceat(expected[order], starts)
    square = ((found - expected) ** 2 / expected).sum() / (1.0 + len(seen) / truth.draws)
    return float(chi2.sf(square, len(starts) - 1))


def correlation_time(series: np.ndarray) -> float:
    """1 + 2 sum of the autocorrelation, up to a window of six times itself; 1 if independent."""
    size = len(series)
    wave = np.fft.rfft(series - series.mean(), 2 * size)
    power = np.fft.irfft(wave * wave.conj())[:size]
    times = 2.0 * np.cumsum(power / power[0]) - 1.0
    return float(max(times[np.argmax(np.arange(size) > 6.0 * times)], 1.0))


def spacing(features: np.ndarray) -> int:
    """How far apart in a series (k, features) samples are as good as independent.

    That is three correlation times of the slowest feature: an exponential correlation has then fallen to a
    four-hundredth.
    """
    slowest = max(correlation_time(column) for column in features.T)
    return 1 if slowest < 1.1 else int(np.ceil(3.0 * slowest))
