#include "answer_class.hpp"
#include "exports.hpp"

namespace elbowroom::bindings {

namespace {

constexpr const char* contacts_doc = "Contacts of the pairs, when depth=True was asked; else None.";

nb::object contacts_of(bool asked, const std::vector<HullContact>& contacts) {
    return asked ? nb::cast(Contacts{contacts}) : nb::none();
}

}  // namespace

void export_collision(nb::module_& m) {
    AnswerClass<Collision>(m, "Collision",
                           "The answer of collide: bool(collision) is the verdict, and False is a proof unless the "
                           "status is \"out of budget\".")
        .worth()
        .property("lower",
                  "What is covered is at least this far apart, as far as it was measured: by queries with a memory.",
                  [](const Collision& c) { return c.answer.worth.lower; })
        .property("upper", "0 if a hit was found, else infinite.",
                  [](const Collision& c) { return c.answer.hit ? 0.0 : std::numeric_limits<double>::infinity(); })
        .property("pairs", "(k, 2): primitives of a and of b that overlap or touch.",
                  [](const Collision& c) { return to_numpy(c.answer.pairs); })
        .property("contacts", contacts_doc,
                  [](const Collision& c) { return contacts_of(c.has_contacts, c.answer.contacts); })
        .ending()
        .def("__bool__", [](const Collision& c) { return c.answer.hit; })
        .def("__len__", [](const Collision& c) { return c.answer.pairs.size(); });
    AnswerClass<Collisions>(m, "Collisions", "The answers of collide for many poses; an array of verdicts.")
        .property("hits", "(n,) bool.", [](const Collisions& c) { return flags_to_numpy(c.hits); })
        .property("frames",
                  "(k,), sorted: the number of the pose or configuration of each pair, when every=True or depth=True "
                  "was asked; else None.",
                  [](const Collisions& c) { return c.has_pairs ? to_numpy(c.frames) : nb::none(); })
        .property("pairs", "(k, 2): the pairs of all, when every=True or depth=True was asked; else None.",
                  [](const Collisions& c) { return c.has_pairs ? to_numpy(c.pairs) : nb::none(); })
        .property("contacts", contacts_doc, [](const Collisions& c) { return contacts_of(c.has_contacts, c.contacts); })
        .property("finished", finished_doc, [](const Collisions& c) { return flags_to_numpy(c.finished); })
        .ending("The work of all queries together.")
        .array([](const Collisions& c) -> const auto& { return c.hits; })
        .def("__bool__", [](const Collisions&) -> bool {
            throw nb::value_error("the answer holds many verdicts: use .hits.any() or .hits.all()");
        });
}

}  // namespace elbowroom::bindings
