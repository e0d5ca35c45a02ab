#include "reference_baseline_chain.hpp"

namespace elbowroom {

BaselineChain::BaselineChain(std::vector<Vec3> positions, std::vector<double> radii, int exclude)
    : origin_(positions[0]),
      radii_(std::move(radii)),
      exclude_(exclude),
      joints_(positions.size() - 1),
      turns_(positions.size(), Mat3::identity()),
      centres_(positions.size()) {
    for (std::size_t i = 0; i + 1 < positions.size(); ++i) joints_[i].translation = positions[i + 1] - positions[i];
    place_beyond(0);
}

void BaselineChain::rotate(int joint, double angle) { change({joint}, {angle}); }

void BaselineChain::change(const std::vector<int>& joints, const std::vector<double>& angles) {
    for (const int joint : joints) need_axis(joints_[joint], joint);
    history_.begin();
    for (std::size_t k = 0; k < joints.size(); ++k) put(joints[k], turned_joint(joints_[joints[k]], angles[k]));
    if (!joints.empty()) place_beyond(*std::min_element(joints.begin(), joints.end()));
}

void BaselineChain::turn(int joint, const Mat3& rotation) {
    history_.begin();
    put(joint, pivoted_joint(joints_[joint], turns_[joint], rotation));
    place_beyond(joint);
}

void BaselineChain::put(int joint, const Rigid& to) {
    history_.save(joint, joints_[joint]);
    joints_[joint] = to;
}

bool BaselineChain::undo() {
    int first = links();
    const bool undone = history_.undo([&](int joint, const Rigid& old) {
        joints_[joint] = old;
        first = least(first, joint);
    });
    place_beyond(first);
    return undone;
}

void BaselineChain::place_beyond(int joint) {
    for (int i = joint; i + 1 < links(); ++i) {
        centres_[i + 1] = centres_[i] + turns_[i] * joints_[i].translation;
        turns_[i + 1] = turns_[i] * joints_[i].rotation;
    }
}

bool BaselineChain::collides() {
    counters_ = {};
    if (find_collision(counters_)) return true;
    history_.note_free();
    return false;
}

std::vector<Vec3> BaselineChain::positions() const {
    std::vector<Vec3> out = centres_;
    for (Vec3& p : out) p = p + origin_;
    return out;
}

std::unique_ptr<BaselineChain> make_baseline_chain(const std::string& method, std::vector<Vec3> positions,
                                                   std::vector<double> radii, int exclude) {
    if (method == "grid") return make_grid_chain(std::move(positions), std::move(radii), exclude);
    if (method == "one tree") return make_one_tree_chain(std::move(positions), std::move(radii), exclude);
    if (method == "k trees") return make_k_trees_chain(std::move(positions), std::move(radii), exclude);
    return nullptr;
}

}  // namespace elbowroom
