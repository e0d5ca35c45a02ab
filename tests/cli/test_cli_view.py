"""`elbowroom view`: what it refuses, what it writes, and how it ends."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import nullcontext
from pathlib import Path

import pytest
from conftest import Ask
from stopping import HEEDING

from elbowroom.viewer import built_in

TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


def test_other_machines_are_let_in_only_if_asked_for(ask: Ask) -> None:
    for host in ("0.0.0.0", "::", "192.0.2.1", "example.org"):
        status, out, error = ask("view", "--host", host)
        assert (status, out) == (2, "") and "--allow-remote" in error
    status, _, error = ask("view", "--host", "192.0.2.1", "--allow-remote")
    assert status == 2 and "no address '192.0.2.1'" in error


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--port", "70000"), "--port: must be from 0 to 65535"),
        (("--scene", "nothing"), "--scene: unknown scene 'nothing'; choose springs"),
        (("missing.pdb",), "FILES: no such file 'missing.pdb'"),
        (("--chain", "A"), "--chain: not supported for a built-in scene"),
        (("--record", "no/such/folder/x.html"), "--record: folder 'no/such/folder' does not exist"),
        (("--json", "no/such/folder/x.json"), "--json: folder"),
    ],
)
def test_what_makes_no_sense_is_one_line(ask: Ask, arguments: tuple[str, ...], words: str) -> None:
    status, out, error = ask("view", *arguments)
    assert (status, out) == (2, "") and words in error and error.count("\n") == 1


def test_files_and_a_scene_do_not_go_together(ask: Ask, tmp_path: Path) -> None:
    mesh = tmp_path / "mesh.obj"
    mesh.write_text(TRIANGLE)
    status, _, error = ask("view", mesh, "--scene", "arm")
    assert status == 2 and error.startswith("elbowroom: --scene: cannot be combined with")


def test_an_option_of_another_kind_of_file_is_named(ask: Ask, tmp_path: Path) -> None:
    mesh = tmp_path / "mesh.obj"
    mesh.write_text(TRIANGLE)
    status, out, error = ask("view", mesh, "--radius", 2)
    assert (status, out) == (2, "") and error.startswith("elbowroom: --radius: not supported for a mesh")


def test_a_file_that_cannot_be_read_is_named(ask: Ask, tmp_path: Path) -> None:
    broken = tmp_path / "broken.bvh"
    broken.write_text("nothing of the kind")
    status, out, error = ask("view", broken)
    assert (status, out) == (2, "") and "broken.bvh" in error and error.count("\n") == 1


def test_without_viser_it_says_what_to_install(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "viser", None)
    status, _, error = ask("view")
    assert status == 2 and "pip install elbowroom[view]" in error
    assert ask("view", "--list")[0] == 0


def test_a_viser_that_cannot_be_guarded_is_one_line(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("elbowroom.viewer.gate.Gate.guarding", lambda _: nullcontext())
    for arguments in (("--port", 0), ("--record", tmp_path / "scene.html")):
        status, out, error = ask("view", *arguments)
        assert (status, out) == (2, "") and error.count("\n") == 1 and "cannot be protected" in error


def test_the_scenes_are_listed(ask: Ask, tmp_path: Path) -> None:
    status, out, _ = ask("view", "--list", "--json", tmp_path / "scenes.json")
    assert status == 0 and [line.split()[0] for line in out.splitlines()] == list(built_in())
    assert json.loads((tmp_path / "scenes.json").read_text())["scenes"] == built_in()


def test_a_recording_of_a_file_is_written(ask: Ask, tmp_path: Path) -> None:
    mesh, page, facts = tmp_path / "mesh.obj", tmp_path / "mesh.html", tmp_path / "facts.json"
    mesh.write_text(TRIANGLE)
    status, out, error = ask("view", mesh, "--record", page, "--json", facts)
    assert (status, error) == (0, "") and out.startswith("recorded: ") and str(page) in out
    told = json.loads(facts.read_text())
    assert told["bytes"] == page.stat().st_size and told["recording"] == str(page)
    assert page.read_text(encoding="utf-8").startswith("<!") and told["pictures"] >= 1


@pytest.mark.parametrize(
    ("number", "status", "said"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "stopped by SIGTERM")],
)
def test_it_serves_a_page_until_it_is_stopped(
    tmp_path: Path, number: signal.Signals, status: int, said: str
) -> None:
    facts = tmp_path / "facts.json"
    command = [sys.executable, "-c", HEEDING, "view", "--scene", "ring", "--port", "0", "--json", str(facts)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as viewer:
        assert viewer.stdout is not None
        title, address, hint = (viewer.stdout.readline().strip() for _ in range(3))
        page = urllib.request.urlopen(address, timeout=30).read()
        wait_for(facts)
        viewer.send_signal(number)
        out, error = viewer.communicate(timeout=60)
    told = json.loads(facts.read_text())
    assert told["address"] == address and address.startswith("http://127.0.0.1:")
    assert b"<html" in page.lower() and (title, hint) == ("A ring and a pill", "Press Ctrl-C to stop.")
    assert (viewer.returncode, out, error) == (status, "", f"elbowroom: {said}\n")


def wait_for(file: Path) -> None:
    begin = time.monotonic()
    while not file.exists() or not file.read_text():
        assert time.monotonic() - begin < 60
        time.sleep(0.02)
