#!/usr/bin/env python3
"""Planted faults in the C++ code, each of which the default tests must catch.

``tools/mutants.py list`` shows the faults of tools/mutants.toml. ``check`` makes sure that the text that each
one replaces occurs exactly once. ``run [NAME ...]`` copies the sources, builds the core once, and then, for
each fault: applies it, builds the module, and runs the tests until one fails, the expected folder first. The
test that failed must pass without the fault. A crash and a hang count as caught, and are named as such. It
ends with status 1 at the first fault that survives; with --keep-going it runs the others first.

Options of pytest go into PYTEST_ADDOPTS. A run needs CMake, Ninja and nanobind; it uses ccache where there is
one.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = Path(__file__).with_suffix(".toml")
#: Seconds for a test, and for all tests of one fault, before they count as hanging.
TEST_LIMIT, RUN_LIMIT = 300, 3600
FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/[^\s\[]+(?:\[.*?\])?)(?: - .*)?$", re.MULTILINE)
STARTED = re.compile(r"tests/\S+::[^\s\[]+")


@dataclass(frozen=True)
class Fault:
    """A text of a file and what takes its place."""

    name: str
    file: str
    old: str
    new: str
    breaks: str
    tests: str


@dataclass(frozen=True)
class Outcome:
    """How a run of tests ended: which test failed, if one did, and in what way."""

    test: str
    how: str

    @property
    def caught(self) -> bool:
        return bool(self.how)


class Failure(Exception):
    """A run that says nothing about the faults."""


def faults() -> list[Fault]:
    """All faults, in the order of the file."""
    return [Fault(**entry) for entry in tomllib.loads(LIST.read_text(encoding="utf-8"))["fault"]]


def problems() -> list[str]:
    """What is wrong with the list."""
    found, seen = [], set()
    for fault in faults():
        file = ROOT / fault.file
        count = file.read_text(encoding="utf-8").count(fault.old) if file.is_file() else 0
        if count != 1:
            found.append(f"{fault.name}: its text occurs {count} times in {fault.file}")
        if fault.old == fault.new or not fault.breaks:
            found.append(f"{fault.name}: changes nothing, or does not say what it breaks")
        if not (ROOT / "tests" / fault.tests).is_dir():
            found.append(f"{fault.name}: there is no folder tests/{fault.tests}")
        if fault.name in seen:
            found.append(f"{fault.name}: another fault has this name")
        seen.add(fault.name)
    return found


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Workshop:
    """A copy of the sources with a build of its own."""

    def __init__(self, folder: Path) -> None:
        self.source, self.build, self.clean = folder / "source", folder / "build", folder / "clean"
        self.package = folder / "package"
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(self.package),
            "CCACHE_BASEDIR": str(folder),
            "CCACHE_NOHASHDIR": "1",
        }
        self._copy_sources()
        progress("building the core without faults")
        self._configure()
        if problem := self.compile():
            raise Failure(f"the core does not build:\n{problem}")
        self._keep_build()

    def _copy_sources(self) -> None:
        """Copies keep the times of files, so that a build of an earlier run is used again."""
        for folder in (self.source, self.package, self.build):
            shutil.rmtree(folder, ignore_errors=True)
        for name in ("core", "bindings"):
            shutil.copytree(ROOT / name, self.source / name)
        shutil.copy2(ROOT / "CMakeLists.txt", self.source)
        shutil.copytree(ROOT / "src", self.package, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        if self.clean.is_dir():
            shutil.copytree(self.clean, self.build)

    def _keep_build(self) -> None:
        """Kept elsewhere and whole: an interrupted run leaves a build with a fault in it."""
        half = self.clean.with_name("half")
        for folder in (self.clean, half):
            shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.build, half)
        half.rename(self.clean)

    def _configure(self) -> None:
        nanobind = self._output(sys.executable, "-m", "nanobind", "--cmake_dir")
        options = {
            "SKBUILD_PROJECT_NAME": "elbowroom",
            "CMAKE_BUILD_TYPE": "Release",
            "Python_EXECUTABLE": sys.executable,
            "nanobind_DIR": nanobind.strip(),
        }
        if shutil.which("ccache"):  # which does not work with precompiled headers
            options |= {"CMAKE_CXX_COMPILER_LAUNCHER": "ccache", "CMAKE_DISABLE_PRECOMPILE_HEADERS": "ON"}
        given = [f"-D{name}={value}" for name, value in options.items()]
        self._output("cmake", "-S", str(self.source), "-B", str(self.build), "-G", "Ninja", *given)

    def _output(self, *command: str) -> str:
        done = subprocess.run(command, capture_output=True, text=True, env=self.environment)
        if done.returncode:
            raise Failure(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def compile(self) -> str:
        """Builds the modules and puts them into the package; what went wrong, or nothing."""
        rules = (self.build / "build.ninja").read_text(encoding="utf-8")
        targets = ["_cpu", *(name for name in ("_avx2", "_baseline") if f"build {name}: phony" in rules)]
        command = ["ninja", "-C", str(self.build), *targets]
        done = subprocess.run(command, capture_output=True, text=True, env=self.environment)
        if done.returncode:
            return done.stdout[-4000:]
        self._install(self.build)
        return ""

    def _install(self, build: Path) -> None:
        for module in build.glob("_*.so"):
            target = self.package / "elbowroom" / "_core" / module.name
            target.unlink(missing_ok=True)
            shutil.copy2(module, target)

    def apply(self, fault: Fault) -> None:
        file = self.source / fault.file
        file.write_text(file.read_text(encoding="utf-8").replace(fault.old, fault.new), encoding="utf-8")

    def restore(self, fault: Fault) -> None:
        """The file and the build as they were, times included, so that nothing is compiled again."""
        shutil.copy2(ROOT / fault.file, self.source / fault.file)
        shutil.rmtree(self.build)
        shutil.copytree(self.clean, self.build)
        self._install(self.build)

    def test(self, *what: str) -> Outcome:
        """Runs tests until one fails."""
        command = [sys.executable, "-m", "pytest", "-x", "-vv", "-p", "no:cacheprovider", *what]
        command += [f"--timeout={TEST_LIMIT}", "--timeout-method=thread"]
        try:
            done = subprocess.run(
                command, cwd=ROOT, capture_output=True, text=True, env=self.environment, timeout=RUN_LIMIT
            )
        except subprocess.TimeoutExpired as ended:
            return Outcome(_last_started((ended.stdout or b"").decode(errors="replace")), "hang")
        if done.returncode in (0, 5):
            return Outcome("", "")
        if found := FAILED.search(done.stdout):
            return Outcome(found[1], "failed")
        how = "hang" if "Timeout" in done.stdout + done.stderr else f"ended with {done.returncode}"
        return Outcome(_last_started(done.stdout), how)


def _last_started(output: str) -> str:
    started: list[str] = STARTED.findall(output)
    return started[-1] if started else "tests"


def try_fault(workshop: Workshop, fault: Fault) -> bool:
    """Prints what came of a fault; true if a test caught it."""
    begin = time.monotonic()
    try:
        progress(f"{fault.name}: building")
        workshop.apply(fault)
        if problem := workshop.compile():
            raise Failure(f"{fault.name} does not compile:\n{problem}")
        built = time.monotonic()
        progress(f"{fault.name}: testing")
        outcome = workshop.test(f"tests/{fault.tests}")
        if not outcome.caught:
            outcome = workshop.test(*other_folders(fault))
        ended = time.monotonic()
    finally:
        workshop.restore(fault)
    if outcome.caught and workshop.test(outcome.test).caught:
        raise Failure(f"{outcome.test} fails without {fault.name}, too")
    shown = f"caught by {outcome.test} ({outcome.how})" if outcome.caught else "SURVIVED"
    print(f"{fault.name}: {shown} after {ended - built:.0f} s ({built - begin:.0f} s to build)", flush=True)
    return outcome.caught


def other_folders(fault: Fault) -> list[str]:
    """The folders with tests that are not expected to notice a fault first."""
    folders = {file.parent.name for file in (ROOT / "tests").glob("*/test_*.py")}
    return [f"tests/{name}" for name in sorted(folders - {fault.tests})]


def run(names: list[str], folder: Path, keep_going: bool) -> int:
    known = {fault.name: fault for fault in faults()}
    if unknown := [name for name in names if name not in known]:
        raise Failure(f"no such fault: {', '.join(unknown)}")
    # Tests interrupt themselves, but a job in the background ignores this signal, and so would they.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    workshop = Workshop(folder)
    survived = 0
    for name in names or known:
        survived += not try_fault(workshop, known[name])
        if survived and not keep_going:
            break
    return 1 if survived else 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Planted faults that the default tests must catch.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="show the faults")
    commands.add_parser("check", help="every fault still fits the sources")
    running = commands.add_parser("run", help="plant faults one by one and run the tests")
    running.add_argument("names", nargs="*", metavar="NAME", help="faults (all)")
    running.add_argument("--build", type=Path, help="a folder to build in, kept for the next run")
    running.add_argument("--keep-going", action="store_true", help="go on after a fault that survived")
    asked = parser.parse_args(arguments)
    if asked.command == "list":
        for fault in faults():
            print(f"{fault.name:30} {fault.tests:12} {fault.breaks} ({fault.file})")
        return 0
    if found := problems():
        print("\n".join(found))
        return 1
    if asked.command == "check":
        return 0
    try:
        if asked.build:
            return run(asked.names, asked.build.resolve(), asked.keep_going)
        with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
            return run(asked.names, Path(folder), asked.keep_going)
    except Failure as failure:
        print(f"mutants: {failure}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
