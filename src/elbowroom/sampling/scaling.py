"""How the size of a chain grows with its length: the exponent of Flory, with corrections to scaling.

The mean square distance R^2 of the ends of a self-avoiding chain of N links, or its mean square radius of
gyration, is

    R^2 = A N^(2 nu) (1 + a N^-Delta + b / N + ...)

The exponents nu and Delta are the same for all such chains, A, a and b are not. Without the corrections a fit
would be off by many of its errors: with a of about 0.3, the first is still near a percent at N = 1000.
"""

from __future__ import annotations

import math
import os
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays

from ._telling import told

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

FLORY = 0.587597
"""The exponent nu of self-avoiding chains in space, 0.587597(7) [Clisby2010]_.

[Clisby2016]_ give 0.58759700(40).
"""
CORRECTION = 0.528
"""The leading exponent Delta of the corrections, 0.528(8) [Clisby2016]_."""
DOUBTFUL = 0.01  # the chance of a worse fit below which the errors or the form are not to be believed
SHARPEST = 1e50  # values over errors: beyond, squares leave what numbers can hold


@dataclass(frozen=True, eq=False, repr=False)
class ExponentFit:
    """R^2 = A N^(2 nu) (1 + a N^-Delta + b / N), fitted.

    Attributes
    ----------
    exponent, error
        nu, and its standard error from the covariance of the fit.
    amplitude, amplitude_error
        A.
    terms, term_errors
        (a, b), (a,) or ().
    chi2, freedom
        Sum of the squared deviations in units of the errors, and how many are left over by the fit: about as
        much as the sum should be.
    correction
        Delta, which is not fitted.
    covariance
        (2 + terms, 2 + terms): of log A, nu, and the terms.
    links, values, errors
        (n,): what was fitted.

    Examples
    --------
    >>> import elbowroom as er
    >>> import numpy as np
    >>> links = np.array([100.0, 400.0, 1600.0, 6400.0])
    >>> fit = er.sampling.fit_exponent(links, 2.0 * links**1.0, 1e-3 * links, terms=0)
    >>> round(fit.exponent, 6), round(fit.amplitude, 6)
    (0.5, 2.0)
    """

    exponent: float
    error: float
    amplitude: float
    amplitude_error: float
    terms: tuple[float, ...]
    term_errors: tuple[float, ...]
    chi2: float
    freedom: int
    correction: float
    covariance: Floats
    links: Floats
    values: Floats
    errors: Floats

    @property
    def chance(self) -> float:
        """How likely deviations this large are, if the form and the errors are right."""
        from scipy.special import gammaincc  # takes a while to import

        return float(gammaincc(self.freedom / 2, self.chi2 / 2))

    @property
    def residuals(self) -> Floats:
        """(n,): deviations of the values from the fit, in units of their errors."""
        return (self.values - self.at(self.links)) / self.errors

    def at(self, links: ArrayLike) -> Floats:
        """What the fit says R^2 is at other numbers of links, in the shape they come in."""
        sizes = _positive(links, "links")
        numbers = np.array([math.log(self.amplitude), self.exponent, *self.terms])
        return _form(numbers, sizes, self.correction)

    def deviation(self, exponent: float = FLORY) -> float:
        """How many of its errors the exponent is above another; above the known one if none is given."""
        return (self.exponent - _arrays.number(exponent, "exponent")) / self.error

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """R^2 / N^(2 nu) against N with the fit, and what is left over; written to a file if one is named."""
        from elbowroom.pictures.saving import saved
        from elbowroom.pictures.scaling import scaling_figure

        return saved(scaling_figure(self), path)

    def __repr__(self) -> str:
        terms = ", ".join(map(told, self.terms, self.term_errors))
        corrections = f", corrections {terms}" if terms else ", no corrections"
        doubt = "" if self.chance >= DOUBTFUL else f": doubtful, chance {self.chance:.1g}"
        return (
            f"<ExponentFit: nu = {told(self.exponent, self.error)}{corrections}; "
            f"chi2 {self.chi2:.1f} for {self.freedom} degrees of freedom{doubt}>"
        )


def fit_exponent(
    links: ArrayLike, values: ArrayLike, errors: ArrayLike, *, correction: float = CORRECTION, terms: int = 2
) -> ExponentFit:
    """The exponent nu of R^2 = A N^(2 nu) (1 + a N^-Delta + b / N), by weighted least squares.

    Parameters
    ----------
    links
        (n,): numbers N of links. Whether links or bonds are counted changes b, and hardly anything else.
        A number may come several times, with independent values.
    values, errors
        (n,): mean squares of the distance of the ends, or of the radius of gyration, and their standard
        errors: `run.estimate("end_to_end", 2)` has both.
    correction
        Delta. The known one is 0.528(8) [Clisby2016]_.
    terms
        How many corrections: 2, a and b; 1, a alone; 0, a pure power.

    Examples
    --------
    >>> import numpy as np
    >>> import elbowroom as er
    >>> links = 100 * 4 ** np.arange(7)
    >>> exact = 1.5 * links**1.175 * (1 - 0.4 * links**-0.528 + 0.3 / links)
    >>> noise = 1 + 1e-3 * np.random.default_rng(0).normal(size=7)
    >>> fit = er.sampling.fit_exponent(links, exact * noise, 1e-3 * exact)
    >>> abs(fit.deviation(0.5875)) < 2, len(fit.terms), fit.freedom
    (True, 2, 3)
    """
    sizes, squares, spreads = _points(links, values, errors)
    wanted, delta = 2 + _arrays.count(terms, "terms", 0, 2), _arrays.number(correction, "correction")
    if delta <= 0 or (delta == 1 and wanted == 4):
        raise ValueError(f"correction must be positive, and not that of the second term, 1; got {delta}")
    _refuse_few(sizes, wanted)
    numbers, covariance = _finite_fit(sizes, squares, spreads, delta, wanted)
    left = (squares - _form(numbers, sizes, delta)) / spreads
    deviations, amplitude = np.sqrt(np.diag(covariance)), math.exp(numbers[0])
    return ExponentFit(
        exponent=float(numbers[1]),
        error=float(deviations[1]),
        amplitude=amplitude,
        amplitude_error=amplitude * float(deviations[0]),
        terms=tuple(numbers[2:].tolist()),
        term_errors=tuple(deviations[2:].tolist()),
        chi2=float(left @ left),
        freedom=len(sizes) - wanted,
        correction=delta,
        covariance=covariance,
        links=sizes,
        values=squares,
        errors=spreads,
    )


def _positive(value: ArrayLike, name: str) -> Floats:
    array = _arrays.numbers(value, name)
    if (array <= 0).any():
        where = tuple(int(i) for i in np.argwhere(array <= 0)[0])
        raise ValueError(f"{name} must be positive, got {array[where]:g} at {where}")
    return array


def _points(links: Any, values: Any, errors: Any) -> tuple[Floats, Floats, Floats]:
    sizes, squares, spreads = (
        _positive(value, name) for value, name in ((links, "links"), (values, "values"), (errors, "errors"))
    )
    for array, name in ((sizes, "links"), (squares, "values"), (spreads, "errors")):
        if array.ndim != 1 or len(array) != len(sizes):
            raise ValueError(f"{name} must have one dimension, a number for each size, got {array.shape}")
    if sizes.min() < 1:
        raise ValueError(f"links must be at least 1, got {sizes.min()}")
    return sizes, squares, spreads


def _refuse_few(sizes: Floats, wanted: int) -> None:
    """One size more than there are numbers to find, or nothing would be left to judge the fit by."""
    found = len(np.unique(sizes))
    if found <= wanted:
        raise ValueError(
            f"links: {found} sizes are too few to find {wanted} numbers: give at least {wanted + 1}, "
            "or ask for fewer terms"
        )


def _finite_fit(
    sizes: Floats, squares: Floats, spreads: Floats, delta: float, wanted: int
) -> tuple[Floats, Floats]:
    """The fit, if it has come to an end with numbers."""
    with np.errstate(over="ignore"):
        sharpness = squares / spreads
    if sharpness.min() < 1 / SHARPEST or sharpness.max() > SHARPEST:
        raise ValueError(f"errors must be within a factor of {SHARPEST:g} of the values")
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a fit that is poorly conditioned says so by its errors
            numbers, covariance = _fitted(sizes, squares, spreads, delta, wanted)
    except np.linalg.LinAlgError:
        numbers = covariance = np.full(1, np.nan)
    if not (np.isfinite(numbers).all() and np.isfinite(covariance).all()):
        raise ValueError("values cannot be fitted: they leave no number for the exponent or its error")
    return numbers, covariance


def _fitted(
    sizes: Floats, squares: Floats, spreads: Floats, delta: float, wanted: int
) -> tuple[Floats, Floats]:
    """The logarithm of A, nu and the terms of the least squares, and their covariance."""
    from scipy.optimize import least_squares  # takes a while to import

    slope, height = np.polyfit(np.log(sizes), np.log(squares), 1, w=squares / spreads)
    start = np.array([height, slope / 2, 0.0, 0.0])[:wanted]
    found = least_squares(
        lambda numbers: (_form(numbers, sizes, delta) - squares) / spreads,
        start,
        lambda numbers: _slopes(numbers, sizes, delta) / spreads[:, None],
        method="lm",
        x_scale="jac",
        xtol=1e-14,
        ftol=1e-14,
        gtol=1e-14,
    )
    scale = np.linalg.norm(found.jac, axis=0)  # the columns differ by orders of magnitude
    inverse = np.linalg.pinv(found.jac / scale)
    covariance = inverse @ inverse.T / np.outer(scale, scale)
    return np.asarray(found.x, np.float64), np.asarray(covariance, np.float64)


def _powers(sizes: Floats, delta: float, terms: int) -> Floats:
    """Of the corrections: (..., terms)."""
    return np.stack([sizes**-delta, 1 / sizes], axis=-1)[..., :terms]


def _form(numbers: Floats, sizes: Floats, delta: float) -> Floats:
    corrections = 1 + _powers(sizes, delta, len(numbers) - 2) @ numbers[2:]
    return np.asarray(np.exp(numbers[0] + 2 * numbers[1] * np.log(sizes)) * corrections, np.float64)


def _slopes(numbers: Floats, sizes: Floats, delta: float) -> Floats:
    """Derivatives of the form: (n, 2 + terms)."""
    whole, bare = _form(numbers, sizes, delta), _form(numbers[:2], sizes, delta)
    powers = _powers(sizes, delta, len(numbers) - 2)
    return np.column_stack([whole, 2 * np.log(sizes) * whole, bare[:, None] * powers])
