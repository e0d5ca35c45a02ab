"""Readers of the files that bodies come in.

`pdb` reads PDB and mmCIF, `urdf` and `srdf` robots, `bvh` motion capture. They turn files into what bodies
are made of: arrays for chains, links and joints for articulated bodies. The bodies themselves come from
`er.Chain.from_pdb`, `er.Articulated.from_urdf` and `er.Articulated.from_bvh`. `moveit` reads planning scenes
and requests, and `paths` reads and writes paths.

A glycine, from the text of a PDB file to the three links of its backbone:

>>> import pathlib, tempfile
>>> from elbowroom.files import read_chain
>>> text = '''ATOM      1  N   GLY A   1       0.000   0.000   0.000  1.00  0.00           N
... ATOM      2  CA  GLY A   1       1.460   0.000   0.000  1.00  0.00           C
... ATOM      3  C   GLY A   1       2.010   1.420   0.000  1.00  0.00           C'''
>>> with tempfile.TemporaryDirectory() as folder:
...     path = pathlib.Path(folder, "glycine.pdb")
...     _ = path.write_text(text)
...     atoms = read_chain(path, scale=1.0)
>>> atoms.labels, atoms.radii.tolist(), atoms.bonds.tolist()
(('A/GLY 1/N', 'A/GLY 1/CA', 'A/GLY 1/C'), [1.55, 1.7, 1.7], [[0, 1], [1, 2]])
"""

from elbowroom.files.pdb import ChainAtoms, SideAtoms, read_chain

__all__ = ["ChainAtoms", "SideAtoms", "read_chain"]
