// The transform along all axes of a box at once by cuFFT's real transforms, on Cuda. All axes are
// periodic and uniform. cuFFT (libcufft.so.12 or .11) is opened when it is first asked for; without
// it the axes are transformed by products.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "linalg/direct/divide.hpp"
#include "linalg/matrices/separable_system.hpp"

namespace hodge::linalg {

// The spectrum has the frequencies 0 .. n/2 along axis 0, and all n along the others: entry (k, l,
// m) stands at k + (n0/2 + 1) (l + n1 m).
template <class T>
class BoxFft {
 public:
  virtual ~BoxFft() = default;
  virtual void forward(const T* in) = 0;
  // Overwrites the spectrum. backward() after forward() multiplies by the number of points.
  virtual void backward(T* out) = 0;
  virtual Complex<T>* spectrum() = 0;
};

// False too in a build without CUDA.
bool has_cufft();

// Whether the spectrum of this system is one that cuFFT transforms, and its entries.
bool has_box_fft(const SeparableSystem& system);
std::size_t spectrum_size(const SeparableSystem& system);
// The eigenvalues of each axis along the spectrum; axes that are missing have one 0.
std::vector<std::vector<double>> spectrum_eigenvalues(const SeparableSystem& system);
// backward(forward(b) / eigenvalues) times this solves A x = b.
double spectrum_scale(const SeparableSystem& system);

// Errors: DeviceError where cuFFT makes no plan, MemoryError.
template <class T>
std::unique_ptr<BoxFft<T>> box_fft(const SeparableSystem& system);

// Bytes that box_fft() holds. The work area is cuFFT's choice, which only a GPU tells; here it is
// taken to be as large as the spectrum, about what sizes with small prime factors need.
std::size_t box_fft_memory(const SeparableSystem& system, std::size_t value_size);

}  // namespace hodge::linalg
