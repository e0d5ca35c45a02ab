"""A wrong verdict made as small as it goes: links and shapes are left out as long as it stays wrong."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
from articulated_makers import Part, Recipe
from articulated_oracle import SlowBody, Twin

import elbowroom as er


def is_wrong(recipe: Recipe, q: np.ndarray, refit: str) -> bool:
    try:
        twin = Twin.of(recipe, refit=refit)
        twin.move(q)
        verdict, gap = bool(er.self_collide(twin.body)), float(twin.gaps.min())
    except ValueError:  # what is left is no body any more
        return False
    return abs(gap) > twin.doubt and verdict != (gap < 0.0)


def without_link(recipe: Recipe, q: np.ndarray, k: int) -> tuple[Recipe, np.ndarray] | None:
    """The body without a link that nothing hangs on; None if something does."""
    name, slow = recipe.parts[k].name, SlowBody(recipe)
    gone = slow.joint_to.get(name)
    followed = {joint.mimic.joint for joint in recipe.joints if joint.mimic}
    if any(joint.parent == name for joint in recipe.joints) or (gone and gone.name in followed):
        return None
    joints = tuple(joint for joint in recipe.joints if joint is not gone)
    exclude = recipe.exclude
    if isinstance(exclude, list):
        exclude = [pair for pair in exclude if name not in pair]
    keep = np.ones(len(q), dtype=bool)
    if gone and gone.name in slow.slices:
        keep[slow.slices[gone.name]] = False
    parts = tuple(part for part in recipe.parts if part.name != name)
    return Recipe(parts, joints, exclude), q[keep]


def without_shapes(recipe: Recipe, q: np.ndarray, k: int) -> tuple[Recipe, np.ndarray] | None:
    part = recipe.parts[k]
    if not part.shapes or recipe.exclude == "adjacent":  # the rule hangs on who has a shape
        return None
    parts = (*recipe.parts[:k], Part(part.name), *recipe.parts[k + 1 :])
    return dataclasses.replace(recipe, parts=parts), q


def as_list(recipe: Recipe) -> Recipe:
    """The same pairs excluded, told one by one, by their names."""
    slow = SlowBody(recipe)
    pairs = slow.adjacent() if recipe.exclude == "adjacent" else recipe.exclude or ()
    return dataclasses.replace(recipe, exclude=[(slow.names[i], slow.names[j]) for i, j in pairs])


def smallest(
    recipe: Recipe, q: np.ndarray, wrong: Callable[[Recipe, np.ndarray], bool]
) -> tuple[Recipe, np.ndarray]:
    """Leaves out shapes and links, one after another, as long as the answer stays wrong."""
    if wrong(listed := as_list(recipe), q):
        recipe = listed
    changed = True
    while changed:
        changed = False
        for cut in (without_link, without_shapes):
            for k in reversed(range(len(recipe.parts))):
                less = cut(recipe, q, k) if k < len(recipe.parts) else None
                if less is not None and wrong(*less):
                    (recipe, q), changed = less, True
    return recipe, q


def reproduction(recipe: Recipe, q: np.ndarray, refit: str) -> str:
    """A program that shows the wrong verdict; if it needs what happened before, it says so."""
    if not is_wrong(recipe, q, refit):
        return (
            "# a fresh body at this configuration answers rightly: the failure needs the motion before it\n"
        )
    recipe, q = smallest(recipe, q, lambda r, p: is_wrong(r, p, refit))
    slow = SlowBody(recipe)
    gaps = slow.gaps(slow.poses(q))
    i, j = np.unravel_index(gaps.argmin(), gaps.shape)
    told = f"# wrong: the gap of links {i} and {j} is {gaps.min():.6g}"
    return (
        f"import elbowroom as er\n\n{recipe.code(refit=refit)}body.move({q.tolist()})\n"
        f"print(er.self_collide(body, every=True))  {told}\n"
    )
