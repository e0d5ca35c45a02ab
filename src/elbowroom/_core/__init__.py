"""The compiled core: the build for this processor.

A wheel has two builds, for every x86-64 and with AVX2, and the better one that the processor can run is
loaded. An install from source has the one for the machine that compiled it. The environment variable
ELBOWROOM_ISA chooses by hand: "baseline" or "avx2".
"""

import importlib
import importlib.util
import os

from elbowroom._core import _cpu


def builds() -> list[str]:
    """The instruction sets that this installation was compiled for, the best one first."""
    return [isa for isa in ("avx2", "baseline") if importlib.util.find_spec(f"elbowroom._core._{isa}")]


def _choose() -> str:
    asked, has_avx2 = os.environ.get("ELBOWROOM_ISA", ""), _cpu.has_avx2()
    if asked not in ("", "baseline", "avx2"):
        raise ImportError(f'ELBOWROOM_ISA must be "baseline" or "avx2", got {asked!r}')
    if asked == "avx2" and not has_avx2:
        raise ImportError("ELBOWROOM_ISA asks for avx2, which this processor does not have")
    usable = [isa for isa in builds() if isa == "baseline" or has_avx2]
    if asked and asked not in usable:
        raise ImportError(
            f"ELBOWROOM_ISA asks for {asked}, which this installation was not compiled for: install with "
            "-C cmake.define.ELBOWROOM_ISA=all"
        )
    if not usable:
        raise ImportError(
            "elbowroom was compiled for AVX2, which this processor does not have: install it again here"
        )
    return asked or usable[0]


_module = importlib.import_module(f"elbowroom._core._{_choose()}")
globals().update({name: getattr(_module, name) for name in dir(_module) if not name.startswith("__")})
