#include "answer_class.hpp"
#include "exports.hpp"

namespace elbowroom::bindings {

void export_pairs(nb::module_& m) {
    AnswerClass<Pairs>(m, "Pairs", "The answer of within: all pairs of primitives within reach.")
        .worth()
        .property("indices", "(k, 2), sorted: primitives of a and of b.",
                  [](Pairs& p) { return to_numpy(p.sorted().pairs); })
        .property("distances", "(k,)", [](Pairs& p) { return to_numpy(p.sorted().distances); })
        .property("points",
                  "(k, 2, 3): of each pair a point of a and one of b that are nearest to each other, in the world; "
                  "None unless asked for by points=True.",
                  [](Pairs& p) {
                      auto both = [](const NearestPoints& n) { return std::array{n.on_a, n.on_b}; };
                      return p.has_points ? column(p.sorted().points, both) : nb::none();
                  })
        .property(
            "normals",
            "(k, 3): unit vectors from a to b; of primitives that overlap, those of their contacts. None unless "
            "asked for by points=True.",
            [](Pairs& p) { return p.has_points ? column(p.sorted().points, &NearestPoints::normal) : nb::none(); })
        .property("frames", "(k,): the pose or configuration of each pair; None unless there were many.",
                  [](const Pairs& p) { return p.many ? to_numpy(p.frames) : nb::none(); })
        .property("finished", finished_doc,
                  [](const Pairs& p) { return p.many ? flags_to_numpy(p.finished) : nb::none(); })
        .ending()
        .def("__len__", &Pairs::count);
}

}  // namespace elbowroom::bindings
