#include <algorithm>

#include "articulated_queries.hpp"

namespace elbowroom {

namespace {

/// The box of the root of a rigid body's tree, in the body's frame.
ObbVolume root_box(const RigidBody& body) { return body.boxes(0)[0]; }

}  // namespace

RigidShape::RigidShape(const Placed& rigid, ArticulatedRefit refit) : placed_(rigid), refit_(refit) {
    const ObbVolume box = root_box(*rigid.body);
    if (refit == ArticulatedRefit::none) return;
    if (refit == ArticulatedRefit::blocks) {
        CarriedBox carried;
        carried.local = FrameRows(Rigid{transposed(box.axes), box.centre});
        for (int k = 0; k < 3; ++k) carried.half[k] = float(box.half[k] * (1 + 3e-7));
        carried.frame = 0, carried.aligned = false;
        const std::vector<CarriedBox> one{carried};
        const FrameRows frame(rigid.pose);
        blocks_ = LinkBlocks(one);
        blocks_.refit(one, &frame.at[0][0], 12, nullptr);
        return;
    }
    tree_.emplace(LinkTreeParts{{-1}, {0}, {box}});
    // All refits have the same boxes about single shapes, but for those about points: its box holds them all.
    const bool along_axes = refit == ArticulatedRefit::aabb || refit == ArticulatedRefit::aabb_all;
    if (along_axes)
        aligned_.refit(*tree_, LinkRefit::aabb, &rigid.pose, &rigid.pose);
    else
        oriented_.refit(*tree_, LinkRefit::cab, &rigid.pose, &rigid.pose);
}

double ArticulatedSide::extent() const {
    double out = 0;
    for (int i = 0; i < shapes(); ++i) {
        const Placed p = placed(i);
        out = most(out, length(p.pose.translation) + p.body->reach());
    }
    return out;
}

const std::vector<ShapeCandidate>& ArticulatedPairs::candidates(const Allowance& allowance, Counters& counters) {
    find(0, allowance, counters);
    return list_;
}

/// Bodies that keep different boxes are compared pair by pair.
void ArticulatedPairs::find(double reach, const Allowance& allowance, Counters& counters) {
    if (known_) return void(counters.volume_tests += tests_);
    list_.clear();
    stop_ = Stop::exhausted;
    if (!a_.shapes() || !b_.shapes()) return;
    const ArticulatedRefit refit = a_.refit() == b_.refit() ? a_.refit() : ArticulatedRefit::none;
    if (refit == ArticulatedRefit::none) return find_all();
    if (refit != ArticulatedRefit::blocks) return find_by_tree(reach, allowance, counters);
    if (self_)
        find_by_blocks<true>([&](int i, int block) { return a_.compared().block(i, block); }, reach, counters);
    else
        find_by_blocks<false>([](int, int) { return 0xffffu; }, reach, counters);
}

template <bool self, class Allows>
void ArticulatedPairs::find_by_blocks(const Allows& allows, double reach, Counters& counters) {
    const Borrowed<NearShapePairs> borrowed;
    NearShapePairs& near = *borrowed;
    near.clear();
    AcrossBlocks(a_.blocks(), b_.blocks(), reach).find<self>(allows, counters, near);
    reach > 0 ? nearest_first(near) : compare_boxes(near, counters);
}

/// Keeps the pairs whose oriented boxes overlap, or may.
void ArticulatedPairs::compare_boxes(const NearShapePairs& near, Counters& counters) {
    counters.volume_tests += near.size();
    Poll poll;
    for (std::size_t first = 0; first < near.size(); first += 8) {
        poll();
        const BoxRow *one[8], *other[8];
        alignas(32) float shift[3][8], margin[8];
        const std::size_t last = least(first + 8, near.size()) - 1;
        for (std::size_t k = 0; k < 8; ++k) {
            const NearShapePairs::Pair& p = near[least(first + k, last)];
            const BlockPassage& passage = near.passage(p);
            one[k] = &a_.blocks().row(p.a), other[k] = &b_.blocks().row(p.b), margin[k] = passage.margin;
            for (int c = 0; c < 3; ++c) shift[c][k] = passage.shift[c];
        }
        const Float8 shifts[3] = {Float8::load(shift[0]), Float8::load(shift[1]), Float8::load(shift[2])};
        const BoxVerdicts found = compare(BoxLanes(one), BoxLanes(other), shifts, Float8::load(margin));
        unsigned lanes = found.near & (0xffu >> (7 - (last - first)));
        if (!lanes) continue;
        float depth[8];
        found.depth.store(depth);
        for (; lanes; lanes &= lanes - 1) {
            const int k = __builtin_ctz(lanes);
            const NearShapePairs::Pair& p = near[first + k];
            list_.push_back({p.a, p.b, depth[k], (found.certain >> k & 1) && a_.is_box(p.a) && b_.is_box(p.b)});
        }
    }
}

/// By the largest gap of their boxes along an axis, so that what is measured first prunes the rest.
void ArticulatedPairs::nearest_first(const NearShapePairs& near) {
    for (std::size_t n = 0; n < near.size(); ++n) {
        const auto& [a, b, number] = near[n];
        const LinkBlock &p = a_.blocks().block(a / LinkBlock::size), &q = b_.blocks().block(b / LinkBlock::size);
        const int i = a % LinkBlock::size, j = b % LinkBlock::size;
        const float* shift = near.passage(near[n]).shift;
        float gap = -1e30f;
        for (int k = 0; k < 3; ++k)
            gap = most(gap, std::fabs(q.centre[k][j] + shift[k] - p.centre[k][i]) - p.half[k][i] - q.half[k][j]);
        list_.push_back({a, b, gap, false});
    }
    std::stable_sort(list_.begin(), list_.end(),
                     [](const ShapeCandidate& p, const ShapeCandidate& q) { return p.depth < q.depth; });
}

void ArticulatedPairs::find_by_tree(double reach, const Allowance& allowance, Counters& counters) {
    std::vector<ShapePair> found;
    auto search = [&](const auto& x, const auto& y) {
        stop_ = self_
                    ? candidates_within(a_.tree(), x, ShapeExclusion{&a_.compared()}, reach, allowance, counters, found)
                    : candidates_across(a_.tree(), x, b_.tree(), y, reach, allowance, counters, found);
    };
    const bool along_axes = a_.refit() == ArticulatedRefit::aabb || a_.refit() == ArticulatedRefit::aabb_all;
    along_axes ? search(a_.aligned(), b_.aligned()) : search(a_.oriented(), b_.oriented());
    for (const ShapePair& p : found) list_.push_back({p.a, p.b, 0, false});
}

void ArticulatedPairs::find_all() {
    for (int i = 0; i < a_.shapes(); ++i) {
        check_interruption();
        for (int j = self_ ? i + 1 : 0; j < b_.shapes(); ++j)
            if (!self_ || a_.compared()(i, j)) list_.push_back({i, j, 0, false});
    }
}

}  // namespace elbowroom
