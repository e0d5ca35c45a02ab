#include "elbowroom/bodies/rigid_body.hpp"

#include <atomic>
#include <cstring>
#include <stdexcept>

#include "elbowroom/batch/parallel.hpp"
#include "elbowroom/trees/build.hpp"
#include "elbowroom/trees/joined_tree.hpp"
#include "elbowroom/trees/plan_reader.hpp"
#include "elbowroom/trees/validate.hpp"

namespace elbowroom {

namespace {

/// FNV-1a over the bytes of the geometry: the same body has the same fingerprint on every run and after a copy.
class Fingerprint {
public:
    template <class T>
    void add(const std::vector<T>& values) {
        for (const T& value : values) {
            std::uint64_t words[(sizeof(T) + 7) / 8] = {};
            std::memcpy(words, &value, sizeof(T));
            for (const std::uint64_t w : words) state_ = (state_ ^ w) * 0x100000001b3ull, state_ ^= state_ >> 29;
        }
    }
    std::uint64_t value() const { return state_; }

private:
    std::uint64_t state_ = 0xcbf29ce484222325ull;
};

template <int Width>
void fill_leaves(RigidHierarchy<Width>& h, const RigidBody& body) {
    h.plain.assign(h.tree.leaves.size(), 0);
    for (std::size_t l = 0; l < h.tree.leaves.size(); ++l) {
        const TreeLeaf& leaf = h.tree.leaves[l];
        bool plain = true;
        for (int k = 0; k < leaf.count; ++k) {
            const RoundedHull p = body.primitive(h.tree.order[leaf.first + k]);
            plain = plain && p.count == 3 && p.radius == 0 && is_plain(p.points);
        }
        if (!plain) continue;
        if (h.triangles.empty()) h.triangles.resize(h.tree.leaves.size());
        h.plain[l] = 1;
        for (int k = 0; k < 2; ++k)
            h.triangles[l].set(k, body.primitive(h.tree.order[leaf.first + least(k, leaf.count - 1)]).points);
    }
}

/// Two triangles share a leaf, because the kernel takes four pairs at once; other primitives have a leaf of their own.
bool all_triangles(const RigidBody& body) {
    for (int i = 0; i < body.count(); ++i)
        if (const RoundedHull p = body.primitive(i); p.count != 3 || p.radius != 0) return false;
    return true;
}

/// The axes of a right-handed frame, of which the first is given.
Mat3 axes_across(Vec3 first) {
    int least_of = 0;
    for (int k = 1; k < 3; ++k)
        if (std::fabs(first[k]) < std::fabs(first[least_of])) least_of = k;
    Vec3 other;
    other[least_of] = 1;
    const Vec3 second = normalised(cross(first, other), other);
    return {{first, second, cross(first, second)}};
}

/// Parts of the work on a large body, on all cores.
void on_all_cores(int count, const std::function<void(int)>& f) {
    in_parallel(
        count, available_threads(),
        [&] {
            return [&](std::ptrdiff_t first, std::ptrdiff_t last) {
                for (std::ptrdiff_t i = first; i < last; ++i) f(int(i));
            };
        },
        1);
}
/// Threads cost more than they bring for a small body.
Spread spread_for(const RigidBody& body) { return body.count() < 4000 ? Spread(one_by_one) : Spread(on_all_cores); }

std::atomic<std::uint64_t> trees_built{0}, trees_planned{0}, trees_joined{0};

/// The leaf of a half-space says where its plane is.
template <class Tree>
void describe_half_spaces(Tree& tree, const RigidBody& body) {
    if (body.is_bounded()) return;
    for (int r = 0; r < int(tree.records.size()); ++r) {
        if (!is_used(tree, r) || !tree.records[r].is_leaf()) continue;
        const RoundedHull p = body.primitive(tree.order[tree.leaves[tree.records[r].leaf()].first]);
        if (!p.is_half_space()) continue;
        const Mat3 axes = axes_across(p.points[1]);
        ObbVolume{p.points[0] - tree.origin, {unbounded, unbounded, unbounded}, axes}.pack(tree.records[r].field, 1e12);
        tree.copy_to_lane(r);
    }
}

/// What goes with a tree that was made.
template <int Width>
void complete(RigidHierarchy<Width>& h, const RigidBody& body) {
    describe_half_spaces(h.tree, body);
    h.tree.below.assign(h.tree.records.size(), 0);
    count_below(h.tree, 0);
    fill_leaves(h, body);
}

template <int Width>
void make(RigidHierarchy<Width>& h, const RigidBody& body) {
    SplitOptions options;
    options.leaf_items = h.most_items = all_triangles(body) ? 2 : 1;
    options.keep_copies = true;
    options.spread = spread_for(body);
    h.tree = build<typename RigidHierarchy<Width>::Tree>(body.items(), options);
    complete(h, body);
}

template <int Width>
void make(RigidHierarchy<Width>& h, const RigidBody& body, const TreePlan& plan) {
    h.most_items = all_triangles(body) ? 2 : 1;
    h.tree = PlanReader<typename RigidHierarchy<Width>::Tree>(plan, body.items(), h.most_items, spread_for(body)).run();
    complete(h, body);
}

/// The form of a tree, without its volumes.
template <class Tree>
void add_form(Fingerprint& print, const Tree& tree) {
    std::vector<std::int32_t> children;
    children.reserve(tree.records.size());
    for (const auto& r : tree.records) children.push_back(r.child);
    print.add(children), print.add(tree.leaves), print.add(tree.order);
}

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
    Data& d = *made;
    d.points = std::move(points), d.first = std::move(first), d.radius = std::move(radius);
    data_ = made;
    points_ = d.points.data(), first_ = d.first.data(), radius_ = d.radius.data(), count_ = int(d.radius.size());
    d.low = {far_away, far_away, far_away}, d.high = -d.low;
    const Items all = items();
    for (int i = 0; i < count_; ++i) {
        const double radius = all.is_unbounded(i) ? 0.0 : radius_[i];
        if (all.is_unbounded(i)) d.half_spaces.push_back(i);
        for (int k = first_[i]; k < all.last_place(i); ++k) {
            const Vec3 r{radius, radius, radius};
            d.low = lower_of(d.low, points_[k] - r), d.high = upper_of(d.high, points_[k] + r);
            d.reach = most(d.reach, length(points_[k]) + radius);
        }
    }
    return made;
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
