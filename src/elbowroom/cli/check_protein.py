"""`elbowroom check` of a protein: a PDB or mmCIF file in, its clashes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import elbowroom as er

from .check import counted
from .complaint import Complaint, check_file, write_json
from .options import ProteinOptions, check_input
from .overlaps import listing, plural

SUFFIXES = (".pdb", ".ent", ".cif", ".mmcif")
LISTED = 10  # clashes that are printed; all go into the JSON file
#: MolProbity counts overlaps of more than so many angstrom, and hydrogen bonds are none: between N and O
#: these are at least so long.
SERIOUS, HYDROGEN_BOND = 0.4, 2.5
DEFINITION = (
    "pairs of heavy atoms whose van der Waals spheres (Bondi) overlap by more than 0.4 A, without possible "
    "hydrogen bonds, per 1000 atoms; MolProbity also has hydrogens, and other radii"
)
#: Arguments of `read_chain` by which its messages begin.
ARGUMENTS = ("chain", "model", "scale", "hydrogens")


def is_protein(file: Path) -> bool:
    """By its name: PDB or mmCIF, also gzipped."""
    name = file.name.lower().removesuffix(".gz")
    return name.endswith(SUFFIXES)


@dataclass(frozen=True, eq=False)
class Clashes:
    """What was found between pairs of atoms: names and depths; what is closest; the work."""

    found: list[dict[str, Any]]
    nearest: tuple[tuple[str, str], float] | None
    counters: dict[str, int]


@dataclass(frozen=True)
class Score:
    """The clash score by MolProbity's definition, of heavy atoms."""

    clashes: int
    atoms: int

    @property
    def value(self) -> float:
        """Clashes per 1000 atoms."""
        return 1000.0 * self.clashes / self.atoms


def check_protein(
    file: Path, options: ProteinOptions, *, distance: bool = False, json_file: Path | None = None
) -> int:
    """Print the clashes; 0 when there are none, 1 when there are."""
    check_file("--json", json_file)
    if options.between is not None:
        from .check_complex import check_complex

        return check_complex(file, options, distance, json_file)
    protein = read(file, options, options.chain)
    score = (
        score_within(read(file, options, options.chain, unscaled=True)) if options.atoms == "all" else None
    )
    clashes = _within(protein, distance)
    report(clashes, f"{atoms_of([protein])} of {file.name}{gaps_of([protein])}", score)
    facts = {"links": len(protein), "breaks": list(protein.breaks)}
    write_json(json_file, facts_of(file, clashes, score) | facts)
    return int(bool(clashes.found))


def read(file: Path, options: ProteinOptions, chain: str | None, *, unscaled: bool = False) -> er.Chain:
    """A chain of the file; `unscaled`: its heavy atoms at their full radii."""
    check_input("A", file)
    given: dict[str, Any] = {} if options.scale is None else {"scale": options.scale}
    given |= {"hydrogens": True} if options.hydrogens else {}
    given = {"scale": 1.0} if unscaled else given
    try:
        return er.Chain.from_pdb(
            file, chain=chain, atoms=options.atoms, model=options.model, breaks="bridge", **given
        )
    except (ValueError, ImportError) as error:
        argument, _, rest = str(error).partition(" ")
        option = f"--{argument.rstrip(':')}"
        named = argument.rstrip(":") in ARGUMENTS and not (argument == "chain" and options.between)
        raise Complaint(f"{option}: {rest}" if named else f"A: {error}") from error


def _within(protein: er.Chain, distance: bool) -> Clashes:
    labels = protein.labels or []
    clashes = er.self_collide(protein, every=True, depth=True)
    found = [
        {"atoms": [labels[i], labels[j]], "depth": float(depth)}
        for (i, j), depth in zip(clashes.pairs, depths_of(clashes), strict=True)
    ]
    nearest = er.self_distance(protein) if distance and not found else None
    if nearest is None or nearest.pair[0] < 0:
        return Clashes(found, None, counted(clashes))
    i, j = (labels[int(k)] for k in nearest.pair)
    return Clashes(found, ((i, j), nearest.value), counted(clashes))


def depths_of(clashes: er.Collision) -> list[float]:
    """One for each pair."""
    return [] if clashes.contacts is None else [float(d) for d in clashes.contacts.depths]


def score_within(protein: er.Chain) -> Score:
    """Of a chain at its full radii."""
    clashes = er.self_collide(protein, every=True, depth=True)
    serious = serious_pairs(clashes, protein, protein)
    return Score(len(serious), count_of(protein))


def serious_pairs(clashes: er.Collision, a: er.Chain, b: er.Chain) -> list[tuple[int, int]]:
    """Those that MolProbity would count."""
    places = [chain.positions(side=True) for chain in (a, b)]
    out = []
    for (i, j), depth in zip(clashes.pairs.tolist(), depths_of(clashes), strict=True):
        polar = all((chain.labels or [])[k].rpartition("/")[2][0] in "NO" for chain, k in ((a, i), (b, j)))
        apart = float(np.linalg.norm(places[0][i] - places[1][j]))
        if depth > SERIOUS and not (polar and apart >= HYDROGEN_BOND):
            out.append((i, j))
    return out


def report(clashes: Clashes, what: str, score: Score | None) -> None:
    """Print the verdict."""
    print(_verdict(clashes, what))
    if score is not None:
        overlaps = f"{plural(score.clashes, 'overlap')} of more than {SERIOUS} A"
        atoms = f"{plural(score.atoms, 'heavy atom')}; without hydrogens"
        print(f"  clash score: {score.value:.3g} ({overlaps}, {atoms})")


def facts_of(file: Path, clashes: Clashes, score: Score | None) -> dict[str, Any]:
    """For the JSON file."""
    facts: dict[str, Any] = {
        "verdict": "collision" if clashes.found else "free",
        "file": str(file),
        "clashes": clashes.found,
        "counters": clashes.counters,
    }
    if score is not None:
        counts = {"value": score.value, "overlaps": score.clashes, "atoms": score.atoms}
        facts["clash_score"] = counts | {"definition": DEFINITION}
    if clashes.nearest is not None:
        names, value = clashes.nearest
        facts["nearest"] = {"atoms": list(names), "distance": value}
    return facts


def count_of(protein: er.Chain) -> int:
    """How many atoms a chain has."""
    return len(protein.labels or [])


def atoms_of(chains: Sequence[er.Chain]) -> str:
    """Their number in words."""
    return plural(sum(map(count_of, chains)), "atom")


def gaps_of(chains: Sequence[er.Chain]) -> str:
    """How many gaps were bridged, if any."""
    count = sum(len(chain.breaks) for chain in chains)
    return f", {plural(count, 'gap')} bridged" if count else ""


def _verdict(clashes: Clashes, what: str) -> str:
    found = clashes.found
    if not found:
        where = ""
        if clashes.nearest is not None:
            (i, j), value = clashes.nearest
            where = f"\n  closest: {i} and {j}, {value:.4g} A between their surfaces"
        return f"free: no clash among {what}{where}"
    deepest = sorted(found, key=lambda clash: -clash["depth"])
    rows = [(", ".join(c["atoms"]), f"{c['depth']:.4g}") for c in deepest]
    head = f"collision: {plural(len(found), 'clash', 'es')} among {what}"
    return "\n".join([head, *listing(rows, LISTED, ("atoms", "depth (A)"))])
