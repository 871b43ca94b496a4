#include "sim/app/frames/grid_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

std::size_t points_of(const Extent& extent, int e) {
  return static_cast<std::size_t>(std::int64_t{extent[2 * e + 1]} - extent[2 * e]) + 1;
}

std::size_t cells_along(const Extent& extent, int e) {
  return std::max<std::size_t>(1, points_of(extent, e) - 1);
}

// Of the part, counted from the first point of the whole.
std::size_t first_of(const Extent& part, const Extent& whole, int e) {
  return static_cast<std::size_t>(std::int64_t{part[2 * e]} - whole[2 * e]);
}

}  // namespace

Cover::Cover(const FrameHeader& header, const Extent& whole, bool may_overlap)
    : header_(header),
      whole_(whole),
      may_overlap_(may_overlap),
      wanted_(cells_of(whole)),
      left_(wanted_) {}

void Cover::count(const Extent& part) {
  for (int e = 0; e < 3; ++e) {
    const bool is_flat = points_of(part, e) == 1 && points_of(whole_, e) > 1;
    if (is_flat || part[2 * e] < whole_[2 * e] || part[2 * e + 1] > whole_[2 * e + 1]) refuse();
  }
  if (__builtin_add_overflow(counted_, cells_of(part), &counted_)) refuse();
}

void Cover::check_count() const {
  if (counted_ < wanted_ || (counted_ > wanted_ && !may_overlap_)) refuse();
}

void Cover::take(const Extent& part) {
  if (left_ == 0 && !may_overlap_) refuse();
  if (part == whole_ || left_ == 0) {
    if (left_ != wanted_ && !may_overlap_) refuse();
    left_ = 0;
    return;
  }
  taken_.resize(wanted_);
  std::array<std::size_t, 3> first{}, behind{};
  for (int e = 0; e < 3; ++e) {
    first[e] = first_of(part, whole_, e);
    behind[e] = first[e] + cells_along(part, e);
  }
  for (std::size_t k = first[2]; k < behind[2]; ++k)
    for (std::size_t j = first[1]; j < behind[1]; ++j)
      for (std::size_t i = first[0]; i < behind[0]; ++i) {
        const std::size_t cell = i + cells_along(whole_, 0) * (j + cells_along(whole_, 1) * k);
        if (taken_[cell] && !may_overlap_) refuse();
        left_ -= taken_[cell] ? 0 : 1;
        taken_[cell] = true;
      }
}

void Cover::check_all() const {
  if (left_ > 0) refuse();
}

void Cover::refuse() const {
  refuse_xml(header_.path, header_.grid(),
             fmt::format("its pieces leave a gap or overlap, expected each cell of {} once",
                         quote(extent_text(whole_))));
}

void Edges::take(FrameFile::Part& part) {
  for (std::size_t e = 0; e < part.coordinates.size(); ++e) {
    const auto axis = static_cast<int>(e);
    const std::vector<double> values = part.coordinates[e].values();
    std::vector<double>& all = edges_[e];
    all.resize(points_of(whole_, axis), unknown);
    for (std::size_t i = 0; i < values.size(); ++i) {
      double& edge = all[first_of(part.extent, whole_, axis) + i];
      if (!std::isnan(edge) && edge != values[i])
        refuse(axis, "are not the same in all of its pieces");
      edge = values[i];
    }
  }
}

void Edges::take(const UniformGrid& uniform) {
  for (int e = 0; e < 3; ++e)
    for (std::int64_t i = whole_[2 * e]; i <= whole_[2 * e + 1]; ++i)
      edges_[e].push_back(uniform.origin[e] + static_cast<double>(i) * uniform.spacing[e]);
}

std::array<std::vector<double>, 3> Edges::finish() {
  for (int e = 0; e < 3; ++e) {
    const auto decreases = [](double a, double b) { return !(a < b); };
    if (std::ranges::adjacent_find(edges_[e], decreases) != edges_[e].end() ||
        !std::isfinite(edges_[e].front()) || !std::isfinite(edges_[e].back()))
      refuse(e, "do not increase, expected finite numbers that do");
  }
  return std::move(edges_);
}

void Edges::refuse(int e, const char* why) const {
  refuse_xml(header_.path, header_.grid(), fmt::format("its points along {} {}", "xyz"[e], why));
}

}  // namespace hodge::sim
