// Pairs of nodes of chains by numbers that stay the same from query to query, for memories: a node is placed in the
// common frame when it is needed.
#pragma once
#include "elbowroom/pairings/across_chain_and_tree.hpp"
#include "elbowroom/pairings/across_frames.hpp"
#include "elbowroom/pairings/run_record.hpp"

namespace elbowroom {

/// The places of a chain's nodes by their numbers.
class RunPlaces {
public:
    RunPlaces(ChainPlaces& places, const ChainTree& tree, std::int32_t root)
        : places_(places), root_(root), levels_(tree.levels()), balls_(tree.balls()) {}
    std::int32_t root() const { return RunRecord{levels_, 0}.number(); }
    std::int64_t balls() const { return balls_; }
    std::int32_t place(std::int32_t number) const {
        const RunRecord r = RunRecord::of(number);
        std::int32_t at = root_;
        for (int level = levels_ - 1; level >= r.level; --level)
            at = places_.child(at, r.index >> 3 * (level - r.level) & 7);
        return at;
    }
    double count(std::int32_t number) const {
        const RunRecord r = RunRecord::of(number);
        return double(r.end(balls_) - r.begin());
    }

private:
    ChainPlaces& places_;
    const std::int32_t root_;
    const int levels_;
    const std::int64_t balls_;
};

/// A fan of placed nodes of two chains whose children are numbered.
struct RunFan {
    ChainFan fan;
    int width;
    RunRecord opened;
    std::int32_t kept;
    bool opens_a;

    unsigned overlapping(Float8& gap) const { return fan.overlapping(gap); }
    Float8 squared_gaps(const LinearMaps& maps, Float8& gap) const { return fan.squared_gaps(maps, gap); }
    unsigned valid() const { return fan.valid(); }
    Pair child(int lane, float bound) const {
        const std::int32_t made = opened.child(lane).number();
        return opens_a ? Pair{made, kept, bound} : Pair{kept, made, bound};
    }
};

/// Pairs of two chains, by numbers.
class AcrossRuns {
public:
    AcrossRuns(const AcrossFrames& frames, const RunPlaces& a, const RunPlaces& b) : frames_(frames), a_(a), b_(b) {}
    bool is_leaf(const Pair& p) const { return ((p.a | p.b) >> RunRecord::level_at) == 0; }
    RunFan open(const Pair& p) const {
        const ChainFan fan = frames_.open({a_.place(p.a), b_.place(p.b), p.bound});
        return {fan, fan.width, RunRecord::of(fan.opens_a ? p.a : p.b), fan.opens_a ? p.b : p.a, fan.opens_a};
    }
    Pair placed(const Pair& p) const { return {a_.place(p.a), b_.place(p.b), p.bound}; }
    Pair root() const { return {a_.root(), b_.root(), 0}; }
    double count(std::int32_t a, std::int32_t b) const { return a_.count(a) * b_.count(b); }

private:
    const AcrossFrames& frames_;
    const RunPlaces a_, b_;
};

/// Pairs of a chain (a), by numbers, and a rigid tree (b).
template <class Tree>
class AcrossRunAndTree {
public:
    AcrossRunAndTree(const AcrossChainAndTree<Tree>& pairing, const RunPlaces& a, const Tree& tree)
        : pairing_(pairing), a_(a), tree_(tree) {}
    bool is_leaf(const Pair& p) const { return p.a >> RunRecord::level_at == 0 && tree_.records[p.b].is_leaf(); }
    struct Fan {
        ChainTreeFan<Tree> fan;
        int width;
        RunRecord chain;
        std::int32_t a;
        unsigned overlapping(Float8& gap) const { return fan.overlapping(gap); }
        Float8 squared_gaps(const LinearMaps& maps, Float8& gap) const { return fan.squared_gaps(maps, gap); }
        unsigned valid() const { return fan.valid(); }
        Pair child(int lane, float bound) const {
            if (fan.opens_chain) return {chain.child(lane).number(), fan.other, bound};
            return {a, fan.base + lane, bound};
        }
    };
    Fan open(const Pair& p) const {
        const ChainTreeFan<Tree> fan = pairing_.open(placed(p));
        return {fan, fan.width, RunRecord::of(p.a), p.a};
    }
    Pair placed(const Pair& p) const { return {a_.place(p.a), p.b, p.bound}; }
    Pair root() const { return {a_.root(), 0, 0}; }
    double count(std::int32_t a, std::int32_t b) const { return a_.count(a) * tree_.below[b]; }

private:
    const AcrossChainAndTree<Tree>& pairing_;
    const RunPlaces a_;
    const Tree& tree_;
};

/// Pairs within one chain, by numbers; in a pair, a comes before b. A node with itself opens into each child with the
/// node, untested; a child with its parent into itself and the siblings behind it; of two others the larger is opened.
class WithinRun {
public:
    struct Fan {
        ChainFan fan;
        unsigned lanes;
        int width;  // 0: the children are offered untested
        RunRecord opened;
        std::int32_t kept;
        bool opens_a;
        int itself;

        unsigned overlapping(Float8& gap) const {
            if (!width) return gap = Float8(0.f), lanes;
            return fan.overlapping(gap) | own();
        }
        Float8 squared_gaps(const LinearMaps& maps, Float8& gap) const {
            if (!width) return gap = Float8(0.f), Float8(0.f);
            Float8 squares = fan.squared_gaps(maps, gap);
            if (itself < 0) return squares;
            float each[8];
            squares.store(each);
            each[itself] = 0;
            return Float8::load_anywhere(each);
        }
        unsigned valid() const { return lanes; }
        Pair child(int lane, float bound) const {
            if (lane == itself) return {kept, kept, bound};
            const std::int32_t made = opened.child(lane).number();
            return opens_a ? Pair{made, kept, bound} : Pair{kept, made, bound};
        }

    private:
        unsigned own() const { return itself < 0 ? 0u : 1u << itself; }
    };

    WithinRun(const AcrossFrames& frames, const RunPlaces& run) : frames_(frames), run_(run) {}
    bool is_leaf(const Pair& p) const { return ((p.a | p.b) >> RunRecord::level_at) == 0; }
    Fan open(const Pair& p) const {
        const RunRecord a = RunRecord::of(p.a), b = RunRecord::of(p.b);
        if (p.a == p.b) return open_self(p);
        if (b.is_parent_of(a)) return open_parent(p, a.index & 7);
        const ChainFan fan = frames_.open(placed(p));
        return {fan, fan.valid(), fan.width, fan.opens_a ? a : b, fan.opens_a ? p.b : p.a, fan.opens_a, -1};
    }
    Pair placed(const Pair& p) const { return {run_.place(p.a), run_.place(p.b), p.bound}; }
    Pair root() const { return {run_.root(), run_.root(), 0}; }
    double count(std::int32_t a, std::int32_t b) const { return pairs_within_run(a, b, run_.balls()); }

private:
    const AcrossFrames& frames_;
    const RunPlaces run_;

    Fan open_self(const Pair& p) const {
        const std::int32_t at = run_.place(p.a);
        const ChainFan fan = frames_.fan(at, at, true, ~0u);
        return {fan, fan.valid(), 0, RunRecord::of(p.a), p.a, true, -1};
    }
    Fan open_parent(const Pair& p, int lane) const {
        const std::int32_t child = run_.place(p.a), parent = run_.place(p.b);
        const ChainFan fan = frames_.fan(parent, child, false, ~0u << lane);
        return {fan, fan.valid(), fan.width, RunRecord::of(p.b), p.a, false, lane};
    }
};

/// Leaves that are asked by numbers.
template <class Leaves, class Pairing>
class RunLeaves {
public:
    RunLeaves(const Leaves& leaves, const Pairing& pairing) : leaves_(leaves), pairing_(pairing) {}
    template <class Sink>
    bool overlap(const Pair& pair, Counters& counters, Sink& sink) const {
        return leaves_.overlap(pairing_.placed(pair), counters, sink);
    }
    template <class Best>
    void nearest(const Pair& pair, Counters& counters, Best& best) const {
        leaves_.nearest(pairing_.placed(pair), counters, best);
    }
    template <class Sink>
    void within(const Pair& pair, double reach, Counters& counters, Sink& sink) const {
        leaves_.within(pairing_.placed(pair), reach, counters, sink);
    }

    const Leaves& inner() const { return leaves_; }

private:
    const Leaves& leaves_;
    const Pairing& pairing_;
};

}  // namespace elbowroom
