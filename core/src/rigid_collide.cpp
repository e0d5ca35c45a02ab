#include "elbowroom/questions/collide.hpp"
#include "rigid_pair.hpp"

namespace elbowroom {

CollideAnswer collide(const Placed& a, const Placed& b, const CollideOptions& options) {
    return with_rigid_pair(a, b, options, [&](auto& pair) { return questions::collide(pair, options); });
}

}  // namespace elbowroom
