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

}  // namespace

template <class Space>
std::vector<std::string> axis_methods(const SeparableSystem& system) {
  std::vector<std::string> names;
  for (const AxisMethod method : choose_axis_methods<Space>(system, sizeof(double)))
    names.push_back(describe(method));
  return names;
}

template <class Space, class T>
DirectSolver<Space, T>::DirectSolver(const SeparableSystem& system, const SharedPoints& points)
    : DirectSolver(system, agreed_methods<Space>(checked(system), sizeof(T), points),
                   library_of<Space, T>(), points) {}

template <class Space, class T>
DirectSolver<Space, T>::DirectSolver(const SeparableSystem& system,
                                     const std::vector<AxisMethod>& methods, const MakeFft<T>& make,
                                     const SharedPoints& points) {
  system.check();
  const SharedBox<Space> shared(system, methods, points);
  rows_ = shared.own_points();
  set_shift(system.shift, system.factor);
  if (points.is_shared() && !is_solved_in_parts<Space>(points)) {
    whole_ = std::make_unique<DirectSolver>(system, methods, make);
    whole_points_.emplace(points);
    return;
  }
  set_up({system, methods, make, shared});
}

template <class Space, class T>
void DirectSolver<Space, T>::set_up(const Made& made) {
  const SharedBox<Space>& shared = made.shared;
  const Values values = set_up_passes(made);
  const std::vector<bool> by_fft = axes_of_box(made.methods);
  const std::size_t across = eliminated_axis(made.methods);
  if (std::find(by_fft.begin(), by_fft.end(), true) != by_fft.end()) {
    box_ = std::make_unique<BoxFft<Space, T>>(made.system, by_fft, across, values, made.make,
                                              shared.own_layers());
    const double scale = amplitudes_.scale;
    amplitudes_ = box_->amplitudes();
    amplitudes_.scale *= scale;
  } else {
    for (std::size_t d = 0; d < 2; ++d) {
      eigenvalues_[d] = Buffer<double, Space>(std::span<const double>(values[d]));
      SpectrumAxis& axis = d == 0 ? amplitudes_.x : amplitudes_.y;
      axis.entries = static_cast<int>(values[d].size());
      axis.values = eigenvalues_[d].data();
    }
    amplitudes_.set_strides(across + 1 == made.methods.size(), made.system.axes[across].points());
  }
  SeparableSystem axes{made.system.axes};
  lines_.emplace(axes.axes[across], axes.is_singular(), amplitudes_, shared.blocks());
  const auto most = static_cast<int>(shared.most_points());
  if (!passes_.empty() || (box_ != nullptr && box_->needs_scratch()))
    work_ = Vector<Space, T>(most);
  if (shared.template to_blocks<T>() != nullptr) second_ = Vector<Space, T>(most);
}

template <class Space, class T>
void DirectSolver<Space, T>::add(std::unique_ptr<BoxPass<T>> pass) {
  if (pass == nullptr) return;
  amplitudes_.scale *= pass->scale();
  passes_.push_back(std::move(pass));
}

// The eigenvalues of the two axes of a layer, as far as they are not part of a box; of a missing
// one 0.
template <class Space, class T>
auto DirectSolver<Space, T>::set_up_passes(const Made& made) -> Values {
  const auto& [system, methods, make, shared] = made;
  std::vector<typename AxisProducts<Space, T>::Matrix> vectors(system.axes.size());
  Values values(2, {0.0});
  add(shared.template to_blocks<T>());
  std::vector<std::vector<double>> of_axes(system.axes.size());
  std::size_t in_layer = 0;
  for (std::size_t d = 0; d < system.axes.size(); ++d) {
    if (methods[d] == AxisMethod::elimination) continue;
    std::vector<double>& own = values[in_layer++];
    if (methods[d] == AxisMethod::fft_of_box) continue;
    if constexpr (std::is_same_v<T, double>) {
      if (methods[d] == AxisMethod::fft_of_lines) {
        own = uniform_eigenvalues(system.axes[d]);
        add(axis_fft(shared.shape(d), system.axes[d]));
        continue;
      }
    }
    const std::size_t first = alike(system, methods, d);
    if (first < d) {
      vectors[d] = vectors[first];
      of_axes[d] = of_axes[first];
    } else {
      Eigenbasis basis = eigenbasis(system.axes[d]);
      const std::vector<T> rounded(basis.vectors.begin(), basis.vectors.end());
      vectors[d] = std::make_shared<const Buffer<T, Space>>(std::span<const T>(rounded));
      of_axes[d] = std::move(basis.values);
    }
    own = of_axes[d];
    add(std::make_unique<AxisProducts<Space, T>>(shared.shape(d), vectors[d]));
  }
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

// Each pass reads one of two arrays and writes the other; one of them is x, or second_ where points
// move between processes. The last pass back writes x.
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
  Amplitudes<T> amplitudes = amplitudes_;
  if (box_ != nullptr) {
    box_->forward(from, to != nullptr ? to : other);
    lines_->solve(amplitudes, shift_);
    // So that the last of the passes back writes x.
    to = passes_.empty() ? x.data() : passes_.size() % 2 == 0 ? second : work_.data();
    other = passes_.size() % 2 == 0 ? work_.data() : second;
    box_->backward(other, to);
    std::swap(to, other);
  } else {
    if (passes_.empty()) {
      x = b;
      other = x.data();
    }
    amplitudes.real = other;
    lines_->solve(amplitudes, shift_);
  }
  for (std::size_t i = passes_.size(); i-- > 0;) {
    passes_[i]->backward(other, i == 0 ? x.data() : to);
    std::swap(to, other);
  }
}

// Vectors that the elimination reads or writes: the box twice and once, and two values of each
// block in each of four passes; on the Host the box alone.
template <class Space>
double vectors_of_elimination() {
  return std::is_same_v<Space, Host> ? 2 : 3 + 8.0 / layers_of_block<Space>;
}

template <class Space>
std::size_t direct_memory(const SeparableSystem& system, std::size_t value_size) {
  const std::vector<AxisMethod> methods = choose_axis_methods<Space>(system, value_size);
  const std::vector<bool> by_fft = axes_of_box(methods);
  const bool has_box = std::find(by_fft.begin(), by_fft.end(), true) != by_fft.end(),
             has_passes = std::any_of(methods.begin(), methods.end(), [](AxisMethod method) {
               return method == AxisMethod::products || method == AxisMethod::fft_of_lines;
             });
  std::size_t values = 0, eigenvalues = 3 - system.axes.size();  // 0 of axes that are missing
  if (has_passes || (has_box && box_needs_scratch(system, by_fft)))
    values += static_cast<std::size_t>(system.rows());
  std::size_t lines = 1;
  for (std::size_t d = 0; d < system.axes.size(); ++d) {
    const auto points = static_cast<std::size_t>(system.axes[d].points());
    if (methods[d] == AxisMethod::elimination) continue;
    if (methods[d] != AxisMethod::fft_of_box) eigenvalues += points;
    if (methods[d] == AxisMethod::products && alike(system, methods, d) == d)
      values += points * points;
    lines *= points;
  }
  SeparableSystem axes{system.axes};
  const bool has_constant = axes.is_singular();
  const std::size_t across = eliminated_axis(methods);
  const SeparableAxis& axis = system.axes[across];
  if (!has_box)
    return values * value_size + eigenvalues * sizeof(double) +
           elimination_memory<Space>(axis, has_constant, {lines, 1, true}, value_size);
  const BoxSpectrum box = box_spectrum(system, by_fft, system.axes.back().points());
  const std::size_t entries = box.size() / static_cast<std::size_t>(axis.points());
  const bool is_coupled = !system.axes[static_cast<std::size_t>(box.halved)].periodic;
  return values * value_size + box_fft_memory(system, by_fft, value_size) +
         eigenvalues * sizeof(double) +
         elimination_memory<Space>(
             axis, has_constant, {is_coupled ? 2 * entries : entries, is_coupled ? 1U : 2U, false},
             value_size);
}

template <class Space>
double direct_bytes(const SeparableSystem& system, std::size_t value_size) {
  return direct_bytes(system, choose_axis_methods<Space>(system, value_size),
                      vectors_of_elimination<Space>(), value_size);
}

#define HODGE_DIRECT_SOLVER(Space, T) template class DirectSolver<Space, T>;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_DIRECT_SOLVER)
#define HODGE_DIRECT_FACTS(Space)                                                 \
  template std::vector<std::string> axis_methods<Space>(const SeparableSystem&);  \
  template std::size_t direct_memory<Space>(const SeparableSystem&, std::size_t); \
  template double direct_bytes<Space>(const SeparableSystem&, std::size_t);
HODGE_FOR_EACH_SPACE(HODGE_DIRECT_FACTS)

}  // namespace hodge::linalg
