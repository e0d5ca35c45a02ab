"""What signatures say: no `Any` where programs see it, and the same at run time as in the declarations."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from public_names import members_of, public_names

import elbowroom as er
from elbowroom import _core, questions

ANY = re.compile(r"\bAny\b")
STUB = ast.parse(resources.files(_core).joinpath("__init__.pyi").read_text())
DECLARED = ast.parse(Path(inspect.getfile(questions)).read_text())


def functions() -> Iterator[tuple[str, Any]]:
    """Every public function, method, property and constructor that is written in Python."""
    for name, thing in public_names().items():
        if not inspect.isclass(thing):
            if inspect.isfunction(thing):
                yield name, thing
            continue
        if "__init__" in vars(thing) and not hasattr(thing, "__dataclass_fields__"):
            yield f"{name}.__init__", thing.__init__
        for label, member in members_of(thing):
            inner = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
            yield f"{name}.{label}", inner


def test_no_public_signature_says_any() -> None:
    seen, wrong = 0, {}
    for name, function in functions():
        annotations = getattr(function, "__annotations__", None) or {}
        seen += bool(annotations)
        wrong |= {f"{name}({place})": told for place, told in annotations.items() if ANY.search(str(told))}
    assert seen > 400 and wrong == {}


def test_no_public_field_says_any() -> None:
    wrong = {
        f"{name}.{field.name}": field.type
        for name, thing in public_names().items()
        for field in getattr(thing, "__dataclass_fields__", {}).values()
        if inspect.isclass(thing) and not field.name.startswith("_") and ANY.search(str(field.type))
    }
    assert wrong == {}


def test_the_stub_of_the_core_says_no_any() -> None:
    assert [node.lineno for node in ast.walk(STUB) if isinstance(node, ast.Name) and node.id == "Any"] == []


Shape = list[tuple[str, str, str]]


def shape_of(function: ast.FunctionDef, drop: int = 0) -> Shape:
    """Names, kinds and defaults of the arguments that are declared."""
    args = function.args
    given = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(given) - len(args.defaults)) + args.defaults
    out = [(a.arg, "any", _told(d)) for a, d in zip(given, defaults, strict=True)][drop:]
    return out + [
        (a.arg, "keyword", _told(d)) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True)
    ]


def _told(default: Any) -> str:
    return "" if default is None else ast.unparse(default)


def shape_at_run_time(function: Any, drop: int = 0) -> Shape:
    parameters = list(inspect.signature(function).parameters.values())[drop:]
    kinds = {inspect.Parameter.KEYWORD_ONLY: "keyword"}
    return [
        (p.name, kinds.get(p.kind, "any"), "" if p.default is p.empty else repr(p.default))
        for p in parameters
    ]


def names_of(shape: Shape) -> list[tuple[str, str]]:
    return [(name, kind) for name, kind, _ in shape]


@pytest.mark.parametrize("name", questions.__all__)
def test_a_question_takes_what_is_declared(name: str) -> None:
    """Every overload has the arguments of the function; the function itself also the same defaults."""
    made = [n for n in ast.walk(DECLARED) if isinstance(n, ast.FunctionDef) and n.name == name]
    actual = shape_at_run_time(getattr(er, name))
    *overloads, last = made
    assert shape_of(last) == actual
    for each in overloads:
        assert names_of(shape_of(each)) == names_of(actual)
    given = dict.fromkeys((argument for argument, _, _ in actual), None)
    with pytest.raises((TypeError, ValueError)) as refused:
        getattr(er, name)(**given)  # every name is known: it is the bodies that are refused
    assert "has no argument" not in str(refused.value)
    with pytest.raises(TypeError, match="has no argument"):
        getattr(er, name)(**given, unheard_of=1)


def test_methods_of_the_core_take_what_the_stub_declares() -> None:
    compared = 0
    for kind in (node for node in STUB.body if isinstance(node, ast.ClassDef)):
        owner = getattr(_core, kind.name)
        for method in (node for node in kind.body if isinstance(node, ast.FunctionDef)):
            made = inspect.getattr_static(owner, method.name)
            if not getattr(made, "__text_signature__", None) or method.name.startswith("_"):
                continue
            assert names_of(shape_of(method, drop=1)) == names_of(shape_at_run_time(made, drop=0)), (
                method.name
            )
            compared += 1
    assert compared > 5
