// Where a body is at the start or the goal of a motion, as callers write it.
#pragma once
#include <memory>

#include "articulateds.hpp"
#include "elbowroom/motion/motion_checker.hpp"
#include "poses.hpp"

namespace elbowroom::bindings {

/// A pose, or a configuration; one or many.
class StateArgument {
public:
    StateArgument(const MotionScene& scene, nb::handle self, nb::handle value, const char* name)
        : links_(scene.moved_links()) {
        if (links_) {
            take_configurations(self, value, name);
            return;
        }
        if (scene.mover() < 0) throw nb::type_error("the body of this checker is not moved by poses: use check");
        if (value.is_none()) throw nb::value_error((std::string(name) + " must be a pose, got None").c_str());
        pose_ = std::make_unique<PoseArgument>(value, name);
    }
    bool many() const { return count() >= 0; }
    std::ptrdiff_t count() const { return pose_ ? pose_->count : array_->count(); }
    /// State i, or the one. Needs no interpreter.
    MotionState at(std::ptrdiff_t i) const {
        if (pose_) return {pose_->at(i), nullptr};
        return {{}, array_->data() + (many() ? i * links_->parts().values : 0)};
    }

private:
    const ArticulatedModel* const links_;
    std::unique_ptr<PoseArgument> pose_;
    nb::object held_;
    std::unique_ptr<ArrayArgument> array_;

    void take_configurations(nb::handle self, nb::handle value, const char* name) {
        if (take(value)) return;
        held_ = self.attr("_checked_state")(value, name);
        if (!take(held_)) throw nb::value_error((std::string(name) + " could not be read").c_str());
    }
    bool take(nb::handle value) {
        array_ = std::make_unique<ArrayArgument>(value, std::initializer_list<Py_ssize_t>{links_->parts().values});
        return array_->fits() && are_configurations(*links_, array_->data(), array_->rows());
    }
};

}  // namespace elbowroom::bindings
