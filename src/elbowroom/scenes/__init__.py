"""Scenes of the papers, generated: shared by tests, examples and benchmarks."""

from .articulated import (
    Limbs,
    boat,
    braided_chains,
    spindle,
    swinging_chains,
)
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
from .hand import (
    Flicked,
    hand_and_ball,
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
    "Flicked",
    "Fold",
    "Limbs",
    "backbone",
    "boat",
    "braided_chains",
    "coil",
    "hand_and_ball",
    "hook",
    "hook_poses",
    "lemma7",
    "rod",
    "serpentine",
    "spindle",
    "spring",
    "spring_path",
    "swinging_chains",
    "tangent_rows",
    "tetrahedra",
    "torus",
    "worst_spatial",
]
