"""Runs the code blocks of a page in order, as a reader would, and compares what they print with the page.

Blocks in python share one namespace, and blocks in sh a folder with them. A block in text is what the code
before it prints: the words must be equal, and numbers agree to a tolerance; a line with ... stands for any
number of lines. A block in toml, xml and the like
is a file, with the name that was told last before it. From a shell, with nothing left out:

    python tests/support/code_blocks.py docs/tutorials/robot.md
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"(?<![\w.])[+-]?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?(?![\w])")
FILE = r"`([\w.-]+\.%s)`"
SPEED = re.compile(r"[\d.]+ s, [\d,]+ steps per second")  # no two runs take the same time
HOME = "/home/you"  # in pages, where the reader works
RUN, WRITTEN = ("python", "sh"), ("toml", "xml", "csv", "yaml")
STAYS = re.compile(r"dask (scheduler|worker)|elbowroom view(?!.*--(record|list))")  # run until stopped
FINDS = re.compile(r"elbowroom (check|clash)")  # which end with status 1 when they find a collision
SOON = 3.0  # seconds in which such a command that is wrong has ended
PATIENCE = 300.0  # seconds for a block


@dataclass(frozen=True)
class Block:
    """A code block of a page: its language, the line it begins in, and the file it is to be, if it is one."""

    language: str
    text: str
    line: int
    file: str = ""


@dataclass
class Reader:
    """Somebody who types a page's blocks into Python and a shell, in a folder."""

    folder: Path
    instead: Mapping[str, str] = field(default_factory=dict)  # typed in place of what the page has
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def type(self, block: Block, page: str = "page", *, refused: bool = False) -> str:
        """Runs a block and returns what it printed; `refused`: on the page, the command is refused."""
        text = block.text
        for old, new in self.instead.items():
            text = text.replace(old, new)
        if block.file:
            (self.folder / block.file).write_text(text, encoding="utf-8")
            return ""
        if block.language == "python":
            return self._python(text, f"{page}, line {block.line}")
        if STAYS.match(text):
            self.running.append(self._started(text))
            return ""
        return self._sh(text, refused)

    def stop(self) -> None:
        """Ends what is still running."""
        ended = [process.args for process in self.running if process.poll() is not None]
        for process in reversed(self.running):
            process.terminate()
            process.wait(30)
        assert not ended, f"{ended} should have gone on"

    def _python(self, text: str, where: str) -> str:
        said = io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(said):
            exec(compile(text, where, "exec"), self.names)
        return said.getvalue()

    def _sh(self, text: str, refused: bool) -> str:
        lines = [line for line in text.splitlines() if not line.startswith("pip install")]
        done = subprocess.run(
            ["bash", "-c", "\n".join(lines)],
            **self._shell(),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        right = {2} if refused else {0, 1} if FINDS.search(text) else {0}
        assert done.returncode in right, f"{text}\n{done.stdout}{done.stderr}"
        return done.stderr if refused else done.stdout

    def _started(self, text: str) -> subprocess.Popen[bytes]:
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(
            ["bash", "-c", f"exec {text}"], **self._shell(), stdout=quiet, stderr=quiet
        )
        with contextlib.suppress(subprocess.TimeoutExpired):
            raise AssertionError(f"{text} has ended with {process.wait(SOON)}")
        return process

    def _shell(self) -> dict[str, Any]:
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        return {"cwd": self.folder, "env": os.environ | {"PATH": path, "COLUMNS": "120"}}


def blocks_of(page: Path) -> list[Block]:
    """The code blocks of a page, whatever their language."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(m[1], m[2], text.count("\n", 0, m.start()) + 1, _file_told(text[: m.start()], m[1]))
        for m in FENCE.finditer(text)
    ]


def _file_told(before: str, language: str) -> str:
    told = re.findall(FILE % language, before) if language in WRITTEN else []
    return told[-1] if told else ""


def steps_of(page: Path) -> Iterator[tuple[Block, Block | None]]:
    """The blocks to run, each with the one that tells what it prints, if there is one."""
    blocks = [block for block in blocks_of(page) if block.language in (*RUN, "text") or block.file]
    for block, after in zip(blocks, [*blocks[1:], None], strict=False):
        if block.language != "text":
            yield block, after if after is not None and after.language == "text" else None


def difference(told: str, said: str, tolerance: float, home: str = HOME) -> str | None:
    """In what the output differs from what the page tells, or None."""
    shown = _shortened(told, said.replace(home, HOME))
    here, there = _parted(SPEED.sub("", told)), _parted(SPEED.sub("", shown))
    if here[0] != there[0]:
        return f"the page tells\n{told}\nand it prints\n{said}"
    for a, b in zip(here[1], there[1], strict=True):
        if not math.isclose(a, b, rel_tol=tolerance, abs_tol=1e-12):
            return f"the page tells {a:g}, and it prints {b:g}:\n{said}"
    return None


def _shortened(told: str, said: str) -> str:
    """What is said with the lines left out that the page leaves out."""
    lines, here = said.splitlines(), told.splitlines()
    if "..." not in here:
        return said
    before = here.index("...")
    after = len(here) - before - 1
    return "\n".join([*lines[:before], "...", *lines[len(lines) - after :]])


def _parted(text: str) -> tuple[list[str], list[float]]:
    """Words, with # for each number, and the numbers; how they are spread over lines does not matter."""
    numbers = [float(found.replace(",", "")) for found in NUMBER.findall(text)]
    return re.sub(r"-{2,}", "--", NUMBER.sub(" # ", text)).split(), numbers


def differences(page: Path, reader: Reader, tolerance: float | None) -> list[str]:
    """Runs a whole page; None: what is printed is not compared."""
    found = []
    try:
        for block, told in steps_of(page):
            refused = told is not None and told.text.startswith("elbowroom: ")
            said = reader.type(block, page.name, refused=refused)
            if told is not None and tolerance is not None:
                wrong = difference(told.text, said, tolerance, str(reader.folder))
                found += [f"{page.name}, line {told.line}: {wrong}"] if wrong else []
    finally:
        reader.stop()
    return found


def main() -> None:
    """Runs the pages named on the command line in folders of their own, and tells what differs."""
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            wrong = differences(Path(name), Reader(Path(folder)), 0.0)
        print(f"{name}: {len(wrong)} differences", *wrong, sep="\n\n")


if __name__ == "__main__":
    main()
