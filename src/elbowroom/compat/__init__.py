"""Classes with the names and methods of other libraries, over elbowroom.

One module for each library: `elbowroom.compat.trimesh`.
"""
