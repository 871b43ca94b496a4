// Work of the Cuda space that waits for its successors, so that neighbours share a kernel.
//
// A solver's lines `x = x + alpha * p; r = r - alpha * q; dots(r, r)` and the tests of the monitor
// that follow are asked for one by one. Combinations, products of elements and dot products of one
// length are gathered into one pass (pass.cuh), or dot products come with a product with a matrix;
// scalar operations are done by the kernel before. What is gathered is launched when something
// comes that cannot join it, and before anything else is queued (stream()) or the host waits: no
// result depends on it. Plain data of one host thread.
#pragma once

#include "linalg/cuda/scalar_operations.cuh"

namespace hodge::linalg::cuda {

template <class T>
void defer_combine(int n, const Combination<T>& combination, T* out);
template <class T>
void defer_multiply_elements(int n, const T* a, const T* b, T* out);
template <class T>
void defer_dots(int n, const DotPairs<T>& pairs);
void defer(const ScalarOperation& operation, MonitorState* state);

// y = A x with the dot products of `dots`, those with v only where there is one; queued by `launch`
// when its scalar operations are known.
template <class T>
struct DeferredProduct {
  CsrView<T> a;
  const T* x;
  const T* w;
  const T* v;
  T* y;
  ProductDots dots;
};
template <class T>
void defer_product(const DeferredProduct<T>& product);

// Defined beside the kernels.
template <class T>
void launch_product_and_dots(const DeferredProduct<T>& product, Guard guard,
                             const ScalarOperations& afterwards);
template <class T>
void launch_combine(int n, const Combination<T>& combination, T* out, Guard guard);
void launch_scalar_operations(Guard guard, const ScalarOperations& operations);

}  // namespace hodge::linalg::cuda
