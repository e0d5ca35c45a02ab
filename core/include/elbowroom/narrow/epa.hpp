// The expanding polytope algorithm (van den Bergen 2001), for hulls that overlap and for hulls that nearly touch.
#pragma once
#include "elbowroom/math/growing.hpp"
#include "elbowroom/narrow/facet_normals.hpp"
#include "elbowroom/narrow/gjk.hpp"

namespace elbowroom {

/// The direction along which the Minkowski difference a - b reaches least far beyond the origin. A positive reach is a
/// penetration: moving b by reach * normal separates. A negative one is a proof that the hulls are at least that far
/// apart.
struct TightestPlane {
    double reach = far_away;
    Vec3 normal{0, 0, 1};
    Vec3 on_a, on_b;  // points of both hulls there
};

/// A growing polytope inside the Minkowski difference. Its faces have normals made of edges, so they stay exact where
/// the origin is too near for GJK to tell a direction. Faces are looked at by their signed distance from the origin,
/// the least first, whether the origin lies inside or just outside.
class ExpandingPolytope {
public:
    explicit ExpandingPolytope(const HullPair& pair) : pair_(pair), tolerance_(0.25 * rounding * pair.scale) {}

    /// `nearest`: what GJK found, whose direction is a candidate too; it decides where the difference is flat.
    TightestPlane run(const GjkOutcome& nearest) {
        try_direction(-nearest.direction, nearest);
        Vec3 flat[3];
        const int directions = spread(flat);
        for (int k = 0; k < directions; ++k) {
            try_direction(flat[k], nearest);
            try_direction(-flat[k], nearest);
        }
        if (vertex_.size() == 3) expand_polygon(flat[0], nearest);
        if (vertex_.size() < 4) return best_;  // the sides of a polygon have good normals
        make_tetrahedron();
        // Each step adds a corner of the difference or finishes a face, so that it ends where the hulls are polytopes.
        for (int f = nearest_face(); f >= 0 && !face_[f].final && face_.size() < most_faces; f = nearest_face()) {
            const SimplexVertex next = support(pair_, face_[f].normal);
            const double reach = dot(face_[f].normal, next.difference);
            note(f, reach);
            if (reach - face_[f].distance <= tolerance_ || !expand(f, next)) {
                face_[f].final = true;
                face_[f].distance = reach;
                queue(f);
            }
        }
        // Slivers have poor normals: then all that are possible are tried.
        if (slivers_ && pair_.a.count <= few_points && pair_.b.count <= few_points)
            each_possible_normal(pair_, [&](Vec3 n) { try_direction(n, nearest); });
        find_points();
        return best_;
    }

private:
    /// Where the difference is curved, it has corners without end.
    static constexpr int most_faces = 1 << 20;
    struct Face {
        int v[3];
        int neighbour[3];  // across the edge v[i], v[i+1]
        Vec3 normal;
        double distance;
        bool alive, final;  // final: a face of the difference itself, or one that cannot be improved
    };
    const HullPair& pair_;
    const double tolerance_;
    Growing<SimplexVertex, 64> vertex_;
    Growing<Face, 256> face_;
    Growing<int, 256> queue_;  // faces as a heap, the nearest first; some are no longer alive
    bool slivers_ = false;
    TightestPlane best_;

    Vec3 at(int i) const { return vertex_[i].difference; }
    bool has(const SimplexVertex& v) const {
        for (int i = 0; i < vertex_.size(); ++i)
            if (at(i) == v.difference) return true;
        return false;
    }
    Vec3 edge(int i, int j) const { return elbowroom::edge(vertex_[i], vertex_[j]); }

    void try_direction(Vec3 direction, const GjkOutcome& nearest) {
        const double reach = dot(direction, support(pair_, direction).difference);
        if (reach < best_.reach) best_ = {reach, direction, nearest.simplex.on_a(), nearest.simplex.on_b()};
    }

    /// Adds the farthest of the support points along the directions and against them, measured by `size` of the edge
    /// from the first vertex; false when none is far enough to span anything but rounding.
    template <class Size>
    bool add_farthest(const Vec3* directions, int count, Size&& size) {
        SimplexVertex best{};
        double farthest = 0;
        for (int k = 0; k < 2 * count; ++k) {
            const SimplexVertex s = support(pair_, k & 1 ? -directions[k / 2] : directions[k / 2]);
            if (const double d = size(elbowroom::edge(vertex_[0], s)); d > farthest) {
                farthest = d;
                best = s;
            }
        }
        if (farthest <= 1e-12 * pair_.scale) return false;
        vertex_.push(best);
        return true;
    }
    /// Four points of the difference, as far from each other as support points along a few directions can tell. When it
    /// is flat there are fewer; then it says which directions may be the answer, and how many.
    int spread(Vec3* flat) {
        const Vec3 axes[3] = {unit_axis(0), unit_axis(1), unit_axis(2)};
        vertex_.push(support(pair_, axes[0]));
        if (!add_farthest(axes, 3, [&](Vec3 x) { return length(x); })) return flat[0] = normalised(-at(0), axes[2]), 1;
        const Vec3 along = normalised(edge(0, 1), axes[0]);
        const Vec3 across[2] = {perpendicular(along), cross(along, perpendicular(along))};
        auto off_line = [&](Vec3 x) { return length(cross(along, x)); };
        if (!add_farthest(across, 2, off_line)) return flat[0] = across[0], flat[1] = across[1], flat[2] = along, 3;
        const Vec3 n = normalised(cross(along, edge(0, 2)), across[0]);
        if (!add_farthest(&n, 1, [&](Vec3 x) { return std::fabs(dot(n, x)); })) return flat[0] = n, 1;
        return 0;
    }

    /// The same in the plane: a flat difference is a polygon, whose sides have exact normals too.
    void expand_polygon(Vec3 n, const GjkOutcome& nearest) {
        if (dot(cross(edge(0, 1), edge(0, 2)), n) < 0) n = -n;
        while (vertex_.size() < most_faces) {
            const int count = vertex_.size();
            int side = -1;
            double least_distance = far_away;
            Vec3 outward;
            for (int i = 0; i < count; ++i) {
                const Vec3 out = normalised(cross(edge(i, (i + 1) % count), n), {});
                if (const double d = dot(out, at(i)); !(out == Vec3{}) && d < least_distance) {
                    least_distance = d;
                    side = i;
                    outward = out;
                }
            }
            if (side < 0) return;
            try_direction(outward, nearest);
            const SimplexVertex next = support(pair_, outward);
            if (dot(outward, next.difference) - least_distance <= tolerance_ || has(next)) return;
            vertex_.push(next);
            for (int i = count; i > side + 1; --i) vertex_[i] = vertex_[i - 1];
            vertex_[side + 1] = next;
        }
    }

    void make_tetrahedron() {
        if (dot(cross(edge(0, 1), edge(0, 2)), edge(0, 3)) > 0) {
            const SimplexVertex v = vertex_[1];
            vertex_[1] = vertex_[2];
            vertex_[2] = v;
        }
        static constexpr int v[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
        static constexpr int n[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
        for (int f = 0; f < 4; ++f) {
            add_face(v[f][0], v[f][1], v[f][2]);
            for (int k = 0; k < 3; ++k) face_[f].neighbour[k] = n[f][k];
        }
    }
    int add_face(int a, int b, int c) {
        Face f{{a, b, c}, {-1, -1, -1}, {}, 0, true, false};
        const Vec3 ab = edge(a, b), ac = edge(a, c), n = cross(ab, ac);
        const double norm = length(n), longest = most(length(ab), most(length(ac), length(ac - ab)));
        const bool sliver = !(norm > 1e-13 * longest * longest);  // then never the nearest, and never seen from outside
        f.normal = sliver ? Vec3{} : n * (1 / norm);
        f.distance = sliver ? far_away : dot(f.normal, at(a));
        slivers_ = slivers_ || norm < 1e-7 * longest * longest;
        face_.push(f);
        if (!sliver) queue(face_.size() - 1);
        return face_.size() - 1;
    }
    /// Among equals the first.
    bool nearer(int f, int g) const {
        return face_[f].distance != face_[g].distance ? face_[f].distance < face_[g].distance : f < g;
    }
    void queue(int f) {
        queue_.push(f);
        int at = queue_.size() - 1;
        for (; at > 0 && nearer(f, queue_[(at - 1) / 2]); at = (at - 1) / 2) queue_[at] = queue_[(at - 1) / 2];
        queue_[at] = f;
    }
    void drop_first() {
        const int f = queue_.pop(), count = queue_.size();
        int at = 0;
        for (int below = 1; below < count; below = 2 * at + 1) {
            if (below + 1 < count && nearer(queue_[below + 1], queue_[below])) ++below;
            if (!nearer(queue_[below], f)) break;
            queue_[at] = queue_[below];
            at = below;
        }
        if (count > 0) queue_[at] = f;
    }
    /// Takes it from the heap; -1 when there is none.
    int nearest_face() {
        while (queue_.size() > 0) {
            const int f = queue_[0];
            drop_first();
            if (face_[f].alive) return f;
        }
        return -1;
    }
    /// Every support plane is a valid way out; the least is the answer, and among equals the last, whose face is the
    /// true one.
    void note(int f, double reach) {
        if (reach <= best_.reach + tolerance_) {
            best_.reach = reach;
            best_.normal = face_[f].normal;
        }
    }
    /// The foot of the origin lies on one of the faces in the plane of the answer: the one that comes nearest.
    void find_points() {
        double nearest = far_away;
        for (int f = 0; f < face_.size(); ++f) {
            if (!face_[f].alive ||
                !(std::fabs(dot(best_.normal, at(face_[f].v[0])) - best_.reach) <= 1e-7 * pair_.scale))
                continue;
            Simplex corners;
            corners.count = 3;
            for (int k = 0; k < 3; ++k) corners.vertex[k] = vertex_[face_[f].v[k]];
            const double d = length(reduce(corners).point);
            if (d < nearest) {
                nearest = d;
                best_.on_a = corners.on_a();
                best_.on_b = corners.on_b();
            }
        }
    }

    /// The faces that see a point, and the rim around them.
    struct RimEdge {
        int from, to;
        int behind, edge;  // the face that stays, and which of its edges this is
    };
    struct Cut {
        Growing<int, 64> seen;
        Growing<RimEdge, 64> rim;
    };
    /// Walks over the faces that see the new point.
    void cut(int f, Vec3 point, Cut& c) {
        face_[f].alive = false;
        c.seen.push(f);
        for (int next = 0; next < c.seen.size(); ++next)
            for (int e = 0; e < 3; ++e) {
                const int g = c.seen[next], other = face_[g].neighbour[e];
                if (!face_[other].alive) continue;
                if (dot(face_[other].normal, point) > face_[other].distance + 0.1 * tolerance_) {
                    face_[other].alive = false;
                    c.seen.push(other);
                }
            }
        for (int k = 0; k < c.seen.size(); ++k)
            for (int e = 0; e < 3; ++e) {
                const Face& g = face_[c.seen[k]];
                if (!face_[g.neighbour[e]].alive) continue;
                const int to = g.v[(e + 1) % 3];
                c.rim.push({g.v[e], to, g.neighbour[e], edge_from(g.neighbour[e], to)});
            }
    }
    int edge_from(int f, int start) const { return face_[f].v[0] == start ? 0 : (face_[f].v[1] == start ? 1 : 2); }

    /// Is the rim one closed loop, each vertex left once and entered once?
    static bool is_loop(const Growing<RimEdge, 64>& rim) {
        if (rim.size() < 3) return false;
        int edge = 0;
        for (int k = 0; k < rim.size(); ++k) {
            int after = -1, leaving = 0;
            for (int j = 0; j < rim.size(); ++j)
                if (rim[j].from == rim[edge].to) {
                    after = j;
                    ++leaving;
                }
            if (leaving != 1) return false;
            edge = after;
            if (edge == 0) return k == rim.size() - 1;
        }
        return false;
    }
    bool expand(int f, const SimplexVertex& next) {
        if (has(next)) return false;
        Cut c;
        cut(f, next.difference, c);
        const auto& rim = c.rim;
        if (!is_loop(rim)) {
            for (int k = 0; k < c.seen.size(); ++k) face_[c.seen[k]].alive = true;  // all but f are still in the heap
            return false;
        }
        const int apex = vertex_.size(), first = face_.size();
        vertex_.push(next);
        for (int k = 0; k < rim.size(); ++k) {
            const int g = add_face(rim[k].from, rim[k].to, apex);
            face_[g].neighbour[0] = rim[k].behind;
            face_[rim[k].behind].neighbour[rim[k].edge] = g;
        }
        for (int k = 0; k < rim.size(); ++k)
            for (int j = 0; j < rim.size(); ++j)
                if (rim[j].from == rim[k].to) {
                    face_[first + k].neighbour[1] = first + j;
                    face_[first + j].neighbour[2] = first + k;
                }
        return true;
    }
};

inline TightestPlane epa(const HullPair& pair, const GjkOutcome& nearest) {
    return ExpandingPolytope(pair).run(nearest);
}

}  // namespace elbowroom
