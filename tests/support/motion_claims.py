"""Claims about motions, as certificates make them, for the check of certificates to believe or refuse."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

import elbowroom as er
from elbowroom._proof import verify

FACTS = ("body", "motion", "obstacles", "self_too", "clearance_asked", "intervals", "free", "first_contact",
         "pair", "obstacle")  # fmt: skip


def claim(certificate: Any, **changed: Any) -> Any:
    """What a certificate says, some of it changed."""
    return SimpleNamespace(**{name: getattr(certificate, name) for name in FACTS} | changed)


def claimed_free(body: Any, motion: Any, obstacles: Any, **more: Any) -> Any:
    """That all of a motion is free, said by nobody."""
    said = {"self_too": True, "clearance_asked": 0.0, "intervals": np.array([[0.0, 1.0]]), "free": True,
            "first_contact": None, "pair": None, "obstacle": None}  # fmt: skip
    return SimpleNamespace(**{"body": body, "motion": motion, "obstacles": obstacles} | said | more)


def is_refused(said: Any) -> bool:
    try:
        verify(said)
    except ValueError:
        return True
    return False


def at(*place: float) -> er.Pose:
    return er.Pose(translation=place)
