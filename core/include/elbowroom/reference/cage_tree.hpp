#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "elbowroom/portable.hpp"

namespace elbowroom {

/// The balanced binary tree over the beads of a necklace [Guibas2002]: which beads lie below which cage. It says
/// nothing of where they are, and never changes. Cages are numbered in preorder; one with more than three beads is cut
/// in the middle into two cages, the others have the beads themselves as children. A *slot* names either: a cage by its
/// number, bead i by ~i.
class CageTree {
public:
    struct Node {
        std::int32_t first, last;  // beads below: from first to one before last
        std::int32_t right;        // the second of two cages, the first being the next in preorder; -1: beads
        std::int32_t level;        // that of the root is 0
        ELBOWROOM_INLINE bool has_beads() const { return right < 0; }
        ELBOWROOM_INLINE std::int32_t count() const { return last - first; }
    };
    struct Children {
        int count;
        std::int32_t slot[3];
        const std::int32_t* begin() const { return slot; }
        const std::int32_t* end() const { return slot + count; }
    };

    /// At least one bead.
    explicit CageTree(std::int32_t beads);

    std::int32_t beads() const { return nodes_[0].last; }
    std::int32_t cages() const { return std::int32_t(nodes_.size()); }
    const std::vector<Node>& nodes() const { return nodes_; }
    ELBOWROOM_INLINE const Node& node(std::int32_t cage) const { return nodes_[cage]; }
    /// How many beads a slot stands for.
    ELBOWROOM_INLINE std::int32_t count(std::int32_t slot) const { return slot < 0 ? 1 : nodes_[slot].count(); }
    ELBOWROOM_INLINE Children children(std::int32_t cage) const {
        const Node& n = nodes_[cage];
        if (!n.has_beads()) return {2, {cage + 1, n.right, 0}};
        return {n.count(), {~n.first, ~(n.first + 1), ~(n.first + 2)}};
    }
    /// What is wrong with the structure, or nothing.
    std::string validate() const;
    std::size_t bytes() const { return nodes_.capacity() * sizeof(Node); }

private:
    static constexpr std::int32_t most_beads = 3;
    std::vector<Node> nodes_;

    std::int32_t make(std::int32_t first, std::int32_t last, std::int32_t level);
};

}  // namespace elbowroom
