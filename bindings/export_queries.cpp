#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "batches.hpp"
#include "configurations.hpp"
#include "docs.hpp"
#include "exports.hpp"
#include "fastcall.hpp"
#include "scene.hpp"

namespace elbowroom::bindings {

namespace {

/// A question in all its forms: of two bodies that are placed, and of pairs that know how to answer.
struct AskCollide {
    const CollideOptions& options;
    template <class X, class Y>
    CollideAnswer operator()(const X& x, const Y& y) const {
        return collide(x, y, options);
    }
    template <class Pairs>
    CollideAnswer operator()(Pairs&& pairs) const {
        return pairs.collide(options);
    }
};
struct AskDistance {
    const DistanceOptions& options;
    template <class X, class Y>
    DistanceAnswer operator()(const X& x, const Y& y) const {
        return distance(x, y, options);
    }
    template <class Pairs>
    DistanceAnswer operator()(Pairs&& pairs) const {
        return pairs.distance(options);
    }
};
struct AskWithin {
    const WithinOptions& options;
    template <class X, class Y>
    WithinAnswer operator()(const X& x, const Y& y) const {
        return within(x, y, options);
    }
    template <class Pairs>
    WithinAnswer operator()(Pairs&& pairs) const {
        return pairs.within(options);
    }
};

/// Runs f, which asks questions of a scene; complains about what is found wrong with it on the way.
template <class F>
auto answering(const Scene& scene, bool release, F&& f) {
    try {
        return unlocked(release, f);
    } catch (const BadPoses& bad) { scene.complain(bad); }
}

/// Gives workers that ask `question` of a scene.
template <class Question>
auto asking(const Scene& scene, const Question& question) {
    return [&] {
        return [&question, worker = SceneWorker(scene)](std::ptrdiff_t i) mutable { return worker.ask(i, question); };
    };
}

constexpr Signature<10> collide_signature{
    "collide", {"a", "b", "pose_a", "pose_b", "every", "depth", "budget", "memory", "threads", "configurations"}, 2, 4};

nb::object collide_with(const Arguments<10>& given) {
    const ConfiguredBodies bodies(given[0], given[1], given[9]);
    const Scene scene(bodies.a, bodies.b, given[2], given[3]);
    const int threads = thread_count(given[8]);
    const MemoryArgument memory(given[7]);
    scene.refuse_memory(memory);
    CollideOptions options{given.flag(4), given.flag(5), allowance_argument(given[6]), memory, {}};
    const AskCollide question{options};
    if (scene.many()) {
        refuse_with_many(options.memory, "memory");
        if (SceneGroupWorker::suits(scene) && options.allowance.unlimited())
            return nb::cast(answering(scene, true, [&] {
                return collide_many(scene.count(), threads, options, [&] {
                    return [&options, worker = std::make_unique<SceneGroupWorker>(scene)](std::ptrdiff_t i) {
                        return worker->ask(i, options);
                    };
                });
            }));
        return nb::cast(answering(
            scene, true, [&] { return collide_many(scene.count(), threads, options, asking(scene, question)); }));
    }
    return nb::cast(
        Collision{answering(scene, scene.heavy(), [&] { return SceneWorker(scene).ask(0, question); }), options.depth});
}

PyObject* collide_python(PyObject*, PyObject* const* args, Py_ssize_t positional, PyObject* keywords) {
    return guarded([&] { return collide_with({collide_signature, args, positional, keywords}); });
}

constexpr Signature<10> distance_signature{
    "distance",
    {"a", "b", "pose_a", "pose_b", "enough", "linear", "budget", "memory", "threads", "configurations"},
    2,
    4};

nb::object distance_with(const Arguments<10>& given) {
    const ConfiguredBodies bodies(given[0], given[1], given[9]);
    const Scene scene(bodies.a, bodies.b, given[2], given[3]);
    const int threads = thread_count(given[8]);
    DistanceOptions options;
    const MemoryArgument memory(given[7]);
    scene.refuse_memory(memory);
    options.allowance = allowance_argument(given[6]);
    options.memory = memory;
    Mat3 map;
    if (!given[4].is_none()) options.enough = nb::cast<double>(checked("length", given[4], "enough"));
    if (!given[5].is_none()) {
        map = to_matrix(nb::cast<Doubles>(checked("linear_map", given[5], "linear")).data(), 3);
        options.linear = &map;
        if (!scene.a.rigid || !scene.b.rigid) throw nb::value_error("linear is for rigid bodies alone");
    }
    const AskDistance question{options};
    if (scene.many()) {
        refuse_with_many(options.memory, "memory");
        return nb::cast(
            answering(scene, true, [&] { return distance_many(scene.count(), threads, asking(scene, question)); }));
    }
    return nb::cast(Distance{answering(scene, scene.heavy(), [&] { return SceneWorker(scene).ask(0, question); })});
}

PyObject* distance_python(PyObject*, PyObject* const* args, Py_ssize_t positional, PyObject* keywords) {
    return guarded([&] { return distance_with({distance_signature, args, positional, keywords}); });
}

constexpr Signature<10> within_signature{
    "within", {"a", "b", "reach", "pose_a", "pose_b", "points", "budget", "memory", "threads", "configurations"}, 3, 5};

nb::object within_with(const Arguments<10>& given) {
    const ConfiguredBodies bodies(given[0], given[1], given[9]);
    const Scene scene(bodies.a, bodies.b, given[3], given[4]);
    const int threads = thread_count(given[8]);
    WithinOptions options;
    options.reach = nb::cast<double>(checked("length", given[2], "reach"));
    options.points = given.flag(5);
    const MemoryArgument memory(given[7]);
    scene.refuse_memory(memory);
    options.allowance = allowance_argument(given[6]);
    options.memory = memory;
    const AskWithin question{options};
    if (scene.many()) {
        refuse_with_many(options.memory, "memory");
        return nb::cast(
            Pairs(answering(scene, true, [&] { return within_many(scene.count(), threads, asking(scene, question)); }),
                  options.points));
    }
    return nb::cast(
        Pairs(answering(scene, scene.heavy(), [&] { return SceneWorker(scene).ask(0, question); }), options.points));
}

PyObject* within_python(PyObject*, PyObject* const* args, Py_ssize_t positional, PyObject* keywords) {
    return guarded([&] { return within_with({within_signature, args, positional, keywords}); });
}

void export_allowance(nb::module_& m) {
    nb::class_<Allowance>(m, "Allowance", "How much a query may spend.")
        .def(
            "__init__",
            [](Allowance* self, std::optional<std::uint64_t> tests, std::optional<double> seconds) {
                new (self) Allowance{tests.value_or(~std::uint64_t(0)),
                                     seconds.value_or(std::numeric_limits<double>::infinity())};
            },
            nb::arg("tests").none(), nb::arg("seconds").none())
        .def_prop_ro(
            "tests",
            [](const Allowance& a) { return a.tests == ~std::uint64_t(0) ? std::optional<std::uint64_t>() : a.tests; },
            "The tests allowed, or None.")
        .def_prop_ro(
            "seconds",
            [](const Allowance& a) {
                return a.seconds == std::numeric_limits<double>::infinity() ? std::optional<double>() : a.seconds;
            },
            "The time allowed, or None.");
}

}  // namespace

void export_queries(nb::module_& m) {
    export_allowance(m);
    static PyMethodDef methods[] = {fast_method("collide", &collide_python, collide_doc),
                                    fast_method("distance", &distance_python, distance_doc),
                                    fast_method("within", &within_python, within_doc)};
    for (PyMethodDef& definition : methods) add_function(m, definition);
}

}  // namespace elbowroom::bindings
