// What questions about worlds find, and what is kept of it for the next question.
#pragma once
#include <algorithm>
#include <cstdint>
#include <mutex>
#include <tuple>
#include <vector>

#include "elbowroom/world/world_questions.hpp"

namespace elbowroom {

/// What two parts gave, in the order of answers.
struct FoundPair {
    std::uint64_t first, second;         // serial numbers of the members
    PrimitivePair links, members, pair;  // links: 0 where there are none
    PartPair parts;
    double distance;
    std::int32_t detail;  // the number of its contact or of its points; -1: none

    auto order() const { return std::tie(first, second, links, distance, pair); }
    bool same_links(const FoundPair& o) const { return members == o.members && links == o.links; }
};

/// The last complete answer about all members and themselves, and which parts have changed since: the next question of
/// the same kind looks at these alone. Changes are made by who changes the world; questions take turns, and who does
/// not get one does without.
class WorldRecall {
public:
    /// What was asked: overlap, or what is within a reach.
    struct Kind {
        bool collide = true;
        double reach = 0;
        bool operator==(const Kind&) const = default;
    };
    void touch(std::int32_t part) {
        if (!complete_) return;
        if (std::size_t(part) >= is_touched_.size()) is_touched_.resize(std::size_t(part) + 1, 0);
        if (is_touched_[part]) return;
        is_touched_[part] = 1;
        touched_.push_back(part);
    }
    void forget() {
        complete_ = false;
        all_ = {};
        is_touched_.assign(is_touched_.size(), 0), touched_.clear();
    }

    /// A turn, if no other question has it.
    std::unique_lock<std::mutex> turn() { return std::unique_lock(turn_, std::try_to_lock); }
    /// Is there an answer of this kind, from which not too much has changed?
    bool helps(const Kind& kind) const {
        return complete_ && kind == kind_ && 4 * touched_.size() < is_touched_.size();
    }
    const std::vector<std::int32_t>& touched() const { return touched_; }
    bool is_touched(std::int32_t part) const { return std::size_t(part) < is_touched_.size() && is_touched_[part]; }
    /// Pairs of what was not touched, still in order.
    void drop_touched() {
        std::erase_if(all_, [&](const FoundPair& f) { return is_touched(f.parts.a) || is_touched(f.parts.b); });
    }
    /// With those that are new, in order.
    void add(const std::vector<FoundPair>& fresh) {
        const std::ptrdiff_t old = std::ptrdiff_t(all_.size());
        all_.insert(all_.end(), fresh.begin(), fresh.end());
        std::inplace_merge(all_.begin(), all_.begin() + old, all_.end(),
                           [](const FoundPair& a, const FoundPair& b) { return a.order() < b.order(); });
    }
    std::vector<FoundPair>& all() { return all_; }
    /// `all` is now the answer.
    void complete(const Kind& kind, std::size_t parts) {
        kind_ = kind, complete_ = true;
        for (const std::int32_t p : touched_) is_touched_[p] = 0;
        touched_.clear();
        is_touched_.resize(parts, 0);
    }
    std::size_t bytes() const {
        return all_.capacity() * sizeof(FoundPair) + is_touched_.capacity() + 4 * touched_.capacity();
    }

private:
    std::mutex turn_;
    Kind kind_;
    bool complete_ = false;
    std::vector<FoundPair> all_;
    std::vector<std::int32_t> touched_;
    std::vector<unsigned char> is_touched_;  // of each part
};

}  // namespace elbowroom
