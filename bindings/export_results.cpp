#include "answer_class.hpp"
#include "exports.hpp"

namespace elbowroom::bindings {

void export_results(nb::module_& m) {
    AnswerClass<Counters>(m, "Counters", "The work of a query.")
        .def_ro("volume_tests", &Counters::volume_tests, "Tests of a volume against a volume.")
        .def_ro("leaf_tests", &Counters::leaf_tests, "Tests of a primitive against a primitive.")
        .def_ro("pairs_visited", &Counters::pairs_visited, "Pairs that the traversal took up.")
        .def(
            "__add__", [](Counters x, const Counters& y) { return x += y; }, nb::arg("other"))
        .def(
            "__eq__",
            [](const Counters& x, nb::handle other) {
                const Counters* y = nullptr;
                return nb::try_cast<const Counters*>(other, y) && y && x == *y;
            },
            nb::arg("other"));
    AnswerClass<Contacts>(m, "Contacts",
                          "Contact points, normals (from a to b) and penetration depths, one for each pair.")
        .property("points", "(k, 3): midway between the two surfaces, in the world.",
                  [](const Contacts& c) { return column(c.all, &HullContact::point); })
        .property("normals", "(k, 3): moved by depth * normal, b just touches a; any farther, and the pair is free.",
                  [](const Contacts& c) { return column(c.all, &HullContact::normal); })
        .property("depths", "(k,): how deep the primitives overlap.",
                  [](const Contacts& c) { return column(c.all, &HullContact::depth); })
        .def("__len__", [](const Contacts& c) { return c.all.size(); });
}

}  // namespace elbowroom::bindings
