"""Random and adversarial motions of every make, by every method, each certificate judged by dense sampling.

    python tests/support/fuzz_motion.py --moves 100000 --seed 0 [--makers walls] [--methods auto]
    python tests/support/fuzz_motion.py --again "walls hourglass 10 17"

Exit status 1 if any certificate was wrong: "free" where a sample overlaps (wrong free), a contact where there
is none (wrong hit), or anything else it says that does not hold. Gaps within 1e-12 of the size of the scene
hang on rounding and are not judged; motions that stay undecided are counted as in doubt. A failure tells the
maker, the method, how many motions its scene has and the seed. With --again that scene alone is checked, and
the first wrong certificate is told as a program of its own.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from fuzzing import Fuzzer, MotionTally, Start
from motion_bending_makers import BODIES, TWISTED, ArmScene, TorsionScene, arm_scene, torsion_scene
from motion_judge import Asked, Problem, contact_time_of, judged, witnesses
from motion_makers import CLEARING, MAKERS, METHODS, MOVING
from motion_oracle import ROUNDING, Course, least
from motion_scenes import Scene

import elbowroom as er

MOTIONS_OF_A_SCENE = 10
SCENES_PER_CHUNK = 20
SECONDS = 0.2  # bounded methods may need a million looks at what slides along a wall
VERIFIED = 0.1  # the share of certificates that are verified on their own


def some_way_to_ask(rng: np.random.Generator, method: str, size: float) -> Asked:
    tolerance = float(rng.choice([1e-6, 1e-3, 1e-2, 1e-9, 0.3, 1.0], p=[0.6, 0.1, 0.1, 0.1, 0.05, 0.05]))
    clearance = float(rng.choice([0.0, 1e-9, 0.01, 0.3], p=[0.7, 0.1, 0.1, 0.1])) * size
    if method not in CLEARING:  # under the map of the hourglass rounding is larger, and lengths are none
        tolerance, clearance = max(tolerance, 1e-6), 0.0
    return Asked(tolerance, clearance, bool(rng.random() < 0.7))


class Judge:
    """One scene under test, how it is asked, and the tally."""

    def __init__(self, start: Start, tally: MotionTally, explain: bool = False) -> None:
        self.rng = np.random.default_rng((start.seed, start.size))
        self.start, self.tally, self.explain = start, tally, explain

    def settings(self, asked: Asked) -> dict[str, Any]:
        told = {"tolerance": asked.tolerance, "clearance": asked.clearance, "first": asked.first}
        return told | {"method": self.start.variant, "budget": er.Budget(seconds=SECONDS)}

    def report(self, problem: Problem, code: str, asked: Asked) -> None:
        where = f"{problem.what}, motion {problem.motion} of --again {self.start}"
        self.tally.expect(False, where, problem.counter)
        if self.explain:
            settings = ", ".join(f"{k}={v!r}" for k, v in self.settings(asked).items())
            told = f"import numpy as np\nimport elbowroom as er\n{code}# {settings}"
            self.tally.failures.append(told)
            self.explain = False

    def count(self, found: list[Any]) -> None:
        self.tally.moves += len(found)
        self.tally.verdicts += sum(c.free is not None for c in found)
        self.tally.collisions += sum(c.free is False for c in found)
        self.tally.in_doubt += sum(c.free is None for c in found)

    def verify(self, certificate: Any, k: int, code: str, asked: Asked) -> None:
        """A proof is checked on its own."""
        if self.rng.random() < VERIFIED and len(certificate.intervals) < 300:
            try:
                certificate.verify()
            except ValueError as error:
                self.report(Problem(k, "wrong_free", f"does not verify: {error}"), code, asked)

    def rigid(self) -> None:
        scene = MAKERS[self.start.maker](self.rng, self.start.size)
        asked = some_way_to_ask(self.rng, self.start.variant, scene.body.reach)
        ask, body = self.settings(asked), scene.body.body
        found = [er.check(body, scene.motion(k), scene.given(k), **ask) for k in range(len(scene))]
        self.judge_rigid(scene, found, asked)

    def judge_rigid(self, scene: Scene, found: list[Any], asked: Asked) -> None:
        doubts = ROUNDING * scene.sizes
        self.count(found)
        problems = judged(found, scene.course, doubts, asked)
        for k, certificate in enumerate(found):
            told = witnesses(certificate, scene, k, asked, doubts[k])
            problems += [Problem(k, *problem) for problem in told]
            self.verify(certificate, k, scene.code(k), asked)
        for problem in problems:
            self.report(problem, scene.code(problem.motion), asked)

    def arms(self) -> None:
        """Scenes with a joint that moves and something to hit; most have both."""
        maker, before = self.start.maker.removeprefix("arm-"), self.tally.moves
        while self.tally.moves - before < self.start.size:
            scene = arm_scene(self.rng, maker, int(self.rng.integers(2, 7)))
            course = scene.course(self_too := bool(self.rng.random() < 0.8))
            if scene.links.slow.dof and course is not None:
                self.judge_arm(scene, course, self_too)

    def judge_arm(self, scene: ArmScene, course: Course, self_too: bool) -> None:
        asked = some_way_to_ask(self.rng, self.start.variant, scene.recipe.reach)
        ask = self.settings(asked) | {"self_too": self_too}
        found = er.check(scene.recipe.body(), scene.path, scene.given(), **ask)
        self.count([found])
        code = f"{scene.code()}# self_too={self_too}\n"
        self.verify(found, 0, code, asked)
        for problem in judged([found], course, np.array([ROUNDING * scene.size]), asked):
            self.report(problem, code, asked)

    def chains(self) -> None:
        for _ in range(self.start.size):
            maker = self.start.maker.removeprefix("chain-")
            scene = torsion_scene(self.rng, maker, int(self.rng.integers(3, 16)))
            if self.rng.random() < 0.5:  # by the chain's own tree
                scene = TorsionScene(scene.recipe, dict(list(scene.torsions.items())[:1]))
            self.judge_chain(scene)

    def judge_chain(self, scene: TorsionScene) -> None:
        """Balls are judged like all else; bonds, which have no width, where they pass through each other."""
        asked = Asked(float(self.rng.choice([1e-6, 1e-3, 1e-9])), 0.0, bool(self.rng.random() < 0.7))
        settings = self.settings(asked)
        if len(scene.torsions) == 1:
            del settings["budget"]
        found = er.check(scene.recipe.chain(), scene.torsions, **settings)
        doubt, path = ROUNDING * scene.size, scene.path
        self.count([found])
        deepest = least(path.course())
        told = path.course().at(np.array([contact_time_of(found)]))
        gap, open_gap = float(min(deepest.gaps[0], told[0])), 2.0 * path.speed() * asked.tolerance + doubt
        problems = []
        if found.free is True and (gap < -doubt or path.crossings(400)):
            problems.append(
                Problem(0, "wrong_free", f"free, but the gap is {gap:.3g}, {path.crossings(400)}")
            )
        if found.free is not True and gap > open_gap:
            problems.append(Problem(0, "wrong_hit", f"{found!r}, but the gap is {gap:.3g}"))
        self.verify(found, 0, scene.code(), asked)
        for problem in problems:
            self.report(problem, scene.code(), asked)

    def run(self) -> None:
        kind = self.start.maker.partition("-")[0]
        {"arm": self.arms, "chain": self.chains}.get(kind, self.rigid)()


def check(start: Start, tally: MotionTally) -> None:
    Judge(start, tally).run()


def check_again(start: Start, tally: MotionTally) -> None:
    Judge(start, tally, explain=True).run()


ARMS = [f"arm-{name}" for name in BODIES]
CHAINS = [f"chain-{name}" for name in TWISTED]


def knows(method: str, maker: str) -> bool:
    """Chains turn by "auto" alone; the hourglass is for one rigid body among things that stand still.

    Speeds of links, bounded from a turning obstacle far away, are too large to decide anything by them.
    """
    if maker in CHAINS or maker == "arm-far":
        return method == "auto"
    return method in CLEARING or maker not in (*MOVING, *ARMS)


def makes(makers: list[str], methods: list[str]) -> list[tuple[str, str]]:
    """The default method as often as all the others."""
    made = [(maker, method) for method in methods for maker in makers if knows(method, maker)]
    plain = [(maker, method) for maker, method in made if method == "auto"]
    return made + plain * (3 if len(plain) < len(made) else 0)


def motions(_: np.random.Generator) -> int:
    return MOTIONS_OF_A_SCENE


FUZZER = Fuzzer(
    about=__doc__,
    thing="scene",
    things="scenes",
    variant="method",
    makers=[*MAKERS, *ARMS, *CHAINS],
    variants=list(METHODS),
    makes=makes,
    size=motions,
    check=check,
    check_again=check_again,
    tally=MotionTally,
    moves=100_000,
    moves_each=MOTIONS_OF_A_SCENE,
    per_chunk=SCENES_PER_CHUNK,
)

if __name__ == "__main__":
    sys.exit(FUZZER.main())
