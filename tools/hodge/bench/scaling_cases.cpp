#include "tools/hodge/bench/scaling.hpp"

#include <algorithm>
#include <string>

#include "linalg/direct/line_passes.hpp"
#include "sim/discrete/fields/layout.hpp"

namespace hodge::tools::bench {
namespace {

// In a step with its diagnostics. Layers are those across the cut axis, with the ghosts of the
// other axes (of fields) and without (of vectors); an exchange is of two values for half of the
// lines along the cut axis, and a direct solve has two: one of them for the other half.
struct Counted {
  const char* scheme;
  double neighbours, padded_layers, layers, exchanges, reductions, decisions;
};
constexpr Counted counted_messages[] = {{"rk3", 10, 25, 6, 6, 3, 3},
                                        {"bdf2", 22, 14, 38, 2, 36, 9}};

}  // namespace

ScalingCase weak_case(const std::string& scheme, const std::string& pressure, int points,
                      int processes) {
  return {.flow = {.name = "taylor_green_3d",
                   .scheme = scheme,
                   .cells = {points, points, points * processes},
                   .pressure = pressure,
                   .periods = processes},
          .weak = true,
          .points = points};
}

ScalingCase strong_case(const std::string& scheme, const std::string& pressure, int points) {
  ScalingCase scaling = weak_case(scheme, pressure, points, 1);
  scaling.weak = false;
  return scaling;
}

std::optional<ByKind<MessagesPerStep>> stated_messages(const ScalingCase& scaling) {
  if (scaling.flow.pressure == "cg") return std::nullopt;
  const auto counted =
      std::ranges::find(counted_messages, scaling.flow.scheme,
                        [](const Counted& one) { return std::string(one.scheme); });
  const auto value = static_cast<double>(sizeof(double)),
             points = static_cast<double>(scaling.points);
  const double padded = points + 2 * sim::ghost_width;
  ByKind<MessagesPerStep> messages{};
  const auto of = [&](linalg::MessageKind kind) -> MessagesPerStep& {
    return messages[static_cast<std::size_t>(kind)];
  };
  of(linalg::MessageKind::neighbours) = {
      counted->neighbours,
      value * (counted->padded_layers * padded * padded + counted->layers * points * points)};
  of(linalg::MessageKind::line_ends) = {
      counted->exchanges,
      value * counted->exchanges * linalg::systems_with_sums(scaling.points * scaling.points)};
  of(linalg::MessageKind::reductions).calls = counted->reductions;
  of(linalg::MessageKind::decisions).calls = counted->decisions;
  return messages;
}

}  // namespace hodge::tools::bench
