// What a chain knows of itself: after a change, or as a whole.
#include <algorithm>

#include "elbowroom/bodies/chain.hpp"
#include "elbowroom/narrow/contact_hull_hull.hpp"
#include "elbowroom/pairings/across_frames.hpp"
#include "elbowroom/queries/distance.hpp"
#include "elbowroom/queries/overlap.hpp"
#include "elbowroom/traversal/traverse.hpp"

namespace elbowroom {

namespace {

constexpr int size = ChainLeaf::size;
constexpr std::size_t most_doubts = 16;  // beyond, the whole chain is tested at once

/// Settles at the first pair.
struct FirstHit {
    bool operator()(const NearBalls&) const { return true; }
};

}  // namespace

bool Chain::collides() {
    if (verdict_ != Verdict::unknown) return verdict_ == Verdict::colliding;
    bool hit;
    if (proved_ && doubts_.empty() && noted_) {
        hit = touches(*noted_);
    } else {
        settle();
        hit = proved_ && doubts_.size() <= most_doubts ? !holds_where_in_doubt() : !holds_in_full();
        if (!hit) proved_ = true, doubts_.clear();
    }
    verdict_ = hit ? Verdict::colliding : Verdict::free;
    return hit;
}

bool Chain::holds_where_in_doubt() {
    for (const Doubt& d : doubts_) {
        ChainChange nothing;
        nothing.first = d.split;
        if (d.side >= 0 ? touches_side(d.side) : touches(nothing)) return false;
    }
    return true;
}

bool Chain::holds_in_full() {
    FirstHit sink;
    ChainLeaves leaves(places_, &exclusion_);
    Overlap query(leaves, sink);
    Unlimited budget;
    counters_ = {};
    return sweep(query, places_, budget, counters_) != Stop::settled;
}

/// Would the change bring a ball that stays near one that moves (settled) or not (exhausted)? From the joint upwards: at each level the node above it
/// falls into a part that stays and a part that moves, and what was not compared below is compared. Only scratch is
/// written, so a change that fails costs nothing more.
Stop Chain::search(const ChainChange& change, bool boxes, std::uint64_t tests) {
    places_.clear(), counters_ = {};
    const AcrossFrames pairing(places_, boxes);
    FirstHit sink;
    ChainLeaves leaves(places_, &exclusion_);
    Overlap query(leaves, sink);
    DepthFirst order;
    Limited budget(tests, std::numeric_limits<double>::infinity());
    auto go_on = [&] { return traverse(pairing, query, order, budget, counters_); };

    const std::int64_t leaf = change.leaf();
    const Frame map = change.map();
    Frame here;  // of the node, in the common frame: that of the leaf
    const unsigned stays = (2u << change.lane()) - 1, valid = tree_.valid(leaf);
    unsigned left = valid & stays;
    if (change.pivot_ball >= leaf * size && length2(change.shift) == 0) left &= ~(1u << change.pivot_ball % size);
    std::int32_t l = -1, r = -1;
    BallBox left_bound, right_bound;
    if (left) {
        left_bound = tree_.bound(leaf, left);
        l = places_.add(tree_, 0, leaf, here, left_bound), places_[l].balls = left;
    }
    if (const unsigned right = valid & ~stays) {
        right_bound = tree_.bound(leaf, right);
        r = places_.add(tree_, 0, leaf, map * here, right_bound), places_[r].balls = right;
    }
    if (l >= 0 && r >= 0) {
        order.push(Pair{l, r, 0});
        if (const Stop stop = go_on(); stop != Stop::exhausted) return stop;
    }
    for (int k = 1; k <= tree_.levels(); ++k) {
        const std::int64_t index = leaf >> 3 * k;
        const ChainNode& n = tree_.node(k, index);
        const int c = int(leaf >> 3 * (k - 1)) & 7;
        const Frame child = n.child(c);
        here = here * inverse(child);
        const unsigned before = n.lanes.valid & ((1u << c) - 1), after = n.lanes.valid & (~1u << c);
        BallBoxLanes &lower = left_[k], &upper = right_[k];
        std::int32_t all_left = -1, all_right = -1;
        if (before || l >= 0) {
            lower = n.lanes, lower.valid = before | unsigned(l >= 0) << c;
            if (l >= 0) set_lane(lower, c, child, left_bound);
            all_left = places_.add_part(tree_, k, index, here, lower, left_bound);
            places_[all_left].child[c] = l;
        }
        if (after || r >= 0) {
            upper = n.lanes, upper.valid = after | unsigned(r >= 0) << c;
            if (r >= 0) set_lane(upper, c, child, right_bound);
            right_bound = ChainTree::bound(upper);
            all_right = places_.add_part(tree_, k, index, map * here, upper, right_bound);
            places_[all_right].child[c] = r;
        }
        if (before && all_right >= 0) {
            const ChainFan fan = pairing.fan(all_left, all_right, true, before);
            counters_.volume_tests += fan.width;
            order.push(fan, query.offers(fan));
        }
        if (l >= 0 && after) {
            const ChainFan fan = pairing.fan(all_right, l, false, after);
            counters_.volume_tests += fan.width;
            order.push(fan, query.offers(fan));
        }
        if (const Stop stop = go_on(); stop != Stop::exhausted) return stop;
        if (k < tree_.levels() && all_left >= 0) {
            left_bound = ChainTree::bound(lower);
            ChainPlaces::set_bound(places_[all_left], left_bound);
        }
        l = all_left, r = all_right;
    }
    return Stop::exhausted;
}

/// The balls of one link against everything: what a change of its own shape can have brought together.
bool Chain::touches_side(std::int64_t link) {
    places_.clear();
    const AcrossFrames pairing(places_, by_boxes());
    FirstHit sink;
    ChainLeaves leaves(places_, &exclusion_);
    Overlap query(leaves, sink);
    DepthFirst order;
    Unlimited budget;
    const std::int64_t begin = own_ball(link), end = link + 1 < links() ? own_ball(link + 1) : balls();
    Frame origin;
    origin.t = tree_.origin();
    const std::int32_t root = places_.add_root(tree_, origin);
    for (std::int64_t leaf = begin / size; leaf * size < end; ++leaf) {
        unsigned own = tree_.valid(leaf);
        if (begin > leaf * size) own &= ~0u << (begin - leaf * size);
        if (end < (leaf + 1) * size) own &= (1u << (end - leaf * size)) - 1;
        const std::int32_t part = places_.add(tree_, 0, leaf, tree_.frame(leaf), tree_.bound(leaf, own));
        places_[part].balls = own;
        order.push(Pair{root, part, 0});
        if (traverse(pairing, query, order, budget, counters_) == Stop::settled) return true;
    }
    return false;
}

/// Every pair of balls once: those within a leaf, then those whose leaves first meet in a node, from the bottom up and
/// each in the node's own frame, so that neighbours come first and nothing is far from its origin.
template <class Query, class Budget>
Stop Chain::sweep(Query& query, ChainPlaces& places, Budget& budget, Counters& counters) const {
    const AcrossFrames pairing(places, volume_ != ChainVolume::balls);
    DepthFirst order;
    for (std::int64_t leaf = 0; leaf < tree_.leaves(); ++leaf) {
        places.clear();
        const std::int32_t l = places.add(tree_, 0, leaf, {}, tree_.bound(leaf, tree_.valid(leaf)));
        order.push(Pair{l, l, 0});
        if (const Stop stop = traverse(pairing, query, order, budget, counters); stop != Stop::exhausted) return stop;
    }
    for (int level = 1; level <= tree_.levels(); ++level)
        for (std::int64_t index = 0; index < tree_.nodes(level); ++index) {
            places.clear();
            const ChainNode& n = tree_.node(level, index);
            const std::int32_t all = places.add(tree_, level, index, {}, n.bound(0));
            for (int c = 1; c < 8 && n.lanes.valid >> c & 1; ++c) {
                const ChainFan fan = pairing.fan(all, places.child(all, c), true, (1u << c) - 1);
                counters.volume_tests += fan.width;
                order.push(fan, query.offers(fan));
            }
            const Stop stop = traverse(pairing, query, order, budget, counters);
            if (stop != Stop::exhausted) return stop;
        }
    return Stop::exhausted;
}

template <class Query>
Stop Chain::sweep_within(Query& query, ChainPlaces& places, const Allowance& allowance, Counters& counters) const {
    if (allowance.unlimited()) {
        Unlimited budget;
        return sweep(query, places, budget, counters);
    }
    Limited budget(allowance.tests, allowance.seconds);
    return sweep(query, places, budget, counters);
}

/// What the last test cost, in visits. It is counted, not timed, so that the same changes take the same course on every
/// run; the weights were measured.
double Chain::cost(bool boxes) const {
    return 6 + double(counters_.pairs_visited) * (boxes ? 1.5 : 1.0) + 0.05 * double(counters_.leaf_tests);
}

/// Balls alone, or balls and boxes? Now and then the other way is tried, for four tests and no longer than eight times
/// what they take this way, and the cheaper is kept; the longer one has been the cheaper, the rarer the trials.
bool Chain::touches(const ChainChange& change) {
    Choice& c = choice_;
    if (volume_ == ChainVolume::automatic && c.until_trial-- <= 4) {
        bool hit;
        if (try_the_other_way(change, hit)) return hit;
    }
    const bool hit = search(change, by_boxes(), ~std::uint64_t(0)) == Stop::settled;
    c.cost += (cost(by_boxes()) - c.cost) * (c.cost == 0 ? 1.0 : 0.05);
    return hit;
}

bool Chain::try_the_other_way(const ChainChange& change, bool& hit) {
    Choice& c = choice_;
    const Stop stop = search(change, !c.boxes, std::uint64_t(64 + 64 * c.cost));
    c.other_cost += (stop == Stop::out_of_budget ? 8 * c.cost + 64 : cost(!c.boxes)) / 4;
    if (c.until_trial == 0) {
        const bool better = c.other_cost < c.cost;
        if (better) c.boxes = !c.boxes, c.cost = 0;
        c.interval = better ? 64 : least(2 * c.interval, 1u << 16);
        c.until_trial = c.interval, c.other_cost = 0;
    }
    hit = stop == Stop::settled;
    return stop != Stop::out_of_budget;
}

CollideAnswer Chain::self_collide(const CollideOptions& options) const {
    CollideAnswer answer;
    ChainPlaces places;
    std::vector<NearBalls> found;
    auto sink = [&](const NearBalls& n) {
        found.push_back(n);
        return !options.every;
    };
    ChainLeaves leaves(places, &exclusion_);
    Overlap query(leaves, sink);
    answer.stop = sweep_within(query, places, options.allowance, answer.counters);
    answer.hit = !found.empty();
    std::sort(found.begin(), found.end(),
              [](const NearBalls& x, const NearBalls& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
    for (const NearBalls& n : found) {
        answer.pairs.push_back({std::int32_t(n.a), std::int32_t(n.b)});
        if (!options.depth) continue;
        const Vec3 a = tree_.centre(n.a), b = tree_.centre(n.b), normal = normalised(b - a, {1, 0, 0});
        const double ra = tree_.radii()[n.a], rb = tree_.radii()[n.b];
        const Vec3 on_a = a + normal * ra, on_b = b - normal * rb;
        answer.contacts.push_back({most(0.0, ra + rb - length(b - a)), normal, (on_a + on_b) * 0.5});
    }
    return answer;
}

DistanceAnswer Chain::self_distance(const DistanceOptions& options) const {
    DistanceAnswer answer;
    ChainPlaces places;
    NearestBalls best;
    ChainLeaves leaves(places, &exclusion_);
    const bool enough = options.enough >= 0;
    ShortestDistance query(leaves, best, {}, enough ? options.enough * options.enough : far_away * far_away, enough);
    answer.stop = sweep_within(query, places, options.allowance, answer.counters);
    answer.upper = std::sqrt(best.upper2);
    answer.lower = answer.stop == Stop::exhausted ? answer.upper : 0;
    if (best.balls.a < 0) {  // nothing to compare, or nothing within `enough`
        answer.upper = std::numeric_limits<double>::infinity();
        answer.lower = answer.stop == Stop::out_of_budget ? 0 : (enough ? options.enough : answer.upper);
        return answer;
    }
    const Vec3 a = tree_.centre(best.balls.a), b = tree_.centre(best.balls.b), normal = normalised(b - a, {1, 0, 0});
    answer.lower = most(0.0, answer.lower - 2 * rounding * (length(best.balls.at_a) + length(best.balls.at_b)));
    if (enough && answer.upper > options.enough) answer.lower = least(answer.lower, options.enough);
    answer.on_a = a + normal * tree_.radii()[best.balls.a], answer.on_b = b - normal * tree_.radii()[best.balls.b];
    if (answer.upper == 0) answer.on_b = answer.on_a = (answer.on_a + answer.on_b) * 0.5, answer.stop = Stop::settled;
    answer.pair = {std::int32_t(best.balls.a), std::int32_t(best.balls.b)};
    return answer;
}

WithinAnswer Chain::self_within(double reach, const Allowance& allowance) const {
    WithinAnswer answer;
    ChainPlaces places;
    auto sink = [&](const NearBalls& n) {
        answer.pairs.push_back({std::int32_t(n.a), std::int32_t(n.b)}), answer.distances.push_back(most(0.0, n.gap()));
    };
    ChainLeaves leaves(places, &exclusion_);
    WithinReach query(leaves, reach, sink);
    answer.stop = sweep_within(query, places, allowance, answer.counters);
    return answer;
}

}  // namespace elbowroom
