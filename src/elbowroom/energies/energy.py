"""What the core needs to know of an energy."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom import _arrays, _core

#: The forms of energies. The first six are sums over pairs, in the numbers of the core.
LENNARD_JONES, CLASHES, TABLE, CALLBACK, MIXED, COULOMB, PAIRS, TORSIONS, SUM = range(9)
NAMES = (
    *("Lennard-Jones", "clashes", "table", "callback", "Lennard-Jones, mixed"),
    *("Coulomb", "pairs", "torsions", "sum"),
)

#: The largest cutoff, which stands for none: squares of it are in the range of floats.
NO_CUTOFF = _core.limits.largest_number


def nothing() -> NDArray[np.float64]:
    """An array that is not used."""
    return np.empty(0)


@dataclass(frozen=True)
class Settings:
    """How a sum over pairs ends at its cutoff, and what it is made of.

    Attributes
    ----------
    switch
        Lennard-Jones is brought to zero from this distance on; None: it is not.
    geometric, shifted
        Of Lennard-Jones that is mixed: the means of sigma, and whether it is zero at the cutoff.
    by_square, field, level
        Of Coulomb: q q (1 / d or 1 / d^2, plus field d^2, less the level).
    """

    switch: float | None = None
    geometric: bool = False
    shifted: bool = False
    by_square: bool = False
    field: float = 0.0
    level: float = 0.0


@dataclass(frozen=True, eq=False)
class Energy:
    """What the core needs to know of an energy. Make one by the functions of er.energies.

    Examples
    --------
    >>> import elbowroom as er
    >>> energy = er.energies.Clashes()
    >>> isinstance(energy, er.energies.Energy), energy
    (True, <Energy: clashes>)
    """

    form: int
    cutoff: float
    kinds: int
    epsilon: NDArray[np.float64] = field(default_factory=nothing)
    sigma: NDArray[np.float64] = field(default_factory=nothing)
    offset: NDArray[np.float64] = field(default_factory=nothing)
    values: NDArray[np.float64] = field(default_factory=nothing)
    address: int = 0
    keep: object = None  # whatever must live as long as the energy
    settings: Settings = Settings()
    exclude: NDArray[np.int32] | None = None  # (m, 2); None: what the chain excludes
    balls: NDArray[np.int32] | None = None  # (m, 2) or (m, 4): of terms, or of pairs that are scaled
    numbers: NDArray[np.float64] = field(default_factory=nothing)  # (m, k): of these
    parts: tuple[Energy, ...] = ()

    def __post_init__(self) -> None:
        """Checks that the arrays belong together, as the core reads them without looking."""
        form = _arrays.count(self.form, "form", 0, len(NAMES) - 1)
        kinds = _arrays.count(self.kinds, "kinds", 1)
        if (form == CALLBACK) != bool(self.address):
            raise ValueError(f"form {CALLBACK} and no other has an address, got form {form}")
        if (form == SUM) != bool(self.parts) or not all(isinstance(e, Energy) for e in self.parts):
            raise ValueError(f"form {SUM} and no other has parts, each an Energy, got form {form}")
        _arrays.length(self.cutoff, "cutoff") if form in (CLASHES, PAIRS, TORSIONS, SUM) else checked_cutoff(
            self.cutoff
        )
        wanted = {"epsilon": form == LENNARD_JONES, "sigma": form == LENNARD_JONES,
                  "offset": form == LENNARD_JONES, "values": form == TABLE}  # fmt: skip
        for name, some in wanted.items():
            array = getattr(self, name)
            if form in (MIXED, COULOMB) and name != "offset":
                continue
            bins = len(_arrays.numbers(array, name)) // kinds**2 if some else 0
            enough = not some or (bins > 1 if name == "values" else bins == 1)
            if np.shape(array) != (bins * kinds**2,) or not enough:
                raise ValueError(f"{name} must have as many numbers as there are pairs of {kinds} kinds")
        self._check_arrays_by_ball()
        self._check_balls()

    def _check_arrays_by_ball(self) -> None:
        given = {MIXED: ("epsilon", "sigma"), COULOMB: ("values",)}.get(self.form, ())
        for name in given:
            array = _arrays.numbers(getattr(self, name), name)
            if array.ndim != 1 or (name != "values" and (array < 0).any()):
                raise ValueError(f"{name} must be one number for each ball or kind, not negative")

    def _check_balls(self) -> None:
        checked_pairs(self.exclude, "exclude")
        if not isinstance(self.settings, Settings):
            raise ValueError(f"settings must be Settings, got {_arrays.shown(self.settings)}")
        for name, value in vars(self.settings).items():
            if value is not None:
                _arrays.number(float(value), name)
        columns = {PAIRS: 3, TORSIONS: 4}.get(self.form, 1)
        if self.balls is None:
            if self.form in (PAIRS, TORSIONS) or np.size(self.numbers):
                raise ValueError("balls and numbers go together")
            return
        shape, wanted = np.shape(self.balls), 4 if self.form == TORSIONS else 2
        if len(shape) != 2 or shape[1] != wanted or np.shape(self.numbers) != (shape[0], columns):
            raise ValueError(f"balls and numbers must have shapes (m, {wanted}) and (m, {columns})")
        _arrays.indices(np.ravel(self.balls), None, _core.limits.largest_int, "balls")
        if shape[0]:
            _arrays.numbers(self.numbers, "numbers")

    def __copy__(self) -> Energy:
        return self

    def __deepcopy__(self, memo: Any) -> Energy:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        refuse_callback(self)
        return Energy, tuple(getattr(self, each.name) for each in fields(self))

    def __repr__(self) -> str:
        if self.form == SUM:
            return f"<Energy: {' + '.join(repr(part)[9:-1] for part in self.parts)}>"
        if self.form in (PAIRS, TORSIONS):
            return f"<Energy: {len(self.numbers)} {NAMES[self.form]}>"
        if self.form == CLASHES:
            return f"<Energy: {NAMES[self.form]}>"
        reach = "inf" if self.cutoff == NO_CUTOFF else f"{self.cutoff:g}"
        return f"<Energy: {NAMES[self.form]}, cutoff {reach}>"


def refuse_callback(energy: Energy) -> None:
    """Raises for an energy that cannot be saved."""
    if any(part.address for part in parts_of(energy)):
        raise TypeError(
            "an energy with a Callback cannot be pickled: its address is of this process; "
            "take it away by set_energy(None), and give it again after loading"
        )


def parts_of(energy: Energy) -> list[Energy]:
    """The energy, or those that a sum is made of."""
    if energy.form != SUM:
        return [energy]
    return [each for part in energy.parts for each in parts_of(part)]


def checked_cutoff(value: float, infinite: bool = False) -> float:
    """A cutoff whose square is a number; with `infinite` there may be none."""
    if infinite and isinstance(value, (float, np.floating)) and value == np.inf:
        return NO_CUTOFF
    out = _arrays.length(value, "cutoff")
    if out == 0:
        raise ValueError("cutoff must be larger than 0")
    if out * out == 0:
        raise ValueError(f"cutoff must be so large that its square is not zero, got {value}")
    return out


def checked_pairs(value: ArrayLike | None, name: str) -> NDArray[np.int32] | None:
    """Pairs of balls (m, 2), or None. How many balls there are only the chain knows."""
    return None if value is None else _arrays.index_pairs(value, _core.limits.largest_int, name)


def checked_scaled(value: Any) -> tuple[NDArray[np.int32] | None, NDArray[np.float64]]:
    """Pairs that are scaled and their factors (m, 1), from (pairs, factors); nothing from None."""
    if value is None:
        return None, nothing()
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise ValueError(f"scaled must be (pairs, factors), got {_arrays.shown(value)}")
    pairs = _arrays.index_pairs(value[0], _core.limits.largest_int, "scaled[0]")
    same = np.flatnonzero(pairs[:, 0] == pairs[:, 1])
    if len(same):
        raise ValueError(f"scaled[0][{same[0]}] names ball {pairs[same[0], 0]} twice")
    sorted_pairs = np.sort(pairs, axis=1)
    distinct, count = np.unique(sorted_pairs, axis=0, return_counts=True)
    if len(distinct) < len(pairs):
        raise ValueError(
            f"scaled[0] has the pair {tuple(distinct[np.argmax(count)].tolist())} more than once"
        )
    factors = by_row(value[1], len(pairs), "scaled[1]")
    return pairs, factors[:, None]


def by_row(value: ArrayLike, rows: int, name: str) -> NDArray[np.float64]:
    """A number for all rows, or one for each."""
    if rows == 0:
        return nothing()
    array = _arrays.numbers(value, name)
    if array.shape not in ((), (rows,)):
        raise ValueError(f"{name} must be a number or have shape ({rows},), got {array.shape}")
    return np.broadcast_to(array, (rows,)).copy()
