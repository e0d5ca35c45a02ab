"""SRDF files: the pairs of links that need not be compared."""

from __future__ import annotations

import gzip
from itertools import pairwise
from pathlib import Path

import pytest
from robot_files import collision, joint, link, robot

import elbowroom as er
from elbowroom.files.srdf import read_srdf


def disable(a: str, b: str) -> str:
    return f'<disable_collisions link1="{a}" link2="{b}" reason="Never"/>'


def write(path: Path, *parts: str) -> Path:
    path.write_text(robot('<group name="arm"><link name="z"/></group>', *parts))
    return path


def test_pairs_come_once_and_in_order(tmp_path: Path) -> None:
    pairs = [("a", "b"), ("c", "a"), ("b", "a"), ("a", "b"), ("d", "d"), ("b", "c")]
    path = write(tmp_path / "r.srdf", *(disable(*pair) for pair in pairs))
    assert read_srdf(path) == [("a", "b"), ("c", "a"), ("b", "c")]
    packed = tmp_path / "r.srdf.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert read_srdf(packed) == read_srdf(path)
    assert read_srdf(write(tmp_path / "none.srdf")) == []


def test_a_link_may_be_disabled_against_all_but_some(tmp_path: Path) -> None:
    path = write(
        tmp_path / "r.srdf",
        '<disable_default_collisions link="a"/>',
        '<enable_collisions link1="c" link2="a"/>',
        '<enable_collisions link1="a" link2="d"/>',
        disable("d", "a"),
    )
    assert read_srdf(path, links="abcd") == [("d", "a"), ("a", "b")]
    with pytest.raises(ValueError, match=r"r\.srdf: disable_default_collisions needs links"):
        read_srdf(path)


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "r.srdf", disable("a", "b"), '<disable_collisions link1="a"/>')
    with pytest.raises(ValueError, match=r"r\.srdf: line 5: disable_collisions has no link2"):
        read_srdf(path)
    for part in (link("a"), joint("j", "fixed", "a", "b")):
        path.write_text(robot(part))
        with pytest.raises(ValueError, match=r"r\.srdf: is a URDF, not an SRDF"):
            read_srdf(path)
    path.write_text("<semantics/>")
    with pytest.raises(ValueError, match="not SRDF, which begins with <robot>: it begins with <semantics>"):
        read_srdf(path)
    with pytest.raises(FileNotFoundError, match="no such file"):
        read_srdf(tmp_path / "none.srdf")


def test_an_articulated_body_leaves_out_the_disabled_pairs(tmp_path: Path) -> None:
    ball = collision('<sphere radius="1"/>')
    joints = [joint(f"j{a}", "continuous", a, b) for a, b in pairwise("abcd")]
    urdf = tmp_path / "r.urdf"
    urdf.write_text(robot(*(link(name, ball) for name in "abcd"), *joints))
    srdf = write(tmp_path / "r.srdf", disable("d", "a"), disable("b", "c"))
    body = er.Articulated.from_urdf(urdf, srdf=srdf)
    numbers = {frozenset(body.link_number(name) for name in pair) for pair in ("ad", "bc")}
    assert {frozenset(pair) for pair in body.excluded.tolist()} == numbers
    assert len(er.self_collide(body, every=True).pairs) == 6 - 2
    with pytest.raises(ValueError, match="tail"):
        er.Articulated.from_urdf(urdf, srdf=write(tmp_path / "wrong.srdf", disable("a", "tail")))
