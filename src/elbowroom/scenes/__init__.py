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
from .necklace import (
    grid_necklace,
    grill,
    helix,
    spiral,
    spline,
    sqrt_log,
)
from .necklace_folds import (
    barrel,
    brownian,
    hairpin,
    horseshoe,
    long_coil,
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
    "barrel",
    "boat",
    "braided_chains",
    "brownian",
    "coil",
    "grid_necklace",
    "grill",
    "hairpin",
    "hand_and_ball",
    "helix",
    "hook",
    "hook_poses",
    "horseshoe",
    "lemma7",
    "long_coil",
    "rod",
    "serpentine",
    "spindle",
    "spiral",
    "spline",
    "spring",
    "spring_path",
    "sqrt_log",
    "swinging_chains",
    "tangent_rows",
    "tetrahedra",
    "torus",
    "worst_spatial",
]
