#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <atomic>
#include <thread>

#include "any_body.hpp"
#include "arguments.hpp"
#include "docs.hpp"
#include "exports.hpp"
#include "fastcall.hpp"
#include "poses.hpp"
#include "results.hpp"

namespace elbowroom::bindings {

namespace {

QueryMemory* memory_argument(nb::handle value) {
    QueryMemory* memory = nullptr;
    if (value.is_none()) return nullptr;
    if (nb::try_cast<QueryMemory*>(value, memory) && memory) return memory;
    throw nb::type_error("memory must be an elbowroom.Memory");
}

/// The two bodies and their poses, one or many.
struct Scene {
    AnyBody a, b;
    PoseArgument pose_a, pose_b;
    Scene(nb::handle a_, nb::handle b_, nb::handle pose_a_, nb::handle pose_b_)
        : a(a_, "a"), b(b_, "b"), pose_a(pose_a_, "pose_a"), pose_b(pose_b_, "pose_b") {
        if (a.rigid && b.rigid && !comparable(*a.rigid, *b.rigid))
            throw nb::value_error("a and b have trees of different widths: make both with the same `children`");
        if (pose_a.many() && pose_b.many() && pose_a.count() != pose_b.count())
            throw nb::value_error(("pose_a and pose_b must have the same number of poses, got " +
                                   std::to_string(pose_a.count()) + " and " + std::to_string(pose_b.count()))
                                      .c_str());
    }
    bool many() const { return pose_a.many() || pose_b.many(); }
    std::ptrdiff_t count() const { return pose_a.many() ? pose_a.count() : pose_b.count(); }
    /// Worth letting other Python threads run meanwhile? Giving up the lock costs as much as a test of two spheres.
    bool heavy() const { return a.count() * b.count() > 64; }
    /// Asks `question(x, y)` of the bodies in their poses number i.
    template <class Question>
    auto ask(std::ptrdiff_t i, Question&& question) const {
        const Rigid pa = pose_a.at(i), pb = pose_b.at(i);
        if (a.rigid && b.rigid) [[likely]]
            return question(Placed{a.rigid, pa}, Placed{b.rigid, pb});
        return ask_chains(a, pa, b, pb, question);
    }
};

/// Runs f without the interpreter lock when it pays.
template <class F>
auto unlocked(bool release, F&& f) {
    if (!release) return f();
    nb::gil_scoped_release nothing;
    return f();
}

/// Calls f(begin, end) for parts of 0 .. count - 1 on all cores; every index belongs to one call, so answers do not
/// depend on the number of threads.
template <class F>
void in_parallel(std::ptrdiff_t count, int threads, F&& f) {
    constexpr std::ptrdiff_t chunk = 64;
    const std::ptrdiff_t useful = (count + chunk - 1) / chunk;
    const std::ptrdiff_t workers = least<std::ptrdiff_t>(threads, useful);
    std::atomic<std::ptrdiff_t> next{0};
    auto work = [&] {
        for (std::ptrdiff_t i; (i = next.fetch_add(chunk)) < count;) f(i, least(i + chunk, count));
    };
    std::vector<std::thread> others;
    for (std::ptrdiff_t k = 1; k < workers; ++k) others.emplace_back(work);
    work();
    for (std::thread& t : others) t.join();
}

int thread_count(nb::handle asked) {
    static const int cores = most(1, int(std::thread::hardware_concurrency()));
    if (asked.is_none()) return cores;
    return nb::cast<int>(checked("count", asked, "threads", 1, 65536));
}

/// How many queries ended, all in all: out of budget if one did, settled if all did.
class Endings {
public:
    void note(Stop stop) {
        if (stop == Stop::out_of_budget) out_of_budget_ = true;
        if (stop == Stop::exhausted) exhausted_ = true;
    }
    Stop all() const { return out_of_budget_ ? Stop::out_of_budget : (exhausted_ ? Stop::exhausted : Stop::settled); }

private:
    std::atomic<bool> out_of_budget_{false}, exhausted_{false};
};

void refuse_with_many(bool given, const char* name) {
    if (given) throw nb::value_error((std::string(name) + " takes one pose at a time, not an array of poses").c_str());
}

void need_one_pose(const PoseArgument& pose, const char* name) {
    if (pose.many())
        throw nb::value_error((std::string(name) + " must be one pose: within takes no arrays of poses").c_str());
}

CollideAnswer collide_one(const Scene& scene, std::ptrdiff_t i, const CollideOptions& options) {
    return scene.ask(i, [&](const auto& x, const auto& y) { return collide(x, y, options); });
}

nb::object collide_many(const Scene& scene, CollideOptions options, int threads) {
    Collisions out;
    out.hits.resize(scene.count()), out.finished.resize(scene.count());
    std::vector<Counters> counters(scene.count());
    Endings endings;
    unlocked(true, [&] {
        in_parallel(scene.count(), threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
            for (std::ptrdiff_t i = begin; i < end; ++i) {
                const CollideAnswer a = collide_one(scene, i, options);
                out.hits[i] = a.hit, counters[i] = a.counters, out.finished[i] = a.stop != Stop::out_of_budget;
                endings.note(a.stop);
            }
        });
    });
    for (const Counters& c : counters) out.counters += c;
    out.stop = endings.all();
    return nb::cast(std::move(out));
}

constexpr Signature<9> collide_signature{
    "collide", {"a", "b", "pose_a", "pose_b", "every", "depth", "budget", "memory", "threads"}, 2, 4};

nb::object collide_with(const Arguments<9>& given) {
    const Scene scene(given[0], given[1], given[2], given[3]);
    const int threads = thread_count(given[8]);
    CollideOptions options{given.flag(4), given.flag(5), allowance_argument(given[6]), memory_argument(given[7])};
    if (scene.many()) {
        refuse_with_many(options.every, "every"), refuse_with_many(options.depth, "depth"),
            refuse_with_many(options.memory, "memory");
        return collide_many(scene, options, threads);
    }
    return nb::cast(Collision{unlocked(scene.heavy(), [&] { return collide_one(scene, 0, options); }), options.depth});
}

PyObject* collide_python(PyObject*, PyObject* const* args, Py_ssize_t positional, PyObject* keywords) {
    return guarded([&] { return collide_with({collide_signature, args, positional, keywords}); });
}

DistanceAnswer distance_one(const Scene& scene, std::ptrdiff_t i, const DistanceOptions& options) {
    return scene.ask(i, [&](const auto& x, const auto& y) { return distance(x, y, options); });
}

nb::object distance_many(const Scene& scene, const DistanceOptions& options, int threads) {
    const std::size_t n = scene.count();
    Distances out;
    out.lower.resize(n), out.upper.resize(n), out.points.resize(2 * n), out.pairs.resize(n), out.finished.resize(n);
    std::vector<Counters> counters(n);
    Endings endings;
    std::atomic<bool> loose{false};
    unlocked(true, [&] {
        in_parallel(n, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
            for (std::ptrdiff_t i = begin; i < end; ++i) {
                const DistanceAnswer d = distance_one(scene, i, options);
                out.lower[i] = d.lower, out.upper[i] = d.upper, out.pairs[i] = d.pair, counters[i] = d.counters;
                out.points[2 * i] = d.on_a, out.points[2 * i + 1] = d.on_b;
                out.finished[i] = d.stop != Stop::out_of_budget;
                endings.note(d.stop);
                if (d.loose) loose = true;
            }
        });
    });
    for (const Counters& c : counters) out.counters += c;
    out.stop = endings.all(), out.loose = loose;
    return nb::cast(std::move(out));
}

constexpr Signature<9> distance_signature{
    "distance", {"a", "b", "pose_a", "pose_b", "enough", "linear", "budget", "memory", "threads"}, 2, 4};

nb::object distance_with(const Arguments<9>& given) {
    const Scene scene(given[0], given[1], given[2], given[3]);
    const int threads = thread_count(given[8]);
    DistanceOptions options;
    options.allowance = allowance_argument(given[6]), options.memory = memory_argument(given[7]);
    Mat3 map;
    if (!given[4].is_none()) options.enough = nb::cast<double>(checked("length", given[4], "enough"));
    if (!given[5].is_none()) {
        map = to_matrix(nb::cast<Doubles>(checked("linear_map", given[5], "linear")).data(), 3);
        options.linear = &map;
        if (!scene.a.rigid || !scene.b.rigid) throw nb::value_error("linear is for rigid bodies, not for chains");
    }
    if (scene.many()) {
        refuse_with_many(options.memory, "memory");
        return distance_many(scene, options, threads);
    }
    return nb::cast(Distance{unlocked(scene.heavy(), [&] { return distance_one(scene, 0, options); })});
}

PyObject* distance_python(PyObject*, PyObject* const* args, Py_ssize_t positional, PyObject* keywords) {
    return guarded([&] { return distance_with({distance_signature, args, positional, keywords}); });
}

constexpr Signature<6> within_signature{"within", {"a", "b", "reach", "pose_a", "pose_b", "budget"}, 3, 5};

nb::object within_with(const Arguments<6>& given) {
    const Scene scene(given[0], given[1], given[3], given[4]);
    need_one_pose(scene.pose_a, "pose_a"), need_one_pose(scene.pose_b, "pose_b");
    const double reach = nb::cast<double>(checked("length", given[2], "reach"));
    const Allowance allowance = allowance_argument(given[5]);
    return nb::cast(Pairs{
        unlocked(
            scene.heavy(),
            [&] { return scene.ask(0, [&](const auto& x, const auto& y) { return within(x, y, reach, allowance); }); }),
        {},
        {}});
}

PyObject* within_python(PyObject*, PyObject* const* args, Py_ssize_t positional, PyObject* keywords) {
    return guarded([&] { return within_with({within_signature, args, positional, keywords}); });
}

ChainHandle& chain_argument(nb::handle value) {
    ChainHandle* chain = nullptr;
    if (nb::try_cast<ChainHandle*>(value, chain) && chain) return *chain;
    const std::string got = nb::cast<std::string>(value.type().attr("__name__"));
    throw nb::type_error(("body must be a Chain: " + got + " is rigid and has nothing to collide with itself").c_str());
}

constexpr Signature<4> self_collide_signature{"self_collide", {"body", "every", "depth", "budget"}, 1, 1};

PyObject* self_collide_python(PyObject*, PyObject* const* args, Py_ssize_t positional, PyObject* keywords) {
    return guarded([&] {
        const Arguments<4> given(self_collide_signature, args, positional, keywords);
        ChainHandle& chain = chain_argument(given[0]);
        const CollideOptions options{given.flag(1), given.flag(2), allowance_argument(given[3]), nullptr};
        const std::shared_ptr<Chain> settled = chain.binary ? nullptr : chain.settled();
        const ChainUse use(chain, ChainUse::question);
        if (chain.binary)
            return nb::cast(
                Collision{unlocked(true, [&] { return chain.binary->self_collide(options); }), options.depth});
        return nb::cast(Collision{unlocked(true, [&] { return chain.outside(settled->self_collide(options), &chain); }),
                                  options.depth});
    });
}

constexpr Signature<3> self_distance_signature{"self_distance", {"body", "enough", "budget"}, 1, 1};

PyObject* self_distance_python(PyObject*, PyObject* const* args, Py_ssize_t positional, PyObject* keywords) {
    return guarded([&] {
        const Arguments<3> given(self_distance_signature, args, positional, keywords);
        ChainHandle& chain = chain_argument(given[0]);
        DistanceOptions options;
        options.allowance = allowance_argument(given[2]);
        if (!given[1].is_none()) options.enough = nb::cast<double>(checked("length", given[1], "enough"));
        const std::shared_ptr<Chain> settled = chain.binary ? nullptr : chain.settled();
        const ChainUse use(chain, ChainUse::question);
        if (chain.binary)
            return nb::cast(Distance{unlocked(true, [&] { return chain.binary->self_distance(options); })});
        return nb::cast(
            Distance{unlocked(true, [&] { return chain.outside(settled->self_distance(options), &chain); })});
    });
}

constexpr Signature<3> self_within_signature{"self_within", {"body", "reach", "budget"}, 2, 2};

PyObject* self_within_python(PyObject*, PyObject* const* args, Py_ssize_t positional, PyObject* keywords) {
    return guarded([&] {
        const Arguments<3> given(self_within_signature, args, positional, keywords);
        ChainHandle& chain = chain_argument(given[0]);
        const double reach = nb::cast<double>(checked("length", given[1], "reach"));
        const Allowance allowance = allowance_argument(given[2]);
        if (!chain.binary && allowance.unlimited()) {
            ChainPairs& kept = chain.settled()->pairs_within(reach);
            Pairs out{{}, kept.epoch(), chain.number, kept.count()};
            out.answer.counters = kept.counters();
            return nb::cast(std::move(out));
        }
        const std::shared_ptr<Chain> settled = chain.binary ? nullptr : chain.settled();
        const ChainUse use(chain, ChainUse::question);
        if (chain.binary)
            return nb::cast(
                Pairs{unlocked(true, [&] { return chain.binary->self_within(reach, allowance); }), {}, {}, 0});
        return nb::cast(Pairs{
            unlocked(true, [&] { return chain.outside(settled->self_within(reach, allowance), &chain); }), {}, {}, 0});
    });
}

void export_settings(nb::module_& m) {
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
    nb::class_<QueryMemory>(m, "QueryMemory", "What one query tells the next about the same two bodies.")
        .def(nb::init<>())
        .def(
            "forget", [](QueryMemory& self) { self = {}; }, "Forgets.")
        .def_prop_ro("empty", [](const QueryMemory& self) { return self.a < 0; }, "True before the first query.");
}

}  // namespace

void export_queries(nb::module_& m) {
    export_settings(m);
    static PyMethodDef methods[] = {fast_method("collide", &collide_python, collide_doc),
                                    fast_method("distance", &distance_python, distance_doc),
                                    fast_method("within", &within_python, within_doc),
                                    fast_method("self_collide", &self_collide_python, self_collide_doc),
                                    fast_method("self_distance", &self_distance_python, self_distance_doc),
                                    fast_method("self_within", &self_within_python, self_within_doc)};
    for (PyMethodDef& definition : methods) add_function(m, definition);
}

}  // namespace elbowroom::bindings
