// A world as Python holds it, and the answers about it.
#pragma once
#include <nanobind/nanobind.h>

#include <atomic>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "any_body.hpp"
#include "elbowroom/batch/results.hpp"
#include "elbowroom/world/world_questions.hpp"
#include "fastcall.hpp"
#include "rigids.hpp"

namespace elbowroom::bindings {

/// A World, or one of its members.
struct Worldly {};

/// A body that changes without the world's knowing.
struct LiveMember {
    std::int32_t member;
    ArticulatedHandle* arm = nullptr;
    ChainHandle* chain = nullptr;
    NecklaceHandle* necklace = nullptr;
    std::uint64_t seen = 0;  // changes of an articulated body, or the version of a chain

    Usage& usage() const { return arm ? arm->usage : (chain ? chain->usage : necklace->usage); }
};

/// A mesh that may be moved: the world asks about a copy, which shares everything until then.
struct LiveMesh {
    RigidHandle* mesh;
    std::unique_ptr<RigidBody> copy;
    std::uint64_t seen;  // changes of the mesh

    static bool is_one(nb::handle body) { return nb::hasattr(body, "move"); }
    explicit LiveMesh(RigidHandle& of);
};

struct WorldHandle : Worldly {
    World world;
    Usage usage{"the world"};
    nb::object slots = nb::list();  // at the number of each member (name, body), or None
    bool lent = false;              // answers have the list, and it must not change
    std::vector<LiveMember> live;
    std::unordered_map<std::int32_t, LiveMesh> meshes;  // by member
    std::uint64_t seen_moves = 0;                       // of all meshes

    std::int32_t add(nb::handle name, nb::handle body, const Rigid& pose);
    void remove(std::int32_t member);
    void set_slot(std::int32_t member, const nb::object& to);
    /// Throws if there is no such member: another thread may have removed it.
    std::int32_t need(std::int32_t member) const;
    /// Looks at bodies that may have changed. Called under the interpreter's lock, before all else.
    void refresh();
    nb::object lend() { return lent = true, slots; }
};

struct WorldMemberHandle : Worldly {
    nb::object owner;  // a WorldHandle
    std::int32_t member = -1;
    std::uint64_t serial = 0;

    WorldHandle& world() const { return nb::cast<WorldHandle&>(owner); }
    /// Throws if it has been removed.
    std::int32_t number() const;
};

/// While it lives, a question about a world runs, and none of its bodies is changed but for meshes, whose copies it
/// asks about.
class AskingWorld {
public:
    explicit AskingWorld(WorldHandle& h) : own_(h.usage) {
        for (const LiveMember& m : h.live) bodies_.emplace_back(m.usage());
    }

private:
    Asking own_;
    std::list<Asking> bodies_;
};

/// Who the numbers of members in an answer are.
struct MemberNames {
    std::vector<PrimitivePair> members;
    nb::object a, b;          // lists of (name, body)
    nb::object names, parts;  // in place of these, of an answer from a pickle

    void swap() {
        swap_pairs(members);
        std::swap(a, b);
    }
    nb::object name_list() const;
    nb::object part_list(const std::vector<PrimitivePair>& pairs) const;
};

struct WorldCollision : Collision {
    MemberNames who;
};
struct WorldDistance : Distance {
    MemberNames who;
};
struct WorldPairs : Pairs {
    MemberNames who;
};

bool is_worldly_type(PyTypeObject* type);

/// The types seen last that were not are kept, one for each place of an argument: this comes before every question.
template <int place>
bool is_worldly(nb::handle value) {
    static std::atomic<PyTypeObject*> last{nullptr};
    PyTypeObject* const type = Py_TYPE(value.ptr());
    if (type == last.load(std::memory_order_relaxed)) return false;
    if (is_worldly_type(type)) return true;
    last.store(type, std::memory_order_relaxed);
    return false;
}

// The questions, of which an argument is worldly.
nb::object collide_world(const Arguments<10>& given);
nb::object distance_world(const Arguments<10>& given);
nb::object within_world(const Arguments<10>& given);
nb::object self_collide_world(const Arguments<7>& given);
nb::object self_distance_world(const Arguments<6>& given);
nb::object self_within_world(const Arguments<7>& given);

}  // namespace elbowroom::bindings
