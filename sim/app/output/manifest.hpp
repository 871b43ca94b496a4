// manifest.txt of a run directory: the files that runs have listed there as their own. --overwrite
// removes these and no others.
//
//   hodge run directory 1
//   config.yaml
//   frames/lid_driven_cavity_#.vti                         # stands for one digit or more
//   frames/lid_driven_cavity_#/lid_driven_cavity_#_#.vti
//
// A manifest is on the disk before the first file that it lists is made. A run that goes on in the
// directory adds its files to it.
//
// Errors: ConfigError where the file is no such list; IoError.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

class Manifest {
 public:
  static constexpr std::string_view file_name = "manifest.txt";

  // Names are relative to the run directory, in it, in one of folders(), or in a numbered folder of
  // frames/.
  explicit Manifest(std::vector<std::string> names = {}) : names_(std::move(names)) {}

  static std::optional<Manifest> read(const std::filesystem::path& run_directory);
  void write(const std::filesystem::path& run_directory) const;

  // Of a run directory, "" being itself. Checkpoints are first: as long as one exists, so do the
  // files that a restart from it continues.
  static const std::vector<std::string>& folders();
  // The same, and those with the pieces of listed frames that are there, before frames/.
  std::vector<std::string> folders_in(const std::filesystem::path& run_directory) const;

  const std::vector<std::string>& names() const { return names_; }
  // That of the frames of the whole box, "cavity.pvd"; empty where none is listed.
  std::string collection() const;
  bool lists(const std::string& name) const;
  // A temporary file of a listed file or of the manifest, that a killed process has left.
  bool lists_temporary(const std::string& name) const;
  Manifest with(const Manifest& other) const;

 private:
  std::vector<std::string> names_;
};

// The files of a run with these settings.
Manifest manifest_of(const Settings& settings, const Problem& problem);

}  // namespace hodge::sim
