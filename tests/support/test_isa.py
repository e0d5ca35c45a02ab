"""The two builds of the core, for every processor and for those with AVX2, give the same answers."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nasty
import numpy as np
import pytest

import elbowroom as er
from elbowroom import _core

_cpu: Any = importlib.import_module("elbowroom._core._cpu")


def answers() -> dict[str, Any]:
    """A small set of queries over all kinds of bodies; numbers are relative to the sizes."""
    rng = np.random.default_rng(5)
    values: list[float] = []
    verdicts: list[Any] = []
    for kinds in nasty.KIND_PAIRS:
        case = nasty.case(rng, kinds, 12, "general")
        a, b, poses = case.a.body, case.b.body, (case.pose_a, case.pose_b)
        found = er.distance(a, b, *poses)
        linear = er.distance(a, b, *poses, linear=np.diag([1.0, 2.0, 0.5]))
        for numbers in (found.values, found.lower, found.upper, linear.values):
            values += (numbers / case.scale).tolist()
        verdicts.append(er.collide(a, b, *poses).hits.tolist())
        verdicts.append(er.collide(a, b, case.pose_a[0], case.pose_b[0], every=True).pairs.tolist())
        near = er.within(a, b, case.a.reach, case.pose_a[1], case.pose_b[1])
        verdicts.append(near.indices.tolist())
        values += (near.distances / case.scale[1]).tolist()
    for pose in er.scenes.spring_path(12):
        spring = er.Mesh(*er.scenes.spring(segments=40))
        values.append(er.distance(spring, spring, None, pose).value)
        verdicts.append(er.collide(spring, spring, None, pose, every=True).pairs.tolist())
    return {"isa": er.isa, "values": values, "verdicts": verdicts}


def run_with(isa: str) -> Any:
    environment = os.environ | {"ELBOWROOM_ISA": isa}
    done = subprocess.run(
        [sys.executable, __file__], capture_output=True, text=True, env=environment, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.all_builds  # an installation from source has one
def test_both_builds_give_the_same_answers() -> None:
    baseline, avx2 = run_with("baseline"), run_with("avx2")
    assert (baseline["isa"], avx2["isa"]) == ("baseline", "avx2")
    assert baseline["verdicts"] == avx2["verdicts"]
    assert avx2["values"] == pytest.approx(baseline["values"], abs=1e-12)
    assert max(avx2["values"]) > 0.1 and any(hit for hits in avx2["verdicts"] for hit in hits)


def test_the_best_build_is_taken_unless_one_is_asked_for() -> None:
    best = _core.builds()[0]
    assert best == "baseline" or _cpu.has_avx2()
    asked = os.environ.get("ELBOWROOM_ISA")
    assert er.isa == (asked or best)
    script = "import elbowroom; print(elbowroom.isa)"
    for given in ("", best):
        environment = os.environ | {"ELBOWROOM_ISA": given}
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True
        )
        assert done.stdout.strip() == best


@pytest.mark.parametrize("wrong", ["avx512", "AVX2", " baseline", "_cpu"])
def test_a_build_that_does_not_exist_is_an_import_error(wrong: str) -> None:
    environment = os.environ | {"ELBOWROOM_ISA": wrong}
    done = subprocess.run(
        [sys.executable, "-c", "import elbowroom"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: ") and "ELBOWROOM_ISA" in last and repr(wrong) in last


def test_a_build_that_was_not_compiled_is_an_import_error(tmp_path: Path) -> None:
    """A copy of the package in which only one build is left."""
    package = tmp_path / "elbowroom"
    shutil.copytree(Path(er.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    for build in package.glob("_core/_*.so"):
        if er.isa not in build.name and "_cpu" not in build.name:
            build.unlink()
    missing = "baseline" if er.isa == "avx2" else "avx2"
    environment = os.environ | {"ELBOWROOM_ISA": missing, "PYTHONPATH": str(tmp_path)}
    words = [sys.executable, "-c", "import elbowroom"]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 1
    assert f"ELBOWROOM_ISA asks for {missing}" in done.stderr.strip().splitlines()[-1]


if __name__ == "__main__":
    print(json.dumps(answers()))
