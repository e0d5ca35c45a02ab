#pragma once
#include "elbowroom/reference/binary_chain_joints.hpp"
#include "elbowroom/volumes/carried.hpp"

namespace elbowroom {

/// Pushes the surface of a volume in until it touches a link [Lotan2002, section 6.1], but for a slack: without it,
/// links that reach equally far would be looked at one after the other. The volumes below rule out most links; in the
/// worst case all are looked at.
template <class Volumes>
class ChainShrink {
public:
    /// `reach`: of the volume, about the origin of its frame.
    ChainShrink(const Volumes& tree, double reach) : tree_(tree), slack_(1e-12 * reach) {}

    /// A box keeps its axes, and each face is moved on its own.
    void tighten(ObbVolume& box, BinaryChainNode node) const {
        box.centre = {};
        for (int k = 0; k < 3; ++k) {
            const Vec3 u = box.axes.row[k];
            double high = -far_away, low = -far_away;
            look_along(node, u, 0, high), look_along(node, -u, 0, low);
            box.set_side(k, {-low, high});
        }
    }
    /// A swept sphere keeps its core, and takes the radius that the links need.
    template <class Swept>
    void tighten(Swept& v, BinaryChainNode node) const {
        double out = -v.radius;
        look_outside(v, node, {}, out);
        v.radius += out;
    }

private:
    const Volumes& tree_;
    const double slack_;

    /// How far the links below a node reach along d, where the node itself begins at `offset`: raises `best` to that.
    void look_along(BinaryChainNode node, Vec3 d, double offset, double& best) const {
        if (node.level == 0) return void(best = most(best, offset + tree_.radius(node.index) + slack_));
        const Rigid& step = tree_.step(node);
        const BinaryChainNode left = tree_.left(node), right = tree_.right(node);
        const Vec3 turned = transposed_times(step.rotation, d);
        const double beyond = offset + dot(d, step.translation);
        const double a = offset + reach_along(left, d), b = beyond + reach_along(right, turned);
        if (a >= b && a > best) look_along(left, d, offset, best);
        if (b > best) look_along(right, turned, beyond, best);
        if (a < b && a > best) look_along(left, d, offset, best);
    }
    double reach_along(BinaryChainNode node, Vec3 d) const {
        if (node.level == 0) return tree_.radius(node.index);
        const ObbVolume& v = tree_.volume(node);
        return dot(d, v.centre) + v.half_shadow(d);
    }

    /// How far the links below a node stick out of v: raises `worst` to that. The excess of a point is convex, so that
    /// the balls that span a volume bound all inside it.
    template <class Swept>
    void look_outside(const Swept& v, BinaryChainNode node, const Rigid& pose, double& worst) const {
        if (node.level == 0) return void(worst = most(worst, most_outside(v, node, pose) + slack_));
        const BinaryChainNode left = tree_.left(node), right = tree_.right(node);
        const Rigid beyond = pose * tree_.step(node);
        const double a = most_outside(v, left, pose), b = most_outside(v, right, beyond);
        if (a >= b && a > worst) look_outside(v, left, pose, worst);
        if (b > worst) look_outside(v, right, beyond, worst);
        if (a < b && a > worst) look_outside(v, left, pose, worst);
    }
    template <class Swept>
    double most_outside(const Swept& v, BinaryChainNode node, const Rigid& pose) const {
        if (node.level == 0) return v.excess(pose.translation, tree_.radius(node.index));
        Vec3 c[4];
        double r[4], out = -v.radius;
        const int count = tree_.volume(node).balls(c, r);
        for (int i = 0; i < count; ++i) out = most(out, v.excess(pose * c[i], r[i]));
        return out;
    }
};

}  // namespace elbowroom
