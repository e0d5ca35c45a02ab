// Arrays in and out. Checking and casting is done in Python (elbowroom._arrays); what arrives here is right.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "elbowroom/math/rigid.hpp"

namespace elbowroom::bindings {

namespace nb = nanobind;

using Doubles = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using Integers = nb::ndarray<const std::int32_t, nb::c_contig, nb::device::cpu>;

/// A fresh NumPy array with the bytes of `values`.
template <class T>
nb::object to_numpy(const T* values, std::initializer_list<std::size_t> shape) {
    std::size_t size = 1;
    for (const std::size_t s : shape) size *= s;
    T* data = new T[size ? size : 1];
    if (size) std::memcpy(static_cast<void*>(data), values, size * sizeof(T));
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T>(data, shape.size(), shape.begin(), owner));
}

inline nb::object to_numpy(Vec3 v) { return to_numpy<double>(&v.x, {3}); }

inline std::vector<Vec3> to_points(const Doubles& array) {
    std::vector<Vec3> out(array.size() / 3);
    if (!out.empty()) std::memcpy(static_cast<void*>(out.data()), array.data(), out.size() * sizeof(Vec3));
    return out;
}

inline Mat3 to_matrix(const double* p, int stride) {
    Mat3 m;
    for (int i = 0; i < 3; ++i) m.row[i] = {p[i * stride], p[i * stride + 1], p[i * stride + 2]};
    return m;
}

}  // namespace elbowroom::bindings
