// The kernels that compute y = A x for a CSR matrix, by name, and the choice among them.
//
//   csr_scalar    a thread a row
//   csr_vector    2, 4, 8, 16 or 32 lanes a row, partial sums added pairwise
//                 (N. Bell & M. Garland, SC 2009)
//   csr_diagonals a thread a row; no columns are read, the entries lie on at most 16 diagonals
//                 (diagonals.hpp)
//   csr_two_step  all products to memory, then the rows' sums through a staging buffer
//                 (Y.-Q. Liu, K.-X. Yin & E.-H. Wu, J. Computer-Aided Design & Computer Graphics,
//                 2011)
//
// All accumulate in double, and repeat bit for bit. Few very long rows (long_rows.hpp) are taken
// out by all of them and summed by whole blocks. `automatic` picks csr_diagonals where it can, and
// else by the rows' lengths.
#pragma once

#include <span>
#include <string>

#include "linalg/matrices/row_statistics.hpp"
#include "linalg/space/spmv_plan.hpp"

namespace hodge::linalg {

// What a user asks for.
struct SpmvChoice {
  std::string kernel = "automatic";
  int lanes = 0;      // of csr_vector: 2, 4, 8, 16 or 32; 0 takes what suits the rows
  int staging = 512;  // of csr_two_step: 128 to 4096 entries
};

struct SpmvKernelEntry {
  SpmvKernel kernel;
  const char* name;
  const char* description;
};

// The kernels that can be named, beside `automatic`.
std::span<const SpmvKernelEntry> spmv_kernel_table();

// Lanes that suit rows of `mean` entries; 1 is a thread a row.
template <class Space>
int lanes_for(double mean);

// What suits a pattern best in a space; `diagonals` is 0 where there are too many of them.
template <class Space>
SpmvPlan automatic_spmv(const RowStatistics& rows, int diagonals);

// Rows of more entries than this are taken out by a plan's kernel.
template <class Space>
int longest_row_of(const SpmvPlan& plan);

// The choice, where it says `automatic` or 0 completed by the automatic plan. ConfigError for an
// unknown kernel, one that does not suit the pattern, or lanes or a staging length out of range.
SpmvPlan resolve(const SpmvChoice& choice, const SpmvPlan& automatic, int diagonals);

// The plan in words: "csr_vector, 8 lanes a row".
std::string describe(const SpmvPlan& plan, int diagonals);

}  // namespace hodge::linalg
