"""Changes that bring balls next to the joint within a hair of each other, or just not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from chain_makers import FAST, VOLUMES

import elbowroom as er

JOINT = 20  # of a chain of several leaves; its neighbours share a leaf with it


def hairpin(links: int, joint: int, gap: float, scale: float, volume: str) -> bool:
    """A straight chain folds at a joint until the links beside it are `gap` radii apart: does it collide?"""
    angle = 0.6 * math.pi
    apart = 2.0 * math.cos(angle / 2.0)  # of the two links beside the joint, once it is folded
    radius = apart / (2.0 + gap)
    centres = scale * np.arange(links)[:, None] * [1.0, 0.0, 0.0]
    chain = er.Chain(centres, scale * radius, **VOLUMES[volume])
    assert not chain.collides()
    c, s = math.cos(angle), math.sin(angle)
    chain.turn(joint, [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    found = chain.collides()
    assert found == bool(er.self_collide(chain))  # which looks at all of it, another way
    return found


@pytest.mark.parametrize("volume", FAST)
@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e9])
@pytest.mark.parametrize(("links", "joint"), [(3, 1), (64, JOINT), (64, 15), (64, 16), (600, 300)])
@pytest.mark.parametrize("gap", [1e-3, 1e-5, 1e-6, 1e-7, 1e-9, 1e-11])
def test_balls_beside_the_joint(links: int, joint: int, gap: float, scale: float, volume: str) -> None:
    assert hairpin(links, joint, -gap, scale, volume)
    assert not hairpin(links, joint, gap, scale, volume)
