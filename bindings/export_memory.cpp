#include <nanobind/stl/string.h>

#include "arguments.hpp"
#include "arrays.hpp"
#include "elbowroom/queries/bvtt_columns.hpp"
#include "elbowroom/queries/confidence.hpp"
#include "exports.hpp"

namespace elbowroom::bindings {

namespace {

nb::object bvtt_of(const QueryMemory& m) {
    if (!m.recorded) return nb::none();
    const BvttColumns c = BvttColumns::of(m);
    nb::dict out;
    out["parent"] = to_numpy(c.parent);
    out["depth"] = to_numpy(c.depth);
    out["a"] = to_numpy(c.a);
    out["b"] = to_numpy(c.b);
    out["state"] = to_numpy(c.state);
    out["gap"] = to_numpy(c.gap);
    out["pairs"] = to_numpy(c.pairs);
    out["deepest"] = to_numpy(c.deepest);
    out["part"] = to_numpy(c.part);
    return out;
}

/// (shape of a, shape of b, swapped) of each part; without parts one row for all.
nb::list parts_of(const QueryMemory& m) {
    nb::list out;
    if (m.parts.empty()) out.append(nb::make_tuple(0, 0, m.cut.swapped));
    for (const auto& [key, cut] : m.parts)
        out.append(nb::make_tuple(std::int64_t(key >> 32), std::int64_t(key & 0xffffffffu), cut.swapped));
    return out;
}

void set_table(QueryMemory& m, const Doubles& weights, const Doubles& knots, const Doubles& values) {
    if (weights.size() != 9 || knots.size() != values.size() || knots.size() == 0)
        throw nb::value_error("a table needs nine weights, and as many values as knots");
    std::copy(weights.data(), weights.data() + 9, m.table.weights.begin());
    m.table.knots = to_vector(knots);
    m.table.values = to_vector(values);
}

/// The memory, which no query uses just now.
QueryMemory& at_rest(MemoryHandle& h) {
    h.notice_fork();
    h.usage.refuse_change();
    return h.memory;
}

}  // namespace

void export_memory(nb::module_& m) {
    nb::class_<MemoryHandle>(m, "QueryMemory", "What one query tells the next about the same bodies.")
        .def(
            "__init__",
            [](MemoryHandle* self, int method, int group, double threshold) {
                new (self) MemoryHandle;
                self->memory.method = MemoryMethod(method);
                self->memory.group = group;
                self->memory.threshold = threshold;
            },
            nb::arg("method"), nb::arg("group"), nb::arg("threshold"))
        .def(
            "forget", [](MemoryHandle& h) { at_rest(h).forget(); }, "Forgets everything but its settings.")
        .def_prop_ro(
            "empty", [](MemoryHandle& h) { return at_rest(h).calls == 0; }, "True before the first query.")
        .def_prop_ro(
            "calls", [](MemoryHandle& h) { return at_rest(h).calls; },
            "Queries since it was made or forgot, or met other bodies.")
        .def_prop_ro(
            "group", [](const MemoryHandle& h) { return h.memory.group; },
            "Nodes of the cut list that are judged together.")
        .def_prop_ro(
            "threshold", [](const MemoryHandle& h) { return h.memory.threshold; },
            "Standard deviation of depths above which a group is dangerous.")
        .def_prop_ro(
            "age",
            [](MemoryHandle& h) -> nb::object {
                const std::int64_t age = at_rest(h).age;
                return age < 0 ? nb::none() : nb::cast(age);
            },
            nb::sig("def age(self) -> int | None"),
            "Calls since the oldest part of the proof was made that no longer holds; 0: everything is proved for the "
            "present configuration; None: a part was never proved.")
        .def_prop_ro("_swapped", [](MemoryHandle& h) { return at_rest(h).cut.swapped; })
        .def("_parts", [](MemoryHandle& h) { return parts_of(at_rest(h)); })
        .def("_bvtt", [](MemoryHandle& h) { return bvtt_of(at_rest(h)); })
        .def(
            "_set_table",
            [](MemoryHandle& h, const Doubles& weights, const Doubles& knots, const Doubles& values) {
                set_table(at_rest(h), weights, knots, values);
            },
            nb::arg("weights"), nb::arg("knots"), nb::arg("values"))
        .def("_clear_table", [](MemoryHandle& h) { at_rest(h).table = {}; });
    m.def("memory_for_pairs", &memory_for_pairs, "Bytes that the pairs of one answer may take.");
    m.def("set_memory_for_pairs", &set_memory_for_pairs, nb::arg("bytes"));
}

}  // namespace elbowroom::bindings
