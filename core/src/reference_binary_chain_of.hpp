// A binary chain with volumes of one kind, and how the parts of a query come together for it.
#pragma once
#include <cmath>

#include "elbowroom/queries/distance.hpp"
#include "elbowroom/queries/overlap.hpp"
#include "elbowroom/questions/coverage.hpp"
#include "elbowroom/reference/binary_chain.hpp"
#include "elbowroom/reference/binary_chain_leaves.hpp"
#include "elbowroom/traversal/traverse.hpp"

namespace elbowroom {

template <class Volume>
class BinaryChainOf final : public BinaryChain {
public:
    BinaryChainOf(const std::vector<Vec3>& positions, std::vector<double> radii, const BinaryChainOptions& options)
        : BinaryChain(positions, std::move(radii), options), volumes_(joints_, radii_, options.shrink) {}

    ChainBoxes boxes(int level) const override {
        std::vector<Volume> out;
        joints_.each_at(most(0, joints_.top() - level), [&](BinaryChainNode node, const Rigid& pose) {
            out.push_back(carried({pose.rotation, pose.translation + origin_}, volumes_.about(node)));
        });
        return out;
    }
    std::size_t nbytes() const override { return BinaryChain::nbytes() + volumes_.nbytes() + placed_.nbytes(); }

    CollideAnswer self_collide(const CollideOptions& options) const override;
    DistanceAnswer self_distance(const DistanceOptions& options) const override;
    WithinAnswer self_within(const WithinOptions& options) const override;

private:
    using Placed = PlacedNodes<ChainVolumes<Volume>>;
    using Leaves = BinaryChainLeaves<Volume>;
    using Pairing = WithinOne<ChainVolumes<Volume>, ChainRule>;
    ChainVolumes<Volume> volumes_;
    Placed placed_;  // kept from test to test for its memory alone

    class SelfPair;
    void recompute(int level, const std::vector<ChangedNode>& changed) override {
        for (const ChangedNode& node : changed)
            if (node.inside) volumes_.recompute({level, node.index});
    }
    bool find_collision(const ChainRule& rule, Counters& counters) override {
        if (!rule.everything()) return find_collision(placed_, rule, counters);
        Placed all;  // may grow as large as the chain itself
        return find_collision(all, rule, counters);
    }
    bool find_collision(Placed& placed, const ChainRule& rule, Counters& counters) const {
        placed.start(volumes_);
        const Leaves leaves(placed, volumes_, joints_, exclusions_);
        const Pairing pairing(placed, rule, leaves.doubt());
        auto sink = [](int, int) { return true; };
        Overlap query(leaves, sink);
        DepthFirst order;
        if (nearest_first && !rule.everything())
            start_at_changes(pairing, order);
        else if (pairing.matters(0))
            order.push(pairing.root());
        Budget budget;
        return traverse(pairing, query, order, budget, counters) == Stop::settled;
    }
    /// The two children of every node in which a changed joint lies, the lowest on top. Neighbours as they are they all
    /// but always overlap, and are not tested first.
    static void start_at_changes(const Pairing& pairing, DepthFirst& order) {
        std::vector<std::int32_t> level, below;
        if (pairing.matters(0)) level.push_back(0);
        for (; !level.empty(); level.swap(below), below.clear())
            for (const std::int32_t slot : level) {
                const Pair pair = pairing.siblings(slot);
                order.push(pair);
                for (const std::int32_t child : {pair.a, pair.b})
                    if (pairing.matters(child)) below.push_back(child);
            }
    }
    std::string fault_in_volumes() const override {
        for (int level = 1; level <= joints_.top(); ++level)
            for (int i = 0; i < joints_.nodes_at(level); ++i)
                if (const int link = link_outside({level, i}); link >= 0)
                    return "link " + std::to_string(link) + " sticks out of volume " + std::to_string(i) +
                           " of level " + std::to_string(level);
        return "";
    }
    /// A link that sticks out of the volume of a node above it, or -1. The links are placed joint by joint.
    int link_outside(BinaryChainNode node) const {
        const Volume& v = volumes_.volume(node);
        const int first = node.first(), last = joints_.last(node);
        const double tolerance = (1e-14 + 2e-16 * (last - first)) * reach_of(v);  // of the walk from joint to joint
        Rigid pose;
        for (int link = first; link <= last; ++link) {
            if (!(v.excess(pose.translation, radii_[link]) <= tolerance)) return link;
            if (link < last) pose = pose * joints_.joint(link);
        }
        return -1;
    }
};

}  // namespace elbowroom
