#pragma once
#include <vector>

#include "elbowroom/reference/binary_chain_joints.hpp"
#include "elbowroom/reference/binary_chain_shrink.hpp"
#include "elbowroom/volumes/merge_two.hpp"

namespace elbowroom {

/// The volumes of a chain: one for each node, in the frame of its first link, about the two volumes below it.
/// [Lotan2002, section 2.2] This is the tree that the pairing within one tree looks at; a node with one child is passed
/// over there, because it stands for that child.
template <class VolumeType>
class ChainVolumes {
public:
    using Volume = VolumeType;
    using Node = BinaryChainNode;

    ChainVolumes(const ChainJoints& joints, const std::vector<double>& radii, bool shrink)
        : joints_(joints), radii_(radii), shrink_(shrink), top_(joints.top()) {
        for (int level = 1; level <= top_; ++level) {
            at_.emplace_back(joints.nodes_at(level));
            for (int i = 0; i < joints.nodes_at(level); ++i) recompute({level, i});
        }
    }
    Node root() const { return {top_, 0}; }
    bool is_leaf(Node node) const { return node.level == 0; }
    Node left(Node node) const { return {node.level - 1, 2 * node.index}; }
    Node right(Node node) const { return past_single({node.level - 1, 2 * node.index + 1}); }
    const Rigid& step(Node node) const { return joints_.at(node.level - 1, 2 * node.index); }
    int first(Node node) const { return node.first(); }
    int last(Node node) const { return joints_.last(node); }
    double radius(int link) const { return radii_[link]; }
    const Volume& volume(Node node) const { return at_[node.level - 1][node.index]; }

    bool has_right(Node node) const { return 2 * node.index + 1 < joints_.nodes_at(node.level - 1); }
    /// The volume of any node, a link's too.
    Volume about(Node node) const { return node.level > 0 ? volume(node) : about_ball<Volume>({}, radii_[node.index]); }
    /// Makes the volume of a node from those below it.
    void recompute(Node node) {
        Volume& v = at_[node.level - 1][node.index];
        if (!has_right(node)) return void(v = about(left(node)));
        v = node.level == 1 ? about_two_links(node)
                            : merge_two(about(left(node)), carried(step(node), about(right(node))));
        if (shrink_) ChainShrink(*this, reach_of(v)).tighten(v, node);
        grow(v, 2e-14 * reach_of(v));  // more than the rounding of one merge
    }
    std::size_t nbytes() const {
        std::size_t bytes = 0;
        for (const auto& level : at_) bytes += level.capacity() * sizeof(Volume);
        return bytes;
    }

private:
    const ChainJoints& joints_;
    const std::vector<double>& radii_;
    const bool shrink_;
    const int top_;
    std::vector<std::vector<Volume>> at_;  // from level 1 up

    Node past_single(Node node) const {
        while (node.level > 0 && !has_right(node)) node = left(node);
        return node;
    }
    Volume about_two_links(Node node) const {
        const Vec3 centre[2] = {{}, step(node).translation};
        const double radius[2] = {radii_[2 * node.index], radii_[2 * node.index + 1]};
        return about_two_balls<Volume>(centre, radius);
    }
};

}  // namespace elbowroom
