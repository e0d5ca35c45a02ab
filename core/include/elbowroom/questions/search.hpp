// Searches behind an abstract class: the orders that are not hot are compiled once, for all bodies and questions.
#pragma once
#include <algorithm>
#include <vector>

#include "elbowroom/queries/memory.hpp"
#include "elbowroom/traversal/traverse.hpp"

namespace elbowroom {

/// What a numbered pair opens into, as values: mostly children of one node, whose numbers follow each other, with
/// another node. `each` gives the lanes that are offered with their bounds, the most promising last: it is fan and
/// offers.
struct OpenedPair {
    int width = 0, offered = 0;
    unsigned lanes = 0;  // that exist
    std::int32_t base = 0, other = 0;
    bool opens_a = true;
    const Pair* children = nullptr;  // of the lanes, if their numbers do not follow each other
    std::uint8_t lane[8];
    float bound[8];
    unsigned valid() const { return lanes; }
    Pair child(int k, float b) const {
        if (children) return {children[k].a, children[k].b, b};
        return opens_a ? Pair{base + k, other, b} : Pair{other, base + k, b};
    }
    template <class F>
    void each(F&& f) const {
        for (int i = 0; i < offered; ++i) f(int(lane[i]), bound[i]);
    }
};

/// A pairing and a query whose types are forgotten. It is both of them for `traverse`, which calls `admits`, then
/// `open` or `leaf`: one virtual call for a pair that is opened, two for a leaf.
class Search {
public:
    bool admits(const Pair& pair) { return (kind_ = visit(pair)) != Kind::dropped; }
    bool is_leaf(const Pair&) const { return kind_ == Kind::leaf; }
    const OpenedPair& open(const Pair&) const { return opened_; }
    const OpenedPair& offers(const OpenedPair& opened) const { return opened; }
    void leaf(const Pair& pair, Counters& counters) { settled_ = visit_leaf(pair, counters); }
    bool settled() const { return settled_; }

    virtual Pair root() const = 0;
    virtual int width() const = 0;                                   // children of a node, at most
    virtual double count(std::int32_t a, std::int32_t b) const = 0;  // pairs of primitives below a pair
    virtual double limit() const = 0;                                // pairs farther apart do not matter
    BvttNote* note = nullptr;                                        // set while a memory records the search

protected:
    enum class Kind { dropped, leaf, opened };
    OpenedPair opened_;
    ~Search() = default;
    virtual Kind visit(const Pair& pair) = 0;  // fills opened_ if the pair is opened
    virtual bool visit_leaf(const Pair& pair, Counters& counters) = 0;

private:
    Kind kind_ = Kind::dropped;
    bool settled_ = false;
};

/// The smallest bound comes first; fewest visits, at the price of a heap. Of pairs that may touch the largest comes
/// first: to open it rules out more than to measure leaves does.
class NearestFirst {
public:
    explicit NearestFirst(const Search& search) : search_(search) {}
    bool empty() const { return heap_.empty(); }
    /// Calls f(pair) for all that it holds.
    template <class F>
    void each(F&& f) const {
        for (const Entry& e : heap_) f(e.pair);
    }
    void push(const Pair& p) {
        heap_.push_back({p, p.bound > 0 ? 0 : float(search_.count(p.a, p.b))});
        std::push_heap(heap_.begin(), heap_.end(), later);
    }
    Pair pop() {
        std::pop_heap(heap_.begin(), heap_.end(), later);
        const Pair p = heap_.back().pair;
        heap_.pop_back();
        return p;
    }
    void put_back(const Pair& p) { push(p); }
    template <class Fan, class Offers>
    void push(const Fan& fan, const Offers& offers) {
        offers.each([&](int child, float bound) { push(fan.child(child, bound)); });
    }

private:
    struct Entry {
        Pair pair;
        float size;  // pairs of primitives below, of pairs that may touch
    };
    const Search& search_;
    std::vector<Entry> heap_;
    static bool later(const Entry& x, const Entry& y) {
        if (x.pair.bound != y.pair.bound) return x.pair.bound > y.pair.bound;
        if (x.size != y.size) return x.size < y.size;
        return x.pair.a != y.pair.a ? x.pair.a > y.pair.a : x.pair.b > y.pair.b;  // the same order on every run
    }
};

/// `traverse`, compiled once.
Stop run(Search& search, DepthFirst& order, Budget budget, Counters& counters);
Stop run(Search& search, NearestFirst& order, Budget budget, Counters& counters);

/// How a search with a memory ended, what it has shown, and how far apart everything that is left is at least.
struct RecordedRun {
    Stop stop;
    Reckoning reckoning;
    double rest;
};
/// Searches from the cut of the last runs, or from the root, and records it. `part`: the cut belongs to a part of a
/// larger question.
RecordedRun run_recorded(Search& search, QueryMemory& memory, CutMemory& cut, bool part, Allowance allowance,
                         Counters& counters);

}  // namespace elbowroom
