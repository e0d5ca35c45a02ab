"""Several rigid bodies as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from elbowroom import _arrays, _core
from elbowroom.body import Body, Plan, read_only, usable_plan

if TYPE_CHECKING:
    import os

    from elbowroom._types import PoseLike

Floats = NDArray[np.float64]

#: Groups with more primitives get a tree over the trees of their members, built in no time. A smaller
#: group gets a tree of its own: it is better where members overlap, and takes at most about 50 ms.
#: Of members with one primitive each, the tree over them is as good.
SMALL, SMALL_OF_SINGLES = 5000, 64
#: What a large group takes for each point of its primitives, at least, while it is made.
BYTES_OF_POINT = 100


class Group(Body):
    """Several rigid bodies, each at a pose, as one body.

    A large group shares the trees of its members.

    Primitives are numbered member by member; `locate` tells where a primitive belongs. This is also how
    obstacles are given.

    Parameters
    ----------
    members
        (body, pose) pairs; a body alone stands at the origin. Members may be groups and meshes. A mesh
        that is moved later is still the same in the group.
    children
        Children a node of the tree: 8 (fastest), or 2 as in the literature.

    Attributes
    ----------
    labels
        Of a molecule: the name of each member, such as "A/HEM 155/FE"; else None.

    Examples
    --------
    >>> import elbowroom as er
    >>> table = er.Group([(er.Box([2, 1, 0.1]), er.Pose(translation=[0, 0, 1])),
    ...                   (er.Box([0.1, 0.1, 1]), er.Pose(translation=[0, 0, 0.5]))])
    >>> len(table), table.locate(1)
    (2, (1, 0))
    """

    @classmethod
    def from_pdb(
        cls,
        path: str | os.PathLike[str],
        *,
        residue: str | int | None = None,
        chain: str | None = None,
        model: int | None = None,
        scale: float | None = None,
        radii: Mapping[str, float] | None = None,
        hydrogens: bool = False,
    ) -> Group:
        """A ligand, or all that is no protein, from a PDB or mmCIF file: a ball for each atom.

        It is rigid, stands where it is in the file, and is what a chain of the same file is asked about:
        `er.collide(er.Chain.from_pdb(path), er.Group.from_pdb(path, residue="HEM"))`. Nucleic acids are read
        as rigid bodies, too. Needs the extra `protein`.

        Parameters
        ----------
        path
            The file.
        residue
            Name or number of the ligand: "HEM", or 155. None: all that is neither amino acid nor water.
        chain
            Name of the chain it belongs to; None: any.
        model
            Number of the model as it stands in the file; the first if left out.
        scale
            Factor on the van der Waals radii [Bondi1964]_; None: as for proteins.
        radii
            Radii in angstrom of further elements, which are not scaled: {"Zn": 0.74}.
        hydrogens
            Also the hydrogens that the file has.
        """
        from elbowroom.files.ligands import read_ligand

        found = read_ligand(
            path, residue, chain=chain, model=model, scale=scale, radii=radii, hydrogens=hydrogens
        )
        return cls._of_balls(*found)

    @classmethod
    def from_atoms(
        cls, atomgroup: object, *, scale: float | None = None, radii: Mapping[str, float] | None = None
    ) -> Group:
        """Atoms of MDAnalysis where they are in the present frame, as one rigid body: a ball for each.

        Examples
        --------
        >>> import elbowroom as er
        >>> import MDAnalysis
        >>> universe = MDAnalysis.Universe.empty(2, trajectory=True)
        >>> universe.add_TopologyAttr("elements", ["C", "Zn"])
        >>> universe.atoms.positions = [[0, 0, 0], [2, 0, 0]]
        >>> ligand = er.Group.from_atoms(universe.atoms, scale=1.0, radii={"Zn": 0.74})
        >>> len(ligand), ligand.bounds[:, 0].round(2).tolist()
        (2, [-1.7, 2.74])
        """
        from elbowroom.files.ligands import of_atoms

        return cls._of_balls(*of_atoms(atomgroup, scale, radii))

    @classmethod
    def _of_balls(cls, positions: Floats, radii: Floats, labels: tuple[str, ...]) -> Group:
        from elbowroom.pose import Pose
        from elbowroom.shapes import Sphere

        places = zip(radii.tolist(), positions, strict=True)
        out = cls([(Sphere(radius), Pose(translation=place)) for radius, place in places])
        out.labels = labels
        return out

    def __init__(
        self,
        members: Iterable[Body | tuple[Body, PoseLike | None]],
        *,
        children: int = 8,
        _plan: Plan | None = None,
    ) -> None:
        given = _arrays.listed(members, "members")
        self.members: tuple[tuple[Body, Any], ...] = tuple(_member(m, i) for i, m in enumerate(given))
        self.labels: tuple[str, ...] | None = None
        if not self.members:
            raise ValueError("members is empty: a group needs at least one body")
        width = _arrays.children(children, "children")
        lengths = [len(body) for body, _ in self.members]
        self._starts = np.cumsum([0, *lengths])
        bodies, poses = [body for body, _ in self.members], np.stack([pose for _, pose in self.members])
        _refuse_too_many(sum(body._point_count for body in bodies))
        small = SMALL_OF_SINGLES if max(lengths) == 1 else SMALL
        if width == 8 and self._starts[-1] > small and _core.RigidBody._joinable(bodies, poses):
            super().__init__(bodies, poses)
            _arrays.points(np.stack([self._low, self._high]), "members")
            return
        placed = [body._placed_points(matrix) for body, matrix in self.members]
        counts = np.concatenate([np.diff(body._first) for body in bodies])
        first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        radius = np.concatenate([body._radius for body in bodies])
        points = _arrays.points(np.concatenate(placed), "members")
        super().__init__(points, first, radius, width, *(_plan or ()))

    def locate(self, primitive: int) -> tuple[int, int]:
        """The member that a primitive belongs to, and its number within that member."""
        index = _arrays.count(primitive, "primitive", 0)
        if index >= len(self):
            raise ValueError(f"primitive must be below {len(self)}, got {index}")
        member = int(np.searchsorted(self._starts, index, side="right")) - 1
        return member, index - int(self._starts[member])

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.members, self.children, self._plan(), self.labels)

    def __repr__(self) -> str:
        return f"Group({len(self.members)} members, {len(self)} primitives)"


def _rebuild(
    members: tuple[tuple[Body, Any], ...],
    children: int,
    plan: Plan | None = None,
    labels: tuple[str, ...] | None = None,
) -> Group:
    """A group from a pickle; see `body.usable_plan`."""
    out = Group(members, children=children, _plan=usable_plan(plan))
    out.labels = labels
    return out


def _refuse_too_many(points: int) -> None:
    """Groups of groups grow fast: a few levels have more primitives than any machine can hold."""
    needed = points * BYTES_OF_POINT
    if points > _core.limits.largest_int or needed > _core.memory_for_pairs():
        raise MemoryError(
            f"members have {points:,} points in all, which take {needed * 1e-9:.3g} GB, more than there is "
            "memory for"
        )


def _member(value: Any, index: int) -> tuple[Body, Any]:
    """A body and its pose as a (4, 4) matrix."""
    body, pose = (value, None) if isinstance(value, Body) else _as_pair(value, index)
    if not isinstance(body, Body):
        raise ValueError(f"members[{index}] must hold a body, got {type(body).__name__}")
    if not isinstance(pose, _core.Pose):
        # The nearest rotation, as the questions take it.
        pose = _core.Pose(np.eye(4) if pose is None else _arrays.pose(pose, f"members[{index}][1]"))
    return body._as_it_is(), read_only(pose.matrix)


def _as_pair(value: Any, index: int) -> tuple[Any, Any]:
    try:
        body, pose = value
    except (TypeError, ValueError):
        raise ValueError(
            f"members[{index}] must be a body or a (body, pose) pair, got {type(value).__name__}"
        ) from None
    return body, pose
