"""Energies over pairs of balls, by formulas and tables."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays
from elbowroom.energies.energy import (
    CLASHES,
    LENNARD_JONES,
    MIXED,
    NO_CUTOFF,
    TABLE,
    Energy,
    Settings,
    checked_cutoff,
    checked_pairs,
    checked_scaled,
)

MIXING = ("lorentz-berthelot", "geometric")


def LennardJones(
    epsilon: ArrayLike,
    sigma: ArrayLike,
    cutoff: float,
    *,
    shift: bool = False,
    switch: float | None = None,
    mixing: str = "lorentz-berthelot",
    exclude: ArrayLike | None = None,
    scaled: tuple[ArrayLike, ArrayLike] | None = None,
) -> Energy:
    """4 epsilon ((sigma / d)^12 - (sigma / d)^6) up to the cutoff [Jones1924]_.

    Parameters
    ----------
    epsilon, sigma
        Numbers; or one of each ball, links first, or of each kind, which are mixed; or symmetric matrices
        (kinds, kinds).
    cutoff
        Largest distance of two centres; infinite: all pairs.
    shift
        Lift the curve so that it is zero at the cutoff.
    switch
        From this distance on, multiply by 1 - 10 x^3 + 15 x^4 - 6 x^5, where x goes from 0 there to 1 at the
        cutoff.
    mixing
        Of the numbers of two balls: "lorentz-berthelot", the arithmetic mean of sigma, or "geometric"; of
        epsilon always the geometric mean.
    exclude
        (m, 2): pairs of balls that are left out. None: those that the chain excludes.
    scaled
        (pairs, factors): pairs of balls that are left out of the sum above, whatever `exclude` says, and
        count so many times 4 epsilon ((sigma / d)^12 - (sigma / d)^6) instead, at any distance: for 1-4
        pairs.

    Examples
    --------
    >>> import elbowroom as er
    >>> chain = er.Chain([[0, 0, 0], [2, 0, 0], [4, 0, 0]], 0.5)
    >>> chain.set_energy(er.energies.LennardJones(1.0, 4.0 / 2 ** (1 / 6), cutoff=10.0))
    >>> round(chain.energy(), 12)
    -1.0

    Parameters of each ball, and the pair (0, 2) with half of its energy:

    >>> depths, sizes = [1.0, 0.0, 4.0], [3.0, 3.0, 5.0]
    >>> chain.set_energy(er.energies.LennardJones(depths, sizes, 10.0, scaled=([(0, 2)], 0.5)))
    >>> chain.energy()
    0.0
    """
    scale = _arrays.choice(mixing, "mixing", MIXING)
    balls, factors = checked_scaled(scaled)
    e, s = _arrays.numbers(epsilon, "epsilon"), _arrays.numbers(sigma, "sigma")
    lifted = _arrays.flag(shift, "shift")
    reach = checked_cutoff(cutoff, infinite=True)
    begin = _checked_switch(switch, reach, lifted)
    if lifted and np.isinf(cutoff):
        raise ValueError("cutoff must be finite to shift the energy there")
    rest: dict[str, Any] = {"exclude": checked_pairs(exclude, "exclude"), "balls": balls, "numbers": factors}
    if (s < 0).any():
        raise ValueError(f"sigma must not be negative, got {s.min()}")
    if max(e.ndim, s.ndim) == 1:
        e, s = _one_each(e, s)
        return Energy(MIXED, reach, len(e), e, s, settings=Settings(begin, scale == 1, lifted), **rest)
    e, s = _matrix(e, "epsilon"), _matrix(s, "sigma")
    kinds = max(len(e), len(s))
    e, s = (np.broadcast_to(m, (kinds, kinds)).copy() if len(m) == 1 else m for m in (e, s))
    if e.shape != s.shape:
        raise ValueError(f"epsilon and sigma must have the same shape, got {e.shape} and {s.shape}")
    offset = _at_cutoff(e, s, reach) if lifted else np.zeros_like(e)
    settings = Settings(switch=begin)
    return Energy(
        LENNARD_JONES, reach, kinds, e.ravel(), s.ravel(), offset.ravel(), settings=settings, **rest
    )


def _checked_switch(switch: float | None, cutoff: float, shift: bool) -> float | None:
    if switch is None:
        return None
    begin = _arrays.length(switch, "switch")
    if shift:
        raise ValueError("switch and shift: give one of them")
    if not begin < cutoff < NO_CUTOFF:
        raise ValueError(f"switch must be less than the cutoff, which must be finite, got {switch}")
    return begin


def _one_each(
    epsilon: NDArray[np.float64], sigma: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """One of each ball or kind, where one of the two may be the same for all."""
    if max(epsilon.ndim, sigma.ndim) > 1 or (epsilon.ndim == sigma.ndim and epsilon.shape != sigma.shape):
        raise ValueError(f"epsilon and sigma must have the same shape, got {epsilon.shape} and {sigma.shape}")
    if (epsilon < 0).any():
        raise ValueError(f"epsilon must not be negative where it is mixed, got {epsilon.min()}")
    e, s = np.broadcast_arrays(epsilon, sigma)
    return e.copy(), s.copy()


def _at_cutoff(
    epsilon: NDArray[np.float64], sigma: NDArray[np.float64], cutoff: float
) -> NDArray[np.float64]:
    """What a shift takes away, if that is a number."""
    with np.errstate(over="ignore", invalid="ignore"):
        sixth = (sigma / cutoff) ** 6
        offset: NDArray[np.float64] = 4 * epsilon * (sixth**2 - sixth)
    if not np.abs(offset).max() <= _arrays.LARGEST:
        raise ValueError(
            f"cutoff is so small for sigma that the energy there is too large or not a number: {cutoff}"
        )
    return offset


def Clashes() -> Energy:
    """The number of pairs that touch or overlap.

    Examples
    --------
    >>> import elbowroom as er
    >>> chain = er.Chain([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], 0.6)
    >>> chain.set_energy(er.energies.Clashes())
    >>> chain.energy()
    1.0
    """
    return Energy(CLASHES, 0.0, 1)


def Table(values: ArrayLike, cutoff: float, *, exclude: ArrayLike | None = None) -> Energy:
    """Any function of the squared distance: values at equal steps from 0 to cutoff^2, linear in between.

    Parameters
    ----------
    values
        (bins,), or (kinds, kinds, bins) symmetric in the kinds.
    cutoff
        Largest distance of two centres.
    exclude
        (m, 2): pairs of balls that are left out. None: those that the chain excludes.

    Examples
    --------
    >>> import elbowroom as er, numpy as np
    >>> squared = np.linspace(0, 25.0, 251)
    >>> spring = er.energies.Table(0.5 * squared, cutoff=5.0)
    >>> chain = er.Chain([[0, 0, 0], [2, 0, 0], [4, 0, 0]], 0.5)
    >>> chain.set_energy(spring)
    >>> chain.energy()
    8.0
    """
    array = _arrays.numbers(values, "values")
    if array.ndim == 1:
        array = array[None, None]
    if array.ndim != 3 or array.shape[0] != array.shape[1] or array.shape[2] < 2:
        raise ValueError(
            f"values must have shape (bins,) or (kinds, kinds, bins), at least two bins, got {array.shape}"
        )
    if not np.array_equal(array, array.transpose(1, 0, 2)):
        raise ValueError("values must be symmetric: the energy of kinds a, b is that of b, a")
    flat = np.ascontiguousarray(array).ravel()
    return Energy(
        TABLE, checked_cutoff(cutoff), len(array), values=flat, exclude=checked_pairs(exclude, "exclude")
    )


def _matrix(array: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    array = np.atleast_2d(array)
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise ValueError(
            f"{name} must be a number or have shape (kinds,) or (kinds, kinds), got {array.shape}"
        )
    if not np.array_equal(array, array.T):
        raise ValueError(f"{name} must be symmetric")
    return array
