#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "elbowroom/bodies/rigid_body.hpp"
#include "elbowroom/motion/point_bound.hpp"

namespace elbowroom {

class ArticulatedModel;

/// How far a body at a pose reaches from the origin, or from an axis through it. Half-spaces do not count.
inline double farthest_reach(const RigidBody& body, const Rigid& pose, const Vec3* axis) {
    double reach = 0;
    for (int i = 0; i < body.count(); ++i) {
        const RoundedHull h = body.primitive(i);
        if (h.is_half_space()) continue;
        for (int k = 0; k < h.count; ++k) {
            const Vec3 p = pose * h.points[k];
            reach = most(reach, length(axis ? cross(*axis, p) : p) + h.radius);
        }
    }
    return reach;
}

/// A rigid body that goes with a frame.
struct MotionPiece {
    const RigidBody* body;  // owned by the scene
    std::int32_t frame;     // -1: the world
    Rigid pose;             // in the frame
};

/// Primitives that are not compared though their pieces are: of a chain, those at most `gap` links apart, and some
/// pairs of primitives. The links of a primitive are from first to last.
struct MotionFilter {
    std::vector<std::int32_t> first_a, last_a, first_b, last_b;
    std::int32_t gap = 0;
    std::set<std::array<std::int32_t, 2>> excluded;  // one of the first piece, one of the second

    using LinkPairs = std::vector<std::array<std::int32_t, 2>>;
    /// By the first and the last link of each primitive, of both pieces; and pairs of primitives.
    MotionFilter(const LinkPairs& links_a, const LinkPairs& links_b, std::int32_t gap, const LinkPairs& excluded);

    bool skips(int i, int j) const {
        const std::int32_t behind = first_b[j] - last_a[i], ahead = first_a[i] - last_b[j];
        return most(behind, ahead) <= gap || (!excluded.empty() && excluded.count({i, j}) > 0);
    }
};

/// Two pieces to be compared. The first is the one that is swept, seen from the second; it is bounded.
struct MotionPair {
    std::int32_t a, b;
    std::int32_t filter = -1;
    bool has_width = true;  // false: no clearance is kept between them
};

/// Who moves with whom, and which pieces are compared: what all motions of a body among obstacles have in common. Each
/// frame moves against its parent by one linear motion.
class MotionScene {
public:
    MotionScene() = default;
    MotionScene(const MotionScene&) = delete;
    MotionScene& operator=(const MotionScene&) = delete;

    /// A frame that hangs on an earlier one, or on the world (-1); until a check says otherwise it moves like this.
    int add_frame(int parent, const LinearMotion& motion);
    /// A frame for each link, which joints move; the number of the first.
    int add_links(std::shared_ptr<const ArticulatedModel> model, int parent, const double* from, const double* to);
    /// The body at a pose in a frame (-1: the world); the scene shares its tree.
    int add_piece(const RigidBody& body, int frame, const Rigid& pose);
    /// The frame, or the first frame of the links, whose motion a check states. Without it all move as they were added.
    void set_mover(int frame) { mover_ = frame; }
    int add_filter(MotionFilter filter);
    /// Without a filter, the scene chooses which of the two is swept.
    void compare(int a, int b, int filter, bool has_width = true);
    /// Compares all of these pieces, of links whose frames begin at `first`, with each other, but for pairs of links
    /// that are excluded. Throws TooManyPairs.
    void compare_all(const std::vector<int>& pieces, const MotionFilter::LinkPairs& excluded, int first);

    const std::vector<std::int32_t>& parents() const { return parents_; }
    const std::vector<MotionPiece>& pieces() const { return pieces_; }
    const std::vector<MotionPair>& pairs() const { return pairs_; }
    /// -1: there is none.
    int mover() const { return mover_; }
    /// Of the mover, if its joints are moved.
    const ArticulatedModel* moved_links() const;
    /// How many pairs of primitives are compared.
    std::int64_t weight() const { return weight_; }
    bool skips(const MotionPair& p, int i, int j) const { return p.filter >= 0 && filters_[p.filter].skips(i, j); }

    /// The motions of all frames from the time `from` to `to`, but for those that a check sets itself.
    void motions(double from, double to, std::vector<LinearMotion>& out) const;
    /// Sets the motions of the links that were added at `first`.
    void set_links(int first, const double* from, const double* to, std::vector<LinearMotion>& out) const;
    /// Where the frames are in the world at a time.
    void poses(const std::vector<LinearMotion>& motions, double t, std::vector<Rigid>& out) const;
    Rigid pose_of(const MotionPiece& piece, const std::vector<Rigid>& frames) const {
        return piece.frame < 0 ? piece.pose : frames[piece.frame] * piece.pose;
    }
    /// How the points of the first piece move, seen from the second.
    PointBound bound(const MotionPair& pair, const std::vector<LinearMotion>& motions) const;
    /// How far the points of a piece are from the origin of its frame.
    double reach_of(int piece) const { return reach_[piece]; }
    /// A ball about a piece without its half-spaces, in its own frame.
    Vec3 centre_of(int piece) const { return balls_[piece].first; }
    double radius_of(int piece) const { return balls_[piece].second; }
    /// Half the diagonal of the box about a piece; without the half-spaces.
    double size_of(int piece) const { return size_[piece]; }
    /// The same of a primitive of a piece, in the mean.
    double grain_of(int piece) const { return grain_[piece]; }

private:
    struct Links {
        std::shared_ptr<const ArticulatedModel> model;
        int first;
        std::vector<double> from, to;
    };
    std::vector<std::int32_t> parents_;
    std::vector<LinearMotion> own_;
    std::vector<Links> links_;
    std::deque<RigidBody> bodies_;  // of the pieces, which point to them
    std::vector<MotionPiece> pieces_;
    int mover_ = -1;
    std::int64_t weight_ = 0;
    std::vector<double> reach_, size_, grain_;
    std::vector<MotionPair> pairs_;
    std::vector<MotionFilter> filters_;
    std::vector<std::pair<Vec3, double>> balls_;
    std::vector<std::array<std::int32_t, 2>> families_;  // of each frame: those that it carries are numbered from .. to

    void number_families();
    bool carries(int f, int g) const;
    bool is_better_swept(int a, int b) const;
};

}  // namespace elbowroom
