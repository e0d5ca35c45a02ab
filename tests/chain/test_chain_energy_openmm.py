"""Energies with the parameters of an OpenMM system, against what OpenMM computes of the same terms."""

from __future__ import annotations

from typing import Any

import numpy as np
import openmm
import pytest
from chain_makers import MAKERS, rng_of

import elbowroom as er

KCAL = 4.184


def system_of(balls: int, rng: np.random.Generator, truncated: bool) -> Any:
    """Random charges and sizes, exceptions, some of them scaled by no rule, and torsions."""
    system = openmm.System()
    force, torsions = openmm.NonbondedForce(), openmm.PeriodicTorsionForce()
    for _ in range(balls):
        system.addParticle(1.0)
        force.addParticle(rng.normal(), rng.uniform(0.02, 0.08), rng.uniform(0.0, 2.0))
    for i in range(balls - 3):
        for k in (1, 2):
            force.addException(i, i + k, 0.0, 0.1, 0.0)
        force.addException(i + 3, i, rng.normal(), rng.uniform(0.02, 0.06), rng.uniform(0.0, 1.0))
        order = (i + rng.permutation(4)).tolist()
        torsions.addTorsion(*order, int(rng.integers(1, 7)), rng.uniform(-3, 3), rng.normal())
    if truncated:
        force.setNonbondedMethod(force.CutoffNonPeriodic)
        force.setCutoffDistance(0.7)
        force.setUseSwitchingFunction(True)
        force.setSwitchingDistance(0.5)
    for each in (force, torsions, openmm.HarmonicBondForce(), openmm.CMMotionRemover()):
        system.addForce(each)
    return system


def energy_by_openmm(system: Any, points: np.ndarray) -> float:
    """In kcal/mol, of positions in angstrom."""
    integrator = openmm.VerletIntegrator(0.001)
    context = openmm.Context(system, integrator, openmm.Platform.getPlatformByName("Reference"))
    context.setPositions(points / 10.0)
    return float(context.getState(getEnergy=True).getPotentialEnergy()._value) / KCAL


@pytest.mark.parametrize("truncated", [False, True])
def test_openmm_computes_the_same_energy(truncated: bool) -> None:
    rng = rng_of("openmm", truncated)
    chain = MAKERS["coil"](rng, 40).chain(exclude=0)
    particles = rng.permutation(40)
    system = system_of(40, rng, truncated)
    chain.set_energy(er.energies.from_openmm(system, particles))
    for _ in range(3):
        points = np.empty((40, 3))
        points[particles] = chain.positions()
        assert chain.energy() == pytest.approx(energy_by_openmm(system, points), rel=1e-7)
        chain.rotate(int(rng.integers(0, 39)), 0.2)


def test_what_cannot_be_taken_of_a_system_is_said() -> None:
    rng = rng_of("openmm refused")
    with pytest.raises(TypeError, match=r"system must be an openmm\.System, got float"):
        er.energies.from_openmm(1.0)
    system = system_of(6, rng, False)
    for particles, message in (
        ([0, 1, 2, 3, 4], "5 is there 0 times"),
        ([0, 1, 2, 3, 4, 4], "4 is there 2 times"),
    ):
        with pytest.raises(ValueError, match=f"particles must name every particle once, but {message}"):
            er.energies.from_openmm(system, particles)
    system.addForce(openmm.CMAPTorsionForce())
    with pytest.raises(ValueError, match=r"system has a CMAPTorsionForce.*omit"):
        er.energies.from_openmm(system)
    er.energies.from_openmm(system, omit=["CMAPTorsionForce"])
    with pytest.raises(ValueError, match="cutoff is for NoCutoff"):
        er.energies.from_openmm(system_of(6, rng, True), cutoff=9.0)
    system.getForce(0).setNonbondedMethod(openmm.NonbondedForce.PME)
    with pytest.raises(ValueError, match="system must not be periodic"):
        er.energies.from_openmm(system, omit=["CMAPTorsionForce"])
    with pytest.raises(ValueError, match="neither"):
        er.energies.from_openmm(openmm.System())
