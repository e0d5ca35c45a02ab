// Arguments that more than one export takes.
#pragma once
#include <nanobind/nanobind.h>

#include <string>

#include "elbowroom/queries/answers.hpp"

namespace elbowroom::bindings {

namespace nb = nanobind;

/// A value as checked by the function of that name in elbowroom._arrays.
template <class... Rest>
nb::object checked(const char* how, nb::handle value, const char* name, Rest... rest) {
    return nb::module_::import_("elbowroom._arrays").attr(how)(value, name, rest...);
}

inline Allowance allowance_argument(nb::handle value) {
    const Allowance* allowance = nullptr;
    if (value.is_none()) return {};
    if (nb::try_cast<const Allowance*>(value, allowance) && allowance) return *allowance;
    throw nb::type_error("budget must be an elbowroom.Budget");
}

inline void refuse_with_many(bool given, const char* name) {
    if (given) throw nb::value_error((std::string(name) + " takes one pose at a time, not an array of poses").c_str());
}

inline QueryMemory* memory_argument(nb::handle value) {
    QueryMemory* memory = nullptr;
    if (value.is_none()) return nullptr;
    if (nb::try_cast<QueryMemory*>(value, memory) && memory) return memory;
    throw nb::type_error("memory must be an elbowroom.Memory");
}

}  // namespace elbowroom::bindings
