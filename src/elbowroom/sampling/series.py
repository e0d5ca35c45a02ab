"""What a series of correlated samples is worth: its mean, an error that can be trusted, its memory.

Samples of a Markov chain resemble those before them, so that n of them say no more about the mean than
n / (2 time) independent ones, where time is the integrated autocorrelation time in samples. The error of the
mean is found by blocking [Flyvbjerg1989]_: means of blocks that are long against that time are independent,
and their spread tells the error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays

from ._correlation import CorrelationTime, correlation_time, correlations
from ._telling import told

Floats = NDArray[np.float64]

FEW = 20  # blocks; with fewer their spread is too uncertain to be believed
LEAST = 8  # blocks that may raise the error of a series that is too short
ALIKE = 2.0  # standard errors by which neighbouring blocks may resemble each other
DRIFT = 3.5  # standard errors by which the beginning may differ from the second half
CONSTANT = 1e-12  # a series that varies by less, in relation to its values, varies by rounding only


@dataclass(frozen=True, repr=False)
class Estimate:
    """A mean with its standard error, and how far both can be trusted.

    Attributes
    ----------
    mean
        Of all samples.
    error
        One standard error of the mean: for a series long enough the truth lies within one in 68 of 100
        series, and within two in 95. Infinite if there is a single sample.
    time
        Integrated autocorrelation time in steps, 1/2 + the sum of the autocorrelations after lag 0, at least
        half a sample [Sokal1997]_. NaN where nothing can be said: a single sample, or samples all equal.
    samples
        How many there were.
    converged
        Is the series long enough for its error to be believed? It is not if it has fewer than 20 blocks,
        which is about a hundred independent samples, if the blocks still resemble their neighbours, if it
        drifts, or if it never changes. Then the error is a lower bound. No series can tell of states that it
        has never seen.
    block
        Samples in a block.
    every
        Steps between samples.

    Examples
    --------
    >>> import elbowroom as er
    >>> run = er.sampling.sample(er.sampling.polymer(20), steps=20_000, every=10, seed=1)
    >>> found = run.estimate("end_to_end")
    >>> found.samples, found.converged, found.error < 0.1 * found.mean
    (2000, True, True)
    """

    mean: float
    error: float
    time: float
    samples: int
    converged: bool
    block: int = 1
    every: int = 1

    @property
    def independent(self) -> float:
        """Samples that would say as much about the mean, if they were independent of each other."""
        return self.samples * self.every / (2 * self.time)

    def __repr__(self) -> str:
        word = "converged" if self.converged else "not converged"
        steps = "unknown" if math.isnan(self.time) else f"{self.time:,.4g} steps"
        return f"<Estimate: {told(self.mean, self.error)}, {word}; time {steps}, {self.samples:,} samples>"


def estimate(series: ArrayLike, every: int = 1) -> Estimate:
    """The mean of a series with its error by blocking [Flyvbjerg1989]_.

    Blocks are as long as is best for a series with its autocorrelation time: B^3 = 2 n (2 time)^2
    ([Wolff2004]_, [Lee2011]_). With shorter ones the error would be too small, with longer ones too
    uncertain. The choice is tested: while blocks resemble their neighbours, they are doubled, and then once
    more. The error is never less than the autocorrelation time makes it. Of a series too short for 20 such
    blocks it is the largest that blocks of any length give, and `converged` is False.

    Parameters
    ----------
    series
        (n,): the samples, in order, from a chain that has reached equilibrium.
    every
        Steps from one to the next; the autocorrelation time is given in steps.

    Examples
    --------
    >>> import numpy as np
    >>> import elbowroom as er
    >>> noise = np.random.default_rng(0).normal(size=20_000)
    >>> series = np.zeros(20_000)
    >>> for i in range(1, 20_000):  # remembers 9/10: its autocorrelation time is 9.5
    ...     series[i] = 0.9 * series[i - 1] + noise[i]
    >>> found = er.sampling.estimate(series)
    >>> found.converged, abs(found.mean) < 2 * found.error, 8 < found.time < 11
    (True, True, True)
    >>> er.sampling.estimate([1.0, 2.0, 4.0]).converged
    False
    """
    return estimate_floats(_series(series), _arrays.count(every, "every", 1))


def estimate_floats(values: Floats, every: int) -> Estimate:
    """The same of an array that is known to be one; values that are not finite make the error infinite."""
    n = len(values)
    scale = float(np.abs(values).max())
    if n == 1 or not math.isfinite(scale):
        with np.errstate(invalid="ignore"):
            return Estimate(float(values.mean()), math.inf, math.nan, n, False, 1, every)
    mean = float((values / (scale or 1.0)).mean() * scale)
    if _constant(values, scale):
        return Estimate(mean, 0.0, math.nan, n, False, 1, every)
    rest = values / scale - mean / scale
    time = correlation_time(rest).value
    error, block, settled = _block_error(rest, time)
    converged = settled and not _drifts(rest, error)
    return Estimate(mean, error * scale, time * every, n, converged, block, every)


def autocorrelation(series: ArrayLike) -> Floats:
    """Autocorrelation of a series at every lag, by the fast Fourier transform.

    Parameters
    ----------
    series
        (n,): the samples, in order.

    Returns
    -------
    array
        (n,): 1 at lag 0; the sum over n - lag products is divided by n at each lag, which damps the noise of
        long lags. All 0 but the first if the series is constant.

    Examples
    --------
    >>> import elbowroom as er
    >>> er.sampling.autocorrelation([1.0, -1.0, 1.0, -1.0]).round(6).tolist()
    [1.0, -0.75, 0.5, -0.25]
    """
    values = _series(series)
    scale = float(np.abs(values).max())
    if _constant(values, scale):
        return np.where(np.arange(len(values)) == 0, 1.0, 0.0)
    return correlations(values / scale - (values / scale).mean())


def autocorrelation_time(series: ArrayLike, every: int = 1) -> CorrelationTime:
    """Integrated autocorrelation time 1/2 + the sum of the autocorrelations, with Sokal's window.

    The sum ends at the first lag that is at least six times what was summed so far ([Sokal1997]_,
    [MadrasSokal1988]_): beyond lies little but noise. The error is that of Madras and Sokal. At least half a
    sample is returned: a series that does better than independent samples is taken for one of those.

    Parameters
    ----------
    series
        (n,): the samples, in order.
    every
        Steps from one to the next.

    Examples
    --------
    >>> import numpy as np
    >>> import elbowroom as er
    >>> repeated = np.repeat(np.random.default_rng(1).normal(size=20_000), 4)
    >>> time = er.sampling.autocorrelation_time(repeated)
    >>> abs(time.value - 2.0) < 3 * time.error
    True
    """
    values, steps = _series(series), _arrays.count(every, "every", 1)
    scale = float(np.abs(values).max())
    if _constant(values, scale):
        return CorrelationTime(math.nan, math.inf, 0)
    found = correlation_time(values / scale - (values / scale).mean())
    return CorrelationTime(found.value * steps, found.error * steps, found.window * steps)


def _series(series: ArrayLike) -> Floats:
    values = _arrays.numbers(series, "series")
    if values.ndim != 1:
        raise ValueError(f"series must have one dimension, got shape {values.shape}")
    return values


def _constant(values: Floats, scale: float) -> bool:
    return float(np.ptp(values / (scale or 1.0))) <= CONSTANT


def _block_error(rest: Floats, time: float) -> tuple[float, int, bool]:
    """The error of the mean, samples in a block, and whether there were enough blocks unlike each other."""
    n, block = len(rest), _length(rest, time)
    error = math.sqrt(2 * time * rest.var(ddof=1) / n)
    if n // block >= FEW:
        return max(error, _error_of(_means(rest, block), block, n)), block, True
    lengths = [1] + [2**k for k in range(1, n.bit_length()) if n >> k >= LEAST]
    errors = [_error_of(_means(rest, length), length, n) for length in lengths]
    return max(error, *errors), lengths[int(np.argmax(errors))], False


def _length(rest: Floats, time: float) -> int:
    """Samples in a block: as many as the time asks for, and more while blocks resemble their neighbours."""
    n = len(rest)
    block = first = math.ceil(float(np.cbrt(2 * n * (2 * time) ** 2)))
    while n // block >= FEW and _alike(_means(rest, block)):
        block *= 2
    # Where they did, there is a memory longer than the time tells of, and few blocks hide much of it.
    return block if block == first else 2 * block


def _means(rest: Floats, block: int) -> Floats:
    """Of blocks; the samples left over are those at the beginning, which are the least sure."""
    count = len(rest) // block
    return np.asarray(rest[len(rest) - count * block :].reshape(count, block).mean(axis=1), np.float64)


def _error_of(means: Floats, block: int, n: int) -> float:
    return math.sqrt(means.var(ddof=1) * block / n)


def _alike(means: Floats) -> bool:
    """Are neighbours correlated? By as much the variance of blocks of twice the length is too large."""
    off = means - means.mean()
    return float(off[1:] @ off[:-1]) * math.sqrt(len(means)) > ALIKE * float(off @ off)


def _drifts(rest: Floats, error: float) -> bool:
    """Does the first quarter differ from the second half by more than chance would have it?"""
    n = len(rest)
    apart = float(rest[: n // 4].mean() - rest[n // 2 :].mean())
    return abs(apart) > DRIFT * math.sqrt(4 + 2) * error  # variances of a quarter and a half of the series
