"""The documentation in the code: every public name has a docstring, and every example in one is true."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from types import ModuleType
from typing import Any

import pytest
from public_names import docstring, is_value, members_of, public_names

import elbowroom as er


def public_modules() -> dict[str, ModuleType]:
    """The package and what can be imported below it without an underscore in the name."""
    found = pkgutil.walk_packages(er.__path__, "elbowroom.")
    names = [
        module.name for module in found if not any(part.startswith("_") for part in module.name.split("."))
    ]
    return {name: importlib.import_module(name) for name in ["elbowroom", *names]}


def public_things() -> dict[str, Any]:
    """Everything in the lists of public names, and the members of the classes among it."""
    things = {name: thing for name, thing in public_names().items() if not is_value(thing)}
    for name, thing in list(things.items()):
        if inspect.isclass(thing):
            things |= {f"{name}.{member}": value for member, value in members_of(thing)}
    return {name: thing for name, thing in things.items() if not is_value(thing)}


THINGS = public_things()
MODULES = public_modules()


@pytest.mark.parametrize("name", THINGS)
def test_every_public_name_has_a_docstring(name: str) -> None:
    assert docstring(THINGS[name])


@pytest.mark.parametrize("name", MODULES)
def test_every_public_module_has_a_docstring(name: str) -> None:
    assert docstring(MODULES[name])


def test_the_lists_of_public_names_are_complete() -> None:
    assert {name.rsplit(".", 1)[1] for name in THINGS} >= {
        "collide",
        "distance",
        "within",
        "locate",
        "load",
        "fit",
    }
    for module in (er, er.volumes, er.scenes):
        assert len(set(module.__all__)) == len(module.__all__)
        own = {
            name for name, value in vars(module).items() if inspect.isclass(value) or inspect.isroutine(value)
        }
        assert {name for name in own if not name.startswith("_")} <= {
            *module.__all__,
            "Any",
            "TypeVar",
            "ArrayLike",
        }


def examples() -> dict[str, doctest.DocTest]:
    """Examples of all docstrings; the finder of the standard library passes over functions made in C++."""
    texts = {name: docstring(thing) for name, thing in THINGS.items()} | {
        n: docstring(m) for n, m in MODULES.items()
    }
    parser = doctest.DocTestParser()
    made = {name: parser.get_doctest(text, {}, name, None, 0) for name, text in texts.items()}
    return {name: test for name, test in made.items() if test.examples}


EXAMPLES = examples()


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_are_true(name: str) -> None:
    told: list[str] = []
    failed, tried = doctest.DocTestRunner(verbose=False).run(EXAMPLES[name], out=told.append)
    assert failed == 0, "".join(told)
    assert tried == len(EXAMPLES[name].examples)


@pytest.mark.parametrize(
    "name",
    [
        "collide",
        "distance",
        "within",
        "Sphere",
        "Capsule",
        "Box",
        "Convex",
        "Mesh",
        "Group",
        "Pose",
        "Budget",
        "Memory",
    ],
)
def test_what_is_used_most_has_an_example(name: str) -> None:
    assert f"elbowroom.{name}" in EXAMPLES


@pytest.mark.parametrize("question", [er.collide, er.distance, er.within])
def test_a_question_shows_its_signature_and_explains_every_argument(question: Any) -> None:
    signature = inspect.signature(question)
    kinds = [p.kind for p in signature.parameters.values()]
    assert kinds[-1] is inspect.Parameter.KEYWORD_ONLY and list(signature.parameters)[:2] == ["a", "b"]
    for name in signature.parameters:
        assert name in docstring(question).split("Parameters")[1], f"{name} is not explained"
