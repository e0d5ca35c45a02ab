"""Many threads, one body: a query gives the interpreter free and shares nothing that changes."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

import elbowroom as er
from elbowroom import scenes

spring, poses = er.Mesh(*scenes.spring()), scenes.spring_path(4_000)


def part(rows: np.ndarray) -> np.ndarray:
    """The distances of some poses; each thread has a memory of its own."""
    memory = er.Memory()
    return np.array([er.distance(spring, spring, pose_b=poses[k], memory=memory).value for k in rows])


with ThreadPoolExecutor(4) as pool:
    found = np.concatenate(list(pool.map(part, np.array_split(np.arange(4_000), 16))))

# For poses that are known beforehand, one call with all of them does the same, and takes less time.
at_once = er.distance(spring, spring, pose_b=poses)
print("the same distances:", np.allclose(found, at_once.values, rtol=1e-9, atol=1e-12))
print(f"{(found == 0).sum()} of 4000 poses collide; else at least {found[found > 0].min():.4f} apart")
alone = er.distance(spring, spring, pose_b=poses, threads=1)
print("to the last digit on one core:", np.array_equal(alone.values, at_once.values))
