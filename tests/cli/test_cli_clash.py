"""`elbowroom clash`: verdicts, statuses, reports, and what is said about wrong arguments."""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from assembly_files import Gltf

import elbowroom as er
from elbowroom.pictures.intersections import triangle_segments

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def assembly(tmp_path: Path) -> Path:
    """Two rows of the generated scene, in metres, with a bracket in its pipe and a screw in its bracket."""
    shapes, parts = er.scenes.assembly(2, 2, faults=2, seed=1)
    made = Gltf()
    numbers = {name: made.mesh(*surface, name=name) for name, surface in shapes.items()}
    for one in parts:
        pose = one.pose.copy()
        pose[:3, 3] /= 1000
        matrix = pose @ np.diag([1e-3, 1e-3, 1e-3, 1])
        made.node(one.name, mesh=numbers[one.shape], matrix=matrix.T.ravel().tolist())
    return made.write(tmp_path / "rack.glb")


def free_of(assembly: Path) -> list[str]:
    """Options with which nothing clashes."""
    return ["--between", "pipe*", "beam*"]


def test_the_verdict_and_its_status(ask: Ask, assembly: Path) -> None:
    status, out, err = ask("clash", assembly, "--units", "mm")
    assert (status, err) == (1, "")
    lines = out.splitlines()
    assert lines[0] == "clash: 2 overlap, 3 touch"
    assert lines[1].startswith("  overlap bracket-0") and "mm deep near (" in lines[2]
    assert lines[-1].startswith("  12 parts, 1336 triangles; 8 pairs measured; tolerance ")
    assert len(lines) == 12 and max(map(len, lines)) <= 80
    status, out, err = ask("clash", assembly, *free_of(assembly), "--clearance", "5mm")
    assert (status, err) == (0, "")
    assert out.startswith("free: no parts overlap, enclose each other or come nearer than 0.005 m\n")
    assert ask("clash", assembly, *free_of(assembly), "--clearance", "100mm")[0] == 1


def test_reports_hold_all_clashes(ask: Ask, assembly: Path, tmp_path: Path) -> None:
    page, table, issues = (tmp_path / f"found.{suffix}" for suffix in ("html", "csv", "bcf"))
    words = ["--units", "mm", "--clearance", "0.3", "--html", page, "--csv", table, "--bcf", issues]
    status, out, err = ask("clash", assembly, *words, "--json", "-")
    facts = json.loads(out)
    assert status == 1 and err.startswith("clash: 2 overlap, 3 touch")
    assert facts["unit"] == "mm" and facts["verdict"] == "clash" and facts["clearance"] == 0.3
    count = len(facts["clashes"])
    assert count == sum(facts["counts"].values()) > 5
    near = next(each for each in facts["clashes"] if each["kind"] == "near")
    assert near["gap"] == pytest.approx(0.2, abs=1e-5) and np.shape(near["points"]) == (2, 3)
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [(row["kind"], row["a"], row["b"]) for row in rows] == [
        (each["kind"], each["a"], each["b"]) for each in facts["clashes"]
    ]
    with zipfile.ZipFile(issues) as archive:
        names = archive.namelist()
        assert len(names) == 1 + 2 * count and "bcf.version" in names
        trees = {name: ElementTree.fromstring(archive.read(name)) for name in names}
    titles = {tree.findtext("Topic/Title") for tree in trees.values() if tree.tag == "Markup"}
    assert f"overlap: {rows[0]['a']} - {rows[0]['b']}" in titles and len(titles) == count
    eye = next(
        tree.find("PerspectiveCamera/CameraViewPoint") for name, tree in trees.items() if "bcfv" in name
    )
    assert max(abs(float(x.text or "nan")) for x in eye) < 1  # metres
    text = page.read_text()
    assert "http" not in text.replace("http-equiv", "") and text.count("<script") == 3
    held = json.loads(text.split('id="clashes">')[1].split("</script>")[0])
    assert len(held["rows"]) == count and len(held["parts"]) == 12 and held["unit"] == "mm"


def test_what_was_found_can_be_ignored(ask: Ask, assembly: Path, tmp_path: Path) -> None:
    table = tmp_path / "known.csv"
    assert ask("clash", assembly, "--csv", table)[0] == 1
    status, out, _ = ask("clash", assembly, "--ignore", table)
    assert status == 0 and "5 ignored" in out
    table.write_text("bracket*, beam*\nnobody, nothing\n")
    status, out, err = ask("clash", assembly, "--ignore", table)
    assert status == 1 and out.startswith("clash: 2 overlap\n")
    assert "no part matches 'nobody'" in err and "'nothing'" in err
    assert ask("clash", assembly, "--allow-touching")[1].startswith("clash: 2 overlap\n")


def test_surfaces_that_are_not_closed_are_said(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "open.obj"
    file.write_text("o sheet\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no far\nv 0 0 0.5\nf 1 2 4\n")
    out = ask("clash", file)[1]
    assert "surfaces: 2 parts not closed; what is inside is not found" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "FILES: missing; give an assembly"),
        (["nowhere.glb"], "FILES: no such file 'nowhere.glb'"),
        (
            ["{}", "--clearance", "near"],
            "--clearance: must be a length such as 0.5, 1mm or 0.2in, got 'near'",
        ),
        (["{}", "--tolerance", "1 parsec"], "--tolerance: must be a length"),
        (["{}", "--units", "parsec"], "--units: must be one of m, cm"),
        (["{}", "--between", "pip", "beam*"], "--between: no part matches 'pip'; parts are beam-00, pipe-00"),
        (["{}", "--ignore", "none.csv"], "--ignore: no such file 'none.csv'"),
        (["{}", "--html", "no/such/page.html"], "--html: folder 'no/such' does not exist"),
    ],
)
def test_wrong_arguments_are_named(ask: Ask, assembly: Path, words: list[str], said: str) -> None:
    status, out, err = ask("clash", *(word.format(assembly) for word in words))
    assert (status, out) == (2, "") and err.count("\n") == 1
    assert said in err


def test_a_length_needs_the_unit_of_the_files(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "a.obj"
    file.write_text("o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nv 0 0 5\nv 1 0 5\nv 0 1 5\nf 4 5 6\n")
    assert "say with --units what they are in" in ask("clash", file, "--clearance", "1mm")[2]
    status, out, err = ask("clash", file, "--clearance", "1cm", "--units", "mm")
    assert status == 1 and "near" in out and "taken to be in mm" in err


def test_segments_of_triangles_that_cut() -> None:
    flat = np.array([[[0.0, 0, 0], [4, 0, 0], [0, 4, 0]]])
    upright = np.array([[[1.0, 1, -1], [1, 1, 1], [1, 9, 0]]])
    (segment,) = triangle_segments(flat, upright)
    assert sorted(map(tuple, segment.round(9).tolist())) == [(1, 1, 0), (1, 3, 0)]
    assert not len(triangle_segments(flat, np.add(flat, [0, 0, 1]))) and not len(
        triangle_segments(flat, flat)
    )
    assert not len(triangle_segments(flat, np.add(upright, [5, 0, 0])))


def test_segments_lie_on_both_triangles() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, 400, 3, 3))
    for k in range(400):
        a, b = (er.Mesh(each[k], [[0, 1, 2]]) for each in (first, second))
        cut = triangle_segments(first[k : k + 1], second[k : k + 1])
        assert bool(er.collide(a, b)) == bool(len(cut))
        for point in cut.reshape(-1, 3):
            ball = er.Sphere(1e-9)
            assert er.collide(a, ball, pose_b=er.Pose(translation=point))
            assert er.collide(b, ball, pose_b=er.Pose(translation=point))


def test_names_are_no_formulas_of_spreadsheets(ask: Ask, tmp_path: Path) -> None:
    file, table = tmp_path / "a.obj", tmp_path / "found.csv"
    file.write_text("o =1+1\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nf 1 2 3\n")
    assert ask("clash", file, "--csv", table)[0] == 1
    assert ",'=1+1,b," in table.read_text()
    assert ask("clash", file, "--ignore", table)[0] == 0
