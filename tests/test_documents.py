"""The documents: their examples run and print what they say, their links and citations lead somewhere."""

from __future__ import annotations

import doctest
import importlib
import io
import pkgutil
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest

import elbowroom as er

ROOT = Path(__file__).parent.parent
DOCUMENTS = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"]
MODULES = [m.name for m in pkgutil.walk_packages(er.__path__, "elbowroom.") if "._core" not in m.name]


def blocks(language: str) -> list[str]:
    """The README's code blocks in a language."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_readme_example_prints_what_its_comments_say() -> None:
    (example,) = blocks("python")
    said = io.StringIO()
    with redirect_stdout(said):
        exec(compile(example, "README.md", "exec"), {})
    comments = [line.split("# ")[1] for line in example.splitlines() if line.startswith("print(")]
    printed = said.getvalue().splitlines()
    assert len(printed) == len(comments) == 4
    for value, comment in zip(printed, comments, strict=True):
        assert re.split(r"[ :]", comment)[0] == value


def test_readme_has_the_two_commands() -> None:
    commands = [line for block in blocks("sh") for line in block.splitlines()]
    assert "pip install . && elbowroom tour" in commands
    assert "pip install '.[test]' && pytest" in commands


@pytest.mark.parametrize("name", ["elbowroom", *MODULES])
def test_examples_of_the_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("question", [er.collide, er.distance, er.within])
def test_examples_of_the_questions(question: object) -> None:
    text = question.__doc__ or ""
    examples = doctest.DocTestParser().get_doctest(text, {}, repr(question), None, None)
    assert examples.examples
    assert doctest.DocTestRunner().run(examples).failed == 0


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_to_files(name: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / name).read_text(encoding="utf-8")):
        assert (ROOT / target).is_file(), f"{name} links to {target}"


def cited() -> set[str]:
    """Keys cited as [Key]_ in docstrings, and as [Key] in the documents."""
    files = [*(ROOT / "src").rglob("*.py"), *(ROOT / "bindings").glob("*.hpp")]
    files += [ROOT / name for name in DOCUMENTS]
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    return set(re.findall(r"\[([A-Za-z]+[12]\d{3})\]", text))


def test_every_citation_is_in_the_bibliography() -> None:
    bibliography = (ROOT / "docs" / "references.bib").read_text(encoding="utf-8")
    keys = re.findall(r"^@\w+\{(\w+),$", bibliography, re.MULTILINE)
    assert len(keys) == len(set(keys))
    assert {"Gottschalk1996", "GJK1988", "vandenBergen2001"} <= cited() <= set(keys)
