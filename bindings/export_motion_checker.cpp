#include <nanobind/stl/vector.h>

#include "batches.hpp"
#include "exports.hpp"
#include "fastcall.hpp"
#include "motion_checkers.hpp"
#include "motions.hpp"

namespace elbowroom::bindings {

StateArgument::StateArgument(const MotionCheckerHandle& h, nb::handle self, nb::handle value, const char* name)
    : values_(h.values()) {
    if (!h.links()) {
        if (h.parts->mover < 0) throw nb::type_error("the body of this checker is not moved by poses: use check");
        if (value.is_none()) throw nb::value_error((std::string(name) + " must be a pose, got None").c_str());
        pose_ = std::make_unique<PoseArgument>(value, name);
        return;
    }
    array_ = std::make_unique<ArrayArgument>(value, std::initializer_list<Py_ssize_t>{values_});
    auto good = [&] {
        if (!array_->fits()) return false;
        const std::ptrdiff_t n = most<std::ptrdiff_t>(1, array_->count());
        for (std::ptrdiff_t i = 0; i < n; ++i)
            if (!is_configuration(*h.links(), array_->data() + i * values_)) return false;
        return true;
    };
    if (!good()) {
        held_ = self.attr("_checked_state")(value, name);
        array_ = std::make_unique<ArrayArgument>(held_, std::initializer_list<Py_ssize_t>{values_});
        if (!good()) throw nb::value_error((std::string(name) + " could not be read").c_str());
    }
    count_ = array_->count();
}

namespace {

MotionCheckerHandle& handle_of(PyObject* self) { return handle_in<MotionCheckerHandle>(self); }

constexpr std::int64_t heavy = 64;

constexpr Signature<2> free_signature{"free", {"start", "goal"}, 2, 2};

PyObject* free_python(PyObject* self, PyObject* const* args, Py_ssize_t positional, PyObject* keywords) {
    return guarded([&] {
        const Arguments<2> given(free_signature, args, positional, keywords);
        MotionCheckerHandle& h = handle_of(self);
        const StateArgument start(h, self, given[0], "start"), goal(h, self, given[1], "goal");
        if (start.many() || goal.many())
            throw nb::value_error("start and goal must be one state each: free_many takes many");
        MotionOptions options = h.options;
        options.first = false;
        MotionSetter setter(h);
        MotionLoan loan(h);
        const MotionAnswer a = unlocked(h.parts->weight > heavy,
                                        [&] { return loan.worker().check(setter.between(start, goal, 0), options); });
        h.note(a);
        return nb::object(nb::bool_(a.verdict == MotionAnswer::Verdict::free));
    });
}

constexpr Signature<1> valid_signature{"valid", {"state"}, 1, 1};

PyObject* valid_python(PyObject* self, PyObject* const* args, Py_ssize_t positional, PyObject* keywords) {
    return guarded([&] {
        const Arguments<1> given(valid_signature, args, positional, keywords);
        MotionCheckerHandle& h = handle_of(self);
        const StateArgument state(h, self, given[0], "state");
        if (state.many()) throw nb::value_error("state must be one state");
        MotionSetter setter(h);
        MotionLoan loan(h);
        Counters work;
        const bool good = unlocked(h.parts->weight > heavy, [&] {
            return loan.worker().valid(setter.between(state, state, 0), h.options.clearance, work);
        });
        h.counters += work;
        return nb::object(nb::bool_(good));
    });
}

/// `ask(worker, setter, i)` gives the answer to question i; on all cores.
template <class Ask>
std::vector<MotionAnswer> answer_all(MotionCheckerHandle& h, std::ptrdiff_t count, int threads, const Ask& ask) {
    std::vector<MotionAnswer> out(count);
    MotionLoan loan(h);  // has memory of earlier checks
    unlocked(true, [&] {
        if (count == 1) {
            MotionSetter setter(h);
            out[0] = ask(loan.worker(), setter, 0);
            return;
        }
        in_parallel(count, threads, [&] {
            return [&, worker = std::make_unique<MotionWorker>(h.parts->scene), setter = MotionSetter(h)](
                       std::ptrdiff_t begin, std::ptrdiff_t end) mutable {
                for (std::ptrdiff_t i = begin; i < end; ++i) out[i] = ask(*worker, setter, i);
            };
        });
    });
    for (const MotionAnswer& a : out) h.note(a);
    return out;
}

nb::object free_many(nb::handle_t<MotionCheckerHandle> self, nb::handle starts, nb::handle goals, nb::handle threads) {
    MotionCheckerHandle& h = handle_of(self.ptr());
    const StateArgument start(h, self, starts, "starts"), goal(h, self, goals, "goals");
    if (start.many() && goal.many() && start.count() != goal.count())
        throw nb::value_error("starts and goals must hold as many states each");
    const std::ptrdiff_t count = start.many() ? start.count() : goal.many() ? goal.count() : 1;
    MotionOptions options = h.options;
    options.first = false;
    const auto answers = answer_all(h, count, thread_count(threads), [&](MotionWorker& w, MotionSetter& s, auto i) {
        return w.check(s.between(start, goal, i), options);
    });
    bool* free = new bool[std::size_t(count)];
    for (std::ptrdiff_t i = 0; i < count; ++i) free[i] = answers[i].verdict == MotionAnswer::Verdict::free;
    nb::capsule owner(free, [](void* p) noexcept { delete[] static_cast<bool*>(p); });
    const std::size_t shape[1] = {std::size_t(count)};
    return nb::cast(nb::ndarray<nb::numpy, bool>(free, 1, shape, owner));
}

MotionOptions options_of(const MotionCheckerHandle& h, nb::handle budget, bool first) {
    MotionOptions options = h.options;
    options.first = first, options.allowance = allowance_argument(budget);
    return options;
}

/// Several segments, one after the other, as one motion.
MotionAnswer check_path(MotionWorker& worker, MotionSetter& setter, const double* configurations, int segments,
                        const MotionOptions& options) {
    using Verdict = MotionAnswer::Verdict;
    MotionAnswer whole;
    whole.verdict = Verdict::free;
    const RemainingBudget remaining(options.allowance);
    for (int k = 0; k < segments; ++k) {
        MotionOptions rest = options;
        rest.allowance = remaining.after(whole.counters);
        MotionAnswer a = worker.check(setter.of(configurations, k, segments), rest);
        a.put_into(double(k) / segments, double(k + 1) / segments);
        a.intervals.insert(a.intervals.begin(), whole.intervals.begin(), whole.intervals.end());
        a.counters += whole.counters, a.distance_calls += whole.distance_calls;
        const bool undecided = whole.verdict == Verdict::undecided;
        if (undecided && a.verdict == Verdict::colliding) a.before = least(a.before, whole.before), a.loose = true;
        if (undecided && a.verdict != Verdict::colliding) {  // the first doubt is the one that is told
            whole.intervals = std::move(a.intervals), whole.counters = a.counters;
            whole.distance_calls = a.distance_calls, whole.out_of_budget |= a.out_of_budget;
        } else {
            whole = std::move(a);
        }
        if (whole.verdict == Verdict::colliding || whole.out_of_budget) break;
        if (whole.verdict == Verdict::undecided && !options.first) break;
    }
    return whole;
}

nb::object check_motions(nb::handle_t<MotionCheckerHandle> self, const MotionHandle& motion, nb::handle budget,
                         bool first, nb::handle threads) {
    MotionCheckerHandle& h = handle_of(self.ptr());
    const MotionOptions options = options_of(h, budget, first);
    return nb::cast(answer_all(h, std::ptrdiff_t(motion.all.size()), thread_count(threads),
                               [&](MotionWorker& w, MotionSetter& s, std::ptrdiff_t i) {
                                   return w.check(s.of(motion.all[std::size_t(i)]), options);
                               }));
}

/// Paths (n, k, values).
nb::object check_paths(nb::handle_t<MotionCheckerHandle> self, const Doubles& paths, nb::handle budget, bool first,
                       nb::handle threads) {
    MotionCheckerHandle& h = handle_of(self.ptr());
    const MotionOptions options = options_of(h, budget, first);
    const std::ptrdiff_t knots = std::ptrdiff_t(paths.shape(1)), size = knots * h.values();
    const double* data = paths.data();
    return nb::cast(answer_all(h, std::ptrdiff_t(paths.shape(0)), thread_count(threads),
                               [&](MotionWorker& w, MotionSetter& s, std::ptrdiff_t i) {
                                   return check_path(w, s, data + i * size, int(knots - 1), options);
                               }));
}

/// The motions as they were given when the scene was made: of a chain.
nb::object check_as_it_is(nb::handle_t<MotionCheckerHandle> self, nb::handle budget, bool first) {
    MotionCheckerHandle& h = handle_of(self.ptr());
    const MotionOptions options = options_of(h, budget, first);
    return nb::cast(answer_all(
        h, 1, 1, [&](MotionWorker& w, MotionSetter& s, std::ptrdiff_t) { return w.check(s.as_they_are(), options); }));
}

int add_piece(MotionCheckerHandle& h, const RigidBody& body, int frame, nb::handle pose) {
    h.parts->bodies.push_back(body);
    return h.parts->scene.add_piece({&h.parts->bodies.back(), frame, PoseArgument(pose, "pose").at(0)});
}

/// The links of an articulated body, moved from one configuration to another.
int add_links(MotionCheckerHandle& h, const ArticulatedHandle& body, int parent, const Doubles& from, const Doubles& to,
              bool is_mover) {
    const int first = h.parts->scene.add_links(body.model, parent, from.data(), to.data());
    if (is_mover) h.parts->links = body.model, h.parts->mover = first;
    return first;
}

std::int64_t weight_of(const MotionCheckerHandle& h, const MotionPair& p) {
    return std::int64_t(h.parts->scene.pieces()[p.a].body->count()) * h.parts->scene.pieces()[p.b].body->count();
}

void compare(MotionCheckerHandle& h, int a, int b, int filter, bool has_width) {
    h.parts->scene.compare(a, b, filter, has_width);
    h.parts->weight += weight_of(h, h.parts->scene.pairs().back());
}

/// The pieces of links, but for excluded pairs of links, whose frames begin at `first`.
void compare_all(MotionCheckerHandle& h, const Integers& pieces, const Integers& excluded, int first) {
    std::set<std::array<std::int32_t, 2>> frames;
    for (const auto& p : to_pairs(excluded)) frames.insert({first + least(p[0], p[1]), first + most(p[0], p[1])});
    const std::size_t before = h.parts->scene.pairs().size();
    unlocked(true, [&] { h.parts->scene.compare_all({pieces.data(), pieces.data() + pieces.size()}, frames); });
    for (std::size_t k = before; k < h.parts->scene.pairs().size(); ++k)
        h.parts->weight += weight_of(h, h.parts->scene.pairs()[k]);
}

int add_filter(MotionCheckerHandle& h, const Integers& links_a, const Integers& links_b, int gap,
               const Integers& allowed) {
    MotionFilter f;
    for (std::size_t i = 0; i < links_a.size(); i += 2)
        f.first_a.push_back(links_a.data()[i]), f.last_a.push_back(links_a.data()[i + 1]);
    for (std::size_t i = 0; i < links_b.size(); i += 2)
        f.first_b.push_back(links_b.data()[i]), f.last_b.push_back(links_b.data()[i + 1]);
    f.gap = gap;
    for (const auto& p : to_pairs(allowed)) f.allowed.insert({least(p[0], p[1]), most(p[0], p[1])});
    return h.parts->scene.add_filter(std::move(f));
}

PyMethodDef fast_methods[] = {
    fast_method("free", free_python,
                "free(start, goal)\n--\n\nIs the straight motion between two poses (or configurations) proved free?"),
    fast_method("valid", valid_python, "valid(state)\n--\n\nIs there no contact at a pose (or configuration)?"),
    {nullptr, nullptr, 0, nullptr}};
PyType_Slot slots[] = {{Py_tp_methods, fast_methods}, {0, nullptr}};

}  // namespace

void export_motion_checker(nb::module_& m) {
    nb::class_<MotionCheckerHandle>(m, "MotionChecker", nb::type_slots(slots),
                                    "Pieces that move, and obstacles: prepared once, asked often.")
        .def(
            "__init__",
            [](MotionCheckerHandle* self, int method, double tolerance, double clearance) {
                new (self) MotionCheckerHandle();
                self->options.method = MotionMethod(method), self->options.tolerance = tolerance;
                self->options.clearance = clearance;
            },
            nb::arg("method"), nb::arg("tolerance"), nb::arg("clearance"))
        .def(
            "_add_frame",
            [](MotionCheckerHandle& h, int parent, const MotionHandle& motion, bool is_mover) {
                const int frame = h.parts->scene.add_frame(parent, motion.all[0]);
                if (is_mover) h.parts->mover = frame;
                return frame;
            },
            nb::arg("parent"), nb::arg("motion"), nb::arg("is_mover"))
        .def("_add_links", &add_links, nb::arg("body"), nb::arg("parent"), nb::arg("start"), nb::arg("goal"),
             nb::arg("is_mover"))
        .def("_add_piece", &add_piece, nb::arg("body"), nb::arg("frame"), nb::arg("pose").none())
        .def("_add_filter", &add_filter, nb::arg("links_a"), nb::arg("links_b"), nb::arg("gap"), nb::arg("allowed"))
        .def("_compare", &compare, nb::arg("a"), nb::arg("b"), nb::arg("filter") = -1, nb::arg("has_width") = true)
        .def("_compare_all", &compare_all, nb::arg("pieces"), nb::arg("excluded"), nb::arg("first"))
        .def("_free_many", &free_many, nb::arg("starts"), nb::arg("goals"), nb::arg("threads").none())
        .def("_check_motions", &check_motions, nb::arg("motion"), nb::arg("budget").none(), nb::arg("first"),
             nb::arg("threads").none())
        .def("_check_paths", &check_paths, nb::arg("paths"), nb::arg("budget").none(), nb::arg("first"),
             nb::arg("threads").none())
        .def("_check_as_it_is", &check_as_it_is, nb::arg("budget").none(), nb::arg("first"))
        .def_prop_ro("_work",
                     [](const MotionCheckerHandle& h) {
                         return nb::make_tuple(h.motions, h.distance_calls, h.counters.volume_tests,
                                               h.counters.leaf_tests);
                     })
        .def(
            "reset_counters", [](MotionCheckerHandle& h) { h.motions = h.distance_calls = 0, h.counters = {}; },
            "Sets the running totals to zero.");
}

}  // namespace elbowroom::bindings
