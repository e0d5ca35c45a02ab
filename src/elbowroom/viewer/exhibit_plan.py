"""Exhibits of motions: one that is checked as a whole, and a path that is looked for while one looks."""

from __future__ import annotations

from typing import Any

import numpy as np

import elbowroom as er

from .bodies import RigidActor
from .exhibit import Control, Facts, Show, Value
from .exhibit_meetings import Meeting, timed
from .exhibit_movers import Mover
from .exhibit_scene import Scene, Timeline
from .layers import GOLD, GREEN, ORANGE, Array, Layer, Segments, Triangulated
from .layers_surfaces import body_surface, joined, moved

#: Frames of a motion, and how many shadows of the body show where it goes.
FRAMES, SHADOWS = 121, 9


def proved_motion(
    title: str, body: er.Body, motion: er.Motion, obstacles: er.Body, *, hint: str = ""
) -> Scene:
    """A motion with its certificate: what was proved, and the first contact if there is one."""
    actor, around = RigidActor("body", body), RigidActor("obstacles", obstacles, colour=(176, 184, 194))
    poses = [motion.at(t).matrix for t in np.linspace(0, 1, FRAMES)]
    certificate, seconds = timed(lambda: er.check(body, motion, obstacles))

    def go(frame: int) -> None:
        actor.pose = poses[frame]

    told = Proof(actor, certificate, seconds, motion)
    timeline = Timeline(FRAMES, go)
    meetings = [Meeting(actor, around)]
    return Scene(
        title,
        [actor, around],
        movers=[told],
        timeline=timeline,
        meetings=meetings,
        hint=hint,
        start=Show(closest=True),
    )


class Proof(Mover):
    """Tells of a certificate, and shows where the body passes while it is proved free."""

    def __init__(self, actor: RigidActor, certificate: Any, seconds: float, motion: er.Motion) -> None:
        self._told: Facts = [
            ("whole motion", _verdict(certificate)),
            ("intervals proved", f"{len(certificate.intervals):,}"),
            ("check took", f"{1e3 * seconds:.3g} ms"),
        ]
        proved = certificate.intervals
        chosen = [t for t in np.linspace(0, 1, SHADOWS) if ((proved[:, 0] <= t) & (t <= proved[:, 1])).any()]
        surface = body_surface(actor.body)
        shadows = joined([moved(surface, motion.at(float(t)).matrix) for t in chosen])
        self._shadows = Triangulated("body/proved", *shadows, np.eye(4), colour=GREEN, opacity=0.15)

    def layers(self) -> list[Layer]:
        """Shadows at times that are proved free, evenly chosen."""
        return [self._shadows]

    def facts(self) -> Facts:
        """The same for all frames."""
        return self._told


def _verdict(certificate: Any) -> str:
    if certificate.free:
        return "free, proved"
    if certificate.free is None:
        return "undecided"
    return f"contact at {certificate.first_contact[1]:.4f} of the way"


class Planning(Scene):
    """RRT-Connect at work: the trees grow with each step of play until they meet; then the path is played."""

    live = True

    def __init__(
        self,
        title: str,
        body: er.Body,
        obstacles: er.Body,
        space: Any,
        ends: tuple[Array, Array],
        **told: Any,
    ) -> None:
        self._actor = RigidActor("body", body, ends[0], colour=ORANGE)
        around = RigidActor("obstacles", obstacles, colour=(176, 184, 194), opacity=0.55)
        self._search = Search(self._actor, er.MotionChecker(body, obstacles), space, ends)
        meetings = [Meeting(self._actor, around)]
        super().__init__(title, [self._actor, around], movers=[self._search], meetings=meetings, **told)

    def advance(self) -> None:
        """Some attempts more, or the next place on the path."""
        self._search.go_on()


class Search(Mover):
    """The planner, its trees, and the way along the path once there is one."""

    def __init__(
        self, actor: RigidActor, checker: er.MotionChecker, space: Any, ends: tuple[Array, Array]
    ) -> None:
        self._actor, self._checker, self._space, self._ends = actor, checker, space, ends
        self._attempts, self._seed, self._place = 2, 1, 0
        self._trees: tuple[Any, ...] = ()
        goal = moved(body_surface(actor.body), np.asarray(ends[1]))
        self._goal = Triangulated("body/goal", *goal, np.eye(4), colour=GREEN, opacity=0.35)
        self.controls = [
            Control("attempts a frame", "slider", 1, 100, 1, self._attempts),
            Control("look again", "button", hint="from the beginning, with other random numbers"),
        ]
        self._begin()

    def set(self, name: str, value: Value) -> None:
        """How fast, or again."""
        if name == "attempts a frame":
            self._attempts = round(float(value))
        else:
            self._seed += 1
            self._begin()

    def values(self) -> dict[str, Value]:
        """How fast."""
        return {"attempts a frame": self._attempts}

    def go_on(self) -> None:
        """Looks for a path, then follows it to and fro."""
        if not self._path:
            found = self._planner.solve(attempts=self._attempts, progress=False)
            self._trees, self._tried, self._seconds = found.trees, found.attempts, found.seconds
            if found:
                self._found(found)
            return
        self._place = (self._place + 1) % len(self._poses)
        self._actor.pose = self._poses[self._place]

    def layers(self) -> list[Layer]:
        """The goal, both trees by where the body's origin is, and the path."""
        out: list[Layer] = [self._goal]
        for tree, name, colour in zip(self._trees, ("start", "goal"), (GREEN, ORANGE), strict=False):
            places, parents = tree.states[:, :3, 3], np.asarray(tree.parents)[1:]
            lines = np.stack([places[parents], places[1:]], axis=1)
            if len(lines):
                out.append(Segments(f"body/tree from the {name}", lines, 1.5, colour=colour, opacity=0.8))
        if self._path:
            steps = self._poses[: len(self._poses) // 2 + 1, :3, 3]
            out.append(Segments("body/path", np.stack([steps[:-1], steps[1:]], axis=1), 4.0, colour=GOLD))
        return out

    def facts(self) -> Facts:
        """What has been tried, and what is known of the path."""
        nodes = sum(len(tree) for tree in self._trees)
        told = [("attempts", f"{self._tried:,}"), ("states in both trees", f"{nodes:,}")]
        told.append(("search took", f"{1e3 * self._seconds:.3g} ms, every motion proved"))
        return told + self._told

    def _begin(self) -> None:
        start, goal = self._ends
        self._planner = er.planning.RRTConnect(
            self._space, self._checker, start=start, goal=goal, seed=self._seed
        )
        self._trees = ()
        self._tried, self._seconds, self._place = 0, 0.0, 0
        self._path: Any = None
        self._poses: Array = np.asarray(start)[None]
        self._told: Facts = [("path", "not found yet")]
        self._actor.pose = np.asarray(start)

    def _found(self, path: Any) -> None:
        """The path with its corners cut, there and back again."""
        self._path = path.shortened(100, seed=self._seed)
        there = self._path.spaced(FRAMES)
        self._poses = np.concatenate([there, there[-2:0:-1]])
        certificate = self._path.certificate
        self._told = [
            ("path", f"{len(self._path):,} states, length {self._path.length:.4g}"),
            ("whole path", "free, proved" if certificate.free else "not proved free"),
            ("intervals proved", f"{len(certificate.intervals):,}"),
        ]
