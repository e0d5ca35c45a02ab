#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "elbowroom/bodies/articulated.hpp"
#include "elbowroom/bodies/rigid_body.hpp"

namespace elbowroom {

namespace {

/// The rotations about an axis by an angle are along + cos * across + sin * turned.
struct RotationParts {
    Mat3 along, across, turned;
    explicit RotationParts(Vec3 u) {
        for (int i = 0; i < 3; ++i) along.row[i] = u * u[i];
        across = Mat3::identity() + along * -1;
        turned = {{{0, -u.z, u.y}, {u.z, 0, -u.x}, {-u.y, u.x, 0}}};
    }
};

FrameRows rows_of(const Mat3& rotation, Vec3 translation) { return FrameRows(Rigid{rotation, translation}); }

bool is_identity(const FrameRows& f) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; ++j)
            if (f.at[i][j] != (i == j ? 1.0 : 0.0)) return false;
    return true;
}

/// If the eight points are the corners of a box, in the order of the bits of their numbers: that box.
bool as_box(const RigidBody& body, ObbVolume& box) {
    if (body.count() != 1) return false;
    const RoundedHull h = body.primitive(0);
    if (h.count != 8 || h.radius != 0) return false;
    Vec3 low = h.points[0], high = h.points[0];
    for (int i = 1; i < 8; ++i) low = lower_of(low, h.points[i]), high = upper_of(high, h.points[i]);
    unsigned seen = 0;
    for (int i = 0; i < 8; ++i) {
        unsigned corner = 0;
        for (int k = 0; k < 3; ++k) {
            if (h.points[i][k] != low[k] && h.points[i][k] != high[k]) return false;
            corner |= unsigned(h.points[i][k] == high[k]) << k;
        }
        seen |= 1u << corner;
    }
    box = {(low + high) * 0.5, (high - low) * 0.5};
    return seen == 255u && (high - low) * 0.5 + (low + high) * 0.5 == high;  // to the last bit
}

/// A box about the points of a body; of the points of its hull, if that is known, which is the same and less work.
ObbVolume fitted_box(const ArticulatedShape& shape) {
    std::vector<Vec3> points = shape.hull;
    std::vector<double> radii(points.size(), shape.hull_radius);
    if (points.empty())
        for (int i = 0; i < shape.body->count(); ++i) {
            const RoundedHull h = shape.body->primitive(i);
            points.insert(points.end(), h.points, h.points + h.count), radii.insert(radii.end(), h.count, h.radius);
        }
    ObbVolume box = ObbVolume::fit({points.data(), radii.data(), int(points.size())});
    grow(box, 1e-14 * reach_of(box));
    return box;
}

/// The vertices of a body, each once: triangles share theirs.
ArticulatedModel::VertexBalls vertices_of(const RigidBody& body) {
    std::vector<std::array<double, 4>> all;
    for (int i = 0; i < body.count(); ++i) {
        const RoundedHull h = body.primitive(i);
        for (int k = 0; k < h.count; ++k) all.push_back({h.points[k].x, h.points[k].y, h.points[k].z, h.radius});
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    ArticulatedModel::VertexBalls out;
    for (const auto& p : all) out.points.push_back({p[0], p[1], p[2]}), out.radii.push_back(p[3]);
    return out;
}

}  // namespace

ArticulatedModel::ArticulatedModel(ArticulatedParts parts) : parts_(std::move(parts)) {
    make_frames();
    make_boxes();
    make_quick_hulls();
    make_rigs();
    make_tree();
    make_compared();
    make_fingerprint();
    if (!widths())
        throw std::invalid_argument(
            "links have bodies with trees of different widths: make all with the same `children`");
}

void ArticulatedModel::make_frames() {
    for (int l = 0; l < links(); ++l) {
        const ArticulatedJoint& j = parts_.joints[l];
        const Rigid above = j.parent < 0 ? Rigid{} : rigid_of_rows(&link_in_frame_[j.parent].at[0][0]);
        const std::int32_t frame = j.parent < 0 ? -1 : link_frame_[j.parent];
        const Rigid origin = above * j.origin;
        if (j.kind == JointKind::fixed && frame >= 0) {
            link_frame_.push_back(frame), link_in_frame_.push_back(FrameRows(origin));
            continue;
        }
        Frame f{frame, j.kind, j.value, -1, frame < 0 ? 0 : frames_[frame].level + 1, FrameRows(origin), {}, {}};
        if (j.kind == JointKind::revolute) {
            const RotationParts r(j.axis);
            f.origin = rows_of(origin.rotation * r.along, origin.translation);
            f.cosine = rows_of(origin.rotation * r.across, {}), f.sine = rows_of(origin.rotation * r.turned, {});
        }
        if (j.kind == JointKind::prismatic) f.cosine = rows_of(Mat3{}, origin.rotation * j.axis);
        if (j.kind == JointKind::revolute || j.kind == JointKind::prismatic) {
            f.scalar = std::int32_t(scalars_.size());
            scalars_.push_back({j.value, j.multiplier, j.offset});
        }
        link_frame_.push_back(std::int32_t(frames_.size())), link_in_frame_.push_back(FrameRows(Rigid{}));
        frames_.push_back(f);
    }
}

void ArticulatedModel::make_boxes() {
    for (int i = 0; i < shapes(); ++i) {
        const ArticulatedShape& s = shape(i);
        shape_link_.push_back(s.link), widths_ &= widths_of(*s.body);
        weight_ += least(64, s.body->count());
        ObbVolume box;
        is_box_.push_back(as_box(*s.body, box));
        box_.push_back(is_box_.back() ? box : fitted_box(s));
    }
    weight_ = 1 + weight_ / 8;
}

void ArticulatedModel::make_quick_hulls() {
    auto lanes = std::make_shared<std::vector<std::vector<Eight>>>(shapes());
    auto points = std::make_shared<std::vector<std::vector<Vec3>>>(shapes());
    for (int i = 0; i < shapes(); ++i) {
        const ArticulatedShape& s = shape(i);
        QuickHull q{{}, nullptr, 0, box_[i].centre, 0, s.hull_radius};
        std::vector<Vec3>& padded = (*points)[i];
        padded = s.hull;
        while (padded.size() % 8) padded.push_back(padded.back());
        for (const Vec3 p : padded) q.reach = most(q.reach, length(p - q.centre));
        q.eights = int(padded.size() / 8), q.points = padded.data();
        std::vector<Eight>& floats = (*lanes)[i];
        floats.resize(3 * std::size_t(q.eights));
        for (std::size_t k = 0; k < padded.size(); ++k)
            for (int c = 0; c < 3; ++c)
                floats[std::size_t(c) * q.eights + k / 8].v[k % 8] =
                    float((padded[k][c] - q.centre[c]) / most(q.reach, 1e-300));
        for (int c = 0; c < 3 && q.eights; ++c) q.lanes[c] = floats[std::size_t(c) * q.eights].v;
        quick_.push_back(q);
    }
    lanes_ = lanes, hull_points_ = points;
}

void ArticulatedModel::make_rigs() {
    auto carry = [&](Rig& rig, int i, std::int32_t frame, const Rigid& pose) {
        const ObbVolume& box = box_[i];
        CarriedBox carried;
        // The columns of a box's axes are its rows transposed.
        carried.local = FrameRows(pose * Rigid{transposed(box.axes), box.centre});
        for (int k = 0; k < 3; ++k) carried.half[k] = float(box.half[k] * (1 + 3e-7));
        carried.frame = frame, carried.aligned = is_identity(carried.local);
        rig.boxes.push_back(carried), rig.shapes.push_back(FrameRows(pose));
    };
    for (int i = 0; i < shapes(); ++i) {
        const ArticulatedShape& s = shape(i);
        const Rigid link = rigid_of_rows(&link_in_frame_[s.link].at[0][0]);
        carry(by_joints_, i, link_frame_[s.link], link * s.pose);
        carry(by_links_, i, s.link, s.pose);
    }
}

void ArticulatedModel::make_points() {
    if (refit() != ArticulatedRefit::aabb_all) return;
    auto kept = std::make_shared<std::vector<VertexBalls>>();
    for (const ArticulatedShape& s : parts_.shapes) kept->push_back(vertices_of(*s.body));
    for (const VertexBalls& v : *kept) points_.push_back({v.points.data(), int(v.points.size()), v.radii.data()});
    vertices_ = kept;
}

void ArticulatedModel::make_tree() {
    if (!uses_tree()) return;
    make_points();
    LinkTreeParts tree;
    for (const ArticulatedJoint& j : parts_.joints) tree.parent.push_back(j.parent);
    for (const ArticulatedShape& s : parts_.shapes) tree.link.push_back(s.link);
    tree.box = box_;
    tree_ = std::make_shared<LinkTree>(tree);
}

void ArticulatedModel::make_compared() {
    std::vector<std::vector<std::int32_t>> shapes_of(links()), apart_from(links());
    for (int i = 0; i < shapes(); ++i) shapes_of[shape(i).link].push_back(i);
    for (const PrimitivePair& p : parts_.excluded) apart_from[p[0]].push_back(p[1]), apart_from[p[1]].push_back(p[0]);
    for (const auto& of_link : shapes_of) has_bare_links_ = has_bare_links_ || of_link.empty();
    compared_ = ShapeBits(shapes());
    compared_.set_all(shapes());
    auto primitives = [&](int i) { return double(shape(i).body->count()); };
    double squares = 0;
    primitives_ = 0;
    for (int i = 0; i < shapes(); ++i) primitives_ += primitives(i), squares += primitives(i) * primitives(i);
    compared_primitives_ = (primitives_ * primitives_ - squares) / 2;
    for (int l = 0; l < links(); ++l) {
        apart_from[l].push_back(l);
        for (const std::int32_t other : apart_from[l])
            for (const std::int32_t i : shapes_of[l])
                for (const std::int32_t j : shapes_of[other])
                    if (i != j && compared_(i, j)) {
                        compared_primitives_ -= primitives(i) * primitives(j);
                        compared_.clear(i, j), compared_.clear(j, i);
                    }
    }
    partners_.clear(), partners_from_.assign(1, 0), numbers_.clear();
    if (!suits_lanes()) return;
    for (int i = 0; i < shapes(); ++i) {
        numbers_.push_back(i);
        for (int j = i + 1; j < shapes(); ++j)
            if (compared_(i, j)) partners_.push_back(j);
        partners_from_.push_back(std::int32_t(partners_.size()));
    }
}

void ArticulatedModel::make_fingerprint() {
    std::uint64_t state = 0xcbf29ce484222325ull;
    auto add = [&](const auto& value) {
        std::uint64_t words[(sizeof(value) + 7) / 8] = {};
        std::memcpy(words, &value, sizeof(value));
        for (const std::uint64_t w : words) state = (state ^ w) * 0x100000001b3ull, state ^= state >> 29;
    };
    for (const ArticulatedJoint& j : parts_.joints)
        add(j.parent), add(int(j.kind)), add(j.origin), add(j.axis), add(j.value), add(j.multiplier), add(j.offset);
    for (const ArticulatedShape& s : parts_.shapes) add(s.body->fingerprint()), add(s.link), add(s.pose);
    fingerprint_ = state;
}

unsigned ArticulatedModel::widths_of(const RigidBody& body) {
    return (body.wide().empty() ? 0u : 1u) | (body.binary().empty() ? 0u : 2u);
}

std::shared_ptr<const ArticulatedModel> ArticulatedModel::excluding(std::vector<PrimitivePair> pairs) const {
    auto other = std::make_shared<ArticulatedModel>(*this);
    other->parts_.excluded = std::move(pairs);
    other->make_compared();
    return other;
}

}  // namespace elbowroom
