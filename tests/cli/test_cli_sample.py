"""`elbowroom sample`: runs from options and files, going on after a stop, campaigns, and wrong arguments."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from campaign_cluster import checkpoints, wait_for, working
from peptide import pdb_text, peptide, shifted
from stopping import HEEDING, IGNORING, MAIN

import elbowroom as er

Ask = Callable[..., tuple[int, str, str]]

BEADS = "--beads 30 --steps 1e3"
RUN = """[chain]
beads = 12
radius = 0.4
[moves]
pivot = 1
crankshaft = { weight = 2, size_degrees = 60, longest = 5 }
[run]
steps = 2_000
every = 10
seed = 5
[output]
folder = "found"
frames = 100
checkpoint = 500
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A peptide, and a run in a file."""
    monkeypatch.chdir(tmp_path)
    Path("small.pdb").write_text(pdb_text(peptide(["ALA", "LEU", "SER", "GLY", "LYS", "ALA"])))
    Path("run.toml").write_text(RUN)
    return tmp_path


def sample(ask: Ask, arguments: str) -> tuple[int, str, str]:
    return ask("sample", *shlex.split(arguments))


def facts_of(ask: Ask, arguments: str) -> dict[str, Any]:
    Path("facts.json").unlink(missing_ok=True)
    status, out, err = sample(ask, f"{arguments} --json facts.json")
    assert (status, err) == (0, "") and "observable" in out
    return dict(json.loads(Path("facts.json").read_text(), parse_constant=pytest.fail))


def means_of(folder: str | Path) -> list[float]:
    """What was measured at the end of a run in a folder, to the last bit."""
    run = er.sampling.Run.load(folder)
    return [float(values.mean()) for values in run.observables.values()]


def test_beads(ask: Ask, here: Path) -> None:
    status, out, err = sample(ask, BEADS)
    assert (status, err) == (0, "")
    assert out.startswith("1,000 steps of 30 links\n")
    assert all(word in out for word in ("end_to_end", "radius_of_gyration", "pivot", "accepted"))
    assert [file.name for file in sorted(here.iterdir())] == ["run.toml", "small.pdb"]


def test_the_figures_are_those_of_the_library(ask: Ask, here: Path) -> None:
    options = "--spacing 2 --radius 0.8 --seed 3 --every 5 --burn-in 200 --moves 'pivot=1:0.5,crankshaft=2'"
    facts = facts_of(ask, f"{BEADS} {options} --observables end_to_end,contacts --contact-reach 0.5")
    run = er.sampling.sample(
        er.sampling.polymer(30, spacing=2, radius=0.8, seed=3),
        {"pivot": er.sampling.Move(size=0.5), "crankshaft": 2.0},
        steps=1000,
        every=5,
        seed=3,
        burn_in=200,
        observables=("end_to_end", "contacts"),
        contact_reach=0.5,
    )
    assert facts["samples"] == 200 and facts["acceptance"] == run.acceptance
    for name in ("end_to_end", "contacts"):
        assert facts["observables"][name]["mean"] == run.estimate(name).mean
        assert facts["observables"][name]["error"] == run.estimate(name).error


def test_a_protein(ask: Ask, here: Path) -> None:
    facts = facts_of(ask, "small.pdb --steps 500")
    assert facts["links"] == 18 and set(facts["acceptance"]) >= {"torsion", "side"}
    assert facts["spec"]["chain"] == {"pdb": str(here / "small.pdb")}
    facts = facts_of(ask, "small.pdb --steps 500 --atoms ca --scale 0.5 --moves torsion")
    assert facts["links"] == 6 and facts["spec"]["chain"]["scale"] == 0.5


def test_two_chains_of_a_complex(ask: Ask, here: Path) -> None:
    rows = peptide(["ALA", "LEU", "GLY"])
    Path("complex.pdb").write_text(pdb_text([*rows, *shifted(rows, (0, 0, 12), chain="B")]))
    facts = facts_of(ask, "complex.pdb --chain A,B --steps 500 --plot both.png --out both")
    assert facts["links"] == [9, 9] and len(facts["observables"]["end_to_end"]) == 2
    assert Path("both.png").exists() and Path("both/trajectory-1.dcd").exists()
    again = facts_of(ask, "--resume both --steps 1000")
    assert again["steps"] == 1000 and again["tallies"].keys() == facts["tallies"].keys()
    words = ("--chain", "A,B", "--steps", 500, "--replicas", 2, "--out", "many")
    status, _, err = ask("sample", "complex.pdb", *words)
    assert status == 2 and err.startswith("elbowroom: --chain: a campaign is of one chain")
    assert not Path("many").exists()


def test_tempering(ask: Ask, here: Path) -> None:
    warm = "--epsilon 2 --sigma 1 --cutoff 3 --shift"
    facts = facts_of(ask, f"{BEADS} {warm} --temperature 1,2,inf --swap-every 10 --plot traces.png")
    assert facts["temperatures"] == [1, 2, None] and len(facts["swaps"]) == 2
    energies = [each["mean"] for each in facts["observables"]["energy"]]
    assert energies[0] < energies[2] and len(energies) == 3
    assert facts["spec"]["energy"] == {"epsilon": 2.0, "sigma": 1.0, "cutoff": 3.0, "shift": True}
    assert Path("traces.png").read_bytes().startswith(b"\x89PNG")
    facts = facts_of(ask, f"{BEADS} --energy clashes --temperature 1")
    assert facts["observables"]["energy"]["mean"] == 0


def test_a_file_holds_a_whole_run(ask: Ask, here: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Its folder is beside it, wherever the command is given."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    done = subprocess.run(
        [sys.executable, "-c", MAIN, "sample", here / "run.toml"],
        cwd=elsewhere,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert not list(elsewhere.iterdir()) and "crankshaft" in done.stdout
    names = {file.name for file in Path("found").iterdir()}
    assert {"run.json", "spec.json", "topology.pdb", "trajectory.dcd", "observables.parquet"} <= names


def test_options_come_before_the_file(ask: Ask, here: Path) -> None:
    facts = facts_of(ask, "run.toml --steps 1e3 --moves torsion=1 --seed 6 --out other --frames 0")
    assert facts["spec"]["run"] == {"steps": 1000, "every": 10, "seed": 6}
    assert list(facts["acceptance"]) == ["torsion"] and facts["folder"] == str(here / "other")
    assert not Path("found").exists() and not Path("other/trajectory.dcd").exists()
    Path("short.toml").write_text("[chain]\nbeads = 9\n[run]\n")
    assert facts_of(ask, "short.toml --steps 10")["steps"] == 10


def test_a_longer_run_goes_on(ask: Ask, here: Path) -> None:
    plain = "--beads 30 --every 10 --checkpoint 250 --seed 2"
    sample(ask, f"{plain} --steps 1e3 --out short")
    assert facts_of(ask, "--resume short --steps 3e3")["steps"] == 3000
    sample(ask, f"{plain} --steps 3e3 --out whole")
    assert means_of("short") == means_of("whole")
    assert Path("short/trajectory.dcd").read_bytes() == Path("whole/trajectory.dcd").read_bytes()
    assert facts_of(ask, "--resume short")["steps"] == 3000  # to go on with what is done is to tell it again


def stopped(folder: Path, number: signal.Signals) -> subprocess.CompletedProcess[str]:
    """A long run in the folder that got a signal once its first checkpoint was there."""
    command = [sys.executable, "-c", HEEDING, "sample", "--beads", "200", "--steps", "1e9"]
    command += ["--every", "1000", "--checkpoint", "2000", "--frames", "0", "--out", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        until = time.monotonic() + 60
        while not (folder / "checkpoint.bin").exists() and time.monotonic() < until and run.poll() is None:
            time.sleep(0.02)
        run.send_signal(number)
        try:
            out, err = run.communicate(timeout=30)
        finally:
            run.kill()
    return subprocess.CompletedProcess(command, run.returncode, out, err)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_leave_a_run_that_can_go_on(
    ask: Ask, here: Path, number: signal.Signals, status: int
) -> None:
    done = stopped(here / "my run", number)
    assert (done.returncode, done.stdout) == (status, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith(
        f"continue from the last checkpoint with: elbowroom sample --resume '{here}/my run'\n"
    )
    taken = er.sampling.Run.load("my run").steps
    assert 2000 <= taken < 1e9 and taken % 2000 == 0
    spec = er.sampling.read_spec("my run")
    assert spec.settings.steps == 10**9 and spec.to_dict()["chain"] == {"beads": 200}


def test_ctrl_c_without_a_folder(ask: Ask, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(er.sampling.Spec, "run", stop)
    status, out, err = sample(ask, BEADS)
    assert (status, out, err) == (130, "", "elbowroom: interrupted; without --out, nothing is saved\n")


def test_a_folder_that_holds_a_run_is_not_written_over(ask: Ask, here: Path) -> None:
    sample(ask, f"{BEADS} --checkpoint 500 --out one")
    before = {file: file.read_bytes() for file in Path("one").rglob("*") if file.is_file()}
    status, out, err = sample(ask, f"{BEADS} --seed 4 --out one")
    assert (status, out) == (2, "")
    assert "--out: 'one' already contains a run; continue it with `elbowroom sample --resume one`" in err
    assert {file: file.read_bytes() for file in Path("one").rglob("*") if file.is_file()} == before


def test_sigterm_ends_a_campaign_with_its_workers(here: Path) -> None:
    """And leaves no temporary file, also where Ctrl-C is ignored."""
    out, scratch = here / "camp", here / "scratch"
    scratch.mkdir()
    long = "sample --beads 200 --steps 1e9 --every 1000 --checkpoint 2000"
    many = "--replicas 2 --cluster local --workers 2"
    command = [sys.executable, "-c", IGNORING, *shlex.split(f"{long} {many}"), "--out", str(out)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=temporary_in(scratch)) as program:
        wait_for(lambda: checkpoints(out) == 2, "a checkpoint of each run")
        workers = working(program.pid)
        program.terminate()
        _, err = program.communicate(timeout=60)
    assert len(workers) == 2 and not any(map(psutil.pid_exists, workers))
    assert program.returncode == 143
    assert err == (
        "elbowroom: stopped by SIGTERM; continue from the last checkpoint with: "
        f"elbowroom sample --resume {shlex.quote(str(out))}\n"
    )
    assert list(scratch.iterdir()) == [] and list(out.rglob(".*.new")) == []


def temporary_in(folder: Path) -> dict[str, str]:
    """The environment of a program whose temporary folders are in this one."""
    return os.environ | {"TMPDIR": str(folder), "DASK_TEMPORARY_DIRECTORY": str(folder)}


def test_a_campaign(ask: Ask, here: Path) -> None:
    many = f"{BEADS} --every 10 --replicas 2 --grid chain.beads=10,20 --cluster local --workers 1"
    facts = facts_of(ask, f"{many} --out camp")
    means = {(row["chain.beads"], row["observable"]): row["mean"] for row in facts["summary"]}
    assert facts["failed"] == {} and set(means) >= {(10, "end_to_end"), (20, "end_to_end")}
    assert means[10, "end_to_end"] < means[20, "end_to_end"]
    again = facts_of(ask, "--resume camp")
    assert again["summary"] == facts["summary"]


def test_runs_of_a_campaign_that_fail_are_told(ask: Ask, here: Path) -> None:
    """Beads have no side chains to turn, which is seen when a run begins."""
    status, out, err = sample(ask, f"{BEADS} --moves side --replicas 2 --workers 1 --out camp --json a.json")
    assert status == 2 and "2 failed" in out
    assert err.startswith("elbowroom: 2 runs failed; the first is ") and err.count("\n") == 1
    assert "side torsions" in err and len(json.loads(Path("a.json").read_text())["failed"]) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("", "FILE: missing; give a protein (PDB or mmCIF), a TOML file of a run, or --beads"),
        ("--steps 100", "FILE: missing; give a protein"),
        ("none.pdb --steps 5", "FILE: no such file 'none.pdb'"),
        ("none.toml", "FILE: no such file 'none.toml'"),
        ("notes.txt --steps 5", "FILE: unknown file type 'notes.txt'"),
        ("small.pdb", "--steps: give the number of steps"),
        ("small.pdb --steps 5 --chain Z", "'Z'"),
        ("small.pdb --steps 5 --beads 5", "give either pdb, a file, or beads"),
        ("small.pdb --steps 5 --spacing 2", "--spacing: not supported for a protein from a file"),
        ("small.pdb --steps 5 --scale 1.5", "chain collides with itself before the first step"),
        ("broken.toml", "broken.toml: cannot be understood"),
        ("typo.toml", "typo.toml: [run] stesp: no such key; did you mean 'steps'?"),
        ("run.toml --seed -1", "--seed: must be at least 0"),
        ("run.toml --beads 1.5", "--beads: must be a whole number, got 1.5"),
        ("{beads} --atoms ca", "--atoms: not supported for a chain of beads"),
        ("{beads} --steps many", "--steps"),
        ("{beads} --radius 2", "--radius: must be below spacing"),
        ("{beads} --every 1e4", "--every: must be at least 1 and at most 1000, got 10000"),
        ("{beads} --moves pivto", "--moves: pivto: no such move; did you mean 'pivot'?"),
        ("{beads} --moves pivot=x", "--moves: 'x' in 'pivot=x' is not a number"),
        ("{beads} --moves pivot=1,pivot=2", "--moves: 'pivot' is given twice"),
        ("{beads} --moves pivot=0", "--moves: pivot weight: must be larger than 0"),
        ("{beads} --moves pivot=1:9", "--moves: pivot size: must be larger than 0 and at most pi, got 9"),
        ("{beads} --moves side", "--moves: "),
        ("{beads} --temperature 2", "--temperature: there is no energy that it could weigh"),
        ("{beads} --temperature 1,x", "--temperature: 'x' in 'x' is not a number"),
        ("{beads} --sigma 1", "--temperature: give one, as there is an energy"),
        ("{beads} --epsilon 1 --temperature 1", "--sigma: the form 'lennard-jones' needs it"),
        (
            "{beads} --energy clashes --sigma 1 --temperature 1",
            "--sigma: not supported for the form 'clashes'",
        ),
        ("{beads} --observables end", "--observables: "),
        ("{beads} --observables contacts", "--contact-reach: must be given with the observable 'contacts'"),
        ("{beads} --frames 10", "--frames: needs --out"),
        ("{beads} --out run.toml", "--out: 'run.toml' is a file, not a folder"),
        ("{beads} --json nowhere/a.json", "--json: folder 'nowhere' does not exist"),
        ("{beads} --plot a.pdf", "--plot: 'a.pdf' must end in .png"),
        ("{beads} --replicas 2", "--out: missing; a campaign needs a folder"),
        ("{beads} --replicas 0 --out a", "--replicas: must be at least 1"),
        ("{beads} --replicas 2 --out a --plot a.png", "--plot: not supported for a campaign"),
        ("{beads} --replicas 2 --out a --cluster here", '--cluster: must be "local" or an address'),
        ("{beads} --grid chain.beads --out a", "--grid: 'chain.beads' has no values"),
        ("{beads} --grid chain.bead=5 --out a", "--grid: 'chain.bead': no such key; did you mean 'beads'?"),
        ("--resume none", "--resume: no such folder 'none'"),
        ("--resume .", "--resume: '.' contains no run of this command (no spec.json)"),
        ("run.toml --resume .", "--resume: cannot be combined with 'run.toml'"),
        ("--resume . --seed 4", "--seed: cannot be changed with --resume; remove it"),
        ("--resume . --out other", "--out: cannot be changed with --resume; remove it"),
    ],
)
def test_a_wrong_argument_is_one_line(ask: Ask, here: Path, arguments: str, words: str) -> None:
    Path("notes.txt").write_text("")
    Path("broken.toml").write_text("[run\n")
    Path("typo.toml").write_text("[chain]\nbeads = 5\n[run]\nstesp = 5\n")
    status, out, err = sample(ask, arguments.format(beads=BEADS))
    assert (status, out) == (2, "")
    assert err.count("\n") == 1 and words in err


def test_fewer_steps_than_were_taken_are_refused(ask: Ask, here: Path) -> None:
    sample(ask, f"{BEADS} --checkpoint 500 --out one")
    status, _, err = sample(ask, "--resume one --steps 500")
    assert status == 2 and err.startswith("elbowroom: --steps: must not be less than before")
    assert facts_of(ask, "--resume one")["steps"] == 1000


def test_help_has_examples(ask: Ask) -> None:
    status, out, _ = ask("sample", "--help")
    assert status == 0
    assert all(
        word in out for word in ("elbowroom sample --beads", "--resume", "--temperature", "--replicas")
    )
    assert "sample" in ask("--help")[1]


def test_the_example_file_runs(ask: Ask, here: Path) -> None:
    file = Path(__file__).parents[2] / "examples" / "polymer.toml"
    facts = facts_of(
        ask, f"{file} --out found --steps 2e3 --burn-in 500 --every 100 --frames 1000 --checkpoint 1000"
    )
    assert (facts["links"], facts["steps"], len(facts["temperatures"])) == (200, 2000, 4)
    assert set(facts["acceptance"]) == {"pivot", "crankshaft"}
    assert Path("found/trajectory-3.dcd").is_file()


def test_obstacles_are_mesh_files(here: Path, ask: Ask) -> None:
    def plate(z: float) -> str:
        corners = [(-90, -90), (90, -90), (90, 90), (-90, 90)]
        return "".join(f"v {x} {y} {z}\n" for x, y in corners) + "f 1 2 3\nf 1 3 4\n"

    Path("above.obj").write_text(plate(3.0))
    Path("below.obj").write_text(plate(-3.0))
    Path("through.obj").write_text(plate(0.0))
    facts = facts_of(ask, f"{BEADS} --start rod --obstacles above.obj below.obj")
    assert {"pivot", "translation", "rotation"} == set(facts["acceptance"])
    status, _, err = sample(ask, f"{BEADS} --start rod --obstacles above.obj through.obj")
    assert status == 2 and "chain collides with obstacles[1] before the first step: link" in err
    status, _, err = sample(ask, f"{BEADS} --obstacles nowhere.obj")
    assert status == 2 and "nowhere.obj" in err


def test_crossings_are_refused_and_counted(here: Path, ask: Ask) -> None:
    facts = facts_of(ask, "--beads 60 --radius 0.01 --steps 500 --seed 1 --uncrossable")
    (tried, collided, accepted), crossed = facts["tallies"]["pivot"], facts["crossings"]["pivot"]
    assert crossed > 50 and crossed == tried - collided - accepted
    assert facts_of(ask, "--beads 20 --steps 50")["crossings"] == {}
