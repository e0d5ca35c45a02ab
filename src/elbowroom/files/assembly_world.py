"""An assembly as a World."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from elbowroom.articulated import Articulated
from elbowroom.body import Body
from elbowroom.files.assembly import Assembly, File, Part, Say, read_assembly
from elbowroom.files.urdf_meshes import Packages

if TYPE_CHECKING:
    from elbowroom.world import World

Kind = TypeVar("Kind", bound="World")


def load_world(
    kind: type[Kind],
    paths: File | Sequence[File],
    *,
    units: str | None = None,
    assume: str | None = None,
    packages: Packages = None,
    said: Say | None = None,
) -> Kind:
    """A world of the parts of files; what a reader should know of them is a warning."""
    assembly = read_assembly(paths, units=units, assume=assume, packages=packages, said=said)
    for note in assembly.notes:
        warnings.warn(note, UserWarning, stacklevel=3)
    return filled(kind(), assembly)


def assembly_of(world: World) -> Assembly:
    """The bodies of a world where they are now, as parts."""
    parts = []
    for name in world.names:
        body, pose = world[name].body, world[name].pose
        if not isinstance(body, Body | Articulated):
            raise ValueError(
                f"{name!r} is a {type(body).__name__}, and only rigid and articulated bodies are parts"
            )
        parts.append(Part(name, body, pose))
    never = [(_written(a), _written(b)) for a, b in world.excluded]
    return Assembly(tuple(parts), None, (), (), tuple(never))


def _written(who: str | tuple[str, str]) -> str:
    return who if isinstance(who, str) else "/".join(who)


def filled(world: Kind, assembly: Assembly) -> Kind:
    """The world with all parts in it; what robots hold is attached to their links."""
    world.add({part.name: (part.body, part.pose) for part in assembly.parts})
    link_of: dict[str, Any] = {
        name: (part.name, number)  # not its name, which may be that of a part, too
        for part in assembly.parts
        if isinstance(part.shape, Articulated)
        for number, link in enumerate(part.shape.link_names)
        for name in (link, f"{part.name}/{link}")
    }
    for part in assembly.parts:
        if part.attached is not None:
            world.attach(part.name, to=part.attached.robot, link=part.attached.link)
    for pair in assembly.allowed:
        a, b = (name if name in world else link_of.get(name) for name in pair)
        if a is not None and b is not None and a != b:
            world.exclude(a, b)
    return world
