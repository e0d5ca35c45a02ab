#include <cstring>
#include <stdexcept>

#include "elbowroom/bodies/articulated.hpp"
#include "elbowroom/limits.hpp"
#include "elbowroom/math/quaternion.hpp"
#include "elbowroom/math/sine_cosine.hpp"
#include "elbowroom/volumes/carried.hpp"

namespace elbowroom {

namespace {

constexpr int values_of(JointKind kind) {
    return kind == JointKind::fixed ? 0 : kind == JointKind::spherical ? 4 : kind == JointKind::free ? 7 : 1;
}

bool equal(const Rigid& a, const Rigid& b) {
    return a.translation == b.translation && a.rotation.row[0] == b.rotation.row[0] &&
           a.rotation.row[1] == b.rotation.row[1] && a.rotation.row[2] == b.rotation.row[2];
}

Mat3 rotation_of(const double* q) {
    const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return matrix(Quat{q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm});
}

Rigid motion_of(JointKind kind, const double* values) {
    if (kind == JointKind::spherical) return {rotation_of(values), {}};
    return {rotation_of(values + 3), {values[0], values[1], values[2]}};
}

/// Products of many rotations drift from orthonormal; one step brings them back.
void straighten(FrameRows& f) {
    Rigid r = rigid_of_rows(&f.at[0][0]);
    r.rotation = closer_to_rotation(r.rotation);
    f = FrameRows(r);
}

Rigid product(const double* rows, const FrameRows& local) {
    FrameRows out;
    multiply(rows, local, out);
    return rigid_of_rows(&out.at[0][0]);
}

LinkRefit tree_refit(ArticulatedRefit refit) {
    switch (refit) {
        case ArticulatedRefit::cab_sum:
            return LinkRefit::cab_sum;
        case ArticulatedRefit::obb:
            return LinkRefit::obb;
        case ArticulatedRefit::aabb:
            return LinkRefit::aabb;
        case ArticulatedRefit::aabb_all:
            return LinkRefit::aabb_all;
        default:
            return LinkRefit::cab;
    }
}

}  // namespace

ArticulatedState::ArticulatedState(std::shared_ptr<const ArticulatedModel> model)
    : model_(std::move(model)), rig_(&model_->by_joints()), own_(model_->frames().size()) {
    const std::size_t padded = (model_->scalars().size() + 3) / 4 * 4;
    last_.resize(model_->parts().values), angle_.resize(padded), sine_.resize(padded), cosine_.resize(padded);
    moved_.resize(model_->frames().size());
    frames_ = own_.empty() ? nullptr : &own_[0].at[0][0];
    if (model_->refit() == ArticulatedRefit::blocks) blocks_ = LinkBlocks(rig_->boxes);
    if (model_->uses_tree()) shape_poses_.resize(model_->shapes()), link_poses_.resize(model_->links());
    shape_moved_.resize(model_->shapes());
}

ArticulatedState::ArticulatedState(const ArticulatedState& o)
    : model_(o.model_),
      rig_(o.rig_),
      stride_(o.stride_),
      own_(o.own_),
      last_(o.last_),
      angle_(o.angle_),
      sine_(o.sine_),
      cosine_(o.cosine_),
      moved_(o.moved_),
      base_(o.base_),
      base_rows_(o.base_rows_),
      fresh_(o.fresh_),
      blocks_(o.blocks_),
      oriented_(o.oriented_),
      aligned_(o.aligned_),
      shape_poses_(o.shape_poses_),
      link_poses_(o.link_poses_),
      shape_moved_(o.shape_moved_) {
    const bool computed = !o.own_.empty() && o.frames_ == &o.own_[0].at[0][0];
    frames_ = computed ? &own_[0].at[0][0] : o.frames_;
}

void ArticulatedState::move(const double* configuration, const Rigid& base, bool refits) {
    if (placed() || !equal(base, base_)) fresh_ = true;
    if (placed()) rig_ = &model_->by_joints(), own_.resize(model_->frames().size()), stride_ = 12;
    base_ = base, base_rows_ = FrameRows(base), frames_ = own_.empty() ? nullptr : &own_[0].at[0][0];
    turn_joints(configuration);
    for (int f = 0; f < int(model_->frames().size()); ++f) {
        const ArticulatedModel::Frame& frame = model_->frames()[f];
        bool moved = fresh_ || (frame.parent >= 0 && moved_[frame.parent]);
        for (int k = 0; k < values_of(frame.kind) && !moved; ++k)
            moved = configuration[frame.value + k] != last_[frame.value + k];
        moved_[f] = moved;
        if (moved) put_frame(f, configuration);
    }
    if (!last_.empty()) std::memcpy(&last_[0], configuration, last_.size() * sizeof(double));
    fresh_ = !refits || !refit();
    if (refits && fresh_)
        throw std::invalid_argument("configuration puts links farther apart than can be computed with");
}

void ArticulatedState::turn_joints(const double* configuration) {
    const std::vector<ArticulatedModel::Scalar>& scalars = model_->scalars();
    for (std::size_t i = 0; i < scalars.size(); ++i)
        angle_[i] = scalars[i].multiplier * configuration[scalars[i].value] + scalars[i].offset;
    for (std::size_t i = 0; i < scalars.size(); i += 4) sine_cosine(&angle_[i], &sine_[i], &cosine_[i]);
}

void ArticulatedState::put_frame(int f, const double* configuration) {
    const ArticulatedModel::Frame& frame = model_->frames()[f];
    Double4 local[3];
    for (int i = 0; i < 3; ++i) local[i] = frame.origin.row(i);
    if (frame.kind == JointKind::revolute) {
        const Double4 c(cosine_[frame.scalar]), s(sine_[frame.scalar]);
        for (int i = 0; i < 3; ++i)
            local[i] = multiply_add(s, frame.sine.row(i), multiply_add(c, frame.cosine.row(i), local[i]));
    } else if (frame.kind == JointKind::prismatic) {
        const Double4 x(angle_[frame.scalar]);
        for (int i = 0; i < 3; ++i) local[i] = multiply_add(x, frame.cosine.row(i), local[i]);
    } else if (frame.kind != JointKind::fixed) {
        const FrameRows turned(rigid_of_rows(&frame.origin.at[0][0]) *
                               motion_of(frame.kind, configuration + frame.value));
        for (int i = 0; i < 3; ++i) local[i] = turned.row(i);
    }
    if (frame.parent >= 0)
        multiply(&own_[frame.parent].at[0][0], local, own_[f]);
    else
        multiply(&base_rows_.at[0][0], local, own_[f]);
    if (frame.level % 16 == 15) straighten(own_[f]);
}

bool ArticulatedState::place(const double* poses, const Rigid& base, bool refits) {
    Double4 wrong(0.);
    for (int l = 0; l < model_->links(); ++l)
        wrong = wrong | different(Double4::load(poses + 16 * std::ptrdiff_t(l) + 12), Double4(0, 0, 0, 1));
    if (lanes_of(wrong)) return false;
    rig_ = &model_->by_links(), base_ = base, fresh_ = true;
    frames_ = poses, stride_ = 16;
    const bool quick = equal(base, Rigid{}) && model_->refit() == ArticulatedRefit::blocks && refits;
    if (quick && !model_->has_bare_links() && blocks_.refit(rig_->boxes, poses, 16, nullptr) && blocks_.is_moderate())
        return true;
    return put_right(poses) && (!refits || refit());
}

/// The poses as rotations to the last digits, and in the world; false if one is none.
bool ArticulatedState::put_right(const double* poses) {
    own_.resize(most(model_->frames().size(), std::size_t(model_->links())));
    for (int l = 0; l < model_->links(); ++l) {
        Rigid r = rigid_of_rows(poses + 16 * std::ptrdiff_t(l));
        const double size = most(largest(absolute(r.translation)), 0.0);
        if (!(rotation_error(r.rotation) <= limits.rotation_tolerance) || !(determinant(r.rotation) > 0)) return false;
        if (!(size <= limits.largest_number)) return false;
        for (int k = 0; k < 4 && rotation_error(r.rotation) > 4e-15; ++k) r.rotation = closer_to_rotation(r.rotation);
        own_[l] = FrameRows(equal(base_, Rigid{}) ? r : base_ * r);
    }
    frames_ = own_.empty() ? nullptr : &own_[0].at[0][0], stride_ = 12;
    return true;
}

bool ArticulatedState::refit() {
    const unsigned char* moved = fresh_ ? nullptr : moved_.data();
    if (model_->refit() == ArticulatedRefit::blocks) return blocks_.refit(rig_->boxes, frames_, stride_, moved);
    if (model_->uses_tree()) refit_tree();
    return true;
}

void ArticulatedState::refit_tree() {
    for (int l = 0; l < model_->links(); ++l)
        if (const int f = placed() ? l : model_->frame_of(l); fresh_ || moved_[f]) link_poses_[l] = link_pose(l);
    for (int i = 0; i < model_->shapes(); ++i) {
        shape_moved_[i] = fresh_ || moved_[rig_->boxes[i].frame];
        if (shape_moved_[i]) shape_poses_[i] = shape_pose(i);
    }
    const unsigned char* moved = fresh_ ? nullptr : shape_moved_.data();
    const LinkRefit kind = tree_refit(model_->refit());
    if (model_->uses_aabb())
        aligned_.refit(model_->tree(), kind, shape_poses_.data(), link_poses_.data(), moved, model_->points().data());
    else
        oriented_.refit(model_->tree(), kind, shape_poses_.data(), link_poses_.data(), moved);
}

Rigid ArticulatedState::link_pose(int link) const {
    if (placed()) return rigid_of_rows(frame(link));
    return product(frame(model_->frame_of(link)), model_->in_frame(link));
}

Rigid ArticulatedState::shape_pose(int shape) const {
    const double* at = frame(rig_->boxes[shape].frame);
    if (stride_ == 12) return product(at, rig_->shapes[shape]);
    Rigid as_given = rigid_of_rows(at);
    for (int k = 0; k < 4 && rotation_error(as_given.rotation) > 4e-15; ++k)
        as_given.rotation = closer_to_rotation(as_given.rotation);
    return as_given * rigid_of_rows(&rig_->shapes[shape].at[0][0]);
}

std::int64_t ArticulatedState::refitted() const {
    if (model_->refit() == ArticulatedRefit::blocks) return blocks_.refitted();
    return model_->uses_tree() ? (model_->uses_aabb() ? aligned_.refitted() : oriented_.refitted()) : 0;
}

std::string ArticulatedState::validate() const {
    if (model_->refit() == ArticulatedRefit::blocks) return blocks_.validate(rig_->boxes, frames_, stride_);
    if (!model_->uses_tree() || !model_->shapes()) return "";
    std::string fault = model_->tree().validate();
    if (!fault.empty()) return fault;
    for (int i = 0; i < model_->shapes(); ++i)
        if (!equal(shape_poses_[i], shape_pose(i))) return "shape " + std::to_string(i) + " has moved unseen";
    return model_->uses_aabb() ? aligned_.validate(model_->tree(), shape_poses_.data(), model_->points().data())
                               : oriented_.validate(model_->tree(), shape_poses_.data());
}

ArticulatedState::Boxes ArticulatedState::boxes(int level) const {
    const ArticulatedModel& m = *model_;
    Boxes out;
    if (m.uses_tree() && m.shapes())
        for (const std::int32_t n : m.tree().at_level(level))
            m.uses_aabb() ? out.aligned.push_back(aligned_[n]) : out.oriented.push_back(oriented_[n]);
    if (m.refit() == ArticulatedRefit::none || (m.refit() == ArticulatedRefit::blocks && level > 0))
        for (int i = 0; i < m.shapes(); ++i) {
            ObbVolume box = carried(shape_pose(i), m.box(i));
            grow(box, 1e-14 * reach_of(box));
            out.oriented.push_back(box);
        }
    if (m.refit() == ArticulatedRefit::blocks && level == 0)
        for (int b = 0; b < blocks_.blocks(); ++b) {
            AabbVolume box;
            for (int k = 0; k < 3; ++k) {
                const double c = blocks_.field(k)[b] + blocks_.origin()[k];
                const double e = blocks_.field(3 + k)[b] + 4e-6 * blocks_.extent();
                box.low[k] = c - e;
                box.high[k] = c + e;
            }
            out.aligned.push_back(box);
        }
    return out;
}

}  // namespace elbowroom
