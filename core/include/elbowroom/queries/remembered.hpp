#pragma once
#include "elbowroom/math/lanes.hpp"
#include "elbowroom/traversal/bvtt.hpp"
#include "elbowroom/volumes/obb_lanes.hpp"

namespace elbowroom {

/// A query that also records what its tests prove, for an order that keeps a BVTT. `look(pair, note)` says what the
/// leaf that the query has just looked at is worth.
template <class Query, class Look>
class Remembered {
public:
    Remembered(Query& query, Look& look, BvttNote& note) : query_(query), look_(look), note_(note) {}

    template <class Fan>
    auto offers(const Fan& fan) const {
        bounds(fan).store(note_.bound2);
        return query_.offers(fan);
    }
    bool admits(const Pair& pair) const { return query_.admits(pair); }
    void leaf(const Pair& pair, Counters& counters) {
        query_.leaf(pair, counters);
        note_.leaf = true;
        look_(pair, note_);
    }
    bool settled() const { return query_.settled(); }

private:
    template <class Fan>
    static Float8 bounds(const Fan& fan) {
        Float8 gap;
        if constexpr (requires { fan.squared_bounds(); })
            return fan.squared_bounds();
        else
            return fan.squared_gaps({}, gap);
    }
    Query& query_;
    Look& look_;
    BvttNote& note_;
};

}  // namespace elbowroom
