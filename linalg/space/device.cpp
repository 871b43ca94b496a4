#include "linalg/space/device.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/processes/lists.hpp"
#include "linalg/processes/machines.hpp"

namespace hodge::linalg {

namespace {

int usable_gpus() {
#if HODGE_HAS_CUDA
  return Cuda::device_count();
#else
  return 0;
#endif
}

#if HODGE_HAS_CUDA
int device_number(std::string_view text) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : -1;
}
#endif

}  // namespace

int chosen_gpu(const std::string& device) {
  if (device == "cpu") return -1;
  constexpr std::string_view cuda = "cuda";
  const bool automatic = device == "auto";
  if (!automatic && device != cuda && !device.starts_with("cuda:")) {
    throw ConfigError("unknown device '" + device + "'; known are auto, cpu, cuda, cuda:N");
  }
#if HODGE_HAS_CUDA
  const int count = Cuda::device_count();
  if (automatic) return count > 0 ? 0 : -1;
  if (count == 0) throw DeviceError("device '" + device + "': there is no usable GPU; use cpu");
  if (device == cuda) return 0;
  const int number = device_number(std::string_view(device).substr(cuda.size() + 1));
  if (number < 0 || number >= count) {
    throw ConfigError("device '" + device +
                      "': the GPUs are cuda:0 to cuda:" + std::to_string(count - 1));
  }
  return number;
#else
  if (automatic) return -1;
  throw ConfigError("device '" + device + "': this hodge is built without CUDA; use cpu");
#endif
}

std::string device_of_process(Communicator& processes, const std::string& device) {
  if (processes.size() == 1 || device == "cpu") return device;
  const std::vector<int> gpus = gather_one(processes, usable_gpus());
  const auto without = std::ranges::find(gpus, 0);
  if (device == "auto" && without != gpus.end()) return "cpu";
  if (device != "auto" && without != gpus.end()) {
    if (HODGE_HAS_CUDA == 0) (void)chosen_gpu(device);  // says that there is no CUDA
    throw ConfigError("device '" + device + "': process " + std::to_string(without - gpus.begin()) +
                      " has no usable GPU on its machine; use cpu");
  }
  if (device != "auto" && device != "cuda") {
    (void)chosen_gpu(device);
    return device;
  }
  const int gpu = number_on_machine(processes) % gpus[static_cast<std::size_t>(processes.rank())];
  return "cuda:" + std::to_string(gpu);
}

#if !HODGE_HAS_CUDA
std::string nccl_version() {
  return "";
}
#endif

}  // namespace hodge::linalg
