#include "elbowroom/bodies/rigid_cast.hpp"

#include <algorithm>
#include <tuple>

#include "elbowroom/narrow/cast_ray_hull.hpp"
#include "elbowroom/pairings/along_ray.hpp"
#include "elbowroom/queries/hits.hpp"
#include "elbowroom/queries/memory_limit.hpp"
#include "elbowroom/traversal/traverse.hpp"

namespace elbowroom {

namespace {

bool comes_before(const CastHit& x, const CastHit& y) {
    return std::tie(x.distance, x.body, x.primitive) < std::tie(y.distance, y.body, y.primitive);
}

/// The hits of one ray so far, over all bodies.
struct HitSink {
    std::vector<CastHit>& hits;
    const bool every;
    double limit;  // what is farther does not matter

    void take(const CastHit& hit) {
        if (every) {
            check_memory_for(hits, sizeof(CastHit));
            hits.push_back(hit);
            return;
        }
        if (hits.empty())
            hits.push_back(hit);
        else if (comes_before(hit, hits[0]))
            hits[0] = hit;
        limit = hits[0].distance;
    }
};

/// The leaves of one body, in its frame. The ray was shortened: it begins `skipped` later than the one that was asked.
template <int Width>
class CastLeaves {
public:
    CastLeaves(const Placed& placed, const RigidHierarchy<Width>& hierarchy, std::int32_t number, const Ray& ray,
               double skipped, HitSink& sink)
        : placed_(placed),
          hierarchy_(hierarchy),
          number_(number),
          ray_(ray),
          shear_(ray),
          skipped_(skipped),
          scale_(placed.body->reach() + length(ray.origin) + ray.radius),
          sink_(sink) {}
    double limit() const { return sink_.limit - skipped_; }
    void cast(const Pair& pair, Counters& counters) {
        const TreeLeaf leaf = hierarchy_.tree.leaves[hierarchy_.tree.records[pair.a].leaf()];
        counters.leaf_tests += leaf.count;
        for (int k = 0; k < leaf.count; ++k) {
            const int i = hierarchy_.tree.order[leaf.first + k];
            if (placed_.body->primitive(i).is_half_space()) continue;
            const RayHit hit = cast_ray_hull(ray_, shear_, placed_.body->primitive(i), scale_);
            if (hit) sink_.take({skipped_ + hit.t, placed_.pose.rotation * hit.normal, number_, i});
        }
    }

private:
    const Placed& placed_;
    const RigidHierarchy<Width>& hierarchy_;
    const std::int32_t number_;
    const Ray ray_;
    const RayShear shear_;
    const double skipped_, scale_;
    HitSink& sink_;
};

/// The part of a ray near a ball, and where it begins; false if they are apart. The ray is cut so that single precision
/// is spent on the body and not on the way to it.
bool shorten(Ray& ray, Vec3 centre, double radius, double& skipped) {
    const Vec3 from = ray.origin - centre;
    const double along = dot(from, ray.direction);
    const double ball = (radius + ray.radius) * (1 + 1e-9) + 4e-15 * (length(from) + length(centre));
    const double chord2 = ball * ball - length2(from - ray.direction * along);
    if (chord2 < 0) return false;
    const double half_chord = std::sqrt(chord2);
    skipped = most(0.0, -along - half_chord);
    const double end = least(ray.length, half_chord - along);
    if (end < skipped) return false;
    ray.origin = ray.origin + ray.direction * skipped;
    ray.length = end - skipped;
    return true;
}

/// The half-spaces of a body, met by the whole ray.
void cast_planes(const Placed& placed, std::int32_t number, Ray ray, HitSink& sink, Counters& counters) {
    for (const std::int32_t i : placed.body->half_spaces()) {
        ++counters.leaf_tests;
        ray.length = least(ray.length, sink.limit);
        if (const RayHit hit = cast_half_space(ray, placed.body->primitive(i)))
            sink.take({hit.t, placed.pose.rotation * hit.normal, number, i});
    }
}

template <int Width>
void cast_one(const Placed& placed, const RigidHierarchy<Width>& h, std::int32_t number, Ray ray, HitSink& sink,
              Counters& counters) {
    ray.length = least(ray.length, sink.limit);
    double skipped;
    ++counters.volume_tests;
    if (!shorten(ray, h.tree.origin, h.tree.radius, skipped)) return;
    CastLeaves<Width> leaves(placed, h, number, ray, skipped, sink);
    if (h.tree.root().is_leaf()) return leaves.cast({0, 0, 0}, counters);
    Hits query(leaves);
    DepthFirst order;
    order.push(Pair{0, 0, 0});
    Budget budget;
    traverse(AlongRay(h.tree, ray, h.tree.radius + ray.radius), query, order, budget, counters);
}

}  // namespace

void cast(const std::vector<Placed>& bodies, const Ray& ray, bool every, std::vector<CastHit>& hits,
          Counters& counters) {
    hits.clear();
    HitSink sink{hits, every, ray.length};
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Placed& placed = bodies[i];
        const Rigid to_body = inverse(placed.pose);
        const Ray local{to_body * ray.origin, to_body.rotation * ray.direction, ray.length, ray.radius};
        cast_planes(placed, std::int32_t(i), local, sink, counters);
        if (!placed.body->wide().empty())
            cast_one(placed, placed.body->wide(), std::int32_t(i), local, sink, counters);
        else
            cast_one(placed, placed.body->binary(), std::int32_t(i), local, sink, counters);
    }
    std::sort(hits.begin(), hits.end(), comes_before);
}

}  // namespace elbowroom
