#include "elbowroom/motion/motion_scene.hpp"

#include <stdexcept>

#include "elbowroom/bodies/articulated.hpp"
#include "elbowroom/interruption.hpp"
#include "elbowroom/queries/memory_limit.hpp"

namespace elbowroom {

namespace {

Mat3 rotation_of(const double* q) {
    const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return matrix(Quat{q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm});
}

/// What a joint does when its values go straight from one configuration to another; turns of ball joints and free ones
/// take the short way round.
LinearMotion joint_motion(const ArticulatedJoint& joint, const double* from, const double* to) {
    const Rigid& origin = joint.origin;
    const double *x = from + joint.value, *y = to + joint.value;
    switch (joint.kind) {
        case JointKind::revolute: {
            const double start = joint.multiplier * x[0] + joint.offset, by = joint.multiplier * (y[0] - x[0]);
            const Vec3 axis = origin.rotation * joint.axis;
            return {{origin.rotation * rotation_about(joint.axis, start), origin.translation},
                    {},
                    by < 0 ? -axis : axis,
                    std::fabs(by)};
        }
        case JointKind::prismatic: {
            const double start = joint.multiplier * x[0] + joint.offset, by = joint.multiplier * (y[0] - x[0]);
            return {{origin.rotation, origin * (joint.axis * start)}, origin.rotation * joint.axis * by, {0, 0, 1}, 0};
        }
        case JointKind::spherical:
            return LinearMotion::between(origin * Rigid{rotation_of(x), {}}, origin * Rigid{rotation_of(y), {}});
        case JointKind::free:
            return LinearMotion::between(origin * Rigid{rotation_of(x + 3), {x[0], x[1], x[2]}},
                                         origin * Rigid{rotation_of(y + 3), {y[0], y[1], y[2]}});
        default:
            return {origin, {}, {0, 0, 1}, 0};
    }
}

/// Half the diagonal of the box about a primitive, in the mean; without half-spaces.
double mean_size(const RigidBody& body) {
    double sum = 0;
    int bounded = 0;
    Poll poll(1024);
    for (int i = 0; i < body.count(); ++i) {
        poll();
        const RoundedHull h = body.primitive(i);
        if (h.is_half_space()) continue;
        Vec3 low = h.points[0], high = low;
        for (int k = 1; k < h.count; ++k) {
            const Vec3 p = h.points[k];
            low = {least(low.x, p.x), least(low.y, p.y), least(low.z, p.z)};
            high = {most(high.x, p.x), most(high.y, p.y), most(high.z, p.z)};
        }
        sum += 0.5 * length(high - low) + h.radius;
        ++bounded;
    }
    return bounded ? sum / bounded : 0;
}

}  // namespace

int MotionScene::add_frame(int parent, const LinearMotion& motion) {
    parents_.push_back(parent);
    own_.push_back(motion);
    return int(parents_.size()) - 1;
}

int MotionScene::add_links(std::shared_ptr<const ArticulatedModel> model, int parent, const double* from,
                           const double* to) {
    const int first = int(parents_.size()), values = model->parts().values;
    for (const ArticulatedJoint& j : model->parts().joints) add_frame(j.parent < 0 ? parent : first + j.parent, {});
    links_.push_back({std::move(model), first, {from, from + values}, {to, to + values}});
    return first;
}

int MotionScene::add_piece(const RigidBody& body, int frame, const Rigid& pose) {
    bodies_.push_back(body);
    pieces_.push_back({&bodies_.back(), frame, pose});
    const MotionPiece& piece = pieces_.back();
    reach_.push_back(farthest_reach(*piece.body, piece.pose, nullptr));
    size_.push_back(0.5 * length(piece.body->high() - piece.body->low()));
    grain_.push_back(mean_size(*piece.body));
    const bool wide = !piece.body->wide().empty();
    balls_.push_back({wide ? piece.body->wide().tree.origin : piece.body->binary().tree.origin,
                      wide ? piece.body->wide().tree.radius : piece.body->binary().tree.radius});
    return int(pieces_.size()) - 1;
}

MotionFilter::MotionFilter(const LinkPairs& links_a, const LinkPairs& links_b, std::int32_t g, const LinkPairs& pairs)
    : gap(g) {
    for (const auto& [first, last] : links_a) {
        first_a.push_back(first);
        last_a.push_back(last);
    }
    for (const auto& [first, last] : links_b) {
        first_b.push_back(first);
        last_b.push_back(last);
    }
    excluded.insert(pairs.begin(), pairs.end());
}

int MotionScene::add_filter(MotionFilter filter) {
    filters_.push_back(std::move(filter));
    return int(filters_.size()) - 1;
}

/// Numbers the frames so that what a frame carries is a range.
void MotionScene::number_families() {
    if (families_.size() == parents_.size()) return;
    const std::size_t n = parents_.size();
    std::vector<std::int32_t> size(n, 1), next(n + 1, 0);
    for (std::size_t f = n; f-- > 0;)  // parents have smaller numbers
        if (parents_[f] >= 0) size[parents_[f]] += size[f];
    families_.resize(n);
    for (std::size_t f = 0; f < n; ++f) {
        std::int32_t& free = next[parents_[f] + 1];
        families_[f] = {free, free + size[f]};
        free += size[f];
        next[f + 1] = families_[f][0] + 1;
    }
}

/// Does frame f carry frame g? The world carries all.
bool MotionScene::carries(int f, int g) const {
    if (f < 0 || g < 0) return f < 0;
    return families_[g][0] >= families_[f][0] && families_[g][0] < families_[f][1];
}

/// Is it better to sweep piece a, seen from b, than the other way round? What hangs on the other moves about axes of
/// its own; seen from it, the other would move about axes that are far away. Else the piece with fewer primitives. What
/// is unbounded cannot be swept.
bool MotionScene::is_better_swept(int a, int b) const {
    if (!pieces_[a].body->is_bounded()) return false;
    if (!pieces_[b].body->is_bounded()) return true;
    const int f = pieces_[a].frame, g = pieces_[b].frame;
    if (f != g && carries(g, f)) return true;
    if (f != g && carries(f, g)) return false;
    return pieces_[a].body->count() < pieces_[b].body->count();
}

void MotionScene::compare(int a, int b, int filter, bool has_width) {
    number_families();
    if (!pieces_[a].body->is_bounded() && !pieces_[b].body->is_bounded())
        throw std::invalid_argument("a half-space on a motion cannot be checked against another half-space");
    if (filter < 0 && is_better_swept(b, a)) std::swap(a, b);
    pairs_.push_back({a, b, filter, has_width});
    weight_ += std::int64_t(pieces_[a].body->count()) * pieces_[b].body->count();
}

const ArticulatedModel* MotionScene::moved_links() const {
    for (const Links& l : links_)
        if (l.first == mover_) return l.model.get();
    return nullptr;
}

void MotionScene::compare_all(const std::vector<int>& pieces, const MotionFilter::LinkPairs& excluded, int first) {
    std::set<std::array<std::int32_t, 2>> excluded_frames;
    for (const auto& p : excluded) excluded_frames.insert({first + least(p[0], p[1]), first + most(p[0], p[1])});
    const std::size_t n = pieces.size();
    refuse_too_many(n * (n - (n > 0)) / 2, 4 * sizeof(MotionPair) + 2 * sizeof(PointBound));
    Poll poll;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) {
            poll();
            const std::int32_t f = pieces_[pieces[i]].frame, g = pieces_[pieces[j]].frame;
            if (!excluded_frames.count({least(f, g), most(f, g)})) compare(pieces[i], pieces[j], -1);
        }
}

void MotionScene::motions(double from, double to, std::vector<LinearMotion>& out) const {
    out = own_;
    for (const Links& l : links_) set_links(l.first, l.from.data(), l.to.data(), out);
    if (from == 0 && to == 1) return;
    for (LinearMotion& m : out) m = m.part(from, to);
}

void MotionScene::set_links(int first, const double* from, const double* to, std::vector<LinearMotion>& out) const {
    for (const Links& l : links_) {
        if (l.first != first) continue;
        const std::vector<ArticulatedJoint>& joints = l.model->parts().joints;
        for (std::size_t k = 0; k < joints.size(); ++k) out[first + k] = joint_motion(joints[k], from, to);
    }
}

void MotionScene::poses(const std::vector<LinearMotion>& motions, double t, std::vector<Rigid>& out) const {
    out.resize(parents_.size());
    for (std::size_t f = 0; f < parents_.size(); ++f) {
        const Rigid here = motions[f].at(t);
        out[f] = parents_[f] < 0 ? here : out[parents_[f]] * here;
    }
}

/// Through the frames between the two: from the first upwards, then down to the second. What is above both moves
/// neither against the other.
PointBound MotionScene::bound(const MotionPair& pair, const std::vector<LinearMotion>& motions) const {
    constexpr int few = 64;
    std::int32_t place[few];
    std::vector<std::int32_t> more;
    int a = pieces_[pair.a].frame, b = pieces_[pair.b].frame, count = 0;
    PointBound out;
    while (a != b)  // parents have smaller numbers
        if (a > b) {
            out.up(motions[a]);
            a = parents_[a];
        } else {
            if (count < few)
                place[count++] = b;
            else
                more.push_back(b);
            b = parents_[b];
        }
    for (std::size_t k = more.size(); k-- > 0;) out.down(motions[more[k]]);
    while (count > 0) out.down(motions[place[--count]]);
    return out;
}

}  // namespace elbowroom
