"""Energies with parameters of each ball, charges, torsions, pairs of their own, and sums of them."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import energy_oracle as slow
import numpy as np
import pytest
from chain_makers import MAKERS, VOLUMES, Recipe, Side, rng_of
from chain_oracle import SlowChain, Twin, random_move
from energy_oracle import PairSum, TorsionSum
from numba import cfunc

import elbowroom as er

energies = er.energies
CUTOFF = 5.0
#: What an energy is made of: itself, and its slow forms.
Made = tuple[Any, list[Any]]


def rough(maker: str, rng: np.random.Generator, n: int) -> Recipe:
    """No four balls in a line, whose torsion is noise, and no two in one place."""
    recipe = MAKERS[maker](rng, n)
    return replace(recipe, positions=recipe.positions + rng.uniform(-0.1, 0.1, recipe.positions.shape))


class Case:
    """Random parameters for the balls of a chain: some of them are nothing at all."""

    def __init__(self, twin: SlowChain, rng: np.random.Generator) -> None:
        self.rng, self.n = rng, len(twin.balls)
        self.of_chain = {(i, j) for i, j in np.argwhere(~np.isfinite(twin.sums)).tolist() if i < j}
        self.epsilon = np.where(rng.random(self.n) < 0.2, 0.0, rng.uniform(0.0, 0.3, self.n))
        self.sigma = np.where(rng.random(self.n) < 0.1, 0.0, rng.uniform(0.2, 0.8, self.n))
        self.charges = np.where(rng.random(self.n) < 0.2, 0.0, rng.normal(size=self.n))

    def pairs(self, count: int) -> np.ndarray:
        """Neighbours and others, each pair once, in any order of the two."""
        i = self.rng.integers(0, self.n, count)
        j = np.where(
            self.rng.random(count) < 0.7,
            i + self.rng.integers(1, 4, count),
            self.rng.integers(0, self.n, count),
        )
        pairs = np.stack([i, j], axis=1)[(i != j) & (j < self.n)]
        _, first = np.unique(np.sort(pairs, axis=1), axis=0, return_index=True)
        return pairs[first]

    def mixed(self, own: bool = False, scaled: bool = False, **how: Any) -> Made:
        e, s = slow.mixed(self.epsilon, self.sigma, how.get("mixing") == "geometric")
        plain = value = slow.lennard_jones(e, s)
        if how.get("shift"):
            value = lambda d: plain(d) - plain(np.full_like(d, CUTOFF))  # noqa: E731
        if "switch" in how:
            value = slow.switched(plain, how["switch"], CUTOFF)
        cutoff = how.pop("cutoff", CUTOFF)
        return self._over_pairs(
            lambda **rest: energies.LennardJones(self.epsilon, self.sigma, cutoff, **how, **rest),
            *(value, plain, cutoff, own, scaled),
        )

    def coulomb(self, own: bool = False, scaled: bool = False, **how: Any) -> Made:
        q = self.charges[:, None] * self.charges[None] * 2.0 / 4.0
        power = 2 if how.get("distance_dependent") else 1
        plain = value = lambda d: q / d**power
        if how.get("method") == "shift":
            value = lambda d: q * (1 / d**power - 1 / CUTOFF**power)  # noqa: E731
        if how.get("method") == "reaction-field":
            k, c = 9.0 / 21.0 / CUTOFF**3, 30.0 / 21.0 / CUTOFF
            value = lambda d: q * (1 / d + k * d**2 - c)  # noqa: E731
            how["solvent"] = 10.0
        cutoff = how.pop("cutoff", CUTOFF)
        given = how | {"constant": 2.0, "dielectric": 4.0}
        return self._over_pairs(
            lambda **rest: energies.Coulomb(self.charges, cutoff, **given, **rest),
            *(value, plain, cutoff, own, scaled),
        )

    def _over_pairs(
        self, make: Callable[..., Any], value: Any, plain: Any, cutoff: float, own: bool, scaled: bool
    ) -> Made:
        given: dict[str, Any] = {}
        exclude = self.of_chain
        if own:
            given["exclude"] = self.pairs(self.n)
            exclude = {tuple(p) for p in given["exclude"].tolist()}
        factors: dict[Any, float] = {}
        if scaled:
            pairs = self.pairs(self.n // 2)
            given["scaled"] = pairs, self.rng.uniform(0.0, 1.0, len(pairs))
            factors = dict(zip(map(tuple, pairs.tolist()), given["scaled"][1].tolist(), strict=True))
        return make(**given), [PairSum(value, cutoff, exclude, factors, plain)]

    def torsions(self) -> Made:
        count = 2 * self.n if self.n > 3 else 0
        balls = np.array([self._four() for _ in range(count)], int).reshape(-1, 4)
        k, n = self.rng.normal(size=count), self.rng.integers(0, 7, count)
        phase = self.rng.uniform(-4.0, 4.0, count)
        return energies.Torsions(balls, k, n, phase), [TorsionSum(balls, k, n, phase)]

    def _four(self) -> np.ndarray:
        if self.rng.random() < 0.7:
            return int(self.rng.integers(0, self.n - 3)) + self.rng.permutation(4)
        return self.rng.choice(self.n, 4, replace=False)

    def named(self) -> Made:
        pairs = self.pairs(self.n)
        e, s, q = (
            self.rng.uniform(0.0, 1.0, len(pairs)) * (self.rng.random(len(pairs)) < 0.7) for _ in range(3)
        )

        def value(d: np.ndarray) -> np.ndarray:
            out = np.zeros_like(d)
            at = d[pairs[:, 0], pairs[:, 1]]
            out[pairs[:, 0], pairs[:, 1]] = 4 * e * ((s / at) ** 12 - (s / at) ** 6) + q / at
            return out + out.T

        scaled = dict.fromkeys(map(tuple, pairs.tolist()), 1.0)
        return energies.Pairs(pairs, epsilon=e, sigma=s, charges=q), [
            PairSum(value, 0.0, set(), scaled, value)
        ]

    def sum(self, *names: str) -> Made:
        made = [FORMS[name](self) for name in names]
        return energies.Sum(*(each for each, _ in made)), [part for _, parts in made for part in parts]


FORMS: dict[str, Callable[[Case], Made]] = {
    "mixed": lambda c: c.mixed(),
    "geometric": lambda c: c.mixed(mixing="geometric", own=True),
    "shifted": lambda c: c.mixed(shift=True, scaled=True),
    "switched": lambda c: c.mixed(switch=3.0, own=True, scaled=True),
    "untruncated": lambda c: c.mixed(cutoff=np.inf),
    "charges": lambda c: c.coulomb(scaled=True),
    "charges shifted": lambda c: c.coulomb(method="shift", own=True),
    "reaction field": lambda c: c.coulomb(method="reaction-field", own=True, scaled=True),
    "dielectric": lambda c: c.coulomb(distance_dependent=True, scaled=True),
    "dielectric shifted": lambda c: c.coulomb(distance_dependent=True, method="shift"),
    "charges untruncated": lambda c: c.coulomb(cutoff=np.inf, own=True, scaled=True),
    "torsions": lambda c: c.torsions(),
    "named": lambda c: c.named(),
    "sum": lambda c: c.sum("switched", "reaction field", "torsions", "named"),
    "sum with that of the chain": lambda c: c.sum("mixed", "charges shifted", "dielectric", "torsions"),
}
every_form = pytest.mark.parametrize("form", FORMS)


class Charged:
    """A chain with an energy, and its slow twin with the slow energy."""

    def __init__(self, recipe: Recipe, form: str, rng: np.random.Generator, **settings: Any) -> None:
        self.twin = Twin.of(recipe, **settings)
        self.energy, self.parts = FORMS[form](Case(self.twin.slow, rng))
        self.twin.chain.set_energy(self.energy)

    def true(self) -> tuple[float, float]:
        """The energy, and the sum of the sizes of its terms."""
        terms = np.concatenate([part.terms(self.twin.slow.balls) for part in self.parts])
        return float(terms.sum()), float(np.abs(terms).sum())

    def check(self) -> None:
        value, size = self.true()
        # Lennard-Jones of balls all but in one place is as wrong as their distance, times its power.
        assert abs(self.twin.chain.energy() - value) <= 1e-9 * (1.0 + size), (self.twin.chain.energy(), value)


@every_form
@pytest.mark.parametrize("maker", ["branched", "coil"])
def test_the_energy_is_right_after_every_change_and_undo(form: str, maker: str) -> None:
    for n in (2, 5, 70):
        rng = rng_of(form, maker, n)
        charged = Charged(rough(maker, rng, n), form, rng)
        charged.check()
        for _ in range(8):
            for _ in range(int(rng.integers(1, 3))):
                charged.twin.make(random_move(rng, charged.twin.slow, gentle=bool(rng.random() < 0.7)))
            if rng.random() < 0.7:
                charged.check()
            if rng.random() < 0.5:
                charged.twin.check_verdict()
            charged.twin.undo(int(rng.integers(0, min(3, len(charged.twin.slow.history) + 1))))
            charged.check()
        charged.twin.chain.validate()


@pytest.mark.parametrize("scaled", [False, True], ids=["excluded", "scaled"])
def test_an_energy_with_pairs_of_its_own_hides_no_collision(scaled: bool) -> None:
    """A sampler finds clashes and energies in one search, also clashes of pairs that have no energy."""
    rng = rng_of("verdict", scaled)
    recipe = MAKERS["coil"](rng, 60)
    chain, twin = recipe.chain(), SlowChain(recipe)
    pairs = np.argwhere(np.triu(rng.random((60, 60)) < 0.9, 1))
    rest: dict[str, Any] = {"scaled": (pairs, 1e-9)} if scaled else {"exclude": pairs}
    energy = energies.LennardJones(np.full(60, 1e-9), 0.5, 3.0, **rest)

    def look(state: Any) -> None:
        twin.balls = state.chain.positions()
        assert not twin.collides()

    run = er.sampling.sample(
        chain, {"torsion": 1.0}, energy, temperature=1.0, steps=1000, every=1, seed=1, callback=look
    )
    assert 0.1 < run.acceptance["torsion"] < 0.9


def test_errors_do_not_pile_up() -> None:
    """10,000 moves of joints and side torsions, accepted where they leave the chain free."""
    rng = rng_of("pile of terms")
    charged = Charged(rough("branched", rng, 40), "sum", rng)
    chain, accepted = charged.twin.chain, 0
    joints, angles = rng.integers(0, 39, 10_000).tolist(), (rng.normal(size=10_000) * 0.1).tolist()
    for joint, angle in zip(joints, angles, strict=True):
        if joint % 4 == 0 and chain.side.torsions:
            chain.rotate_side(joint % len(chain.side.torsions), angle)
        else:
            chain.rotate(joint, angle)
        chain.energy()
        if chain.collides():
            chain.undo()
        else:
            accepted += 1
    assert accepted > 500
    fresh = copy.copy(chain)
    charged.twin.slow.balls = chain.positions(side=True)
    value, size = charged.true()
    assert abs(chain.energy() - fresh.energy()) <= 1e-10 * size
    assert abs(chain.energy() - value) <= 1e-10 * size


def test_balls_whose_energy_is_nothing_may_coincide() -> None:
    line = [[0, 0, 0], [1, 0, 0], [0, 0, 0], [1, 0, 0]]
    chain = er.Chain(line, 0.0, exclude=0)
    nothing = [0.0, 1.0, 0.0, 0.0]
    for energy in (
        energies.LennardJones(nothing, 1.0, 3.0),
        energies.LennardJones(1.0, nothing, 3.0, mixing="geometric"),
        energies.Coulomb(nothing, 3.0),
        energies.Coulomb(nothing, 3.0, distance_dependent=True, scaled=([(0, 2)], 1.0)),
    ):
        chain.set_energy(energy)
        assert chain.energy() == 0.0


@pytest.mark.parametrize("volume", ["auto", "sphere of eight", "obb"])
def test_a_torsion_follows_its_joint(volume: str) -> None:
    points = [[1, 0, 0.5], [0, 0, 0], [0, 1, 0], [1, 1, -0.5], [1, 2, 0]]
    chain = er.Chain(points, 0.01, **VOLUMES[volume])
    for joint in (1, 2):
        chain.set_energy(energies.Torsions([joint], 1.5, 2, 0.3))
        for _ in range(20):
            chain.rotate(joint, 0.37)
            angle = slow.dihedrals(chain.positions(), np.arange(joint - 1, joint + 3)[None])[0]
            assert chain.energy() == pytest.approx(1.5 * (1 + np.cos(2 * angle - 0.3)), abs=1e-12)
    assert slow.dihedrals(np.array(points), np.array([[0, 1, 2, 3]]))[0] == pytest.approx(
        2 * np.arctan(0.5)
    )  # clockwise


def test_kinds_stand_for_parameters_of_each_ball() -> None:
    rng = rng_of("kinds of terms")
    recipe = rough("branched", rng, 20)
    chain = recipe.chain()
    balls = len(chain.positions(side=True))
    kinds = rng.integers(0, 3, balls)
    e, s, q = rng.uniform(0, 1, 3), rng.uniform(0.5, 1, 3), rng.normal(size=3)
    table = energies.Table(np.add.outer(np.arange(3.0), np.arange(3.0))[:, :, None] * [1.0, 0.5], 4.0)
    chain.set_energy(energies.Sum(energies.LennardJones(e, s, 5.0), energies.Coulomb(q, 6.0), table), kinds)
    together = chain.energy()
    alone = 0.0
    for energy, given in (
        (energies.LennardJones(e[kinds], s[kinds], 5.0), None),
        (energies.Coulomb(q[kinds], 6.0), None),
        (table, kinds),
    ):
        chain.set_energy(energy, given)
        alone += chain.energy()
    assert together == pytest.approx(alone, rel=1e-12)


@every_form
def test_copies_and_pickles_keep_the_energy(form: str) -> None:
    rng = rng_of("copies of terms", form)
    charged = Charged(rough("branched", rng, 30), form, rng)
    charged.twin.make(random_move(rng, charged.twin.slow, gentle=True))
    before = charged.twin.chain.energy()
    for copied in (copy.deepcopy(charged.twin.chain), pickle.loads(pickle.dumps(charged.twin.chain))):
        assert copied.energy() == pytest.approx(before, rel=1e-12)
        copied.rotate(7, 0.05)
        charged.twin.chain.rotate(7, 0.05)
        assert copied.energy() == pytest.approx(charged.twin.chain.energy(), rel=1e-12)
        charged.twin.chain.undo()


def test_a_chain_with_a_callback_is_copied_but_not_pickled() -> None:
    @cfunc("float64(float64, int32, int32)")
    def one(squared: float, kind_a: int, kind_b: int) -> float:
        return 1.0

    chain = er.Chain(er.scenes.serpentine(10), 0.5)
    called = energies.Callback(one, 3.0)
    for energy in (called, energies.Sum(called, energies.Torsions([1], 1.0, 1))):
        chain.set_energy(energy)
        assert copy.deepcopy(chain).energy() == copy.copy(chain).energy() == chain.energy()
        with pytest.raises(TypeError, match=r"Callback cannot be pickled.*set_energy\(None\)"):
            pickle.dumps(chain)
    chain.exclude([(0, 5)])
    assert chain.energy() > 0
    chain.set_energy(None)
    assert pickle.loads(pickle.dumps(chain)).excluded.tolist() == chain.excluded.tolist()


def test_a_sum_is_sampled_and_goes_on_from_its_folder(tmp_path: Any) -> None:
    """Joints and side torsions turn; the energies that the sampler goes by are those of the states."""
    rng = rng_of("sampled terms")
    recipe = rough("branched", rng, 30)
    (energy, parts), (other, _) = (Case(SlowChain(recipe), rng).sum("switched", "torsions") for _ in range(2))
    given: dict[str, Any] = {"temperature": 1.0, "seed": 3, "every": 10, "checkpoint": 500}

    def check(state: Any) -> None:
        points = state.chain.positions(side=True)
        terms = np.concatenate([part.terms(points) for part in parts])
        assert abs(state.observables["energy"] - terms.sum()) <= 1e-9 * np.abs(terms).sum()

    def sampled(steps: int, of: Any, folder: str, resume: bool) -> Any:
        return er.sampling.sample(
            *(recipe.chain(), {"torsion": 1.0, "side": 1.0}, of),
            **(given | {"steps": steps, "out": tmp_path / folder, "resume": resume, "callback": check}),
        )

    whole = sampled(1000, energy, "whole", False)
    assert all(0 < share < 1 for share in whole.acceptance.values())
    sampled(500, energy, "parts", False)
    with pytest.raises(ValueError, match="energy"):
        sampled(1000, other, "parts", True)
    goes_on = sampled(1000, energy, "parts", True)
    assert np.ptp(whole.observables["energy"]) > 0
    assert np.array_equal(whole.observables["energy"], goes_on.observables["energy"])


WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "epsilon negative": (lambda: energies.LennardJones([1.0, -1.0], 1.0, 3.0), "epsilon"),
    "epsilon and a matrix": (lambda: energies.LennardJones([1.0, 1.0], np.eye(2), 3.0), "epsilon must be"),
    "sigma of others": (lambda: energies.LennardJones([1.0, 1.0], [1.0] * 3, 3.0), "epsilon and sigma"),
    "mixing": (lambda: energies.LennardJones([1.0], 1.0, 3.0, mixing="none"), "mixing"),
    "switch too far": (lambda: energies.LennardJones(1.0, 1.0, 3.0, switch=3.0), "switch"),
    "switch and shift": (lambda: energies.LennardJones(1.0, 1.0, 3.0, switch=2.0, shift=True), "switch"),
    "shift without end": (lambda: energies.LennardJones(1.0, 1.0, np.inf, shift=True), "cutoff"),
    "cutoff nan": (lambda: energies.Coulomb([1.0], np.nan), "cutoff"),
    "charges table": (lambda: energies.Coulomb(np.eye(2), 3.0), "charges"),
    "charges nan": (lambda: energies.Coulomb([np.nan], 3.0), "charges"),
    "method": (lambda: energies.Coulomb([1.0], 3.0, method="ewald"), "method"),
    "method without end": (lambda: energies.Coulomb([1.0], np.inf, method="reaction-field"), "cutoff"),
    "method by distance": (
        lambda: energies.Coulomb([1.0], 3.0, method="reaction-field", distance_dependent=True), "method"
    ),
    "dielectric": (lambda: energies.Coulomb([1.0], 3.0, dielectric=0.0), "dielectric"),
    "solvent": (lambda: energies.Coulomb([1.0], 3.0, solvent=-1.0), "solvent"),
    "exclude": (lambda: energies.Coulomb([1.0], 3.0, exclude=[1, 2]), "exclude"),
    "exclude negative": (lambda: energies.Table([1.0, 1.0], 3.0, exclude=[(0, -1)]), "exclude"),
    "scaled": (lambda: energies.Coulomb([1.0], 3.0, scaled=[(0, 1)]), "scaled"),
    "scaled twice": (lambda: energies.Coulomb([1.0], 3.0, scaled=([(0, 1), (1, 0)], 0.5)), "scaled"),
    "scaled itself": (lambda: energies.Coulomb([1.0], 3.0, scaled=([(1, 1)], 0.5)), "scaled"),
    "scaled by too many": (lambda: energies.Coulomb([1.0], 3.0, scaled=([(0, 1)], [1.0, 2.0])), "scaled"),
    "balls three": (lambda: energies.Torsions([(0, 1, 2)], 1.0, 1), "balls"),
    "balls twice": (lambda: energies.Torsions([(0, 1, 2, 1)], 1.0, 1), "balls"),
    "joint 0": (lambda: energies.Torsions([0], 1.0, 1), "joint 0"),
    "n half": (lambda: energies.Torsions([1], 1.0, 1.5), "n must"),
    "n negative": (lambda: energies.Torsions([1], 1.0, -1), "n must"),
    "k too many": (lambda: energies.Torsions([1], [1.0, 2.0], 1), "k must"),
    "phase infinite": (lambda: energies.Torsions([1], 1.0, 1, np.inf), "phase"),
    "pair twice": (lambda: energies.Pairs([(3, 3)]), "balls"),
    "pair sigma": (lambda: energies.Pairs([(3, 4)], sigma=-1.0), "sigma"),
    "nothing": (lambda: energies.Sum(), "energies"),
    "no energy": (lambda: energies.Sum(energies.Clashes(), 1.0), r"energies\[1\]"),  # type: ignore[arg-type]
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_energy_is_an_error_that_names_the_argument(what: str) -> None:
    make, name = WRONG[what]
    with pytest.raises((ValueError, TypeError), match=name):
        make()


MISFITS: dict[str, tuple[Any, Any, str]] = {
    "charges": (
        energies.Coulomb([1.0] * 4, 3.0),
        None,
        "charges must have one number for each of the 5 balls, got 4",
    ),
    "epsilon": (energies.LennardJones([1.0] * 6, 1.0, 3.0), None, "epsilon must have one"),
    "kinds": (energies.LennardJones([1.0] * 2, 1.0, 3.0), [0, 1, 2, 0, 0], "kinds"),
    "exclude": (energies.Coulomb([1.0] * 5, 3.0, exclude=[(0, 5)]), None, r"exclude\[0, 1\] is 5"),
    "scaled": (energies.Coulomb([1.0] * 5, 3.0, scaled=([(7, 0)], 1.0)), None, r"scaled\[0\]\[0, 0\] is 7"),
    "torsion": (energies.Torsions([3], 1.0, 1), None, r"balls\[0, 3\] is 5"),
    "pair": (energies.Sum(energies.Pairs([(0, 9)])), None, r"balls\[0, 1\] is 9"),
    "kinds of a sum": (
        energies.Sum(energies.Table(np.ones((2, 2, 2)), 3.0), energies.Torsions([1], 1.0, 1)),
        [0, 1, 2, 0, 0],
        "kinds",
    ),
}


@pytest.mark.parametrize("what", MISFITS)
def test_an_energy_of_other_balls_is_refused_and_the_chain_keeps_its_own(what: str) -> None:
    energy, kinds, message = MISFITS[what]
    chain = er.Chain(er.scenes.serpentine(5), 0.5)
    chain.set_energy(energies.Clashes())
    with pytest.raises(ValueError, match=message):
        chain.set_energy(energy, kinds)
    assert chain.energy() == 0.0


def test_bonded_pairs_are_those_that_few_bonds_join() -> None:
    rng = rng_of("bonded pairs")
    for _ in range(50):
        n = int(rng.integers(2, 12))
        bonds = rng.integers(0, n, (int(rng.integers(0, 12)), 2))
        bonds = bonds[bonds[:, 0] != bonds[:, 1]]
        apart = np.where(np.eye(n, dtype=bool), 0, 99)
        apart[bonds[:, 0], bonds[:, 1]] = apart[bonds[:, 1], bonds[:, 0]] = 1
        for k in range(n):
            apart = np.minimum(apart, apart[:, [k]] + apart[[k]])
        near, fourth = energies.bonded_pairs(bonds, n)
        assert near.tolist() == np.argwhere(np.triu((apart == 1) | (apart == 2))).tolist()
        assert fourth.tolist() == np.argwhere(np.triu(apart == 3)).tolist()


def test_without_a_cutoff_there_may_be_so_many_balls() -> None:
    points = np.arange(100_001)[:, None] * np.array([2.0, 0.0, 0.0])
    chain = er.Chain(points, 0.5)
    with pytest.raises(ValueError, match="cutoff must be finite for more than 100000 balls"):
        chain.set_energy(energies.LennardJones(1.0, 1.0, np.inf))


def test_what_an_energy_is_can_be_read() -> None:
    several = energies.Sum(energies.LennardJones([1.0], 1.0, 9.0), energies.Torsions([1, 2], 1.0, 1))
    assert repr(several) == "<Energy: Lennard-Jones, mixed, cutoff 9 + 2 torsions>"


def tufted(rng: np.random.Generator, n: int) -> Recipe:
    """More side balls a link than a leaf of the tree holds: terms of three links have leaves between them."""
    points = np.cumsum(rng.normal(size=(n, 3)) + np.array([1.5, 0.0, 0.0]), axis=0)
    owner = np.repeat(np.arange(n), 20)
    hanging = points[owner] + rng.normal(size=(len(owner), 3))
    turns = [(link, n + 20 * link, list(range(n + 20 * link + 1, n + 20 * link + 20))) for link in range(n)]
    return Recipe(points, np.full(n, 0.05), side=Side(owner, hanging, np.full(len(owner), 0.05), turns))


def moved(rng: np.random.Generator, charged: Charged, count: int) -> None:
    """Changes of joints and of side balls, some undone, with the energy compared after each."""
    for _ in range(count):
        slow = charged.twin.slow
        if slow.torsions and rng.random() < 0.5:
            charged.twin.make(("rotate_side", (int(rng.integers(len(slow.torsions))), float(rng.normal()))))
        else:
            charged.twin.make(("rotate", (int(rng.integers(slow.links - 1)), float(rng.normal()))))
        charged.check()
        if rng.random() < 0.4:
            charged.twin.undo()
            charged.check()


@pytest.mark.parametrize("form", ["torsions", "named", "charges", "sum"])
def test_terms_reach_over_leaves_of_which_they_have_no_ball(form: str) -> None:
    rng = rng_of("tufted", form)
    moved(rng, Charged(tufted(rng, 6), form, rng), 25)


@pytest.mark.parametrize("maker", ["tiny", "huge", "unequal", "points", "protein", "tolerant"])
def test_the_energy_of_chains_of_any_size_is_right(maker: str) -> None:
    """Charges and torsions of chains a millionth of a millionth or a milliard long; cutoffs go with them."""
    rng = rng_of("sizes", maker)
    recipe = MAKERS[maker](rng, 40)
    unit = float(np.median(np.linalg.norm(np.diff(recipe.positions, axis=0), axis=1)))
    for form in ("charges untruncated", "torsions"):
        charged = Charged(recipe, form, rng)
        moved(rng, charged, 8)
    q, reach = rng.normal(size=40), 4.0 * unit
    chain = recipe.chain()
    chain.set_energy(energies.Coulomb(q, reach, constant=unit, exclude=[]))
    for _ in range(5):
        chain.rotate(int(rng.integers(0, 39)), 0.3)
        part = PairSum(lambda d: unit * q[:, None] * q / d, reach, set())
        terms = part.terms(chain.positions())
        assert chain.energy() == pytest.approx(terms.sum(), abs=1e-9 * np.abs(terms).sum())


def test_everything_may_be_excluded_or_scaled() -> None:
    pairs = np.argwhere(np.triu(np.ones((30, 30), bool), 1))
    chain = MAKERS["coil"](rng_of("all pairs"), 30).chain()
    q = np.arange(30.0)
    chain.set_energy(energies.Coulomb(q, 5.0, exclude=pairs))
    assert chain.energy() == 0.0
    chain.set_energy(energies.Coulomb(q, np.inf, exclude=[]))
    every = chain.energy()
    chain.set_energy(energies.Coulomb(q, 1.0, scaled=(pairs, 0.5)))
    assert chain.energy() == pytest.approx(every / 2, rel=1e-12)
