"""Every public name is explained: it has a place in the API pages, and an example. See test_docs, too."""

from __future__ import annotations

import re
from types import ModuleType

import pytest
from public_names import API, has_example, public_names, shown_on_pages

NAMES = public_names()
SHOWN = shown_on_pages()
TEXTS = "\n".join(page.read_text(encoding="utf-8") for page in sorted(API.glob("*.md")))
#: Directives of autodoc, and of what is written by hand.
DIRECTIVE = re.compile(
    r"^\.\. (currentmodule|automodule|auto\w+|data):: ([\w.]+)(\n   :members:)?", re.MULTILINE
)


def documented() -> set[str]:
    """Names with a directive on a page of the API; of a module with :members: all that it lists."""
    found, here = set(), ""
    for kind, target, members in DIRECTIVE.findall(TEXTS):
        if kind in ("currentmodule", "automodule"):
            here = target
            found |= {name for name in NAMES if members and name.rpartition(".")[0] == target}
        else:
            found.add(f"{here}.{target}")
    return found


def test_every_public_name_has_an_example() -> None:
    things = {name: thing for name, thing in NAMES.items() if not isinstance(thing, ModuleType)}
    assert [name for name, thing in things.items() if not has_example(name, thing, SHOWN)] == []


def test_every_public_name_is_on_a_page_of_the_api() -> None:
    modules = {name for name, thing in NAMES.items() if isinstance(thing, ModuleType)}
    assert sorted(NAMES.keys() - modules - documented()) == []


def test_every_module_is_on_a_page_of_the_api() -> None:
    modules = {name for name, thing in NAMES.items() if isinstance(thing, ModuleType)}
    assert [name for name in sorted(modules) if f":: {name}\n" not in TEXTS] == []


def test_pages_name_nothing_that_is_not_public() -> None:
    assert sorted(documented() - NAMES.keys()) == []


@pytest.mark.parametrize("name", ["elbowroom.Collision", "elbowroom.scenes.spiral"])
def test_a_name_without_an_example_would_be_found_out(name: str) -> None:
    class Bare:
        """Says nothing of how it is used."""

    assert has_example(name, NAMES[name], SHOWN)
    assert not has_example("elbowroom.Bare", Bare, SHOWN)
