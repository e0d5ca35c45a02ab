"""Roadmaps: what they refuse, by name; paths written, copied and drawn; what they say of themselves."""

from __future__ import annotations

import pathlib
import pickle
import re
import sys
from typing import Any

import numpy as np
import pytest
from planning_scenes import ARM_GOAL, ARM_START, LEFT, RIGHT, arm_among_discs, rod_in_maze

import elbowroom as er
from elbowroom.planning import PRM, Discrete, JointSpace, Path, RoadmapPath

TURNING: dict[str, Any] = {"metric": "weighted", "weight": 1.0}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"neighbours": 0}, "neighbours must be at least 1"),
        ({"neighbours": 2.5}, "neighbours must be a whole number"),
        ({"radius": 0.0}, "radius must be larger than 0"),
        ({"radius": np.nan}, "radius must be finite"),
        ({"seed": -1}, "seed must be at least 0"),
        ({"space": None}, "space must be a RigidSpace or a JointSpace"),
        ({"space": JointSpace([0] * 3, [1] * 3)}, "space must be a RigidSpace"),
        ({"checker": "x"}, "checker must be an er.MotionChecker, a Discrete or a Budgeted, got str"),
        ({"exact": rod_in_maze()[1]}, "exact must be left out: the checker, a MotionChecker, is exact"),
        ({"checker": Discrete(bool, 1.0)}, "exact must be given with a Discrete: an er.MotionChecker"),
        ({"checker": Discrete(bool, 1.0), "exact": True}, "exact must be an er.MotionChecker or False, got"),
        (
            {"checker": Discrete(bool, 1.0), "exact": arm_among_discs()[1]},
            "space must be a JointSpace of 3 values",
        ),
    ],
)
def test_bad_arguments_are_refused_by_name(change: dict[str, Any], said: str) -> None:
    space, checker = rod_in_maze()
    given = {"space": space, "checker": checker} | change
    with pytest.raises(ValueError, match=said):
        PRM(given.pop("space"), given.pop("checker"), **given)


def test_bad_questions_are_refused_by_name() -> None:
    prm = PRM(*rod_in_maze())
    for ends, said in (
        ((er.Pose(translation=[-4, 0, -3]), RIGHT), "start is in collision"),
        ((LEFT, er.Pose(translation=[4, 0, 3])), "goal is in collision"),
        ((LEFT, er.Pose(translation=[9, 0, 0])), "goal is outside the space.*x = 9"),
        ((np.full((4, 4), np.nan), RIGHT), "start must be finite"),
    ):
        for ask in (prm.query, prm.solve):
            with pytest.raises(ValueError, match=said):
                ask(*ends)
    for bad in ({"nodes": 0}, {"attempts": -1}, {"seconds": np.nan}):
        with pytest.raises(ValueError, match=f"{next(iter(bad))} must be"):
            prm.grow(**bad)
        with pytest.raises(ValueError, match=f"{next(iter(bad))} must be"):
            prm.solve(LEFT, RIGHT, **bad)


def test_paths_are_shortened_written_copied_and_drawn(tmp_path: pathlib.Path) -> None:
    scenes = [(rod_in_maze(**TURNING), (LEFT, RIGHT)), (arm_among_discs(), (ARM_START, ARM_GOAL))]
    for k, ((space, checker), ends) in enumerate(scenes):
        path = PRM(space, checker, lazy=True, seed=1).solve(*ends)
        shorter = path.shortened(100, seed=1)
        assert isinstance(shorter, RoadmapPath) and shorter.length < path.length and shorter.proved
        assert shorter.certificate.free is True and shorter.roadmap is path.roadmap
        path.to_csv(tmp_path / "path.csv")
        assert Path.from_csv(tmp_path / "path.csv", space).states == pytest.approx(path.states, abs=1e-14)
        twin = pickle.loads(pickle.dumps(path))
        assert repr(twin) == repr(path) and np.array_equal(twin.roadmap.edges, path.roadmap.edges)
        for name, figure in (
            ("path", path.plot()),
            ("roadmap", path.roadmap.plot(tmp_path / f"{k}.png", path=path)),
            ("alone", path.roadmap.plot(tmp_path / f"{k}.svg")),
        ):
            assert len(figure.axes) == 1, name
        assert (tmp_path / f"{k}.png").read_bytes().startswith(b"\x89PNG")
        assert "assumed (dashed)" in path.roadmap.plot().axes[0].get_title()
    line = JointSpace([0], [1])
    assert PRM(line, Discrete(lambda q: False, 1.0), exact=False).grow(nodes=3).plot().axes


def test_they_say_what_they_are() -> None:
    space, checker = arm_among_discs()
    prm = PRM(space, checker, seed=4)
    assert repr(prm) == f"<PRM: 0 nodes, 0 edges, seed 4, in {space!r}>"
    assert repr(PRM(space, checker, lazy=True)).startswith("<PRM: 0 nodes, 0 edges, lazy, seed 0, in ")
    roadmap = prm.grow(nodes=50)
    assert repr(prm).startswith(f"<PRM: 50 nodes, {len(roadmap.edges)} edges, seed 4")
    story = rf"<Roadmap: 50 nodes, \d+ edges, \d parts?; {roadmap.work.motions} motions tested; [\d.]+ s>"
    assert re.fullmatch(story, repr(roadmap))
    path = prm.solve(ARM_START, ARM_GOAL)
    told = f"<RoadmapPath: {len(path)} states, length {path.length:.6g}, proved free; "
    assert repr(path).startswith(told) and " motions tested; " in repr(path)


def test_a_bar_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    prm = PRM(*rod_in_maze(**TURNING))
    for work, what in (
        (lambda: prm.grow(nodes=60, progress=True), "nodes"),
        (lambda: prm.solve(LEFT, RIGHT, attempts=40, progress=True), "attempts"),
    ):
        work()
        said = capsys.readouterr()
        assert what in said.err and said.out == ""
    prm.solve(LEFT, RIGHT, attempts=40, progress=False)
    assert capsys.readouterr().err == ""
