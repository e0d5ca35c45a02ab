"""Files of robots and figures made to take long: work grows with their size, and not with its square."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from robot_files import collision, joint, link, robot

import elbowroom as er
from elbowroom._skeleton import Skeleton
from elbowroom.files import bones, srdf
from elbowroom.files.bvh_text import parse_bvh
from elbowroom.files.urdf import read_urdf

BALL = collision('<sphere radius="0.1"/>')


def calls(work: Callable[[], object]) -> int:
    """How many functions are called, in Python and in C, until the work ends or is refused."""
    count = 0

    def note(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    except ValueError:
        pass
    finally:
        sys.setprofile(None)
    return count


def growth(work: Callable[[int], Callable[[], object]], size: int) -> float:
    """How many times the calls for one size there are for the double one: 2 if linear, 4 if quadratic."""
    small, large = work(size), work(2 * size)
    small(), calls(small)  # what is imported and kept
    return calls(large) / calls(small)


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text)
    return file


# Motion capture.


def nested(count: int, length: float = 1.0) -> str:
    """A chain of joints, each within the one before."""
    opened = [
        f"{'JOINT' if k else 'ROOT'} j{k}\n{{\nOFFSET 0 {length} 0\nCHANNELS 1 Xrotation"
        for k in range(count)
    ]
    end = "End Site\n{\nOFFSET 0 1 0\n}\n" + "}\n" * count
    motion = f"MOTION\nFrames: 1\nFrame Time: 0.01\n{' '.join(['0'] * count)}\n"
    return "\n".join(["HIERARCHY", *opened, end, motion])


def test_names_of_joints_are_not_compared_with_all_before() -> None:
    def parse(count: int) -> Callable[[], object]:
        text = nested(count)
        return lambda: parse_bvh(text)

    assert growth(parse, 300) < 2.3


def test_nested_joints_take_time_by_their_number(tmp_path: Path) -> None:
    def read(count: int) -> Callable[[], object]:
        file = written(tmp_path, f"{count}.bvh", nested(count))
        return lambda: er.Articulated.from_bvh(file, radii=0.1)

    assert growth(read, 200) < 2.3


def test_joints_may_be_nested_deeper_than_python_calls(tmp_path: Path) -> None:
    count = 2 * sys.getrecursionlimit()
    body = er.Articulated.from_bvh(written(tmp_path, "deep.bvh", nested(count)), radii=0.1)
    assert len(body) == count and len(body.excluded) == count - 1


def test_bones_of_which_too_many_touch_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the rule for radii a chain of short bones is so thick that nearly all of them touch."""
    file = written(tmp_path, "thick.bvh", nested(300, 1e-3))
    assert len(er.Articulated.from_bvh(file).excluded) > 3000
    monkeypatch.setattr(bones, "MOST_TESTS", 0)
    monkeypatch.setattr(bones, "TESTS_A_BONE", 30)
    with pytest.raises(ValueError, match=r"thick\.bvh: more than [\d,]+ pairs of its bones touch.*radii"):
        er.Articulated.from_bvh(file)
    assert len(er.Articulated.from_bvh(file, radii=1e-5).excluded) == 299


# Robots.


def mimics(count: int) -> str:
    """Every joint follows the next."""
    joints = [
        joint(
            f"j{k}", "revolute", f"l{k}", f"l{k + 1}", f'<mimic joint="j{k + 1}" multiplier="1" offset="1"/>'
        )
        for k in range(count)
    ]
    last = joint(f"j{count}", "revolute", f"l{count}", f"l{count + 1}")
    return robot(*(link(f"l{k}") for k in range(count + 2)), *joints, last)


def below_bare_links(count: int) -> str:
    """Links with shapes that hang on the end of as many without."""
    bare = [link(f"b{k}") for k in range(count)]
    chain = [joint(f"c{k}", "revolute", f"b{k - 1}" if k else "base", f"b{k}") for k in range(count)]
    shapes = [link(f"s{k}", BALL) for k in range(count)]
    hung = [joint(f"h{k}", "revolute", f"b{count - 1}", f"s{k}") for k in range(count)]
    return robot(link("base", BALL), *bare, *chain, *shapes, *hung)


def all_fixed(count: int) -> str:
    joints = [joint(f"j{k}", "fixed", "l0", f"l{k}") for k in range(1, count)]
    return robot(*(link(f"l{k}", BALL) for k in range(count)), *joints)


@pytest.mark.parametrize("text", [mimics, below_bare_links, all_fixed])
def test_robots_take_time_by_their_number_of_links(text: Callable[[int], str], tmp_path: Path) -> None:
    def order(count: int) -> Callable[[], object]:
        parts = read_urdf(written(tmp_path, f"{count}.urdf", text(count)))
        return lambda: Skeleton(parts.links, parts.joints).adjacent_pairs()

    assert growth(order, 50) < 2.3


def test_followers_of_followers_add_up(tmp_path: Path) -> None:
    body = er.Articulated.from_urdf(written(tmp_path, "a.urdf", mimics(4)))
    assert body.joint_names == ("j4",)
    offsets = body._skeleton.arrays()[2][:, 4]
    assert offsets.tolist() == [0, 4, 3, 2, 1, 0]


def test_links_that_are_fixed_are_excluded_from_each_other(tmp_path: Path) -> None:
    body = er.Articulated.from_urdf(written(tmp_path, "a.urdf", all_fixed(5)))
    assert body.excluded.tolist() == [[i, j] for i in range(5) for j in range(i + 1, 5)]


def test_defaults_of_srdf_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    default = '<disable_default_collisions link="a"/>'
    file = written(tmp_path, "a.srdf", robot(default * 500))
    names = [f"l{k}" for k in range(100)]
    assert len(srdf.read_srdf(file, links=names)) == 100
    monkeypatch.setattr(srdf, "MOST_PAIRS", 99)
    with pytest.raises(ValueError, match=r"a\.srdf.* more than 99 pairs"):
        srdf.read_srdf(file, links=names)
