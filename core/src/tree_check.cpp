#include <stdexcept>

#include "elbowroom/trees/build.hpp"
#include "elbowroom/trees/check_tree.hpp"
#include "elbowroom/trees/validate.hpp"
#include "elbowroom/volumes/volumes.hpp"

namespace elbowroom {

namespace {

template <class V, int Width>
std::string check_with(const Items& items, int leaf_items) {
    using Tree = FlatTree<V, TreeLanes<V, Width>, Width>;
    SplitOptions options;
    options.leaf_items = leaf_items;
    return validate(build<Tree>(items, options), items);
}

template <class V>
std::string check_of(const Items& items, int children, int leaf_items) {
    return children == 2 ? check_with<V, 2>(items, leaf_items) : check_with<V, 8>(items, leaf_items);
}

}  // namespace

std::string check_tree(const std::string& volume, const Items& items, int children, int leaf_items) {
    if (volume == "sphere") return check_of<SphereVolume>(items, children, leaf_items);
    if (volume == "capsule") return check_of<CapsuleVolume>(items, children, leaf_items);
    if (volume == "aabb") return check_of<AabbVolume>(items, children, leaf_items);
    if (volume == "obb") return check_of<ObbVolume>(items, children, leaf_items);
    if (volume == "rss") return check_of<RssVolume>(items, children, leaf_items);
    throw std::invalid_argument("volume must be \"sphere\", \"capsule\", \"aabb\", \"obb\" or \"rss\"");
}

}  // namespace elbowroom
