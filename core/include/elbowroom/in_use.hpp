// Who uses an object just now, so that a change never meets a question or another change. The caller holds a lock while
// uses begin and end: the bindings hold the interpreter's.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>

namespace elbowroom {

/// The forks behind this process. What another thread of the parent was doing, nobody does in the child.
struct Forks {
    inline static unsigned count = 0;
    inline static unsigned torn = 0;  // the last at which another thread was where bodies may not be valid
    /// The last that a signal handler made in the middle of a call. That call goes on in the child too, so uses from
    /// before it are believed there, those of threads that do not exist among them.
    inline static unsigned nested = 0;

    /// Around every fork, see interruption.hpp. `handling`: a signal, in the middle of a call.
    static void before();
    static void after_in_parent();
    static void after_in_child(bool handling);
};

/// The uses of one object, of three kinds: questions, which only read it; reviews, which also write what is derived
/// from it; and changes. Questions may run together, and beside one review; a change runs alone. What cannot begin now
/// throws.
class Usage {
public:
    explicit Usage(const char* name) : name_(name) {}
    Usage(const Usage& o) : name_(o.name_) {}
    Usage& operator=(const Usage&) = delete;

    /// Forgets the uses that a fork has cut off; true if one of them may have left the object as it should not be.
    bool forget_cut_off() {
        if (uses_.forks == Forks::count || goes_on()) return false;
        const bool torn = uses_.changing || uses_.reviewing;
        uses_ = {};
        return torn;
    }

    /// How often the object was changed by a `Changing`: for those who keep what they made from it.
    std::uint64_t changes() const { return changes_; }

    void refuse_question() { refuse_if(now().changing, " is being changed"); }
    void refuse_review() { refuse_if(now().changing || uses_.reviewing, " is in use"); }
    void refuse_change() { refuse_if(now().changing || uses_.reviewing || uses_.questions, " is in use"); }

private:
    friend class Asking;
    friend class Reviewing;
    friend class Changing;
    struct Uses {
        unsigned forks = Forks::count;
        int questions = 0;
        bool reviewing = false, changing = false;
    };
    const char* const name_;
    Uses uses_;
    std::uint64_t changes_ = 0;

    /// The uses in this process.
    Uses& now() {
        if (uses_.forks != Forks::count) [[unlikely]]
            forget_uses_before_fork();
        return uses_;
    }
    /// Some use may be by this thread, in a call that it was in when it forked.
    bool goes_on() const {
        return uses_.forks < Forks::nested && (uses_.changing || uses_.reviewing || uses_.questions > 0);
    }
    void forget_uses_before_fork() {
        if (goes_on()) return;
        if ((uses_.changing || uses_.reviewing) && uses_.forks < Forks::torn)
            throw std::runtime_error(std::string(name_) +
                                     " was being changed by another thread when this process was forked");
        uses_ = {};
    }
    void refuse_if(bool used, const char* how) const {
        if (used) [[unlikely]]
            throw std::runtime_error(std::string(name_) + how +
                                     " by another thread: only questions may be asked at once");
    }
};

/// While it lives, a question runs.
class Asking {
public:
    explicit Asking(Usage& usage) : usage_(usage) {
        usage.refuse_question();
        forks_ = usage.uses_.forks;
        ++usage.uses_.questions;
    }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;
    ~Asking() {
        if (usage_.uses_.forks == forks_) --usage_.uses_.questions;
    }

private:
    Usage& usage_;
    unsigned forks_;
};

/// While it lives, a review runs.
class Reviewing {
public:
    explicit Reviewing(Usage& usage) : usage_(usage) {
        usage.refuse_review();
        usage.uses_.reviewing = true;
    }
    Reviewing(const Reviewing&) = delete;
    Reviewing& operator=(const Reviewing&) = delete;
    ~Reviewing() { usage_.uses_.reviewing = false; }

private:
    Usage& usage_;
};

/// While it lives, a change runs.
class Changing {
public:
    explicit Changing(Usage& usage) : usage_(usage) {
        usage.refuse_change();
        usage.uses_.changing = true;
        ++usage.changes_;
    }
    Changing(const Changing&) = delete;
    Changing& operator=(const Changing&) = delete;
    ~Changing() { usage_.uses_.changing = false; }

private:
    Usage& usage_;
};

}  // namespace elbowroom
