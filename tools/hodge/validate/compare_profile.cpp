#include "tools/hodge/validate/compare_profile.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace hodge::tools {
namespace {

// What is no number is farther off than anything.
double distance_of(const Comparison& comparison) {
  const double distance = std::abs(comparison.difference());
  return std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
}

}  // namespace

void compare_profile(Report& report, const std::string& run, const Profile& measured,
                     const PublishedProfile& published) {
  Figure& figure = report.figure(fmt::format("{}, {}", published.quantity, run), published.position,
                                 published.value);
  figure.curves.push_back({"hodge", Curve::Kind::measured, measured});
  Curve points{published.source, Curve::Kind::published, {}};
  Comparison farthest{};
  for (const ReferencePoint& point : published.points) {
    const Comparison comparison{
        run,         published.quantity, point.position, interpolate(measured, point.position),
        point.value, published.source};
    points.points.add(point.position, point.value);
    if (distance_of(comparison) > distance_of(farthest)) farthest = comparison;
    report.compare(comparison);
  }
  figure.curves.push_back(std::move(points));
  report.add(
      {.quantity = fmt::format("{}, farthest of {} points, {} = {:.4g}", published.quantity,
                               published.points.size(), published.position, farthest.position),
       .run = run,
       .measured = farthest.measured,
       .published = farthest.reference,
       .bound = published.bound,
       .source = published.source});
}

}  // namespace hodge::tools
