// Products with sparse matrices, which are guarded (space.hpp), and the operations on index arrays
// that build them. matrices/spmv_host.cpp, matrices/spmv_cuda.cu;
// vectors/index_arrays_each_space.hpp.
#pragma once

#include "linalg/base/macros.hpp"
#include "linalg/space/box_rows_view.hpp"
#include "linalg/space/spmv_plan.hpp"

namespace hodge::linalg {

// The entries of a COO matrix.
template <class T>
struct EntryView {
  int size = 0;
  const int* row_indices = nullptr;
  const int* columns = nullptr;
  const T* values = nullptr;
};

// Where the dot products that come with y = A x are stored: w . y, w . w, y . y, and, if a v is
// given, v . y and v . w.
struct ProductDots {
  double* wy = nullptr;
  double* ww = nullptr;
  double* yy = nullptr;
  double* vy = nullptr;
  double* vw = nullptr;
};

class GhostExchange;
class DeviceGhosts;

// The rows of a matrix that processes share which have entries in columns of other processes, the
// ghosts (matrices/row_sharing.hpp). An entry at column c >= cols is at ghost c - cols. One process
// alone has no exchange.
struct GhostRowsView {
  const GhostExchange* exchange = nullptr;
  int count = 0;
  const int* rows = nullptr;                // ascending, in memory of the host
  const DeviceGhosts* on_device = nullptr;  // Cuda (matrices/device_ghosts.hpp)
};

// Positions of entries.
struct RowRange {
  int first, last;
  HODGE_HD int size() const { return last - first; }
};

template <class T>
struct CsrView {
  int rows = 0;
  int cols = 0;
  int nonzeros = 0;
  const int* row_offsets = nullptr;  // rows + 1
  const int* columns = nullptr;      // ascending in each row
  const int* diagonal = nullptr;     // rows: position of the first entry with column >= row
  const T* values = nullptr;
  // rows: the values of the diagonal once more, for matrices that keep them apart
  // (CsrMatrix::keep_diagonal); null: read them among the values
  const T* diagonal_values = nullptr;
  SpmvPlan plan;               // how to multiply
  DiagonalsView diagonals;     // that the entries lie on, if they are few
  LongRowsView long_rows;      // rows that the plan's kernel leaves out
  double* products = nullptr;  // nonzeros, if the plan's kernel is csr_two_step
  // The view is that of A^T, whose entries are not stored (TransposedDiagonals): only for
  // csr_diagonals and without dot products. Then the bits of `diagonals` right of the main one are
  // those left of it in A.
  bool transposed = false;
  // The same rows by arrays of the axes (CsrMatrix::describe_as): products read these.
  BoxRowsView box;
  GhostRowsView ghosts;

  bool multiplies_by_box() const { return box.dim > 0 && !transposed; }
  CsrView by_entries() const {
    CsrView view = *this;
    view.box = {};
    return view;
  }
  HODGE_HD RowRange row(int i) const { return {row_offsets[i], row_offsets[i + 1]}; }
};

enum class Triangle { strictly_lower, strictly_upper, both };

template <class Space>
struct SparsePrimitives {
  // With the kernel of the matrix's plan (matrices/spmv.hpp).
  template <class T>
  static void spmv(const CsrView<T>& a, double alpha, const T* x, double beta, const T* b,
                   T* y);  // y = alpha A x + beta b; b may be y
  template <class T>
  static void spmv_dots(const CsrView<T>& a, const T* x, const T* w, T* y, const ProductDots& dots,
                        const T* v = nullptr);  // y = A x for a square A, and the dot products
  // r = b - A x for a square A, and b . r, b . b, r . r as w . y, w . w, y . y; r is not b.
  template <class T>
  static void residual_dots(const CsrView<T>& a, const T* x, const T* b, T* r,
                            const ProductDots& dots);
  // y = A x, y_transposed = A^T w and {w . y, w . w, y . y}, with one pass over the entries of a
  // square A on few diagonals (the plan's kernel is csr_diagonals).
  template <class T>
  static void spmv_both(const CsrView<T>& a, const T* x, const T* w, T* y, T* y_transposed,
                        const ProductDots& dots);
  // y = factor (b - d o P(A) x), P(A) a strict triangle of A or both, o the product by elements.
  template <class T>
  static void sweep(const CsrView<T>& a, Triangle part, const T* d, const T* x, const T* b,
                    double factor, T* y);

  // Index arrays.
  static void exclusive_scan(int n, const int* in, int* out);  // may be in place
  template <class T>
  static void stable_sort_by_key(int n, int* keys, T* values);
  template <class T>
  static void gather(int n, const int* map, const T* in, T* out);  // out_i = in[map_i]
  // The sum of the n integers. Waits. Always of this process's array alone, also where rows are
  // shared (processes/shared_rows.hpp): it tells the size of another array.
  static long long sum(int n, const int* in);
};

}  // namespace hodge::linalg
