// Questions about a body and itself.
#include <chrono>

#include "any_body.hpp"
#include "arrays.hpp"
#include "batches.hpp"
#include "configurations.hpp"
#include "docs.hpp"
#include "elbowroom/bodies/necklace_named.hpp"
#include "exports.hpp"
#include "fastcall.hpp"

namespace elbowroom::bindings {

namespace {

/// A body that can collide with itself.
struct BendingBody {
    ChainHandle* chain = nullptr;
    ArticulatedHandle* articulated = nullptr;
    NecklaceHandle* necklace = nullptr;

    explicit BendingBody(nb::handle value) {
        if (nb::try_cast<NecklaceHandle*>(value, necklace) && necklace) return;
        if (nb::try_cast<ArticulatedHandle*>(value, articulated) && articulated) return;
        if (nb::try_cast<ChainHandle*>(value, chain) && chain) return;
        const std::string got = nb::cast<std::string>(value.type().attr("__name__"));
        const RigidBody* rigid = nullptr;
        const bool is_rigid = nb::try_cast<const RigidBody*>(value, rigid) && rigid;
        throw nb::type_error(
            ("body must be a Chain, an Articulated or a Necklace" +
             (is_rigid ? ": " + got + " is rigid and has nothing to collide with itself" : ", got " + got))
                .c_str());
    }
};

/// Asks `question(pairs)` of an articulated body and itself, of one configuration after the other.
class SelfWorker {
public:
    explicit SelfWorker(const ArticulatedHandle& h) : places_(h) {}
    template <class Question>
    auto ask(std::ptrdiff_t i, Question&& question) {
        const ArticulatedSide side(places_.at(i, {}));
        return question(ArticulatedPairs(side, side, true));
    }

private:
    ArticulatedPlaces places_;
};

/// Asks for overlap, eight configurations at a time.
class SelfGroupWorker {
public:
    explicit SelfGroupWorker(const ArticulatedHandle& h) : count_(h.count), groups_(h) {}
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

template <class Question>
auto asking(const ArticulatedHandle& h, const Question& question) {
    return [&] {
        return [&question, worker = SelfWorker(h)](std::ptrdiff_t i) mutable { return worker.ask(i, question); };
    };
}

/// Runs f, which asks questions of the body; complains about poses that are found to be none on the way.
template <class F>
auto answering(const ArticulatedHandle& h, bool release, F&& f) {
    try {
        return unlocked(release, f);
    } catch (const BadPoses& bad) {
        checked("link_poses", h.array, "poses", h.model->links());
        throw nb::value_error(("poses of configuration " + std::to_string(bad.index) + " are no poses").c_str());
    }
}

bool is_heavy(const ArticulatedHandle& h) { return h.model->weight() > 8; }

nb::object collide_itself(ArticulatedHandle& h, const CollideOptions& options, nb::handle threads) {
    const Asking asked(h.usage);
    auto question = [&](ArticulatedPairs&& pairs) { return pairs.collide(options); };
    const int cores = thread_count(threads);
    refuse_with_many(h.many() && options.memory, "memory");
    if (ArticulatedGroups::suits(h) && options.allowance.unlimited())
        return nb::cast(answering(h, true, [&] {
            return collide_many(h.count, cores, options, [&] {
                return [&options, worker = std::make_unique<SelfGroupWorker>(h)](std::ptrdiff_t i) {
                    return worker->ask(i, options);
                };
            });
        }));
    if (h.many())
        return nb::cast(answering(h, true, [&] { return collide_many(h.count, cores, options, asking(h, question)); }));
    return nb::cast(
        Collision{answering(h, is_heavy(h), [&] { return SelfWorker(h).ask(0, question); }), options.depth});
}

void refuse_memory_in_box(bool given) {
    if (given) throw nb::value_error("memory is not for a body in a periodic box");
}

/// Asks a question of a chain in a periodic box.
template <class Question>
auto ask_in_box(ChainHandle& chain, bool remembered, const Question& question) {
    refuse_memory_in_box(remembered);
    chain.settled();
    {
        const Reviewing review(chain.usage);
        chain.need_crowd();
    }
    const Asking asked(chain.usage);
    return unlocked(true, question);
}

nb::object collide_itself(ChainHandle& chain, const CollideOptions& options) {
    if (chain.box)
        return nb::cast(Collision{ask_in_box(chain, options.memory, [&] { return chain.self_collide_in_box(options); }),
                                  options.depth});
    const bool binary = chain.binary && !options.memory;
    const std::shared_ptr<Chain> settled = binary ? nullptr : chain.settled();
    const Asking asked(chain.usage);
    if (binary)
        return nb::cast(Collision{unlocked(true, [&] { return chain.binary->self_collide(options); }), options.depth});
    return nb::cast(Collision{unlocked(true, [&] { return chain.outside(settled->self_collide(options), &chain); }),
                              options.depth});
}

nb::object measure_itself(ArticulatedHandle& h, const DistanceOptions& options, nb::handle threads) {
    const Asking asked(h.usage);
    auto question = [&](ArticulatedPairs&& pairs) { return pairs.distance(options); };
    const int cores = thread_count(threads);
    refuse_with_many(h.many() && options.memory, "memory");
    if (h.many())
        return nb::cast(answering(h, true, [&] { return distance_many(h.count, cores, asking(h, question)); }));
    return nb::cast(Distance{answering(h, is_heavy(h), [&] { return SelfWorker(h).ask(0, question); })});
}

nb::object measure_itself(ChainHandle& chain, const DistanceOptions& options) {
    if (chain.box)
        return nb::cast(
            Distance{ask_in_box(chain, options.memory, [&] { return chain.self_distance_in_box(options); })});
    const bool binary = chain.binary && !options.memory;
    const std::shared_ptr<Chain> settled = binary ? nullptr : chain.settled();
    const Asking asked(chain.usage);
    if (binary) return nb::cast(Distance{unlocked(true, [&] { return chain.binary->self_distance(options); })});
    return nb::cast(Distance{unlocked(true, [&] { return chain.outside(settled->self_distance(options), &chain); })});
}

nb::object within_itself(ArticulatedHandle& h, const WithinOptions& options, nb::handle threads) {
    const Asking asked(h.usage);
    auto question = [&](ArticulatedPairs&& pairs) { return pairs.within(options); };
    const int cores = thread_count(threads);
    refuse_with_many(h.many() && options.memory, "memory");
    if (h.many())
        return nb::cast(Pairs(answering(h, true, [&] { return within_many(h.count, cores, asking(h, question)); }),
                              options.points));
    return nb::cast(Pairs(answering(h, is_heavy(h), [&] { return SelfWorker(h).ask(0, question); }), options.points));
}

nb::object within_itself(ChainHandle& chain, const WithinOptions& options) {
    if (chain.box)
        return nb::cast(Pairs(ask_in_box(chain, options.memory, [&] { return chain.self_within_in_box(options); }),
                              options.points));
    if (!chain.binary && options.allowance.unlimited() && !options.memory && !options.points) {
        const std::shared_ptr<Chain> settled = chain.settled();
        const Reviewing review(chain.usage);
        ChainPairs& kept = settled->pairs_within(options.reach);
        Pairs out;
        out.kept = kept.epoch();
        out.number = chain.number;
        out.kept_count = kept.count();
        out.answer.counters = kept.counters();
        return nb::cast(std::move(out));
    }
    const bool binary = chain.binary && !options.memory;
    const std::shared_ptr<Chain> settled = binary ? nullptr : chain.settled();
    const Asking asked(chain.usage);
    if (binary)
        return nb::cast(Pairs(unlocked(true, [&] { return chain.binary->self_within(options); }), options.points));
    return nb::cast(
        Pairs(unlocked(true, [&] { return chain.outside(settled->self_within(options), &chain); }), options.points));
}

/// Asks a question of a necklace by what it keeps: the pairs that its power diagram names, cages, or boxes. Memories
/// know boxes.
template <class Question>
auto ask_necklace(nb::handle body, NecklaceHandle& h, bool remembered, const Question& question) {
    if (h.box) refuse_memory_in_box(remembered);
    if (!remembered && h.sorts()) {
        const TouchingCrowd beads{h.need_crowd(), h.boxes->touch()};
        const Asking asked(h.usage);
        return unlocked(h.heavy(), [&] { return question(beads); });
    }
    const Asking asked(h.usage);  // nobody moves the beads while Python looks at them
    if (remembered) return unlocked(h.heavy(), [&] { return question(*h.boxes); });
    if (h.by_diagram()) {
        const nb::object named = body.attr("_candidates")();
        if (!named.is_none()) {
            const NamedBeads pairs(*h.boxes, to_pairs(nb::cast<Integers>(named)));
            return unlocked(h.heavy(), [&] { return question(pairs); });
        }
    }
    const auto begin = std::chrono::steady_clock::now();
    const NecklaceCages* cages = h.keeps_cages() || h.by_diagram() ? &h.need_cages() : nullptr;
    if (!cages) return unlocked(h.heavy(), [&] { return question(*h.boxes); });
    auto answer = unlocked(h.heavy(), [&] { return question(TouchingCages{*cages, h.boxes->touch()}); });
    h.cage_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return answer;
}

nb::object collide_itself(nb::handle body, NecklaceHandle& h, const CollideOptions& options) {
    return nb::cast(
        Collision{ask_necklace(body, h, options.memory, [&](const auto& beads) { return beads.self_collide(options); }),
                  options.depth});
}

nb::object measure_itself(nb::handle body, NecklaceHandle& h, const DistanceOptions& options) {
    return nb::cast(Distance{
        ask_necklace(body, h, options.memory, [&](const auto& beads) { return beads.self_distance(options); })});
}

/// The power diagram does not know which pairs are within reach: boxes do.
nb::object within_itself(NecklaceHandle& h, const WithinOptions& options) {
    if (h.box) refuse_memory_in_box(options.memory);
    if (!options.memory && h.sorts()) {
        const TouchingCrowd beads{h.need_crowd(), h.boxes->touch()};
        const Asking asked(h.usage);
        return nb::cast(Pairs(unlocked(h.heavy(), [&] { return beads.self_within(options); }), options.points));
    }
    const NecklaceCages* cages = h.keeps_cages() && !options.memory ? &h.need_cages() : nullptr;
    const Asking asked(h.usage);
    return nb::cast(Pairs(
        unlocked(h.heavy(),
                 [&] { return cages ? cages->self_within(h.boxes->touch(), options) : h.boxes->self_within(options); }),
        options.points));
}

constexpr Signature<7> self_collide_signature{
    "self_collide", {"body", "every", "depth", "budget", "memory", "threads", "configurations"}, 1, 1};

PyObject* self_collide_python(PyObject*, PyObject* const* args, Py_ssize_t positional, PyObject* keywords) {
    return guarded([&] {
        const Arguments<7> given(self_collide_signature, args, positional, keywords);
        const ConfiguredBodies asked(given[0], given[6]);
        const BendingBody body(asked.a);
        const MemoryArgument memory(given[4]);
        const CollideOptions options{given.flag(1), given.flag(2), allowance_argument(given[3]), memory, {}};
        if (body.necklace) return collide_itself(asked.a, *body.necklace, options);
        return body.chain ? collide_itself(*body.chain, options) : collide_itself(*body.articulated, options, given[5]);
    });
}

constexpr Signature<6> self_distance_signature{
    "self_distance", {"body", "enough", "budget", "memory", "threads", "configurations"}, 1, 1};

PyObject* self_distance_python(PyObject*, PyObject* const* args, Py_ssize_t positional, PyObject* keywords) {
    return guarded([&] {
        const Arguments<6> given(self_distance_signature, args, positional, keywords);
        const ConfiguredBodies asked(given[0], given[5]);
        const BendingBody body(asked.a);
        DistanceOptions options;
        const MemoryArgument memory(given[3]);
        options.allowance = allowance_argument(given[2]);
        options.memory = memory;
        if (!given[1].is_none()) options.enough = nb::cast<double>(checked("length", given[1], "enough"));
        if (body.necklace) return measure_itself(asked.a, *body.necklace, options);
        return body.chain ? measure_itself(*body.chain, options) : measure_itself(*body.articulated, options, given[4]);
    });
}

constexpr Signature<7> self_within_signature{
    "self_within", {"body", "reach", "points", "budget", "memory", "threads", "configurations"}, 2, 2};

PyObject* self_within_python(PyObject*, PyObject* const* args, Py_ssize_t positional, PyObject* keywords) {
    return guarded([&] {
        const Arguments<7> given(self_within_signature, args, positional, keywords);
        const ConfiguredBodies asked(given[0], given[6]);
        const BendingBody body(asked.a);
        WithinOptions options;
        options.reach = nb::cast<double>(checked("length", given[1], "reach"));
        options.points = given.flag(2);
        const MemoryArgument memory(given[4]);
        options.allowance = allowance_argument(given[3]);
        options.memory = memory;
        if (body.necklace) return within_itself(*body.necklace, options);
        return body.chain ? within_itself(*body.chain, options) : within_itself(*body.articulated, options, given[5]);
    });
}

}  // namespace

void export_self(nb::module_& m) {
    static PyMethodDef methods[] = {fast_method("self_collide", &self_collide_python, self_collide_doc),
                                    fast_method("self_distance", &self_distance_python, self_distance_doc),
                                    fast_method("self_within", &self_within_python, self_within_doc)};
    for (PyMethodDef& definition : methods) add_function(m, definition);
}

}  // namespace elbowroom::bindings
