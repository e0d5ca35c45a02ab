#include "elbowroom/bodies/necklace_list.hpp"

namespace elbowroom {

void NecklaceList::finish(double low, double cut) {
    low = most(low, 0.0), cut_ = cut * (1 - 2e-6);
    const double width = (cut - low) / buckets, scale = width > 0 ? 1 / width : 0;
    for (int b = 0; b < buckets; ++b) edge_[b] = b == 0 ? 0 : low + b * width;
    bucket_.resize(found_.size());
    begin_ = {};
    for (std::size_t k = 0; k < found_.size(); ++k) {
        const double place = (double(gaps_[k]) - low) * scale;
        bucket_[k] = place >= buckets ? buckets : (place > 0 ? static_cast<unsigned char>(place) : 0);
        if (bucket_[k] < buckets) ++begin_[bucket_[k] + 1];
    }
    for (int b = 0; b < buckets; ++b) begin_[b + 1] += begin_[b];
    std::array<std::uint32_t, buckets + 1> next = begin_;
    sorted_.resize(begin_[buckets]);
    for (std::size_t k = 0; k < found_.size(); ++k)
        if (bucket_[k] < buckets) sorted_[next[bucket_[k]]++] = found_[k];
    alive_ = true;
}

}  // namespace elbowroom
