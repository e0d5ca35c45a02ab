#include "chain_self_pair.hpp"
#include "elbowroom/questions/collide.hpp"
#include "elbowroom/questions/distance.hpp"
#include "elbowroom/questions/within.hpp"

namespace elbowroom {

CollideAnswer Chain::self_collide(const CollideOptions& options) const {
    ChainSelfPair pair(*this, volume_ != ChainVolume::balls, options);
    return questions::collide(pair, options);
}
DistanceAnswer Chain::self_distance(const DistanceOptions& options) const {
    ChainSelfPair pair(*this, volume_ != ChainVolume::balls, options);
    return questions::distance(pair, options);
}
WithinAnswer Chain::self_within(const WithinOptions& options) const {
    ChainSelfPair pair(*this, volume_ != ChainVolume::balls, options);
    return questions::within(pair, options);
}

}  // namespace elbowroom
