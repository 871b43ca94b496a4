// Products that are compiled for several processors, on one thread: tiles (multiply_subtract.hpp),
// and C <- C - A B for a tall A of few columns, the update of an LU panel between its groups of
// columns.
#pragma once

#include <cstddef>

// Marks functions that are compiled for several processors, of which the program picks one when it
// starts. Empty if the compiler or the C library cannot do that, and under sanitizers, which start
// after the choice.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__gnu_linux__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__AVX2__)
#define HODGE_FOR_PROCESSORS \
  __attribute__((target_clones("default", "arch=haswell", "arch=skylake-avx512")))
#else
#define HODGE_FOR_PROCESSORS
#endif

namespace hodge::linalg::host {

// Of a tile of C. sum = left right, with tile_rows and tile_cols adjacent entries for each of
// `depth`.
inline constexpr int tile_rows = 8, tile_cols = 4;
void multiply_tile(int depth, const double* left, const double* right, double* sum);
void multiply_tile(int depth, const float* left, const float* right, float* sum);

inline constexpr int rank_update_depth = 8;

// A is rows x 8 with leading dimension a_stride, B is 8 x cols with leading dimension 8.
void rank_update(int rows, int cols, const double* a, std::ptrdiff_t a_stride, const double* b,
                 double* c, std::ptrdiff_t c_stride);
void rank_update(int rows, int cols, const float* a, std::ptrdiff_t a_stride, const float* b,
                 float* c, std::ptrdiff_t c_stride);

}  // namespace hodge::linalg::host
