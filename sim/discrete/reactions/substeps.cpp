#include "sim/discrete/reactions/substeps.hpp"

#include <algorithm>
#include <cmath>

#include "sim/discrete/reactions/esdirk4.hpp"

namespace hodge::sim {
namespace {

constexpr double safety = 0.9;
constexpr double most_growth = 5, most_shrinking = 0.1;

double factor(double error) {
  if (!(error > 0)) return most_growth;
  return safety * std::pow(error, -1.0 / esdirk4::error_order);
}

}  // namespace

Substeps::Substeps(double dt, const ReactionSettings& settings)
    : dt_(dt),
      least_(settings.least_substep * dt),
      fixed_(settings.fixed_substeps > 0),
      wanted_(fixed_ ? dt / settings.fixed_substeps : dt) {}

double Substeps::size() {
  const double rest = dt_ - elapsed_;
  const double count = std::ceil(rest / wanted_ * (1 - 1e-9));
  last_ = count <= 1;
  size_ = last_ ? rest : rest / count;
  return size_;
}

void Substeps::accept(double error) {
  elapsed_ = last_ ? dt_ : elapsed_ + size_;
  done_ = last_;
  if (!fixed_) wanted_ = size_ * std::clamp(factor(error), most_shrinking, most_growth);
}

void Substeps::reject(double error) {
  wanted_ = size_ * std::clamp(factor(error), most_shrinking, safety);
}

}  // namespace hodge::sim
