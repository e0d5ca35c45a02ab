"""What calibrations are made of: a line through signs, levels that rise, and the judgement of both."""

from __future__ import annotations

import numpy as np
import pytest
from calibration_makers import simulated
from hypothesis import given
from hypothesis import strategies as st

from elbowroom import _fitting, _reliability
from elbowroom.calibration import Calibration

# The line.


def test_the_logistic_line_is_where_the_likelihood_is_greatest() -> None:
    signs, free = simulated(80, 3)
    weights = _fitting.logistic(signs, free)
    chance = 1 / (1 + np.exp(-(signs @ weights[:-1] + weights[-1])))
    spread = signs.std(axis=0)
    spread[5] = np.inf
    pull = np.append(_fitting.RIDGE * weights[:-1] * np.where(np.isinf(spread), 0, spread), 0)
    columns = np.column_stack([(signs - signs.mean(axis=0)) / spread, np.ones(len(signs))])
    assert columns.T @ (free - chance) == pytest.approx(pull, abs=1e-3)
    assert weights[5] == 0, "a sign that never varies has no weight"


def test_the_logistic_line_through_separable_runs_is_finite_and_parts_them() -> None:
    signs = np.random.default_rng(0).normal(size=(400, 8))
    free = signs[:, 2] > 0.3
    table = _fitting.fit(signs, free)
    assert np.isfinite(table.weights).all() and np.abs(table.weights).max() < 1e3
    said = table.probability(signs)
    assert said[free].min() > 0.4 and said[~free].max() < 0.8 and said.min() > 0 and said.max() < 1
    assert said[free].mean() > 0.9 and said[~free].mean() < 0.1


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_the_line_does_not_depend_on_the_units_of_a_sign(scale: float) -> None:
    signs, free = simulated(60, 4)
    scaled = signs * np.where(np.arange(8) == 3, scale, 1.0) + np.where(np.arange(8) == 4, 100.0, 0.0)
    said, again = (_fitting.fit(s, free).probability(s) for s in (signs, scaled))
    assert again == pytest.approx(said, abs=1e-6)


# The levels.


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 5)), min_size=1, max_size=12))
def test_rising_values_are_the_nearest(blocks: list[tuple[int, int]]) -> None:
    """By the formula that needs no pooling: the least upper mean of the greatest lower ones."""
    values, counts = (np.array(column, float) for column in zip(*blocks, strict=True))
    found = _fitting.rising(values, counts)
    n = len(values)

    def mean(i: int, j: int) -> float:
        return float(np.average(values[i : j + 1], weights=counts[i : j + 1]))

    wanted = [max(min(mean(i, j) for j in range(k, n)) for i in range(k + 1)) for k in range(n)]
    assert found == pytest.approx(wanted) and (np.diff(found) >= 0).all()


def test_levels_rise_and_are_never_certain() -> None:
    scores = np.sort(np.random.default_rng(5).normal(size=3000))
    knots, values = _fitting.levels(scores, scores > 0)
    assert len(knots) == _fitting.MOST_GROUPS and (np.diff(knots) > 0).all() and (np.diff(values) >= 0).all()
    assert 0 < values[0] < 0.01 and 0.99 < values[-1] < 1


def test_many_runs_allow_more_certainty() -> None:
    surest = [
        _fitting.levels(np.arange(n) / n, np.arange(n) > n // 2)[1][-1] for n in (10, 100, 1000, 10_000)
    ]
    assert (np.diff(surest) > 0).all() and surest[0] < 0.9 and surest[-1] > 0.999


def test_knots_rise_between_scores_that_hardly_differ() -> None:
    """Rounding would put the mean of many equal numbers beside them."""
    scores = np.repeat(0.1 + np.spacing(0.1) * np.arange(4), 333)
    assert np.diff(_fitting.levels(scores, np.arange(1332) % 2 == 0)[0]).min() > 0


def test_equal_scores_share_a_level() -> None:
    free = np.arange(1000) % 4 > 0
    knots, values = _fitting.levels(np.ones(1000), free)
    assert knots.tolist() == [1.0] and values == pytest.approx([0.75], abs=1e-3)


@pytest.mark.parametrize(("free", "count"), [(True, 1), (True, 98), (False, 98)])
def test_with_one_kind_of_runs_the_rule_of_succession_holds(free: bool, count: int) -> None:
    signs = np.random.default_rng(6).normal(size=(count, 8))
    table = _fitting.fit(signs, np.full(count, free))
    wanted = (count + 1) / (count + 2) if free else 1 / (count + 2)
    assert table.probability(signs) == pytest.approx(np.full(count, wanted))
    assert Calibration(*table).confidence(signs).tolist() == table.probability(signs).tolist()


# Reliability.


def test_reliability_by_hand() -> None:
    said = np.array([0.0, 0.0, 0.25, 0.25, 0.75, 1.0])
    free = np.array([False, True, False, False, True, True])
    found = _reliability.judged(said, free)
    assert found.base_rate == 0.5 and found.base_brier == 0.25 and found.runs == 6
    assert found.brier == pytest.approx((0 + 1 + 2 * 0.0625 + 0.0625 + 0) / 6)
    assert found.error_by_width == pytest.approx((2 * 0.5 + 2 * 0.25 + 0.25 + 0) / 6)
    won = [a > b for a in said[free] for b in said[~free]]
    tied = [a == b for a in said[free] for b in said[~free]]
    assert found.auc == pytest.approx((sum(won) + sum(tied) / 2) / 9)
    assert found.curve.count.sum() == 6 == found.histogram.sum() and found.curve.error == found.error


def test_equal_statements_share_a_bin() -> None:
    said = np.repeat([0.2, 0.4], [70, 30])
    found = _reliability.judged(said, np.arange(100) % 2 == 0)
    assert found.curve.count.tolist() == [70, 30] and found.curve.predicted == pytest.approx([0.2, 0.4])


def test_true_probabilities_have_no_error_and_shifted_ones_their_shift() -> None:
    rng = np.random.default_rng(7)
    chance = rng.uniform(0.1, 0.8, 200_000)
    free = rng.uniform(size=len(chance)) < chance
    right, shifted = _reliability.judged(chance, free), _reliability.judged(chance + 0.1, free)
    assert right.error < 0.005 and right.error_by_width < 0.005
    assert shifted.error == pytest.approx(0.1, abs=0.005) and shifted.error_by_width == pytest.approx(
        0.1, abs=0.005
    )
    assert right.auc == shifted.auc > 0.7 and right.brier < shifted.brier
