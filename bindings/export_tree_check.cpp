#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "elbowroom/trees/check_tree.hpp"
#include "exports.hpp"

namespace elbowroom::bindings {

void export_tree_check(nb::module_& m) {
    m.def(
        "check_tree",
        [](const std::string& volume, const Doubles& points, const Integers& first, const Doubles& radii, int children,
           int leaf_items) {
            const std::vector<Vec3> all = to_points(points);
            return check_tree(volume, {all.data(), first.data(), radii.data(), int(radii.size())}, children,
                              leaf_items);
        },
        nb::arg("volume"), nb::arg("points"), nb::arg("first"), nb::arg("radii"), nb::arg("children"),
        nb::arg("leaf_items"),
        "Builds a tree of the given volumes over runs of points and says what is wrong with it (nothing: \"\").");
}

}  // namespace elbowroom::bindings
