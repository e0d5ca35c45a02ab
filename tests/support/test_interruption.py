"""Long calls end when they are asked to, and leave bodies as sound as they were."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
import pytest
from long_calls import LongCall, answered, long_calls

import elbowroom as er
from elbowroom import _core

CALLS = list(long_calls())
MANY = 10**12  # steps that no test lives to see the end of


@contextmanager
def interrupted_at(check: int) -> Iterator[None]:
    """The check with this number, of this thread, ends the call."""
    _core.interrupt_at(check)
    try:
        yield
    finally:
        _core.interrupt_at(0)


def checks_of(call: LongCall) -> int:
    body = call.make()
    _core.interrupt_at(0)
    call.call(body)
    return int(_core.checks())


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_an_interrupted_call_leaves_the_body_sound(call: LongCall) -> None:
    checks = checks_of(call)
    assert checks > 0
    expected = answered(call, call.make())
    for check in sorted({1, (checks + 1) // 2, checks}):
        body = call.make()
        with interrupted_at(check), pytest.raises(KeyboardInterrupt):
            call.call(body)
        if hasattr(body, "validate"):
            body.validate()
        if call.name.startswith(("try_torsions", "sampler", "necklace move", "energy after")):
            continue  # the call changes the body: how far it got is not defined
        assert answered(call, body) == expected


@pytest.mark.parametrize("volume", ["auto", "obb"])
def test_torsions_are_tried_one_by_one_or_not_at_all(volume: str) -> None:
    chain = er.Chain(er.scenes.serpentine(500), 1.0, volume=volume)
    twin = er.Chain(er.scenes.serpentine(500), 1.0, volume=volume)
    joints, angles = np.arange(400), np.full(400, 0.002)
    with interrupted_at(3), pytest.raises(KeyboardInterrupt):
        chain.try_torsions(joints, angles)
    made = next(k for k in range(400) if _same(chain, twin, joints[:k], angles[:k]))
    assert made > 0
    assert chain.collides() == er.self_collide(chain).__bool__()


def _same(chain: er.Chain, twin: er.Chain, joints: Any, angles: Any) -> bool:
    if len(joints):
        twin.try_torsions(joints[-1:], angles[-1:])
    return bool(np.abs(chain.positions() - twin.positions()).max() < 1e-9)


def test_a_memory_forgets_what_was_interrupted() -> None:
    rng = np.random.default_rng(0)
    mesh = er.Mesh(rng.normal(size=(900, 3)), np.arange(900).reshape(-1, 3))
    memory = er.Memory("depth-first")
    with interrupted_at(2), pytest.raises(KeyboardInterrupt):
        er.within(mesh, mesh, 0.2, memory=memory)
    assert memory.empty
    found = er.within(mesh, mesh, 0.2, memory=memory)
    assert found.indices.tolist() == er.within(mesh, mesh, 0.2).indices.tolist()


def endless(chain: er.Chain) -> None:
    sampler = _core.Sampler(chain, 1)
    sampler.add_move("torsion", 1.0, 0.01, np.arange(len(chain) - 1))
    sampler.run(MANY, MANY)


def until_cancelled(chain: er.Chain) -> None:
    with suppress(er.Cancelled):
        endless(chain)


def chain_of(n: int = 300) -> er.Chain:
    return er.Chain(er.scenes.serpentine(n), 1.0)


@contextmanager
def ringing(handler: Any, seconds: float) -> Iterator[None]:
    """Calls the handler after so many seconds of computing; SIGALRM belongs to the time limit of the test."""
    before = signal.signal(signal.SIGVTALRM, handler)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def test_a_signal_ends_a_call() -> None:
    class Rung(Exception):
        pass

    def ring(*_: object) -> None:
        raise Rung

    chain = chain_of()
    with ringing(ring, 0.05), pytest.raises(Rung):
        endless(chain)
    chain.validate()
    assert not chain.collides()


def test_a_handler_that_returns_changes_nothing() -> None:
    body = next(call for call in CALLS if call.name == "links within").make()
    expected = er.self_within(body, 0.2).indices.tolist()
    rings: list[bool] = []

    def ask(*_: object) -> None:
        rings.append(er.self_within(body, 0.2).indices.tolist() == expected)

    for rung in range(1, 4):
        with ringing(ask, 0.001):
            while len(rings) < rung:
                assert er.self_within(body, 0.2).indices.tolist() == expected
    assert all(rings)


def test_a_handler_cannot_change_what_is_in_use() -> None:
    chain, refused = chain_of(), []

    def change(*_: object) -> None:
        with pytest.raises(RuntimeError, match="the chain is in use"):
            chain.rotate(1, 0.1)
        refused.append(True)
        raise InterruptedError

    with ringing(change, 0.05), pytest.raises(InterruptedError):
        endless(chain)
    assert refused == [True]


def test_another_thread_cancels_a_call() -> None:
    chain, ended = chain_of(), []

    def work() -> None:
        try:
            endless(chain)
        except er.Cancelled as error:
            ended.append(str(error))

    thread = threading.Thread(target=work)
    assert not er.cancel(thread)
    thread.start()
    while not er.cancel(thread):
        time.sleep(0.001)
    thread.join()
    assert ended == ["the call was cancelled by another thread"]
    assert not er.cancel(thread)
    chain.validate()
    chain.rotate(1, 0.001)


def test_a_batch_on_several_threads_is_cancelled() -> None:
    poses = np.tile(np.eye(4), (2_000_000, 1, 1))
    spring, ended = er.Mesh(*er.scenes.spring()), []

    def work() -> None:
        try:
            er.distance(spring, spring, pose_b=poses, threads=3)
        except er.Cancelled:
            ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    while thread.is_alive() and not er.cancel(thread):
        time.sleep(0.001)
    thread.join()
    assert ended == [True]


@pytest.mark.parametrize("thread", [None, "main", 1.5, True])
def test_cancel_wants_a_thread(thread: Any) -> None:
    with pytest.raises(ValueError, match=r"thread must be a threading\.Thread or its ident"):
        er.cancel(thread)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without forks")
def test_a_fork_in_the_middle_of_a_change_leaves_both_processes_a_sound_chain() -> None:
    chain = chain_of()
    thread = threading.Thread(target=until_cancelled, args=(chain,))
    thread.start()
    while not _in_use(chain):
        time.sleep(0.001)
    for _ in range(5):
        assert _forked(lambda: (chain.rotate(7, 0.001), chain.validate(), er.self_collide(chain))) == 0
    while not er.cancel(thread):
        time.sleep(0.001)
    thread.join()
    chain.validate()


def _in_use(chain: er.Chain) -> bool:
    try:
        chain.undo()
    except RuntimeError as error:
        return "in use" in str(error)
    return False


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without forks")
def test_a_fork_in_the_middle_of_questions_leaves_bodies_and_memories_usable() -> None:
    rope, memory = er.Necklace(er.scenes.spiral(20_000, frames=1)[0], 0.3), er.Memory()
    stop = threading.Event()

    def ask() -> None:
        while not stop.is_set():
            er.self_within(rope, 2.0)
            er.self_within(rope, 2.0, memory=memory, budget=er.Budget(tests=10**9))

    thread = threading.Thread(target=ask)
    thread.start()
    expected = len(er.self_within(rope, 2.0))

    def use() -> None:
        assert len(er.self_within(rope, 2.0)) == expected
        assert len(er.self_within(rope, 2.0, memory=memory)) == expected
        rope.move(rope.positions())

    try:
        codes = [_forked(use) for _ in range(5)]
    finally:
        stop.set()
        thread.join()
    assert codes == [0] * 5


def _forked(work: Any) -> int:
    """The exit status of a child that does some work."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
