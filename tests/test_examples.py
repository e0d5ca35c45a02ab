"""Every example runs, and says what it set out to show."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
SAID = {
    "chain_energy.py": ["energy at the start: -", "accepted torsions: -", "pairs of beads within 1"],
    "chain_of_ten_thousand.py": ["free at the start: True", "of 5000 torsions accepted", "are nearest"],
    "collide_two_meshes.py": ["beside: free", "around: free", "touching: triangle", "volume tests"],
    "many_poses.py": ["of 2000 poses collide", "before contact", "with a memory"],
    "group_of_obstacles.py": ["1330 obstacles", "nearest is obstacle", "than 2: the distance is between"],
    "motion_with_a_proof.py": [
        "straight through: <Certificate: free",
        "verified on its own",
        "turning: free until 0.251275",
        "20 samples say free; the exact check says False",
        "1000 motions",
        "a falling door: (0.462",
    ],
    "planning_a_path.py": [
        "found: True",
        "shortened to",
        "proved free",
        "straight: in contact at",
        "free: True",
    ],
    "polymer.py": [
        "3200 links: R^2 = ",
        "a pure power: nu = 0.59",
        "with a correction: nu = 0.5",
        "errors from 0.58",
    ],
    "roadmap.py": [
        "10 of 10 goals reached on 400 nodes",
        "all proved free: True",
        "edges repaired, then proved free: True",
        "on a budget: <RoadmapPath: ",
        "unfinished; ",
    ],
    "robot_along_a_path.py": ["of 1000 configurations collide", "link 0 meets link 5", "at the goal: link 0"],
    "rope_with_a_proof.py": [
        "100 frames, the closest",
        "of 487 in each frame",
        "500 beads free",
        "verified",
        "1408 edges",
    ],
    "trajectory_of_a_protein.py": [
        "300 atoms in 60 frames; bonds by distance",
        "apart",
        "pairs overlap, A/GLY",
    ],
    "unfold.py": [
        "folded it was 9.3; it has grown to",
        "of the torsion moves were accepted",
        "100 frames, 0 of them with a clash",
    ],
    "penetration.py": ["overlap 0.150", "after the step: free", "shelf 0 touches", "shelf 1 touches"],
}


def test_every_example_is_tested() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(SAID)


@pytest.mark.parametrize("name", sorted(SAID))
def test_example_runs(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name)], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for words in SAID[name]:
        assert words in done.stdout


@pytest.mark.parametrize("name", sorted(SAID))
def test_example_is_short_and_says_what_it_shows(name: str) -> None:
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    assert text.startswith('"""')
    assert len(text.splitlines()) < 50
