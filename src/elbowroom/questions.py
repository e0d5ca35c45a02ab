"""The questions, the same for every body: collide, distance, within, and the same of a body and itself.

They live in the core, called by the shortest way there is; their types are stated here. An articulated body
is taken to hold one configuration: after `move` with many of them, answers are Collisions and Distances,
which no type checker can know. With `configurations=` it can.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from elbowroom import _core

__all__ = ["collide", "distance", "self_collide", "self_distance", "self_within", "within"]

if TYPE_CHECKING:
    from typing import TypeAlias, overload

    from numpy.typing import ArrayLike

    from elbowroom._core import (
        Collision,
        Collisions,
        Distance,
        Distances,
        Pairs,
        WorldCollision,
        WorldDistance,
        Worldly,
        WorldPairs,
    )
    from elbowroom._types import AnyBody, Floats, OnePose
    from elbowroom.articulated import Articulated
    from elbowroom.budget import Budget, Memory
    from elbowroom.chain import Chain
    from elbowroom.necklace import Necklace

    BendingBody: TypeAlias = Chain | Articulated | Necklace
    AnyOrWorldly: TypeAlias = AnyBody | Worldly
    #: Of one articulated body, or of two.
    Configurations: TypeAlias = ArrayLike | tuple[ArrayLike | None, ArrayLike | None]

    @overload
    def collide(
        a: Worldly,
        b: AnyOrWorldly,
        pose_a: OnePose | None = None,
        pose_b: OnePose | None = None,
        *,
        every: bool = False,
        depth: bool = False,
        budget: Budget | None = None,
        memory: None = None,
        threads: int | None = None,
        configurations: None = None,
    ) -> WorldCollision: ...
    @overload
    def collide(
        a: AnyOrWorldly,
        b: Worldly,
        pose_a: OnePose | None = None,
        pose_b: OnePose | None = None,
        *,
        every: bool = False,
        depth: bool = False,
        budget: Budget | None = None,
        memory: None = None,
        threads: int | None = None,
        configurations: None = None,
    ) -> WorldCollision: ...
    @overload
    def collide(
        a: AnyBody,
        b: AnyBody,
        pose_a: OnePose | None = None,
        pose_b: OnePose | None = None,
        *,
        every: bool = False,
        depth: bool = False,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
        configurations: None = None,
    ) -> Collision: ...
    @overload
    def collide(
        a: AnyBody,
        b: AnyBody,
        pose_a: OnePose | Floats | None = None,
        pose_b: OnePose | Floats | None = None,
        *,
        every: bool = False,
        depth: bool = False,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
        configurations: Configurations,
    ) -> Collisions: ...
    @overload
    def collide(
        a: AnyBody,
        b: AnyBody,
        pose_a: OnePose | Floats | None = None,
        pose_b: OnePose | Floats | None = None,
        *,
        every: bool = False,
        depth: bool = False,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
        configurations: Configurations | None = None,
    ) -> Collision | Collisions: ...
    def collide(
        a: AnyOrWorldly,
        b: AnyOrWorldly,
        pose_a: OnePose | Floats | None = None,
        pose_b: OnePose | Floats | None = None,
        *,
        every: bool = False,
        depth: bool = False,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
        configurations: Configurations | None = None,
    ) -> Collision | Collisions: ...

    @overload
    def distance(
        a: Worldly,
        b: AnyOrWorldly,
        pose_a: OnePose | None = None,
        pose_b: OnePose | None = None,
        *,
        enough: float | None = None,
        linear: None = None,
        budget: Budget | None = None,
        memory: None = None,
        threads: int | None = None,
        configurations: None = None,
    ) -> WorldDistance: ...
    @overload
    def distance(
        a: AnyOrWorldly,
        b: Worldly,
        pose_a: OnePose | None = None,
        pose_b: OnePose | None = None,
        *,
        enough: float | None = None,
        linear: None = None,
        budget: Budget | None = None,
        memory: None = None,
        threads: int | None = None,
        configurations: None = None,
    ) -> WorldDistance: ...
    @overload
    def distance(
        a: AnyBody,
        b: AnyBody,
        pose_a: OnePose | None = None,
        pose_b: OnePose | None = None,
        *,
        enough: float | None = None,
        linear: ArrayLike | None = None,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
        configurations: None = None,
    ) -> Distance: ...
    @overload
    def distance(
        a: AnyBody,
        b: AnyBody,
        pose_a: OnePose | Floats | None = None,
        pose_b: OnePose | Floats | None = None,
        *,
        enough: float | None = None,
        linear: ArrayLike | None = None,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
        configurations: Configurations,
    ) -> Distances: ...
    @overload
    def distance(
        a: AnyBody,
        b: AnyBody,
        pose_a: OnePose | Floats | None = None,
        pose_b: OnePose | Floats | None = None,
        *,
        enough: float | None = None,
        linear: ArrayLike | None = None,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
        configurations: Configurations | None = None,
    ) -> Distance | Distances: ...
    def distance(
        a: AnyOrWorldly,
        b: AnyOrWorldly,
        pose_a: OnePose | Floats | None = None,
        pose_b: OnePose | Floats | None = None,
        *,
        enough: float | None = None,
        linear: ArrayLike | None = None,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
        configurations: Configurations | None = None,
    ) -> Distance | Distances: ...

    @overload
    def within(
        a: Worldly,
        b: AnyOrWorldly,
        reach: float,
        pose_a: OnePose | None = None,
        pose_b: OnePose | None = None,
        *,
        points: bool = False,
        budget: Budget | None = None,
        memory: None = None,
        threads: int | None = None,
        configurations: None = None,
    ) -> WorldPairs: ...
    @overload
    def within(
        a: AnyOrWorldly,
        b: Worldly,
        reach: float,
        pose_a: OnePose | None = None,
        pose_b: OnePose | None = None,
        *,
        points: bool = False,
        budget: Budget | None = None,
        memory: None = None,
        threads: int | None = None,
        configurations: None = None,
    ) -> WorldPairs: ...
    @overload
    def within(
        a: AnyBody,
        b: AnyBody,
        reach: float,
        pose_a: OnePose | Floats | None = None,
        pose_b: OnePose | Floats | None = None,
        *,
        points: bool = False,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
        configurations: Configurations | None = None,
    ) -> Pairs: ...
    def within(
        a: AnyOrWorldly,
        b: AnyOrWorldly,
        reach: float,
        pose_a: OnePose | Floats | None = None,
        pose_b: OnePose | Floats | None = None,
        *,
        points: bool = False,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
        configurations: Configurations | None = None,
    ) -> Pairs: ...

    @overload
    def self_collide(
        body: Worldly,
        *,
        every: bool = False,
        depth: bool = False,
        budget: Budget | None = None,
        memory: None = None,
        threads: int | None = None,
        configurations: None = None,
    ) -> WorldCollision: ...
    @overload
    def self_collide(
        body: BendingBody,
        *,
        every: bool = False,
        depth: bool = False,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
        configurations: None = None,
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
        configurations: ArrayLike,
    ) -> Collisions: ...
    def self_collide(
        body: BendingBody | Worldly,
        *,
        every: bool = False,
        depth: bool = False,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
        configurations: ArrayLike | None = None,
    ) -> Collision | Collisions: ...

    @overload
    def self_distance(
        body: Worldly,
        *,
        enough: float | None = None,
        budget: Budget | None = None,
        memory: None = None,
        threads: int | None = None,
        configurations: None = None,
    ) -> WorldDistance: ...
    @overload
    def self_distance(
        body: BendingBody,
        *,
        enough: float | None = None,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
        configurations: None = None,
    ) -> Distance: ...
    @overload
    def self_distance(
        body: Articulated,
        *,
        enough: float | None = None,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
        configurations: ArrayLike,
    ) -> Distances: ...
    def self_distance(
        body: BendingBody | Worldly,
        *,
        enough: float | None = None,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
        configurations: ArrayLike | None = None,
    ) -> Distance | Distances: ...

    @overload
    def self_within(
        body: Worldly,
        reach: float,
        *,
        points: bool = False,
        budget: Budget | None = None,
        memory: None = None,
        threads: int | None = None,
        configurations: None = None,
    ) -> WorldPairs: ...
    @overload
    def self_within(
        body: BendingBody,
        reach: float,
        *,
        points: bool = False,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
        configurations: ArrayLike | None = None,
    ) -> Pairs: ...
    def self_within(
        body: BendingBody | Worldly,
        reach: float,
        *,
        points: bool = False,
        budget: Budget | None = None,
        memory: Memory | None = None,
        threads: int | None = None,
        configurations: ArrayLike | None = None,
    ) -> Pairs: ...

else:
    collide = _core.collide
    distance = _core.distance
    self_collide = _core.self_collide
    self_distance = _core.self_distance
    self_within = _core.self_within
    within = _core.within
