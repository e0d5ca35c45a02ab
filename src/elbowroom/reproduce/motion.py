"""He and van den Berg, "Efficient Exact Collision-Checking of 3-D Rigid Body Motions using Linear
Transformations and Distance Computations in Workspace" (ICRA 2014) [He2014]_: Table I and its seven figures.

Distance computations are counted, as in the paper, which gives no times.
"""

from __future__ import annotations

from . import motion_first, motion_hourglass, motion_metric, motion_open, motion_table, motion_variants
from .findings import Paper

PAPER = Paper(
    "motion",
    "Exact Collision-Checking of Rigid Body Motions",
    "He and van den Berg, ICRA 2014: whole motions proved free by few distance computations, in a space "
    "stretched along the motion. Counted again on this machine, beside the library's own way.",
    (
        motion_first.CHAPTER,
        motion_hourglass.CHAPTER,
        motion_table.CHAPTER,
        motion_variants.CHAPTER,
        motion_open.CHAPTER,
        motion_metric.CHAPTER,
    ),
    frozenset({"nodes"}),
)
