// An articulated body in one configuration, or in many that are asked together.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "elbowroom/bodies/articulated.hpp"

namespace elbowroom {

/// Are so many configurations, one after the other in memory, all sound? See ArticulatedModel::is_configuration.
bool are_configurations(const ArticulatedModel& model, const double* values, std::ptrdiff_t n);

/// One configuration with its boxes, or an array of configurations; or poses of the links from elsewhere.
class ArticulatedConfigurations {
public:
    std::shared_ptr<const ArticulatedModel> model;
    std::shared_ptr<ArticulatedState> state;  // of the one configuration
    std::ptrdiff_t count = -1;                // of many; -1: one

    ArticulatedConfigurations() = default;
    ArticulatedConfigurations(std::shared_ptr<const ArticulatedModel> model, const double* configuration);

    bool many() const { return count >= 0; }
    bool placed() const { return poses_ != nullptr; }
    std::ptrdiff_t size_of_one() const {
        return placed() ? 16 * std::ptrdiff_t(model->links()) : model->parts().values;
    }
    const double* at(std::ptrdiff_t i) const {
        return (placed() ? poses_ : values_.data()) + (many() ? i : 0) * size_of_one();
    }

    /// To one configuration. If that cannot be, throws and stays where it was.
    void move(const double* configuration);
    void move_many(const double* configurations, std::ptrdiff_t n);
    /// To poses of the links (links, 4, 4). False: they are not poses, and the body stays where it was.
    bool place(const double* poses);
    /// The poses are not copied.
    void place_many(const double* poses, std::ptrdiff_t n);
    /// Excludes these pairs of links, and no others.
    void exclude(std::vector<PrimitivePair> pairs);
    /// Poses of the links of every configuration, 16 numbers a link.
    std::vector<double> link_poses() const;

private:
    std::vector<double> values_;     // configurations, or poses that were placed: one
    std::vector<double> spare_;      // room for the next
    const double* poses_ = nullptr;  // null: `values_` are configurations

    void settle();
};

/// Poses that are none, found when they were asked about; the number of the configuration.
struct BadPoses {
    std::ptrdiff_t index;
};

/// Where an articulated body is in one configuration after the other; one for each thread.
class ArticulatedPlaces {
public:
    explicit ArticulatedPlaces(const ArticulatedConfigurations& body) : body_(body) {}

    /// Throws BadPoses.
    const ArticulatedState& at(std::ptrdiff_t i, const Rigid& base, bool refits = true);

private:
    const ArticulatedConfigurations& body_;
    std::unique_ptr<ArticulatedState> scratch_;
};

}  // namespace elbowroom
