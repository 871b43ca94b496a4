// The body of divide.hpp.
#pragma once

#include "linalg/base/macros.hpp"
#include "linalg/direct/divide.hpp"
#include "linalg/space/this_space.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg {

template <class T>
HODGE_HD T times(double factor, T amplitude) {
  return static_cast<T>(factor * static_cast<double>(amplitude));
}
template <class T>
HODGE_HD Complex<T> times(double factor, const Complex<T>& amplitude) {
  return {times(factor, amplitude.re), times(factor, amplitude.im)};
}

template <class Space, class Amplitude>
void divide_by_eigenvalues(const Eigenvalues<Space>& values, double scale, const SpectralShift& by,
                           Amplitude* x) {
  const auto size = [&](int d) { return static_cast<int>(values[d].size()); };
  const Box<3> box{{{0, 0, 0}}, {{size(0), size(1), size(2)}}};
  const double *const a = values[0].data(), *const b = values[1].data(),
                      *const c = values[2].data();
  const double shift = by.shift, factor = by.factor;
  for_each<Space>(box, [=] HODGE_LAMBDA(const Index<3>& i) {
    const double sum = shift + factor * (a[i[0]] + (b[i[1]] + c[i[2]]));
    Amplitude& amplitude = x[box.position(i)];
    amplitude = sum > 0.0 ? times(scale / sum, amplitude) : Amplitude{};
  });
}

template void divide_by_eigenvalues(const Eigenvalues<ThisSpace>&, double, const SpectralShift&,
                                    double*);
template void divide_by_eigenvalues(const Eigenvalues<ThisSpace>&, double, const SpectralShift&,
                                    float*);
template void divide_by_eigenvalues(const Eigenvalues<ThisSpace>&, double, const SpectralShift&,
                                    Complex<double>*);
template void divide_by_eigenvalues(const Eigenvalues<ThisSpace>&, double, const SpectralShift&,
                                    Complex<float>*);

}  // namespace hodge::linalg
