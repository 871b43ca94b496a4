// The lock of a run directory: one process at a time writes there.
//
// flock(2) on the file .lock, whose text names the process. The system gives the lock up when the
// process ends, in whatever way; the file stays. On a file system that knows no such locks a run
// goes on without one.
//
// Errors: ConfigError where another process holds it, with the process; IoError.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "linalg/files/file_descriptor.hpp"

namespace hodge::sim {

class RunLock {
 public:
  static constexpr std::string_view file_name = ".lock";

  // Held while this lives. The directory must exist.
  explicit RunLock(const std::filesystem::path& directory);

  // The ConfigError alone; makes no file.
  static void require_free(const std::filesystem::path& directory);

  // Who holds it: "process 4711 on host, since 2026-01-31T12:00:00Z".
  static std::optional<std::string> holder(const std::filesystem::path& directory);

  // Throws IoError where the directory or the lock has been removed or replaced: what this process
  // wrote there is gone, and the directory may be another run's.
  void require_held() const;

  bool is_supported() const { return is_supported_; }

 private:
  std::filesystem::path directory_;
  FileDescriptor file_;
  bool is_supported_ = true;
};

}  // namespace hodge::sim
