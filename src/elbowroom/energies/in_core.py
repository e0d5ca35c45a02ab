"""An energy as the core takes it: with the arrays of a chain's balls, and checked against their number."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core
from elbowroom.energies.energy import (
    CALLBACK,
    COULOMB,
    LENNARD_JONES,
    MIXED,
    NO_CUTOFF,
    PAIRS,
    TABLE,
    TORSIONS,
    Energy,
    parts_of,
)

#: Forms of terms, in the numbers of the core.
_LENNARD_JONES_TERM, _COULOMB_TERM, _BY_SQUARE_TERM, _TORSION_TERM = range(4)
#: So many kinds the core takes.
_MOST_KINDS = 65536
#: So many balls an energy may have without a cutoff: there are sums over all pairs of leaves, 16 balls each.
MOST_WITHOUT_CUTOFF = 100_000
_NO_KINDS = np.empty(0, np.int32)


def in_core(energy: Energy, kinds: ArrayLike | None, balls: int) -> _core.ChainEnergy:
    """The energy of a chain of so many balls."""
    out = _core.ChainEnergy()
    of = _NO_KINDS if kinds is None else _arrays.indices(kinds, balls, energy.kinds, "kinds")
    for part in parts_of(energy):
        if part.form == PAIRS:
            _add_pairs(out, part, balls)
        elif part.form == TORSIONS:
            assert part.balls is not None
            out._add_terms(_TORSION_TERM, _in_range(part.balls, balls, "balls"), part.numbers)
        else:
            known = part.form in (LENNARD_JONES, TABLE, CALLBACK) and (part is energy or part.kinds > 1)
            _add(out, part, of, of if known else _NO_KINDS, balls)
    return out


def _add(
    out: _core.ChainEnergy, e: Energy, all_kinds: NDArray[np.int32], of: NDArray[np.int32], balls: int
) -> None:
    """A sum over pairs. `of`: the kinds of the balls, for an energy that goes by kinds."""
    if e.cutoff == NO_CUTOFF and balls > MOST_WITHOUT_CUTOFF:
        raise ValueError(
            f"cutoff must be finite for more than {MOST_WITHOUT_CUTOFF} balls, got {balls}: sums over pairs "
            "of leaves would not fit in memory"
        )
    epsilon, sigma, values = e.epsilon, e.sigma, e.values
    if e.form == MIXED:
        epsilon, sigma = (_of_balls(getattr(e, n), n, all_kinds, balls) for n in ("epsilon", "sigma"))
    if e.form == COULOMB:
        values = _of_balls(e.values, "charges", all_kinds, balls)
    kinds = 1 if e.form in (MIXED, COULOMB) else min(e.kinds, _MOST_KINDS)
    excluded = np.empty((0, 2), np.int32) if e.exclude is None else _in_range(e.exclude, balls, "exclude")
    if e.balls is not None:
        scaled = _in_range(e.balls, balls, "scaled[0]")
        excluded = np.concatenate([excluded, scaled])
        _add_scaled(out, e, scaled, epsilon, sigma, values, of)
    s = e.settings
    settings = (
        *(e.cutoff if s.switch is None else s.switch, float(s.geometric), float(s.shifted)),
        *(float(s.by_square), s.field, s.level),
    )
    own = e.exclude is not None
    arrays = (epsilon, sigma, e.offset, values)
    out._add_pairs(
        e.form, e.cutoff, kinds, of, *arrays, e.address, settings, own, np.ascontiguousarray(excluded)
    )


def _add_scaled(
    out: _core.ChainEnergy,
    e: Energy,
    scaled: NDArray[np.int32],
    epsilon: NDArray[np.float64],
    sigma: NDArray[np.float64],
    values: NDArray[np.float64],
    of: NDArray[np.int32],
) -> None:
    """Pairs that count a part of what they would, as terms."""
    i, j = scaled.T
    numbers = np.zeros((len(scaled), 4))
    if e.form == COULOMB:
        numbers[:, 0] = e.numbers[:, 0] * values[i] * values[j]
        out._add_terms(_BY_SQUARE_TERM if e.settings.by_square else _COULOMB_TERM, scaled, numbers)
        return
    if e.form == MIXED:
        depth = np.sqrt(epsilon[i]) * np.sqrt(epsilon[j])
        extent = np.sqrt(sigma[i] * sigma[j]) if e.settings.geometric else (sigma[i] + sigma[j]) / 2
    else:
        pair = e.kinds * of[i].astype(np.int64) + of[j] if len(of) else np.zeros(len(scaled), np.int64)
        depth, extent = epsilon[pair], sigma[pair]
    numbers[:, 0], numbers[:, 1] = e.numbers[:, 0] * 4 * depth, extent**2
    out._add_terms(_LENNARD_JONES_TERM, scaled, numbers)


def _add_pairs(out: _core.ChainEnergy, e: Energy, balls: int) -> None:
    """Pairs that are named one by one: Lennard-Jones and Coulomb, where there is any."""
    assert e.balls is not None
    named = _in_range(e.balls, balls, "balls")
    epsilon, sigma, charge = e.numbers.reshape(-1, 3).T
    zero = np.zeros_like(charge)
    for form, rows in ((_LENNARD_JONES_TERM, (4 * epsilon, sigma**2)), (_COULOMB_TERM, (charge, zero))):
        some = rows[0] != 0
        numbers = np.stack([*rows, zero, zero], axis=1)[some]
        out._add_terms(form, np.ascontiguousarray(named[some]), np.ascontiguousarray(numbers))


def _of_balls(
    array: NDArray[np.float64], name: str, kinds: NDArray[np.int32], balls: int
) -> NDArray[np.float64]:
    """One number for each ball, from that or from one for each kind."""
    if len(array) == balls:
        return array
    if len(kinds) or len(array) == 1:
        return np.ascontiguousarray(array[kinds if len(kinds) else np.zeros(balls, np.int32)])
    raise ValueError(
        f"{name} must have one number for each of the {balls} balls, got {len(array)}; "
        "for one of each kind give kinds"
    )


def _in_range(array: NDArray[np.int32], balls: int, name: str) -> NDArray[np.int32]:
    bad = np.argwhere((array < 0) | (array >= balls))
    if len(bad):
        row, column = bad[0].tolist()
        raise ValueError(
            f"{name}[{row}, {column}] is {array[row, column]}, but must be from 0 to {balls - 1}: "
            "the number of a ball of the chain"
        )
    return array
