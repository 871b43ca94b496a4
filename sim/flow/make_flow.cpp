#include <fmt/format.h>

#include "linalg/device.hpp"
#include "linalg/errors.hpp"
#include "sim/flow/checks.hpp"
#include "sim/flow/flow.hpp"
#include "sim/flow/make_flow_in.hpp"

namespace hodge::sim {
namespace {

template <class Space>
std::unique_ptr<Flow> make_in_memory_of(const Settings& settings, const Problem& problem,
                                        const Grid& grid) {
  const std::size_t needed = memory_estimate(settings, problem);
  const std::size_t available = Space::available_memory();
  if (needed > available)
    throw MemoryError(fmt::format(
        "a grid of {} needs about {} bytes on {} and {} are available: take fewer cells, a method "
        "with fewer vectors or a smaller restart, or a device with more memory",
        grid.description(), needed, Space::device_name(), available));
  return make_flow_in<Space>(settings, problem, grid);
}

}  // namespace

std::unique_ptr<Flow> make_flow(const Settings& settings, const Problem& problem) {
  const Grid grid(settings.grid);
  check(settings, problem, grid);
  return linalg::on_device(settings.device, [&]<class Space>() {
    return make_in_memory_of<Space>(settings, problem, grid);
  });
}

}  // namespace hodge::sim
