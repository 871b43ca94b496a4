#include <algorithm>

#include "linalg/files/directories.hpp"
#include "tools/hodge/bench/matrices.hpp"
#include "tools/hodge/program/program.hpp"
#include "tools/hodge/program/shared_folder.hpp"

namespace hodge::tools::bench {

namespace fs = std::filesystem;

Files matrix_files_in(const fs::path& folder) {
  Files found;
  if (!is_a_directory(folder)) return found;
  for (const fs::path& path : entries_of(folder))
    if (path.extension() == ".mtx") found.push_back(path);
  std::ranges::sort(found);
  return found;
}

namespace {

std::vector<fs::path> all_matrix_files(ExperimentRun& run) {
  std::vector<fs::path> found = matrix_files_in(shared_folder("matrices"));
  if (found.empty()) run.note("the small real matrices of hodge are not here");
  const fs::path& extra = run.options().matrices;
  if (extra.empty()) return found;
  const std::vector<fs::path> more = matrix_files_in(extra);
  if (more.empty())
    throw wrong_input("--matrices {}: no *.mtx in there, expected a folder of Matrix Market files",
                      extra.string());
  const auto is_in_both = [&](const fs::path& file) {
    return std::ranges::any_of(
        more, [&](const fs::path& other) { return other.filename() == file.filename(); });
  };
  std::erase_if(found, is_in_both);
  found.insert(found.end(), more.begin(), more.end());
  return found;
}

std::unique_ptr<HostMatrix> generated(const std::string& name) {
  if (name.starts_with("like_")) return make_matrix(named_random_matrix(name));
  if (!name.starts_with("circuit_")) return make_matrix(named_grid_matrix(name));
  return make_matrix(CircuitMatrix{.nodes = std::stoi(name.substr(name.find('_') + 1))});
}

}  // namespace

void for_each_matrix(ExperimentRun& run, const MatrixChoice& choice, const MatrixAction& action) {
  const auto measure = [&](const std::string& name, const auto& make) {
    if (!run.wants(name)) return;
    run.attempt(name, [&] {
      const std::unique_ptr<HostMatrix> matrix = make();
      run.progress(fmt::format("{}: {} rows, {} non-zeros", name, matrix->rows(),
                               matrix->pattern().nonzeros()));
      action(name, *matrix);
    });
  };
  std::vector<fs::path> files;
  if (choice.files) files = all_matrix_files(run);
  for (const std::string& name : run.quick() ? choice.quick : choice.full)
    measure(name, [&] { return generated(name); });
  for (const fs::path& file : files)
    measure(file.stem().string(), [&] { return std::move(read_matrix_file(file).matrix); });
}

}  // namespace hodge::tools::bench
