"""Energies of chains: the sum that is kept, against the sum over all pairs, after every change and undo."""

from __future__ import annotations

import copy
import ctypes
import pickle
from typing import Any

import numpy as np
import pytest
from chain_makers import FAST, MAKERS, VOLUMES, Recipe, coil, rng_of, serpentine
from chain_oracle import PairEnergy, SlowChain, Twin, random_move
from numba import cfunc, types

import elbowroom as er

CUTOFF = 7.0
BINS = np.random.default_rng(0).normal(size=40)
KIND_BINS = np.random.default_rng(1).normal(size=(3, 3, 25))
EPSILON = np.array([[0.5, 0.1, 0.2], [0.1, 1.0, 0.0], [0.2, 0.0, 2.0]])
SIGMA = np.array([[2.0, 1.0, 2.5], [1.0, 0.5, 3.0], [2.5, 3.0, 1.5]])
KIND_BINS += KIND_BINS.transpose(1, 0, 2)


@cfunc(types.float64(types.float64, types.int32, types.int32))
def attraction(squared: float, kind_a: int, kind_b: int) -> float:
    return -(1.0 + kind_a + kind_b) / (1.0 + squared)


def lennard_jones(epsilon: Any, sigma: Any, cutoff: float, shift: bool) -> PairEnergy:
    def of(squared: np.ndarray, *_: np.ndarray) -> np.ndarray:
        def at(s: Any) -> Any:
            return 4.0 * epsilon * ((sigma**2 / s) ** 6 - (sigma**2 / s) ** 3)

        return np.asarray(at(squared) - (at(cutoff**2) if shift else 0.0))

    return of


def lennard_jones_of_kinds(squared: np.ndarray, a: np.ndarray, b: np.ndarray, _: Any) -> np.ndarray:
    return lennard_jones(EPSILON[a, b], SIGMA[a, b], CUTOFF, True)(squared, a, b, _)


def clashes(squared: np.ndarray, _: np.ndarray, __: np.ndarray, sums: np.ndarray) -> np.ndarray:
    """One for every pair that overlaps."""
    return np.asarray(np.sqrt(squared) <= sums, dtype=float)


def table(squared: np.ndarray, *_: np.ndarray) -> np.ndarray:
    return np.asarray(np.interp(squared, np.linspace(0.0, CUTOFF**2, len(BINS)), BINS))


def kind_table(squared: np.ndarray, a: np.ndarray, b: np.ndarray, _: np.ndarray) -> np.ndarray:
    step = squared / CUTOFF**2 * (KIND_BINS.shape[2] - 1)
    low = np.minimum(step.astype(int), KIND_BINS.shape[2] - 2)
    return np.asarray(KIND_BINS[a, b, low] + (step - low) * (KIND_BINS[a, b, low + 1] - KIND_BINS[a, b, low]))


def called(squared: np.ndarray, a: np.ndarray, b: np.ndarray, _: np.ndarray) -> np.ndarray:
    return np.asarray(-(1.0 + a + b) / (1.0 + squared))


# Each energy, its slow form and the cutoff.
ENERGIES: dict[str, tuple[Any, PairEnergy, float]] = {
    "Lennard-Jones": (
        lambda: er.energies.LennardJones(0.5, 2.0, CUTOFF),
        lennard_jones(0.5, 2.0, CUTOFF, False),
        CUTOFF,
    ),
    "Lennard-Jones shifted": (
        lambda: er.energies.LennardJones(0.5, 2.0, CUTOFF, shift=True),
        lennard_jones(0.5, 2.0, CUTOFF, True),
        CUTOFF,
    ),
    "Lennard-Jones of kinds": (
        lambda: er.energies.LennardJones(EPSILON, SIGMA, CUTOFF, shift=True),
        lennard_jones_of_kinds,
        CUTOFF,
    ),
    "clashes": (lambda: er.energies.Clashes(), clashes, np.inf),
    "table": (lambda: er.energies.Table(BINS, CUTOFF), table, CUTOFF),
    "table of kinds": (lambda: er.energies.Table(KIND_BINS, CUTOFF), kind_table, CUTOFF),
    "callback": (lambda: er.energies.Callback(attraction, CUTOFF), called, CUTOFF),
    "callback by address": (lambda: er.energies.Callback(attraction.address, CUTOFF), called, CUTOFF),
    "callback by ctypes": (lambda: er.energies.Callback(attraction.ctypes, CUTOFF), called, CUTOFF),
}
every_energy = pytest.mark.parametrize("name", ENERGIES)


def kinds_of(slow: SlowChain, name: str) -> np.ndarray | None:
    """Three kinds where the energy knows kinds at all."""
    if name in ("table of kinds", "Lennard-Jones of kinds") or name.startswith("callback"):
        return np.random.default_rng(2).integers(0, 3, len(slow.balls))
    return None


def terms(slow: SlowChain, name: str) -> float:
    """The sum of the sizes of all terms, which rounding is relative to."""
    _, of, cutoff = ENERGIES[name]
    return 1.0 + slow.energy(lambda *pair: np.abs(of(*pair)), cutoff, kinds_of(slow, name))


def check_energy(twin: Twin, name: str) -> None:
    _, of, cutoff = ENERGIES[name]
    true = twin.slow.energy(of, cutoff, kinds_of(twin.slow, name))
    assert abs(twin.chain.energy() - true) <= 1e-9 * terms(twin.slow, name)


def with_energy(recipe: Recipe, name: str, **settings: Any) -> Twin:
    twin = Twin.of(recipe, **settings)
    twin.chain.set_energy(ENERGIES[name][0](), kinds_of(twin.slow, name))
    return twin


@every_energy
@pytest.mark.parametrize("maker", ["serpentine", "coil", "branched", "bonded", "tangle"])
def test_the_energy_is_right_after_every_change_and_undo(name: str, maker: str) -> None:
    for n in (2, 17, 100):
        rng = rng_of("energy", maker, n)
        twin = with_energy(MAKERS[maker](rng, n), name)
        check_energy(twin, name)
        for _ in range(12):
            for _ in range(int(rng.integers(1, 3))):
                twin.make(random_move(rng, twin.slow, gentle=maker != "coil"))
            if rng.random() < 0.7:
                check_energy(twin, name)
            if rng.random() < 0.5:
                twin.check_verdict()
            twin.undo(int(rng.integers(0, min(3, len(twin.slow.history) + 1))))
            check_energy(twin, name)
        twin.chain.validate()


@pytest.mark.parametrize("volume", VOLUMES)
def test_the_energy_is_the_same_for_every_volume(volume: str) -> None:
    rng = rng_of("energy of volumes")
    twin = with_energy(serpentine(rng, 90), "table of kinds", **VOLUMES[volume])
    for _ in range(20):
        twin.make(random_move(rng, twin.slow, gentle=True))
        check_energy(twin, "table of kinds")
        if rng.random() < 0.5:
            twin.undo()
            check_energy(twin, "table of kinds")


@every_energy
def test_errors_do_not_pile_up(name: str) -> None:
    """The loop of a sampler: each change accepted if it leaves the chain free, else undone."""
    rng = rng_of("pile")
    twin = with_energy(serpentine(rng, 40), name)
    count = 10_000 if name in ("Lennard-Jones", "table") else 1000
    joints, angles = rng.integers(0, 39, count).tolist(), (rng.normal(size=count) * 0.1).tolist()
    accepted = 0
    for joint, angle in zip(joints, angles, strict=True):
        twin.chain.rotate(joint, angle)
        twin.chain.energy()
        if twin.chain.collides():
            twin.chain.undo()
        else:
            twin.slow.rotate(joint, angle)
            twin.slow.history.clear()
            accepted += 1
    assert accepted > 0.1 * count
    check_energy(twin, name)
    fresh = Recipe(twin.chain.positions(), np.ones(40)).chain()
    fresh.set_energy(ENERGIES[name][0](), kinds_of(twin.slow, name))
    assert twin.chain.energy() == pytest.approx(fresh.energy(), abs=1e-10 * terms(twin.slow, name))


def test_an_undo_brings_the_old_energy_back() -> None:
    rng = rng_of("old energy")
    twin = with_energy(coil(rng, 60), "Lennard-Jones")
    for _ in range(30):
        before, size = twin.chain.energy(), terms(twin.slow, "Lennard-Jones")
        twin.make(random_move(rng, twin.slow, gentle=True))
        twin.chain.energy()
        twin.undo()
        assert twin.chain.energy() == pytest.approx(before, abs=1e-12 * size)
        twin.make(random_move(rng, twin.slow, gentle=True))


@pytest.mark.parametrize("undone", range(1, 6))
def test_changes_of_few_joints_undone_one_by_one(undone: int) -> None:
    """Changes at one joint look alike; which of them were made and which undone must not be mixed up."""
    rng = rng_of("one joint", undone)
    twin = with_energy(serpentine(rng, 40), "table")
    for _ in range(20):
        for _ in range(undone):
            twin.make(("rotate", (int(rng.choice([9, 9, 9, 20])), float(rng.normal()))))
            if rng.random() < 0.3:
                check_energy(twin, "table")
        for _ in range(int(rng.integers(0, undone + 1))):
            twin.undo()
            if rng.random() < 0.3:
                check_energy(twin, "table")
        check_energy(twin, "table")


def test_the_energy_can_be_set_again_and_later() -> None:
    rng = rng_of("later")
    twin = Twin.of(serpentine(rng, 60))
    for name in ("table", "clashes", "callback", "table of kinds", "Lennard-Jones"):
        for _ in range(5):
            twin.make(random_move(rng, twin.slow, gentle=True))
        twin.chain.set_energy(ENERGIES[name][0](), kinds_of(twin.slow, name))
        check_energy(twin, name)
        twin.undo(3)
        check_energy(twin, name)


def test_without_kinds_all_balls_are_of_kind_0() -> None:
    twin = Twin.of(serpentine(rng_of("kind 0"), 50))
    twin.chain.set_energy(er.energies.Table(KIND_BINS, CUTOFF))
    assert twin.chain.energy() == pytest.approx(twin.slow.energy(kind_table, CUTOFF), rel=1e-12)


def test_excluded_and_allowed_pairs_have_no_energy() -> None:
    line = np.arange(5)[:, None] * np.array([2.0, 0.0, 0.0])
    for exclude, allowed, pairs in ((1, [], 6), (2, [], 3), (0, [], 10), (1, [(0, 4), (3, 1)], 4)):
        chain = Recipe(line, np.zeros(5), exclude, allowed).chain()
        chain.set_energy(er.energies.Table([1.0, 1.0], 100.0))
        assert chain.energy() == pairs


def test_pairs_at_the_cutoff_count_and_beyond_it_do_not() -> None:
    line = np.arange(5)[:, None] * np.array([2.0, 0.0, 0.0])
    for cutoff, pairs in ((4.0, 3), (3.999, 0), (6.0, 5), (7.0, 5)):
        chain = er.Chain(line, 0.5)
        chain.set_energy(er.energies.Table([1.0, 1.0], cutoff))
        assert chain.energy() == pairs


def test_clashes_are_the_pairs_that_collide() -> None:
    rng = rng_of("clashes")
    twin = Twin.of(MAKERS["tangle"](rng, 80))
    twin.chain.set_energy(er.energies.Clashes())
    for _ in range(15):
        twin.make(random_move(rng, twin.slow))
        assert twin.chain.energy() == len(er.self_collide(twin.chain, every=True).pairs)


def test_copies_keep_the_energy() -> None:
    rng = rng_of("copies")
    twin = with_energy(serpentine(rng, 50), "table of kinds")
    twin.make(random_move(rng, twin.slow, gentle=True))
    for copied in (copy.copy(twin.chain), copy.deepcopy(twin.chain), pickle.loads(pickle.dumps(twin.chain))):
        assert copied.energy() == pytest.approx(twin.chain.energy(), rel=1e-12)
        copied.rotate(20, 0.05)
        twin.make(("rotate", (20, 0.05)))
        assert copied.energy() == pytest.approx(twin.chain.energy(), rel=1e-12)
        twin.undo()
        check_energy(twin, "table of kinds")


# Wrong arguments.


FLAT = np.zeros(4)
WRONG: dict[str, tuple[Any, str]] = {
    "epsilon nan": (lambda: er.energies.LennardJones(np.nan, 1.0, 3.0), "epsilon"),
    "sigma negative": (lambda: er.energies.LennardJones(1.0, -1.0, 3.0), "sigma"),
    "sigma inf": (lambda: er.energies.LennardJones(1.0, np.inf, 3.0), "sigma"),
    "cutoff negative": (lambda: er.energies.LennardJones(1.0, 1.0, -3.0), "cutoff"),
    "cutoff nan": (lambda: er.energies.Table(FLAT, np.nan), "cutoff"),
    "cutoff infinite": (lambda: er.energies.Table(FLAT, np.inf), "cutoff"),
    "values nan": (lambda: er.energies.Table([0.0, np.nan], 3.0), "values"),
    "values empty": (lambda: er.energies.Table([], 3.0), "values"),
    "values square": (lambda: er.energies.Table(np.zeros((3, 3)), 3.0), "values"),
    "values not symmetric": (lambda: er.energies.Table(np.arange(8.0).reshape(2, 2, 2), 3.0), "values"),
    "epsilon not symmetric": (lambda: er.energies.LennardJones([[1, 2], [3, 4]], 1.0, 3.0), "epsilon"),
    "sigma of other kinds": (lambda: er.energies.LennardJones(np.eye(2), np.eye(3), 3.0), "sigma"),
    "values not square": (lambda: er.energies.Table(np.zeros((2, 3, 5)), 3.0), "values"),
    "function text": (lambda: er.energies.Callback("f", 3.0), "function"),
    "function none": (lambda: er.energies.Callback(None, 3.0), "function"),
    "function null": (lambda: er.energies.Callback(ctypes.c_void_p(0), 3.0), "function"),
    "function of Python": (lambda: er.energies.Callback(lambda s, a, b: 0.0, 3.0), "function"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_energy_is_an_error_that_names_the_argument(what: str) -> None:
    make, name = WRONG[what]
    with pytest.raises((ValueError, TypeError), match=rf"\b{name}"):
        make()


SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_int32, ctypes.c_int32)


def raises(squared: float, kind_a: int, kind_b: int) -> float:
    raise ValueError("nobody would see this")


@pytest.mark.parametrize("given", [
    lambda made: made,
    lambda made: ctypes.cast(made, SIGNATURE),
    lambda made: ctypes.cast(made, ctypes.c_void_p).value,
    lambda made: SIGNATURE(ctypes.cast(made, ctypes.c_void_p).value),
    lambda made: ctypes.PYFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_int32, ctypes.c_int32)(raises),
    lambda made: ctypes.pythonapi.Py_IsInitialized,
], ids=["made", "cast", "address", "made of the address", "with the lock", "of Python itself"])  # fmt: skip
def test_a_function_that_calls_python_is_refused(given: Any) -> None:
    """Errors in it are lost, and the energy is whatever was in the register."""
    made = SIGNATURE(raises)
    with pytest.raises(ValueError, match=r"function must not call Python.*numba\.cfunc"):
        er.energies.Callback(given(made), 3.0)


def test_a_function_of_a_shared_library_is_taken() -> None:
    library = ctypes.CDLL(None)
    for function in (library.abs, SIGNATURE(("abs", library)), ctypes.cast(library.abs, SIGNATURE)):
        assert er.energies.Callback(function, 3.0).address == ctypes.cast(library.abs, ctypes.c_void_p).value


KINDS: dict[str, Any] = {
    "short": [0, 1], "long": [0] * 6, "negative": [0, 0, 0, 0, -1], "beyond": [0, 0, 0, 0, 3],
    "floats": [0.0, 0.5, 1.0, 0.0, 0.0], "table": np.zeros((5, 1), int), "text": "abcde",
}  # fmt: skip


@pytest.mark.parametrize("what", KINDS)
def test_wrong_kinds_leave_the_chain_and_its_energy(what: str) -> None:
    twin = Twin.of(serpentine(None, 5))
    twin.chain.set_energy(er.energies.Table(BINS, CUTOFF))
    before = twin.chain.energy()
    with pytest.raises((ValueError, TypeError), match=r"\bkinds"):
        twin.chain.set_energy(er.energies.Table(KIND_BINS, CUTOFF), KINDS[what])
    assert twin.chain.energy() == before


def test_the_binary_tree_and_side_balls_are_refused_together() -> None:
    for volume in (v for v in VOLUMES if v not in FAST):
        with pytest.raises(ValueError, match=r"\bside.*children=8"):
            MAKERS["branched"](rng_of("side"), 20).chain(**VOLUMES[volume])


def test_what_is_no_energy_is_an_error() -> None:
    chain = serpentine(None, 5).chain()
    for wrong in (3.0, "Clashes", er.energies.Clashes, BINS):
        with pytest.raises((TypeError, ValueError), match=r"\benergy"):
            chain.set_energy(wrong)
    with pytest.raises(RuntimeError, match="set_energy"):
        chain.energy()


@pytest.mark.parametrize("cutoff", [1e-200, 5e-324])
def test_a_cutoff_whose_square_is_zero_is_refused(cutoff: float) -> None:
    """Of balls in one place the table was asked at 0 / 0."""
    with pytest.raises(ValueError, match="cutoff must be so large that its square is not zero"):
        er.energies.Table([1.0, 2.0], cutoff)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("kinds", kinds) for kinds in (0, -1, 3, 10**6)),
        *(("form", form) for form in (-1, 1, 2, 3, 4)),
        *(("cutoff", cutoff) for cutoff in (-1.0, np.nan, np.inf, 1e300)),
        *((name, np.ones(size)) for name in ("epsilon", "sigma", "offset") for size in (0, 2)),
        ("values", np.ones(4)),
        ("address", 1),
    ],
)
def test_an_energy_that_was_changed_after_it_was_made_is_refused(name: str, value: object) -> None:
    chain = er.Chain(er.scenes.serpentine(20), 0.5)
    energy = er.energies.LennardJones(1.0, 1.0, 4.0)
    object.__setattr__(energy, name, value)
    with pytest.raises(ValueError, match=r"energy must be as elbowroom\.energies makes it"):
        chain.set_energy(energy)
    with pytest.raises(RuntimeError, match="has no energy"):
        chain.energy()
