"""Several chains that move in turn, each an obstacle for the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from peptide import pdb_text, peptide

import elbowroom as er
from elbowroom.sampling import Move, Run, polymer, sample

WHOLE = {"translation": Move(size=0.6), "rotation": Move(size=1.5)}


def box(half: float) -> list[er.HalfSpace]:
    """Six walls around the origin."""
    return [er.HalfSpace(sign * axis, -half) for axis in np.eye(3) for sign in (-1.0, 1.0)]


def two(seed: int = 1) -> list[er.Chain]:
    first, second = polymer(30, seed=seed), polymer(20, seed=seed + 1)
    beyond = np.ptp(first.positions(), axis=0)[2] + np.ptp(second.positions(), axis=0)[2] + 2
    return [first, er.Chain(second.positions() + np.array([0, 0, beyond]), second.radii)]


def rods_in_a_box(half: float, length: float, radius: float, count: int) -> NDArray[np.float64]:
    """(k, 2, 2, 3): the ends of two rods of two balls each, drawn at random until nothing overlaps."""
    rng = np.random.default_rng(5)
    middles = rng.uniform(-half, half, (count, 2, 1, 3))
    along = rng.standard_normal((count, 2, 1, 3))
    along *= length / 2 / np.linalg.norm(along, axis=-1, keepdims=True)
    ends = np.concatenate([middles - along, middles + along], axis=2)
    inside = np.abs(ends).max(axis=(1, 2, 3)) < half - radius
    between = np.linalg.norm(ends[:, 0, :, None] - ends[:, 1, None], axis=-1)
    return ends[inside & (between.min(axis=(1, 2)) > 2 * radius)]


def seen_of(ends: NDArray[np.float64]) -> NDArray[np.float64]:
    """(k, 3): squared distance of the middles, how parallel the rods are, how far out the first is."""
    middles, along = ends.mean(axis=2), ends[:, :, 1] - ends[:, :, 0]
    apart = ((middles[:, 1] - middles[:, 0]) ** 2).sum(axis=1)
    parallel = np.einsum("ij,ij->i", along[:, 0], along[:, 1]) ** 2
    return np.stack([apart, parallel, np.abs(middles[:, 0]).max(axis=1)], axis=1)


def test_two_rods_in_a_box_have_the_distribution_of_rods_drawn_at_random() -> None:
    half, length, radius = 1.3, 0.8, 0.4
    expected = seen_of(rods_in_a_box(half, length, radius, 400_000))
    rods = [er.Chain([[x, -length / 2, 0], [x, length / 2, 0]], radius) for x in (-0.5, 0.5)]
    seen: list[NDArray[np.float64]] = []

    def look(state: er.sampling.State) -> None:
        seen.append(np.array([chain.positions() for chain in state.chains]))

    run = sample(rods, WHOLE, steps=60_000, obstacles=box(half), callback=look, callback_every=10, seed=4)
    assert min(collided for tally in run.tallies.values() for _, collided, _ in tally) > 1000
    found = seen_of(np.array(seen))
    blocks = found.reshape(40, -1, 3).mean(axis=1)
    errors = np.hypot(blocks.std(axis=0, ddof=1) / np.sqrt(40), expected.std(axis=0) / np.sqrt(len(expected)))
    assert (errors < 0.03 * expected.mean(axis=0)).all()
    assert (np.abs(found.mean(axis=0) - expected.mean(axis=0)) < 4.5 * errors).all()
    alone = np.abs(seen_of(rods_in_a_box(half, length, 0.0, 300_000)).mean(axis=0) - expected.mean(axis=0))
    assert alone[0] > 10 * errors[0], "rods that do not see each other are told apart"


def test_chains_stay_clear_of_each_other() -> None:
    def look(state: er.sampling.State) -> None:
        first, second = state.chains
        assert not (er.self_collide(first) or er.self_collide(second) or er.collide(first, second))
        assert first.validate() is None and second.validate() is None

    moves = {"pivot": 1.0, "crankshaft": 1.0, "translation": 1.0}
    start = two()
    kept = [chain.positions() for chain in start]
    run = sample(start, moves, steps=4000, obstacles=box(60.0), callback=look, callback_every=50, seed=2)
    assert all((chain.positions() == before).all() for chain, before in zip(start, kept, strict=True))
    assert run.several and run.links == (30, 20) and len(run.chains) == 2
    assert run.observables["end_to_end"].shape == (2, 1000)
    for k, chain in enumerate(run.chains):
        ends = chain.positions()[[0, -1]]
        assert run.series("end_to_end", chain=k)[-1] == pytest.approx(np.linalg.norm(ends[1] - ends[0]))
    assert run.estimate("end_to_end", chain=1).mean == pytest.approx(run.observables["end_to_end"][1].mean())
    assert "chain" in run.summary() and run.to_table().column_names[:2] == ["step", "chain"]


def test_a_run_goes_on_as_if_it_had_never_stopped(tmp_path: Path) -> None:
    """With moves and energies of their own, and observables that only one of them has."""
    chains = two()
    for chain in chains:
        chain.set_energy(er.energies.LennardJones(1.0, 0.9, cutoff=2.25))
    how: dict[str, Any] = {"moves": [{"pivot": 1.0}, {"crankshaft": 1.0, "translation": 1.0}]}
    how |= {
        "temperature": 2.0,
        "obstacles": box(60.0),
        "every": 10,
        "seed": 9,
        "burn_in": 300,
        "checkpoint": 300,
    }
    whole = sample(chains, steps=2000, **how)
    sample(chains, steps=900, frames=100, out=tmp_path / "run", **how)
    resumed = sample(chains, steps=2000, out=tmp_path / "run", resume=True, **how)
    for run in (resumed, Run.load(tmp_path / "run")):
        assert dict(run.tallies) == dict(whole.tallies) and run.links == whole.links
        for name, values in whole.observables.items():
            assert (run.observables[name] == values).all(), name
    assert whole.tallies["pivot"][1] == (0, 0, 0)
    assert whole.observables["energy"][:, -1] == pytest.approx([chain.energy() for chain in whole.chains])
    import MDAnalysis

    for k, chain in enumerate(resumed.chains):
        files = (tmp_path / "run" / name for name in (f"topology-{k}.pdb", f"trajectory-{k}.dcd"))
        universe = MDAnalysis.Universe(*map(str, files))
        last = universe.trajectory[-1]
        assert len(universe.trajectory) == 20
        assert np.abs(last.positions - chain.positions()).max() < 1e-4


def test_in_open_space_a_burn_in_does_not_enlarge_shifts_without_end() -> None:
    run = sample(two(), {"translation": 1.0}, steps=100, burn_in=3000)
    assert max(run.sizes["translation"]) < 1000  # type: ignore[arg-type, call-overload]


def test_an_observable_that_one_chain_has(tmp_path: Path) -> None:
    (tmp_path / "three.pdb").write_text(pdb_text(peptide(["ALA"] * 3)))
    protein = er.Chain.from_pdb(tmp_path / "three.pdb")
    beads = er.Chain(polymer(9, seed=1).positions() + np.array([0, 0, 40.0]), 0.5)
    names = ["phi", "end_to_end"]
    run = sample([protein, beads], steps=50, observables=names)
    assert list(run.observables) == ["phi:A/2", "phi:A/3", "end_to_end"]
    assert run.series("phi:A/2", chain=0)[-1] == pytest.approx(run.chains[0].torsion("A", 2, "phi").angle)
    assert np.isnan(run.series("phi:A/2", chain=1)).all()
    with pytest.raises(ValueError, match=r"^observables\[0\]: chain: it is no protein"):
        sample([beads, two()[0]], steps=50, observables=names)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "one": ({"chain": two()[:1]}, "^chain must be an er.Chain or a list of at least two"),
    "none": ({"chain": [two()[0], 3]}, r"^chain\[1\] must be an er.Chain"),
    "the same": (
        {"chain": [two()[0]] * 2},
        r"^chain\[0\] collides with chain\[1\] before.*link .* overlap",
    ),
    "moves": ({"moves": [{"pivot": 1.0}]}, "^moves must be as many as there are chains, 2, got 1"),
    "tempering": (
        {"energy": er.energies.LennardJones(1.0, 0.9, cutoff=2.0), "temperature": [1.0, 2.0]},
        "^temperature must be a number: several chains",
    ),
    "wall": ({"obstacles": er.HalfSpace([0, 0, 1], 1000.0)}, r"^chain\[0\] collides with obstacles before"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_named(case: str) -> None:
    given, message = WRONG[case]
    with pytest.raises((ValueError, TypeError), match=message):
        sample(given.pop("chain", None) or two(), steps=10, **given)


def test_an_energy_of_one_chain_alone_is_refused() -> None:
    chains = two()
    chains[0].set_energy(er.energies.LennardJones(1.0, 0.9, cutoff=2.0))
    with pytest.raises(ValueError, match=r"^chain: some have an energy and some have none"):
        sample(chains, steps=10, temperature=1.0)
