"""Energies with the parameters of force fields, which OpenMM reads from its own files and those of others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays
from elbowroom.energies.coulomb import CONSTANT, Coulomb
from elbowroom.energies.energy import Energy
from elbowroom.energies.pairs import LennardJones
from elbowroom.energies.terms import Pairs, Sum, Torsions

if TYPE_CHECKING:
    import openmm

#: Forces of what no torsion changes, and what is no force.
_CONSTANT = ("HarmonicBondForce", "HarmonicAngleForce", "CMMotionRemover")


def from_openmm(
    system: openmm.System,
    particles: ArrayLike | None = None,
    *,
    cutoff: float | None = None,
    omit: Sequence[str] = (),
) -> Energy:
    """The nonbonded terms and the torsions of an openmm.System; needs the extra `openmm`.

    Lengths are in angstrom, energies in kcal/mol. OpenMM makes systems from its own XML files
    (`ForceField.createSystem`) and from files of Amber, CHARMM and GROMACS. Of the system its NonbondedForce
    and its PeriodicTorsionForce are taken; bonds and angles, which torsions do not change, are not.

    Parameters
    ----------
    system
        An openmm.System without a periodic box: NonbondedForce with NoCutoff or CutoffNonPeriodic.
    particles
        (balls,): the particle that each ball of the chain is, links first; every particle once. None: ball i
        is particle i.
    cutoff
        For NoCutoff: the cutoff in angstrom that is used instead. None: there is none.
    omit
        Names of forces that are left out, such as "CMAPTorsionForce". Any other force is an error.

    Examples
    --------
    >>> import elbowroom as er
    >>> from importlib.util import find_spec
    >>> chain = er.Chain([[0, 0, 0], [2, 0, 0]], 0.5)
    >>> if find_spec("openmm"):  # pip install elbowroom[openmm]
    ...     import openmm
    ...     system, force = openmm.System(), openmm.NonbondedForce()
    ...     for charge in (1.0, -1.0):
    ...         _ = system.addParticle(1.0), force.addParticle(charge, 0.3, 0.0)
    ...     _ = system.addForce(force)
    ...     chain.set_energy(er.energies.from_openmm(system))
    ...     assert round(chain.energy(), 3) == -166.032
    """
    try:
        import openmm
    except ImportError as error:
        raise ImportError("from_openmm needs the extra openmm: pip install elbowroom[openmm]") from error
    if not isinstance(system, openmm.System):
        raise TypeError(f"system must be an openmm.System, got {type(system).__name__}")
    ball = _ball_of(particles, system.getNumParticles())
    parts: list[Energy] = []
    for force in system.getForces():
        name = type(force).__name__
        if name in omit or name in _CONSTANT:
            continue
        if isinstance(force, openmm.NonbondedForce):
            parts += _nonbonded(force, ball, cutoff, openmm)
        elif isinstance(force, openmm.PeriodicTorsionForce):
            parts += _torsions(force, ball, openmm)
        else:
            raise ValueError(f"system has a {name}, which is not supported; to ignore it, add it to omit")
    if not parts:
        raise ValueError("system has neither a NonbondedForce nor a PeriodicTorsionForce with terms")
    return Sum(*parts)


def _ball_of(particles: ArrayLike | None, count: int) -> NDArray[np.int32]:
    """The ball of each particle."""
    if particles is None:
        return np.arange(count, dtype=np.int32)
    given = _arrays.indices(particles, None, count, "particles")
    seen = np.bincount(given, minlength=count)
    if (seen != 1).any():
        bad = int(np.argmax(seen != 1))
        raise ValueError(f"particles must name every particle once, but {bad} is there {seen[bad]} times")
    out = np.empty(count, np.int32)
    out[given] = np.arange(count)
    return out


def _nonbonded(force: Any, ball: NDArray[np.int32], cutoff: float | None, openmm: Any) -> list[Energy]:
    method = force.getNonbondedMethod()
    if method not in (force.NoCutoff, force.CutoffNonPeriodic):
        raise ValueError("system must not be periodic: NonbondedForce with NoCutoff or CutoffNonPeriodic")
    if force.getNumParticleParameterOffsets() or force.getNumExceptionParameterOffsets():
        raise ValueError("system has a NonbondedForce with parameter offsets, which are not supported")
    truncated = method == force.CutoffNonPeriodic
    if truncated and cutoff is not None:
        raise ValueError("cutoff is for NoCutoff: this system has one of its own")
    angstrom = openmm.unit.angstrom
    reach = float("inf") if cutoff is None else cutoff
    switch = None
    if truncated:
        reach = force.getCutoffDistance().value_in_unit(angstrom)
        if force.getUseSwitchingFunction():
            switch = force.getSwitchingDistance().value_in_unit(angstrom)
    charge, sigma, epsilon = (np.zeros(len(ball)) for _ in range(3))
    for k in range(force.getNumParticles()):
        values = _plain(force.getParticleParameters(k), openmm)
        charge[ball[k]], sigma[ball[k]], epsilon[ball[k]] = values
    rows = [force.getExceptionParameters(k) for k in range(force.getNumExceptions())]
    pairs = ball[np.array([row[:2] for row in rows], np.int64).reshape(-1, 2)]
    numbers = np.array([_plain(row[2:], openmm) for row in rows]).reshape(-1, 3)
    counts = (numbers[:, 0] != 0) | (numbers[:, 2] != 0)
    out = [
        LennardJones(epsilon, sigma, reach, switch=switch, exclude=pairs),
        Coulomb(
            charge,
            reach,
            method="reaction-field" if truncated else "cut",
            solvent=force.getReactionFieldDielectric(),
            exclude=pairs,
        ),
    ]
    if counts.any():
        q, s, e = numbers[counts].T
        out.append(Pairs(pairs[counts], epsilon=e, sigma=s, charges=CONSTANT * q))
    return out


def _plain(values: Any, openmm: Any) -> tuple[float, float, float]:
    """Charge or product of charges, sigma and epsilon in elementary charges, angstrom and kcal/mol."""
    unit = openmm.unit
    charge, sigma, epsilon = values
    return (
        float(charge._value),
        sigma.value_in_unit(unit.angstrom),
        epsilon.value_in_unit(unit.kilocalorie_per_mole),
    )


def _torsions(force: Any, ball: NDArray[np.int32], openmm: Any) -> list[Energy]:
    if not force.getNumTorsions():
        return []
    unit = openmm.unit
    rows = [force.getTorsionParameters(k) for k in range(force.getNumTorsions())]
    balls = ball[np.array([row[:4] for row in rows], np.int64)]
    folds = [row[4] for row in rows]
    phases = [row[5].value_in_unit(unit.radian) for row in rows]
    heights = [row[6].value_in_unit(unit.kilocalorie_per_mole) for row in rows]
    return [Torsions(balls, heights, folds, phases)]
