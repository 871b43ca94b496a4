#include "tools/hodge/validate/compare_profile.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace hodge::tools {
namespace {

// A value that is no number counts as infinitely far off.
double distance_of(const Comparison& comparison) {
  const double distance = std::abs(comparison.difference());
  return std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
}

}  // namespace

void compare_profile(Report& report, const std::string& run, const Profile& measured,
                     const PublishedProfile& published) {
  Figure& figure = report.figure(fmt::format("{}, {}", published.quantity, run), published.position,
                                 published.value);
  figure.add_measured("hodge", measured);
  figure.add_published(published.source, published.points);
  const std::vector<double>& positions = published.points.positions;
  Comparison farthest{};
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Comparison comparison{run,
                                published.quantity,
                                positions[i],
                                interpolate(measured, positions[i]),
                                published.points.values[i],
                                published.source};
    if (distance_of(comparison) > distance_of(farthest)) farthest = comparison;
    report.compare(comparison);
  }
  report.add({fmt::format("{}, farthest of {} points, {} = {:.4g}", published.quantity,
                          positions.size(), published.position, farthest.position),
              run, farthest.measured, farthest.reference, published.bound, published.source});
}

}  // namespace hodge::tools
