"""Lin and Li, "A Time-Budgeted Collision Detection Method" [Lin2006]_: Figures 4 to 6, Tables 1 and 2.

Tests are counted, as in the paper, which gives no times.
"""

from __future__ import annotations

from . import (
    budget_calibrated,
    budget_contradiction,
    budget_covered,
    budget_depths,
    budget_table1,
    budget_table2,
    budget_troughs,
)
from .findings import Paper

PAPER = Paper(
    "budget",
    "Collision Detection on a Budget",
    "Lin and Li: a check that may take only so many tests, goes first where the last one went deepest, and "
    "says how far it can be trusted. Counted again on this machine, beside the library's own way.",
    (
        budget_depths.DEPTHS,
        budget_depths.DIFFERENCES,
        budget_troughs.CHAPTER,
        budget_table1.CHAPTER,
        budget_table2.CHAPTER,
        budget_contradiction.CHAPTER,
        budget_calibrated.CHAPTER,
        budget_covered.CHAPTER,
    ),
    frozenset({"checks"}),
)
