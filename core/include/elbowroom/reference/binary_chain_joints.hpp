#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "elbowroom/math/rigid.hpp"
#include "elbowroom/math/rotation_about.hpp"

namespace elbowroom {

/// Node `index` of a level covers the links index 2^level to (index + 1) 2^level - 1, as far as there are any.
struct BinaryChainNode {
    int level, index;
    int first() const { return index << level; }
};

/// A node on the way up from changed joints; `inside`: a changed joint lies between two of its own links, so that its
/// volume is no longer true.
struct ChangedNode {
    int index;
    bool inside;
};

/// Throws if the two links of a joint have the same centre, and so no axis to turn about.
inline void need_axis(const Rigid& joint, int number, double noise = 0) {
    if (largest(absolute(joint.translation)) > noise) return;
    const std::string first = std::to_string(number), second = std::to_string(number + 1);
    throw std::invalid_argument("joint " + first + " has no axis: links " + first + " and " + second +
                                " have the same centre");
}

/// A joint after the links beyond it were turned about the axis from its first link to its second, which must differ.
inline Rigid turned_joint(const Rigid& joint, double angle) {
    const Mat3 turn = rotation_about(normalised(joint.translation, {}), angle);
    return {closer_to_rotation(turn * joint.rotation), joint.translation};
}

/// A joint after the links beyond it were moved by a map of the world, in which its first link has the given pose.
inline Rigid moved_joint(const Rigid& joint, const Rigid& first_link, const Rigid& map) {
    const Rigid seen{transposed(first_link.rotation) * (map.rotation * first_link.rotation),
                     transposed_times(first_link.rotation, map * first_link.translation - first_link.translation)};
    const Rigid moved = seen * joint;
    return {closer_to_rotation(moved.rotation), moved.translation};
}

/// The same for a turn about the centre of the first link, which no far place of that can blur.
inline Rigid pivoted_joint(const Rigid& joint, const Mat3& first_link, const Mat3& rotation) {
    const Mat3 seen = transposed(first_link) * (nearest_rotation(rotation) * first_link);
    return {closer_to_rotation(seen * joint.rotation), seen * joint.translation};
}

/// The joints of a chain as rigid transforms, and the shortcuts over them: at(level, i) leads from the frame of link
/// (i + 1) 2^level to that of link i 2^level. Level 0 are the joints themselves. [Lotan2002, section 2.1]
class ChainJoints {
public:
    explicit ChainJoints(const std::vector<Vec3>& positions) : links_(int(positions.size())) {
        while (nodes_at(top_) > 1) ++top_;
        at_.emplace_back(links_ - 1);
        for (int i = 0; i + 1 < links_; ++i) at_[0][i].translation = positions[i + 1] - positions[i];
        for (int level = 1; (links_ - 1) >> level > 0; ++level) {
            at_.emplace_back((links_ - 1) >> level);
            for (int i = 0; i < int(at_[level].size()); ++i) recompute(level, i);
        }
    }
    int links() const { return links_; }
    /// The level of the root: the first with one node.
    int top() const { return top_; }
    int nodes_at(int level) const { return int((std::int64_t(links_) + (std::int64_t(1) << level) - 1) >> level); }
    int last(BinaryChainNode node) const {
        return int(least<std::int64_t>((std::int64_t(node.index) + 1) << node.level, links_) - 1);
    }
    const Rigid& at(int level, int index) const { return at_[level][index]; }
    const Rigid& joint(int i) const { return at_[0][i]; }
    const std::vector<Rigid>& all() const { return at_[0]; }
    void set_joint(int i, const Rigid& to) { at_[0][i] = to; }

    /// One level up: the parents of the changed nodes of a level, each once, with their shortcuts recomputed.
    void climb(int level, std::vector<ChangedNode>& changed) {
        std::size_t kept = 0;
        for (const ChangedNode& node : changed) {
            // A changed shortcut of a left child moves the right one against it.
            const ChangedNode parent{node.index >> 1, node.inside || !(node.index & 1)};
            if (kept > 0 && changed[kept - 1].index == parent.index)
                changed[kept - 1].inside |= parent.inside;
            else
                changed[kept++] = parent;
        }
        changed.resize(kept);
        if (level >= int(at_.size())) return;
        for (const ChangedNode& node : changed)
            if (node.index < int(at_[level].size())) recompute(level, node.index);
    }
    /// The pose of link j seen from link i, in O(log n) steps.
    Rigid pose(int i, int j) const {
        if (i > j) return inverse(pose(j, i));
        Rigid out;
        for (int level; i < j; i += 1 << level) {
            level = 0;
            while (!(i >> level & 1) && i + (std::int64_t(2) << level) <= j) ++level;
            out = out * at_[level][i >> level];
        }
        return out;
    }
    /// Where the links are in the frame of the first one, in O(n) steps of which none is far from the next.
    std::vector<Vec3> positions() const {
        std::vector<Vec3> out(links_);
        each_at(0, [&](BinaryChainNode link, const Rigid& pose) { out[link.index] = pose.translation; });
        return out;
    }
    /// Calls f(node, pose) for the nodes of one level, with their poses in the frame of the first link.
    template <class F>
    void each_at(int level, F&& f) const {
        visit({top(), 0}, {}, level, f);
    }
    std::size_t nbytes() const {
        std::size_t bytes = 0;
        for (const auto& level : at_) bytes += level.capacity() * sizeof(Rigid);
        return bytes;
    }

private:
    int links_, top_ = 0;
    std::vector<std::vector<Rigid>> at_;

    void recompute(int level, int index) {
        at_[level][index] = at_[level - 1][2 * index] * at_[level - 1][2 * index + 1];
    }
    template <class F>
    void visit(BinaryChainNode node, const Rigid& pose, int level, F& f) const {
        if (node.level == level) return f(node, pose);
        const BinaryChainNode left{node.level - 1, 2 * node.index}, right{node.level - 1, 2 * node.index + 1};
        visit(left, pose, level, f);
        if (right.first() < links_) visit(right, pose * at(left.level, left.index), level, f);
    }
};

}  // namespace elbowroom
