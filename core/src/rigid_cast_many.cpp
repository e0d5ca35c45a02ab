#include <atomic>

#include "elbowroom/batch/many.hpp"
#include "elbowroom/bodies/rigid_cast.hpp"

namespace elbowroom {

CastHits cast_many(const std::vector<Placed>& bodies, const std::vector<Ray>& rays, bool every, int threads) {
    const std::ptrdiff_t count = std::ptrdiff_t(rays.size());
    std::vector<CastHits> parts((count + batch_chunk - 1) / batch_chunk);
    std::atomic<std::size_t> found{0};
    in_parallel(count, threads, [&] {
        return [&, hits = std::vector<CastHit>()](std::ptrdiff_t begin, std::ptrdiff_t end) mutable {
            CastHits& part = parts[begin / batch_chunk];
            for (std::ptrdiff_t i = begin; i < end; ++i) {
                cast(bodies, rays[i], every, hits, part.counters);
                refuse_too_many(found += hits.size(), 2 * sizeof(CastHit));
                part.rays.insert(part.rays.end(), hits.size(), i);
                batches::append(part.hits, hits);
            }
        };
    });
    CastHits out;
    for (const CastHits& part : parts) {
        batches::append(out.rays, part.rays);
        batches::append(out.hits, part.hits);
        out.counters += part.counters;
    }
    return out;
}

}  // namespace elbowroom
