"""The readers as subjects of fuzzing: how each reads a file, and what is asked of what it read."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import assembly_files
import numpy as np
import reader_seeds as seeds
import saved_seeds
from byte_mutations import mutated
from fuzz_children import Case
from reader_seeds import Seeds

import elbowroom as er
from elbowroom.clashes import find_clashes
from elbowroom.files.assembly import read_assembly
from elbowroom.files.dcd import DcdWriter
from elbowroom.files.moveit import read_problems, read_request, read_scene
from elbowroom.files.paths import POSE_COLUMNS, read_configurations, read_poses
from elbowroom.files.srdf import read_srdf
from elbowroom.files.trajectory import read_trajectory
from elbowroom.sampling import read_spec

Rng = np.random.Generator
Read = Callable[[Path, Rng], object]

#: Inputs that ended as none before are mutated further: at most so many, none longer than that.
LEARNED, LONGEST_LEARNED = 300, 40_000
FEW = er.Budget(tests=2000)
#: A message about what goes with the file names one of these arguments rather than the file.
ARGUMENTS = ("topology", "radius", "select", "packages")


def any_of(rng: Rng, *choices: Any) -> Any:
    return choices[int(rng.integers(len(choices)))]


def read_protein(path: Path, rng: Rng) -> None:
    atoms, breaks, missing = (
        any_of(rng, "backbone", "ca", "all"),
        any_of(rng, "error", "bridge"),
        any_of(rng, "error", "drop"),
    )
    chain = er.Chain.from_pdb(path, atoms=atoms, breaks=breaks, missing=missing)
    chain.collides()
    er.self_distance(chain, budget=FEW)


def read_robot(path: Path, rng: Rng) -> None:
    body = er.Articulated.from_urdf(path, exclude=any_of(rng, None, "adjacent"))
    body.move(body.zero())
    er.self_collide(body, budget=FEW)


def read_pairs(path: Path, rng: Rng) -> None:
    read_srdf(path, links=["l0", "l1", "l2"])


def read_figure(path: Path, rng: Rng) -> None:
    body = er.Articulated.from_bvh(path, refit=any_of(rng, "auto", "cab", "aabb"))
    er.self_collide(body, budget=FEW)


def read_mesh(path: Path, rng: Rng) -> None:
    body = er.Mesh.load(path, children=any_of(rng, 2, 8))
    er.distance(body, er.Sphere(1.0), budget=FEW)


def read_parts(path: Path, rng: Rng) -> None:
    assembly = read_assembly(path, units=any_of(rng, None, "mm"))
    if assembly.triangles <= 1000:
        find_clashes(assembly, clearance=any_of(rng, 0.0, 0.5))


def read_frames(path: Path, rng: Rng) -> None:
    """Some frames, with the topology that lies beside or without."""
    names = ("few.pdb",) if path.suffix == ".xtc" else ("atoms.pdb", "atoms.psf")
    topology = any_of(rng, None, *(path.parent / name for name in names))
    beads = read_trajectory(path, topology=topology, radius=any_of(rng, None, 0.5), stop=any_of(rng, None, 2))
    for _, frame in zip(range(5), beads, strict=False):
        er.self_distance(er.Necklace(frame, beads.radii, exclude=beads.excluded), budget=FEW)


def read_own_dcd(path: Path, rng: Rng) -> None:
    with DcdWriter.open(path, any_of(rng, None, 1)) as writer:
        if writer.atoms < 20_000:
            writer.append(np.zeros((writer.atoms, 3)))


def read_run(path: Path, rng: Rng) -> None:
    spec = read_spec(path)
    if spec.to_dict()["chain"].get("beads", 0) <= 1000:
        spec.chain()


def read_path(path: Path, rng: Rng) -> None:
    if rng.random() < 0.5:
        read_poses(path)
    else:
        names = any_of(rng, ("shoulder", "elbow", "a b"), POSE_COLUMNS)
        read_configurations(path, names, any_of(rng, None, np.zeros(len(names))))


def read_moveit(path: Path, rng: Rng) -> None:
    if path.suffix == ".gz":
        list(read_problems(path))
    elif "request" in path.name:
        read_request(path)
    else:
        scene = read_scene(path, frames=any_of(rng, None, {"table": er.Pose()}))
        for body, pose in scene.obstacles:
            er.collide(er.Sphere(1.0), body, pose_b=pose, budget=FEW)


def read_saved(path: Path, rng: Rng) -> None:
    if path.suffix == ".npz":
        er.SeparatingPairs.load(path).verify()
    else:
        er.Memory(calibration=er.Calibration.load(path))


@dataclass
class Reader:
    """One reader: sound files by name, a large sound one, how it reads, and what lies beside."""

    name: str
    read: Read
    small: Callable[[], Seeds]
    big: Callable[[], tuple[str, bytes]]
    beside: Callable[[], Seeds] = dict
    files: tuple[Path, ...] = ()  # further seeds
    _seeds: list[tuple[str, bytes]] = field(default_factory=list)
    _sound: int = 0
    _folder: Path = Path()

    def prepare(self, folder: Path) -> None:
        self._folder = folder
        for name, content in self.beside().items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        self._seeds = [
            *self.small().items(),
            *((file.name.removesuffix(".gz"), unpacked(file.read_bytes())) for file in self.files),
        ]
        self._sound = len(self._seeds)
        for name, content in self._seeds:
            for seed in range(2):
                self.quietly(self._folder / f"seed-{name}", content, seed)

    def quietly(self, path: Path, content: bytes, seed: int) -> bool:
        """Is it read? Also so that imports are made before anything is measured."""
        path.write_bytes(content)
        try:
            self.read(path, np.random.default_rng(seed))
        except (ValueError, OSError):
            return False
        return True

    def read_by(self, path: Path, seed: int) -> None:
        self.read(path, np.random.default_rng(seed))

    def large(self) -> Case:
        """As it is read with the first of the ways to read it that take it."""
        name, content = self.big()
        seed = next(k for k in range(100) if self.quietly(self._folder / f"large-{name}", content, k))
        return self.case(f"large-{name}", content, seed)

    def draw(self, rng: Rng) -> Case:
        known = len(self._seeds) if rng.random() < 0.5 else self._sound
        name, content = self._seeds[int(rng.integers(known))]
        other = self._seeds[int(rng.integers(len(self._seeds)))]
        if rng.random() < 0.02:
            name = other[0]  # a file with the name of another kind
        return self.case(f"input-{name}", mutated(content, rng, [other[1]]), int(rng.integers(1000)))

    def case(self, name: str, content: bytes, seed: int) -> Case:
        path = self._folder / name
        path.write_bytes(content)
        run = partial(self.read_by, path, seed)
        size = len(unpacked(content))
        return Case(run, size, (str(path), str(self._folder), *ARGUMENTS), f"{seed}:{name}", content)

    def learn(self, case: Case) -> None:
        assert case.content is not None
        packed = case.size != len(case.content)
        if len(self._seeds) < LEARNED and len(case.content) <= LONGEST_LEARNED and not packed:
            name = case.told.partition(":")[2].removeprefix("input-")
            self._seeds.append((name, case.content))


def unpacked(content: bytes) -> bytes:
    """What gzip makes of it, as far as that goes: what an input needs is told by this."""
    if not content.startswith(b"\x1f\x8b"):
        return content
    try:
        return zlib.decompressobj(31).decompress(content)
    except zlib.error:
        return content


def sphere() -> Any:
    import trimesh

    return trimesh.creation.icosphere(5)


def large_trajectory() -> tuple[str, bytes]:
    return "models.pdb", 50 * seeds.trajectories(2)["models.pdb"]


def large_srdf() -> bytes:
    groups = '<group name="x"><link name="y"/></group>' * 10_000
    return seeds.SRDF.replace("<!-- a remark -->", groups).encode()


def one_of(name: str, make: Callable[[int], Seeds], size: int) -> Callable[[], tuple[str, bytes]]:
    """A large file of a kind."""
    return lambda: (name, make(size)[name])


READERS: tuple[Reader, ...] = (
    Reader("pdb", read_protein, seeds.proteins, one_of("whole.pdb", seeds.proteins, 100)),
    Reader("urdf", read_robot, seeds.robots, lambda: ("arm.urdf", seeds.arm(300).encode()), seeds.beside),
    Reader("srdf", read_pairs, lambda: {"arm.srdf": seeds.SRDF.encode()}, lambda: ("arm.srdf", large_srdf())),
    Reader("bvh", read_figure, seeds.motions, one_of("figure.bvh", seeds.motions, 1000)),
    Reader("mesh", read_mesh, seeds.meshes, lambda: ("mesh.obj", seeds.meshes(sphere)["mesh.obj"])),
    Reader("assembly", read_parts, assembly_files.seeds, lambda: ("large.glb", assembly_files.large())),
    Reader("trajectory", read_frames, seeds.trajectories, large_trajectory, seeds.trajectories),
    Reader("dcd", read_own_dcd, saved_seeds.own_dcd, one_of("own.dcd", saved_seeds.own_dcd, 10_000)),
    Reader("spec", read_run, seeds.specs, lambda: ("run.toml", seeds.SPEC.encode() + b"# remark\n" * 10_000)),
    Reader("path", read_path, seeds.tables, one_of("poses.csv", seeds.tables, 10_000)),
    Reader("moveit", read_moveit, seeds.scenes, one_of("scene.yaml", seeds.scenes, 200), seeds.beside),
    Reader("saved", read_saved, saved_seeds.saved, lambda: ("family.npz", saved_seeds.family(3000))),
)


def reader_named(name: str, files: tuple[Path, ...] = ()) -> Reader:
    """By name, as a child process finds it."""
    return replace(next(reader for reader in READERS if reader.name == name), files=files)
