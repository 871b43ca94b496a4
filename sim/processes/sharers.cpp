#include "sim/processes/sharers.hpp"

#include "linalg/space/device.hpp"
#include "sim/discrete/processes/process_counts.hpp"

namespace hodge::sim {
namespace {

Decomposition shared_by(linalg::Communicator& all, const Settings& settings,
                        const Boundaries& boundaries) {
  const bool on_gpus = linalg::chosen_gpu(linalg::device_of_process(all, settings.device)) >= 0;
  return decomposition_of(settings.grid,
                          process_counts_of(settings, boundaries, all.size(), on_gpus), on_gpus);
}

}  // namespace

Sharers::Sharers(linalg::Communicator& all, const Settings& settings, const Boundaries& boundaries)
    : all_(all), decomposition_(shared_by(all, settings, boundaries)) {
  if (count() < all.size()) first_.emplace(all, count());
}

std::pair<int, int> Sharers::own_layers() const {
  const auto rank = static_cast<std::size_t>(all_.rank());
  return {first_layers()[rank], first_layers()[rank + 1]};
}

}  // namespace hodge::sim
