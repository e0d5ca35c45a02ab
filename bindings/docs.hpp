// What help() says of the questions.
#pragma once

namespace elbowroom::bindings {

inline constexpr const char* collide_doc =
    R"(collide(a, b, pose_a=None, pose_b=None, *, every=False, depth=False, budget=None, memory=None, threads=None, configurations=None)
--

Do two bodies overlap or touch?

"Free" is a proof: bodies closer than 1e-14 of their sizes and distance count as touching. Meshes are surfaces.
The answer does not depend on the order of the bodies.

Parameters
----------
a, b : Body, Chain, Articulated or Necklace
    Sphere, Capsule, Box, Convex, Mesh, Group, Chain or Articulated; answers name their primitives, balls or links.
pose_a, pose_b
    Where they are: a Pose, a (4, 4) array, (rotation, translation), or None for the origin. An array (n, 4, 4) asks
    n questions at once, on all cores, and is answered by Collisions; so does an articulated body that was moved to
    many configurations (`configurations` asks about many and leaves the body as it is).
every : bool
    Find every pair of primitives that overlaps, not just one; of an articulated body every pair of
    links once, or with `depth` every contact.
depth : bool
    Add contact points, normals and penetration depths: of every pair found, or without `every` of the deepest.
budget : Budget
    Stop after so many tests or so much time, for each pose; the status then says "out of budget", and no hit is no
    proof (of many poses, .finished tells which).
memory : Memory
    Carries what this query finds to the next about the same bodies: what decided it, and on a budget its cut, so that a
    check can be spread over several calls. Takes one pose and one configuration.
threads : int
    For many poses or configurations: how many threads; all cores if not given.
configurations
    (n, dof): asks n questions about an articulated body at these configurations, which is not moved. If both bodies are
    articulated, a pair (of a, of b), of which one may be None: that body stays as it is.

Returns
-------
Collision
    bool(answer), .pairs (k, 2), .contacts, .status, .counters, on a budget .covered and .confidence; for many Collisions with .hits (n,), and with
    every=True or depth=True .frames (k,), .pairs (k, 2) and .contacts.

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
    R"(distance(a, b, pose_a=None, pose_b=None, *, enough=None, linear=None, budget=None, memory=None, threads=None, configurations=None)
--

The shortest distance between two bodies, between proven bounds, with the two points that attain it; 0 when they overlap.

Parameters
----------
a, b : Body, Chain, Articulated or Necklace
    Sphere, Capsule, Box, Convex, Mesh, Group, Chain or Articulated; answers name their primitives, balls or links.
pose_a, pose_b
    Where they are: a Pose, a (4, 4) array, (rotation, translation), or None for the origin. An array (n, 4, 4) asks
    n questions at once, on all cores, and is answered by Distances.
enough : float
    Stop as soon as the distance is proved at least this (.lower >= enough) or at most this (.upper <= enough); .value is
    then no more than the upper bound.
linear : (3, 3) array
    Measure min |linear (x - y)| over world points x of a and y of b; .points are world points, not mapped.
budget, memory, threads, configurations
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

inline constexpr const char* within_doc =
    R"(within(a, b, reach, pose_a=None, pose_b=None, *, points=False, budget=None, memory=None, threads=None, configurations=None)
--

All pairs of primitives of two bodies that are at most `reach` apart, sorted, with their distances.

Parameters
----------
a, b : Body, Chain, Articulated or Necklace
    Sphere, Capsule, Box, Convex, Mesh, Group, Chain or Articulated; answers name their primitives, balls or links.
reach : float
    The largest distance that counts; 0 finds what overlaps.
pose_a, pose_b
    Where they are: a Pose, a (4, 4) array, (rotation, translation), or None for the origin. An array (n, 4, 4) asks
    n questions at once, on all cores; so does an articulated body that was moved to many configurations.
points : bool
    Also give the nearest points of each pair, and the direction from one to the other.
budget, memory, threads, configurations
    As in collide.

Returns
-------
Pairs
    .indices (k, 2), .distances (k,), .status, .counters; with `points` also .points (k, 2, 3) and .normals (k, 3); for many poses or configurations also .frames (k,), the
    number of the pose of each pair, and .finished (n,). Pairs are sorted, by pose first.

Examples
--------
>>> import elbowroom as er
>>> row = er.Group([(er.Sphere(0.5), er.Pose(translation=[x, 0, 0])) for x in range(10)])
>>> er.within(row, er.Sphere(1), 1.0, pose_b=er.Pose(translation=[4, 2, 0])).indices.tolist()
[[3, 0], [4, 0], [5, 0]]
>>> near = er.within(row, er.Sphere(1), 1.0, pose_b=er.Pose(translation=[4, 2, 0]), points=True)
>>> near.points[1].tolist(), near.normals[1].tolist()
([[4.0, 0.5, 0.0], [4.0, 1.0, 0.0]], [0.0, 1.0, 0.0])
>>> poses = [er.Pose(translation=[4, y, 0]).matrix for y in (2.0, 2.5, 9.0)]
>>> er.within(row, er.Sphere(1), 1.0, pose_b=poses).frames.tolist()
[0, 0, 0, 1]
)";

inline constexpr const char* rotate_doc =
    R"(rotate(joint, angle)
--

Torsion: all links beyond `joint` turn about the axis from link `joint` to the next, by the right-hand rule.

The change is pending at first: collides() tests it before it is applied, and undo() drops it at no cost.

Examples
--------
>>> import elbowroom as er
>>> chain = er.Chain([[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 1, 0]], 0.3)
>>> chain.rotate(1, 1.5707963267948966)
>>> (chain.positions()[-1].round(9) + 0.0).tolist()
[1.0, 1.0, -1.0]
>>> chain.collides()
False
)";

inline constexpr const char* turn_doc =
    R"(turn(joint, rotation)
--

Pivot: all links beyond `joint` turn about the centre of link `joint`; the rotation is in the axes of the world.

Examples
--------
>>> import elbowroom as er
>>> chain = er.Chain([[0, 0, 0], [1, 0, 0], [2, 0, 0]], 0.3)
>>> chain.turn(1, [[0, -1, 0], [1, 0, 0], [0, 0, 1]])
>>> (chain.positions()[-1].round(9) + 0.0).tolist()
[1.0, 1.0, 0.0]
)";

inline constexpr const char* collides_doc =
    R"(collides()
--

Does any link touch another that it may not touch?

Right whatever was done before; fast when the chain was free before the last changes, because then only what they can
have brought together is looked at, nearest to the changed joint first.

Notes
-----
The rule of [Lotan2002]_, sharpened: two links that no changed joint lies between are not compared.

Examples
--------
>>> import elbowroom as er
>>> chain = er.Chain(er.scenes.serpentine(1000), 1.0)
>>> chain.rotate(500, 0.1)
>>> chain.collides()
True
>>> chain.undo()
>>> chain.collides()
False
)";

inline constexpr const char* undo_doc =
    R"(undo()
--

Back to before the last change; again, to before the one before it, up to 1024 changes back.
)";

inline constexpr const char* self_collide_doc =
    R"(self_collide(body, *, every=False, depth=False, budget=None, memory=None, threads=None, configurations=None)
--

Which links of a body touch each other that may not?

Of a chain looks at the whole of it; Chain.collides() is the fast question after a change. An articulated body that
was moved to many configurations is asked in all of them at once.

Parameters
----------
body : Chain, Articulated or Necklace
every : bool
    Find every pair, not just one.
depth : bool
    Add contact points, normals and depths of the pairs; alone, of the deepest. With every=True an articulated body
    gives every contact, one for each two convex primitives or triangles that touch.
budget : Budget
    Stop after so many tests or so much time; no hit is then no proof.
memory : Memory
    Carries what this query finds to the next about this body; see collide.
threads : int
    For many configurations: how many threads; all cores if not given.
configurations
    (n, dof): asks about an articulated body at these configurations, which is not moved.

Returns
-------
Collision, or Collisions for many configurations
    bool(answer), .pairs (k, 2) with the smaller number first, .contacts, .status, .counters. Pairs are balls of a
    chain, links of an articulated body.

Examples
--------
>>> import elbowroom as er
>>> chain = er.Chain([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], 0.6)
>>> er.self_collide(chain, every=True).pairs.tolist()
[[0, 3]]
)";

inline constexpr const char* self_distance_doc =
    R"(self_distance(body, *, enough=None, budget=None, memory=None, threads=None, configurations=None)
--

The shortest distance between two links of a body that may not touch, with the points that attain it.

Parameters
----------
body : Chain, Articulated or Necklace
enough : float
    Stop as soon as the distance is known to be at most this, or larger.
budget : Budget
    Stop after so many tests or so much time, for each configuration; .lower is then 0.
memory : Memory
    Carries what this query finds to the next about this body; see collide.
threads : int
    For many configurations: how many threads; all cores if not given.
configurations
    (n, dof): asks about an articulated body at these configurations, which is not moved.

Returns
-------
Distance, or Distances for many configurations
    .value is infinite if every pair of links may touch.

Examples
--------
>>> import elbowroom as er
>>> chain = er.Chain([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], 0.25)
>>> er.self_distance(chain).value
0.5
)";

inline constexpr const char* self_within_doc =
    R"(self_within(body, reach, *, points=False, budget=None, memory=None, threads=None, configurations=None)
--

All pairs of links that may not touch and are within reach of each other, with their distances.

An articulated body that was moved to many configurations is asked about all of them at once. A chain that is asked again
after a change tests only what the change can have brought near or taken away.

Parameters
----------
body : Chain, Articulated or Necklace
reach : float
    Largest distance of two surfaces.
points : bool
    Also give the nearest points of each pair, and the direction from one to the other.
budget : Budget
    Stop after so many tests or so much time.
memory : Memory
    Carries what this query finds to the next about this body; see collide.
threads : int
    For many configurations: how many threads; all cores if not given.
configurations
    (n, dof): asks about an articulated body at these configurations, which is not moved.

Returns
-------
Pairs
    .indices (k, 2), sorted, with the smaller number first; .distances (k,); with `points` also .points (k, 2, 3) and
    .normals (k, 3); for many configurations also .frames (k,) and
    .finished (n,).

Examples
--------
>>> import elbowroom as er
>>> chain = er.Chain([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], 0.25)
>>> er.self_within(chain, 0.6).indices.tolist()
[[0, 3]]
)";

inline constexpr const char* move_doc =
    R"(move(configuration)
--

Moves the joints.

Only what has moved since the last call gets new boxes.

Parameters
----------
configuration
    (dof,) values in the order of `joints`; a mapping from joint names to values, in which the joints that are not
    named stay; or (n, dof), n configurations that are then asked together. Limits are not enforced.

Examples
--------
>>> import elbowroom as er
>>> bar = er.Capsule(0.1, 1.0)
>>> arm = er.Articulated([er.Link("upper", [(bar, er.Pose(translation=[0, 0, 0.5]))]),
...                       er.Link("lower", [(bar, er.Pose(translation=[0, 0, 0.5]))])],
...                      [er.Joint("elbow", "revolute", "upper", "lower", ([1, 0, 0, 0], [0, 0, 1]), axis=(0, 1, 0))])
>>> arm.move({"elbow": 1.5707963267948966})
>>> arm.link_poses()[1, :3, 2].round(6).tolist()
[1.0, 0.0, 0.0]
)";

inline constexpr const char* place_doc =
    R"(place(poses)
--

Puts the links where something else has computed them: a simulator, motion capture.

Parameters
----------
poses
    (links, 4, 4) poses in the order of `links`, or (n, links, 4, 4) to be asked together. Many poses stay where they
    are in memory and are checked when they are asked about: do not write to the array meanwhile.

Examples
--------
>>> import numpy as np, elbowroom as er
>>> pair = er.Articulated([er.Link("a", er.Box(1)), er.Link("b", er.Box(1))], exclude=None)
>>> poses = np.stack([np.eye(4)] * 2)
>>> poses[1, 0, 3] = 1.5
>>> pair.place(poses)
>>> er.self_distance(pair).value
0.5
)";

inline constexpr const char* necklace_move_doc =
    R"(move(positions, *, box=None)
--

Puts every bead at its new place, and keeps the hierarchy true.

Boxes are made anew; wrapped cages are verified and, where a bead has escaped, repaired; layered ones are made anew.
The positions are copied. If something is wrong with them, nothing changes.

Parameters
----------
positions
    (n, 3), or (n, 2) for a necklace in the plane.
box
    The edges of the periodic box from now on, as for the necklace itself; None: as they are.

Examples
--------
>>> import numpy as np, elbowroom as er
>>> rope = er.Necklace([[0, 0], [1, 0], [2, 0], [3, 0]], 0.5)
>>> rope.move(np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]]))
>>> er.self_collide(rope).pairs.tolist()
[[0, 3]]
)";

}  // namespace elbowroom::bindings
