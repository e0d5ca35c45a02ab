"""Forks while threads and signal handlers use the library: nothing hangs, what is in use is refused."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
import pytest

import elbowroom as er
from elbowroom import _core

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without forks")

MANY = 10**12  # steps that no test lives to see the end of

#: What another library does before a fork, after elbowroom did: it lets other threads run, and waits for one.
WAITING = """
import os, threading
begun, done = threading.Event(), threading.Event()

def wait():
    if not begun.is_set():
        begun.set()
        done.wait()

os.register_at_fork(before=wait)
import elbowroom as er

def work():
    begun.wait()
    WORK
    done.set()

thread = threading.Thread(target=work)
thread.start()
child = os.fork()
if child == 0:
    er.collide(er.Sphere(1), er.Sphere(1))
    os._exit(0)
thread.join()
assert os.waitpid(child, 0)[1] == 0
"""


@pytest.mark.parametrize(
    "work",
    ["er.cancel(threading.main_thread())", "os.waitpid(os.fork() or os._exit(0), 0)"],
)
def test_a_fork_holds_nothing_that_others_wait_for(work: str) -> None:
    program = WAITING.replace("WORK", work)
    subprocess.run([sys.executable, "-c", program], check=True, timeout=30)


def sampler_of(chain: er.Chain) -> Any:
    sampler = _core.Sampler(chain, 1)
    sampler.add_move("torsion", 1.0, 0.01, np.arange(len(chain) - 1))
    return sampler


@contextmanager
def ringing(handler: Callable[..., None]) -> Iterator[None]:
    before = signal.signal(signal.SIGVTALRM, handler)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.05)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def test_a_call_goes_on_in_the_child_of_its_own_handler() -> None:
    chain, codes = er.Chain(er.scenes.serpentine(300), 1.0), []

    def fork(*_: object) -> None:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                for use in (lambda: chain.rotate(1, 0.1), lambda: chain.positions(), lambda: chain.undo()):
                    with pytest.raises(RuntimeError, match=r"the chain is (in use|being changed)"):
                        use()
                code = 0
            finally:
                os._exit(code)
        codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        raise InterruptedError

    with ringing(fork), pytest.raises(InterruptedError):
        sampler_of(chain).run(MANY, MANY)
    assert codes == [0]


def test_a_child_of_a_handler_can_use_what_its_call_has_left() -> None:
    chain, mine = er.Chain(er.scenes.serpentine(300), 1.0), os.getpid()
    children: list[int] = []

    def fork(*_: object) -> None:
        children.append(os.fork())
        raise InterruptedError

    code = 1
    try:
        with ringing(fork), suppress(InterruptedError):
            sampler_of(chain).run(MANY, MANY)
        chain.rotate(7, 0.001)
        er.self_collide(chain)
        chain.rotate(7, -0.001)
        chain.validate()
        code = 0
    finally:
        if os.getpid() != mine:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]) == 0


def test_two_questions_at_once_are_counted_in_the_child_of_a_handler() -> None:
    rope, mine = er.Necklace(er.scenes.spiral(20_000, frames=1)[0], 0.3), os.getpid()
    children: list[int] = []

    def fork(*_: object) -> None:
        children.append(os.fork())
        er.self_collide(rope)

    code = 1
    try:
        with ringing(fork):
            while not children:
                er.self_within(rope, 2.0)
        rope.move(rope.positions())
        code = 0
    finally:
        if os.getpid() != mine:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]) == 0
