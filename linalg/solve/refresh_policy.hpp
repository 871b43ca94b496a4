// When a preconditioner is rebuilt, for a matrix whose values change from solve to solve.
//
//   every   before each solve
//   never   not after the first solve
//   auto    when the last of the n solves since the rebuild took longer than their mean time, the
//           time of the rebuild included:
//
//             i_n  >  (s + i_1 + ... + i_n) / n
//
//           with i_k the iterations of solve k, and s the cost of a rebuild in iterations. Then the
//           mean cost of a solve is least. s is measured: seconds of a rebuild over seconds of an
//           iteration. So two runs may choose differently and agree only within the tolerance.
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

  // Whether M should be rebuilt from the new values.
  bool due() const;
  // To be told after a rebuild; one for a new pattern takes longer than one for new values.
  void made(double seconds, bool new_pattern);
  // To be told after each solve with M.
  void solved(int iterations, double seconds);
  int age() const { return static_cast<int>(solves_); }  // solves since M was made

  // visit(name, number&, least, most)
  template <class Visitor>
  void for_each_state(Visitor&& visit) {
    constexpr long most = 1'000'000'000;  // so that products of two stay within a long
    visit("solves", solves_, 0L, most);
    visit("iterations", iterations_, 0L, most);
    visit("last_iterations", last_iterations_, 0L, most);
    visit("makings", makings_, 0L, most);
    visit("making_seconds", making_seconds_, 0.0, 1e12);
    visit("iteration_seconds", iteration_seconds_, 0.0, 1e12);
  }

 private:
  Refresh kind_;
  long solves_ = 0, iterations_ = 0, last_iterations_ = 0;  // since M was made
  long makings_ = 0;                                        // of new values
  double making_seconds_ = 0, iteration_seconds_ = 0;       // running means
};

}  // namespace hodge::linalg
