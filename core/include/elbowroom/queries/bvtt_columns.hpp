#pragma once
#include <cstdint>
#include <vector>

#include "elbowroom/queries/memory.hpp"

namespace elbowroom {

/// The traversal trees that a memory keeps, as one table in preorder: column by column, a row for each pair of nodes.
struct BvttColumns {
    enum State : std::uint8_t { opened, boxes_apart, primitives_apart, hit, open };
    std::vector<std::int32_t> parent, depth, a, b, deepest, part;
    std::vector<std::uint8_t> state;
    std::vector<double> gap, pairs;  // how far apart it is proved; pairs of primitives

    /// Of a memory that has recorded.
    static BvttColumns of(const QueryMemory& memory);

private:
    void add(const CutMemory& cut, bool has_hit, int part, int depth_below, std::int32_t root);
    void add_row(std::int32_t parent, int depth, int part);
    void add_rest(double whole, int part);
    void count_upwards();
};

}  // namespace elbowroom
