"""Paths and trees once they are found: their certificates, shorter ones, files, pictures."""

from __future__ import annotations

import copy
import pathlib
import pickle
import re
from typing import Any

import numpy as np
import pytest
from planning_scenes import ARM_GOAL, ARM_START, LEFT, RIGHT, arm_among_discs, discs, planar_arm, rod_in_maze

import elbowroom as er
from elbowroom.planning import RRT, JointSpace, Path, RigidSpace, RRTConnect, Tree


def rod_path(metric: str = "position") -> Path:
    space, checker = rod_in_maze(metric=metric, weight=1.0)
    path = RRTConnect(space, checker, start=LEFT, goal=RIGHT, seed=2).solve()
    assert path.found
    return path


def arm_path() -> Path:
    space, checker = arm_among_discs()
    path = RRTConnect(space, checker, start=ARM_START, goal=ARM_GOAL, seed=2).solve()
    assert path.found
    return path


def square(checker: Any = None) -> Path:
    """Once around: three sides of 2, 6 and 2."""
    corners = ([0, 0, 0], [0, 2, 0], [6, 2, 0], [6, 0, 0])
    return Path([er.Pose(translation=corner) for corner in corners], checker)


# Along a path.


def test_a_path_takes_equal_times_for_its_motions() -> None:
    path = square()
    assert path.length == 10 and len(path) == 4 and path.found
    assert path.at([0, 1 / 3, 0.5, 1])[:, :3, 3].tolist() == [[0, 0, 0], [0, 2, 0], [3, 2, 0], [6, 0, 0]]
    assert path.at(0.5)[:3, 3].tolist() == [3, 2, 0]


def test_a_path_can_be_followed_at_equal_distances() -> None:
    places = square().spaced(6)[:, :3, 3]
    assert places == pytest.approx(
        np.array([[0, 0, 0], [0, 2, 0], [2, 2, 0], [4, 2, 0], [6, 2, 0], [6, 0, 0]])
    )
    turn = Path([er.Pose(), er.Pose([0.5**0.5, 0, 0, 0.5**0.5])])  # no distance at all
    assert turn.length == 0 and turn.spaced(3)[1] == pytest.approx(turn.at(0.5))
    assert Path([er.Pose()]).spaced(2).shape == (2, 4, 4)


def test_times_of_the_certificate_are_those_of_the_path() -> None:
    post = (er.Sphere(0.5), er.Pose(translation=[3, 2, 0]))
    path = square(er.MotionChecker(er.Sphere(0.5), post))
    certificate = path.certificate
    assert certificate.free is False and not certificate and certificate.motions == 3
    before, at = certificate.first_contact
    assert before <= at and path.at(at)[:3, 3] == pytest.approx([2, 2, 0], abs=1e-4)
    assert certificate.covered == pytest.approx((1 + 1 / 3) / 3, abs=1e-4)
    assert certificate.intervals[0, 0] == 0 and certificate.intervals[-1, 1] <= at
    assert "in collision" in repr(certificate)


def test_the_certificate_of_a_free_path_covers_it_and_can_be_verified() -> None:
    path = square(er.MotionChecker(er.Sphere(0.5), (er.Sphere(0.5), er.Pose(translation=[3, 0, 0]))))
    certificate = path.certificate
    assert certificate.free is True and certificate and certificate.first_contact is None
    intervals = certificate.intervals
    assert intervals[0, 0] == 0 and intervals[-1, 1] == 1 and certificate.covered == 1
    assert (intervals[1:, 0] <= intervals[:-1, 1]).all()
    assert certificate.distance_calls == sum(part.distance_calls for part in certificate.parts) >= 3
    certificate.verify()
    arm_path().certificate.verify()


def test_what_cannot_be_decided_is_said() -> None:
    grazing = er.MotionChecker(er.Sphere(0.5), (er.Sphere(0.5), er.Pose(translation=[3, 3, 0])))
    assert square(grazing).certificate.free in (False, None)


# Shorter.


@pytest.mark.parametrize(
    "make", [rod_path, lambda: rod_path("weighted"), arm_path], ids=["rod", "turning", "arm"]
)
def test_a_shortened_path_is_shorter_and_free(make: Any) -> None:
    path = make()
    shorter = path.shortened(seed=1)
    assert shorter.length < 0.95 * path.length
    assert np.array_equal(shorter.states[[0, -1]], path.states[[0, -1]])
    assert shorter.certificate.free is True and shorter.found and shorter.attempts == path.attempts
    assert np.array_equal(shorter.states, path.shortened(seed=1).states)
    assert shorter.shortened(0).length <= shorter.length


def test_nothing_is_left_of_a_needless_detour() -> None:
    assert square(
        er.MotionChecker(er.Sphere(0.5), (er.Sphere(0.5), LEFT))
    ).shortened().length == pytest.approx(6)


def test_a_path_that_is_straight_stays_as_it_is() -> None:
    checker = er.MotionChecker(er.Sphere(0.1), (er.Sphere(0.5), er.Pose(translation=[0, 0, 9])))
    assert len(Path([LEFT, RIGHT], checker).shortened()) == 2
    assert len(Path([LEFT], checker).shortened()) == 1


# Files.


def test_paths_of_poses_are_written_and_read(tmp_path: pathlib.Path) -> None:
    path, file = rod_path(), tmp_path / "path.csv"
    path.to_csv(file)
    assert file.read_text().splitlines()[0] == "x,y,z,qw,qx,qy,qz"
    back = Path.from_csv(file, path.space, path.checker)
    assert back.states == pytest.approx(path.states, abs=1e-14) and back.certificate.free is True


def test_paths_of_configurations_are_written_and_read(tmp_path: pathlib.Path) -> None:
    path, file = arm_path(), tmp_path / "path.csv"
    path.to_csv(str(file))
    assert file.read_text().splitlines()[0] == "joint 0,joint 1,joint 2"
    assert np.array_equal(Path.from_csv(file, path.space).states, path.states)


def test_trees_are_written_and_read(tmp_path: pathlib.Path) -> None:
    for k, path in enumerate((rod_path(), arm_path())):
        tree, file = path.trees[0], tmp_path / f"{k}.csv"
        tree.to_csv(file)
        back = Tree.from_csv(file, tree.space)
        assert back.states == pytest.approx(tree.states, abs=1e-14)
        assert np.array_equal(back.parents, tree.parents) and back.certificates(path.checker).free.all()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("parent,q0,q1\n-1,0,0\n1,1,1\n", "row 1 of .* has the parent 1"),
        ("parent,q0,q1\n0,0,0\n", "row 0 of .* has the parent 0"),
        ("parent,q0,q1\n-1,0,0\n-1,1,1\n", "row 1 of .* has the parent -1"),
        ("parent,q0,q1\n-1,0,0\n0.5,1,1\n", "row 1 of .* has the parent 0.5"),
        ("parent,q0,q1\n-1,0,nan\n", "row 0 of .* not finite"),
        ("parent,q0\n-1,0\n", "lacks the column q1"),
        ("parent,q0,q1\n-1,0,zero\n", "line 2.* has 'zero', which is not a number"),
        ("", "no rows"),
    ],
)
def test_broken_files_of_trees_are_refused(tmp_path: pathlib.Path, text: str, said: str) -> None:
    file = tmp_path / "tree.csv"
    file.write_text(text)
    with pytest.raises(ValueError, match=said):
        Tree.from_csv(file, JointSpace([0, 0], [1, 1]))


def test_a_quaternion_in_a_file_must_be_one(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "tree.csv"
    file.write_text("parent,x,y,z,qw,qx,qy,qz\n-1,0,0,0,1,0,0,0\n0,0,0,0,2,0,0,0\n")
    with pytest.raises(ValueError, match=r"the quaternions of .* must have length 1 at index 1; it has 2"):
        Tree.from_csv(file, RigidSpace([0] * 3, [1] * 3))


# Pictures.


def test_trees_and_paths_are_drawn(tmp_path: pathlib.Path) -> None:
    for k, path in enumerate((rod_path(), arm_path(), square())):
        things = [("path", path), *((f"tree {i}", tree) for i, tree in enumerate(path.trees))]
        for name, thing in things:
            file = tmp_path / f"{k} {name}.png"
            figure = thing.plot(file)
            assert file.read_bytes().startswith(b"\x89PNG") and len(figure.axes) == 1
    alone = Tree(JointSpace([0], [1]), np.array([[0.0], [0.5]]), np.array([-1, 0], np.int32))
    alone.plot(tmp_path / "one value.svg")
    assert (tmp_path / "one value.svg").read_text().startswith("<?xml")


# What is refused, and the rest.


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: Path([]), "states is empty"),
        (lambda: Path([er.Pose(), np.full((4, 4), np.nan)]), r"states\[1\] must be finite"),
        (lambda: Path([[0.0, 1.0], [0.0]]), r"states\[1\] must have 2 numbers"),
        (lambda: square().at(1.5), "t must be from 0 to 1, got 1.5$"),
        (lambda: square().at([0.5, -2.0, 3.0]), "t must be from 0 to 1, got -2$"),
        (lambda: Path.from_csv("none.csv"), "space must be given, or else checker"),
        (
            lambda: Path.from_csv("none.csv", arm_among_discs()[1]),
            "got MotionChecker; a checker comes by",
        ),
        (lambda: Tree.from_csv("none.csv", "x"), "space must be a RigidSpace or a JointSpace, got str"),
        (lambda: square().at(np.nan), "t must be finite"),
        (lambda: square().spaced(1), "n must be at least 2"),
        (lambda: arm_path().shortened(-1), "attempts must be at least 0"),
        (lambda: square().certificate, "checker must be given"),
        (lambda: square().shortened(), "checker must be given"),
    ],
)
def test_bad_questions_are_refused(ask: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        ask()


def test_a_path_without_a_space_takes_one_that_fits() -> None:
    assert isinstance(square().space, RigidSpace)
    assert Path([[0.0, 0.0], [3.0, 4.0]]).length == 5
    arm = Path([ARM_START, ARM_GOAL], er.MotionChecker(planar_arm(), discs()))
    assert isinstance(arm.space, JointSpace) and arm.space.names[0] == "joint 0"
    assert not Path([], arm.checker, found=False).found


@pytest.mark.parametrize("made", [rod_path, arm_path])
def test_a_checker_knows_the_space_of_a_file(made: Any, tmp_path: pathlib.Path) -> None:
    path = made()
    path.to_csv(tmp_path / "path.csv")
    again = Path.from_csv(tmp_path / "path.csv", checker=path.checker)
    assert again.states == pytest.approx(path.states, abs=1e-12) and again.certificate.free is True
    assert type(again.space) is type(path.space)


def test_planners_and_certificates_say_what_they_are(tmp_path: pathlib.Path) -> None:
    space, checker = arm_among_discs()
    one = RRT(space, checker, start=ARM_START, seed=4)
    assert repr(one) == f"<RRT: 1 node, seed 4, in {space!r}>"
    tree = one.grow(nodes=5)
    assert repr(one).startswith("<RRT: 5 nodes, ")
    tree.to_csv(tmp_path / "tree.csv")
    assert repr(Tree.from_csv(tmp_path / "tree.csv", space)) == "<Tree: 5 states>"
    two = RRTConnect(space, checker, start=ARM_START, goal=ARM_GOAL)
    assert repr(two).startswith("<RRTConnect: trees of 1 and 1 nodes, seed 0, in ")
    still = Path([LEFT, LEFT], rod_in_maze()[1]).certificate
    assert re.fullmatch(
        r"<PathCertificate: 1 motion, free, (1 distance call|\d+ distance calls)>", repr(still)
    )


def test_trees_and_paths_say_what_they_are() -> None:
    assert repr(Path([er.Pose()])) == "<Path: 1 state, length 0>"
    assert repr(square()) == "<Path: 4 states, length 10>"
    path = arm_path()
    assert repr(path).startswith(f"<Path: {len(path)} states, length {path.length:.6g}, found in ")
    space, checker = arm_among_discs()
    assert repr(RRT(space, checker, start=ARM_START).grow(nodes=10)).startswith("<Tree: 10 states, ")


def test_trees_and_paths_pickle_and_copy() -> None:
    path = square()
    tree = arm_path().trees[0]
    for again in (lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy):
        assert np.array_equal(again(path).states, path.states) and again(path).length == path.length
        assert np.array_equal(again(tree).states, tree.states) and np.array_equal(
            again(tree).lengths, tree.lengths
        )
