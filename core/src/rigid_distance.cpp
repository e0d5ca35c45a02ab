#include "elbowroom/questions/distance.hpp"
#include "rigid_pair.hpp"

namespace elbowroom {

DistanceAnswer distance(const Placed& a, const Placed& b, const DistanceOptions& options) {
    return with_rigid_pair(a, b, options, [&](auto& pair) { return questions::distance(pair, options); });
}

}  // namespace elbowroom
