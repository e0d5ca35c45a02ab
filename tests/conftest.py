"""Settings of the whole suite: hypothesis draws the same cases on every run. And the command line, asked."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

import pytest
from hypothesis import settings

from elbowroom.cli import main

# OpenMM and Open CASCADE are large: what needs them is collected where they are installed, by the extras
# `openmm` or `bench`, and `cad`; python-fcl comes with `bench`.
LARGE = {
    "openmm": "chain/test_chain_energy_openmm.py",
    "OCP": "files/test_assembly_cad.py",
    "fcl": "world/test_compat_trimesh_fcl.py",
}
collect_ignore = [file for package, file in LARGE.items() if find_spec(package) is None]
pytest_plugins = ["browser", "touring"]  # fixtures that show pages, and take the tour

Ask = Callable[..., tuple[int, str, str]]

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    """Runs a command: its exit status, and what it said on stdout and stderr."""

    def run(*arguments: object) -> tuple[int, str, str]:
        status = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run
