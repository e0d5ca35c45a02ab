"""The public names, by the module in which one finds them, and the pages that show examples of them."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from code_blocks import blocks_of

API = Path(__file__).parents[2] / "docs" / "api"

#: Modules whose `__all__` is public.
LISTED = (
    "elbowroom",
    "elbowroom.analysis",
    "elbowroom.baselines",
    "elbowroom.energies",
    "elbowroom.files",
    "elbowroom.files.moveit",
    "elbowroom.files.moveit_robot",
    "elbowroom.files.paths",
    "elbowroom.files.trajectory",
    "elbowroom.planning",
    "elbowroom.planning.ompl",
    "elbowroom.reproduce",
    "elbowroom.sampling",
    "elbowroom.scenes",
    "elbowroom.pictures",
    "elbowroom.viewer",
    "elbowroom.volumes",
)
#: Readers beside them, of which these names are public.
READERS = {
    "elbowroom.clashes": ("Clash", "Clashes", "Filter", "find_clashes"),
    "elbowroom.files.assembly": ("Assembly", "Part", "read_assembly"),
    "elbowroom.files.bvh": ("BvhParts", "read_bvh"),
    "elbowroom.files.dcd": ("DcdWriter",),
    "elbowroom.files.pdb_writer": ("write_pdb",),
    "elbowroom.files.srdf": ("read_srdf",),
    "elbowroom.files.writing": ("write_chain",),
    "elbowroom.files.urdf": ("RobotParts", "read_urdf"),
}
#: A signature in the docstring of a function made in C++, which is there if it says more or not.
SIGNATURE = re.compile(r"^\w*\(self.*\)( -> .*)?$", re.MULTILINE)


def public_names() -> dict[str, Any]:
    """Every public name, with the module before it, and what it is."""
    names = {module: importlib.import_module(module).__all__ for module in LISTED} | READERS
    return {
        f"{module}.{name}": getattr(importlib.import_module(module), name)
        for module, listed in names.items()
        for name in listed
    }


def members_of(thing: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties, inherited ones from within the library too; no defaults of fields."""
    for name, value in inspect.getmembers_static(thing):
        owner = next(base for base in thing.__mro__ if name in vars(base))
        a_field = name in getattr(thing, "__dataclass_fields__", {}) or name in getattr(thing, "_fields", ())
        if not name.startswith("_") and not a_field and owner.__module__.startswith("elbowroom"):
            yield name, value


def docstring(thing: Any) -> str:
    """What is said in words."""
    inner = getattr(thing, "__func__", thing)
    return SIGNATURE.sub("", inspect.getdoc(inner) or "").strip()


def is_value(thing: Any) -> bool:
    """Words, numbers and tuples, which have no docstring of their own."""
    return isinstance(thing, (str, int, float, tuple)) and not isinstance(thing, type)


def shown_on_pages() -> set[str]:
    """Every word in the code that the pages of the API run."""
    code = [
        block.text for page in API.glob("*.md") for block in blocks_of(page) if block.language == "python"
    ]
    return set(re.findall(r"\w+", "\n".join(code)))


def has_example(name: str, thing: Any, shown: set[str]) -> bool:
    """In its docstring, or in one of its members', or on a page of the API."""
    if not is_value(thing) and ">>>" in docstring(thing):
        return True
    members = members_of(thing) if inspect.isclass(thing) else ()
    return any(">>>" in docstring(value) for _, value in members) or name.rsplit(".", 1)[1] in shown
