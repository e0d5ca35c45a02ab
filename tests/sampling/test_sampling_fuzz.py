"""A slice of the fuzz of sampling, and that it notices what is wrong; rings that all but close."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import sampling_twin
from chain_makers import FAST
from chain_oracle import about_axis
from fuzz_sampling import check
from fuzzing import Start
from sampling_steps import StepJudge, Tally
from sampling_walks import MAKERS

import elbowroom as er
from elbowroom import _core

pytestmark = pytest.mark.fuzz


@pytest.mark.parametrize("maker", MAKERS)
def test_a_slice_of_the_fuzz(maker: str) -> None:
    tally = Tally()
    for number, size in enumerate((2, 5, 17, 40, 90)):
        check(Start(maker, FAST[number % len(FAST)], size, 7 + number), tally)
    assert tally.wrong == 0, "\n".join(tally.failures)
    assert tally.verdicts > 2 * tally.in_doubt


# The judge is no yes-man: with one thing wrong in what it knows it objects.


def wrong_volume(base: np.ndarray, axes: np.ndarray) -> float:
    """The inverse of what sweeps of torsions are to be divided by."""
    return 1.0 / float(abs(np.linalg.det(sampling_twin.screws(base, axes, 1.0))))


def objections(starts: list[Start], judge: Callable[[Start, Tally], StepJudge] = StepJudge) -> int:
    tally = Tally()
    for start in starts:
        judge(start, tally).walk_with_twin(40)
    return tally.wrong


def test_a_wrong_jacobian_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    starts = [Start("coil", "auto", 35, seed) for seed in range(12)]
    assert objections(starts) == 0
    monkeypatch.setattr(sampling_twin, "volume", wrong_volume)
    assert objections(starts) > 0


def test_another_stream_of_random_numbers_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sampling_steps.STREAM_OF_TWIN", 4)
    assert objections([Start("coil", "auto", 35, seed) for seed in range(3)]) > 0


# Crankshafts about two links in all but one place.


def loop_and_tail(gap: float, links: int = 20, tail: int = 200) -> np.ndarray:
    """A ring, bent out of its plane, whose last link is `gap` from the first; then a straight tail."""
    rng, angle = np.random.default_rng(0), 2.0 * np.pi * np.arange(links + 1) / links
    points = np.stack([np.cos(angle), np.sin(angle), np.zeros(links + 1)], axis=1) / angle[1]
    points[-1] = points[0] + [0.0, 0.0, gap]
    for _ in range(200):
        i, k = np.sort(rng.integers(0, links + 1, 2))
        if 1 < k - i < links:
            turn = about_axis(points[k] - points[i], float(rng.uniform(-np.pi, np.pi)))
            points[i:k] = (points[i:k] - points[i]) @ turn.T + points[i]
    away = np.array([0.3, 0.2, 0.9]) / np.linalg.norm([0.3, 0.2, 0.9])
    return np.concatenate([points, points[-1] + np.arange(1, tail + 1)[:, None] * away])


@pytest.mark.parametrize("gap", [1e-2, 1e-5, 1e-7])
def test_a_crankshaft_about_next_to_nothing_leaves_the_rest(gap: float) -> None:
    loop, none = 20, np.empty(0, np.int64)
    chain = er.Chain(loop_and_tail(gap), 0.0, exclude=0)
    stirred = _core.Sampler(chain, 1)
    stirred.add_move("rebridge", 1.0, 0.5, np.arange(1, loop - 2))
    stirred.run(200, 1000)  # so that leaves have turned against each other
    before, state, moved = chain.positions(), stirred.save(), 0
    for seed in range(1500):
        stirred.restore(state)
        sampler = _core.Sampler(chain, seed)
        sampler.add_move("crankshaft", 1.0, 3.0, none, loop, loop)
        sampler.run(1, 1000)
        off = np.abs(chain.positions() - before).max(axis=1)
        if off[1:loop].max() > 0.01 and off[loop] < 0.001:  # it was made about links 0 and 20
            moved += 1
            assert off[loop:].max() < 1e-10
    assert moved > 0
