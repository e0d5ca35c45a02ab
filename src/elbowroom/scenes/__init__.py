"""Scenes of the papers, generated: shared by tests, examples and benchmarks."""

from .rigid import (
    hook,
    hook_poses,
    spring,
    spring_path,
    tetrahedra,
    torus,
)

__all__ = ["hook", "hook_poses", "spring", "spring_path", "tetrahedra", "torus"]
