"""The tour: what it says, the report that it writes, and the scenes in it."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from touring import Tour

import elbowroom as er
from elbowroom.cli.report import PREAMBLE
from elbowroom.cli.stops import STOPS

pytestmark = pytest.mark.documents


class Reader(HTMLParser):
    """Collects what a page refers to and shows."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.images: list[dict[str, str | None]] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.labels: list[str] = []
        self.scenes: list[dict[str, Any]] = []
        self._data = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        found = dict(attrs)
        self._data = found.get("type") == "application/json"
        if tag == "img":
            self.images.append(found)
        if tag == "canvas":
            self.labels.append(found["aria-label"] or "")
        self.links += [value for name, value in attrs if name in ("src", "href") and value is not None]

    def handle_data(self, text: str) -> None:
        if self._data and text.strip():
            self.scenes.append(json.loads(text))


def test_it_ends_with_the_path_of_its_report(tour: Tour) -> None:
    assert tour.said.splitlines()[-1] == str(tour.page.resolve())
    assert "µs" in tour.said and "collide, a call each" in tour.said


def test_its_report_needs_nothing_but_itself(tour: Tour) -> None:
    page = tour.page.read_text(encoding="utf-8")
    reader = Reader(page)
    assert all(link.startswith(("data:image/png;base64,", "#")) for link in reader.links)
    assert not {"link", "iframe"} & set(reader.tags)
    assert "@import" not in page and "url(" not in page
    assert len(reader.images) >= 10
    assert all(image["alt"] for image in reader.images)
    assert reader.tags.count("section") == len(STOPS) == 10


def test_every_stop_has_a_scene_that_says_what_it_shows(tour: Tour) -> None:
    reader = Reader(tour.page.read_text(encoding="utf-8"))
    assert reader.tags.count("canvas") == len(reader.scenes) == len(STOPS)
    assert all(len(label) > 60 for label in reader.labels)
    moving = [scene for scene in reader.scenes if scene["frames"] > 1]
    assert len(moving) == len(STOPS) - 1  # shapes on a slab stand still
    assert all(len(scene["captions"]) == scene["frames"] for scene in moving)
    assert all(scene["bodies"] or scene["balls"] for scene in reader.scenes)


def test_scenes_tell_what_the_library_answered(tour: Tour) -> None:
    """What is written below a scene comes from questions that were asked, and ends as it must."""
    springs, hook, _, tree, chain, polymer, hand, rope, motion, budget = Reader(tour.page.read_text()).scenes
    assert springs["captions"][0].endswith("apart") and "collide" in springs["captions"][60]
    assert any("collides" in words for words in hook["captions"])
    assert tree["captions"][:2] == ["level 0: 1 box", "level 1: 8 boxes"]
    taken_back = [k for k, words in enumerate(chain["captions"]) if "taken back" in words]
    assert taken_back == [k for k, red in enumerate(chain["balls"][0]["red"]) if red] != []
    assert all("free" in words for words in polymer["captions"])
    hits = {k for k, words in enumerate(hand["captions"]) if "hits" in words}
    red = {k for body in hand["bodies"] for k, letter in enumerate(body["red"]) if letter == "1"}
    assert hits and hits <= red
    assert all("prove it free" in words for words in rope["captions"])
    assert not any("not covered" in words for words in motion["captions"])
    assert budget["captions"][-1].endswith("100% of all pairs proved apart; free")


def test_its_figures(tour: Tour) -> None:
    figures = json.loads(tour.figures.read_text())
    assert figures["machine"]["elbowroom"] == er.__version__
    stops = [stop["figures"] for stop in figures["stops"]]
    springs, hook, shapes, tree, chain, sampling, articulated, necklace, motion, budget = stops
    assert 0 < springs["colliding"] < springs["poses"] == 1000
    assert 0 < springs["last_free_distance"] < 0.1
    assert 0 < hook["colliding"] < hook["poses"]
    assert shapes["signed_distances"]["sphere"][0] == pytest.approx(np.linalg.norm([1.15, 0.25, 0.3]) - 1.4)
    assert tree["boxes"][0] == 1 and tree["boxes"] == sorted(tree["boxes"])
    assert tree["volumes"] == sorted(tree["volumes"], reverse=True)
    assert 0 < chain["free"] < 1
    by_length = list(chain["box_tests_by_length"].values())
    assert len(by_length) == 4 and by_length == sorted(by_length) and by_length[-1] < 4 * by_length[0]
    judge_sampling(sampling)
    assert 0 < articulated["colliding"] < articulated["frames"] == 1000
    assert 0 < articulated["ball_touching"] <= articulated["hand_touching"] < 4001
    exact = articulated["exact_queries"]
    assert exact["cab"] == exact["obb"] < exact["aabb"] < exact["none"] == 120 * 200
    assert len(necklace["gaps"]) == necklace["frames"] == 10 and min(necklace["gaps"]) > 0.9
    assert necklace["separating_pairs"] > 5_000 / 2
    assert motion["nodes"] == 200 < motion["attempts"]
    calls = motion["calls"]
    assert calls["auto"] < 0.5 * calls["hourglass"] and calls["hourglass-axis"] <= calls["hourglass"]
    assert calls["hourglass"] < calls["isotropic"]
    decided = budget["decided"]
    assert decided["depth-first"] <= decided["best-first"] < decided["auto"] > 0.9
    assert budget["calls"]["depth-first"] is budget["calls"]["best-first"] is None
    assert 1 < budget["calls"]["auto"] < 10
    trust = budget["confidence"]
    assert all(b > d for b, d in zip(trust["best-first"], trust["depth-first"], strict=True))
    for stop in figures["stops"]:
        for row in stop["rows"]:
            assert row["queries"] > 0 and row["microseconds"] > 0


def judge_sampling(figures: dict[str, Any]) -> None:
    """Sizes that grow by the known power, within four errors; long chains collide more often."""
    assert len(figures["links"]) == len(figures["squares"]) == len(figures["errors"]) == 5
    assert figures["accepted"] == sorted(figures["accepted"], reverse=True)
    assert all(0.2 < share < 0.6 for share in figures["accepted"])
    assert figures["known_slope"] == pytest.approx(1.175194)
    slope, error = figures["slopes"]["corrected"]
    assert abs(slope - figures["known_slope"]) < 4 * error < 0.2
    slope, error = figures["slopes"]["pure"]
    assert abs(slope - figures["known_slope"]) < 0.06 and 0 < error < 0.02


def test_the_printed_python_of_every_stop_runs() -> None:
    found: dict[str, Any] = {}
    for stop in STOPS:
        exec(PREAMBLE + "\n" + stop.code, found)
    assert 0 < found["hits"].sum() < len(found["distances"]) == 10_000
    assert found["nearest"].value <= found["near"].distances.max() <= 4.0
    assert found["contacts"].depths == pytest.approx([0.08])
    assert found["level"] == 3
    assert abs(found["fit"].deviation(0.587597)) < 4 and found["fit"].error < 0.02
    assert 0 < found["touching"].sum() < len(found["touching"]) == 10_000
    assert found["free"] and found["proof"].free and len(found["proof"].radii) == 5_000
    assert found["certificate"].free is False and len(found["tree"]) == 2_000
    assert 0 < len(found["undecided"]) < len(found["answers"]) == 1_000
    assert all(0 < share < 1 for share in found["covered"]) and "BVTT" in found["story"]
