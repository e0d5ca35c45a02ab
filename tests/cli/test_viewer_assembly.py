"""Assemblies in the viewer: parts in groups, clashes as curves, one of them chosen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from assembly_files import Gltf

import elbowroom as er
from elbowroom.viewer import Exhibit, Show, open_exhibit
from elbowroom.viewer import exhibit_assembly as module


@pytest.fixture
def exhibit(tmp_path: Path) -> Exhibit:
    """Two rows, with a bracket raised into its pipe and a screw moved into its bracket."""
    shapes, parts = er.scenes.assembly(2, 2, faults=2, seed=1)
    made = Gltf()
    numbers = {name: made.mesh(*surface) for name, surface in shapes.items()}
    for one in parts:
        made.node(one.name, mesh=numbers[one.shape], matrix=one.pose.T.ravel().tolist())
    return open_exhibit(made.write(tmp_path / "rack.glb"))


def names(exhibit: Exhibit, **show: float | bool) -> list[str]:
    return [layer.name for layer in exhibit.layers(Show(**show))]  # type: ignore[arg-type]


def test_parts_are_shown_by_name_in_groups(exhibit: Exhibit) -> None:
    assert {control.name for control in exhibit.controls} == {"clash", "beam", "pipe", "bracket", "screw"}
    assert names(exhibit)[0] == "body/beam/beam-00" and names(exhibit)[-1] == "collisions/curves"
    exhibit.set("pipe", False)
    assert not any("pipe" in name for name in names(exhibit)) and exhibit.values()["pipe"] is False
    assert not exhibit.plays and dict(exhibit.counters())["overlap"] == "2"
    with pytest.raises(ValueError, match="no control 'pipes'"):
        exhibit.set("pipes", True)


def test_a_chosen_clash_is_in_front(exhibit: Exhibit) -> None:
    choice = exhibit.controls[0].choices[1]
    whole = exhibit.bounds()
    exhibit.set("clash", choice)
    layers = {layer.name: layer for layer in exhibit.layers(Show())}
    solid = {name for name, layer in layers.items() if name.startswith("body/") and layer.opacity > 0.3}
    assert solid == {name for name in layers if name.rpartition("/")[2] in choice.split(": ")[1].split(" - ")}
    cut = layers["collisions/curves"].points
    near = exhibit.bounds()
    assert (near[0] <= cut.reshape(-1, 3)).all() and (cut.reshape(-1, 3) <= near[1]).all()
    assert np.ptp(near, axis=0).max() < np.ptp(whole, axis=0).max()
    assert dict(exhibit.counters())["chosen"] in choice
    with pytest.raises(ValueError, match="clash must be"):
        exhibit.set("clash", "another")


def test_many_parts_are_drawn_group_by_group(exhibit: Exhibit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_NODES", 3)
    assert names(exhibit) == ["body/beam", "body/pipe", "body/bracket", "body/screw", "collisions/curves"]
    exhibit.set("clash", exhibit.controls[0].choices[1])
    assert len(names(exhibit)) == 7


def test_near_pairs_are_lines(exhibit: Exhibit) -> None:
    layers = {layer.name: layer for layer in exhibit.layers(Show(within=0.3))}
    lines = layers["closest/lines"].points
    assert len(lines) > 3 and np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1).max() <= 0.3
    assert "closest/lines" in names(exhibit, closest=True) and "closest/lines" not in names(exhibit)
