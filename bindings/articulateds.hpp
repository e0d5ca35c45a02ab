// An articulated body as Python holds it: one configuration with its boxes, or many that are asked together.
#pragma once
#include <nanobind/nanobind.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <vector>

#include "articulated_group.hpp"
#include "elbowroom/limits.hpp"
#include "in_use.hpp"

namespace elbowroom::bindings {

namespace nb = nanobind;

struct ArticulatedHandle {
    std::shared_ptr<const ArticulatedModel> model;
    std::vector<nb::object> bodies;           // of the shapes, which the model points to
    std::shared_ptr<ArticulatedState> state;  // of the one configuration
    std::vector<double> values;               // configurations, or poses that were placed: one
    std::vector<double> spare;                // room for the next
    nb::object array;                         // poses that were placed: many, kept where they are
    const double* poses = nullptr;            // null: `values` are configurations
    std::ptrdiff_t count = -1;                // of many; -1: one
    Usage usage{"the body"};

    bool many() const { return count >= 0; }
    bool placed() const { return poses != nullptr; }
    std::ptrdiff_t size_of_one() const {
        return placed() ? 16 * std::ptrdiff_t(model->links()) : model->parts().values;
    }
    const double* at(std::ptrdiff_t i) const {
        return (placed() ? poses : values.data()) + (many() ? i : 0) * size_of_one();
    }
};

/// Finite numbers, and unit quaternions where they belong.
inline bool is_configuration(const ArticulatedModel& model, const double* q) {
    double worst = 0;
    for (int i = 0; i < model.parts().values; ++i)
        worst = most(worst, std::fabs(q[i]) <= limits.largest_number ? 0.0 : 1.0);
    if (worst > 0) return false;
    for (const ArticulatedModel::Frame& f : model.frames()) {
        if (f.kind != JointKind::spherical && f.kind != JointKind::free) continue;
        const double* w = q + f.value + (f.kind == JointKind::free ? 3 : 0);
        const double norm2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3];
        if (!(std::fabs(std::sqrt(norm2) - 1) <= limits.rotation_tolerance)) return false;
    }
    return true;
}

/// Poses that are none, found when they were asked about; the number of the configuration.
struct BadPoses {
    std::ptrdiff_t index;
};

/// Eight configurations of a body at a time, as they are asked for one after the other; one for each thread.
class ArticulatedGroups {
public:
    explicit ArticulatedGroups(const ArticulatedHandle& h) : h_(h), group_(h.model) {}

    ArticulatedGroup& group() { return group_; }
    /// Goes to the eight from `begin` on, or as many as there are before `end`; the lanes that are good.
    unsigned load(std::ptrdiff_t begin, std::ptrdiff_t end) {
        const int count = int(least<std::ptrdiff_t>(8, end - begin));
        unsigned good = (1u << count) - 1;
        for (int lane = 0; lane < count; ++lane) {
            const double* at = h_.at(begin + lane);
            h_.placed() ? group_.place(lane, at) : group_.move(lane, at);
        }
        if (h_.placed() && h_.model->has_bare_links()) good = 0;  // links without a shape are looked at one by one
        return good & group_.refit(count, h_.placed() ? 8 * h_.size_of_one() : 0);
    }
    /// The state of a lane that was not good, recomputed with boxes of its own.
    const ArticulatedState& recomputed(int lane, std::ptrdiff_t i) {
        if (!h_.placed())
            group_.state(lane).move(h_.at(i), {});
        else if (!group_.state(lane).place(h_.at(i), {}))
            throw BadPoses{i};
        return group_.state(lane);
    }
    static bool suits(const ArticulatedHandle& h) { return h.many() && h.model->suits_lanes(); }

private:
    const ArticulatedHandle& h_;
    ArticulatedGroup group_;
};

/// Where an articulated body is in one configuration after the other; one for each thread.
class ArticulatedPlaces {
public:
    explicit ArticulatedPlaces(const ArticulatedHandle& h) : h_(h) {}

    const ArticulatedState& at(std::ptrdiff_t i, const Rigid& base, bool refits = true) {
        if (!h_.many() && refits && is_identity(base)) return *h_.state;
        if (!scratch_) scratch_ = std::make_unique<ArticulatedState>(h_.model);
        if (!h_.placed())
            scratch_->move(h_.at(i), base, refits);
        else
            place(i, base, refits);
        return *scratch_;
    }

private:
    const ArticulatedHandle& h_;
    std::unique_ptr<ArticulatedState> scratch_;

    void place(std::ptrdiff_t i, const Rigid& base, bool refits) {
        if (!scratch_->place(h_.at(i), base, refits)) throw BadPoses{i};
    }
    static bool is_identity(const Rigid& r) {
        return r.translation == Vec3{} && r.rotation.row[0] == Vec3{1, 0, 0} && r.rotation.row[1] == Vec3{0, 1, 0} &&
               r.rotation.row[2] == Vec3{0, 0, 1};
    }
};

}  // namespace elbowroom::bindings
