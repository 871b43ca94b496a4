// What a user chooses for one kind of linear systems, which come as a sequence in time.
#pragma once

#include <string>

#include "linalg/settings/settings.hpp"

namespace hodge::sim {

struct SystemSettings : linalg::SolverSettings {
  int guess_vectors = 8;          // guess projected: solutions that it is made of
  std::string guess = "scheme";   // what a solve starts from
  std::string stop = "residual";  // of a projection also: divergence, max |div u| <= tolerance, 1/T

  bool stops_by_divergence() const { return stop == "divergence"; }
};

}  // namespace hodge::sim
