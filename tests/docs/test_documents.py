"""The documents beside the code: the README's example is true, and links and citations lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from code_blocks import Reader, differences

ROOT = Path(__file__).parents[2]
DOCUMENTS = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "SECURITY.md"]
FOLDERS = ["core", "bindings", "src", "tests", "tools", "docs", "benchmarks"]
INTERNALS = sorted((ROOT / "docs" / "internals").glob("*.md"))


def blocks(language: str) -> list[str]:
    """The README's code blocks in a language."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_readme_example_prints_what_it_shows(tmp_path: Path) -> None:
    assert len(blocks("python")) == len(blocks("text")) == 1
    assert differences(ROOT / "README.md", Reader(tmp_path), 1e-3) == []


def test_readme_has_the_two_commands() -> None:
    commands = [line for block in blocks("sh") for line in block.splitlines()]
    assert commands == ["pip install . && elbowroom tour", "pip install '.[test]' && pytest"]


def test_readme_fits_a_first_visit() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 130


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_to_files(name: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / name).read_text(encoding="utf-8")):
        assert (ROOT / target).is_file(), f"{name} links to {target}"


def test_the_architecture_fits_a_first_visit() -> None:
    assert len((ROOT / "ARCHITECTURE.md").read_bytes()) <= 12_000


def test_the_architecture_links_to_every_page_about_internals() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\(docs/internals/(\w+\.md)\)", text))
    assert linked == {page.name for page in INTERNALS}


def test_files_named_in_the_architecture_exist() -> None:
    pages = [ROOT / "ARCHITECTURE.md", *INTERNALS]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    known = {file.name for folder in FOLDERS for file in (ROOT / folder).rglob("*.*")}
    named = set(re.findall(r"`(?:[\w/.]+/)?(\w+\.(?:hpp|cpp|py))`", text))
    assert len(named) > 10
    assert named <= known


def cited() -> set[str]:
    """Keys cited as [Key]_ in docstrings, and as [Key] in the documents."""
    files = [*(ROOT / "src").rglob("*.py"), *(ROOT / "bindings").glob("*.hpp")]
    files += [*(ROOT / name for name in DOCUMENTS), *INTERNALS]
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    return set(re.findall(r"\[([A-Za-z]+[12]\d{3})\]", text))


def test_every_citation_is_in_the_bibliography() -> None:
    bibliography = (ROOT / "docs" / "references.bib").read_text(encoding="utf-8")
    keys = re.findall(r"^@\w+\{(\w+),$", bibliography, re.MULTILINE)
    assert len(keys) == len(set(keys))
    assert {"Gottschalk1996", "GJK1988", "vandenBergen2001"} <= cited() <= set(keys)
