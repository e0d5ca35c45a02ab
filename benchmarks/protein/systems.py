"""Proteins from files, or a made-up backbone, with a Lennard-Jones energy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import elbowroom as er
from benchmarks.common import Array
from benchmarks.protein.cells import Atoms
from elbowroom.files.radii import RADIUS_SCALE
from elbowroom.sampling.proteins import default_joints

MADE_UP = 1500  # atoms of the backbone that is made up where no file is given
SCALE = 1.2 / 1.7  # its radius over that of carbon


@dataclass(frozen=True, eq=False)
class System:
    """A chain in its energy. Arrays are in the order of the chain's tree: a link, then its side balls."""

    name: str
    chain: er.Chain
    order: NDArray[np.int64]
    link: NDArray[np.int64]
    first: NDArray[np.int64]
    radii: Array
    kinds: NDArray[np.int64]
    sigma: Array
    epsilon: float
    cutoff: float
    temperature: float

    @property
    def count(self) -> int:
        """Atoms."""
        return len(self.link)

    @property
    def joints(self) -> NDArray[np.int64]:
        """Those that turn."""
        return default_joints(self.chain)

    @property
    def energy(self) -> er.energies.Energy:
        """The energy as chains take it."""
        return er.energies.LennardJones(self.epsilon, self.sigma, self.cutoff, shift=True)

    @property
    def kinds_by_ball(self) -> NDArray[np.int64]:
        """As chains take them: of the links, then of the side balls."""
        out = np.empty_like(self.kinds)
        out[self.order] = self.kinds
        return out

    def points(self, chain: er.Chain) -> Array:
        """Where the atoms are, in the order of the tree."""
        return np.ascontiguousarray(chain.positions(side=True)[self.order])

    def atoms(self) -> Atoms:
        """As the peer takes them."""
        sixth = (self.sigma / self.cutoff) ** 6
        depth = np.full_like(self.sigma, 4 * self.epsilon)
        named = np.argsort(self.order)[self.chain._rule.named].reshape(-1, 2)
        pairs = np.concatenate([named, named[:, ::-1]])
        pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
        begin = np.searchsorted(pairs[:, 0], np.arange(self.count + 1))
        return Atoms(
            self.link,
            self.kinds,
            self.radii,
            self.sigma**2,
            depth,
            depth * (sixth * sixth - sixth),
            self.chain.excluded_gap,
            begin.astype(np.int64),
            np.ascontiguousarray(pairs[:, 1]),
        )


def read(path: str, atoms: str, epsilon: float, cutoff: float, temperature: float) -> System:
    """A protein from a file, gaps bridged; or a made-up backbone if the path is empty."""
    if path:
        chain = er.Chain.from_pdb(path, atoms=atoms, breaks="bridge", missing="drop")
        return _system(f"{Path(path).name}, {atoms}", chain, RADIUS_SCALE, epsilon, cutoff, temperature)
    chain = er.Chain(er.scenes.backbone(MADE_UP), 1.2, exclude=3)
    return _system("made up, backbone", chain, SCALE, epsilon, cutoff, temperature)


def _system(
    name: str, chain: er.Chain, scale: float, epsilon: float, cutoff: float, temperature: float
) -> System:
    """The energy of two atoms is least where they are as far apart as their van der Waals radii say."""
    n, side = len(chain), chain.side
    radii = chain.radii if side is None else np.concatenate([chain.radii, side.radii])
    link = np.arange(n) if side is None else np.concatenate([np.arange(n), side.owner])
    order = np.argsort(link, kind="stable")
    distinct, kinds = np.unique(radii, return_inverse=True)
    sigma = (distinct[:, None] + distinct[None]) / scale / 2 ** (1 / 6)
    return System(
        name,
        chain,
        order,
        link[order],
        np.flatnonzero(order < n),
        np.ascontiguousarray(radii[order]),
        kinds[order].astype(np.int64),
        sigma,
        epsilon,
        cutoff,
        temperature,
    )
