"""Values that nobody should pass, and somebody will: in the place of a sound argument, or made out of it."""

from __future__ import annotations

import datetime
import decimal
import fractions
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import elbowroom as er

Rng = np.random.Generator

NUMBERS: tuple[Any, ...] = (
    0, -0.0, -1, 1, 2, 3, 0.5, 1e-300, 5e-324, 1e-36, 1e-34, 1e14, 1e15, 1.0000001e15, 1e16, 1e154, 1e300,
    -1e300, np.nan, np.inf, -np.inf, 2**31 - 1, 2**31, -(2**31), 2**32, 2**63 - 1, 2**63, 2**64, 10**30,
    10**400,
    True, False, np.True_, np.int8(3), np.uint64(2**63), np.float32(0.1), np.float16(2), np.longdouble(1) / 3,
    np.array(2.0), np.array([2.0]), np.array(3), 1 + 0j, 1j, fractions.Fraction(1, 3), decimal.Decimal("0.1"),
    "1", "1e3", "nan", b"1",
)  # fmt: skip
THINGS: tuple[Any, ...] = (
    None, "", "a", "A" * 400, "\udcff", "\0", b"", b"\xff\x00", (), [], {}, set(), {1.0}, {"a": 1}, {0: 1.0},
    object(),
    object, int, len, Ellipsis, NotImplemented, range(3), range(10**12), iter([1, 2, 3]), memoryview(b"abc"),
    bytearray(8), [[]], [None], [None, None], [[1, 2], [3]], [[1, 2, 3], [4, 5]], ["a", "b"], [[["a"]]],
    [1, "a"],
    (1, 2, 3), [0, 0, 0], [0.0, 0.0, 1.0], np.empty(0), np.empty((0, 3)), np.empty((3, 0)),
    np.zeros((0, 0, 0)),
    np.zeros((1, 1, 1, 1, 1)), np.zeros((2, 3, 3)), np.zeros(3, complex), np.array(["a", "b"]),
    np.array([b"a"]),
    np.array([1, "a"], dtype=object), np.array([None, None]), np.array("2020-01-01", "M8[D]"),
    np.zeros(3, "m8[s]"),
    np.zeros(3, [("x", float), ("y", int)]), np.zeros((2, 3), bool), np.eye(3), np.eye(4), np.eye(4)[None],
    np.full((4, 4), np.nan), np.ma.masked_array([1.0, 2.0, 3.0], [0, 1, 0]), datetime.date(2020, 1, 1),
    np.float64,
    np.zeros((4, 4))[::-1], np.asfortranarray(np.eye(3)), np.arange(9.0).reshape(3, 3)[:, ::-1],
)  # fmt: skip


class Liar:
    """Says that it is an array, a pose and a body, and is none."""

    shape, dtype, ndim, matrix = (3,), np.dtype(float), 1, "no matrix"

    def __len__(self) -> int:
        return 3

    def __getitem__(self, key: object) -> float:
        raise IndexError(key)

    def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
        raise ValueError("this is no array")

    def __float__(self) -> float:
        raise ZeroDivisionError

    def as_matrix(self) -> str:
        return "no matrix"


def endless() -> list[Any]:
    out: list[Any] = []
    out.append(out)
    return out


#: Objects whose constructors were never called.
UNMADE = [
    kind.__new__(kind)
    for kind in (
        er.Sphere, er.Mesh, er.Group, er.Pose, er.Chain, er.Necklace, er.Articulated, er.Motion, er.Budget,
        er.Memory,
        er.MotionChecker, er.Link, er.Joint, er.Body,
    )
]  # fmt: skip


BALL, ASIDE = er.Sphere(0.5), er.Pose(translation=[1, 0, 0])
BODIES: tuple[Callable[[], Any], ...] = (
    lambda: BALL, lambda: er.Box(0.0), lambda: er.Sphere(1e15), lambda: er.Group([(BALL, ASIDE)]),
    lambda: ASIDE,
    lambda: er.Chain(np.eye(3), 0.1), lambda: er.Necklace(np.eye(3), 0.1),
    lambda: er.Articulated([er.Link("a", BALL)]),
    lambda: er.Motion(ASIDE, ASIDE), lambda: er.Budget(tests=0), lambda: er.Budget(seconds=0.0),
    lambda: er.Memory(),
    lambda: er.Link("b"), lambda: er.Mimic("a"), lambda: er.Mesh(np.eye(3), [[0, 1, 2]]), lambda: [BALL],
    lambda: (BALL, ASIDE), lambda: [(BALL, ASIDE)], lambda: (BALL, "no pose"), lambda: (ASIDE, BALL),
    lambda: {BALL: ASIDE}, lambda: er.Sphere, lambda: er.Pose, Liar, endless, lambda: (x for x in (1, 2)),
    lambda: print,
)  # fmt: skip


def anything(rng: Rng) -> Any:
    """Something that is not what was wanted."""
    kind = rng.random()
    if kind < 0.3:
        return NUMBERS[int(rng.integers(len(NUMBERS)))]
    if kind < 0.75:
        return THINGS[int(rng.integers(len(THINGS)))]
    return BODIES[int(rng.integers(len(BODIES)))]()


def _entries(value: np.ndarray, rng: Rng) -> Any:
    """One or all entries are odd numbers."""
    real = [
        float(x)
        for x in NUMBERS
        if isinstance(x, (int, float)) and not isinstance(x, bool) and abs(x) < 1e308
    ]
    real += [np.nan, np.inf]
    out = np.array(value, dtype=float if value.dtype.kind == "f" else object)
    number = real[int(rng.integers(len(real)))]
    if value.dtype.kind != "f":
        number = int(number) if np.isfinite(number) else -1
    if rng.random() < 0.2:
        out[...] = number
    elif out.size:
        out.flat[int(rng.integers(out.size))] = number
    return out if value.dtype.kind == "f" else _whole(out)


def _whole(values: np.ndarray) -> Any:
    try:
        return values.astype(np.int64)
    except OverflowError:
        return values


def _scaled(value: np.ndarray, rng: Rng) -> Any:
    factors = (0.0, 1e-40, 1e-20, 1e-9, 1e6, 1e14, 1e200, -1.0)
    with np.errstate(all="ignore"):
        return value * factors[int(rng.integers(len(factors)))]


CHANGES: tuple[Callable[[np.ndarray, Rng], Any], ...] = (
    _entries, _entries, _entries, _scaled,
    lambda a, r: a.T, lambda a, r: a[None], lambda a, r: a.ravel(), lambda a, r: a[..., None], lambda a,
    r: a[:0],
    lambda a, r: a[:1], lambda a, r: a[..., :1], lambda a, r: a[:-1], lambda a, r: a[::-1], lambda a,
    r: a.tolist(),
    lambda a, r: np.concatenate([a, a]), lambda a, r: np.repeat(a[:1], max(len(a), 1), axis=0),
    lambda a, r: a.astype(object), lambda a, r: a.astype(complex), lambda a, r: a.astype(np.float16),
    lambda a, r: a.astype(">f8"), lambda a, r: a.astype(str), lambda a, r: a.astype(bytes), lambda a,
    r: a.astype(np.int64),
    lambda a, r: a.astype(np.longdouble), lambda a, r: a.astype(bool), lambda a, r: np.asfortranarray(a),
    lambda a, r: np.ma.masked_array(a, r.random(a.shape) < 0.5), lambda a, r: a.tobytes(), lambda a,
    r: memoryview(a.copy()),
    lambda a, r: [*a.tolist(), None], lambda a, r: [*a.tolist(), []], lambda a, r: iter(a.tolist()),
    lambda a, r: set(a.ravel().tolist()), lambda a, r: np.broadcast_to(a, (2, *a.shape)), lambda a,
    r: a.astype(np.uint8),
)  # fmt: skip


def _of_array(value: np.ndarray, rng: Rng) -> Any:
    with np.errstate(all="ignore"):
        changed = value
        for _ in range(1 + int(rng.random() < 0.3)):
            if isinstance(changed, np.ndarray) and changed.ndim and changed.dtype.kind in "iufb":
                changed = CHANGES[int(rng.integers(len(CHANGES)))](changed, rng)
        return changed


def _of_sequence(value: Sequence[Any], rng: Rng) -> Any:
    """An item that is odd, missing, doubled; or another kind of collection."""
    items = list(value)
    kind = int(rng.integers(7))
    if kind <= 2 and items:
        place = int(rng.integers(len(items)))
        items[place] = odd(items[place], rng)
    elif kind == 3:
        items = items[:-1]
    elif kind == 4:
        items = items + items
    elif kind == 5:
        items.insert(int(rng.integers(len(items) + 1)), anything(rng))
    else:
        return [iter(items), dict(enumerate(items)), items[::-1], [items], str(items)][int(rng.integers(5))]
    return tuple(items) if isinstance(value, tuple) else items


def odd(value: Any, rng: Rng) -> Any:
    """Something in the place of a sound value: often made out of it, else anything at all."""
    made = rng.random() < 0.7
    if made and isinstance(value, np.ndarray) and value.ndim:
        return _of_array(value, rng)
    if made and isinstance(value, dict) and value:
        keys, values = list(value), list(value.values())
        place = int(rng.integers(len(keys)))
        if rng.random() < 0.5:
            values[place] = odd(values[place], rng)
            return dict(zip(keys, values, strict=True))
        other = anything(rng)
        keys[place] = other if _hashable(other) else "other"
        return dict(zip(keys, values, strict=True))
    if made and isinstance(value, (list, tuple)):
        return _of_sequence(value, rng)
    if made and isinstance(value, (int, float)):
        return NUMBERS[int(rng.integers(len(NUMBERS)))]
    return anything(rng)


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
