"""Scenes, tables, specs and files of atoms made to take long, to overflow, or to grow: they are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import elbowroom as er
from elbowroom import _bonds as bonds_reader
from elbowroom.files.bonds import guessed_bonds
from elbowroom.files.moveit import read_scene
from elbowroom.files.paths import read_configurations
from elbowroom.files.trajectory import read_trajectory
from elbowroom.sampling import Run, read_spec
from elbowroom.sampling._disk.layout import RUN


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text)
    return file


# Scenes.

OPENED = 200_000


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("world: " + "[" * OPENED, "nested"),
        ("world: " + "[" * OPENED + "]" * OPENED, "nested"),
        ("world: " + "{a: " * OPENED, "nested"),
        ("world: 1" + ":1" * OPENED, "a number has more than 400 digits"),
        ("a: &a {x: 1}\nb: {<<: [*a, *a]}", "merge keys"),
        ("a: &a [1, 1]\n" + "".join(f"a{k}: &a{k} [*a{k - 1 if k else ''}, *a{k - 1 if k else ''}]\n"
                                     for k in range(50)), "aliases"),
        ("a: &a [" + "1, " * 2000 + "1]\nb: [" + "*a, " * 2000 + "*a]", "aliases"),
    ],
    ids=["open", "closed", "mappings", "base 60", "merged", "doubled", "repeated"],
)  # fmt: skip
def test_yaml_that_grows_or_goes_deep_is_refused(text: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=rf"scene\.yaml: not YAML: .*{fault}"):
        read_scene(written(tmp_path, "scene.yaml", text))


def test_aliases_are_read(tmp_path: Path) -> None:
    shape = "primitives: &s [{type: sphere, dimensions: [1]}]"
    text = f"world:\n  collision_objects: [{{id: a, {shape}}}, {{id: b, primitives: *s}}]"
    assert read_scene(written(tmp_path, "scene.yaml", text)).names == ("a", "b")


# Tables, specs and runs.


class Compared(str):
    """A name that counts how often it is compared."""

    count = 0

    def __eq__(self, other: object) -> bool:
        Compared.count += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_columns_are_looked_up_and_not_searched_for(tmp_path: Path) -> None:
    def comparisons(count: int) -> int:
        names = [Compared(f"q{k}") for k in range(count)]
        file = written(
            tmp_path, "path.csv", ",".join(reversed(names)) + "\n" + ",".join(map(str, range(count)))
        )
        Compared.count = 0
        assert read_configurations(file, names)[0].tolist() == list(range(count))[::-1]
        return Compared.count

    assert comparisons(200) < 2.5 * comparisons(100)


def test_columns_of_one_name_keep_their_order(tmp_path: Path) -> None:
    file = written(tmp_path, "path.csv", "b,a,a\n1,2,3\n")
    assert read_configurations(file, ["a", "b", "a"]).tolist() == [[2, 1, 3]]


@pytest.mark.parametrize(
    "text", ["a" + ".a" * 5000 + " = 1", "[" + "a . " * 5000 + "a]", 'x = {"a"' + '."a"' * 90]
)
def test_keys_of_many_parts_are_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"run\.toml: .*dots"):
        read_spec(written(tmp_path, "run.toml", text))


def test_dots_in_numbers_and_remarks_are_none_of_keys(tmp_path: Path) -> None:
    text = (
        "# " + "." * 99 + "\n[chain]\nbeads = 9\n[run]\nsteps = 5\n[energy]\nform = 'table'\ncutoff = 2.0\n"
    )
    text += "values = [" + ", ".join(["[1.5, 2.5]"] * 40) + "]\n"
    with pytest.raises(ValueError, match="values"):
        read_spec(written(tmp_path, "run.toml", text))


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[]", "{}"])
def test_a_damaged_run_is_refused(text: str, tmp_path: Path) -> None:
    written(tmp_path, RUN, text)
    with pytest.raises(ValueError, match="folder"):
        Run.load(tmp_path)


# Atoms.


COUNTED = {
    "a.xyz": "{n}\n\nC 0 0 0\n",
    "a.txyz": "{n} title\n 1 C 0.0 0.0 0.0 1\n",
    "a.gro": "title\n{n}\n    1SOL     OW    1   0.000   0.000   0.000\n   1 1 1\n",
    "a.psf": "PSF\n\n       1 !NTITLE\n title\n\n{n} !NATOM\n   1 A 1 ALA N N -0.3 14.0 0\n",
    "a.lammpsdump": "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n{n}\nITEM: ATOMS id type x y z\n1 1 0 0 0\n",
    "a.inpcrd": "title\n{n}\n 0.0 0.0 0.0\n",
    "a.history": "title\n 0 0 {n} 1 1\n",
    "a.itp": "[ moleculetype ]\nX 3\n[ atoms ]\n1 C 1 R C 1 0 12\n[ system ]\nt\n[ molecules ]\nX {n}\n",
}


@pytest.mark.parametrize("name", COUNTED)
def test_more_atoms_than_a_file_has_bytes_are_not_made_room_for(name: str, tmp_path: Path) -> None:
    file = written(tmp_path, name, COUNTED[name].format(n=10**9))
    with pytest.raises(ValueError, match=rf"{name}: cannot be read \(it states 1,000,000,000"):
        read_trajectory(file, radius=0.1)


def test_atoms_far_apart_take_no_grid_of_all_the_space_between(monkeypatch: pytest.MonkeyPatch) -> None:
    from MDAnalysis.lib import distances

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a grid was made")

    monkeypatch.setattr(distances, "_nsgrid_capped_self", refuse)
    carbons, line = np.full(400, "C"), np.zeros((400, 3))
    line[:, 0] = np.repeat(np.arange(200) * 1e3, 2) + np.tile([0, 1.5], 200)
    for box in (None, np.array([1e6, 1e6, 1e6, 90, 90, 90], np.float32)):
        found = np.sort(guessed_bonds(line, carbons, box), axis=1)
        assert found[np.argsort(found[:, 0])].tolist() == [[2 * k, 2 * k + 1] for k in range(200)]


def test_bonds_are_found_across_the_faces_of_a_box() -> None:
    ends, box = (
        np.array([[0.2, 5, 5], [19.0, 5, 5], [10, 5, 5]]),
        np.array([20, 20, 20, 90, 90, 90], np.float32),
    )
    assert np.sort(guessed_bonds(ends, np.full(3, "C"), box)).tolist() == [[0, 1]]
    assert guessed_bonds(ends, np.full(3, "C"), None).tolist() == []


def test_a_star_of_bonds_does_not_join_all_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    star = np.stack([np.zeros(99, np.int32), np.arange(1, 100, dtype=np.int32)], axis=1)
    assert len(bonds_reader.pairs_within(star, 100, 2)) == 100 * 99 // 2
    monkeypatch.setattr(bonds_reader, "MOST_STEPS", 0)
    monkeypatch.setattr(bonds_reader, "STEPS_AN_ATOM", 50)
    with pytest.raises(ValueError, match="exclude: too many atoms"):
        bonds_reader.pairs_within(star, 100, 2)


def test_sulfurs_in_one_place_are_not_all_bridged(tmp_path: Path) -> None:
    def allowed(count: int) -> int:
        atoms = []
        for k in range(count):
            for name, x in (("N", 0.0), ("CA", 1.0), ("C", 2.0), ("SG", -3.8 * k)):
                place = f"{3.8 * k + x:8.3f}{0:8.3f}{0:8.3f}{name[0]:>24}"
                atoms.append(f"ATOM  {len(atoms) + 1:5d}  {name:<3} CYS A{k + 1:4d}    {place}\n")
        file = written(tmp_path, f"{count}.pdb", "".join(atoms))
        return len(er.Chain.from_pdb(file, atoms="all", breaks="bridge", missing="drop")._rule.named)

    assert 0 < allowed(60) < 2.3 * allowed(30)
