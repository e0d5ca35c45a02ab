"""Chains: changes and collisions, questions about a chain and itself, pairs and energies kept up to date."""

from __future__ import annotations

import copy
import ctypes
import ctypes.util
import pickle
from typing import Any

import numpy as np

import elbowroom as er

from .chains import CHANGES, FAST, TREES, angle, chain, change, places, undo
from .reading import Notes
from .scenarios import Round, scenario
from .things import Rng, budget, options, small_turns


def collides(note: Notes, body: Any, label: str) -> bool:
    """The verdict after a change, with its work."""
    return bool(note.verdicts(label, body.collides(), body.counters))


def placed(note: Notes, body: Any, rng: Rng, size: float) -> None:
    """Where all is, and one link seen from another."""
    i, j = (int(k) for k in rng.integers(0, len(body), 2))
    note.numbers("positions", body.positions(side=True), body.pose(i, j).matrix, scale=size)


def walk(body: Any, rng: Rng, note: Notes, size: float, steps: int, kinds: tuple[str, ...]) -> Round:
    """Random changes, each tested, and most of those that collide taken back."""
    for _ in range(steps):
        kind = str(rng.choice(kinds))
        change(rng, body, kind)
        hit = collides(note, body, f"collides after {kind}")
        yield
        if hit and rng.random() < 0.8 and undo(body):
            collides(note, body, "collides after undo")
            yield
        if rng.random() < 0.05:
            placed(note, body, rng, size)
            yield


@scenario("chain", 80)
def steps(rng: Rng, note: Notes) -> Round:
    """Changes and undo of chains with every tree, with the work of every test."""
    body, size = chain(rng, note.pick(list(TREES)))
    yield from walk(body, rng, note, size, 60, CHANGES)
    body.validate()
    volumes = [body.boxes(level) for level in range(4)]
    yield note.numbers(
        "boxes", [box.cost for level in volumes for box in level], whole=list(map(len, volumes))
    )


@scenario("chain", 40)
def side_chains(rng: Rng, note: Notes) -> Round:
    """Chains with side balls that turn."""
    body, size = chain(rng, note.pick(FAST), 400, side=True)
    yield from walk(body, rng, note, size, 60, (*CHANGES, "side", "side", "side"))
    body.validate()


@scenario("chain", 15)
def long_walks(rng: Rng, note: Notes) -> Round:
    """One change after another, without a test between, in chains of thousands of links."""
    n = int(rng.integers(2000, 9000))
    body = er.Chain(er.scenes.serpentine(n), 1.0, **TREES[note.pick(FAST)])
    for k in range(60):
        for _ in range(int(rng.integers(1, 8))):
            change(rng, body, str(rng.choice(CHANGES)))
        collides(note, body, "collides after changes")
        yield
        if k % 20 == 19:
            placed(note, body, rng, 4.0 * n)
            yield


@scenario("chain", 120)
def trials(rng: Rng, note: Notes) -> Round:
    """try_torsions: many torsions in one call, kept where free, or all undone."""
    body, size = chain(rng, note.pick(list(TREES)), 500)
    stay = bool(rng.integers(2))
    for spread in (0.01, 0.3, 3.0):
        joints = rng.integers(0, len(body) - 1, 100)
        free = body.try_torsions(joints, spread * rng.normal(size=100), stay=stay)
        yield note.verdicts("try_torsions", free, body.counters)
    placed(note, body, rng, size)
    yield


@scenario("chain", 60)
def pivots(rng: Rng, note: Notes) -> Round:
    """Pivots of a polymer: large turns, most of which collide."""
    n = int(rng.choice([200, 1500, 6000]))
    body = er.sampling.polymer(n, seed=int(rng.integers(3)))
    turns = [np.linalg.qr(each)[0] for each in rng.normal(size=(200, 3, 3))]
    for k, turn in enumerate(turns):
        body.turn(int(rng.integers(1, n - 1)), turn * np.sign(np.linalg.det(turn)))
        if collides(note, body, "collides after pivot"):
            body.undo()
        yield
        if k % 100 == 99:
            placed(note, body, rng, float(n))
            yield


@scenario("chain", 50)
def questions(rng: Rng, note: Notes) -> Round:
    """self_collide, self_distance and self_within with all options, of every tree."""
    body, size = chain(rng, note.pick(list(TREES)), 300)
    for k in range(3):
        near, few = float(rng.uniform(0.1, 2.0)), budget(rng)
        yield note("self_collide", er.self_collide(body), size)
        yield note("self_collide every depth", er.self_collide(body, every=True, depth=True), size)
        yield note("self_collide depth", er.self_collide(body, depth=True), size)
        yield note("self_collide budget", er.self_collide(body, budget=few), size)
        yield note("self_collide every budget", er.self_collide(body, every=True, budget=few), size)
        yield note("self_distance", er.self_distance(body), size)
        yield note("self_distance enough", er.self_distance(body, enough=near), size)
        yield note("self_distance budget", er.self_distance(body, budget=few), size)
        yield note("self_within", er.self_within(body, near), size)
        yield note("self_within budget", er.self_within(body, near, budget=few), size)
        some = options(rng, every=True, depth=True)
        yield note(f"self_collide {' '.join(some)}", er.self_collide(body, **some), size)
        some = options(rng, enough=near)
        yield note(f"self_distance {' '.join(some)}", er.self_distance(body, **some), size)
        change(rng, body, CHANGES[k])
        collides(note, body, "collides between questions")
        yield


@scenario("chain", 30)
def kept_pairs(rng: Rng, note: Notes) -> Round:
    """Pairs within a reach, which fast trees keep up to date from change to change."""
    body, size = chain(rng, note.pick(FAST), 400, side=bool(rng.integers(2)))
    reaches = rng.uniform(0.05, 1.5, 2).tolist()
    for k in range(30):
        change(rng, body, str(rng.choice((*CHANGES, "side"))))
        if k % 3 == 0:
            collides(note, body, "collides before within")
            yield
        yield note("self_within kept", er.self_within(body, reaches[k % 10 == 9]), size)
    body.validate()


def energy(rng: Rng, form: int, balls: int) -> tuple[Any, Any]:
    """An energy of a form, and the kinds of the balls."""
    kinds, cutoff = int(rng.integers(1, 4)), float(rng.uniform(1.0, 4.0))
    of = rng.integers(0, kinds, balls)
    if form == 0:
        matrix = rng.uniform(0.5, 1.5, (kinds, kinds))
        return er.energies.LennardJones(matrix + matrix.T, 0.5, cutoff, shift=bool(rng.integers(2))), of
    if form == 1:
        return er.energies.Clashes(), None
    if form == 2:
        table = rng.normal(size=(kinds, kinds, 50))
        return er.energies.Table(table + table.transpose(1, 0, 2), cutoff), of
    root = ctypes.CDLL(
        ctypes.util.find_library("m")
    ).sqrt  # takes the squared distance, and ignores the kinds
    return er.energies.Callback(root, cutoff), of


@scenario("chain", 35)
def energies(rng: Rng, note: Notes) -> Round:
    """Energies of all forms, asked after every change or now and then, before and after tests."""
    form = note.pick(range(4))
    body, _ = chain(rng, note.pick(FAST), 300, side=bool(rng.integers(2)))
    balls, often = len(body.positions(side=True)), bool(rng.integers(2))
    body.set_energy(*energy(rng, form, balls))
    for k in range(40):
        change(rng, body, str(rng.choice((*CHANGES, "side"))))
        if rng.random() < 0.5:
            collides(note, body, "collides before energy")
            yield
        if often or k % 4 == 0:
            found = body.energy()
            yield note.numbers("energy", found, scale=balls + abs(found))
        if rng.random() < 0.3:
            undo(body)
    body.set_energy(None)


@scenario("chain", 3)
def folds(rng: Rng, note: Notes) -> Round:
    """The worst cases of the paper, of every tree."""
    n = 2 * int(rng.integers(10, 200))
    scene = er.scenes
    for fold in (scene.worst_spatial(n), scene.tangent_rows(n), scene.lemma7(8)):
        for tree in TREES.values():
            body = er.Chain(fold.positions, 1.0, **tree)
            collides(note, body, "collides straight")
            body.rotate(fold.joint, fold.angle)
            collides(note, body, "collides folded")
            yield note("self_distance folded", er.self_distance(body), 4.0 * n)


@scenario("chain", 10)
def saved(rng: Rng, note: Notes) -> Round:
    """Chains that were copied or pickled in the middle of their changes."""
    body, size = chain(rng, note.pick(list(TREES)), 300)
    for _ in range(4):
        yield from walk(body, rng, note, size, 4, CHANGES)
        again = copy.copy(body) if rng.random() < 0.5 else pickle.loads(pickle.dumps(body))
        placed(note, again, rng, size)
        yield from walk(again, rng, note, size, 4, CHANGES)


@scenario("chain", 10)
def baselines(rng: Rng, note: Notes) -> Round:
    """The grid and the trees that are built for each test."""
    centres, radius = places(rng, 200)
    made = note.pick((er.baselines.Grid, er.baselines.OneObbTree, er.baselines.KObbTree))
    body = made(centres, radius, exclude=3 if radius > 1 else 1)
    for _ in range(20):
        joint = int(rng.integers(len(centres) - 1))
        kind = int(rng.integers(3))
        if kind == 0:
            body.rotate(joint, angle(rng))
        elif kind == 1:
            body.turn(joint, small_turns(rng, 1, 0.1)[0])
        else:
            body.change({joint: 0.1, 0: angle(rng)})
        if note.verdicts("collides", body.collides(), body.counters):
            body.undo()
        yield
    yield note.numbers("positions", body.positions(), scale=float(len(centres)))
