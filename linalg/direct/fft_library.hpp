// Fourier transforms of a box by a library: cuFFT on a GPU.
#pragma once

#include <functional>
#include <memory>

#include "linalg/base/complex.hpp"
#include "linalg/direct/fft_layout.hpp"

namespace hodge::linalg {

// Transforms as FftLayout describes them, without a factor: backward() after forward() multiplies
// by the product of the sizes. forward() has the exponent -2 pi i m q / n.
template <class T>
class Fft {
 public:
  virtual ~Fft() = default;
  // Of a packed layout the points are null, and the spectrum is transformed in place. backward()
  // overwrites the spectrum.
  virtual void forward(const T* points, Complex<T>* spectrum) = 0;
  virtual void backward(Complex<T>* spectrum, T* points) = 0;
};

template <class T>
using MakeFft = std::function<std::unique_ptr<Fft<T>>(const FftLayout&)>;

// cuFFT (libcufft.so.12 or .11) is opened when it is first asked for. False too in a build without
// CUDA.
bool has_cufft();

// On hodge's stream; work areas are allocated here, and nothing later. Errors: DeviceError where
// cuFFT is missing or makes no plan, MemoryError.
template <class T>
std::unique_ptr<Fft<T>> cufft(const FftLayout& layout);

}  // namespace hodge::linalg
