"""The libraries beside us on W2: each counts the overlapping pairs of two chains of boxes, frame by frame.

The poses are prepared in the form that the library takes: rotations and positions, or quaternions. Handing
them over is part of a frame, as it is for us.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from benchmarks.articulated.frames import EXTENTS, Motion
from benchmarks.common import Array

HALF = 0.5 * np.array(EXTENTS)
REACH = 2.0 * float(np.linalg.norm(HALF))  # of two bounding spheres
MANY = 1_000_000  # contacts that a library may return


class Numba:
    """One call a frame; bounding spheres, then separating axes up to the first that separates."""

    def __init__(self, motion: Motion) -> None:
        self.boxes: Any = import_module("benchmarks.articulated.boxes")
        self.motion = motion
        self.frames = list(zip(motion.rotations, motion.centres, strict=True))
        self.boxes.count_frames(motion.rotations[:1], motion.centres[:1], HALF, REACH)
        self.boxes.count(*self.frames[0], HALF, REACH)
        self.boxes.judge(*self.frames[0], HALF, REACH)

    def run(self) -> list[int]:
        count = self.boxes.count
        return [count(rotations, centres, HALF, REACH) for rotations, centres in self.frames]


class NumbaAllAxes(Numba):
    """One call a frame; bounding spheres, then all fifteen axes."""

    def run(self) -> list[int]:
        judge = self.boxes.judge
        return [judge(rotations, centres, HALF, REACH)[0] for rotations, centres in self.frames]


class NumbaFrames(Numba):
    """All frames in one call."""

    def run(self) -> Any:
        return self.boxes.count_frames(self.motion.rotations, self.motion.centres, HALF, REACH)


class FrameByFrame:
    """A contestant that is told rotations and centres, and counts the pairs, one frame after the other."""

    frames: list[tuple[list[Array], list[Array]]]

    def run(self) -> list[int]:
        return [self.frame(rotations, centres) for rotations, centres in self.frames]

    def frame(self, rotations: list[Array], centres: list[Array]) -> int:
        raise NotImplementedError


class Coal(FrameByFrame):
    """Two DynamicAABBTreeCollisionManagers and the callback that comes with them, asked for every contact.

    A rotation and a position cost a third of a new Transform3s.
    """

    def __init__(self, motion: Motion) -> None:
        coal: Any = import_module("coal")
        self.box = coal.Box(*EXTENTS)
        self.chains = [[coal.CollisionObject(self.box) for _ in range(motion.links)] for _ in range(2)]
        self.managers = [coal.DynamicAABBTreeCollisionManager() for _ in range(2)]
        for manager, objects in zip(self.managers, self.chains, strict=True):
            for one in objects:
                manager.registerObject(one)
            manager.setup()
        self.callback = coal.CollisionCallBackDefault()
        self.callback.data.request.num_max_contacts = MANY
        self.objects, self.frames = self.chains[0] + self.chains[1], flat(motion)

    def frame(self, rotations: list[Array], centres: list[Array]) -> int:
        for one, rotation, centre in zip(self.objects, rotations, centres, strict=True):
            one.setRotation(rotation)
            one.setTranslation(centre)
            one.computeAABB()
        first, second = self.managers
        first.update()
        second.update()
        self.callback.init()
        first.collide(second, self.callback)
        return int(self.callback.data.result.numContacts())


class Fcl(FrameByFrame):
    """Two DynamicAABBTreeCollisionManagers; pairs are tested and counted in a callback, which is Python."""

    def __init__(self, motion: Motion) -> None:
        self.fcl: Any = import_module("fcl")
        box = self.fcl.Box(*EXTENTS)
        self.chains = [[self.fcl.CollisionObject(box) for _ in range(motion.links)] for _ in range(2)]
        self.managers = [self.fcl.DynamicAABBTreeCollisionManager() for _ in range(2)]
        for manager, objects in zip(self.managers, self.chains, strict=True):
            manager.registerObjects(objects)
            manager.setup()
        self.request, self.found = self.fcl.CollisionRequest(), 0
        self.objects, self.frames = self.chains[0] + self.chains[1], flat(motion)

    def frame(self, rotations: list[Array], centres: list[Array]) -> int:
        for one, rotation, centre in zip(self.objects, rotations, centres, strict=True):
            one.setRotation(rotation)
            one.setTranslation(centre)
        for manager in self.managers:
            manager.update()
        self.found = 0
        self.managers[0].collide(self.managers[1], None, self.meet)
        return self.found

    def meet(self, one: Any, other: Any, _: Any) -> bool:
        self.found += self.fcl.collide(one, other, self.request, self.fcl.CollisionResult()) > 0
        return False


class Mujoco:
    """Free boxes, of which contype lets only those of different chains meet; kinematics and collision."""

    def __init__(self, motion: Motion) -> None:
        self.mujoco: Any = import_module("mujoco")
        spec = self.mujoco.MjSpec()
        for chain in (0, 1):
            for link in range(motion.links):
                body = spec.worldbody.add_body(pos=[0, 0, 100.0 * (link + motion.links * chain)])
                body.add_freejoint()
                shape = {"type": self.mujoco.mjtGeom.mjGEOM_BOX, "size": HALF}
                body.add_geom(**shape, contype=1 + chain, conaffinity=2 - chain)
        self.model = spec.compile()
        self.data = self.mujoco.MjData(self.model)
        self.frames = list(
            np.concatenate([_centres(motion), _quaternions(motion)[..., [3, 0, 1, 2]]], axis=-1)
        )

    def run(self) -> list[int]:
        return [self.frame(values) for values in self.frames]

    def frame(self, values: Array) -> int:
        """A pair of boxes has several contacts, and some of them lie within a margin but apart."""
        self.data.qpos[:] = values.ravel()
        self.mujoco.mj_kinematics(self.model, self.data)
        self.mujoco.mj_collision(self.model, self.data)
        if not self.data.ncon:
            return 0
        contacts = self.data.contact
        touching = contacts.geom[contacts.dist < 0]
        return len(np.unique(touching[:, 0] * self.model.ngeom + touching[:, 1]))


class PyBullet:
    """Bodies in a DIRECT client with filter masks; performCollisionDetection and getContactPoints."""

    def __init__(self, motion: Motion) -> None:
        self.bullet: Any = import_module("pybullet")
        self.client = self.bullet.connect(self.bullet.DIRECT)
        box = self.bullet.createCollisionShape(
            self.bullet.GEOM_BOX, halfExtents=HALF, physicsClientId=self.client
        )
        self.bodies = [
            self.bullet.createMultiBody(1.0, box, basePosition=[0, 0, 100.0 * k], physicsClientId=self.client)
            for k in range(2 * motion.links)
        ]
        for k, body in enumerate(self.bodies):
            group = 1 if k < motion.links else 2
            self.bullet.setCollisionFilterGroupMask(body, -1, group, 3 - group, physicsClientId=self.client)
        self.frames = list(zip(_centres(motion).tolist(), _quaternions(motion).tolist(), strict=True))

    def __del__(self) -> None:
        if hasattr(self, "client"):
            self.bullet.disconnect(self.client)

    def run(self) -> list[int]:
        return [self.frame(centres, turns) for centres, turns in self.frames]

    def frame(self, centres: list[list[float]], turns: list[list[float]]) -> int:
        place, client = self.bullet.resetBasePositionAndOrientation, self.client
        for body, centre, turn in zip(self.bodies, centres, turns, strict=True):
            place(body, centre, turn, physicsClientId=client)
        self.bullet.performCollisionDetection(physicsClientId=client)
        contacts = self.bullet.getContactPoints(physicsClientId=client)
        return len({(contact[1], contact[2]) for contact in contacts if contact[8] < 0})


def flat(motion: Motion) -> list[tuple[list[Array], list[Array]]]:
    """For each frame the rotations and centres of all boxes, those of the first chain first."""
    rotations = motion.rotations.reshape(len(motion), -1, 3, 3)
    return [(list(r), list(c)) for r, c in zip(rotations, _centres(motion), strict=True)]


def _centres(motion: Motion) -> Array:
    return motion.centres.reshape(len(motion), -1, 3)


def _quaternions(motion: Motion) -> Array:
    """(frames, boxes, 4), the scalar last."""
    turns: Array = Rotation.from_matrix(motion.rotations.reshape(-1, 3, 3)).as_quat()
    return turns.reshape(len(motion), -1, 4)
