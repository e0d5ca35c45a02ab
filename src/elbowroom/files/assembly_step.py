"""Parts of STEP files, read and triangulated by Open CASCADE (the package cadquery-ocp)."""

from __future__ import annotations

from typing import Any

import numpy as np

from elbowroom.files.assembly_parts import DEEPEST, Floats, Found, Geometry, Reading

#: How far triangles are from the true surface, as a share of the diagonal of a part; the angle in radians.
SHARE, ANGLE = 1e-3, 0.3


def read(reading: Reading) -> None:
    """Every solid of the assembly tree with its name, in millimetres."""
    try:
        tools = _Tools()
    except ImportError as error:
        raise ImportError(
            "reading STEP files needs cadquery-ocp, which is not installed: pip install elbowroom[cad]; or "
            "convert the file to GLB, which CAD programs and FreeCAD export"
        ) from error
    reading.unit = "mm"  # to which Open CASCADE converts
    document = tools.opened(reading.file)
    walk = _Walk(tools, reading)
    for label in tools.free(document):
        walk.below(label, np.eye(4), ())
    reading.note(f"curved surfaces are triangulated, within {SHARE:.1%} of the size of each part")


class _Tools:
    """What is used of Open CASCADE, whose names differ a little between its versions."""

    def __init__(self) -> None:
        from OCP import TDF, BRep, BRepBndLib, BRepMesh, TCollection, TopAbs, TopExp, TopoDS, XCAFDoc
        from OCP.Bnd import Bnd_Box
        from OCP.IFSelect import IFSelect_RetDone
        from OCP.Message import Message
        from OCP.STEPCAFControl import STEPCAFControl_Reader
        from OCP.TDataStd import TDataStd_Name
        from OCP.TDocStd import TDocStd_Document
        from OCP.TopLoc import TopLoc_Location

        self.shapes = XCAFDoc.XCAFDoc_ShapeTool
        self._labels: Any = getattr(TDF, "TDF_LabelSequence", None)
        if self._labels is None:
            from OCP.collections import Sequence_TDF_Label

            self._labels = Sequence_TDF_Label
        self._label, self._name, self._location = TDF.TDF_Label, TDataStd_Name, TopLoc_Location
        self._mesher, self._triangles = BRepMesh.BRepMesh_IncrementalMesh, BRep.BRep_Tool.Triangulation_s
        self._box, self._bounds = Bnd_Box, BRepBndLib.BRepBndLib.Add_s
        self._explorer, self._face, self._reversed = (
            TopExp.TopExp_Explorer,
            TopAbs.TopAbs_FACE,
            TopAbs.TopAbs_REVERSED,
        )
        self._as_face = getattr(TopoDS.TopoDS, "Face_s", None) or TopoDS.TopoDS.Face
        self._reader, self._done = STEPCAFControl_Reader, IFSelect_RetDone
        self._document, self._text = TDocStd_Document, TCollection.TCollection_ExtendedString
        self._tool = XCAFDoc.XCAFDoc_DocumentTool.ShapeTool_s
        messenger = Message.DefaultMessenger_s()
        for printer in list(messenger.Printers()):
            messenger.RemovePrinter(printer)

    def opened(self, file: str) -> Any:
        """The document of a file."""
        document, reader = self._document(self._text("XmlXCAF")), self._reader()
        reader.SetNameMode(True)
        if reader.ReadFile(file) != self._done or not reader.Transfer(document):
            raise ValueError("not a STEP file that can be read")
        return document

    def free(self, document: Any) -> list[Any]:
        """Labels that are in no other."""
        found = self._labels()
        self._tool(document.Main()).GetFreeShapes(found)
        return list(found)

    def components(self, label: Any) -> list[Any]:
        """Labels of what an assembly places."""
        found = self._labels()
        self.shapes.GetComponents_s(label, found)
        return list(found)

    def referred(self, label: Any) -> Any:
        """The label of what a component places, or the label itself."""
        other = self._label()
        return other if self.shapes.GetReferredShape_s(label, other) else label

    def name(self, label: Any) -> str:
        """May be empty."""
        held = self._name()
        return str(held.Get().ToExtString()) if label.FindAttribute(self._name.GetID_s(), held) else ""

    def matrix(self, label: Any) -> Floats:
        """Where a component is within its assembly."""
        transform = self.shapes.GetLocation_s(label).Transformation()
        out = np.eye(4)
        out[:3] = [[transform.Value(i, k) for k in range(1, 5)] for i in range(1, 4)]
        return out

    def surface(self, shape: Any) -> tuple[Floats, np.ndarray]:
        """Vertices and triangles of all faces, with their outer sides outside."""
        box = self._box()
        self._bounds(shape, box)
        size = 0.0 if box.IsVoid() else box.SquareExtent() ** 0.5
        self._mesher(shape, max(SHARE * size, 1e-9), False, ANGLE, True)
        vertices, triangles, count = [np.empty((0, 3))], [np.empty((0, 3), np.int64)], 0
        explorer = self._explorer(shape, self._face)
        while explorer.More():
            face, location = self._as_face(explorer.Current()), self._location()
            found = self._triangles(face, location)
            explorer.Next()
            if found is None:
                continue
            nodes, move = found.NbNodes(), location.Transformation()
            points = [found.Node(k).Transformed(move) for k in range(1, nodes + 1)]
            vertices.append(np.array([[p.X(), p.Y(), p.Z()] for p in points]))
            corners = np.array([found.Triangle(k).Get() for k in range(1, found.NbTriangles() + 1)])
            corners = corners[:, ::-1] if face.Orientation() == self._reversed else corners
            triangles.append(corners.reshape(-1, 3) - 1 + count)
            count += nodes
        return np.concatenate(vertices), np.concatenate(triangles)


class _Walk:
    """Visits labels from the top; what is placed several times is triangulated once."""

    def __init__(self, tools: _Tools, reading: Reading) -> None:
        self._tools, self._reading = tools, reading
        self._made: list[tuple[Any, Geometry | None]] = []

    def below(self, label: Any, matrix: Floats, parents: tuple[str, ...]) -> None:
        """The parts of a label, and of all that it places."""
        if len(parents) > DEEPEST:
            raise ValueError(f"its assemblies are nested more than {DEEPEST} deep")
        whole = self._tools.referred(label)
        name = self._tools.name(label) or self._tools.name(whole) or "part"
        if self._tools.shapes.IsAssembly_s(whole):
            for each in self._tools.components(whole):
                self.below(each, matrix @ self._tools.matrix(each), (*parents, name))
            return
        geometry = self._geometry(whole, name)
        if geometry is not None:
            self._reading.add(Found(name, geometry, matrix, parents))

    def _geometry(self, label: Any, name: str) -> Geometry | None:
        for known, geometry in self._made:
            if known.IsEqual(label):
                return geometry
        vertices, triangles = self._tools.surface(self._tools.shapes.GetShape_s(label))
        made = Geometry(vertices, triangles, name) if len(triangles) else None
        self._made.append((label, made))
        return made
