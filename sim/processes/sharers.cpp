#include "sim/processes/sharers.hpp"

#include "linalg/space/device.hpp"

namespace hodge::sim {
namespace {

Decomposition shared_by(linalg::Communicator& all, const Settings& settings) {
  const bool on_gpus = linalg::chosen_gpu(linalg::device_of_process(all, settings.device)) >= 0;
  return slabs_of(settings.grid, all.size(), on_gpus);
}

}  // namespace

Sharers::Sharers(linalg::Communicator& all, const Settings& settings)
    : all_(all), slabs_(shared_by(all, settings)) {
  if (count() < all.size()) first_.emplace(all, count());
}

}  // namespace hodge::sim
