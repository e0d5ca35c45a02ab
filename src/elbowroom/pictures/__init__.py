"""Pictures of bodies and answers. Imported only on demand, because it brings matplotlib with it."""

from .drawing import INK, draw, draw_on, png, trace, trace_on
from .painting import PALETTE, Look
from .ramachandran import ramachandran
from .surfaces import surface

__all__ = ["INK", "PALETTE", "Look", "draw", "draw_on", "png", "ramachandran", "surface", "trace", "trace_on"]
