// The folders that are installed beside the program: reference data, matrices, scripts.
#pragma once

#include <filesystem>
#include <string>

namespace hodge::tools {

// ../share/hodge/FOLDER seen from the program, or its place in the sources.
inline std::filesystem::path shared_folder(const std::string& folder, const char* in_sources) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto installed = program.parent_path().parent_path() / "share/hodge" / folder;
  if (!error && std::filesystem::is_directory(installed, error)) return installed;
  return in_sources;
}

}  // namespace hodge::tools
