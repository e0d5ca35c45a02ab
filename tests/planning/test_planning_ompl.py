"""OMPL with exact checks: states to and fro, motions as OMPL means them, paths that are proved free."""

from __future__ import annotations

import gc
import importlib
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from ompl import base, geometric, util
from scipy.spatial.transform import Rotation

import elbowroom as er
from elbowroom.planning import ompl

LEFT, RIGHT = er.Pose(translation=[-3, 0, 0]), er.Pose(translation=[3, 0, 0])
LOW, HIGH = [-5.0] * 3, [5.0] * 3
QUARTER = 0.5**0.5


def past_a_wall() -> er.MotionChecker:
    """A stick, and a wall between LEFT and RIGHT that can be gone round."""
    return er.MotionChecker(er.Box([1.0, 0.2, 0.2]), er.Box([1.0, 6.0, 6.0]))


def arm(*kinds: str) -> er.Articulated:
    """Bars in a row, each a joint away from the last; joints turn about z."""
    bar = [(er.Box([0.9, 0.1, 0.1]), er.Pose(translation=[0.5, 0, 0]))]
    links = [er.Link(f"bar {k}", bar) for k in range(len(kinds) + 1)]
    ahead = er.Pose(translation=[1, 0, 0])
    joints = [
        er.Joint(f"joint {k}", kind, f"bar {k}", f"bar {k + 1}", ahead, (0, 0, 1), limits=(-2.5, 2.5))
        if kind == "revolute"
        else er.Joint(f"joint {k}", kind, f"bar {k}", f"bar {k + 1}", ahead)
        for k, kind in enumerate(kinds)
    ]
    return er.Articulated(links, joints)


def se3() -> Any:
    """OMPL's SpaceInformation over positions in a box and rotations."""
    space = base.SE3StateSpace()
    bounds = base.RealVectorBounds(3)
    bounds.setLow(-5.0)
    bounds.setHigh(5.0)
    space.setBounds(bounds)
    return base.SpaceInformation(space)


def state(space: Any, quaternion: Any, position: Any) -> Any:
    """A state of SE3StateSpace with exactly this quaternion (w, x, y, z)."""
    out = space.allocState()
    out.setXYZ(*map(float, position))
    turn = out.rotation()
    turn.w, turn.x, turn.y, turn.z = map(float, quaternion)
    return out


def poses(count: int, seed: int) -> list[er.Pose]:
    rng = np.random.default_rng(seed)
    turns = Rotation.random(count, random_state=seed).as_matrix()
    return [er.Pose(turn, rng.uniform(-5, 5, 3)) for turn in turns]


def sampled(si: Any, first: Any, second: Any, checker: er.MotionChecker, count: int = 2001) -> bool:
    """Is the motion free in so many states that OMPL itself finds along it?"""
    space, middle = si.getStateSpace(), si.allocState()
    for time in np.linspace(0, 1, count).tolist():
        space.interpolate(first, second, time, middle)
        if not checker.valid(ompl.from_ompl(space, middle)):
            return False
    return True


def test_a_missing_ompl_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("elbowroom.planning.") and "ompl" in name]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "ompl", None)
    with pytest.raises(ImportError, match=r'pip install "elbowroom\[plan\]"'):
        importlib.import_module("elbowroom.planning.ompl")


def test_poses_go_to_ompl_and_come_back() -> None:
    space = se3().getStateSpace()
    for pose in [*poses(50, 1), er.Pose([0, 1, 0, 0]), er.Pose([0, 0, QUARTER, QUARTER], [1, 2, 3])]:
        given = ompl.to_ompl(space, pose)
        assert ompl.from_ompl(space, given) == pytest.approx(pose.matrix, abs=1e-14)
        turn = given.rotation()
        assert turn.w**2 + turn.x**2 + turn.y**2 + turn.z**2 == pytest.approx(1.0, abs=1e-14)
        other = state(space, [-turn.w, -turn.x, -turn.y, -turn.z], pose.translation)
        assert (ompl.from_ompl(space, other) == ompl.from_ompl(space, given)).all()


def test_quaternions_that_have_drifted_are_normalised() -> None:
    space = se3().getStateSpace()
    pose = ompl.from_ompl(space, state(space, np.array([0.5, 0.5, 0.5, 0.5]) * (1 + 1e-7), [0, 0, 0]))
    assert pose[:3, :3] == pytest.approx(np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]]), abs=1e-15)


def test_configurations_go_to_ompl_and_come_back() -> None:
    space, rng = base.RealVectorStateSpace(7), np.random.default_rng(2)
    for values in rng.normal(size=(20, 7)):
        assert (ompl.from_ompl(space, ompl.to_ompl(space, values)) == values).all()
    with pytest.raises(ValueError, match="value"):
        ompl.to_ompl(space, np.zeros(6))
    with pytest.raises(ValueError, match="one configuration"):
        ompl.to_ompl(space, np.zeros((2, 7)))
    with pytest.raises(ValueError, match="value"):
        ompl.to_ompl(space, np.full(7, np.nan))


def test_other_spaces_are_refused() -> None:
    space = base.SO3StateSpace()
    with pytest.raises(ValueError, match="SE3StateSpace and RealVectorStateSpace, got SO3StateSpace"):
        ompl.to_ompl(space, [1.0])
    with pytest.raises(ValueError, match="rigid body needs SE3StateSpace"):
        ompl.MotionValidator(base.SpaceInformation(base.RealVectorStateSpace(3)), past_a_wall())
    checker = er.MotionChecker(arm("revolute", "revolute"))
    with pytest.raises(ValueError, match="body has 2 values in a configuration, the state space has 3"):
        ompl.StateValidityChecker(base.SpaceInformation(base.RealVectorStateSpace(3)), checker)
    with pytest.raises(ValueError, match="got SE3StateSpace"):
        ompl.MotionValidator(se3(), checker)


def test_ompl_moves_as_motions_do() -> None:
    """Linear in position, slerp in rotation: states that OMPL interpolates are poses of er.Motion."""
    space = se3().getStateSpace()
    between, times = space.allocState(), np.linspace(0, 1, 21)
    for a, b in zip(poses(40, 3), poses(40, 4), strict=True):
        first, second = ompl.to_ompl(space, a), ompl.to_ompl(space, b)
        for time, expected in zip(times.tolist(), er.Motion(a, b).at(times), strict=True):
            space.interpolate(first, second, time, between)
            assert ompl.from_ompl(space, between) == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("nearly", [0.0, 1e-17, 1e-12, 1e-8, -1e-8, 1e-5, 1e-3])
def test_half_a_turn_goes_the_way_that_ompl_goes(sign: float, nearly: float) -> None:
    """The matrices of two states half a turn apart do not tell which way round; their quaternions do."""
    si = se3()
    space = si.getStateSpace()
    bar = er.Group([(er.Box([1.0, 0.2, 0.2]), er.Pose(translation=[1, 0, 0]))])
    first = state(space, [1, 0, 0, 0], [0, 0, 0])
    second = state(space, [nearly, 0, 0, sign * (1 - nearly**2) ** 0.5], [0, 0, 0])
    verdicts = set()
    for side in (1.0, -1.0):
        checker = er.MotionChecker(bar, (er.Sphere(0.3), er.Pose(translation=[0, side, 0])))
        expected = sampled(si, first, second, checker)
        assert ompl.MotionValidator(si, checker).checkMotion(first, second) == expected
        assert ompl.MotionValidator(si, checker).checkMotion(second, first) == sampled(
            si, second, first, checker
        )
        verdicts.add(expected)
    assert verdicts == {True, False}


def test_validators_agree_with_the_checker() -> None:
    checker, si = past_a_wall(), se3()
    validity, validator = ompl.StateValidityChecker(si, checker), ompl.MotionValidator(si, checker)
    seen = set()
    for a, b in zip(poses(200, 5), poses(200, 6), strict=True):
        first, second = ompl.to_ompl(si.getStateSpace(), a), ompl.to_ompl(si.getStateSpace(), b)
        assert validity.isValid(first) == checker.valid(a)
        assert validator.checkMotion(first, second) == checker.free(a, b)
        seen.add((validity.isValid(first), validator.checkMotion(first, second)))
    assert {(True, True), (True, False), (False, False)} <= seen
    assert validator.asked == 400


def test_what_samples_step_over_is_seen() -> None:
    """OMPL's own check of motions looks at states, and a thin wall lies between two of them."""
    checker = er.MotionChecker(er.Sphere(0.01), er.Box([0.001, 9.0, 9.0]))
    setup = ompl.setup(checker, LOW, HIGH)
    usual = geometric.SimpleSetup(setup.getStateSpace())
    usual.setStateValidityChecker(ompl.StateValidityChecker(usual.getSpaceInformation(), checker))
    answers = []
    for one in (usual, setup):
        si = one.getSpaceInformation()
        si.setup()
        ends = [ompl.to_ompl(si.getStateSpace(), er.Pose(translation=[x, 0.3, 0.1])) for x in (-1.03, 1.0)]
        answers.append(si.checkMotion(*ends))
    assert answers == [True, False]


@pytest.mark.parametrize("planner", ["RRTConnect", "RRT", "PRM", "KPIECE1", "LBKPIECE1"])
def test_any_planner_finds_paths_that_are_proved(planner: str) -> None:
    checker = past_a_wall()
    setup = ompl.setup(checker, LOW, HIGH, start=LEFT, goal=RIGHT, planner=planner)
    path = ompl.solve(setup, seconds=20)
    assert path.found
    assert path.certificate.free is True
    assert path.states[0] == pytest.approx(LEFT.matrix, abs=1e-12)
    assert path.states[-1] == pytest.approx(RIGHT.matrix, abs=1e-12)
    assert path.attempts == setup.getSpaceInformation().getMotionValidator().asked > 0
    assert (np.abs(path.states[:, :3, 3]) <= 5.0 + 1e-9).all()


def test_simplified_paths_are_proved_too() -> None:
    setup = ompl.setup(past_a_wall(), LOW, HIGH, start=LEFT, goal=RIGHT, step=0.8)
    assert ompl.solve(setup, seconds=20).found
    before = setup.getSolutionPath().length()
    path = ompl.solve(setup, seconds=20, simplify=True)
    assert path.found
    assert setup.getSolutionPath().length() < before
    assert path.certificate.free is True
    path.certificate.verify()


def test_half_turns_on_a_path_keep_their_way_round() -> None:
    """Made simple, the path is one motion by half a turn; the other way round is blocked."""
    bar = er.Group([(er.Box([1.0, 0.2, 0.2]), er.Pose(translation=[1, 0, 0]))])
    checker = er.MotionChecker(bar, (er.Sphere(0.3), er.Pose(translation=[0, 1, 0])))
    setup = ompl.setup(checker, [-0.01] * 3, [0.01] * 3)
    space = setup.getStateSpace()
    ends = [state(space, turn, [0, 0, 0]) for turn in ([1, 0, 0, 0], [0, 0, 0, -1])]
    setup.setStartAndGoalStates(*ends)
    path = ompl.solve(setup, seconds=20, simplify=True)
    assert setup.getSpaceInformation().checkMotion(*ends)
    assert setup.getSolutionPath().getStateCount() == 2
    assert path.states[1] == pytest.approx(er.Pose([QUARTER, 0, 0, -QUARTER]).matrix, abs=1e-12)
    assert path.certificate.free is True


def test_an_arm_is_planned_for_in_its_joints() -> None:
    body = arm("revolute", "revolute", "revolute")
    post = (er.Capsule(0.1, 3.0), er.Pose(translation=[2.2, 1.1, 0]))
    checker = er.MotionChecker(body, post)
    start, goal = np.array([0.0, 0.0, 0.0]), np.array([1.2, 0.0, 0.0])
    assert checker.valid(start) and checker.valid(goal) and not checker.free(start, goal)
    setup = ompl.setup(checker, start=start, goal=goal)
    assert list(setup.getStateSpace().getBounds().low) == [-2.5] * 3
    path = ompl.solve(setup, seconds=20)
    assert path.found
    assert path.certificate.free is True
    assert path.states.shape[1:] == (3,)
    assert path.states[[0, -1]] == pytest.approx(np.array([start, goal]), abs=1e-15)


def test_bounds_of_joints_may_be_given() -> None:
    checker = er.MotionChecker(arm("revolute", "revolute"))
    bounds = ompl.setup(checker, [-1, -2], [1, 0.5]).getStateSpace().getBounds()
    assert (list(bounds.low), list(bounds.high)) == ([-1, -2], [1, 0.5])


def test_where_there_is_no_way_none_is_found() -> None:
    """The goal is walled in on all sides; a wall as thick as paper is enough."""
    walls = [
        (er.Box(np.where(np.arange(3) == axis, 0.001, 2.1)), er.Pose(translation=side * np.eye(3)[axis]))
        for axis in range(3)
        for side in (-1.0, 1.0)
    ]
    checker = er.MotionChecker(er.Sphere(0.1), er.Group(walls))
    setup = ompl.setup(checker, LOW, HIGH, start=LEFT, goal=er.Pose())
    path = ompl.solve(setup, seconds=0.3)
    assert not path.found
    assert path.states.shape == (0, 4, 4)
    assert path.attempts > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"low": None}, "low and high must be given"),
        ({"high": [1.0, 1.0]}, "high must have shape"),
        ({"high": [-9.0] * 3}, "low must not exceed high"),
        ({"low": [np.nan, 0, 0]}, "low must be finite"),
        ({"start": er.Pose()}, "start is in collision"),
        ({"goal": er.Pose(translation=[9, 0, 0])}, "goal is outside the space"),
        ({"start": np.diag([1.0, 1, -1, 1])}, "start is not a rotation"),
        ({"planner": "Dijkstra"}, "planner must be one of .*RRTConnect.*, got 'Dijkstra'"),
        ({"planner": "SimpleSetup"}, "planner must be one of"),
        ({"step": -1.0}, "step must be"),
        ({"step": 1.0, "planner": "PRM"}, "step must be left alone: PRM has no range"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"low": LOW, "high": HIGH, "start": LEFT, "goal": RIGHT} | arguments
    with pytest.raises(ValueError, match=message):
        ompl.setup(past_a_wall(), given.pop("low"), given.pop("high"), **given)


def test_joints_that_turn_by_quaternions_are_refused() -> None:
    with pytest.raises(ValueError, match="quaternions cannot be planned for with OMPL: joint 1"):
        ompl.setup(er.MotionChecker(arm("revolute", "spherical")))


def test_setups_that_are_not_ready_are_refused() -> None:
    setup = ompl.setup(past_a_wall(), LOW, HIGH, start=LEFT)
    with pytest.raises(ValueError, match="a start and a goal"):
        ompl.solve(setup)
    with pytest.raises(ValueError, match="seconds"):
        ompl.solve(ompl.setup(past_a_wall(), LOW, HIGH, start=LEFT, goal=RIGHT), seconds=-1)
    with pytest.raises(ValueError, match="must have a MotionValidator of elbowroom"):
        ompl.solve(geometric.SimpleSetup(se3()))


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    level = util.getLogLevel()
    ompl.solve(ompl.setup(past_a_wall(), LOW, HIGH, start=LEFT, goal=RIGHT), seconds=20, simplify=True)
    said = capfd.readouterr()
    assert (said.out, said.err) == ("", "")
    assert util.getLogLevel() == level


def test_errors_of_a_check_come_through() -> None:
    class Broken(er.MotionChecker):
        def free(self, start: Any, goal: Any) -> bool:
            raise KeyboardInterrupt

    checker = Broken(er.Box([1.0, 0.2, 0.2]), er.Box([1.0, 6.0, 6.0]))
    setup, level = ompl.setup(checker, LOW, HIGH, start=LEFT, goal=RIGHT), util.getLogLevel()
    with pytest.raises(KeyboardInterrupt):
        ompl.solve(setup, seconds=20)
    assert util.getLogLevel() == level


def test_setups_are_freed() -> None:
    """A validator that kept its SpaceInformation would never be freed, nor the bodies with it."""
    gone = []

    class Told(ompl.MotionValidator):
        def __del__(self) -> None:
            gone.append("validator")

    def use() -> None:
        checker = past_a_wall()
        setup = ompl.setup(checker, LOW, HIGH, start=LEFT, goal=RIGHT)
        si = setup.getSpaceInformation()
        si.setMotionValidator(Told(si, checker))
        assert ompl.solve(setup, seconds=20).found

    use()
    gc.collect()
    assert gone == ["validator"]


# What is asked for by its name.


def test_the_module_comes_when_it_is_asked_for() -> None:
    """Others do not wait for OMPL, and need not have it."""
    words = "import sys, elbowroom as er; print('ompl' in sys.modules, er.planning.ompl.solve.__name__)"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("False solve\n", "")
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        er.planning.nothing  # noqa: B018


def test_what_is_no_checker_and_no_setup_is_named() -> None:
    with pytest.raises(ValueError, match=r"checker must be an er.MotionChecker, got str"):
        ompl.setup("x", LOW, HIGH)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="setup must be a SimpleSetup of OMPL, got str"):
        ompl.solve("x")
