"""URDF files that are wrong, and what is missing to read them: each is named."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import pytest
import robot_files as rf
from robot_files import ReadRobot, collision, joint, link, mesh, urdf_reader

from elbowroom.files.urdf import read_urdf


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ReadRobot:
    return urdf_reader(tmp_path, monkeypatch)


def test_a_missing_mesh_names_the_link_the_mesh_and_the_places(read: ReadRobot, tmp_path: Path) -> None:
    rf.write_obj(tmp_path / "hand" / "t.obj")
    written = "package://hand/missing.stl"
    with pytest.raises(FileNotFoundError) as error:
        read(link("a"), link("palm", mesh(written)))
    for word in ("robot.urdf", "'palm'", written, str(tmp_path / "hand" / "missing.stl")):
        assert word in str(error.value)


WRONG = {
    "planar": (
        joint("slide", "planar", "a", "b"),
        "joint 'slide' is of type planar, which is not supported; supported types: fixed",
    ),
    "no type": (
        '<joint name="j"><parent link="a"/><child link="b"/></joint>',
        "joint 'j' has no type; supported types: fixed",
    ),
    "no parent": ('<joint name="j" type="fixed"><child link="b"/></joint>', "joint 'j' cannot be read"),
    "axis": (joint("j", "revolute", "a", "b", '<axis xyz="0 0 0"/>'), "axis of joint 'j' must not be zero"),
    "limits": (joint("j", "revolute", "a", "b", '<limit lower="2" upper="1"/>'), "limits of joint 'j'"),
    "mimic": (joint("j", "floating", "a", "b", '<mimic joint="k"/>'), "mimic of joint 'j'"),
    "cone": (link("c", collision("<cone/>")), "link 'c' cannot be read: Unknown tag: cone"),
    "no radius": (link("c", collision('<capsule length="1"/>')), "link 'c' .*'radius' is missing"),
    "no number": (link("c", collision('<sphere radius="big"/>')), "line 5: link 'c' .*big"),
    "no shape": (link("c", "<collision><geometry/></collision>"), "link 'c' .*element is missing"),
    "negative": (link("c", collision('<sphere radius="-1"/>')), "link 'c': radius must be .*not negative"),
    "not finite": (link("c", collision('<cylinder radius="nan" length="1"/>')), "link 'c': radius .* finite"),
    "origin": (link("c", collision('<box size="1 1 1"/>', xyz="0 inf 0")), "link 'c': .*finite"),
    "scale": (link("c", mesh("t.obj", 'scale="1 0 1"')), "link 'c': scale of mesh 't.obj'"),
    "two scales": (link("c", mesh("t.obj", 'scale="1 1"')), "link 'c': scale of mesh 't.obj'"),
    "no filename": (link("c", mesh("")), "link 'c': a mesh has no filename"),
    "address": (link("c", mesh("http://host/t.stl")), "link 'c': .*'http://' is not read"),
    "bad mesh": (link("c", mesh("robot.urdf")), "link 'c': .*not a mesh that can be read"),
    "macro": ('<xacro:arm xmlns:xacro="http://ros.org/wiki/xacro"/>', "line 5: .*xacro"),
    "bare macro": ("<xacro:arm/>", "xacro"),
    "not closed": ("<link>", "not XML: line"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_named(read: ReadRobot, tmp_path: Path, case: str) -> None:
    rf.write_obj(tmp_path / "t.obj")
    part, message = WRONG[case]
    with pytest.raises(ValueError, match=message) as error:
        read(link("a"), link("b"), part)
    assert "robot.urdf" in str(error.value)


def test_what_is_no_urdf_is_refused(tmp_path: Path) -> None:
    for text, message in [("", "is empty"), ("hello", "not XML"), ("<sdf/>", "begins with <sdf>"),
                          ("<robot name='a'/>", "no links")]:  # fmt: skip
        (tmp_path / "x").write_text(text)
        with pytest.raises(ValueError, match=message):
            read_urdf(tmp_path / "x")
    with pytest.raises(FileNotFoundError, match="no such file"):
        read_urdf(tmp_path / "none.urdf")
    with pytest.raises(FileNotFoundError, match="it is a folder"):
        read_urdf(tmp_path)
    with pytest.raises(TypeError, match="path must be a file name, got int"):
        read_urdf(3)  # type: ignore[arg-type]


def test_packages_that_are_no_folders_are_refused(read: ReadRobot, tmp_path: Path) -> None:
    for packages in (tmp_path / "none", {"hand": tmp_path / "none"}, [str(tmp_path / "none")]):
        with pytest.raises(FileNotFoundError, match=r"packages.*no such folder"):
            read(link("a"), packages=packages)
    with pytest.raises(TypeError, match=r"packages\['hand'\] must be a folder, got int"):
        read(link("a"), packages={"hand": 3})


@pytest.mark.parametrize("missing", ["yourdfpy", "lxml"])
def test_a_missing_extra_is_named(read: ReadRobot, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    real = builtins.__import__

    def without(name: str, *more: Any) -> Any:
        if name.split(".")[0] == missing:
            raise ImportError(name)
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=rf"needs {missing}.*pip install elbowroom\[robots\]"):
        read(link("a"))


def test_a_missing_reader_of_collada_is_named(
    read: ReadRobot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rf.write_dae(tmp_path / "t.dae")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"link 'a': .*pycollada.*elbowroom\[robots\]"):
        read(link("a", mesh("t.dae")))
