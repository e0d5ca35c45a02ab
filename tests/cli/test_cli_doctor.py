"""`elbowroom doctor`: versions, extras, and a self-test that notices wrong answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import elbowroom as er
import elbowroom.doctor.checks
from elbowroom.doctor import CHECKS, Extra, Package, brute, installation, look_around, self_test

Ask = Callable[..., tuple[int, str, str]]


def test_a_sound_installation(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    status, out, err = ask("doctor", "--json", file)
    assert (status, err) == (0, "")
    assert out.startswith(f"elbowroom {er.__version__}, Python ")
    assert f"\ncore: build '{er.isa}'" in out
    assert "\nsound: 9 of 9 checks agree with brute force, in " in out
    found = json.loads(file.read_text())
    assert found["verdict"] == "sound"
    assert [check["name"] for check in found["checks"]] == list(CHECKS)
    assert all(check["passed"] and check["seen"] for check in found["checks"])
    assert sum(check["seconds"] for check in found["checks"]) < 60
    assert {"numpy", "scipy", "cyclopts"} <= {package["name"] for package in found["needed"]}
    assert "test" in {extra["name"] for extra in found["extras"]}


@pytest.mark.parametrize(
    ("name", "wrong", "checks"),
    [
        ("distance", lambda right: lambda *a, **k: _Off(right(*a, **k)), {"balls", "meshes"}),
        ("self_distance", lambda right: lambda *a: _Off(right(*a)), {"chains", "necklaces"}),
    ],
)
def test_wrong_answers_are_noticed(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, name: str, wrong: Any, checks: set[str]
) -> None:
    only(monkeypatch, *checks, "samples")
    monkeypatch.setattr(er, name, wrong(getattr(er, name)))
    status, out, _ = ask("doctor")
    assert status == 1
    assert out.count("  WRONG   ") == len(checks)
    assert f"\nnot sound: wrong results for {', '.join(sorted(checks))};" in out


def only(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Make no other checks, in this order."""
    monkeypatch.setattr(elbowroom.doctor.checks, "CHECKS", {name: CHECKS[name] for name in sorted(names)})


class _Off:
    """An answer whose distance is a little too large."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._answer, name)
        return found + 1e-6 if name in ("value", "values", "lower") else found


def test_a_check_that_raises_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("broken")

    only(monkeypatch, "motions", "threads")
    monkeypatch.setattr(er, "check", fail)
    failed = [check for check in self_test() if not check.passed]
    assert [(check.name, check.seen) for check in failed] == [("motions", "RuntimeError: broken")]


def test_what_is_missing_is_said_with_the_line_that_brings_it(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(monkeypatch, "threads")
    asked = ["numpy>=1.26", "nosuchthing>=2", 'alsomissing; extra == "view"', 'numpy>=999; extra == "plan"']
    monkeypatch.setattr(installation.metadata, "requires", lambda _: asked)
    status, out, _ = ask("doctor")
    assert status == 1
    assert "MISSING nosuchthing" in out and "not sound: nosuchthing missing or too old" in out
    lines = [line.strip() for line in out.splitlines()]
    for name, extra in (("alsomissing", "view"), ("numpy", "plan")):
        assert lines[lines.index(f"missing: {name}") + 1] == f"pip install 'elbowroom[{extra}]'"


def test_a_missing_extra_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation.metadata, "requires", lambda _: ['nosuchthing; extra == "view"'])
    found = look_around()
    assert found.missing == []
    assert found.extras == (Extra("view", "the viewer in a browser", (Package("nosuchthing", "", None),)),)
    assert not found.extras[0].complete


@pytest.mark.parametrize(
    ("text", "extra", "name", "least"),
    [
        ("numpy>=1.26", "", "numpy", "1.26"),
        ('gemmi>=0.7; extra == "protein"', "protein", "gemmi", "0.7"),
        ("viser ; extra == 'view'", "view", "viser", ""),
        ("ompl (>=2.0,<3) ; extra == 'plan'", "plan", "ompl", "2.0"),
        (
            'dask[array]>=2024.5; python_version > "3.10" and extra == "campaign"',
            "campaign",
            "dask",
            "2024.5",
        ),
    ],
)
def test_requirements_are_understood(text: str, extra: str, name: str, least: str) -> None:
    (found,) = installation.sorted_by_extra([text])[extra]
    assert (found.name, found.least) == (name, least)


@pytest.mark.parametrize(
    ("found", "least", "fits"),
    [
        (None, "", False),
        ("1.26", "1.26", True),
        ("1.26.0", "1.26", True),
        ("1.9", "1.26", False),
        ("2.0rc1", "2.0", True),
        ("2024.10.1", "2024.5", True),
        ("0.0.9", "0.0.56", False),
        ("1.0", "", True),
    ],
)
def test_versions_are_compared_as_numbers(found: str | None, least: str, fits: bool) -> None:
    assert Package("any", least, found).fits is fits


def test_brute_force_is_right_about_hulls() -> None:
    """Triangles of two cubes at a known distance, face to face, edge to edge, and one through the other."""
    corners = np.array([[x, y, z] for x in (0.0, 1) for y in (0.0, 1) for z in (0.0, 1)])
    cube = corners[ConvexHull(corners).simplices]
    for shift, distance in (
        ([2, 0, 0], 1.0),
        ([2, 2, 0], 2**0.5),
        ([2, 2, 2], 3**0.5),
        ([0.5, 0.3, 0.2], 0.0),
    ):
        assert brute.triangle_distance(cube, cube + shift) == pytest.approx(distance, abs=1e-15)
    crossed = (
        np.array([[[0.0, 0, -1], [0, 0, 1], [1, 0, 0]]]),
        np.array([[[0.25, -1, 0], [0.25, 1, 0.1], [2, 0, 5]]]),
    )
    assert brute.triangle_distance(*crossed) == 0.0
