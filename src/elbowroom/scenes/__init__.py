"""Scenes of the papers, generated: shared by tests, examples and benchmarks."""

from .chain import (
    Fold,
    backbone,
    coil,
    lemma7,
    rod,
    serpentine,
    tangent_rows,
    worst_spatial,
)
from .rigid import (
    hook,
    hook_poses,
    spring,
    spring_path,
    tetrahedra,
    torus,
)

__all__ = [
    "Fold",
    "backbone",
    "coil",
    "hook",
    "hook_poses",
    "lemma7",
    "rod",
    "serpentine",
    "spring",
    "spring_path",
    "tangent_rows",
    "tetrahedra",
    "torus",
    "worst_spatial",
]
