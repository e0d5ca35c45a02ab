// A chain and another body as the questions see them; shared by the other bodies.
#pragma once
#include "chain_queries.hpp"
#include "elbowroom/narrow/contact_hull_hull.hpp"
#include "elbowroom/pairings/run_places.hpp"
#include "elbowroom/questions/body_pair.hpp"

namespace elbowroom {

/// The nearest primitives of two bodies found so far.
struct NearestAcross {
    double upper2 = far_away * far_away, lower = far_away;
    std::int64_t a = -1, b = -1;
};

/// A chain (a) and another body (b) in a common frame, that of the chain. `Leaves` has the leaf kernels and gives
/// primitives as hulls; `Runs` is the pairing by numbers.
template <class Pairing, class Leaves, class Runs>
class ChainCross : public PlainBodyPair {
public:
    using Best = NearestAcross;

    /// The same pairs by numbers that stay from call to call.
    class Numbered {
    public:
        Numbered(const Leaves& leaves, const Runs& runs) : runs_(runs), leaves_(leaves, runs) {}
        static int width() { return 8; }
        const Runs& pairing() const { return runs_; }
        const RunLeaves<Leaves, Runs>& leaves() const { return leaves_; }
        double leaf_gap(const Pair& pair) const {
            NearestAcross nearest;
            Counters nothing;
            leaves_.nearest(pair, nothing, nearest);
            if (nearest.a < 0) return most(0.0, nearest.lower);
            const double scale = leaves_.inner().hulls(nearest.a, nearest.b).scale;
            return most(0.0, least(std::sqrt(nearest.upper2), nearest.lower) - 8 * rounding * scale);
        }

    private:
        const Runs& runs_;
        const RunLeaves<Leaves, Runs> leaves_;
    };

    ChainCross(const Pairing& pairing, const Leaves& leaves, const Runs& runs, CutMemory* memory, bool swapped,
               const Rigid& to_world)
        : PlainBodyPair(memory, swapped),
          pairing_(pairing),
          leaves_(leaves),
          numbered_(leaves, runs),
          to_world_(to_world) {}

    const Numbered& numbered() const { return numbered_; }
    const Leaves& leaves() const { return leaves_; }
    template <class Query>
    Stop sweep(Query& query, Budget& budget, Counters& counters, double* left) const {
        DepthFirst order;
        order.push(leaves_.start());
        return sweep_from(order, pairing_, query, budget, counters, left);
    }
    double total() const { return pairing_.count(leaves_.start().a, leaves_.start().b); }
    double slack() const { return 16 * rounding * leaves_.hulls(0, 0).scale; }

    PrimitivePair found(const Best& best) const { return {std::int32_t(best.a), std::int32_t(best.b)}; }
    HullDistance measure(const Best& best) const {
        HullDistance d = distance_hull_hull(leaves_.hulls(best.a, best.b), far_away);
        d.on_a = to_world_ * d.on_a;
        d.on_b = to_world_ * d.on_b;
        return d;
    }
    HullDistance closest(std::int64_t i, std::int64_t j) const { return measure({0, 0, i, j}); }
    HullContact contact(std::int64_t i, std::int64_t j) const {
        const HullContact c = contact_hull_hull(leaves_.hulls(i, j));
        return {c.depth, to_world_.rotation * c.normal, to_world_ * c.point};
    }
    void any_pair(Best& best, Counters&) const { best.a = best.b = 0; }

private:
    const Pairing& pairing_;
    const Leaves& leaves_;
    const Numbered numbered_;
    const Rigid to_world_;
};

}  // namespace elbowroom
