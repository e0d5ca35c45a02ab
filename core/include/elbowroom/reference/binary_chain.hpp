#pragma once
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "elbowroom/queries/answers.hpp"
#include "elbowroom/reference/binary_chain_history.hpp"
#include "elbowroom/reference/binary_chain_joints.hpp"
#include "elbowroom/reference/binary_chain_rule.hpp"
#include "elbowroom/volumes/volumes.hpp"

namespace elbowroom {

struct BinaryChainOptions {
    int exclude = 1;                     // links so near along the chain are never tested
    std::vector<PrimitivePair> allowed;  // further pairs of links that may overlap
    bool shrink = false;                 // push every volume in until it touches a link
    bool pieces = true;                  // skip what lies within one rigid piece; else only what the paper skips
};

using ChainBoxes =
    std::variant<std::vector<ObbVolume>, std::vector<RssVolume>, std::vector<CapsuleVolume>, std::vector<SphereVolume>>;

/// The ChainTree of Lotan, Schwarzer, Halperin and Latombe (2002): a chain of balls under a binary tree that follows
/// the chain, kept true in O(log n) when a joint changes. Link i is a ball in a frame of its own, at its centre; joint
/// i leads from the frame of link i + 1 to that of link i. Link 0 never moves.
class BinaryChain {
public:
    BinaryChain(const std::vector<Vec3>& positions, std::vector<double> radii, const BinaryChainOptions& options);
    virtual ~BinaryChain() = default;
    BinaryChain(const BinaryChain&) = delete;
    BinaryChain& operator=(const BinaryChain&) = delete;

    int links() const { return joints_.links(); }
    const std::vector<double>& radii() const { return radii_; }

    /// Turns the links beyond a joint about the axis from its first link to its second.
    void rotate(int joint, double angle);
    /// Throws if a joint has no axis to turn about.
    void need_axis_of(int joint) const { need_axis(joints_.joint(joint), joint, noise_); }
    /// Several such turns at once.
    void change(const std::vector<int>& joints, const std::vector<double>& angles);
    /// Turns the links beyond a joint about the centre of its first link; the rotation is given in the world.
    void turn(int joint, const Mat3& rotation);
    /// Moves the links beyond a joint by a map of the world.
    void move(int joint, const Rigid& map);
    /// Back to before the last change, to the last bit; false if there is nothing to undo.
    bool undo();

    /// Does any pair of links that matters overlap or touch? Only what the changes since the last free state can have
    /// broken is looked at.
    bool collides();
    /// What is known: "free" or "not tested".
    const char* state() const { return history_.is_free() ? "free" : "not tested"; }
    /// Start next to the changed joints and work outwards, instead of at the root.
    bool nearest_first = false;
    /// The work of the last `collides`.
    const Counters& counters() const { return counters_; }

    /// Centres of the links in the world.
    std::vector<Vec3> positions() const;
    /// The pose of link j seen from link i.
    Rigid pose(int i, int j) const { return joints_.pose(i, j); }
    /// Joint i leads from the frame of link i + 1 to that of link i.
    const std::vector<Rigid>& joints() const { return joints_.all(); }
    /// Takes over the joints of a chain like this one; the history is forgotten.
    void bend(const std::vector<Rigid>& joints);

    /// The volumes at a level of the tree, from 0 for the root, in the world.
    virtual ChainBoxes boxes(int level) const = 0;
    /// What is wrong with the tree, or nothing.
    std::string fault() const;
    virtual std::size_t nbytes() const;

    virtual CollideAnswer self_collide(const CollideOptions& options) const = 0;
    virtual DistanceAnswer self_distance(const DistanceOptions& options) const = 0;
    virtual WithinAnswer self_within(const WithinOptions& options) const = 0;

protected:
    ChainJoints joints_;
    const std::vector<double> radii_;
    const ChainExclusions exclusions_;
    const Vec3 origin_;  // the first link in the world

    /// Where a link is in the world.
    Vec3 centre(int link) const { return joints_.pose(0, link).translation + origin_; }

private:
    const bool pieces_;
    const double noise_;  // a bond that is shorter has no direction
    ChainHistory history_;
    std::vector<ChangedNode> path_;  // of the change at hand
    Counters counters_;

    virtual void recompute(int level, const std::vector<ChangedNode>& changed) = 0;
    virtual bool find_collision(const ChainRule& rule, Counters& counters) = 0;
    virtual std::string fault_in_volumes() const = 0;

    void replace(int joint, const Rigid& by);
    void put(int joint, const Rigid& to);
    void update();
};

/// `volume` is "obb", "rss", "capsule" or "sphere"; null if it is none of these.
std::unique_ptr<BinaryChain> make_binary_chain(const std::string& volume, const std::vector<Vec3>& positions,
                                               std::vector<double> radii, const BinaryChainOptions& options);

}  // namespace elbowroom
