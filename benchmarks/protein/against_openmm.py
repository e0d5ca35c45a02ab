"""Energies of a force field after torsions: elbowroom updates them, OpenMM recomputes them.

The file is one protein chain without gaps. Hydrogens are added, and OpenMM reads Amber's ff14SB. Backbone
atoms are links, all others side balls. Bonds and angles stay, so the terms that torsions change are compared:
Lennard-Jones, charges, 1-4 pairs and torsions.

    python -m benchmarks.protein.against_openmm 1ubq.pdb --moves 200
    python -m benchmarks.protein.against_openmm 1ubq.pdb --cutoff 9
"""

from __future__ import annotations

import argparse
import gzip
import io
import time
from pathlib import Path
from typing import Any

import numpy as np

import elbowroom as er
from benchmarks import common
from benchmarks.chain.run import tabulate

BACKBONE = ("N", "CA", "C")
KCAL = 4.184  # kJ
TERMS = ("NonbondedForce", "PeriodicTorsionForce")


def protein(path: str) -> Any:
    """Topology and positions in angstrom, with hydrogens."""
    from openmm import app, unit

    data = Path(path).read_bytes()
    text = (gzip.decompress(data) if path.endswith(".gz") else data).decode()
    read = app.PDBFile(io.StringIO(text))
    modeller = app.Modeller(read.topology, read.positions)
    known = {"CYX", "HID", "HIE", "HIP", *app.PDBFile._standardResidues} - {"HOH"}
    modeller.delete([r for r in modeller.topology.residues() if r.name not in known])
    field = app.ForceField("amber14/protein.ff14SB.xml")
    modeller.addHydrogens(field)
    return modeller.topology, np.array(modeller.positions.value_in_unit(unit.angstrom)), field


def chain_of(topology: Any, points: np.ndarray) -> tuple[er.Chain, np.ndarray]:
    """Small balls, as the energy alone decides; and the particle of each ball."""
    atoms = list(topology.atoms())
    links = [a.index for a in atoms if a.name in BACKBONE]
    links.sort(key=lambda i: (atoms[i].residue.index, BACKBONE.index(atoms[i].name)))
    owner = {atom: link for link, atom in enumerate(links)}
    bonds: dict[int, list[int]] = {}
    for a, b in topology.bonds():
        bonds.setdefault(a.index, []).append(b.index)
        bonds.setdefault(b.index, []).append(a.index)
    front = list(links)
    while front:  # the link that is nearest along bonds of the same residue
        atom = front.pop(0)
        for other in bonds.get(atom, []):
            if other not in owner and atoms[other].residue is atoms[atom].residue:
                owner[other] = owner[atom]
                front.append(other)
    sides = [i for i in range(len(atoms)) if i not in set(links)]
    side = er.SideBalls([owner[i] for i in sides], points[sides], np.full(len(sides), 0.05))
    particles = np.array(links + sides, np.int32)
    return er.Chain(points[links], 0.05, exclude=1, side=side), particles


def main() -> None:
    """Print how far the energies are apart, and what they cost."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("file")
    asked.add_argument("--moves", type=int, default=200)
    asked.add_argument("--angle", type=float, default=1.0, help="largest angle of a torsion in degrees")
    asked.add_argument(
        "--cutoff", type=float, default=0.0, help="in angstrom, with a reaction field; 0: none"
    )
    settings = asked.parse_args()
    import openmm
    from openmm import app, unit

    topology, points, field = protein(settings.file)
    method = app.CutoffNonPeriodic if settings.cutoff else app.NoCutoff
    reach = {"nonbondedCutoff": settings.cutoff * unit.angstrom} if settings.cutoff else {}
    system = field.createSystem(topology, nonbondedMethod=method, constraints=None, rigidWater=False, **reach)
    for k in reversed(range(system.getNumForces())):
        if type(system.getForce(k)).__name__ not in TERMS:
            system.removeForce(k)
    chain, particles = chain_of(topology, points)
    chain.set_energy(er.energies.from_openmm(system, particles))
    chain.energy()
    peers = {}
    for name in ("Reference", "CPU"):
        platform = openmm.Platform.getPlatformByName(name)
        peers[name] = openmm.Context(system, openmm.VerletIntegrator(0.001), platform)
    rng = np.random.default_rng(1)
    joints = [j for j in range(1, len(chain) - 2) if j % 3 != 2]  # no omega
    ours: list[float] = []
    theirs: dict[str, list[float]] = {name: [] for name in peers}
    off = dict.fromkeys(peers, 0.0)
    for _ in range(settings.moves):
        joint, angle = int(rng.choice(joints)), float(rng.uniform(-1, 1) * np.radians(settings.angle))
        begin = time.perf_counter()
        chain.rotate(joint, angle)
        energy = chain.energy()
        ours.append(time.perf_counter() - begin)
        at = np.empty_like(points)
        at[particles] = chain.positions(side=True)
        for name, context in peers.items():
            begin = time.perf_counter()
            context.setPositions(at / 10.0)
            value = context.getState(getEnergy=True).getPotentialEnergy()._value / KCAL
            theirs[name].append(time.perf_counter() - begin)
            off[name] = max(off[name], abs(value - energy) / max(abs(value), 1.0))
    rows: list[dict[str, Any]] = [
        {"contestant": "elbowroom", "us a move": 1e6 * float(np.median(ours)), "energies off": ""}
    ]
    rows += [
        {
            "contestant": f"OpenMM, {name}",
            "us a move": 1e6 * float(np.median(theirs[name])),
            "energies off": f"{off[name]:.1e}",
        }
        for name in peers
    ]
    title = f"{Path(settings.file).name}: {len(points)} atoms, {settings.moves} torsions"
    common.show(tabulate(title, rows))


if __name__ == "__main__":
    main()
