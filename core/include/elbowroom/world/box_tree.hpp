// A tree of boxes along the axes that come, go and move: eight children a node, all items at one depth.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "elbowroom/math/lanes.hpp"
#include "elbowroom/math/vec3.hpp"

namespace elbowroom {

/// A box in single precision, rounded outwards by whoever makes it.
struct FloatBox {
    float low[3], high[3];

    /// Holds the box in double precision, and what rounding may have moved its sides by.
    static FloatBox about(Vec3 low, Vec3 high);
    bool meets(const FloatBox& o) const {
        for (int k = 0; k < 3; ++k)
            if (low[k] > o.high[k] || o.low[k] > high[k]) return false;
        return true;
    }
    void take(const FloatBox& o) {
        for (int k = 0; k < 3; ++k) low[k] = least(low[k], o.low[k]), high[k] = most(high[k], o.high[k]);
    }
    double area() const {
        const double x = double(high[0]) - low[0], y = double(high[1]) - low[1], z = double(high[2]) - low[2];
        return x * y + y * z + z * x;
    }
    bool operator==(const FloatBox&) const = default;
};

/// Items are numbers from 0 that the caller chooses; small ones, since there is an array over them. After `move` and
/// `insert` all boxes are as small as can be; `move_all` refits what is above the moved items once.
///
/// What an item costs to insert, erase or move is in proportion to the depth. Three counts keep the tree good: an item
/// that has left its node is inserted elsewhere; when the areas of the nodes have doubled since the tree was built, or
/// the nodes have become half empty, it is rebuilt.
class BoxTree {
public:
    static constexpr int width = 8;
    static constexpr float nowhere = 3e38f;  // sides of lanes that are free: the box is inside out

    struct alignas(32) Node {
        float low[3][width], high[3][width];
        std::int32_t child[width];  // nodes, or at level 0 items
        std::int32_t parent;        // -1: the root
        std::uint8_t lane, count, level, unused;

        FloatBox box(int lane) const;
        FloatBox whole() const;  // of all lanes
        void set(int lane, const FloatBox& box, std::int32_t what);
        void clear(int lane);
        /// The lanes whose boxes are within reach of a box, along each axis.
        ELBOWROOM_INLINE unsigned near(const FloatBox& b, float reach) const {
            Float8 gap(-nowhere);
            for (int k = 0; k < 3; ++k) {
                gap = most(gap, Float8::load(low[k]) - Float8(b.high[k]));
                gap = most(gap, Float8(b.low[k]) - Float8::load(high[k]));
            }
            return where_at_most(gap, Float8(reach));
        }
        /// The squares of the gaps to a box, at most.
        ELBOWROOM_INLINE void squared_gaps(const FloatBox& b, float* out) const {
            Float8 sum(0.f);
            for (int k = 0; k < 3; ++k) {
                const Float8 gap =
                    most(most(Float8::load(low[k]) - Float8(b.high[k]), Float8(b.low[k]) - Float8::load(high[k])),
                         Float8(0.f));
                sum = multiply_add(gap, gap, sum);
            }
            (sum * Float8(1 - 1e-6f)).store(out);
        }
    };

    /// The number of items, and one more than the largest of their numbers that ever was.
    std::int32_t size() const { return size_; }
    bool has(std::int32_t item) const { return std::size_t(item) < where_.size() && where_[item] >= 0; }
    FloatBox box(std::int32_t item) const { return nodes_[where_[item] / width].box(where_[item] % width); }

    void insert(std::int32_t item, const FloatBox& box);
    void erase(std::int32_t item);
    void move(std::int32_t item, const FloatBox& box);
    /// Items that are there, each once.
    void move_all(const std::vector<std::int32_t>& items, const std::vector<FloatBox>& boxes);
    /// Many at once, which are not there yet; rebuilds the tree if they are more than are there.
    void insert_all(const std::vector<std::int32_t>& items, const std::vector<FloatBox>& boxes);
    void rebuild();

    std::int32_t root() const { return root_; }
    const Node& node(std::int32_t i) const { return nodes_[i]; }
    /// Trees built since the beginning, and items that were inserted elsewhere because they moved far: tests count.
    std::uint64_t builds() const { return builds_; }
    std::uint64_t strays() const { return strays_; }
    std::size_t bytes() const;
    /// What is wrong with it, or nothing.
    std::string validate() const;

private:
    std::vector<Node> nodes_;
    std::vector<std::int32_t> free_, where_;  // nodes to use again; node * width + lane of each item
    std::int32_t root_ = -1, size_ = 0;
    double area_ = 0, built_area_ = 0;  // of all lanes that hold nodes
    double largest_area_ = 0;           // that it was since: what the sum may be wrong by is relative to it
    std::int64_t changes_ = 0;          // inserted and moved since the tree was built
    std::uint64_t builds_ = 0, strays_ = 0;
    std::vector<std::int32_t> dirty_, above_;  // nodes of a level that are to be refitted, and of the next
    std::vector<unsigned char> marked_;        // of each node

    struct Sorted;
    std::int32_t make_node(int level);
    void drop_node(std::int32_t n);
    void place(std::int32_t n, int lane, const FloatBox& box, std::int32_t what);
    void take_out(std::int32_t n, int lane);
    void fit_upwards(std::int32_t n);
    bool fit(std::int32_t n);
    void fit_marked();
    std::int32_t leaf_for(const FloatBox& box) const;
    void add(std::int32_t n, const FloatBox& box, std::int32_t what);
    void split(std::int32_t n, const FloatBox& box, std::int32_t what);
    bool strays(std::int32_t item, const FloatBox& box) const;
    void keep_good();
    void build(std::vector<Sorted>& items, const std::vector<FloatBox>& boxes);
    void add_to(std::vector<Sorted>& items, std::vector<FloatBox>& boxes, std::int32_t item, const FloatBox& box) const;
    void collect(std::vector<Sorted>& items, std::vector<FloatBox>& boxes) const;
    std::string validate(std::int32_t n, std::vector<std::int32_t>& seen, double& area) const;
};

}  // namespace elbowroom
