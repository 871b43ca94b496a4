// checksums.txt of a run directory: the BLAKE2b of every file that a run has left at its end, but
// for frames and checkpoints, which have checks of their own. `b2sum -l 256 -c checksums.txt` in
// the directory compares them, too.
//
//   4c7f...e1  config.yaml
//   09a2...73  lines/wake.csv
//
// It is written after all other files, which are on the disk by then, and removed before a run
// changes the first of them. Errors: IoError.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/app/output/manifest.hpp"

namespace hodge::sim {

class Checksums {
 public:
  static constexpr std::string_view file_name = "checksums.txt";

  static void write(const std::filesystem::path& run_directory);
  // Where the manifest lists it, and does not leave it to somebody else.
  static void remove(const std::filesystem::path& run_directory, const Manifest& manifest);
  static bool are_in(const std::filesystem::path& run_directory);
  // What differs from the files that were left: "out/log.txt has changed since the run ended".
  static std::vector<std::string> changes(const std::filesystem::path& run_directory,
                                          const Manifest& manifest);
};

}  // namespace hodge::sim
