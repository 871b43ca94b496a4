// The queue of the Cuda space: work that waits for its successors, so that neighbours share a
// kernel.
//
// A solver's lines `x = x + alpha * p; r = r - alpha * q; dots(r, r)` and the tests of the monitor
// that follow are asked for one by one. Combinations, products of elements and dot products of one
// length are gathered into one fused kernel (fused.cuh), or dot products come with a product with a
// matrix; scalar operations are done by the kernel before. What is gathered is launched when
// something comes that cannot join it, and before anything else is launched (stream()) or the host
// waits: no result depends on it. Plain data of one host thread.
#pragma once

#include <variant>

#include "linalg/cuda/fused.cuh"
#include "linalg/cuda/scalar_operations.cuh"

namespace hodge::linalg::cuda {

// y = A x with the dot products of `dots`, those with v only where there is one.
template <class T>
struct QueuedProduct {
  CsrView<T> a;
  const T* x;
  const T* w;
  const T* v;
  T* y;
  ProductDots dots;
};

class Queue {
 public:
  template <class T>
  void combine(int n, const Combination<T>& combination, T* out);
  template <class T>
  void multiply_elements(int n, const T* a, const T* b, T* out);
  template <class T>
  void dots(int n, const DotPairs<T>& pairs);
  template <class T>
  void product(const QueuedProduct<T>& product);
  void add(const ScalarOperation& operation, MonitorState* state);
  void launch();

 private:
  using Work = std::variant<std::monostate, Fused<double>, Fused<float>, QueuedProduct<double>,
                            QueuedProduct<float>>;
  template <class T, class Add>
  void join(int n, Add add);

  Work work_;
  ScalarOperations afterwards_;
};

// That of the one stream.
Queue& queue();

// Defined beside the kernels.
template <class T>
void launch_product_and_dots(const QueuedProduct<T>& product, Guard guard,
                             const ScalarOperations& afterwards);
template <class T>
void launch_combine(int n, const Combination<T>& combination, T* out, Guard guard);
void launch_scalar_operations(Guard guard, const ScalarOperations& operations);

}  // namespace hodge::linalg::cuda
