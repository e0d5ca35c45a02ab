// The answers as Python sees them.
#pragma once
#include <vector>

#include "elbowroom/bodies/rigid_queries.hpp"

namespace elbowroom::bindings {

struct Contacts {
    std::vector<HullContact> all;
};
struct Collision {
    CollideAnswer answer;
    bool has_contacts;
};
struct Distance {
    DistanceAnswer answer;
};
struct Pairs {
    WithinAnswer answer;
};
struct Collisions {
    std::vector<unsigned char> hits, finished;
    Counters counters;
    Stop stop = Stop::exhausted;
};
struct Distances {
    std::vector<double> lower, upper;
    std::vector<unsigned char> finished;
    std::vector<Vec3> points;
    std::vector<PrimitivePair> pairs;
    Counters counters;
    Stop stop = Stop::exhausted;
    bool loose = false;
};

}  // namespace elbowroom::bindings
