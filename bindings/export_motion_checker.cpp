#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "arguments.hpp"
#include "arrays.hpp"
#include "chains.hpp"
#include "elbowroom/motion/chain_torsion.hpp"
#include "elbowroom/motion/motions.hpp"
#include "exports.hpp"
#include "fastcall.hpp"
#include "state_argument.hpp"
#include "unlocked.hpp"

namespace elbowroom::bindings {

namespace {

/// A checker as Python holds it: how it is asked, and the work so far. Others may share the scene.
struct MotionCheckerHandle {
    std::shared_ptr<const MotionChecker> checker;
    MotionOptions options;
    std::uint64_t motions = 0, distance_calls = 0;
    Counters counters;

    /// Worth letting other Python threads run meanwhile?
    bool heavy() const { return checker->scene().weight() > 64; }
    void add(const MotionAnswer& a) {
        ++motions;
        distance_calls += a.distance_calls;
        counters += a.counters;
    }
    void add(const std::vector<MotionAnswer>& all) {
        for (const MotionAnswer& a : all) add(a);
    }
    /// Runs `check(checker, options)`, and adds up its work.
    template <class Check>
    auto run(nb::handle budget, bool first, bool release, Check&& check) {
        MotionOptions asked = options;
        asked.first = first;
        asked.allowance = allowance_argument(budget);
        auto out = unlocked(release, [&] { return check(*checker, asked); });
        add(out);
        return out;
    }
};

bool is_free(const MotionAnswer& a) { return a.verdict == MotionAnswer::Verdict::free; }

constexpr Signature<2> free_signature{"free", {"start", "goal"}, 2, 2};

nb::object free_python(PyObject* self, const Arguments<2>& given) {
    MotionCheckerHandle& h = handle_in<MotionCheckerHandle>(self);
    const StateArgument start(h.checker->scene(), self, given[0], "start");
    const StateArgument goal(h.checker->scene(), self, given[1], "goal");
    if (start.many() || goal.many())
        throw nb::value_error("start and goal must be one state each: free_many takes many");
    return nb::bool_(is_free(h.run(nb::none(), false, h.heavy(), [&](auto& checker, auto& options) {
        return checker.check(start.at(0), goal.at(0), options);
    })));
}

constexpr Signature<1> valid_signature{"valid", {"state"}, 1, 1};

nb::object valid_python(PyObject* self, const Arguments<1>& given) {
    MotionCheckerHandle& h = handle_in<MotionCheckerHandle>(self);
    const StateArgument state(h.checker->scene(), self, given[0], "state");
    if (state.many()) throw nb::value_error("state must be one state");
    Counters work;
    const bool good =
        unlocked(h.heavy(), [&] { return h.checker->is_free_at(state.at(0), h.options.clearance, work); });
    h.counters += work;
    return nb::bool_(good);
}

nb::object free_many(nb::handle_t<MotionCheckerHandle> self, nb::handle starts, nb::handle goals, nb::handle threads) {
    MotionCheckerHandle& h = handle_in<MotionCheckerHandle>(self.ptr());
    const StateArgument start(h.checker->scene(), self, starts, "starts");
    const StateArgument goal(h.checker->scene(), self, goals, "goals");
    if (start.many() && goal.many() && start.count() != goal.count())
        throw nb::value_error("starts and goals must hold as many states each");
    const std::ptrdiff_t count = start.many() ? start.count() : goal.many() ? goal.count() : 1;
    const int workers = thread_count(threads);
    const auto answers = h.run(nb::none(), false, true, [&](auto& checker, auto& options) {
        return checker.check_many(
            count, [&](std::ptrdiff_t i) { return start.at(i); }, [&](std::ptrdiff_t i) { return goal.at(i); }, options,
            workers);
    });
    std::vector<unsigned char> free;
    for (const MotionAnswer& a : answers) free.push_back(is_free(a));
    return flags_to_numpy(free);
}

auto check_motions(MotionCheckerHandle& h, const Motions& motion, nb::handle budget, bool first, nb::handle threads) {
    const int workers = thread_count(threads);
    return h.run(budget, first, true,
                 [&](auto& checker, auto& options) { return checker.check_many(motion.all, options, workers); });
}

/// Paths (n, k, values).
auto check_paths(MotionCheckerHandle& h, const Doubles& paths, nb::handle budget, bool first, nb::handle threads) {
    const int workers = thread_count(threads), knots = int(paths.shape(1));
    return h.run(budget, first, true, [&](auto& checker, auto& options) {
        return checker.check_paths(paths.data(), std::ptrdiff_t(paths.shape(0)), knots, options, workers);
    });
}

auto check_as_added(MotionCheckerHandle& h, nb::handle budget, bool first) {
    return h.run(budget, first, true, [](auto& checker, auto& options) { return checker.check(options); });
}

MotionAnswer torsion_of(ChainHandle& h, std::int64_t joint, double angle, const Integers& breaks, double tolerance,
                        double clearance) {
    const std::shared_ptr<Chain> chain = h.settled();
    const Asking asked(h.usage);
    const ChainTorsion torsion{joint, angle, to_vector<std::int32_t>(breaks)};
    MotionOptions options;
    options.tolerance = tolerance, options.clearance = clearance;
    return unlocked(h.balls() > 256, [&] { return check_torsion(*chain, h, torsion, options); });
}

PyMethodDef fast_methods[] = {
    fast_method<free_signature, free_python>(
        "free(start, goal)\n--\n\nIs the straight motion between two poses (or configurations) proved free?"),
    fast_method<valid_signature, valid_python>("valid(state)\n--\n\nIs there no contact at a pose (or configuration)?"),
    {nullptr, nullptr, 0, nullptr}};
PyType_Slot slots[] = {{Py_tp_methods, fast_methods}, {0, nullptr}};

}  // namespace

void export_motion_checker(nb::module_& m) {
    using Handle = MotionCheckerHandle;
    nb::class_<Handle>(m, "MotionChecker", nb::type_slots(slots), "A scene, and how motions in it are checked.")
        .def(
            "__init__",
            [](Handle* self, std::shared_ptr<MotionChecker> scene, int method, double tolerance, double clearance) {
                new (self) Handle{std::move(scene), {MotionMethod(method), tolerance, clearance, true, {}}, 0, 0, {}};
            },
            nb::arg("scene"), nb::arg("method"), nb::arg("tolerance"), nb::arg("clearance"))
        .def("_free_many", &free_many, nb::arg("starts"), nb::arg("goals"), nb::arg("threads").none())
        .def("_check_motions", &check_motions, nb::arg("motion"), nb::arg("budget").none(), nb::arg("first"),
             nb::arg("threads").none())
        .def("_check_paths", &check_paths, nb::arg("paths"), nb::arg("budget").none(), nb::arg("first"),
             nb::arg("threads").none())
        .def("_check_as_added", &check_as_added, nb::arg("budget").none(), nb::arg("first"))
        .def_prop_ro("_work",
                     [](const Handle& h) {
                         return nb::make_tuple(h.motions, h.distance_calls, h.counters.volume_tests,
                                               h.counters.leaf_tests);
                     })
        .def(
            "reset_counters", [](Handle& h) { h.motions = h.distance_calls = 0, h.counters = {}; },
            "Sets the running totals to zero.");
    m.def("check_torsion", &torsion_of, nb::arg("chain"), nb::arg("joint"), nb::arg("angle"), nb::arg("breaks"),
          nb::arg("tolerance"), nb::arg("clearance"));
}

}  // namespace elbowroom::bindings
