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

}  // namespace elbowroom::bindings
