#pragma once
#include <vector>

#include "elbowroom/bodies/rigid_queries.hpp"
#include "elbowroom/math/ray.hpp"

namespace elbowroom {

/// A primitive that a ray meets, in the world.
struct CastHit {
    double distance;
    Vec3 normal;
    std::int32_t body, primitive;
};

/// What a ray meets of some bodies: the first, or with `every` each primitive once, in order of distance. Equal
/// distances are ordered by the numbers of bodies and primitives.
void cast(const std::vector<Placed>& bodies, const Ray& ray, bool every, std::vector<CastHit>& hits,
          Counters& counters);

/// What many rays meet, in the order of the rays.
struct CastHits {
    std::vector<std::int64_t> rays;  // of each hit
    std::vector<CastHit> hits;
    Counters counters;
};
CastHits cast_many(const std::vector<Placed>& bodies, const std::vector<Ray>& rays, bool every, int threads);

}  // namespace elbowroom
