"""Energies of charges."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from elbowroom import _arrays
from elbowroom.energies.energy import (
    COULOMB,
    Energy,
    Settings,
    checked_cutoff,
    checked_pairs,
    checked_scaled,
)

#: Of two elementary charges one angstrom apart, in kcal/mol.
CONSTANT = 332.06371330

METHODS = ("cut", "shift", "reaction-field")


def Coulomb(
    charges: ArrayLike,
    cutoff: float,
    *,
    method: str = "cut",
    dielectric: float = 1.0,
    distance_dependent: bool = False,
    solvent: float = 78.3,
    constant: float = CONSTANT,
    exclude: ArrayLike | None = None,
    scaled: tuple[ArrayLike, ArrayLike] | None = None,
) -> Energy:
    """Constant / dielectric q q / d up to the cutoff.

    Parameters
    ----------
    charges
        One of each ball, links first; or one of each kind.
    cutoff
        Largest distance of two centres; infinite: all pairs.
    method
        "cut"; "shift": less its value at the cutoff; "reaction-field": beyond the cutoff the medium has the
        dielectric constant `solvent`, as in [Tironi1995]_, and the energy is zero at the cutoff.
    dielectric
        Of the medium; 1 is the vacuum.
    distance_dependent
        The dielectric constant is `dielectric` times the distance: the energy goes by 1 / d^2.
    solvent
        For a reaction field.
    constant
        The energy of two charges 1 at a distance of 1; the default is for angstrom and kcal/mol.
    exclude
        (m, 2): pairs of balls that are left out. None: those that the chain excludes.
    scaled
        (pairs, factors): pairs of balls that are left out of the sum above, whatever `exclude` says, and
        count so many times constant / dielectric q q / d instead, at any distance.

    Examples
    --------
    >>> import elbowroom as er
    >>> chain = er.Chain([[0, 0, 0], [2, 0, 0], [4, 0, 0]], 0.5)
    >>> chain.set_energy(er.energies.Coulomb([1.0, 0.0, -1.0], cutoff=10.0, constant=1.0))
    >>> chain.energy()
    -0.25
    """
    q = _arrays.numbers(charges, "charges")
    if q.ndim != 1:
        raise ValueError(f"charges must have shape (balls,) or (kinds,), got {q.shape}")
    reach = checked_cutoff(cutoff, infinite=True)
    by_square = _arrays.flag(distance_dependent, "distance_dependent")
    chosen = METHODS[_arrays.choice(method, "method", METHODS)]
    medium, outside = _positive(dielectric, "dielectric"), _positive(solvent, "solvent")
    strength = _arrays.number(constant, "constant")
    if strength < 0:
        raise ValueError(f"constant must not be negative, got {constant}")
    own = q * np.sqrt(strength / medium)
    if np.abs(own).max() > _arrays.LARGEST:
        raise ValueError("charges, constant and dielectric must give smaller energies: choose other units")
    field = level = 0.0
    if chosen != "cut" and np.isinf(cutoff):
        raise ValueError(f'cutoff must be finite for method="{chosen}"')
    if chosen == "shift":
        level = 1 / reach**2 if by_square else 1 / reach
    if chosen == "reaction-field":
        if by_square:
            raise ValueError(
                'method must be "cut" or "shift" if the dielectric constant depends on the distance'
            )
        field = (outside - 1) / (2 * outside + 1) / reach**3
        level = 3 * outside / (2 * outside + 1) / reach
    balls, factors = checked_scaled(scaled)
    return Energy(
        COULOMB,
        reach,
        len(q),
        values=own,
        settings=Settings(by_square=by_square, field=field, level=level),
        exclude=checked_pairs(exclude, "exclude"),
        balls=balls,
        numbers=factors,
    )


def _positive(value: Any, name: str) -> float:
    out = _arrays.number(value, name)
    if not out > 0:
        raise ValueError(f"{name} must be larger than 0, got {value}")
    return out
