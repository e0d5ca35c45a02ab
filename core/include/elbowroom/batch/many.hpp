// One question over many poses or configurations. `make()` gives a function of i that answers question i; every thread
// makes one of its own.
#pragma once
#include <atomic>
#include <vector>

#include "elbowroom/batch/parallel.hpp"
#include "elbowroom/queries/answers.hpp"
#include "elbowroom/queries/memory_limit.hpp"

namespace elbowroom {

/// What all answers over many poses or configurations share.
struct ManyAnswers {
    std::vector<unsigned char> finished;  // of each: did it end within its budget
    std::vector<std::int32_t> frames;     // of each pair that was found: the number of the pose or configuration
    Counters counters;
    Stop stop = Stop::exhausted;  // out of budget if one was, settled if all were
};

struct Collisions : ManyAnswers {
    std::vector<unsigned char> hits;
    bool has_pairs = false, has_contacts = false;
    std::vector<PrimitivePair> pairs;
    std::vector<HullContact> contacts;
};

struct Distances : ManyAnswers {
    std::vector<double> lower, upper;
    std::vector<Vec3> points;
    std::vector<PrimitivePair> pairs;
    bool loose = false;
};

struct ManyPairs : ManyAnswers {
    std::vector<PrimitivePair> pairs;
    std::vector<double> distances;
    std::vector<NearestPoints> points;
};

/// How the queries of a batch ended, all together.
class BatchStop {
public:
    void add(Stop stop) {
        if (stop == Stop::out_of_budget) out_of_budget_.store(true, std::memory_order_relaxed);
        if (stop == Stop::exhausted) exhausted_.store(true, std::memory_order_relaxed);
    }
    Stop all() const { return out_of_budget_ ? Stop::out_of_budget : (exhausted_ ? Stop::exhausted : Stop::settled); }

private:
    std::atomic<bool> out_of_budget_{false}, exhausted_{false};
};

/// Asks all questions and keeps what `keep(part, answer, i)` takes of each; parts come in the order of the questions.
template <class Part, class Make, class Keep>
std::vector<Part> ask_many(std::ptrdiff_t count, int threads, ManyAnswers& out, Make&& make, Keep&& keep) {
    out.finished.resize(count);
    std::vector<Part> parts((count + batch_chunk - 1) / batch_chunk);
    std::vector<Counters> counters(parts.size());
    BatchStop stop;
    in_parallel(count, threads, [&] {
        return [&, ask = make()](std::ptrdiff_t begin, std::ptrdiff_t end) mutable {
            const std::ptrdiff_t part = begin / batch_chunk;
            for (std::ptrdiff_t i = begin; i < end; ++i) {
                const auto answer = ask(i);
                counters[part] += answer.counters;
                out.finished[i] = answer.stop != Stop::out_of_budget;
                stop.add(answer.stop);
                keep(parts[part], answer, i);
            }
        };
    });
    for (const Counters& c : counters) out.counters += c;
    out.stop = stop.all();
    return parts;
}

namespace batches {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

}  // namespace batches

/// What was found in one part of a batch.
struct FoundPart {
    std::vector<std::int32_t> frames;
    std::vector<PrimitivePair> pairs;
    std::vector<HullContact> contacts;
    std::vector<double> distances;
    std::vector<NearestPoints> points;
};

template <class Make>
Collisions collide_many(std::ptrdiff_t count, int threads, const CollideOptions& options, Make&& make) {
    Collisions out;
    out.has_pairs = options.every || options.depth;
    out.has_contacts = options.depth;
    out.hits.resize(count);
    std::atomic<std::size_t> found{0};
    auto keep = [&](FoundPart& part, const CollideAnswer& a, std::ptrdiff_t i) {
        out.hits[i] = a.hit;
        if (!out.has_pairs || a.pairs.empty()) return;
        refuse_too_many(found += a.pairs.size(), options.depth ? bytes_of_contact : 2 * bytes_of_pair);
        part.frames.insert(part.frames.end(), a.pairs.size(), std::int32_t(i));
        batches::append(part.pairs, a.pairs);
        batches::append(part.contacts, a.contacts);
    };
    for (const FoundPart& p : ask_many<FoundPart>(count, threads, out, make, keep)) {
        batches::append(out.frames, p.frames);
        batches::append(out.pairs, p.pairs);
        batches::append(out.contacts, p.contacts);
    }
    return out;
}

template <class Make>
Distances distance_many(std::ptrdiff_t count, int threads, Make&& make) {
    const std::size_t n = count;
    Distances out;
    out.lower.resize(n);
    out.upper.resize(n);
    out.points.resize(2 * n);
    out.pairs.resize(n);
    std::atomic<bool> loose{false};
    struct Nothing {};
    ask_many<Nothing>(count, threads, out, make, [&](Nothing&, const DistanceAnswer& d, std::ptrdiff_t i) {
        out.lower[i] = d.lower;
        out.upper[i] = d.upper;
        out.pairs[i] = d.pair;
        out.points[2 * i] = d.on_a;
        out.points[2 * i + 1] = d.on_b;
        if (d.loose) loose = true;
    });
    out.loose = loose;
    return out;
}

template <class Make>
ManyPairs within_many(std::ptrdiff_t count, int threads, Make&& make) {
    ManyPairs out;
    std::atomic<std::size_t> found{0};
    auto keep = [&](FoundPart& part, const WithinAnswer& a, std::ptrdiff_t i) {
        refuse_too_many(found += a.pairs.size(), a.points.empty() ? bytes_of_distance : bytes_of_points);
        part.frames.insert(part.frames.end(), a.pairs.size(), std::int32_t(i));
        batches::append(part.pairs, a.pairs);
        batches::append(part.distances, a.distances);
        batches::append(part.points, a.points);
    };
    for (const FoundPart& p : ask_many<FoundPart>(count, threads, out, make, keep)) {
        batches::append(out.frames, p.frames);
        batches::append(out.pairs, p.pairs);
        batches::append(out.distances, p.distances);
        batches::append(out.points, p.points);
    }
    return out;
}

}  // namespace elbowroom
