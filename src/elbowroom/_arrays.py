"""The only place where arrays and numbers from outside are checked and cast.

Every function takes the value and the name of the argument it came by, and either returns what the core
wants or raises a ValueError that names the argument and says what is wrong and where.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elbowroom._core import limits

Floats = NDArray[np.float64]
Integers = NDArray[np.int32]

#: The limits of input, which the core shares: core/include/elbowroom/limits.hpp says what each is for.
LARGEST, SMALLEST, ROUNDED_ROTATION = limits.largest_number, limits.smallest_size, limits.rotation_tolerance


#: The volume of a box over the product of its edges, below which they are in one plane.
_FLAT_BOX = 1e-9

_SHORT = reprlib.Repr()
_SHORT.maxlevel, _SHORT.maxstring, _SHORT.maxother = 3, 76, 76
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = _SHORT.maxset = 8


def shown(value: Any) -> str:
    """How messages show a value: at most 80 characters, and soon also where all of it would take for ever."""
    try:
        return _SHORT.repr(value)[:80]
    except Exception:  # of numbers with too many digits, and of whatever else cannot be shown
        return f"a {type(value).__name__}"


def any_array(value: Any, name: str) -> NDArray[Any]:
    try:
        return np.asarray(value)
    except (TypeError, ValueError, OverflowError, MemoryError, AttributeError) as error:
        raise ValueError(f"{name} must be an array of numbers: {error}") from None


def listed(value: Any, name: str) -> list[Any]:
    """The items of a collection; a text is none."""
    try:
        if not isinstance(value, (str, bytes)):
            return list(value)
    except (TypeError, MemoryError, IndexError, NotImplementedError):  # the last: of some memoryviews
        pass
    raise ValueError(f"{name} must be a list, got {shown(value)}")


def _floats(value: Any, name: str) -> Floats:
    array = any_array(value, name)
    boxed = array.dtype.kind == "O" and all(isinstance(x, Real) for x in array.flat)
    if array.dtype.kind not in "iuf" and not boxed:
        raise ValueError(f"{name} must hold real numbers, got {array.dtype}")
    try:
        array = array.astype(np.float64, copy=False)
    except (OverflowError, TypeError, ValueError, ArithmeticError) as error:
        raise ValueError(f"{name} must hold real numbers: {error}") from None
    return np.ascontiguousarray(array) if array.ndim else array


def _refuse_bad_numbers(array: Floats, name: str) -> None:
    bad = ~np.isfinite(array)
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ValueError(f"{name} must be finite; it has {int(bad.sum())} NaN or infinite, first at {where}")
    if array.size and np.abs(array).max() > LARGEST:
        where = tuple(int(i) for i in np.unravel_index(np.abs(array).argmax(), array.shape))
        raise ValueError(f"{name} has a number larger than {LARGEST:g} at index {where}: rescale the scene")


def number(value: Any, name: str) -> float:
    """A finite number."""
    array = any_array(value, name)
    if array.ndim != 0 or array.dtype.kind not in "iuf":
        raise ValueError(f"{name} must be a number, got {shown(value)}")
    if not math.isfinite(array):
        raise ValueError(f"{name} must be finite, got {array}")
    return float(array)


def numbers(value: ArrayLike, name: str) -> Floats:
    """Finite numbers in an array of any shape that is not empty."""
    array = _floats(value, name)
    if array.size == 0:
        raise ValueError(f"{name} is empty")
    _refuse_bad_numbers(array, name)
    return array


def length(value: Any, name: str) -> float:
    """A finite number that is not negative."""
    out = number(value, name)
    if out < 0 or out > LARGEST:
        raise ValueError(f"{name} must be finite, not negative and at most {LARGEST:g}, got {out}")
    return out


def flag(value: Any, name: str) -> bool:
    """True or False; 1 and 0 will do."""
    if not isinstance(value, (bool, np.bool_)) and not (isinstance(value, int) and value in (0, 1)):
        raise ValueError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def share(value: Any, name: str) -> float:
    """A number from 0 to 1."""
    out = number(value, name)
    if not 0 <= out <= 1:
        raise ValueError(f"{name} must be from 0 to 1, got {out}")
    return out


def positive_share(value: Any, name: str) -> float:
    """A number above 0 and at most 1."""
    out = number(value, name)
    if not 0 < out <= 1:
        raise ValueError(f"{name} must be larger than 0 and at most 1, got {out}")
    return out


def size(value: Any, name: str) -> float:
    """A length of a body: 0, or not too small to compute with."""
    out = length(value, name)
    _refuse_too_small(out, name)
    return out


def _refuse_too_small(largest: float, name: str) -> None:
    if 0 < largest < SMALLEST:
        raise ValueError(f"{name} is smaller than {SMALLEST:g} and not 0: rescale the scene")


def points(value: ArrayLike, name: str) -> Floats:
    """At least one point: (n, 3)."""
    array = _floats(value, name)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"{name} must have shape (n, 3), got {array.shape}")
    if len(array) == 0:
        raise ValueError(f"{name} is empty: at least one point is needed")
    _refuse_bad_numbers(array, name)
    _refuse_too_small(float(np.abs(array).max()), name)
    return array


def beads(value: ArrayLike, name: str, count: int | None = None, dimension: int | None = None) -> Floats:
    """Centres in the plane or in space: (n, 2) or (n, 3), and so many, if that is known."""
    array = _floats(value, name)
    wanted = f"({'n' if count is None else count}, {'2 or 3' if dimension is None else dimension})"
    right = array.ndim == 2 and (count is None or len(array) == count)
    if not right or array.shape[1] not in ((2, 3) if dimension is None else (dimension,)):
        hint = ": one frame at a time" if array.ndim == 3 else ""
        raise ValueError(f"{name} must have shape {wanted}, got {array.shape}{hint}")
    if len(array) == 0:
        raise ValueError(f"{name} is empty: at least one bead is needed")
    _refuse_bad_numbers(array, name)
    _refuse_too_small(float(np.abs(array).max()), name)
    return array


def bead_frames(value: ArrayLike, count: int, dimension: int, name: str) -> Floats:
    """Where so many beads go (n, d), or at least two frames that they go through (k, n, d)."""
    array = _floats(value, name)
    right = array.ndim in (2, 3) and array.shape[-2:] == (count, dimension)
    if not right or (array.ndim == 3 and len(array) < 2):
        raise ValueError(
            f"{name} must have shape ({count}, {dimension}), or (k, {count}, {dimension}) for a path through"
            f" at least two frames, got {array.shape}"
        )
    _refuse_bad_numbers(array, name)
    _refuse_too_small(float(np.abs(array).max()), name)
    return array


def choice(value: Any, name: str, names: Sequence[str]) -> int:
    """The place of a name among those that there are."""
    if not isinstance(value, str) or value not in names:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, names))}, got {shown(value)}")
    return list(names).index(value)


def vector(value: ArrayLike, name: str) -> Floats:
    """Three numbers."""
    array = _floats(value, name)
    if array.shape != (3,):
        raise ValueError(f"{name} must have shape (3,), got {array.shape}")
    _refuse_bad_numbers(array, name)
    return array


def direction(value: ArrayLike, name: str) -> tuple[float, float, float]:
    """Three numbers as a unit vector."""
    array = vector(value, name)
    size = float(np.abs(array).max())
    if size == 0:
        raise ValueError(f"{name} must not be zero")
    x, y, z = (array / size / np.linalg.norm(array / size)).tolist()
    return x, y, z


def rays(origins: ArrayLike, directions: ArrayLike) -> tuple[Floats, Floats]:
    """Origins and unit directions of rays, one or many; either may be common to all."""
    starts, towards = (_rows_of_three(v, n) for v, n in ((origins, "origins"), (directions, "directions")))
    if len(starts) != len(towards) and 1 not in (len(starts), len(towards)):
        raise ValueError(f"origins and directions must be as many, got {len(starts)} and {len(towards)}")
    largest = np.abs(towards).max(axis=1, keepdims=True)
    if not largest.all():
        raise ValueError(f"directions must not be zero, but directions[{int(largest.argmin())}] is")
    towards = towards / largest
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    starts, towards = np.broadcast_arrays(starts, towards)
    return np.ascontiguousarray(starts), np.ascontiguousarray(towards)


def _rows_of_three(value: ArrayLike, name: str) -> Floats:
    array = _floats(value, name)
    if array.shape[-1:] != (3,) or array.ndim not in (1, 2) or not array.size:
        raise ValueError(f"{name} must have shape (n, 3) or (3,), got {array.shape}")
    _refuse_bad_numbers(array, name)
    return np.atleast_2d(array)


def interval(value: ArrayLike, name: str) -> tuple[float, float]:
    """Two numbers, the smaller first; they may be infinite."""
    array = _floats(value, name)
    if array.shape != (2,) or np.isnan(array).any() or array[0] > array[1]:
        raise ValueError(f"{name} must be (low, high) with low <= high, got {shown(value)}")
    return float(array[0]), float(array[1])


def extents(value: ArrayLike, name: str) -> Floats:
    """Three side lengths, or one for all, none negative."""
    array = _floats(value, name)
    if array.ndim == 0:
        array = np.full(3, float(array))
    array = vector(array, name)
    if (array < 0).any():
        raise ValueError(f"{name} must not be negative, got {array.tolist()}")
    _refuse_too_small(float(array.max()), name)
    return array


def box(value: Any, name: str) -> Floats:
    """The edges of a periodic box, by rows, from lengths, from lengths and angles in degrees, or from (3, 3).

    The angles are those between the second and the third edge, the third and the first, and the first and
    the second; the first edge is then along x, the second in the plane of x and y, as MDAnalysis has it.
    """
    array = _floats(value, name)
    if array.shape not in ((3,), (6,), (3, 3)):
        wanted = "three lengths, three lengths and three angles in degrees, or edges (3, 3)"
        raise ValueError(f"{name} must be {wanted}, got shape {array.shape}")
    _refuse_bad_numbers(array, name)
    if array.ndim == 1:
        if array.min() <= 0:
            raise ValueError(f"{name} must be positive, got {array.tolist()}")
        array = _box_edges(array[:3], array[3:] if len(array) == 6 else np.full(3, 90.0), name)
    lengths = np.linalg.norm(array, axis=1)
    if not lengths.min() > 0:
        raise ValueError(f"{name} has an edge of length 0")
    _refuse_too_small(float(lengths.min()), name)
    unit = np.linalg.det(array / lengths[:, None])
    if abs(unit) < _FLAT_BOX:
        raise ValueError(f"{name} is flat: its edges are in one plane")
    if unit < 0:
        raise ValueError(f"{name} is left-handed: exchange two of its edges, or turn one round")
    return np.ascontiguousarray(array)


def _box_edges(lengths: Floats, angles: Floats, name: str) -> Floats:
    # A cosine of a right angle is 0 and no rounding of it: cuboids are exact.
    alpha, beta, gamma = (0.0 if angle == 90 else math.cos(math.radians(angle)) for angle in angles)
    a, b, c = lengths
    if max(angles) >= 180 or angles.sum() >= 360 or 2 * max(angles) >= angles.sum():
        raise ValueError(f"{name} has angles that no three edges make: {angles.tolist()}")
    sine = 1.0 if gamma == 0 else math.sin(math.radians(angles[2]))
    y = (alpha - beta * gamma) / sine
    up = math.sqrt(max(1 - beta**2 - y**2, 0.0))
    return np.array([[a, 0, 0], [b * gamma, b * sine, 0], [c * beta, c * y, c * up]])


def radii(value: ArrayLike | None, count: int, name: str) -> Floats:
    """One radius for all or one each; None is zero."""
    array = _floats(0.0 if value is None else value, name)
    if array.ndim == 0:
        array = np.full(count, float(array))
    if array.shape != (count,):
        raise ValueError(f"{name} must be a number or have shape ({count},), got {array.shape}")
    _refuse_bad_numbers(array, name)
    if (array < 0).any():
        raise ValueError(f"{name} must not be negative: {array.min()} at index {int(array.argmin())}")
    return np.ascontiguousarray(array)


def faces(value: ArrayLike, vertices: int, name: str) -> Integers:
    """At least one triangle of indices into so many vertices: (m, 3)."""
    array = any_array(value, name)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"{name} must have shape (m, 3), got {array.shape}")
    if len(array) == 0:
        raise ValueError(f"{name} is empty: a mesh needs at least one triangle")
    most = limits.largest_int // 3
    if len(array) > most:
        raise ValueError(f"{name} has {len(array):,} triangles, at most {most:,} are possible")
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} must hold integers, got {array.dtype}")
    bad = (array < 0) | (array >= vertices)
    if bad.any():
        row, column = (int(i) for i in np.argwhere(bad)[0])
        raise ValueError(
            f"{name}[{row}, {column}] is {int(array[row, column])}, "
            f"but there are {vertices} vertices (0 to {vertices - 1})"
        )
    return np.ascontiguousarray(array, dtype=np.int32)


def count(value: Any, name: str, least: int, most: int = limits.largest_count) -> int:
    """A whole number between two others."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise ValueError(f"{name} must be a whole number, got {shown(value)}")
    if not least <= value <= most:
        raise ValueError(f"{name} must be at least {least} and at most {most}, got {value}")
    return int(value)


def joint(value: Any, name: str, links: int) -> int:
    """A joint of a chain: 0 to links - 2."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise ValueError(f"{name} must be a whole number, got {shown(value)}")
    if not 0 <= value <= links - 2:
        raise ValueError(f"{name} must be from 0 to {links - 2} for {links} links, got {value}")
    return int(value)


def indices(value: Any, count: int | None, below: int, name: str) -> Integers:
    """Whole numbers from 0 to below - 1: (count,), or any number of them."""
    array = any_array(value, name)
    if array.ndim != 1 or (count is not None and len(array) != count):
        raise ValueError(f"{name} must have shape ({'k' if count is None else count},), got {array.shape}")
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{name} must hold integers, got {array.dtype}")
    bad = (array < 0) | (array >= below)
    if bad.any():
        where = int(np.argmax(bad))
        raise ValueError(f"{name}[{where}] is {array[where]}, but must be from 0 to {below - 1}")
    return np.ascontiguousarray(array, dtype=np.int32)


def index_pairs(value: Any, below: int, name: str) -> Integers:
    """Pairs of whole numbers from 0 to below - 1: (k, 2); None is no pair."""
    array = any_array(np.empty((0, 2), np.int32) if value is None else value, name)
    if array.size == 0:
        return np.empty((0, 2), np.int32)
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(f"{name} must have shape (k, 2), got {array.shape}")
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} must hold integers, got {array.dtype}")
    bad = (array < 0) | (array >= below)
    if bad.any():
        row, column = (int(k) for k in np.argwhere(bad)[0])
        raise ValueError(
            f"{name}[{row}, {column}] is {array[row, column]}, but must be from 0 to {below - 1}"
        )
    return np.ascontiguousarray(array, dtype=np.int32)


def torsions(value: Any, links: int, name: str) -> tuple[NDArray[np.int64], Floats]:
    """Joints and angles: two arrays of equal length."""
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise ValueError(f"{name} must be a dict or two arrays (joints, angles), got {shown(value)}")
    angles = np.atleast_1d(_floats(value[1], name))
    _refuse_bad_numbers(angles, name)
    joints = np.atleast_1d(any_array(value[0], name))
    if joints.shape != angles.shape or joints.ndim != 1:
        raise ValueError(f"{name} must have as many joints as angles, got {joints.shape} and {angles.shape}")
    return indices(joints, None, links - 1, name).astype(np.int64), angles


def children(value: Any, name: str) -> int:
    """Children a node of a tree: 8 or 2."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value not in (2, 8):
        raise ValueError(f"{name} must be 8 or 2, got {shown(value)}")
    return int(value)


def linear_map(value: ArrayLike, name: str) -> Floats:
    """An invertible (3, 3) matrix."""
    array = _floats(value, name)
    if array.shape != (3, 3):
        raise ValueError(f"{name} must have shape (3, 3), got {array.shape}")
    _refuse_bad_numbers(array, name)
    singular = np.linalg.svd(array, compute_uv=False)
    if singular[-1] < limits.smallest_singular_ratio * singular[0] or singular[-1] == 0:
        raise ValueError(f"{name} must be invertible; its singular values are {singular.tolist()}")
    return array


def rotation(value: Any, name: str) -> Floats:
    """A rotation as a (3, 3) matrix, from a matrix, a unit quaternion (w, x, y, z) or a scipy Rotation."""
    array = _floats(value.as_matrix() if hasattr(value, "as_matrix") else value, name)
    if array.shape == (4,):
        array = _from_quaternion(array, name)
    if array.shape != (3, 3):
        raise ValueError(
            f"{name} must be a (3, 3) matrix, a quaternion (w, x, y, z) or a scipy Rotation, "
            f"got shape {array.shape}"
        )
    _refuse_bad_numbers(array, name)
    _refuse_no_rotation(array[None], name)
    return array


def _from_quaternion(q: Floats, name: str) -> Floats:
    _refuse_bad_numbers(q, name)
    norm = float(np.linalg.norm(q))
    if abs(norm - 1) > ROUNDED_ROTATION:
        raise ValueError(f"{name} must be a unit quaternion (w, x, y, z); its length is {norm:.6g}")
    w, x, y, z = q / norm
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _refuse_no_rotation(r: Floats, name: str) -> None:
    """`r`: (n, 3, 3)."""
    error = np.abs(r @ r.transpose(0, 2, 1) - np.eye(3)).max(axis=(1, 2))
    if error.max() > ROUNDED_ROTATION:
        where = f" at index {int(error.argmax())}" if len(r) > 1 else ""
        raise ValueError(
            f"{name} has a rotation that is not orthonormal{where}: "
            f"R R^T differs from the identity by {error.max():.3g}"
        )
    turned = np.linalg.det(r)
    if (turned < 0).any():
        where = f" at index {int(turned.argmin())}" if len(r) > 1 else ""
        raise ValueError(f"{name} is not a rotation{where}: it is a reflection, with determinant -1")


def _joined(turn: Any, shift: Any, turn_name: str, shift_name: str) -> Floats:
    """A rotation and a translation, or None for either, as a (4, 4) matrix."""
    out = np.eye(4)
    if turn is not None:
        out[:3, :3] = rotation(turn, turn_name)
    if shift is not None:
        out[:3, 3] = vector(shift, shift_name)
    return out


def _is_pair(value: Any) -> bool:
    """Is this (rotation, translation), and not two poses?"""
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        return False
    return isinstance(value, tuple) or value[1] is None or np.ndim(value[1]) == 1


def pose(value: Any, name: str) -> Floats:
    """One pose (4, 4), from whatever can give one."""
    return _poses(value, name, "a Pose, a (4, 4) array, or (rotation, translation)", (2,))


def pose_of(turn: Any, shift: Any) -> Floats:
    """A pose (4, 4) from the arguments `rotation`, which may be a whole pose, and `translation`."""
    if not hasattr(turn, "matrix") and (
        hasattr(turn, "as_matrix") or any_array(turn, "rotation").shape != (4, 4)
    ):
        return _joined(turn, shift, "rotation", "translation")
    if shift is not None:
        raise ValueError("translation must be left out where rotation is a whole pose")
    return pose(turn, "rotation")


def poses(value: Any, name: str) -> Floats:
    """One pose (4, 4) or many (n, 4, 4), from Poses, matrices or (rotation, translation)."""
    return _poses(value, name, "a Pose, a (4, 4) or (n, 4, 4) array, or (rotation, translation)", (2, 3))


def link_poses(value: Any, name: str, links: int) -> Floats:
    """Poses of so many links (links, 4, 4), or of many configurations (n, links, 4, 4)."""
    if isinstance(value, (tuple, list)) and value and all(hasattr(p, "matrix") for p in value):
        value = np.stack([p.matrix for p in value])
    array = _floats(value, name)
    if array.ndim not in (3, 4) or array.shape[-3:] != (links, 4, 4):
        raise ValueError(f"{name} must have shape ({links}, 4, 4) or (n, {links}, 4, 4), got {array.shape}")
    if array.size == 0:
        raise ValueError(f"{name} is empty: at least one configuration is needed")
    _refuse_bad_numbers(array, name)
    for i, of_one in enumerate(array.reshape(-1, links, 4, 4)):
        poses(of_one, name if array.ndim == 3 else f"{name}[{i}]")
    return array


def configurations(value: Any, length: int, name: str) -> Floats:
    """One configuration of so many numbers (length,), or many (n, length)."""
    array = _floats(value, name)
    if array.ndim not in (1, 2) or array.shape[-1] != length:
        raise ValueError(
            f"{name} must have {length} numbers, shape ({length},) or (n, {length}), got {array.shape}"
        )
    if array.ndim == 2 and len(array) == 0:
        raise ValueError(f"{name} is empty: at least one configuration is needed")
    _refuse_bad_numbers(array, name)
    return array


def joint_paths(value: Any, length: int, name: str) -> Floats:
    """A path through at least two configurations (k, length), or many of them (n, k, length)."""
    array = _floats(value, name)
    if array.ndim not in (2, 3) or array.shape[-1] != length or array.shape[-2] < 2:
        raise ValueError(
            f"{name} must be a path through at least two configurations of {length} numbers, shape"
            f" (k, {length}), or many of them, (n, k, {length}); got {array.shape}"
        )
    if len(array) == 0:
        raise ValueError(f"{name} is empty: at least one path is needed")
    _refuse_bad_numbers(array, name)
    return array


def unit_quaternions(value: Floats, name: str) -> None:
    """Raises unless all (..., 4) are unit quaternions to three digits."""
    norms = np.atleast_1d(np.linalg.norm(value, axis=-1))
    worst = int(np.abs(norms - 1).argmax())
    if abs(norms[worst] - 1) > ROUNDED_ROTATION:
        where = f" at index {worst}" if len(norms) > 1 else ""
        raise ValueError(f"{name} must have length 1{where}; it has {norms[worst]:.6g}")


def _poses(value: Any, name: str, wanted: str, dimensions: tuple[int, ...]) -> Floats:
    if hasattr(value, "matrix"):
        value = value.matrix
    if _is_pair(value):
        return _joined(value[0], value[1], f"{name}[0]", f"{name}[1]")
    if isinstance(value, (tuple, list)) and value and all(hasattr(p, "matrix") for p in value):
        value = np.stack([p.matrix for p in value])
    array = _floats(value, name)
    if array.ndim not in dimensions or array.shape[-2:] != (4, 4):
        raise ValueError(f"{name} must be {wanted}, got shape {array.shape}")
    if array.ndim == 3 and len(array) == 0:
        raise ValueError(f"{name} is empty: at least one pose is needed")
    _refuse_bad_numbers(array, name)
    many = array.reshape(-1, 4, 4)
    if (many[:, 3] != (0, 0, 0, 1)).any():
        raise ValueError(f"{name} must have the last row (0, 0, 0, 1)")
    _refuse_no_rotation(many[:, :3, :3], name)
    return array
