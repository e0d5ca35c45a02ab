// Motions from one pose to another each: one, or many that are asked about together.
#pragma once
#include <stdexcept>
#include <vector>

#include "elbowroom/batch/poses.hpp"
#include "elbowroom/math/linear_motion.hpp"

namespace elbowroom {

struct Motions {
    std::vector<LinearMotion> all;
    bool many = false;

    /// Throws std::invalid_argument unless both are as many, or one of them is one.
    static Motions between(const Poses& start, const Poses& goal) {
        if (start.many() && goal.many() && start.count != goal.count)
            throw std::invalid_argument("start and goal must hold as many poses each");
        Motions out;
        out.many = start.many() || goal.many();
        const std::ptrdiff_t count = out.many ? (start.many() ? start.count : goal.count) : 1;
        for (std::ptrdiff_t i = 0; i < count; ++i) out.all.push_back(LinearMotion::between(start.at(i), goal.at(i)));
        return out;
    }
    const LinearMotion& one() const { return all[0]; }
    /// What happens from one time to another.
    Motions part(double from, double to) const {
        Motions out{{}, many};
        for (const LinearMotion& m : all) out.all.push_back(m.part(from, to));
        return out;
    }
    /// One axis and one angle for each.
    void set_turns(const std::vector<Vec3>& axes, const std::vector<double>& angles) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i].axis = axes[i];
            all[i].angle = angles[i];
        }
    }
};

}  // namespace elbowroom
