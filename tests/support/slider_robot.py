"""Three balls on a rail, as URDF and SRDF files: a robot of which every overlap is known beforehand."""

from __future__ import annotations

from pathlib import Path

from robot_files import collision, joint, link, robot

BALL = collision('<sphere radius="1"/>')
LIMIT = '<axis xyz="1 0 0"/><limit lower="-8" upper="8" effort="1" velocity="1"/>'
SRDF = '<robot name="r"><disable_collisions link1="a" link2="b" reason="Never"/></robot>'


def write_sliders(folder: Path) -> Path:
    """Balls a, b, c of radius 1 on one rail, at 0, 10 and 20, that slide by up to 8; pairs.srdf beside it."""
    places = {"a": 0, "b": 10, "c": 20}
    parts = [link("rail"), *(link(name, BALL) for name in places)]
    for name, x in places.items():
        parts.append(joint(f"to {name}", "prismatic", "rail", name, f'<origin xyz="{x} 0 0"/>', LIMIT))
    file = folder / "sliders.urdf"
    file.write_text(robot(*parts))
    (folder / "pairs.srdf").write_text(SRDF)
    return file
