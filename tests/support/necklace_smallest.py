"""A wrong verdict made as small as it goes: frames and beads are left out as long as it stays wrong."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from necklace_makers import Recipe
from necklace_oracle import Twin, excluded_pairs

import elbowroom as er


class Story(NamedTuple):
    """A necklace, and all frames after the first; after each of them it is asked."""

    recipe: Recipe
    frames: list[np.ndarray]


def is_wrong(story: Story, cages: str) -> bool:
    """Whether the verdict, or a pair listed, is wrong after the last frame."""
    twin = Twin.of(story.recipe, cages=cages)
    verdict, pairs = bool(er.self_collide(twin.necklace)), er.self_collide(twin.necklace, every=True).pairs
    for positions in story.frames:
        twin.move(positions)
        verdict = bool(er.self_collide(twin.necklace))
        pairs = er.self_collide(twin.necklace, every=True).pairs
    gaps, doubts = twin.slow.gaps(), twin.slow.doubts()
    listed = np.zeros(gaps.shape, dtype=bool)
    listed[pairs[:, 0], pairs[:, 1]] = True
    missed, surplus = gaps <= 0.0, gaps > doubts
    return bool(
        (missed.any() and not verdict)
        or (verdict and surplus.all())
        or (missed & ~listed).any()
        or (surplus & listed).any()
    )


def listed_pairs(story: Story) -> Story:
    """The same pairs may touch, told one by one."""
    recipe = dataclasses.replace(story.recipe, exclude=excluded_pairs(story.recipe), closed=False)
    return Story(recipe, story.frames)


def without_frames(story: Story, low: int, high: int) -> Story:
    return Story(story.recipe, story.frames[:low] + story.frames[high:])


def without_beads(story: Story, low: int, high: int) -> Story:
    """The other beads, numbered anew."""
    recipe = story.recipe
    keep = np.ones(len(recipe.radii), dtype=bool)
    keep[low:high] = False
    number = np.cumsum(keep) - 1
    pairs = recipe.exclude[keep[recipe.exclude].all(axis=1)]
    less = Recipe(recipe.positions[keep], recipe.radii[keep], number[pairs].reshape(-1, 2))
    return Story(less, [frame[keep] for frame in story.frames])


def pruned(
    story: Story,
    length: Callable[[Story], int],
    cut: Callable[[Story, int, int], Story],
    wrong: Callable[[Story], bool],
) -> Story:
    """Leaves out runs, long ones first, then ever shorter ones."""
    run = length(story)
    while run >= 1:
        low = 0
        while low < length(story):
            high = min(low + run, length(story))
            less = cut(story, low, high) if high - low < length(story) or cut is without_frames else story
            if less is not story and wrong(less):
                story = less
            else:
                low = high
        run //= 2
    return story


def reproduction(story: Story, cages: str) -> str:
    """A program that shows the wrong verdict; if it hangs on measured costs, it may not."""

    def wrong(less: Story) -> bool:
        return is_wrong(less, cages)

    if not wrong(story):
        return "# asked again in the same way, the necklace answers rightly: it hangs on measured costs\n"
    story = pruned(story, lambda s: len(s.frames), without_frames, wrong)
    if wrong(listed := listed_pairs(story)):
        story = pruned(listed, lambda s: len(s.recipe.radii), without_beads, wrong)
    told = "print(er.self_collide(necklace), er.self_collide(necklace, every=True).pairs)\n"
    moves = "".join(f"necklace.move({frame.tolist()})\n{told}" for frame in story.frames)
    twin = Twin.of(story.recipe)
    twin.move(story.frames[-1] if story.frames else story.recipe.positions)
    return (
        f"import elbowroom as er\n\n{story.recipe.code(cages=cages)}{told}{moves}"
        f"# wrong: the least gap is {twin.slow.clearance():.6g}\n"
    )
