#pragma once
#include <vector>

#include "elbowroom/bodies/binary_chain_joints.hpp"
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
        if (shrink_) tighten(v, node);
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

    /// Pushes the faces of a box in until they touch a link. [Lotan2002, section 6.1]
    void tighten(ObbVolume& box, Node node) const {
        box.centre = {};
        for (int k = 0; k < 3; ++k) {
            const Vec3 u = box.axes.row[k];
            double high = -far_away, low = -far_away;
            look_along(node, u, 0, high), look_along(node, -u, 0, low);
            box.set_side(k, {-low, high});
        }
    }
    /// The farthest that any link below the node reaches along d, if farther than `best`. The boxes below rule out
    /// most.
    void look_along(Node node, Vec3 d, double offset, double& best) const {
        if (node.level == 0) return void(best = most(best, offset + radii_[node.index]));
        const Rigid& s = step(node);
        const Node l = left(node), r = right(node);
        const Vec3 turned = transposed_times(s.rotation, d);
        const double beyond = offset + dot(d, s.translation);
        const double a = offset + reach_along(l, d), b = beyond + reach_along(r, turned);
        if (a >= b && a > best) look_along(l, d, offset, best);
        if (b > best) look_along(r, turned, beyond, best);
        if (a < b && a > best) look_along(l, d, offset, best);
    }
    double reach_along(Node node, Vec3 d) const {
        if (node.level == 0) return radii_[node.index];
        const ObbVolume& v = volume(node);
        return dot(d, v.centre) + v.half_shadow(d);
    }

    /// A swept sphere keeps its core and takes the radius that the links need.
    template <class Swept>
    void tighten(Swept& v, Node node) const {
        double most_out = -v.radius;
        look_outside(v, node, {}, most_out);
        v.radius += most_out;
    }
    /// The most that any link below the node sticks out of v, if more than `worst`. The excess of a point is convex, so
    /// that the balls that span a volume bound all inside it.
    template <class Swept>
    void look_outside(const Swept& v, Node node, const Rigid& pose, double& worst) const {
        if (node.level == 0) return void(worst = most(worst, v.excess(pose.translation, radii_[node.index])));
        const Node l = left(node), r = right(node);
        const Rigid right_pose = pose * step(node);
        const double a = most_outside(v, l, pose), b = most_outside(v, r, right_pose);
        if (a >= b && a > worst) look_outside(v, l, pose, worst);
        if (b > worst) look_outside(v, r, right_pose, worst);
        if (a < b && a > worst) look_outside(v, l, pose, worst);
    }
    template <class Swept>
    double most_outside(const Swept& v, Node node, const Rigid& pose) const {
        if (node.level == 0) return v.excess(pose.translation, radii_[node.index]);
        Vec3 c[4];
        double r[4], out = -v.radius;
        const int count = volume(node).balls(c, r);
        for (int i = 0; i < count; ++i) out = most(out, v.excess(pose * c[i], r[i]));
        return out;
    }
};

}  // namespace elbowroom
