// Fourier transforms by their definition, as a stand-in for the library of a GPU.
#pragma once

#include <complex>
#include <limits>
#include <memory>
#include <numbers>
#include <vector>

#include "linalg/direct/fft_library.hpp"

namespace hodge::tests {

// O(n) operations for each value and axis.
template <class T>
class PlainFft final : public linalg::Fft<T> {
  using Number = std::complex<double>;
  using Numbers = std::vector<Number>;

 public:
  explicit PlainFft(const linalg::FftLayout& layout)
      : layout_(layout),
        half_(layout.is_complex ? layout.sizes.back() : layout.sizes.back() / 2 + 1) {}

  void forward(const T* points, linalg::Complex<T>* spectrum) override {
    for_each_transform([&](long long at_points, long long at_spectrum) {
      Numbers values;
      for_each_value(
          layout_.sizes, layout_.is_complex ? layout_.spectrum : layout_.points, [&](long long at) {
            if (layout_.is_complex)
              values.emplace_back(spectrum[at_spectrum + at].re, spectrum[at_spectrum + at].im);
            else
              values.emplace_back(points[at_points + at], 0);
          });
      for (std::size_t r = 0; r < layout_.sizes.size(); ++r)
        transform(values, layout_.sizes, r, -1);
      if (!layout_.is_complex) values = first_half(values);
      put(values, spectrum + at_spectrum);
    });
  }

  void backward(linalg::Complex<T>* spectrum, T* points) override {
    for_each_transform([&](long long at_points, long long at_spectrum) {
      Numbers values;
      for_each_value(entries(), layout_.spectrum, [&](long long at) {
        linalg::Complex<T>& entry = spectrum[at_spectrum + at];
        values.emplace_back(entry.re, entry.im);
        entry.re = std::numeric_limits<T>::quiet_NaN();  // may be overwritten
      });
      const std::size_t last = layout_.sizes.size() - 1;
      for (std::size_t r = 0; r < last + (layout_.is_complex ? 1 : 0); ++r)
        transform(values, entries(), r, 1);
      if (layout_.is_complex) return put(values, spectrum + at_spectrum);
      values = real_lines(values);
      std::size_t i = 0;
      for_each_value(layout_.sizes, layout_.points, [&](long long at) {
        points[at_points + at] = static_cast<T>(values[i++].real());
      });
    });
  }

 private:
  std::vector<int> entries() const {
    std::vector<int> sizes = layout_.sizes;
    sizes.back() = half_;
    return sizes;
  }

  template <class F>
  void for_each_transform(F f) const {
    for (int r = 0; r < layout_.repeats; ++r)
      for (int b = 0; b < layout_.batch; ++b)
        f(r * layout_.points.repeat + 1LL * b * layout_.points.distance,
          r * layout_.spectrum.repeat + 1LL * b * layout_.spectrum.distance);
  }

  // f(where the value stands in a transform), by the formula of FftArray, the last axis fastest.
  template <class F>
  static void for_each_value(const std::vector<int>& sizes, const linalg::FftArray& array, F f) {
    std::vector<int> x(sizes.size(), 0);
    for (bool more = true; more;) {
      long long at = x[0];
      for (std::size_t r = 1; r < sizes.size(); ++r) at = at * array.embed[r] + x[r];
      f(at * array.stride);
      more = false;
      for (std::size_t r = sizes.size(); r-- > 0 && !more;) {
        more = ++x[r] < sizes[r];
        if (!more) x[r] = 0;
      }
    }
  }

  static Numbers roots_of(int n, int sign) {
    Numbers roots;
    for (int p = 0; p < n; ++p)
      roots.push_back(std::polar(1.0, sign * 2 * std::numbers::pi * p / n));
    return roots;
  }

  static void transform(Numbers& values, const std::vector<int>& sizes, std::size_t axis,
                        int sign) {
    std::size_t inner = 1;
    for (std::size_t r = axis + 1; r < sizes.size(); ++r) inner *= sizes[r];
    const auto n = static_cast<std::size_t>(sizes[axis]);
    const Numbers roots = roots_of(sizes[axis], sign);
    Numbers line(n);
    for (std::size_t start = 0; start < values.size(); ++start) {
      if (start / inner % n != 0) continue;
      for (std::size_t q = 0; q < n; ++q) {
        double re = 0, im = 0;
        for (std::size_t m = 0, p = 0; m < n; ++m, p = p + q < n ? p + q : p + q - n) {
          const Number &a = values[start + m * inner], &b = roots[p];
          re += a.real() * b.real() - a.imag() * b.imag();
          im += a.real() * b.imag() + a.imag() * b.real();
        }
        line[q] = {re, im};
      }
      for (std::size_t q = 0; q < n; ++q) values[start + q * inner] = line[q];
    }
  }

  Numbers first_half(const Numbers& values) const {
    const auto n = static_cast<std::size_t>(layout_.sizes.back());
    Numbers half;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (i % n < static_cast<std::size_t>(half_)) half.push_back(values[i]);
    return half;
  }

  Numbers real_lines(const Numbers& half) const {
    const int n = layout_.sizes.back();
    const Numbers roots = roots_of(n, 1);
    Numbers values;
    for (std::size_t line = 0; line < half.size(); line += static_cast<std::size_t>(half_))
      for (int m = 0; m < n; ++m) {
        double sum = 0;
        for (int q = 0; q < half_; ++q)
          sum += (q == 0 || 2 * q == n ? 1 : 2) * (half[line + static_cast<std::size_t>(q)] *
                                                   roots[static_cast<std::size_t>(1LL * m * q % n)])
                                                      .real();
        values.emplace_back(sum);
      }
    return values;
  }

  void put(const Numbers& values, linalg::Complex<T>* spectrum) const {
    std::size_t i = 0;
    for_each_value(entries(), layout_.spectrum, [&](long long at) {
      spectrum[at] = {static_cast<T>(values[i].real()), static_cast<T>(values[i].imag())};
      ++i;
    });
  }

  linalg::FftLayout layout_;
  int half_;
};

// The transforms of a box for tests: by their definition on the Host, else those of cuFFT.
template <class Space, class T>
linalg::MakeFft<T> fft_for_tests() {
  if constexpr (std::is_same_v<Space, linalg::Host>)
    return [](const linalg::FftLayout& layout) { return std::make_unique<PlainFft<T>>(layout); };
  else
    return linalg::cufft<T>;
}

template <class Space>
bool has_fft_for_tests() {
  return std::is_same_v<Space, linalg::Host> || linalg::has_cufft();
}

}  // namespace hodge::tests
