#include "sim/app/initial/stored_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "linalg/base/errors.hpp"
#include "sim/app/frames/frame_reader.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/grid/transfer.hpp"

namespace hodge::sim {
namespace {

// Puts the arrays of all parts of a frame into a state.
class StateOfFrame {
 public:
  StateOfFrame(const std::filesystem::path& path, const std::vector<std::string>& scalars,
               const std::vector<std::string>& in_bodies)
      : name_(one_line(path.string())), scalars_(scalars), in_bodies_(in_bodies) {}

  bool wants(const StoredType& array) const {
    const bool is_velocity = array.name == "velocity", is_solid = array.name == "solid";
    if (!is_velocity && !is_solid && array.name != "pressure" &&
        std::ranges::count(scalars_, array.name) == 0)
      return false;
    if (const std::uint64_t wanted = is_velocity ? 3 : 1; array.components != wanted)
      refuse(fmt::format("its {} has {} components, expected {}", one_line(array.name),
                         array.components, wanted));
    if (!is_solid && !array.is_real())
      refuse(fmt::format("its {} is of the type {}, expected Float32 or Float64",
                         one_line(array.name), quote(array.type)));
    return true;
  }

  void take(const StoredType& array, const Extent& whole, const Extent& part,
            std::vector<double> values) {
    if (array.name == "velocity") {
      for (std::size_t d = 0; d < 3; ++d) place(values, d, 3, whole, part, state_.velocity[d]);
      return;
    }
    const bool is_pressure = array.name == "pressure";
    if (is_pressure) pressure_is_single_ = array.type == "Float32";
    std::vector<double>& to = is_pressure ? state_.pressure : scalar(array.name);
    if (part == whole)
      to = std::move(values);
    else
      place(values, 0, 1, whole, part, to);
  }

  StoredState finish(FrameContent content) {
    if (content.arrays.empty())
      refuse("its cells have neither velocity nor pressure nor a scalar of this run");
    state_.edges = std::move(content.edges);
    const bool is_plane = state_.edges[2].size() < 2;
    if (is_plane) state_.edges[2].clear();
    if (is_plane) state_.velocity[2].clear();
    state_.dim = is_plane ? 2 : 3;
    for (int e = 0; e < state_.dim; ++e)
      if (state_.edges[e].size() < 2) refuse("it has no cells in x and y");
    state_.velocity_is_at_faces = false;
    state_.origin = name_;
    if (content.time) state_.origin += fmt::format(": t = {:.6g}", *content.time);
    extend_into_solids();
    drop_rounded_pressure();
    return std::move(state_);
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw ConfigError(fmt::format("the frame {} does not serve: {}", name_, why));
  }

 private:
  std::vector<double>& scalar(const std::string& name) {
    for (auto& [known, values] : state_.scalars)
      if (known == name) return values;
    return state_.scalars.emplace_back(name, std::vector<double>()).second;
  }

  // One component of a part of the grid.
  static void place(const std::vector<double>& values, std::size_t component,
                    std::size_t components, const Extent& whole, const Extent& part,
                    std::vector<double>& to) {
    to.resize(cells_of(whole));
    std::array<std::size_t, 3> first{}, count{}, size{};
    for (int e = 0; e < 3; ++e) {
      first[e] = static_cast<std::size_t>(std::int64_t{part[2 * e]} - whole[2 * e]);
      count[e] = static_cast<std::size_t>(
          std::max<std::int64_t>(1, std::int64_t{part[2 * e + 1]} - part[2 * e]));
      size[e] = static_cast<std::size_t>(
          std::max<std::int64_t>(1, std::int64_t{whole[2 * e + 1]} - whole[2 * e]));
    }
    std::size_t from = component;
    for (std::size_t k = 0; k < count[2]; ++k)
      for (std::size_t j = 0; j < count[1]; ++j) {
        double* const row =
            to.data() + first[0] + size[0] * (first[1] + j + size[1] * (first[2] + k));
        for (std::size_t i = 0; i < count[0]; ++i, from += components) row[i] = values[from];
      }
  }

  void extend_into_solids() {
    const std::vector<double>* const found = state_.scalar("solid");
    if (found == nullptr) return;
    const std::vector<double> solid = *found;
    if (!state_.pressure.empty()) sim::extend_into_solids(state_.pressure, solid, state_.edges);
    for (auto& [name, values] : state_.scalars)
      if (std::ranges::count(in_bodies_, name) == 0)
        sim::extend_into_solids(values, solid, state_.edges);
  }

  // At the level of an atmosphere single precision leaves 0.004 Pa of a pressure, which may be more
  // than a flow has. The one that belongs to the velocity is more exact.
  void drop_rounded_pressure() {
    constexpr double share = 1e-4;  // of the range, that rounding may take
    if (!pressure_is_single_ || state_.velocity[0].empty()) return;
    const auto [least, largest] = std::ranges::minmax(state_.pressure);
    const double rounding =
        std::numeric_limits<float>::epsilon() * std::max(std::abs(least), std::abs(largest));
    if (rounding <= share * (largest - least)) return;
    state_.pressure.clear();
    state_.origin += "; its pressure, rounded to single precision, is solved for";
  }

  std::string name_;
  const std::vector<std::string>&scalars_, &in_bodies_;
  StoredState state_;
  bool pressure_is_single_ = false;
};

}  // namespace

StoredState read_stored_frame(const std::filesystem::path& path,
                              const std::vector<std::string>& scalars,
                              const std::optional<double>& time,
                              const std::vector<std::string>& in_bodies) {
  StateOfFrame state(path, scalars, in_bodies);
  FrameContent content = read_frame(
      path, [&](const StoredType& array) { return state.wants(array); },
      [&](const StoredType& array, const Extent& whole, const Extent& part,
          std::vector<double> values) { state.take(array, whole, part, std::move(values)); });
  if (time && content.time != time)
    state.refuse(fmt::format("it has {}, its collection says t = {}",
                             content.time ? fmt::format("t = {}", *content.time) : "no time",
                             *time));
  return state.finish(std::move(content));
}

}  // namespace hodge::sim
