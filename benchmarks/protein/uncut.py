"""Torsions of a protein in Lennard-Jones and charges without a cutoff: all pairs count.

A step turns a random phi or psi by up to 5 degrees, asks whether atoms clash, and if not, accepts by the rule
of Metropolis. The moves are drawn beforehand, with the number that decides. The peers compute the energy of
the whole protein, once for each move that does not clash, and their verdicts are compared with ours. Heavy
atoms have the charges (hydrogens included) and sizes of Amber's ff14SB, which is read from OpenMM's files.

    python -m benchmarks.protein.uncut 1lox.pdb --steps 2000 --peers 20 --json uncut.json
"""

from __future__ import annotations

import copy
import gzip
import math
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

import elbowroom as er
from benchmarks import common
from benchmarks.chain.run import tabulate
from benchmarks.common import Array
from benchmarks.protein.moves import Moves, Verdicts, random_moves
from benchmarks.protein.systems import System, read

KCAL = 4.184  # kJ
ROOT = math.sqrt(332.06371330)  # of the energy of two charges
QUICK = {"steps": 40, "peers": 2}
clock = time.process_time


def force_field() -> dict[str, dict[str, tuple[float, float, float]]]:
    """Of each residue and heavy atom: charge with its hydrogens, sigma in angstrom, epsilon in kcal/mol."""
    from openmm import app

    root = ET.parse(Path(app.__file__).parent / "data/amber14/protein.ff14SB.xml").getroot()
    types = {
        a.get("type"): (10 * float(a.get("sigma", 0)), float(a.get("epsilon", 0)) / KCAL)
        for a in root.findall("NonbondedForce/Atom")
    }
    out: dict[str, dict[str, tuple[float, float, float]]] = {}
    for residue in root.findall("Residues/Residue"):
        atoms = {str(a.get("name")): a for a in residue.findall("Atom")}
        charge = {name: float(a.get("charge", 0)) for name, a in atoms.items()}
        for bond in residue.findall("Bond"):
            ends = str(bond.get("atomName1")), str(bond.get("atomName2"))
            for h, heavy in (ends, ends[::-1]):
                if h[0] == "H" != heavy[0]:
                    charge[heavy] += float(atoms[h].get("charge", 0))
        out[str(residue.get("name"))] = {
            name: (charge[name], *types[a.get("type")]) for name, a in atoms.items() if name[0] != "H"
        }
    return out | {"HIS": out["HIE"]}


def parameters(path: str, chain: er.Chain) -> Array:
    """(balls, 3): charge, sigma and epsilon. Balls are known by where they are in the file."""
    data = Path(path).read_bytes()
    text = (gzip.decompress(data) if path.endswith(".gz") else data).decode()
    names = {
        tuple(round(float(line[k : k + 8]), 3) for k in (30, 38, 46)): (
            line[17:20].strip(),
            line[12:16].strip(),
        )
        for line in text.splitlines()
        if line.startswith("ATOM")
    }
    field, rows = force_field(), []
    for at in chain.positions(side=True).tolist():
        residue, atom = names[tuple(round(x, 3) for x in at)]
        rows.append(field["C" + residue if atom == "OXT" else residue][atom])
    return np.array(rows)


@njit(fastmath=True, error_model="numpy")
def every_pair(x: Array, y: Array, z: Array, q: Array, sigma: Array, depth: Array) -> float:
    """All of it, of half of sigma and twice the root of epsilon of each atom; the compiler makes it SIMD."""
    total = 0.0
    for i in range(len(x) - 1):
        some = 0.0
        for j in range(i + 1, len(x)):
            u, v, w = x[j] - x[i], y[j] - y[i], z[j] - z[i]
            r = 1.0 / math.sqrt(u * u + v * v + w * w)
            s = (sigma[i] + sigma[j]) * r
            s2 = s * s
            s6 = s2 * s2 * s2
            some += depth[i] * depth[j] * (s6 * (s6 - 1.0)) + q[i] * q[j] * r
        total += some
    return total


@njit(error_model="numpy")
def named_pairs(
    pairs: NDArray[np.int32], x: Array, y: Array, z: Array, q: Array, sigma: Array, depth: Array
) -> float:
    """Of some pairs: those that do not count."""
    total = 0.0
    for i, j in pairs:
        r = 1.0 / math.sqrt((x[j] - x[i]) ** 2 + (y[j] - y[i]) ** 2 + (z[j] - z[i]) ** 2)
        s6 = ((sigma[i] + sigma[j]) * r) ** 6
        total += depth[i] * depth[j] * (s6 * (s6 - 1.0)) + q[i] * q[j] * r
    return total


def by_numba(table: Array, excluded: NDArray[np.int32]) -> Callable[[Array], float]:
    """The energy of positions."""
    q, sigma, epsilon = table.T
    numbers = [np.ascontiguousarray(each) for each in (ROOT * q, sigma / 2, 2 * np.sqrt(epsilon))]

    def energy(points: Array) -> float:
        x, y, z = (np.ascontiguousarray(column) for column in points.T)
        return float(every_pair(x, y, z, *numbers) - named_pairs(excluded, x, y, z, *numbers))

    return energy


def by_openmm(table: Array, excluded: NDArray[np.int32], platform: str) -> Callable[[Array], float]:
    """The same by one of OpenMM's platforms, on one thread."""
    import openmm

    system, force = openmm.System(), openmm.NonbondedForce()
    for q, sigma, epsilon in table.tolist():
        system.addParticle(1.0)
        force.addParticle(q, sigma / 10, epsilon * KCAL)
    for i, j in excluded.tolist():
        force.addException(i, j, 0.0, 0.1, 0.0)
    system.addForce(force)
    options = {"Threads": "1"} if platform == "CPU" else {}
    context = openmm.Context(
        system, openmm.VerletIntegrator(0.001), openmm.Platform.getPlatformByName(platform), options
    )

    def energy(points: Array) -> float:
        context.setPositions(points / 10.0)
        return float(context.getState(getEnergy=True).getPotentialEnergy()._value) / KCAL

    return energy


def ours(
    chain: er.Chain, moves: Moves, temperature: float, bounds: bool
) -> tuple[Array, Verdicts, dict[str, int]]:
    """CPU seconds and verdicts (clashed, rejected, accepted) of all moves, and by what they were decided."""
    here, seconds, verdicts = chain.energy(), np.zeros(len(moves)), np.zeros(len(moves), np.int8)
    decided = {"clash": 0, "bounds": 0, "energy": 0}
    steps = zip(moves.joints.tolist(), moves.angles.tolist(), moves.exponents.tolist(), strict=True)
    for k, (joint, angle, exponent) in enumerate(steps):
        start = clock()
        chain.rotate(joint, angle)
        if chain.collides():
            decided["clash"] += 1
            chain.undo()
        elif bounds and chain.energy_bounds()[0] - here > temperature * exponent:
            decided["bounds"] += 1
            verdicts[k] = 1
            chain.undo()
        else:
            decided["energy"] += 1
            proposed = chain.energy()
            if proposed - here <= temperature * exponent:
                verdicts[k], here = 2, proposed
            else:
                verdicts[k] = 1
                chain.undo()
        seconds[k] = clock() - start
    return seconds, verdicts, decided


def judge(
    system: System,
    table: Array,
    excluded: NDArray[np.int32],
    moves: Moves,
    energy: er.energies.Energy,
    names: list[str],
) -> list[dict[str, Any]]:
    """Every peer decides the first moves, too; our verdicts and energies are compared with its own."""
    makers: dict[str, Callable[[], Callable[[Array], float]]] = {
        "numba, all pairs": lambda: by_numba(table, excluded),
        "OpenMM, CPU (single precision)": lambda: by_openmm(table, excluded, "CPU"),
        "OpenMM, Reference": lambda: by_openmm(table, excluded, "Reference"),
    }
    rows = []
    for name in names:
        value, chain = makers[name](), copy.copy(system.chain)
        chain.set_energy(energy)
        chain.collides()
        here = value(chain.positions(side=True))
        spent, differing, off = [], 0, 0.0
        steps = zip(moves.joints.tolist(), moves.angles.tolist(), moves.exponents.tolist(), strict=True)
        for joint, angle, exponent in steps:
            chain.rotate(joint, angle)
            if chain.collides():
                chain.undo()
                continue
            points = chain.positions(side=True)
            start = clock()
            theirs = value(points)
            spent.append(clock() - start)
            own = chain.energy()
            off = max(off, abs(own - theirs) / abs(theirs))
            chain.undo()
            before = chain.energy()
            accepted = own - before <= system.temperature * exponent
            differing += accepted != (theirs - here <= system.temperature * exponent)
            if accepted:
                chain.rotate(joint, angle)
                here = theirs
        rows.append(
            {
                "contestant": name,
                "us a recomputation": 1e6 * float(np.median(spent)),
                "verdicts differ": differing,
                "energies off": f"{off:.1e}",
            }
        )
    return rows


def main() -> None:
    """Print what a move costs, and how many times that the peers take to recompute the energy."""
    made = common.parser(__doc__, repetitions=1)
    made.add_argument("file", help="PDB file of one protein chain")
    made.add_argument("--steps", type=int, default=2000, help="moves")
    made.add_argument("--peers", type=int, default=20, help="moves that the peers make")
    made.add_argument("--angle", type=float, default=5.0, help="largest angle of a move, in degrees")
    made.add_argument("--temperature", type=float, default=0.6, help="in kcal/mol")
    settings = common.parsed(made, QUICK)
    system = read(settings.file, "all", 0.1, 8.0, settings.temperature)
    table = parameters(settings.file, system.chain)
    excluded = np.asarray(system.chain._rule.named).reshape(-1, 2)
    q, sigma, epsilon = table.T
    inf = float("inf")
    energy = er.energies.Sum(er.energies.LennardJones(epsilon, sigma, inf), er.energies.Coulomb(q, inf))
    moves = random_moves(system.joints, math.radians(settings.angle), settings.steps)
    found = {}
    for name, bounds in (("elbowroom, by bounds", True), ("elbowroom, by sums", False)):
        chain = copy.copy(system.chain)
        chain.set_energy(energy)
        chain.collides()
        found[name] = ours(chain, moves, settings.temperature, bounds)
    by_bounds, by_sums = found.values()
    rows: list[dict[str, Any]] = [
        {"contestant": name, "us a move": 1e6 * float(seconds.mean()), **decided}
        for name, (seconds, _, decided) in found.items()
    ]
    shares = [float((by_bounds[1] == k).mean()) for k in range(3)]
    story = "clashed {:.0%}, rejected {:.0%}, accepted {:.0%}".format(*shares)
    differing = int((by_bounds[1] != by_sums[1]).sum())
    title = (
        f"{Path(settings.file).name}: {len(table)} atoms; {story}; verdicts that bounds change: {differing}"
    )
    common.show(tabulate(title, rows))
    names = ["numba, all pairs", "OpenMM, CPU (single precision)", "OpenMM, Reference"]
    peers = judge(system, table, excluded, moves.part(0, settings.peers), energy, names)
    for row in peers:
        row["over ours, by bounds"] = row["us a recomputation"] / rows[0]["us a move"]
    common.show(tabulate("peers: the energy alone, computed once", peers))
    common.save(settings.json, "protein", vars(settings), {"ours": rows, "peers": peers})


if __name__ == "__main__":
    main()
