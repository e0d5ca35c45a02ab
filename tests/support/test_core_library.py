"""The core without Python: its example is linked with the library that the installation left in build/."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import elbowroom as er

ROOT = Path(__file__).parents[2]
EXACT = ["-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off"]
AVX2 = ["-mavx2", "-mfma", "-mbmi", "-mbmi2", "-mlzcnt", "-mpopcnt"]
EXPECTED = """\
distance 0.010 between proved bounds 0.010 and 0.010
collide 1, depth 0.005
501 of 1000 positions collide
"""


def test_the_example_answers_without_python(tmp_path: Path) -> None:
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    library = max(ROOT.glob("build/*/libelbowroom.a"), key=lambda p: p.stat().st_mtime, default=None)
    if library is None or compiler is None:
        pytest.skip("needs a C++ compiler, and build/*/libelbowroom.a from pip install . in the source tree")
    program = tmp_path / "gripper"
    flags = ["-std=c++20", "-O1", *EXACT, *(AVX2 if er.isa == "avx2" else []), "-pthread"]
    sources = ["-I", str(ROOT / "core/include"), str(ROOT / "core/examples/gripper.cpp"), str(library)]
    subprocess.run([*compiler.split(), *flags, *sources, "-o", str(program)], check=True)
    assert subprocess.run([program], check=True, capture_output=True, text=True).stdout == EXPECTED
