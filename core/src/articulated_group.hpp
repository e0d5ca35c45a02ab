// Eight configurations of an articulated body at once: how arrays of configurations are asked for overlap.
#pragma once
#include <vector>

#include "articulated_queries.hpp"
#include "elbowroom/bodies/articulated_configurations.hpp"
#include "elbowroom/pairings/across_eights.hpp"

namespace elbowroom {

/// Eight configurations, each with a state of its own for the exact queries, and their boxes in lanes.
class ArticulatedGroup {
public:
    explicit ArticulatedGroup(const std::shared_ptr<const ArticulatedModel>& model);

    /// Lane by lane, to a configuration or to poses; then `refit` for the first `count` lanes, the next of which lie
    /// `ahead` doubles farther on. What is wrong with poses
    /// is found there: the lanes that are good come back, and of the others nothing is known.
    void move(int lane, const double* configuration) { states_[lane].move(configuration, {}, false); }
    void place(int lane, const double* poses) { states_[lane].place_as_given(poses); }
    unsigned refit(int count, std::ptrdiff_t ahead = 0);

    const ArticulatedState& state(int lane) const { return states_[lane]; }
    ArticulatedState& state(int lane) { return states_[lane]; }
    const LinkEights& eights() const { return eights_; }

private:
    std::vector<ArticulatedState> states_;
    LinkEights eights_;
};

/// Eight configurations of a body at a time, as they are asked for one after the other; one for each thread.
class ArticulatedGroups {
public:
    explicit ArticulatedGroups(const ArticulatedConfigurations& body) : body_(body), group_(body.model) {}

    ArticulatedGroup& group() { return group_; }
    /// Goes to the eight from `begin` on, or as many as there are before `end`; the lanes that are good.
    unsigned load(std::ptrdiff_t begin, std::ptrdiff_t end);
    /// The state of a lane that was not good, recomputed with boxes of its own. Throws BadPoses.
    const ArticulatedState& recomputed(int lane, std::ptrdiff_t i);
    static bool suits(const ArticulatedConfigurations& body) { return body.many() && body.model->suits_lanes(); }

private:
    const ArticulatedConfigurations& body_;
    ArticulatedGroup group_;
};

/// The pairs of shapes whose boxes overlap, in each of eight configurations.
class GroupCandidates {
public:
    void find_within(const ArticulatedGroup& group, unsigned lanes);
    void find_across(const ArticulatedGroup& a, const ArticulatedGroup& b, unsigned lanes);
    std::vector<ShapeCandidate>& in(int lane) { return found_[lane]; }
    /// The tests that a lane took.
    std::uint64_t tests(int lane) const { return tests_[lane]; }

private:
    std::vector<ShapeCandidate> found_[8];
    std::uint64_t tests_[8];
    std::vector<EightNear> near_;

    void start();
    void compare(const AcrossEights& across, const ArticulatedModel& a, const ArticulatedModel& b);
};

}  // namespace elbowroom
