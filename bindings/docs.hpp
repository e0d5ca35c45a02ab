// What help() says of the questions.
#pragma once

namespace elbowroom::bindings {

inline constexpr const char* collide_doc =
    R"(collide(a, b, pose_a=None, pose_b=None, *, every=None, depth=None, budget=None, memory=None, threads=None)
--

Do two bodies overlap or touch?

"Free" is a proof: bodies closer than 1e-14 of their sizes and distance count as touching. Meshes are surfaces.
The answer does not depend on the order of the bodies.

Parameters
----------
a, b : Body
    Sphere, Capsule, Box, Convex, Mesh or Group.
pose_a, pose_b
    Where they are: a Pose, a (4, 4) array, (rotation, translation), or None for the origin. An array (n, 4, 4) asks
    n questions at once, on all cores, and is answered by Collisions.
every : bool
    Find every pair of primitives that overlaps, not just one. Takes one pose, as do depth and memory.
depth : bool
    Add contact points, normals and penetration depths: of every pair found, or without `every` of the deepest.
budget : Budget
    Stop after so many tests or so much time, for each pose; the status then says "out of budget", and no hit is no
    proof (of many poses, .finished tells which).
memory : Memory
    Try first what decided the last query between these bodies.
threads : int
    For arrays of poses: how many threads; all cores if not given.

Returns
-------
Collision
    bool(answer), .pairs (k, 2), .contacts, .status, .counters; for arrays of poses Collisions with .hits (n,).

Notes
-----
Oriented boxes and their 15 separating axes after [Gottschalk1996]_; convex pairs by [GJK1988]_ and [vandenBergen2001]_.

Examples
--------
>>> import elbowroom as er
>>> bool(er.collide(er.Sphere(1), er.Box(2), pose_b=er.Pose(translation=[1.9, 0, 0])))
True
>>> er.collide(er.Sphere(1), er.Box(2), None, er.Pose(translation=[1.5, 0, 0]), depth=True).contacts.depths.tolist()
[0.5]
)";

inline constexpr const char* distance_doc =
    R"(distance(a, b, pose_a=None, pose_b=None, *, enough=None, linear=None, budget=None, memory=None, threads=None)
--

The shortest distance between two bodies, between proven bounds, with the two points that attain it; 0 when they overlap.

Parameters
----------
a, b : Body
    Sphere, Capsule, Box, Convex, Mesh or Group.
pose_a, pose_b
    Where they are: a Pose, a (4, 4) array, (rotation, translation), or None for the origin. An array (n, 4, 4) asks
    n questions at once, on all cores, and is answered by Distances.
enough : float
    Stop as soon as the distance is proved at least this (.lower >= enough) or at most this (.upper <= enough); .value is
    then no more than the upper bound.
linear : (3, 3) array
    Measure min |linear (x - y)| over world points x of a and y of b; .points are world points, not mapped.
budget, memory, threads
    As in collide.

Returns
-------
Distance
    .value, .lower, .upper, .points (2, 3), .pair (2,), .status, .counters; for arrays of poses Distances with .values (n,).

Notes
-----
The bounds enclose the true distance up to 1e-9 of the sizes at worst (usually 1e-14); a wider gap has the status
"within tolerance". Convex pairs by [GJK1988]_, whose support planes are the proof of the lower bound.

Examples
--------
>>> import elbowroom as er
>>> answer = er.distance(er.Sphere(1), er.Box(2), pose_b=er.Pose(translation=[4, 0, 0]))
>>> answer.value, answer.points.tolist()
(2.0, [[1.0, 0.0, 0.0], [3.0, 0.0, 0.0]])
>>> er.distance(er.Sphere(1), er.Box(2), None, er.Pose(translation=[4, 0, 0]), enough=1.5).status
'settled'
)";

inline constexpr const char* within_doc = R"(within(a, b, reach, pose_a=None, pose_b=None, *, budget=None)
--

All pairs of primitives of two bodies that are at most `reach` apart, sorted, with their distances.

Parameters
----------
a, b : Body
    Sphere, Capsule, Box, Convex, Mesh or Group.
reach : float
    The largest distance that counts; 0 finds what overlaps.
pose_a, pose_b
    Where they are: a Pose, a (4, 4) array, (rotation, translation), or None for the origin.
budget : Budget
    Stop after so many tests or so much time.

Returns
-------
Pairs
    .indices (k, 2), .distances (k,), .status, .counters.

Examples
--------
>>> import elbowroom as er
>>> row = er.Group([(er.Sphere(0.5), er.Pose(translation=[x, 0, 0])) for x in range(10)])
>>> er.within(row, er.Sphere(1), 1.0, pose_b=er.Pose(translation=[4, 2, 0])).indices.tolist()
[[3, 0], [4, 0], [5, 0]]
)";

}  // namespace elbowroom::bindings
