#include "elbowroom/reference/binary_chain.hpp"

#include <cstring>

namespace elbowroom {

namespace {

/// How far the rotation of a joint may be from orthonormal.
constexpr double rounded_rotation = 1e-14;

/// What rounding may leave of two equal centres once the links beyond were moved.
double noise(const std::vector<Vec3>& positions) {
    double reach = 0;
    for (const Vec3& p : positions) reach = most(reach, length(p - positions[0]));
    return 1e-14 * reach;
}

bool same_bits(const Rigid& a, const Rigid& b) { return std::memcmp(&a, &b, sizeof(Rigid)) == 0; }

}  // namespace

BinaryChain::BinaryChain(const std::vector<Vec3>& positions, std::vector<double> radii,
                         const BinaryChainOptions& options)
    : joints_(positions),
      radii_(std::move(radii)),
      exclusions_(options.exclude, options.allowed),
      origin_(positions[0]),
      pieces_(options.pieces),
      noise_(noise(positions)) {}

void BinaryChain::rotate(int joint, double angle) {
    need_axis(joints_.joint(joint), joint, noise_);
    replace(joint, turned_joint(joints_.joint(joint), angle));
}

void BinaryChain::turn(int joint, const Mat3& rotation) {
    replace(joint, pivoted_joint(joints_.joint(joint), joints_.pose(0, joint).rotation, rotation));
}

void BinaryChain::move(int joint, const Rigid& map) {
    Rigid link = joints_.pose(0, joint);
    link.translation = link.translation + origin_;
    replace(joint, moved_joint(joints_.joint(joint), link, map));
}

void BinaryChain::change(const std::vector<int>& joints, const std::vector<double>& angles) {
    for (const int joint : joints) need_axis(joints_.joint(joint), joint, noise_);
    history_.begin();
    for (std::size_t k = 0; k < joints.size(); ++k) put(joints[k], turned_joint(joints_.joint(joints[k]), angles[k]));
    update();
}

void BinaryChain::replace(int joint, const Rigid& by) {
    history_.begin();
    put(joint, by);
    update();
}

void BinaryChain::put(int joint, const Rigid& to) {
    history_.save(joint, joints_.joint(joint));
    joints_.set_joint(joint, to);
    path_.push_back({joint, false});
}

/// Shortcuts and volumes above the joints in path_, one level after the other, so that paths that meet are walked once.
void BinaryChain::update() {
    std::sort(path_.begin(), path_.end(), [](const ChangedNode& x, const ChangedNode& y) { return x.index < y.index; });
    for (int level = 1; level <= joints_.top(); ++level) {
        joints_.climb(level, path_);
        recompute(level, path_);
    }
    path_.clear();
}

bool BinaryChain::undo() {
    const bool undone = history_.undo([&](int joint, const Rigid& old) {
        joints_.set_joint(joint, old);
        path_.push_back({joint, false});
    });
    if (undone) update();
    return undone;
}

void BinaryChain::bend(const std::vector<Rigid>& joints) {
    history_.restart();
    for (int i = 0; i + 1 < links(); ++i) {
        Rigid joint = joints[i];  // as it was saved, unless the file was changed
        for (int k = 0; k < 4 && !(rotation_error(joint.rotation) < rounded_rotation); ++k)
            joint.rotation = closer_to_rotation(joint.rotation);
        joints_.set_joint(i, joint);
        path_.push_back({i, false});
    }
    update();
}

bool BinaryChain::collides() {
    counters_ = {};
    if (history_.is_free()) return false;
    const ChainRule rule = history_.was_free() ? ChainRule(exclusions_.near(), history_.changed(), pieces_)
                                               : ChainRule(exclusions_.near());
    if (find_collision(rule, counters_)) return true;
    history_.note_free();
    return false;
}

std::vector<Vec3> BinaryChain::positions() const {
    std::vector<Vec3> out = joints_.positions();
    for (Vec3& p : out) p = p + origin_;
    return out;
}

std::size_t BinaryChain::nbytes() const {
    return joints_.nbytes() + history_.nbytes() + exclusions_.nbytes() + radii_.capacity() * sizeof(double);
}

std::string BinaryChain::fault() const {
    for (int i = 0; i + 1 < links(); ++i)
        if (!(rotation_error(joints_.joint(i).rotation) < rounded_rotation))
            return "the rotation of joint " + std::to_string(i) + " is not orthonormal";
    for (int level = 1; (links() - 1) >> level > 0; ++level)
        for (int i = 0; i < (links() - 1) >> level; ++i)
            if (!same_bits(joints_.at(level, i), joints_.at(level - 1, 2 * i) * joints_.at(level - 1, 2 * i + 1)))
                return "shortcut " + std::to_string(i) + " of level " + std::to_string(level) + " is stale";
    return fault_in_volumes();
}

}  // namespace elbowroom
