"""Parts of 3MF files: every object with a mesh that the build places, by itself or within components."""

from __future__ import annotations

import posixpath
import zipfile
from array import array
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

import numpy as np

from elbowroom._arrays import shown
from elbowroom.files.assembly_parts import DEEPEST, Floats, Found, Geometry, Reading, unit_named
from elbowroom.files.unpacking import DAMAGED

#: Where the model is that a file begins with, unless its list of relations names another.
MODEL, RELATIONS = "3D/3dmodel.model", "_rels/.rels"
MODEL_RELATION = "3dmodel"


@dataclass(frozen=True)
class _Placed:
    """An object placed in another, or in the build."""

    path: str
    number: str
    matrix: Floats
    name: str = ""


@dataclass
class _Object:
    """A mesh, or what is placed in it."""

    name: str
    kind: str
    places: array[float] = field(default_factory=lambda: array("d"))
    corners: array[int] = field(default_factory=lambda: array("q"))
    components: list[_Placed] = field(default_factory=list)
    geometry: Geometry | None = None


class _Model:
    """One model of the archive, read element by element."""

    def __init__(self, path: str, content: bytes) -> None:
        self.path, self.unit = path, "millimeter"
        self.objects: dict[str, _Object] = {}
        self.build: list[_Placed] = []
        self._open = _Object("", "model")
        self._begins: dict[str, Any] = {
            "model": self._begin_model,
            "object": self._begin_object,
            "component": self._begin_component,
            "item": self._begin_item,
        }
        parse(content, self._element)

    def _element(self, tag: str, held: dict[str, str]) -> None:
        if tag == "vertex":
            self._open.places.extend((float(held["x"]), float(held["y"]), float(held["z"])))
        elif tag == "triangle":
            self._open.corners.extend((int(held["v1"]), int(held["v2"]), int(held["v3"])))
        elif tag in self._begins:
            self._begins[tag](held)

    def _begin_model(self, held: dict[str, str]) -> None:
        self.unit = held.get("unit", self.unit)

    def _begin_object(self, held: dict[str, str]) -> None:
        name = held.get("name") or held.get("partnumber") or f"object {held['id']}"
        if held["id"] in self.objects:
            raise ValueError(f"there are two objects {shown(held['id'])}")
        self._open = self.objects[held["id"]] = _Object(name, held.get("type", "model"))

    def _begin_component(self, held: dict[str, str]) -> None:
        self._open.components.append(self._placed(held))

    def _begin_item(self, held: dict[str, str]) -> None:
        self.build.append(self._placed(held))

    def _placed(self, held: dict[str, str]) -> _Placed:
        path = held.get("path", "").lstrip("/") or self.path
        return _Placed(path, held["objectid"], _matrix(held.get("transform")), held.get("partnumber", ""))


def read(reading: Reading) -> None:
    """All parts of the build, in the unit of the file."""
    try:
        with zipfile.ZipFile(reading.file) as archive:
            _Package(archive, reading).read()
    except RecursionError:
        raise
    except (*DAMAGED, RuntimeError) as error:  # zipfile has the latter for an archive with a password
        raise ValueError(f"damaged 3MF file: {error}") from error


class _Package:
    """The archive, and the models in it, each read once."""

    def __init__(self, archive: zipfile.ZipFile, reading: Reading) -> None:
        self._archive, self._reading = archive, reading
        self._models: dict[str, _Model] = {}

    def read(self) -> None:
        """The build of the model that the file begins with."""
        model = self._model(self._start())
        self._reading.unit = unit_named(model.unit, "unit")
        if not model.build:
            self._reading.note("has no build, so all its objects are taken")
            placed = {each.number for one in model.objects.values() for each in one.components}
            model.build = [_Placed(model.path, k, np.eye(4)) for k in model.objects if k not in placed]
        for item in model.build:
            self._below(item)

    def _start(self) -> str:
        if RELATIONS not in self._archive.namelist():
            return MODEL
        found: list[str] = []

        def note(tag: str, held: dict[str, str]) -> None:
            if tag == "Relationship" and held.get("Type", "").endswith(MODEL_RELATION):
                found.append(held.get("Target", "").lstrip("/"))

        parse(self._content(RELATIONS), note)
        return found[0] if found else MODEL

    def _content(self, path: str) -> bytes:
        try:
            member = self._archive.getinfo(posixpath.normpath(path))
        except KeyError:
            raise ValueError(f"there is no {shown(path)} in it") from None
        self._reading.allowance.take(member.file_size)  # zipfile reads no more
        return self._archive.read(member)

    def _model(self, path: str) -> _Model:
        if path not in self._models:
            try:
                self._models[path] = _Model(path, self._content(path))
            except KeyError as error:
                raise ValueError(f"{path}: the attribute {error} is missing") from None
            except OverflowError as error:
                raise ValueError(f"{path}: {error}") from error
        return self._models[path]

    def _below(self, item: _Placed) -> None:
        """All meshes of an object and of its components, in the order of the file."""
        todo: list[tuple[_Placed, tuple[str, ...]]] = [(item, ())]
        steps = 0
        while todo:
            placed, parents = todo.pop()
            steps += 1
            one = self._object(placed)
            if one.kind == "support" or len(parents) > DEEPEST:
                if one.kind != "support":
                    raise ValueError(f"object '{one.name}' is nested more than {DEEPEST} deep, or in itself")
                self._reading.note("has support structures, which are left out")
                continue
            if one.corners:
                found = Found(placed.name or one.name, self._geometry(one), placed.matrix, parents)
                self._reading.add(found)
            inside = (*parents, one.name)
            todo += [
                (_Placed(each.path, each.number, placed.matrix @ each.matrix), inside)
                for each in one.components[::-1]
            ]
            if len(todo) + steps > 2 * len(self._reading.found) + LEAST_STEPS:
                raise ValueError(f"object '{one.name}' has components without end, and no mesh")

    def _object(self, placed: _Placed) -> _Object:
        objects = self._model(placed.path).objects
        if placed.number not in objects:
            raise ValueError(f"there is no object {shown(placed.number)}, which is placed")
        return objects[placed.number]

    def _geometry(self, one: _Object) -> Geometry:
        if one.geometry is None:
            places = np.frombuffer(one.places, np.float64).reshape(-1, 3)
            one.geometry = Geometry(places, np.frombuffer(one.corners, np.int64).reshape(-1, 3), one.name)
        return one.geometry


#: Elements of which there are many, and whose attributes are in no namespace.
NUMEROUS = ("vertex", "triangle")
#: Components that lead to no mesh are followed so often.
LEAST_STEPS = 1_000_000


def _matrix(text: str | None) -> Floats:
    """Twelve numbers, the images of the axes and of the origin."""
    out = np.eye(4)
    if text is not None:
        numbers = np.array([float(word) for word in text.split()])
        if numbers.shape != (12,):
            raise ValueError(f"a transform must be twelve numbers, got {shown(text)}")
        out[:3] = numbers.reshape(4, 3).T
    return out


def parse(content: bytes, begin: Any) -> None:
    """Calls `begin` with the name and the attributes of every element, without namespaces.

    Declarations of a document type are refused: entities could grow without bound, and 3MF forbids them.
    """

    def element(tag: str, held: dict[str, str]) -> None:
        name = tag.rpartition(" ")[2]
        if name not in NUMEROUS:
            held = {key.rpartition(" ")[2]: value for key, value in held.items()}
        begin(name, held)

    def refuse(*_: Any) -> None:
        raise ValueError("it declares a document type, which is not allowed")

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = element
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise ValueError(f"not XML: {error}") from error
