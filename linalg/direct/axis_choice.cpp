#include "linalg/direct/axis_choice.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "linalg/direct/axis_fft.hpp"
#include "linalg/direct/axis_wave.hpp"
#include "linalg/direct/box_fft.hpp"
#include "linalg/direct/fft_layout.hpp"
#include "linalg/direct/fft_library.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace {

constexpr double bytes_per_second = 4.0e12, operations_per_second = 50e12, start = 3e-6,
                 start_of_product = 7e-6;
constexpr int most_points_by_products = 2048;  // of an axis of equal cells
constexpr double passes_of_slots = 1.5, times_of_strided_pass = 3.5;

int largest_prime_factor(int n) {
  int largest = 1;
  for (int p = 2; n > 1; ++p)
    for (; n % p == 0; n /= p) largest = p;
  return largest;
}

double passes_of_fft(int n, bool real) {
  const int prime = largest_prime_factor(n);
  return 1.2 * (prime <= 7 ? 1 : prime <= 127 ? 2 : 7) * (real && n % 2 == 1 ? 2 : 1);
}

// One way of a solve; without the elimination, which all ways have.
double seconds_one_way(const SeparableSystem& system, const std::vector<AxisMethod>& methods,
                       std::size_t value_size) {
  const std::vector<bool> by_fft = axes_of_box(methods);
  const auto rows = static_cast<double>(system.rows());
  const double pass = 2 * rows * static_cast<double>(value_size) / bytes_per_second;
  double seconds = 0;
  for (std::size_t d = 0; d < system.axes.size(); ++d)
    if (methods[d] == AxisMethod::products)
      seconds += std::max(pass, 2 * rows * system.axes[d].points() / operations_per_second) +
                 start_of_product;
  if (std::count(by_fft.begin(), by_fft.end(), true) == 0) return seconds;
  const BoxSpectrum box = box_spectrum(system, by_fft, system.axes.back().points());
  const FftLayout layout = fft_layout(box);
  const double strided = layout.points.stride > 1 ? times_of_strided_pass : 1;
  for (std::size_t r = 0; r < layout.sizes.size(); ++r) {
    const bool real = !box.is_packed && r + 1 == layout.sizes.size();
    seconds += strided * pass * passes_of_fft(layout.sizes[r], real) + layout.repeats * start;
  }
  if (box.is_split()) seconds += pass * passes_of_fft(last_layout(box).sizes[0], false) + start;
  if (box.is_packed || box_needs_scratch(system, by_fft)) seconds += passes_of_slots * pass + start;
  return seconds;
}

bool is_possible(const SeparableAxis& axis, bool by_fft) {
  return by_fft ? has_wave(axis) : axis.points() <= most_points_by_products || !has_wave(axis);
}

// cuFFT asks for pointers that are aligned as complex values, also of the layers that are
// transformed one by one.
bool is_aligned(const FftLayout& layout) {
  return layout.is_complex || layout.repeats == 1 || layout.points.repeat % 2 == 0;
}

// Bit d of `by_fft`: axis d by Fourier transforms.
std::vector<AxisMethod> methods_of(unsigned by_fft, std::size_t axes, std::size_t eliminated) {
  std::vector<AxisMethod> methods;
  for (std::size_t d = 0; d < axes; ++d)
    methods.push_back((by_fft >> d & 1U) != 0 ? AxisMethod::fft_of_box : AxisMethod::products);
  methods[eliminated] = AxisMethod::elimination;
  return methods;
}

bool are_possible(const SeparableSystem& system, const std::vector<AxisMethod>& methods) {
  for (std::size_t d = 0; d < methods.size(); ++d)
    if (methods[d] != AxisMethod::elimination &&
        !is_possible(system.axes[d], methods[d] == AxisMethod::fft_of_box))
      return false;
  const BoxSpectrum box = box_spectrum(system, axes_of_box(methods), system.axes.back().points());
  return box.halved < 0 || is_aligned(fft_layout(box));
}

}  // namespace

std::vector<AxisMethod> axis_methods_by_cost(const SeparableSystem& system, std::size_t value_size,
                                             bool is_alone) {
  const std::size_t axes = system.axes.size(), last = axes - 1;
  // By products where a long axis has layers that are not aligned.
  std::vector<AxisMethod> best = methods_of(0, axes, last);
  double least = std::numeric_limits<double>::infinity();
  const auto compare = [&](std::size_t eliminated) {
    for (unsigned mask = 0; mask < 1U << axes; ++mask) {
      if ((mask >> eliminated & 1U) != 0) continue;
      const std::vector<AxisMethod> methods = methods_of(mask, axes, eliminated);
      if (!are_possible(system, methods)) continue;
      const double seconds = seconds_one_way(system, methods, value_size);
      if (seconds >= least) continue;
      least = seconds;
      best = methods;
    }
  };
  compare(last);
  if (is_alone && axes == 3) compare(1);
  return best;
}

std::size_t eliminated_axis(const std::vector<AxisMethod>& methods) {
  return static_cast<std::size_t>(std::ranges::find(methods, AxisMethod::elimination) -
                                  methods.begin());
}

template <class Space>
std::vector<AxisMethod> choose_axis_methods(const SeparableSystem& system, std::size_t value_size,
                                            bool is_alone) {
  std::vector<AxisMethod> methods(system.axes.size(), AxisMethod::products);
  methods.back() = AxisMethod::elimination;
  if constexpr (std::is_same_v<Space, Host>) {
    for (std::size_t d = 0; d + 1 < methods.size(); ++d) {
      const SeparableAxis& axis = system.axes[d];
      if (value_size == sizeof(double) && axis.points() > 1 && axis.is_uniform() && has_fftw())
        methods[d] = AxisMethod::fft_of_lines;
    }
    return methods;
  }
  return has_cufft() ? axis_methods_by_cost(system, value_size, is_alone) : methods;
}

std::vector<bool> axes_of_box(const std::vector<AxisMethod>& methods) {
  std::vector<bool> by_fft;
  for (const AxisMethod method : methods) by_fft.push_back(method == AxisMethod::fft_of_box);
  return by_fft;
}

std::string describe(AxisMethod method) {
  if (method == AxisMethod::elimination) return "elimination";
  return method == AxisMethod::products ? "products" : "fft";
}

double direct_bytes(const SeparableSystem& system, const std::vector<AxisMethod>& methods,
                    double elimination, std::size_t value_size) {
  const double vector = static_cast<double>(system.rows()) * static_cast<double>(value_size);
  const std::vector<bool> by_fft = axes_of_box(methods);
  const auto of_box = static_cast<double>(std::count(by_fft.begin(), by_fft.end(), true));
  const double box = of_box > 0 ? box_fft_bytes(system, by_fft, value_size) : 0;
  return 4 * (static_cast<double>(methods.size()) - 1 - of_box) * vector + box +
         elimination * vector;
}

#define HODGE_AXIS_CHOICE(Space)                                                                   \
  template std::vector<AxisMethod> choose_axis_methods<Space>(const SeparableSystem&, std::size_t, \
                                                              bool);
HODGE_FOR_EACH_SPACE(HODGE_AXIS_CHOICE)

}  // namespace hodge::linalg
