#pragma once
#include "elbowroom/queries/offers.hpp"
#include "elbowroom/traversal/pair.hpp"

namespace elbowroom {

/// What a ray meets. `Leaves::cast(pair, counters)` looks at a leaf; `Leaves::limit()` is how far along the ray it
/// still matters.
template <class Leaves>
class Hits {
public:
    explicit Hits(Leaves& leaves) : leaves_(leaves) { update(); }
    template <class Fan>
    ELBOWROOM_INLINE SortedOffers offers(const Fan& fan) const {
        Float8 entry;
        const unsigned lanes = fan.entered(limit_, entry);
        return {lanes, entry, entry};
    }
    ELBOWROOM_INLINE bool admits(const Pair& pair) const { return pair.bound <= limit_; }
    void leaf(const Pair& pair, Counters& counters) {
        leaves_.cast(pair, counters);
        update();
    }
    ELBOWROOM_INLINE bool settled() const { return false; }

private:
    Leaves& leaves_;
    float limit_;
    void update() { limit_ = least(float(leaves_.limit()) * 1.000001f + 1e-37f, 3e38f); }
};

}  // namespace elbowroom
