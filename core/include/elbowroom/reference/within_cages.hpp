#pragma once
#include "elbowroom/pairings/pair_fan.hpp"
#include "elbowroom/reference/cage_tree.hpp"

namespace elbowroom {

/// The balls that a pair of slots names; `Cages` has ball(slot).
template <class Cages>
struct CageVolumes {
    static constexpr bool one_tree = true;
    const Cages& cages;

    /// Balls are where they are said to be, to the last digit: only the distance of their centres is rounded, and where
    /// that matters it is about the sum of the radii. Beads count as touching within `rounding` of their radii, and no
    /// cage is smaller than a bead in it: twice that, and what is apart holds no beads that touch.
    static ELBOWROOM_INLINE double margin_of(const SphereVolume& a, const SphereVolume& b) {
        return 2 * rounding * (a.radius + b.radius);
    }
    double margin(std::int32_t a, std::int32_t b) const { return margin_of(cages.ball(a), cages.ball(b)); }
    template <class F>
    ELBOWROOM_INLINE auto with_volumes(std::int32_t a, std::int32_t b, F&& f) const {
        return f(cages.ball(a), cages.ball(b));
    }
};

/// Pairs within one tree of cages. A cage with itself opens into its children with themselves and with each other; of
/// two slots the one with more beads is opened, the first if they have as many, as [Guibas2002] proves its bound for.
/// In a pair, a comes before b. Two beads that may touch, by `rule.may(i, j)`, are no pair; cages always are.
template <class Cages, class Rule>
class WithinCages {
public:
    using Fan = PairFan<CageVolumes<Cages>>;

    WithinCages(const CageTree& tree, const Cages& cages, const Rule& rule)
        : tree_(tree), volumes_{cages}, rule_(rule) {}

    Pair root() const { return {0, 0, 0.f}; }
    ELBOWROOM_INLINE bool is_leaf(const Pair& p) const { return (p.a & p.b) < 0; }
    Fan open(const Pair& p) const {
        if (p.a == p.b) return open_self(p.a);
        Fan fan{volumes_};
        if (tree_.count(p.a) >= tree_.count(p.b)) {
            for (const std::int32_t child : tree_.children(p.a)) add(fan, child, p.b);
        } else {
            for (const std::int32_t child : tree_.children(p.b)) add(fan, p.a, child);
        }
        return fan;
    }
    /// Pairs of beads below.
    double count(std::int32_t a, std::int32_t b) const {
        const double n = tree_.count(a), m = tree_.count(b);
        return a == b ? n * (n - 1) / 2 : n * m;
    }
    /// Are the two proved apart?
    bool apart(const Pair& p) const {
        const SphereVolume a = volumes_.cages.ball(p.a), b = volumes_.cages.ball(p.b);
        return gap_of(a, b, 0.0) > CageVolumes<Cages>::margin_of(a, b);
    }

private:
    const CageTree& tree_;
    const CageVolumes<Cages> volumes_;
    const Rule& rule_;

    Fan open_self(std::int32_t cage) const {
        const CageTree::Children c = tree_.children(cage);
        Fan fan{volumes_};
        if (!tree_.node(cage).has_beads()) {
            fan.add(c.slot[1], c.slot[1]);
            fan.add(c.slot[0], c.slot[0]);
            fan.add(c.slot[0], c.slot[1]);
            return fan;
        }
        for (int j = 1; j < c.count; ++j)
            for (int i = 0; i < j; ++i) add(fan, c.slot[i], c.slot[j]);
        return fan;
    }
    void add(Fan& fan, std::int32_t a, std::int32_t b) const {
        if ((a & b) >= 0 || !rule_.may(~a, ~b)) fan.add(a, b);
    }
};

}  // namespace elbowroom
