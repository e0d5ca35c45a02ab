"""Plain data as JSON files."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from elbowroom import _writing


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Creates or replaces a file."""
    _writing.write_text(path, json.dumps(plain(content), indent=1, allow_nan=False) + "\n")


def plain(value: Any) -> Any:
    """The same with what JSON has: NaN is null, and infinity a text that float() understands."""
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value
