"""`elbowroom check` of robots with arguments and files that are wrong: one line says what."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from robot_files import collision, joint, link, robot
from slider_robot import BALL, SRDF, write_sliders

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def sliders(tmp_path: Path) -> Path:
    return write_sliders(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.urdf"], "A: no such file 'nowhere.urdf'"),
        (["broken.urdf"], "broken.urdf"),
        (["meshless.urdf"], "lost.stl"),
        (["{robot}", "--configuration", "1 2"], "must have 3 numbers"),
        (["{robot}", "--configuration", "to a=1,to d=2"], "'to d'"),
        (["{robot}", "--configuration", "to a=1,2"], "'2' is not joint=value"),
        (["{robot}", "--configuration", "to a="], "--configuration: "),
        (["{robot}", "--configuration", "to a=x"], "--configuration: "),
        (["{robot}", "--configuration", "to a=nan"], "--configuration: "),
        (["{robot}", "--configuration", "0 0 0", "--random", "5"], "--random: cannot be combined with"),
        (["{robot}", "--path", "nowhere.npy"], "--path: no such file 'nowhere.npy'"),
        (["{robot}", "--path", "wide.csv"], "has 4 values, but the robot has 3 values (to a, to b, to c)"),
        (["{robot}", "--path", "wide.npy"], "must hold rows of 3 values (to a, to b, to c), but"),
        (["{robot}", "--path", "text.npy"], "does not contain a numeric array"),
        (["{robot}", "--path", "words.npy"], "does not contain a numeric array"),
        (["{robot}", "--path", "ragged.csv"], "row 1 of 'ragged.csv' (line 3) has 2 values"),
        (["{robot}", "--path", "gap.csv"], "row 1 of 'gap.csv' (line 2) has an empty cell"),
        (["{robot}", "--path", "word.csv"], "row 1 of 'word.csv' (line 2) has 'two', which is not a number"),
        (
            ["{robot}", "--path", "words.csv"],
            "names 'one', which is not a joint that takes values; the joints are to a, to b, to c",
        ),
        (["{robot}", "--path", "narrow.csv"], "(line 2) has 1 value, but the header has 2 names"),
        (
            ["{robot}", "--path", "twice.csv"],
            "joint 'to a' has 1 value, but the header of 'twice.csv' has 2 ",
        ),
        (["{robot}", "--path", "bare.csv"], "'bare.csv' has no rows"),
        (["{robot}", "--path", "."], "--path: '.' is a folder"),
        (["bare.urdf"], "A: 'bare.urdf' has no collision shapes"),
        (["bare.urdf", "--distance", "--plot", "p.png"], "A: 'bare.urdf' has no collision shapes"),
        (["bare.urdf", "--random", "5"], "A: 'bare.urdf' has no collision shapes"),
        (["{robot}", "--path", "nan.csv"], "row 1 of 'nan.csv'"),
        (["{robot}", "--path", "broken.urdf"], "--path: "),
        (["{robot}", "--random", "0"], "--random: must be at least 1, got 0"),
        (["{robot}", "--random", "5", "--seed", "-1"], "--seed"),
        (["{robot}", "--seed", "3"], "--seed: "),
        (["{robot}", "--random", "9", "--distance"], "--distance: "),
        (["endless.urdf", "--random", "9"], "--random: "),
        (["{robot}", "--srdf", "nowhere.srdf"], "--srdf: no such file 'nowhere.srdf'"),
        (["{robot}", "--srdf", "other.srdf"], "--srdf: other.srdf names links that sliders.urdf lacks: tail"),
        (["{robot}", "--srdf", "bare.urdf"], "--srdf: bare.urdf: is a URDF, not an SRDF"),
        (["{robot}", "--packages", "nowhere"], "--packages: no such folder 'nowhere'"),
        (["{robot}", "nowhere.stl"], "B: no such file 'nowhere.stl'"),
        (["{robot}", "{robot}"], "is not a mesh file"),
        (["{robot}", "--pose-b", "1 2 3"], "--pose-b: "),
        (["{robot}", "--radii", "1"], "--radii: not supported for a robot"),
        (["{robot}", "--bridge", "5"], "--bridge: not supported for a robot"),
    ],
)
def test_a_wrong_argument_is_one_line(
    ask: Ask, sliders: Path, arguments: list[str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(sliders.parent)
    rail = joint("to a", "prismatic", "rail", "a", '<axis xyz="1 0 0"/>')
    for name, text in {
        "broken.urdf": "<robot",
        "meshless.urdf": robot(link("a", collision('<mesh filename="lost.stl"/>'))),
        "endless.urdf": robot(link("rail"), link("a", BALL), rail),
        "other.srdf": SRDF.replace('"b"', '"tail"'),
        "bare.urdf": robot(link("rail"), link("a"), rail),
        "wide.csv": "1,2,3,4\n1,2,3,4\n",
        "ragged.csv": "1,2,3\n# the next is short\n1,2\n",
        "gap.csv": "1,2,3\n1,,3\n",
        "word.csv": "1,2,3\n1,two,3\n",
        "words.csv": "one,two,three\n1,2,3\n",
        "narrow.csv": "to a,to b\n1\n",
        "twice.csv": "to a,to a\n1,2\n",
        "bare.csv": "to a,to b,to c\n",
        "text.npy": "1 2 3\n",
        "nan.csv": "1,2,3\n1,nan,3\n",
    }.items():
        Path(name).write_text(text)
    np.save("wide.npy", np.zeros((2, 4)))
    np.save("words.npy", np.array([["one", "two", "three"]]))
    status, out, err = ask("check", *(word.format(robot=sliders) for word in arguments))
    assert (status, out) == (2, "")
    assert err.count("\n") == 1 and words in err
