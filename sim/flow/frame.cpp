#include "sim/flow/frame.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/space/space.hpp"

namespace hodge::sim {
namespace {

template <class T>
bool copy_values(const CellArray& from, FrameArray& to) {
  to.count = from.values.size();
  to.is_single = sizeof(T) == sizeof(float);
  auto* const values = reinterpret_cast<T*>(to.memory.reserve<linalg::Host>(to.count * sizeof(T)));
  std::ranges::transform(from.values, values, [](double x) { return static_cast<T>(x); });
  return std::all_of(values, values + to.count, [](T x) { return std::isfinite(x); });
}

}  // namespace

std::size_t bytes_per_value(std::string_view precision) {
  return precision == "single" ? sizeof(float) : sizeof(double);
}

std::string_view FrameArray::bytes() const {
  return {reinterpret_cast<const char*>(memory.data()), count * value_bytes()};
}

void store(const CellArray& from, std::string_view precision, FrameArray& to) {
  to.name = from.name;
  to.components = from.components;
  const bool fits = bytes_per_value(precision) == sizeof(float) && copy_values<float>(from, to);
  if (!fits) copy_values<double>(from, to);
}

Frame frame_of(long step, double time, const std::vector<CellArray>& arrays,
               std::string_view precision) {
  Frame frame{step, time, std::vector<FrameArray>(arrays.size())};
  for (std::size_t i = 0; i < arrays.size(); ++i) store(arrays[i], precision, frame.arrays[i]);
  return frame;
}

}  // namespace hodge::sim
