#pragma once
#include <string>

#include "elbowroom/trees/items.hpp"

namespace elbowroom {

/// Builds a tree of volumes of that name over the items and says what is wrong with it, or nothing. Throws
/// std::invalid_argument if there are no such volumes.
std::string check_tree(const std::string& volume, const Items& items, int children, int leaf_items);

}  // namespace elbowroom
