// When a preconditioner is made anew of a matrix whose values change from solve to solve.
//
//   every   before each solve
//   never   once; it is kept
//   auto    when a solve takes longer than the average since the preconditioner was made, the
//           making included:
//
//             i_n  >  (s + i_1 + ... + i_n) / n
//
//           i: iterations; s: the cost of the making in iterations, as measured (seconds of the
//           making by seconds of an iteration). There the average cost of a solve is least. As
//           seconds vary, two runs may choose differently and then agree within the tolerance only.
#pragma once

#include <string>
#include <vector>

namespace hodge::linalg {

enum class Refresh { every, never, automatic };

// The names of SolverSettings::refresh, in the order of Refresh.
const std::vector<std::string>& refresh_names();
// Errors: ConfigError for another name.
Refresh refresh_of(const std::string& name);

class RefreshPolicy {
 public:
  explicit RefreshPolicy(Refresh kind) : kind_(kind) {}

  // Whether M should be made of the new values.
  bool due() const;
  // M has been made; of a new pattern, which takes longer than of new values.
  void made(double seconds, bool new_pattern);
  // A solve with M is over.
  void solved(int iterations, double seconds);
  int age() const { return static_cast<int>(solves_); }  // solves since M was made

  // visit(name, long&), visit(name, double&)
  template <class Visitor>
  void for_each_state(Visitor&& visit) {
    visit("solves", solves_);
    visit("iterations", iterations_);
    visit("last_iterations", last_iterations_);
    visit("makings", makings_);
    visit("making_seconds", making_seconds_);
    visit("iteration_seconds", iteration_seconds_);
  }

 private:
  Refresh kind_;
  long solves_ = 0, iterations_ = 0, last_iterations_ = 0;  // since M was made
  long makings_ = 0;                                        // of new values
  double making_seconds_ = 0, iteration_seconds_ = 0;       // running means
};

}  // namespace hodge::linalg
