// A SAW-tree on the cubic lattice, after N. Clisby, "Efficient implementation of the pivot algorithm for self-avoiding
// walks", J. Stat. Phys. 140 (2010) 349: a peer, written from the paper, compiled by saw_tree.py.
//
// A walk is cut in two halves, these again, down to single sites. A node keeps, in a frame of its own, the bounding box
// of its sites and where the last one lies, and how its right half is turned. A pivot turns everything beyond a site,
// so it changes one path of the tree. It is tried before it is made (his Attempt_pivot_fast): the two halves that meet
// at the pivot first, then level by level what lies farther from it.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "saw_lattice.hpp"

namespace {

using namespace lattice;

/// Part of a walk: its node (none for a single site), how many sites it has, and where it lies.
struct Part {
    std::int64_t node, sites;
    Place place;
    Box box;
};

/// Sites of a walk begin one step along x from the origin of its frame, and end at `end`. The node of n sites has its
/// left half, of n / 2, right after it, and then its right half, so that children need no pointers.
class SawTree {
public:
    SawTree(std::int64_t sites, std::uint64_t seed) : sites_(sites), nodes_(sites - 1), random_{seed} {
        build(0, sites);
    }

    /// The pivot beyond site `joint` by a symmetry, in the frame of the node that joins there: does it fit?
    bool fits(std::int64_t joint, int symmetry) { return fits(0, sites_, joint, symmetry); }
    /// Makes the pivot that fits() was asked about.
    void carry_out(int symmetry);
    /// Any site but the last, any symmetry but the one that changes nothing; how many were accepted.
    std::int64_t pivots(std::int64_t attempts) { return pivots(0, sites_, attempts); }
    Vec end() const { return nodes_[0].end; }
    void sites(std::vector<Vec>& out) const {
        out.clear();
        write(whole(), out);
    }
    std::int64_t size() const { return sites_; }
    Random& random() { return random_; }

private:
    struct Node {
        Box box;
        Vec end;
        int symmetry;  // of the right half, about the end of the left one
    };
    struct Step {
        std::int64_t node, sites;
        bool right;  // is the next one below it the right child?
    };

    static constexpr Box site{{1, 0, 0}, {1, 0, 0}};
    static constexpr Vec step{1, 0, 0};
    static constexpr int tries = 48, settling = 64;

    Part whole() const { return {0, sites_, {}, nodes_[0].box}; }
    Vec end_of(std::int64_t node, std::int64_t sites) const { return sites == 1 ? step : nodes_[node].end; }
    const Box& box_of(std::int64_t node, std::int64_t sites) const { return sites == 1 ? site : nodes_[node].box; }
    Part part(std::int64_t node, std::int64_t sites, const Place& place) const {
        return {node, sites, place, place.shift + turned(place.symmetry, box_of(node, sites))};
    }
    Part left(const Part& p) const { return part(p.node + 1, p.sites / 2, p.place); }
    Part right(const Part& p) const {
        const std::int64_t half = p.sites / 2;
        const Place turn{end_of(p.node + 1, half), nodes_[p.node].symmetry};
        return part(p.node + half, p.sites - half, p.place * turn);
    }

    bool fits(std::int64_t node, std::int64_t sites, std::int64_t joint, int symmetry);
    std::int64_t pivots(std::int64_t node, std::int64_t sites, std::int64_t attempts);
    void build(std::int64_t node, std::int64_t sites);
    void refit(std::int64_t node, std::int64_t sites);
    bool meet(const Part& a, const Part& b) const;
    bool meet_any(const Part& one, const std::vector<Part>& others, const Box& about) const;
    void write(const Part& p, std::vector<Vec>& out) const;

    std::int64_t sites_;
    std::vector<Node> nodes_;
    Random random_;
    std::vector<Step> path_;            // from the root to the node that joins at the pivot
    std::vector<Part> before_, after_;  // parts on either side of the pivot, the nearest first
};

/// Halves are joined by random symmetries until they fit, and then pivoted: much like the pseudo-dimerisation of the
/// paper. Where they do not fit they are pivoted as well, since an end may lie too deep in its own half.
void SawTree::build(std::int64_t node, std::int64_t sites) {
    if (sites == 1) return;
    const std::int64_t half = sites / 2;
    build(node + 1, half);
    build(node + half, sites - half);
    for (int count = 1;; ++count) {
        nodes_[node].symmetry = int(random_.below(48));
        const Part p{node, sites, {}, {}};
        if (!meet(left(p), right(p))) break;
        if (count % tries) continue;
        pivots(node + 1, half, settling);
        pivots(node + half, sites - half, settling);
    }
    refit(node, sites);
    if (sites >= settling) pivots(node, sites, settling);
}

void SawTree::refit(std::int64_t node, std::int64_t sites) {
    const std::int64_t half = sites / 2;
    Node& n = nodes_[node];
    const Vec& middle = end_of(node + 1, half);
    n.end = middle + turned(n.symmetry, end_of(node + half, sites - half));
    n.box = around(box_of(node + 1, half), middle + turned(n.symmetry, box_of(node + half, sites - half)));
}

/// Do two parts have a site in common? a lies before b in the walk, so its right half is the nearer one.
bool SawTree::meet(const Part& a, const Part& b) const {
    if (apart(a.box, b.box)) return false;
    if (a.sites == 1 && b.sites == 1) return true;
    if (a.sites >= b.sites) return meet(right(a), b) || meet(left(a), b);
    return meet(a, left(b)) || meet(a, right(b));
}

bool SawTree::meet_any(const Part& one, const std::vector<Part>& others, const Box& about) const {
    if (apart(one.box, about)) return false;
    const bool later = &others == &before_;
    return std::any_of(others.begin(), others.end(),
                       [&](const Part& other) { return later ? meet(other, one) : meet(one, other); });
}

bool SawTree::fits(std::int64_t node, std::int64_t sites, std::int64_t joint, int symmetry) {
    path_.clear();
    for (std::int64_t half; (half = sites / 2) != joint;) {
        const bool right = joint > half;
        path_.push_back({node, sites, right});
        node += right ? half : 1;
        sites = right ? sites - half : half;
        if (right) joint -= half;
    }
    path_.push_back({node, sites, false});

    const Part joined{node, sites, {}, {}};
    Part first = right(joined);
    const Place pivot{first.place.shift - turned(symmetry, first.place.shift), symmetry};
    before_.assign(1, left(joined));
    after_.assign(1, part(first.node, first.sites, pivot * first.place));
    Box about_before = before_[0].box, about_after = after_[0].box;
    if (meet(before_[0], after_[0])) return false;

    Place from;  // the frame of the node that was reached, in that of the node that joins
    for (std::int64_t k = std::int64_t(path_.size()) - 2; k >= 0; --k) {
        const Step& s = path_[k];
        const Part above{s.node, s.sites, {}, {}};
        if (s.right) {
            const Place turn = right(above).place;
            const int back = cube.inverse[turn.symmetry];
            from = from * Place{Vec{} - turned(back, turn.shift), back};
            const Part more = part(s.node + 1, s.sites / 2, from);
            if (meet_any(more, after_, about_after)) return false;
            about_before = around(about_before, more.box);
            before_.push_back(more);
        } else {
            const Part beside = right(above);
            const Part more = part(beside.node, beside.sites, pivot * (from * beside.place));
            if (meet_any(more, before_, about_before)) return false;
            about_after = around(about_after, more.box);
            after_.push_back(more);
        }
    }
    return true;
}

void SawTree::carry_out(int symmetry) {
    nodes_[path_.back().node].symmetry = cube.product[symmetry][nodes_[path_.back().node].symmetry];
    refit(path_.back().node, path_.back().sites);
    for (std::int64_t k = std::int64_t(path_.size()) - 2; k >= 0; --k) {
        const Step& s = path_[k];
        int& own = nodes_[s.node].symmetry;
        if (s.right)
            symmetry = cube.product[cube.product[own][symmetry]][cube.inverse[own]];
        else
            own = cube.product[symmetry][own];
        refit(s.node, s.sites);
    }
}

std::int64_t SawTree::pivots(std::int64_t node, std::int64_t sites, std::int64_t attempts) {
    std::int64_t accepted = 0;
    for (std::int64_t k = 0; k < attempts && sites > 1; ++k) {
        const std::int64_t joint = 1 + random_.below(sites - 1);
        const int symmetry = 1 + int(random_.below(47));
        if (!fits(node, sites, joint, symmetry)) continue;
        carry_out(symmetry);
        ++accepted;
    }
    return accepted;
}

void SawTree::write(const Part& p, std::vector<Vec>& out) const {
    if (p.sites == 1) {
        out.push_back(p.place * step);
        return;
    }
    write(left(p), out);
    write(right(p), out);
}

bool avoids_itself(std::vector<Vec> sites) {
    std::sort(sites.begin(), sites.end());
    return std::adjacent_find(sites.begin(), sites.end()) == sites.end();
}

}  // namespace

extern "C" {

void* saw_make(std::int64_t sites, std::uint64_t seed) { return new SawTree(sites, seed); }
void saw_drop(void* tree) { delete static_cast<SawTree*>(tree); }
std::int64_t saw_pivots(void* tree, std::int64_t attempts) { return static_cast<SawTree*>(tree)->pivots(attempts); }

/// Squared distances of the first and the last site, after every so many attempts.
void saw_squares(void* handle, std::int64_t count, std::int64_t every, double* out) {
    SawTree& tree = *static_cast<SawTree*>(handle);
    for (std::int64_t k = 0; k < count; ++k) {
        tree.pivots(every);
        const Vec v = tree.end();
        out[k] = double(v[0] - 1) * (v[0] - 1) + double(v[1]) * v[1] + double(v[2]) * v[2];
    }
}

/// Attempts whose verdict is not that of brute force: the pivot is made in any case, all sites are compared, and it is
/// taken back if it does not fit. Walks that are broken count as well.
std::int64_t saw_wrong(void* handle, std::int64_t attempts) {
    SawTree& tree = *static_cast<SawTree*>(handle);
    std::vector<Vec> sites;
    std::int64_t wrong = 0;
    for (std::int64_t k = 0; k < attempts; ++k) {
        const std::int64_t joint = 1 + tree.random().below(tree.size() - 1);
        const int symmetry = 1 + int(tree.random().below(47));
        const bool fits = tree.fits(joint, symmetry);
        tree.carry_out(symmetry);
        tree.sites(sites);
        bool whole = true;
        for (std::size_t i = 1; i < sites.size(); ++i) {
            const Vec d = sites[i] - sites[i - 1];
            whole &= d[0] * d[0] + d[1] * d[1] + d[2] * d[2] == 1;
        }
        wrong += !whole || fits != avoids_itself(sites);
        if (!fits) tree.carry_out(cube.inverse[symmetry]);
    }
    return wrong;
}
}
