"""`elbowroom check` of a protein: a PDB or mmCIF file in, its clashes out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import elbowroom as er

from .check import counted
from .complaint import Complaint, check_file, write_json
from .options import check_input
from .overlaps import listing, plural

SUFFIXES = (".pdb", ".ent", ".cif", ".mmcif")
LISTED = 10  # clashes that are printed; all go into the JSON file


def is_protein(file: Path) -> bool:
    """By its name: PDB or mmCIF, also gzipped."""
    name = file.name.lower().removesuffix(".gz")
    return name.endswith(SUFFIXES)


def check_protein(
    file: Path, *, chain: str | None, atoms: str, distance: bool = False, json_file: Path | None = None
) -> int:
    """Print the clashes; 0 when there are none, 1 when there are."""
    check_file("--json", json_file)
    protein = _read(file, chain, atoms)
    labels = protein.labels or []
    clashes = er.self_collide(protein, every=True, depth=True)
    found = [
        {"atoms": [labels[i], labels[j]], "depth": float(depth)}
        for (i, j), depth in zip(clashes.pairs, _depths(clashes), strict=True)
    ]
    nearest = er.self_distance(protein) if distance and not found else None
    print(_verdict(file.name, protein, found, nearest))
    facts: dict[str, Any] = {
        "verdict": "collision" if found else "free",
        "file": str(file),
        "links": len(protein),
        "breaks": list(protein.breaks),
        "clashes": found,
        "counters": counted(clashes),
    }
    if nearest is not None:
        facts["nearest"] = {"atoms": [labels[int(k)] for k in nearest.pair], "distance": nearest.value}
    write_json(json_file, facts)
    return int(bool(found))


def _read(file: Path, chain: str | None, atoms: str) -> er.Chain:
    check_input("A", file)
    try:
        return er.Chain.from_pdb(file, chain=chain, atoms=atoms, breaks="bridge")
    except (ValueError, ImportError) as error:
        raise Complaint(f"A: {error}") from error


def _depths(clashes: er.Collision) -> list[float]:
    return [] if clashes.contacts is None else [float(d) for d in clashes.contacts.depths]


def _verdict(name: str, protein: er.Chain, found: list[dict[str, Any]], nearest: er.Distance | None) -> str:
    count = len(protein) + (0 if protein.side is None else len(protein.side.owner))
    balls = plural(count, "atom")
    gaps = f", {plural(len(protein.breaks), 'gap')} bridged" if protein.breaks else ""
    if not found:
        where = ""
        if nearest is not None and protein.labels and nearest.pair[0] >= 0:
            i, j = (protein.labels[int(k)] for k in nearest.pair)
            where = f"\n  closest: {i} and {j}, {nearest.value:.4g} A between their surfaces"
        return f"free: no clash among {balls} of {name}{gaps}{where}"
    deepest = sorted(found, key=lambda clash: -clash["depth"])
    many = plural(len(found), "clash", "es")
    rows = [(", ".join(c["atoms"]), f"{c['depth']:.4g}") for c in deepest]
    head = f"collision: {many} among {balls} of {name}{gaps}"
    return "\n".join([head, *listing(rows, LISTED, ("atoms", "depth (A)"))])
