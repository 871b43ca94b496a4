#include "sim/discrete/bodies/shell_inside.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/discrete/bodies/crossing.hpp"

namespace hodge::sim {

namespace {

std::pair<double, double> range_of(const Surface& surface, int t) {
  const auto& [a, b, c] = surface.triangles[t];
  return std::minmax({surface.points[a][2], surface.points[b][2], surface.points[c][2]});
}

// As thick as triangles are high, so that these are in few of them.
std::size_t slabs_for(const Surface& surface, const Shell& shell) {
  double heights = 0;
  for (const int t : shell.triangles) {
    const auto [low, high] = range_of(surface, t);
    heights += high - low;
  }
  const auto triangles = static_cast<double>(shell.triangles.size());
  const double height = shell.upper[2] - shell.lower[2];
  return heights > 0
             ? static_cast<std::size_t>(1 + std::min(triangles, height / heights * triangles))
             : 1;
}

}  // namespace

ShellInside::ShellInside(const Surface& surface, const Shell& shell, double on_it)
    : surface_(surface), lower_(shell.lower[2]), on_it_(on_it) {
  const std::size_t slabs = slabs_for(surface, shell);
  const double height = shell.upper[2] - shell.lower[2];
  slabs_per_length_ = height > 0 ? static_cast<double>(slabs) / height : 0;
  start_.assign(slabs + 1, 0);
  const auto for_slabs = [&](int t, const auto& visit) {
    const auto [low, high] = range_of(surface, t);
    for (std::size_t slab = slab_of(low); slab <= slab_of(high); ++slab) visit(slab);
  };
  for (const int t : shell.triangles) for_slabs(t, [&](std::size_t slab) { ++start_[slab + 1]; });
  for (std::size_t slab = 0; slab < slabs; ++slab) start_[slab + 1] += start_[slab];
  triangles_.resize(start_.back());
  std::vector<std::size_t> next = start_;
  for (const int t : shell.triangles)
    for_slabs(t, [&](std::size_t slab) { triangles_[next[slab]++] = t; });
}

std::size_t ShellInside::slab_of(double z) const {
  const double slab = (z - lower_) * slabs_per_length_;
  const auto last = static_cast<double>(start_.size() - 2);
  return static_cast<std::size_t>(std::clamp(slab, 0.0, last));
}

bool ShellInside::contains(const Point& x) const {
  int winding = 0;
  Segment segment{};
  const std::size_t slab = slab_of(x[2]);
  for (std::size_t n = start_[slab]; n < start_[slab + 1]; ++n) {
    const std::array<int, 3>& corners = surface_.triangles[triangles_[n]];
    const auto beyond = [&](int corner) { return surface_.points[corner][1] - on_it_ > x[1]; };
    const auto before = [&](int corner) { return surface_.points[corner][1] - on_it_ < x[1]; };
    if (std::ranges::all_of(corners, beyond) || std::ranges::all_of(corners, before)) continue;
    if (!cut(surface_, corners, x[2], segment)) continue;
    const bool rising = segment.rising.y - on_it_ <= x[1];
    const bool falling = segment.falling.y - on_it_ <= x[1];
    if (rising != falling && segment.x_at(x[1]) - on_it_ <= x[0]) winding += rising ? 1 : -1;
  }
  return winding != 0;
}

}  // namespace hodge::sim
