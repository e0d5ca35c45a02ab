#include <nanobind/stl/vector.h>

#include "arguments.hpp"
#include "arrays.hpp"
#include "elbowroom/bodies/rigid_cast.hpp"
#include "exports.hpp"
#include "poses.hpp"
#include "unlocked.hpp"

namespace elbowroom::bindings {

namespace {

/// The hits of one part of the rays.
struct CastPart {
    std::vector<std::int64_t> rays;
    std::vector<CastHit> hits;
    Counters counters;
};

/// One field of all hits as an array.
template <class T, class Get>
nb::object gathered(const std::vector<CastPart>& parts, std::size_t columns, Get&& get) {
    std::vector<T> out;
    for (const CastPart& part : parts)
        for (std::size_t i = 0; i < part.hits.size(); ++i) get(part, i, out);
    if (columns == 1) return to_numpy<T>(out.data(), {out.size()});
    return to_numpy<T>(out.data(), {out.size() / columns, columns});
}

nb::object cast_rays(const std::vector<const RigidBody*>& bodies, nb::handle poses, const Doubles& origins,
                     const Doubles& directions, double length, double radius, bool every, nb::handle threads) {
    const PoseArgument where(poses, "poses");
    std::vector<Placed> placed;
    for (std::size_t i = 0; i < bodies.size(); ++i) placed.push_back({bodies[i], where.at(std::ptrdiff_t(i))});
    const std::vector<Vec3> from = to_points(origins), towards = to_points(directions);
    const std::ptrdiff_t count = std::ptrdiff_t(from.size());
    std::vector<CastPart> parts((count + batch_chunk - 1) / batch_chunk);
    const int workers = thread_count(threads);
    {
        const Unlocked without_lock;
        std::atomic<std::size_t> found{0};
        in_parallel(count, workers, [&] {
            return [&, hits = std::vector<CastHit>()](std::ptrdiff_t begin, std::ptrdiff_t end) mutable {
                CastPart& part = parts[begin / batch_chunk];
                for (std::ptrdiff_t i = begin; i < end; ++i) {
                    cast(placed, {from[i], towards[i], length, radius}, every, hits, part.counters);
                    refuse_too_many(found += hits.size(), 2 * sizeof(CastHit));
                    part.rays.insert(part.rays.end(), hits.size(), i);
                    part.hits.insert(part.hits.end(), hits.begin(), hits.end());
                }
            };
        });
    }
    Counters counters;
    for (const CastPart& part : parts) counters += part.counters;
    return nb::make_tuple(
        gathered<std::int64_t>(parts, 1, [](auto& p, auto i, auto& out) { out.push_back(p.rays[i]); }),
        gathered<double>(parts, 1, [](auto& p, auto i, auto& out) { out.push_back(p.hits[i].distance); }),
        gathered<double>(parts, 3,
                         [](auto& p, auto i, auto& out) {
                             const Vec3 n = p.hits[i].normal;
                             out.insert(out.end(), {n.x, n.y, n.z});
                         }),
        gathered<std::int32_t>(parts, 1, [](auto& p, auto i, auto& out) { out.push_back(p.hits[i].body); }),
        gathered<std::int32_t>(parts, 1, [](auto& p, auto i, auto& out) { out.push_back(p.hits[i].primitive); }),
        counters);
}

}  // namespace

void export_cast(nb::module_& m) {
    m.def("_cast", &cast_rays, nb::arg("bodies"), nb::arg("poses"), nb::arg("origins"), nb::arg("directions"),
          nb::arg("length"), nb::arg("radius"), nb::arg("every"), nb::arg("threads").none());
}

}  // namespace elbowroom::bindings
