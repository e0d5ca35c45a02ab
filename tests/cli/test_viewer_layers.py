"""What the viewer shows, as arrays: surfaces, boxes about bodies, and layers that tell what changed."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import elbowroom as er
from elbowroom import scenes
from elbowroom.viewer import Balls, Boxes, Segments, Triangulated
from elbowroom.viewer.bodies import NOTHING, Actor, RigidActor
from elbowroom.viewer.bodies_balls import ChainActor, NecklaceActor
from elbowroom.viewer.bodies_links import TREES, LinksActor
from elbowroom.viewer.layers import RED, extent
from elbowroom.viewer.layers_surfaces import body_surface, marked_surface
from elbowroom.viewer.layers_volumes import box_columns

TURNED = er.Pose([0.5, 0.5, -0.5, 0.5], [3.0, -2.0, 1.0]).matrix


def volume(vertices: np.ndarray, triangles: np.ndarray) -> float:
    """What a closed surface encloses, if its normals point outwards."""
    return float(np.linalg.det(vertices[triangles]).sum() / 6)


def only(layers: list, kind: type, name: str) -> object:
    found = [layer for layer in layers if layer.name == name]
    assert len(found) == 1 and isinstance(found[0], kind), [layer.name for layer in layers]
    return found[0]


@pytest.mark.parametrize(
    ("body", "wanted", "tolerance"),
    [
        (er.Box([1, 2, 3]), 6.0, 1e-9),
        (er.Sphere(2.0), 4 / 3 * np.pi * 8, 0.06),
        (er.Capsule(0.5, 3.0), np.pi * 0.25 * 3 + 4 / 3 * np.pi * 0.125, 0.06),
        (er.Convex([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), 1 / 6, 1e-9),
        (er.Mesh(*scenes.torus()), 2 * np.pi**2 * 2.0 * 0.25, 0.06),
        (er.Group([(er.Box(1), None), (er.Box(2), er.Pose(translation=[5, 0, 0]))]), 9.0, 1e-9),
    ],
)
def test_a_surface_encloses_the_body_with_its_normals_outwards(
    body: er.Body, wanted: float, tolerance: float
) -> None:
    vertices, triangles = body_surface(body)
    assert volume(vertices, triangles) == pytest.approx(wanted, rel=tolerance)
    low, high = body.bounds
    assert (vertices >= low - 1e-9).all() and (vertices <= high + 1e-9).all()


def test_a_capsule_lies_where_its_group_puts_it() -> None:
    pose = er.Pose([0.5, 0.5, 0.5, 0.5], [1.0, 2.0, 3.0])
    vertices, _ = body_surface(er.Group([(er.Capsule(0.5, 2.0), pose)]))
    local = (vertices - pose.translation) @ pose.matrix[:3, :3]
    axis = np.clip(local[:, 2:], -1, 1) * [0, 0, 1]
    assert np.linalg.norm(local - axis, axis=1) == pytest.approx(0.5, abs=1e-5)


def test_flat_and_pointed_hulls_can_be_shown() -> None:
    for points in ([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 0, 0], [1, 0, 0]], [[2, 2, 2]]):
        vertices, triangles = body_surface(er.Convex(points))
        assert len(triangles) and np.isfinite(vertices).all()
        assert vertices.min(axis=0) == pytest.approx(np.min(points, axis=0))
        assert vertices.max(axis=0) == pytest.approx(np.max(points, axis=0))


def test_what_is_marked_stands_out_of_what_it_marks() -> None:
    spring = er.Mesh(*scenes.spring())
    vertices, triangles = marked_surface(spring, np.array([5, 700]))
    assert len(triangles) == 4  # both sides of each
    plane = spring.vertices[spring.faces[5]]
    normal = np.cross(plane[1] - plane[0], plane[2] - plane[0])
    heights = (vertices[triangles[[0, 2]]] - plane[0]) @ (normal / np.linalg.norm(normal))
    assert heights[0] == pytest.approx(heights[0, 0]) and heights[1] == pytest.approx(-heights[0, 0])
    assert heights[0, 0] > 0

    boxes = er.Group([(er.Box(1), None), (er.Box(1), er.Pose(translation=[5, 0, 0]))])
    vertices, _ = marked_surface(boxes, np.array([1]))
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    assert (low < [4.5, -0.5, -0.5]).all() and (high > [5.5, 0.5, 0.5]).all()


def actors() -> dict[str, Actor]:
    """One of each kind, moved and turned."""
    limbs = scenes.swinging_chains(20)
    body = er.Articulated(limbs.links, limbs.joints)
    body.move(limbs.motion[7])
    chain = er.Chain(scenes.coil(400), 0.4)
    chain.rotate(200, 0.7)
    return {
        "mesh": RigidActor("mesh", er.Mesh(*scenes.spring()), TURNED),
        "chain": ChainActor("chain", chain, TURNED),
        "necklace": NecklaceActor("necklace", er.Necklace(scenes.long_coil(300), 0.4), TURNED),
        "plane": NecklaceActor("plane", er.Necklace(scenes.spiral(200)[50], 0.4)),
        "links": LinksActor("links", body, TURNED),
    }


def all_points(actor: Actor) -> np.ndarray:
    """Vertices of meshes and centres of balls, in the world."""
    points = []
    for layer in actor.layers(NOTHING):
        if isinstance(layer, Triangulated):
            points.append(layer.vertices @ layer.pose[:3, :3].T + layer.pose[:3, 3])
        elif isinstance(layer, Balls):
            points.append(layer.centres)
    return np.concatenate(points)


@pytest.mark.parametrize("kind", actors())
def test_the_volumes_of_every_level_hold_the_whole_body(kind: str) -> None:
    actor = actors()[kind]
    points = all_points(actor)
    assert actor.levels >= 3
    for level in range(actor.levels):
        (layer,) = actor.hierarchy(level)
        if isinstance(layer, Boxes):
            assert np.linalg.det(layer.rotations) == pytest.approx(1.0)
            away = np.einsum("kij,nki->nkj", layer.rotations, points[:, None] - layer.centres)
            outside = (np.abs(away) - layer.halves).max(axis=2).min(axis=1)
        else:
            assert isinstance(layer, Balls)
            away = np.linalg.norm(points[:, None] - layer.centres, axis=2)
            outside = (away - layer.radii).min(axis=1)
        assert outside.max() < 1e-4, level


def test_levels_get_finer() -> None:
    for kind, actor in actors().items():
        counts = [len(actor.hierarchy(k)[0].centres) for k in range(actor.levels)]  # type: ignore[attr-defined]
        assert counts[0] == 1 and counts == sorted(set(counts)), kind
        assert len(actor.hierarchy(actor.levels + 5)[0].centres) == counts[-1]  # type: ignore[attr-defined]


def test_boxes_with_left_handed_axes_are_shown_right_handed() -> None:
    axes = np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 1]])
    box = SimpleNamespace(centre=np.array([1.0, 2, 3]), half=np.array([4.0, 5, 6]), axes=axes)
    centres, halves, rotations = box_columns([box])
    assert centres.tolist() == [[1, 2, 3]] and halves.tolist() == [[4, 5, 6]]
    assert np.linalg.det(rotations[0]) == pytest.approx(1.0)
    assert np.abs(rotations[0]).tolist() == axes.T.tolist()  # the same box


@pytest.mark.parametrize("tree", TREES)
def test_the_boxes_of_links_follow_the_body(tree: str) -> None:
    limbs = scenes.swinging_chains(20)
    body = er.Articulated(limbs.links, limbs.joints)
    actor = LinksActor("links", body, tree=tree)
    before = actor.hierarchy(1)[0].centres.copy()  # type: ignore[attr-defined]
    body.move(limbs.motion[15])
    (layer,) = actor.hierarchy(1)
    assert isinstance(layer, Boxes) and not np.allclose(layer.centres, before)
    points = all_points(actor)
    away = np.einsum("kij,nki->nkj", layer.rotations, points[:, None] - layer.centres)
    assert (np.abs(away) - layer.halves).max(axis=2).min(axis=1).max() < 1e-3


def test_a_tree_that_there_is_not_is_refused() -> None:
    limbs = scenes.swinging_chains(2)
    with pytest.raises(ValueError, match="tree must be one of CAB, OBB, AABB, blocks"):
        LinksActor("links", er.Articulated(limbs.links, limbs.joints), tree="oak")


def test_marked_balls_are_red_and_hide_what_they_mark() -> None:
    chain = er.Chain(scenes.serpentine(50), 1.0)
    layers = ChainActor("chain", chain).layers(np.array([3, 7, 3]))
    red = only(layers, Balls, "collisions/chain")
    assert isinstance(red, Balls) and red.colour == RED
    assert np.array_equal(red.centres, chain.positions()[[3, 7]]) and (red.radii > 1.0).all()


def test_side_balls_are_shown_and_numbered_after_the_links() -> None:
    side = er.SideBalls(np.array([1]), np.array([[1.0, 1.5, 0.0]]), np.array([0.4]))
    chain = er.Chain([[0, 0, 0], [1, 0, 0], [2, 0, 0]], 0.3, side=side)
    actor = ChainActor("chain", chain)
    body = only(actor.layers(NOTHING), Balls, "body/chain")
    assert isinstance(body, Balls)
    assert body.radii.tolist() == [0.3, 0.3, 0.3, 0.4] and np.asarray(body.colour).shape == (4, 3)
    assert actor.middles(np.array([3])).tolist() == [[1.0, 1.5, 0.0]]


def test_bonds_are_drawn_where_they_can_be_seen_and_are_known() -> None:
    line = np.column_stack([np.arange(9.0), np.zeros(9), np.zeros(9)])

    def lines(necklace: er.Necklace) -> list[Segments]:
        return [x for x in NecklaceActor("n", necklace).layers(NOTHING) if isinstance(x, Segments)]

    (bonds,) = lines(er.Necklace(line, 0.2))
    assert bonds.points.shape == (8, 2, 3)
    assert not lines(er.Necklace(line, 0.5))  # balls that touch leave nothing of them
    assert not lines(er.Necklace(line, 0.2, exclude=[[0, 1]]))  # atoms, of which these two are bonded


def test_links_of_balls_are_one_layer() -> None:
    links = [er.Link("a", er.Sphere(1)), er.Link("b", [(er.Sphere(2), er.Pose(translation=[0, 0, 1]))])]
    joint = er.Joint("j", "prismatic", "a", "b", er.Pose(translation=[5, 0, 0]))
    body = er.Articulated(links, [joint])
    body.move([3.0])
    (layer,) = LinksActor("robot", body).layers(np.array([1]))
    assert isinstance(layer, Balls)
    assert layer.centres.tolist() == [[0, 0, 0], [5, 0, 4]] and layer.radii.tolist() == [1, 2]
    assert tuple(np.asarray(layer.colour)[1]) == RED != tuple(np.asarray(layer.colour)[0])


def test_a_layer_tells_what_changed() -> None:
    spring = RigidActor("spring", er.Mesh(*scenes.spring()))
    (before,) = spring.layers(NOTHING)
    spring.pose = TURNED
    (after,) = spring.layers(NOTHING)
    assert isinstance(before, Triangulated) and isinstance(after, Triangulated)
    assert after.vertices is before.vertices  # the very same: nothing has to be compared
    assert after.same(before, "vertices", "triangles", "colour") and not after.same(before)
    assert not after.same(None) and not after.same(Segments("spring", np.zeros((1, 2, 3))))
    red = Triangulated("x", before.vertices, before.triangles, before.pose, colour=RED)
    assert not red.same(before, "colour")


def test_the_extent_is_about_all_layers() -> None:
    balls = Balls("a", np.array([[0.0, 0, 0]]), np.array([2.0]))
    line = Segments("b", np.array([[[0.0, 5, 0], [1, 1, 1]]]))
    assert extent([balls, line]).tolist() == [[-2, -2, -2], [2, 5, 2]]
    assert extent([]).tolist() == [[-1, -1, -1], [1, 1, 1]]


def test_the_package_comes_without_a_server_and_without_plots() -> None:
    heavy = "('viser', 'matplotlib', 'trimesh', 'scipy.spatial')"
    code = f"import sys, elbowroom.viewer; print([m for m in {heavy} if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
