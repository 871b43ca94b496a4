// Configuration files as parameters of tests.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

namespace hodge::test {

// The .yaml files of a directory, sorted.
inline std::vector<std::filesystem::path> yaml_files(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// A file's stem as the name of a test.
inline std::string test_name(const std::filesystem::path& file) {
  std::string name = file.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

}  // namespace hodge::test
