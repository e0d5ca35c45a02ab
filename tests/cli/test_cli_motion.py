"""`elbowroom check` of motion capture: intervals, bones and depths that are known beforehand."""

from __future__ import annotations

import gzip
import io
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from robot_files import ROOT, Bvh, bvh_text

from elbowroom.cli import patience
from elbowroom.cli.overlaps import Interval, Overlaps, intervals

Ask = Callable[..., tuple[int, str, str]]
THIN = ("--radii", "0.1")
TOUCHING, FREE = 72.0, 50.0  # degrees by which the left bone is turned towards the right one


def clip(
    file: Path, angles: Sequence[float], place: Sequence[float] = (0, 0, 0), frame_time: float = 0.01
) -> Path:
    """Two bones 2 long hang 2 apart; the left one is turned towards the right one by the angles."""
    arms = [Bvh(name, (x, 0, 0), ends=[(0, -2, 0)]) for name, x in (("left", 1), ("right", -1))]
    values = np.zeros((len(angles), 12))
    values[:, :3] = place
    values[:, 6] = -np.asarray(angles)
    text = bvh_text(Bvh("hips", (0, 0, 0), ROOT, children=arms), values, frame_time)
    file.write_bytes(gzip.compress(text.encode()) if file.suffix == ".gz" else text.encode())
    return file


def gap(angles: Any, radius: float = 0.1) -> np.ndarray:
    """Between the surfaces, as long as the tip of the left bone does not reach the right one's axis."""
    return np.asarray(2 - 2 * np.sin(np.radians(angles)) - 2 * radius)


def facts_of(ask: Ask, folder: Path, *arguments: object) -> tuple[int, dict[str, Any]]:
    file = folder / "facts.json"
    file.unlink(missing_ok=True)
    status, _, err = ask("check", *arguments, "--json", file)
    assert err == ""
    return status, json.loads(file.read_text())


def spans(facts: dict[str, Any]) -> list[tuple[int, int]]:
    return [(each["first_frame"], each["last_frame"]) for each in facts["intervals"]]


SWING = 75 * np.sin(np.pi * np.arange(41) / 40)


@pytest.mark.parametrize("name", ["swing.bvh", "swing.bvh.gz"])
def test_an_interval_of_self_penetration(ask: Ask, tmp_path: Path, name: str) -> None:
    status, facts = facts_of(ask, tmp_path, clip(tmp_path / name, SWING), *THIN)
    inside = np.flatnonzero(gap(SWING) < 0)
    (found,) = facts["intervals"]
    assert (status, facts["verdict"]) == (1, "collision")
    assert found["bones"] == ["left", "right"]
    assert spans(facts) == [(inside[0], inside[-1])]
    assert (found["start"], found["end"]) == pytest.approx((0.01 * inside[0], 0.01 * inside[-1]))
    assert (found["depth"], found["deepest_frame"]) == (pytest.approx(-gap(SWING).min(), abs=1e-9), 20)
    assert facts["frames_colliding"] == len(inside)
    assert facts["frames_looked_at"] == 41


def test_an_interval_is_told(ask: Ask, tmp_path: Path) -> None:
    status, out, err = ask("check", clip(tmp_path / "swing.bvh", SWING), *THIN)
    verdict, frames, deepest, head, row = out.splitlines()
    assert (status, err) == (1, "")
    assert verdict == "collision: swing.bvh penetrates itself in 1 interval"
    assert frames.endswith("of 41 frames, 0.000 to 0.400 s") and deepest.endswith(" at 0.200 s")
    assert head.split() == ["time", "(s)", "frames", "bones", "depth", "at", "frame"]
    assert "left, right" in row and row.endswith(" 20")


@pytest.mark.parametrize(
    ("bridge", "expected"),
    [
        (None, [(5, 13), (18, 18)]),
        (0, [(5, 8), (12, 13), (18, 18)]),
        (2, [(5, 8), (12, 13), (18, 18)]),
        (4, [(5, 18)]),
    ],
)
def test_small_gaps_are_bridged(
    ask: Ask, tmp_path: Path, bridge: int | None, expected: list[tuple[int, int]]
) -> None:
    angles = np.full(25, FREE)
    angles[[5, 6, 7, 8, 12, 13, 18]] = TOUCHING
    more = () if bridge is None else ("--bridge", bridge)
    _, facts = facts_of(ask, tmp_path, clip(tmp_path / "a.bvh", angles), *THIN, *more)
    assert spans(facts) == expected
    assert facts["frames_colliding"] == 7


def test_intervals_are_those_of_a_plain_loop() -> None:
    rng = np.random.default_rng(5)
    rows = np.unique(rng.integers(0, (120, 3, 3), (300, 3)), axis=0)
    depths = rng.random(len(rows))
    found = Overlaps(rows[:, 0], rows[:, 1:], depths, np.zeros(120, bool), {})
    expected = []
    for i in range(3):
        for j in range(3):
            run: list[tuple[int, float]] = []
            for frame in range(125):
                here = [d for row, d in zip(rows.tolist(), depths, strict=True) if row == [frame, i, j]]
                run += [(frame, float(d)) for d in here]
                if run and frame - run[-1][0] > 2:
                    deepest, depth = max(run, key=lambda each: each[1])
                    expected.append((run[0][0], run[-1][0], ("abc"[i], "xyz"[j]), depth, deepest))
                    run = []
    got = intervals(found, ("abc", "xyz"), bridge=2)
    assert len(got) > 10
    assert got == [Interval(*each) for each in sorted(expected, key=lambda each: each[:3])]


def test_a_free_clip_and_its_least_distance(ask: Ask, tmp_path: Path) -> None:
    angles = 60 * np.sin(np.pi * np.arange(31) / 30)
    file = clip(tmp_path / "free.bvh", angles)
    status, out, err = ask("check", file, *THIN)
    assert (status, err) == (0, "")
    assert out == "free: free.bvh does not penetrate itself\n  31 frames, 0.000 to 0.300 s\n"
    status, facts = facts_of(ask, tmp_path, file, *THIN, "--distance")
    assert facts["nearest"]["distance"] == pytest.approx(gap(angles).min(), abs=1e-9)
    assert (facts["nearest"]["frame"], facts["nearest"]["time"]) == (15, pytest.approx(0.15))
    assert (status, facts["intervals"]) == (0, [])


@pytest.mark.parametrize(
    "radii",
    [
        ("--radii", "0.2"),
        ("--radii", "0.1", "--radius-scale", "2"),
        ("--radii", "hips=0.2,left=0.2,right=0.2"),
        ("--radii", "hips=0.4, left=0.4,right=0.4", "--radius-scale", "0.5"),
    ],
)
def test_radii_can_be_edited(ask: Ask, tmp_path: Path, radii: tuple[str, ...]) -> None:
    _, facts = facts_of(ask, tmp_path, clip(tmp_path / "swing.bvh", SWING), *radii)
    assert facts["intervals"][0]["depth"] == pytest.approx(-gap(SWING, 0.2).min(), abs=1e-9)


def test_thinner_bones_by_a_factor(ask: Ask, tmp_path: Path) -> None:
    file = clip(tmp_path / "swing.bvh", SWING)
    assert ask("check", file)[0] == 1
    assert ask("check", file, "--radius-scale", "0.01")[0] == 0


def test_a_factor_leaves_out_only_what_touches_at_rest(ask: Ask, tmp_path: Path) -> None:
    """A joint that has moved away from its offset is not at rest where its position is zero."""
    arm, leg = (Bvh(name, (x, 0, 0), ROOT, ends=[(0, 1, 0)]) for name, x in (("arm", 3), ("leg", 0.15)))
    root = Bvh("hips", (0, 0, 0), ROOT, children=[arm, leg], ends=[(0, 1, 0)])
    values = np.zeros((3, 18))
    values[:, 6], values[:, 12] = (3, 2, 0.2), 0.15
    file = tmp_path / "slide.bvh"
    file.write_text(bvh_text(root, values))
    for factor in ("1", "1.01"):
        status, facts = facts_of(ask, tmp_path, file, *THIN, "--radius-scale", factor)
        assert (status, [each["bones"] for each in facts["intervals"]]) == (1, [["arm", "leg"]])


def test_a_part_of_the_clip_in_larger_steps(ask: Ask, tmp_path: Path) -> None:
    angles = np.full(40, FREE)
    angles[[10, 20, 21, 22, 23, 24, 30]] = TOUCHING
    file = clip(tmp_path / "a.bvh", angles)
    part = (*THIN, "--from", "0.11", "--to", "0.29")
    assert spans(facts_of(ask, tmp_path, file, *part)[1]) == [(20, 24)]
    _, facts = facts_of(ask, tmp_path, file, *part, "--every", "3")
    assert spans(facts) == [(20, 23)]
    assert facts["frames"] == {"first": 11, "last": 29, "step": 3}
    assert facts["frames_looked_at"] == 7
    assert ask("check", file, *THIN, "--from", "0.31")[0] == 0


def test_contacts_of_two_people(ask: Ask, tmp_path: Path) -> None:
    """The other stands to the right: the left bone swings into it as far as into the own right one."""
    a = clip(tmp_path / "a.bvh", SWING, place=(-2.5, 0, 0))
    b = clip(tmp_path / "b.bvh", np.zeros(41), place=(-3.5, 0, 0))
    status, facts = facts_of(ask, tmp_path, a, b, *THIN)
    assert status == 1
    assert facts["intervals"][0]["bones"] == ["hips", "hips"]  # they overlap throughout
    swung = [each for each in facts["intervals"] if each["bones"] == ["left", "left"]]
    reach = 2 * np.sin(np.radians(SWING)) - 1.0  # of the tip beyond the other's left bone
    inside = np.flatnonzero(np.maximum(-reach, 0) < 0.2)
    assert (swung[0]["first_frame"], swung[0]["last_frame"]) == (inside[0], inside[-1])
    out = ask("check", a, b, *THIN)[1]
    assert "bones of A, B" in out and "left, left" in out


def test_two_people_that_stay_apart(ask: Ask, tmp_path: Path) -> None:
    """Of clips of different lengths the common part counts."""
    a = clip(tmp_path / "a.bvh", -SWING[:31])
    b = clip(tmp_path / "b.bvh", np.zeros(12), place=(6, 0, 0))
    status, out, err = ask("check", a, b, *THIN)
    assert (status, err) == (0, "")
    # The tip of a's left bone goes out by 2 sin; b's right bone hangs at x = 5, 4 from a's.
    nearest = 4 - 2 * np.sin(np.radians(SWING[11])) - 0.2
    assert "do not touch\n  12 frames" in out and "of 31 and 12 frames: only the common 12" in out
    assert f"left of a.bvh and right of b.bvh\n  {nearest:.4g} apart at 0.110 s (frame 11)" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.bvh"], "A: no such file 'nowhere.bvh'"),
        (["{clip}", "nowhere.bvh"], "B: no such file 'nowhere.bvh'"),
        (["{broken}"], "broken.bvh"),
        (["{boneless}"], "has only bones of zero length"),
        (["{clip}", "{slow}"], "the frame time is 0.02 s, but A has 0.01 s"),
        (["{clip}", "mesh.stl"], "mesh.stl"),
        (["{clip}", "--radii", "tail=1"], "bones begin at hips, left, right"),
        (["{clip}", "--radii", "left"], "--radii: "),
        (["{clip}", "--radii", "left=-1"], "--radii: "),
        (["{clip}", "--radius-scale", "0"], "--radius-scale: "),
        (["{clip}", "--from", "5"], "--from: "),
        (["{clip}", "--from", "-1"], "--from"),
        (["{clip}", "--to", "nan"], "--to: "),
        (["{clip}", "--every", "0"], "--every: "),
        (["{clip}", "--bridge", "-1"], "--bridge"),
        (["{clip}", "--plot", "picture.gif"], "--plot: "),
        (["{clip}", "--json", "nowhere/facts.json"], "--json: "),
        (["{clip}", "--random", "5"], "--random: not supported for motion capture"),
        (["{clip}", "--pose-b", "1 2 3"], "--pose-b: "),
        (["{clip}", "--chain", "A"], "--chain: "),
        (["mesh.stl", "mesh.stl", "--from", "1"], "--from: not supported for a mesh"),
    ],
)
def test_a_wrong_argument_is_one_line(ask: Ask, tmp_path: Path, arguments: list[str], words: str) -> None:
    known = {
        "clip": clip(tmp_path / "clip.bvh", SWING),
        "slow": clip(tmp_path / "slow.bvh", SWING, frame_time=0.02),
        "broken": tmp_path / "broken.bvh",
    }
    known["broken"].write_text("HIERARCHY\nROOT hips\n{\n")
    known["boneless"] = tmp_path / "boneless.bvh"
    known["boneless"].write_text(bvh_text(Bvh("hips", (0, 0, 0), ROOT, ends=[(0, 0, 0)]), np.zeros((2, 6))))
    status, out, err = ask("check", *(word.format(**known) for word in arguments))
    assert (status, out) == (2, "")
    assert err.count("\n") == 1 and words in err


@pytest.mark.parametrize(
    ("count", "words"),
    [(1, "2 joints with bones, and all pairs are excluded"), (0, "1 joint with bones")],
)
def test_a_clip_in_which_nothing_is_compared(ask: Ask, tmp_path: Path, count: int, words: str) -> None:
    file = tmp_path / "short.bvh"
    arms = [Bvh("arm", (0, 1, 0), ends=[(0, 1, 0)])][:count]
    root = Bvh("hips", (0, 0, 0), ROOT, children=arms, ends=[(0, 2, 0)])
    file.write_text(bvh_text(root, np.zeros((2, 6 + 3 * count))))
    assert ask("check", file) == (0, f"nothing is compared: short.bvh has {words}\n", "")
    facts = facts_of(ask, tmp_path, file, "--distance", "--plot", tmp_path / "p.png")[1]
    assert facts["verdict"] == "nothing is compared"


def test_one_frame_is_no_frames(ask: Ask, tmp_path: Path) -> None:
    _, out, _ = ask("check", clip(tmp_path / "one.bvh", [TOUCHING]), *THIN)
    assert "  1 of 1 frame, 0.000 to 0.000 s\n" in out
    assert out.splitlines()[-1].split()[3:6] == ["0", "left,", "right"]


@pytest.mark.parametrize("other", [None, "apart", "touching"])
def test_the_picture(ask: Ask, tmp_path: Path, other: str | None) -> None:
    a, picture = clip(tmp_path / "a.bvh", SWING), tmp_path / "picture.png"
    place = (6, 0, 0) if other == "apart" else (1, 0, 0)
    second = [] if other is None else [clip(tmp_path / "b.bvh", SWING, place=place)]
    assert ask("check", a, *second, *THIN, "--plot", picture)[0] == int(other != "apart")
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_display_is_shown_only_to_those_who_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    said = io.StringIO()
    console = Console(file=said, force_terminal=True)
    with patience.patient_display(console) as say:
        say("reading", 1, 2)
    assert said.getvalue() == ""
    monkeypatch.setattr(patience, "PATIENCE", 0.0)
    with patience.patient_display(console) as say:
        say("reading", 1, 2)
        time.sleep(0.3)
    assert "reading" in said.getvalue()
