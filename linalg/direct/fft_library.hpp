// Fourier transforms of a box by a library: cuFFT on a GPU.
#pragma once

#include <cstddef>
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
  // Of a complex layout the points are not used, and the spectrum is transformed in place.
  // backward() overwrites the spectrum.
  virtual void forward(const T* points, Complex<T>* spectrum) = 0;
  virtual void backward(Complex<T>* spectrum, T* points) = 0;
  // The memory that both work in, which transforms that follow one another may share. It is set
  // before the first of them, and not at all where none is needed.
  virtual std::size_t work_bytes() const { return 0; }
  virtual void work_in(void*) {}
};

template <class T>
using MakeFft = std::function<std::unique_ptr<Fft<T>>(const FftLayout&)>;

// cuFFT (libcufft.so.12 or .11) is opened when it is first asked for. False too in a build without
// CUDA.
bool has_cufft();

// On hodge's stream. Errors: DeviceError where cuFFT is missing or makes no plan.
template <class T>
std::unique_ptr<Fft<T>> cufft(const FftLayout& layout);

}  // namespace hodge::linalg
