#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "linalg/errors.hpp"
#include "linalg/space.hpp"
#include "sim/flow/checks.hpp"
#include "sim/flow/flow.hpp"
#include "sim/flow/make_flow_in.hpp"

namespace hodge::sim {
namespace {

using linalg::Cuda;
using linalg::Host;

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

#if HODGE_HAS_CUDA
int device_number(std::string_view text) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : -1;
}
#endif

// The GPU that `device` asks for; -1 for the CPU.
int chosen_gpu(const std::string& device) {
  if (device == "cpu") return -1;
  constexpr std::string_view cuda = "cuda";
  const bool automatic = device == "auto";
  if (!automatic && device != cuda && !device.starts_with("cuda:"))
    throw ConfigError("unknown device '" + device + "'; known are auto, cpu, cuda, cuda:N");
#if HODGE_HAS_CUDA
  const int count = Cuda::device_count();
  if (automatic) return count > 0 ? 0 : -1;
  if (count == 0) throw DeviceError("device '" + device + "': there is no usable GPU; use cpu");
  if (device == cuda) return 0;
  const int number = device_number(std::string_view(device).substr(cuda.size() + 1));
  if (number < 0 || number >= count)
    throw ConfigError(
        fmt::format("device '{}': the GPUs are cuda:0 to cuda:{}", device, count - 1));
  return number;
#else
  if (automatic) return -1;
  throw ConfigError("device '" + device + "': this hodge is built without CUDA; use cpu");
#endif
}

}  // namespace

std::unique_ptr<Flow> make_flow(const Settings& settings, const Problem& problem) {
  const Grid grid(settings.grid);
  check(settings, problem, grid);
  const int gpu = chosen_gpu(settings.device);
#if HODGE_HAS_CUDA
  if (gpu >= 0) {
    Cuda::select_device(gpu);
    return make_in_memory_of<Cuda>(settings, problem, grid);
  }
#endif
  (void)gpu;
  return make_in_memory_of<Host>(settings, problem, grid);
}

}  // namespace hodge::sim
