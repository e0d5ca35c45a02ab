#include "elbowroom/batch/result_text.hpp"

#include <algorithm>
#include <cstdio>

namespace elbowroom {

namespace {

template <class... Args>
std::string text(const char* format, Args... args) {
    char buffer[400];
    std::snprintf(buffer, sizeof buffer, format, args...);
    return buffer;
}

/// The same as `status_of` for people.
std::string ended(Stop stop, bool loose = false) {
    return stop == Stop::exhausted && !loose ? "exact" : status_of(stop, loose);
}

std::string work(const Counters& c) {
    return text("%llu volume tests, %llu leaf tests", (unsigned long long)c.volume_tests,
                (unsigned long long)c.leaf_tests);
}

/// What an answer on a budget is worth.
std::string stated(const Worth& w, Stop stop) {
    if (!w.given || stop != Stop::out_of_budget) return "";
    return text("; %.1f%% covered, confidence %.2f", 100 * w.covered, w.confidence);
}

}  // namespace

const char* status_of(Stop stop, bool loose) {
    if (stop == Stop::out_of_budget) return "out of budget";
    if (loose) return "within tolerance";
    return stop == Stop::settled ? "settled" : "exhausted";
}

std::string describe(const Counters& c) {
    return "<Counters: " + work(c) + text(", %llu pairs visited>", (unsigned long long)c.pairs_visited);
}

std::string describe(const Contacts& c) { return text("<Contacts: %zu>", c.all.size()); }

std::string describe(const Collision& c) {
    const CollideAnswer& a = c.answer;
    std::string found = a.hit ? text("collides, %zu pair%s", a.pairs.size(), a.pairs.size() == 1 ? "" : "s")
                              : std::string(a.stop == Stop::out_of_budget ? "none found" : "proved free");
    if (a.hit && c.has_contacts) {
        double deepest = 0;
        for (const HullContact& k : a.contacts) deepest = most(deepest, k.depth);
        found += text(", deepest %.6g", deepest);
    }
    if (a.hit || a.stop == Stop::out_of_budget) found += "; " + ended(a.stop) + stated(a.worth, a.stop);
    return "<Collision: " + found + "; " + work(a.counters) + ">";
}

std::string describe(const Collisions& c) {
    const std::size_t hits = std::size_t(std::count(c.hits.begin(), c.hits.end(), 1));
    return text("<Collisions: %zu of %zu collide; ", hits, c.hits.size()) + ended(c.stop) + "; " + work(c.counters) +
           ">";
}

std::string describe(const Distance& d) {
    const DistanceAnswer& a = d.answer;
    if (a.pair[0] < 0 && a.upper > far_away) {
        const char* why = a.stop == Stop::out_of_budget ? "no pair was measured" : "there is nothing to compare";
        return std::string("<Distance: inf, ") + why + "; " + ended(a.stop) + ">";
    }
    const std::string value =
        a.upper == 0 ? std::string("0 (overlap)") : text("%.9g in [%.9g, %.9g]", a.upper, a.lower, a.upper);
    return "<Distance: " + value + text(" between %d and %d; ", a.pair[0], a.pair[1]) + ended(a.stop, a.loose) +
           stated(a.worth, a.stop) + "; " + work(a.counters) + ">";
}

std::string describe(const Distances& d) {
    double low = far_away;
    for (const double v : d.upper) low = least(low, v);
    const std::size_t overlap = std::size_t(std::count(d.upper.begin(), d.upper.end(), 0.0));
    return text("<Distances: %zu poses, least %.9g, %zu overlap; ", d.upper.size(), low, overlap) +
           ended(d.stop, d.loose) + "; " + work(d.counters) + ">";
}

std::string describe(const Pairs& p) {
    const std::string over = p.many ? text(" over %zu poses", p.finished.size()) : "";
    return text("<Pairs: %zu", p.count()) + over + "; " + ended(p.answer.stop) + stated(p.answer.worth, p.answer.stop) +
           "; " + work(p.answer.counters) + ">";
}

}  // namespace elbowroom
