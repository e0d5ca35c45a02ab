#!/usr/bin/env python3
"""Planted faults in the C++ code, each of which the default tests must catch.

``tools/mutants.py list`` shows the faults of tools/mutants.toml. ``check`` makes sure that each one fits the
sources. ``run [NAME ...]`` builds the core once, from a copy of the sources in which all faults lie dormant:
the environment variable ELBOWROOM_FAULT wakes one of them. Then it runs the tests with one fault after the
other until a test fails, the expected ones first. The test that failed must pass without the fault. A crash
and a hang count as caught, and are named as such. The exit status is 1 if a fault survived, and 2 if a run
says nothing about one.

Several faults are tried at once, each in one process (--jobs). Options of pytest go into PYTEST_ADDOPTS. A
run needs CMake, Ninja and nanobind.
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
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = Path(__file__).with_suffix(".toml")
HEADER = "elbowroom/planted.hpp"
#: What every file with a fault includes in the copy.
SWITCH = """#pragma once
#include <cstdlib>
#include <cstring>

inline const char* const planted_fault = std::getenv("ELBOWROOM_FAULT");
inline bool is_planted(const char* name) { return planted_fault && !std::strcmp(planted_fault, name); }
"""
#: Seconds for a test, and for all tests of one fault, before they count as hanging.
TEST_LIMIT, RUN_LIMIT = 300, 3600
FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/[^\s\[]+(?:\[.*?\])?)(?: - .*)?$", re.MULTILINE)
#: A dormant fault is within a block, where nothing else would see its variables.
DECLARES = re.compile(r"(?:const )?[\w:<>]+[&*\s]+\w+ ?=[^=]")
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
    at: str = ""

    @property
    def place(self) -> str:
        """The text that says where the fault goes."""
        return self.at or self.old

    @property
    def is_statement(self) -> bool:
        return self.old.endswith(";")

    def dormant(self) -> str:
        """What takes the place of both texts: it chooses when it runs."""
        if self.is_statement:
            return f"{{ if ({self.switch}) {{ {self.new} }} else {{ {self.old} }} }}"
        return f"({self.switch} ? ({self.new}) : ({self.old}))"

    @property
    def switch(self) -> str:
        """The name of a variable, true if the fault is awake."""
        return "planted_" + self.name.replace("-", "_")


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
        count = file.read_text(encoding="utf-8").count(fault.place) if file.is_file() else 0
        if count != 1:
            found.append(f"{fault.name}: its text occurs {count} times in {fault.file}")
        if (count := fault.place.count(fault.old)) != 1:
            found.append(f"{fault.name}: the old text occurs {count} times in 'at'")
        wrong = fault.new.endswith(";") != fault.is_statement if fault.new else not fault.is_statement
        if wrong:
            found.append(f"{fault.name}: one text is a statement, the other is none")
        if fault.is_statement and DECLARES.match(fault.old):
            found.append(f"{fault.name}: declares a variable: give the expression alone")
        if fault.old == fault.new or not fault.breaks:
            found.append(f"{fault.name}: changes nothing, or does not say what it breaks")
        if not (ROOT / "tests" / fault.tests).exists():
            found.append(f"{fault.name}: there is no tests/{fault.tests}")
        if fault.name in seen:
            found.append(f"{fault.name}: another fault has this name")
        seen.add(fault.name)
    return found


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def planted(file: str, planted_here: list[Fault]) -> str:
    """The text of a file with dormant faults."""
    text = (ROOT / file).read_text(encoding="utf-8")
    for fault in planted_here:
        if text.count(fault.place) != 1:
            raise Failure(f"{fault.name} lies within another fault")
        text = text.replace(fault.place, fault.place.replace(fault.old, fault.dormant()))
    switches = (f'inline const bool {f.switch} = is_planted("{f.name}");\n' for f in planted_here)
    once = "#pragma once\n" if file.endswith(".hpp") else ""
    return f'{once}#include "{HEADER}"\n{"".join(switches)}{text}'


class Workshop:
    """A copy of the sources with all faults, and its build."""

    def __init__(self, folder: Path) -> None:
        self.source, self.build, self.package = folder / "source", folder / "build", folder / "package"
        self.environment = {**os.environ, "PYTHONPATH": str(self.package)}
        self.environment.pop("ELBOWROOM_FAULT", None)
        self._copy_sources()
        progress("building the core")
        self._make()
        self._install()

    def _copy_sources(self) -> None:
        """Files that are the same stay, so that a build of an earlier run is used again."""
        texts = {"core/include/" + HEADER: SWITCH}
        for top in ("core", "bindings"):
            for file in (*(ROOT / top).rglob("*.?pp"), *(ROOT / top).rglob("*.txt")):  # and texts of help
                texts[file.relative_to(ROOT).as_posix()] = file.read_text(encoding="utf-8")
        texts["CMakeLists.txt"] = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
        for name in {fault.file for fault in faults()}:
            texts[name] = planted(name, [fault for fault in faults() if fault.file == name])
        for name, text in texts.items():
            copy = self.source / name
            if not copy.is_file() or copy.read_text(encoding="utf-8") != text:
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text(text, encoding="utf-8")

    def _make(self) -> None:
        nanobind = self._output(sys.executable, "-m", "nanobind", "--cmake_dir")
        options = {
            "ELBOWROOM_PYTHON": "ON",
            "CMAKE_BUILD_TYPE": "Release",
            "Python_EXECUTABLE": sys.executable,
            "nanobind_DIR": nanobind.strip(),
        }
        given = [f"-D{name}={value}" for name, value in options.items()]
        self._output("cmake", "-S", str(self.source), "-B", str(self.build), "-G", "Ninja", *given)
        rules = (self.build / "build.ninja").read_text(encoding="utf-8")
        modules = [name for name in ("_avx2", "_baseline") if f"build {name}: phony" in rules]
        self._output("ninja", "-C", str(self.build), "_cpu", *modules)

    def _output(self, *command: str) -> str:
        done = subprocess.run(command, capture_output=True, text=True, env=self.environment)
        if done.returncode:
            raise Failure(f"{' '.join(command)}:\n{done.stdout[-8000:]}{done.stderr[-8000:]}")
        return done.stdout

    def _install(self) -> None:
        shutil.rmtree(self.package, ignore_errors=True)
        shutil.copytree(ROOT / "src", self.package, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        for module in self.build.glob("_*.so"):
            shutil.copy2(module, self.package / "elbowroom" / "_core")

    def test(self, fault: str, *what: str) -> Outcome:
        """Runs tests until one fails."""
        command = [sys.executable, "-m", "pytest", "-n0", "-x", "-vv", "-p", "no:cacheprovider", *what]
        command += [f"--timeout={TEST_LIMIT}", "--timeout-method=thread"]
        environment = self.environment | ({"ELBOWROOM_FAULT": fault} if fault else {})
        try:
            done = subprocess.run(
                command, cwd=ROOT, capture_output=True, text=True, env=environment, timeout=RUN_LIMIT
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


def try_fault(workshop: Workshop, fault: Fault) -> int:
    """Prints what came of a fault: 0 if a test caught it, 1 if none did, 2 if that test fails without it."""
    begin = time.monotonic()
    outcome = workshop.test(fault.name, f"tests/{fault.tests}")
    if not outcome.caught:
        progress(f"{fault.name}: not caught by tests/{fault.tests}, trying the others")
        outcome = workshop.test(fault.name, "tests")
    seconds = time.monotonic() - begin
    status, shown = 1, "SURVIVED"
    if outcome.caught:
        status, shown = 0, f"caught by {outcome.test} ({outcome.how})"
        if workshop.test("", outcome.test).caught:
            status, shown = 2, f"NOT TOLD: {outcome.test} fails without the fault, too,"
    print(f"{fault.name}: {shown} after {seconds:.0f} s", flush=True)
    return status


def run(names: list[str], folder: Path, jobs: int) -> int:
    known = {fault.name: fault for fault in faults()}
    if unknown := [name for name in names if name not in known]:
        raise Failure(f"no such fault: {', '.join(unknown)}")
    # Tests interrupt themselves, but a job in the background ignores this signal, and so would they.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    workshop = Workshop(folder)
    with ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(lambda name: try_fault(workshop, known[name]), names or known))
    print(f"{found.count(0)} of {len(found)} faults were caught")
    return max(found)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Planted faults that the default tests must catch.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="show the faults")
    commands.add_parser("check", help="every fault still fits the sources")
    running = commands.add_parser("run", help="build the core with all faults and run the tests with each")
    running.add_argument("names", nargs="*", metavar="NAME", help="faults (all)")
    running.add_argument("--build", type=Path, help="a folder to build in, kept for the next run")
    running.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="faults at once (all cores)")
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
            return run(asked.names, asked.build.resolve(), asked.jobs)
        with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
            return run(asked.names, Path(folder), asked.jobs)
    except Failure as failure:
        print(f"mutants: {failure}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
