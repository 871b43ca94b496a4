// The sizes of the substeps that cover an interval: h = 0.9 h / error^(1/4), error in units of the
// tolerance, never more than what equal substeps would leave of the rest.
#pragma once

#include <algorithm>
#include <cmath>

#include "sim/discrete/reactions/esdirk4.hpp"
#include "sim/model/reaction_settings.hpp"

namespace hodge::sim {

class Substeps {
 public:
  Substeps(double dt, const ReactionSettings& settings)
      : dt_(dt),
        least_(settings.least_substep * dt),
        fixed_(settings.fixed_substeps > 0),
        wanted_(fixed_ ? dt / settings.fixed_substeps : dt) {}

  bool done() const { return done_; }
  double elapsed() const { return elapsed_; }
  bool too_small() const { return wanted_ < least_; }  // the next one

  double size() {  // of the next one
    const double rest = dt_ - elapsed_;
    const double count = std::ceil(rest / wanted_ * (1 - 1e-9));
    last_ = count <= 1;
    size_ = last_ ? rest : rest / count;
    return size_;
  }

  void accept(double error) {  // it was taken
    elapsed_ = last_ ? dt_ : elapsed_ + size_;
    done_ = last_;
    if (!fixed_) wanted_ = size_ * std::clamp(factor(error), most_shrinking, most_growth);
  }

  void reject(double error) {  // its error was above 1
    wanted_ = size_ * std::clamp(factor(error), most_shrinking, safety);
  }

 private:
  static constexpr double safety = 0.9, most_growth = 5, most_shrinking = 0.1;

  static double factor(double error) {
    return error > 0 ? safety * std::pow(error, -1.0 / esdirk4::error_order) : most_growth;
  }

  double dt_, least_;
  bool fixed_;
  double wanted_;    // what the errors ask for
  double size_ = 0;  // of the present one
  double elapsed_ = 0;
  bool last_ = false;  // the present one ends the interval
  bool done_ = false;
};

}  // namespace hodge::sim
