"""Which pairs of links of a robot can collide."""

from __future__ import annotations

import copy
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays
from elbowroom._progress import Progress
from elbowroom.matrix.always import is_enclosed, overlap_always
from elbowroom.matrix.pair import PairSearch
from elbowroom.matrix.result import NOT_COMPARED, VERDICTS, CollisionMatrix, Undecided
from elbowroom.matrix.solids import LinkSolid
from elbowroom.questions import self_collide

if TYPE_CHECKING:
    from elbowroom.articulated import Articulated
    from elbowroom.body import Body
    from elbowroom.pose import Pose

Floats = NDArray[np.float64]

#: Boxes of joint values for each pair in the first round; each round has four times as many.
FIRST_ROUND = 2048


def collision_matrix(
    body: Articulated,
    seconds: float = 60.0,
    *,
    samples: int = 10_000,
    seed: int = 0,
    progress: bool | None = None,
) -> CollisionMatrix:
    """Decides for every pair of links whether they can collide within the limits of the joints.

    "Never" and "always" are proofs: every configuration lies in a box of joint values with a plane between
    the two links, or with balls inside them that overlap. "Sometimes" has a configuration as its witness.
    What is not decided in time is "undecided", with the share of the configurations that is proved free. A
    pair is looked at by itself: in its witness other links may collide too.

    Parameters
    ----------
    body
        The robot. What it excludes is ignored; links that cannot move against each other are left out.
        Sliding joints need limits. Closed meshes count as solids where "always" is proved, and hulls where
        "never" is; a mesh that moves inside another without touching it is undecided or never.
    seconds
        When to stop trying.
    samples, seed
        Random configurations, which find most of the pairs that can collide.
    progress
        Show a progress bar; by default once it takes long, on a terminal.

    Examples
    --------
    >>> import elbowroom as er
    >>> bone = [(er.Capsule(0.1, 0.8), er.Pose(translation=[0, 0, 0.5]))]
    >>> links = [er.Link(f"bone {i}", bone) for i in range(4)]
    >>> joints = [er.Joint(f"joint {i}", "revolute", f"bone {i}", f"bone {i + 1}",
    ...                    er.Pose(translation=[0, 0, 1]), (0, 1, 0), (-1.5, 1.5)) for i in range(3)]
    >>> matrix = er.collision_matrix(er.Articulated(links, joints))
    >>> matrix
    <CollisionMatrix: 6 pairs of 4 links: 3 never, 0 always, 3 sometimes, 0 undecided>
    >>> body = er.Articulated(links, joints)
    >>> body.exclude(matrix.never)
    """
    seconds = _arrays.size(seconds, "seconds")
    samples, seed = _arrays.count(samples, "samples", 0), _arrays.count(seed, "seed", 0)
    bare = copy.copy(body)
    bare.include(bare.excluded)
    bare.exclude(bare._skeleton.rigid_pairs().array())
    with Progress(progress, "pairs", None) as tell:
        run = _Run(bare, time.monotonic() + seconds, tell)
        run.sample(samples, seed)
        run.search(seed)
        run.prove()
    return run.matrix(samples, seed)


class _Run:
    """The pairs of a body, and what is known of them."""

    def __init__(self, body: Articulated, until: float, tell: Progress) -> None:
        self._body, self._until, self._tell = body, until, tell
        shapes: dict[int, list[tuple[Body, Pose]]] = {}
        for link, shape, pose in body.shapes:
            shapes.setdefault(link, []).append((shape, pose))
        solids = {link: LinkSolid(of_link) for link, of_link in shapes.items()}
        rigid = set(map(tuple, body.excluded.tolist()))
        self.pairs = {
            (a, b): PairSearch(body, a, b, solids[a], solids[b])
            for a, b in combinations(sorted(solids), 2)
            if (a, b) not in rigid
        }
        self.witnesses: dict[tuple[int, int], Floats] = {}

    def _is_late(self) -> bool:
        return time.monotonic() > self._until

    def _open(self) -> list[PairSearch]:
        return [pair for pair in self.pairs.values() if pair.verdict == "undecided"]

    def _each(self, pairs: list[PairSearch], work: Callable[[PairSearch], None]) -> None:
        """Does the work on all threads, the progress shown."""
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            waiting = [threads.submit(work, pair) for pair in pairs]
            try:
                for each in as_completed(waiting):
                    each.result()
                    self._tell(len(self.pairs) - len(self._open()), f" ({len(self._open())} undecided)")
            except BaseException:
                self._until = 0.0
                threads.shutdown(cancel_futures=True)
                raise

    def sample(self, count: int, seed: int) -> None:
        """Collisions in random configurations. A pair that always collides may do so for a reason."""
        if not count:
            return
        configurations = self._body.random(count, seed=seed)
        found = self_collide(self._body, configurations=configurations, every=True)
        pairs, frames = np.sort(np.asarray(found.pairs), axis=1), np.asarray(found.frames)
        hits: dict[tuple[int, int], list[int]] = {}
        for (a, b), frame in zip(pairs.tolist(), frames.tolist(), strict=True):
            hits.setdefault((a, b), []).append(frame)
        for key, seen in hits.items():
            pair = self.pairs[key]
            pair.verdict, self.witnesses[key] = "sometimes", configurations[seen[0]]
            if len(set(seen)) == count and overlap_always(pair, self._is_late):
                pair.verdict = "always"

    def search(self, seed: int) -> None:
        """Goes down the distance of what did not collide in the samples."""

        def work(pair: PairSearch) -> None:
            if not self._is_late():
                pair.search(np.random.default_rng([seed, pair.a, pair.b]))

        self._each(self._open(), work)

    def prove(self) -> None:
        """Round by round, until all is decided or the time is up."""
        boxes = FIRST_ROUND
        while (left := [pair for pair in self._open() if not pair.is_stuck]) and not self._is_late():
            self._each(left, partial(PairSearch.decide, most_boxes=boxes, is_late=self._is_late))
            boxes *= 4

    def matrix(self, samples: int, seed: int) -> CollisionMatrix:
        """What was found. Witnesses are looked at once more, by the body itself."""
        verdicts = np.full((len(self._body),) * 2, NOT_COMPARED, np.int8)
        undecided = {}
        for key, pair in self.pairs.items():
            if pair.witness is not None:
                self._confirm(pair)
            if pair.verdict == "never" and is_enclosed(pair):
                pair.verdict = "always"
                self.witnesses[key] = self._body.zero()  # any configuration
            verdicts[key] = verdicts[key[::-1]] = VERDICTS.index(pair.verdict)
            if pair.verdict == "undecided":
                undecided[key] = Undecided(pair.covered, pair.gap)
        boxes = sum(pair.boxes for pair in self.pairs.values())
        return CollisionMatrix(
            verdicts,
            self._body.link_names,
            self._body.joint_names,
            self.witnesses,
            self._body._skeleton.adjacent_pairs().array(),
            undecided,
            samples,
            seed,
            boxes,
        )

    def _confirm(self, pair: PairSearch) -> None:
        configuration = self._body.zero()
        configuration[pair.path.where] = pair.witness
        found = self_collide(self._body, configurations=configuration[None], every=True)
        if [pair.a, pair.b] in np.sort(np.asarray(found.pairs), axis=1).tolist():
            self.witnesses[pair.a, pair.b] = configuration
        else:  # they touch within rounding, and the other way of carrying the links there does not
            pair.verdict = "undecided"
