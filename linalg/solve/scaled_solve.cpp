// Solves with a scaled right side or matrix, where norms would leave the range of double.
#include <cmath>
#include <string>
#include <type_traits>

#include "linalg/base/timing.hpp"
#include "linalg/solve/mean.hpp"
#include "linalg/solve/solve.hpp"
#include "linalg/solve/together.hpp"
#include "linalg/space/instantiate.hpp"
#include "linalg/vectors/powers_of_two.hpp"

namespace hodge::linalg {

namespace {

struct Sizes {
  double least, most;
  bool contain(double size) const { return size >= least && size <= most; }
  // The power of two just below `size` if that lies outside; else, and for 0 and infinity, 0.
  int power_beyond(double size) const {
    return contain(size) || size == 0.0 || !std::isfinite(size) ? 0 : std::ilogb(size);
  }
};

// Within these sizes the squares of vectors stay in the range of double and the vectors in that of
// T, until residuals are 1e-16 (float: 1e-7) of b.
template <class T>
constexpr bool is_double = sizeof(T) == sizeof(double);
template <class T>
constexpr Sizes right_sides = is_double<T> ? Sizes{1e-60, 1e60} : Sizes{1e-15, 1e15};
template <class T>
constexpr Sizes entries = is_double<T> ? Sizes{1e-30, 1e30} : Sizes{1e-12, 1e12};

template <class Space, class T>
double largest_size(const Vector<Space, T>& v, Buffer<double, Space>& work) {
  return hodge::linalg::largest_size<Space>(v.size(), v.data(), work);
}

template <class Space, class T>
int power_of_entries(const LinearOperator<Space, T>& a, Buffer<double, Space>& work) {
  if (a.csr() == nullptr) return 0;
  const auto& values = a.csr()->values();
  return entries<T>.power_beyond(
      hodge::linalg::largest_size<Space>(static_cast<int>(values.size()), values.data(), work));
}

// Multiplies the norms of a report with 2^power.
void scale(SolveReport& report, int power) {
  for (double* norm : {&report.rhs_norm, &report.initial_residual, &report.recurrence_residual,
                       &report.true_residual, &report.maximum, &report.maximum_target,
                       &report.target, &report.rounding})
    *norm = std::scalbn(*norm, power);
  for (double& norm : report.history) norm = std::scalbn(norm, power);
}

}  // namespace

template <class Space, class T>
SolveReport LinearSolver<Space, T>::solve(const LinearOperator<Space, T>& a,
                                          const Vector<Space, T>& b, Vector<Space, T>& x,
                                          const SolveOptions& options,
                                          const MaximumRule<Space>* maximum) {
  if (a.rows() != a.cols() || b.size() != a.rows() || x.size() != a.cols()) {
    throw ShapeError("solve: A is " + std::to_string(a.rows()) + " x " + std::to_string(a.cols()) +
                     ", b has " + std::to_string(b.size()) + " entries, x " +
                     std::to_string(x.size()));
  }
  const SharedRows shared = a.shared_rows();
  resize(a.rows());
  if (shared.is_shared()) {
    const std::string refusal = refusal_of_sharing(settings_, shared.total);
    if (!refusal.empty()) throw ConfigError(refusal);
  }
  if (shared.is_shared() && !is_solved_together(a)) {
    if (!whole_) whole_ = std::make_unique<WholeSolve<Space, T>>(settings_, systems_, choices_);
    return whole_->solve(a, b, x, options, maximum, preconditioners_, r_);
  }
  const SharingRows scope(shared);
  Space::synchronize();
  const Clock clock;
  const Arguments arguments{a, b, x, options, maximum};
  const StartNorms norms = start_norms(arguments);
  const Powers powers{0, power_of_right_side(arguments, norms.rhs)};
  const double seconds = clock.seconds();
  SolveReport report =
      powers.right_side == 0 ? solve_as_given(arguments, norms) : solve_scaled(arguments, powers);
  report.solve_seconds += seconds;
  if (report.converged() || report.status == SolveStatus::max_seconds) return report;
  const int power = power_of_entries(a, sizes_);
  if (power == 0) return report;
  const std::optional<double> limit = settings_.max_seconds;
  if (limit && of_first_process(shared, clock.seconds()) >= *limit) return report;
  return solve_with_scaled_entries(arguments, {power, powers.right_side});
}

// r_ holds b without its mean if NullSpace::constant asks for that.
template <class Space, class T>
int LinearSolver<Space, T>::power_of_right_side(const Arguments& arguments, double rhs_norm) {
  if (right_sides<T>.contain(rhs_norm)) return 0;
  double size =
      largest_size(arguments.options.null_space == NullSpace::none ? arguments.b : r_, sizes_);
  if (!std::isfinite(size))
    size = largest_size(arguments.b, sizes_);  // the mean may have overflowed
  return right_sides<T>.power_beyond(size);
}

// The matrix of the arguments is already scaled.
template <class Space, class T>
SolveReport LinearSolver<Space, T>::solve_scaled(const Arguments& given, Powers powers) {
  const int n = given.b.size(), power_of_x = powers.right_side - powers.matrix;
  Vector<Space, T>& x = given.x;
  const bool finite = std::isfinite(largest_size(x, sizes_));
  scale_by_power<Space>(n, x.data(), -power_of_x, x.data());
  if (finite && !std::isfinite(largest_size(x, sizes_))) x.fill(T(0));
  scaled_b_.resize(n);
  scale_by_power<Space>(n, given.b.data(), -powers.right_side, scaled_b_.data());

  SolveOptions options = given.options;
  options.absolute_tolerance = std::scalbn(
      options.absolute_tolerance.value_or(settings_.absolute_tolerance), -powers.right_side);
  MaximumRule<Space> maximum;
  if (given.maximum != nullptr) {
    maximum = *given.maximum;
    maximum.limit = std::scalbn(maximum.limit, -powers.right_side);
  }
  const Arguments scaled{given.a, scaled_b_, x, options, given.maximum ? &maximum : nullptr};
  SolveReport report = solve_as_given(scaled, start_norms(scaled));
  scale_by_power<Space>(n, x.data(), power_of_x, x.data());
  judge_unscaled({{scaled.a, nullptr, *preconditioner(options.system), scaled_b_},
                  x,
                  options,
                  scaled.maximum,
                  report},
                 power_of_x);
  scale(report, powers.right_side);
  scale_by_power<Space>(n, r_.data(), powers.right_side, r_.data());
  return report;
}

// Whether the x of the task is still a solution, which it is not if it has left the range of T.
template <class Space, class T>
void LinearSolver<Space, T>::judge_unscaled(const Task& task, int power_of_x) {
  const int n = task.x.size();
  good_x_.resize(n);
  scale_by_power<Space>(n, task.x.data(), -power_of_x, good_x_.data());
  const Task judged{task.system, good_x_, task.options, task.maximum, task.report};
  measure(judged);
  SolveReport& report = task.report;
  if (!report.converged() || judged.is_solved()) return;
  report.status = report.attempts.back().status = SolveStatus::breakdown;
  report.breakdown = report.attempts.back().breakdown = Breakdown::beyond_range;
}

template <class Space, class T>
SolveReport LinearSolver<Space, T>::solve_with_scaled_entries(const Arguments& given,
                                                              Powers powers) {
  const CsrMatrix<Space, T>& a = *given.a.csr();
  CsrMatrix<Space, T> scaled(a.shared_pattern(), a.symmetry());
  scale_by_power<Space>(static_cast<int>(a.values().size()), a.values().data(), -powers.matrix,
                        scaled.values().data());
  scaled.place_in(a.box());
  SolveOptions options = given.options;
  options.changed = Changed::pattern;
  options.system = 0;
  LinearSolver<Space, T> solver(settings_, a.rows());
  SolveReport report =
      solver.solve_scaled({scaled, given.b, given.x, options, given.maximum}, powers);
  r_ = solver.last_residual();
  return report;
}

#define HODGE_SCALED_SOLVE(Space, T)                                               \
  template SolveReport LinearSolver<Space, T>::solve(                              \
      const LinearOperator<Space, T>&, const Vector<Space, T>&, Vector<Space, T>&, \
      const SolveOptions&, const MaximumRule<Space>*);
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_SCALED_SOLVE)

}  // namespace hodge::linalg
