#!/usr/bin/env python3
"""Builds the documentation site of docs/ and the docstrings of the installed package; warnings are errors.

Run as ``python tools/build_docs.py [FOLDER]``: pages go to FOLDER, build/site of this checkout if it is not
given, and index.html there is the first. Needs ``pip install '.[docs]'``.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "build" / "site"


def build(folder: Path, *, jobs: int) -> int:
    """Exit status of Sphinx; what it keeps between builds goes beside the pages, not among them."""
    from sphinx.cmd.build import build_main

    kept = folder.parent / f"{folder.name}-kept"
    options = ["-b", "html", "-W", "--keep-going", "-q", "-j", str(jobs), "-d", str(kept)]
    return build_main([*options, str(ROOT / "docs"), str(folder)])


def main() -> int:
    """Build, and say where the pages are."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "folder", nargs="?", type=Path, default=SITE, help=f"where pages go (default: {SITE})"
    )
    parser.add_argument("--jobs", type=int, default=min(4, os.cpu_count() or 1), help="processes at work")
    asked = parser.parse_args()
    try:
        status = build(asked.folder.resolve(), jobs=asked.jobs)
    except ModuleNotFoundError as missing:
        print(
            f"build_docs.py: needs {missing.name}, which is missing: pip install '.[docs]'", file=sys.stderr
        )
        return 2
    if status == 0:
        print(asked.folder.resolve() / "index.html")
    return status


if __name__ == "__main__":
    sys.exit(main())
