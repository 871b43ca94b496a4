// The sizes of the substeps that cover an interval: h = 0.9 h / error^(1/4), error in units of the
// tolerance, never more than what equal substeps would leave of the rest.
#pragma once

#include "sim/model/reaction_settings.hpp"

namespace hodge::sim {

class Substeps {
 public:
  Substeps(double dt, const ReactionSettings& settings);

  bool done() const { return done_; }
  double elapsed() const { return elapsed_; }
  double size();                                       // of the next one
  void accept(double error);                           // it was taken
  void reject(double error);                           // its error was above 1
  bool too_small() const { return wanted_ < least_; }  // the next one

 private:
  double dt_, least_;
  bool fixed_;
  double wanted_;    // what the errors ask for
  double size_ = 0;  // of the present one
  double elapsed_ = 0;
  bool last_ = false;  // the present one ends the interval
  bool done_ = false;
};

}  // namespace hodge::sim
