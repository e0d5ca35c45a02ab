"""Energies that a Chain keeps up to date: see Chain.set_energy.

`LennardJones`, `Coulomb`, `Table`, `Clashes` and `Callback` are sums over pairs of balls. `Pairs` and
`Torsions` are sums over terms that are named one by one. `Sum` adds several. `bonded_pairs` says which pairs
of balls bonds join, and `from_openmm` takes all parameters from a force field.

Lengths and energies are in any units. The default `constant` of `Coulomb` is for angstrom, elementary charges
and kcal/mol.
"""

from elbowroom.energies.bonded import bonded_pairs
from elbowroom.energies.callback import Callback
from elbowroom.energies.coulomb import Coulomb
from elbowroom.energies.energy import Energy
from elbowroom.energies.pairs import Clashes, LennardJones, Table
from elbowroom.energies.systems import from_openmm
from elbowroom.energies.terms import Pairs, Sum, Torsions

__all__ = [
    "Callback",
    "Clashes",
    "Coulomb",
    "Energy",
    "LennardJones",
    "Pairs",
    "Sum",
    "Table",
    "Torsions",
    "bonded_pairs",
    "from_openmm",
]
