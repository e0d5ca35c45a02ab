// Questions about a body and itself.
#include <chrono>

#include "any_body.hpp"
#include "arrays.hpp"
#include "configurations.hpp"
#include "docs.hpp"
#include "elbowroom/batch/results.hpp"
#include "elbowroom/bodies/chain_pairs_sorted.hpp"
#include "elbowroom/bodies/necklace_named.hpp"
#include "elbowroom/bodies/rigid_queries.hpp"
#include "exports.hpp"
#include "fastcall.hpp"
#include "rigids.hpp"
#include "worlds.hpp"

namespace elbowroom::bindings {

namespace {

/// A mesh and itself.
struct MeshSelf {
    const RigidBody& mesh;

    CollideAnswer self_collide(const CollideOptions& options) const { return elbowroom::self_collide(mesh, options); }
    DistanceAnswer self_distance(const DistanceOptions& options) const {
        return elbowroom::self_distance(mesh, options);
    }
    WithinAnswer self_within(const WithinOptions& options) const { return elbowroom::self_within(mesh, options); }
};

/// A body that can collide with itself.
struct BendingBody {
    const nb::handle object;
    ChainHandle* chain = nullptr;
    ArticulatedHandle* articulated = nullptr;
    NecklaceHandle* necklace = nullptr;
    RigidHandle* mesh = nullptr;

    explicit BendingBody(nb::handle value) : object(value) {
        if (nb::try_cast<NecklaceHandle*>(value, necklace) && necklace) return;
        if (nb::try_cast<ArticulatedHandle*>(value, articulated) && articulated) return;
        if (nb::try_cast<ChainHandle*>(value, chain) && chain) return;
        const std::string got = nb::cast<std::string>(value.type().attr("__name__"));
        const bool is_rigid = nb::try_cast<RigidHandle*>(value, mesh) && mesh;
        if (is_rigid && nb::hasattr(value, "faces")) return;
        throw nb::type_error(
            ("body must be a Chain, an Articulated, a Necklace or a Mesh" +
             (is_rigid ? ": " + got + " is rigid and has nothing to collide with itself" : ", got " + got))
                .c_str());
    }
    bool many(const QueryMemory* memory) const {
        const bool out = articulated && articulated->many();
        refuse_with_many(out && memory, "memory");
        return out;
    }
    int threads(nb::handle asked) const { return articulated ? thread_count(asked) : 1; }
};

/// Asks a question of a necklace by what it keeps: the pairs that its power diagram names, cages, or boxes. Memories
/// know boxes.
template <class Question>
auto ask_necklace(nb::handle body, NecklaceHandle& h, bool remembered, const Question& question) {
    refuse_in_box(h.box && remembered);
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

/// A chain in a periodic box, whose balls are sorted in space for it.
struct ChainInBox {
    ChainHandle& chain;

    CollideAnswer self_collide(const CollideOptions& options) const { return chain.self_collide_in_box(options); }
    DistanceAnswer self_distance(const DistanceOptions& options) const { return chain.self_distance_in_box(options); }
    WithinAnswer self_within(const WithinOptions& options) const { return chain.self_within_in_box(options); }
};

template <class Question>
auto ask_in_box(ChainHandle& chain, bool remembered, const Question& question) {
    refuse_in_box(remembered);
    chain.settled();
    {
        const Reviewing review(chain.usage);
        chain.need_crowd();
    }
    const Asking asked(chain.usage);
    return unlocked(true, [&] { return question(ChainInBox{chain}); });
}

/// Memories know the fast tree.
template <class Question>
auto ask_chain(ChainHandle& chain, bool remembered, const Question& question) {
    if (chain.box) return ask_in_box(chain, remembered, question);
    const bool binary = chain.binary && !remembered;
    const std::shared_ptr<Chain> settled = binary ? nullptr : chain.settled();
    const Asking asked(chain.usage);
    return unlocked(true, [&] { return binary ? question(*chain.binary) : chain.outside(question(*settled), &chain); });
}

template <class Question>
auto ask_articulated(ArticulatedHandle& h, const Question& question) {
    const Asking asked(h.usage);
    return answering({&h}, h.many() || h.model->weight() > 8, [&] { return question(ArticulatedSelf{h}); });
}

template <class Question>
auto ask_mesh(RigidHandle& mesh, const Question& question) {
    const Asking asked(mesh.usage);
    return unlocked(mesh.count() > 8, [&] { return question(MeshSelf{mesh}); });
}

/// Asks a question of a body in one configuration.
template <class Question>
auto ask(const BendingBody& body, bool remembered, const Question& question) {
    if (body.mesh) return ask_mesh(*body.mesh, question);
    if (body.necklace) return ask_necklace(body.object, *body.necklace, remembered, question);
    return body.chain ? ask_chain(*body.chain, remembered, question) : ask_articulated(*body.articulated, question);
}

/// The power diagram does not know which pairs are within reach: boxes do.
nb::object within_itself(NecklaceHandle& h, const WithinOptions& options) {
    refuse_in_box(h.box && options.memory);
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

/// The pairs that a chain keeps.
Pairs kept_pairs(ChainHandle& chain, double reach) {
    const std::shared_ptr<Chain> settled = chain.settled();
    const Reviewing review(chain.usage);
    ChainPairs& kept = settled->pairs_within(reach);
    Pairs out;
    out.fill = [lists = kept.epoch(), number = chain.number](WithinAnswer& to) {
        sort_pairs(lists->lists(), number, to.pairs, to.distances);
    };
    out.kept_count = kept.count();
    out.answer.counters = kept.counters();
    return out;
}

constexpr Signature<7> self_collide_signature{
    "self_collide", {"body", "every", "depth", "budget", "memory", "threads", "configurations"}, 1, 1};

nb::object self_collide_python(PyObject*, const Arguments<7>& given) {
    if (is_worldly<0>(given[0])) return self_collide_world(given);
    const ConfiguredBodies asked(given[0], given[6]);
    const BendingBody body(asked.a);
    const MemoryArgument memory(given[4]);
    const CollideOptions options{given.flag(1), given.flag(2), allowance_argument(given[3]), memory, {}};
    const int threads = body.threads(given[5]);
    if (body.many(memory))
        return nb::cast(ask_articulated(
            *body.articulated, [&](const ArticulatedSelf& self) { return self.collide_many(threads, options); }));
    return nb::cast(
        Collision{ask(body, memory, [&](const auto& self) { return self.self_collide(options); }), options.depth});
}

constexpr Signature<6> self_distance_signature{
    "self_distance", {"body", "enough", "budget", "memory", "threads", "configurations"}, 1, 1};

nb::object self_distance_python(PyObject*, const Arguments<6>& given) {
    if (is_worldly<0>(given[0])) return self_distance_world(given);
    const ConfiguredBodies asked(given[0], given[5]);
    const BendingBody body(asked.a);
    const MemoryArgument memory(given[3]);
    const DistanceOptions options = distance_options(given[1], given[2], memory);
    const int threads = body.threads(given[4]);
    if (body.many(memory))
        return nb::cast(ask_articulated(
            *body.articulated, [&](const ArticulatedSelf& self) { return self.distance_many(threads, options); }));
    return nb::cast(Distance{ask(body, memory, [&](const auto& self) { return self.self_distance(options); })});
}

constexpr Signature<7> self_within_signature{
    "self_within", {"body", "reach", "points", "budget", "memory", "threads", "configurations"}, 2, 2};

nb::object self_within_python(PyObject*, const Arguments<7>& given) {
    if (is_worldly<0>(given[0])) return self_within_world(given);
    const ConfiguredBodies asked(given[0], given[6]);
    const BendingBody body(asked.a);
    WithinOptions options = within_options(given[1], given.flag(2));
    const MemoryArgument memory(given[4]);
    limit(options, given[3], memory);
    if (body.necklace) return within_itself(*body.necklace, options);
    auto question = [&](const auto& self) { return self.self_within(options); };
    if (body.mesh) return nb::cast(Pairs(ask_mesh(*body.mesh, question), options.points));
    if (body.chain && !body.chain->binary && !body.chain->box && options.allowance.unlimited() && !memory &&
        !options.points)
        return nb::cast(kept_pairs(*body.chain, options.reach));
    if (body.chain) return nb::cast(Pairs(ask_chain(*body.chain, memory, question), options.points));
    const int threads = thread_count(given[5]);
    if (body.many(memory))
        return nb::cast(
            Pairs(ask_articulated(*body.articulated,
                                  [&](const ArticulatedSelf& self) { return self.within_many(threads, options); }),
                  options.points));
    return nb::cast(Pairs(ask_articulated(*body.articulated, question), options.points));
}

}  // namespace

void export_self(nb::module_& m) {
    static PyMethodDef functions[] = {fast_method<self_collide_signature, self_collide_python>(self_collide_doc),
                                      fast_method<self_distance_signature, self_distance_python>(self_distance_doc),
                                      fast_method<self_within_signature, self_within_python>(self_within_doc)};
    add_functions(m, functions);
}

}  // namespace elbowroom::bindings
