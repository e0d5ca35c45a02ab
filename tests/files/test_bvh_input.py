"""BVH files as they come: odd spelling, and what is refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from robot_files import NONE, ROOT, Bvh, Read, bvh_reader, bvh_text, figure, random_values

from elbowroom.files.bvh import read_bvh


@pytest.fixture
def read(tmp_path: Path) -> Read:
    return bvh_reader(tmp_path)


def test_odd_but_right_spelling(read: Read, tmp_path: Path) -> None:
    root = figure()
    values = random_values(root, 2)
    plain = bvh_text(root, values)
    odd = plain.replace("\n{", " {").replace("Frames: ", "FRAMES:").replace("rotation", "ROTATION")
    odd = "\ufeff\n" + odd.replace("End Site", "End site").replace("\n", "\r\n\r\n").replace(
        "OFFSET ", "\tOFFSET\t"
    )
    assert np.array_equal(read(odd).motion, read(plain).motion)
    packed = tmp_path / "motion.bvh.gz"
    packed.write_bytes(gzip.compress(plain.encode()))
    assert np.array_equal(read_bvh(packed).motion, read(plain).motion)


def test_two_roots(read: Read) -> None:
    one, other = (Bvh(name, NONE, ROOT, ends=[(0, 1, 0)]) for name in "ab")
    head, tail = bvh_text(one, np.ones((1, 6))).split("MOTION")
    both = head + "\n".join(other.lines("ROOT")) + "\nMOTION" + tail.rstrip() + " 2" * 6
    parts = read(both)
    assert [(joint.kind, joint.parent) for joint in parts.joints] == [("free", None)] * 2
    assert parts.motion[0, [0, 7]].tolist() == [1, 2]


PLAIN = bvh_text(Bvh("a", NONE, ROOT, ends=[(0, 1, 0)]), np.array([[1.5] * 6, [2.5] * 6]))
WRONG = {
    "no hierarchy": ("HIERARCHY", "JPEG", "not BVH: it does not begin with HIERARCHY"),
    "no motion": ("MOTION", "", "line 1.: expected ROOT or MOTION, got 'FRAMES:'"),
    "cut in the skeleton": (PLAIN[PLAIN.index("End") :], "", "joint 'a' is not closed"),
    "cut before the motion": (PLAIN[PLAIN.index("MOTION") :], "", "no MOTION"),
    "cut after motion": (PLAIN[PLAIN.index("Frames") :], "", "expected 'Frames:'"),
    "no time": ("Frame Time: 0.01", "1 2 3", "line 13: expected 'Frame Time:'"),
    "bad frames": ("Frames: 2", "Frames: two", "line 12: not a number: 'two'"),
    "no frames": ("Frames: 2", "Frames: 0", "Frames must be at least 1"),
    "half a frame": ("Frames: 2", "Frames: 1.5", "Frames must be at least 1"),
    "bad time": ("0.01", "-1", "Frame Time above 0"),
    "truncated": ("Frames: 2", "Frames: 3", "Frames says 3, but there are 2 lines"),
    "too many": ("Frames: 2", "Frames: 1", "Frames says 1, but there are 2 lines"),
    "a value missing": (" 2.5\n", "\n", "line 15 has 5 values, but there are 6 channels"),
    "a value too many": (" 1.5\n", " 1.5 7\n", "line 14 has 7 values"),
    "no number": (" 2.5\n", " x\n", "line 15: not a number: 'x'"),
    "nan": (" 1.5\n", " nan\n", "line 14: a number is not finite"),
    "infinite offset": ("OFFSET 0.0 1.0", "OFFSET inf 1.0", "line 8: a number is not finite"),
    "short offset": ("OFFSET 0.0 1.0", "OFFSET 1.0", "line 8: OFFSET must have three numbers, got 2"),
    "no offset": ("OFFSET 0.0 1.0 0.0\n", "", "line 8: an end site has no OFFSET"),
    "unknown channel": ("Xposition", "Wposition", "line 5: channel 'wposition' is not known"),
    "wrong count": ("CHANNELS 6", "CHANNELS 5", "line 5: CHANNELS says 5, but names 6"),
    "no name": ("ROOT a", "ROOT", "line 2: ROOT has no name"),
    "a root within": ("End Site", "ROOT b", "line 6: ROOT cannot be here"),
    "a joint outside": ("ROOT a", "JOINT a", "line 2: JOINT cannot be here"),
    "two of a name": ("End Site", "JOINT a", "line 6: there are two joints named 'a'"),
    "no brace": ("End Site\n{", "End Site", "line 6: an end site is not followed by '{'"),
    "unknown word": ("CHANNELS", "TUNNELS", "line 5: joint 'a' cannot have 'TUNNELS'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_named(read: Read, case: str) -> None:
    old, new, message = WRONG[case]
    assert old in PLAIN
    with pytest.raises(ValueError, match=message) as error:
        read(PLAIN.replace(old, new, 1))
    assert "motion.bvh: " in str(error.value)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no such file"):
        read_bvh(tmp_path / "none.bvh")
    with pytest.raises(TypeError, match="path must be a file name"):
        read_bvh(None)  # type: ignore[arg-type]
    (tmp_path / "bad.gz").write_bytes(gzip.compress(PLAIN.encode())[:-20])
    with pytest.raises(ValueError, match="damaged gzip file"):
        read_bvh(tmp_path / "bad.gz")
