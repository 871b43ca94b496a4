// Shared by the dense kernels of the Cuda space: cuBLAS, if it is found, the memory for messages
// between blocks, and the panels of an LU factorisation. Included by .cu files only.
#pragma once

#include <cublas_v2.h>

#include "linalg/cuda/device/runtime.hpp"
#include "linalg/cuda/kernels/flagged_words.cuh"
#include "linalg/space/dense_view.hpp"

namespace hodge::linalg::cuda {

// The functions of cuBLAS that are used, opened at run time; null if cuBLAS is missing.
struct Cublas {
  cublasHandle_t handle = nullptr;  // null: not usable
  decltype(cublasDgemm_v2)* dgemm = nullptr;
  decltype(cublasSgemm_v2)* sgemm = nullptr;
  decltype(cublasDgemv_v2)* dgemv = nullptr;
  decltype(cublasSgemv_v2)* sgemv = nullptr;
  decltype(cublasDgemmStridedBatched)* dgemm_strided_batched = nullptr;
  decltype(cublasSgemmStridedBatched)* sgemm_strided_batched = nullptr;

  bool usable() const { return handle != nullptr; }
};

// Opens cuBLAS at the first call, on our stream and with a workspace.
const Cublas& cublas();

// Memory for messages between the blocks of one kernel, and numbers for them that never repeat.
struct MessageBox {
  static constexpr std::size_t capacity = std::size_t{1} << 17;  // words, 2 MB
  FlaggedWord* words = nullptr;
  unsigned next_flag = 1;

  // The first of `count` flags that no word in the box carries.
  unsigned take_flags(unsigned count);
};
MessageBox& message_box();

// Factors P A = L U of a panel in place, rows >= cols <= lu_panel_width. `first_column` is the
// panel's first column in the matrix.
template <class T>
void lu_panel(const DenseView<T>& a, const RowExchange& exchange, int first_column,
              LuStatus* status);
// The same column by column; waits for the device at every column.
template <class T>
void lu_panel_by_thrust(const DenseView<T>& a, const RowExchange& exchange, int first_column,
                        LuStatus* status);

}  // namespace hodge::linalg::cuda
