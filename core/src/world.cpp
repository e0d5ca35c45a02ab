#include "elbowroom/world/world.hpp"

#include <algorithm>

#include "world_recall.hpp"

namespace elbowroom {

namespace {

/// The box of a body along the axes of the world: inside the box along its own axes, and inside that of its tree.
void bounds_of(const RigidBody& body, const Rigid& pose, Vec3& low, Vec3& high) {
    const Vec3 middle = pose * ((body.low() + body.high()) * 0.5), half = (body.high() - body.low()) * 0.5;
    const auto& tree = body.wide().tree;
    const ObbVolume root = ObbVolume::unpack(tree.root().field);
    const Vec3 centre = pose * (root.centre + tree.origin);
    const Mat3 axes{
        {pose.rotation * root.axes.row[0], pose.rotation * root.axes.row[1], pose.rotation * root.axes.row[2]}};
    for (int k = 0; k < 3; ++k) {
        const Vec3 row = absolute(pose.rotation.row[k]);
        const double own = dot(row, half) * (1 + 1e-14);
        double turned = 0;
        for (int i = 0; i < 3; ++i) turned += std::fabs(axes.row[i][k]) * root.half[i];
        turned *= 1 + 1e-6;  // the axes are in single precision
        low[k] = most(middle[k] - own, centre[k] - turned);
        high[k] = least(middle[k] + own, centre[k] + turned);
    }
}

}  // namespace

FloatBox box_about(const RigidBody& body, const Rigid& pose) {
    Vec3 low, high;
    bounds_of(body, pose, low, high);
    if (body.count() == 1 && body.primitive(0).count == 1) {  // a ball
        const RoundedHull ball = body.primitive(0);
        const Vec3 centre = pose * ball.points[0], r{ball.radius, ball.radius, ball.radius};
        low = centre - r, high = centre + r;
    }
    // A product is wrong by the size of what goes into it, which may be more than the sides of the box.
    const double slack = 1e-14 * (body.reach() + length(pose.translation));
    const Vec3 more{slack, slack, slack};
    return FloatBox::about(low - more, high + more);
}

FloatBox box_about(const Chain& chain, const Rigid& pose) {
    const ChainTree& tree = chain.tree();
    Vec3 low{far_away, far_away, far_away}, high = -low;
    const std::vector<Vec3> centres = tree.centres();
    for (std::size_t i = 0; i < centres.size(); ++i) {
        const double radius = tree.radii()[std::int64_t(i)];
        const Vec3 centre = pose * centres[i], r{radius, radius, radius};
        low = lower_of(low, centre - r), high = upper_of(high, centre + r);
    }
    const double slack = 1e-12 * (length(low) + length(high));
    const Vec3 more{slack, slack, slack};
    return FloatBox::about(low - more, high + more);
}

World::World() : recall_(std::make_unique<WorldRecall>()) {}
World::~World() = default;

FloatBox World::box(std::int32_t part) const {
    const WorldPart& p = parts_[part];
    return p.body ? box_about(*p.body, p.pose) : box_about(*members_[p.member].chain, p.pose);
}

double World::weight(const WorldPart& p) const {
    return p.body ? double(p.body->count()) : double(members_[p.member].chain->balls());
}

std::int32_t World::new_member(const Rigid& pose, int units) {
    std::int32_t i = numbers();
    if (free_members_.empty())
        members_.emplace_back();
    else
        i = free_members_.back(), free_members_.pop_back();
    WorldMember& m = members_[i];
    m = WorldMember{};
    m.pose = pose;
    m.serial = next_serial_++;
    m.first_unit = next_unit_;
    next_unit_ += std::uint32_t(units);
    ++size_;
    return i;
}

std::int32_t World::new_part(std::int32_t member) {
    std::int32_t i = std::int32_t(parts_.size());
    if (free_parts_.empty())
        parts_.emplace_back();
    else
        i = free_parts_.back(), free_parts_.pop_back();
    WorldPart& p = parts_[i];
    p = WorldPart{};
    p.member = member;
    p.next = members_[member].first_part;
    p.unit = members_[member].first_unit;
    members_[member].first_part = i;
    return i;
}

void World::insert(std::int32_t part) {
    recall_->touch(part);
    const RigidBody* body = parts_[part].body;
    if (body && !body->is_bounded())
        unbounded_.push_back(part);
    else
        tree_.insert(part, box(part));
}

std::int32_t World::add(const RigidBody& body, const Rigid& pose) {
    const std::int32_t i = new_member(pose, 1), p = new_part(i);
    parts_[p].body = &body;
    parts_[p].pose = pose;
    insert(p);
    return i;
}

std::vector<std::int32_t> World::add_all(const std::vector<const RigidBody*>& bodies, const std::vector<Rigid>& poses) {
    std::vector<std::int32_t> out, parts;
    std::vector<FloatBox> boxes;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const std::int32_t i = new_member(poses[k], 1), p = new_part(i);
        parts_[p].body = bodies[k];
        parts_[p].pose = poses[k];
        out.push_back(i);
        if (bodies[k]->is_bounded())
            parts.push_back(p), boxes.push_back(box(p)), recall_->touch(p);
        else
            unbounded_.push_back(p), recall_->touch(p);
    }
    tree_.insert_all(parts, boxes);
    return out;
}

std::int32_t World::add(std::shared_ptr<const ArticulatedModel> model, std::shared_ptr<ArticulatedState> state,
                        const Rigid& pose) {
    const std::int32_t i = new_member(pose, model->links());
    members_[i].model = std::move(model);
    members_[i].state = std::move(state);
    const ArticulatedModel& made = *members_[i].model;
    for (int s = made.shapes() - 1; s >= 0; --s) {
        WorldPart& p = parts_[new_part(i)];
        p.shape = s, p.link = made.shape(s).link;
        p.unit += std::uint32_t(p.link);
        p.body = made.shape(s).body;
    }
    place(members_[i]);
    for (std::int32_t p = members_[i].first_part; p >= 0; p = parts_[p].next) insert(p);
    return i;
}

std::int32_t World::add(const NumberedChain* numbers, std::shared_ptr<Chain> chain,
                        std::shared_ptr<const SelfAsked> self, const Rigid& pose) {
    const std::int32_t i = new_member(pose, 1), p = new_part(i);
    members_[i].numbers = numbers;
    members_[i].chain = std::move(chain);
    members_[i].self = std::move(self);
    ++chains_;
    parts_[p].pose = pose;
    insert(p);
    return i;
}

void World::remove(std::int32_t member) {
    WorldMember& m = members_[member];
    detach(member);
    for (const std::int32_t child : m.attached) members_[child].parent = -1;
    forget_excluded(m);
    for (std::int32_t p = m.first_part, next; p >= 0; p = next) {
        next = parts_[p].next;
        recall_->touch(p);
        if (tree_.has(p))
            tree_.erase(p);
        else
            unbounded_.erase(std::find(unbounded_.begin(), unbounded_.end(), p));
        parts_[p].member = -1;
        free_parts_.push_back(p);
    }
    chains_ -= m.chain != nullptr;
    m = WorldMember{};
    free_members_.push_back(member);
    --size_;
}

/// The poses of the parts of a member.
void World::place(WorldMember& m) {
    for (std::int32_t p = m.first_part; p >= 0; p = parts_[p].next)
        parts_[p].pose = m.model ? m.pose * m.state->shape_pose(parts_[p].shape) : m.pose;
}

void World::refit(WorldMember& m, bool later) {
    place(m);
    for (std::int32_t p = m.first_part; p >= 0; p = parts_[p].next) {
        recall_->touch(p);
        if (!tree_.has(p)) continue;
        if (later)
            moved_.push_back(p);
        else
            tree_.move(p, box(p));
    }
}

Rigid World::place_of(std::int32_t member, std::int32_t link) const {
    const WorldMember& m = members_[member];
    return link < 0 ? m.pose : m.pose * m.state->link_pose(link);
}

/// What is attached to a member follows it.
void World::carry(std::int32_t member, bool later) {
    for (const std::int32_t child : members_[member].attached) {
        WorldMember& m = members_[child];
        m.pose = place_of(member, m.parent_link) * m.offset;
        for (int k = 0; k < 3; ++k) m.pose.rotation = closer_to_rotation(m.pose.rotation);
        refit(m, later);
        carry(child, later);
    }
}

void World::move(std::int32_t member, const Rigid& pose) {
    WorldMember& m = members_[member];
    m.pose = pose;
    if (m.parent >= 0) m.offset = relative(place_of(m.parent, m.parent_link), pose);
    refit(m, false);
    carry(member, false);
}

void World::move_all(const std::vector<std::int32_t>& members, const std::vector<Rigid>& poses) {
    std::vector<std::size_t> order(members.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    auto depth = [&](std::int32_t member) {
        int out = 0;
        while ((member = members_[member].parent) >= 0) ++out;
        return out;
    };
    const bool hanging = std::any_of(members.begin(), members.end(), [&](auto i) { return members_[i].parent >= 0; });
    if (hanging)  // those that carry others come first
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return depth(members[a]) < depth(members[b]); });
    moved_.clear();
    for (const std::size_t i : order) {
        WorldMember& m = members_[members[i]];
        m.pose = poses[i];
        if (m.parent >= 0) m.offset = relative(place_of(m.parent, m.parent_link), m.pose);
        refit(m, true);
        carry(members[i], true);
    }
    finish_moves();
}

void World::finish_moves() {
    if (size_ != std::int32_t(moved_.size())) std::sort(moved_.begin(), moved_.end());
    moved_.erase(std::unique(moved_.begin(), moved_.end()), moved_.end());
    moved_boxes_.clear();
    for (const std::int32_t p : moved_) moved_boxes_.push_back(box(p));
    tree_.move_all(moved_, moved_boxes_);
}

void World::renew(std::int32_t member, std::shared_ptr<const ArticulatedModel> model,
                  std::shared_ptr<ArticulatedState> state) {
    WorldMember& m = members_[member];
    m.model = std::move(model);
    m.state = std::move(state);
    refit(m, false);
    carry(member, false);
}

void World::renew(std::int32_t member, std::shared_ptr<Chain> chain) {
    members_[member].chain = std::move(chain);
    refit(members_[member], false);
}

void World::attach(std::int32_t member, std::int32_t to, std::int32_t link) {
    detach(member);
    WorldMember& m = members_[member];
    members_[to].attached.push_back(member);
    m.parent = to, m.parent_link = link;
    m.offset = relative(place_of(to, link), m.pose);
}

void World::detach(std::int32_t member) {
    WorldMember& m = members_[member];
    if (m.parent < 0) return;
    std::vector<std::int32_t>& siblings = members_[m.parent].attached;
    siblings.erase(std::find(siblings.begin(), siblings.end(), member));
    m.parent = m.parent_link = -1;
}

bool World::hangs_on(std::int32_t member, std::int32_t other) const {
    for (; member >= 0; member = members_[member].parent)
        if (member == other) return true;
    return false;
}

std::size_t World::bytes() const {
    std::size_t out = members_.capacity() * sizeof(WorldMember) + parts_.capacity() * sizeof(WorldPart) + tree_.bytes();
    out += (free_members_.capacity() + free_parts_.capacity() + unbounded_.capacity()) * sizeof(std::int32_t);
    out += (moved_.capacity() + 6 * moved_boxes_.capacity()) * sizeof(std::int32_t);
    out += recall_->bytes();
    for (const auto& [unit, partners] : excluded_) out += 64 + 40 * partners.size();
    return out;
}

std::string World::validate() const {
    if (const std::string fault = tree_.validate(); !fault.empty()) return fault;
    std::int32_t count = 0, parts = 0;
    for (std::int32_t i = 0; i < numbers(); ++i) {
        const WorldMember& m = members_[i];
        const std::string name = "member " + std::to_string(i);
        if (!m.serial) continue;
        ++count;
        for (std::int32_t p = m.first_part; p >= 0; p = parts_[p].next) {
            const WorldPart& part = parts_[p];
            if (part.member != i) return name + " has a part of another";
            const bool bounded = !part.body || part.body->is_bounded();
            if (bounded != tree_.has(p)) return name + " is in the wrong list";
            if (bounded && !(tree_.box(p) == box(p))) return name + " has moved unseen";
            parts += bounded;
        }
        for (const std::int32_t child : m.attached)
            if (members_[child].parent != i) return name + " carries what is attached to another";
        if (m.parent >= 0) {
            if (!members_[m.parent].serial) return name + " is attached to nothing";
            const Rigid to = place_of(m.parent, m.parent_link) * m.offset;
            if (length(to.translation - m.pose.translation) > 1e-9 * (1 + length(m.pose.translation)))
                return name + " did not follow what it is attached to";
        }
    }
    if (count != size_) return "the number of members is wrong";
    if (parts != tree_.size()) return "the number of parts is wrong";
    for (const auto& [unit, partners] : excluded_)
        for (const std::uint32_t other : partners)
            if (!is_excluded(other, unit) || !owner_.count(unit)) return "an exclusion has one side";
    return "";
}

}  // namespace elbowroom
