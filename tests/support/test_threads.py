"""Two threads at one object: a slice of stress_threads.py, and the rules that were broken once."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest
from stress_threads import stress
from thread_subjects import Subject, arm, charged, spring, subjects, unknown_classes

import elbowroom as er
from elbowroom import _core

MANY = 10**12


@pytest.fixture
def _quick_switches() -> Iterator[None]:
    """Threads take turns often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def test_every_public_class_is_in_the_stress_test_or_does_not_change() -> None:
    assert unknown_classes() == []


@pytest.mark.usefixtures("_quick_switches")
@pytest.mark.parametrize("subject", list(subjects()), ids=lambda subject: subject.name)
def test_a_slice_of_the_stress(subject: Subject) -> None:
    done, wrong, _ = stress(subject, 0.3, seed=int(time.time()))
    assert done > 0
    assert not wrong


def test_the_energy_of_a_chain_stays_while_it_is_sampled() -> None:
    chain = charged()
    sampler = _core.Sampler(chain, 1)
    sampler.add_move("torsion", 1.0, 0.01, np.arange(len(chain) - 1))
    sampler.set_temperature(1.0)
    thread = threading.Thread(target=_until_cancelled, args=(lambda: sampler.run(MANY, MANY),))
    thread.start()
    _wait_until_refused(lambda: chain.set_energy(None))
    with pytest.raises(RuntimeError, match="the chain is in use by another thread"):
        chain.set_energy(None)
    _cancel(thread)
    assert np.isfinite(chain.energy())


def test_a_body_that_is_measured_does_not_move() -> None:
    body = arm()
    body.move(np.zeros((20_000, body.dof)))
    thread = threading.Thread(target=_until_cancelled, args=(lambda: _for_ever(body.measure),))
    thread.start()
    _wait_until_refused(lambda: body.move(np.zeros((20_000, body.dof))))
    _cancel(thread)


def test_a_memory_in_use_neither_forgets_nor_shows_its_tree() -> None:
    memory, budget = er.Memory(), er.Budget(tests=10**9)

    def ask() -> None:
        er.within(spring(), spring(), 5.0, memory=memory, budget=budget)

    thread = threading.Thread(target=_until_cancelled, args=(lambda: _for_ever(ask),))
    thread.start()
    _wait_until_refused(memory.forget)
    _wait_until_refused(lambda: memory.bvtt)
    _cancel(thread)
    memory.forget()
    assert memory.empty


def _for_ever(call: object) -> None:
    while True:
        call()  # type: ignore[operator]


def _until_cancelled(call: object) -> None:
    with pytest.raises(er.Cancelled):
        call()  # type: ignore[operator]


def _wait_until_refused(call: object) -> None:
    for _ in range(100_000):
        try:
            call()  # type: ignore[operator]
        except RuntimeError as error:
            if "in use" in str(error):
                return
            raise
        time.sleep(0.0001)
    raise AssertionError("was never refused")


def _cancel(thread: threading.Thread) -> None:
    while thread.is_alive():
        er.cancel(thread)
        thread.join(0.001)
