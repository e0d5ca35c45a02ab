#include "exports.hpp"

NB_MODULE(ELBOWROOM_MODULE, m) {
    using namespace elbowroom::bindings;
    m.doc() = "The compiled core of elbowroom. Use the package elbowroom, not this.";
    nanobind::set_leak_warnings(false);  // bodies may live as long as the interpreter
#if defined(__AVX2__)
    m.attr("isa") = "avx2";
#else
    m.attr("isa") = "baseline";
#endif
    export_interruption(m);
    export_joint_boxes(m);
    export_limits(m);
    export_pose(m);
    export_volumes(m);
    export_tree_check(m);
    export_body(m);
    export_results(m);
    export_collision(m);
    export_distance(m);
    export_pairs(m);
    export_cast(m);
    export_chain(m);
    export_articulated(m);
    export_necklace(m);
    export_power(m);
    export_bead_motion(m);
    export_motion(m);
    export_motion_answer(m);
    export_motion_scene(m);
    export_motion_checker(m);
    export_point_tree(m);
    export_world_answers(m);
    export_world(m);
    export_memory(m);
    export_allowance(m);
    export_queries(m);
    export_sampler(m);
    export_self(m);
    export_baselines(m);
}
