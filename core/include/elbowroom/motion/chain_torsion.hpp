// One torsion of a chain as a motion: what stands still against what turns, by the chain's own tree.
#pragma once
#include "elbowroom/bodies/chain_numbered.hpp"
#include "elbowroom/motion/motion_check.hpp"

namespace elbowroom {

/// Joint `joint` turns from 0 to `angle` in the time from 0 to 1.
struct ChainTorsion {
    std::int64_t joint;
    double angle;
    std::vector<std::int32_t> breaks;  // joints, in order, that are no bonds
};

/// Is the chain free of contact with itself all the time? `chain` is settled, and balls are called as `numbered` does.
/// Of the options, the tolerance and the clearance matter.
MotionAnswer check_torsion(const Chain& chain, const NumberedChain& numbered, const ChainTorsion& torsion,
                           const MotionOptions& options);

}  // namespace elbowroom
