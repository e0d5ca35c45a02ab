"""A table of all that writes a file in the package: a name for the file, and a function that writes it.

What is written is small and made once. If that fails, functions raise OSError, and commands CommandFailed.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import elbowroom as er
from elbowroom.cli import main
from elbowroom.sampling import fit_exponent, polymer, sample

MESH = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
PLATE = "v 3 -2 -2\nv 3 2 -2\nv 3 2 2\nv 3 -2 2\nf 1 2 3\nf 1 3 4\n"
SWING = """HIERARCHY
ROOT hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT arm
  {
    OFFSET 0 1 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 1 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.1
0 0 0 0 0 0 0 0 0
0 0 0 0 0 0 9 0 0
"""


class CommandFailed(Exception):
    """A command that ended with status 2: what it said on stderr."""


@dataclass(frozen=True)
class Writer:
    """The name of the file, and what writes it; is that a command, which returns what it said?"""

    file: str
    write: Callable[[Path], Any]
    command: bool = False


@cache
def _proof() -> er.SeparatingPairs:
    return er.Necklace(np.arange(90.0).reshape(30, 3), 0.1).separating_pairs()


@cache
def _memory() -> er.Memory:
    spring, memory = er.Mesh(*er.scenes.spring(), children=2), er.Memory("depth-first")
    er.collide(spring, spring, pose_b=er.scenes.spring_path(100)[10], memory=memory)
    return memory


@cache
def _calibration() -> er.Calibration:
    from calibration_makers import made

    return made(paths=40)


@cache
def _poses() -> er.planning.Path:
    around = [er.Pose(translation=place) for place in ([-4, 0, 0], [-4, 6, 0], [4, 6, 0], [4, 0, 0])]
    return er.planning.Path(around, er.MotionChecker(er.Sphere(1), er.Box([2, 8, 8])))


@cache
def _configurations() -> er.planning.Path:
    space = er.planning.JointSpace([-1, -1], [1, 1])
    return er.planning.Path([[0.0, 0.1], [0.5, 0.25]], space=space)


@cache
def _tree() -> er.planning.Tree:
    space = er.planning.JointSpace([-1, -1], [1, 1])
    return er.planning.Tree(space, np.array([[0.0, 0.0], [0.5, 0.25]]), np.array([-1, 0], np.int32))


@cache
def _roadmap() -> er.planning.Roadmap:
    from planning_scenes import arm_among_discs

    planner = er.planning.PRM(*arm_among_discs(), seed=1)
    planner.grow(10)
    return planner.roadmap


@cache
def _run() -> er.sampling.Run:
    return sample(polymer(10), steps=2000, seed=1, observables=("end_to_end",), progress=False)


@cache
def _table() -> Any:
    import pyarrow

    return pyarrow.table({"step": list(range(5000))})


@cache
def _parts() -> Any:
    """Without rows, of which `write_whole` makes a table without rows."""
    from elbowroom.sampling._disk.parts import Parts

    return Parts(Path("parts"), ["end_to_end"], 1)


def _checkpoint(file: Path) -> None:
    from elbowroom.sampling._disk import checkpoint

    checkpoint.write(file, checkpoint.Checkpoint("run", 5, [1], 1, {}, [bytes(5000)]))


def _run_file(file: Path) -> None:
    from elbowroom.sampling._disk import run_file

    run_file.write(file.parent, {"steps": 5, "note": "x" * 5000})


def _ledger(file: Path) -> None:
    from elbowroom.sampling._campaign import ledger

    ledger.begin(file.parent, {"parameters": "x" * 5000})


def _spec(file: Path) -> None:
    from elbowroom.sampling._spec.folder import kept_in

    spec = er.sampling.Spec.from_dict({"chain": {"beads": 10}, "run": {"steps": 100}})
    with kept_in(file.parent, spec, resume=True):
        pass


def _results(file: Path) -> None:
    from elbowroom.sampling._campaign import collect

    collect.write_tables(file, iter([_table()]))


def _pdb(file: Path) -> None:
    from elbowroom.files.pdb_writer import write_pdb

    write_pdb(file, polymer(100))


def _recording(file: Path) -> None:
    from elbowroom.viewer import exhibit_of
    from elbowroom.viewer.record import record

    record(exhibit_of(er.Sphere(1)), file)


def _fit(file: Path) -> None:
    links = np.array([100.0, 400.0, 1600.0, 6400.0])
    fit_exponent(links, 2.0 * links, 1e-3 * links, terms=0).plot(file)


def command(words: str, file: str, before: Callable[[], None] | None = None) -> Writer:
    """A command, with FILE and FOLDER in place of the file that it writes and of its folder."""

    def write(target: Path) -> tuple[str, str]:
        if before is not None:
            before()
        named = {"FILE": str(target), "FOLDER": str(target.parent)}
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main([named.get(word, word) for word in words.split()])
        if status == 2:
            raise CommandFailed(err.getvalue())
        return out.getvalue(), err.getvalue()

    return Writer(file, write, command=True)


def _without_work(write_page: Any = None) -> None:
    """The tour without stops, papers without chapters, no self-test: what matters here are their files."""
    from elbowroom.cli import doctor, overwriting, reproduce, reproduce_all, tour

    tour.STOPS = ()
    reproduce.run_chapters = lambda *_: []
    reproduce_all.run_papers = lambda *_: []
    doctor.self_test = lambda: iter(())
    tour.write_page = reproduce.write_page = write_page or overwriting.write_page


#: What these two change.
CHANGED = ("tour.STOPS", "tour.write_page", "reproduce.run_chapters", "reproduce.write_page")
CHANGED += ("reproduce_all.run_papers", "doctor.self_test")


def _without_pages() -> None:
    """The same without the report, which is written first, and would fail first."""
    _without_work(lambda *_: None)


def make_inputs() -> None:
    """Writes, into the current folder, the files that the commands read."""
    for name, text in {"piece.obj": MESH, "plate.obj": PLATE, "swing.bvh": SWING}.items():
        Path(name).write_text(text)
    np.save("beads.npy", np.random.default_rng(0).normal(size=(20, 30, 3)))


SAMPLE = "sample --beads 10 --steps 1e3 --observables end_to_end"
PLAN = "plan piece.obj --obstacles plate.obj --start 0,0,0 --goal 6,0,0"

WRITERS: dict[str, Writer] = {
    "SeparatingPairs.save": Writer("proof.npz", lambda file: _proof().save(file)),
    "Calibration.save": Writer("table.json", lambda file: _calibration().save(file)),
    "Calibration.picture": Writer("curve.png", lambda file: _calibration().picture(file)),
    "BVTT.html": Writer("tree.html", lambda file: _memory().bvtt.html(file)),
    "BVTT.picture": Writer("tree.png", lambda file: _memory().bvtt.picture(file)),
    "Path.to_csv of poses": Writer("poses.csv", lambda file: _poses().to_csv(file)),
    "Path.to_csv of configurations": Writer("path.csv", lambda file: _configurations().to_csv(file)),
    "Path.plot": Writer("path.png", lambda file: _configurations().plot(file)),
    "Tree.to_csv": Writer("tree.csv", lambda file: _tree().to_csv(file)),
    "Tree.plot": Writer("tree.svg", lambda file: _tree().plot(file)),
    "Roadmap.plot": Writer("roadmap.png", lambda file: _roadmap().plot(file)),
    "Run.plot": Writer("run.png", lambda file: _run().plot(file)),
    "ExponentFit.plot": Writer("fit.pdf", _fit),
    "write_pdb": Writer("chain.pdb", _pdb),
    "Chain.write, mmCIF": Writer("chain.cif", polymer(100).write),
    "record": Writer("record.html", _recording),
    "checkpoint of a run": Writer("checkpoint.bin", _checkpoint),
    "run.json of a run": Writer("run.json", _run_file),
    "spec.json of a run": Writer("spec.json", _spec),
    "observables of a run": Writer("observables.parquet", lambda file: _parts().write_whole(file)),
    "ledger of a campaign": Writer("task.json", _ledger),
    "results of a campaign": Writer("results.parquet", _results),
    "tour": command("tour --out FOLDER", "elbowroom-tour.html", _without_work),
    "tour --json": command("tour --out . --json FILE", "facts.json", _without_pages),
    "reproduce": command("reproduce cab --out FOLDER", "elbowroom-cab.html", _without_work),
    "reproduce --json": command("reproduce cab --out . --json FILE", "facts.json", _without_pages),
    "reproduce all": command("reproduce all --out FOLDER", "elbowroom-papers.html", _without_work),
    "doctor --json": command("doctor --json FILE", "facts.json", _without_work),
    "check --json": command("check piece.obj piece.obj --json FILE", "facts.json"),
    "check --plot of a clip": command("check swing.bvh --plot FILE", "swing.png"),
    "check --plot of a trajectory": command("check beads.npy --radius 0.1 --plot FILE", "beads.png"),
    "plan --out": command(f"{PLAN} --out FILE", "path.csv"),
    "plan --html": command(f"{PLAN} --html FILE", "path.html"),
    "plan --json": command(f"{PLAN} --json FILE", "path.json"),
    "sample --json": command(f"{SAMPLE} --json FILE", "run.json"),
    "sample --plot": command(f"{SAMPLE} --plot FILE", "run.png"),
    "view --record": command("view piece.obj --record FILE", "piece.html"),
    "view --list --json": command("view --list --json FILE", "scenes.json"),
}  # fmt: skip
