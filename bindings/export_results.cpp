#include <nanobind/stl/string.h>

#include <cstdio>
#include <string>

#include "answer_state.hpp"
#include "arrays.hpp"
#include "exports.hpp"
#include "results.hpp"

namespace elbowroom::bindings {

namespace {

constexpr const char* status_doc =
    "How the search ended. \"settled\": more work could not change the answer; \"exhausted\": it is complete, "
    "everything "
    "was looked at or ruled out; \"out of budget\"; \"within tolerance\": the bounds did not close as far as promised.";
constexpr const char* proved_doc =
    "True: the answer is complete, and a proof. False: the budget ended first, or the bounds did not close.";
constexpr const char* finished_doc = "(n,) bool: False where the budget ended first, and no hit is no proof.";

const char* status(Stop stop, bool loose = false) {
    if (stop == Stop::out_of_budget) return "out of budget";
    if (loose) return "within tolerance";
    return stop == Stop::settled ? "settled" : "exhausted";
}

/// The same for people.
const char* ended(Stop stop, bool loose = false) {
    return stop == Stop::exhausted && !loose ? "exact" : status(stop, loose);
}

template <class... Args>
std::string text(const char* format, Args... args) {
    char buffer[400];
    std::snprintf(buffer, sizeof buffer, format, args...);
    return buffer;
}

std::string work(const Counters& c) {
    return text("%llu volume tests, %llu leaf tests", (unsigned long long)c.volume_tests,
                (unsigned long long)c.leaf_tests);
}

nb::object pairs_array(const std::vector<PrimitivePair>& pairs) {
    return to_numpy<std::int32_t>(pairs.empty() ? nullptr : pairs[0].data(), {pairs.size(), 2});
}

nb::object flags(const std::vector<unsigned char>& v) {
    return to_numpy<bool>(reinterpret_cast<const bool*>(v.data()), {v.size()});
}

nb::object as_type(nb::object array, nb::handle dtype) { return dtype.is_none() ? array : array.attr("astype")(dtype); }

nb::object item(nb::object array, nb::handle index) { return array[index]; }

/// What an answer on a budget is worth, in words.
std::string stated(const Worth& w, Stop stop) {
    if (!w.given || stop != Stop::out_of_budget) return "";
    return text("; %.1f%% covered, confidence %.2f", 100 * w.covered, w.confidence);
}

/// The properties that every answer has on a budget.
template <class Class>
void add_worth(Class& c) {
    using Answer = typename Class::Type;
    c.def_prop_ro(
         "covered",
         [](const Answer& a) -> nb::object {
             return a.answer.worth.given ? nb::cast(a.answer.worth.covered) : nb::none();
         },
         nb::sig("def covered(self) -> float | None"),
         "On a budget: the share of the pairs of primitives that are proved apart (of a distance: not nearer than "
         "`upper`; of pairs within reach: decided). Else None.")
        .def_prop_ro(
            "confidence",
            [](const Answer& a) -> nb::object {
                return a.answer.worth.given ? nb::cast(a.answer.worth.confidence) : nb::none();
            },
            nb::sig("def confidence(self) -> float | None"),
            "On a budget: how far no hit can be trusted, from 0 to 1; 1 if the search finished. See Memory. Else None.")
        .def_prop_ro("_signs", [](const Answer& a) -> nb::object {
            const Worth& w = a.answer.worth;
            return w.has_signs ? to_numpy<double>(w.signs.data(), {w.signs.size()}) : nb::none();
        });
}

std::string describe(const Collision& c) {
    const CollideAnswer& a = c.answer;
    std::string found = a.hit ? text("collides, %zu pair%s", a.pairs.size(), a.pairs.size() == 1 ? "" : "s")
                              : std::string(a.stop == Stop::out_of_budget ? "none found" : "proved free");
    if (a.hit && c.has_contacts) {
        double deepest = 0;
        for (const HullContact& k : a.contacts) deepest = most(deepest, k.depth);
        found += text(", deepest %.6g", deepest);
    }
    if (a.hit || a.stop == Stop::out_of_budget) found += std::string("; ") + ended(a.stop) + stated(a.worth, a.stop);
    return "<Collision: " + found + "; " + work(a.counters) + ">";
}

std::string describe(const Distance& d) {
    const DistanceAnswer& a = d.answer;
    const std::string value =
        a.upper == 0 ? std::string("0 (overlap)") : text("%.9g in [%.9g, %.9g]", a.upper, a.lower, a.upper);
    if (a.pair[0] < 0 && a.upper > far_away) {
        const char* why = a.stop == Stop::out_of_budget ? "no pair was measured" : "there is nothing to compare";
        return std::string("<Distance: inf, ") + why + "; " + ended(a.stop) + ">";
    }
    return "<Distance: " + value + text(" between %d and %d; ", a.pair[0], a.pair[1]) + ended(a.stop, a.loose) +
           stated(a.worth, a.stop) + "; " + work(a.counters) + ">";
}

void export_counters(nb::module_& m) {
    auto counters = nb::class_<Counters>(m, "Counters", "The work of a query.");
    add_state(counters)
        .def_ro("volume_tests", &Counters::volume_tests, "Tests of a volume against a volume.")
        .def_ro("leaf_tests", &Counters::leaf_tests, "Tests of a primitive against a primitive.")
        .def_ro("pairs_visited", &Counters::pairs_visited, "Pairs that the traversal took up.")
        .def(
            "__eq__",
            [](const Counters& x, nb::handle other) {
                const Counters* y = nullptr;
                return nb::try_cast<const Counters*>(other, y) && y && x.volume_tests == y->volume_tests &&
                       x.leaf_tests == y->leaf_tests && x.pairs_visited == y->pairs_visited;
            },
            nb::arg("other"))
        .def("__repr__", [](const Counters& c) {
            return "<Counters: " + work(c) + text(", %llu pairs visited>", (unsigned long long)c.pairs_visited);
        });
}

void export_contacts(nb::module_& m) {
    auto column = [](const Contacts& c, Vec3 HullContact::* which) {
        std::vector<Vec3> v;
        for (const HullContact& k : c.all) v.push_back(k.*which);
        return to_numpy<double>(v.empty() ? nullptr : &v[0].x, {v.size(), 3});
    };
    auto contacts = nb::class_<Contacts>(
        m, "Contacts", "Contact points, normals (from a to b) and penetration depths, one for each pair.");
    add_state(contacts)
        .def_prop_ro(
            "points", [column](const Contacts& c) { return column(c, &HullContact::point); },
            "(k, 3): midway between the two surfaces, in the world.")
        .def_prop_ro(
            "normals", [column](const Contacts& c) { return column(c, &HullContact::normal); },
            "(k, 3): moved by depth * normal, b just touches a; any farther, and the pair is free.")
        .def_prop_ro(
            "depths",
            [](const Contacts& c) {
                std::vector<double> v;
                for (const HullContact& k : c.all) v.push_back(k.depth);
                return to_numpy<double>(v.data(), {v.size()});
            },
            "(k,): how deep the primitives overlap.")
        .def("__len__", [](const Contacts& c) { return c.all.size(); })
        .def("__repr__", [](const Contacts& c) { return text("<Contacts: %zu>", c.all.size()); });
}

void export_collision(nb::module_& m) {
    auto one = nb::class_<Collision>(
        m, "Collision",
        "The answer of collide: bool(collision) is the verdict, and False is a proof unless the status is \"out of "
        "budget\".");
    add_worth(one);
    add_state(one);
    one.def("__bool__", [](const Collision& c) { return c.answer.hit; })
        .def("__len__", [](const Collision& c) { return c.answer.pairs.size(); })
        .def_prop_ro(
            "lower", [](const Collision& c) { return c.answer.worth.lower; },
            "What is covered is at least this far apart, as far as it was measured: by queries with a memory.")
        .def_prop_ro(
            "upper", [](const Collision& c) { return c.answer.hit ? 0.0 : std::numeric_limits<double>::infinity(); },
            "0 if a hit was found, else infinite.")
        .def_prop_ro(
            "pairs", [](const Collision& c) { return pairs_array(c.answer.pairs); },
            "(k, 2): primitives of a and of b that overlap or touch.")
        .def_prop_ro(
            "contacts",
            [](const Collision& c) -> nb::object {
                return c.has_contacts ? nb::cast(Contacts{c.answer.contacts}) : nb::none();
            },
            nb::sig("def contacts(self) -> Contacts | None"),
            "Contacts of the pairs, when depth=True was asked; else None.")
        .def_prop_ro(
            "status", [](const Collision& c) { return status(c.answer.stop); }, status_doc)
        .def_prop_ro(
            "proved", [](const Collision& c) { return c.answer.stop != Stop::out_of_budget; }, proved_doc)
        .def_prop_ro(
            "counters", [](const Collision& c) { return c.answer.counters; }, "The work it took.")
        .def("__repr__", [](const Collision& c) { return describe(c); });
    auto hits = [](const Collisions& c) { return flags(c.hits); };
    auto many = nb::class_<Collisions>(m, "Collisions", "The answers of collide for many poses; an array of verdicts.");
    add_state(many)
        .def_prop_ro("hits", hits, "(n,) bool.")
        .def_prop_ro(
            "frames",
            [](const Collisions& c) -> nb::object {
                return c.has_pairs ? to_numpy<std::int32_t>(c.frames.data(), {c.frames.size()}) : nb::none();
            },
            "(k,), sorted: the number of the pose or configuration of each pair, when every=True or depth=True was "
            "asked; else None.")
        .def_prop_ro(
            "pairs", [](const Collisions& c) -> nb::object { return c.has_pairs ? pairs_array(c.pairs) : nb::none(); },
            "(k, 2): the pairs of all, when every=True or depth=True was asked; else None.")
        .def_prop_ro(
            "contacts",
            [](const Collisions& c) -> nb::object {
                return c.has_contacts ? nb::cast(Contacts{c.contacts}) : nb::none();
            },
            "Contacts of the pairs, when depth=True was asked; else None.")
        .def_prop_ro(
            "finished", [](const Collisions& c) { return flags(c.finished); }, finished_doc)
        .def_prop_ro(
            "status", [](const Collisions& c) { return status(c.stop); }, status_doc)
        .def_prop_ro(
            "proved", [](const Collisions& c) { return c.stop != Stop::out_of_budget; }, proved_doc)
        .def_prop_ro(
            "counters", [](const Collisions& c) { return c.counters; }, "The work of all queries together.")
        .def("__len__", [](const Collisions& c) { return c.hits.size(); })
        .def(
            "__array__", [hits](const Collisions& c, nb::handle dtype, nb::handle) { return as_type(hits(c), dtype); },
            nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none())
        .def(
            "__getitem__", [hits](const Collisions& c, nb::handle index) { return item(hits(c), index); },
            nb::arg("index"))
        .def("__bool__",
             [](const Collisions&) -> bool {
                 throw nb::value_error("the answer holds many verdicts: use .hits.any() or .hits.all()");
             })
        .def("__repr__", [](const Collisions& c) {
            std::size_t n = 0;
            for (const unsigned char h : c.hits) n += h;
            return text("<Collisions: %zu of %zu collide; ", n, c.hits.size()) + ended(c.stop) + "; " +
                   work(c.counters) + ">";
        });
}

void export_distance(nb::module_& m) {
    auto one = nb::class_<Distance>(
        m, "Distance", "The answer of distance: a value between proven bounds, and the two points that attain it.");
    add_worth(one);
    add_state(one);
    one.def_prop_ro(
           "value", [](const Distance& d) { return d.answer.upper; },
           "The distance of the two points; 0 when the bodies overlap.")
        .def_prop_ro(
            "lower", [](const Distance& d) { return d.answer.lower; }, "The bodies are proved at least this far apart.")
        .def_prop_ro(
            "upper", [](const Distance& d) { return d.answer.upper; }, "The bodies are at most this far apart.")
        .def_prop_ro(
            "points",
            [](const Distance& d) {
                const Vec3 p[2] = {d.answer.on_a, d.answer.on_b};
                return to_numpy<double>(&p[0].x, {2, 3});
            },
            "(2, 3): a point of a and a point of b, in the world.")
        .def_prop_ro(
            "pair", [](const Distance& d) { return to_numpy<std::int32_t>(d.answer.pair.data(), {2}); },
            "(2,): the primitives they lie on.")
        .def_prop_ro(
            "status", [](const Distance& d) { return status(d.answer.stop, d.answer.loose); }, status_doc)
        .def_prop_ro(
            "proved", [](const Distance& d) { return d.answer.stop != Stop::out_of_budget && !d.answer.loose; },
            proved_doc)
        .def_prop_ro(
            "counters", [](const Distance& d) { return d.answer.counters; }, "The work it took.")
        .def("__float__", [](const Distance& d) { return d.answer.upper; })
        .def("__repr__", [](const Distance& d) { return describe(d); });
    auto numbers = [](const std::vector<double>& v) { return to_numpy<double>(v.data(), {v.size()}); };
    auto many = nb::class_<Distances>(m, "Distances", "The answers of distance for many poses.");
    add_state(many)
        .def_prop_ro(
            "values", [numbers](const Distances& d) { return numbers(d.upper); }, "(n,)")
        .def_prop_ro(
            "lower", [numbers](const Distances& d) { return numbers(d.lower); }, "(n,)")
        .def_prop_ro(
            "upper", [numbers](const Distances& d) { return numbers(d.upper); }, "(n,)")
        .def_prop_ro(
            "points", [](const Distances& d) { return to_numpy<double>(&d.points[0].x, {d.points.size() / 2, 2, 3}); },
            "(n, 2, 3)")
        .def_prop_ro(
            "pairs", [](const Distances& d) { return pairs_array(d.pairs); }, "(n, 2)")
        .def_prop_ro(
            "status", [](const Distances& d) { return status(d.stop, d.loose); }, status_doc)
        .def_prop_ro(
            "proved", [](const Distances& d) { return d.stop != Stop::out_of_budget && !d.loose; }, proved_doc)
        .def_prop_ro(
            "counters", [](const Distances& d) { return d.counters; }, "The work of all queries together.")
        .def_prop_ro(
            "finished", [](const Distances& d) { return flags(d.finished); }, finished_doc)
        .def("__len__", [](const Distances& d) { return d.upper.size(); })
        .def(
            "__array__",
            [numbers](const Distances& d, nb::handle dtype, nb::handle) { return as_type(numbers(d.upper), dtype); },
            nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none())
        .def(
            "__getitem__", [numbers](const Distances& d, nb::handle index) { return item(numbers(d.upper), index); },
            nb::arg("index"))
        .def("__repr__", [](const Distances& d) {
            double low = far_away;
            std::size_t overlap = 0;
            for (const double v : d.upper) {
                low = least(low, v);
                overlap += v == 0;
            }
            return text("<Distances: %zu poses, least %.9g, %zu overlap; ", d.upper.size(), low, overlap) +
                   ended(d.stop, d.loose) + "; " + work(d.counters) + ">";
        });
}

/// A (k, 2, 3) array of points or a (k, 3) array of normals; None unless points were asked for.
nb::object points_of(Pairs& p) {
    if (!p.has_points) return nb::none();
    std::vector<Vec3> points;
    for (const NearestPoints& n : p.sorted().points) points.insert(points.end(), {n.on_a, n.on_b});
    return to_numpy<double>(points.empty() ? nullptr : &points[0].x, {points.size() / 2, 2, 3});
}
nb::object normals_of(Pairs& p) {
    if (!p.has_points) return nb::none();
    std::vector<Vec3> normals;
    for (const NearestPoints& n : p.sorted().points) normals.push_back(n.normal);
    return to_numpy<double>(normals.empty() ? nullptr : &normals[0].x, {normals.size(), 3});
}

void export_pairs(nb::module_& m) {
    auto one = nb::class_<Pairs>(m, "Pairs", "The answer of within: all pairs of primitives within reach.");
    add_worth(one);
    add_state(one);
    one.def_prop_ro(
           "indices", [](Pairs& p) { return pairs_array(p.sorted().pairs); },
           "(k, 2), sorted: primitives of a and of b.")
        .def_prop_ro(
            "distances",
            [](Pairs& p) {
                const std::vector<double>& d = p.sorted().distances;
                return to_numpy<double>(d.data(), {d.size()});
            },
            "(k,)")
        .def_prop_ro(
            "points", points_of,
            "(k, 2, 3): of each pair a point of a and one of b that are nearest to each other, in the world; None "
            "unless asked for by points=True.")
        .def_prop_ro(
            "normals", normals_of,
            "(k, 3): unit vectors from a to b; of primitives that overlap, those of their contacts. None unless asked "
            "for by points=True.")
        .def_prop_ro(
            "frames",
            [](const Pairs& p) -> nb::object {
                return p.many ? to_numpy<std::int32_t>(p.frames.data(), {p.frames.size()}) : nb::none();
            },
            "(k,): the pose or configuration of each pair; None unless there were many.")
        .def_prop_ro(
            "finished", [](const Pairs& p) -> nb::object { return p.many ? flags(p.finished) : nb::none(); },
            finished_doc)
        .def_prop_ro(
            "status", [](const Pairs& p) { return status(p.answer.stop); }, status_doc)
        .def_prop_ro(
            "proved", [](const Pairs& p) { return p.answer.stop != Stop::out_of_budget; }, proved_doc)
        .def_prop_ro(
            "counters", [](const Pairs& p) { return p.answer.counters; }, "The work it took.")
        .def("__len__", &Pairs::count)
        .def("__repr__", [](const Pairs& p) {
            const std::string over = p.many ? text(" over %zu poses", p.finished.size()) : "";
            return text("<Pairs: %zu", p.count()) + over + "; " + ended(p.answer.stop) +
                   stated(p.answer.worth, p.answer.stop) + "; " + work(p.answer.counters) + ">";
        });
}

}  // namespace

const WithinAnswer& Pairs::sorted() {
    if (kept) sort_pairs(kept->lists(), number, answer.pairs, answer.distances);
    kept.reset();
    return answer;
}

void export_results(nb::module_& m) {
    export_counters(m);
    export_contacts(m);
    export_collision(m);
    export_distance(m);
    export_pairs(m);
}

}  // namespace elbowroom::bindings
