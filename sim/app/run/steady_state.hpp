// Whether a run has reached the steady state that time.steady asks for. It has where all of these
// hold after a step; what is missing is told once.
//
// - No field changes faster than the tolerance. Where an absolute tolerance has left a field as it
//   was, its rate counts as that tolerance / dt.
// - Nothing that drives the flow changes later (later_change.hpp).
// - The run has been watched for the time in which flow or diffusion crosses the narrowest extent L
//   of the box, 1 / (max |u| / L + pi^2 max(nu, D) / L^2), and for 8 steps.
// - No rate of a field and no force on a body grows (steadiness.hpp).
// - What each field has still to change is at most 1 % of its largest value (over the last half of
//   the run): rate / decay, or rate x (end - t) without a decay or where the end comes first.
//
// A run in which nothing changes at all is steady at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/flow/flow.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"
#include "sim/time/later_change.hpp"
#include "sim/time/steadiness.hpp"

namespace hodge::sim {

class SteadyState {
 public:
  // The settings must outlive it.
  SteadyState(const Settings& settings, const Problem& problem, const Grid& grid);

  // After a step that was `ok`; `forces`: of all bodies, or none where there are none.
  void add(const StepReport& report, const Diagnostics& now, const std::vector<BodyForce>& forces);

  bool is_reached(const Diagnostics& now, double time) const;
  // Why a flow whose rates are below the tolerance is not steady, as a line; nothing where that has
  // been said, or needs no word.
  std::optional<std::string> news(const Diagnostics& now, double time);

  bool is_wanted() const { return settings_.time.steady_tolerance.has_value(); }
  void visit_state(StateVisitor& visitor, double now);

 private:
  enum class Lack { nothing, rest, growth, distance };
  struct Verdict {
    Lack lack;
    std::size_t series = 0;  // that grows, or the field that is not near enough
    double distance = 0;     // what this field is still to change by, of its largest value
  };
  Verdict verdict(const Diagnostics& now, double time) const;
  double crossing_rate(const Diagnostics& now) const;
  void find_fastest();
  std::string name_of(std::size_t series) const;
  std::string distance_text(const Verdict& found) const;

  const Settings& settings_;
  int dim_;
  std::vector<std::string> fields_;  // "u", then the scalars
  std::vector<std::string> forces_;  // "the force on cylinder along y", ...
  double diffusivity_ = 0;           // the largest, L^2/T
  double narrowest_;                 // extent of the box, L
  LaterChange later_;
  Steadiness history_;
  std::vector<Steadiness::Rate> rates_;  // of the fields in the last step, L/T^2 and [c]/T
  double fastest_ = 0;                   // of them, in any unit
  bool said_growth_ = false, said_distance_ = false;
};

}  // namespace hodge::sim
