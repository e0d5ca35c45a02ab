// The three methods that the ChainTree was measured against [Lotan2002, section 5]: every link's place is kept, all
// places beyond a changed joint are computed anew, and so is the structure that a test uses.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "elbowroom/reference/binary_chain_history.hpp"
#include "elbowroom/reference/binary_chain_joints.hpp"
#include "elbowroom/traversal/pair.hpp"

namespace elbowroom {

class BaselineChain {
public:
    BaselineChain(std::vector<Vec3> positions, std::vector<double> radii, int exclude);
    virtual ~BaselineChain() = default;
    BaselineChain(const BaselineChain&) = delete;
    BaselineChain& operator=(const BaselineChain&) = delete;

    int links() const { return int(radii_.size()); }
    void rotate(int joint, double angle);
    void change(const std::vector<int>& joints, const std::vector<double>& angles);
    void turn(int joint, const Mat3& rotation);
    bool undo();
    bool collides();
    const Counters& counters() const { return counters_; }
    std::vector<Vec3> positions() const;

protected:
    /// In the frame of the first link.
    const std::vector<Vec3>& centres() const { return centres_; }
    const std::vector<double>& radii() const { return radii_; }
    /// The joints that changed since the chain was last free, or none when it never was.
    const std::vector<int>* changed() { return history_.was_free() ? &history_.changed() : nullptr; }
    bool counts(int i, int j) const { return i < j ? j - i > exclude_ : i - j > exclude_; }
    bool touches(int i, int j) const {
        const double apart = length(centres_[j] - centres_[i]), radii = radii_[i] + radii_[j];
        return apart <= radii + rounding * (radii + length(centres_[i]) + length(centres_[j]));
    }

private:
    const Vec3 origin_;  // the first link in the world
    const std::vector<double> radii_;
    const int exclude_;
    std::vector<Rigid> joints_;
    std::vector<Mat3> turns_;    // of the links in the world
    std::vector<Vec3> centres_;  // about the first link
    ChainHistory history_;
    Counters counters_;

    virtual bool find_collision(Counters& counters) = 0;

    void put(int joint, const Rigid& to);
    void place_beyond(int joint);
};

/// `method` is "grid", "one tree" or "k trees".
std::unique_ptr<BaselineChain> make_baseline_chain(const std::string& method, std::vector<Vec3> positions,
                                                   std::vector<double> radii, int exclude);

std::unique_ptr<BaselineChain> make_grid_chain(std::vector<Vec3> positions, std::vector<double> radii, int exclude);
std::unique_ptr<BaselineChain> make_one_tree_chain(std::vector<Vec3> positions, std::vector<double> radii, int exclude);
std::unique_ptr<BaselineChain> make_k_trees_chain(std::vector<Vec3> positions, std::vector<double> radii, int exclude);

}  // namespace elbowroom
