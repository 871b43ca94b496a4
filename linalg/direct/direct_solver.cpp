#include "linalg/direct/direct_solver.hpp"

#include <string>
#include <type_traits>
#include <utility>

#include "linalg/base/errors.hpp"
#include "linalg/direct/axis_fft.hpp"
#include "linalg/direct/eigenbasis.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace {

AxisShape shape_of(const SeparableSystem& system, std::size_t axis) {
  AxisShape shape;
  for (std::size_t d = 0; d < system.axes.size(); ++d)
    (d < axis ? shape.inner : d == axis ? shape.points : shape.outer) *= system.axes[d].points();
  return shape;
}

// The first axis that is like this one.
std::size_t alike(const SeparableSystem& system, std::size_t axis) {
  std::size_t first = 0;
  while (!(system.axes[first] == system.axes[axis])) ++first;
  return first;
}

// On a GPU: all axes at once.
template <class Space>
bool is_box_by_fft(const SeparableSystem& system) {
  return !std::is_same_v<Space, Host> && has_box_fft(system) && has_cufft();
}

// On a GPU products are as fast as transforms along one axis up to hundreds of points.
template <class Space, class T>
bool is_by_fft(const SeparableAxis& axis) {
  constexpr bool is_possible = std::is_same_v<Space, Host> && std::is_same_v<T, double>;
  return is_possible && axis.points() > 1 && axis.is_uniform() && has_fftw();
}

std::size_t squared(int n) {
  return static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
}

}  // namespace

template <class Space>
std::vector<std::string> axis_methods(const SeparableSystem& system) {
  const bool whole = is_box_by_fft<Space>(system);
  std::vector<std::string> methods;
  for (const SeparableAxis& axis : system.axes)
    methods.emplace_back(whole || is_by_fft<Space, double>(axis) ? "fft" : "products");
  return methods;
}

template <class Space, class T>
DirectSolver<Space, T>::DirectSolver(const SeparableSystem& system) {
  system.check();
  rows_ = static_cast<int>(system.rows());
  set_shift(system.shift, system.factor);
  std::vector<std::vector<double>> values;
  if constexpr (!std::is_same_v<Space, Host>) {
    if (is_box_by_fft<Space>(system)) {
      box_ = box_fft<T>(system);
      scale_ = spectrum_scale(system);
      values = spectrum_eigenvalues(system);
    }
  }
  if (box_ == nullptr) values = set_up_axes(system);
  for (std::size_t d = 0; d < values.size(); ++d)
    eigenvalues_[d] = Buffer<double, Space>(std::span<const double>(values[d]));
}

// The eigenvalues of each axis.
template <class Space, class T>
std::vector<std::vector<double>> DirectSolver<Space, T>::set_up_axes(
    const SeparableSystem& system) {
  work_ = Vector<Space, T>(rows_);
  std::vector<typename AxisProducts<Space, T>::Matrix> vectors(system.axes.size());
  std::vector<std::vector<double>> values(3, {0.0});
  for (std::size_t d = 0; d < system.axes.size(); ++d) {
    if constexpr (std::is_same_v<T, double>) {
      if (is_by_fft<Space, T>(system.axes[d])) {
        values[d] = uniform_eigenvalues(system.axes[d]);
        axes_.push_back(axis_fft(shape_of(system, d), system.axes[d]));
        scale_ *= axes_.back()->scale();
        continue;
      }
    }
    const std::size_t first = alike(system, d);
    if (first < d) {
      vectors[d] = vectors[first];
      values[d] = values[first];
    } else {
      Eigenbasis basis = eigenbasis(system.axes[d]);
      const std::vector<T> rounded(basis.vectors.begin(), basis.vectors.end());
      vectors[d] = std::make_shared<const Buffer<T, Space>>(std::span<const T>(rounded));
      values[d] = std::move(basis.values);
    }
    axes_.push_back(std::make_unique<AxisProducts<Space, T>>(shape_of(system, d), vectors[d]));
    scale_ *= axes_.back()->scale();
  }
  return values;
}

// Axis by axis an even number of transforms writes work_ and x in turn, the last one x.
template <class Space, class T>
void DirectSolver<Space, T>::solve(const Vector<Space, T>& b, Vector<Space, T>& x) {
  if (b.size() != rows() || x.size() != rows())
    throw ShapeError("a separable system of " + std::to_string(rows()) + " rows, b has " +
                     std::to_string(b.size()) + " entries, x " + std::to_string(x.size()));
  if (box_ != nullptr) {
    box_->forward(b.data());
    divide_by_eigenvalues(eigenvalues_, scale_, shift_, box_->spectrum());
    box_->backward(x.data());
    return;
  }
  T *to = work_.data(), *other = x.data();
  const T* from = b.data();
  for (const auto& axis : axes_) {
    axis->forward(from, to);
    from = to;
    std::swap(to, other);
  }
  divide_by_eigenvalues(eigenvalues_, scale_, shift_, other);
  for (const auto& axis : axes_) {
    axis->backward(other, to);
    std::swap(to, other);
  }
}

template <class Space>
std::size_t direct_memory(const SeparableSystem& system, std::size_t value_size) {
  if (is_box_by_fft<Space>(system)) {
    std::size_t eigenvalues = 0;
    for (const std::vector<double>& axis : spectrum_eigenvalues(system)) eigenvalues += axis.size();
    return box_fft_memory(system, value_size) + eigenvalues * sizeof(double);
  }
  std::size_t values = static_cast<std::size_t>(system.rows());
  for (std::size_t d = 0; d < system.axes.size(); ++d)
    if (alike(system, d) == d &&
        !(value_size == sizeof(double) && is_by_fft<Space, double>(system.axes[d])))
      values += squared(system.axes[d].points());
  std::size_t eigenvalues = 3 - system.axes.size();
  for (const SeparableAxis& axis : system.axes)
    eigenvalues += static_cast<std::size_t>(axis.points());
  return values * value_size + eigenvalues * sizeof(double);
}

#define HODGE_DIRECT_SOLVER(Space, T) template class DirectSolver<Space, T>;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_DIRECT_SOLVER)
#define HODGE_DIRECT_FACTS(Space)                                                \
  template std::vector<std::string> axis_methods<Space>(const SeparableSystem&); \
  template std::size_t direct_memory<Space>(const SeparableSystem&, std::size_t);
HODGE_FOR_EACH_SPACE(HODGE_DIRECT_FACTS)

}  // namespace hodge::linalg
