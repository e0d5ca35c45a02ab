// How the parts come together for articulated bodies; shared by the questions.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "chain_queries.hpp"
#include "elbowroom/bodies/articulated.hpp"
#include "elbowroom/bodies/articulated_tree_search.hpp"
#include "elbowroom/pairings/across_blocks.hpp"
#include "elbowroom/queries/remaining_budget.hpp"
#include "elbowroom/trees/scratch.hpp"

namespace elbowroom {

/// A rigid body as the single shape of a side, with boxes as the other side keeps them.
class RigidShape {
public:
    RigidShape(const Placed& placed, ArticulatedRefit refit);
    const Placed& placed() const { return placed_; }
    ArticulatedRefit refit() const { return refit_; }
    const LinkBlocks& blocks() const { return blocks_; }
    const LinkTree& tree() const { return *tree_; }
    const LinkBoxes<ObbVolume>& oriented() const { return oriented_; }
    const LinkBoxes<AabbVolume>& aligned() const { return aligned_; }

private:
    const Placed placed_;
    const ArticulatedRefit refit_;
    LinkBlocks blocks_;
    std::optional<LinkTree> tree_;
    LinkBoxes<ObbVolume> oriented_;
    LinkBoxes<AabbVolume> aligned_;
};

/// One side of a question: the shapes of an articulated body where they are, or one rigid body.
class ArticulatedSide {
public:
    explicit ArticulatedSide(const ArticulatedState& state) : state_(&state), links_(state.model().shape_links()) {}
    explicit ArticulatedSide(const RigidShape& rigid) : rigid_(&rigid) {}

    int shapes() const { return state_ ? state_->model().shapes() : 1; }
    Placed placed(int shape) const {
        return state_ ? Placed{state_->model().shape(shape).body, state_->shape_pose(shape)} : rigid_->placed();
    }
    /// What an answer names: the link, or the primitive of a rigid body.
    int name(int shape, int primitive) const { return links_ ? links_[shape] : primitive; }
    bool names_links() const { return state_; }
    bool is_box(int shape) const { return state_ && state_->model().is_box(shape); }
    const QuickHull* quick(int shape) const {
        return state_ && state_->model().quick(shape).eights ? &state_->model().quick(shape) : nullptr;
    }
    const ShapeBits& compared() const { return state_->model().compared(); }
    /// Pairs of primitives that are compared with each other; primitives in all; by what memories know it.
    double compared_pairs() const { return state_->model().compared_primitives(); }
    double primitives() const { return state_ ? state_->model().primitives() : rigid_->placed().body->count(); }
    std::uint64_t identity() const {
        return state_ ? state_->model().fingerprint() : rigid_->placed().body->fingerprint();
    }
    ArticulatedRefit refit() const { return state_ ? state_->model().refit() : rigid_->refit(); }
    const LinkBlocks& blocks() const { return state_ ? state_->blocks() : rigid_->blocks(); }
    const LinkTree& tree() const { return state_ ? state_->model().tree() : rigid_->tree(); }
    const LinkBoxes<ObbVolume>& oriented() const { return state_ ? state_->oriented() : rigid_->oriented(); }
    const LinkBoxes<AabbVolume>& aligned() const { return state_ ? state_->aligned() : rigid_->aligned(); }
    /// No point is farther from the origin.
    double extent() const;

private:
    const ArticulatedState* state_ = nullptr;
    const RigidShape* rigid_ = nullptr;
    const std::int32_t* links_ = nullptr;  // of the shapes
};

/// Two shapes that may touch, or be near.
struct ShapeCandidate {
    std::int32_t a, b;
    float depth;   // the least, the deeper their boxes overlap, roughly
    bool certain;  // they are boxes, and overlap beyond rounding
};

/// By what a memory keeps the cut of two shapes.
inline std::uint64_t key_of(const ShapeCandidate& c) {
    return std::uint64_t(std::uint32_t(c.a)) << 32 | std::uint32_t(c.b);
}

/// Of pairs that are found several times, the least distance and its points.
class NearestOfPairs {
public:
    void note(const PrimitivePair& names, double distance, const NearestPoints& points) {
        const auto [at, fresh] = found_.try_emplace(names, Nearest{distance, points});
        if (!fresh && distance < at->second.distance) at->second = {distance, points};
    }
    /// The points as well if they were asked for.
    void give(bool points, WithinAnswer& answer) const {
        for (const auto& [names, nearest] : found_) {
            answer.pairs.push_back(names);
            answer.distances.push_back(nearest.distance);
            if (points) answer.points.push_back(nearest.points);
        }
    }

private:
    struct Nearest {
        double distance;
        NearestPoints points;
    };
    std::map<PrimitivePair, Nearest> found_;
};

/// Points that were asked for, if they were.
inline NearestPoints points_of(const WithinAnswer& answer, std::size_t pair) {
    return answer.points.empty() ? NearestPoints{} : answer.points[pair];
}

/// The questions about the shapes of two sides, or of one and itself. Answers are in the frame that the sides are
/// placed in.
class ArticulatedPairs {
public:
    ArticulatedPairs(const ArticulatedSide& a, const ArticulatedSide& b, bool self) : a_(a), b_(b), self_(self) {}
    /// With the pairs whose boxes overlap at hand, which took so many tests: for `collide` alone.
    ArticulatedPairs(const ArticulatedSide& a, const ArticulatedSide& b, bool self, std::vector<ShapeCandidate>& list,
                     std::uint64_t tests)
        : a_(a), b_(b), self_(self), known_(true), tests_(tests), list_(list) {}

    /// `every` and `depth`: every contact of primitives; `every` alone: each pair of names once; `depth` alone: the
    /// deepest contact.
    CollideAnswer collide(const CollideOptions& options);
    DistanceAnswer distance(const DistanceOptions& options);
    WithinAnswer within(const WithinOptions& options);
    /// The pairs of shapes whose boxes overlap: what the exact queries are asked of.
    const std::vector<ShapeCandidate>& candidates(const Allowance& allowance, Counters& counters);
    /// Asks the exact query of every pair of shapes whose boxes overlap; how many of them overlap.
    std::int64_t exact_queries(const CollideOptions& options);

private:
    const ArticulatedSide &a_, &b_;
    const bool self_;
    const bool known_ = false;
    const std::uint64_t tests_ = 0;
    Stop stop_ = Stop::exhausted;                           // of the search for candidates
    const Borrowed<std::vector<ShapeCandidate>> borrowed_;  // most questions end before memory could be had
    std::vector<ShapeCandidate>& list_ = *borrowed_;

    void find(double reach, const Allowance& allowance, Counters& counters);
    template <bool self, class Allows>
    void find_by_blocks(const Allows& allows, double reach, Counters& counters);
    void compare_boxes(const NearShapePairs& near, Counters& counters);
    void nearest_first(const NearShapePairs& near);
    void find_by_tree(double reach, const Allowance& allowance, Counters& counters);
    void find_all();

    bool overlap(const ShapeCandidate& c, const RemainingBudget& remaining, Counters& counters,
                 PrimitivePair& primitives, Stop& stop) const;
    void first_hit(const RemainingBudget& remaining, CollideAnswer& answer);
    void all_hits(const RemainingBudget& remaining, const CollideOptions& options, CollideAnswer& answer) const;
    void add_all(const ShapeCandidate& c, const CollideAnswer& found, const CollideOptions& options,
                 CollideAnswer& answer) const;
    void state_left(const RemainingBudget& remaining, std::size_t first, double left, CollideAnswer& answer) const;
    void add(const ShapeCandidate& c, const PrimitivePair& primitives, CollideAnswer& answer) const;

    struct Nearest;
    void measure(const RemainingBudget& remaining, double above, const DistanceOptions& options, Nearest& best);
    void finish(const Nearest& best, const DistanceOptions& options, DistanceAnswer& answer) const;

    NearestPoints points(const ShapeCandidate& c, const DistanceAnswer& d, const WithinOptions& options) const;
    /// The least distance of every two that an answer names.
    class NearestNames {
    public:
        explicit NearestNames(const ArticulatedPairs& pairs) : pairs_(pairs) {}
        void note(const ShapeCandidate& c, PrimitivePair primitives, double distance, NearestPoints points);
        void note_all(const ShapeCandidate& c, const WithinAnswer& found);
        void give(bool points, WithinAnswer& answer) const { nearest_.give(points, answer); }

    private:
        const ArticulatedPairs& pairs_;
        NearestOfPairs nearest_;
    };

    // With a memory: articulated_memory.cpp.
    double weight(const ShapeCandidate& c) const;
    double whole() const;
    void find_for(QueryMemory& memory, double reach, const Allowance& allowance, Counters& counters);
    void sort_by_memory(QueryMemory& memory);
    template <class Answer, class Look, class Enough>
    void each_part(QueryMemory& memory, const RemainingBudget& remaining, Answer& answer, Look&& look, Enough&& enough);
    CollideAnswer collide_remembered(const CollideOptions& options);
    WithinAnswer within_remembered(const WithinOptions& options);
    void judge_distance(const DistanceOptions& options, double reach, DistanceAnswer& answer);
};

/// The questions about an articulated body, placed in the world, and a chain: shape by shape.
class ArticulatedAndChain {
public:
    ArticulatedAndChain(const ArticulatedState& a, const PlacedChain& b) : a_(a), b_(b) {}
    CollideAnswer collide(const CollideOptions& options) const;
    DistanceAnswer distance(const DistanceOptions& options) const;
    WithinAnswer within(const WithinOptions& options) const;

private:
    class Parts;
    const ArticulatedState& a_;
    const PlacedChain b_;

    Placed placed(int shape) const { return {a_.model().shape(shape).body, a_.shape_pose(shape)}; }
    int link(int shape) const { return a_.model().shape(shape).link; }
};

/// The same answers seen from the frame that `to` leads to.
CollideAnswer carried(const Rigid& to, CollideAnswer answer);
DistanceAnswer carried(const Rigid& to, DistanceAnswer answer);
WithinAnswer carried(const Rigid& to, WithinAnswer answer);

}  // namespace elbowroom
