"""Clashes of assemblies: kinds, depths, places, and which pairs are compared."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from robot_files import collision, joint, link, robot
from scipy.spatial.transform import Rotation

import elbowroom as er
from elbowroom._clash_pairs import near_boxes
from elbowroom._enclosure import Enclosure
from elbowroom.clashes import Clash, Clashes, Filter, find_clashes
from elbowroom.files.assembly import Assembly, Part, read_assembly
from elbowroom.files.assembly_parts import Geometry

#: The corners of a cube of side 2, and its triangles with their outer sides outside.
CUBE = np.array([[x, y, z] for x in (-1.0, 1) for y in (-1.0, 1) for z in (-1.0, 1)])
SQUARES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
FACES = np.array([[s[0], s[k], s[k + 1]] for s in SQUARES for k in (1, 2)])


def box(size: Any = 2.0) -> Geometry:
    return Geometry(CUBE * np.broadcast_to(size, 3) / 2, FACES, "box")


def part(name: str, shape: Any, shift: Any = (0, 0, 0), turn: Any = None, **more: Any) -> Part:
    return Part(name, shape, er.Pose(turn, np.asarray(shift, dtype=float)), **more)


def clashes(*parts: Part, **options: Any) -> Clashes:
    return find_clashes(Assembly(parts, "mm", (), ("a.glb",)), **options)


def only(found: Clashes) -> Clash:
    (clash,) = found.clashes
    return clash


@pytest.mark.parametrize("x", [-3.0, 2.0])
def test_kinds_by_distance(x: float) -> None:
    """A cube of side 2 slides away from another along x, in a frame that is turned anyhow."""
    turn = Rotation.from_rotvec([0.3, 1.1, -0.6]).as_matrix()

    def at(shift: float, **options: Any) -> Clashes:
        places = [turn @ [x, 1, 2], turn @ [x + shift, 1, 2]]
        return clashes(part("a", box(), places[0], turn), part("b", box(), places[1], turn), **options)

    assert only(at(1.5)).kind == "overlap" and only(at(1.5)).depth == pytest.approx(0.5, abs=1e-9)
    assert only(at(2.0)).kind == "touch" and only(at(2.0)).gap == pytest.approx(0, abs=1e-9)
    assert only(at(2.0 - 1e-9)).kind == only(at(2.0 + 1e-9)).kind == "touch"
    assert not at(2.5) and not at(2.0, touching=False) and not at(2.5, clearance=0.4)
    near = only(at(2.5, clearance=0.6))
    assert near.kind == "near" and near.gap == pytest.approx(0.5) and near.depth == 0
    assert near.point == pytest.approx(near.points.mean(axis=0))
    assert (turn.T @ near.point)[0] == pytest.approx(x + 1.25)
    assert only(at(1.9, tolerance=0.2)).kind == "touch"
    assert only(at(2.3, tolerance=0.4)).kind == "touch"


def test_the_depth_of_an_overlap_is_below_the_true_one_and_not_zero() -> None:
    """Two boxes in any pose, whose depth as solids is known."""
    rng, seen, shares = np.random.default_rng(0), 0, []
    for _ in range(100):
        sizes = rng.uniform(0.5, 2.0, (2, 3))
        shift, turn = rng.uniform(-1.2, 1.2, 3), Rotation.random(random_state=rng).as_matrix()
        true = er.collide(er.Box(sizes[0]), er.Box(sizes[1]), None, (turn, shift), depth=True)
        found = clashes(part("a", box(sizes[0])), part("b", box(sizes[1]), shift, turn))
        assert bool(true) == bool(found)
        if true:
            seen += 1
            depth = float(true.contacts.depths.max())
            assert only(found).kind in ("overlap", "inside")
            assert 0 < only(found).depth <= depth + 1e-9
            shares.append(only(found).depth / depth)
    assert seen > 30 and np.median(shares) > 0.5


@pytest.mark.parametrize("turned", [False, True])
def test_flush_overlaps_are_no_mere_touches(turned: bool) -> None:
    """Contacts in common planes have no depth, and the shared corner of two plates is small."""
    turn = Rotation.from_rotvec([0.4, -0.2, 0.9]).as_matrix() if turned else np.eye(3)
    plate = box([1000, 1000, 10])
    found = only(clashes(part("a", plate, turn=turn), part("b", plate, turn @ [995, 995, 0], turn)))
    assert found.kind == "overlap" and 0.5 < found.depth <= 5 + 1e-9
    beside = only(clashes(part("a", plate, turn=turn), part("b", plate, turn @ [1000, 995, 0], turn)))
    assert beside.kind == "touch" and beside.depth <= 1e-6
    corner = only(clashes(part("block", box(10), turn=turn), part("in it", box(2), turn @ [4, 4, 4], turn)))
    assert corner.kind == "overlap" and corner.depth == pytest.approx(2, rel=0.2)


def test_the_same_part_twice() -> None:
    shape = box()
    found = only(clashes(part("a", shape), part("b", shape), part("far", shape, [9, 0, 0])))
    assert found.kind == "overlap" and found.duplicate and found.depth > 1


def test_a_part_inside_another() -> None:
    """Also a piece of one; not in a bore, and not inside a surface that is open."""
    small, large = box(0.5), box(4)
    found = only(clashes(part("small", small), part("large", large)))
    assert (found.kind, found.a, found.b) == ("inside", "small", "large")
    assert found.gap == pytest.approx(1.75) and found.depth >= 1.75
    two = Geometry(np.concatenate([CUBE * 0.2, CUBE * 0.2 + 9]), np.concatenate([FACES, FACES + 8]), "two")
    assert only(clashes(part("z", two), part("large", large))).kind == "inside"
    shell = Geometry(np.concatenate([CUBE * 2, CUBE]), np.concatenate([FACES, FACES[:, ::-1] + 8]), "shell")
    assert not clashes(part("small", small), part("hollow", shell))
    open_box = Geometry(CUBE * 2, FACES[:-1], "open")
    held = clashes(part("small", small), part("open", open_box))
    assert not held and held.open == ("open",)
    assert not clashes(part("small", small, [9, 0, 0]), part("large", large)).pairs


def test_kinds_are_those_of_brute_force() -> None:
    """Many boxes at random, against the truth about solid boxes."""
    rng = np.random.default_rng(3)
    parts = []
    for k in range(40):
        size = rng.choice([0.3, 1.0, 2.5]) * rng.uniform(0.5, 1.5, 3)
        turn = Rotation.random(random_state=rng).as_matrix()
        parts.append((f"p{k}", size, er.Pose(turn, rng.uniform(0, 5, 3))))
    found = clashes(*(Part(name, box(size), pose) for name, size, pose in parts), clearance=0.3)
    kinds = {(clash.a, clash.b): clash.kind for clash in found.clashes}
    true = {}
    for (a, size_a, at_a), (b, size_b, at_b) in combinations(parts, 2):
        gap = er.distance(er.Box(size_a), er.Box(size_b), at_a, at_b).value
        surfaces = er.collide(box(size_a).mesh, box(size_b).mesh, at_a, at_b)
        names = (a, b) if a < b else (b, a)
        if gap > 0:
            if gap <= 0.3:
                true[names] = "near"
        elif surfaces:
            true[names] = "overlap"
        else:
            true[(a, b) if np.prod(size_a) < np.prod(size_b) else (b, a)] = "inside"
    assert kinds == true and set(true.values()) == {"near", "overlap", "inside"}


def test_pairs_of_near_boxes_are_all_there() -> None:
    rng = np.random.default_rng(0)
    for count in (0, 1, 2, 200):
        low = rng.uniform(0, 5, (count, 3))
        boxes = np.stack([low, low + rng.exponential(0.5, (count, 3))], axis=1)
        brute = [
            [i, j]
            for i, j in combinations(range(count), 2)
            if (boxes[i, 0] <= boxes[j, 1] + 0.3).all() and (boxes[j, 0] <= boxes[i, 1] + 0.3).all()
        ]
        assert near_boxes(boxes, 0.3).tolist() == brute


def test_closed_and_open_surfaces() -> None:
    loose = er.Mesh(CUBE[FACES].reshape(-1, 3), np.arange(36).reshape(-1, 3))  # each triangle for itself
    assert Enclosure(loose).closed
    assert Enclosure(er.Mesh(CUBE, np.vstack([FACES, [0, 0, 1]]))).closed  # one without area
    assert not Enclosure(er.Mesh(CUBE, FACES[1:])).closed
    turned = FACES.copy()
    turned[3] = turned[3, ::-1]
    assert not Enclosure(er.Mesh(CUBE, turned)).closed
    inside = Enclosure(loose).inside(np.array([[0, 0, 0], [0.99, -0.99, 0.99], [1.01, 0, 0], [0, 0, 5.0]]))
    assert inside.tolist() == [True, True, False, False]


def test_only_some_pairs() -> None:
    """Patterns match names of parts and of what is above them."""
    shape = box()
    parts = [part(f"pipe-{k}", shape, [k, 0, 0], parents=("pipes",)) for k in range(2)]
    parts += [part(f"beam-{k}", shape, [k, 0.5, 0]) for k in range(2)]

    def named(**options: Any) -> set[str]:
        return {f"{clash.a} {clash.b}" for clash in clashes(*parts, only=Filter(**options)).clashes}

    assert len(named()) == 6
    across = {"beam-0 pipe-0", "beam-0 pipe-1", "beam-1 pipe-0", "beam-1 pipe-1"}
    assert named(between=("pipe*", "beam*")) == named(between=("beam*", "pipes")) == across
    assert named(between=("pipe*", "pipe*")) == {"pipe-0 pipe-1"}
    assert named(ignore=[("beam-0", "pipe-0"), ("pipe*", "pipe*")]) == {
        "beam-0 beam-1",
        *(across - {"beam-0 pipe-0"}),
    }
    found = clashes(*parts, only=Filter(ignore=[("beam-0", "nothing*")]))
    assert found.unused == ("nothing*",) and (found.pairs, found.ignored) == (6, 0)
    few = find_clashes(Assembly(tuple(parts), None, (), (), (("pipe-0", "pipe-1"),)))
    assert len(few.clashes) == 5 and few.ignored == 1


def test_links_of_a_robot_are_parts(tmp_path: Any) -> None:
    shape = collision('<box size="1 1 1"/>')
    limits = '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'
    (tmp_path / "arm.urdf").write_text(
        robot(
            *(link(name, shape) for name in ("base", "arm", "hand")),
            joint("a", "prismatic", "base", "arm", '<origin xyz="0.4 0 0"/>', limits),
            joint("b", "prismatic", "arm", "hand", '<origin xyz="0.4 0 0"/>', limits),
        )
    )
    read = read_assembly(tmp_path / "arm.urdf")
    assert only(find_clashes(read)).__repr__().startswith("Clash(arm/base and arm/hand overlap")
    moved = Assembly((*read.parts, part("cup", er.Sphere(0.2), [0.4, 0.6, 0])), "m", (), ())
    assert {(c.a, c.b) for c in find_clashes(moved, only=Filter(between=("cup", "arm"))).clashes} == {
        ("arm/arm", "cup"), ("arm/base", "cup"), ("arm/hand", "cup")
    }  # fmt: skip


def test_the_faults_of_the_scene_are_found() -> None:
    shapes, made = er.scenes.assembly(4, 6, faults=6)
    held = {name: Geometry(*surface, name) for name, surface in shapes.items()}
    parts = [Part(one.name, held[one.shape], er.Pose.from_matrix(one.pose)) for one in made]
    found = clashes(*parts)
    faults = {one.name: one.fault for one in made if one.fault}
    kinds = {"raised": "overlap", "moved": "overlap", "lost": "inside"}
    worst = [clash for clash in found.clashes if clash.kind != "touch"]
    assert len(worst) == 6 and not found.open
    for clash in worst:
        (wrong,) = {clash.a, clash.b} & set(faults)
        assert clash.kind == kinds[faults[wrong]]
    assert found.counts() == {"overlap": 4, "inside": 2, "touch": 24 - 2}
    assert sum(found.by_part().values()) == 2 * len(found.clashes)
    assert all(Enclosure(geometry.mesh).closed for geometry in held.values())
    assert repr(found) == "Clashes of 56 parts: 4 overlap, 2 inside, 22 touch"


def test_a_world_is_an_assembly() -> None:
    world = er.World(
        {name: (er.Box(2), er.Pose(translation=[x, 0, 0])) for name, x in (("a", 0), ("b", 1.5))}
    )
    assert only(find_clashes(world)).depth == pytest.approx(0.5)
    world.add("c", er.Sphere(1), er.Pose(translation=[0, 1.5, 0]))
    world.exclude("a", "c")
    assert [(clash.a, clash.b) for clash in find_clashes(world).clashes] == [("a", "b"), ("b", "c")]
    links = [er.Link("base", er.Box(1)), er.Link("hand", er.Box(1))]
    slide = er.Joint("slide", "prismatic", "base", "hand", axis=(0, 0, 1))
    world.add("arm", er.Articulated(links, [slide]), er.Pose(translation=[9, 0, 0]))
    world["arm"].body.move({"slide": 5})
    world.add("ball", er.Sphere(1), er.Pose(translation=[9, 0, 4]))
    assert find_clashes(world, only=Filter(between=("arm", "*"))).clashes[0].a == "arm/hand"
    world.exclude(("arm", "hand"), "ball")
    assert not find_clashes(world, only=Filter(between=("arm", "*")))
    world.add("rope", er.Necklace([[0, 0, 0], [1, 0, 0]], 0.1))
    with pytest.raises(ValueError, match="'rope' is a Necklace"):
        find_clashes(world)
