// A shared library that is opened while the program runs, so that the program is small and also
// starts on machines without the library. An open library is never closed. All libraries that are
// opened at run time are opened here.
#pragma once

#include <dlfcn.h>

#include <string>
#include <vector>

namespace hodge::linalg {

class SharedLibrary {
 public:
  SharedLibrary() = default;  // none
  // This file alone, with the flags of dlopen.
  SharedLibrary(const std::string& file, int flags) : handle_(dlopen(file.c_str(), flags)) {
    if (!usable()) reason_ = dlerror();
  }
  // The names are tried in order, each in the folders that the loader knows and then in those of
  // CUDA toolkits.
  explicit SharedLibrary(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      for (const char* folder : {"", "/usr/local/cuda/lib64/", "/opt/cuda/lib64/"}) {
        handle_ = dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle_ != nullptr) return;
      }
    }
  }

  bool usable() const { return handle_ != nullptr; }
  // Why the one file cannot be opened.
  const std::string& reason() const { return reason_; }

  // The function called `name`; null if the library or the function is missing. F is a function
  // type: library.symbol<decltype(cublasCreate_v2)>("cublasCreate_v2").
  template <class F>
  F* symbol(const char* name) const {
    return usable() ? reinterpret_cast<F*>(dlsym(handle_, name)) : nullptr;
  }
  // Sets functions to those of the names behind them: find(f, "f", g, "g"). Whether all are there.
  bool find() const { return usable(); }
  template <class F, class... Others>
  bool find(F*& function, const char* name, Others&... others) const {
    function = symbol<F>(name);
    return find(others...) && function != nullptr;
  }

 private:
  void* handle_ = nullptr;
  std::string reason_;
};

}  // namespace hodge::linalg
