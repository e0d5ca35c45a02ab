#include "elbowroom/trees/point_tree.hpp"

#include <numeric>

namespace elbowroom {

namespace {

/// Are there too many points on one side? Few points are left as they are.
bool is_lopsided(std::int32_t a, std::int32_t b) {
    return a + b > 2 * PointTree::leaf_size && most(a, b) > 0.7 * (a + b);
}

}  // namespace

PointTree::PointTree(int dimension) : dimension_(dimension), nodes_(1), boxes_(2 * std::size_t(dimension)) {
    nodes_[0].block = make_block();
}

std::int32_t PointTree::make_pair() {
    if (!free_pairs_.empty()) {
        const std::int32_t pair = free_pairs_.back();
        free_pairs_.pop_back();
        nodes_[pair] = nodes_[pair + 1] = Node{};
        return pair;
    }
    nodes_.resize(nodes_.size() + 2);
    boxes_.resize(2 * nodes_.size() * std::size_t(dimension_));
    return std::int32_t(nodes_.size() - 2);
}

std::int32_t PointTree::make_block() {
    if (!free_blocks_.empty()) {
        const std::int32_t block = free_blocks_.back();
        free_blocks_.pop_back();
        return block;
    }
    members_.resize(members_.size() + leaf_size);
    places_.resize(members_.size() * std::size_t(dimension_));
    return std::int32_t(members_.size() / leaf_size - 1);
}

void PointTree::widen(std::int32_t node, const double* point) {
    double *low = this->low(node), *high = low + dimension_;
    const bool first = nodes_[node].count == 0;
    for (int k = 0; k < dimension_; ++k) {
        low[k] = first ? point[k] : least(low[k], point[k]);
        high[k] = first ? point[k] : most(high[k], point[k]);
    }
}

/// Adds to a leaf that has room.
void PointTree::put(std::int32_t node, std::int32_t number) {
    Node& leaf = nodes_[node];
    const std::size_t at = std::size_t(leaf.block) * leaf_size + std::size_t(leaf.count++);
    members_[at] = number;
    std::copy_n(point(number), dimension_, &places_[at * std::size_t(dimension_)]);
}

/// On which side of the cut; what lies on it goes where there are fewer.
std::int32_t PointTree::chosen_child(const Node& node, const double* point) const {
    const double x = point[node.side];
    if (x == node.cut) return node.child + (nodes_[node.child + 1].count < nodes_[node.child].count);
    return node.child + (x > node.cut);
}

std::int32_t PointTree::insert(const double* point) {
    const std::int32_t number = size();
    points_.insert(points_.end(), point, point + dimension_);
    point = this->point(number);
    std::int32_t at = 0, lopsided = -1;
    for (widen(at, point); !nodes_[at].is_leaf(); widen(at, point)) {
        const std::int32_t below = chosen_child(nodes_[at], point), beside = 2 * nodes_[at].child + 1 - below;
        ++nodes_[at].count;
        if (lopsided < 0 && is_lopsided(nodes_[below].count + 1, nodes_[beside].count)) lopsided = at;
        at = below;
    }
    if (nodes_[at].count < leaf_size)
        put(at, number);
    else {
        gathered_.assign(1, number);
        gather(at);
        build(at, 0, std::int32_t(gathered_.size()));
    }
    if (lopsided >= 0) build_anew(lopsided);
    return number;
}

/// The box about some of the gathered points.
void PointTree::fit(std::int32_t node, std::int32_t first, std::int32_t last) {
    nodes_[node].count = 0;
    for (std::int32_t i = first; i < last; ++i) {
        widen(node, point(gathered_[i]));
        nodes_[node].count = 1;
    }
    nodes_[node].count = last - first;
}

/// Makes a node that has neither children nor a block hold some of the gathered points.
void PointTree::build(std::int32_t node, std::int32_t first, std::int32_t last) {
    fit(node, first, last);
    if (last - first <= leaf_size) {
        const std::int32_t block = make_block();
        nodes_[node].child = -1;
        nodes_[node].block = block;
        nodes_[node].count = 0;
        for (std::int32_t i = first; i < last; ++i) put(node, gathered_[i]);
        return;
    }
    const double *low = this->low(node), *high = low + dimension_;
    int side = 0;
    for (int k = 1; k < dimension_; ++k)
        if (high[k] - low[k] > high[side] - low[side]) side = k;
    const std::int32_t middle = first + (last - first) / 2;
    const auto begin = gathered_.begin();
    std::nth_element(begin + first, begin + middle, begin + last, [&](std::int32_t a, std::int32_t b) {
        const double x = point(a)[side], y = point(b)[side];
        return x < y || (x == y && a < b);
    });
    const std::int32_t pair = make_pair();
    nodes_[node].child = pair;
    nodes_[node].block = -1;
    nodes_[node].side = side;
    nodes_[node].cut = point(gathered_[middle])[side];
    build(pair, first, middle);
    build(pair + 1, middle, last);
}

void PointTree::build_anew(std::int32_t node) {
    gathered_.clear();
    gather(node);
    build(node, 0, std::int32_t(gathered_.size()));
}

/// Takes the points out of what lies below a node, which is given back.
void PointTree::gather(std::int32_t node) {
    const Node old = nodes_[node];
    if (!old.is_leaf()) {
        gather(old.child);
        gather(old.child + 1);
        free_pairs_.push_back(old.child);
        return;
    }
    const auto members = members_.begin() + std::ptrdiff_t(old.block) * leaf_size;
    gathered_.insert(gathered_.end(), members, members + old.count);
    free_blocks_.push_back(old.block);
}

int PointTree::depth_below(std::int32_t node) const {
    if (nodes_[node].is_leaf()) return 0;
    return 1 + most(depth_below(nodes_[node].child), depth_below(nodes_[node].child + 1));
}

std::string PointTree::validate() const {
    std::vector<int> seen(std::size_t(size()), 0);
    std::string fault = fault_of(0, 0, seen);
    for (std::size_t i = 0; i < seen.size() && fault.empty(); ++i)
        if (seen[i] != 1) fault = "point " + std::to_string(i) + " lies in " + std::to_string(seen[i]) + " leaves";
    return fault;
}

std::string PointTree::fault_of(std::int32_t at, int level, std::vector<int>& seen) const {
    const Node& node = nodes_[at];
    const std::string name = "node " + std::to_string(at);
    if (level >= deepest - 1) return name + " lies too deep";
    if (!node.is_leaf()) {
        const Node &a = nodes_[node.child], &b = nodes_[node.child + 1];
        if (a.count + b.count != node.count) return name + " miscounts the points below it";
        if (is_lopsided(a.count, b.count)) return name + " is lopsided";
        for (std::int32_t child = node.child; child < node.child + 2; ++child)
            for (int k = 0; k < dimension_; ++k)
                if (low(child)[k] < low(at)[k] || low(child)[dimension_ + k] > low(at)[dimension_ + k])
                    return "a child's box sticks out of that of " + name;
        const std::string fault = fault_of(node.child, level + 1, seen);
        return fault.empty() ? fault_of(node.child + 1, level + 1, seen) : fault;
    }
    if (node.count > leaf_size) return name + " is overfull";
    for (int i = 0; i < node.count; ++i) {
        const std::int32_t number = members_[std::size_t(node.block) * leaf_size + std::size_t(i)];
        if (number < 0 || number >= size()) return name + " names a point that is not there";
        ++seen[std::size_t(number)];
        for (int k = 0; k < dimension_; ++k) {
            const double x = point(number)[k];
            if (place(node.block, i)[k] != x) return name + " has moved a point";
            if (x < low(at)[k] || x > low(at)[dimension_ + k]) return "a point sticks out of the box of " + name;
        }
    }
    return {};
}

std::size_t PointTree::bytes() const {
    const std::size_t numbers =
        members_.capacity() + free_pairs_.capacity() + free_blocks_.capacity() + gathered_.capacity();
    return (points_.capacity() + boxes_.capacity() + places_.capacity()) * sizeof(double) +
           nodes_.capacity() * sizeof(Node) + numbers * sizeof(std::int32_t);
}

}  // namespace elbowroom
