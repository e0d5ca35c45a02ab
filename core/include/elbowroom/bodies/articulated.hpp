#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "elbowroom/narrow/quick_hulls.hpp"
#include "elbowroom/queries/answers.hpp"
#include "elbowroom/reference/link_boxes.hpp"
#include "elbowroom/reference/link_tree.hpp"
#include "elbowroom/trees/link_blocks.hpp"
#include "elbowroom/trees/shape_bits.hpp"

namespace elbowroom {

class RigidBody;

enum class JointKind { fixed, revolute, prismatic, spherical, free };

/// How the shapes that may touch are found: blocks of boxes (the fastest), the paper's tree, or all pairs.
enum class ArticulatedRefit { blocks, cab, cab_sum, obb, aabb, aabb_all, none };

/// How a link moves against its parent: pose = origin * motion(multiplier * value + offset).
struct ArticulatedJoint {
    std::int32_t parent = -1;  // a link, or the world
    JointKind kind = JointKind::fixed;
    Rigid origin;
    Vec3 axis{0, 0, 1};
    std::int32_t value = 0;  // the first of its values in a configuration
    double multiplier = 1, offset = 0;
};

/// A rigid body fixed in a link. Whoever makes an articulated body keeps it alive.
struct ArticulatedShape {
    const RigidBody* body;
    std::int32_t link;
    Rigid pose;              // in the link
    std::vector<Vec3> hull;  // points whose hull, rounded by the radius, holds the body
    double hull_radius = 0;
};

struct ArticulatedParts {
    std::vector<ArticulatedJoint> joints;  // one for each link
    std::vector<ArticulatedShape> shapes;
    std::vector<PrimitivePair> excluded;  // links that are never compared
    std::int32_t values = 0;              // length of a configuration
    ArticulatedRefit refit = ArticulatedRefit::blocks;
};

/// What never changes about an articulated body. Links that cannot move against each other share a frame, so that
/// kinematics takes one product for each joint that moves.
class ArticulatedModel {
public:
    explicit ArticulatedModel(ArticulatedParts parts);

    /// Finite numbers, and unit quaternions where they belong?
    bool is_configuration(const double* values) const;

    struct Frame {
        std::int32_t parent;  // a frame; -1: the body's own
        JointKind kind;
        std::int32_t value, scalar;  // in a configuration; among the joints with one value (-1: none)
        std::int32_t level;
        FrameRows origin, cosine, sine;  // revolute: origin + c cosine + s sine; prismatic: origin + x cosine
    };
    struct Scalar {
        std::int32_t value;
        double multiplier, offset;
    };
    /// How frames carry shapes and links: through the joints, or link by link.
    struct Rig {
        std::vector<CarriedBox> boxes;
        std::vector<FrameRows> shapes;  // pose of each shape in its frame
    };

    /// Points with a radius about each.
    struct VertexBalls {
        std::vector<Vec3> points;
        std::vector<double> radii;
    };

    const ArticulatedParts& parts() const { return parts_; }
    int links() const { return int(parts_.joints.size()); }
    int shapes() const { return int(parts_.shapes.size()); }
    const ArticulatedShape& shape(int i) const { return parts_.shapes[i]; }
    /// The link of each shape.
    const std::int32_t* shape_links() const { return shape_link_.data(); }
    const std::vector<Frame>& frames() const { return frames_; }
    const std::vector<Scalar>& scalars() const { return scalars_; }
    std::int32_t frame_of(int link) const { return link_frame_[link]; }
    const FrameRows& in_frame(int link) const { return link_in_frame_[link]; }
    const Rig& by_joints() const { return by_joints_; }
    const Rig& by_links() const { return by_links_; }
    const ObbVolume& box(int shape) const { return box_[shape]; }
    bool is_box(int shape) const { return is_box_[shape]; }
    const QuickHull& quick(int shape) const { return quick_[shape]; }
    const LinkTree& tree() const { return *tree_; }
    const std::vector<LinkPoints>& points() const { return points_; }
    ArticulatedRefit refit() const { return parts_.refit; }
    bool has_bare_links() const { return has_bare_links_; }
    /// The widths of trees that all shapes have: 1 for eight children, 2 for two, 3 for both, 0 for none in common.
    unsigned widths() const { return widths_; }
    static unsigned widths_of(const RigidBody& body);
    bool uses_tree() const { return refit() != ArticulatedRefit::blocks && refit() != ArticulatedRefit::none; }
    bool uses_aabb() const { return refit() == ArticulatedRefit::aabb || refit() == ArticulatedRefit::aabb_all; }
    /// Shapes that are compared with each other in questions about the body itself.
    const ShapeBits& compared() const { return compared_; }
    /// Is it small enough, and kept in such a way, that configurations are better asked about eight at a time? Beyond
    /// so many pairs of shapes, blocks of boxes rule out more than lanes gain.
    bool suits_lanes() const {
        return refit() == ArticulatedRefit::blocks && shapes() > 0 && std::int64_t(shapes()) * shapes() <= 4096;
    }
    /// Those of them that come after a shape, from first to last; of a body that suits lanes.
    std::pair<const std::int32_t*, const std::int32_t*> compared_after(int shape) const {
        return {partners_.data() + partners_from_[shape], partners_.data() + partners_from_[shape + 1]};
    }
    std::uint64_t compared_pairs() const { return partners_.size(); }
    /// Primitives of all shapes; pairs of primitives of shapes that are compared.
    double primitives() const { return primitives_; }
    double compared_primitives() const { return compared_primitives_; }
    /// 0, 1, ... shapes() - 1.
    const std::vector<std::int32_t>& numbers() const { return numbers_; }
    /// Decides which of two bodies comes first, so that answers do not depend on the caller's order.
    std::uint64_t fingerprint() const { return fingerprint_; }
    /// About how much there is to look at: shapes, those with many primitives for more.
    std::int64_t weight() const { return weight_; }
    /// The same body with other links excluded.
    std::shared_ptr<const ArticulatedModel> excluding(std::vector<PrimitivePair> links) const;

private:
    ArticulatedParts parts_;
    std::vector<Frame> frames_;
    std::vector<Scalar> scalars_;
    std::vector<std::int32_t> link_frame_;
    std::vector<FrameRows> link_in_frame_;
    Rig by_joints_, by_links_;
    std::vector<ObbVolume> box_;
    std::vector<std::int32_t> shape_link_;
    std::vector<unsigned char> is_box_;
    std::vector<QuickHull> quick_;
    struct alignas(32) Eight {
        float v[8];
    };
    std::shared_ptr<const std::vector<std::vector<Eight>>> lanes_;       // of the quick hulls
    std::shared_ptr<const std::vector<std::vector<Vec3>>> hull_points_;  // of the quick hulls, padded
    std::shared_ptr<const std::vector<VertexBalls>> vertices_;           // of the shapes, for aabb_all
    std::vector<LinkPoints> points_;
    std::shared_ptr<const LinkTree> tree_;
    ShapeBits compared_;
    std::vector<std::int32_t> partners_, partners_from_, numbers_;
    std::uint64_t fingerprint_ = 0;
    std::int64_t weight_ = 1;
    double primitives_ = 0, compared_primitives_ = 0;
    bool has_bare_links_ = false;  // links without a shape
    unsigned widths_ = 3;

    void make_frames();
    void make_boxes();
    void make_quick_hulls();
    void make_rigs();
    void make_points();
    void make_tree();
    void make_compared();
    void make_fingerprint();
};

/// Where the links of an articulated body are, and the boxes about them.
class ArticulatedState {
public:
    explicit ArticulatedState(std::shared_ptr<const ArticulatedModel> model);
    ArticulatedState(const ArticulatedState& other);
    ArticulatedState& operator=(const ArticulatedState&) = delete;

    const ArticulatedModel& model() const { return *model_; }
    /// To a configuration; what has not moved since the last call is left as it is. `refits`: false leaves the boxes
    /// alone.
    void move(const double* configuration, const Rigid& base, bool refits = true);
    /// To poses of the links, (links, 4, 4), which must stay where they are in memory until the next call. False: the
    /// poses are none, and the state is of no use.
    bool place(const double* poses, const Rigid& base, bool refits = true);
    /// The same in the body's own frame, without looking at the poses, nor at the boxes.
    void place_as_given(const double* poses) {
        rig_ = &model_->by_links(), base_ = {}, fresh_ = true, frames_ = poses, stride_ = 16;
    }

    Rigid link_pose(int link) const;
    Rigid shape_pose(int shape) const;
    const LinkBlocks& blocks() const { return blocks_; }
    const LinkBoxes<ObbVolume>& oriented() const { return oriented_; }
    const LinkBoxes<AabbVolume>& aligned() const { return aligned_; }
    /// Boxes made anew by the last move.
    std::int64_t refitted() const;
    const double* frame(int f) const { return frames_ + std::ptrdiff_t(stride_) * f; }
    bool placed() const { return rig_ == &model_->by_links(); }
    std::string validate() const;
    /// The boxes of a level of the hierarchy (0: the topmost), of one kind, in the body's frame. With `blocks` level 0
    /// holds the blocks, level 1 the shapes.
    struct Boxes {
        std::vector<ObbVolume> oriented;
        std::vector<AabbVolume> aligned;
    };
    Boxes boxes(int level) const;

private:
    std::shared_ptr<const ArticulatedModel> model_;
    const ArticulatedModel::Rig* rig_;
    const double* frames_;  // rows, `stride_` doubles apart
    int stride_ = 12;
    std::vector<FrameRows> own_;  // where they are computed here
    std::vector<double> last_, angle_, sine_, cosine_;
    std::vector<unsigned char> moved_;  // one for each frame
    Rigid base_;
    FrameRows base_rows_{Rigid{}};
    bool fresh_ = true;
    LinkBlocks blocks_;
    LinkBoxes<ObbVolume> oriented_;
    LinkBoxes<AabbVolume> aligned_;
    std::vector<Rigid> shape_poses_, link_poses_;  // for the trees
    std::vector<unsigned char> shape_moved_;

    void turn_joints(const double* configuration);
    void put_frame(int f, const double* configuration);
    bool refit();
    void refit_tree();
    bool put_right(const double* poses);
};

}  // namespace elbowroom
