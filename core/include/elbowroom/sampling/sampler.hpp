#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elbowroom/bodies/chain_turn.hpp"
#include "elbowroom/bodies/rigid_queries.hpp"
#include "elbowroom/math/random.hpp"
#include "elbowroom/sampling/chain_moments.hpp"
#include "elbowroom/sampling/closure.hpp"

namespace elbowroom {

enum class MoveKind { torsion, pivot, crankshaft, rebridge, side, translation, rotation };

/// Numbers in rising order; a row without gaps takes no memory, which a million joints would push out of the cache.
class Sites {
public:
    Sites() = default;
    Sites(std::vector<std::int64_t> all) : first_(all.empty() ? 0 : all[0]), count_(all.size()) {
        if (!all.empty() && all.back() - all[0] + 1 != std::int64_t(all.size())) listed_ = std::move(all);
    }
    std::size_t size() const { return count_; }
    std::int64_t operator[](std::size_t i) const { return listed_.empty() ? first_ + std::int64_t(i) : listed_[i]; }

private:
    std::int64_t first_ = 0;
    std::size_t count_ = 0;
    std::vector<std::int64_t> listed_;
};

/// One way to propose a new state.
struct SamplerMove {
    MoveKind kind;
    double weight = 1;
    double size = 0;  // largest angle, or shift along each axis; negative for a pivot or rotation: any rotation
    std::vector<std::int64_t> at;            // joints, or side torsions
    std::int64_t shortest = 2, longest = 2;  // of a crankshaft: how many bonds
};

/// Balls of one link that turn about the axis from ball a to ball b.
struct SideTorsion {
    std::int64_t a, b;
    std::vector<std::int64_t> moving;
};

enum class Observable { end_to_end, radius_of_gyration, hydrodynamic_radius, contacts, energy, torsion };

/// What is recorded; a torsion is the angle of four balls about the axis from the second to the third.
struct Observed {
    Observable what;
    std::array<std::int64_t, 4> balls{};
};

/// Markov chain Monte Carlo of a chain [Metropolis1953]: propose, test, keep or take back. States in collision have
/// weight zero, others exp(-energy / temperature) if there is a temperature.
class Sampler {
public:
    struct Tally {
        std::int64_t tried = 0, collided = 0, accepted = 0;
    };
    struct Seed {
        std::uint64_t seed = 0, stream = 0;
    };

    Sampler(std::shared_ptr<Chain> chain, Seed seed);

    void add_move(SamplerMove move);
    void add_side(SideTorsion torsion) { sides_.push_back(std::move(torsion)); }
    /// States that collide with it have weight zero. The caller keeps the body alive.
    void add_obstacle(const Placed& obstacle) { obstacles_.push_back(obstacle); }
    /// The same for another chain, wherever its own sampler has moved it to by then.
    void add_neighbour(std::shared_ptr<Chain> chain) { neighbours_.push_back(std::move(chain)); }
    /// From now on a move that would take a bond through another is refused; joints in `breaks`, in order, are no
    /// bonds. A concerted rotation cannot be looked at so.
    void forbid_crossing(std::vector<std::int32_t> breaks) { breaks_ = std::move(breaks); }
    bool forbids_crossing() const { return breaks_.has_value(); }
    void observe(std::vector<Observed> what, double reach) {
        observables_ = std::move(what);
        reach_ = reach;
    }
    void set_temperature(double temperature) {
        temperature_ = temperature;
        has_energy_ = false;
    }
    /// Sizes follow the share of accepted proposals towards `target`; 0: they stay as they are.
    void adapt(double target) { target_ = target; }

    /// Makes so many steps, and records whenever the number of steps is a multiple of `every`.
    void run(std::int64_t steps, std::int64_t every) { run_in_turn({this}, steps, every); }
    /// Each of them one step, and again from the first: what is recorded is of the same round for all.
    static void run_in_turn(const std::vector<Sampler*>& samplers, std::int64_t steps, std::int64_t every);
    std::vector<double> take() { return std::exchange(records_, {}); }

    std::int64_t step() const { return step_; }
    std::size_t columns() const { return observables_.size(); }
    /// Without bounds every energy is computed, and all goes the same way.
    void use_bounds(bool yes) { uses_bounds_ = yes; }
    /// How many changes were rejected by bounds of their energy, and of how many it was computed, in this process.
    std::array<std::uint64_t, 2> decisions() const { return decisions_; }
    const std::vector<Tally>& tallies() const { return tallies_; }
    /// Of each move, how often it was refused since a bond would have passed through another, or might have.
    const std::vector<std::int64_t>& crossings() const { return crossings_; }
    std::vector<double> sizes() const;
    void set_sizes(const std::vector<double>& sizes);
    double energy() { return chain_->energy(); }
    Chain& chain() { return *chain_; }

    std::string save();
    void restore(const std::string& saved);

private:
    /// What the next step will do, drawn one step ahead, so that the memory it needs can be fetched.
    struct Draw {
        std::int64_t move = -1, at = 0, length = 0;
    };
    std::shared_ptr<Chain> chain_;
    Random random_;
    std::vector<SamplerMove> moves_;
    std::vector<double> cumulative_;
    std::vector<Tally> tallies_;
    std::vector<std::int64_t> crossings_;
    std::optional<std::vector<std::int32_t>> breaks_;  // if bonds may not cross
    std::unique_ptr<ChainTurnSearch> turns_;           // made when it is first needed
    double angle_ = 0;                                 // of the move that is tried
    Quat turn_;
    std::vector<SideTorsion> sides_;
    std::vector<Placed> obstacles_;
    std::vector<std::shared_ptr<Chain>> neighbours_;
    std::vector<Observed> observables_;
    double reach_ = 0, temperature_ = 0, target_ = 0;
    double energy_ = 0;        // of the present state, if it is known
    bool has_energy_ = false;  // and whether it is
    std::int64_t step_ = 0, until_record_ = 0;
    std::uint64_t version_ = 0;  // of the chain after the last run
    Draw next_;
    std::vector<double> records_;
    std::vector<Vec3> centres_;  // while a row with torsions is recorded
    std::unique_ptr<ChainMoments> moments_;
    std::array<std::uint64_t, 2> decisions_{};
    bool uses_bounds_ = true;
    double bounds_decide_ = 1;  // the share of changes of late that bounds decided

    void begin(std::int64_t every);
    void end();
    Draw draw();
    void step_once();
    /// The proposal is pending or applied; `ratio` is what its probability is to be multiplied by. False: there is
    /// none.
    bool propose(const Draw& draw, double& ratio);
    bool propose_rebridge(const SamplerMove& move, std::int64_t window, double& ratio);
    bool crosses(const Draw& draw);
    bool hits_an_obstacle();
    bool accept(double ratio);
    bool rejected_by_bounds(double log_ratio, std::optional<double>& drawn);
    void follow(SamplerMove& move, const Tally& tally, bool accepted) const;
    bool needs_energy() const { return temperature_ > 0 && std::isfinite(temperature_); }
    void record();
    double observed(const Observed& what);
    double torsion(const std::array<std::int64_t, 4>& balls) const;
    double hydrodynamic_radius();
    void touched(const Draw& draw);
    bool can_be_next(const Draw& draw) const;
    std::vector<BallPair> rigid_pairs() const;
};

}  // namespace elbowroom
