"""A cloth of springs (Provot 1995) that falls over a ball: a mesh that is moved in every frame."""

import numpy as np

import elbowroom as er

SIDE, FRAMES, STEPS = 40, 60, 12
STEP, GRAVITY, DAMPING = 0.004, np.array([0.0, 0.0, -9.8]), 0.995


def cloth(side: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Vertices and triangles of a square sheet of length 2 at height 1.3, and pairs of neighbours."""
    x, y = np.meshgrid(np.linspace(-1, 1, side), np.linspace(-1, 1, side), indexing="ij")
    vertices = np.stack([x.ravel(), y.ravel(), np.full(side * side, 1.3)], axis=1)
    i = np.arange(side * side).reshape(side, side)
    a, b, c, d = (q.ravel() for q in (i[:-1, :-1], i[1:, :-1], i[1:, 1:], i[:-1, 1:]))
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    nets = [(i[1:], i[:-1]), (i[:, 1:], i[:, :-1]), (i[1:, 1:], i[:-1, :-1]), (i[1:, :-1], i[:-1, 1:])]
    return vertices, faces, np.concatenate([np.stack([p.ravel(), q.ravel()], axis=1) for p, q in nets])


def main() -> None:
    """Drops the cloth."""
    vertices, faces, springs = cloth(SIDE)
    rest = np.linalg.norm(vertices[springs[:, 0]] - vertices[springs[:, 1]], axis=1)
    count = np.bincount(springs.ravel(), minlength=len(vertices))[:, None]
    mesh, ball, before = er.Mesh(vertices, faces), er.Sphere(0.6), vertices.copy()
    for frame in range(FRAMES):
        for _ in range(STEPS):
            vertices, before = vertices + DAMPING * (vertices - before) + STEP**2 * GRAVITY, vertices
            for _ in range(4):
                along = vertices[springs[:, 1]] - vertices[springs[:, 0]]
                length = np.linalg.norm(along, axis=1)
                pull = (0.5 * (1 - rest / length))[:, None] * along
                moved = np.zeros_like(vertices)
                np.add.at(moved, springs[:, 0], pull)
                np.add.at(moved, springs[:, 1], -pull)
                vertices = vertices + moved * 4 / count / 2
            away = np.linalg.norm(vertices, axis=1, keepdims=True)  # out of the ball, and a little above it
            vertices = np.where(away < 0.62, vertices * 0.62 / away, vertices)
        mesh.move(vertices)
        if frame % 20 == 19:
            gap = er.distance(mesh, ball).value
            folds = len(er.self_collide(mesh, every=True).pairs)
            print(f"frame {frame + 1}: {gap:.3f} above the ball, {folds} pairs overlap, wear {mesh.wear:.2f}")


if __name__ == "__main__":
    main()
