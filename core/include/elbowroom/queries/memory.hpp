// What one query tells the next about the same bodies.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "elbowroom/math/rigid.hpp"
#include "elbowroom/traversal/bvtt.hpp"

namespace elbowroom {

/// How a memory goes on from the last query: from its cut, or from the root in the paper's two ways.
enum class MemoryMethod { from_cut, best_first, depth_first };

/// How far any point within `radius` of `middle` (of the second body) is from where it was, at most.
inline double step_between(const Rigid& was, const Rigid& is, Vec3 middle, double radius) {
    double squares = 0;  // a bound of the norm of the difference of the rotations
    for (int i = 0; i < 3; ++i) squares += length2(is.rotation.row[i] - was.rotation.row[i]);
    // The squares of the entries add up to 2 |R - S|^2, since R S^-1 - 1 has two equal singular values and a zero.
    const double turn = std::sqrt(squares / 2), size = length(middle) + radius + length(is.translation);
    const double step = length(is * middle - was * middle) + turn * radius;
    return step == 0 ? 0 : step * (1 + 1e-9) + 1e-15 * size;
}

/// What remains of the queries about two trees, or one and itself.
struct CutMemory {
    std::uint64_t first = 0, second = 0;  // what they were about; 0: nothing yet
    int a = -1, b = -1;                   // the primitives that decided the last query
    double distance = 0;                  // that of the last answer
    Bvtt now, last;                       // of the last run; from the root: of the one before it
    double odometer = 0;  // how much nearer to each other points can have come since the tree was started
    Readings readings;
    int deepest = 0;                        // of the pairs that the last run looked at
    bool hit = false;                       // of a part: the last query hit
    bool placed = false, swapped = false;   // swapped: the body that was asked about second comes first
    Rigid at;                               // where the second body was, seen from the first
    double reading = 0;                     // of the bodies' own odometers
    double settling = 0;                    // seconds that the last query took after its search
    std::uint32_t calls = 0, complete = 0;  // queries; the last of them that proved everything

    /// Makes sure that it is about these two; true if it was.
    bool meet(std::uint64_t x, std::uint64_t y) {
        if (first == x && second == y) return true;
        *this = {};
        first = x, second = y;
        return false;
    }
    /// The bodies have moved against each other by no more than `step`. What has gone far is looked at anew.
    void move(double step, double size) {
        if (now.empty() || step == 0) return;
        if (!(step < size)) {
            now.clear();
            odometer = 0;
        } else {
            odometer = (odometer + step) * (1 + 1e-15);
        }
    }
};

/// A table that says how likely a query that ran out of its budget without a hit would have found none: the value at
/// weights . signs + weights[8], between knots along straight lines.
struct ConfidenceTable {
    std::array<double, 9> weights{};
    std::vector<double> knots, values;
    bool empty() const { return knots.empty(); }
};

/// What a run with a memory has shown, of one pair of trees or of several together.
struct Reckoning {
    double pairs = 0, open_pairs = 0;         // of primitives; not proved apart
    std::int64_t nodes = 0, open_nodes = 0;   // on the cut
    std::int64_t expired = 0;                 // of the open ones: those that were proved apart once
    std::int64_t dangerous = 0, checked = 0;  // nodes in dangerous regions; those of them that were proved apart
    std::int64_t depths = 0;                  // the sum over the cut
    int deepest = 0;                          // of the pairs that were looked at
    double lower = std::numeric_limits<double>::infinity();  // what is proved apart is at least so far apart
    std::int64_t age = 0;  // calls since the oldest part that is open was proved; negative: it never was

    Reckoning& operator+=(const Reckoning& o) {
        pairs += o.pairs, open_pairs += o.open_pairs, nodes += o.nodes, open_nodes += o.open_nodes;
        expired += o.expired, dangerous += o.dangerous, checked += o.checked, depths += o.depths;
        deepest = std::max(deepest, o.deepest), lower = std::min(lower, o.lower);
        age = age < 0 || o.age < 0 ? -1 : std::max(age, o.age);
        return *this;
    }
    double covered() const { return open_pairs > 0 ? 1 - open_pairs / pairs : 1; }
};

/// What an answer on a budget is worth.
struct Worth {
    bool given = false, has_signs = false;
    double covered = 1, confidence = 1, lower = 0;
    std::array<double, 8> signs{};
};

/// Carried from query to query. Never changes a verdict, nor a distance but for rounding, only the work.
struct QueryMemory {
    MemoryMethod method = MemoryMethod::from_cut;
    int group = 8;         // nodes of the cut list that are judged together
    double threshold = 1;  // of the standard deviation of their depths
    ConfidenceTable table;

    CutMemory cut;                             // of two bodies with a tree each, or one and itself
    std::map<std::uint64_t, CutMemory> parts;  // of bodies made of several: of the pairs of their shapes
    std::uint32_t calls = 0;
    double confidence = 1;  // the paper's, of the last run
    bool hit_before = false, recorded = false;
    double whole = 0;  // pairs of primitives that the last answer was about
    std::int64_t age = -1;

    void forget() { cut = {}, parts.clear(), calls = 0, confidence = 1, hit_before = recorded = false, age = -1; }
    /// Another query begins, about these two.
    CutMemory& begin(std::uint64_t first, std::uint64_t second) {
        ++calls, age = -1;
        if (!cut.meet(first, second)) parts.clear(), confidence = 1, hit_before = recorded = false, age = -1, calls = 1;
        return cut;
    }
    /// Is the run to be recorded? A query without a budget goes the fast way unless a method of the paper was chosen.
    bool records(bool unlimited) const { return !unlimited || method != MemoryMethod::from_cut; }
};

}  // namespace elbowroom
