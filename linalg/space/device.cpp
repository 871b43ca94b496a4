#include "linalg/space/device.hpp"

#include <charconv>
#include <string_view>

#include "linalg/base/errors.hpp"

namespace hodge::linalg {

namespace {

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

}  // namespace hodge::linalg
