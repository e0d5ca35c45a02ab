"""The compiled core: the build for this processor.

The core is compiled twice, for every x86-64 and with AVX2, and the better one that the processor can run is
loaded. The environment variable ELBOWROOM_ISA chooses by hand: "baseline" or "avx2".
"""

import importlib
import os

from elbowroom._core import _cpu


def _choose() -> str:
    asked = os.environ.get("ELBOWROOM_ISA", "")
    if asked not in ("", "baseline", "avx2"):
        raise ImportError(f'ELBOWROOM_ISA must be "baseline" or "avx2", got {asked!r}')
    if asked == "avx2" and not _cpu.has_avx2():
        raise ImportError("ELBOWROOM_ISA asks for avx2, which this processor does not have")
    return asked or ("avx2" if _cpu.has_avx2() else "baseline")


_module = importlib.import_module(f"elbowroom._core._{_choose()}")
globals().update({name: getattr(_module, name) for name in dir(_module) if not name.startswith("__")})
