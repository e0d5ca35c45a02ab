// Arrays in and out. Checking and casting is done in Python (elbowroom._arrays); what arrives here is right.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
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

inline nb::object pairs_to_numpy(const std::vector<std::array<std::int32_t, 2>>& pairs) {
    return to_numpy<std::int32_t>(pairs.empty() ? nullptr : pairs[0].data(), {pairs.size(), 2});
}

inline nb::object to_numpy(Vec3 v) { return to_numpy<double>(&v.x, {3}); }

inline std::vector<Vec3> to_points(const Doubles& array) {
    std::vector<Vec3> out(array.size() / 3);
    if (!out.empty()) std::memcpy(static_cast<void*>(out.data()), array.data(), out.size() * sizeof(Vec3));
    return out;
}

template <class T>
std::vector<T> to_vector(const nb::ndarray<const T, nb::c_contig, nb::device::cpu>& array) {
    return {array.data(), array.data() + array.size()};
}

/// (k, 2) numbers as pairs.
inline std::vector<std::array<std::int32_t, 2>> to_pairs(const Integers& array) {
    std::vector<std::array<std::int32_t, 2>> out;
    for (std::size_t i = 0; i < array.size(); i += 2) out.push_back({array.data()[i], array.data()[i + 1]});
    return out;
}

inline nb::object to_numpy(const Mat3& m) { return to_numpy<double>(&m.row[0].x, {3, 3}); }

inline Mat3 to_matrix(const double* p, int stride) {
    Mat3 m;
    for (int i = 0; i < 3; ++i) m.row[i] = {p[i * stride], p[i * stride + 1], p[i * stride + 2]};
    return m;
}

/// A C-contiguous array of doubles with `tail` as its last extents, one or many; taken where it lies.
class ArrayArgument {
public:
    ArrayArgument(nb::handle value, std::initializer_list<Py_ssize_t> tail) {
        if (PyObject_GetBuffer(value.ptr(), &view_, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
            PyErr_Clear();
            return;
        }
        held_ = true;
        const int extra = view_.ndim - int(tail.size());
        fits_ = view_.format && view_.format[0] == 'd' && view_.format[1] == 0 && (extra == 0 || extra == 1);
        for (int k = 0; fits_ && k < int(tail.size()); ++k) fits_ = view_.shape[extra + k] == tail.begin()[k];
        if (fits_ && extra) {
            count_ = view_.shape[0];
            fits_ = count_ > 0;
        }
    }
    ~ArrayArgument() {
        if (held_) PyBuffer_Release(&view_);
    }
    ArrayArgument(const ArrayArgument&) = delete;
    ArrayArgument& operator=(const ArrayArgument&) = delete;
    bool fits() const { return fits_; }
    std::ptrdiff_t count() const { return count_; }  // -1: one
    const double* data() const { return static_cast<const double*>(view_.buf); }

private:
    Py_buffer view_{};
    bool held_ = false, fits_ = false;
    std::ptrdiff_t count_ = -1;
};

}  // namespace elbowroom::bindings
