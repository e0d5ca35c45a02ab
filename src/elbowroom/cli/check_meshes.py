"""`elbowroom check` of several meshes, or of two with a clearance, a picture or a page."""

from __future__ import annotations

from pathlib import Path

import elbowroom as er
from elbowroom.clashes import Clash, Clashes, find_clashes
from elbowroom.files.assembly import Assembly, Part

from .check import load_mesh, near, read_pose
from .clash_show import facts, measure
from .complaint import Complaint, check_file, write_json
from .options import MoveOptions, Wanted, check_plot
from .overlaps import plural
from .overwriting import overwriting, write_page
from .patience import patient_display

LISTED = 20  # pairs that are printed; all go into the files


def check_meshes(files: tuple[Path, ...], wanted: Wanted, moves: MoveOptions) -> int:
    """Print the verdict; 0 when the surfaces are free of each other and far enough apart, 1 when not."""
    check_file("--json", wanted.json)
    check_file("--html", wanted.html)
    check_plot(wanted.plot)
    moves.check()
    if wanted.distance:
        raise Complaint("--distance: only for two meshes, without --clearance, --plot and --html; remove it")
    pose = read_pose("--pose-b", wanted.pose_b) or er.Pose()
    with patient_display() as say:
        parts = []
        for k, (name, file) in enumerate(zip(_names(files), files, strict=True)):
            say(f"reading {file.name}", k, len(files))
            mesh = load_mesh(("A", "B")[k] if k < 2 else "MORE", file)
            parts.append(Part(name, mesh, pose if k == 1 else er.Pose(), (), str(file)))
        assembly = Assembly(tuple(parts), None, (), tuple(map(str, files)))
        found = find_clashes(assembly, clearance=moves.clearance, tolerance=0.0, said=say)
        wrong = [clash for clash in found.clashes if clash.kind != "inside" or clash.gap < moves.clearance]
        _write(found, wrong, wanted)
    print("\n".join(_lines(found, wrong)))
    verdict = "free" if not wrong else "collision" if any(_meet(clash) for clash in wrong) else "too near"
    write_json(wanted.json, facts(assembly, found) | {"verdict": verdict})
    return int(bool(wrong))


def _names(files: tuple[Path, ...]) -> list[str]:
    names = [file.name for file in files]
    return [name if names.count(name) == 1 else f"{name} {k + 1}" for k, name in enumerate(names)]


def _meet(clash: Clash) -> bool:
    return clash.kind in ("overlap", "touch")


def _lines(found: Clashes, wrong: list[Clash]) -> list[str]:
    """The verdict, and the pairs with their places."""
    many = plural(len(found.parts), "mesh").replace("meshs", "meshes")
    hits = [clash for clash in wrong if _meet(clash)]
    if hits:
        lines = [f"collision: {plural(len(hits), 'pair')} of {many}"]
    elif wrong:
        lines = [f"too near: {plural(len(wrong), 'pair')} of {many} closer than {found.clearance:g}"]
    else:
        wish = f" or come closer than {found.clearance:g}" if found.clearance else ""
        lines = [f"free: the surfaces of {many} do not touch{wish}"]
    for clash in wrong[:LISTED]:
        how = {"overlap": "overlaps", "touch": "touches"}.get(clash.kind, "is near")
        length = f"{clash.gap:.4g} apart" if clash.kind == "inside" else measure(clash, "")
        told = f", {length}" if length else ""
        lines.append(f"  {clash.a} {how} {clash.b}{told}, {near(found.place(clash))}")
    if len(wrong) > LISTED:
        lines.append(f"  and {len(wrong) - LISTED:,} more pairs; --json and --html have all")
    inside = [clash for clash in found.clashes if clash.kind == "inside"]
    return lines + [f"  {clash.a} lies inside {clash.b}" for clash in inside]


def _write(found: Clashes, wrong: list[Clash], wanted: Wanted) -> None:
    """The picture of the worst pair, and the page."""
    title = ", ".join(found.parts[:3]) + (", ..." if len(found.parts) > 3 else "")
    if wanted.plot is not None:
        from .plot_meshes import write_meshes

        with overwriting(wanted.plot):
            write_meshes(wanted.plot, found, wrong[0] if wrong else None)
    if wanted.html is not None:
        from elbowroom.pictures.clash_page import clash_page

        write_page(wanted.html, clash_page(title, found))
