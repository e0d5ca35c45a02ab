#include "elbowroom/reference/cage_tree.hpp"

namespace elbowroom {

CageTree::CageTree(std::int32_t beads) {
    std::int32_t lowest = 1;  // cages on the lowest level
    for (std::int64_t width = beads; width > most_beads; width = (width + 1) / 2) lowest *= 2;
    nodes_.reserve(2 * std::size_t(lowest) - 1);
    make(0, beads, 0);
}

std::int32_t CageTree::make(std::int32_t first, std::int32_t last, std::int32_t level) {
    const std::int32_t cage = cages();
    nodes_.push_back({first, last, -1, level});
    if (last - first <= most_beads) return cage;
    const std::int32_t middle = first + (last - first) / 2;
    make(first, middle, level + 1);
    const std::int32_t right = make(middle, last, level + 1);
    nodes_[cage].right = right;
    return cage;
}

std::string CageTree::validate() const {
    auto wrong = [](std::int32_t cage, const char* what) { return "cage " + std::to_string(cage) + " " + what; };
    if (nodes_[0].first != 0 || nodes_[0].level != 0) return "the root does not begin with the first bead";
    for (std::int32_t c = 0; c < cages(); ++c) {
        const Node& n = nodes_[c];
        if (n.first < 0 || n.count() < 1 || n.last > beads()) return wrong(c, "has a range that is not one");
        if (n.has_beads() != (n.count() <= most_beads))
            return wrong(c, "has beads where it should have cages, or cages");
        if (n.has_beads()) continue;
        if (n.right <= c + 1 || n.right >= cages()) return wrong(c, "has children out of order");
        const Node &left = nodes_[c + 1], &right = nodes_[n.right];
        if (left.first != n.first || left.last != (n.first + n.last) / 2 || right.first != left.last ||
            right.last != n.last)
            return wrong(c, "is not cut in the middle");
        if (left.level != n.level + 1 || right.level != n.level + 1)
            return wrong(c, "is not a level above its children");
    }
    return "";
}

}  // namespace elbowroom
