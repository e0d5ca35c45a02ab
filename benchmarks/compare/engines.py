"""Bullet and MuJoCo: engines of dynamics, asked what their collision detection answers."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from scipy.spatial.transform import Rotation

from benchmarks.compare.scenes import Array, Shape
from benchmarks.compare.seen import Library, Pair

FAR = 100.0  # how far apart bodies may be to be told their distance


class BulletPair(Pair):
    """getClosestPoints of two bodies without mass; a negative distance is a depth."""

    def __init__(self, bullet: Any, client: int, a: Shape, b: Shape) -> None:
        self.bullet, self.client = bullet, client
        self.shapes = a, b
        self.bodies = [self._made(shape) for shape in (a, b)]

    def _made(self, shape: Shape, mass: float = 0.0) -> int:
        bullet, client = self.bullet, self.client
        if shape.extents is not None:
            given: dict[str, Any] = {"shapeType": bullet.GEOM_BOX, "halfExtents": 0.5 * shape.extents}
        else:
            given = {"shapeType": bullet.GEOM_MESH, "vertices": shape.vertices.tolist()}
        if shape.kind == "mesh":
            given |= {"indices": shape.faces.ravel().tolist(), "flags": bullet.GEOM_FORCE_CONCAVE_TRIMESH}
        made = bullet.createCollisionShape(**given, physicsClientId=client)
        return int(bullet.createMultiBody(mass, made, physicsClientId=client))

    def contacts(self, pose: Array) -> list[float]:
        """Depths that performCollisionDetection finds, which bodies without mass have none of."""
        if len(self.bodies) == 2:
            self.bodies += [self._made(shape, 1.0) for shape in self.shapes]
        a, b = self.bodies[2:]
        self._place(b, pose)
        self.bullet.performCollisionDetection(physicsClientId=self.client)
        found = self.bullet.getContactPoints(a, b, physicsClientId=self.client)
        return sorted(contact[8] for contact in found)

    def _place(self, body: int, pose: Array) -> None:
        turn = (
            Rotation.from_matrix(pose[:3, :3]).as_quat().tolist() if np.isfinite(pose).all() else [0, 0, 0, 1]
        )
        self.bullet.resetBasePositionAndOrientation(
            body, pose[:3, 3].tolist(), turn, physicsClientId=self.client
        )

    def _nearest(self, pose: Array) -> float | None:
        self._place(self.bodies[1], pose)
        found = self.bullet.getClosestPoints(*self.bodies[:2], FAR, physicsClientId=self.client)
        return min((point[8] for point in found), default=None)

    def hit(self, pose: Array) -> bool:
        return (self._nearest(pose) or np.inf) <= 0

    def distance(self, pose: Array) -> float:
        nearest = self._nearest(pose)
        return np.nan if nearest is None else max(nearest, 0.0)

    def depth(self, pose: Array) -> float:
        return max(-(self._nearest(pose) or 0.0), 0.0)


class Bullet(Library):
    name, package = "Bullet", "pybullet"
    about = "an engine of dynamics, through pybullet; meshes as GEOM_FORCE_CONCAVE_TRIMESH"
    groups = frozenset({"shapes", "points", "bending", "motions", "use", "more"})
    lacks: ClassVar[dict[str, str]] = {
        "near": "pairs of bodies whose boxes overlap, not pairs within a reach",
        "within": "getClosestPoints has a reach, but one answer or a few for two bodies",
        "chain": "every link is placed again, and all of them are compared",
        "motion": "sweeps of shapes are in its C++ interface; Python has rays",
        "meshes": "sweeps of shapes are in its C++ interface; Python has rays",
        "proof": "no proofs",
        "bounds": "one number; no bounds",
        "budget": "no limit of time or tests",
        "many": "one configuration a call; only rays come in batches",
        "pickle": "bodies live in a server and are known by numbers; saveState keeps it all",
        "counters": "none with the answer",
        "periodic": "no periodic boxes",
        "planner": "no planners",
        "threads": "not run: its calls are too short to tell",
    }

    def __init__(self) -> None:
        self.bullet: Any = import_module("pybullet")
        self.client = int(self.bullet.connect(self.bullet.DIRECT))

    def pair(self, a: Shape, b: Shape) -> Pair:
        return BulletPair(self.bullet, self.client, a, b)

    def robot(self, urdf: Path, rows: Array) -> list[set[tuple[str, str]]]:
        """URDF_USE_SELF_COLLISION leaves out links next to each other."""
        bullet, client = self.bullet, self.client
        body = bullet.loadURDF(
            str(urdf), useFixedBase=True, flags=bullet.URDF_USE_SELF_COLLISION, physicsClientId=client
        )
        joints = range(bullet.getNumJoints(body, physicsClientId=client))
        names = {k: bullet.getJointInfo(body, k, physicsClientId=client)[12].decode() for k in joints}
        names[-1] = bullet.getBodyInfo(body, physicsClientId=client)[0].decode()
        found = []
        for row in rows:
            for joint, value in zip(joints, row, strict=True):
                bullet.resetJointState(body, joint, float(value), physicsClientId=client)
            bullet.performCollisionDetection(physicsClientId=client)
            contacts = bullet.getContactPoints(body, body, physicsClientId=client)
            pairs = [sorted((names[c[3]], names[c[4]])) for c in contacts if c[8] <= 0]
            found.append({(one, other) for one, other in pairs})
        return found

    def falls(self) -> float:
        """How far a ball falls in a second."""
        bullet, client = self.bullet, self.client
        bullet.resetSimulation(physicsClientId=client)
        ball = bullet.createMultiBody(
            1.0, bullet.createCollisionShape(bullet.GEOM_SPHERE, radius=0.1, physicsClientId=client)
        )
        bullet.setGravity(0, 0, -9.81, physicsClientId=client)
        for _ in range(240):
            bullet.stepSimulation(physicsClientId=client)
        return -float(bullet.getBasePositionAndOrientation(ball, physicsClientId=client)[0][2])


class MujocoPair(Pair):
    """mj_geomDistance of two geoms, and the contacts of mj_collision; a mesh is its convex hull."""

    def __init__(self, mujoco: Any, a: Shape, b: Shape) -> None:
        self.mujoco = mujoco
        spec = mujoco.MjSpec()
        for number, shape in enumerate((a, b)):
            body = spec.worldbody.add_body()
            body.add_freejoint()
            body.add_geom(**self._made(spec, shape, f"mesh{number}"))
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        self.bodies = (self.model, self.model)

    def _made(self, spec: Any, shape: Shape, name: str) -> dict[str, Any]:
        if shape.extents is not None:
            return {"type": self.mujoco.mjtGeom.mjGEOM_BOX, "size": 0.5 * shape.extents}
        spec.add_mesh(name=name, uservert=shape.vertices.ravel(), userface=shape.faces.ravel())
        return {"type": self.mujoco.mjtGeom.mjGEOM_MESH, "meshname": name}

    def _place(self, pose: Array) -> None:
        values = np.zeros(14)
        values[3] = 1.0
        values[7:10] = pose[:3, 3]
        turned = np.isfinite(pose).all()
        values[10:] = Rotation.from_matrix(pose[:3, :3]).as_quat()[[3, 0, 1, 2]] if turned else [1, 0, 0, 0]
        self.data.qpos[:] = values
        self.mujoco.mj_kinematics(self.model, self.data)
        self.mujoco.mj_collision(self.model, self.data)

    def hit(self, pose: Array) -> bool:
        self._place(pose)
        return bool((self.data.contact.dist <= 0).any())

    def distance(self, pose: Array) -> float:
        self._place(pose)
        found = self.mujoco.mj_geomDistance(self.model, self.data, 0, 1, FAR, np.zeros(6))
        return max(float(found), 0.0)

    def depth(self, pose: Array) -> float:
        self._place(pose)
        return max(-float(self.data.contact.dist.min(initial=0.0)), 0.0)


class Mujoco(Library):
    name, package = "MuJoCo", "mujoco"
    about = "an engine of dynamics; a mesh is taken for its convex hull"
    groups = frozenset({"shapes", "points", "bending", "motions", "use", "more"})
    lacks: ClassVar[dict[str, str]] = {
        "near": "contacts within a margin; no lists of pairs within a reach",
        "within": "contacts within a margin of each two geoms, not pairs of their parts",
        "chain": "every body is placed again, and all of them are compared",
        "motion": "no test of motions",
        "meshes": "no test of motions",
        "proof": "no proofs",
        "bounds": "one number; no bounds",
        "budget": "no limit of time or tests",
        "many": "no poses in an array; mujoco.rollout steps many states in one call",
        "threads": "not run: by its manual the bindings release the interpreter lock",
        "counters": "timers of the whole step, in the data",
        "periodic": "no periodic boxes",
        "planner": "no planners",
    }

    def __init__(self) -> None:
        self.mujoco: Any = import_module("mujoco")

    def pair(self, a: Shape, b: Shape) -> Pair:
        return MujocoPair(self.mujoco, a, b)

    def robot(self, urdf: Path, rows: Array) -> list[set[tuple[str, str]]]:
        """A parent and its child are not compared; links that cannot move are joined with the world."""
        model = self.mujoco.MjModel.from_xml_path(str(urdf))
        data = self.mujoco.MjData(model)
        found = []
        for row in rows:
            data.qpos[:] = row
            self.mujoco.mj_kinematics(model, data)
            self.mujoco.mj_collision(model, data)
            touching = data.contact.geom[data.contact.dist <= 0]
            names = [sorted(self._link(model, g) for g in pair) for pair in touching]
            found.append({(one, other) for one, other in names})
        return found

    @staticmethod
    def _link(model: Any, geom: int) -> str:
        """The link that does not move has become the world."""
        return str(model.body(model.geom_bodyid[geom]).name).replace("world", "link0")

    def falls(self) -> float:
        """How far a ball falls in a second."""
        spec = self.mujoco.MjSpec()
        body = spec.worldbody.add_body()
        body.add_freejoint()
        body.add_geom(type=self.mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.1, 0, 0])
        model = spec.compile()
        data = self.mujoco.MjData(model)
        while data.time < 1.0:
            self.mujoco.mj_step(model, data)
        return -float(data.qpos[2])
