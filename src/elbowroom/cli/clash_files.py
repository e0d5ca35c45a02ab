"""The files of `elbowroom clash`: CSV, and BCF 2.1, the exchange format of issues in building models."""

from __future__ import annotations

import csv
import io
import uuid
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

from elbowroom import _writing
from elbowroom.clashes import Clash, Clashes
from elbowroom.files.assembly import Assembly
from elbowroom.files.assembly_parts import UNITS

COLUMNS = ("kind", "a", "b", "gap", "depth", "x", "y", "z", "duplicate", "unit")
#: How a formula begins in spreadsheets.
FORMULAS = ("=", "+", "-", "@", "\t", "\r")
#: Topics have the same identifiers whenever the same parts clash, so that programs know them again.
SPACE = uuid.UUID("5b1f4a3e-6f0e-4f0b-9f0c-6d9f3c2b7a11")
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
#: From where a viewpoint looks, and how much of it is seen.
TOWARDS, UP, ANGLE = np.array([-0.6, 0.6, -0.529]), np.array([-0.374, 0.374, 0.849]), 45.0


def write_rows(file: Path, found: Clashes, unit: str | None) -> None:
    """One row for each clash."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for clash in found.clashes:
        place = [f"{x:.9g}" for x in found.place(clash)]
        measures = [f"{clash.gap:.9g}", f"{clash.depth:.9g}"]
        writer.writerow(
            [
                clash.kind,
                _plain(clash.a),
                _plain(clash.b),
                *measures,
                *place,
                int(clash.duplicate),
                unit or "",
            ]
        )
    _writing.write_text(file, text.getvalue())


def _plain(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(FORMULAS) else name


def as_named(cell: str) -> str:
    """The name in a cell."""
    name = cell.strip()
    return name[1:] if name.startswith("'") and name[1:].startswith(FORMULAS) else name


def write_issues(file: Path, found: Clashes, assembly: Assembly) -> None:
    """A topic with a viewpoint for each clash; lengths in metres, as the format has them."""
    metre = 1.0 if assembly.unit is None else UNITS[assembly.unit]
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "bcf.version",
            f'{XML}<Version VersionId="2.1"><DetailedVersion>2.1</DetailedVersion></Version>\n',
        )
        for number, clash in enumerate(found.clashes):
            topic = str(uuid.uuid5(SPACE, f"{clash.kind}\0{clash.a}\0{clash.b}"))
            archive.writestr(f"{topic}/markup.bcf", _markup(topic, clash, number, now, assembly.unit))
            archive.writestr(f"{topic}/viewpoint.bcfv", _viewpoint(topic, clash, metre))
    _writing.write_bytes(file, content.getvalue())


def _markup(topic: str, clash: Clash, number: int, now: str, unit: str | None) -> str:
    title = (
        f"{clash.a} inside {clash.b}" if clash.kind == "inside" else f"{clash.kind}: {clash.a} - {clash.b}"
    )
    length = f"{unit or ''}".strip()
    told = f"depth at least {clash.depth:.6g} {length}" if clash.depth else f"gap {clash.gap:.6g} {length}"
    view = uuid.uuid5(SPACE, f"view {topic}")
    return (
        f'{XML}<Markup><Topic Guid="{topic}" TopicType="Clash" TopicStatus="Open">'
        f"<Title>{_text(title)}</Title><Index>{number}</Index>"
        f"<CreationDate>{now}</CreationDate><CreationAuthor>elbowroom</CreationAuthor>"
        f"<Description>{_text(told.strip())}</Description></Topic>"
        f'<Viewpoints Guid="{view}"><Viewpoint>viewpoint.bcfv</Viewpoint></Viewpoints></Markup>\n'
    )


def _viewpoint(topic: str, clash: Clash, metre: float) -> str:
    size = max(float(np.linalg.norm(np.ptp(clash.box, axis=0))), clash.depth, clash.gap, 1e-3 / metre)
    eye = (clash.point - 4.0 * size * TOWARDS) * metre
    view = uuid.uuid5(SPACE, f"view {topic}")
    return (
        f'{XML}<VisualizationInfo Guid="{view}">'
        '<Components><Visibility DefaultVisibility="true"/></Components>'
        f"<PerspectiveCamera>{_point('CameraViewPoint', eye)}{_point('CameraDirection', TOWARDS)}"
        f"{_point('CameraUpVector', UP)}<FieldOfView>{ANGLE:g}</FieldOfView></PerspectiveCamera>"
        "</VisualizationInfo>\n"
    )


def _point(tag: str, values: np.ndarray) -> str:
    inner = "".join(f"<{axis}>{float(x):.9g}</{axis}>" for axis, x in zip("XYZ", values, strict=True))
    return f"<{tag}>{inner}</{tag}>"


def _text(words: str) -> str:
    """Without characters that XML does not have."""
    return escape("".join(c if c >= " " else " " for c in words))
