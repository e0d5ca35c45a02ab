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

template <class Tree>
class JoinedTree {
public:
    using Volume = typename Tree::Volume;
    static constexpr int width = Tree::width;

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
        build_top(boxes, options);
        std::vector<std::int32_t> members;
        members.swap(tree_.order), top_.swap(tree_.leaves);
        const int top_records = int(tree_.records.size());
        for (int r = 0; r < top_records; ++r)
            if (is_used(tree_, r) && tree_.records[r].is_leaf())
                hang_all(r, &members[top_[tree_.records[r].leaf()].first], top_[tree_.records[r].leaf()].count);
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
    /// The tree over the members. Above them boxes are fitted to their boxes; their own are carried over.
    void build_top(const Items& boxes, const SplitOptions& options) {
        const Vec3 origin = tree_.origin;
        build(tree_, boxes, shift_, tree_.radius, options);
        tree_.origin = shift_;
        for_each_record(tree_, options.spread, FitRecord<Tree>(tree_, boxes, false));
        tree_.origin = origin;
        for (int r = 0; r < int(tree_.records.size()); ++r) {
            if (!is_used(tree_, r) || !tree_.records[r].is_leaf()) continue;
            roots_[std::size_t(tree_.order[first_below(tree_, r)])].pack(tree_.records[r].field, tree_.slack());
            tree_.copy_to_lane(r);
        }
    }
    /// Puts the tree of a member below a record, or several members that are copies of one item.
    void hang_all(int record, const std::int32_t* members, int count) {
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
