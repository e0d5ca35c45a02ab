// Two bodies without Python: do they collide, how far apart are they, and over many poses at once.
#include <cstdio>
#include <vector>

#include "elbowroom/elbowroom.hpp"

using namespace elbowroom;

/// A box of the given half sizes: one primitive of eight points.
RigidBody make_box(double x, double y, double z) {
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k) corners.push_back({k & 1 ? x : -x, k & 2 ? y : -y, k & 4 ? z : -z});
    return RigidBody(corners, {0, 8}, {0.0}, 8);
}

int main() {
    const RigidBody finger = make_box(0.02, 0.01, 0.05), part = make_box(0.03, 0.03, 0.03);
    const Placed at_origin{&part, {}};
    const auto finger_at = [&](double x) { return Placed{&finger, {Mat3::identity(), {x, 0, 0}}}; };

    const DistanceAnswer apart = distance(at_origin, finger_at(0.06), {});
    std::printf("distance %.3f between proved bounds %.3f and %.3f\n", apart.upper, apart.lower, apart.upper);

    CollideOptions with_depth;
    with_depth.depth = true;
    const CollideAnswer touching = collide(at_origin, finger_at(0.045), with_depth);
    std::printf("collide %d, depth %.3f\n", touching.hit, touching.contacts[0].depth);

    // A thousand positions on all cores: every thread has a worker of its own.
    const CollideOptions plain;
    const Collisions sweep = collide_many(1000, available_threads(), plain, [&] {
        return [&](std::ptrdiff_t i) { return collide(at_origin, finger_at(0.0001 * double(i)), plain); };
    });
    int hits = 0;
    for (const unsigned char hit : sweep.hits) hits += hit;
    std::printf("%d of 1000 positions collide\n", hits);
    return 0;
}
