// An articulated body and itself.
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>

#include "articulated_group.hpp"
#include "articulated_scene.hpp"

namespace elbowroom {

namespace {

/// Asks `question(pairs)` of one configuration after the other; one for each thread.
class SelfWorker {
public:
    explicit SelfWorker(const ArticulatedConfigurations& body) : places_(body) {}
    template <class Question>
    auto ask(std::ptrdiff_t i, const Question& question) {
        const ArticulatedSide side(places_.at(i, {}));
        return question(ArticulatedPairs(side, side, true));
    }

private:
    ArticulatedPlaces places_;
};

/// Asks for overlap, eight configurations at a time.
class SelfGroupWorker {
public:
    explicit SelfGroupWorker(const ArticulatedConfigurations& body) : count_(body.count), groups_(body) {}
    CollideAnswer ask(std::ptrdiff_t i, const CollideOptions& options) {
        if (i < begin_ || i >= begin_ + 8) load(i);
        const int lane = int(i - begin_);
        const bool good = good_ >> lane & 1;
        const ArticulatedSide side(good ? groups_.group().state(lane) : groups_.recomputed(lane, i));
        if (!good) return ArticulatedPairs(side, side, true).collide(options);
        return ArticulatedPairs(side, side, true, found_.in(lane), found_.tests(lane)).collide(options);
    }

private:
    const std::ptrdiff_t count_;
    std::ptrdiff_t begin_ = -8;
    unsigned good_ = 0;
    ArticulatedGroups groups_;
    GroupCandidates found_;

    void load(std::ptrdiff_t i) {
        begin_ = i;
        good_ = groups_.load(i, count_);
        found_.find_within(groups_.group(), good_);
    }
};

template <class Worker, class Question>
auto making(const ArticulatedConfigurations& body, const Question& question) {
    return [&] {
        return [&question, worker = Worker(body)](std::ptrdiff_t i) mutable { return worker.ask(i, question); };
    };
}

auto collides(const CollideOptions& options) {
    return [&options](ArticulatedPairs&& pairs) { return pairs.collide(options); };
}
auto measures(const DistanceOptions& options) {
    return [&options](ArticulatedPairs&& pairs) { return pairs.distance(options); };
}
auto finds(const WithinOptions& options) {
    return [&options](ArticulatedPairs&& pairs) { return pairs.within(options); };
}

}  // namespace

CollideAnswer ArticulatedSelf::self_collide(const CollideOptions& options) const {
    return SelfWorker(body).ask(0, collides(options));
}
DistanceAnswer ArticulatedSelf::self_distance(const DistanceOptions& options) const {
    return SelfWorker(body).ask(0, measures(options));
}
WithinAnswer ArticulatedSelf::self_within(const WithinOptions& options) const {
    return SelfWorker(body).ask(0, finds(options));
}

Collisions ArticulatedSelf::collide_many(int threads, const CollideOptions& options) const {
    if (ArticulatedGroups::suits(body) && options.allowance.unlimited())
        return elbowroom::collide_many(body.count, threads, options, making<SelfGroupWorker>(body, options));
    const auto question = collides(options);
    return elbowroom::collide_many(body.count, threads, options, making<SelfWorker>(body, question));
}
Distances ArticulatedSelf::distance_many(int threads, const DistanceOptions& options) const {
    const auto question = measures(options);
    return elbowroom::distance_many(body.count, threads, making<SelfWorker>(body, question));
}
ManyPairs ArticulatedSelf::within_many(int threads, const WithinOptions& options) const {
    const auto question = finds(options);
    return elbowroom::within_many(body.count, threads, making<SelfWorker>(body, question));
}

ArticulatedStages::ArticulatedStages(const ArticulatedConfigurations& body, const SceneBody* other)
    : body_(body), other_(other) {
    if (!other || !other->articulated) return;
    const std::ptrdiff_t mine = body.many() ? body.count : 1;
    const std::ptrdiff_t theirs = other->many() ? other->articulated->count : 1;
    if (mine != theirs)
        throw std::invalid_argument("other must have as many configurations, " + std::to_string(mine) + ", got " +
                                    std::to_string(theirs));
}

template <class Visit>
void ArticulatedStages::each(bool refits, Visit&& visit) const {
    ArticulatedPlaces places(body_);
    std::optional<ArticulatedPlaces> others;
    std::optional<RigidShape> fixed;
    if (other_ && other_->articulated) others.emplace(*other_->articulated);
    if (other_ && other_->rigid) fixed.emplace(Placed{other_->rigid, {}}, body_.model->refit());
    const std::ptrdiff_t n = body_.many() ? body_.count : 1;
    Poll poll(64);
    for (std::ptrdiff_t i = 0; i < n; ++i) {
        poll();
        const ArticulatedSide side(places.at(i, {}, refits));
        if (others) {
            const ArticulatedSide there(others->at(i, {}, refits));
            visit(i, ArticulatedPairs(side, there, false));
        } else if (fixed) {
            visit(i, ArticulatedPairs(side, ArticulatedSide(*fixed), false));
        } else {
            visit(i, ArticulatedPairs(side, side, true));
        }
    }
}

std::vector<std::array<std::int32_t, 3>> ArticulatedStages::candidates() const {
    std::vector<std::array<std::int32_t, 3>> out;
    Counters counters;
    each(true, [&](std::ptrdiff_t i, ArticulatedPairs&& pairs) {
        for (const ShapeCandidate& c : pairs.candidates({}, counters)) out.push_back({std::int32_t(i), c.a, c.b});
    });
    return out;
}

/// Kinematics alone, with the refit, with the search, with the exact queries: what each adds is what it takes.
ArticulatedStages::Seconds ArticulatedStages::measure(bool depth) const {
    std::int64_t exact = 0, hits = 0;
    Counters counters;
    const CollideOptions options{true, depth, {}, nullptr};
    auto timed = [&](bool refits, auto&& visit) {
        const auto begin = std::chrono::steady_clock::now();
        each(refits, [&](std::ptrdiff_t, ArticulatedPairs&& pairs) { visit(pairs); });
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    const double moved = timed(false, [](ArticulatedPairs&) {});
    const double refitted = timed(true, [](ArticulatedPairs&) {});
    const double searched =
        timed(true, [&](ArticulatedPairs& p) { exact += std::int64_t(p.candidates({}, counters).size()); });
    const double queried = timed(true, [&](ArticulatedPairs& p) { hits += p.exact_queries(options); });
    return {moved, refitted - moved, searched - refitted, queried - searched, exact, hits};
}

}  // namespace elbowroom
