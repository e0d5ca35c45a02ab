// Questions about two bodies.
#include "arrays.hpp"
#include "docs.hpp"
#include "elbowroom/batch/results.hpp"
#include "exports.hpp"
#include "fastcall.hpp"
#include "scene.hpp"
#include "worlds.hpp"

namespace elbowroom::bindings {

namespace {

constexpr Signature<10> collide_signature{
    "collide", {"a", "b", "pose_a", "pose_b", "every", "depth", "budget", "memory", "threads", "configurations"}, 2, 4};

nb::object collide_python(PyObject*, const Arguments<10>& given) {
    if (is_worldly<0>(given[0]) || is_worldly<1>(given[1])) return collide_world(given);
    const SceneArguments bodies(given[0], given[1], given[2], given[3], given[9]);
    const int threads = thread_count(given[8]);
    const MemoryArgument memory(given[7]);
    const CollideOptions options{given.flag(4), given.flag(5), allowance_argument(given[6]), memory, {}};
    if (bodies.many(memory))
        return nb::cast(bodies.run(true, [&](const Scene& scene) { return collide_many(scene, threads, options); }));
    return nb::cast(Collision{bodies.run(bodies.heavy(), [&](const Scene& scene) { return collide(scene, options); }),
                              options.depth});
}

constexpr Signature<10> distance_signature{
    "distance",
    {"a", "b", "pose_a", "pose_b", "enough", "linear", "budget", "memory", "threads", "configurations"},
    2,
    4};

nb::object distance_python(PyObject*, const Arguments<10>& given) {
    if (is_worldly<0>(given[0]) || is_worldly<1>(given[1])) return distance_world(given);
    const SceneArguments bodies(given[0], given[1], given[2], given[3], given[9]);
    const int threads = thread_count(given[8]);
    const MemoryArgument memory(given[7]);
    DistanceOptions options = distance_options(given[4], given[6], memory);
    Mat3 map;
    if (!given[5].is_none()) {
        map = to_matrix(nb::cast<Doubles>(checked("linear_map", given[5], "linear")).data(), 3);
        options.linear = &map;
        if (!bodies.rigid()) throw nb::value_error("linear is for rigid bodies alone");
    }
    if (bodies.many(memory))
        return nb::cast(bodies.run(true, [&](const Scene& scene) { return distance_many(scene, threads, options); }));
    return nb::cast(Distance{bodies.run(bodies.heavy(), [&](const Scene& scene) { return distance(scene, options); })});
}

constexpr Signature<10> within_signature{
    "within", {"a", "b", "reach", "pose_a", "pose_b", "points", "budget", "memory", "threads", "configurations"}, 3, 5};

nb::object within_python(PyObject*, const Arguments<10>& given) {
    if (is_worldly<0>(given[0]) || is_worldly<1>(given[1])) return within_world(given);
    const SceneArguments bodies(given[0], given[1], given[3], given[4], given[9]);
    const int threads = thread_count(given[8]);
    WithinOptions options = within_options(given[2], given.flag(5));
    const MemoryArgument memory(given[7]);
    limit(options, given[6], memory);
    if (bodies.many(memory))
        return nb::cast(
            Pairs(bodies.run(true, [&](const Scene& scene) { return within_many(scene, threads, options); }),
                  options.points));
    return nb::cast(
        Pairs(bodies.run(bodies.heavy(), [&](const Scene& scene) { return within(scene, options); }), options.points));
}

}  // namespace

void export_queries(nb::module_& m) {
    static PyMethodDef functions[] = {fast_method<collide_signature, collide_python>(collide_doc),
                                      fast_method<distance_signature, distance_python>(distance_doc),
                                      fast_method<within_signature, within_python>(within_doc)};
    add_functions(m, functions);
}

}  // namespace elbowroom::bindings
