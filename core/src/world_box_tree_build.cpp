#include <algorithm>

#include "elbowroom/batch/parallel.hpp"
#include "elbowroom/world/box_tree.hpp"

namespace elbowroom {

/// An item and what it is sorted by.
struct BoxTree::Sorted {
    float middle[3];
    std::int32_t item;
};

namespace {

std::int64_t capacity(int level) { return std::int64_t(1) << 3 * (level + 1); }

int level_for(std::int64_t items) {
    int level = 0;
    while (capacity(level) < items) ++level;
    return level;
}

/// How many children of one level less a node has, all about equally full.
std::int64_t children_of(std::int64_t items, int level) {
    const std::int64_t each = capacity(level - 1);
    return (items + each - 1) / each;
}
/// The items of child k.
std::int64_t share_of(std::int64_t items, std::int64_t children, std::int64_t k) {
    return items / children + (k < items % children);
}

std::int64_t nodes_for(std::int64_t items, int level) {
    if (level == 0) return 1;
    const std::int64_t children = children_of(items, level), more = items % children;
    std::int64_t sum = 1;
    if (more > 0) sum += more * nodes_for(items / children + 1, level - 1);
    return sum + (children - more) * nodes_for(items / children, level - 1);
}

/// Sorts items into `parts` runs, each of the size that it is to have, by cuts across the longest side.
template <class Item>
void cut(Item* items, std::int64_t count, std::int64_t total, std::int64_t children, std::int64_t first,
         std::int64_t parts) {
    if (parts == 1) return;
    float low[3], high[3];
    for (int k = 0; k < 3; ++k) low[k] = high[k] = items[0].middle[k];
    for (std::int64_t i = 1; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            low[k] = least(low[k], items[i].middle[k]);
            high[k] = most(high[k], items[i].middle[k]);
        }
    int axis = 0;
    for (int k = 1; k < 3; ++k)
        if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
    const std::int64_t half = parts / 2;
    std::int64_t left = 0;
    for (std::int64_t k = 0; k < half; ++k) left += share_of(total, children, first + k);
    std::nth_element(items, items + left, items + count, [axis](const Item& a, const Item& b) {
        return a.middle[axis] != b.middle[axis] ? a.middle[axis] < b.middle[axis] : a.item < b.item;
    });
    cut(items, left, total, children, first, half);
    cut(items + left, count - left, total, children, first + half, parts - half);
}

/// Builds nodes of a level and those below from runs of items.
template <class Item>
class BoxTreeBuilder {
public:
    BoxTreeBuilder(std::vector<BoxTree::Node>& nodes, std::vector<std::int32_t>& where,
                   const std::vector<FloatBox>& boxes)
        : nodes_(nodes), where_(where), boxes_(boxes) {}

    /// A node with its number, which the caller puts into its parent. Gives the areas of the boxes below it.
    double build(Item* items, std::int64_t count, int level, std::int32_t number) {
        BoxTree::Node& node = nodes_[number];
        for (int k = 0; k < BoxTree::width; ++k) node.clear(k);
        node.parent = -1, node.lane = node.unused = 0, node.level = std::uint8_t(level);
        if (level == 0) return fill(node, items, count, number);
        double area = 0;
        split(items, count, level, number, [&](int k, Item* part, std::int64_t size, std::int32_t child) {
            area += build(part, size, level - 1, child);
            area += take(node, number, k, child);
        });
        return area;
    }
    /// The same, the children on several threads.
    double build_in_parallel(Item* items, std::int64_t count, int level, std::int32_t number) {
        if (level < 3) return build(items, count, level, number);
        BoxTree::Node& node = nodes_[number];
        for (int k = 0; k < BoxTree::width; ++k) node.clear(k);
        node.parent = -1, node.lane = node.unused = 0, node.level = std::uint8_t(level);
        struct Part {
            Item* items;
            std::int64_t count;
            std::int32_t number;
            double area;
        } parts[BoxTree::width];
        int made = 0;
        split(items, count, level, number, [&](int k, Item* part, std::int64_t size, std::int32_t child) {
            parts[k] = {part, size, child, 0};
            made = k + 1;
        });
        in_parallel(
            made, available_threads(),
            [&] {
                return [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                    for (std::ptrdiff_t k = begin; k < end; ++k)
                        parts[k].area = build(parts[k].items, parts[k].count, level - 1, parts[k].number);
                };
            },
            1);
        double area = 0;
        for (int k = 0; k < made; ++k) area += parts[k].area + take(node, number, k, parts[k].number);
        return area;
    }

private:
    std::vector<BoxTree::Node>& nodes_;
    std::vector<std::int32_t>& where_;
    const std::vector<FloatBox>& boxes_;

    double fill(BoxTree::Node& node, const Item* items, std::int64_t count, std::int32_t number) {
        node.count = std::uint8_t(count);
        for (int k = 0; k < int(count); ++k) {
            node.set(k, boxes_[items[k].item], items[k].item);
            where_[items[k].item] = number * BoxTree::width + k;
        }
        return 0;
    }
    double take(BoxTree::Node& node, std::int32_t number, int k, std::int32_t child) {
        const FloatBox box = nodes_[child].whole();
        node.set(k, box, child);
        node.count = std::uint8_t(k + 1);
        nodes_[child].parent = number, nodes_[child].lane = std::uint8_t(k);
        return box.area();
    }
    /// The nodes below a node follow it, one child with all that is below it after the other.
    template <class F>
    void split(Item* items, std::int64_t count, int level, std::int32_t number, F&& f) {
        const std::int64_t children = children_of(count, level);
        cut(items, count, count, children, 0, children);
        std::int64_t next = number + 1;
        for (std::int64_t k = 0; k < children; ++k) {
            const std::int64_t size = share_of(count, children, k);
            f(int(k), items, size, std::int32_t(next));
            items += size, next += nodes_for(size, level - 1);
        }
    }
};

}  // namespace

void BoxTree::add_to(std::vector<Sorted>& items, std::vector<FloatBox>& boxes, std::int32_t item,
                     const FloatBox& b) const {
    boxes[item] = b;
    items.push_back(
        {{0.5f * (b.low[0] + b.high[0]), 0.5f * (b.low[1] + b.high[1]), 0.5f * (b.low[2] + b.high[2])}, item});
}

/// What is in the tree.
void BoxTree::collect(std::vector<Sorted>& items, std::vector<FloatBox>& boxes) const {
    for (std::int32_t i = 0; i < std::int32_t(where_.size()); ++i)
        if (where_[i] >= 0) add_to(items, boxes, i, box(i));
}

/// Changes nothing until all is made.
void BoxTree::build(std::vector<Sorted>& items, const std::vector<FloatBox>& boxes) {
    const Uninterrupted whole;
    const std::int64_t count = std::int64_t(items.size());
    const int level = level_for(count);
    std::vector<Node> nodes(std::size_t(nodes_for(count, level)));
    std::vector<std::int32_t> where(boxes.size(), -1);
    std::vector<unsigned char> marked(nodes.size(), 0);
    const double area = BoxTreeBuilder<Sorted>(nodes, where, boxes).build_in_parallel(items.data(), count, level, 0);
    nodes_.swap(nodes), where_.swap(where), marked_.swap(marked);
    free_.clear();
    root_ = 0, size_ = std::int32_t(count);
    area_ = built_area_ = largest_area_ = area;
    changes_ = 0;
    ++builds_;
}

void BoxTree::rebuild() {
    if (size_ == 0) return;
    std::vector<Sorted> all;
    std::vector<FloatBox> boxes(where_.size());
    all.reserve(std::size_t(size_));
    collect(all, boxes);
    build(all, boxes);
}

void BoxTree::insert_all(const std::vector<std::int32_t>& items, const std::vector<FloatBox>& boxes) {
    if (std::int64_t(items.size()) <= size_) {
        for (std::size_t i = 0; i < items.size(); ++i) insert(items[i], boxes[i]);
        return keep_good();
    }
    std::size_t numbers = where_.size();
    for (const std::int32_t i : items) numbers = most(numbers, std::size_t(i) + 1);
    std::vector<Sorted> all;
    std::vector<FloatBox> known(numbers);
    all.reserve(std::size_t(size_) + items.size());
    collect(all, known);
    for (std::size_t i = 0; i < items.size(); ++i) add_to(all, known, items[i], boxes[i]);
    build(all, known);
}

std::string BoxTree::validate() const {
    if (size_ == 0) return root_ < 0 ? "" : "an empty tree has a root";
    std::vector<std::int32_t> seen(where_.size(), 0);
    double area = 0;
    if (nodes_[root_].parent >= 0) return "the root has a parent";
    if (const std::string fault = validate(root_, seen, area); !fault.empty()) return fault;
    std::int32_t count = 0;
    for (std::size_t i = 0; i < where_.size(); ++i) {
        if (seen[i] != (where_[i] >= 0)) return "item " + std::to_string(i) + " is in the wrong number of lanes";
        count += seen[i];
    }
    if (count != size_) return "the number of items is wrong";
    if (std::fabs(area - area_) > 1e-9 * largest_area_) return "the sum of the areas is wrong";
    return "";
}

std::string BoxTree::validate(std::int32_t n, std::vector<std::int32_t>& seen, double& area) const {
    const Node& node = nodes_[n];
    const std::string name = "node " + std::to_string(n);
    if (node.count == 0 || node.count > width) return name + " has a wrong number of children";
    if (marked_[n]) return name + " is still marked";
    for (int k = 0; k < width; ++k) {
        const FloatBox box = node.box(k);
        if (k >= node.count) {
            if (box.low[0] != nowhere || box.high[0] != -nowhere) return name + " has a box in a free lane";
            continue;
        }
        const std::int32_t what = node.child[k];
        for (int i = 0; i < 3; ++i)
            if (!(box.low[i] <= box.high[i])) return name + " has a box that is none";
        if (node.level == 0) {
            if (what < 0 || std::size_t(what) >= where_.size() || where_[what] != n * width + k)
                return name + " holds an item that is elsewhere";
            ++seen[what];
            continue;
        }
        area += box.area();
        const Node& below = nodes_[what];
        if (below.parent != n || below.lane != k) return name + " has a child of another node";
        if (below.level + 1 != node.level) return name + " has a child of a wrong level";
        if (!(below.whole() == box)) return name + " has a box that does not fit";
        if (const std::string fault = validate(what, seen, area); !fault.empty()) return fault;
    }
    return "";
}

}  // namespace elbowroom
