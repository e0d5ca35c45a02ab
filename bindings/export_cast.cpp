#include <nanobind/stl/vector.h>

#include <deque>

#include "arguments.hpp"
#include "arrays.hpp"
#include "elbowroom/bodies/rigid_cast.hpp"
#include "exports.hpp"
#include "poses.hpp"
#include "rigids.hpp"
#include "unlocked.hpp"

namespace elbowroom::bindings {

namespace {

nb::object cast_rays(const std::vector<RigidHandle*>& bodies, nb::handle poses, const Doubles& origins,
                     const Doubles& directions, double length, double radius, bool every, nb::handle threads) {
    const PoseArgument where(poses, "poses");
    std::vector<Placed> placed;
    std::deque<Asking> asked;
    for (RigidHandle* body : bodies) asked.emplace_back(body->usage);
    for (std::size_t i = 0; i < bodies.size(); ++i) placed.push_back({bodies[i], where.at(std::ptrdiff_t(i))});
    const std::vector<Vec3> from = to_points(origins), towards = to_points(directions);
    std::vector<Ray> rays;
    for (std::size_t i = 0; i < from.size(); ++i) rays.push_back({from[i], towards[i], length, radius});
    const int workers = thread_count(threads);
    const CastHits found = unlocked(true, [&] { return cast_many(placed, rays, every, workers); });
    return nb::make_tuple(to_numpy(found.rays), column(found.hits, &CastHit::distance),
                          column(found.hits, &CastHit::normal), column(found.hits, &CastHit::body),
                          column(found.hits, &CastHit::primitive), found.counters);
}

}  // namespace

void export_cast(nb::module_& m) {
    m.def("_cast", &cast_rays, nb::arg("bodies"), nb::arg("poses"), nb::arg("origins"), nb::arg("directions"),
          nb::arg("length"), nb::arg("radius"), nb::arg("every"), nb::arg("threads").none());
}

}  // namespace elbowroom::bindings
