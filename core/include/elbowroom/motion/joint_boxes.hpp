// Are two links apart for every configuration in a box of joint values? One plane between them is a proof.
#pragma once
#include <vector>

#include "elbowroom/math/rigid.hpp"

namespace elbowroom {

/// A joint between two links: motion(multiplier * value + offset) about or along an axis through its frame's origin.
struct PathJoint {
    bool turns;
    int value;  // which of the values of the path
    double multiplier, offset;
    Vec3 axis;
};

/// The joints from link A to link B: the pose of B in A is between[0] motion[0] between[1] ... between[k].
struct JointPath {
    std::vector<Rigid> between;
    std::vector<PathJoint> joints;
    int values;
};

/// Balls whose common hull holds a link, in the frame of the link.
struct LinkBalls {
    std::vector<Vec3> centre;
    std::vector<double> radius;
    Vec3 middle;

    LinkBalls(std::vector<Vec3> centres, std::vector<double> radii);
};

/// What is found about one box of values: all between centre - half and centre + half.
struct BoxBound {
    double gap;  // the links are at least that far apart, for every configuration in the box
    int value;   // the one that costs most: the next to be halved
};

/// The plane is fixed in the frame after one of the joints (each is tried), so that joints before it move only A and
/// those after it only B. Let y lead from the axis w of a turning joint to a point, and y' be its part across the axis.
/// While that joint alone turns by at most h, the point comes nearer to a plane with the unit normal n by at most
///
///     E = max over |d| <= h of |n . (w x y)| sin d + (n . y') (1 - cos d),
///
/// and it moves by at most M = 2 sin(h / 2) |w x y|. Joints between the plane and that joint turn n by at most
/// s = sum of 2 sin(h / 2) |w x n|, so that the loss is at most E + s M, and never more than M. Losses are convex
/// functions of the point, so that the centres of the balls suffice. One of the two is chosen for all points of a
/// joint: the lesser of them point by point would not be convex.
class JointBoxes {
public:
    JointBoxes(const JointPath& path, const LinkBalls& a, const LinkBalls& b);

    /// The pose of B in A.
    Rigid pose(const double* values) const;
    /// The derivatives by the values of `normal` times a point of B, which is given as it lies, in A.
    void slope(const double* values, Vec3 normal, Vec3 point, double* out);
    /// `normal`: from A to B, of unit length or zero, which stands for the line between the middles of the two.
    BoxBound bound(const double* centre, const double* half, Vec3 normal);
    /// By how much the two move against each other at most: what is farther apart at the centre stays apart.
    double displacement(const double* centre, const double* half);
    /// What rounding may add to a gap.
    double slack() const { return slack_; }

private:
    /// Where the joints are at the centre of a box, seen from A, and how far each moves.
    struct Placed {
        Vec3 axis, origin;
        double half, chord, turn;  // turn: of the normal
    };
    /// What each joint costs at each point, one joint after the other.
    struct Losses {
        std::vector<double> height, turned, moved;
    };

    const JointPath& path_;
    const LinkBalls &a_, &b_;
    double fixed_slack_, slack_;  // without what sliding joints reach, and with it
    std::vector<Placed> placed_;
    std::vector<Vec3> in_a_;  // centres of B
    Losses of_a_, of_b_;
    std::vector<double> keep_turned_, keep_moved_, cost_;

    void place(const double* centre, const double* half);
    void weigh(double sign, Vec3 normal, const std::vector<Vec3>& points, const std::vector<double>& radius,
               Losses& out) const;
    void choose(int from, int to, int step);
    double least_height(const Losses& losses, std::size_t points, int from, int to, std::size_t& worst) const;
};

}  // namespace elbowroom
