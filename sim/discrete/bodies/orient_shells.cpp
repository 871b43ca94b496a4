// A shell counts as within another one that is larger where its corners are, each drawn a little
// towards the middle of them, so that shells which touch do not hang on rounding.
//
// The larger shells come first. One whose normals point into it was turned inside out, and
// everything within it with it, unless it is a cavity: it lies where the shells around it, as they
// are by then, enclose a body.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "sim/discrete/bodies/shell_inside.hpp"
#include "sim/discrete/bodies/shells.hpp"

namespace hodge::sim {
namespace {

constexpr std::size_t most_looks = 32;  // triangles of a shell whose corners are looked at
constexpr double drawn = 1e-3;          // of the distance to the middle

std::vector<Point> corners_to_look_at(const Surface& surface, const Shell& shell) {
  std::vector<Point> corners;
  Point middle{};
  const std::size_t step = 1 + (shell.triangles.size() - 1) / most_looks;
  for (std::size_t n = 0; n < shell.triangles.size(); n += step)
    for (const int corner : surface.triangles[shell.triangles[n]]) {
      corners.push_back(surface.points[corner]);
      for (int d = 0; d < 3; ++d) middle[d] += corners.back()[d];
    }
  for (double& x : middle) x /= static_cast<double>(corners.size());
  for (Point& corner : corners)
    for (int d = 0; d < 3; ++d) corner[d] += drawn * (middle[d] - corner[d]);
  return corners;
}

class ShellTree {
 public:
  ShellTree(Surface& surface, const Shells& shells)
      : surface_(surface), shells_(shells.all), around_(shells_.size()) {
    std::vector<std::size_t> order(shells_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    find_around(order);
    std::ranges::stable_sort(order, {}, [this](std::size_t n) { return -size(n); });
    sign_.resize(shells_.size());
    for (const std::size_t n : order) decide(n);
  }

  std::size_t inside_out = 0, filled = 0, cavities = 0;

 private:
  double size(std::size_t n) const { return std::abs(shells_[n].volume); }

  // Looks at those that begin no later along x, block by block; most blocks end too early.
  void find_around(std::vector<std::size_t> order) {
    constexpr std::size_t block = 256;
    const auto begin = [this](std::size_t n) { return shells_[n].lower[0]; };
    std::ranges::stable_sort(order, {}, begin);
    std::vector<double> reach(order.size() / block + 1, std::numeric_limits<double>::lowest());
    for (std::size_t i = 0; i < order.size(); ++i)
      reach[i / block] = std::max(reach[i / block], shells_[order[i]].upper[0]);
    for (const std::size_t inner : order) {
      const auto end = static_cast<std::size_t>(
          std::ranges::upper_bound(order, begin(inner), {}, begin) - order.begin());
      for (std::size_t first = 0; first < end; first += block) {
        if (reach[first / block] < shells_[inner].upper[0]) continue;
        for (std::size_t j = first; j < std::min(first + block, end); ++j)
          if (may_be_around(order[j], inner) && is_around(order[j], inner))
            around_[inner].push_back(order[j]);
      }
    }
  }

  bool may_be_around(std::size_t outer, std::size_t inner) const {
    if (size(outer) <= size(inner)) return false;
    for (int d = 0; d < 3; ++d)
      if (shells_[outer].lower[d] > shells_[inner].lower[d] ||
          shells_[outer].upper[d] < shells_[inner].upper[d])
        return false;
    return true;
  }

  bool is_around(std::size_t outer, std::size_t inner) {
    const auto [known, is_new] = insides_.try_emplace(outer, surface_, shells_[outer]);
    return std::ranges::all_of(
        corners_to_look_at(surface_, shells_[inner]),
        [&, inside = &known->second](const Point& corner) { return inside->contains(corner); });
  }

  void decide(std::size_t n) {
    bool turns = false;  // with the smallest one around it
    int winding = 0;     // of its place
    const std::vector<std::size_t>& around = around_[n];
    if (!around.empty()) {
      const std::size_t nearest = *std::ranges::min_element(
          around, {}, [this](std::size_t outer) { return std::pair(size(outer), outer); });
      turns = (sign_[nearest] < 0) != (shells_[nearest].volume < 0);
    }
    for (const std::size_t outer : around) winding += sign_[outer];
    sign_[n] = (shells_[n].volume < 0) != turns ? -1 : 1;
    if (sign_[n] < 0 && winding <= 0) {
      sign_[n] = 1;
      turns = !turns;
    }
    if (turns) turn(surface_, shells_[n]);
    inside_out += turns;
    cavities += sign_[n] < 0;
    filled += sign_[n] > 0 && winding > 0 && shells_[n].volume != 0;
  }

  Surface& surface_;
  const std::vector<Shell>& shells_;
  std::vector<std::vector<std::size_t>> around_;  // the shells that each is within
  std::map<std::size_t, ShellInside> insides_;
  std::vector<int> sign_;  // what each adds to the winding number within it
};

std::string count(std::size_t number, const char* one, const char* many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

}  // namespace

std::string orient_shells(Surface& surface, const std::string& name) {
  const Shells shells = find_shells(surface, name);
  const ShellTree tree(surface, shells);
  std::vector<std::string> told;
  if (shells.turned > 0)
    told.push_back(
        fmt::format("{} of {} did not agree with the rest of their part on its "
                    "outside and {} turned",
                    count(static_cast<std::size_t>(shells.turned), "triangle", "triangles"),
                    surface.triangles.size(), shells.turned == 1 ? "was" : "were"));
  if (tree.inside_out > 0)
    told.push_back(fmt::format("the normals of {} of {} pointed inwards and were turned",
                               tree.inside_out,
                               count(shells.all.size(), "closed part", "closed parts")));
  if (tree.filled > 0)
    told.push_back(
        fmt::format("{} within another one and {} solid there: turn the normals inwards "
                    "where a cavity is meant",
                    count(tree.filled, "closed part lies", "closed parts lie"),
                    tree.filled == 1 ? "is" : "are"));
  if (!told.empty() && tree.cavities > 0)
    told.push_back(fmt::format("{} with normals inwards within another one {}",
                               count(tree.cavities, "closed part", "closed parts"),
                               tree.cavities == 1 ? "is a cavity" : "are cavities"));
  return fmt::format("{}", fmt::join(told, "; "));
}

}  // namespace hodge::sim
