"""Forks while threads and signal handlers use the library: nothing hangs, what is in use is refused."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
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


@pytest.mark.parametrize("ending", [None, InterruptedError])
def test_a_call_on_several_threads_ends_in_the_child_of_its_own_handler(ending: Any) -> None:
    spring, mine = er.Mesh(*er.scenes.spring()), os.getpid()
    poses = np.tile(np.eye(4), (100_000, 1, 1))
    poses[:, 0, 3] = np.linspace(3, 9, len(poses))
    children: list[int] = []

    def fork(*_: object) -> None:
        children.append(os.fork())
        if ending and os.getpid() != mine:
            raise ending

    code, expected = 1, ending or RuntimeError
    try:
        with ringing(fork):
            if os.getpid() == mine:
                er.distance(spring, spring, pose_b=poses, threads=3)
    except expected as error:
        said = str(error)
        code = 0 if os.getpid() != mine and ("forked in the middle" in said or ending) else 1
    finally:
        if os.getpid() != mine:
            os._exit(code)
    assert _ended(children[0]) == 0


def test_a_child_does_not_believe_an_energy_that_was_being_summed() -> None:
    # No two beads of a serpentine are as far apart as the cutoff.
    attraction = er.energies.LennardJones(1.0, 1.0, 20.01)
    chain = er.Chain(er.scenes.serpentine(20_000), 1.0)
    chain.set_energy(attraction)
    sampler = sampler_of(chain)
    sampler.set_temperature(1.0)  # the first step needs the energy

    def run() -> None:
        with suppress(er.Cancelled):
            sampler.run(MANY, MANY)

    def fork() -> int:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                twin = er.Chain(chain.positions(), 1.0)
                twin.set_energy(attraction)
                code = 0 if chain.energy() == pytest.approx(twin.energy(), rel=1e-9) else 1
            finally:
                os._exit(code)
        return child

    thread = threading.Thread(target=run)
    thread.start()
    while not _in_use(chain):
        time.sleep(0.001)
    try:
        for _ in range(8):  # while the energy is summed, and in the steps after it
            assert _ended(fork()) == 0
            time.sleep(0.003)
    finally:
        while thread.is_alive():
            er.cancel(thread)
            thread.join(0.001)


def _in_use(chain: er.Chain) -> bool:
    try:
        chain.undo()
    except RuntimeError as error:
        return "in use" in str(error)
    return False


#: A handler in the main thread changes one chain in the middle of a call with another.
NESTED = """
import os, signal, threading, time, traceback
import numpy as np
import elbowroom as er
from elbowroom import _core

def endless(chain):
    sampler = _core.Sampler(chain, 1)
    sampler.add_move("torsion", 1.0, 0.01, np.arange(len(chain) - 1))
    if chain is inner:
        sampler.set_temperature(1.0)
    sampler.run(10**12, 10**12)

outer, inner = er.Chain(er.scenes.serpentine(300), 1.0), er.Chain(er.scenes.serpentine(8000), 1.0)
inner.set_energy(attraction := er.energies.LennardJones(1.0, 1.0, 9.0))  # a step takes some time
codes = []

def in_use(chain):
    try:
        chain.undo()
    except RuntimeError as error:
        return "in use" in str(error)

def fork():
    while not in_use(inner):
        time.sleep(0.001)
    for _ in range(30):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                inner.rotate(7, 0.001)
                inner.validate()
                fresh = er.Chain(inner.positions(), 1.0)
                fresh.set_energy(attraction)
                assert abs(fresh.energy() / inner.energy() - 1) < 1e-9
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(code)
        codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    while not er.cancel(threading.main_thread()):
        time.sleep(0.001)

thread = threading.Thread(target=fork)
thread.start()
signal.signal(signal.SIGVTALRM, lambda *_: endless(inner))
signal.setitimer(signal.ITIMER_VIRTUAL, 0.05)
try:
    endless(outer)
except er.Cancelled:
    pass
thread.join()
assert codes == [0] * 30, codes
"""


def test_a_fork_waits_for_a_call_in_a_signal_handler() -> None:
    subprocess.run([sys.executable, "-c", NESTED], check=True, timeout=60)


def _ended(child: int) -> int:
    """The exit status of a child that should end soon; it does not outlive the test."""
    for _ in range(600):
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    raise AssertionError("the child hangs")
