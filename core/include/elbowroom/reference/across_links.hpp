#pragma once
#include "elbowroom/pairings/pair_fan.hpp"
#include "elbowroom/reference/link_boxes.hpp"

namespace elbowroom {

/// The boxes that a pair of nodes names: of two trees, or of one and the same.
template <class Volume, bool OneTree>
struct LinkVolumes {
    static constexpr bool one_tree = OneTree;
    const LinkBoxes<Volume>&a, &b;

    ELBOWROOM_INLINE double margin(std::int32_t i, std::int32_t j) const { return a.margin(i) + b.margin(j); }
    template <class F>
    ELBOWROOM_INLINE auto with_volumes(std::int32_t i, std::int32_t j, F&& f) const {
        return f(a[i], b[j]);
    }
};

/// Pairs of nodes of two trees over links, placed in one world; with `OneTree`, of one tree given twice, where a node
/// with itself opens into its children with themselves and with each other. Of two nodes the larger is opened. Of two
/// leaves, `excluded(i, j)` says whether their shapes count; such a pair is not even tested. Neither tree is empty.
template <class Volume, bool OneTree, class Excluded>
class AcrossLinks {
public:
    using Volumes = LinkVolumes<Volume, OneTree>;
    using Fan = PairFan<Volumes>;

    AcrossLinks(const LinkTree& a, const LinkBoxes<Volume>& x, const LinkTree& b, const LinkBoxes<Volume>& y,
                const Excluded& excluded)
        : a_(a), b_(b), volumes_{x, y}, excluded_(excluded) {}

    /// The root against the root.
    Fan roots() const {
        Fan fan{volumes_};
        if constexpr (OneTree)
            add_self(fan, a_.root());
        else
            add(fan, a_.root(), b_.root());
        return fan;
    }
    ELBOWROOM_INLINE bool is_leaf(const Pair& p) const { return a_.node(p.a).is_leaf() && b_.node(p.b).is_leaf(); }
    Fan open(const Pair& p) const {
        if (OneTree && p.a == p.b) return open_self(p.a);
        return opens_a(p) ? open_a(p) : open_b(p);
    }

private:
    const LinkTree &a_, &b_;
    const Volumes volumes_;
    const Excluded& excluded_;

    ELBOWROOM_INLINE bool opens_a(const Pair& p) const {
        if (a_.node(p.a).is_leaf() || b_.node(p.b).is_leaf()) return b_.node(p.b).is_leaf();
        return half_length(volumes_.a[p.a]) > half_length(volumes_.b[p.b]);
    }
    Fan open_self(std::int32_t n) const {
        const LinkTree::Node& node = a_.node(n);
        Fan fan{volumes_};
        add_self(fan, node.right);
        add_self(fan, node.left);
        add(fan, node.left, node.right);
        return fan;
    }
    Fan open_a(const Pair& p) const {
        const LinkTree::Node& node = a_.node(p.a);
        Fan fan{volumes_};
        add(fan, node.left, p.b);
        add(fan, node.right, p.b);
        return fan;
    }
    Fan open_b(const Pair& p) const {
        const LinkTree::Node& node = b_.node(p.b);
        Fan fan{volumes_};
        add(fan, p.a, node.left);
        add(fan, p.a, node.right);
        return fan;
    }
    /// A shape is not compared with itself.
    ELBOWROOM_INLINE void add_self(Fan& fan, std::int32_t n) const {
        if (!a_.node(n).is_leaf()) fan.add(n, n);
    }
    ELBOWROOM_INLINE void add(Fan& fan, std::int32_t n, std::int32_t m) const {
        const LinkTree::Node &x = a_.node(n), &y = b_.node(m);
        if (!x.is_leaf() || !y.is_leaf() || !excluded_(x.right, y.right)) fan.add(n, m);
    }
};

}  // namespace elbowroom
