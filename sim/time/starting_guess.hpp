// What the solve of a system A x = b at time t starts from, out of the solutions before.
//
//   zero          0
//   previous      x of the last time
//   extrapolated  x_1 + (t - t_1) / (t_1 - t_2) (x_1 - x_2)          exact where x is linear in t
//   projected     the combination of the last k solutions that is best for this b
//
// Best for a symmetric positive (semi)definite A that stays the same is the one with the smallest
// error in the A-norm: with an A-orthonormal basis v_i of the solutions, x = sum (v_i . b) v_i. A
// new solution is orthonormalised (Gram-Schmidt, twice) and joins; when there are k, the basis
// starts anew from it. P. F. Fischer, Comput. Methods Appl. Mech. Engrg. 163 (1998) 193-204.
// Cost a system: 2 products, 6 passes over the basis; k + 1 vectors.
// For others it is the one with the smallest residual ||b - A X c||, of the last k solutions
// themselves: A is applied to each, newest first, A X = Q R by Gram-Schmidt done twice, R c = Q^T
// b. Cost: k products, 2 k (k + 1) passes over vectors; 2 k vectors. Where there are too few
// solutions for a kind, it is the kind before.
//
// A quantity with its own scale in time is handed over with that scale: the unknown is `scale`
// times what is extrapolated. The increments of pressure, velocity and scalars in a step grow with
// dt. All is done where the vectors live; after the constructor nothing is allocated and nothing
// waits.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "linalg/matrices/operator.hpp"
#include "linalg/vectors/krylov_basis.hpp"
#include "sim/base/state_visitor.hpp"
#include "sim/model/system_settings.hpp"

namespace hodge::sim {

// `scheme`: what the time scheme has at hand anyway; not made here.
enum class GuessKind { scheme, zero, previous, extrapolated, projected };

struct GuessEntry {
  const char* name;
  const char* description;
  GuessKind kind;
};
std::span<const GuessEntry> guess_table();

// ConfigError with the known names where there is no such guess.
GuessKind guess_kind(const std::string& name);

// What a solver and its guesses are: the state of another one is of no use to them.
std::string identity(const SystemSettings& solver);

enum class Projection { energy, residual };  // A symmetric and always the same; any A

// The kinds that are going to be asked for, and what they need.
struct GuessPlan {
  std::vector<GuessKind> kinds;
  Projection projection = Projection::residual;
  int vectors = 8;  // k
  bool asks_for(GuessKind kind) const {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  }
  // Whether the basis of `vectors` is carried from system to system.
  bool keeps_basis() const {
    return asks_for(GuessKind::projected) && projection == Projection::energy;
  }
};

// Solutions that a StartingGuess keeps as they are, the bytes that it holds, and those that it
// carries to the next system (for_each_state).
int kept_solutions(const GuessPlan& plan);
std::size_t guess_memory(const GuessPlan& plan, std::size_t rows);
std::size_t guess_state_bytes(const GuessPlan& plan, std::size_t rows);

struct Moment {
  double time = 0;
  double scale = 1;  // of the unknown, > 0
};

template <class Space>
class StartingGuess {
 public:
  using Vector = linalg::Vector<Space>;
  using Operator = linalg::LinearOperator<Space>;

  StartingGuess(const GuessPlan& plan, int rows);

  // x := the guess of a kind that was planned for. b without its part in a null space of constants
  // or with it.
  void make(GuessKind kind, const Operator& a, const Vector& b, const Moment& at, Vector& x);
  // x solves A x = b at that moment. One that is not later than the last replaces it.
  void record(const Operator& a, const Vector& x, const Moment& at);
  int recorded() const { return static_cast<int>(recorded_); }  // solutions at hand, at most k

  // What is carried to the next system: visit(name, Vector&), visit(name, long&, least,
  // most), visit(name, double&). The vectors are views: they are written in place, not resized.
  template <class Visitor>
  void for_each_state(Visitor&& visit);

 private:
  int newest(int age) const {  // column of the solution that is `age` before the last
    return static_cast<int>((last_ - age + depth_) % depth_);
  }
  void extrapolate(const Moment& at, int levels, Vector& x);
  void project_energy(const Vector& b, Vector& x);
  void project_residual(const Operator& a, const Vector& b, Vector& x);
  void extend_basis(const Operator& a, const Vector& x);

  GuessPlan plan_;
  int depth_;                                     // solutions that are kept as they are
  linalg::KrylovBasis<Space, double> solutions_;  // a ring, each by its scale
  std::vector<double> times_;
  long recorded_ = 0, last_ = -1;             // count and column of the last
  linalg::KrylovBasis<Space, double> basis_;  // energy: v_i; residual: Q
  long basis_size_ = 0;
  Vector work_;                          // energy: A v
  linalg::Buffer<double, Space> small_;  // R, its right side, c, a correction
};

template <class Space>
template <class Visitor>
void StartingGuess<Space>::for_each_state(Visitor&& visit) {
  const bool has_basis = plan_.keeps_basis();
  visit("recorded", recorded_, 0L, static_cast<long>(depth_));
  visit("last", last_, recorded_ > 0 ? 0L : -1L, depth_ - 1L);
  visit("basis_size", basis_size_, 0L, has_basis ? static_cast<long>(plan_.vectors) : 0L);
  for (int j = 0; j < depth_; ++j) {
    Vector column = solutions_.column(j);
    visit("time_" + std::to_string(j), times_[static_cast<std::size_t>(j)], 0.0, largest_stored);
    visit("solution_" + std::to_string(j), column);
  }
  if (!has_basis) return;
  for (int j = 0; j < plan_.vectors; ++j) {
    Vector column = basis_.column(j);
    visit("basis_" + std::to_string(j), column);
  }
}

}  // namespace hodge::sim
