"""What users read: help and output fit 80 columns, and messages and pages have no banned phrases."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from robot_files import ROOT as CHANNELS
from robot_files import Bvh, bvh_text, write_obj
from slider_robot import write_sliders
from touring import Tour

from elbowroom import _core
from elbowroom.cli.app import app

Ask = Callable[..., tuple[int, str, str]]
HERE = Path(__file__).parents[2]
COMMANDS = ["", *(name for name in app if not name.startswith("-"))]
#: Not what an engineer would write; a plain phrase says the same.
BANNED = re.compile(
    r"what stands about|\banew\b|\bmended\b|\bnearest are\b|does not take it|leave it out|what there is\b"
    r"|(?<!there )\b(?:is|are) no (?:mesh|file|BVH|poses|proof|numbers?|rotation|text)\b|\blooks? at the bod"
    r"|\bthe house\b|\bpurse\b|\b(?:is|are) (?:only )?noted\b|\bcarried out\b"
)
#: Every kind of body and verdict.
OUTPUTS = [
    "check a.obj b.obj",
    "check a.obj b.obj --pose-b '0.1 0 0'",
    "check a.obj b.obj --pose-b '3.3333333 0.1111111 -0.7777777' --distance",
    "check a.obj b.obj --motion '-4.123456 0.1 0.2' '4.123456 0.1 0.3' --verify",
    "check a.obj b.obj --motion '-4 9 0' '4 9 0' --verify",
    "check a.obj b.obj --motion '-4 3 0' '4 3 0' --clearance 2.5",
    "check sliders.urdf --distance",
    "check sliders.urdf --configuration '7.5 -1 -10'",
    "check a.obj a.obj b.obj --clearance 1",
    "clash a.obj b.obj",
    "clash a.obj b.obj --between a b --units mm --clearance 10",
    "check sliders.urdf --random 100",
    "check sliders.urdf --path free.csv --distance --verify",
    "check sliders.urdf --path through.csv",
    "check sliders.urdf --path rows.csv",
    "check sliders.urdf b.obj --pose-b '20 0 0' --distance",
    "check swing.bvh --radii 0.1",
    "check swing.bvh swing.bvh --radii 0.1",
    "check beads.npy --radius 0.2 --distance",
    "check beads.npy --radius 0.6",
    "plan --demo",
    "sample --beads 30 --steps 1000",
    "sample --beads 30 --steps 300 --sigma 1 --temperature 1,1.5,2",
    "view --list",
    "doctor",
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file of every kind, in which commands run on a terminal of 80 columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    write_obj(tmp_path / "a.obj")
    write_obj(tmp_path / "b.obj")
    write_sliders(tmp_path)
    for name, rows in (("free", "0,0,0\n1,0,0"), ("through", "-2,-5,0\n8,-5,0"), ("rows", "4,-5,0\n8,-5,0")):
        Path(f"{name}.csv").write_text(rows + "\n")
    arms = [Bvh(name, (x, 0, 0), ends=[(0, -2, 0)]) for name, x in (("left", 1), ("right", -1))]
    values = np.zeros((41, 12))
    values[:, 6] = -75 * np.sin(np.pi * np.arange(41) / 40)
    Path("swing.bvh").write_text(bvh_text(Bvh("hips", (0, 0, 0), CHANNELS, children=arms), values, 0.01))
    np.save("beads.npy", np.random.default_rng(1).normal(size=(5, 20, 3)) + 1.5 * np.arange(20)[:, None])
    return tmp_path


def too_long(text: str) -> list[str]:
    return [line for line in text.splitlines() if len(line.rstrip()) > 80]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_80_columns_and_has_an_example(folder: Path, ask: Ask, command: str) -> None:
    status, out, _ = ask(*command.split(), "--help")
    assert status == 0 and too_long(out) == []
    assert f"elbowroom {command}".strip() in out.partition("Example")[2]


@pytest.mark.parametrize("words", OUTPUTS)
def test_output_fits_80_columns(folder: Path, ask: Ask, words: str) -> None:
    status, out, err = ask(*shlex.split(words))
    assert status in (0, 1), err
    assert out and too_long(out) == []


def test_the_tour_fits_80_columns(tour: Tour) -> None:
    table = tour.said.splitlines()[:-1]  # the last line is the path of the report
    assert len(table) > 40 and [line for line in table if len(line.rstrip()) > 80] == []


def literals(file: Path) -> Iterator[str]:
    """All strings of a module, docstrings too; the parts of an f-string one by one."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield " ".join(node.value.split())


def pages() -> list[Path]:
    """Those that are written by hand or from this repository's code."""
    return [*(HERE / "docs").rglob("*.md"), *HERE.glob("*.md")]


def test_messages_have_no_banned_phrases() -> None:
    files = [*Path(_core.__file__).parent.parent.rglob("*.py")]
    assert len(files) > 100
    found = [f"{file.name}: {text}" for file in files for text in literals(file) if BANNED.search(text)]
    assert found == []


def test_pages_have_no_banned_phrases() -> None:
    assert len(pages()) > 50
    found = [(page.name, match[0]) for page in pages() for match in BANNED.finditer(page.read_text("utf-8"))]
    assert found == []


def test_a_banned_phrase_would_be_found(tmp_path: Path) -> None:
    file = tmp_path / "odd.py"
    file.write_text('raise ValueError(f"{name} is no mesh file")\n')
    assert [text for text in literals(file) if BANNED.search(text)] == ["is no mesh file"]
