#include "answer_class.hpp"
#include "exports.hpp"

namespace elbowroom::bindings {

void export_distance(nb::module_& m) {
    AnswerClass<Distance>(m, "Distance",
                          "The answer of distance: a value between proven bounds, and the two points that attain it.")
        .worth()
        .property("value", "The distance of the two points; 0 when the bodies overlap.",
                  [](const Distance& d) { return d.answer.upper; })
        .property("lower", "The bodies are proved at least this far apart.",
                  [](const Distance& d) { return d.answer.lower; })
        .property("upper", "The bodies are at most this far apart.", [](const Distance& d) { return d.answer.upper; })
        .property("points", "(2, 3): a point of a and a point of b, in the world.",
                  [](const Distance& d) { return to_numpy(std::array{d.answer.on_a, d.answer.on_b}); })
        .property("pair", "(2,): the primitives they lie on.",
                  [](const Distance& d) { return to_numpy(d.answer.pair); })
        .ending()
        .def("__float__", [](const Distance& d) { return d.answer.upper; });
    AnswerClass<Distances>(m, "Distances", "The answers of distance for many poses.")
        .property("values", "(n,)", [](const Distances& d) { return to_numpy(d.upper); })
        .property("lower", "(n,)", [](const Distances& d) { return to_numpy(d.lower); })
        .property("upper", "(n,)", [](const Distances& d) { return to_numpy(d.upper); })
        .property("points", "(n, 2, 3)",
                  [](const Distances& d) { return to_numpy<double>(&d.points[0].x, {d.points.size() / 2, 2, 3}); })
        .property("pairs", "(n, 2)", [](const Distances& d) { return to_numpy(d.pairs); })
        .property("finished", finished_doc, [](const Distances& d) { return flags_to_numpy(d.finished); })
        .ending("The work of all queries together.")
        .array([](const Distances& d) -> const auto& { return d.upper; });
}

}  // namespace elbowroom::bindings
