// The queue of the Cuda space: it keeps work back, so that consecutive operations share a kernel.
//
// A solver calls `x = x + alpha * p; r = r - alpha * q; dots(r, r)` and the tests of the monitor
// one by one. Consecutive combinations, products of elements and dot products of one length are
// gathered into one fused kernel (fused.cuh); a product with a matrix computes its dot products
// itself. The kernel before a scalar operation also computes that operation. What is summed is
// shared by processes as it was when it came (processes/shared_rows.hpp), and work that they share
// in another way is not gathered with it. The gathered work is launched when an operation comes
// that does not fit, before any other kernel is launched (stream()), and before the host waits;
// results are the same as without gathering. Used by one host thread only.
#pragma once

#include <variant>

#include "linalg/cuda/kernels/fused.cuh"
#include "linalg/cuda/kernels/scalar_operations.cuh"

namespace hodge::linalg::cuda {

// y = A x, or w - A x, with the dot products of `dots`; v is null if there are none with v. With
// y_transposed also A^T w, for entries on few diagonals.
template <class T>
struct QueuedProduct {
  CsrView<T> a;
  const T* x;
  const T* w;
  const T* v;
  T* y;
  ProductDots dots;
  T* y_transposed = nullptr;
  bool from_w = false;  // y = w - A x
};

class Queue {
 public:
  // Adds to the gathered work if add(fused) finds room there; otherwise launches it and starts
  // anew. `sums`: what is added are dot products.
  template <class T, class Add>
  void join(int n, bool sums, Add add);
  template <class T>
  void product(const QueuedProduct<T>& product);
  void add(const ScalarOperation& operation, MonitorState* state);
  void launch();

 private:
  using Work = std::variant<std::monostate, Fused<double>, Fused<float>, QueuedProduct<double>,
                            QueuedProduct<float>>;

  Work work_;
  SummedRows rows_;  // of the dot products
  ScalarOperations afterwards_;
};

// The queue of the one stream.
Queue& queue();

// Defined beside the kernels.
template <class T>
void launch_product_and_dots(const QueuedProduct<T>& product, const SummedRows& rows, Guard guard,
                             const ScalarOperations& afterwards);
template <class T>
void launch_combine(int n, const Combination<T>& combination, T* out, Guard guard);
void launch_scalar_operations(Guard guard, const ScalarOperations& operations);

}  // namespace hodge::linalg::cuda
