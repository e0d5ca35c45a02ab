// Many bodies of any kinds, each with a number and a pose, under one tree of boxes.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "elbowroom/bodies/articulated_configurations.hpp"
#include "elbowroom/bodies/chain_numbered.hpp"
#include "elbowroom/bodies/rigid_body.hpp"
#include "elbowroom/queries/answers.hpp"
#include "elbowroom/world/box_tree.hpp"

namespace elbowroom {

/// How a chain or a necklace is asked about itself.
class SelfAsked {
public:
    virtual ~SelfAsked() = default;
    virtual CollideAnswer self_collide(const CollideOptions& options) const = 0;
    virtual DistanceAnswer self_distance(const DistanceOptions& options) const = 0;
};

/// What the tree holds: a rigid member, a shape of an articulated one, or a whole chain or necklace.
struct WorldPart {
    std::int32_t member = -1, link = -1;  // link: of an articulated member
    std::int32_t shape = -1;              // the same
    std::int32_t next = -1;               // part of the same member
    std::uint32_t unit = 0;               // what can be excluded: each link of a member, or a member as a whole
    const RigidBody* body = nullptr;      // null: a chain
    Rigid pose;
};

struct WorldMember {
    std::shared_ptr<const ArticulatedModel> model;
    std::shared_ptr<ArticulatedState> state;  // of the articulated body, in its own frame
    const NumberedChain* numbers = nullptr;   // of a chain
    std::shared_ptr<Chain> chain;
    std::shared_ptr<const SelfAsked> self;  // of a chain
    Rigid pose, offset;                     // offset: seen from what it is attached to
    std::int32_t first_part = -1, parent = -1, parent_link = -1;
    std::uint32_t first_unit = 0;
    std::uint64_t serial = 0;  // members are ordered by it; 0: there is none
    std::vector<std::int32_t> attached;
    bool excluded = false;  // some of its units may be excluded from others

    int units() const { return model ? model->links() : 1; }
};

/// Members come, go and move; questions read only, and may run together. All bodies belong to others, who keep them
/// alive; after an articulated one, a chain or a necklace has changed, `renew` must be called before the next question.
class WorldRecall;

class World {
public:
    World();
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    std::int32_t add(const RigidBody& body, const Rigid& pose);
    std::int32_t add(std::shared_ptr<const ArticulatedModel> model, std::shared_ptr<ArticulatedState> state,
                     const Rigid& pose);
    std::int32_t add(const NumberedChain* numbers, std::shared_ptr<Chain> chain, std::shared_ptr<const SelfAsked> self,
                     const Rigid& pose);
    std::vector<std::int32_t> add_all(const std::vector<const RigidBody*>& bodies, const std::vector<Rigid>& poses);
    /// What was attached to it stays where it is.
    void remove(std::int32_t member);
    /// With all that is attached to it.
    void move(std::int32_t member, const Rigid& pose);
    void move_all(const std::vector<std::int32_t>& members, const std::vector<Rigid>& poses);
    /// After the body of a member has changed.
    void renew(std::int32_t member, std::shared_ptr<const ArticulatedModel> model,
               std::shared_ptr<ArticulatedState> state);
    void renew(std::int32_t member, std::shared_ptr<Chain> chain);
    void renew(std::int32_t member) { refit(members_[member], false); }

    /// From now on it moves with a link of another, or (-1) with the other as a whole, which is not attached to it.
    void attach(std::int32_t member, std::int32_t to, std::int32_t link);
    void detach(std::int32_t member);
    bool hangs_on(std::int32_t member, std::int32_t other) const;

    /// Links (-1: all of them) of one member and of another are never compared.
    void exclude(std::int32_t a, std::int32_t link_a, std::int32_t b, std::int32_t link_b);
    void include(std::int32_t a, std::int32_t link_a, std::int32_t b, std::int32_t link_b);
    /// (member, link, member, link) of all that is excluded, in order; links of members without any are -1.
    std::vector<std::array<std::int32_t, 4>> excluded() const;

    std::int32_t size() const { return size_; }
    std::int32_t numbers() const { return std::int32_t(members_.size()); }
    bool has(std::int32_t member) const { return members_[member].serial != 0; }
    const WorldMember& member(std::int32_t i) const { return members_[i]; }
    std::int32_t part_numbers() const { return std::int32_t(parts_.size()); }
    const WorldPart& part(std::int32_t i) const { return parts_[i]; }
    const BoxTree& tree() const { return tree_; }
    /// Parts without bounds, which are not in the tree.
    const std::vector<std::int32_t>& unbounded() const { return unbounded_; }
    FloatBox box(std::int32_t part) const;
    /// What the last question of all members has found, for the next.
    WorldRecall& recall() const { return *recall_; }
    /// Are two parts ever compared?
    bool compares(const WorldPart& p, const WorldPart& q) const {
        if (p.member == q.member) return compares_in_member(p, q);
        return !(members_[p.member].excluded && members_[q.member].excluded) || !is_excluded(p.unit, q.unit);
    }
    /// Does p come first in answers?
    bool in_order(const WorldPart& p, const WorldPart& q) const {
        if (p.member != q.member) return members_[p.member].serial < members_[q.member].serial;
        return p.shape < q.shape;
    }
    /// A chain or a necklace may be left out of comparisons with itself.
    bool excludes_itself(std::int32_t member) const {
        const std::uint32_t unit = members_[member].first_unit;
        return members_[member].excluded && is_excluded(unit, unit);
    }
    bool has_chains() const { return chains_ > 0; }
    /// Primitives, or balls.
    double weight(const WorldPart& p) const;
    std::size_t bytes() const;
    std::string validate() const;

private:
    std::vector<WorldMember> members_;
    std::vector<WorldPart> parts_;
    std::vector<std::int32_t> free_members_, free_parts_, unbounded_;
    BoxTree tree_;
    std::int32_t size_ = 0, chains_ = 0;
    std::uint64_t next_serial_ = 1;
    std::uint32_t next_unit_ = 0;
    std::unordered_map<std::uint32_t, std::unordered_set<std::uint32_t>> excluded_;
    std::unordered_map<std::uint32_t, std::int32_t> owner_;  // of the units that are excluded
    std::vector<std::int32_t> moved_;                        // parts, while many are moved together
    std::vector<FloatBox> moved_boxes_;
    const std::unique_ptr<WorldRecall> recall_;

    std::int32_t new_member(const Rigid& pose, int units);
    std::int32_t new_part(std::int32_t member);
    void insert(std::int32_t part);
    void place(WorldMember& member);
    void refit(WorldMember& member, bool later);
    void carry(std::int32_t member, bool later);
    Rigid place_of(std::int32_t member, std::int32_t link) const;
    void finish_moves();
    bool is_excluded(std::uint32_t a, std::uint32_t b) const;
    bool compares_in_member(const WorldPart& p, const WorldPart& q) const;
    void set_excluded(std::uint32_t a, std::uint32_t b, bool to);
    void change_excluded(std::int32_t a, std::int32_t link_a, std::int32_t b, std::int32_t link_b, bool to);
    void forget_excluded(WorldMember& member);
};

/// A box about a body at a pose.
FloatBox box_about(const RigidBody& body, const Rigid& pose);
FloatBox box_about(const Chain& chain, const Rigid& pose);

}  // namespace elbowroom
