"""A skinned arm: a mesh that two bones bend. Where does the skin go through itself, and through a cup?"""

import numpy as np

import elbowroom as er


def tube(rings: int, around: int) -> tuple[np.ndarray, np.ndarray]:
    """An arm of length 6 along x, without its ends."""
    x, turn = np.meshgrid(np.linspace(0, 6, rings), 2 * np.pi * np.arange(around) / around, indexing="ij")
    radius = 0.5 - 0.05 * x
    vertices = np.stack([x, radius * np.cos(turn), radius * np.sin(turn)], axis=-1).reshape(-1, 3)
    i = np.arange(rings * around).reshape(rings, around)
    a, b = i[:-1], i[1:]
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    faces = np.concatenate([np.stack([a, b, c], axis=-1), np.stack([a, c, d], axis=-1)])
    return vertices, faces.reshape(-1, 3)


def skinned(vertices: np.ndarray, angle: float) -> np.ndarray:
    """Linear blend skinning: the forearm turns about the elbow at x = 3, and the skin in between is mixed."""
    c, s = np.cos(angle), np.sin(angle)
    elbow = np.array([3.0, 0, 0])
    turned = (vertices - elbow) @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) + elbow
    weight = np.clip((vertices[:, :1] - 2.5) / 1.0, 0, 1)
    return (1 - weight) * vertices + weight * turned


def main() -> None:
    """Bends the arm."""
    vertices, faces = tube(rings=120, around=48)
    arm, cup = er.Mesh(vertices, faces), er.Capsule(radius=0.3, length=1.0)
    where = er.Pose(translation=[2.0, 0, 2.2])
    for degrees in range(0, 151, 30):
        arm.move(skinned(vertices, np.radians(degrees)))
        gap = er.distance(arm, cup, pose_b=where).value
        folds = er.self_collide(arm, every=True).pairs
        print(f"{degrees:3} degrees: {gap:.3f} from the cup, {len(folds)} pairs of triangles meet")


if __name__ == "__main__":
    main()
