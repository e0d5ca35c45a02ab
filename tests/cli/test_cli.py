"""The command line: verdicts, exit statuses, one-line errors."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import elbowroom as er

TETRAHEDRON = """v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
"""


@pytest.fixture
def mesh(tmp_path: Path) -> Path:
    file = tmp_path / "tetrahedron.obj"
    file.write_text(TETRAHEDRON)
    return file


Ask = Callable[..., tuple[int, str, str]]


def complaint(answer: tuple[int, str, str]) -> str:
    """The one line on stderr of a command that failed as it should."""
    status, out, err = answer
    assert status == 2
    assert out == ""
    assert err.count("\n") == 1 and err.endswith("\n")
    assert "Traceback" not in err
    return err


def test_version_and_help(ask: Ask) -> None:
    assert ask("--version")[:2] == (0, f"elbowroom {er.__version__}\n")
    status, out, _ = ask("--help")
    assert status == 0
    assert all(word in out for word in ("tour", "check", "Example"))


@pytest.mark.parametrize("command", ["tour", "check", "sample"])
def test_help_of_a_command_has_an_example(ask: Ask, command: str) -> None:
    status, out, _ = ask(command, "--help")
    assert status == 0
    assert "Example" in out and f"elbowroom {command} " in out.split("Example")[1]
    assert "--json" in out


def test_check_collision(ask: Ask, mesh: Path) -> None:
    status, out, err = ask("check", mesh, mesh, "--pose-b", "0.2 0.2 0.2")
    assert (status, err) == (1, "")
    assert out.startswith("collision: triangle ") and out.count("\n") == 2


def test_check_free_with_distance(ask: Ask, mesh: Path) -> None:
    status, out, err = ask("check", mesh, mesh, "--pose-b", "-3,0,0", "--distance")
    assert (status, err) == (0, "")
    assert out == (
        "free: the surfaces of tetrahedron.obj and tetrahedron.obj are 2 apart\n"
        "  closest points: (0 0 0) and (-2 0 0)\n"
    )


@pytest.mark.parametrize("suffix", [".npy", ".txt"])
def test_check_pose_from_file(ask: Ask, mesh: Path, tmp_path: Path, suffix: str) -> None:
    pose = np.array([[0.0, -1, 0, 5], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    file = tmp_path / f"pose{suffix}"
    np.save(file, pose) if suffix == ".npy" else np.savetxt(file, pose)
    verdict = tmp_path / "verdict.json"
    assert ask("check", mesh, mesh, "--pose-b", file, "--distance", "--json", verdict)[0] == 0
    facts = json.loads(verdict.read_text())
    assert facts["verdict"] == "free"
    assert facts["pose_b"] == pose.tolist()
    # Turned a quarter about z, the second tetrahedron reaches from x = 4 to 5; the first ends at x = 1.
    assert facts["distance"]["value"] == pytest.approx(3.0, abs=1e-12)
    assert facts["distance"]["lower"] <= facts["distance"]["value"] <= facts["distance"]["upper"]
    assert facts["counters"]["volume_tests"] >= 0


def test_check_json_of_a_collision(ask: Ask, mesh: Path, tmp_path: Path) -> None:
    verdict = tmp_path / "verdict.json"
    assert ask("check", mesh, mesh, "--json", verdict)[0] == 1
    facts = json.loads(verdict.read_text())
    assert facts["verdict"] == "collision"
    assert len(facts["pair"]) == 2
    assert "distance" not in facts


def test_check_names_the_missing_file(ask: Ask, mesh: Path) -> None:
    err = complaint(ask("check", mesh, "nowhere.obj"))
    assert "B: no such file 'nowhere.obj'" in err


@pytest.mark.parametrize(
    "content", ["", "this is no mesh\n", "v 0 0 0\nv 1 0 0\n", "v 0 0 nan\n" * 3 + "f 1 2 3\n"]
)
def test_check_names_the_broken_file(ask: Ask, mesh: Path, tmp_path: Path, content: str) -> None:
    file = tmp_path / "broken.obj"
    file.write_text(content)
    assert f"A: cannot read '{file}'" in complaint(ask("check", file, mesh))


def test_check_refuses_a_file_of_no_known_kind(ask: Ask, mesh: Path, tmp_path: Path) -> None:
    file = tmp_path / "mesh.xyz123"
    file.write_text(TETRAHEDRON)
    assert "mesh.xyz123" in complaint(ask("check", file, mesh))


@pytest.mark.parametrize("name", ["panda.srdf", "notes.txt", "nameless"])
def test_a_kind_that_is_not_known_is_said(ask: Ask, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text("<robot/>")
    err = complaint(ask("check", file))
    assert f"A: unknown file type '{file}'; supported: meshes" in err
    assert ("--srdf" in err) == name.endswith("srdf")


def test_a_mesh_needs_another(ask: Ask, mesh: Path) -> None:
    assert "B: missing; give a second mesh" in complaint(ask("check", mesh))


def test_a_warning_is_a_note_of_one_line(ask: Ask, mesh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    collide = er.collide

    def warn(*bodies: Any, **options: Any) -> Any:
        warnings.warn("two\nlines", UserWarning, stacklevel=1)
        return collide(*bodies, **options)

    monkeypatch.setattr(er, "collide", warn)
    status, out, err = ask("check", mesh, mesh)
    assert (status, err) == (1, "elbowroom: warning: two lines\n")
    assert out.startswith("collision")


@pytest.mark.parametrize("pose", ["1 2", "1 2 3 4", "one two three", "nan 0 0", "inf 0 0", "nowhere.npy", ""])
def test_check_names_a_wrong_pose(ask: Ask, mesh: Path, pose: str) -> None:
    assert "--pose-b: " in complaint(ask("check", mesh, mesh, "--pose-b", pose))


@pytest.mark.parametrize(
    "matrix",
    [np.eye(3), 2 * np.eye(4), np.diag([1.0, 1, -1, 1]), np.diag([2.0, 2, 2, 1]), np.full((4, 4), np.nan)],
    ids=["3x3", "scaled", "mirror", "stretched", "nan"],
)
def test_check_refuses_a_matrix_that_is_no_pose(
    ask: Ask, mesh: Path, tmp_path: Path, matrix: np.ndarray
) -> None:
    file = tmp_path / "pose.npy"
    np.save(file, matrix)
    assert "--pose-b: " in complaint(ask("check", mesh, mesh, "--pose-b", file))


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["chekc"], "chekc"),
        (["check", "a.obj"], "A: no such file 'a.obj'"),
        (["check", "foo.txt"], "A: no such file 'foo.txt'"),
        (["check", "foo.txt", "--random", "5"], "A: no such file 'foo.txt'"),
        (["check", "."], "A: '.' is a folder"),
        (["check", "a.obj", "b.obj", "--fast"], "--fast"),
        (["tour", "--out"], "--out"),
        (["tour", "here"], "here"),
    ],
)
def test_wrong_arguments_are_named(ask: Ask, arguments: list[str], named: str) -> None:
    assert named in complaint(ask(*arguments))


def test_output_is_checked_before_the_work(ask: Ask, mesh: Path, tmp_path: Path) -> None:
    assert "--out: " in complaint(ask("tour", "--out", mesh / "below"))
    assert "--json: " in complaint(ask("tour", "--out", tmp_path, "--json", tmp_path))
    assert "--json: " in complaint(ask("check", mesh, mesh, "--json", tmp_path / "missing" / "file.json"))


def test_an_error_never_looks_like_a_collision(ask: Ask, mesh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr(er, "collide", fail)
    assert "RuntimeError: two lines" in complaint(ask("check", mesh, mesh))


def test_the_entry_point_passes_the_status_on(mesh: Path) -> None:
    script = "import sys; from elbowroom.cli import main; sys.exit(main())"
    done = subprocess.run([sys.executable, "-c", script, "check", mesh, mesh], capture_output=True, text=True)
    assert done.returncode == 1, done.stderr


COSTLY = ("matplotlib", "scipy", "trimesh", "pyarrow", "dask", "distributed", "duckdb", "elbowroom.sampling")


@pytest.mark.parametrize(
    ("arguments", "heavy"),
    [
        (["-c", "import elbowroom"], ("rich", "cyclopts", *COSTLY)),
        (["-m", "elbowroom", "--version"], COSTLY),
        (["-m", "elbowroom", "sample", "--help"], COSTLY),
    ],
    ids=["import", "version", "help"],
)
def test_nothing_heavy_is_imported_before_it_is_needed(arguments: list[str], heavy: tuple[str, ...]) -> None:
    command = [sys.executable, "-X", "importtime", *arguments]  # which names on stderr what is imported
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "elbowroom._core" in imported
    assert not imported & set(heavy)
