"""The page that compares libraries: made from the answers that were kept, and true of elbowroom today."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT))

from benchmarks.compare.page import page  # noqa: E402
from benchmarks.compare.questions import QUESTIONS, Question  # noqa: E402
from benchmarks.compare.rigid_libraries import Elbowroom  # noqa: E402
from benchmarks.compare.run import LIBRARIES, both  # noqa: E402

pytestmark = pytest.mark.documents

RESULTS: dict[str, Any] = json.loads((ROOT / "benchmarks/compare/results.json").read_text(encoding="utf-8"))
TIMED = {"threads"}  # depends on what else the machine does


def test_the_page_is_made_from_the_answers() -> None:
    assert (ROOT / "docs/comparison.md").read_text(encoding="utf-8") == page(RESULTS)


def test_all_questions_were_put_to_all_libraries() -> None:
    keys = [question.key for question in QUESTIONS]
    assert [question["key"] for question in RESULTS["questions"]] == keys
    assert list(RESULTS["libraries"]) == list(LIBRARIES)
    for each in RESULTS["libraries"].values():
        assert each["version"] and "failed" not in each
        assert list(each["answers"]) == keys


@pytest.mark.parametrize(
    "question", [each for each in QUESTIONS if each.key not in TIMED], ids=lambda q: q.key
)
def test_what_it_says_of_us_is_true(question: Question) -> None:
    kept = RESULTS["libraries"]["elbowroom"]["answers"][question.key]
    assert question.put(Elbowroom()).answer == kept["answer"]


def test_an_answer_that_changes_is_told_with_the_worse_verdict() -> None:
    yes, no = {"answer": "yes", "what": "right"}, {"answer": "no", "what": "wrong"}
    same, changed = both({"a": yes}, {"a": yes}), both({"a": yes}, {"a": no})
    assert same == {"a": yes}
    assert changed == {"a": {"answer": "no", "what": "right; in a second run wrong"}}
