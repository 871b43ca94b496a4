#include "linalg/dense/dense_lu.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/base/errors.hpp"
#include "linalg/dense/condition_estimate.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace {

// The widths are measured: on CUDA a block must be deep enough for the tensor cores, on the Host
// its panels should stay in the cache.
template <class Space>
LuBlocking choose_blocking(const LuSettings& settings) {
  LuBlocking blocking;
  if (settings.panel > 0) blocking.panel = settings.panel;
  const int block = std::is_same_v<Space, Host> ? 96 : 256;
  blocking.block = settings.block > 0 ? settings.block : block / blocking.panel * blocking.panel;
  if (settings.pivot_search == "thrust") blocking.search = PivotSearch::thrust;
  return blocking;
}

}  // namespace

template <class Space, class T>
DenseLu<Space, T>::DenseLu(int max_n, const LuSettings& settings) : settings_(settings) {
  check_settings();
  if (max_n < 0) throw ShapeError("Gauss: " + std::to_string(max_n) + " unknowns");
  factors_ = Buffer<T, Space>(static_cast<std::size_t>(max_n) * static_cast<std::size_t>(max_n));
  prepare(max_n);
}

template <class Space, class T>
DenseLu<Space, T>::DenseLu(DenseMatrix<Space, T>&& a, const LuSettings& settings)
    : settings_(settings) {
  check_settings();
  const int n = a.rows();
  if (a.cols() != n) {
    throw ShapeError("Gauss: the matrix is " + std::to_string(n) + " x " +
                     std::to_string(a.cols()) + ", expected a square one");
  }
  factors_ = std::move(a.values());
  prepare(n);
  report_ = factor_in_place(n);
}

template <class Space, class T>
void DenseLu<Space, T>::check_settings() const {
  const std::string& search = settings_.pivot_search;
  if (search != "fused" && search != "thrust") {
    throw ConfigError("Gauss: pivot_search is '" + search + "', expected fused or thrust");
  }
  if (settings_.panel < 0 || settings_.panel > lu_panel_width) {
    throw ConfigError("Gauss: panel is " + std::to_string(settings_.panel) + ", expected 1 to " +
                      std::to_string(lu_panel_width) + ", or 0");
  }
  const int panel = settings_.panel == 0 ? lu_panel_width : settings_.panel;
  if (settings_.block < 0 || settings_.block % panel != 0) {
    throw ConfigError("Gauss: block is " + std::to_string(settings_.block) +
                      ", expected a multiple of panel (" + std::to_string(panel) + "), or 0");
  }
}

template <class Space, class T>
void DenseLu<Space, T>::prepare(int max_n) {
  blocking_ = choose_blocking<Space>(settings_);
  const auto size = static_cast<std::size_t>(max_n);
  std::vector<int> identity(size);
  std::iota(identity.begin(), identity.end(), 0);
  identity_ = Buffer<int, Space>(std::span<const int>(identity));
  order_ = Buffer<int, Space>(size);
  source_ = Buffer<int, Space>(size);
  destination_ = Buffer<int, Space>(size);
  exchanges_ = {max_n, source_.data(), destination_.data()};
  scratch_ = Vector<Space, T>(max_n);
  const LuStatus fresh;
  fresh_status_ = Buffer<LuStatus, Space>(std::span<const LuStatus>(&fresh, 1));
  status_ = Buffer<LuStatus, Space>(1);
  Space::prepare_dense();
}

template <class Space, class T>
std::size_t DenseLu<Space, T>::memory(int n) {
  const auto size = static_cast<std::size_t>(n);
  return sizeof(T) * size * (size + 1) + 4 * sizeof(int) * size + 2 * sizeof(LuStatus);
}

template <class Space, class T>
void DenseLu<Space, T>::check_size(int rows, int cols) const {
  if (rows == cols && rows >= 0 && static_cast<std::size_t>(rows) <= order_.size()) return;
  throw ShapeError("Gauss: the matrix is " + std::to_string(rows) + " x " + std::to_string(cols) +
                   ", expected a square one of at most " + std::to_string(order_.size()) + " rows");
}

template <class Space, class T>
LuReport DenseLu<Space, T>::factor(const DenseMatrix<Space, T>& a) {
  const int n = a.rows();
  check_size(n, a.cols());
  if (n > 0) Space::copy(a.data(), factors_.data(), a.values().bytes());
  report_ = factor_in_place(n);
  return report_;
}

template <class Space, class T>
LuReport DenseLu<Space, T>::factor_in_place(int n) {
  n_ = n;
  LuReport report;
  if (n == 0) return report;
  Space::copy(fresh_status_.data(), status_.data(), sizeof(LuStatus));
  Space::copy(identity_.data(), order_.data(), sizeof(int) * static_cast<std::size_t>(n));
  const DenseView<T> a{factors_.data(), n, n, n};
  Space::measure_matrix(a.as_const(), status_.data());
  Space::lu_factor(a, exchanges(), blocking_, status_.data());
  Space::exchange_rows(exchanges(), blocking_.panel, DenseView<int>{order_.data(), n, 1, n});
  Space::measure_factors(a.as_const(), status_.data());

  LuStatus status;
  status_.download(std::span<LuStatus>(&status, 1));
  report.singular_column = status.singular;
  report.invalid_column = status.invalid;
  report.weakest_column = status.weakest;
  report.pivot_growth = status.growth;
  report.norm = status.norm;
  if (!report.regular()) {
    report.reciprocal_condition = 0.0;
  } else if (settings_.estimate_condition) {
    report.reciprocal_condition = estimate_reciprocal_condition(report.norm);
  }
  return report;
}

// A = P^T L U, so A^-1 = U^-1 L^-1 P and A^-T = P^T L^-T U^-T.
template <class Space, class T>
double DenseLu<Space, T>::estimate_reciprocal_condition(double norm) {
  std::vector<int> order(static_cast<std::size_t>(n_));
  Space::download(order_.data(), order.data(), sizeof(int) * order.size());
  std::vector<T> y(order.size());
  const DenseView<T> x{scratch_.data(), n_, 1, n_};
  const auto solve_with = [&](Factor first, Factor second) {
    Space::upload(y.data(), x.data, sizeof(T) * y.size());
    Space::solve_triangular(first, factors(), x);
    Space::solve_triangular(second, factors(), x);
    Space::download(x.data, y.data(), sizeof(T) * y.size());
  };
  const auto solve = [&](SolveWith what, std::vector<double>& v) {
    if (what == SolveWith::matrix) {
      for (int i = 0; i < n_; ++i) y[i] = static_cast<T>(v[order[i]]);
      solve_with(Factor::unit_lower, Factor::upper);
      std::copy(y.begin(), y.end(), v.begin());
    } else {
      std::copy(v.begin(), v.end(), y.begin());
      solve_with(Factor::upper_transposed, Factor::unit_lower_transposed);
      for (int i = 0; i < n_; ++i) v[order[i]] = y[i];
    }
  };
  const double condition = norm * estimate_inverse_norm(n_, solve);
  return std::isfinite(condition) && condition > 0.0 ? 1.0 / condition : 0.0;
}

template <class Space, class T>
void DenseLu<Space, T>::check_rows(int rows) const {
  if (rows == n_) return;
  throw ShapeError("Gauss: a right-hand side of " + std::to_string(rows) + " rows for " +
                   std::to_string(n_) + " unknowns");
}

template <class Space, class T>
void DenseLu<Space, T>::solve(const Vector<Space, T>& b, Vector<Space, T>& x) const {
  check_rows(b.size());
  check_rows(x.size());
  if (b.data() == x.data()) return solve(x);
  if (n_ == 0) return;
  const DenseView<T> view{x.data(), n_, 1, n_};
  Space::gather(n_, order_.data(), b.data(), x.data());
  Space::solve_triangular(Factor::unit_lower, factors(), view);
  Space::solve_triangular(Factor::upper, factors(), view);
}

template <class Space, class T>
void DenseLu<Space, T>::solve(Vector<Space, T>& b) const {
  check_rows(b.size());
  if (n_ == 0) return;
  Vector<Space, T> copy = Vector<Space, T>::view(scratch_.data(), n_);
  Space::copy(b.data(), copy.data(), sizeof(T) * static_cast<std::size_t>(n_));
  solve(copy, b);
}

template <class Space, class T>
void DenseLu<Space, T>::solve(DenseMatrix<Space, T>& b) const {
  check_rows(b.rows());
  if (n_ == 0 || b.cols() == 0) return;
  const DenseView<T> view{b.data(), n_, b.cols(), n_};
  Space::exchange_rows(exchanges(), blocking_.panel, view);
  Space::solve_triangular(Factor::unit_lower, factors(), view);
  Space::solve_triangular(Factor::upper, factors(), view);
}

#define HODGE_DENSE_LU(Space, T) template class DenseLu<Space, T>;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_DENSE_LU)

}  // namespace hodge::linalg
