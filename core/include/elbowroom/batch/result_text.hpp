// Answers in words.
#pragma once
#include <string>

#include "elbowroom/batch/results.hpp"

namespace elbowroom {

/// How a search ended, for programs: "settled", "exhausted", "out of budget" or "within tolerance".
const char* status_of(Stop stop, bool loose);

/// One line for people.
std::string describe(const Counters& counters);
std::string describe(const Contacts& contacts);
std::string describe(const Collision& one);
std::string describe(const Collisions& many);
std::string describe(const Distance& one);
std::string describe(const Distances& many);
std::string describe(const Pairs& pairs);

}  // namespace elbowroom
