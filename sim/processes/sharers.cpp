#include "sim/processes/sharers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linalg/space/device.hpp"
#include "sim/base/key_error.hpp"
#include "sim/base/point.hpp"
#include "sim/discrete/processes/decomposition.hpp"

namespace hodge::sim {
namespace {

// How many are asked for; `most`: how many the last axis can be cut for.
int count_asked_for(const Settings& settings, int started, int most) {
  const int last = settings.grid.dim - 1;
  const auto at = static_cast<std::size_t>(last);
  const int asked = (*settings.parallel.processes)[at];
  constexpr const char* key = "parallel.processes";
  if (asked > started)
    throw KeyError(
        key, fmt::format("{} asks for {} processes, and {} were started", key, asked, started));
  if (asked > most)
    throw KeyError(key,
                   fmt::format("{} asks for {} processes, and the {} cells along {} can be "
                               "cut into {} parts at most",
                               key, asked, settings.grid.axes[at].cells, axis_names[at], most));
  return asked;
}

}  // namespace

std::vector<int> first_layers_of_parts(const Settings& settings, int started, bool on_gpus) {
  const int last = settings.grid.dim - 1, unit = on_gpus ? unit_on_gpu : 1;
  const int cells = settings.grid.axes[static_cast<std::size_t>(last)].cells;
  const int most = std::max(1, most_parts(last, cells, unit));
  const int count = settings.parallel.processes ? count_asked_for(settings, started, most)
                                                : std::min(started, most);
  return cut_axis(cells, count, unit);
}

Sharers::Sharers(linalg::Communicator& all, const Settings& settings) : all_(all) {
  const bool on_gpus = linalg::chosen_gpu(linalg::device_of_process(all, settings.device)) >= 0;
  first_layers_ = first_layers_of_parts(settings, all.size(), on_gpus);
  count_ = static_cast<int>(first_layers_.size()) - 1;
  if (count_ < all.size()) first_.emplace(all, count_);
}

std::pair<int, int> Sharers::own_layers() const {
  const auto rank = static_cast<std::size_t>(all_.rank());
  return {first_layers_[rank], first_layers_[rank + 1]};
}

}  // namespace hodge::sim
