"""STEP and IFC: names, places, what is shared, and solids that are closed. Needs the extra `cad`."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import elbowroom as er
from elbowroom._enclosure import Enclosure
from elbowroom.clashes import find_clashes
from elbowroom.files.assembly import read_assembly


def write_step(path: Path) -> Path:
    """An assembly "frame" of a block and two pins that share their shape."""
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCylinder
    from OCP.gp import gp_Trsf, gp_Vec
    from OCP.STEPCAFControl import STEPCAFControl_Writer
    from OCP.TCollection import TCollection_ExtendedString
    from OCP.TDataStd import TDataStd_Name
    from OCP.TDocStd import TDocStd_Document
    from OCP.TopLoc import TopLoc_Location
    from OCP.XCAFDoc import XCAFDoc_DocumentTool

    document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
    shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    frame = shapes.NewShape()
    TDataStd_Name.Set_s(frame, TCollection_ExtendedString("frame"))
    block = shapes.AddShape(BRepPrimAPI_MakeBox(10.0, 20.0, 30.0).Shape(), False)
    pin = shapes.AddShape(BRepPrimAPI_MakeCylinder(3.0, 40.0).Shape(), False)
    for k, (name, shape) in enumerate([("block", block), ("left", pin), ("right", pin)]):
        move = gp_Trsf()
        move.SetTranslation(gp_Vec(20.0 * k, 0, 0))
        label = shapes.AddComponent(frame, shape, TopLoc_Location(move))
        TDataStd_Name.Set_s(label, TCollection_ExtendedString(name))
    shapes.UpdateAssemblies()
    writer = STEPCAFControl_Writer()
    writer.SetNameMode(True)
    assert writer.Transfer(document)
    writer.Write(str(path))
    return path


def test_step(tmp_path: Path) -> None:
    read = read_assembly(write_step(tmp_path / "frame.step"))
    assert read.names == ("block", "left", "right") and read.unit == "mm"
    block, left, right = read.parts
    assert left.shape is right.shape and left.parents == ("frame",)
    assert right.pose.translation.tolist() == [40, 0, 0]
    assert block.shape.vertices.max(axis=0).tolist() == [10, 20, 30]
    assert "within 0.1%" in read.notes[0]
    for part in (block, left):
        assert isinstance(part.body, er.Mesh)
        a, b, c = np.moveaxis(part.shape.vertices[part.shape.faces], 1, 0)
        true = 6000.0 if part is block else np.pi * 9 * 40
        assert Enclosure(part.body).closed
        assert abs(np.einsum("nd,nd->", a, np.cross(b, c)) / 6 - true) < 0.02 * true
    assert not find_clashes(read)
    assert read_assembly(tmp_path / "frame.step", units="m").parts[2].pose.translation[0] == 0.04


def test_ifc(tmp_path: Path) -> None:
    import ifcopenshell.api

    def run(*arguments: object, **more: object) -> object:
        return ifcopenshell.api.run(*arguments, **more)

    model = run("project.create_file")
    run("root.create_entity", model, ifc_class="IfcProject", name="project")
    run("unit.assign_unit", model)
    context = run("context.add_context", model, context_type="Model")
    body = run(
        "context.add_context",
        model,
        context_type="Model",
        context_identifier="Body",
        target_view="MODEL_VIEW",
        parent=context,
    )
    storey = run("root.create_entity", model, ifc_class="IfcBuildingStorey", name="ground floor")
    for k in range(2):
        wall = run("root.create_entity", model, ifc_class="IfcWall", name=f"wall {k}")
        place = np.eye(4)
        place[:3, 3] = 3 * k, k, 0
        run("geometry.edit_object_placement", model, product=wall, matrix=place)
        shape = run(
            "geometry.add_wall_representation", model, context=body, length=5, height=3, thickness=0.2
        )
        run("geometry.assign_representation", model, product=wall, representation=shape)
        run("spatial.assign_container", model, relating_structure=storey, products=[wall])
    model.write(str(tmp_path / "walls.ifc"))  # type: ignore[attr-defined]
    read = read_assembly(tmp_path / "walls.ifc")
    assert read.names == ("wall 0", "wall 1") and read.unit == "m"
    assert read.parts[1].parents == ("IfcWall", "ground floor")
    assert read.parts[1].pose.translation.tolist() == [3, 1, 0]
    assert np.allclose(np.ptp(read.parts[0].shape.vertices, axis=0), [5, 0.2, 3])
    (near,) = find_clashes(read, clearance=1).clashes
    assert near.kind == "near" and abs(near.gap - 0.8) < 1e-9
