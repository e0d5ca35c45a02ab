"""Every example runs, and says what it set out to show."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.documents

EXAMPLES = Path(__file__).parents[2] / "examples"
SAID = {
    "campaign.py": ["4 parameter sets x 3 replicas: 12 done", "radius 0.4, 100 beads: 17", "the same: True"],
    "chain_energy.py": ["energy at the start: -", "accepted torsions: -", "pairs of beads within 1"],
    "chain_of_ten_thousand.py": ["free at the start: True", "of 5000 torsions accepted", "are nearest"],
    "cloth_over_a_ball.py": ["frame 60: 0.019 above the ball", "pairs overlap, wear 1."],
    "collide_two_meshes.py": ["beside: free", "around: free", "touching: triangle", "volume tests"],
    "confidence.py": ["<Calibration: error 0.0", "the paper's confidence", "pose 12: a contact", "exhausted"],
    "contacts_of_a_clip.py": [
        "32 of 90 frames have a contact",
        "LeftForeArm and RightForeArm: 32 frames, deepest 7.6 in frame 3",
    ],
    "control_loop.py": [" ticks of 30 tests, ", "now it is complete: True", "hold: True"],
    "hand_and_ball.py": ["of 1000 frames have a contact", "middle 3 and ball in", "cm at least: "],
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
    "moving_obstacles.py": [
        "speed 0.5: free",
        "speed 2.0: link 2 is hit at 0.271",
        "meets: contact at 0.403",
        "keeps away: free",
    ],
    "neighbours.py": [
        "joint 1700 turned: 6210 pairs",
        "neighbours on average",
        "6493 pairs of triangles within",
    ],
    "planning_with_ompl.py": ["straight through: a contact", "RRTConnect: ", "RRT: ", "proved free"],
    "polymer.py": [
        "3200 links: R^2 = ",
        "a pure power: nu = 0.59",
        "with a correction: nu = 0.5",
        "errors from 0.58",
    ],
    "power_diagram.py": [
        "561 edges; 560 of 19900",
        "flips in 60 frames",
        "beads 0 and 3 are closest: 0.0660",
    ],
    "proof_in_a_file.py": [
        "the rope: <verified",
        "another rope is not proved free: bead 700",
        "shaken: <verified",
    ],
    "puzzle_with_a_page.py": ["found: True", "the whole path: proved free", "open piano.html"],
    "recording_for_a_browser.py": [
        "hierarchy/2/spring",
        "verdict: free, proved",
        "springs.html: 241 pictures",
    ],
    "roadmap.py": [
        "10 of 10 goals reached on 400 nodes",
        "all proved free: True",
        "edges repaired, then proved free: True",
        "on a budget: <RoadmapPath: ",
        "unfinished; ",
    ],
    "robot_along_a_path.py": ["of 1000 configurations collide", "link 0 meets link 5", "at the goal: link 0"],
    "robot_from_urdf.py": [
        "6 links, 6 shapes, 5 joints",
        "of 10000 random configurations collide",
        "10 compared in 10000 samples",
        "at zero: 0.440 between link1 link3",
    ],
    "rope_with_a_proof.py": [
        "100 frames, the closest",
        "of 487 in each frame",
        "500 beads free",
        "<verified",
        "1408 edges",
    ],
    "skinned_figure.py": [
        " 90 degrees: 0.434 from the cup, 0 pairs",
        "150 degrees: 0.407 from the cup, 249 pairs",
    ],
    "tempering.py": [
        "T = 0.8: energy -1",
        "T = 3.2: energy  -",
        "80000 steps now; the first 60000 are the same: True",
    ],
    "threads.py": ["the same distances: True", "2983 of 4000 poses collide", "on one core: True"],
    "torsion_with_a_proof.py": ["free at the end only: ", "a test at the end would let through: links"],
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


def test_the_list_of_examples_is_complete_and_tells_what_they_say_of_themselves() -> None:
    listed = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    for name in SAID:
        first = (EXAMPLES / name).read_text(encoding="utf-8").split('"""')[1].split("\n\n")[0]
        assert f"- [{name}]({name}): {' '.join(first.split())}\n" in listed
    assert listed.count("\n- [") == len(SAID) + 1  # and a file of settings


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
