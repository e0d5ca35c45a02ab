#include "elbowroom/bodies/necklace_boxes.hpp"

namespace elbowroom {

namespace {

double spacing_of(const std::vector<double>& radii) {
    double sum = 0;
    for (const double r : radii) sum += 2 * r;
    return sum / double(radii.size());
}

}  // namespace

NecklaceBoxes::NecklaceBoxes(std::vector<double> radii, NecklaceTouch touch, bool flat)
    : tree_(std::move(radii), flat),
      touch_(std::move(touch)),
      centres_(std::size_t(tree_.beads())),
      spare_(centres_.size()),
      spacing_(spacing_of(tree_.radii())),
      policy_(tree_.beads()) {}

bool NecklaceBoxes::move(const double* positions, bool refits) {
    double* to = &spare_[0].x;
    double gone;
    if ((list_.alive() || !refits) && tree_.follow(positions, to, gone)) {
        gone_ = gone, fitted_ = false;
    } else if (tree_.refit(positions, to)) {
        list_.clear(), fitted_ = true;
    } else {
        list_.clear(), fitted_ = tree_.refit(&centres_[0].x, to);
        return false;
    }
    policy_.next_frame();
    ++work_.moves;
    if (watch_.runs()) look_how_far(spare_);
    centres_.swap(spare_);
    return true;
}

void NecklaceBoxes::look_how_far(const std::vector<Vec3>& to) {
    double farthest = 0;
    for (std::size_t i = 0; i < to.size(); ++i) farthest = most(farthest, length2(to[i] - centres_[i]));
    watch_.add(std::sqrt(farthest) * (1 + 1e-12));
}

/// The boxes of this frame; a list about older ones is gone.
void NecklaceBoxes::need_tree() const {
    if (fitted_) return;
    tree_.refit(&centres_[0].x, &spare_[0].x);
    list_.clear();
    fitted_ = true;
}

void NecklaceBoxes::fit_boxes() const {
    const std::lock_guard<std::mutex> lock(guard_);
    need_tree();
}

std::string NecklaceBoxes::validate() const {
    fit_boxes();
    return tree_.validate(centres_.data());
}

}  // namespace elbowroom
