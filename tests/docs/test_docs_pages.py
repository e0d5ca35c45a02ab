"""The pages of the site are true: every block of code is run in order, and prints what the page tells."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_blocks import RUN, Reader, blocks_of, differences

pytestmark = pytest.mark.documents

DOCS = Path(__file__).parents[2] / "docs"
TOLERANCE = 1e-3  # relative, of the figures that pages tell
#: The other folders have tests of their own.
PAGES = sorted([*DOCS.glob("*.md"), *DOCS.glob("howto/*.md"), *DOCS.glob("api/*.md")])
WITH_CODE = [page for page in PAGES if any(block.language in RUN for block in blocks_of(page))]


def named(page: Path) -> str:
    """As it is linked to."""
    return page.relative_to(DOCS).as_posix()


@pytest.mark.parametrize("page", WITH_CODE, ids=named)
def test_a_page_prints_what_it_tells(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")
    assert differences(page, Reader(tmp_path), TOLERANCE) == []


def test_pages_have_code() -> None:
    assert {"index.md", "trust.md", "howto/robot.md", "api/answers.md"} <= set(map(named, WITH_CODE))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_what_is_printed_follows_what_prints_it(page: Path) -> None:
    languages = [block.language for block in blocks_of(page)]
    for before, language in zip([None, *languages], languages, strict=False):
        assert language != "text" or before in RUN


def test_every_benchmark_has_a_page() -> None:
    folders = {file.parent.name for file in DOCS.parent.glob("benchmarks/*/README.md")}
    assert {page.stem for page in DOCS.glob("benchmarks/*.md")} == {"index", *folders}
