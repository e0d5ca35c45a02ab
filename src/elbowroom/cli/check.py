"""`elbowroom check`: two mesh files in, a verdict out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from elbowroom._status import in_words
from elbowroom.files.path_tables import saved_array

from .complaint import Complaint, check_file, write_json
from .options import check_input

Array = NDArray[np.float64]


def check_files(
    a: Path, b: Path, *, pose_b: str | None = None, distance: bool = False, json_file: Path | None = None
) -> int:
    """Print the verdict; 0 when the meshes are free of each other, 1 when they collide."""
    check_file("--json", json_file)
    pose = read_pose("--pose-b", pose_b)
    first, second = load_mesh("A", a), load_mesh("B", b)
    collision = er.collide(first, second, pose_b=pose)
    clearance = er.distance(first, second, pose_b=pose) if distance else None
    place = _place(first, second, pose, collision.pairs[0]) if collision else None
    print(_verdict(a.name, b.name, collision, place, clearance))
    for line in [] if collision else _enclosed(a, b, first, second, pose):
        print(line)
    write_json(json_file, _facts(a, b, pose, collision, clearance))
    return int(bool(collision))


def near(point: Any) -> str:
    """Where it is, in words."""
    return f"near ({', '.join(f'{x + 0.0:.5g}' for x in point)})"


def _place(first: er.Mesh, second: er.Mesh, pose: er.Pose | None, pair: Any) -> Array:
    """Where two triangles meet."""
    corners = [first.vertices[first.faces[pair[0]]], second.vertices[second.faces[pair[1]]]]
    one, other = (er.Mesh(each, [[0, 1, 2]]) for each in corners)
    contacts = er.collide(one, other, pose_b=pose, depth=True).contacts
    return (
        corners[0].mean(axis=0) if contacts is None or not len(contacts) else np.asarray(contacts.points[0])
    )


def _enclosed(a: Path, b: Path, first: er.Mesh, second: er.Mesh, pose: er.Pose | None) -> list[str]:
    """A line if one mesh, or a piece of it, lies within the other, which is closed."""
    from elbowroom._enclosure import Enclosure

    placed = pose or er.Pose()
    one, other = Enclosure(first), Enclosure(second)
    if one.holds(placed.apply(other.representatives)):
        return [f"  {b.name} lies inside {a.name}"]
    if other.holds(placed.inverse().apply(one.representatives)):
        return [f"  {a.name} lies inside {b.name}"]
    return []


def load_mesh(argument: str, file: Path) -> er.Mesh:
    """The mesh in the file, or a complaint that names it."""
    check_input(argument, file, "; expected a mesh file (OBJ, STL, PLY, OFF or GLB)")
    try:
        return er.Mesh.load(file)
    except Exception as error:  # mesh readers raise whatever the broken file made them stumble over
        reason = (str(error) or type(error).__name__).removeprefix(f"{file}: ")
        raise Complaint(
            f"{argument}: cannot read '{file}' ({reason}); supported: OBJ, STL, PLY, OFF, GLB with triangles"
        ) from error


def read_pose(argument: str, text: str | None) -> er.Pose | None:
    """A pose from "x y z" or "x y z qw qx qy qz", or from the name of a file with a 4x4 matrix."""
    if text is None:
        return None
    numbers = _numbers(text)
    try:
        if numbers is not None:
            return er.Pose(numbers[3:] if len(numbers) == 7 else None, numbers[:3])
        matrix = _read_matrix(argument, Path(text))
        return er.Pose.from_matrix(matrix)
    except ValueError as error:
        raise Complaint(f"{argument}: '{text}' is not a rigid pose ({error})") from error


def _numbers(text: str) -> Array | None:
    try:
        values = np.array([float(word) for word in text.replace(",", " ").split()])
    except ValueError:
        return None
    return values if len(values) in (3, 7) else None


def _read_matrix(argument: str, file: Path) -> Array:
    if file.suffix not in (".npy", ".txt"):
        raise Complaint(
            f'{argument}: \'{file}\' is not a pose; expected "x y z" or "x y z qw qx qy qz" in quotes, '
            "or a .npy or .txt file"
        )
    check_input(argument, file)
    try:
        matrix = np.asarray(
            saved_array(file) if file.suffix == ".npy" else np.loadtxt(file), dtype=np.float64
        )
    except (OSError, ValueError, EOFError) as error:
        raise Complaint(f"{argument}: cannot read a matrix from '{file}' ({error})") from error
    if matrix.shape != (4, 4) or not np.allclose(matrix[3], [0, 0, 0, 1]):
        raise Complaint(
            f"{argument}: '{file}' must contain a 4x4 matrix with last row 0 0 0 1, "
            f"but contains an array of shape {matrix.shape}"
        )
    return matrix


def _verdict(
    a: str, b: str, collision: er.Collision, place: Array | None, clearance: er.Distance | None
) -> str:
    if collision:
        i, j = (int(k) for k in collision.pairs[0])
        return f"collision: triangle {i} of {a} intersects triangle {j} of {b}\n  {near(place)}"
    if clearance is None:
        return f"free: the surfaces of {a} and {b} do not touch"
    points = two_points("closest points", clearance.points)
    return f"free: the surfaces of {a} and {b} are {clearance.value:.9g} apart\n{points}"


def two_points(what: str, points: Any) -> str:
    """An indented line with two points, or two lines if they do not fit into 80 columns."""
    first, second = (f"({' '.join(f'{x:.6g}' for x in point)})" for point in points)
    line = f"  {what}: {first} and {second}"
    return line if len(line) <= 80 else f"  {what}: {first}\n{'and ':>{len(what) + 4}}{second}"


def _facts(
    a: Path, b: Path, pose: er.Pose | None, collision: er.Collision, clearance: er.Distance | None
) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "verdict": "collision" if collision else "free",
        "a": str(a),
        "b": str(b),
        "pose_b": None if pose is None else pose.matrix.tolist(),
        "pair": collision.pairs[0].tolist() if collision else None,
        "status": in_words(collision),
        "proved": collision.proved,
        "counters": counted(collision),
    }
    if clearance is not None:
        facts["distance"] = {
            "value": clearance.value,
            "lower": clearance.lower,
            "upper": clearance.upper,
            "points": np.asarray(clearance.points).tolist(),
            "pair": np.asarray(clearance.pair).tolist(),
            "status": in_words(clearance),
            "proved": clearance.proved,
            "counters": counted(clearance),
        }
    return facts


def counted(answer: Any) -> dict[str, int]:
    """The counters of an answer by name."""
    names = ("volume_tests", "leaf_tests", "pairs_visited")
    return {name: int(getattr(answer.counters, name)) for name in names}
