"""Checkpoints that were changed on purpose, checksums and all: they are refused, or are sound."""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sampling_makers import ATTRACTION, beads, bonds, branched

import elbowroom as er
from elbowroom import _core
from elbowroom.sampling._disk import checkpoint as checkpoints

WORDS = [0, 1, 2**40, 2**63, 2**64 - 1, *np.array([np.nan, np.inf, -1.0, 1e300, 1e-300]).view(np.uint64)]


def sampler_of(chain: er.Chain) -> Any:
    out = _core.Sampler(chain, 1)
    for a, b, moving in [] if chain.side is None else chain.side.torsions:
        out.add_side(a, b, np.asarray(moving, np.int64))
    out.add_move("torsion", 1.0, 0.5, np.arange(len(chain) - 1))
    out.add_move("pivot", 1.0, -1.0, np.arange(len(chain) - 1))
    out.add_move("crankshaft", 1.0, 0.5, np.empty(0, np.int64), 2, 5)
    if chain.side is not None:
        out.add_move("side", 1.0, 1.0, np.arange(len(chain.side.torsions)))
    return out


def mutated(state: bytes, rng: np.random.Generator) -> bytes:
    """One bit or one word is another, or the length is."""
    content = bytearray(state)
    at = int(rng.integers(len(content) // 8)) * 8
    if rng.random() < 0.5:
        content[at + int(rng.integers(8))] ^= 1 << int(rng.integers(8))
    else:
        content[at : at + 8] = int(WORDS[int(rng.integers(len(WORDS)))]).to_bytes(8, "little")
    return bytes(content) if rng.random() < 0.95 else bytes(content[: int(rng.integers(len(content)))])


@pytest.mark.parametrize("make", [beads, branched])
def test_a_state_that_was_tampered_with_is_refused_or_sound(make: Callable[[], er.Chain]) -> None:
    chain = make()
    sampler = sampler_of(chain)
    sampler.run(200, 50)
    state, rng, refused = sampler.save(), np.random.default_rng(0), 0
    lengths = np.linalg.norm(bonds(chain), axis=1)
    for _ in range(600):
        changed = mutated(state, rng)
        try:
            sampler.restore(changed)
        except ValueError:
            refused += 1
        chain.validate()
        assert np.allclose(np.linalg.norm(bonds(chain), axis=1), lengths, rtol=1e-7)
        assert np.isfinite(chain.positions(side=True)).all()
        with suppress(ValueError):  # another configuration may collide
            sampler.run(3, 50)
        sampler.restore(state)
    assert refused > 200


def test_a_state_of_words_drawn_at_random_is_refused() -> None:
    sampler = sampler_of(beads())
    state, rng = sampler.save(), np.random.default_rng(1)
    for _ in range(50):
        with pytest.raises(ValueError, match="the saved state is of another chain, or damaged"):
            sampler.restore(rng.bytes(len(state)))


def test_counts_whose_sum_is_too_large_are_refused() -> None:
    sampler = sampler_of(beads())
    sampler.run(200, 50)
    state, refused = sampler.save(), 0
    for at in range(0, len(state) - 16, 8):  # the tallies are among them
        changed = state[:at] + 2 * (2**62).to_bytes(8, "little") + state[at + 16 :]
        try:
            sampler.restore(changed)
        except ValueError:
            refused += 1
            continue
        tried, collided, accepted = np.transpose(sampler.tallies)
        assert (tried.astype(object) >= collided.astype(object) + accepted.astype(object)).all()
        sampler.restore(state)
    assert refused > 20


@pytest.mark.parametrize("kept", [0.0, 0.3, 0.999])
def test_a_refused_state_changes_nothing(kept: float) -> None:
    chain = branched()
    sampler = sampler_of(chain)
    sampler.run(50, 10)
    before, where, state = sampler.save(), chain.positions(side=True), sampler.save()
    with pytest.raises(ValueError, match="damaged"):
        sampler.restore(state[: int(kept * len(state))])
    assert sampler.save() == before
    assert np.array_equal(chain.positions(side=True), where)


def test_a_state_that_collides_is_not_believed_to_be_free() -> None:
    chain = beads(60)
    sampler = sampler_of(chain)
    folded = er.Chain(chain.positions(), chain.radii, exclude=60)  # which may overlap
    other = sampler_of(folded)
    for seed in range(20):
        other.run(10 + seed, 10)
        folded.collides()
        assert (folded._state) == "free"
        sampler.restore(other.save())
        truth = bool(er.self_collide(er.Chain(folded.positions(), chain.radii)))
        if truth:
            break
    assert truth
    with pytest.raises(ValueError, match="collides with itself"):
        sampler.run(1, 1)


def run(out: Path, **options: Any) -> er.sampling.Run:
    asked = {"steps": 200, "every": 10, "checkpoint": 50, "temperature": [1.0, 2.0], "energy": ATTRACTION}
    return er.sampling.sample(beads(), {"pivot": 1.0}, seed=1, out=out, **asked | options)


def rewritten(path: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """The checkpoint with another head, and the checksum that goes with it."""
    content = path.read_bytes()[: -checkpoints.DIGEST]
    start = len(checkpoints.MAGIC) + checkpoints.LENGTH.size
    length = struct.unpack("<Q", content[start - 8 : start])[0]
    head = json.loads(content[start : start + length])
    changed = change(head)
    head = head if changed is None else changed
    text = json.dumps(head).encode()
    body = checkpoints.MAGIC + struct.pack("<Q", len(text)) + text + content[start + length :]
    path.write_bytes(body + hashlib.sha256(body).digest())


def setting(*path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(head: dict[str, Any]) -> None:
        inner: Any = head
        for name in path[:-1]:
            inner = inner[name]
        inner[path[-1]] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        lambda head: [],
        lambda head: head.pop("extra") and head,
        lambda head: head["extra"].pop("order") and head,
        setting("step", value=-1),
        setting("step", value="many"),
        setting("step", value=150.5),
        setting("step", value=10),
        setting("parts", value=-3),
        setting("parts", value=0),
        setting("states", value=[2**40, 1]),
        setting("states", value=None),
        setting("more", value=1),
        setting("extra", "order", value=[0, 0]),
        setting("extra", "order", value=[0, 2]),
        setting("extra", "order", value=7),
        setting("extra", "tallies", value=[1, 2]),
        setting("extra", "tallies", value=[[[-1, 0, 0]], [[0, 0, 0]]]),
        setting("extra", "exchanges", value={}),
        setting("extra", "exchanges", "random", value={}),
        setting("extra", "exchanges", "tried", value=[1, 1, 1]),
        setting("extra", "exchanges", "accepted", value=[10**6]),
        setting("extra", "summary", value={"seconds": "long"}),
    ],
)
def test_a_head_that_was_tampered_with_is_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], Any]
) -> None:
    run(tmp_path)
    (tmp_path / "summary.json").unlink()
    rewritten(tmp_path / "checkpoint.bin", change)
    with pytest.raises(ValueError, match=r"^out: "):
        run(tmp_path, resume=True)


def test_a_head_that_was_not_changed_is_taken(tmp_path: Path) -> None:
    whole = run(tmp_path)
    (tmp_path / "summary.json").unlink()
    rewritten(tmp_path / "checkpoint.bin", lambda head: None)
    assert np.array_equal(
        run(tmp_path, resume=True).observables["end_to_end"], whole.observables["end_to_end"]
    )
