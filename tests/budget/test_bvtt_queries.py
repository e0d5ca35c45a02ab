"""Traversal trees of queries: every kind of body leaves one, and it tells what the answer tells."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bvtt_makers import differences, nodes

import elbowroom as er
from elbowroom.bvtt import HIT, LEAF_APART, OPEN, OPENED

METHODS = ("depth-first", "best-first", "auto")
SPRING = {kids: er.Mesh(*er.scenes.spring(), children=kids) for kids in (2, 8)}
Ask = Callable[..., Any]


def springs(kids: int) -> Iterator[Ask]:
    """One goes through the other."""
    for pose in er.scenes.spring_path(30):
        yield lambda pose=pose, **how: er.collide(SPRING[kids], SPRING[kids], pose_b=pose, **how)


def folding(children: int) -> Iterator[Ask]:
    """A chain that is stretched out is folded in its middle until its halves meet."""
    chain = er.Chain(np.outer(np.arange(300), [0.9, 0, 0]), 0.4, children=children)
    turn = er.Pose([np.cos(0.055), 0, 0, np.sin(0.055)]).matrix[:3, :3]
    for _ in range(30):
        chain.turn(150, turn)
        yield lambda **how: er.self_collide(chain, **how)


def past_a_torus() -> Iterator[Ask]:
    """A chain bends beside a mesh."""
    rng = np.random.default_rng(4)
    torus = er.Mesh(*er.scenes.torus(segments=24, sides=12))
    chain = er.Chain(np.outer(np.arange(120), [0.08, 0, 0]), 0.04)
    for k in range(30):
        chain.rotate(int(rng.integers(1, 118)), float(rng.normal() * 0.2))
        pose = er.Pose(translation=[-4, 0, 2.0 - 0.08 * k])
        yield lambda pose=pose, **how: er.collide(chain, torus, pose, **how)


def wobbling() -> Iterator[Ask]:
    """The beads of a helix come nearer to each other."""
    rng = np.random.default_rng(5)
    angle = np.arange(400) * 0.2
    ring = np.stack([3 * np.cos(angle), 3 * np.sin(angle), 0 * angle], axis=1)
    necklace = er.Necklace(ring, 0.3)
    for k in range(30):
        rise = np.outer(angle, [0, 0, 0.3 - 0.009 * k])
        necklace.move(ring + rise + rng.normal(size=ring.shape) * 0.02)
        yield lambda **how: er.self_collide(necklace, **how)


def curling() -> Iterator[Ask]:
    """An arm of seven links curls up."""
    bar = er.Group([(er.Sphere(0.16), er.Pose(translation=[0, 0, 0.1 * i])) for i in range(9)])
    above = er.Pose(translation=[0, 0, 1])
    names = "abcdefg"
    joints = [er.Joint(p + c, "revolute", p, c, above, (0, 1, 0)) for p, c in itertools.pairwise(names)]
    arm = er.Articulated([er.Link(name, [bar]) for name in names], joints)
    for k in range(30):
        arm.move(np.full(6, 0.05 * k))
        yield lambda **how: er.self_collide(arm, **how)


#: The scenes, and how many tests are too few for some of their queries.
SCENES = {
    "springs by two": (lambda: springs(2), 120),
    "springs by eight": (lambda: springs(8), 120),
    "chain by two": (lambda: folding(2), 900),
    "chain by eight": (lambda: folding(8), 900),
    "chain and mesh": (past_a_torus, 40),
    "necklace": (wobbling, 900),
    "arm": (curling, 150),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("scene", SCENES)
def test_trees_along_a_path(scene: str, method: str) -> None:
    (path, few), memory, last = SCENES[scene], er.Memory(method), None
    states, hits = set(), set()
    for k, ask in enumerate(path()):
        answer = ask(memory=memory, budget=er.Budget(tests=few if k % 3 else 10**6))
        bvtt = memory.bvtt
        assert bvtt is not None and bvtt.covered == pytest.approx(answer.covered, abs=1e-12)
        assert (bvtt.count(HIT) > 0) == bool(answer)
        assert (bvtt.count(HIT) + bvtt.count(OPEN) > 0) == (answer.covered < 1)
        if last is not None:
            assert bvtt.difference(last).tolist() == differences(nodes(bvtt), nodes(last))
        last = bvtt
        states |= set(bvtt.state.tolist())
        hits.add(bool(answer))
    assert {OPENED, HIT, OPEN} < states and hits == {False, True}


@pytest.mark.parametrize("scene", SCENES)
def test_pictures_and_pages_of_every_kind_of_body(scene: str, tmp_path: Path) -> None:
    memory = er.Memory("depth-first")
    ask = next(SCENES[scene][0]())
    ask(memory=memory)
    bvtt = memory.bvtt
    assert bvtt is not None and bvtt.covered == 1.0 and bvtt.count(OPEN) == bvtt.count(HIT) == 0
    assert repr(bvtt).endswith("100 % of the pairs apart>")
    bvtt.picture(tmp_path / "tree.png")
    bvtt.html(tmp_path / "tree.html")
    assert (tmp_path / "tree.png").read_bytes().startswith(b"\x89PNG")
    assert "</html>" in (tmp_path / "tree.html").read_text(encoding="utf-8")


def test_a_part_of_an_arm_is_a_pair_of_its_shapes() -> None:
    memory = er.Memory("depth-first")
    *_, ask = curling()
    ask(memory=memory)
    bvtt = memory.bvtt
    assert bvtt is not None and set(bvtt.depth[bvtt.parent == 0].tolist()) == {2}
    parts = bvtt.part[bvtt.parent == 0]
    assert len(set(parts.tolist())) == len(parts) > 1
    for node in np.flatnonzero(bvtt.depth > 2):
        assert bvtt.part[node] == bvtt.part[bvtt.parent[node]]


def test_primitives_prove_what_volumes_cannot() -> None:
    memory = er.Memory("depth-first")
    for ask in springs(2):
        ask(memory=memory)
        bvtt = memory.bvtt
        assert bvtt is not None
        if bvtt.count(LEAF_APART):
            return
    pytest.fail("no leaf was looked at in vain on the whole path")


def test_nothing_is_recorded_before_the_first_query() -> None:
    assert er.Memory().bvtt is None
