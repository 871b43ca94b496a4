#include "sim/flow/pressure_method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/direct/direct_solver.hpp"
#include "linalg/solve/registry.hpp"
#include "linalg/space/device.hpp"
#include "sim/base/key_error.hpp"
#include "sim/base/text.hpp"
#include "sim/compare/solver_text.hpp"
#include "sim/discrete/assembly/separable_pressure.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/discrete/grid/metrics.hpp"
#include "sim/flow/compact_solids.hpp"

namespace hodge::sim {
namespace {

std::vector<std::string> methods_along(const linalg::SeparableSystem& system, bool on_gpu) {
#if HODGE_HAS_CUDA
  if (on_gpu) return linalg::axis_methods<linalg::Cuda>(system);
#else
  (void)on_gpu;
#endif
  return linalg::axis_methods<linalg::Host>(system);
}

// Why direct should not be chosen; empty: it should.
std::string against_direct(const linalg::SeparableSystem& system, bool on_gpu) {
  const std::vector<std::string> methods = methods_along(system, on_gpu);
  const int most = on_gpu ? most_points_on_gpu : most_points_on_cpu;
  for (std::size_t d = 0; d < methods.size(); ++d)
    if (methods[d] == "products" && system.axes[d].points() > most)
      return fmt::format("{} cells along {} are more than {}, up to which products are faster",
                         system.axes[d].points(), axis_names[d], most);
  return {};
}

std::string transforms_text(const linalg::SeparableSystem& system, bool on_gpu) {
  std::vector<std::string> parts;
  const std::vector<std::string> methods = methods_along(system, on_gpu);
  for (std::size_t d = 0; d < methods.size(); ++d)
    parts.push_back(fmt::format("{} {}", methods[d], axis_names[d]));
  return "separable box: " + join(parts);
}

linalg::SeparableSystem system_of(const Settings& settings, const Problem& problem) {
  return separable_pressure(Grid(settings.grid), problem.boundaries);
}

SystemSettings direct(SystemSettings settings) {
  settings.method = "direct";
  settings.options.clear();
  settings.preconditioner = {};
  settings.fallback.clear();
  settings.automatic = false;
  return settings;
}

// Takes `method` in place of auto; the fallbacks do not try it again.
SystemSettings by_method(const std::string& method, SystemSettings settings) {
  settings.method = method;
  settings.automatic = false;
  std::erase(settings.fallback, method);
  return settings;
}

// Beside solids. What capacitance should fail to solve cg does.
SystemSettings capacitance(const SystemSettings& settings) {
  SystemSettings chosen = by_method("capacitance", settings);
  std::vector<std::string>& fallback = chosen.fallback;
  if (std::find(fallback.begin(), fallback.end(), settings.method) == fallback.end())
    fallback.insert(fallback.begin(), settings.method);
  return chosen;
}

// FFTW transforms lengths of these prime factors alone at full speed.
bool is_smooth(int n) {
  for (const int prime : {2, 3, 5, 7})
    while (n % prime == 0) n /= prime;
  return n == 1;
}

// Why capacitance should not be chosen beside solids; empty: it should.
std::string against_capacitance(const Settings& settings, const Problem& problem) {
  const Grid grid(settings.grid);
  const linalg::SeparableSystem box = separable_pressure(grid, problem.boundaries);
  const bool on_gpu = is_on_gpu(settings.device);
  if (std::string why = against_direct(box, on_gpu); !why.empty()) return why;
  const long long most = on_gpu            ? most_cells_beside_solids_on_gpu
                         : grid.dim() == 2 ? most_cells_beside_solids_in_2d
                                           : most_cells_beside_solids_in_3d;
  if (grid.cell_count() > most)
    return fmt::format("{} cells are more than {}, up to which capacitance is faster",
                       grid.cell_count(), most);
  for (int d = 0; !on_gpu && d < grid.dim(); ++d)
    if (const std::string method = methods_along(box, on_gpu)[d];
        method == "products" || (method == "fft" && !is_smooth(grid.cells(d))))
      return fmt::format("{} is transformed slowly", axis_names[d]);
  return against_few_iterations(problem, grid);
}

}  // namespace

bool is_on_gpu(const std::string& device) try {
  return linalg::chosen_gpu(device) >= 0;
} catch (const Error&) {
  return device != "cpu";
}

PressureMethod pressure_method(const Settings& settings, const Problem& problem) {
  const bool automatic = settings.pressure.automatic;
  PressureMethod chosen{settings.pressure, {}};
  if (automatic) chosen.settings = by_method(settings.pressure.method, settings.pressure);
  if (!automatic && settings.pressure.method != "direct") {
    if (!linalg::uses_preconditioner(chosen.settings)) chosen.settings.preconditioner = {};
    return chosen;
  }
  if (!problem.resistances.porous.empty()) {
    chosen.why = "porous bodies make the matrix change with the step";
    // Their mobility may be 1e-12 of that beside them, which single precision does not see.
    if (automatic && chosen.settings.preconditioner.kind == "multigrid")
      chosen.settings.preconditioner.options["precision"] = "double";
    return chosen;
  }
  if (!problem.solids.empty()) {
    chosen.why = "the box has solids";
    if (!automatic) return chosen;
    const std::string against = against_capacitance(settings, problem);
    if (against.empty()) return {capacitance(settings.pressure), "compact solids with wide gaps"};
    chosen.why += ", and " + against;
    return chosen;
  }
  const linalg::SeparableSystem system = system_of(settings, problem);
  const bool on_gpu = is_on_gpu(settings.device);
  if (automatic) chosen.why = against_direct(system, on_gpu);
  if (!chosen.why.empty()) return chosen;
  return {direct(settings.pressure), transforms_text(system, on_gpu)};
}

std::size_t padded_values(const Settings& settings, const Grid& grid) {
  return padded_values(grid,
                       is_on_gpu(settings.device) ? row_alignment_on_gpu : row_alignment_on_host);
}

std::string pressure_method_text(const Settings& settings, const Problem& problem) {
  const PressureMethod chosen = pressure_method(settings, problem);
  return fmt::format("{} ({}{}{})", chain_text(chosen.settings),
                     settings.pressure.automatic ? "auto" : "configured",
                     chosen.why.empty() ? "" : ": ", chosen.why);
}

Settings with_pressure_method(const Settings& settings, const Problem& problem) {
  Settings chosen = settings;
  chosen.pressure = pressure_method(settings, problem).settings;
  return chosen;
}

bool builds_pressure_matrix(const Settings& settings, const Problem& problem) {
  if (problem.prescribed_velocity) return false;
  return settings.compare || pressure_method(settings, problem).settings.method != "direct";
}

void check_pressure_method(const Settings& settings, const Problem& problem) {
  const SystemSettings& solver = settings.pressure;
  const bool has_porous = !problem.resistances.porous.empty();
  const auto refuse = [&](const std::string& key, const std::string& method) {
    throw KeyError(
        "solvers.pressure." + key,
        fmt::format("solvers.pressure.{} is {}, which needs a separable system, and {} make this "
                    "one none, expected auto, or cg with the preconditioner multigrid",
                    key, method, has_porous ? "porous bodies" : "solids"));
  };
  if (!has_porous && problem.solids.empty()) return;
  for (const char* const method : {"direct", "capacitance"}) {
    if (!has_porous && std::string(method) != "direct") continue;
    if (!solver.automatic && solver.method == method) refuse("method", method);
    if (std::ranges::find(solver.fallback, method) != solver.fallback.end())
      refuse("fallback", method);
  }
  if (has_porous && solver.preconditioner.kind == "direct") refuse("preconditioner.kind", "direct");
}

std::size_t direct_pressure_bytes(const Settings& settings, const Problem& problem) {
  return memory_of_direct(system_of(settings, problem), settings.device);
}

std::size_t memory_of_direct(const linalg::SeparableSystem& system, const std::string& device) {
#if HODGE_HAS_CUDA
  if (is_on_gpu(device)) return linalg::direct_memory<linalg::Cuda>(system);
#else
  (void)device;
#endif
  return linalg::direct_memory<linalg::Host>(system);
}

double direct_pressure_traffic(const Settings& settings, const Problem& problem) {
  const linalg::SeparableSystem system = system_of(settings, problem);
  const double norm = static_cast<double>(sizeof(double)) * static_cast<double>(system.rows());
#if HODGE_HAS_CUDA
  if (is_on_gpu(settings.device)) return norm + linalg::direct_bytes<linalg::Cuda>(system);
#endif
  return norm + linalg::direct_bytes<linalg::Host>(system);
}

}  // namespace hodge::sim
