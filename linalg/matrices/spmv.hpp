// The kernels that compute y = A x for a CSR matrix, by name, and the choice among them.
//
//   csr_scalar    one thread per row
//   csr_vector    2, 4, 8, 16 or 32 lanes per row, partial sums added pairwise
//                 (N. Bell & M. Garland, SC 2009)
//   csr_diagonals one thread per row; reads no columns, for entries on at most 16 diagonals
//                 (diagonals.hpp)
//   csr_two_step  writes all products to memory, then adds those of each row through a staging
//                 buffer (Y.-Q. Liu, K.-X. Yin & E.-H. Wu, J. Computer-Aided Design & Computer
//                 Graphics, 2011)
//
// All accumulate in double, and results repeat bit for bit. All leave a few very long rows
// (row_statistics.hpp) to whole blocks. `automatic` chooses csr_diagonals if there are few
// diagonals, and otherwise by the mean length of the rows.
#pragma once

#include <span>
#include <string>

#include "linalg/matrices/row_statistics.hpp"
#include "linalg/space/spmv_plan.hpp"

namespace hodge::linalg {

// The choice of a user.
struct SpmvChoice {
  std::string kernel = "automatic";
  int lanes = 0;      // of csr_vector: 2, 4, 8, 16 or 32; 0: by the mean length of the rows
  int staging = 512;  // of csr_two_step: 128 to 4096 entries
};

struct SpmvKernelEntry {
  SpmvKernel kernel;
  const char* name;
  const char* description;
};

// The kernels that can be named, beside `automatic`.
std::span<const SpmvKernelEntry> spmv_kernel_table();

// The fastest number of lanes for rows of `mean` entries; 1 is one thread per row.
template <class Space>
int lanes_for(double mean);

// The fastest plan for a pattern in a space; `diagonals` is 0 if there are too many.
template <class Space>
SpmvPlan automatic_spmv(const RowStatistics& rows, int diagonals);

// The kernel of the plan leaves out rows of more entries than this.
template <class Space>
int longest_row_of(const SpmvPlan& plan);

// Declared for every space here, before other files use them.
struct Host;
struct Cuda;
template <>
int lanes_for<Host>(double mean);
template <>
int lanes_for<Cuda>(double mean);
template <>
int longest_row_of<Host>(const SpmvPlan& plan);
template <>
int longest_row_of<Cuda>(const SpmvPlan& plan);

// The plan for a choice; `automatic` and 0 are replaced by the automatic plan. ConfigError for an
// unknown kernel, for csr_diagonals with too many diagonals, and for lanes or staging out of range.
SpmvPlan resolve(const SpmvChoice& choice, const SpmvPlan& automatic, int diagonals);

// The plan in words: "csr_vector, 8 lanes per row".
std::string describe(const SpmvPlan& plan, int diagonals);

}  // namespace hodge::linalg
