#include "sim/discrete/bodies/shells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "linalg/base/errors.hpp"

namespace hodge::sim {
namespace {

// An edge as a triangle runs through it.
struct EdgeOfTriangle {
  int low, high;  // positions of its ends
  int triangle;
  bool rises;  // runs from low to high
};

std::vector<EdgeOfTriangle> sorted_edges(const Surface& surface) {
  std::vector<EdgeOfTriangle> edges;
  edges.reserve(3 * surface.triangles.size());
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    for (int e = 0; e < 3; ++e) {
      const int a = surface.triangles[t][e], b = surface.triangles[t][(e + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b), static_cast<int>(t), a < b});
    }
  std::ranges::sort(edges, {}, [](const EdgeOfTriangle& edge) {
    return std::tuple(edge.low, edge.high, edge.triangle);
  });
  return edges;
}

std::string text(const Point& x) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]);
}

// Sets of triangles, and of each triangle whether it has to be turned to agree with the first one
// of its set.
class TriangleSets {
 public:
  explicit TriangleSets(std::size_t triangles) : above_(triangles), turned_(triangles, 0) {
    for (std::size_t t = 0; t < triangles; ++t) above_[t] = static_cast<int>(t);
  }

  int first_of(int t) {
    int first = t;
    std::uint8_t turned = 0;  // against the first
    for (; above_[first] != first; first = above_[first]) turned ^= turned_[first];
    while (above_[t] != first && t != first) {  // shortens the way
      const int next = above_[t];
      const std::uint8_t rest = turned ^ turned_[t];
      above_[t] = first;
      turned_[t] = turned;
      turned = rest;
      t = next;
    }
    return first;
  }
  bool turned(int t) { return first_of(t) != t && turned_[t] != 0; }

  // False where they belong together already and do not agree.
  bool join(int s, int t, bool agree) {
    const bool turned_s = turned(s), turned_t = turned(t);
    const int first_s = first_of(s), first_t = first_of(t);
    const bool between = (turned_s != turned_t) == agree;
    if (first_s == first_t) return !between;
    above_[std::max(first_s, first_t)] = std::min(first_s, first_t);
    turned_[std::max(first_s, first_t)] = between ? 1 : 0;
    return true;
  }

 private:
  std::vector<int> above_;  // the first one is above itself
  std::vector<std::uint8_t> turned_;
};

class ShellFinder {
 public:
  ShellFinder(Surface& surface, const std::string& name)
      : surface_(surface), name_(name), sets_(surface.triangles.size()) {}

  // Edges of two triangles first: they tell most of what belongs together where parts touch.
  Shells find() {
    std::vector<EdgeOfTriangle> edges = sorted_edges(surface_);
    std::vector<std::span<EdgeOfTriangle>> shared;
    const auto same = [](const EdgeOfTriangle& a, const EdgeOfTriangle& b) {
      return a.low == b.low && a.high == b.high;
    };
    for (auto edge = edges.begin(); edge != edges.end();) {
      const auto next = std::find_if(edge, edges.end(),
                                     [&](const EdgeOfTriangle& one) { return !same(*edge, one); });
      check_closed({edge, next});
      if (next - edge == 2)
        join(edge[0], edge[1]);
      else
        shared.push_back({edge, next});
      edge = next;
    }
    for (const std::span<EdgeOfTriangle> edge : shared) join_parts(edge);
    return shells();
  }

 private:
  void check_closed(std::span<const EdgeOfTriangle> edge) const {
    if (edge.size() % 2 == 0) return;
    throw ConfigError(fmt::format(
        "{}: the surface is not closed: the edge from {} to {} belongs to {} triangle{}; every "
        "edge must belong to 2 of each part",
        name_, text(surface_.points[edge[0].low]), text(surface_.points[edge[0].high]), edge.size(),
        edge.size() == 1 ? "" : "s"));
  }

  void join(const EdgeOfTriangle& one, const EdgeOfTriangle& other) {
    if (!sets_.join(one.triangle, other.triangle, one.rises != other.rises))
      throw ConfigError(fmt::format(
          "{}: the surface has no inside: its triangles cannot agree on a side at the edge from "
          "{} to {}",
          name_, text(surface_.points[one.low]), text(surface_.points[one.high])));
  }

  // The triangles of an edge where parts touch. Those that agree already need nothing more.
  void join_parts(std::span<EdgeOfTriangle> edge) {
    std::map<int, std::array<std::vector<EdgeOfTriangle>, 2>> sets;  // by the side of the edge
    for (const EdgeOfTriangle& one : edge)
      sets[sets_.first_of(one.triangle)][sets_.turned(one.triangle) == one.rises].push_back(one);
    std::vector<EdgeOfTriangle> rest;
    for (const auto& [first, sides] : sets)
      for (const auto& side : sides)
        rest.insert(rest.end(), side.begin() + std::min(sides[0].size(), sides[1].size()),
                    side.end());
    std::ranges::sort(rest, {}, &EdgeOfTriangle::triangle);
    if (!rest.empty() && !undecided_) undecided_ = edge[0];
    const std::size_t half = rest.size() / 2;
    const bool balanced =
        std::ranges::count(rest, true, &EdgeOfTriangle::rises) == static_cast<std::ptrdiff_t>(half);
    if (balanced)
      std::ranges::stable_sort(rest, {}, [](const EdgeOfTriangle& one) { return !one.rises; });
    for (std::size_t i = 0; i < half; ++i)
      balanced ? join(rest[i], rest[i + half]) : join(rest[2 * i], rest[2 * i + 1]);
  }

  Shells shells() {
    Shells shells;
    std::vector<int> number(surface_.triangles.size(), -1);  // of the shell of a first triangle
    for (int t = 0; t < static_cast<int>(surface_.triangles.size()); ++t) {
      int& shell = number[sets_.first_of(t)];
      if (shell < 0) {
        shell = static_cast<int>(shells.all.size());
        shells.all.emplace_back();
      }
      shells.all[shell].triangles.push_back(t);
    }
    for (Shell& shell : shells.all) {
      shells.turned += make_agree(shell);
      measure(shell);
    }
    if (shells.turned > 0 && undecided_)
      throw ConfigError(fmt::format(
          "{}: parts touch at the edge from {} to {}, and triangles do not agree on their sides: "
          "which of them belong together is not known, expected the same side of all triangles of "
          "a "
          "part",
          name_, text(surface_.points[undecided_->low]), text(surface_.points[undecided_->high])));
    return shells;
  }

  // Returns how many triangles were turned.
  int make_agree(const Shell& shell) {
    const auto is_turned = [this](int t) { return sets_.turned(t); };
    const auto turned = std::ranges::count_if(shell.triangles, is_turned);
    const auto others = static_cast<std::ptrdiff_t>(shell.triangles.size()) - turned;
    for (const int t : shell.triangles)
      if (is_turned(t) == (turned <= others))
        std::swap(surface_.triangles[t][1], surface_.triangles[t][2]);
    return static_cast<int>(std::min(turned, others));
  }

  // The volume is the sum of those of tetrahedra above the triangles.
  void measure(Shell& shell) const {
    const Point origin = surface_.points[surface_.triangles[shell.triangles[0]][0]];
    shell.lower = shell.upper = origin;
    double all = 0;
    for (const int t : shell.triangles) {
      std::array<Point, 3> x;
      for (int corner = 0; corner < 3; ++corner)
        for (int d = 0; d < 3; ++d) {
          const double at = surface_.points[surface_.triangles[t][corner]][d];
          shell.lower[d] = std::min(shell.lower[d], at);
          shell.upper[d] = std::max(shell.upper[d], at);
          x[corner][d] = at - origin[d];
        }
      const auto& [a, b, c] = x;
      const double six = a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                         a[2] * (b[0] * c[1] - b[1] * c[0]);
      shell.volume += six / 6;
      all += std::abs(six) / 6;
    }
    if (std::abs(shell.volume) <= 1e-12 * all) shell.volume = 0;  // rounding: a folded sheet
  }

  Surface& surface_;
  const std::string& name_;
  TriangleSets sets_;
  std::optional<EdgeOfTriangle> undecided_;  // where only the order of the file tells what belongs
};

}  // namespace

Shells find_shells(Surface& surface, const std::string& name) {
  return ShellFinder(surface, name).find();
}

void turn(Surface& surface, const Shell& shell) {
  for (const int t : shell.triangles) std::swap(surface.triangles[t][1], surface.triangles[t][2]);
}

}  // namespace hodge::sim
