// `hodge verify`: what of a run directory is whole. Reads every file that the manifest lists, and
// writes nothing.
//
// Checked: the seals of the checkpoints, and that the rows and frames that they count are there;
// every frame, and that frames and collection agree; every row of the CSV files; that each of the
// other files is complete.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hodge::sim {

// A kind of files, in one line: "6 whole".
struct VerifiedFiles {
  std::string kind;
  std::string text;
  std::vector<std::string> broken;  // what is wrong, a file each
};

struct Verification {
  std::vector<VerifiedFiles> kinds;
  std::optional<std::string> writer;  // the process that is writing there now

  std::size_t broken() const;
};

// Errors: ConfigError where the directory is no run directory: it has no manifest; IoError where
// the manifest is damaged.
Verification verify_run(const std::filesystem::path& directory);

}  // namespace hodge::sim
