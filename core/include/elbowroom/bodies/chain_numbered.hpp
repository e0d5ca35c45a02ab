// A chain as its owner numbers it, under the fast tree or under the paper's.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elbowroom/bodies/chain.hpp"
#include "elbowroom/math/lattice.hpp"
#include "elbowroom/reference/binary_chain.hpp"

namespace elbowroom {

class Crowd;

/// The tree keeps the side balls of a link behind its own ball; outside, the links' own balls come first.
struct NumberedChain {
    std::shared_ptr<Chain> chain;
    std::vector<std::int32_t> number;     // of the ball at each place of the tree; empty: the same
    std::vector<std::int32_t> place;      // of each ball in the tree; empty: the same
    std::unique_ptr<BinaryChain> binary;  // the paper's tree, if that was chosen; `chain` is then made when needed
    int exclude = 1;
    std::vector<PrimitivePair> excluded;  // the same pairs as the chain's, kept for it
    std::optional<ChainEnergy> energy;
    std::optional<Lattice> box = {};    // periodic; the chain itself stays whole
    std::shared_ptr<Crowd> crowd = {};  // the balls as numbered outside, in the box; null until needed
    std::uint64_t crowd_version = 0;
    const char* box_state = nullptr;  // what is known of that version
    Counters box_counters = {};       // of the last collides() in the box

    std::int32_t outside(std::int64_t ball) const { return number.empty() ? std::int32_t(ball) : number[ball]; }
    std::int64_t inside(std::int64_t ball) const { return place.empty() ? ball : place[ball]; }
    std::int64_t links() const { return binary ? binary->links() : chain->links(); }
    std::size_t balls() const { return std::size_t(binary ? binary->links() : chain->tree().balls()); }
    bool has_pending() const { return !binary && chain->has_pending(); }

    void rotate(std::int64_t joint, double angle) {
        binary ? binary->rotate(int(joint), angle) : chain->rotate(joint, angle);
    }
    void turn(std::int64_t joint, const Mat3& world) {
        binary ? binary->turn(int(joint), world) : chain->turn(joint, world);
    }
    void move(std::int64_t joint, const Rigid& world) {
        binary ? binary->move(int(joint), world) : chain->move(joint, world);
    }
    void change(const std::vector<std::int64_t>& joints, const std::vector<double>& angles);
    /// By the numbers of the balls outside: of turn k the axis axes[2 k], axes[2 k + 1], and moving[ends[k - 1]] to
    /// before moving[ends[k]].
    void rotate_side(const std::int64_t* axes, const std::int64_t* moving, const std::int64_t* ends,
                     const double* angles, std::size_t count);
    bool collides() {
        if (box) return collides_in_box();
        return binary ? binary->collides() : chain->collides();
    }
    bool undo() { return binary ? binary->undo() : chain->undo(); }
    /// One torsion after the other, undone where it collides, or always; true where the chain was free after it.
    std::vector<unsigned char> try_torsions(const std::int64_t* joints, const double* angles, std::size_t count,
                                            bool stay);
    /// Kinds are of the balls as numbered outside. Throws std::invalid_argument if parts of the energy do not fit
    /// together.
    void set_energy(ChainEnergy energy);
    void forget_energy();

    /// The fast tree with nothing pending. The paper's tree knows questions about itself only: for others the fast tree
    /// is made anew from where its links are.
    std::shared_ptr<Chain> settled();
    /// Centres of the balls as numbered outside.
    std::vector<Vec3> positions();
    ChainBoxes boxes(int level) {
        if (binary) return binary->boxes(level);
        return settled()->boxes(level);
    }
    Rigid pose(std::int64_t i, std::int64_t j) {
        return binary ? binary->pose(int(i), int(j)) : rigid(settled()->pose(i, j));
    }
    const char* state() const {
        if (box) return box_state && !has_pending() && crowd_version == chain->version() ? box_state : "not tested";
        return binary ? binary->state() : chain->state();
    }
    const Counters& counters() const {
        if (box) return box_counters;
        return binary ? binary->counters() : chain->counters();
    }

    // In a periodic box the balls are sorted in space for every question after a change.
    void set_box(const Lattice& to) { box = to, crowd = nullptr, box_state = nullptr; }
    const Crowd& need_crowd();
    CollideAnswer self_collide_in_box(const CollideOptions& options);
    DistanceAnswer self_distance_in_box(const DistanceOptions& options);
    WithinAnswer self_within_in_box(const WithinOptions& options);
    bool by_boxes() const { return !binary && chain->by_boxes(); }
    bool nearest_first() const { return !binary || binary->nearest_first; }
    std::size_t bytes() const { return binary ? binary->nbytes() : chain->bytes(); }

    /// Answers with the balls of a, and of b if that is a chain too, numbered as outside; pairs of one chain are turned
    /// so that the smaller number comes first. All are sorted.
    CollideAnswer outside(CollideAnswer answer, const NumberedChain* b) const;
    DistanceAnswer outside(DistanceAnswer answer, const NumberedChain* b) const;
    WithinAnswer outside(WithinAnswer answer, const NumberedChain* b) const;

private:
    bool collides_in_box();
    Watch moved_since(const std::vector<Vec3>& centres) const;
    template <class Turn>
    void renumber(std::vector<PrimitivePair>& pairs, const NumberedChain* b, Turn&& turned) const;
};

}  // namespace elbowroom
