"""Exhibits of assemblies: parts by name, groups of them to hide, and their clashes one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

import elbowroom as er
from elbowroom.clashes import Clash, Clashes, find_clashes
from elbowroom.files.assembly import Assembly
from elbowroom.pictures.intersections import curves

from .exhibit import Control, Exhibit, Facts, Show, Value
from .exhibit_meetings import duration, timed
from .layers import (
    BLUE,
    GOLD,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    RED,
    Array,
    Balls,
    Layer,
    Segments,
    Triangulated,
)
from .layers_surfaces import body_surface, joined, moved

#: Assemblies of more parts are drawn group by group.
MOST_NODES = 300
#: Clashes that can be chosen, and pairs of triangles of which the intersections are drawn, in all.
MOST_CLASHES, MOST_CUTS = 500, 60_000
COLOURS = (BLUE, GREEN, PURPLE, GREY)
FAINT = 0.12
ALL = "all"


class AssemblyExhibit(Exhibit):
    """The parts of an assembly, and where they clash; nothing moves."""

    hint = "Choose a clash to see its two parts, with where they cut in red, and fit the view to go there."

    def __init__(self, title: str, assembly: Assembly) -> None:
        self.title = title
        self._assembly = assembly
        self._found, self._seconds = timed(lambda: find_clashes(assembly))
        self._bodies = {name: (body, pose) for name, body, pose in self._found.bodies}
        self._groups = grouped(assembly, list(self._bodies))
        self._hidden: set[str] = set()
        shown = [clash for clash in self._found.clashes if clash.kind != "touch"][:MOST_CLASHES]
        self._choices = {f"{k + 1}. {_words(clash)}": clash for k, clash in enumerate(shown)}
        self._chosen: Clash | None = None
        self._near: Clashes | None = None
        self._cuts: dict[str, Array] = {}
        corners = np.concatenate([_corners(body, pose) for body, pose in self._bodies.values()])
        self._size = float(np.linalg.norm(np.ptp(corners, axis=0))) or 1.0
        self.reach = 0.002 * self._size
        self.controls = self._made_controls()

    def _made_controls(self) -> list[Control]:
        made = [Control("clash", "choice", initial=ALL, choices=(ALL, *self._choices), group="Clashes")]
        return made + [
            Control(group, "check", initial=True, group="Parts", hint=f"{len(names):,} parts")
            for group, names in self._groups.items()
        ]

    def set(self, name: str, value: Value) -> None:
        """Chooses a clash, or hides and shows a group."""
        if name == "clash":
            if value != ALL and value not in self._choices:
                raise ValueError(f"clash must be {ALL!r} or one of the clashes, got {value!r}")
            self._chosen = self._choices.get(str(value))
        elif name in self._groups:
            (self._hidden.discard if value else self._hidden.add)(name)
        else:
            raise ValueError(f"there is no control {name!r}")

    def values(self) -> dict[str, Value]:
        """What is chosen, and which groups are shown."""
        chosen = next((name for name, clash in self._choices.items() if clash is self._chosen), ALL)
        return {"clash": chosen} | {group: group not in self._hidden for group in self._groups}

    def layers(self, show: Show) -> list[Layer]:
        """The parts, the curves in which they cut, and the shortest lines."""
        out: list[Layer] = self._parts() if show.body else []
        if show.collisions:
            cuts = [self._cut(clash) for clash in self._picked() if clash.kind == "overlap"]
            points = np.concatenate([np.empty((0, 2, 3)), *cuts])
            if len(points):
                out.append(Segments("collisions/curves", points, 4.0, colour=RED))
        lines = [clash.points for clash in self._nearest(show) if clash.points is not None]
        if lines:
            ends = np.stack(lines)
            radii = np.full(2 * len(ends), (0.002 if self._chosen is None else 0.0007) * self._size)
            out.append(Segments("closest/lines", ends, 5.0, colour=GOLD))
            out.append(Balls("closest/points", ends.reshape(-1, 3), radii, colour=GOLD))
        return out

    def counters(self) -> Facts:
        """How many clashes of each kind, and the chosen one."""
        facts = [("parts", f"{len(self._bodies):,}"), ("triangles", f"{self._assembly.triangles:,}")]
        facts += [(kind, f"{many:,}") for kind, many in self._found.counts().items()] or [("clashes", "none")]
        facts.append(("all pairs took", duration(self._seconds)))
        if self._near is not None:
            near = sum(clash.kind == "near" for clash in self._near.clashes)
            facts.append((f"within {self._near.clearance:.3g}", f"{near:,} pairs"))
        if self._chosen is not None:
            place = ", ".join(f"{x:.5g}" for x in self._found.place(self._chosen))
            facts += [("chosen", _words(self._chosen)), ("near", place)]
        return facts

    def bounds(self) -> Array:
        """The box about the chosen clash, or about all parts."""
        if self._chosen is None:
            return super().bounds()
        box = self._chosen.box
        room = max(float(np.ptp(box, axis=0).max()), 0.01 * self._size)
        return box + room * np.array([[-1.0], [1.0]])

    def _picked(self) -> Sequence[Clash]:
        return list(self._choices.values()) if self._chosen is None else [self._chosen]

    def _nearest(self, show: Show) -> Sequence[Clash]:
        """The clashes whose shortest lines are drawn."""
        if show.within is not None and (self._near is None or self._near.clearance != show.within):
            self._near = find_clashes(self._assembly, clearance=show.within, touching=False)
        elif show.within is None:
            self._near = None
        if self._chosen is not None:
            return [self._chosen]
        apart = [clash for clash in (self._near or self._found).clashes if clash.points is not None]
        if show.within is not None:
            return [clash for clash in apart if clash.kind == "near"]
        return apart[:1] if show.closest else []

    def _cut(self, clash: Clash) -> Array:
        key = f"{clash.a}\0{clash.b}"
        if key not in self._cuts:
            (a, pose_a), (b, pose_b) = self._bodies[clash.a], self._bodies[clash.b]
            most = MOST_CUTS // max(len(self._choices), 1) + 100
            self._cuts[key] = np.empty((0, 2, 3))
            if isinstance(a, er.Mesh) and isinstance(b, er.Mesh):
                self._cuts[key] = curves(a, b, pose_a, pose_b, most)
        return self._cuts[key]

    def _parts(self) -> list[Layer]:
        """Parts one by one, or group by group if there are many; of a chosen clash the two in front."""
        pair = {} if self._chosen is None else {self._chosen.a: ORANGE, self._chosen.b: BLUE}
        out: list[Layer] = []
        for k, (group, names) in enumerate(self._groups.items()):
            if group in self._hidden:
                continue
            colour = COLOURS[k % len(COLOURS)]
            opacity = FAINT if pair else 1.0
            others = [name for name in names if name not in pair]
            if len(self._bodies) > MOST_NODES:
                surface = joined(
                    [moved(body_surface(b), p.matrix) for b, p in map(self._bodies.__getitem__, others)]
                )
                if len(surface[1]):
                    out.append(
                        Triangulated(
                            f"body/{_safe(group)}", *surface, np.eye(4), colour=colour, opacity=opacity
                        )
                    )
            else:
                out += [self._part(group, name, colour, opacity) for name in others]
            out += [self._part(group, name, pair[name], 0.5) for name in names if name in pair]
        return out

    def _part(self, group: str, name: str, colour: tuple[int, int, int], opacity: float) -> Layer:
        body, pose = self._bodies[name]
        path = f"body/{_safe(group)}/{_safe(name)}"
        return Triangulated(path, *body_surface(body), pose.matrix, colour=colour, opacity=opacity)


def grouped(assembly: Assembly, names: list[str]) -> dict[str, list[str]]:
    """Parts by what is above them in the file, or else by the beginning of their names."""
    above = {part.name: part.parents for part in assembly.parts}
    groups: dict[str, list[str]] = {}
    for name in names:
        parents = above.get(name) or ((name.partition("/")[0],) if "/" in name else ())
        stem = re.sub(r"[\W_\d]+$", "", name) or name
        groups.setdefault(parents[-1] if parents else stem, []).append(name)
    if len(groups) > 40:
        return {"all parts": names}
    return groups


def _words(clash: Clash) -> str:
    return f"{clash.kind}: {clash.a} - {clash.b}"


def _safe(name: str) -> str:
    """As one step of a path."""
    return name.replace("/", "|")


def _corners(body: er.Body, pose: er.Pose) -> Array:
    low, high = body.bounds
    return np.asarray(
        pose.apply(
            [[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
        )
    )
