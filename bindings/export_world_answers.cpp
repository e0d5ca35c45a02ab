// Answers that name members of worlds.
#include "answer_class.hpp"
#include "exports.hpp"
#include "worlds.hpp"

namespace elbowroom::bindings {

namespace {

nb::object slot_of(const nb::object& slots, std::int32_t member) {
    return member < 0 ? nb::make_tuple(nb::none(), nb::none()) : nb::object(slots[member]);
}

const std::vector<PrimitivePair>& pairs_of(WorldCollision& c) { return c.answer.pairs; }
const std::vector<PrimitivePair>& pairs_of(WorldPairs& p) { return p.sorted().pairs; }
std::vector<PrimitivePair> pairs_of(WorldDistance& d) { return {d.answer.pair}; }

/// "'cup' and 'table'", at most three of them.
std::string told(const MemberNames& who, std::size_t count) {
    std::string out;
    const nb::object names = who.name_list();
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 3); ++i) {
        out += i ? ", " : "";
        for (int k = 0; k < 2; ++k) {
            const nb::object name = names[i][k];
            out += k ? " and " : "";
            out += name.is_none() ? std::string("the body") : nb::cast<std::string>(nb::repr(name));
        }
    }
    return count > 3 ? out + ", ..." : out;
}

/// What it says without names, and the names.
template <class Plain, class Answer>
std::string described(Answer& answer, std::size_t count) {
    std::string out = describe(static_cast<const Plain&>(answer));
    out.insert(1, "World");
    if (count > 0) out.insert(out.find(';'), ": " + told(answer.who, count));
    return out;
}

template <class Answer, class Plain>
class WorldAnswerClass : public nb::class_<Answer, Plain> {
public:
    WorldAnswerClass(nb::module_& m, const char* name, const char* doc) : nb::class_<Answer, Plain>(m, name, doc) {
        this->def("__getstate__", [](Answer& answer) {
            const ResultState state = state_of(static_cast<Plain&>(answer));
            return nb::make_tuple(to_numpy(state.whole), to_numpy(state.real), answer.who.name_list(),
                                  answer.who.part_list(pairs_of(answer)));
        });
        this->def("__setstate__", [](Answer& answer, const nb::tuple& saved) {
            Saved<std::int64_t> whole;
            Saved<double> real;
            if (nb::len(saved) != 4 || !nb::try_cast(saved[0], whole, false) || !nb::try_cast(saved[1], real, false))
                throw nb::value_error("this is no saved answer");
            new (&answer)
                Answer{result_of<Plain>({whole.data(), whole.size()}, {real.data(), real.size()}), MemberNames{}};
            answer.who.names = saved[2], answer.who.parts = saved[3];
        });
    }

private:
    template <class Number>
    using Saved = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
};

constexpr const char* names_doc = "The two bodies of each pair, by name; None for one that is not in a world.";
constexpr const char* parts_doc =
    "Of each pair what it is of the two bodies: links and atoms by name, balls and primitives by number.";

}  // namespace

nb::object MemberNames::name_list() const {
    if (names.is_valid()) return names;
    nb::list out;
    for (const PrimitivePair& m : members) out.append(nb::make_tuple(slot_of(a, m[0])[0], slot_of(b, m[1])[0]));
    return out;
}

nb::object MemberNames::part_list(const std::vector<PrimitivePair>& pairs) const {
    if (parts.is_valid()) return parts;
    const nb::object called = nb::module_::import_("elbowroom._names").attr("called");
    nb::list out;
    for (std::size_t i = 0; i < members.size(); ++i)
        out.append(nb::make_tuple(called(slot_of(a, members[i][0])[1], pairs[i][0]),
                                  called(slot_of(b, members[i][1])[1], pairs[i][1])));
    return out;
}

void export_world_answers(nb::module_& m) {
    WorldAnswerClass<WorldCollision, Collision>(m, "WorldCollision",
                                                "The answer of collide about the bodies of a World.")
        .def_prop_ro(
            "names", [](const WorldCollision& c) { return c.who.name_list(); }, names_doc)
        .def_prop_ro(
            "parts", [](WorldCollision& c) { return c.who.part_list(c.answer.pairs); }, parts_doc)
        .def("__repr__", [](WorldCollision& c) { return described<Collision>(c, c.answer.pairs.size()); });
    WorldAnswerClass<WorldDistance, Distance>(m, "WorldDistance", "The answer of distance about the bodies of a World.")
        .def_prop_ro(
            "names",
            [](const WorldDistance& d) -> nb::object {
                const nb::object all = d.who.name_list();
                return nb::len(all) ? nb::object(all[0]) : nb::none();
            },
            "The two bodies that are nearest, by name; None if there is nothing to compare.")
        .def_prop_ro(
            "parts",
            [](WorldDistance& d) -> nb::object {
                const nb::object all = d.who.part_list({d.answer.pair});
                return nb::len(all) ? nb::object(all[0]) : nb::none();
            },
            "What is nearest of the two bodies: links and atoms by name, balls and primitives by number.")
        .def("__repr__", [](WorldDistance& d) { return described<Distance>(d, d.answer.pair[0] >= 0 ? 1 : 0); });
    WorldAnswerClass<WorldPairs, Pairs>(m, "WorldPairs", "The answer of within about the bodies of a World.")
        .def_prop_ro(
            "names", [](const WorldPairs& p) { return p.who.name_list(); }, names_doc)
        .def_prop_ro(
            "parts", [](WorldPairs& p) { return p.who.part_list(p.sorted().pairs); }, parts_doc)
        .def("__repr__", [](WorldPairs& p) { return described<Pairs>(p, p.count()); });
}

}  // namespace elbowroom::bindings
