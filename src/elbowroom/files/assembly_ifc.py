"""Parts of IFC files, read and triangulated by IfcOpenShell."""

from __future__ import annotations

from typing import Any

import numpy as np

from elbowroom.files.assembly_parts import Found, Geometry, Reading

#: Products that are no matter.
SKIPPED = ("IfcOpeningElement", "IfcSpace", "IfcGrid", "IfcAnnotation")


def read(reading: Reading) -> None:
    """Every building element with a shape, in metres, below its storey or building."""
    try:
        import ifcopenshell
        from ifcopenshell import geom
    except ImportError as error:
        raise ImportError(
            "reading IFC files needs ifcopenshell, which is not installed: pip install elbowroom[cad]; or "
            "convert the file to GLB with IfcConvert"
        ) from error
    reading.unit = "m"
    try:
        model = ifcopenshell.open(reading.file)
    except Exception as error:
        raise ValueError(f"not an IFC file that can be read: {error}") from error
    made: dict[str, Geometry] = {}
    iterator = geom.iterator(geom.settings(), model, 1)
    going = iterator.initialize()
    while going:
        shape = iterator.get()
        if shape.type not in SKIPPED:
            _add(reading, model, shape, made)
        going = iterator.next()
    reading.note("curved surfaces are triangulated")


def _add(reading: Reading, model: Any, shape: Any, made: dict[str, Geometry]) -> None:
    faces = np.array(shape.geometry.faces, np.int64).reshape(-1, 3)
    if not len(faces):
        return
    product = model.by_guid(shape.guid)
    name = str(product.Name or f"{shape.type} {shape.guid}")
    key = str(shape.geometry.id)
    if key not in made:
        vertices = np.array(shape.geometry.verts, np.float64).reshape(-1, 3)
        made[key] = Geometry(vertices, faces, name)
    matrix = np.array(shape.transformation.matrix, np.float64).reshape(4, 4).T
    reading.add(Found(name, made[key], matrix, (shape.type, *_above(product))))


def _above(product: Any) -> tuple[str, ...]:
    """The storey or space that contains it."""
    found = getattr(product, "ContainedInStructure", None) or ()
    return tuple(str(each.RelatingStructure.Name) for each in found if each.RelatingStructure.Name)
