"""Types of arguments that come in several forms; for annotations alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from elbowroom._core import AabbVolume, CapsuleVolume, ObbVolume, RssVolume, SphereVolume
    from elbowroom.articulated import Articulated
    from elbowroom.body import Body
    from elbowroom.chain import Chain
    from elbowroom.motion import Motion
    from elbowroom.necklace import Necklace
    from elbowroom.pose import Pose
    from elbowroom.world import World

Floats: TypeAlias = NDArray[np.float64]


class MeshLike(Protocol):
    """A mesh of another library, such as trimesh."""

    @property
    def vertices(self) -> ArrayLike: ...

    @property
    def faces(self) -> ArrayLike: ...


class ReadingOptions(TypedDict, total=False):
    """Options of `elbowroom.files.pdb.read_chain`."""

    model: int | None
    scale: float
    exclude: str | tuple[str, int]
    breaks: str
    missing: str
    hydrogens: bool


class CalibrationOptions(TypedDict, total=False):
    """Options of `Memory.calibrate`."""

    method: str
    group: int
    threshold: float
    truth: Callable[..., object] | Iterable[object] | None
    held_out: float
    seed: int
    progress: bool | None


class TraceOptions(TypedDict, total=False):
    """Options of `elbowroom.pictures.trace`."""

    labels: tuple[str, str]
    mark: int | None
    title: str | None


class RotationObject(Protocol):
    """A rotation of another library, such as scipy."""

    def as_matrix(self) -> ArrayLike: ...


#: A rigid body, or one that bends.
OneShape: TypeAlias = "Body | Chain | Necklace"
AnyBody: TypeAlias = "Body | Chain | Necklace | Articulated"
#: A (3, 3) matrix, a unit quaternion (w, x, y, z), or an object that gives a matrix.
RotationLike: TypeAlias = ArrayLike | RotationObject
#: A (4, 4) matrix, or (rotation, translation); arrays (n, 4, 4) are many.
OnePose: TypeAlias = "Pose | tuple[RotationLike | None, ArrayLike | None]"
PoseLike: TypeAlias = "OnePose | ArrayLike"
#: A state of a planner: a pose, or a configuration.
StateLike: TypeAlias = PoseLike
#: Pairs of links, by names or numbers.
LinkPairList: TypeAlias = Iterable[Iterable[str | int]]
#: What is never compared, of a chain or a necklace: a number k, pairs (m, 2), or (k, pairs).
ExcludeLike: TypeAlias = int | ArrayLike | tuple[int, ArrayLike]
#: The same of a chain: also "bonds", or ("bonds", k).
ExcludeInChain: TypeAlias = ExcludeLike | str | tuple[str, int]
#: The bounding volumes of `elbowroom.volumes`.
AnyVolume: TypeAlias = "SphereVolume | CapsuleVolume | AabbVolume | ObbVolume | RssVolume"
#: A motion of a rigid body, a path through configurations, or torsions of a chain.
MotionLike: TypeAlias = (
    "Motion | ArrayLike | Sequence[ArrayLike] | Mapping[int, float] | tuple[ArrayLike, ArrayLike]"
)
#: A body, a body at a pose, on a motion, or at two configurations. Obstacles may also be a World.
ObstacleLike: TypeAlias = "AnyBody | tuple[AnyBody, PoseLike | Motion]"
Obstacles: TypeAlias = "ObstacleLike | Sequence[ObstacleLike] | World | None"
