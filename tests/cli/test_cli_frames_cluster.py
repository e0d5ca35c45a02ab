"""`elbowroom check --cluster` at a TLS address: a worker, or the command itself, is killed in the middle."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from campaign_cluster import Cluster, wait_for
from trajectory_files import MASSES, peptide_bonds, psf_text, shaken, write_frames

from elbowroom.sampling._disk.tables import read_table

pytestmark = pytest.mark.cluster
distributed = pytest.importorskip("distributed")
pytest.importorskip("cryptography")

Ask = Callable[..., tuple[int, str, str]]
FRAMES = 1000  # in fifty parts


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("files")
    rows, frames = shaken(FRAMES, amount=0.28)
    names, masses = [row.name for row in rows], [MASSES[row.symbol] for row in rows]
    (folder / "atoms.psf").write_text(psf_text(names, masses, peptide_bonds(rows)))
    write_frames(folder / "shaken.dcd", frames)
    return [str(folder / "shaken.dcd"), "--topology", str(folder / "atoms.psf")]


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The certificates, as options of the command line and of dask alike."""
    folder, made = tmp_path_factory.mktemp("keys"), distributed.Security.temporary()
    contents = {"ca-file": made.tls_ca_file, "cert": made.tls_client_cert, "key": made.tls_client_key}
    for name, content in contents.items():
        (folder / name).write_text(content)
    return [word for name in contents for word in (f"--tls-{name}", str(folder / name))]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, options: list[str]) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cluster"), "--protocol", "tls", *options)
    try:
        made.add_worker()
        yield made
    finally:
        made.close()


@pytest.fixture(scope="module")
def started(cluster: Cluster, files: list[str], options: list[str]) -> Callable[[Path], Any]:
    def start(out: Path) -> subprocess.Popen[str]:
        words = ["check", *files, "--cluster", cluster.address, *options, "--out", str(out)]
        program = [sys.executable, "-m", "elbowroom", *words]
        return subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    return start


def done(out: Path) -> list[str]:
    return sorted(path.parent.name for path in out.glob("tasks/frames/*/done.json"))


def attempts(out: Path) -> dict[str, int]:
    found = out.glob("tasks/frames/*/task.json")
    return {path.parent.name: json.loads(path.read_text())["attempts"] for path in found}


def tables(out: Path) -> list[Any]:
    return [read_table(out / f"{name}.parquet") for name in ("atoms", "frames", "overlaps")]


def test_a_worker_is_killed_in_the_middle(
    ask: Ask, cluster: Cluster, files: list[str], started: Callable[[Path], Any], tmp_path: Path
) -> None:
    assert cluster.address.startswith("tls://")
    alone = ask("check", *files)
    running = started(tmp_path / "out")
    wait_for(lambda: len(done(tmp_path / "out")) >= 3, "the first parts")
    assert len(done(tmp_path / "out")) < FRAMES // 20, "it was too fast to be killed in the middle"
    cluster.kill_worker_of(0)
    out, err = running.communicate(timeout=120)
    assert (running.returncode, err) == (alone[0], "")
    assert out == f"{alone[1]}results: {tmp_path / 'out'}\n"
    assert tables(tmp_path / "out")[1]["frame"].to_pylist() == list(range(FRAMES))
    assert set(attempts(tmp_path / "out").values()) <= {1, 2}


def test_the_command_is_killed_and_goes_on(started: Callable[[Path], Any], tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = started(out)
    wait_for(lambda: len(done(out)) >= 3, "the first parts")
    first.send_signal(signal.SIGKILL)
    first.communicate()
    before, tried = done(out), attempts(out)
    assert 3 <= len(before) < FRAMES // 20
    again = started(out)
    _, err = again.communicate(timeout=120)
    assert (again.returncode, err) == (1, "")
    assert {name: attempts(out)[name] for name in before} == {name: tried[name] for name in before}
    whole = started(tmp_path / "whole")
    whole.communicate(timeout=120)
    assert tables(out) == tables(tmp_path / "whole")
