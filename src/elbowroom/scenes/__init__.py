"""Scenes of the papers, generated: shared by tests, examples and benchmarks."""

from .articulated import (
    Limbs,
    boat,
    braided_chains,
    spindle,
    swinging_chains,
)
from .assembly import (
    AssemblyPart,
    assembly,
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
from .motion import (
    Passage,
    hook_root,
    hook_segments,
    past_a_plate,
    thin_hook,
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
from .puzzles import (
    Puzzle,
    furnished_rooms,
    interlocked_tubes,
    swept_tube,
    twisted_bar,
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
    "AssemblyPart",
    "Flicked",
    "Fold",
    "Limbs",
    "Passage",
    "Puzzle",
    "assembly",
    "backbone",
    "barrel",
    "boat",
    "braided_chains",
    "brownian",
    "coil",
    "furnished_rooms",
    "grid_necklace",
    "grill",
    "hairpin",
    "hand_and_ball",
    "helix",
    "hook",
    "hook_poses",
    "hook_root",
    "hook_segments",
    "horseshoe",
    "interlocked_tubes",
    "lemma7",
    "long_coil",
    "past_a_plate",
    "rod",
    "serpentine",
    "spindle",
    "spiral",
    "spline",
    "spring",
    "spring_path",
    "sqrt_log",
    "swept_tube",
    "swinging_chains",
    "tangent_rows",
    "tetrahedra",
    "thin_hook",
    "torus",
    "twisted_bar",
    "worst_spatial",
]
