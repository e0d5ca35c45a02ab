"""Wrong arguments of sampling: an error that names the argument, before anything is done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from peptide import HELIX, pdb_text, peptide
from sampling_makers import ATTRACTION, beads, branched
from test_arrays import COUNTS, LENGTHS, NONE

import elbowroom as er
from elbowroom.sampling import Move, sample

Row = tuple[Callable[[Any], Any], str, dict[str, Any]]
WARM: dict[str, Any] = {"energy": ATTRACTION, "temperature": 2.0}


def asked(**given: Any) -> Any:
    return sample(beads(), **{"steps": 100} | given)


def moving(**moves: Any) -> Any:
    return asked(moves=moves)


# fmt: off
POSITIVE: dict[str, Any] = COUNTS | {"zero": 0}
TEMPERATURES: dict[str, Any] = {
    "zero": 0.0, "negative": -1.0, "nan": np.nan, "text": "1", "complex": 1j, "bool": True,
    "one of many": [1.0], "falling": [2.0, 1.0], "equal": [1.0, 1.0], "none of many": [],
    "zero of many": [0.0, 1.0], "nan of many": [1.0, np.nan], "table": [[1.0, 2.0]], "texts": ["1", "2"],
}
WEIGHTS: dict[str, Any] = {
    "negative": -1.0, "nan": np.nan, "inf": np.inf, "text": "1", "bool": True, "none": None, "list": [1.0],
}
SIZES: dict[str, Any] = {
    "zero": 0.0, "negative": -0.1, "beyond 1e15": 1e16, "nan": np.nan, "text": "1", "list": [1.0],
}
INDICES: dict[str, Any] = {"negative": [-1], "floats": [1.0], "text": ["1"], "number": 3, "table": [[1, 2]]}
MADE: dict[str, Row] = {
    "weight": (lambda x: Move(weight=x), "weight", WEIGHTS),
    "size": (lambda x: Move(size=x), "size", SIZES),
    "joints": (lambda x: Move(joints=x), "joints", INDICES),
    "torsions": (lambda x: Move(torsions=x), "torsions", INDICES),
    "shortest": (lambda x: Move(shortest=x), "shortest", NONE | {"one": 1, "float": 2.0, "text": "2"}),
    "longest": (lambda x: Move(shortest=4, longest=x), "longest", {"shorter": 3, "float": 5.0, "text": "5"}),
}
ASKED: dict[str, Row] = {
    "steps": (lambda x: asked(steps=x), "steps", NONE | POSITIVE),
    "seed": (lambda x: asked(seed=x), "seed", NONE | COUNTS | {"huge": 2**63}),
    "every": (lambda x: asked(every=x), "every", POSITIVE | {"beyond": 101}),
    "burn_in": (lambda x: asked(burn_in=x), "burn_in", NONE | COUNTS),
    "frames": (lambda x: asked(frames=x), "frames", COUNTS | {"without a folder": 10}),
    "checkpoint": (lambda x: asked(checkpoint=x), "checkpoint", COUNTS),
    "swap_every": (lambda x: asked(swap_every=x), "swap_every", NONE | POSITIVE),
    "threads": (lambda x: asked(threads=x), "threads", POSITIVE),
    "callback": (lambda x: asked(callback=x), "callback", {"number": 3, "text": "print"}),
    "callback_every": (lambda x: asked(callback=print, callback_every=x), "callback_every", POSITIVE),
    "callback_every alone": (lambda x: asked(callback_every=x), "callback_every", {"alone": 10}),
    "out": (lambda x: asked(out=x), "out", {"number": 3, "list": ["a"]}),
    "resume": (lambda x: asked(resume=x), "resume", {"without a folder": True}),
    "energy": (lambda x: asked(energy=x, temperature=1.0), "energy", {"text": "lj", "function": print}),
    "temperature": (lambda x: asked(energy=ATTRACTION, temperature=x), "temperature", NONE | TEMPERATURES),
    "temperature alone": (lambda x: asked(temperature=x), "temperature", {"alone": 1.0, "many": [1.0, 2.0]}),
    "kinds": (lambda x: asked(**WARM, kinds=x), "kinds",
              {"short": [0], "beyond": [1] * 40, "floats": [0.0] * 40}),
    "kinds alone": (lambda x: asked(kinds=x), "kinds", {"alone": [0] * 40}),
    "observables": (lambda x: asked(observables=x), "observables",
                    NONE | {"text": "end_to_end", "unknown": ["size"], "twice": ["end_to_end"] * 2,
                            "number": 3, "numbers": [1], "energy of none": ["energy"]}),
    "contacts": (lambda x: asked(observables=["contacts"], contact_reach=x), "contact_reach", NONE | LENGTHS),
    "contact_reach alone": (lambda x: asked(contact_reach=x), "contact_reach", {"alone": 0.1}),
    "moves": (lambda x: asked(moves=x), "moves",
              {"text": "pivot", "list": ["pivot"], "empty": {}, "unknown": {"flip": 1.0}, "number": {3: 1.0},
               "all zero": {"pivot": 0.0}}),
    "a weight": (lambda x: moving(pivot=x), r"moves\['pivot'\]", WEIGHTS),
    "the joints": (lambda x: moving(torsion=Move(joints=x)), r"moves\['torsion'\].joints",
                   {"beyond": [39], "twice": [3, 3], "empty": []}),
    "joints of a crankshaft": (lambda x: moving(crankshaft=Move(joints=x)), "joints", {"some": [1]}),
    "torsions of a pivot": (lambda x: moving(pivot=Move(torsions=x)), "torsions", {"some": [1]}),
    "length of a pivot": (lambda x: moving(pivot=Move(longest=x)), "longest", {"some": 10}),
    "size of a pivot": (lambda x: moving(pivot=Move(size=x)), r"moves\[.pivot.\].size", {"beyond pi": 3.2}),
    "joints of a rotation": (lambda x: moving(rotation=Move(joints=x)), "joints", {"some": [1]}),
    "shortness of a torsion": (lambda x: moving(torsion=Move(shortest=x)), "shortest", {"some": 10}),
    "shortest": (lambda x: moving(crankshaft=Move(shortest=x)), "shortest", {"beyond": 40}),
    "longest": (lambda x: moving(crankshaft=Move(longest=x)), "longest", {"beyond": 40}),
    "rebridge": (lambda x: moving(rebridge=Move(joints=x)), "rebridge", {"six": range(6)}),
    "side": (lambda x: moving(side=x), "side", {"beads have none": 1.0}),
}
# fmt: on

CASES = [(table, row, what) for table in (MADE, ASKED) for row, (_, _, bad) in table.items() for what in bad]


@pytest.mark.parametrize(("table", "row", "what"), CASES, ids=lambda x: x if isinstance(x, str) else "")
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_what_is_wrong_is_an_error_that_names_the_argument(
    table: dict[str, Row], row: str, what: str
) -> None:
    make, name, bad = table[row]
    with pytest.raises((ValueError, TypeError), match=rf"^{name}\b|^{name}|^moves.*{name}"):
        make(bad[what])


def test_only_chains_with_the_fast_tree_are_sampled() -> None:
    for wrong in (None, er.Sphere(1.0), np.zeros((5, 3)), "chain"):
        with pytest.raises(TypeError, match=r"^chain must be an er\.Chain"):
            sample(wrong, steps=10)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^chain must have the fast tree"):
        sample(er.Chain(er.scenes.coil(10), 0.4, volume="obb"), steps=10)
    for volume in ("sphere", "obb"):
        assert sample(er.Chain(er.scenes.coil(10), 0.4, volume=volume, children=8), steps=10).steps == 10


def test_a_chain_that_collides_is_refused_by_the_names_of_what_overlaps(tmp_path: Path) -> None:
    square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    with pytest.raises(ValueError, match=r"^chain collides .*: link 0 and link 3 overlap"):
        sample(er.Chain(square, 0.6), steps=10)
    side = er.SideBalls(np.array([0, 3], np.int32), np.array([[0.0, 0, 1], [0, 1, 1]]), np.full(2, 0.6))
    with pytest.raises(ValueError, match=r"^chain collides .*: side ball 0 and side ball 1 overlap"):
        sample(er.Chain(square, 0.3, side=side), steps=10)
    file = tmp_path / "knot.pdb"
    file.write_text(pdb_text(peptide(["ALA"] * 8, (60.0, 60.0))))
    chain = er.Chain.from_pdb(file, scale=1.5)
    first, second = (chain.labels[ball] for ball in er.self_collide(chain).pairs[0])
    with pytest.raises(ValueError, match=r"^chain collides") as error:
        sample(chain, steps=10)
    assert f"{first} and {second} overlap" in str(error.value)


def test_what_no_chain_can_do_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^moves\['torsion'\]: needs at least 1 joints"):
        sample(beads(3), {"torsion": 1.0}, steps=10)
    with pytest.raises(ValueError, match=r"^moves\['rebridge'\]: needs at least 7 joints"):
        sample(beads(8), {"rebridge": 1.0}, steps=10)
    with pytest.raises(ValueError, match=r"^moves\['crankshaft'\]\.shortest is 2, but the chain has 1 bond"):
        sample(beads(2), {"crankshaft": 1.0}, steps=10)
    twice = er.Chain([[0, 0, 0], [1, 0, 0], [1, 0, 0], [2, 1, 0], [3, 1, 1]], 0.0)
    with pytest.raises(ValueError, match=r"^moves\['torsion'\]\.joints: joint 1 has no axis"):
        sample(twice, {"torsion": Move(joints=[1, 2])}, steps=10)
    with pytest.raises(ValueError, match=r"^moves\['side'\]\.torsions\[1\] is 30"):
        sample(branched(), {"side": Move(torsions=[0, 30])}, steps=10)


def test_a_protein_without_free_joints_needs_moves_that_are_given(tmp_path: Path) -> None:
    file = tmp_path / "one.pdb"
    file.write_text(pdb_text(peptide(["GLY"], HELIX)))
    chain = er.Chain.from_pdb(file)
    with pytest.raises(ValueError, match=r"^moves must be given"):
        sample(chain, steps=10)
    assert sample(chain, {"pivot": Move(joints=[1])}, steps=10).steps == 10


def test_a_folder_is_not_overwritten_and_another_run_does_not_go_on_in_it(tmp_path: Path) -> None:
    asked(out=tmp_path, checkpoint=50)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    with pytest.raises(ValueError, match=r"^out.* resume=True"):
        asked(out=tmp_path)
    more: dict[str, Any] = {
        "moves": {"torsion": 1.0},
        "burn_in": 3,
        "observables": ["end_to_end"],
        "frames": 7,
    }
    for name, value in ({"seed": 1, "every": 20, "checkpoint": 30} | more).items():
        with pytest.raises(ValueError, match=f"^{name}"):
            asked(out=tmp_path, resume=True, **{name: value})
    with pytest.raises(ValueError, match=r"^steps"):
        asked(out=tmp_path, resume=True, steps=50)
    with pytest.raises(ValueError, match=r"^temperature"):
        asked(out=tmp_path, resume=True, **WARM)
    with pytest.raises(ValueError, match=r"^chain"):
        sample(beads(41), steps=100, out=tmp_path, resume=True)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def test_what_is_borderline_is_taken(tmp_path: Path) -> None:
    assert asked(moves={"pivot": np.float32(1.0)}, steps=np.int64(10), seed=2**63 - 1, every=10).steps == 10
    assert asked(observables=[]).observables == {}
    assert asked(observables=(), **WARM).observables.keys() == {"energy"}
    assert asked(checkpoint=0, threads=1000).steps == 100
    assert asked(energy=ATTRACTION, temperature=np.inf).temperatures == (np.inf,)
    assert asked(energy=ATTRACTION, temperature=np.array([1, 2])).temperatures == (1.0, 2.0)
    assert sample(beads(2), steps=10).steps == 10
    assert asked(out=str(tmp_path / "new" / "run"), resume=True, frames=0).folder == tmp_path / "new" / "run"
    assert Move(joints=np.array([3, 1])) == Move(joints=[3, 1])
