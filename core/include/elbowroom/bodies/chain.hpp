#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "elbowroom/bodies/chain_leaves.hpp"
#include "elbowroom/bodies/chain_pairs.hpp"
#include "elbowroom/bodies/chain_search.hpp"
#include "elbowroom/bodies/chain_sums.hpp"
#include "elbowroom/queries/answers.hpp"
#include "elbowroom/queries/watch.hpp"
#include "elbowroom/trees/chain_places.hpp"
#include "elbowroom/volumes/obb.hpp"

namespace elbowroom {

using BallPair = std::array<std::int64_t, 2>;

/// Balls of one link turn about the axis from ball a to ball b.
struct SideTurn {
    std::int64_t a, b;
    const std::vector<std::int64_t>* moving;
    double angle;
};

/// Which bounds a chain's tree is searched by: balls alone, balls and boxes, or what costs less just now.
enum class ChainVolume { automatic, balls, boxes };

/// What a chain is made of. Balls are in the order of the tree: each link's own ball, then its side balls.
struct ChainParts {
    std::vector<Vec3> centres;
    std::vector<double> radii;
    std::vector<Quat> turned;         // of each ball's own frame; empty: along the world
    std::vector<std::int32_t> first;  // of each link: its own ball; empty: link i is ball i
    std::vector<std::int32_t> link;   // of each ball; empty: ball i is link i
    int exclude = 1;                  // see ChainExclusion
    std::vector<ChainExclusion::Pair> excluded;
    ChainVolume volume = ChainVolume::automatic;
    const Watch* watch = nullptr;  // of the body that this is a picture of; none: its own
};

/// A kinematic chain. A change is pending at first; `collides` tests it before anything is changed; `undo` then drops
/// it, and the next change or question carries it out. So a rejected change costs neither update nor undo.
class Chain {
public:
    explicit Chain(ChainParts parts);

    std::int64_t links() const { return first_ball_.empty() ? tree_.balls() : std::int64_t(first_ball_.size()); }
    std::int64_t balls() const { return tree_.balls(); }

    void rotate(std::int64_t joint, double angle);
    void turn(std::int64_t joint, const Mat3& world);
    /// The same by a rotation whose frame does not matter, because it is random and no direction is preferred.
    void pivot(std::int64_t joint, const Quat& anywhere);
    /// Turns the links between links i and k about the axis from i to k; false, and nothing happens, if there is none.
    bool crankshaft(std::int64_t i, std::int64_t k, double angle);
    /// Several torsions that leave everything beyond the last joint where it was.
    void rebridge(const std::int64_t* joints, const double* angles, std::size_t count);
    void move(std::int64_t joint, const Rigid& world);
    void change(const std::vector<std::int64_t>& joints, const std::vector<double>& angles);
    /// The whole chain, turned about the middle of its bound, or shifted.
    void turn_all(const Quat& turn);
    void shift_all(Vec3 by);
    /// One or several, one after the other; balls of one link alone.
    void rotate_side(const SideTurn& turn) { rotate_side(&turn, 1); }
    void rotate_side(const SideTurn* turns, std::size_t count);
    bool undo();
    /// How many changes can be undone from now on, at least 1.
    void remember(std::size_t steps);
    bool collides();
    /// Throws if a joint has no axis.
    void need_axis_of(std::int64_t joint) { settle(), torsion(joint, 0); }
    /// One torsion after the other, undone where it collides, or always; true where the chain was free after it.
    std::vector<unsigned char> try_torsions(const std::int64_t* joints, const double* angles, std::size_t count,
                                            bool stay);

    /// Applies a pending change. Queries about the chain as a whole need it.
    void settle();
    std::vector<Vec3> centres();
    /// The frame of a link, in the world; and of link j seen from link i.
    Frame frame(std::int64_t link);
    Frame pose(std::int64_t i, std::int64_t j);
    /// The centre of a link seen from the leaf that holds link `from`.
    Vec3 seen_from_link(std::int64_t from, std::int64_t link) const {
        return seen_from(own_ball(from) / ChainLeaf::size, own_ball(link));
    }
    /// The centre of a ball seen from a leaf.
    Vec3 seen_from(std::int64_t leaf, std::int64_t ball) const;
    double end_to_end() const { return length(seen_from_link(0, links() - 1) - seen_from_link(0, 0)); }

    CollideAnswer self_collide(const CollideOptions& options) const;
    DistanceAnswer self_distance(const DistanceOptions& options) const;
    WithinAnswer self_within(const WithinOptions& options) const;
    /// The same pairs, kept from one call to the next.
    ChainPairs& pairs_within(double reach);
    void set_energy(const ChainEnergy& energy);
    void forget_energy() { energy_.reset(); }
    bool has_energy() const { return bool(energy_); }
    /// With the pending change, which is not applied for it.
    double energy();
    /// Are there bounds of the energy that cost less than it does? Of a pending change, for some energies.
    bool has_energy_bounds() const { return pending_ && energy_ && energy_->has_bounds(); }
    /// Bounds of what `energy` gives; itself twice where there are none.
    EnergyBounds energy_bounds();

    bool has_pending() const { return pending_.has_value(); }
    /// The ball of a link that the link itself is.
    std::int64_t own_ball(std::int64_t link) const { return first_ball_.empty() ? link : first_ball_[link]; }
    /// The leaf in which a change of that joint begins; and a hint that it will be changed soon.
    std::int64_t leaf_of_joint(std::int64_t joint) const { return (own_ball(joint + 1) - 1) / ChainLeaf::size; }
    void fetch(std::int64_t joint) const { tree_.fetch(leaf_of_joint(joint)); }
    /// Everything that the future depends on, as bytes, and back. What could be undone is forgotten, and pairs and
    /// energies that are kept will be made anew: from here on a chain that was restored goes the way of the one that
    /// was saved, bit for bit.
    std::string save();
    /// Refuses what is damaged, and keeps the chain as it is then. `rigid`: balls that no change moves against each
    /// other.
    void restore(const std::string& saved, const std::vector<BallPair>& rigid);
    const ChainTree& tree() const { return tree_; }
    const ChainExclusion& exclusion() const { return exclusion_; }
    const Watch& watch() const { return watch_; }
    const Counters& counters() const { return counters_; }
    bool by_boxes() const {
        return volume_ == ChainVolume::boxes || (volume_ == ChainVolume::automatic && choice_.boxes);
    }
    /// Counts the changes that were carried out: what was derived from an older state is out of date.
    std::uint64_t version() const { return version_; }
    std::size_t bytes() const { return tree_.bytes() + exclusion_.bytes() + first_ball_.size() * 4; }
    std::string validate();
    /// What is known: "free", "colliding" or "not tested".
    const char* state() const {
        return verdict_ == Verdict::unknown ? "not tested" : (verdict_ == Verdict::free ? "free" : "colliding");
    }
    std::vector<Quat> turned();
    /// The boxes at a depth of the tree (leaves above it included), in the world.
    std::vector<ObbVolume> boxes(int level);

private:
    enum class Verdict : unsigned char { unknown, free, colliding };
    /// One change, and what was known of the chain before it.
    struct Step {
        std::vector<ChainChange> changes;  // more than one, or none if balls were reshaped
        ChainChange one;
        std::int64_t side = -1;           // the link whose balls were reshaped
        std::int64_t begin = 0, end = 0;  // the balls that the changes moved, if not all that follow
        std::vector<std::int64_t> moved;
        std::vector<Vec3> were;
        bool nothing = false;  // no joint was named
        bool whole = false;    // the whole chain was moved, and its base was
        Frame base;
        Verdict before = Verdict::unknown;
        std::uint64_t number = 0;  // counts from 1
    };
    /// Where the chain may differ from the last state that was proved free: a split, or some balls that moved.
    struct Doubt {
        std::int64_t split, begin = 0, end = 0;
        bool operator==(const Doubt&) const = default;
    };

    static constexpr std::size_t most_doubts = 16;  // beyond, the whole chain is tested at once
    Watch watch_;
    double noise_ = 0;  // once links were moved in the world, a bond that is shorter has no direction
    ChainTree tree_;
    ChainExclusion exclusion_;
    std::vector<std::int32_t> first_ball_;
    ChainVolume volume_;

    std::optional<ChainChange> pending_;
    Verdict verdict_ = Verdict::unknown, before_pending_ = Verdict::unknown;
    bool proved_ = false;  // some earlier state was proved free, and `doubts_` says what changed since
    std::vector<Doubt> doubts_;
    std::vector<Step> steps_;  // those that were carried out, the last `most_steps_`, as a ring
    std::size_t steps_begin_ = 0, steps_count_ = 0, kept_changes_ = 0, most_steps_ = 1024;
    std::uint64_t version_ = 0, steps_made_ = 0;

    Counters counters_;
    ChainPlaces places_;
    ChainParting parts_;
    std::unique_ptr<ChainPairs> near_;  // kept up to date once they were asked for
    std::unique_ptr<ChainSums> energy_;

    /// What `automatic` goes by: the way it takes now, what a test costs that way, and when to try the other again.
    struct Choice {
        bool boxes = true;
        double cost = 0, other_cost = 0;
        unsigned until_trial = 64, interval = 64, trials = 0;
        bool sound() const { return cost >= 0 && cost < 1e15 && other_cost >= 0 && other_cost < 1e15 && interval > 0; }
    } choice_;

    std::pair<std::int64_t, std::int64_t> balls_of(std::int64_t link) const {
        return {own_ball(link), link + 1 < links() ? own_ball(link + 1) : balls()};
    }
    /// Tells those who keep something of a change that was carried out, or undone.
    template <class F>
    void tell(F&& f) {
        if (near_) f(*near_);
        if (energy_) f(*energy_);
    }
    ChainChange torsion(std::int64_t joint, double angle) const;
    void set_base(const Frame& base);
    void place(const Frame& base);
    void note(const ChainChange& change);
    void doubt(const Doubt& d);
    Step& new_step();
    void clear(Step& step);
    void forget_oldest();
    bool all_may_touch() const { return exclusion_.gap() >= links() - 1; }
    void carry_out(const std::vector<ChainChange>& changes, std::int64_t begin, std::int64_t end);
    void tell_of(const std::vector<ChainChange>& changes, const ChainLists::Note& range);
    void change_at_once(const std::vector<ChainChange>& changes, std::int64_t begin, std::int64_t end);
    void look_how_far(const ChainChange* changes, std::size_t count);
    void reshape(std::int64_t link, const std::vector<std::int64_t>& balls, const std::vector<Vec3>& world);
    bool holds_in_full();
    bool holds_where_in_doubt();
    bool touches(const ChainChange& change);
    Stop search(const ChainChange& change, bool boxes, Budget budget, bool looked);
    bool touches_around(std::int64_t begin, std::int64_t end);
    double cost(bool boxes) const;
    bool try_the_other_way(const ChainChange& change, bool looked, bool& hit);
};

}  // namespace elbowroom
