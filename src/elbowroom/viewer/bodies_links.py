"""Articulated bodies as they are shown: a mesh for each link, and balls together."""

from __future__ import annotations

from typing import Any

import numpy as np

import elbowroom as er
from elbowroom.articulated import Refit

from .bodies import Actor, Numbers
from .layers import BLUE, GREY, RED, Array, Balls, Bytes, Colour, Layer, Paint, Triangulated
from .layers_surfaces import Surface, body_surface, is_round, joined, moved
from .layers_volumes import box_columns, count_levels, placed_boxes

#: Colours that links take in turn, a light one and a darker one.
LINKS: tuple[Colour, Colour] = (BLUE, (112, 168, 222))
#: Whose boxes can be shown: those of the paper's tree, and the blocks of sixteen.
TREES: dict[str, Refit] = {"CAB": "cab", "OBB": "obb", "AABB": "aabb", "blocks": "auto"}


class LinksActor(Actor):
    """An articulated body. It is asked as it is; the boxes are those of a twin with the refit `tree`."""

    parts = "links"

    def __init__(
        self,
        name: str,
        body: er.Articulated,
        pose: Array | None = None,
        *,
        colours: tuple[Colour, Colour] = LINKS,
        tree: str = "CAB",
    ) -> None:
        super().__init__(name, body, pose)
        self._colours, self._twin = colours, body
        self._balls = [(link, s, p.matrix) for link, s, p in body.shapes if isinstance(s, er.Sphere)]
        self._meshes = {link: _link_surface(body, link) for link in _links_with_meshes(body)}
        self._plain = {link: self._colour(k) for k, link in enumerate(sorted(self._shown()))}
        self.show_tree(tree)

    def show_tree(self, tree: str) -> None:
        """From now on the boxes of this tree are shown, one of `TREES`."""
        if tree not in TREES:
            raise ValueError(f"tree must be one of {', '.join(TREES)}, got {tree!r:.80}")
        self._twin, self.tree = self._with_refit(TREES[tree]), tree
        self.levels = max(count_levels(self._twin.boxes), 2 if tree == "blocks" else 1)

    def layers(self, marked: Numbers) -> list[Layer]:
        """A mesh for each link, in red if it is marked, and the balls of all links in one layer."""
        poses, red = self.pose @ self.body.link_poses(), set(marked.tolist())
        out: list[Layer] = [
            Triangulated(
                f"body/{self.name}/{self.body.link_names[link].replace('/', '_')}",
                *surface,
                poses[link],
                smooth,
                colour=RED if link in red else self._plain[link],
            )
            for link, (surface, smooth) in self._meshes.items()
        ]
        return [*out, *self._ball_layer(poses, red)]

    def hierarchy(self, level: int) -> list[Layer]:
        """Boxes of the twin, which is put where the body is."""
        if self._twin is not self.body:
            self._twin.move(self.body.configuration)
        level = min(level, self.levels - 1)
        columns = box_columns(self._twin.boxes(level))
        return [placed_boxes(f"hierarchy/{level}/{self.name}", columns, self.pose)]

    def middles(self, numbers: Numbers) -> Array:
        """The middles of the links' shapes; of a link without any, its origin."""
        poses = self.pose @ self.body.link_poses()
        centres = np.zeros((len(self.body.link_names), 3))
        for link in self._shown():
            own = [p.matrix[:3, :3] @ s.bounds.mean(axis=0) + p.translation for s, p in self._shapes_of(link)]
            centres[link] = np.mean(own, axis=0)
        turned = np.einsum("kij,kj->ki", poses[numbers, :3, :3], centres[numbers])
        return np.asarray(turned + poses[numbers, :3, 3])

    def _ball_layer(self, poses: Array, red: set[int]) -> list[Layer]:
        if not self._balls:
            return []
        centres = np.array([(poses[link] @ pose)[:3, 3] for link, _, pose in self._balls])
        radii = np.array([ball.radius for _, ball, _ in self._balls])
        colours: Bytes = np.array(
            [RED if link in red else self._plain[link] for link, _, _ in self._balls], np.uint8
        )
        return [Balls(f"body/{self.name}/balls", centres, radii, colour=colours)]

    def _shown(self) -> set[int]:
        return {link for link, _, _ in self.body.shapes}

    def _shapes_of(self, link: int) -> list[tuple[er.Body, er.Pose]]:
        return [(shape, pose) for number, shape, pose in self.body.shapes if number == link]

    def _colour(self, place: int) -> Colour:
        return self._colours[place % 2]

    def _with_refit(self, refit: Refit) -> er.Articulated:
        body: er.Articulated = self.body
        if refit == body.refit:
            return body
        model = body._skeleton
        twin = er.Articulated(model.links, model.joints, refit=refit, exclude=body.excluded.tolist())
        twin.move(body.configuration)
        return twin


def figure_colours(colour: Paint) -> tuple[Colour, Colour]:
    """A colour and a lighter one, for the links of one figure."""
    light: Any = tuple(round(0.7 * part + 0.3 * grey) for part, grey in zip(colour, GREY, strict=True))
    return colour, light


def _links_with_meshes(body: er.Articulated) -> list[int]:
    return sorted({link for link, shape, _ in body.shapes if not isinstance(shape, er.Sphere)})


def _link_surface(body: er.Articulated, link: int) -> tuple[Surface, bool]:
    """All shapes of a link but balls, in its frame, and whether they look better smooth."""
    own = [(s, p) for number, s, p in body.shapes if number == link and not isinstance(s, er.Sphere)]
    return joined([moved(body_surface(s), p.matrix) for s, p in own]), all(is_round(s) for s, _ in own)
