#include "linalg/direct/direct_solver.hpp"

#include <algorithm>
#include <span>
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

// The first axis that is like this one and transformed in the same way.
std::size_t alike(const SeparableSystem& system, const std::vector<AxisMethod>& methods,
                  std::size_t axis) {
  std::size_t first = 0;
  while (methods[first] != methods[axis] || !(system.axes[first] == system.axes[axis])) ++first;
  return first;
}

const SeparableSystem& checked(const SeparableSystem& system) {
  system.check();
  return system;
}

template <class Space, class T>
MakeFft<T> library_of() {
  if constexpr (std::is_same_v<Space, Host>)
    return {};
  else
    return cufft<T>;
}

std::size_t squared(int n) {
  return static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
}

}  // namespace

template <class Space>
std::vector<std::string> axis_methods(const SeparableSystem& system) {
  std::vector<std::string> names;
  for (const AxisMethod method : choose_axis_methods<Space>(system, sizeof(double)))
    names.push_back(describe(method));
  return names;
}

template <class Space, class T>
DirectSolver<Space, T>::DirectSolver(const SeparableSystem& system)
    : DirectSolver(system, choose_axis_methods<Space>(checked(system), sizeof(T)),
                   library_of<Space, T>()) {}

template <class Space, class T>
DirectSolver<Space, T>::DirectSolver(const SeparableSystem& system,
                                     const std::vector<AxisMethod>& methods,
                                     const MakeFft<T>& make) {
  system.check();
  rows_ = static_cast<int>(system.rows());
  set_shift(system.shift, system.factor);
  const std::vector<std::vector<double>> values = set_up_axes(system, methods);
  const std::vector<bool> by_fft = axes_of_box(methods);
  if (std::find(by_fft.begin(), by_fft.end(), true) != by_fft.end())
    box_ = std::make_unique<BoxFft<Space, T>>(system, by_fft, values, make);
  else
    for (std::size_t d = 0; d < values.size(); ++d)
      eigenvalues_[d] = Buffer<double, Space>(std::span<const double>(values[d]));
  if (!axes_.empty() || box_->needs_scratch()) work_ = Vector<Space, T>(rows_);
}

// The eigenvalues of each axis that is not part of a box.
template <class Space, class T>
std::vector<std::vector<double>> DirectSolver<Space, T>::set_up_axes(
    const SeparableSystem& system, const std::vector<AxisMethod>& methods) {
  std::vector<typename AxisProducts<Space, T>::Matrix> vectors(system.axes.size());
  std::vector<std::vector<double>> values(3, {0.0});
  for (std::size_t d = 0; d < system.axes.size(); ++d) {
    if (methods[d] == AxisMethod::fft_of_box) continue;
    if constexpr (std::is_same_v<T, double>) {
      if (methods[d] == AxisMethod::fft_of_lines) {
        values[d] = uniform_eigenvalues(system.axes[d]);
        axes_.push_back(axis_fft(shape_of(system, d), system.axes[d]));
        scale_ *= axes_.back()->scale();
        continue;
      }
    }
    const std::size_t first = alike(system, methods, d);
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

// Each transform reads one of work_ and x and writes the other.
template <class Space, class T>
void DirectSolver<Space, T>::solve(const Vector<Space, T>& b, Vector<Space, T>& x) {
  if (b.size() != rows() || x.size() != rows())
    throw ShapeError("a separable system of " + std::to_string(rows()) + " rows, b has " +
                     std::to_string(b.size()) + " entries, x " + std::to_string(x.size()));
  T *to = work_.data(), *other = x.data();
  const T* from = b.data();
  for (const auto& axis : axes_) {
    axis->forward(from, to);
    from = to;
    std::swap(to, other);
  }
  if (box_ != nullptr) {
    box_->forward(from, to != nullptr ? to : other);
    box_->divide(scale_, shift_);
    // So that the last of the transforms back writes x.
    to = axes_.size() % 2 == 0 ? x.data() : work_.data();
    other = axes_.size() % 2 == 0 ? work_.data() : x.data();
    box_->backward(other, to);
    std::swap(to, other);
  } else {
    divide_by_eigenvalues(eigenvalues_, scale_, shift_, other);
  }
  for (const auto& axis : axes_) {
    axis->backward(other, to);
    std::swap(to, other);
  }
}

template <class Space>
std::size_t direct_memory(const SeparableSystem& system, std::size_t value_size) {
  const std::vector<AxisMethod> methods = choose_axis_methods<Space>(system, value_size);
  const std::vector<bool> by_fft = axes_of_box(methods);
  const bool has_box = std::find(by_fft.begin(), by_fft.end(), true) != by_fft.end();
  const auto by_products = [&](std::size_t d) { return methods[d] == AxisMethod::products; };
  const bool all_in_box = std::find(by_fft.begin(), by_fft.end(), false) == by_fft.end();
  std::size_t values = 0, eigenvalues = 3 - system.axes.size();
  if (!all_in_box || box_needs_scratch(system, by_fft))
    values += static_cast<std::size_t>(system.rows());
  for (std::size_t d = 0; d < system.axes.size(); ++d) {
    eigenvalues += static_cast<std::size_t>(system.axes[d].points());
    if (by_products(d) && alike(system, methods, d) == d)
      values += squared(system.axes[d].points());
  }
  return values * value_size +
         (has_box ? box_fft_memory(system, by_fft, value_size) : eigenvalues * sizeof(double));
}

template <class Space>
double direct_bytes(const SeparableSystem& system, std::size_t value_size) {
  return direct_bytes(system, choose_axis_methods<Space>(system, value_size), value_size);
}

#define HODGE_DIRECT_SOLVER(Space, T) template class DirectSolver<Space, T>;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_DIRECT_SOLVER)
#define HODGE_DIRECT_FACTS(Space)                                                 \
  template std::vector<std::string> axis_methods<Space>(const SeparableSystem&);  \
  template std::size_t direct_memory<Space>(const SeparableSystem&, std::size_t); \
  template double direct_bytes<Space>(const SeparableSystem&, std::size_t);
HODGE_FOR_EACH_SPACE(HODGE_DIRECT_FACTS)

}  // namespace hodge::linalg
