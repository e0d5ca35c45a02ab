#include "elbowroom/reference/link_tree.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <stdexcept>

namespace elbowroom {

namespace {

using Node = LinkTree::Node;

struct Range {
    std::int32_t first, last;
    bool empty() const { return first == last; }
    int count() const { return last - first; }
};

/// Items in rows of different lengths; a row keeps the order in which its items came.
class Rows {
public:
    /// `row[i]` is the row of items[i]; negative: none.
    Rows(const std::vector<std::int32_t>& items, const std::vector<std::int32_t>& row, int rows) : start_(rows + 1, 0) {
        for (const std::int32_t r : row)
            if (r >= 0) ++start_[r + 1];
        std::partial_sum(start_.begin(), start_.end(), start_.begin());
        std::vector<std::int32_t> next(start_.begin(), start_.end() - 1);
        items_.resize(start_.back());
        for (std::size_t i = 0; i < items.size(); ++i)
            if (row[i] >= 0) items_[next[row[i]]++] = items[i];
    }
    Range at(int row) const { return {start_[row], start_[row + 1]}; }
    std::int32_t operator[](int k) const { return items_[k]; }
    const std::vector<std::int32_t>& all() const { return items_; }

private:
    std::vector<std::int32_t> start_, items_;
};

std::vector<std::int32_t> numbers(std::size_t count) {
    std::vector<std::int32_t> out(count);
    std::iota(out.begin(), out.end(), 0);
    return out;
}

/// How many shapes each link has, with all links below it.
std::vector<std::int32_t> shapes_below(const LinkTreeParts& parts) {
    std::vector<std::int32_t> below(parts.parent.size(), 0);
    for (const std::int32_t link : parts.link) ++below[link];
    for (std::size_t l = below.size(); l-- > 0;)
        if (parts.parent[l] >= 0) below[parts.parent[l]] += below[l];
    return below;
}

/// The limbs of an articulation, each named by its first link: their shapes and what they branch into.
struct Limbs {
    std::vector<std::int32_t> below;  // shapes at or below each link
    Rows children;                    // that have shapes at or below them; row 0: the roots, row l + 1: of link l
    std::vector<std::int32_t> first;  // the first link of the limb of each link
    std::vector<std::int32_t> end;    // the last link of the limb that begins with a link
    Rows shapes;                      // of the limb that begins with a link

    explicit Limbs(const LinkTreeParts& parts)
        : below(shapes_below(parts)),
          children(numbers(below.size()), parents(parts), int(below.size()) + 1),
          first(below.size(), -1),
          end(below.size(), -1),
          shapes(follow(parts)) {}

    Range roots() const { return children.at(0); }
    Range branches(int limb) const { return children.at(end[limb] + 1); }

private:
    std::vector<std::int32_t> parents(const LinkTreeParts& parts) const {
        std::vector<std::int32_t> row(below.size());
        for (std::size_t l = 0; l < row.size(); ++l) row[l] = below[l] > 0 ? parts.parent[l] + 1 : -1;
        return row;
    }
    /// Follows the limbs from their first links on, and lists their shapes in the order of the links.
    Rows follow(const LinkTreeParts& parts) {
        for (std::size_t l = 0; l < below.size(); ++l) {
            if (below[l] == 0) continue;
            const std::int32_t parent = parts.parent[l];
            first[l] = parent < 0 || children.at(parent + 1).count() > 1 ? std::int32_t(l) : first[parent];
            end[first[l]] = std::int32_t(l);
        }
        const int links = int(below.size());
        const std::vector<std::int32_t> by_link = Rows(numbers(parts.link.size()), parts.link, links).all();
        std::vector<std::int32_t> limb;
        for (const std::int32_t shape : by_link) limb.push_back(first[parts.link[shape]]);
        return {by_link, limb, links};
    }
};

/// Makes the nodes in post-order. What is still to be done lies on a stack of its own: limbs can be nested as deep as
/// there are links.
class Maker {
public:
    Maker(const LinkTreeParts& parts, std::vector<Node>& nodes, std::vector<std::int32_t>& shapes)
        : parts_(parts), limbs_(parts), nodes_(nodes), order_(shapes) {}

    void run() {
        if (!limbs_.roots().empty()) later(Task::branches, limbs_.roots());
        while (!tasks_.empty()) {
            const Task task = tasks_.back();
            tasks_.pop_back();
            if (task.kind == Task::shapes) make_shapes(task.range);
            if (task.kind == Task::branches) make_branches(task.range);
            if (task.kind == Task::join) join(task.joint);
        }
    }

private:
    struct Task {
        enum Kind { shapes, branches, join } kind;  // the range is of limbs_.shapes or of limbs_.children
        Range range;
        std::int32_t joint;
    };
    const LinkTreeParts& parts_;
    const Limbs limbs_;
    std::vector<Node>& nodes_;
    std::vector<std::int32_t>& order_;
    std::vector<Task> tasks_;
    std::vector<std::int32_t> made_;  // nodes that wait for the other part

    void later(Task::Kind kind, Range range) { tasks_.push_back({kind, range, -1}); }
    /// The last task recorded is the first one done.
    void later_joined(Task::Kind left_kind, Range left, Task::Kind right_kind, Range right, std::int32_t joint) {
        tasks_.push_back({Task::join, {}, joint});
        later(right_kind, right);
        later(left_kind, left);
    }

    void make_shapes(Range range) {
        if (range.count() == 1) return make_leaf(limbs_.shapes[range.first]);
        const std::int32_t cut = range.first + range.count() / 2;
        later_joined(Task::shapes, {range.first, cut}, Task::shapes, {cut, range.last},
                     parts_.link[limbs_.shapes[cut]]);
    }
    void make_branches(Range range) {
        if (range.count() == 1) return make_limb(limbs_.children[range.first]);
        const std::int32_t cut = even_cut(range);
        later_joined(Task::branches, {range.first, cut}, Task::branches, {cut, range.last}, limbs_.children[cut]);
    }
    void make_limb(int limb) {
        const Range shapes = limbs_.shapes.at(limb), branches = limbs_.branches(limb);
        if (!shapes.empty() && !branches.empty())
            return later_joined(Task::shapes, shapes, Task::branches, branches, limbs_.children[branches.first]);
        if (shapes.empty())
            later(Task::branches, branches);
        else
            later(Task::shapes, shapes);
    }
    /// Where the two groups of branches differ least in the number of their shapes.
    std::int32_t even_cut(Range range) const {
        std::int64_t all = 0, left = 0, least_difference = -1;
        for (int k = range.first; k < range.last; ++k) all += limbs_.below[limbs_.children[k]];
        std::int32_t cut = range.first + 1;
        for (int k = range.first + 1; k < range.last; ++k) {
            left += limbs_.below[limbs_.children[k - 1]];
            const std::int64_t difference = std::abs(all - 2 * left);
            if (least_difference < 0 || difference < least_difference) {
                least_difference = difference;
                cut = k;
            }
        }
        return cut;
    }

    void make_leaf(std::int32_t shape) {
        add({-1, shape, parts_.link[shape], std::int32_t(order_.size()), 1});
        order_.push_back(shape);
    }
    void join(std::int32_t joint) {
        const std::int32_t right = made_.back(), left = made_[made_.size() - 2];
        made_.resize(made_.size() - 2);
        add({left, right, joint, nodes_[left].first, nodes_[left].count + nodes_[right].count});
    }
    void add(const Node& node) {
        made_.push_back(std::int32_t(nodes_.size()));
        nodes_.push_back(node);
    }
};

void check(const LinkTreeParts& parts) {
    if (parts.link.size() != parts.box.size()) throw std::invalid_argument("every shape must have a link and a box");
    for (std::size_t l = 0; l < parts.parent.size(); ++l)
        if (parts.parent[l] < -1 || parts.parent[l] >= std::int32_t(l))
            throw std::invalid_argument("link " + std::to_string(l) + " must come after its parent");
    for (const std::int32_t link : parts.link)
        if (link < 0 || link >= std::int32_t(parts.parent.size()))
            throw std::invalid_argument("a shape has link " + std::to_string(link) + ", which is not there");
}

/// The levels of all nodes, from 0 for the root: parents come before their children from behind.
std::vector<std::int32_t> levels_of(const std::vector<Node>& nodes) {
    std::vector<std::int32_t> level(nodes.size(), 0);
    for (std::size_t n = nodes.size(); n-- > 0;)
        if (!nodes[n].is_leaf()) level[nodes[n].left] = level[nodes[n].right] = level[n] + 1;
    return level;
}

const LinkTreeParts& checked(const LinkTreeParts& parts) { return check(parts), parts; }

}  // namespace

LinkTree::LinkTree(const LinkTreeParts& parts)
    : leaf_of_(checked(parts).link.size()), box_(parts.box), links_(int(parts.parent.size())) {
    nodes_.reserve(2 * parts.link.size());
    shapes_.reserve(parts.link.size());
    Maker(parts, nodes_, shapes_).run();
    for (std::size_t n = 0; n < nodes_.size(); ++n)
        if (nodes_[n].is_leaf()) leaf_of_[nodes_[n].right] = std::int32_t(n);
    for (const std::int32_t level : levels_of(nodes_)) depth_ = most<int>(depth_, level);
}

std::vector<std::int32_t> LinkTree::at_level(int level) const {
    const std::vector<std::int32_t> of = levels_of(nodes_);
    std::vector<std::int32_t> out;
    for (std::size_t n = 0; n < nodes_.size(); ++n)
        if (of[n] == level || (of[n] < level && nodes_[n].is_leaf())) out.push_back(std::int32_t(n));
    return out;
}

std::string LinkTree::validate() const {
    std::vector<std::int32_t> open;  // nodes whose parent has not come yet
    std::int32_t leaves = 0;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        const Node& node = nodes_[n];
        const std::string name = "node " + std::to_string(n);
        if (node.joint < 0 || node.joint >= links_) return name + " has a joint that is not there";
        if (node.is_leaf()) {
            if (node.first != leaves++ || node.count != 1) return name + " is a leaf out of order";
            if (shapes_[node.first] != node.right || leaf_of_[node.right] != std::int32_t(n))
                return name + " is not the leaf of its shape";
        } else {
            const std::size_t k = open.size();
            if (k < 2 || open[k - 1] != node.right || open[k - 2] != node.left) return name + " is not in post-order";
            const Node &left = nodes_[node.left], &right = nodes_[node.right];
            if (node.first != left.first || node.count != left.count + right.count) return name + " has wrong counts";
            open.resize(k - 2);
        }
        open.push_back(std::int32_t(n));
    }
    if (leaves != std::int32_t(box_.size())) return "the leaves are not as many as the shapes";
    return open.size() > 1 ? "there are several roots" : "";
}

}  // namespace elbowroom
