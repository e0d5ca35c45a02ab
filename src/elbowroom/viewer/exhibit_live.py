"""Exhibits that compute while one looks: a chain that is sampled, and a check on a budget."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

import elbowroom as er
from elbowroom._status import in_words

from .bodies import RigidActor
from .bodies_balls import ChainActor
from .exhibit import Control, Facts, Show, Value
from .exhibit_cut import CutBoxes
from .exhibit_meetings import Meeting, cost, timed
from .exhibit_movers import Mover
from .exhibit_scene import Scene
from .layers import GOLD, Array, Layer, Segments

#: What a walk through the states of a chain can be made of.
MOVES = {
    "pivots": {"pivot": 1.0},
    "crankshafts": {"crankshaft": 1.0},
    "torsions": {"torsion": 1.0},
    "pivots and crankshafts": {"pivot": 1.0, "crankshaft": 1.0},
}


class Sampling(Scene):
    """A chain walks through its free states: each step of play is a few steps of `er.sampling.sample`."""

    live = True

    def __init__(
        self,
        title: str,
        make: Callable[[], er.Chain],
        *,
        moves: str = "pivots",
        steps: int = 5,
        most: int = 1000,
        hint: str = "",
    ) -> None:
        self._walk = Walk(ChainActor("chain", make()), make, moves, steps, most)
        super().__init__(title, [self._walk.actor], movers=[self._walk], hint=hint)

    def advance(self) -> None:
        """So many steps as the slider says."""
        self._walk.go_on()


class Walk(Mover):
    """Steps of Monte Carlo, and what has come of them so far."""

    def __init__(
        self, actor: ChainActor, make: Callable[[], er.Chain], moves: str, steps: int, most: int
    ) -> None:
        self.actor, self._make, self._chosen, self._steps = actor, make, moves, steps
        self._seed = 0
        self.controls = [
            Control("steps a frame", "slider", 1, most, 1, steps),
            Control("moves", "choice", initial=moves, choices=tuple(MOVES)),
            Control("start again", "button"),
        ]
        self._clear()

    def set(self, name: str, value: Value) -> None:
        """Averages start again, whatever changes."""
        if name == "steps a frame":
            self._steps = round(float(value))
        elif name == "moves":
            self._chosen = str(value)
        else:
            self.actor.body = self._make()
        self._clear()

    def values(self) -> dict[str, Value]:
        """How many steps, and by which moves."""
        return {"steps a frame": self._steps, "moves": self._chosen}

    def layers(self) -> list[Layer]:
        """A line from end to end."""
        centres = self.actor.centres()
        ends = centres[[0, len(self.actor.body) - 1]][None]
        return [Segments("body/end to end", ends, 2.0, colour=GOLD)]

    def facts(self) -> Facts:
        """Steps, how many were accepted, and the sizes of the chain now and on average."""
        told = [("steps", f"{self._done:,}")]
        if self._done:
            told += [
                ("accepted", f"{self._accepted / self._done:.0%}"),
                ("a step takes", f"{1e6 * self._seconds / self._done:.3g} us, {self._steps:,} in a row"),
                ("end to end, mean square", f"{np.mean(np.square(self._ends)):.5g}"),
                ("radius of gyration, mean", f"{np.mean(self._radii):.4g}"),
            ]
        return told

    def go_on(self) -> None:
        """Each stretch is a run of its own, with a seed of its own."""
        self._seed += 1
        moves = MOVES[self._chosen]
        run = er.sampling.sample(
            self.actor.body, moves, steps=self._steps, every=1, seed=self._seed, progress=False
        )
        self.actor.body = run.chain
        self._done += run.steps
        self._seconds += run.seconds
        self._accepted += sum(int(np.asarray(tally)[2]) for tally in run.tallies.values())
        self._ends += run.observables["end_to_end"].tolist()
        self._radii += run.observables["radius_of_gyration"].tolist()

    def _clear(self) -> None:
        self._done, self._accepted, self._seconds = 0, 0, 0.0
        self._ends: list[float] = []
        self._radii: list[float] = []


class Budgeted(Scene):
    """A check of two rigid bodies on a path, so many tests each step of play, with a memory between them.

    The two must not have the same fingerprint: their order in the tree goes by it.
    """

    live = True

    def __init__(
        self, title: str, a: RigidActor, b: RigidActor, path: Array, *, place: int = 0, hint: str = ""
    ) -> None:
        self._ticks = Ticks(Meeting(a, b), path, place)
        start = Show(collisions=False, cut=True)
        super().__init__(title, [a, b], movers=[self._ticks], hint=hint, start=start)

    def advance(self) -> None:
        """One call on the budget."""
        self._ticks.go_on()

    def _cut_layers(self) -> list[Layer]:
        return self._ticks.cut_layers()


class Ticks(Mover):
    """Calls on a budget, at a place or along a path."""

    def __init__(self, meeting: Meeting, path: Array, start: int) -> None:
        self._meeting, self._path, self._boxes = meeting, path, CutBoxes(meeting)
        self._tests, self._place, self._method, self._goes = 100, start, "auto", False
        self._told: Facts = []
        self.controls = [
            Control("tests a call", "slider", 10, 1000, 10, self._tests),
            Control(
                "place", "slider", 0, len(path) - 1, 1, start, hint="where on its path the second body is"
            ),
            Control("go along", "check", initial=False, hint="to the next place with each call"),
            Control("method", "choice", initial=self._method, choices=er.Memory.METHODS),
            Control("forget", "button", hint="begin with an empty memory"),
        ]
        self._forget()
        self._move(start)

    def set(self, name: str, value: Value) -> None:
        """Another budget, place or method."""
        if name == "tests a call":
            self._tests = round(float(value))
        elif name == "place":
            self._move(round(float(value)))
        elif name == "go along":
            self._goes = bool(value)
        else:
            self._method = str(value) if name == "method" else self._method
            self._forget()

    def values(self) -> dict[str, Value]:
        """As they were set, and where the body has got to."""
        named: dict[str, Value] = {"tests a call": self._tests, "place": self._place}
        return named | {"go along": self._goes, "method": self._method}

    def facts(self) -> Facts:
        """What the last call knows."""
        return [*self._told, ("calls", f"{self._calls:,}")]

    def go_on(self) -> None:
        """One more call."""
        if self._goes:
            self._move((self._place + 1) % len(self._path))
        ask = partial(self._meeting.collide, budget=er.Budget(tests=self._tests), memory=self._memory)
        answer, seconds = timed(ask)
        self._calls += 1
        verdict = "collision" if answer else "free, proved" if answer.covered == 1 else "not decided yet"
        self._told = [
            ("on the budget", verdict),
            ("status", in_words(answer)),
            ("proved apart", f"{answer.covered:.1%} of all pairs"),
            ("confidence", f"{answer.confidence:.3f}"),
            ("this call", cost([answer.counters], seconds)),
        ]

    def cut_layers(self) -> list[Layer]:
        """Where the search stands."""
        tree = self._memory.bvtt if self._calls else None
        return [] if tree is None else self._boxes.layers(tree)

    def _move(self, place: int) -> None:
        self._place = place
        second = self._meeting.second
        assert second is not None  # CutBoxes of one rigid body there are none
        second.pose = np.asarray(self._path[place])

    def _forget(self) -> None:
        self._memory, self._calls = er.Memory(self._method), 0
        self._told = [("on the budget", "not asked yet")]
