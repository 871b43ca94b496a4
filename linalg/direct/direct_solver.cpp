#include "linalg/direct/direct_solver.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "linalg/base/errors.hpp"
#include "linalg/direct/agreed_methods.hpp"
#include "linalg/direct/axis_fft.hpp"
#include "linalg/direct/axis_products.hpp"
#include "linalg/direct/eigenbasis.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace {

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
DirectSolver<Space, T>::DirectSolver(const SeparableSystem& system, const SharedPoints& points,
                                     std::optional<int> pieces)
    : DirectSolver(system, agreed_methods<Space>(checked(system), sizeof(T), points),
                   library_of<Space, T>(), points, pieces) {}

template <class Space, class T>
DirectSolver<Space, T>::DirectSolver(const SeparableSystem& system,
                                     const std::vector<AxisMethod>& methods, const MakeFft<T>& make,
                                     const SharedPoints& points, std::optional<int> pieces) {
  system.check();
  const SharedBox<Space> shared(system, methods, points);
  rows_ = shared.own_points();
  set_shift(system.shift, system.factor);
  if (!shared.is_divided()) {
    whole_ = std::make_unique<DirectSolver>(system, methods, make);
    whole_points_.emplace(points);
    return;
  }
  set_up({system, methods, make, points, shared}, pieces.value_or(shared.template pieces<T>()));
}

template <class Space, class T>
void DirectSolver<Space, T>::set_up(const Made& made, int pieces) {
  const SharedBox<Space>& shared = made.shared;
  const Values values = set_up_passes(made);
  const std::vector<bool> by_fft = axes_of_box(made.methods);
  if (std::find(by_fft.begin(), by_fft.end(), true) != by_fft.end())
    box_ = std::make_unique<BoxFft<Space, T>>(made.system, by_fft, values, made.make,
                                              shared.template part<T>(pieces));
  else
    for (std::size_t d = 0; d < values.size(); ++d) {
      const auto [first, count] = shared.of_lines(d);
      eigenvalues_[d] = Buffer<double, Space>(std::span(values[d]).subspan(
          static_cast<std::size_t>(first), static_cast<std::size_t>(count)));
    }
  const auto most = static_cast<int>(shared.most_points());
  if (!passes_.empty() || box_->needs_scratch()) work_ = Vector<Space, T>(most);
  if (!made.points.is_shared()) return;
  if (!passes_.empty()) second_ = Vector<Space, T>(most);
  fix_arrays();
}

// Forward, the first pass writes work_, the second one second_, and so on; each pass back writes
// the array that the other one read (solve()).
template <class Space, class T>
void DirectSolver<Space, T>::fix_arrays() {
  const auto all_of = [](Vector<Space, T>& v) {
    return std::span(v.data(), static_cast<std::size_t>(v.size()));
  };
  std::span<T> in = all_of(second_), out = all_of(work_);
  for (const auto& pass : passes_) {
    pass->fix_arrays(in, out, ArrayUse::any);
    std::swap(in, out);
  }
}

template <class Space, class T>
void DirectSolver<Space, T>::add(std::unique_ptr<BoxPass<T>> pass) {
  if (pass == nullptr) return;
  scale_ *= pass->scale();
  passes_.push_back(std::move(pass));
}

// The eigenvalues of each axis that is not part of a box.
template <class Space, class T>
auto DirectSolver<Space, T>::set_up_passes(const Made& made) -> Values {
  const auto& [system, methods, make, points, shared] = made;
  std::vector<typename AxisProducts<Space, T>::Matrix> vectors(system.axes.size());
  Values values(3, {0.0});
  add(shared.template to_layers<T>());
  for (std::size_t d = 0; d < system.axes.size(); ++d) {
    if (d + 1 == system.axes.size()) {
      add(shared.template to_slots<T>());
      add(shared.template to_lines<T>());
    }
    if (methods[d] == AxisMethod::fft_of_box) continue;
    if constexpr (std::is_same_v<T, double>) {
      if (methods[d] == AxisMethod::fft_of_lines) {
        values[d] = uniform_eigenvalues(system.axes[d]);
        add(axis_fft(shared.shape(d), system.axes[d]));
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
    add(std::make_unique<AxisProducts<Space, T>>(shared.shape(d), vectors[d]));
  }
  add(shared.template to_layers_again<T>());
  return values;
}

template <class Space, class T>
void DirectSolver<Space, T>::check_sizes(const Vector<Space, T>& b,
                                         const Vector<Space, T>& x) const {
  if (b.size() != rows() || x.size() != rows())
    throw ShapeError("a separable system of " + std::to_string(rows()) + " rows, b has " +
                     std::to_string(b.size()) + " entries, x " + std::to_string(x.size()));
}

template <class Space, class T>
void DirectSolver<Space, T>::solve(const Vector<Space, T>& b, Vector<Space, T>& x) {
  check_sizes(b, x);
  if (whole_ == nullptr) return solve_in_parts(b, x);
  whole_->shift_ = shift_;
  whole_->solve(whole_points_->gather(b), whole_points_->solution());
  whole_points_->take(x);
}

// Each pass reads one of two arrays and writes the other; one of them is x, or second_ where
// processes share the points. The last pass back writes x, or what is copied to x where it writes
// to arrays of other processes.
template <class Space, class T>
void DirectSolver<Space, T>::solve_in_parts(const Vector<Space, T>& b, Vector<Space, T>& x) {
  T* const second = second_.size() > 0 ? second_.data() : x.data();
  T *to = work_.data(), *other = second;
  const T* from = b.data();
  for (const auto& pass : passes_) {
    pass->forward(from, to);
    from = to;
    std::swap(to, other);
  }
  if (box_ != nullptr) {
    box_->forward(from, to != nullptr ? to : other);
    box_->divide(scale_, shift_);
    // So that the last of the passes back writes x.
    to = passes_.empty() ? x.data() : passes_.size() % 2 == 0 ? second : work_.data();
    other = passes_.size() % 2 == 0 ? work_.data() : second;
    box_->backward(other, to);
    std::swap(to, other);
  } else {
    divide_by_eigenvalues(eigenvalues_, scale_, shift_, other);
  }
  for (std::size_t i = passes_.size(); i-- > 0;) {
    const bool to_x = i == 0 && !passes_[0]->writes_directly();
    passes_[i]->backward(other, to_x ? x.data() : to);
    if (i == 0 && !to_x && rows() > 0)
      Space::copy(to, x.data(), sizeof(T) * static_cast<std::size_t>(rows()));
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
