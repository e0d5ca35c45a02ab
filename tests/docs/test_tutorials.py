"""The tutorials are true: every block of theirs is run, in order, and prints what the page tells."""

from __future__ import annotations

import gzip
import re
import socket
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from code_blocks import RUN, Block, Reader, blocks_of, difference, differences, steps_of

import elbowroom as er
from elbowroom import scenes

pytestmark = pytest.mark.documents

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "tutorials"
FLORY = "python -m benchmarks.pivot.flory"
#: Random walks go other ways where the last digit of a rotation is another one.
SAME_DIGITS = er.isa == "avx2"


def made_up_protein(folder: Path) -> None:
    """In place of ubiquitin, which is not ours to give: a folded backbone of 70 residues."""
    lines = []
    for k, (x, y, z) in enumerate(scenes.backbone(210)):
        name = ("N", "CA", "C")[k % 3]
        place = f"{x:8.3f}{y:8.3f}{z:8.3f}{name[0]:>24}"
        lines.append(f"ATOM  {k + 1:5d}  {name:<3} GLY A{k // 3 + 1:4d}    {place}")
    (folder / "1ubq.pdb.gz").write_bytes(gzip.compress("\n".join([*lines, "END\n"]).encode()))


def free_port() -> str:
    """A port that nobody uses just now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return str(one.getsockname()[1])


@dataclass(frozen=True)
class Page:
    """How a page is run: what is typed in place of what it has, and how its figures are compared."""

    tolerance: float | None = 1e-3  # None: they are not
    instead: dict[str, str] = field(default_factory=dict)


PAGES = {
    "assembly.md": Page(),
    "robot.md": Page(),
    "animator.md": Page(),
    "teacher.md": Page(),
    "polymer.md": Page(
        1e-3 if SAME_DIGITS else None,
        {"python -m benchmarks.pivot.flory --minutes 5": f"cd {ROOT} && {FLORY} --help #"},
    ),
    "protein.md": Page(
        None, {"pymol ": "ls ", "200_000": "40_000", "200000": "40000", "400000": "60000", "500": "100"}
    ),
    "campaign.md": Page(
        None,
        {
            "2e6": "2e4",
            "every = 1000": "every = 10",
            "sleep 20": "sleep 8",
            "kill -9 $!": "kill -9 $! || true",  # so short a campaign may have ended
            "replicas = 4": "replicas = 2",
            "--replicas 5": "--replicas 3",
            "replicas=5": "replicas=3",
            "[100, 200, 400]": "[100, 200]",
        },
    ),
}


def test_every_page_is_run_and_in_the_list() -> None:
    pages = {page.name for page in FOLDER.glob("*.md")} - {"index.md"}
    assert pages == set(PAGES)
    listed = re.findall(r"\]\((\w+\.md)\)", (FOLDER / "index.md").read_text(encoding="utf-8"))
    assert set(listed) == pages


@pytest.mark.parametrize("name", PAGES)
def test_page_is_true(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")
    if name == "protein.md":
        made_up_protein(tmp_path)
    reader = Reader(tmp_path, PAGES[name].instead | {"8786": free_port()})
    assert differences(FOLDER / name, reader, PAGES[name].tolerance) == []


@pytest.mark.parametrize("name", ["index.md", *PAGES])
def test_links_and_pictures_lead_to_files(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        assert (FOLDER / target).exists(), f"{name} links to {target}"


@pytest.mark.parametrize("name", PAGES)
def test_what_is_typed_instead_is_in_the_page(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    for old in PAGES[name].instead:
        assert old in text


def test_a_page_that_is_wrong_is_found_out(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Numbers:\n\n```python\nprint('about', 2.5)\n```\n\n```text\nabout 2.6\n```\n")
    (wrong,) = differences(page, Reader(tmp_path), 1e-3)
    assert "page.md, line 7: the page tells 2.6, and it prints 2.5" in wrong
    assert differences(page, Reader(tmp_path), 0.1) == []


def test_files_and_commands_of_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "A file `a.toml`:\n\n```toml\nx = 1\n```\n\n```sh\ncat a.toml\n```\n\n```text\nx = 1\n```\n"
    )
    assert [block.language for block, _ in steps_of(page) if block.language in RUN] == ["sh"]
    assert blocks_of(page)[0] == Block("toml", "x = 1\n", 3, "a.toml")
    assert differences(page, Reader(tmp_path), 0.0) == []
    page.write_text("```sh\nls no-such-file\n```\n")
    with pytest.raises(AssertionError, match="no-such-file"):
        differences(page, Reader(tmp_path), 0.0)


def test_lines_may_be_left_out() -> None:
    assert difference("a 1\n...\nd 4\n", "a 1\nb 2\nc 3\nd 4\n", 0.0) is None
    assert difference("a 1\n...\nd 4\n", "a 1\nb 2\nc 3\nd 5\n", 0.0) is not None
    assert difference("1.5 s, 70 steps per second", "0.2 s, 9,000 steps per second", 0.0) is None
    assert difference("one word", "another word", 1.0) is not None
