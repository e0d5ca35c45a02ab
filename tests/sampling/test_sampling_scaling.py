"""Exponents: fits find what values were made with, their errors are right, and too little is refused."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import curve_fit

import elbowroom as er
from elbowroom.sampling.scaling import CORRECTION, FLORY

pytestmark = pytest.mark.statistics

Floats = NDArray[np.float64]

SIZES = np.array([100, 200, 500, 1000, 3000, 10_000, 30_000, 100_000, 1_000_000], float)


def grown(
    exponent: float = FLORY, amplitude: float = 1.4, first: float = -0.3, second: float = 0.8, **how: Any
) -> Floats:
    """R^2 at the sizes, exactly."""
    sizes, delta = how.get("sizes", SIZES), how.get("delta", CORRECTION)
    corrections = 1 + first * sizes**-delta + second / sizes
    return np.asarray(amplitude * sizes ** (2 * exponent) * corrections, np.float64)


def measured(seed: int, relative: float = 1e-3, **how: Any) -> tuple[Floats, Floats]:
    """The same with noise, and the errors."""
    exact = grown(**how)
    noise = np.random.default_rng(seed).normal(size=len(exact))
    return exact * (1 + relative * noise), relative * exact


# Fits find what is there.


@given(
    st.floats(0.3, 1.0),
    st.floats(1e-3, 1e3),
    st.floats(-1.0, 1.0),
    st.floats(-3.0, 3.0),
    st.floats(0.3, 0.8),
)
def test_values_without_noise_give_back_what_they_were_made_with(
    exponent: float, amplitude: float, first: float, second: float, delta: float
) -> None:
    values = grown(exponent, amplitude, first, second, delta=delta)
    fit = er.sampling.fit_exponent(SIZES, values, 1e-4 * values, correction=delta)
    assert fit.exponent == pytest.approx(exponent, abs=1e-9)
    assert fit.amplitude == pytest.approx(amplitude, rel=1e-7)
    assert fit.terms == pytest.approx((first, second), abs=1e-5)
    assert fit.chi2 < 1e-6 and fit.chance > 0.999


@pytest.mark.parametrize("terms", [0, 1, 2])
def test_fits_with_fewer_corrections_have_fewer_numbers(terms: int) -> None:
    first, second = (-0.3, 0.8) if terms == 2 else (-0.3, 0.0) if terms else (0.0, 0.0)
    values, errors = measured(1, first=first, second=second)
    fit = er.sampling.fit_exponent(SIZES, values, errors, terms=terms)
    assert len(fit.terms) == len(fit.term_errors) == terms and fit.freedom == len(SIZES) - 2 - terms
    assert fit.covariance.shape == (2 + terms, 2 + terms)
    assert abs(fit.deviation()) < 3.5


def test_fits_are_those_of_a_general_fitter() -> None:
    values, errors = measured(2)

    def form(n: Floats, log_a: float, nu: float, a: float, b: float) -> Floats:
        return np.exp(log_a) * n ** (2 * nu) * (1 + a * n**-CORRECTION + b / n)

    fit = er.sampling.fit_exponent(SIZES, values, errors)
    found, covariance = curve_fit(form, SIZES, values, (0, 0.6, 0, 0), errors, absolute_sigma=True)
    assert [math.log(fit.amplitude), fit.exponent, *fit.terms] == pytest.approx(found, rel=1e-3)
    assert np.sqrt(np.diag(fit.covariance)) == pytest.approx(np.sqrt(np.diag(covariance)), rel=1e-2)
    assert fit.error == math.sqrt(fit.covariance[1, 1])
    assert fit.amplitude_error == pytest.approx(fit.amplitude * math.sqrt(fit.covariance[0, 0]))


def test_errors_and_chi2_are_right_over_many_fits() -> None:
    fits = [er.sampling.fit_exponent(SIZES, *measured(seed)) for seed in range(300)]
    off = np.array([fit.deviation() for fit in fits])
    assert 0.62 < (np.abs(off) < 1).mean() < 0.75 and abs(off.mean()) < 0.2 and 0.88 < off.std() < 1.12
    assert np.mean([fit.chi2 for fit in fits]) == pytest.approx(fits[0].freedom, rel=0.15)
    assert np.mean([fit.chance < 0.1 for fit in fits]) == pytest.approx(0.1, abs=0.05)


def test_a_fit_without_corrections_is_off_and_says_that_it_is_doubtful() -> None:
    values, errors = measured(3, 1e-4)
    plain, full = (er.sampling.fit_exponent(SIZES, values, errors, terms=terms) for terms in (0, 2))
    assert abs(plain.deviation()) > 20 > 3 > abs(full.deviation())
    assert plain.chance < 1e-6 and "doubtful" in repr(plain)
    assert full.chance > 0.01 and "doubtful" not in repr(full)


def test_values_with_large_errors_count_for_little() -> None:
    values, errors = measured(4)
    wrong, unsure = values.copy(), errors.copy()
    wrong[3] *= 1.5
    unsure[3] *= 1e5
    fit = er.sampling.fit_exponent(SIZES, wrong, unsure)
    kept = np.arange(len(SIZES)) != 3
    without = er.sampling.fit_exponent(SIZES[kept], values[kept], errors[kept])
    assert fit.exponent == pytest.approx(without.exponent, abs=1e-3 * fit.error)


def test_a_size_may_come_several_times_and_order_does_not_matter() -> None:
    values, errors = measured(5)
    order = np.random.default_rng(0).permutation(len(SIZES))
    plain = er.sampling.fit_exponent(SIZES, values, errors)
    mixed = er.sampling.fit_exponent(SIZES[order], values[order], errors[order])
    twice = er.sampling.fit_exponent(np.tile(SIZES, 2), np.tile(values, 2), np.tile(errors, 2))
    assert mixed.exponent == pytest.approx(plain.exponent, abs=1e-9)
    assert twice.exponent == pytest.approx(plain.exponent, abs=1e-9)
    assert twice.error == pytest.approx(plain.error / math.sqrt(2), rel=1e-6)
    assert twice.freedom == plain.freedom + len(SIZES)


def test_counting_bonds_instead_of_links_changes_the_second_correction_alone() -> None:
    values = grown()
    links, bonds = (er.sampling.fit_exponent(n, values, 1e-4 * values) for n in (SIZES, SIZES - 1))
    assert bonds.exponent == pytest.approx(links.exponent, abs=1e-4)
    assert bonds.terms[1] - links.terms[1] == pytest.approx(2 * FLORY, rel=0.2)


def test_a_fit_says_what_it_expects_elsewhere() -> None:
    values = grown()
    fit = er.sampling.fit_exponent(SIZES, values, 1e-3 * values)
    assert fit.at(SIZES) == pytest.approx(values, rel=1e-9)
    assert fit.at(5000) == pytest.approx(grown(sizes=np.array([5000.0]))[0], rel=1e-9)
    assert fit.residuals == pytest.approx(np.zeros(len(SIZES)), abs=1e-5)


# Too little, or nonsense.


@pytest.mark.parametrize(("terms", "least"), [(0, 3), (1, 4), (2, 5)])
def test_too_few_sizes_are_refused(terms: int, least: int) -> None:
    values, errors = measured(6)
    few = slice(0, least - 1)
    with pytest.raises(ValueError, match=rf"^links: {least - 1} sizes .* at least {least}"):
        er.sampling.fit_exponent(SIZES[few], values[few], errors[few], terms=terms)
    again = np.tile(SIZES[few], 5), np.tile(values[few], 5), np.tile(errors[few], 5)
    with pytest.raises(ValueError, match="too few"):  # no more of them by repetition
        er.sampling.fit_exponent(*again, terms=terms)
    enough = er.sampling.fit_exponent(SIZES[:least], values[:least], errors[:least], terms=terms)
    assert enough.freedom == 1


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"links": SIZES[:-1]}, "values"),
        ({"links": np.append(SIZES[:-1], 0.0)}, "links"),
        ({"values": -SIZES}, "values"),
        ({"errors": 0 * SIZES}, "errors"),
        ({"errors": SIZES + np.inf}, "errors"),
        ({"errors": 1.0}, "errors"),
        ({"values": [["a"]]}, "values"),
        ({"correction": 0.0}, "correction"),
        ({"correction": 1.0}, "correction"),
        ({"terms": 3}, "terms"),
        ({"terms": -1}, "terms"),
    ],
)
def test_nonsense_is_refused_by_name(changed: dict[str, Any], named: str) -> None:
    values, errors = measured(7)
    with pytest.raises(ValueError, match=f"^{named}"):
        er.sampling.fit_exponent(**({"links": SIZES, "values": values, "errors": errors} | changed))
    with pytest.raises(ValueError, match=r"^links"):
        er.sampling.fit_exponent(SIZES, values, errors).at([10.0, -1.0])


# What it shows.


def test_a_fit_tells_its_story() -> None:
    told = repr(er.sampling.fit_exponent(SIZES, *measured(8)))
    assert told.startswith("<ExponentFit: nu = 0.58") and "5 degrees of freedom" in told
    assert "no corrections" in repr(er.sampling.fit_exponent(SIZES, *measured(8), terms=0))


@pytest.mark.parametrize("terms", [0, 1, 2])
def test_pictures_show_the_values_the_fit_and_what_is_left(terms: int, tmp_path: Path) -> None:
    fit = er.sampling.fit_exponent(SIZES, *measured(9), terms=terms)
    figure = fit.plot(tmp_path / "fit.png" if terms == 2 else None)
    assert [file.read_bytes()[:4] for file in tmp_path.iterdir()] == [b"\x89PNG"] * (terms == 2)
    above, below = figure.axes
    dots, rest = above.containers[0].lines[0], below.containers[0].lines[0]
    assert dots.get_ydata() == pytest.approx(fit.values / SIZES ** (2 * fit.exponent))
    assert rest.get_ydata() == pytest.approx(fit.residuals)
    curve = max(above.lines, key=lambda line: len(line.get_xdata()))
    x, y = (np.asarray(data, float) for data in (curve.get_xdata(), curve.get_ydata()))
    assert y == pytest.approx(fit.at(x) / x ** (2 * fit.exponent))
