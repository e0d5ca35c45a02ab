#include "elbowroom/world/box_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elbowroom {

FloatBox FloatBox::about(Vec3 low, Vec3 high) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    FloatBox out;
    for (int k = 0; k < 3; ++k) {
        // What counts as touching is 1e-14 of the sizes and of the distance from the origin; so is what products take.
        const double slack = 1e-13 * most(std::fabs(low[k]), std::fabs(high[k]));
        const double l = clamped(low[k] - slack, -unbounded, unbounded);
        const double h = clamped(high[k] + slack, -unbounded, unbounded);
        out.low[k] = float(l), out.high[k] = float(h);
        if (out.low[k] > l) out.low[k] = std::nextafter(out.low[k], -infinity);
        if (out.high[k] < h) out.high[k] = std::nextafter(out.high[k], infinity);
    }
    return out;
}

FloatBox BoxTree::Node::box(int lane) const {
    return {{low[0][lane], low[1][lane], low[2][lane]}, {high[0][lane], high[1][lane], high[2][lane]}};
}

FloatBox BoxTree::Node::whole() const {
    FloatBox out;
    for (int k = 0; k < 3; ++k) {
        out.low[k] = smallest(Float8::load(low[k]));
        out.high[k] = largest(Float8::load(high[k]));
    }
    return out;
}

void BoxTree::Node::set(int lane, const FloatBox& box, std::int32_t what) {
    for (int k = 0; k < 3; ++k) low[k][lane] = box.low[k], high[k][lane] = box.high[k];
    child[lane] = what;
}

void BoxTree::Node::clear(int lane) { set(lane, {{nowhere, nowhere, nowhere}, {-nowhere, -nowhere, -nowhere}}, -1); }

std::int32_t BoxTree::make_node(int level) {
    std::int32_t n = std::int32_t(nodes_.size());
    if (free_.empty())
        nodes_.emplace_back(), marked_.push_back(0);
    else
        n = free_.back(), free_.pop_back();
    Node& node = nodes_[n];
    for (int k = 0; k < width; ++k) node.clear(k);
    node.parent = -1, node.lane = 0, node.count = 0, node.level = std::uint8_t(level), node.unused = 0;
    return n;
}

void BoxTree::drop_node(std::int32_t n) { free_.push_back(n); }

/// Puts a node or an item into a lane, and tells it where it is.
void BoxTree::place(std::int32_t n, int lane, const FloatBox& box, std::int32_t what) {
    nodes_[n].set(lane, box, what);
    if (nodes_[n].level == 0) return void(where_[what] = n * width + lane);
    nodes_[what].parent = n, nodes_[what].lane = std::uint8_t(lane);
}

/// Empties a lane, which the last one then fills. A node that has nothing left goes, too.
void BoxTree::take_out(std::int32_t n, int lane) {
    Node& node = nodes_[n];
    if (node.level > 0) area_ -= node.box(lane).area();
    const int last = --node.count;
    if (lane != last) place(n, lane, node.box(last), node.child[last]);
    node.clear(last);
    if (node.count > 0) return fit_upwards(n);
    if (n == root_)
        root_ = -1;
    else
        take_out(node.parent, node.lane);
    drop_node(n);
}

/// The box of a node in its parent is made to fit; true if it was another.
bool BoxTree::fit(std::int32_t n) {
    const Node& node = nodes_[n];
    if (node.parent < 0) return false;
    Node& parent = nodes_[node.parent];
    const FloatBox was = parent.box(node.lane), is = node.whole();
    if (was == is) return false;
    area_ += is.area() - was.area();
    parent.set(node.lane, is, n);
    return true;
}

void BoxTree::fit_upwards(std::int32_t n) {
    while (fit(n)) n = nodes_[n].parent;
}

/// The node of level 0 whose box, and those above it, have to grow least.
std::int32_t BoxTree::leaf_for(const FloatBox& box) const {
    std::int32_t n = root_;
    while (nodes_[n].level > 0) {
        const Node& node = nodes_[n];
        int best = 0;
        double least_growth = 0, least_area = 0;
        for (int k = 0; k < node.count; ++k) {
            FloatBox grown = node.box(k);
            const double area = grown.area();
            grown.take(box);
            const double growth = grown.area() - area;
            if (k > 0 && !(growth < least_growth || (growth == least_growth && area < least_area))) continue;
            best = k, least_growth = growth, least_area = area;
        }
        n = node.child[best];
    }
    return n;
}

void BoxTree::add(std::int32_t n, const FloatBox& box, std::int32_t what) {
    Node& node = nodes_[n];
    if (node.count == width) return split(n, box, what);
    if (node.level > 0) area_ += box.area();
    place(n, node.count++, box, what);
    fit_upwards(n);
}

namespace {

struct Nine {
    FloatBox box;
    std::int32_t what;
};

/// Sorted along an axis, the first so many against the rest: the cut with the smallest areas.
int best_cut(const Nine* sorted, double& least_cost) {
    FloatBox first[9], rest[9];
    first[0] = sorted[0].box, rest[8] = sorted[8].box;
    for (int i = 1; i < 9; ++i) {
        first[i] = first[i - 1], first[i].take(sorted[i].box);
        rest[8 - i] = rest[9 - i], rest[8 - i].take(sorted[8 - i].box);
    }
    int best = 0;
    for (int cut = 3; cut <= 6; ++cut) {
        const double cost = first[cut - 1].area() * cut + rest[cut].area() * (9 - cut);
        if (!(cost < least_cost)) continue;
        least_cost = cost, best = cut;
    }
    return best;
}

}  // namespace

/// A full node and one more become two nodes.
void BoxTree::split(std::int32_t n, const FloatBox& box, std::int32_t what) {
    Nine all[9], best[9];
    for (int k = 0; k < width; ++k) all[k] = {nodes_[n].box(k), nodes_[n].child[k]};
    all[8] = {box, what};
    double cost = std::numeric_limits<double>::infinity();
    int cut = 0;
    for (int axis = 0; axis < 3; ++axis) {
        std::stable_sort(all, all + 9, [axis](const Nine& a, const Nine& b) {
            return double(a.box.low[axis]) + a.box.high[axis] < double(b.box.low[axis]) + b.box.high[axis];
        });
        if (const int found = best_cut(all, cost)) cut = found, std::copy(all, all + 9, best);
    }
    const int level = nodes_[n].level;
    const std::int32_t other = make_node(level);
    if (level > 0) area_ += box.area();
    for (int k = 0; k < width; ++k) nodes_[n].clear(k);
    for (int k = 0; k < 9; ++k)
        k < cut ? place(n, k, best[k].box, best[k].what) : place(other, k - cut, best[k].box, best[k].what);
    nodes_[n].count = std::uint8_t(cut), nodes_[other].count = std::uint8_t(9 - cut);
    const FloatBox second = nodes_[other].whole();
    if (n != root_) {
        fit_upwards(n);
        return add(nodes_[n].parent, second, other);
    }
    root_ = make_node(level + 1);
    add(root_, nodes_[n].whole(), n);
    add(root_, second, other);
}

void BoxTree::insert(std::int32_t item, const FloatBox& box) {
    if (std::size_t(item) >= where_.size()) where_.resize(std::size_t(item) + 1, -1);
    if (root_ < 0) root_ = make_node(0);
    ++size_, ++changes_;
    add(leaf_for(box), box, item);
    largest_area_ = most(largest_area_, area_);
}

void BoxTree::erase(std::int32_t item) {
    const std::int32_t at = where_[item];
    where_[item] = -1;
    --size_;
    take_out(at / width, at % width);
    while (root_ >= 0 && nodes_[root_].level > 0 && nodes_[root_].count == 1) {
        const std::int32_t old = root_;
        area_ -= nodes_[old].box(0).area();
        root_ = nodes_[old].child[0];
        nodes_[root_].parent = -1;
        drop_node(old);
    }
    keep_good();
}

/// Is it nowhere near the other items of its node?
bool BoxTree::strays(std::int32_t item, const FloatBox& box) const {
    const Node& node = nodes_[where_[item] / width];
    return node.parent >= 0 && !nodes_[node.parent].box(node.lane).meets(box);
}

void BoxTree::move(std::int32_t item, const FloatBox& box) {
    const std::int32_t n = where_[item] / width;
    if (strays(item, box)) {
        ++strays_;
        erase(item);
        return insert(item, box);
    }
    ++changes_;
    nodes_[n].set(where_[item] % width, box, item);
    fit_upwards(n);
    keep_good();
}

void BoxTree::move_all(const std::vector<std::int32_t>& items, const std::vector<FloatBox>& boxes) {
    std::size_t far = 0;
    for (std::size_t i = 0; i < items.size(); ++i) far += strays(items[i], boxes[i]);
    const bool rebuilds = far > std::size_t(size_) / 8;
    dirty_.clear();
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::int32_t n = where_[items[i]] / width;
        if (!rebuilds && strays(items[i], boxes[i])) continue;
        nodes_[n].set(where_[items[i]] % width, boxes[i], items[i]);
        if (!marked_[n]) marked_[n] = 1, dirty_.push_back(n);
    }
    if (rebuilds) {
        for (const std::int32_t n : dirty_) marked_[n] = 0;
        return rebuild();
    }
    fit_marked();
    changes_ += std::int64_t(items.size());
    for (std::size_t i = 0; far > 0 && i < items.size(); ++i)
        if (!(box(items[i]) == boxes[i])) move(items[i], boxes[i]);
    keep_good();
}

/// Level by level, so that a node above several is refitted once.
void BoxTree::fit_marked() {
    while (!dirty_.empty()) {
        above_.clear();
        for (const std::int32_t n : dirty_) {
            marked_[n] = 0;
            if (!fit(n)) continue;
            const std::int32_t parent = nodes_[n].parent;
            if (!marked_[parent]) marked_[parent] = 1, above_.push_back(parent);
        }
        dirty_.swap(above_);
    }
}

void BoxTree::keep_good() {
    largest_area_ = most(largest_area_, area_);
    const std::int64_t used = std::int64_t(nodes_.size()) - std::int64_t(free_.size());
    const bool empty = used > 8 && used * 2 > size_, poor = area_ > 2 * built_area_;
    if (empty || (poor && changes_ > 4 + size_)) rebuild();
}

std::size_t BoxTree::bytes() const {
    return nodes_.capacity() * (sizeof(Node) + 1) + (free_.capacity() + where_.capacity()) * sizeof(std::int32_t) +
           (dirty_.capacity() + above_.capacity()) * sizeof(std::int32_t);
}

}  // namespace elbowroom
