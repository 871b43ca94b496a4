// The folder checkpoints/ of a run directory: <name>_00001200.h5, the number being the step.
//
// A restart from a checkpoint that is not the newest sets the newer ones aside (renames them to
// *.h5.superseded), so that `latest` never finds them. They are removed once the restarted run has
// written a checkpoint of its own.
//
// Errors: IoError; ConfigError where there is no such checkpoint.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hodge::sim {

class CheckpointFolder {
 public:
  explicit CheckpointFolder(const std::filesystem::path& run_directory)
      : path_(run_directory / "checkpoints") {}

  // The folder of a run directory that this file lies in.
  static CheckpointFolder holding(const std::filesystem::path& checkpoint);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(const std::string& run_name, long step) const;

  std::vector<std::filesystem::path> newest_first() const;
  std::filesystem::path newest() const;  // ConfigError where there is none

  void make() const;
  void set_aside_those_after(const std::filesystem::path& checkpoint) const;
  // Of the run of this name; also those that are set aside, and what a killed process left
  // half-written.
  void remove_all_but(int newest, const std::string& run_name) const;

 private:
  std::filesystem::path path_;
};

}  // namespace hodge::sim
