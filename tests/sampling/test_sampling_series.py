"""Errors of means of correlated samples: on series of known truth they are right as often as they say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.signal import lfilter

import elbowroom as er
from elbowroom.sampling.series import estimate_floats

Floats = NDArray[np.float64]


def remembering(time: float, samples: int, count: int, seed: int) -> Floats:
    """AR(1) series (count, samples) of mean 0 and variance 1 with this integrated autocorrelation time."""
    kept = (2 * time - 1) / (2 * time + 1)
    noise = np.random.default_rng(seed).normal(size=(count, samples))
    noise[:, 1:] *= math.sqrt(1 - kept**2)  # the first has the variance of all, so the series is stationary
    return np.asarray(lfilter([1.0], [1.0, -kept], noise, axis=1), np.float64)


def surprises(series: Floats, truth: float = 0.0) -> Floats:
    """How many errors the means are from the truth."""
    found = [er.sampling.estimate(values) for values in series]
    return np.array([(one.mean - truth) / one.error for one in found])


def shares(z: Floats) -> tuple[float, float]:
    """Within one error, and within two."""
    return float((np.abs(z) < 1).mean()), float((np.abs(z) < 2).mean())


# Errors cover the truth as often as they should.


@pytest.mark.parametrize(("time", "samples"), [(0.5, 400), (2.0, 1500), (10.0, 6000), (25.0, 10_000)])
def test_errors_cover_the_truth_as_often_as_they_should(time: float, samples: int) -> None:
    z = surprises(remembering(time, samples, 400, 1))
    one, two = shares(z)
    assert 0.62 < one < 0.75, "68 of 100 within one error"
    assert 0.92 < two < 0.985, "95 of 100 within two"
    assert 0.8 < (z**2).mean() < 1.3


def test_the_same_check_fails_for_errors_that_know_nothing_of_memory() -> None:
    series = remembering(10.0, 6000, 300, 1)
    z = series.mean(axis=1) / (series.std(axis=1) / math.sqrt(6000))
    assert shares(z)[0] < 0.4


def test_errors_are_right_on_the_mean_and_sharper_for_longer_series() -> None:
    spread = []
    for samples in (2000, 32_000):
        found = [er.sampling.estimate(values).error for values in remembering(5.0, samples, 100, 2)]
        truth = math.sqrt(2 * 5.0 / samples)
        assert np.mean(found) == pytest.approx(truth, rel=0.06)
        spread.append(np.std(found) / truth)
    assert spread[1] < 0.6 * spread[0] < 0.15


def test_errors_cover_the_truth_of_squares() -> None:
    series = 3.0 + remembering(10.0, 4000, 300, 3)
    one, two = shares(surprises(series**2, truth=10.0))
    assert 0.6 < one < 0.77 and two > 0.91


def of_two_memories(samples: int, count: int) -> tuple[Floats, float]:
    """Five percent of the variance remember for long and make most of the error; with that error."""
    quick, slow = remembering(0.5, samples, count, 4), remembering(100.0, samples, count, 5)
    error = math.sqrt(2 * (0.95 * 0.5 + 0.05 * 100) / samples)
    return math.sqrt(0.95) * quick + math.sqrt(0.05) * slow, error


def test_a_weak_but_long_memory_is_found_by_longer_blocks() -> None:
    series, truth = of_two_memories(60_000, 24)
    found = [er.sampling.estimate(values) for values in series]
    assert np.mean([one.converged for one in found]) > 0.9
    assert np.mean([one.error for one in found]) == pytest.approx(truth, rel=0.1)


def test_a_weak_but_long_memory_in_a_short_series_is_not_overlooked() -> None:
    """As good as 20 independent samples of what makes the error."""
    series, truth = of_two_memories(4000, 60)
    found = [er.sampling.estimate(values) for values in series]
    assert np.mean([one.converged for one in found]) < 0.25
    assert np.mean([one.error for one in found]) > 0.65 * truth


# The flag is honest.


@pytest.mark.parametrize("time", [3.0, 30.0])
def test_short_series_are_not_called_converged_and_long_ones_are(time: float) -> None:
    def converged(samples: int) -> float:
        series = remembering(time, samples, 100, 6)
        return float(np.mean([er.sampling.estimate(values).converged for values in series]))

    assert converged(int(40 * time)) < 0.02  # as good as 20 independent samples
    assert converged(int(100 * time)) < 0.05
    assert converged(int(800 * time)) > 0.95


def test_series_that_are_called_converged_by_luck_are_not_far_off() -> None:
    """As good as 110 independent samples, where the flag is as often set as not."""
    found = [er.sampling.estimate(values) for values in remembering(10.0, 2200, 600, 7)]
    believed = [one for one in found if one.converged]
    assert 90 < len(believed) < 510
    assert shares(np.array([one.mean / one.error for one in believed]))[1] > 0.86
    assert np.mean([one.error for one in believed]) > 0.8 * math.sqrt(20 / 2200)


def test_errors_of_short_series_are_not_wildly_small() -> None:
    """As good as 25 independent samples."""
    found = [er.sampling.estimate(values) for values in remembering(10.0, 500, 300, 8)]
    assert np.mean([one.error for one in found]) > 0.8 * math.sqrt(20 / 500)
    assert shares(np.array([one.mean / one.error for one in found]))[1] > 0.85


def test_series_that_drift_are_not_called_converged() -> None:
    series = remembering(1.0, 20_000, 10, 9)
    trend = np.linspace(0, 2, 20_000)
    beginning = 20 * np.exp(-np.arange(20_000) / 500)
    step = np.where(np.arange(20_000) < 12_000, 0.0, 3.0)
    for extra in (trend, beginning, step):
        assert not any(er.sampling.estimate(values + extra).converged for values in series)
    assert all(er.sampling.estimate(values).converged for values in series)


def test_a_small_drift_is_seen_by_the_beginning_being_off() -> None:
    """Too small to make the samples remember each other, but many errors large."""
    series = remembering(0.5, 40_000, 20, 10)
    slight = 0.075 * (np.arange(40_000) < 10_000)
    assert sum(er.sampling.estimate(values + slight).converged for values in series) <= 1


@pytest.mark.parametrize("samples", [20, 30, 60, 99])
def test_no_series_of_less_than_a_hundred_samples_is_called_converged(samples: int) -> None:
    series = remembering(0.5, samples, 200, 11)
    assert not any(er.sampling.estimate(values).converged for values in series)


# Autocorrelations.


#: No square of which vanishes, unless it is 0.
numbers = st.floats(-100, 100).map(lambda value: value if abs(value) > 1e-100 else 0.0)


@given(st.lists(numbers, min_size=2, max_size=40))
def test_autocorrelations_are_the_sums_that_define_them(values: list[float]) -> None:
    found = er.sampling.autocorrelation(values)
    rest = np.array(values) - np.mean(values)
    square = rest @ rest
    if np.ptp(values) <= 1e-12 * np.abs(values).max():
        assert found.tolist() == [1.0] + [0.0] * (len(values) - 1)
    else:
        wanted = [rest[: len(rest) - lag] @ rest[lag:] / square for lag in range(len(rest))]
        assert found == pytest.approx(np.array(wanted), abs=1e-9)


def test_autocorrelations_of_known_series() -> None:
    found = np.mean([er.sampling.autocorrelation(x)[:30] for x in remembering(5.0, 20_000, 40, 11)], axis=0)
    assert found == pytest.approx((9 / 11) ** np.arange(30), abs=0.01)
    assert er.sampling.autocorrelation([7.0]).tolist() == [1.0]


@pytest.mark.parametrize("time", [0.5, 2.0, 10.0, 50.0])
def test_autocorrelation_times_and_their_errors_are_right(time: float) -> None:
    series = remembering(time, max(5000, int(800 * time)), 60, 12)
    found = [er.sampling.autocorrelation_time(values) for values in series]
    values, errors = np.array([(one.value, one.error) for one in found]).T
    assert values.mean() == pytest.approx(time, rel=0.06)
    if time > 0.5:  # which is the least there is
        assert 0.75 < ((values - time) / errors).std() < 1.25
        assert np.mean([one.window for one in found]) == pytest.approx(6 * time, rel=0.1)


def test_times_are_in_steps_and_errors_do_not_depend_on_them() -> None:
    (values,) = remembering(10.0, 5000, 1, 13)
    once, often = er.sampling.estimate(values), er.sampling.estimate(values, every=250)
    assert often.time == 250 * once.time and often.independent == pytest.approx(once.independent)
    assert (often.mean, often.error, often.converged) == (once.mean, once.error, once.converged)
    assert er.sampling.autocorrelation_time(values, 250).value == often.time
    assert once.independent == pytest.approx(5000 / (2 * once.time))


def test_every_second_sample_remembers_half_as_long_and_is_worth_as_much() -> None:
    (values,) = remembering(20.0, 200_000, 1, 14)
    all_of_them, half = er.sampling.estimate(values, 1), er.sampling.estimate(values[::2], 2)
    assert half.time == pytest.approx(all_of_them.time, rel=0.02)
    assert half.error == pytest.approx(all_of_them.error, rel=0.1)


# What is not a proper series.


@pytest.mark.parametrize("value", [0.0, 3.5, -1e14])
@pytest.mark.parametrize("samples", [2, 30, 5000])
def test_constant_series_have_no_error_and_are_not_converged(value: float, samples: int) -> None:
    found = er.sampling.estimate(np.full(samples, value))
    assert (found.mean, found.error, found.converged, found.samples) == (value, 0.0, False, samples)
    assert math.isnan(found.time) and math.isnan(er.sampling.autocorrelation_time([value] * 3).value)


def test_series_that_vary_by_rounding_are_constant() -> None:
    found = er.sampling.estimate(2.0 + 1e-15 * np.random.default_rng(0).integers(-3, 3, 1000))
    assert found.error == 0 and not found.converged and found.mean == pytest.approx(2.0)


def test_one_sample_says_nothing_about_its_error() -> None:
    found = er.sampling.estimate([2.5])
    assert found.mean == 2.5 and math.isinf(found.error) and math.isnan(found.time) and not found.converged


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=120))
def test_short_series_have_an_error_of_at_least_the_plain_one(values: list[float]) -> None:
    found = er.sampling.estimate(values)
    assert found.mean == pytest.approx(np.mean(values), abs=1e-9 * np.abs(values).max())
    if found.error > 0:
        assert found.error >= (1 - 1e-9) * np.std(values, ddof=1) / math.sqrt(len(values))
        assert found.time >= 0.5 and 1 <= found.block < len(values)
    assert not (found.converged and len(values) < 100)


def test_samples_better_than_independent_are_taken_for_independent() -> None:
    noise = np.random.default_rng(15).normal(size=10_001)
    values = noise[1:] - 0.9 * noise[:-1]
    found = er.sampling.estimate(values)
    assert found.time == 0.5 and found.error == pytest.approx(values.std() / 100, rel=1e-3)


@given(st.integers(2, 300), st.floats(-1e3, 1e3), st.sampled_from([1e-200, 1e-3, 1.0, 1e200]))
def test_estimates_do_not_depend_on_units_and_origin(samples: int, origin: float, unit: float) -> None:
    (values,) = remembering(2.0, samples, 1, samples)
    plain, other = estimate_floats(values, 1), estimate_floats(unit * (values + origin), 1)
    assert other.mean == pytest.approx(unit * (plain.mean + origin), rel=1e-9, abs=1e-9 * unit)
    assert other.error == pytest.approx(unit * plain.error, rel=1e-6)
    assert (other.block, other.converged) == (plain.block, plain.converged)


@pytest.mark.parametrize("bad", [math.inf, math.nan])
def test_values_that_are_not_finite_make_the_error_of_a_run_infinite(bad: float) -> None:
    found = estimate_floats(np.array([1.0, bad, 2.0]), 1)
    assert not math.isfinite(found.mean) and math.isinf(found.error) and not found.converged


@pytest.mark.parametrize(
    ("series", "every", "named"),
    [
        ([], 1, "series"),
        ([[1.0, 2.0]], 1, "series"),
        (3.0, 1, "series"),
        ([1.0, math.nan], 1, "series"),
        (["a"], 1, "series"),
        ([1.0, 2.0], 0, "every"),
        ([1.0, 2.0], 1.5, "every"),
    ],
)
def test_what_is_no_series_is_refused_by_name(series: object, every: object, named: str) -> None:
    for ask in (er.sampling.estimate, er.sampling.autocorrelation_time):
        with pytest.raises(ValueError, match=f"^{named}"):
            ask(series, every)  # type: ignore[arg-type]


def test_an_estimate_tells_its_story() -> None:
    (values,) = 100 + remembering(10.0, 50_000, 1, 16)
    found = repr(er.sampling.estimate(values, 10))
    assert found.startswith("<Estimate: 10") or found.startswith("<Estimate: 99.9")
    assert ", converged; time " in found and found.endswith(" steps, 50,000 samples>")
    assert repr(er.sampling.estimate([1.0])) == (
        "<Estimate: 1 +- inf, not converged; time unknown, 1 samples>"
    )


@pytest.mark.parametrize(
    ("mean", "error", "words"),
    [
        (0.587597123, 0.0000072, "0.5875971 +- 0.0000072"),
        (12345.678, 4.2, "12,345.7 +- 4.2"),
        (12345.678, 123.4, "12,350 +- 120"),
        (-3.14159, 0.0996, "-3.142 +- 0.100"),
        (0.0, 0.25, "0.00 +- 0.25"),
        (1e-20, 1e-22, "1e-20 +- 1e-22"),
        (2.0, 0.0, "2 +- 0"),
        (1.5e30, 2.5e28, "1.5e+30 +- 2.5e+28"),
    ],
)
def test_numbers_are_told_with_the_digits_that_their_error_deserves(
    mean: float, error: float, words: str
) -> None:
    from elbowroom.sampling._telling import told

    assert told(mean, error) == words
