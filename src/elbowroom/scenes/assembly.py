"""An assembly of screws, brackets, pipes and beams, some of which clash.

Rows of stations along x, in millimetres: a beam below, brackets on it, a screw in the slot of each bracket,
and a pipe that the brackets carry. Gaps of 0.2 mm separate all of them, except that brackets stand on their
beam. A few parts are out of place, chosen by the seed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Surface = tuple[Array, Indices]

PITCH, ROW, GAP = 60.0, 80.0, 0.2
PLATE, TOP, PIPE, BORE = 4.0, 60.0, 12.0, 10.0
BEAM = 20.0


@dataclass(frozen=True, eq=False)
class AssemblyPart:
    """A part of `assembly`: its name, which shape it has, its pose (4, 4), and how it is out of place.

    Examples
    --------
    >>> import elbowroom as er
    >>> shapes, parts = er.scenes.assembly(1, 2, faults=1)
    >>> [(part.name, part.shape, part.fault) for part in parts if part.fault]
    [('bracket-00-01', 'bracket', 'raised')]
    """

    name: str
    shape: str
    pose: Array
    fault: str = ""


def assembly(
    rows: int = 20, stations: int = 24, faults: int = 8, *, sides: int = 24, seed: int = 0
) -> tuple[dict[str, Surface], list[AssemblyPart]]:
    """Shapes by name, as vertices and faces, and rows * (2 stations + 2) parts that have them.

    Parameters
    ----------
    rows, stations
        Rows along y, and stations of each along x.
    faults
        So many parts are out of place, in turn a bracket raised into its pipe ("raised"), a screw moved into
        its bracket ("moved") and a screw lost inside the beam ("lost").
    sides
        Of screws and pipes.
    seed
        Chooses which parts are out of place.

    Examples
    --------
    >>> import elbowroom as er
    >>> shapes, parts = er.scenes.assembly()
    >>> len(parts), sorted(shapes), parts[2].name
    (1000, ['beam', 'bracket', 'pipe', 'screw'], 'bracket-00-00')
    >>> [part.name for part in parts if part.fault == "lost"]
    ['screw-00-07', 'screw-05-08']
    """
    length = PITCH * stations
    shapes = {
        "beam": _box([0, -10, -BEAM - GAP], [length, 10, -GAP]),
        "pipe": _tube(length, sides),
        "bracket": _bracket(),
        "screw": _screw(sides),
    }
    rng = np.random.default_rng(seed)
    chosen = rng.choice(rows * stations, size=min(faults, rows * stations), replace=False)
    wrong = {int(place): ("raised", "moved", "lost")[k % 3] for k, place in enumerate(chosen)}
    parts = []
    for row in range(rows):
        parts += [
            AssemblyPart(f"beam-{row:02}", "beam", _at(0, ROW * row, GAP)),
            AssemblyPart(f"pipe-{row:02}", "pipe", _at(0, ROW * row, TOP + GAP + PIPE)),
        ]
        for k in range(stations):
            fault = wrong.get(row * stations + k, "")
            parts += _station(row, k, fault)
    return shapes, parts


def _station(row: int, k: int, fault: str) -> list[AssemblyPart]:
    x, y, name = PITCH * (k + 0.5), ROW * row, f"{row:02}-{k:02}"
    raised = 3.0 if fault == "raised" else 0.0
    screw = {"moved": _at(x + 7.0, y + 1.5, PLATE + GAP), "lost": _at(x + 10.0, y, -13.0)}
    return [
        AssemblyPart(f"bracket-{name}", "bracket", _at(x, y, raised), fault if fault == "raised" else ""),
        AssemblyPart(
            f"screw-{name}",
            "screw",
            screw.get(fault, _at(x + 10.0, y, PLATE + GAP + raised)),
            fault if fault in screw else "",
        ),
    ]


def _at(x: float, y: float, z: float) -> Array:
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def _box(low: list[float], high: list[float]) -> Surface:
    return _prism(
        np.array([[low[0], low[1]], [high[0], low[1]], high[:2], [low[0], high[1]]]),
        [[0, 1, 2], [0, 2, 3]],
        low[2],
        high[2],
    )


def _prism(outline: Array, cap: list[list[int]], low: float, high: float) -> Surface:
    """An outline, counterclockwise, from one height to another; `cap` are its triangles."""
    n = len(outline)
    vertices = np.concatenate([np.column_stack([outline, np.full(n, z)]) for z in (low, high)])
    here, after = np.arange(n), (np.arange(n) + 1) % n
    walls = np.concatenate(
        [np.column_stack([here, after, after + n]), np.column_stack([here, after + n, here + n])]
    )
    lid = np.array(cap)
    return vertices, np.concatenate([lid[:, ::-1], lid + n, walls])


def _bracket() -> Surface:
    """A plate with a slot that is open towards +x, and an upright at its other end, as two closed shells."""
    slot = 2.5
    outline = np.array(
        [[-20, -15], [20, -15], [20, -slot], [5, -slot], [5, slot], [20, slot], [20, 15], [-20, 15]]
    )
    cap = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 7], [4, 5, 6], [4, 6, 7]]
    plate, upright = _prism(outline, cap, 0.0, PLATE), _box([-20, -15, 0], [-16, 15, TOP])
    return (
        np.concatenate([plate[0], upright[0]]),
        np.concatenate([plate[1], upright[1] + len(plate[0])]),
    )


def _screw(sides: int) -> Surface:
    """A head on the plane z = 0 and a shank below it, which ends 0.2 above the beam."""
    profile = [(0.0, -PLATE), (2.0, -PLATE), (2.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 3.0)]
    return _turned(profile, sides)


def _turned(profile: list[tuple[float, float]], sides: int) -> Surface:
    """A profile (radius, z), from the axis to the axis, turned about z."""
    angles = 2 * np.pi * np.arange(sides) / sides
    rings = [[r * np.cos(angles), r * np.sin(angles), np.full(sides, z)] for r, z in profile[1:-1]]
    ends = [[0.0, 0.0, profile[0][1]], [0.0, 0.0, profile[-1][1]]]
    vertices = np.concatenate([np.stack(ring, axis=1) for ring in rings] + [np.array(ends)])
    here = np.arange(sides)
    after, faces = (here + 1) % sides, []
    for k in range(len(rings) - 1):
        a, b = k * sides, (k + 1) * sides
        faces += [
            np.column_stack([a + here, a + after, b + after]),
            np.column_stack([a + here, b + after, b + here]),
        ]
    bottom, top = len(vertices) - 2, len(vertices) - 1
    last = (len(rings) - 1) * sides
    faces += [
        np.column_stack([after, here, np.full(sides, bottom)]),
        np.column_stack([last + here, last + after, np.full(sides, top)]),
    ]
    return vertices, np.concatenate(faces)


def _tube(length: float, sides: int) -> Surface:
    """A pipe along x with a bore."""
    angles = 2 * np.pi * np.arange(sides) / sides
    around = np.stack([np.zeros(sides), np.cos(angles), np.sin(angles)], axis=1)
    end = np.array([length, 0, 0])
    rings = [PIPE * around, PIPE * around + end, BORE * around + end, BORE * around]
    here = np.arange(sides)
    after, faces = (here + 1) % sides, []
    for k in range(4):
        a, b = k * sides, (k + 1) % 4 * sides
        faces += [
            np.column_stack([a + here, a + after, b + after]),
            np.column_stack([a + here, b + after, b + here]),
        ]
    return np.concatenate(rings), np.concatenate(faces)
