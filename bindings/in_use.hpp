#pragma once

namespace elbowroom::bindings {

/// While it lives, a question runs that a body's handle counts as `asked`. Made and destroyed under the interpreter's
/// lock.
template <class Handle>
class InUse {
public:
    explicit InUse(Handle& h) : h_(h) { ++h.asked; }
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;
    ~InUse() { --h_.asked; }

private:
    Handle& h_;
};

}  // namespace elbowroom::bindings
