#include "linalg/matrices/spmv.hpp"

#include <cmath>

#include "linalg/base/errors.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace {

constexpr int least_staging = 128, most_staging = 4096;

const SpmvKernelEntry& entry(SpmvKernel kernel) {
  for (const SpmvKernelEntry& e : spmv_kernel_table()) {
    if (e.kernel == kernel) return e;
  }
  throw ConfigError("a kernel of SpMV that is not in the table");
}

}  // namespace

std::span<const SpmvKernelEntry> spmv_kernel_table() {
  static const SpmvKernelEntry table[] = {
      {SpmvKernel::csr_scalar, "csr_scalar", "one thread per row"},
      {SpmvKernel::csr_vector, "csr_vector", "2, 4, 8, 16 or 32 lanes per row"},
      {SpmvKernel::csr_diagonals, "csr_diagonals",
       "one thread per row, columns by the diagonals of the entries (at most 16)"},
      {SpmvKernel::csr_two_step, "csr_two_step",
       "all products to memory, then the sums of rows through a staging buffer"},
  };
  return table;
}

#if HODGE_HAS_CUDA
template <>
int lanes_for<Cuda>(double mean) {
  return mean <= 12 ? 1 : mean <= 24 ? 4 : mean <= 48 ? 8 : mean <= 96 ? 16 : 32;
}

// 64 entries per lane: the other rows of a warp wait for no more.
template <>
int longest_row_of<Cuda>(const SpmvPlan& plan) {
  return std::max(128, 64 * plan.lanes);
}
#endif

template <>
int lanes_for<Host>(double mean) {
  return mean <= 16 ? 1 : 4;
}

// One thread sums a row; this length is short enough that the others hardly wait for it.
template <>
int longest_row_of<Host>(const SpmvPlan&) {
  return 8192;
}

template <class Space>
SpmvPlan automatic_spmv(const RowStatistics& rows, int diagonals) {
  SpmvPlan plan;
  plan.mean = rows.mean;
  plan.lanes = lanes_for<Space>(rows.mean);
  plan.kernel = diagonals > 0     ? SpmvKernel::csr_diagonals
                : plan.lanes == 1 ? SpmvKernel::csr_scalar
                                  : SpmvKernel::csr_vector;
  return plan;
}
#define HODGE_AUTOMATIC(Space) template SpmvPlan automatic_spmv<Space>(const RowStatistics&, int);
HODGE_FOR_EACH_SPACE(HODGE_AUTOMATIC)

SpmvPlan resolve(const SpmvChoice& choice, const SpmvPlan& automatic, int diagonals) {
  SpmvPlan plan = automatic;
  std::string known = "automatic";
  bool found = choice.kernel == known;
  for (const SpmvKernelEntry& e : spmv_kernel_table()) {
    known += std::string(", ") + e.name;
    if (choice.kernel != e.name) continue;
    plan.kernel = e.kernel;
    found = true;
  }
  if (!found) {
    throw ConfigError("unknown SpMV kernel '" + choice.kernel + "', expected one of: " + known);
  }
  if (plan.kernel == SpmvKernel::csr_diagonals && diagonals == 0) {
    throw ConfigError("csr_diagonals for a matrix whose entries lie on more than " +
                      std::to_string(DiagonalsView::most) + " diagonals, expected at most these");
  }
  if (choice.staging < least_staging || choice.staging > most_staging) {
    throw ConfigError("a staging buffer of " + std::to_string(choice.staging) +
                      " entries, expected " + std::to_string(least_staging) + " to " +
                      std::to_string(most_staging));
  }
  const int l = choice.lanes;
  if (l != 0 && l != 2 && l != 4 && l != 8 && l != 16 && l != 32) {
    throw ConfigError(std::to_string(l) +
                      " lanes per row, expected 2, 4, 8, 16 or 32, or 0 for the automatic choice");
  }
  plan.staging = choice.staging;
  if (plan.kernel == SpmvKernel::csr_vector) {
    plan.lanes = l != 0 ? l : std::max(2, automatic.lanes);
  } else if (plan.kernel == SpmvKernel::csr_scalar) {
    plan.lanes = 1;
  }
  return plan;
}

std::string describe(const SpmvPlan& plan, int diagonals) {
  std::string words = entry(plan.kernel).name;
  if (plan.kernel == SpmvKernel::csr_diagonals) {
    words += ", " + std::to_string(diagonals) + " diagonals";
  }
  if (plan.kernel == SpmvKernel::csr_vector) {
    words += ", " + std::to_string(plan.lanes) + " lanes per row";
  }
  if (plan.kernel == SpmvKernel::csr_two_step) {
    words += ", staging of " + std::to_string(plan.staging) + " entries";
  }
  return words;
}

}  // namespace hodge::linalg
