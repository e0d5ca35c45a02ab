#include "articulated_scene.hpp"

#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "articulated_group.hpp"
#include "elbowroom/bodies/rigid_queries.hpp"

namespace elbowroom {

namespace {

/// The one number of poses and configurations that are many, or a complaint.
class CommonCount {
public:
    void add(std::ptrdiff_t count, const char* name) {
        if (count < 0) return;
        if (count_ >= 0 && count != count_)
            throw std::invalid_argument(std::string(name_) + " and " + name + " must be as many, got " +
                                        std::to_string(count_) + " and " + std::to_string(count));
        if (count_ >= 0) return;
        count_ = count;
        name_ = name;
    }
    std::ptrdiff_t value() const { return count_; }

private:
    std::ptrdiff_t count_ = -1;
    const char* name_ = "";
};

/// An order of articulated bodies that does not depend on the caller's.
bool comes_before(std::ptrdiff_t i, const ArticulatedConfigurations& a, const Rigid& pa,
                  const ArticulatedConfigurations& b, const Rigid& pb) {
    if (a.model->fingerprint() != b.model->fingerprint()) return a.model->fingerprint() < b.model->fingerprint();
    if (const int order = std::memcmp(&pa, &pb, sizeof pa)) return order < 0;
    if (a.placed() != b.placed()) return a.placed();
    return std::memcmp(a.at(i), b.at(i), std::size_t(a.size_of_one()) * sizeof(double)) < 0;
}

/// A question, which its options name, to two bodies that are placed or to pairs that know how to answer.
template <class Options>
struct Question {
    const Options& options;

    template <class... Asked>
    auto operator()(Asked&&... asked) const {
        if constexpr (sizeof...(Asked) == 1)
            return of_pairs(asked...);
        else if constexpr (std::is_same_v<Options, CollideOptions>)
            return collide(asked..., options);
        else if constexpr (std::is_same_v<Options, DistanceOptions>)
            return distance(asked..., options);
        else
            return within(asked..., options);
    }

private:
    auto of_pairs(auto& pairs) const {
        if constexpr (std::is_same_v<Options, CollideOptions>)
            return pairs.collide(options);
        else if constexpr (std::is_same_v<Options, DistanceOptions>)
            return pairs.distance(options);
        else
            return pairs.within(options);
    }
};

/// Asks questions of a scene, one after the other; one for each thread.
class SceneWorker {
public:
    explicit SceneWorker(const Scene& scene) : scene_(scene) {
        if (scene.a.articulated) places_a_.emplace(*scene.a.articulated);
        if (scene.b.articulated) places_b_.emplace(*scene.b.articulated);
    }
    /// Asks about the bodies in their poses and configurations number i.
    template <class Options>
    auto ask(std::ptrdiff_t i, const Options& options) {
        const Question<Options> question{options};
        const Rigid pa = scene_.pose_a.at(i), pb = scene_.pose_b.at(i);
        if (scene_.a.rigid && scene_.b.rigid) [[likely]]
            return question(Placed{scene_.a.rigid, pa}, Placed{scene_.b.rigid, pb});
        if (scene_.a.articulated && scene_.b.articulated) return ask_articulated(i, pa, pb, question);
        if (scene_.a.articulated) return ask_one(i, *places_a_, pa, scene_.b, pb, question);
        if (scene_.b.articulated) return sorted(swapped(ask_one(i, *places_b_, pb, scene_.a, pa, question)));
        if (scene_.in_box()) return question(*scene_.a.crowd, *scene_.b.crowd);
        return ask_chains(pa, pb, question);
    }

private:
    const Scene& scene_;
    std::optional<ArticulatedPlaces> places_a_, places_b_;

    /// Two articulated bodies, in an order that does not depend on the caller's. The first stays in its own frame.
    template <class Question>
    auto ask_articulated(std::ptrdiff_t i, const Rigid& pa, const Rigid& pb, const Question& question) {
        if (comes_before(i, *scene_.b.articulated, pb, *scene_.a.articulated, pa))
            return sorted(swapped(ask_articulated(i, *places_b_, pb, *places_a_, pa, question)));
        return ask_articulated(i, *places_a_, pa, *places_b_, pb, question);
    }
    template <class Question>
    static auto ask_articulated(std::ptrdiff_t i, ArticulatedPlaces& a, const Rigid& pa, ArticulatedPlaces& b,
                                const Rigid& pb, const Question& question) {
        const ArticulatedSide x(a.at(i, {})), y(b.at(i, relative(pa, pb)));
        return carried(pa, question(ArticulatedPairs(x, y, false)));
    }

    /// An articulated body and a rigid one or a chain.
    template <class Question>
    auto ask_one(std::ptrdiff_t i, ArticulatedPlaces& a, const Rigid& pa, const SceneBody& b, const Rigid& pb,
                 const Question& question) {
        if (b.rigid) {
            const ArticulatedState& state = a.at(i, {});
            const RigidShape shape(Placed{b.rigid, relative(pa, pb)}, state.model().refit());
            const ArticulatedSide x(state), y(shape);
            return carried(pa, question(ArticulatedPairs(x, y, false)));
        }
        auto answer = question(ArticulatedAndChain(a.at(i, pa), PlacedChain{b.settled.get(), pb}));
        return sorted(swapped(b.chain->outside(swapped(std::move(answer)), nullptr)));
    }

    /// Where one of the bodies, or both, is a chain and the other rigid: numbers the balls of the answer as outside.
    template <class Question>
    auto ask_chains(const Rigid& pa, const Rigid& pb, const Question& question) {
        const SceneBody &a = scene_.a, &b = scene_.b;
        if (!a.chain) {
            auto answer = question(PlacedChain{b.settled.get(), pb}, Placed{a.rigid, pa});
            return sorted(swapped(b.chain->outside(std::move(answer), nullptr)));
        }
        const PlacedChain x{a.settled.get(), pa};
        if (!b.chain) return a.chain->outside(question(x, Placed{b.rigid, pb}), nullptr);
        // One chain in two places is two chains: no pair is turned.
        auto answer = question(x, PlacedChain{b.settled.get(), pb});
        NumberedChain numbers;
        numbers.number = b.chain->number;
        return a.chain->outside(std::move(answer), &numbers);
    }
};

/// Asks for overlap of two articulated bodies that hold many configurations and stand in the world as they are, eight
/// configurations at a time.
class SceneGroupWorker {
public:
    explicit SceneGroupWorker(const Scene& scene)
        : scene_(scene), a_(*scene.a.articulated), b_(*scene.b.articulated), count_(scene.count()) {}

    CollideAnswer ask(std::ptrdiff_t i, const CollideOptions& options) {
        if (i < begin_ || i >= begin_ + 8) load(i);
        const int lane = int(i - begin_);
        const unsigned bit = 1u << lane;
        const bool good = good_a_ & good_b_ & bit;
        const bool turned = !(good && all_certain(lane, options)) &&
                            comes_before(i, *scene_.b.articulated, {}, *scene_.a.articulated, {});
        const ArticulatedSide x(good ? a_.group().state(lane) : a_.recomputed(lane, i)),
            y(good ? b_.group().state(lane) : b_.recomputed(lane, i));
        const ArticulatedSide &first = turned ? y : x, &second = turned ? x : y;
        if (good && turned)
            for (ShapeCandidate& c : found_.in(lane)) std::swap(c.a, c.b);
        ArticulatedPairs pairs = good ? ArticulatedPairs(first, second, false, found_.in(lane), found_.tests(lane))
                                      : ArticulatedPairs(first, second, false);
        CollideAnswer answer = pairs.collide(options);
        return turned ? sorted(swapped(std::move(answer))) : answer;
    }
    static bool suits(const Scene& scene) {
        if (!scene.a.articulated || !scene.b.articulated || scene.pose_a.given || scene.pose_b.given) return false;
        return ArticulatedGroups::suits(*scene.a.articulated) && ArticulatedGroups::suits(*scene.b.articulated);
    }

private:
    const Scene& scene_;
    ArticulatedGroups a_, b_;
    GroupCandidates found_;
    const std::ptrdiff_t count_;
    std::ptrdiff_t begin_ = -8;
    unsigned good_a_ = 0, good_b_ = 0;

    void load(std::ptrdiff_t i) {
        begin_ = i;
        good_a_ = a_.load(i, count_);
        good_b_ = b_.load(i, count_);
        found_.find_across(a_.group(), b_.group(), good_a_ & good_b_);
    }
    /// Nothing is left to exact queries, whose last digits depend on the order.
    bool all_certain(int lane, const CollideOptions& options) {
        if (options.depth) return false;
        for (const ShapeCandidate& c : found_.in(lane))
            if (!c.certain) return false;
        return true;
    }
};

template <class Worker, class Options>
auto making(const Scene& scene, const Options& options) {
    return
        [&] { return [&options, worker = Worker(scene)](std::ptrdiff_t i) mutable { return worker.ask(i, options); }; };
}

/// The usual question is asked without any preparation.
template <class Options>
auto ask_once(const Scene& scene, const Options& options) {
    if (scene.a.rigid && scene.b.rigid) [[likely]]
        return Question<Options>{options}(Placed{scene.a.rigid, scene.pose_a.one},
                                          Placed{scene.b.rigid, scene.pose_b.one});
    return SceneWorker(scene).ask(0, options);
}

/// Balls in the same box, where they are.
void check_box(const Scene& scene) {
    for (const SceneBody* body : {&scene.a, &scene.b}) {
        if (body->box) continue;
        const char *name = body == &scene.a ? "a" : "b", *other = body == &scene.a ? "b" : "a";
        const char* why = body->chain ? " has none: give both the same box"
                                      : " is neither a Chain nor a Necklace, which alone can have one";
        throw std::invalid_argument(std::string(other) + " has a periodic box, and " + name + why);
    }
    for (int k = 0; k < 3; ++k)
        if (!(scene.a.box->given().row[k] == scene.b.box->given().row[k]))
            throw std::invalid_argument("a and b must have the same periodic box");
    if (scene.pose_a.given || scene.pose_b.given)
        throw std::invalid_argument(std::string(scene.pose_a.given ? "pose_a" : "pose_b") +
                                    " is not for bodies in a periodic box: move them to where they are");
}

}  // namespace

void Scene::check() const {
    if (a.box || b.box) [[unlikely]]
        check_box(*this);
    if (!(a.widths() & b.widths()))
        throw std::invalid_argument("a and b have trees of different widths: make both with the same `children`");
    if (pose_a.many() && pose_b.many() && pose_a.count != pose_b.count)
        throw std::invalid_argument("pose_a and pose_b must have the same number of poses, got " +
                                    std::to_string(pose_a.count) + " and " + std::to_string(pose_b.count));
    if (a.many() || b.many()) count();
}

std::ptrdiff_t Scene::count() const {
    CommonCount common;
    common.add(pose_a.count, "pose_a");
    common.add(pose_b.count, "pose_b");
    common.add(a.many() ? a.articulated->count : -1, "the configurations of a");
    common.add(b.many() ? b.articulated->count : -1, "the configurations of b");
    return common.value();
}

CollideAnswer collide(const Scene& scene, const CollideOptions& options) { return ask_once(scene, options); }
DistanceAnswer distance(const Scene& scene, const DistanceOptions& options) { return ask_once(scene, options); }
WithinAnswer within(const Scene& scene, const WithinOptions& options) { return ask_once(scene, options); }

Collisions collide_many(const Scene& scene, int threads, const CollideOptions& options) {
    if (SceneGroupWorker::suits(scene) && options.allowance.unlimited())
        return collide_many(scene.count(), threads, options, making<SceneGroupWorker>(scene, options));
    return collide_many(scene.count(), threads, options, making<SceneWorker>(scene, options));
}
Distances distance_many(const Scene& scene, int threads, const DistanceOptions& options) {
    return distance_many(scene.count(), threads, making<SceneWorker>(scene, options));
}
ManyPairs within_many(const Scene& scene, int threads, const WithinOptions& options) {
    return within_many(scene.count(), threads, making<SceneWorker>(scene, options));
}

}  // namespace elbowroom
