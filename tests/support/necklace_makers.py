"""Necklaces to begin with and ways to move them; a maker takes a random generator and the number of beads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import chain_makers
import numpy as np
from hypothesis import strategies as st

import elbowroom as er

CAGES = ("boxes", "wrapped", "layered", "power", "hybrid")
SPHERES = ("wrapped", "layered")  # the paper's hierarchies
SIZES = (1, 2, 3, 4, 15, 16, 17, 18, 127, 128, 129, 130)


@dataclass(frozen=True, eq=False)
class Recipe:
    """The arguments of a necklace."""

    positions: np.ndarray
    radii: np.ndarray
    exclude: Any = 1
    closed: bool = False

    def necklace(self, **settings: Any) -> Any:
        given = {"exclude": self.exclude, "closed": self.closed}
        return er.Necklace(self.positions, self.radii, **given | settings)

    @property
    def size(self) -> float:
        """The extent of the beads, which tells a step that is small from one that is large."""
        return float(np.ptp(self.positions, axis=0).max() + 2.0 * self.radii.max()) or 1.0

    def code(self, **settings: Any) -> str:
        """Python that builds this necklace."""
        touch = self.exclude.tolist() if isinstance(self.exclude, np.ndarray) else self.exclude
        given = {"exclude": touch, "closed": self.closed} | settings
        named = "".join(f", {name}={value!r}" for name, value in given.items())
        return f"necklace = er.Necklace({self.positions.tolist()}, {self.radii.tolist()}{named})\n"


Maker = Callable[[Any, int], Recipe]


def of_chain(make: Callable[[Any, int], chain_makers.Recipe]) -> Maker:
    """The links of a chain as beads; the same links may touch."""

    def made(rng: Any, n: int) -> Recipe:
        chain = make(rng, max(n, 2))
        return Recipe(chain.positions[:n], np.asarray(chain.radii)[:n], chain.exclude)

    return made


# Shapes in space.


def line(_: Any, n: int) -> Recipe:
    """Straight along an axis, neighbours tangent to the last bit."""
    return Recipe(np.arange(n)[:, None] * np.array([1.0, 0.0, 0.0]), np.full(n, 0.5))


def slanted(_: Any, n: int) -> Recipe:
    """Straight, but along no axis: collinear but for rounding."""
    return Recipe(np.arange(n)[:, None] * np.array([0.3, 0.7, -0.1]), np.full(n, 0.35))


def helix(_: Any, n: int) -> Recipe:
    """sqrt(n) turns, wound so tightly that the cages of all turns overlap."""
    t = np.linspace(0.0, 2.0 * np.pi * np.sqrt(n), n)
    points = np.stack([np.cos(t), np.sin(t), t / t[-1] if n > 1 else t], axis=1)
    return Recipe(points, np.full(n, 0.3 / np.sqrt(n)))


def blocks(rng: np.random.Generator, n: int) -> Recipe:
    """A lattice row by row: every bead touches its neighbours across rows and layers to the last bit."""
    base = chain_makers.serpentine(rng, n)
    return Recipe(base.positions / 4.0, np.full(n, 0.5))


def coincident(_: Any, n: int) -> Recipe:
    return Recipe(np.tile([0.25, -3.0, 1.0], (n, 1)), np.full(n, 0.5))


def twins(rng: np.random.Generator, n: int) -> Recipe:
    """A coil of which every place is taken twice, in a row: coincident neighbours, apart from all others."""
    points = 3.0 * chain_makers.walk(rng, (n + 1) // 2, 0.7).repeat(2, axis=0)[:n]
    return Recipe(points, np.full(n, 0.9), 3)


def nested(_: Any, n: int) -> Recipe:
    """One within the other about one centre, radii over ten powers of two."""
    return Recipe(np.tile([1.0, 2.0, 3.0], (n, 1)), 2.0 ** np.linspace(0.0, -10.0, n))


def swallowed(rng: np.random.Generator, n: int) -> Recipe:
    """One huge bead, and all the others inside it, tangent to it from within, or about it."""
    radii = rng.uniform(0.1, 1.0, n)
    radii[n // 2] = 50.0
    points = rng.normal(size=(n, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    inside, about = 20.0 * rng.random(n), 60.0 + 20.0 * rng.random(n)
    reach = np.choose(rng.integers(0, 3, n), [inside, 50.0 - radii, about])
    points *= reach[:, None]
    points[n // 2] = 0.0
    return Recipe(points, radii)


LATTICE = np.stack(np.meshgrid(*[np.arange(-9.0, 10.0)] * 3), axis=-1).reshape(-1, 3)
SHELL = LATTICE[(LATTICE**2).sum(axis=1) == 81.0]  # lattice points on one sphere, exactly


def cospherical(rng: np.random.Generator, n: int) -> Recipe:
    """Points of the lattice on one sphere: any four of them may be the basis of a cage."""
    return Recipe(SHELL[rng.integers(0, len(SHELL), n)], np.full(n, 0.25))


def cube_corners(rng: np.random.Generator, n: int) -> Recipe:
    """Corners of a cube, many beads in each: opposite corners, faces and all eight have one sphere."""
    return Recipe(rng.integers(0, 2, (n, 3)) * 4.0, np.full(n, 1.0), exclude=0)


def collinear(rng: np.random.Generator, n: int) -> Recipe:
    """Any order along a line, in steps that floats hold exactly."""
    return Recipe(rng.integers(-8 * n, 8 * n, (n, 1)) * np.array([[0.5, 0.25, -1.0]]), np.full(n, 0.125))


def uneven(rng: np.random.Generator, n: int) -> Recipe:
    """Radii over six powers of ten, each bead far enough to be free of all earlier ones."""
    recipe = chain_makers.unequal(rng, max(n, 2))
    scale = 10.0 ** rng.uniform(-1.0, 1.0, len(recipe.radii))
    return Recipe(recipe.positions[:n], np.asarray(recipe.radii * np.minimum(scale, 1.0))[:n])


def cloud(rng: np.random.Generator, n: int) -> Recipe:
    """Anywhere, of any size up to one at which some beads meet and others do not."""
    radii = rng.uniform(0.0, 1.0, n) ** 3 * 0.6 * n ** (-1.0 / 3.0)
    return Recipe(rng.random((n, 3)), radii, exclude=int(rng.integers(0, 3)))


def bonds(rng: np.random.Generator, n: int) -> Recipe:
    """Pairs that may touch as of a molecule: those that do at first, and some that are far apart."""
    base = cloud(rng, n)
    apart = np.linalg.norm(base.positions[:, None] - base.positions[None], axis=2)
    near = np.argwhere(np.triu(apart - base.radii[:, None] - base.radii[None] <= 0.01, 1))
    more = rng.integers(0, n, (n // 4, 2))
    pairs = np.concatenate([near[:, ::-1], more[more[:, 0] != more[:, 1]]])
    return replace(base, exclude=pairs.astype(np.int64).reshape(-1, 2))


def ring(_: Any, n: int) -> Recipe:
    """A closed circle in which the last bead overlaps the first as all neighbours do."""
    t = 2.0 * np.pi * np.arange(n) / n
    size = 1.0 / max(2.0 * np.sin(np.pi / n), 1e-3)
    points = size * np.stack([np.cos(t), np.sin(t), 0.2 * np.sin(3.0 * t)], axis=1)
    return Recipe(points, np.full(n, 0.6), closed=True)


def knot(_: Any, n: int) -> Recipe:
    """A closed trefoil, in which only neighbours up to two apart may touch."""
    t = 2.0 * np.pi * np.arange(n) / n
    x, y = np.sin(t) + 2.0 * np.sin(2.0 * t), np.cos(t) - 2.0 * np.cos(2.0 * t)
    return Recipe(np.stack([x, y, -np.sin(3.0 * t)], axis=1), np.full(n, 0.45), exclude=2, closed=True)


# Shapes in the plane.


def flat(make: Maker) -> Maker:
    def made(rng: Any, n: int) -> Recipe:
        recipe = make(rng, n)
        return replace(recipe, positions=np.ascontiguousarray(recipe.positions[:, :2]))

    return made


def flat_coil(rng: np.random.Generator, n: int) -> Recipe:
    """Turning a little at every step: loops that cross now and then."""
    angle = np.cumsum(rng.normal(size=n) * 0.4)
    points = np.cumsum(np.stack([np.cos(angle), np.sin(angle)], axis=1), axis=0)
    return Recipe(points, rng.uniform(0.05, 0.55, n))


def spiral(_: Any, n: int) -> Recipe:
    """The paper's: from the middle outwards, the arms next to each other."""
    t = np.sqrt(np.arange(n) + 4.0)
    points = np.stack([t * np.cos(2.0 * t), t * np.sin(2.0 * t)], axis=1)
    return Recipe(points, np.full(n, 0.6))


def grill(_: Any, n: int) -> Recipe:
    """Rows of a square, up and down, tangent to the last bit."""
    side = int(np.ceil(np.sqrt(n)))
    k = np.arange(n)
    y = np.where((k // side) % 2, side - 1 - k % side, k % side)
    return Recipe(np.stack([k // side, y], axis=1).astype(float), np.full(n, 0.5))


def ladder(_: Any, n: int) -> Recipe:
    """Lemma 4.3: points on one circle whose layered cages grow by the square root of the levels."""
    levels = max(int(np.ceil(np.log2(max(n, 2)))), 1)
    points, centre = np.array([[1.0, 0.0]]), np.array([1.0, 0.0])
    for _ in range(levels):
        points, centre = doubled(points, centre, 1.0 / np.sqrt(levels))
    return Recipe(points[:n], np.zeros(n), exclude=0)


def doubled(points: np.ndarray, centre: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
    """One level more: mirrored about the line to the next centre, which is `step` from this one."""
    away = float(np.hypot(*centre))
    angle = np.arcsin(min(step / away, 1.0))
    turn = np.arctan2(centre[1], centre[0]) + angle
    axis = np.array([np.cos(turn), np.sin(turn)])
    mirrored = 2.0 * (points @ axis)[:, None] * axis - points
    return np.concatenate([points, mirrored]), axis * away * np.cos(angle)


# Recipes from recipes.


def scaled(make: Maker, scale: float) -> Maker:
    def made(rng: Any, n: int) -> Recipe:
        recipe = make(rng, n)
        return replace(recipe, positions=recipe.positions * scale, radii=recipe.radii * scale)

    return made


def shifted(make: Maker, by: float) -> Maker:
    def made(rng: Any, n: int) -> Recipe:
        recipe = make(rng, n)
        away = by * np.array([1.0, -1.0, 0.5])[: recipe.positions.shape[1]]
        return replace(recipe, positions=recipe.positions + away)

    return made


def loose(make: Maker) -> Maker:
    """No pair may touch: neighbours collide if they do."""

    def made(rng: Any, n: int) -> Recipe:
        recipe = make(rng, n)
        return replace(recipe, radii=recipe.radii * 0.9, exclude=0)

    return made


coil, tangle = of_chain(chain_makers.coil), of_chain(chain_makers.tangle)
compact, hairpin = of_chain(chain_makers.serpentine), of_chain(chain_makers.hairpin)
points_only, rows = of_chain(chain_makers.points_only), of_chain(chain_makers.rows)
MAKERS: dict[str, Maker] = {
    "coil": coil, "tangle": tangle, "compact": compact, "hairpin": hairpin, "rows": rows, "line": line,
    "slanted": slanted, "helix": helix, "blocks": blocks, "coincident": coincident, "twins": twins,
    "nested": nested, "swallowed": swallowed, "cospherical": cospherical, "corners": cube_corners,
    "collinear": collinear, "uneven": uneven, "cloud": cloud, "bonds": bonds, "ring": ring, "knot": knot,
    "points": points_only, "loose": loose(coil), "tiny": scaled(coil, 1e-12), "huge": scaled(cloud, 1e12),
    "far": shifted(coil, 1e8), "far-lattice": shifted(blocks, 2.0**27), "flat-coil": flat_coil,
    "spiral": spiral, "grill": grill, "ladder": ladder, "flat-cloud": flat(cloud), "flat-ring": flat(ring),
    "flat-line": flat(slanted), "flat-bonds": flat(bonds), "flat-nested": flat(nested),
    "flat-tiny": scaled(flat_coil, 1e-12), "flat-far": shifted(flat_coil, 1e8),
}  # fmt: skip


@st.composite
def recipes(draw: st.DrawFn, most: int = 9) -> Recipe:
    """Small necklaces on a grid, which shrink to few beads of one radius in a row."""
    n, d = draw(st.integers(1, most)), draw(st.sampled_from([3, 2]))
    grid = st.integers(-4, 4).map(lambda i: i / 2.0)
    positions = draw(st.lists(st.tuples(*[grid] * d), min_size=n, max_size=n))
    radii = draw(st.lists(st.sampled_from([0.5, 0.25, 1.0, 0.0]), min_size=n, max_size=n))
    touch: Any = draw(st.sampled_from([1, 0, 2, "pairs"]))
    if touch == "pairs":
        pairs = [(i, j) for j in range(n) for i in range(j)]
        chosen = draw(st.lists(st.sampled_from(pairs), max_size=4)) if pairs else []
        touch = np.array(chosen, dtype=np.int64).reshape(-1, 2)
    closed = not isinstance(touch, np.ndarray) and draw(st.booleans())  # a list says it all
    return Recipe(np.array(positions), np.array(radii), touch, closed)
