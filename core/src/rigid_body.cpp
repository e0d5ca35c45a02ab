#include "elbowroom/bodies/rigid_body.hpp"

#include <atomic>
#include <stdexcept>

#include "elbowroom/trees/joined_tree.hpp"
#include "elbowroom/trees/validate.hpp"
#include "rigid_hierarchy.hpp"

namespace elbowroom {

namespace {

std::atomic<std::uint64_t> trees_built{0}, trees_planned{0}, trees_joined{0};

/// After so many joins, what single precision took from the axes of boxes is still far within the margins.
constexpr int most_joins = 4;

template <class Tree>
void collect(const Tree& tree, int record, int level, std::vector<ObbVolume>& out) {
    const auto& r = tree.records[record];
    if (level == 0 || r.is_leaf()) {
        ObbVolume box = ObbVolume::unpack(r.field);
        box.centre = box.centre + tree.origin;
        return out.push_back(box);
    }
    for (int k = 0; k < Tree::width; ++k)
        if (tree.lanes[r.child].valid >> k & 1) collect(tree, r.child * Tree::width + k, level - 1, out);
}

template <class Tree>
void collect_items(const Tree& tree, int record, std::vector<std::int32_t>& out) {
    const auto& r = tree.records[record];
    if (r.is_leaf()) {
        const TreeLeaf& leaf = tree.leaves[r.leaf()];
        out.insert(out.end(), tree.order.begin() + leaf.first, tree.order.begin() + leaf.first + leaf.count);
        return;
    }
    for (int k = 0; k < Tree::width; ++k)
        if (tree.lanes[r.child].valid >> k & 1) collect_items(tree, r.child * Tree::width + k, out);
}

}  // namespace

std::shared_ptr<RigidBody::Data> RigidBody::begin(std::vector<Vec3> points, std::vector<int> first,
                                                  std::vector<double> radius) {
    auto made = std::make_shared<Data>();
    made->points = std::move(points), made->first = std::move(first), made->radius = std::move(radius);
    use(made);
    const Items all = items();
    for (int i = 0; i < count_; ++i)
        if (all.is_unbounded(i)) made->half_spaces.push_back(i);
    measure(*made);
    return made;
}

void RigidBody::use(const std::shared_ptr<Data>& data) {
    data_ = data;
    points_ = data->points.data(), first_ = data->first.data(), radius_ = data->radius.data();
    count_ = int(data->radius.size());
}

void RigidBody::measure(Data& d) const {
    d.low = {far_away, far_away, far_away}, d.high = -d.low, d.reach = 0;
    const Items all = items();
    double farthest2 = 0;
    for (int i = 0; i < count_; ++i) {
        const double radius = all.is_unbounded(i) ? 0.0 : radius_[i];
        const Vec3 r{radius, radius, radius};
        double reach2 = 0;
        for (int k = first_[i]; k < all.last_place(i); ++k) {
            d.low = lower_of(d.low, points_[k] - r), d.high = upper_of(d.high, points_[k] + r);
            reach2 = most(reach2, length2(points_[k]));
        }
        if (radius > 0) d.reach = most(d.reach, std::sqrt(reach2) + radius);
        farthest2 = most(farthest2, reach2);
    }
    d.reach = most(d.reach, std::sqrt(farthest2));
}

void RigidBody::finish(Data& d) {
    Fingerprint print;
    print.add(d.points), print.add(d.first), print.add(d.radius);
    d.fingerprint = print.value();
    if (!d.wide.empty()) add_form(print, d.wide.tree);
    if (!d.binary.empty()) add_form(print, d.binary.tree);
    d.identity = print.value();
}

RigidBody::RigidBody(std::vector<Vec3> points, std::vector<int> first, std::vector<double> radius, int children) {
    const std::shared_ptr<Data> d = begin(std::move(points), std::move(first), std::move(radius));
    if (children == 8 || count() == 1) make(d->wide, *this);
    if (children == 2 || count() == 1) make(d->binary, *this);
    ++trees_built;
    finish(*d);
}

RigidBody::RigidBody(std::vector<Vec3> points, std::vector<int> first, std::vector<double> radius, int children,
                     const TreePlan& plan) {
    const std::shared_ptr<Data> d = begin(std::move(points), std::move(first), std::move(radius));
    if (children == 8 || count() == 1) make(d->wide, *this, plan);
    if (children == 2 || count() == 1) make(d->binary, *this, plan);
    ++trees_planned;
    finish(*d);
}

RigidBody::TreeCounts RigidBody::tree_counts() { return {trees_built, trees_planned, trees_joined}; }

bool RigidBody::joinable(const std::vector<RigidMember>& members) {
    for (const RigidMember& m : members)
        if (m.body->wide().empty() || m.body->wide().joins >= most_joins) return false;
    return true;
}

RigidBody::RigidBody(const std::vector<RigidMember>& members) {
    std::size_t all = 0, primitives = 0;
    for (const RigidMember& m : members) all += m.body->points().size(), primitives += std::size_t(m.body->count());
    std::vector<Vec3> points;
    std::vector<int> first{0};
    std::vector<double> radius;
    points.reserve(all), first.reserve(primitives + 1), radius.reserve(primitives);
    std::vector<TreeMember<RigidHierarchy<8>::Tree>> trees;
    int most_items = 1, joins = 0;
    for (const RigidMember& m : members) {
        trees.push_back({&m.body->wide().tree, m.pose, std::int32_t(radius.size())});
        most_items = most(most_items, m.body->wide().most_items), joins = most(joins, m.body->wide().joins);
        const int before = int(points.size());
        for (const Vec3& p : m.body->points()) points.push_back(m.pose * p);
        for (const std::int32_t i : m.body->half_spaces()) {
            const int normal = m.body->first()[i] + 1;
            points[before + normal] = m.pose.rotation * m.body->points()[normal];
        }
        for (int i = 1; i <= m.body->count(); ++i) first.push_back(before + m.body->first()[i]);
        radius.insert(radius.end(), m.body->radius().begin(), m.body->radius().end());
    }
    const std::shared_ptr<Data> d = begin(std::move(points), std::move(first), std::move(radius));
    // A leaf with no more than so many primitives may hold copies or not: they are all compared.
    d->wide.most_items = most_items, d->wide.joins = joins + 1;
    d->wide.tree = JoinedTree<RigidHierarchy<8>::Tree>(trees, items()).run();
    complete(d->wide, *this);
    ++trees_joined;
    finish(*d);
}

std::string RigidBody::validate() const {
    std::string fault = wide().empty() ? "" : elbowroom::validate(wide().tree, items());
    return fault.empty() && !binary().empty() ? elbowroom::validate(binary().tree, items()) : fault;
}

TreePlan RigidBody::plan() const {
    if (wide().joins) return {};
    return wide().empty() ? PlanWriter(binary().tree).run() : PlanWriter(wide().tree).run();
}

std::vector<std::int32_t> RigidBody::below(int record) const {
    std::vector<std::int32_t> out;
    auto collect_from = [&](const auto& tree) {
        if (record < 0 || record >= int(tree.records.size()))
            throw std::invalid_argument("record must be one of the tree's");
        collect_items(tree, record, out);
    };
    wide().empty() ? collect_from(binary().tree) : collect_from(wide().tree);
    return out;
}

std::vector<ObbVolume> RigidBody::boxes(int level) const {
    std::vector<ObbVolume> out;
    if (wide().empty())
        collect(binary().tree, 0, level, out);
    else
        collect(wide().tree, 0, level, out);
    return out;
}

}  // namespace elbowroom
