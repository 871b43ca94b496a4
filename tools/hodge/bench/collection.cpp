#include "tools/hodge/bench/collection.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linalg/base/errors.hpp"
#include "tools/hodge/matrix/matrix_files.hpp"
#include "tools/hodge/program/python.hpp"

namespace hodge::tools::bench {

namespace fs = std::filesystem;

namespace {

NamedMatrix grid(const std::string& name, const GridMatrix& parameters) {
  return {name, [parameters] { return make_matrix(parameters); }, parameters.neumann};
}

std::string poisson_name(int dimension, int n, Coefficients coefficients, bool neumann) {
  std::string name = fmt::format("poisson_{}d_{}", dimension, n);
  if (coefficients == Coefficients::random) name += "_random";
  if (coefficients == Coefficients::jumping) name += "_jumping";
  return neumann ? name + "_neumann" : name;
}

std::vector<fs::path> matrix_files_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".mtx") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

NamedMatrix poisson_2d(int n, Coefficients coefficients, bool neumann) {
  GridMatrix p;
  p.cells = {n, n, 1};
  p.coefficients = coefficients;
  p.neumann = neumann;
  return grid(poisson_name(2, n, coefficients, neumann), p);
}

NamedMatrix poisson_3d(int n, Coefficients coefficients, bool neumann) {
  GridMatrix p;
  p.cells = {n, n, n};
  p.coefficients = coefficients;
  p.neumann = neumann;
  return grid(poisson_name(3, n, coefficients, neumann), p);
}

NamedMatrix anisotropic_2d(int n) {
  GridMatrix p;
  p.cells = {n, n, 1};
  p.weights = {100, 1, 1};
  return grid(fmt::format("anisotropic_2d_{}", n), p);
}

NamedMatrix convection_3d(int n) {
  GridMatrix p;
  p.cells = {n, n, n};
  p.peclet = 2;
  p.coefficients = Coefficients::random;
  return grid(fmt::format("convection_3d_{}", n), p);
}

NamedMatrix circuit(int nodes) {
  CircuitMatrix p;
  p.nodes = nodes;
  return {fmt::format("circuit_{}", nodes), [p] { return make_matrix(p); }};
}

std::vector<NamedMatrix> files(Report& report) {
  std::vector<fs::path> found = matrix_files_in(shared_folder("matrices", HODGE_MATRICES_DIR));
  if (found.empty()) report.note("the small real matrices of hodge are not here");
  const fs::path& extra = report.options().matrices;
  if (!extra.empty()) {
    const std::vector<fs::path> more = matrix_files_in(extra);
    if (more.empty()) {
      throw ConfigError(
          fmt::format("--matrices {}: no *.mtx in there, expected a folder of Matrix "
                      "Market files",
                      extra.string()));
    }
    found.insert(found.end(), more.begin(), more.end());
  }
  std::vector<NamedMatrix> matrices;
  for (const fs::path& file : found) {
    matrices.push_back(
        {file.stem().string(), [file] { return std::move(read_matrix_file(file).matrix); }});
  }
  return matrices;
}

void for_each_matrix(Report& report, const std::vector<NamedMatrix>& matrices,
                     const std::function<void(const NamedMatrix&, const HostMatrix&)>& action) {
  for (const NamedMatrix& named : matrices) {
    if (!report.wants(named.name)) continue;
    try {
      const auto matrix = named.make();
      report.progress(fmt::format("{}: {} rows, {} non-zeros", named.name, matrix->rows(),
                                  matrix->pattern().nonzeros()));
      action(named, *matrix);
    } catch (const MemoryError& error) {
      report.note(fmt::format("{} is left out: {}", named.name, error.what()));
    } catch (const ConfigError& error) {
      report.note(fmt::format("{} is left out: {}", named.name, error.what()));
    }
  }
}

}  // namespace hodge::tools::bench
