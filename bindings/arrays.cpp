#include "arrays.hpp"

#include "elbowroom/queries/memory_limit.hpp"

namespace elbowroom::bindings {

nb::object make_array(const void* values, nb::dlpack::dtype type, std::span<const std::size_t> shape) {
    std::size_t bytes = type.bits / 8;
    for (const std::size_t extent : shape) bytes *= extent;
    char* data = new char[bytes ? bytes : 1];
    prefer_large_pages(data, bytes);
    if (bytes) std::memcpy(data, values, bytes);
    const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<char*>(p); });
    return nb::cast(nb::ndarray<nb::numpy>(data, shape.size(), shape.data(), owner, nullptr, type));
}

}  // namespace elbowroom::bindings
