"""Parallel tempering: temperatures are exchanged as they should be, and threads make no difference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sampling_makers import ATTRACTION, assert_same, beads, measured

import elbowroom as er
from elbowroom.sampling import folder, sample
from elbowroom.sampling._walk.tempering import Exchanges

LADDER = [1.0, 1.6, 2.5, 4.0]
MOVES = {"pivot": 1.0, "torsion": 1.0, "crankshaft": 1.0}


def tempered(n: int = 30, **more: Any) -> er.sampling.Run:
    given: dict[str, Any] = {"steps": 1000, "swap_every": 20, "temperature": LADDER} | more
    return sample(beads(n), MOVES, ATTRACTION, **given)


def test_everything_is_told_by_temperature() -> None:
    run = tempered(steps=4000)
    assert run.temperatures == tuple(LADDER) and run.tempered
    assert {name: values.shape for name, values in run.observables.items()} == dict.fromkeys(
        ["end_to_end", "radius_of_gyration", "energy"], (4, 1000)
    )
    means = run.observables["energy"].mean(axis=1)
    assert (np.diff(means) > 0).all()
    assert run.swaps is not None and run.swaps.shape == (3,) and ((run.swaps > 0) & (run.swaps < 1)).all()
    assert len(run.chains) == 4 and run.chain is run.chains[0]
    for tally in zip(*run.tallies.values(), strict=True):  # of one temperature
        assert sum(tried for tried, _, _ in tally) == 4000
    accepted = np.array(list(run.acceptance.values()))
    assert (accepted[:, 0] < accepted[:, 3]).all()


def test_rows_and_callbacks_fit_the_chains_of_their_temperatures() -> None:
    last: list[er.sampling.State] = []

    def look(state: er.sampling.State) -> None:
        assert len(state.chains) == len(LADDER) and state.temperatures == tuple(LADDER)
        for t, chain in enumerate(state.chains):
            expected = measured(chain)
            for name in ("end_to_end", "radius_of_gyration"):
                assert state.observables[name][t] == pytest.approx(expected[name], rel=1e-9)
            assert state.observables["energy"][t] == pytest.approx(chain.energy(), rel=1e-9)
        last.append(state)

    run = tempered(every=20, callback=look)
    assert [state.step for state in last] == run.steps_at.tolist()
    walkers = [tuple(id(chain) for chain in state.chains) for state in last]
    assert len(set(walkers)) > 5  # temperatures did go from chain to chain
    for name, values in run.observables.items():
        assert np.array_equal(values, np.array([state.observables[name] for state in last]).T)


def test_walkers_draw_their_own_numbers() -> None:
    """Where temperatures are so high that they make no difference, only these do."""
    run = tempered(temperature=[1e12, 2e12], swap_every=10**6)
    one, other = run.observables["end_to_end"]
    assert (one != other).mean() > 0.9
    assert np.isnan(run.swaps).all()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_make_no_difference(threads: int) -> None:
    assert_same(tempered(burn_in=100), tempered(burn_in=100, threads=threads))
    assert tempered(seed=1).observables["energy"].tolist() != tempered().observables["energy"].tolist()


def test_how_it_is_cut_up_makes_no_difference_and_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "PATIENCE", 0.0)  # every checkpoint is written

    class Enough(Exception):
        pass

    def fail(state: er.sampling.State) -> None:
        if state.step == 7 * 97:
            raise Enough

    whole = tempered(burn_in=70, checkpoint=70, every=10)
    assert_same(
        whole, tempered(burn_in=70, checkpoint=70, every=10, callback=lambda _: None, callback_every=7)
    )
    options: dict[str, Any] = {"burn_in": 70, "checkpoint": 70, "every": 10, "out": tmp_path}
    with pytest.raises(Enough):
        tempered(**options, steps=800, callback=fail, callback_every=97)
    grown = tempered(**options, resume=True)
    assert_same(whole, grown)
    assert np.array_equal(whole.swaps, grown.swaps)
    again = er.sampling.Run.load(tmp_path)
    assert np.array_equal(again.swaps, grown.swaps) and again.tallies == grown.tallies
    assert sorted(path.name for path in tmp_path.glob("*.dcd")) == [f"trajectory-{t}.dcd" for t in range(4)]


def test_sizes_of_a_burn_in_belong_to_temperatures_and_go_with_them() -> None:
    run = tempered(steps=100, burn_in=4000)
    assert set(run.sizes["pivot"]) == {None}
    assert run.sizes["crankshaft"][0] < 0.7 * run.sizes["crankshaft"][3]
    tallies = np.array(list(run.tallies.values()))
    assert tallies[:, :, 0].sum(axis=0).tolist() == [100] * 4
    accepted = run.swaps * [3, 2, 3]  # of five rounds, after an even number of them
    assert np.array_equal(accepted, accepted.round())
    longer = tempered(steps=5000, burn_in=4000)
    assert longer.sizes == run.sizes and longer.swaps.min() > 0


# Exchanges on their own, with walkers that do nothing but stand at an energy.


class Standing:
    """Walkers of which only energies are known; they move to where they are exchanged to."""

    def __init__(self, energies: list[float]) -> None:
        self.at = list(energies)

    def energies(self) -> list[float]:
        return list(self.at)

    def exchange(self, t: int) -> None:
        self.at[t], self.at[t + 1] = self.at[t + 1], self.at[t]


def test_exchanges_alternate_between_even_and_odd_neighbours() -> None:
    exchanges = Exchanges([1.0, 2.0, 3.0, 4.0, 5.0], seed=0)
    for _ in range(10):
        exchanges.attempt(Standing([0.0] * 5))  # type: ignore[arg-type]
    assert exchanges.tried.tolist() == exchanges.accepted.tolist() == [5, 5, 5, 5]
    exchanges.forget()
    assert exchanges.tried.tolist() == [0] * 4 and np.isnan(exchanges.shares()).all()


@pytest.mark.parametrize("high", [3.0, np.inf])
def test_an_exchange_has_the_chance_that_keeps_the_weights(high: float) -> None:
    """Of cold at E and hot at E', the weight exp(-E / T - E' / T') of either order."""
    exchanges = Exchanges([1.0, high], seed=4)
    count = 0
    for _ in range(20_000):
        walkers = Standing([-2.0, -1.0])  # the cold one has the lower energy: an exchange is uphill
        exchanges.attempt(walkers)  # type: ignore[arg-type]
        exchanges.rounds = 0
        count += walkers.at == [-1.0, -2.0]
    chance = np.exp(-(1.0 - 1.0 / high))
    assert exchanges.accepted[0] == count
    assert count == pytest.approx(20_000 * chance, abs=4.5 * np.sqrt(20_000 * chance * (1 - chance)))
    downhill = Standing([-1.0, -2.0])
    exchanges.attempt(downhill)  # type: ignore[arg-type]
    assert downhill.at == [-2.0, -1.0]


def test_infinite_energies_are_never_exchanged_for_each_other() -> None:
    exchanges = Exchanges([1.0, 2.0], seed=0)
    walkers = Standing([np.inf, np.inf])
    exchanges.attempt(walkers)  # type: ignore[arg-type]
    assert exchanges.accepted.tolist() == [0]


def test_the_state_of_exchanges_is_all_there_is_to_them() -> None:
    import json

    one, other = Exchanges([1.0, 2.0, 4.0], seed=1), Exchanges([1.0, 2.0, 4.0], seed=2)
    rng = np.random.default_rng(0)
    given = [rng.normal(size=3).tolist() for _ in range(50)]
    for energies in given:
        one.attempt(Standing(energies))  # type: ignore[arg-type]
    other.restore(json.loads(json.dumps(one.state())))
    for energies in given:
        left, right = Standing(energies), Standing(energies)
        one.attempt(left)  # type: ignore[arg-type]
        other.attempt(right)  # type: ignore[arg-type]
        assert left.at == right.at
    assert one.state() == other.state()


def test_every_temperature_has_the_energy_it_has_alone() -> None:
    """Six beads: long runs at single temperatures, and the last is as if there were no energy."""
    ladder = [0.7, 1.5, np.inf]
    options: dict[str, Any] = {"steps": 60_000, "every": 10, "burn_in": 500, "threads": 1}
    run = tempered(6, temperature=ladder, **options)
    chain = beads(6)
    for t, temperature in enumerate(ladder):
        alone = sample(chain, MOVES, ATTRACTION, temperature=temperature, seed=t + 1, **options)
        one, other = er.sampling.estimate(run.observables["energy"][t], 10), alone.estimate("energy")
        assert abs(one.mean - other.mean) < 4.5 * np.hypot(one.error, other.error)
        assert one.error < 0.05
