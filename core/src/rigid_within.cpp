#include "elbowroom/questions/within.hpp"
#include "rigid_pair.hpp"

namespace elbowroom {

WithinAnswer within(const Placed& a, const Placed& b, const WithinOptions& options) {
    return with_rigid_pair(a, b, options, [&](auto& pair) { return questions::within(pair, options); });
}

}  // namespace elbowroom
