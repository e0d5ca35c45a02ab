// Penetration of two convex hulls: the expanding polytope algorithm (van den Bergen 2001), for flat and touching pairs too.
#pragma once
#include "elbowroom/narrow/gjk.hpp"

namespace elbowroom {

/// The direction in which the hulls overlap least, how far (without radii), and points of both hulls there.
struct Penetration {
    double depth = 0;
    Vec3 normal{0, 0, 1};  // moving b along it separates
    Vec3 on_a, on_b;
};

/// A growing polytope inside the Minkowski difference that holds the origin.
class ExpandingPolytope {
public:
    explicit ExpandingPolytope(const HullPair& pair) : pair_(pair), tolerance_(rounding * pair.scale) {}

    Penetration run(const Simplex& start) {
        for (int i = 0; i < start.count; ++i) vertex_[count_++] = start.vertex[i];
        Vec3 flat;
        if (!make_solid(flat)) return flat_answer(start, flat);
        make_tetrahedron();
        for (int step = 0; step < most_steps; ++step) {
            const int f = nearest_face();
            if (f < 0) break;
            const SimplexVertex next = support(pair_, face_[f].normal);
            const double reach = dot(face_[f].normal, next.difference);
            note(f, reach);
            if (reach - face_[f].distance <= tolerance_ || count_ == most_vertices || !expand(f, next)) break;
        }
        return best_;
    }

private:
    static constexpr int most_steps = 200, most_vertices = 204, most_faces = 512;
    struct Face {
        int v[3];
        int neighbour[3];  // across the edge v[i], v[i+1]
        Vec3 normal;
        double distance;
        bool alive;
    };
    const HullPair& pair_;
    const double tolerance_;
    SimplexVertex vertex_[most_vertices];
    Face face_[most_faces];
    int count_ = 0, faces_ = 0;
    double least_reach_ = far_away;
    Penetration best_;

    Vec3 at(int i) const { return vertex_[i].difference; }

    /// Adds the support point along +-direction that leaves the span of what is there; false when both stay in it.
    bool widen(Vec3 direction) {
        const SimplexVertex up = support(pair_, direction), down = support(pair_, -direction);
        const double h = dot(direction, up.difference - at(0)), g = dot(direction, at(0) - down.difference);
        if (most(h, g) <= 2 * tolerance_) return false;
        vertex_[count_++] = h >= g ? up : down;
        return true;
    }
    /// Completes the start to four points that span space. When the difference is flat, says in which direction.
    bool make_solid(Vec3& flat) {
        drop_degenerate();
        if (count_ == 1)
            for (int k = 0; k < 3 && count_ == 1; ++k) widen(unit_axis(k));
        if (count_ == 1) return flat = {0, 0, 1}, false;
        if (count_ == 2) {
            const Vec3 d = normalised(at(1) - at(0), {1, 0, 0}), u = perpendicular(d), v = cross(d, u);
            if (!widen(u) && !widen(v)) return flat = u, false;
        }
        if (count_ == 3) {
            const Vec3 n = normalised(cross(at(1) - at(0), at(2) - at(0)), {0, 0, 1});
            if (!widen(n)) return flat = n, false;
        }
        return true;
    }
    void drop_degenerate() {
        if (count_ == 4 && std::fabs(dot(cross(at(1) - at(0), at(2) - at(0)), at(3) - at(0))) <= thin(cross(at(1) - at(0), at(2) - at(0)))) --count_;
        if (count_ == 3 && length(cross(at(1) - at(0), at(2) - at(0))) <= 2 * tolerance_ * length(at(1) - at(0))) --count_;
        if (count_ == 2 && length(at(1) - at(0)) <= 2 * tolerance_) --count_;
    }
    double thin(Vec3 normal) const { return 2 * tolerance_ * length(normal); }

    /// A flat difference has no thickness along `flat`: nothing needs to move, and the origin is where GJK found it.
    Penetration flat_answer(const Simplex& start, Vec3 flat) const { return {0, flat, start.on_a(), start.on_b()}; }

    void make_tetrahedron() {
        if (dot(cross(at(1) - at(0), at(2) - at(0)), at(3) - at(0)) > 0) {
            const SimplexVertex v = vertex_[1];
            vertex_[1] = vertex_[2], vertex_[2] = v;
        }
        static constexpr int v[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
        static constexpr int n[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
        for (int f = 0; f < 4; ++f) {
            add_face(v[f][0], v[f][1], v[f][2]);
            for (int k = 0; k < 3; ++k) face_[f].neighbour[k] = n[f][k];
        }
    }
    int add_face(int a, int b, int c) {
        Face& f = face_[faces_];
        f.v[0] = a, f.v[1] = b, f.v[2] = c, f.alive = true;
        const Vec3 n = cross(at(b) - at(a), at(c) - at(a));
        const double norm = length(n), edge = most(length(at(b) - at(a)), length(at(c) - at(a)));
        if (norm > 1e-13 * edge * edge && norm > 0) {
            f.normal = n * (1 / norm);
            f.distance = dot(f.normal, at(a));
        } else {
            f.normal = {}, f.distance = far_away;  // a sliver: never the nearest, never seen from outside
        }
        return faces_++;
    }
    int nearest_face() const {
        int best = -1;
        for (int f = 0; f < faces_; ++f)
            if (face_[f].alive && face_[f].distance < far_away && (best < 0 || face_[f].distance < face_[best].distance)) best = f;
        return best;
    }
    /// Every support plane is a valid way out; the least is the answer.
    void note(int f, double reach) {
        if (reach >= least_reach_) return;
        least_reach_ = reach;
        best_.depth = most(0.0, reach), best_.normal = face_[f].normal;
        const int *v = face_[f].v;
        const Vec3 n = face_[f].normal, c = n * face_[f].distance, p = at(v[0]) - c, q = at(v[1]) - c, r = at(v[2]) - c;
        double w[3] = {most(0.0, dot(n, cross(q, r))), most(0.0, dot(n, cross(r, p))), most(0.0, dot(n, cross(p, q)))};
        const double sum = w[0] + w[1] + w[2];
        best_.on_a = best_.on_b = {};
        for (int k = 0; k < 3; ++k) {
            const double share = sum > 0 ? w[k] / sum : 1.0 / 3;
            best_.on_a = best_.on_a + vertex_[v[k]].on_a * share, best_.on_b = best_.on_b + vertex_[v[k]].on_b * share;
        }
    }

    struct Horizon {
        int from[most_faces], to[most_faces], behind[most_faces], edge[most_faces];  // behind: the face that stays
        int count = 0;
        bool broken = false;
    };
    /// Walks over the faces that see the new point, in order, and collects the edges of the rim.
    void cut(int f, int entered, Vec3 seen_from, Horizon& rim) {
        Face& face = face_[f];
        if (!face.alive) return;
        face.alive = false;
        for (int k = 1; k <= 3; ++k) {
            const int e = entered < 0 ? k - 1 : (entered + k) % 3;
            if (entered >= 0 && k == 3) break;  // the edge we came through
            const int other = face.neighbour[e];
            if (!face_[other].alive) continue;
            const bool sees = face_[other].distance < far_away && dot(face_[other].normal, seen_from) > face_[other].distance + 1e-2 * tolerance_;
            if (sees) {
                cut(other, edge_towards(other, f, face.v[(e + 1) % 3]), seen_from, rim);
            } else if (rim.count < most_faces) {
                rim.from[rim.count] = face.v[e], rim.to[rim.count] = face.v[(e + 1) % 3];
                rim.behind[rim.count] = other, rim.edge[rim.count++] = edge_towards(other, f, face.v[(e + 1) % 3]);
            }
        }
    }
    /// The edge of face f that borders face `to` and starts at vertex `start`.
    int edge_towards(int f, int to, int start) const {
        for (int k = 0; k < 3; ++k)
            if (face_[f].neighbour[k] == to && face_[f].v[k] == start) return k;
        return 0;
    }
    bool expand(int f, const SimplexVertex& next) {
        for (int i = 0; i < count_; ++i)
            if (at(i) == next.difference) return false;
        Horizon rim;
        cut(f, -1, next.difference, rim);
        if (rim.count < 3 || faces_ + rim.count > most_faces) return false;
        const int apex = count_;
        vertex_[count_++] = next;
        const int first = faces_;
        for (int k = 0; k < rim.count; ++k) {
            const int g = add_face(rim.from[k], rim.to[k], apex);
            face_[g].neighbour[0] = rim.behind[k];
            face_[rim.behind[k]].neighbour[rim.edge[k]] = g;
        }
        for (int k = 0; k < rim.count; ++k) {  // stitch the fan: each new face to the one that starts where it ends
            int after = -1;
            for (int j = 0; j < rim.count; ++j)
                if (rim.from[j] == rim.to[k]) after = j;
            if (after < 0) return false;
            face_[first + k].neighbour[1] = first + after;
            face_[first + after].neighbour[2] = first + k;
        }
        return true;
    }
};

/// `overlapping` is the outcome of a GJK run without a linear map that found the hulls to overlap.
inline Penetration epa(const HullPair& pair, const GjkOutcome& overlapping) {
    ExpandingPolytope polytope(pair);
    return polytope.run(overlapping.simplex);
}

}  // namespace elbowroom
