"""The questions, the same for every body: collide, distance, within, and the same of a body and itself.

They live in the core, called by the shortest way there is; their types are stated here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from elbowroom import _core

__all__ = ["collide", "distance", "self_collide", "self_distance", "self_within", "within"]

if TYPE_CHECKING:
    from typing import TypeAlias, overload

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from elbowroom._core import Collision, Distance, Pairs
    from elbowroom.articulated import Articulated
    from elbowroom.body import Body
    from elbowroom.budget import Budget, Memory
    from elbowroom.chain import Chain
    from elbowroom.necklace import Necklace
    from elbowroom.pose import Pose

    OneShape: TypeAlias = Body | Chain | Necklace
    AnyBody: TypeAlias = OneShape | Articulated
    OnePose: TypeAlias = Pose | tuple[Any, ArrayLike] | None
    Poses: TypeAlias = NDArray[np.float64]

    # Whether an array holds one pose or many is not in its type, nor whether an articulated body holds one
    # configuration or many: the answer is then Any, which fits both.
    @overload
    def collide(
        a: OneShape,
        b: OneShape,
        pose_a: OnePose = None,
        pose_b: OnePose = None,
        *,
        every: bool = False,
        depth: bool = False,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
    ) -> Collision: ...
    @overload
    def collide(
        a: AnyBody,
        b: AnyBody,
        pose_a: OnePose | Poses = None,
        pose_b: OnePose | Poses = None,
        *,
        every: bool = False,
        depth: bool = False,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
    ) -> Any: ...
    def collide(*args: Any, **kwargs: Any) -> Any: ...

    @overload
    def distance(
        a: OneShape,
        b: OneShape,
        pose_a: OnePose = None,
        pose_b: OnePose = None,
        *,
        enough: float | None = None,
        linear: ArrayLike | None = None,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
    ) -> Distance: ...
    @overload
    def distance(
        a: AnyBody,
        b: AnyBody,
        pose_a: OnePose | Poses = None,
        pose_b: OnePose | Poses = None,
        *,
        enough: float | None = None,
        linear: ArrayLike | None = None,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
    ) -> Any: ...
    def distance(*args: Any, **kwargs: Any) -> Any: ...

    def within(
        a: AnyBody,
        b: AnyBody,
        reach: float,
        pose_a: OnePose | Poses = None,
        pose_b: OnePose | Poses = None,
        *,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
    ) -> Pairs: ...
    @overload
    def self_collide(
        body: Chain | Necklace,
        *,
        every: bool = False,
        depth: bool = False,
        budget: Budget | None = None,
        memory: Memory | None = None,
    ) -> Collision: ...
    @overload
    def self_collide(
        body: Articulated,
        *,
        every: bool = False,
        depth: bool = False,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
    ) -> Any: ...
    def self_collide(*args: Any, **kwargs: Any) -> Any: ...

    @overload
    def self_distance(
        body: Chain | Necklace,
        *,
        enough: float | None = None,
        budget: Budget | None = None,
        memory: Memory | None = None,
    ) -> Distance: ...
    @overload
    def self_distance(
        body: Articulated,
        *,
        enough: float | None = None,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
    ) -> Any: ...
    def self_distance(*args: Any, **kwargs: Any) -> Any: ...

    def self_within(
        body: Chain | Articulated | Necklace,
        reach: float,
        *,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
    ) -> Pairs: ...

else:
    collide = _core.collide
    distance = _core.distance
    self_collide = _core.self_collide
    self_distance = _core.self_distance
    self_within = _core.self_within
    within = _core.within
