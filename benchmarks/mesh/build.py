"""Building meshes, and meshes that deform: seconds and bytes, beside FCL, Coal, trimesh and Open3D.

Built: a bumpy sphere of so many triangles. Deformed: a cloth that waves, which is given
new vertices in every frame, and which is then asked about a ball; FCL and Coal build their trees again.

    python -m benchmarks.mesh.build --triangles 1800 82000 1000000
    python -m benchmarks.mesh.build --quick
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from importlib import import_module, util
from typing import Any

import numpy as np
from rich.table import Table

import elbowroom as er
from benchmarks import common
from benchmarks.common import Array
from benchmarks.mesh.run import Surface, coal_mesh, fcl_mesh

#: Where the ball is, above the middle of the cloth.
BALL, RADIUS = np.array([0.5, 0.5, 0.3]), 0.1


def grid(rows: int, columns: int) -> Any:
    """Triangles of a grid of vertices."""
    i = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = (q.ravel() for q in (i[:-1, :-1], i[1:, :-1], i[1:, 1:], i[:-1, 1:]))
    return np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def bumpy_sphere(triangles: int) -> Surface:
    """About so many triangles."""
    side = round((triangles / 2) ** 0.5) + 1
    polar, turn = np.meshgrid(np.linspace(0.06, 3.08, side), np.linspace(0, 2 * np.pi, side), indexing="ij")
    radius = 1 + 0.1 * np.sin(7 * polar) * np.cos(9 * turn)
    parts = [np.sin(polar) * np.cos(turn), np.sin(polar) * np.sin(turn), np.cos(polar)]
    return np.stack([radius * part for part in parts], axis=-1).reshape(-1, 3), grid(side, side)


def waving(side: int, time_of_frame: float) -> Array:
    """The vertices of the cloth."""
    x, y = np.meshgrid(np.linspace(0, 1, side), np.linspace(0, 1, side), indexing="ij")
    z = 0.1 * np.sin(9 * x + time_of_frame) * np.cos(6 * y - 0.7 * time_of_frame)
    return np.stack([x, y, z], axis=-1).reshape(-1, 3)


def open3d_mesh(vertices: Array, faces: Any) -> Any:
    """open3d.t.geometry.RaycastingScene, whose tree is Embree's, with the tree built by a first question."""
    o3d = import_module("open3d")
    scene = o3d.t.geometry.RaycastingScene()
    scene.add_triangles(
        o3d.core.Tensor(vertices.astype(np.float32)), o3d.core.Tensor(faces.astype(np.uint32))
    )
    scene.compute_distance(o3d.core.Tensor([[9.0, 9.0, 9.0]], dtype=o3d.core.float32))
    return scene


def trimesh_mesh(vertices: Array, faces: Any) -> Any:
    """trimesh.collision.CollisionManager with the mesh in it."""
    manager = import_module("trimesh.collision").CollisionManager()
    manager.add_object("mesh", import_module("trimesh").Trimesh(vertices, faces, process=False))
    return manager


BUILDERS: dict[str, tuple[str, Callable[[Array, Any], Any]]] = {
    "elbowroom": ("elbowroom", er.Mesh),
    "python-fcl": ("fcl", fcl_mesh),
    "coal": ("coal", coal_mesh),
    "trimesh": ("trimesh", trimesh_mesh),
    "open3d": ("open3d", open3d_mesh),
}


def resident() -> int:
    """Bytes that this process has in memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def built(settings: Any) -> dict[str, Any]:
    """Seconds of the wall and of all cores, and bytes a triangle of a first mesh."""
    table = Table(title="built", title_justify="left")
    for heading in ("contestant", "triangles", "seconds", "processor seconds", "bytes a triangle"):
        table.add_column(heading, justify="left" if heading == "contestant" else "right")
    rows = []
    for wanted in settings.triangles:
        vertices, faces = bumpy_sphere(wanted)
        for name in common.chosen(
            [n for n, (module, _) in BUILDERS.items() if util.find_spec(module)], settings.only
        ):
            make = BUILDERS[name][1]
            gc.collect()
            before = resident()
            kept = make(vertices, faces)
            size = (resident() - before) / len(faces)
            best, work = np.inf, np.inf
            for _ in range(settings.repetitions):
                del kept
                start, start_work = time.perf_counter(), time.process_time()
                kept = make(vertices, faces)
                best = min(best, time.perf_counter() - start)
                work = min(work, time.process_time() - start_work)
            del kept
            rows.append([name, len(faces), best, work, size])
            table.add_row(name, f"{len(faces):,}", f"{best:.4f}", f"{work:.4f}", f"{size:.0f}")
    common.show(table)
    return {"rows": rows}


def cloths(settings: Any) -> dict[str, Any]:
    """Milliseconds a frame: new vertices, then the distance of a ball. Distances are compared."""
    side = settings.cloth
    frames, faces = [waving(side, 0.05 * k) for k in range(settings.frames)], grid(side, side)
    contestants: dict[str, Callable[[], list[float]]] = {
        "elbowroom, moved": lambda: moved(frames, faces, None),
        "elbowroom, built again": lambda: moved(frames, faces, True),
    }
    if util.find_spec("fcl"):
        contestants["python-fcl, built again"] = lambda: with_fcl(frames, faces)
    if util.find_spec("coal"):
        contestants["coal, built again"] = lambda: with_coal(frames, faces)
    timings = common.measure(contestants, settings.repetitions)
    base = np.asarray(timings["elbowroom, built again"].answers)
    table = Table(title=f"a cloth of {len(faces):,} triangles", title_justify="left")
    for heading in ("contestant", "ms a frame", "largest difference"):
        table.add_column(heading, justify="left" if heading == "contestant" else "right")
    rows = []
    for name, timing in timings.items():
        off = float(np.abs(np.asarray(timing.answers) - base).max())
        rows.append([name, 1e3 * timing.seconds / len(frames), off])
        table.add_row(name, f"{rows[-1][1]:.2f}", f"{off:.1e}")
    common.show(table)
    return {"rows": rows}


def moved(frames: list[Array], faces: Any, rebuild: bool | None) -> list[float]:
    """One mesh, moved from frame to frame."""
    mesh, ball, where = er.Mesh(frames[0], faces), er.Sphere(RADIUS), er.Pose(translation=BALL)
    answers = []
    for vertices in frames:
        mesh.move(vertices, rebuild=rebuild)
        answers.append(er.distance(mesh, ball, pose_b=where).value)
    return answers


def with_fcl(frames: list[Array], faces: Any) -> list[float]:
    """A new model in every frame."""
    fcl: Any = import_module("fcl")
    ball = fcl.CollisionObject(fcl.Sphere(RADIUS), fcl.Transform(BALL))
    request, answers = fcl.DistanceRequest(), []
    for vertices in frames:
        cloth = fcl.CollisionObject(fcl_mesh(vertices, faces))
        answers.append(fcl.distance(cloth, ball, request, fcl.DistanceResult()))
    return answers


def with_coal(frames: list[Array], faces: Any) -> list[float]:
    """A new model in every frame."""
    coal: Any = import_module("coal")
    ball, still, answers = coal.Sphere(RADIUS), coal.Transform3s.Identity(), []
    where = coal.Transform3s(np.eye(3), BALL)
    for vertices in frames:
        request, result = coal.DistanceRequest(), coal.DistanceResult()
        answers.append(coal.distance(coal_mesh(vertices, faces), still, ball, where, request, result))
    return answers


def main() -> None:
    """Both parts."""
    made = common.parser(__doc__, repetitions=5)
    made.add_argument("--triangles", type=int, nargs="+", default=[1800, 82_000, 1_000_000])
    made.add_argument("--cloth", type=int, default=101, help="vertices along a side of the cloth")
    made.add_argument("--frames", type=int, default=20)
    quick = {"triangles": [1800], "cloth": 21, "frames": 3, "repetitions": 1}
    settings = common.parsed(made, quick)
    parts = {"built": built, "cloth": cloths}
    common.save(settings.json, "mesh", vars(settings), {name: part(settings) for name, part in parts.items()})


if __name__ == "__main__":
    main()
