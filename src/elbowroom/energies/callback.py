"""Energies that a compiled function computes."""

from __future__ import annotations

import ctypes
import gc
from typing import Any

from numpy.typing import ArrayLike

from elbowroom import _arrays, _core
from elbowroom.energies.energy import CALLBACK, Energy, checked_cutoff, checked_pairs

#: What ctypes makes of a function, whatever its signature.
_COMPILED: type[Any] = ctypes.CFUNCTYPE(None).__mro__[1]
#: What such a function holds on to if it calls Python, by the name of its type, which ctypes does not export.
_THUNK = "CThunkObject"
#: The flag of functions that need the interpreter's lock.
_NEEDS_LOCK = ctypes.PYFUNCTYPE(None)._flags_ & ~ctypes.CFUNCTYPE(None)._flags_


def Callback(function: object, cutoff: float, *, exclude: ArrayLike | None = None) -> Energy:
    """A compiled function, double f(double squared_distance, int32 kind_a, int32 kind_b), symmetric in kinds.

    The core calls it from any thread, without the interpreter's lock, and cannot see errors: it must not call
    Python, and must not raise. A numba cfunc that raises returns a number that means nothing, and only prints
    the error. A chain with such an energy cannot be pickled: an address means nothing in another process.

    Parameters
    ----------
    function
        A numba cfunc, a function of a shared library as ctypes loads it, or an address. A function that
        ctypes has made of a Python function is refused: compile it by `numba.cfunc`.
    cutoff
        Largest distance of two centres.
    exclude
        (m, 2): pairs of balls that are left out. None: those that the chain excludes.

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
    return Energy(
        CALLBACK,
        checked_cutoff(cutoff),
        _core.limits.largest_int,
        address=address,
        keep=function,
        exclude=checked_pairs(exclude, "exclude"),
    )


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
