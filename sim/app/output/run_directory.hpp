// The folder of one run: config.yaml, log.txt, history.csv, <name>.pvd, frames/, forces.csv with
// solids, checkpoints/, where there are probes probes.csv, lines/, averages.csv, and at the end
// summary.json and checksums.txt; manifest.txt, which lists all of these, and .lock (run_lock.hpp).
//
// Errors: ConfigError if the folder holds something already and overwriting was not asked for, if
// it is to be overwritten and is no run directory, if a file of somebody else is in the way, if a
// run is writing there; IoError if it cannot be made or written in.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "sim/app/output/manifest.hpp"
#include "sim/app/output/run_lock.hpp"

namespace hodge::sim {

// What a run will put there.
struct RunContents {
  std::string config;  // the resolved configuration
  Manifest manifest;
};

class RunDirectory {
 public:
  // Makes the folder, its parents and, for frames in files of their own, frames/, and saves
  // manifest and configuration. With `overwrite` the files that the manifest there lists are
  // removed first, through no link.
  // `lock`: that of the folder, where the caller holds it already.
  RunDirectory(std::filesystem::path path, bool overwrite, const RunContents& contents,
               std::optional<RunLock> lock = {});

  // The folder of a run that is continued: its files are kept, and its manifest is added to. Its
  // configuration stays until the run goes on, and save_config() is called.
  static RunDirectory continued(std::filesystem::path path, const Manifest& planned,
                                std::optional<RunLock> lock = {});

  // The ConfigError alone, for a check before anything costly is done; touches nothing.
  static void check(const std::filesystem::path& path, bool overwrite, const Manifest& planned);

  // The lock, where there is a run that could be continued or overwritten.
  static std::optional<RunLock> lock_existing(const std::filesystem::path& path);

  void save_config(const std::string& config) const;  // in place of the one that is there
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path log() const { return path_ / "log.txt"; }
  std::filesystem::path summary() const { return path_ / "summary.json"; }
  const RunLock& lock() const { return *lock_; }
  void release() { lock_.reset(); }  // nothing is written any more

 private:
  RunDirectory(std::filesystem::path path, std::optional<RunLock> lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}
  void begin(const Manifest& manifest);

  std::filesystem::path path_;
  std::optional<RunLock> lock_;
};

}  // namespace hodge::sim
