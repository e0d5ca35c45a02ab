"""`import elbowroom` is quick: counted in modules, which are the same on every machine, not in seconds."""

from __future__ import annotations

import subprocess
import sys

import pytest

import elbowroom as er


def modules(code: str) -> set[str]:
    """What a fresh Python has imported after it."""
    script = f"{code}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def added(code: str) -> set[str]:
    """Modules over those of NumPy, which is needed anyway."""
    return modules(code) - modules("import numpy")


def packages(names: set[str]) -> set[str]:
    """Those that are neither ours nor Python's own."""
    return {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"elbowroom", "numpy"}


def test_the_package_imports_numpy_and_nothing_else() -> None:
    assert packages(added("import elbowroom")) == set()


def test_the_package_imports_few_modules() -> None:
    names = added("import elbowroom")
    ours = {name for name in names if name.partition(".")[0] == "elbowroom"}
    assert 20 < len(ours) <= 35
    assert len(names - ours) <= 12
    assert "importlib.metadata" not in names  # which alone brings as many, for the version
    assert not any(
        name.startswith(("elbowroom.cli", "elbowroom.pictures", "elbowroom.reproduce")) for name in ours
    )


def test_what_most_do_not_need_is_imported_when_asked_for() -> None:
    late = {f"elbowroom.{name}" for name in {*er._MODULES, *er._NAMES.values()}}
    early = added("import elbowroom")
    assert not (late | {"json", "fractions", "decimal", "pathlib", "threading"}) & early
    assert late <= added("from elbowroom import *")


def test_every_public_name_is_listed_and_found() -> None:
    assert {*er._MODULES, *er._NAMES} <= {*er.__all__} <= {*dir(er)}
    for name, module in er._NAMES.items():
        assert getattr(er, name).__module__ == f"elbowroom.{module}"
    with pytest.raises(AttributeError, match="no attribute 'sphere'"):
        _ = er.sphere


def test_the_command_line_waits_with_the_libraries_of_its_commands() -> None:
    assert not packages(added("import elbowroom.cli"))
    heavy = {"scipy", "matplotlib", "trimesh", "gemmi", "MDAnalysis", "yourdfpy", "viser", "dask", "pyarrow"}
    assert not heavy & packages(added("from elbowroom.cli import main; main(['--version'])"))
