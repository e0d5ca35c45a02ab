// A tree over trees: the boxes of the members are carried over, not fitted again.
#pragma once
#include <vector>

#include "elbowroom/math/rigid.hpp"
#include "elbowroom/trees/build.hpp"
#include "elbowroom/volumes/carried.hpp"

namespace elbowroom {

template <class Tree>
struct TreeMember {
    const Tree* tree;
    Rigid pose;
    std::int32_t first;  // its items are numbered from here on
};

/// Few members are put under a tree as good as any; for many, cuts are chosen by boxes along the axes, and only the
/// boxes that are kept are fitted with care.
template <class Tree>
class JoinedTree {
public:
    using Volume = typename Tree::Volume;
    static constexpr int width = Tree::width, few = 64;

    JoinedTree(const std::vector<TreeMember<Tree>>& members, const Items& items) : members_(members), items_(items) {
        tree_.set_middle(items);
        reserve();
        single_ = all_single();
        if (single_) shift_ = tree_.origin;
    }
    Tree run() {
        for (const TreeMember<Tree>& m : members_) {
            roots_.push_back(carried_over(m, Volume::unpack(m.tree->root().field)));
            m.tree->order.size() == 1 && !items_.is_unbounded(m.first) ? add_item(m.first) : add_corners(roots_.back());
            first_.push_back(int(corners_.size()));
        }
        const Items boxes{corners_.data(), first_.data(), radius_.data(), int(members_.size())};
        SplitOptions options;
        options.leaf_items = 1;
        options.keep_copies = single_;
        const bool many = boxes.count > few;
        if (many) options.rough = true, options.judged_items = 0;
        auto binary = Splitter<Volume>(boxes, shift_, options).run();
        for (std::size_t n = 0; n < binary.nodes.size(); ++n)
            if (binary.nodes[n].is_leaf()) binary.volumes[n] = roots_[binary.order[binary.nodes[n].first]];
        Collapse<Tree>(binary, tree_);
        top_.swap(tree_.leaves);
        if (many) fit_above(0, boxes, binary.order);
        const int top_records = int(tree_.records.size());
        for (int r = 0; r < top_records; ++r)
            if (tree_.lanes[r / width].valid >> r % width & 1 && tree_.records[r].is_leaf())
                hang_all(r, &binary.order[top_[tree_.records[r].leaf()].first], top_[tree_.records[r].leaf()].count);
        return std::move(tree_);
    }

private:
    const std::vector<TreeMember<Tree>>& members_;
    const Items& items_;
    Tree tree_;
    std::vector<TreeLeaf> top_;
    std::vector<Volume> roots_;
    bool single_ = false;        // all members are bounded items, and their copies are kept together
    Vec3 shift_;                 // of `corners_`, to coordinates about the origin of the tree
    std::vector<Vec3> corners_;  // of the members: of their boxes, or of the one item
    std::vector<double> radius_;
    std::vector<int> first_{0};
    GatheredBalls gathered_;

    void reserve() {
        std::size_t nodes = 2 * members_.size(), leaves = 0, items = 0;
        for (const TreeMember<Tree>& m : members_)
            nodes += m.tree->lanes.size(), leaves += m.tree->leaves.size(), items += m.tree->order.size();
        tree_.records.reserve(width * nodes), tree_.lanes.reserve(nodes);
        tree_.leaves.reserve(leaves), tree_.order.reserve(items);
    }
    bool all_single() const {
        for (const TreeMember<Tree>& m : members_)
            if (m.tree->order.size() != 1 || items_.is_unbounded(m.first)) return false;
        return true;
    }
    void add_corners(const Volume& box) {
        Vec3 corner[8];
        double nothing[8];
        const int n = box.balls(corner, nothing);
        corners_.insert(corners_.end(), corner, corner + n);
        radius_.push_back(0);
    }
    void add_item(int i) {
        for (int k = items_.first[i]; k < items_.first[i + 1]; ++k)
            corners_.push_back(single_ ? items_.points[k] : items_.points[k] - tree_.origin);
        radius_.push_back(items_.radius_of(i));
    }
    Volume carried_over(const TreeMember<Tree>& m, Volume box) const {
        box.centre = box.centre + m.tree->origin;
        box = carried(m.pose, box);
        box.centre = box.centre - tree_.origin;
        return box;
    }
    /// Fits the boxes above members with care; the members below are in `which`, from the first of their leaves on.
    void fit_above(int record, const Items& boxes, const std::vector<int>& which) {
        const auto& r = tree_.records[record];
        if (r.is_leaf()) return;
        int first = -1, last = -1;
        below(record, first, last);
        Volume::fit(gathered_.of(boxes, &which[first], last - first, shift_))
            .pack(tree_.records[record].field, tree_.slack());
        tree_.copy_to_lane(record);
        for (int k = 0; k < width; ++k)
            if (tree_.lanes[r.child].valid >> k & 1) fit_above(width * r.child + k, boxes, which);
    }
    void below(int record, int& first, int& last) const {
        const auto& r = tree_.records[record];
        if (r.is_leaf()) {
            const TreeLeaf& leaf = top_[r.leaf()];
            first = first < 0 ? leaf.first : least(first, leaf.first), last = most(last, leaf.first + leaf.count);
            return;
        }
        for (int k = 0; k < width; ++k)
            if (tree_.lanes[r.child].valid >> k & 1) below(width * r.child + k, first, last);
    }
    /// Puts the tree of a member below a record, or several members that are copies of one item.
    void hang_all(int record, const int* members, int count) {
        if (count == 1) return hang(record, *members);
        tree_.records[record].child = ~std::int32_t(tree_.leaves.size());
        tree_.leaves.push_back({std::int32_t(tree_.order.size()), count});
        for (int k = 0; k < count; ++k) tree_.order.push_back(members_[std::size_t(members[k])].first);
    }
    void hang(int record, int member) {
        check_interruption();
        const TreeMember<Tree>& m = members_[std::size_t(member)];
        const Tree& from = *m.tree;
        const std::int32_t node = std::int32_t(tree_.lanes.size()) - 1, leaf = std::int32_t(tree_.leaves.size());
        const std::int32_t order = std::int32_t(tree_.order.size());
        auto moved = [&](std::int32_t child) { return child < 0 ? ~(leaf + ~child) : node + child; };
        tree_.records[record].child = moved(from.root().child);
        for (const TreeLeaf& l : from.leaves) tree_.leaves.push_back({order + l.first, l.count});
        for (const std::int32_t i : from.order) tree_.order.push_back(m.first + i);
        for (int n = 1; n < from.nodes(); ++n) {
            tree_.lanes.push_back(from.lanes[n]);
            for (int k = 0; k < width; ++k) {
                tree_.records.push_back(from.records[width * n + k]);
                if (!(from.lanes[n].valid >> k & 1)) continue;
                auto& r = tree_.records.back();
                r.child = moved(r.child);
                carried_over(m, Volume::unpack(r.field)).pack(r.field, tree_.slack());
                tree_.copy_to_lane(int(tree_.records.size()) - 1);
            }
        }
    }
};

}  // namespace elbowroom
