"""The questions, each put to every library in the same way: the rows of the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.compare import judges
from benchmarks.compare.own import OWN
from benchmarks.compare.seen import ELSEWHERE, NO, NOT_RUN, Library, Seen

GROUPS = {
    "shapes": "Rigid bodies",
    "points": "Pairs within reach",
    "bending": "Bodies that bend",
    "motions": "Whole motions",
    "use": "In use",
    "more": "What else",
}


@dataclass(frozen=True)
class Question:
    """A row of the table. Without a judge it is put only to libraries with a probe of their own for it."""

    key: str
    group: str
    title: str
    asked: str
    judge: Callable[[Any], Seen] | None = None

    def put(self, library: Library) -> Seen:
        """To one library; what it raises is an answer too."""
        if self.key in library.lacks:
            why = library.lacks[self.key]
            return Seen(NOT_RUN if why.startswith("not run") else NO, why.removeprefix("not run: "))
        judge = OWN[type(library)].get(self.key, self.judge)
        if self.group not in library.groups or judge is None:
            return Seen(ELSEWHERE)
        try:
            return judge(library)
        except Exception as error:
            return Seen(NO, f"{type(error).__name__}: {' '.join(str(error).split())[:120]}")


QUESTIONS = (
    Question("rings", "shapes", "Meshes that are not convex", "Two linked rings do not touch: free, and how "
             "far apart.", judges.rings),
    Question("hulls", "shapes", "Distance of hulls", "60 pairs of hulls that are apart, against brute force; "
             "yes if within 1e-6.", judges.hulls),
    Question("bounds", "shapes", "Distance between bounds", "Does an answer say how far off it can be?"),
    Question("depth", "shapes", "Depth of overlap", "60 pairs of boxes, against all fifteen axes; yes if "
             "within 1e-6.", judges.depth),
    Question("touching", "shapes", "Boxes that just touch", "288 ways to touch: no exception, and one "
             "verdict for all.", judges.touching),
    Question("symmetric", "shapes", "Order of the bodies", "Is the distance of a and b that of b and a, "
             "within 1e-9?", judges.symmetric),
    Question("again", "shapes", "Order of the questions", "The same questions in another order: are the "
             "answers the same, bit for bit?", judges.again),
    Question("nan", "shapes", "NaN is refused", "A pose that is not a number: an error, or an answer?",
             judges.nan),
    Question("solid", "shapes", "Solids", "A body wholly inside a closed mesh: does it collide?",
             judges.solid),
    Question("near", "points", "Points within a reach", "All pairs of 400 points within a reach, against "
             "brute force.", judges.near),
    Question("within", "points", "Parts of meshes within a reach", "All pairs of triangles of two bodies "
             "within a reach."),
    Question("periodic", "points", "Periodic boxes", "The same points, and their images.", judges.periodic),
    Question("robot", "bending", "A robot against itself", "An arm from a URDF file in 200 configurations: "
             "which links collide?", judges.robot),
    Question("chain", "bending", "One torsion of a long chain", "Is a chain of 10,000 links tested against "
             "itself without moving all of them?"),
    Question("motion", "motions", "A thin plate through a thin wall", "Boxes; 200 motions through the wall, "
             "200 that end before it.", judges.motion),
    Question("meshes", "motions", "The same as meshes", "The same motions.", judges.motion_of_meshes),
    Question("proof", "motions", "A proof that can be checked", "Is \"free\" a proof that can be kept, and "
             "checked without the library's own search?"),
    Question("planner", "motions", "Planners", "How many, and are their motions proved?"),
    Question("many", "use", "Many poses in one call", "An array of poses, on all cores."),
    Question("budget", "use", "Budgets", "Can a question be cut short, with what is known by then?"),
    Question("counters", "use", "Work is told", "Does an answer tell what it took?"),
    Question("threads", "use", "Threads", "Can another Python thread go on during a question?",
             judges.threads),
    Question("pickle", "use", "Bodies pickle", "Processes and clusters need it.", judges.pickled),
    Question("dynamics", "more", "Dynamics", "Does a ball fall?", judges.falls),
    Question("octree", "more", "Octrees, height fields", "Can they be asked about?"),
)  # fmt: skip
