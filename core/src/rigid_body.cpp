#include "elbowroom/bodies/rigid_body.hpp"

#include <stdexcept>

#include <cstring>

#include "elbowroom/trees/build.hpp"
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

template <class Tree>
std::int32_t count_below(Tree& tree, int record) {
    const auto& r = tree.records[record];
    std::int32_t sum = r.is_leaf() ? tree.leaves[r.leaf()].count : 0;
    for (int k = 0; !r.is_leaf() && k < Tree::width; ++k)
        if (tree.lanes[r.child].valid >> k & 1) sum += count_below(tree, r.child * Tree::width + k);
    return tree.below[record] = sum;
}

template <int Width>
void make(RigidHierarchy<Width>& h, const RigidBody& body) {
    SplitOptions options;
    options.leaf_items = h.most_items = all_triangles(body) ? 2 : 1;
    options.keep_copies = true;
    h.tree = build<typename RigidHierarchy<Width>::Tree>(body.items(), options);
    h.tree.below.assign(h.tree.records.size(), 0);
    count_below(h.tree, 0);
    fill_leaves(h, body);
}

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

RigidBody::RigidBody(std::vector<Vec3> points, std::vector<int> first, std::vector<double> radius, int children)
    : points_(std::move(points)), first_(std::move(first)), radius_(std::move(radius)) {
    low_ = {far_away, far_away, far_away}, high_ = -low_;
    for (int i = 0; i < count(); ++i)
        for (int k = first_[i]; k < first_[i + 1]; ++k) {
            const Vec3 r{radius_[i], radius_[i], radius_[i]};
            low_ = lower_of(low_, points_[k] - r), high_ = upper_of(high_, points_[k] + r);
            reach_ = most(reach_, length(points_[k]) + radius_[i]);
        }
    Fingerprint print;
    print.add(points_), print.add(first_), print.add(radius_);
    fingerprint_ = print.value();
    if (children == 8 || count() == 1) make(wide_, *this);
    if (children == 2 || count() == 1) make(binary_, *this);
}

std::string RigidBody::validate() const {
    std::string fault = wide_.empty() ? "" : elbowroom::validate(wide_.tree, items());
    return fault.empty() && !binary_.empty() ? elbowroom::validate(binary_.tree, items()) : fault;
}

std::vector<std::int32_t> RigidBody::below(int record) const {
    std::vector<std::int32_t> out;
    auto collect_from = [&](const auto& tree) {
        if (record < 0 || record >= int(tree.records.size()))
            throw std::invalid_argument("record must be one of the tree's");
        collect_items(tree, record, out);
    };
    wide_.empty() ? collect_from(binary_.tree) : collect_from(wide_.tree);
    return out;
}

std::vector<ObbVolume> RigidBody::boxes(int level) const {
    std::vector<ObbVolume> out;
    if (wide_.empty())
        collect(binary_.tree, 0, level, out);
    else
        collect(wide_.tree, 0, level, out);
    return out;
}

}  // namespace elbowroom
