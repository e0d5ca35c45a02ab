#pragma once
#include "elbowroom/volumes/aabb.hpp"
#include "elbowroom/volumes/capsule.hpp"
#include "elbowroom/volumes/obb.hpp"
#include "elbowroom/volumes/rss.hpp"
#include "elbowroom/volumes/sphere.hpp"
