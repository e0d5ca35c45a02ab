// Everything that a C++ program needs: rigid bodies, chains, articulated bodies, necklaces, motions and batches.
#pragma once
#include "elbowroom/batch/many.hpp"
#include "elbowroom/bodies/articulated_configurations.hpp"
#include "elbowroom/bodies/chain_numbered.hpp"
#include "elbowroom/bodies/necklace.hpp"
#include "elbowroom/bodies/rigid_body.hpp"
#include "elbowroom/bodies/rigid_cast.hpp"
#include "elbowroom/bodies/rigid_queries.hpp"
#include "elbowroom/motion/motion_checker.hpp"
