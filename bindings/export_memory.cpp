#include <nanobind/stl/string.h>

#include "arguments.hpp"
#include "arrays.hpp"
#include "elbowroom/queries/confidence.hpp"
#include "exports.hpp"

namespace elbowroom::bindings {

namespace {

/// The trees of a memory as columns, in preorder.
class BvttColumns {
public:
    /// `hit`: the last query found one. Else what hit before was not looked at again, and is open.
    explicit BvttColumns(bool hit) : hit_(hit) {}
    void add(const CutMemory& cut, int part, int depth_below, std::int32_t root) {
        std::vector<std::int32_t> place(cut.now.size(), -1);
        cut.now.each([&](std::int32_t i) {
            const BvttNode& n = cut.now[i];
            place[i] = std::int32_t(parent_.size());
            add_row(n.parent < 0 ? root : place[n.parent], n.depth + depth_below, part);
            a_.back() = n.a;
            b_.back() = n.b;
            pairs_.back() = cut.now.pairs(i);
            const bool proved = cut.now.holds(i) >= cut.odometer;
            gap_.back() = n.is_on_cut() && proved ? cut.now.holds(i) - cut.odometer : 0;
            state_.back() = n.state == BvttNode::hit && !hit_ ? 4 : state_of(n, proved);
        });
    }
    /// The common root of parts.
    void add_root(bool open) {
        add_row(-1, 1, 0);
        state_.back() = open ? 4 : 0;
    }
    /// What no part holds, as one node: boxes have ruled it out.
    void add_rest(double whole, int part) {
        if (state_[0] != 0) return void(pairs_[0] = whole);
        double held = 0;
        for (std::size_t i = 1; i < pairs_.size(); ++i) held += state_[i] != 0 ? pairs_[i] : 0;
        if (!(whole > held)) return;
        add_row(0, 2, part);
        state_.back() = 1;
        pairs_.back() = whole - held;
    }
    nb::dict columns() {
        count_upwards();
        nb::dict out;
        out["parent"] = array(parent_);
        out["depth"] = array(depth_);
        out["a"] = array(a_);
        out["b"] = array(b_);
        out["state"] = array(state_);
        out["gap"] = array(gap_);
        out["pairs"] = array(pairs_);
        out["deepest"] = array(deepest_);
        out["part"] = array(part_);
        return out;
    }

private:
    const bool hit_;
    std::vector<std::int32_t> parent_, depth_, a_, b_, deepest_, part_;
    std::vector<std::uint8_t> state_;
    std::vector<double> gap_, pairs_;

    void add_row(std::int32_t parent, int depth, int part) {
        parent_.push_back(parent);
        depth_.push_back(depth);
        deepest_.push_back(depth);
        part_.push_back(part);
        a_.push_back(-1);
        b_.push_back(-1);
        state_.push_back(0);
        gap_.push_back(0);
        pairs_.push_back(0);
    }
    static std::uint8_t state_of(const BvttNode& n, bool proved) {
        switch (n.state) {
            case BvttNode::opened:
                return 0;
            case BvttNode::hit:
                return 3;
            case BvttNode::leaf_apart:
                return proved ? 2 : 4;
            default:
                return proved ? 1 : 4;
        }
    }
    /// An opened pair holds what its children hold.
    void count_upwards() {
        for (std::size_t i = 0; i < parent_.size(); ++i)
            if (state_[i] == 0) pairs_[i] = 0;
        for (std::size_t i = parent_.size(); i-- > 0;) {
            if (parent_[i] < 0) continue;
            pairs_[parent_[i]] += pairs_[i];
            deepest_[parent_[i]] = most(deepest_[parent_[i]], deepest_[i]);
        }
    }
    template <class T>
    static nb::object array(const std::vector<T>& v) {
        return to_numpy<T>(v.data(), {v.size()});
    }
};

nb::object bvtt_of(const QueryMemory& m) {
    if (!m.recorded) return nb::none();
    BvttColumns columns(m.hit_before);
    if (!m.cut.now.empty()) {
        columns.add(m.cut, 0, 0, -1);
        return columns.columns();
    }
    columns.add_root(m.parts.empty() && m.age != 0);
    int part = 0;
    for (const auto& [key, cut] : m.parts) columns.add(cut, part++, 1, 0);
    columns.add_rest(m.whole, part);
    return columns.columns();
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
    m.table.knots.assign(knots.data(), knots.data() + knots.size());
    m.table.values.assign(values.data(), values.data() + values.size());
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
