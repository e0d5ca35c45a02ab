"""How long a series of samples remembers: the sums behind `autocorrelation` and `autocorrelation_time`."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

WINDOW = 6.0  # lags that are summed, in autocorrelation times: Sokal's c


class CorrelationTime(NamedTuple):
    """Integrated autocorrelation time, its standard error, and the lag up to which was summed; in steps."""

    value: float
    error: float
    window: int


def correlation_time(rest: Floats) -> CorrelationTime:
    """In samples, of a series whose mean was taken off."""
    n = len(rest)
    sums = np.cumsum(correlations(rest)) - 0.5
    window = int(np.argmax(np.arange(n) >= WINDOW * sums)) or n - 1  # 0 if there is none: lag 0 never is one
    # The mean was estimated from the same samples, which lowers every autocorrelation [Wolff2004]_.
    value = max(0.5, float(sums[window]) * (1 + (2 * window + 1) / n))
    return CorrelationTime(value, value * math.sqrt(2 * (2 * window + 1) / n), window)


def correlations(rest: Floats) -> Floats:
    """Autocorrelation of a series whose mean was taken off, and that is not all zero."""
    n = len(rest)
    size = 1 << (2 * n - 1).bit_length()  # so long that the end does not meet the beginning
    waves = np.fft.rfft(rest, size)
    products = np.fft.irfft(waves.real**2 + waves.imag**2, size)[:n]
    return np.asarray(products / products[0], np.float64)
