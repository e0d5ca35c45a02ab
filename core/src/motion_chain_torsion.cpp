#include <cmath>
#include <string_view>

#include "elbowroom/bodies/chain_turn.hpp"
#include "elbowroom/motion/chain_torsion.hpp"

namespace elbowroom {

namespace {

using Verdict = MotionAnswer::Verdict;

/// Two balls of the chain that touch before anything turns.
bool touches_at_first(const Chain& chain, const NumberedChain& numbered, double clearance, MotionAnswer& out) {
    std::array<std::int64_t, 2> pair;
    if (clearance == 0) {
        if (chain.state() == std::string_view("free")) return false;
        const CollideAnswer found = chain.self_collide({});
        out.counters += found.counters;
        if (!found.hit) return false;
        pair = {found.pairs[0][0], found.pairs[0][1]};
    } else {
        const double noise = rounding * double(chain.tree().root_bound().radius), enough = clearance + noise;
        DistanceOptions options;
        options.above = enough * (1 + 1e-9);
        const DistanceAnswer found = chain.self_distance(options);
        out.counters += found.counters;
        if (found.pair[0] < 0 || found.upper > enough) return false;
        pair = {found.pair[0], found.pair[1]};
    }
    const ChainTree& tree = chain.tree();
    const Vec3 a = tree.centre(pair[0]), b = tree.centre(pair[1]), way = normalised(b - a, {0, 0, 1});
    out.pair = {numbered.outside(pair[0]), numbered.outside(pair[1])};
    out.on_a = a + way * tree.radii()[pair[0]], out.on_b = b - way * tree.radii()[pair[1]];
    return true;
}

/// The bond on the axis, which goes with what turns, and one before it that is nearer than the clearance: they do not
/// move against each other.
bool axis_is_near(const Chain& chain, const ChainTurnSearch& search, std::int64_t joint, double clearance,
                  MotionAnswer& out) {
    if (!search.is_bond(joint)) return false;
    const std::vector<Vec3> centres = chain.tree().centres();
    auto at = [&](std::int64_t link) { return centres[std::size_t(chain.own_ball(link))]; };
    const double noise = rounding * double(chain.tree().root_bound().radius);
    for (std::int64_t link = 0; link + 2 <= joint; ++link) {
        if (!search.is_bond(link) || !search.keep_clear(link, joint)) continue;
        const Closest nearest = closest_segment_segment(at(link), at(link + 1), at(joint), at(joint + 1));
        if (std::sqrt(nearest.distance2) > clearance + noise) continue;
        out.pair = {std::int32_t(link), std::int32_t(joint)};
        out.on_a = nearest.on_a, out.on_b = nearest.on_b;
        return true;
    }
    return false;
}

}  // namespace

MotionAnswer check_torsion(const Chain& chain, const NumberedChain& numbered, const ChainTorsion& torsion,
                           const MotionOptions& options) {
    MotionAnswer out;
    out.distance_calls = 1;
    ChainTurnSearch search(chain, torsion.breaks);
    if (touches_at_first(chain, numbered, options.clearance, out) ||
        (options.clearance > 0 && axis_is_near(chain, search, torsion.joint, options.clearance, out))) {
        out.verdict = Verdict::colliding;
        out.piece_a = out.piece_b = 0;
        return out;
    }
    const ChainTurn turn = search.torsion(torsion.joint, torsion.angle);
    const TurnContact found = search.first_contact(turn, options.clearance);
    out.counters += found.counters;
    if (found.at == far_away && !found.undecided) {
        out.verdict = Verdict::free;
        out.intervals.push_back({0, 1, 0.5});
        return out;
    }
    const double whole = std::fabs(torsion.angle);
    auto time = [&](double angle) { return whole > 0 ? least(angle / whole, 1.0) : 0.0; };
    out.verdict = found.at == far_away ? Verdict::undecided : Verdict::colliding;
    out.at = time(found.at == far_away ? found.proved : found.at);
    // Not up to the very moment: it should be easy to see that nothing touches yet.
    out.before = most(0.0, time(found.proved) - 0.5 * options.tolerance);
    out.loose = out.at - out.before > options.tolerance * (1 + 1e-9);
    if (out.before > 0) out.intervals.push_back({0, out.before, 0.5 * out.before});
    auto called = [&](std::int64_t ball) {
        return found.bonds ? std::int32_t(chain.exclusion().link(ball)) : numbered.outside(ball);
    };
    out.pair = {called(found.still), called(found.turning)};
    out.piece_a = out.piece_b = 0;
    const Frame to_world = chain.tree().frame((turn.first - 1) / ChainLeaf::size);
    out.on_a = to_world * found.on_still, out.on_b = to_world * found.on_turning;
    out.closest = length(out.on_a - out.on_b);
    return out;
}

}  // namespace elbowroom
