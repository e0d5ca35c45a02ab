"""Articulated bodies to begin with; a maker takes a random generator and the number of links.

A `Recipe` builds the library's body, keeps the `nasty.Thing` of every shape for the oracle, and tells the
code that reproduces it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import nasty
import numpy as np
from hypothesis import strategies as st
from nasty import Thing

import elbowroom as er

REFITS: tuple[Any, ...] = ("auto", "cab", "cab-sum", "obb", "aabb", "aabb-all", "none")
MOVING = ("revolute", "prismatic", "spherical", "free")
SINGLE = ("sphere", "capsule", "box", "convex")  # shapes of one convex primitive
Maker = Callable[[np.random.Generator, int], "Recipe"]
Shape = tuple[Thing, np.ndarray]  # and its pose in the link


@dataclass(frozen=True, eq=False)
class Part:
    """A link: its name and its shapes."""

    name: str
    shapes: tuple[Shape, ...] = ()

    def link(self) -> er.Link:
        return er.Link(self.name, [(thing.body, pose) for thing, pose in self.shapes])

    def code(self) -> str:
        shapes = ", ".join(f"({thing.code()}, {pose.tolist()})" for thing, pose in self.shapes)
        return f"er.Link({self.name!r}, [{shapes}])"


@dataclass(frozen=True, eq=False)
class Recipe:
    """The arguments of an articulated body."""

    parts: tuple[Part, ...]
    joints: tuple[er.Joint, ...] = ()
    exclude: Any = "adjacent"

    def body(self, **settings: Any) -> Any:
        links = [part.link() for part in self.parts]
        return er.Articulated(links, self.joints, **{"exclude": self.exclude} | settings)

    @property
    def names(self) -> list[str]:
        return [part.name for part in self.parts]

    @property
    def reach(self) -> float:
        """How far any shape extends from its link."""
        lengths = [t.reach + np.linalg.norm(pose[:3, 3]) for part in self.parts for t, pose in part.shapes]
        return float(max(lengths, default=0.0))

    def code(self, **settings: Any) -> str:
        """Python that builds this body."""
        links = "".join(f"    {part.code()},\n" for part in self.parts)
        joints = "".join(f"    {joint_code(joint)},\n" for joint in self.joints)
        given = "".join(f", {k}={v!r}" for k, v in ({"exclude": self.exclude} | settings).items())
        return f"links = [\n{links}]\njoints = [\n{joints}]\nbody = er.Articulated(links, joints{given})\n"


def joint_code(joint: er.Joint) -> str:
    mimic = joint.mimic
    follows = mimic and f"er.Mimic({mimic.joint!r}, {mimic.multiplier}, {mimic.offset})"
    names = f"{joint.name!r}, {joint.kind!r}, {joint.parent!r}, {joint.child!r}"
    return f"er.Joint({names}, {joint.origin.matrix.tolist()}, {joint.axis}, {joint.limits}, {follows})"


# Pieces.


def at(*translation: float) -> np.ndarray:
    pose = np.eye(4)
    pose[:3, 3] = translation
    return pose


def somewhere(rng: np.random.Generator, distance: float) -> np.ndarray:
    """Any rotation, and a translation of about that length."""
    return np.asarray(nasty.matrices(nasty.rotations(rng, 1), nasty.directions(rng, 1) * distance)[0])


def hinge(k: int, parent: int | None, origin: Any, axis: Sequence[float], **more: Any) -> er.Joint:
    """A revolute joint of link k."""
    return er.Joint(
        f"j{k}", "revolute", None if parent is None else f"l{parent}", f"l{k}", origin, axis, **more
    )


def any_joint(rng: np.random.Generator, kind: str, k: int, parent: int | None, distance: float) -> er.Joint:
    """A joint of any kind; lengths always have limits, angles sometimes."""
    limits = None
    if kind == "prismatic" or (kind == "revolute" and rng.random() < 0.5):
        limits = (float(-rng.uniform(0.2, 2.0)), float(rng.uniform(0.2, 2.0)))
    name = None if parent is None else f"l{parent}"
    return er.Joint(f"j{k}", kind, name, f"l{k}", somewhere(rng, distance), rng.normal(size=3), limits)  # type: ignore[arg-type]


def with_mimics(rng: np.random.Generator, joints: Sequence[er.Joint]) -> tuple[er.Joint, ...]:
    """Some hinges and slides follow another one, which may follow nothing itself; it may come later."""
    single = [j for j in joints if j.kind in ("revolute", "prismatic")]
    leaders, out = {j.name for j in single[::2]}, []
    for joint in joints:
        others = [j.name for j in single if j.name in leaders and j.kind == joint.kind]
        if joint in single and joint.name not in leaders and others and rng.random() < 0.5:
            follow = er.Mimic(str(rng.choice(others)), float(rng.normal()), float(rng.normal() * 0.3))
            joint = dataclasses.replace(joint, mimic=follow)
        out.append(joint)
    return tuple(out)


def shapes_of(rng: np.random.Generator, kinds: Sequence[str], style: str, most: int) -> tuple[Shape, ...]:
    """None to `most` shapes, about half the size of the distance between links."""
    made = []
    for _ in range(rng.integers(0, most + 1)):
        made.append((nasty.thing(rng, str(rng.choice(kinds)), style, 0.4), somewhere(rng, 0.3)))
    return tuple(made)


# Makers. Link k is "l<k>", its joint "j<k>".


def arm(rng: np.random.Generator, n: int) -> Recipe:
    """Capsules end to end, each with a hinge across the one before."""
    bone = (Thing("capsule", (0.15, 0.8)), at(0.0, 0.0, 0.5))
    axes = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.6, 0.0, 0.8)]
    joints = [hinge(k, k - 1, at(0, 0, 1), axes[rng.integers(3)], limits=(-2.6, 2.6)) for k in range(1, n)]
    return Recipe(tuple(Part(f"l{k}", (bone,)) for k in range(n)), tuple(joints))


def tree(rng: np.random.Generator, n: int, forest: float = 0.0, style: str = "plain") -> Recipe:
    """Every kind of joint and of shape, none to three shapes a link, branches anywhere."""
    parts = [Part(f"l{k}", shapes_of(rng, nasty.KINDS, style, 3)) for k in range(n)]
    joints = []
    for k in range(1, n):
        root = rng.random() < forest
        if root and rng.random() < 0.4:
            continue  # a root without a joint
        parent = None if root else int(rng.integers(max(0, k - 6), k))
        kind = str(rng.choice(["fixed", *MOVING], p=[0.2, 0.4, 0.15, 0.15, 0.1]))
        joints.append(any_joint(rng, kind, k, parent, 0.9))
    return shuffled(rng, Recipe(tuple(parts), with_mimics(rng, joints)))


def forest(rng: np.random.Generator, n: int) -> Recipe:
    """Several roots: of the world, of joints to the world, and without any joint."""
    return tree(rng, n, forest=0.4)


def frames(rng: np.random.Generator, n: int) -> Recipe:
    """A limb of which most links are bare frames and half the joints are fixed."""
    parts = tuple(Part(f"l{k}", shapes_of(rng, SINGLE, "plain", 1)) for k in range(n))
    kinds = rng.choice(["fixed", "revolute", "prismatic"], n, p=[0.5, 0.4, 0.1])
    return Recipe(parts, tuple(any_joint(rng, str(kinds[k]), k, k - 1, 0.5) for k in range(1, n)))


def hand(rng: np.random.Generator, n: int) -> Recipe:
    """A palm with fingers of three bones, whose last joints follow the ones before."""
    bone = (Thing("capsule", (0.1, 0.3)), at(0.0, 0.0, 0.2))
    parts, joints = [Part("l0", ((Thing("box", (np.array([1.0, 0.3, 1.0]),)), at(0, 0, -0.5)),))], []
    for k in range(1, n):
        parent = k - 1 if (k - 1) % 3 else 0
        origin = at(0, 0, 0.4) if parent else at(0.25 * ((k - 1) // 3 - n // 6), 0, 0.1)
        follow = er.Mimic(f"j{k - 1}", 0.7, 0.1) if k % 3 == 0 else None
        parts.append(Part(f"l{k}", (bone,)))
        joints.append(hinge(k, parent, origin, (1, 0, 0), limits=(-0.2, 1.8), mimic=follow))
    return Recipe(tuple(parts), tuple(joints))


def straight(_: Any, n: int) -> Recipe:
    """Boxes in line along x, to the last bit: no two axes span a plane."""
    bone = (Thing("box", (np.array([1.0, 0.25, 0.5]),)), at(0.5, 0.0, 0.0))
    joints = [hinge(k, k - 1, at(1, 0, 0), np.eye(3)[k % 3]) for k in range(1, n)]
    return Recipe(tuple(Part(f"l{k}", (bone,)) for k in range(n)), tuple(joints))


def folded(_: Any, n: int) -> Recipe:
    """Every bone lies back on the one before it."""
    bone = (Thing("capsule", (0.125, 1.0)), at(0.0, 0.0, 0.5))
    back = at(0.0, 0.25, 1.0)
    back[:3, :3] = np.diag([1.0, -1.0, -1.0])
    joints = [hinge(k, k - 1, back, (0, 1, 0)) for k in range(1, n)]
    return Recipe(tuple(Part(f"l{k}", (bone,)) for k in range(n)), tuple(joints))


def points(rng: np.random.Generator, n: int) -> Recipe:
    """Bones without length or width, and with neither."""
    zero, flat = np.zeros(3), np.array([1.0, 0.0, 0.0])
    things = [Thing("capsule", (0.0, 0.0)), Thing("capsule", (0.1, 0.0)), Thing("box", (zero,)),
              Thing("box", (flat,)), Thing("sphere", (0.0,)), Thing("convex", (np.zeros((2, 3)),)),
              Thing("mesh", (np.eye(3)[[0, 0, 0]], np.array([[0, 1, 2]])))]  # fmt: skip
    parts = tuple(Part(f"l{k}", ((things[rng.integers(len(things))], np.eye(4)),)) for k in range(n))
    joints = [hinge(k, k - 1, at(*rng.integers(-1, 2, 3) * 0.5), np.eye(3)[k % 3]) for k in range(1, n)]
    return Recipe(parts, tuple(joints), exclude=None)


def coincident(rng: np.random.Generator, n: int) -> Recipe:
    """All links in one place, of one shape, with hinges through it."""
    one = nasty.thing(rng, str(rng.choice(nasty.KINDS)), "plain", 0.5)
    joints = [hinge(k, k - 1, None, np.eye(3)[k % 3]) for k in range(1, n)]
    return Recipe(tuple(Part(f"l{k}", ((one, np.eye(4)),)) for k in range(n)), tuple(joints))


def touching(_: Any, n: int) -> Recipe:
    """Unit cubes on slides, row by row through a square: all neighbours touch, to the last bit."""
    side, cube = int(np.ceil(np.sqrt(n))), (Thing("box", (np.ones(3),)), np.eye(4))
    joints = []
    for k in range(1, n):
        step = (0.0, 1.0, 0.0) if k % side == 0 else (1.0 - 2.0 * (k // side % 2), 0.0, 0.0)
        slide = er.Joint(f"j{k}", "prismatic", f"l{k - 1}", f"l{k}", at(*step), step, (-4.0, 4.0))
        joints.append(slide)
    return Recipe(tuple(Part(f"l{k}", (cube,)) for k in range(n)), tuple(joints))


def parallel(rng: np.random.Generator, n: int) -> Recipe:
    """A pile of boxes, parallel to the last bit or all but parallel."""
    sizes, parts = 0.25 * rng.integers(1, 5, (n, 3)), []
    for k in range(n):
        parts.append(Part(f"l{k}", ((Thing("box", (sizes[k],)), np.eye(4)),)))
    turns, joints = nasty.nearly_parallel(rng, n), []
    for k in range(1, n):
        up = (sizes[k, 2] + sizes[k - 1, 2]) / 2.0
        origin = nasty.matrices(turns[k : k + 1], np.array([[0.0, 0.0, up]]))[0]
        joints.append(hinge(k, k - 1, origin, (0, 0, 1), limits=(-1e-3, 1e-3)))
    return Recipe(tuple(parts), tuple(joints))


def thin(rng: np.random.Generator, n: int) -> Recipe:
    """Shapes that are flat, straight, or all but that."""
    return tree(rng, n, style="thin")


def skins(rng: np.random.Generator, n: int) -> Recipe:
    """Limbs of tori, of hulls and of groups: many primitives a link."""
    ring = Thing("mesh", er.scenes.torus(radius=0.4, tube=0.15, segments=7, sides=4))
    hull = Thing("convex", (rng.normal(size=(12, 3)) * 0.25,))
    pile = nasty.group(rng, "plain", 0.4)
    parts = [Part(f"l{k}", (((ring, hull, pile)[k % 3], somewhere(rng, 0.1)),)) for k in range(n)]
    joints = [any_joint(rng, "revolute", k, max(0, k - int(rng.integers(1, 4))), 0.9) for k in range(1, n)]
    return Recipe(tuple(parts), tuple(joints))


def unequal(rng: np.random.Generator, n: int) -> Recipe:
    """Shapes from a thousandth to ten times the distance between links."""
    parts = []
    for k in range(n):
        thing = nasty.thing(rng, str(rng.choice(nasty.KINDS)), "plain", float(10.0 ** rng.uniform(-3, 1)))
        parts.append(Part(f"l{k}", ((thing, np.eye(4)),)))
    joints = [any_joint(rng, str(rng.choice(MOVING)), k, int(rng.integers(k)), 1.0) for k in range(1, n)]
    return Recipe(tuple(parts), tuple(joints), exclude=None)


# Recipes from recipes.


def shuffled(rng: np.random.Generator, recipe: Recipe) -> Recipe:
    """Links and joints in any order: parents need not come first."""
    parts, joints = recipe.parts, recipe.joints
    order, places = rng.permutation(len(parts)), rng.permutation(len(joints))
    moved = tuple(parts[i] for i in order), tuple(joints[i] for i in places)
    return Recipe(*moved, recipe.exclude)


def larger(thing: Thing, factor: float) -> Thing:
    if thing.kind == "group":
        return Thing("group", tuple((larger(m, factor), r, t * factor) for m, r, t in thing.args))
    if thing.kind == "mesh":
        return Thing("mesh", (np.asarray(thing.args[0]) * factor, thing.args[1]))
    return Thing(thing.kind, tuple(x * factor for x in thing.args))


def stretched(pose: np.ndarray, factor: float) -> np.ndarray:
    out = pose.copy()
    out[:3, 3] *= factor
    return out


def scaled_joint(joint: er.Joint, factor: float) -> er.Joint:
    """Lengths are lengths; angles stay as they are."""
    origin = er.Pose.from_matrix(stretched(joint.origin.matrix, factor))
    limits, mimic = joint.limits, joint.mimic
    if joint.kind == "prismatic":
        limits = limits and (limits[0] * factor, limits[1] * factor)
        mimic = mimic and er.Mimic(mimic.joint, mimic.multiplier, mimic.offset * factor)
    return dataclasses.replace(joint, origin=origin, limits=limits, mimic=mimic)


def scaled(make: Maker, factor: float) -> Maker:
    def made(rng: np.random.Generator, n: int) -> Recipe:
        recipe = make(rng, n)
        parts = []
        for part in recipe.parts:
            shapes = [(larger(thing, factor), stretched(pose, factor)) for thing, pose in part.shapes]
            parts.append(Part(part.name, tuple(shapes)))
        joints = [scaled_joint(joint, factor) for joint in recipe.joints]
        return Recipe(tuple(parts), tuple(joints), recipe.exclude)

    return made


def far(rng: np.random.Generator, n: int) -> Recipe:
    """A tree 1e5 from the origin."""
    recipe = tree(rng, n)
    root = (set(recipe.names) - {joint.child for joint in recipe.joints}).pop()
    anchor = er.Joint("anchor", "fixed", None, root, at(1e5, -1e5, 1e5))
    return Recipe(recipe.parts, (*recipe.joints, anchor), recipe.exclude)


MAKERS: dict[str, Maker] = {
    "arm": arm, "tree": tree, "forest": forest, "frames": frames, "hand": hand, "straight": straight,
    "folded": folded, "points": points, "coincident": coincident, "touching": touching,
    "parallel": parallel, "thin": thin, "skins": skins, "unequal": unequal, "far": far,
    "tiny": scaled(tree, 1e-6), "huge": scaled(tree, 1e6),
}  # fmt: skip


GRID_THINGS = [
    Thing("box", (np.ones(3),)),
    Thing("sphere", (0.5,)),
    Thing("capsule", (0.25, 1.0)),
    Thing("box", (np.zeros(3),)),
    Thing("mesh", (np.eye(3), np.array([[0, 1, 2]]))),
]


@st.composite
def recipes(draw: st.DrawFn, most: int = 6) -> Recipe:
    """Small bodies on a grid of quarters, which shrink to few links, fixed joints and plain boxes."""
    grid = st.integers(-4, 4).map(lambda i: i / 4.0)
    spots = st.tuples(grid, grid, grid)
    things = st.sampled_from(GRID_THINGS)
    parts, joints = [], []
    for k in range(draw(st.integers(1, most))):
        placed = draw(st.lists(st.tuples(things, spots.map(lambda x: at(*x))), max_size=2))
        parts.append(Part(f"l{k}", tuple(placed)))
        parent = draw(st.sampled_from([f"l{i}" for i in range(k)] + [None]))
        kind: Any = draw(st.sampled_from(["fixed", *MOVING]))
        axis = draw(st.sampled_from(np.eye(3).tolist()))
        joints.append(er.Joint(f"j{k}", kind, parent, f"l{k}", at(*draw(spots)), axis, (-1.0, 1.0)))
    return Recipe(tuple(parts), tuple(joints), draw(st.sampled_from(["adjacent", None])))
