// A library of the CUDA toolkit that is opened while the program runs, and calls of its functions
// by name.
#pragma once

#include <fmt/format.h>

#include <string>

#include "linalg/base/errors.hpp"
#include "linalg/cuda/shared_library.hpp"
#include "linalg/space/space.hpp"

namespace hodge::tools::bench {

class ToolkitLibrary {
 public:
  ToolkitLibrary(const std::string& name, int version)
      : file_name_(fmt::format("{}.so.{}", name, version)), file_({file_name_}) {}

  // Why it cannot be used; empty where it can.
  std::string absence() const {
    if (linalg::Cuda::device_count() == 0) return "there is no usable GPU";
    return file_.usable() ? "" : file_name_ + " cannot be opened";
  }

  // Errors: DeviceError where the library has no such function, or it returns a status but 0.
  template <class Function, class... Arguments>
  void call(const char* name, Arguments... arguments) const {
    Function* const function = file_.symbol<Function>(name);
    if (function == nullptr) throw DeviceError(fmt::format("{} has no {}", file_name_, name));
    const auto status = function(arguments...);
    if (status == 0) return;
    throw DeviceError(fmt::format("{} failed, status {}", name, static_cast<int>(status)));
  }

  // Gives a handle back; what that returns is ignored.
  template <class Function, class Handle>
  void release(const char* name, Handle handle) const {
    (void)file_.symbol<Function>(name)(handle);
  }

 private:
  std::string file_name_;
  linalg::cuda::SharedLibrary file_;
};

}  // namespace hodge::tools::bench
