// A chain as bytes, and back.
#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "elbowroom/bodies/chain.hpp"
#include "elbowroom/trees/saved.hpp"

namespace elbowroom {

/// One by one, so that nothing is written that lies between them.
template <class Choice, class F>
static void each_of(Choice& c, F&& f) {
    f(c.boxes), f(c.cost), f(c.other_cost), f(c.until_trial), f(c.interval), f(c.trials);
}

void ChainTree::save(SavedOut& out) const {
    out.value(balls_), out.value(std::int64_t(levels_.size())), out.value(base_);
    out.array(&leaves_[0], leaves_.size());
    for (const auto& level : levels_) out.array(&level[0], level.size());
}

void ChainTree::restore(SavedIn& in) {
    in.expect(balls_), in.expect(std::int64_t(levels_.size())), in.value(base_);
    in.array(&leaves_[0], leaves_.size());
    for (auto& level : levels_) in.array(&level[0], level.size());
}

namespace {

/// Are the balls of these pairs as far apart in both trees? Steps of a run keep lengths to many more digits.
bool same_lengths(const ChainTree& x, const ChainTree& y, const std::vector<BallPair>& pairs) {
    const std::vector<Vec3> a = x.centres(), b = y.centres();
    const double size = 1e-12 * (double(x.root_bound().radius) + double(y.root_bound().radius));
    return std::all_of(pairs.begin(), pairs.end(), [&](const BallPair& p) {
        const double before = length(a[p[1]] - a[p[0]]), after = length(b[p[1]] - b[p[0]]);
        return std::fabs(after - before) <= 1e-8 * before + size;
    });
}

}  // namespace

std::string Chain::save() {
    settle();
    tell([](ChainLists& p) { p.forget(); });
    steps_.clear(), steps_begin_ = steps_count_ = kept_changes_ = 0;
    if (verdict_ == Verdict::free) proved_ = true, doubts_.clear();
    SavedOut out;
    tree_.save(out);
    out.value(noise_), out.value(verdict_), out.value(proved_);
    each_of(choice_, [&](auto& v) { out.value(v); });
    out.value(std::int64_t(doubts_.size()));
    out.array(doubts_.data(), doubts_.size());
    return out.take();
}

/// What a state says of itself is not believed. It is read into another tree, which takes the place of this one if it
/// is sound; and whether it collides will be tested.
void Chain::restore(const std::string& saved, const std::vector<BallPair>& rigid) {
    SavedIn in(saved);
    ChainTree tree = tree_;
    double noise = 0;
    unsigned char verdict = 0, proved = 0;
    Choice choice;
    tree.restore(in);
    in.value(noise);
    in.value(verdict);
    in.value(proved);
    each_of(choice, [&](auto& v) { in.value(v); });
    std::int64_t doubts = 0;
    in.value(doubts);
    if (doubts < 0 || doubts > std::int64_t(most_doubts) + 1) in.refuse();
    std::vector<Doubt> ignored(doubts, Doubt{-1});
    in.array(ignored.data(), ignored.size());
    in.end();
    if (!(noise >= 0 && noise < far_away) || !choice.sound()) in.refuse();
    if (!tree.validate().empty() || !same_lengths(tree_, tree, rigid)) in.refuse();
    tree_ = std::move(tree);
    noise_ = noise;
    choice_ = choice;
    verdict_ = before_pending_ = Verdict::unknown;
    proved_ = false;
    doubts_.clear();
    pending_.reset();
    counters_ = {};
    tell([](ChainLists& p) { p.forget(); });
    steps_.clear(), steps_begin_ = steps_count_ = kept_changes_ = 0;
    watch_.add(2 * double(tree_.root_bound().radius));
    ++version_;
}

}  // namespace elbowroom
