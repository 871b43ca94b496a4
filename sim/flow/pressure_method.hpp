// Which solver the pressure gets: `method: auto` is direct where the system is separable, which it
// is in a box without solids; capacitance beside compact solids with wide gaps; and otherwise cg
// with multigrid.
#pragma once

#include <string>

#include "linalg/matrices/separable_system.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// Named by hand direct has no limit; auto takes it up to so many points along an axis that is
// transformed by products, whose cost per unknown grows with the points.
inline constexpr int most_points_on_cpu = 512, most_points_on_gpu = 2048;

// auto takes capacitance up to so many cells, as measured: on a CPU larger boxes do not stay in its
// caches. On several GPUs each has the whole matrix; the choice does not depend on how many share
// the work, since no bit does.
inline constexpr long long most_cells_beside_solids_in_2d = 1 << 14,
                           most_cells_beside_solids_in_3d = 1 << 18,
                           most_cells_beside_solids_on_gpu = 1 << 24;

// Whether a device of this name is a GPU, also one that is not here.
bool is_on_gpu(const std::string& device);

// Of a field on the device of the settings, ghosts and unused values included.
std::size_t padded_values(const Settings& settings, const Grid& grid);

struct PressureMethod {
  SystemSettings settings;  // never `automatic`
  std::string why;          // "separable box: fft x, elimination y"; or empty
};

PressureMethod pressure_method(const Settings& settings, const Problem& problem);

// "direct (auto: separable box: fft x, elimination y)"; "cg with ssor_sai order 1 omega 1 truncated
// (configured)"; "cg with multigrid ... (auto: the box has solids, and plate is more than 2.5 times
// as wide as thick)".
std::string pressure_method_text(const Settings& settings, const Problem& problem);

// The settings of a run: with the method that the pressure gets.
Settings with_pressure_method(const Settings& settings, const Problem& problem);

// Whether something reads the matrix of the pressure: every method but direct, and a comparison.
bool builds_pressure_matrix(const Settings& settings, const Problem& problem);

// Errors: KeyError where the method direct is named and cannot serve.
void check_pressure_method(const Settings& settings, const Problem& problem);

// Bytes of the direct solver of the box on the device of the settings.
std::size_t direct_pressure_bytes(const Settings& settings, const Problem& problem);
// Bytes that one solve of it moves there, with the norm of the right side.
double direct_pressure_traffic(const Settings& settings, const Problem& problem);

// The same of a system, on a device of this name.
std::size_t memory_of_direct(const linalg::SeparableSystem& system, const std::string& device);

}  // namespace hodge::sim
