// What a necklace under boxes knows of itself.
#include "elbowroom/queries/near.hpp"
#include "elbowroom/questions/collide.hpp"
#include "elbowroom/questions/distance.hpp"
#include "elbowroom/questions/within.hpp"
#include "necklace_self_pair.hpp"

namespace elbowroom {

/// The leaves one after the other among themselves, which soon finds what is near, then pairs of leaves by the tree.
template <class Reach, class Visit>
Stop NecklaceBoxes::sweep(Reach&& reach, Visit&& visit, Counters& counters) const {
    const NecklaceLeaves leaves(tree_, centres_.data(), touch_);
    Poll poll;
    for (std::int32_t l = 0; l < tree_.leaves(); ++l) {
        poll();
        if (leaves.near_pairs({l, l, 0.f}, counters, reach, visit)) return Stop::settled;
    }
    const WithinBeads pairing(tree_, false);
    NearPairs query(leaves, reach, visit);
    DepthFirst order;
    Budget budget;
    order.push(pairing.root());
    return traverse(pairing, query, order, budget, counters);
}

/// The pair that was nearest last time, if it still matters; true if it settles the question.
bool NecklaceBoxes::recall(Nearest& best) const {
    const std::uint64_t hint = hint_.load(std::memory_order_relaxed);
    if (hint == ~std::uint64_t(0)) return false;
    const NearBalls n = near(std::int64_t(hint >> 32), std::int64_t(hint & 0xffffffffu));
    return n.gap <= best.keep && best.take(n);
}

void NecklaceBoxes::note(const Nearest& best) const {
    if (best.a >= 0) hint_.store(std::uint64_t(best.a) << 32 | std::uint64_t(best.b), std::memory_order_relaxed);
}

/// Takes two beads if they are nearer than what is known; most are not, which needs no root to see.
ELBOWROOM_INLINE bool NecklaceBoxes::improves(Nearest& best, std::int64_t i, std::int64_t j) const {
    const double radii = tree_.radius(i) + tree_.radius(j);
    const double limit = radii + most(best.reach(), 2 * rounding * radii), limit2 = limit * limit;  // touching is 0
    const double apart2 = length2(centres_[j] - centres_[i]);
    if (best.gap > best.keep ? apart2 > limit2 * (1 + 4 * rounding) : apart2 >= limit2) return false;
    const NearBalls n = near(i, j);
    return n.gap <= best.keep && best.take(n);
}

bool NecklaceBoxes::search_list(Nearest& best, Counters& counters) const {
    const double sure = list_.cut() - 2 * gone_;
    if (!(sure > 0)) return false;
    bool enough = false;
    const std::size_t pairs = list_.scan(
        gone_, [&] { return best.reach(); },
        [&](std::int32_t i, std::int32_t j) { return enough = improves(best, i, j); });
    counters.leaf_tests += pairs;
    const bool answered = enough || best.reach() <= sure;
    policy_.scanned_list(pairs, answered);
    return answered;
}

void NecklaceBoxes::search_tree(Nearest& best, Counters& counters) const {
    sweep([&] { return float(least(best.reach(), 1e18)); },
          [&](std::int64_t i, std::int64_t j) { return improves(best, i, j); }, counters);
}

/// A search that also keeps what is a little farther than the nearest, for the frames to come. The lock is not held
/// during the search, which may be interrupted.
void NecklaceBoxes::make_list(Nearest& best, Counters& counters, std::unique_lock<std::mutex>& lock) const {
    const std::size_t enough = 64 + 6 * std::size_t(tree_.beads());
    const double skin = policy_.skin() * spacing_;
    NecklaceList list = std::move(list_);  // which is not alive: for its memory
    lock.unlock();
    bool lists = true;
    list.start();
    auto reach = [&] { return float(least(best.reach() + (lists ? skin : 0.0), 1e18)); };
    sweep(
        reach,
        [&](std::int64_t i, std::int64_t j) {
            const NearBalls n = near(i, j);
            if (n.gap <= best.keep) best.take(n);
            if (lists) list.add(std::int32_t(n.a), std::int32_t(n.b), n.gap), lists = list.found() <= enough;
            return !lists && (best.gap == 0 || (best.any && best.gap <= best.keep));
        },
        counters);
    const double cut = best.reach() + skin;
    if (lists) list.finish(best.gap <= cut ? best.gap : 0.0, cut);
    lock.lock();
    if (!lists) return policy_.failed_list();
    list_ = std::move(list);
    gone_ = 0, ++work_.list_builds;
    policy_.made_list(counters, list_.pairs());
}

void NecklaceBoxes::search(Nearest& best, Counters& counters) const {
    if (touch_.all_may()) return;
    if (recall(best)) return;
    std::unique_lock<std::mutex> lock(guard_);
    if (list_.alive() && search_list(best, counters)) {
        ++work_.list_frames;
        return note(best);
    }
    bool again = false;
    if (list_.alive()) again = policy_.was_worth_it(), list_.clear();
    need_tree();
    if (spacing_ > 0 && (again || policy_.wants_list(tree_.step(), policy_.skin() * spacing_))) {
        make_list(best, counters, lock);
        return note(best);
    }
    ++work_.tree_frames;
    lock.unlock();
    Counters mine;
    search_tree(best, mine);
    note(best);
    counters += mine;
    lock.lock();
    if (best.gap > 0) policy_.searched_tree(mine);
}

CollideAnswer NecklaceBoxes::self_collide(const CollideOptions& options) const {
    NecklaceSelfPair pair(*this, tree_, options);
    return questions::collide(pair, options);
}
DistanceAnswer NecklaceBoxes::self_distance(const DistanceOptions& options) const {
    NecklaceSelfPair pair(*this, tree_, options);
    return questions::distance(pair, options);
}
WithinAnswer NecklaceBoxes::self_within(const WithinOptions& options) const {
    NecklaceSelfPair pair(*this, tree_, options);
    return questions::within(pair, options);
}

}  // namespace elbowroom
