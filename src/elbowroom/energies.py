"""Energies over pairs of balls, which a Chain keeps up to date: see Chain.set_energy."""

from __future__ import annotations

import ctypes
import gc
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core

#: What ctypes makes of a function, whatever its signature.
_COMPILED: type[Any] = ctypes.CFUNCTYPE(None).__mro__[1]
#: What such a function holds on to if it calls Python, by the name of its type, which ctypes does not export.
_THUNK = "CThunkObject"
#: The flag of functions that need the interpreter's lock.
_NEEDS_LOCK = ctypes.PYFUNCTYPE(None)._flags_ & ~ctypes.CFUNCTYPE(None)._flags_

__all__ = ["Callback", "Clashes", "Energy", "LennardJones", "Table"]


def _nothing() -> NDArray[np.float64]:
    return np.empty(0)


@dataclass(frozen=True, eq=False)
class Energy:
    """What the core needs to know of an energy. Make one of the energies below.

    Examples
    --------
    >>> import elbowroom as er
    >>> isinstance(er.energies.Clashes(), er.energies.Energy)
    True
    """

    form: int
    cutoff: float
    kinds: int
    epsilon: NDArray[np.float64] = field(default_factory=_nothing)
    sigma: NDArray[np.float64] = field(default_factory=_nothing)
    offset: NDArray[np.float64] = field(default_factory=_nothing)
    values: NDArray[np.float64] = field(default_factory=_nothing)
    address: int = 0
    keep: object = None  # whatever must live as long as the energy

    def __post_init__(self) -> None:
        """Checks that the arrays belong together, as the core reads them without looking."""
        form = _arrays.count(self.form, "form", 0)
        kinds = _arrays.count(self.kinds, "kinds", 1)
        if form > 3 or (form == 3) != bool(self.address):
            raise ValueError(f"form must be 0 to 3, and 3 alone has an address, got {form}")
        _arrays.length(self.cutoff, "cutoff") if form == 1 else _cutoff(self.cutoff)
        wanted = {"epsilon": form == 0, "sigma": form == 0, "offset": form == 0, "values": form == 2}
        for name, some in wanted.items():
            array = getattr(self, name)
            bins = len(_arrays.numbers(array, name)) // kinds**2 if some else 0
            enough = not some or (bins > 1 if name == "values" else bins == 1)
            if np.shape(array) != (bins * kinds**2,) or not enough:
                raise ValueError(f"{name} must have as many numbers as there are pairs of {kinds} kinds")

    def __copy__(self) -> Energy:
        return self

    def __deepcopy__(self, memo: Any) -> Energy:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if self.address:
            raise TypeError("an energy with a callback cannot be pickled: its address is of this process")
        return Energy, (
            *(self.form, self.cutoff, self.kinds),
            *(self.epsilon, self.sigma, self.offset, self.values),
        )


def LennardJones(epsilon: ArrayLike, sigma: ArrayLike, cutoff: float, *, shift: bool = False) -> Energy:
    """4 epsilon ((sigma / d)^12 - (sigma / d)^6) up to the cutoff [Jones1924]_.

    Parameters
    ----------
    epsilon, sigma
        Numbers, or symmetric matrices (kinds, kinds).
    cutoff
        Largest distance of two centres.
    shift
        Lift the curve so that it is zero at the cutoff.

    Examples
    --------
    >>> import elbowroom as er
    >>> chain = er.Chain([[0, 0, 0], [2, 0, 0], [4, 0, 0]], 0.5)
    >>> chain.set_energy(er.energies.LennardJones(1.0, 4.0 / 2 ** (1 / 6), cutoff=10.0))
    >>> round(chain.energy(), 12)
    -1.0
    """
    reach = _cutoff(cutoff)
    e, s = _matrix(epsilon, "epsilon"), _matrix(sigma, "sigma")
    if (s < 0).any():
        raise ValueError(f"sigma must not be negative, got {s.min()}")
    kinds = max(len(e), len(s))
    e, s = (np.broadcast_to(m, (kinds, kinds)).copy() if len(m) == 1 else m for m in (e, s))
    if e.shape != s.shape:
        raise ValueError(f"epsilon and sigma must have the same shape, got {e.shape} and {s.shape}")
    offset = _at_cutoff(e, s, reach) if _arrays.flag(shift, "shift") else np.zeros_like(e)
    return Energy(0, reach, kinds, e.ravel(), s.ravel(), offset.ravel())


def _at_cutoff(
    epsilon: NDArray[np.float64], sigma: NDArray[np.float64], cutoff: float
) -> NDArray[np.float64]:
    """What a shift takes away, if that is a number."""
    with np.errstate(over="ignore", invalid="ignore"):
        sixth = (sigma / cutoff) ** 6
        offset: NDArray[np.float64] = 4 * epsilon * (sixth**2 - sixth)
    if not np.isfinite(offset).all():
        raise ValueError(f"cutoff is so small for sigma that the energy there is not a number: {cutoff}")
    return offset


def Clashes() -> Energy:
    """The number of pairs that touch or overlap.

    Examples
    --------
    >>> import elbowroom as er
    >>> chain = er.Chain([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], 0.6)
    >>> chain.set_energy(er.energies.Clashes())
    >>> chain.energy()
    1.0
    """
    return Energy(1, 0.0, 1)


def Table(values: ArrayLike, cutoff: float) -> Energy:
    """Any function of the squared distance: values at equal steps from 0 to cutoff^2, linear in between.

    Parameters
    ----------
    values
        (bins,), or (kinds, kinds, bins) symmetric in the kinds.
    cutoff
        Largest distance of two centres.

    Examples
    --------
    >>> import elbowroom as er, numpy as np
    >>> squared = np.linspace(0, 25.0, 251)
    >>> spring = er.energies.Table(0.5 * squared, cutoff=5.0)
    >>> chain = er.Chain([[0, 0, 0], [2, 0, 0], [4, 0, 0]], 0.5)
    >>> chain.set_energy(spring)
    >>> chain.energy()
    8.0
    """
    array = _arrays.numbers(values, "values")
    if array.ndim == 1:
        array = array[None, None]
    if array.ndim != 3 or array.shape[0] != array.shape[1] or array.shape[2] < 2:
        raise ValueError(
            f"values must have shape (bins,) or (kinds, kinds, bins), at least two bins, got {array.shape}"
        )
    if not np.array_equal(array, array.transpose(1, 0, 2)):
        raise ValueError("values must be symmetric: the energy of kinds a, b is that of b, a")
    return Energy(2, _cutoff(cutoff), len(array), values=np.ascontiguousarray(array).ravel())


def Callback(function: object, cutoff: float) -> Energy:
    """A compiled function, double f(double squared_distance, int32 kind_a, int32 kind_b), symmetric in kinds.

    The core calls it from any thread, without the interpreter's lock, and cannot see errors: it must not call
    Python, and must not raise. A numba cfunc that raises returns a number that means nothing, and only prints
    the error.

    Parameters
    ----------
    function
        A numba cfunc, a function of a shared library as ctypes loads it, or an address. A function that
        ctypes has made of a Python function is refused: compile it by `numba.cfunc`.
    cutoff
        Largest distance of two centres.

    Examples
    --------
    >>> import elbowroom as er
    >>> from numba import cfunc
    >>> @cfunc("float64(float64, int32, int32)")
    ... def contact(d2, a, b):
    ...     return -1.0
    >>> chain = er.Chain([[0, 0, 0], [2, 0, 0], [4, 0, 0]], 0.5)
    >>> chain.set_energy(er.energies.Callback(contact, cutoff=4.5))
    >>> chain.energy()
    -1.0
    """
    address = getattr(function, "address", function)
    if isinstance(address, _COMPILED):
        _refuse_python(address)
        address = _address(address)
    if isinstance(address, bool) or not isinstance(address, int) or address <= 0:
        raise ValueError(
            f"function must be a numba cfunc, a ctypes function or an address, got {_arrays.shown(function)}"
        )
    for each in gc.get_objects():  # by its address a function of Python is known only while ctypes holds it
        if issubclass(type(each), _COMPILED) and _address(each) == address:
            _refuse_python(each)
    return Energy(3, _cutoff(cutoff), _core.limits.largest_int, address=address, keep=function)


def _address(function: Any) -> int | None:
    return ctypes.cast(function, ctypes.c_void_p).value


def _refuse_python(function: Any) -> None:
    """Raises for a ctypes function that calls Python: its errors would be lost, and garbage be its answer."""
    held = function._objects if isinstance(function._objects, dict) else {}
    if type(function)._flags_ & _NEEDS_LOCK or any(type(each).__name__ == _THUNK for each in held.values()):
        raise ValueError(
            "function must not call Python, as this ctypes function does: its errors would be lost;"
            " compile it, for instance by numba.cfunc('float64(float64, int32, int32)')"
        )


def _cutoff(value: float) -> float:
    out = _arrays.length(value, "cutoff")
    if out == 0:
        raise ValueError("cutoff must be larger than 0")
    if out * out == 0:
        raise ValueError(f"cutoff must be so large that its square is not zero, got {value}")
    return out


def _matrix(value: ArrayLike, name: str) -> NDArray[np.float64]:
    array = np.atleast_2d(_arrays.numbers(value, name))
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise ValueError(f"{name} must be a number or have shape (kinds, kinds), got {array.shape}")
    if not np.array_equal(array, array.T):
        raise ValueError(f"{name} must be symmetric")
    return array
