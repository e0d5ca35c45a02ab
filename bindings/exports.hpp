#pragma once
#include <nanobind/nanobind.h>

namespace elbowroom::bindings {

void export_allowance(nanobind::module_& m);
void export_articulated(nanobind::module_& m);
void export_baselines(nanobind::module_& m);
void export_body(nanobind::module_& m);
void export_cast(nanobind::module_& m);
void export_chain(nanobind::module_& m);
void export_collision(nanobind::module_& m);
void export_distance(nanobind::module_& m);
void export_interruption(nanobind::module_& m);
void export_joint_boxes(nanobind::module_& m);
void export_limits(nanobind::module_& m);
void export_memory(nanobind::module_& m);
void export_bead_motion(nanobind::module_& m);
void export_motion(nanobind::module_& m);
void export_motion_answer(nanobind::module_& m);
void export_motion_checker(nanobind::module_& m);
void export_motion_scene(nanobind::module_& m);
void export_necklace(nanobind::module_& m);
void export_pairs(nanobind::module_& m);
void export_point_tree(nanobind::module_& m);
void export_pose(nanobind::module_& m);
void export_power(nanobind::module_& m);
void export_queries(nanobind::module_& m);
void export_results(nanobind::module_& m);
void export_sampler(nanobind::module_& m);
void export_self(nanobind::module_& m);
void export_tree_check(nanobind::module_& m);
void export_volumes(nanobind::module_& m);
void export_world(nanobind::module_& m);
void export_world_answers(nanobind::module_& m);

}  // namespace elbowroom::bindings
