#include "elbowroom/bodies/articulated_configurations.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "elbowroom/interruption.hpp"
#include "elbowroom/limits.hpp"

namespace elbowroom {

bool ArticulatedModel::is_configuration(const double* q) const {
    double worst = 0;
    for (int i = 0; i < parts().values; ++i) worst = most(worst, std::fabs(q[i]) <= limits.largest_number ? 0.0 : 1.0);
    if (worst > 0) return false;
    for (const Frame& f : frames()) {
        if (f.kind != JointKind::spherical && f.kind != JointKind::free) continue;
        const double* w = q + f.value + (f.kind == JointKind::free ? 3 : 0);
        const double norm2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3];
        if (!(std::fabs(std::sqrt(norm2) - 1) <= limits.rotation_tolerance)) return false;
    }
    return true;
}

bool are_configurations(const ArticulatedModel& model, const double* values, std::ptrdiff_t n) {
    Poll poll;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
        poll();
        if (!model.is_configuration(values + i * model.parts().values)) return false;
    }
    return true;
}

ArticulatedConfigurations::ArticulatedConfigurations(std::shared_ptr<const ArticulatedModel> m,
                                                     const double* configuration)
    : model(std::move(m)),
      state(std::make_shared<ArticulatedState>(model)),
      values_(configuration, configuration + model->parts().values) {
    state->move(values_.data(), {});
}

/// Puts the one configuration, or the poses, that `values_` hold.
void ArticulatedConfigurations::settle() {
    if (many()) return;
    if (placed()) {
        poses_ = values_.data();
        state->place(poses_, {});
    } else {
        state->move(values_.data(), {});
    }
}

void ArticulatedConfigurations::move(const double* configuration) {
    spare_.assign(configuration, configuration + model->parts().values);
    try {
        state->move(spare_.data(), {});
    } catch (const std::invalid_argument&) {
        settle();
        throw;
    }
    values_.swap(spare_);
    count = -1;
    poses_ = nullptr;
}

void ArticulatedConfigurations::move_many(const double* configurations, std::ptrdiff_t n) {
    spare_.assign(configurations, configurations + n * model->parts().values);
    values_.swap(spare_);
    count = n;
    poses_ = nullptr;
}

bool ArticulatedConfigurations::place(const double* poses) {
    spare_.assign(poses, poses + 16 * std::size_t(model->links()));
    if (!state->place(spare_.data(), {})) {
        settle();
        return false;
    }
    values_.swap(spare_);  // which leaves the numbers where they are
    poses_ = values_.data();
    count = -1;
    return true;
}

void ArticulatedConfigurations::place_many(const double* poses, std::ptrdiff_t n) {
    poses_ = poses;
    count = n;
}

void ArticulatedConfigurations::exclude(std::vector<PrimitivePair> pairs) {
    std::shared_ptr<const ArticulatedModel> other = model->excluding(std::move(pairs));
    state = std::make_shared<ArticulatedState>(other);
    model = std::move(other);
    settle();
}

std::vector<double> ArticulatedConfigurations::link_poses() const {
    const std::size_t n = many() ? std::size_t(count) : 1, links = std::size_t(model->links());
    std::vector<double> out(n * links * 16);
    ArticulatedPlaces places(*this);
    Poll poll(64);
    for (std::size_t i = 0; i < n; ++i) {
        poll();
        const ArticulatedState& there = places.at(std::ptrdiff_t(i), {}, !many());
        for (std::size_t l = 0; l < links; ++l) {
            double* p = &out[(i * links + l) * 16];
            const FrameRows rows(there.link_pose(int(l)));
            std::memcpy(p, rows.at, sizeof rows.at);
            p[15] = 1;
        }
    }
    return out;
}

namespace {

bool is_identity(const Rigid& r) {
    return r.translation == Vec3{} && r.rotation.row[0] == Vec3{1, 0, 0} && r.rotation.row[1] == Vec3{0, 1, 0} &&
           r.rotation.row[2] == Vec3{0, 0, 1};
}

}  // namespace

const ArticulatedState& ArticulatedPlaces::at(std::ptrdiff_t i, const Rigid& base, bool refits) {
    if (!body_.many() && refits && is_identity(base)) return *body_.state;
    if (!scratch_) scratch_ = std::make_unique<ArticulatedState>(body_.model);
    if (!body_.placed())
        scratch_->move(body_.at(i), base, refits);
    else if (!scratch_->place(body_.at(i), base, refits))
        throw BadPoses{i};
    return *scratch_;
}

}  // namespace elbowroom
