#include "linalg/direct/axis_choice.hpp"

#include <algorithm>
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
double seconds_one_way(const SeparableSystem& system, const std::vector<bool>& by_fft,
                       std::size_t value_size) {
  const auto rows = static_cast<double>(system.rows());
  const double pass = 2 * rows * static_cast<double>(value_size) / bytes_per_second;
  double seconds = 0;
  for (std::size_t d = 0; d + 1 < system.axes.size(); ++d)
    if (!by_fft[d])
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

std::vector<AxisMethod> methods_of(const std::vector<bool>& by_fft) {
  std::vector<AxisMethod> methods;
  for (const bool fft : by_fft)
    methods.push_back(fft ? AxisMethod::fft_of_box : AxisMethod::products);
  methods.back() = AxisMethod::elimination;
  return methods;
}

}  // namespace

std::vector<AxisMethod> axis_methods_by_cost(const SeparableSystem& system,
                                             std::size_t value_size) {
  const std::size_t axes = system.axes.size();
  std::vector<bool> best;
  double least = 0;
  for (unsigned mask = 0; mask < 1U << (axes - 1); ++mask) {
    std::vector<bool> by_fft(axes);
    bool possible = true;
    for (std::size_t d = 0; d + 1 < axes; ++d) {
      by_fft[d] = (mask >> d & 1U) != 0;
      possible = possible && is_possible(system.axes[d], by_fft[d]);
    }
    const auto aligned = [&] {
      return is_aligned(fft_layout(box_spectrum(system, by_fft, system.axes.back().points())));
    };
    if (!possible || (mask != 0 && !aligned())) continue;
    const double seconds = seconds_one_way(system, by_fft, value_size);
    if (!best.empty() && seconds >= least) continue;
    least = seconds;
    best = by_fft;
  }
  if (best.empty()) best.assign(axes, false);  // a long axis whose layers are not aligned
  return methods_of(best);
}

template <class Space>
std::vector<AxisMethod> choose_axis_methods(const SeparableSystem& system, std::size_t value_size) {
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
  return has_cufft() ? axis_methods_by_cost(system, value_size) : methods;
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

#define HODGE_AXIS_CHOICE(Space) \
  template std::vector<AxisMethod> choose_axis_methods<Space>(const SeparableSystem&, std::size_t);
HODGE_FOR_EACH_SPACE(HODGE_AXIS_CHOICE)

}  // namespace hodge::linalg
