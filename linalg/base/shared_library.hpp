// A shared library that is opened while the program runs, so that the program is small and also
// starts on machines without the library. The names are tried in order, each in the folders that
// the loader knows and then in those of CUDA toolkits. An open library is never closed.
#pragma once

#include <dlfcn.h>

#include <string>
#include <vector>

namespace hodge::linalg {

class SharedLibrary {
 public:
  explicit SharedLibrary(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      for (const char* folder : {"", "/usr/local/cuda/lib64/", "/opt/cuda/lib64/"}) {
        handle_ = dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle_ != nullptr) return;
      }
    }
  }

  bool usable() const { return handle_ != nullptr; }

  // The function called `name`; null if the library or the function is missing. F is a function
  // type: library.symbol<decltype(cublasCreate_v2)>("cublasCreate_v2").
  template <class F>
  F* symbol(const char* name) const {
    return usable() ? reinterpret_cast<F*>(dlsym(handle_, name)) : nullptr;
  }

 private:
  void* handle_ = nullptr;
};

}  // namespace hodge::linalg
