// The capacitance matrix method: conjugate gradients on the rows beside solids alone, with one
// direct solve of the whole box per iteration.
//
// B is the separable system of the box that A names (CsrMatrix::box), R takes the points that have
// a row (preconditioners/direct.hpp says why R B^-1 R^T is close to A^-1). A and B differ in a few
// rows alone. Where these have small entries, in the cells that a curved body cuts, they are far
// from those of B; Jacobi's method mends this, D = omega / diag(A) in these rows and 0 elsewhere.
// Both make a symmetric preconditioner, from a residual r to z = M^-1 r:
//
//   z_1 = D r,               r_1 = r - A z_1
//   z_2 = R B^-1 R^T r_1,    r_2 = r_1 - A z_2
//   z_3 = D r_2,             z = z_1 + z_2 + z_3,    A z = r - r_2 + A z_3
//
// The interface rows I are those that differ and those coupled with them
// (matrices/interface_rows.hpp). After x_0 = x + R B^-1 R^T (b - A x) the residual is 0 outside of
// I, and remains so: for v on I, (A R B^-1 v)_i = (B B^-1 v)_i = 0 in all other rows, and D v has
// no entry beyond those that differ. cg with M therefore is cg for vectors on I:
//
//   beta = rho / rho_before with rho = (r, z)
//   t = r_1 + beta t,   y = z_1 + z_3 + beta y,   p = z + beta p,   q = A z + beta q
//   alpha = rho / (p, q)
//   s = s + alpha t,   c = c + alpha y,   r = r - alpha q
//
// of which z and A z are read in I alone, and at the end x = x_0 + R B^-1 s + c.
//
// B. L. Buzbee, F. W. Dorr, J. A. George & G. H. Golub, SIAM J. Numer. Anal. 8 (1971) 722-736, who
// solve the capacitance equations directly; W. Proskurowski & O. Widlund, Math. Comp. 30 (1976)
// 433-468, who take conjugate gradients. M: the symmetric multiplicative Schwarz method of B.
// Smith, P. Bjorstad & W. Gropp, Domain Decomposition (1996), chapter 1, for the rows that differ
// and the box.
//
// transforms single: B^-1 of the iterations in single precision. This moves z and so the recurrence
// of r by rounding errors of that precision, and not x: whenever r has fallen by least_reduction,
// it is computed anew from s and c in the precision of x; t, y, p and q go on (residual
// replacement: H. A. van der Vorst & Q. Ye, SIAM J. Sci. Comput. 22, 2000, 835-852).
//
// Iterations grow neither with the cells nor with the range of the entries beside bodies. They grow
// beside thin gaps between solids, thin walls and regions that solids cut off, as those of cg with
// `direct` do, which needs at least as many. The first solve counts as one. If A is the matrix of
// the box itself (I is empty) that is all. The preconditioner is not used. Breakdowns: as cg;
// no_box.
//
// Cost per iteration: the transforms of the box; the vectors on I are short. Before and after, and
// for each replacement: the transforms in the precision of x, and a pass over x. Memory: the
// transforms and two vectors of the box, each twice with single beside double; fourteen vectors on
// I. Where processes share the rows, each of them transforms its part of the box
// (direct/shared_box.hpp), and has the vectors on I, the two of the box and the matrix as a whole.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "linalg/cost/byte_model.hpp"
#include "linalg/direct/agreed_methods.hpp"
#include "linalg/direct/direct_solver.hpp"
#include "linalg/direct/points_of_rows.hpp"
#include "linalg/direct/points_read.hpp"
#include "linalg/matrices/interface_rows.hpp"
#include "linalg/matrices/whole_system.hpp"
#include "linalg/solvers/solver.hpp"

namespace hodge::linalg {

struct CapacitanceSettings {
  std::string transforms = "auto";

  void list(OptionList& options) {
    options.add("transforms", transforms, {"auto", "single", "double"},
                "precision of the direct solves in iterations; auto: single where the same "
                "transforms are there for it");
  }
};

template <class Space, class T>
class Capacitance : public Solver<Space, T> {
 public:
  using Settings = CapacitanceSettings;
  static constexpr bool needs_box = true;
  explicit Capacitance(const CapacitanceSettings& settings) : transforms_(settings.transforms) {}

  // Rows of I: two for each entry that is missing beside a full row.
  static std::size_t memory(const CapacitanceSettings& settings, const SystemSize& size) {
    const std::size_t w = size.value_size, per_row = entries_per_row(size);
    const std::size_t missing =
        per_row * size.rows > size.nonzeros ? per_row * size.rows - size.nonzeros : 0;
    const std::size_t rows = std::min(2 * missing, size.rows);
    const std::size_t interface =
        rows * (4 * sizeof(int) + per_row * (2 * sizeof(int) + w) + 15 * w + sizeof(double));
    const std::size_t single =
        may_be_single(settings, w) ? size.transforms / 2 + 2 * points(size) * sizeof(float) : 0;
    return size.transforms + 2 * points(size) * w + interface + single;
  }
  // The first solve, the last one and one between with their passes over r or x; the transforms of
  // the other iterations.
  static double traffic(const CapacitanceSettings& settings, const SystemSize& size,
                        const CountedIterations& i) {
    if (i.count == 0) return 0;
    const bool single = may_be_single(settings, size.value_size);
    const double box = static_cast<double>(points(size) * size.value_size);
    // 4 per axis, 2 between them
    const double transforms = 2.0 * static_cast<double>(entries_per_row(size)) * box;
    const double of_rows = static_cast<double>(points(size) * sizeof(int));
    const double correction = transforms + box + of_rows + vectors_bytes(size, 2);
    const int corrections = i.count == 1 ? 1 : single ? 3 : 2;
    return corrections * correction + 2 * box + (i.count - 1) * transforms * (single ? 0.5 : 1.0);
  }

  void resize(int) override {}
  bool shows_residual() const override { return std::is_same_v<T, double> || !is_shared_; }

  void setup(const LinearOperator<Space, T>& a, Changed changed, NullSpace) override {
    if (changed == Changed::nothing) return;
    if (a.csr() == nullptr) throw ShapeError("capacitance needs an operator with entries");
    is_shared_ = a.shared_rows().is_shared();
    if (changed == Changed::pattern) {
      vectors_.setup(a);
      matrix_.setup(*a.csr());
    } else {
      matrix_.refresh(*a.csr());
    }
    const auto of_rows = is_shared_ ? points_of_rows(*a.csr()) : std::nullopt;
    points_ = of_rows ? of_rows->points : SharedPoints{};
    const SharingRows alone({});
    find_interface(matrix_.matrix(), changed);
    if (!is_shared_) return;
    for (Vec* v : {&whole_r_, &whole_x_}) v->resize(matrix_.matrix().rows());
  }

  void improve(const LinearSystem<Space, T>& system, Vector<Space, T>& x, Vector<Space, T>& r,
               Monitor<Space>& monitor) override {
    if (!has_box_) {
      const Scalar<Space> zero(0.0), one(1.0);
      return monitor.require_positive(zero, one, one, Breakdown::no_box);
    }
    if (!is_shared_) {
      if (monitor.watches_maximum()) interface_.gather(monitor.watch().weights, weights_.data());
      return improve_whole(system, r, x, monitor);
    }
    if constexpr (std::is_same_v<T, double>) {
      if (monitor.watches_maximum()) {
        auto* const weights = const_cast<double*>(monitor.watch().weights);
        vectors_.gather(Vec::view(weights, r.size()), whole_x_);
        interface_.gather(whole_x_.data(), weights_.data());
      }
    }
    vectors_.gather(r, whole_r_);
    vectors_.gather(x, whole_x_);
    improve_whole(system, whole_r_, whole_x_, monitor);
    vectors_.take(whole_x_, x);
  }

 private:
  using Vec = Vector<Space, T>;
  // Of r in a stage: a hundred times what rounding in single precision adds to r, as measured for a
  // ball in boxes of 32^3 to 128^3 cells.
  static constexpr double least_reduction = 1e-4;

  static std::size_t points(const SystemSize& size) {
    return size.box_points > 0 ? size.box_points : size.rows;
  }
  static std::size_t entries_per_row(const SystemSize& size) {
    return 1 + 2 * static_cast<std::size_t>(size.dim);
  }
  static bool may_be_single(const CapacitanceSettings& settings, std::size_t value_size) {
    return value_size > sizeof(float) && settings.transforms != "double";
  }

  // Allocates with a new pattern, a new box, or rows that differ from the box for the first time.
  void find_interface(const CsrMatrix<Space, T>& a, Changed changed) {
    const auto rows = rows_of_box(a);
    has_box_ = rows.has_value();
    if (!has_box_) return box_.reset();
    const SeparableSystem& box = *a.box();
    const bool same_box = box_ && box_->axes == box.axes && box_->shift == box.shift &&
                          box_->factor == box.factor && points_of_solvers_ == points_;
    if (same_box && changed == Changed::values && interface_.refresh(a)) return;
    if (!same_box) make_solvers(box);
    interface_.find(a, box, *rows);
    for (Vec* v :
         {&r_, &r1_, &r2_, &z_, &z1_, &z3_, &az_, &t_, &y_, &p_, &q_, &s_, &c_, &r_at_start_})
      v->resize(interface_.size());
    weights_.resize(interface_.size());
    right_side_.fill(0);
    if (single_) single_right_side_.fill(0);
    if (!points_.is_shared()) return;
    read_ = PointsRead<T>(points_, interface_.points_read());
    if (single_) single_read_ = PointsRead<float>(points_, interface_.points_read());
  }

  void make_solvers(const SeparableSystem& box) {
    single_.reset();
    solver_.emplace(box, points_);
    const auto points = static_cast<int>(box.rows());
    for (Vec* v : {&right_side_, &solution_}) v->resize(points);
    if (takes_single(box)) {
      single_.emplace(box, points_);
      for (auto* v : {&single_right_side_, &single_solution_}) v->resize(points);
    }
    box_ = box;
    points_of_solvers_ = points_;
  }

  // auto: not where a library transforms an axis in double precision alone.
  bool takes_single(const SeparableSystem& box) const {
    if (std::is_same_v<T, float> || transforms_ != "auto")
      return !std::is_same_v<T, float> && transforms_ == "single";
    const auto of_single = agreed_methods<Space>(box, sizeof(float), points_),
               of_double = agreed_methods<Space>(box, sizeof(double), points_);
    for (std::size_t d = 0; d < of_single.size(); ++d)
      if (of_double[d] == AxisMethod::fft_of_lines && of_single[d] != of_double[d]) return false;
    return true;
  }

  // Improves x from r = b - A x, both with all rows.
  void improve_whole(const LinearSystem<Space, T>& system, const Vec& r, Vec& x,
                     Monitor<Space>& monitor) {
    // All scalars that live during iterations, so that those of iterations have the same addresses
    // each time (vectors/scalar.hpp).
    Scalar<Space> rho(1.0), beta, unit, sum;
    start(r, x, sum, monitor);
    if (!monitor.running(0)) return;
    for (Vec* v : {&s_, &c_, &t_, &y_, &p_, &q_}) v->fill(0);
    if (single_) r_at_start_ = r_;
    double residual = single_ ? monitor.state().residual : 0;
    bool goes_on = true;
    while (goes_on) {
      const double stage_target = least_reduction * residual;
      if (single_) {
        monitor.resume(residual, stage_target);
        unit = on_interface([&] { return norm(r_); });
      }
      const auto iteration = [&] {
        const SharingRows alone({});
        precondition(unit, sum);  // z = M^-1 r, and A z
        const auto [rho_new, rr, zz] = dots(r_, z_, r_, r_, z_, z_);
        monitor.require_positive(rho_new, rr, zz, Breakdown::indefinite_preconditioner);
        beta = rho_new / rho;
        rho = rho_new;
        t_ = r1_ + beta * t_;
        y_ = z1_ + beta * y_;
        p_ = z_ + beta * p_;
        q_ = az_ + beta * q_;
        const auto [pq, pp, qq] = dots(p_, q_, p_, p_, q_, q_);
        monitor.require_positive(pq, pp, qq, Breakdown::indefinite_operator);
        const auto alpha = rho / pq;
        s_ = s_ + alpha * t_;
        c_ = c_ + alpha * y_;
        r_ = r_ - alpha * q_;
        monitor.iteration(dot(r_, r_), r_, weights_);
      };
      this->iterate(system, x, r, monitor, iteration, 0);
      const MonitorState end = monitor.state();
      monitor.stop();
      solve_for_correction(sum);
      if (end.status != SolveStatus::converged || end.residual > stage_target ||
          end.iterations == end.max_iterations)
        break;
      residual = on_interface([&] { return norm(r_); }).to_host();
      // Rounding has moved r so far that the directions are no longer conjugate to it.
      if (residual > 2 * end.residual)
        for (Vec* v : {&t_, &y_, &p_, &q_}) v->fill(0);
      goes_on = residual > monitor.target();
    }
    add_correction(x, sum);
  }

  // Sums over rows of I, of which every process has all.
  template <class Sum>
  static Scalar<Space> on_interface(Sum sum) {
    const SharingRows alone({});
    return sum();
  }

  // x = x + M^-1 r, and the residual of that.
  void start(const Vec& r, Vec& x, Scalar<Space>& sum, Monitor<Space>& monitor) {
    const SharingRows alone({});
    const BoxUnits units = whole_units(r, sum);
    interface_.extend(r, units, right_side_);
    solve_points(*solver_, right_side_, solution_, read_);
    interface_.add(solution_, units, x);
    right_side_.fill(0);
    interface_.gather(r.data(), r_.data());
    interface_.take(solution_, units, z_, az_);
    r_ = r_ - 1.0 * az_;
    monitor.iteration(dot(r_, r_), r_, weights_);
  }

  // z = M^-1 r and A z on I; z_1 becomes z_1 + z_3.
  void precondition(const Scalar<Space>& unit, Scalar<Space>& sum) {
    interface_.smooth(r_, z1_);
    interface_.subtract_product(z1_, r_, r1_);
    solve_box(unit, sum);
    r2_ = r1_ - 1.0 * az_;
    interface_.smooth(r2_, z3_);
    interface_.subtract_product(z3_, r2_, az_);
    az_ = r_ - 1.0 * az_;
    z1_ = z1_ + 1.0 * z3_;
    z_ = z_ + 1.0 * z1_;
  }
  // z = B^-1 r_1 and A z on I. In single precision of r_1 in units of the norm that r had, which
  // may be small.
  void solve_box(const Scalar<Space>& unit, Scalar<Space>& sum) {
    BoxUnits units = whole_units(r1_, sum);
    if (!single_) return solve_box(*solver_, r1_, units, right_side_, solution_, read_);
    units.unit = unit.data();
    solve_box(*single_, r1_, units, single_right_side_, single_solution_, single_read_);
  }
  template <class Solver, class Box, class Read>
  void solve_box(Solver& solver, const Vec& r, BoxUnits units, Box& right_side, Box& solution,
                 Read& read) {
    interface_.put(r, units, right_side);
    solve_points(solver, right_side, solution, read);
    interface_.take(solution, units, z_, az_);
  }
  // Of a solution that processes share each has its own points, and all those that I reads.
  template <class Solver, class Box, class Read>
  void solve_points(Solver& solver, Box& right_side, Box& solution, Read& read) {
    if (!points_.is_shared()) return solver.solve(right_side, solution);
    const auto first = points_.first[static_cast<std::size_t>(points_.processes->rank())];
    auto own = Box::view(solution.data() + first, solver.rows());
    solver.solve(Box::view(right_side.data() + first, solver.rows()), own);
    if constexpr (std::is_same_v<Space, Host>) read.share(solution.data());
  }

  // x = x_0 + R B^-1 s + c, which has been solved for.
  void add_correction(Vec& x, Scalar<Space>& sum) {
    const SharingRows alone({});
    interface_.add(solution_, whole_units(s_, sum), x);
    interface_.add_in_rows(c_, x);
  }

  // B^-1 s, by which x is to be corrected, and r = r_0 - A (R B^-1 s + c) with the r_0 of x.
  void solve_for_correction(Scalar<Space>& sum) {
    const SharingRows alone({});
    if (single_ && leaves_out_constant()) remove_constant();
    solve_box(*solver_, s_, whole_units(s_, sum), right_side_, solution_, read_);
    if (!single_) return;
    az_ = r_at_start_ - 1.0 * az_;
    interface_.subtract_product(c_, az_, r_);
  }

  // Whether B is singular, and no row of A knows the constant either. Rows of A then add up to 0
  // and so do r, t and s, but for what single precision makes of them. Of an s with a sum B^-1 s
  // would leave a residual outside of I, and one with a sum in I, which no iteration can reduce.
  bool leaves_out_constant() const { return box_->is_singular() && !interface_.is_pinned(); }
  void remove_constant() {
    const auto total = sum(s_);
    s_ = s_ - total / static_cast<double>(s_.size());
  }

  BoxUnits whole_units(const Vec& right_side, Scalar<Space>& sum_of_it) {
    if (!interface_.is_pinned()) return {};
    sum_of_it = sum(right_side);
    return {.sum = sum_of_it.data()};
  }

  std::string transforms_;
  bool has_box_ = false, is_shared_ = false;
  WholeMatrix<Space, T> matrix_;
  WholeVectors<Space, T> vectors_;
  Vec whole_r_, whole_x_;  // where processes share the rows

  SharedPoints points_, points_of_solvers_;
  PointsRead<T> read_;
  PointsRead<float> single_read_;

  std::optional<SeparableSystem> box_;  // of the solvers
  std::optional<DirectSolver<Space, T>> solver_;
  std::optional<DirectSolver<Space, float>> single_;  // of iterations; none: solver_
  // Of the box. Right sides are 0 outside of I but for the first one.
  Vec right_side_, solution_;
  Vector<Space, float> single_right_side_, single_solution_;

  InterfaceRows<Space, T> interface_;
  Vec r_, r1_, r2_, z_, z1_, z3_, az_, t_, y_, p_, q_, s_, c_, r_at_start_;  // on I
  Vector<Space, double> weights_;                                            // of the maximum rule
};

}  // namespace hodge::linalg
