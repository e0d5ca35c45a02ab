#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <list>

#include "arguments.hpp"
#include "arrays.hpp"
#include "chains.hpp"
#include "elbowroom/sampling/sampler.hpp"
#include "exports.hpp"
#include "poses.hpp"
#include "rigids.hpp"
#include "unlocked.hpp"

namespace elbowroom::bindings {

namespace {

using Longs = nb::ndarray<const std::int64_t, nb::c_contig, nb::device::cpu>;

/// A sampler, and the chain in Python that it changes.
struct SamplerHandle {
    nb::object chain;
    Sampler sampler;
    std::vector<nb::object> obstacles{};  // which the sampler points to

    ChainHandle& handle() { return nb::cast<ChainHandle&>(chain); }
    /// The sampler, which must not be running.
    Sampler& at_rest() {
        handle().usage.refuse_change();
        return sampler;
    }
};

constexpr std::array<const char*, 7> kinds{"torsion", "pivot",       "crankshaft", "rebridge",
                                           "side",    "translation", "rotation"};
constexpr std::array<const char*, 6> observables{
    "end_to_end", "radius_of_gyration", "hydrodynamic_radius", "contacts", "energy", "torsion"};

template <class Enum, std::size_t N>
Enum named(const std::array<const char*, N>& names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw nb::value_error(("unknown name: " + name).c_str());
    return Enum(found - names.begin());
}

void make(SamplerHandle* self, nb::object chain, std::uint64_t seed, std::uint64_t stream) {
    ChainHandle& h = nb::cast<ChainHandle&>(chain);
    if (h.box) throw nb::value_error("chain is in a periodic box: sampling is for chains without one");
    if (h.binary) throw nb::value_error("chain must have the fast tree: children=8");
    new (self) SamplerHandle{chain, Sampler(h.settled(), {seed, stream})};
}

void add_move(SamplerHandle& s, const std::string& kind, double weight, double size, const Longs& at,
              std::int64_t shortest, std::int64_t longest) {
    s.at_rest().add_move(
        {named<MoveKind>(kinds, kind), weight, size, {at.data(), at.data() + at.size()}, shortest, longest});
}

void add_side(SamplerHandle& s, std::int64_t a, std::int64_t b, const Longs& moving) {
    const ChainHandle& h = s.handle();
    SideTorsion torsion{h.inside(a), h.inside(b), {}};
    for (std::size_t i = 0; i < moving.size(); ++i) torsion.moving.push_back(h.inside(moving.data()[i]));
    s.at_rest().add_side(std::move(torsion));
}

void add_obstacle(SamplerHandle& s, nb::handle body, nb::handle pose) {
    nb::object kept = kept_body(body);
    s.at_rest().add_obstacle({&nb::cast<const RigidHandle&>(kept), PoseArgument(pose, "pose").one});
    s.obstacles.push_back(std::move(kept));
}

void add_neighbour(SamplerHandle& s, nb::handle chain) {
    s.at_rest().add_neighbour(nb::cast<ChainHandle&>(chain).settled());
}

/// `torsions`: four balls for each name that is a torsion, in their order.
void observe(SamplerHandle& s, const std::vector<std::string>& names, double reach, const Longs& torsions) {
    std::vector<Observed> what;
    std::size_t used = 0;
    for (const std::string& name : names) {
        what.push_back({named<Observable>(observables, name)});
        if (what.back().what != Observable::torsion) continue;
        if (used + 4 > torsions.size()) throw nb::value_error("torsions must hold four balls for each");
        for (std::int64_t& ball : what.back().balls) ball = s.handle().inside(torsions.data()[used++]);
    }
    s.at_rest().observe(std::move(what), reach);
}

void run(SamplerHandle& s, std::int64_t steps, std::int64_t every) {
    const Changing change(s.handle().usage);
    unlocked(true, [&] { s.sampler.run(steps, every); });
}

void run_samplers(const std::vector<SamplerHandle*>& samplers, std::int64_t steps, std::int64_t every, int threads) {
    std::list<Changing> changes;
    for (SamplerHandle* s : samplers) changes.emplace_back(s->handle().usage);
    auto one = [&] { return [&](std::ptrdiff_t i, std::ptrdiff_t) { samplers[i]->sampler.run(steps, every); }; };
    unlocked(true, [&] { in_parallel(std::ptrdiff_t(samplers.size()), threads, one, 1); });
}

void run_in_turn(const std::vector<SamplerHandle*>& samplers, std::int64_t steps, std::int64_t every) {
    std::list<Changing> changes;
    std::vector<Sampler*> all;
    for (SamplerHandle* s : samplers) changes.emplace_back(s->handle().usage), all.push_back(&s->sampler);
    unlocked(true, [&] { Sampler::run_in_turn(all, steps, every); });
}

nb::object take(SamplerHandle& s) {
    const std::vector<double> rows = s.at_rest().take();
    const std::size_t columns = s.at_rest().columns();
    return to_numpy<double>(rows.data(), {columns ? rows.size() / columns : 0, columns});
}

nb::object tallies(SamplerHandle& s) {
    const auto& all = s.at_rest().tallies();
    return to_numpy<std::int64_t>(all.empty() ? nullptr : &all[0].tried, {all.size(), 3});
}

nb::object crossings(SamplerHandle& s) {
    const std::vector<std::int64_t>& all = s.at_rest().crossings();
    return to_numpy<std::int64_t>(all.data(), {all.size()});
}

nb::object sizes(SamplerHandle& s) {
    const std::vector<double> all = s.at_rest().sizes();
    return to_numpy<double>(all.data(), {all.size()});
}

nb::bytes save(SamplerHandle& s) {
    const Changing change(s.handle().usage);
    const std::string saved = s.sampler.save();
    return nb::bytes(saved.data(), saved.size());
}

void restore(SamplerHandle& s, const nb::bytes& saved) {
    const Changing change(s.handle().usage);
    s.sampler.restore({saved.c_str(), saved.size()});
}

}  // namespace

void export_sampler(nb::module_& m) {
    nb::class_<SamplerHandle>(m, "Sampler", "Markov chain Monte Carlo of a chain.")
        .def("__init__", &make, nb::arg("chain"), nb::arg("seed"), nb::arg("stream") = 0)
        .def("add_move", &add_move, nb::arg("kind"), nb::arg("weight"), nb::arg("size"), nb::arg("at"),
             nb::arg("shortest") = 0, nb::arg("longest") = 0)
        .def("add_side", &add_side, nb::arg("a"), nb::arg("b"), nb::arg("moving"))
        .def("add_obstacle", &add_obstacle, nb::arg("body"), nb::arg("pose").none() = nb::none())
        .def("add_neighbour", &add_neighbour, nb::arg("chain"))
        .def(
            "forbid_crossing",
            [](SamplerHandle& s, const Integers& breaks) {
                s.at_rest().forbid_crossing(to_vector<std::int32_t>(breaks));
            },
            nb::arg("breaks"))
        .def("observe", &observe, nb::arg("names"), nb::arg("reach"), nb::arg("torsions"))
        .def(
            "set_temperature", [](SamplerHandle& s, double t) { s.at_rest().set_temperature(t); },
            nb::arg("temperature"))
        .def(
            "adapt", [](SamplerHandle& s, double target) { s.at_rest().adapt(target); }, nb::arg("target"))
        .def(
            "set_sizes",
            [](SamplerHandle& s, const Doubles& sizes) { s.at_rest().set_sizes(to_vector<double>(sizes)); },
            nb::arg("sizes"))
        .def("run", &run, nb::arg("steps"), nb::arg("every"))
        .def("take", &take)
        .def("save", &save)
        .def("restore", &restore, nb::arg("saved"))
        .def_prop_ro("step", [](SamplerHandle& s) { return s.at_rest().step(); })
        .def_prop_ro("tallies", &tallies)
        .def_prop_ro("crossings", &crossings)
        .def(
            "use_bounds", [](SamplerHandle& s, bool yes) { s.at_rest().use_bounds(yes); }, nb::arg("yes"))
        .def_prop_ro("decisions",
                     [](SamplerHandle& s) {
                         const auto [bounds, sums] = s.at_rest().decisions();
                         return nb::make_tuple(bounds, sums);
                     })
        .def_prop_ro("sizes", &sizes)
        .def_prop_ro("energy", [](SamplerHandle& s) {
            const Changing change(s.handle().usage);
            return s.sampler.energy();
        });
    m.def("run_in_turn", &run_in_turn, nb::arg("samplers"), nb::arg("steps"), nb::arg("every"));
    m.def("run_samplers", &run_samplers, nb::arg("samplers"), nb::arg("steps"), nb::arg("every"), nb::arg("threads"));
}

}  // namespace elbowroom::bindings
