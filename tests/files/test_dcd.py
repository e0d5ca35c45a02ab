"""Trajectories in DCD files: what MDAnalysis reads of them, and how they grow and shrink."""

from __future__ import annotations

import resource
import struct
import warnings
from pathlib import Path
from typing import Any

import MDAnalysis
import numpy as np
import pytest
from MDAnalysis.lib.formats.libdcd import DCDFile
from trajectory_files import write_frames

from elbowroom.files.dcd import DcdWriter

FRAMES = np.random.default_rng(4).normal(size=(5, 7, 3)) * 100.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "beads.dcd"


def write(path: Path, frames: Any = FRAMES, interval: int = 20) -> bytes:
    with DcdWriter.create(path, atoms=len(frames[0]), interval=interval) as writer:
        for frame in frames:
            writer.append(frame)
    return path.read_bytes()


def read(path: Path) -> Any:
    """As MDAnalysis has it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return MDAnalysis.Universe(str(path), str(path), topology_format="MINIMAL", to_guess=()).trajectory


def counted(path: Path) -> tuple[int, int]:
    """The number of frames and of the last step that the header tells: which few readers go by."""
    return struct.unpack_from("<8xi8xi", path.read_bytes())


def test_mdanalysis_reads_the_frames_and_takes_steps_for_times(path: Path) -> None:
    write(path)
    frames = read(path)
    assert (frames.n_frames, frames.n_atoms) == (5, 7)
    for k, (seen, given) in enumerate(zip(frames, FRAMES, strict=True)):
        assert np.array_equal(seen.positions, given.astype(np.float32))
        assert seen.time == pytest.approx(20 * (k + 1), rel=1e-6)
        assert seen.dimensions is None


def test_the_header_is_that_of_charmm_without_a_unit_cell(path: Path) -> None:
    write(path)
    with DCDFile(str(path)) as file:
        header = file.header
    assert (header["natoms"], header["nsavc"], header["istart"], header["is_periodic"]) == (7, 20, 20, 0)
    assert "elbowroom" in header["remarks"]
    words = struct.unpack_from("<i4s20i", path.read_bytes())
    assert words[:3] == (84, b"CORD", 5) and words[-1] == 24 and words[10] == words[12] == 0


def test_the_header_counts_the_frames_when_it_is_flushed_or_closed(path: Path) -> None:
    with DcdWriter.create(path, atoms=7, interval=20) as writer:
        for k, frame in enumerate(FRAMES, 1):
            writer.append(frame)
            writer.flush()
            assert counted(path) == (k, 20 * k)
            assert (writer.frames, writer.length) == (k, path.stat().st_size)
        writer.truncate(2)
    assert counted(path) == (2, 40)
    assert read(path).n_frames == 2


def test_a_file_that_was_cut_back_and_went_on_is_the_same_to_the_last_byte(path: Path) -> None:
    whole = write(path)
    for frames in range(6):
        with DcdWriter.open(path, frames) as writer:
            assert (writer.frames, writer.atoms) == (frames, 7)
            for frame in FRAMES[frames:]:
                writer.append(frame)
        assert path.read_bytes() == whole


def test_what_a_killed_writer_leaves_is_cut_to_whole_frames(path: Path) -> None:
    whole = write(path)
    frame = (len(whole) - 196) // 5
    stale = bytearray(whole)
    stale[8:12] = struct.pack("<i", 1)  # it was last flushed after one frame
    for length in (196, 197, 196 + frame - 1, 196 + frame, 196 + 3 * frame + 50, len(whole) - 1):
        path.write_bytes(stale[:length])
        with DcdWriter.open(path) as writer:
            assert writer.frames == (length - 196) // frame
        assert counted(path)[0] == (length - 196) // frame
        assert path.read_bytes()[196:] == whole[196 : 196 + (length - 196) // frame * frame]


def test_frames_are_rounded_to_single_precision(path: Path) -> None:
    frames = [[[1e9, -1e-9, 0.1]], [[1e15, 3.0, -0.0]]]
    write(path, frames)
    assert [seen.positions.tolist() for seen in read(path)] == np.float32(frames).tolist()


def test_an_interval_that_the_header_has_no_room_for_is_cut_there(path: Path) -> None:
    write(path, interval=10**12)
    assert counted(path) == (5, 2**31 - 1)
    assert read(path).n_frames == 5


def test_an_empty_file_can_be_opened_again(path: Path) -> None:
    DcdWriter.create(path, atoms=7).close()
    with DcdWriter.open(path) as writer:
        assert writer.frames == 0
        writer.append(FRAMES[0])
    assert read(path).n_frames == 1


@pytest.mark.parametrize(
    ("positions", "message"),
    [
        (np.zeros((6, 3)), "positions must hold 7 atoms"),
        (np.zeros((7, 2)), "positions must have shape"),
        (np.full((7, 3), np.nan), "positions must be finite"),
    ],
)
def test_wrong_frames_are_refused_and_leave_the_file_as_it_was(
    path: Path, positions: np.ndarray, message: str
) -> None:
    before = write(path)
    with DcdWriter.open(path) as writer, pytest.raises(ValueError, match=message):
        writer.append(positions)
    assert path.read_bytes() == before


@pytest.mark.parametrize(("atoms", "interval"), [(0, 1), (2**30, 1), (1.5, 1), (1, 0), (1, -3)])
def test_wrong_sizes_are_refused(path: Path, atoms: Any, interval: int) -> None:
    with pytest.raises(ValueError, match=r"^(atoms|interval)"):
        DcdWriter.create(path, atoms=atoms, interval=interval)
    assert not path.exists()


def test_frames_that_are_not_there_are_refused(path: Path) -> None:
    before = write(path)
    with pytest.raises(ValueError, match=r"beads\.dcd holds 5 whole frames, not 6"):
        DcdWriter.open(path, 6)
    with DcdWriter.open(path) as writer, pytest.raises(ValueError, match="frames"):
        writer.truncate(6)
    assert path.read_bytes() == before


def test_files_of_others_are_refused(path: Path, tmp_path: Path) -> None:
    others = {
        "short": b"CORD",
        "text": b"ATOM" * 100,
        "periodic": write_frames(tmp_path / "made.dcd", FRAMES, box=[1, 1, 1, 90, 90, 90]).read_bytes(),
        "no atoms": write(path)[:188] + bytes(4) + write(path)[192:],
    }
    for content in others.values():
        path.write_bytes(content)
        with pytest.raises(
            ValueError, match=r"beads\.dcd: (not a DCD file written by elbowroom|damaged DCD file)"
        ):
            DcdWriter.open(path)
        assert path.read_bytes() == content


def test_a_file_that_cannot_grow_is_an_error_and_is_closed(path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    writer = DcdWriter.create(path, atoms=7)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))  # as if the disk were full after 100 bytes
    try:
        with pytest.raises(OSError, match="too large"):
            writer.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    writer.close()
