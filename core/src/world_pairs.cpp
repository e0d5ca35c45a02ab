// Which parts of worlds are near each other.
#include "elbowroom/batch/parallel.hpp"
#include "elbowroom/world/box_pairs.hpp"
#include "world_parts.hpp"

namespace elbowroom {

double gap_to_box(const WorldPart& part, const FloatBox& box) {
    if (!part.body || part.body->count() != 1 || part.body->is_bounded()) return 0;
    const RoundedHull space = part.body->primitive(0);
    const Vec3 normal = part.pose.rotation * space.points[1], on_plane = part.pose * space.points[0];
    double height = 0, size = length(on_plane);
    for (int k = 0; k < 3; ++k) {
        const double lowest = normal[k] > 0 ? box.low[k] : box.high[k];
        height += normal[k] * (lowest - on_plane[k]);
        size += std::fabs(lowest);
    }
    return most(0.0, height - 1e-12 * size);
}

namespace {

/// Keeps the pairs that are compared, in order.
class Keeper {
public:
    Keeper(const WorldPair& pair, std::vector<PartPair>& out) : pair_(pair), out_(out) {}
    void operator()(std::int32_t i, std::int32_t j) {
        const WorldPart &p = pair_.a.part(i), &q = pair_.b.part(j);
        if (!pair_.self()) return out_.push_back({i, j});
        if (pair_.only >= 0 && p.member == q.member) return;
        if (!pair_.a.compares(p, q)) return;
        out_.push_back(pair_.only >= 0 || pair_.a.in_order(p, q) ? PartPair{i, j} : PartPair{j, i});
    }

private:
    const WorldPair& pair_;
    std::vector<PartPair>& out_;
};

/// Those without bounds, with all others that they may reach.
void add_unbounded(const World& a, const World& b, double reach, bool turned, Keeper& keep) {
    for (const std::int32_t i : a.unbounded())
        for (std::int32_t m = 0; m < b.numbers(); ++m)
            for (std::int32_t j = b.member(m).first_part; j >= 0; j = b.part(j).next) {
                const bool both = !b.tree().has(j);
                if (both && turned) continue;  // was met the other way round
                if (both && &a == &b && j <= i) continue;
                if (!both && gap_to_box(a.part(i), b.tree().box(j)) > reach) continue;
                turned ? keep(j, i) : keep(i, j);
            }
}

void add_chains_themselves(const World& world, std::vector<PartPair>& out) {
    for (std::int32_t m = 0; m < world.numbers(); ++m) {
        const WorldMember& x = world.member(m);
        if (x.self && !world.excludes_itself(m)) out.push_back({x.first_part, x.first_part});
    }
}

/// The parts without bounds of some with all others, and the other ones with those without bounds.
void add_unbounded_of(const World& world, const std::vector<std::int32_t>& parts, double reach, auto&& keep) {
    for (const std::int32_t i : parts) {
        const bool bounded = world.tree().has(i);
        if (bounded)
            for (const std::int32_t j : world.unbounded())
                if (gap_to_box(world.part(j), world.tree().box(i)) <= reach) keep(i, j);
        for (std::int32_t m = 0; !bounded && m < world.numbers(); ++m)
            for (std::int32_t j = world.member(m).first_part; j >= 0; j = world.part(j).next)
                if (!world.tree().has(j) || gap_to_box(world.part(i), world.tree().box(j)) <= reach) keep(i, j);
    }
}

std::vector<std::int32_t> parts_of(const World& world, std::int32_t member) {
    std::vector<std::int32_t> out;
    for (std::int32_t i = world.member(member).first_part; i >= 0; i = world.part(i).next) out.push_back(i);
    return out;
}

/// What is not found by boxes.
void add_others(const WorldPair& pair, double reach, Keeper& keep, std::vector<PartPair>& out) {
    if (pair.only >= 0) return add_unbounded_of(pair.a, parts_of(pair.a, pair.only), reach, keep);
    add_unbounded(pair.a, pair.b, reach, false, keep);
    if (!pair.self()) add_unbounded(pair.b, pair.a, reach, true, keep);
    if (pair.self() && pair.a.has_chains()) add_chains_themselves(pair.a, out);
}

void sweep_of(const World& world, const std::vector<std::int32_t>& parts, double reach, auto&& keep,
              Counters& counters) {
    const BoxTree& tree = world.tree();
    for (const std::int32_t i : parts)
        if (tree.has(i))
            each_near(tree, tree.box(i), reach, counters.volume_tests, [&](std::int32_t j) { keep(i, j); });
}

/// So many members are worth several threads.
constexpr std::int32_t many_members = 20'000;

void sweep(const WorldPair& pair, double reach, int threads, std::vector<PartPair>& out, Counters& counters) {
    BoxPairs boxes(pair.a.tree(), pair.b.tree(), reach);
    if (threads < 2 || pair.a.size() + pair.b.size() < many_members) {
        Keeper keep(pair, out);
        boxes.each(keep, counters.volume_tests);
        return;
    }
    const std::vector<NodePair> tasks = boxes.spread(64, counters.volume_tests);
    std::vector<std::vector<PartPair>> found(tasks.size());
    std::vector<std::uint64_t> tests(tasks.size(), 0);
    in_parallel(
        std::ptrdiff_t(tasks.size()), threads,
        [&] {
            return [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                for (std::ptrdiff_t k = begin; k < end; ++k) {
                    Keeper keep(pair, found[k]);
                    boxes.each(tasks[k], keep, tests[k]);
                }
            };
        },
        1);
    for (std::size_t k = 0; k < tasks.size(); ++k) {
        out.insert(out.end(), found[k].begin(), found[k].end());
        counters.volume_tests += tests[k];
    }
}

}  // namespace

std::vector<PartPair> near_parts(const WorldPair& pair, double reach, int threads, Counters& counters) {
    std::vector<PartPair> out;
    Keeper keep(pair, out);
    if (pair.only >= 0)
        sweep_of(pair.a, parts_of(pair.a, pair.only), reach, keep, counters);
    else
        sweep(pair, reach, threads, out, counters);
    add_others(pair, reach, keep, out);
    return out;
}

std::vector<PartPair> near_parts_of(const World& world, const std::vector<std::int32_t>& parts, double reach,
                                    int threads, Counters& counters) {
    std::vector<unsigned char> is_one(std::size_t(world.part_numbers()), 0);
    std::vector<std::int32_t> there;
    for (const std::int32_t i : parts)
        if (world.part(i).member >= 0) is_one[i] = 1, there.push_back(i);
    const std::ptrdiff_t count = std::ptrdiff_t(there.size());
    std::vector<std::vector<PartPair>> found(std::size_t((count + batch_chunk - 1) / batch_chunk));
    std::vector<Counters> work(found.size());
    const WorldPair pair{world, world, -1};
    in_parallel(count, count < 8 * batch_chunk ? 1 : threads, [&] {
        return [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
            const std::ptrdiff_t k = begin / batch_chunk;
            Keeper keep(pair, found[k]);
            auto once = [&](std::int32_t i, std::int32_t j) {
                if (i != j && (!is_one[j] || i < j)) keep(i, j);
            };
            const std::vector<std::int32_t> some(there.begin() + begin, there.begin() + end);
            sweep_of(world, some, reach, once, work[k]);
            add_unbounded_of(world, some, reach, once);
            for (const std::int32_t i : some) {
                const std::int32_t m = world.part(i).member;
                if (world.member(m).self && !world.excludes_itself(m)) found[k].push_back({i, i});
            }
        };
    });
    std::vector<PartPair> out;
    for (std::size_t k = 0; k < found.size(); ++k) {
        out.insert(out.end(), found[k].begin(), found[k].end());
        counters += work[k];
    }
    return out;
}

std::vector<PartPair> unbounded_parts(const WorldPair& pair) {
    std::vector<PartPair> out;
    Keeper keep(pair, out);
    add_others(pair, far_away, keep, out);
    return out;
}

double all_primitives(const WorldPair& pair) {
    auto weights = [](const World& world, std::int32_t m) {
        double sum = 0;
        for (std::int32_t i = world.member(m).first_part; i >= 0; i = world.part(i).next)
            sum += world.weight(world.part(i));
        return sum;
    };
    auto all = [&](const World& world) {
        double sum = 0;
        for (std::int32_t m = 0; m < world.numbers(); ++m) sum += weights(world, m);
        return sum;
    };
    const double sum = all(pair.a);
    if (!pair.self()) return sum * all(pair.b);
    if (pair.only >= 0) {
        const double own = weights(pair.a, pair.only);
        return own * (sum - own);
    }
    double squares = 0, inside = 0;
    for (std::int32_t m = 0; m < pair.a.numbers(); ++m) {
        const WorldMember& x = pair.a.member(m);
        const double own = weights(pair.a, m);
        squares += own * own;
        if (x.model) inside += x.model->compared_primitives();
        if (x.self) inside += 0.5 * own * (own - 1);
    }
    return 0.5 * (sum * sum - squares) + inside;
}

}  // namespace elbowroom
