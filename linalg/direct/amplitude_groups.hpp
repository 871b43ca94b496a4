// The amplitudes of amplitudes.hpp for point functions: groups of lines that one call works on.
//
//   systems   of different eigenvalues in a group
//   sides     lines of each system; line `side` of a system is amplitude system * sides + side
#pragma once

#include <cstddef>

#include "linalg/base/choose.hpp"
#include "linalg/base/macros.hpp"
#include "linalg/direct/amplitudes.hpp"

namespace hodge::linalg {

template <class T>
class RealGroups {
 public:
  static constexpr int systems = 1, sides = 1;

  explicit RealGroups(const Amplitudes<T>& a)
      : x_(a.x.values),
        y_(a.y.values),
        nx_(a.x.entries),
        y_stride_(a.y_stride),
        layer_stride_(a.layer_stride),
        scale_(a.scale),
        real_(a.real) {}

  class Group {
   public:
    HODGE_HD Group(const RealGroups& of, int number)
        : at_(of.real_ + number % of.nx_ + number / of.nx_ * of.y_stride_),
          layer_stride_(of.layer_stride_),
          scale_(of.scale_) {}
    HODGE_HD void load(int layer, double* amplitude) const {
      amplitude[0] = scale_ * static_cast<double>(at_[layer * layer_stride_]);
    }
    HODGE_HD void store(int layer, const double* amplitude) const {
      at_[layer * layer_stride_] = static_cast<T>(amplitude[0]);
    }

   private:
    T* at_;
    std::ptrdiff_t layer_stride_;
    double scale_;
  };
  HODGE_HD Group group(int number) const { return Group(*this, number); }
  // The eigenvalue of a system.
  HODGE_HD double value(int number, int) const { return x_[number % nx_] + y_[number / nx_]; }

 private:
  const double *x_, *y_;
  int nx_;
  std::ptrdiff_t y_stride_, layer_stride_;
  double scale_;
  T* real_;
};

template <class T, bool Mirrored, bool Coupled, bool Turned>
class SpectrumGroups {
  static constexpr int entries = Mirrored ? 2 : 1;
  static constexpr bool has_turns = Coupled || Turned;
  static constexpr bool pairs_conjugates = Mirrored && Coupled && !Turned;

 public:
  static constexpr int systems = entries * (Coupled && !pairs_conjugates ? 2 : 1);
  static constexpr int sides = 2 * entries / systems;

  explicit SpectrumGroups(const Amplitudes<T>& a)
      : x_(a.x),
        y_(a.y),
        nx_(a.x.groups()),
        y_stride_(a.y_stride),
        layer_stride_(a.layer_stride),
        scale_(a.scale * (Turned ? 0.5 : 1.0)),  // of sums and differences twice
        spectrum_(a.spectrum) {}

  class Group {
   public:
    HODGE_HD Group(const SpectrumGroups& of, int number)
        : layer_stride_(of.layer_stride_), scale_(of.scale_) {
      const int i = number % of.nx_, j = number / of.nx_;
      at_ = of.spectrum_ + (i + of.y_stride_ * j);
      if constexpr (Mirrored)
        step_ = of.x_.is_mirrored ? of.mirrored(of.x_, i) - i
                                  : of.y_stride_ * (of.mirrored(of.y_, j) - j);
      if constexpr (has_turns) {
        const Complex<double> one{1, 0}, x = of.x_.turns != nullptr ? of.x_.turns[i] : one,
                                         y = of.y_.turns != nullptr ? of.y_.turns[j] : one;
        turn_[0] = x * y;
        if constexpr (Mirrored)
          turn_[1] =
              (of.x_.is_mirrored ? conjugate(x) : x) * (of.y_.is_mirrored ? conjugate(y) : y);
      }
    }
    HODGE_HD void load(int layer, double* amplitude) const {
      Complex<double> a[entries];
      const Complex<T>* const from = at_ + layer * layer_stride_;
      for (int t = 0; t < entries; ++t) {
        const Complex<T> entry = from[t * step_];
        a[t] = {scale_ * static_cast<double>(entry.re), scale_ * static_cast<double>(entry.im)};
        if constexpr (has_turns) a[t] = a[t] * turn_[t];
      }
      combine(a);
      if constexpr (pairs_conjugates)
        for (int t = 0; t < entries; ++t) a[t] = 0.5 * a[t];
      for (int t = 0; t < entries; ++t) {
        amplitude[2 * t] = a[t].re;
        amplitude[2 * t + 1] = a[t].im;
      }
    }
    HODGE_HD void store(int layer, const double* amplitude) const {
      Complex<double> a[entries];
      Complex<T>* const to = at_ + layer * layer_stride_;
      for (int t = 0; t < entries; ++t) a[t] = {amplitude[2 * t], amplitude[2 * t + 1]};
      if constexpr (pairs_conjugates) {
        const Complex<double> p = a[0], q = a[1];
        a[0] = p + q;
        a[1] = conjugate(p - q);
      } else {
        combine(a);
      }
      for (int t = 0; t < entries; ++t) {
        if constexpr (has_turns) a[t] = a[t] * conjugate(turn_[t]);
        to[t * step_] = rounded<T>(a[t]);
      }
    }

   private:
    // Entry 0 of a closed axis mirrors itself, and its second amplitude is 0.
    HODGE_HD static void combine(Complex<double>* a) {
      if constexpr (pairs_conjugates) {
        const Complex<double> p = a[0] + conjugate(a[1]), q = a[0] - conjugate(a[1]);
        a[0] = p;
        a[1] = q;
      } else if constexpr (Mirrored) {
        const Complex<double> sum = a[0] + a[1], difference = a[0] - a[1];
        a[0] = sum;
        a[1] = difference;
      }
    }

    Complex<T>* at_;
    std::ptrdiff_t layer_stride_, step_ = 0;
    double scale_;
    Complex<double> turn_[entries];
  };
  HODGE_HD Group group(int number) const { return Group(*this, number); }

  HODGE_HD double value(int number, int system) const {
    const int i = number % nx_, j = number / nx_;
    // Which of two mirrored entries, and whether its imaginary amplitude along a coupled axis: at
    // the second one of a closed axis real and imaginary ones have changed places.
    const int t = pairs_conjugates ? 0 : Coupled ? system / 2 : system;
    const bool imaginary = Coupled && (system % 2 == 1) != (t == 1);
    return of_axis(x_, i, t, imaginary) + of_axis(y_, j, t, imaginary);
  }

 private:
  HODGE_HD static int mirrored(const SpectrumAxis& axis, int q) {
    const int p = axis.mirror - q;
    return p == axis.entries ? 0 : p;
  }
  HODGE_HD static double of_axis(const SpectrumAxis& axis, int q, int t, bool imaginary) {
    if (Mirrored && axis.is_mirrored) return axis.values[t == 1 ? mirrored(axis, q) : q];
    return imaginary && axis.imaginary_values != nullptr ? axis.imaginary_values[q]
                                                         : axis.values[q];
  }

  SpectrumAxis x_, y_;
  int nx_;
  std::ptrdiff_t y_stride_, layer_stride_;
  double scale_;
  Complex<T>* spectrum_;
};

// Calls f with the groups of these amplitudes.
template <class T, class F>
void with_groups(const Amplitudes<T>& a, F f) {
  if (!a.is_spectrum) return f(RealGroups<T>(a));
  const int kind = !a.is_mirrored() ? (a.is_coupled ? 1 : 0)
                   : !a.is_coupled  ? 2
                   : a.is_turned()  ? 4
                                    : 3;
  with_constant<0, 1, 2, 3, 4>(kind, [&](auto constant) {
    constexpr int k = decltype(constant)::value;
    f(SpectrumGroups<T, (k >= 2), (k == 1 || k >= 3), (k == 2 || k == 4)>(a));
  });
}

}  // namespace hodge::linalg
