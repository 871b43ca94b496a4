// The folder of one run: config.yaml, log.txt, history.csv, <case>.pvd, frames/, forces.csv with
// solids, checkpoints/, where there are probes probes.csv, lines/, averages.csv, and at the end
// summary.json.
//
// Errors: ConfigError if the folder holds something already and overwriting was not asked for;
// IoError if it cannot be made or written in.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace hodge::sim {

class RunDirectory {
 public:
  // Makes the folder, its parents and frames/, and saves the resolved configuration. With
  // `overwrite` the files of an earlier run are removed first; a file that hodge did not write
  // stays.
  RunDirectory(std::filesystem::path path, bool overwrite, std::string_view config_text);

  // The folder of a run that is continued: its files are kept.
  static RunDirectory continued(std::filesystem::path path, std::string_view config_text);

  // The ConfigError alone, for a check before anything costly is done.
  static void check(const std::filesystem::path& path, bool overwrite);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path log() const { return path_ / "log.txt"; }
  std::filesystem::path summary() const { return path_ / "summary.json"; }

 private:
  explicit RunDirectory(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
};

}  // namespace hodge::sim
