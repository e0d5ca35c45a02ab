"""Numbers with their errors as people write them."""

from __future__ import annotations

import math


def told(mean: float, error: float) -> str:
    """Both with as many digits as the error deserves."""
    if not (math.isfinite(mean) and math.isfinite(error) and error > 0):
        return f"{mean:.6g} +- {error:.2g}"
    places = 1 - math.floor(math.log10(error))
    if -6 <= places <= 12:
        return f"{round(mean, places):,.{max(0, places)}f} +- {round(error, places):,.{max(0, places)}f}"
    digits = max(1, 2 + math.floor(math.log10(max(abs(mean), error))) - math.floor(math.log10(error)))
    return f"{mean:.{digits}g} +- {error:.2g}"
