"""Is this installation sound: what is there, what is missing, and whether answers agree with brute force."""

from .checks import CHECKS, Check, self_test
from .installation import Extra, Installation, Package, look_around

__all__ = ["CHECKS", "Check", "Extra", "Installation", "Package", "look_around", "self_test"]
