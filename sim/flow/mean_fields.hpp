// Averages of fields over a window of time, accumulated where the fields are, for the output arrays
// mean_<field>, and over the same time the moments of their fluctuations (moments.hpp) and the
// averages over layers of cells (layer_statistics.hpp).
//
//   mean = 1/T int q dt = sum_n (dt_n + dt_{n+1})/2 q^n / T        the trapezoidal rule
//
// Half of dt is the weight of the fields before a step, half that of the fields after it. The
// second half is added with the first half of the next step, so each field is read once per step.
// Memory: one field per component of a mean. Steps that lie in the window as a whole count.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"
#include "sim/base/state_visitor.hpp"
#include "sim/discrete/operators/output_fields.hpp"
#include "sim/discrete/processes/visit_lists.hpp"
#include "sim/flow/layer_statistics.hpp"
#include "sim/flow/moments.hpp"

namespace hodge::sim {

template <int Dim, class Space>
class MeanFields {
 public:
  // The fields of the flow that an averaged field has as components.
  using Values = std::vector<const Field<Dim, Space>*>;
  // What is averaged: the components of a field, and what moments are made of.
  struct Source {
    std::function<Values(const std::string&)> values_of;
    std::function<PresentFields<Dim>()> present;
  };

  // `fields`: the output fields of the settings.
  MeanFields(const Layout<Dim>& layout, const std::vector<std::string>& fields,
             LayerStatistics<Dim, Space> layers = {})
      : moments_(layout, fields), layers_(std::move(layers)) {
    for (const std::string& name : fields) {
      const std::optional<std::string> of = averaged_field(name);
      if (!of) continue;
      Mean& mean = means_.emplace_back();
      mean.name = *of;
      for (int d = 0; d < computed_components_of(*of, Dim); ++d) mean.sums.emplace_back(layout);
    }
  }

  bool any() const { return !means_.empty() || moments_.any() || layers_.any(); }

  // Before a step of size dt and after it.
  void begin_step(double dt, const Source& source) {
    add(waiting_ + 0.5 * dt, source);
    duration_ += 0.5 * dt;
    waiting_ = 0;
  }
  void end_step(double dt) {
    waiting_ += 0.5 * dt;
    duration_ += 0.5 * dt;
  }

  // Before a step that does not count: what waits belongs to the present fields.
  void leave_window(const Source& source) { add_waiting(source); }

  void cancel_step(double dt) {  // in place of end_step: the fields are those before
    waiting_ = -0.5 * dt;
    duration_ -= 0.5 * dt;
  }

  // The integral over the time until now, a field a component; divided by duration() the mean.
  const std::vector<Field<Dim, Space>>& integral(const std::string& name, const Source& source) {
    add_waiting(source);
    for (const Mean& mean : means_)
      if (mean.name == name) return mean.sums;
    throw ConfigError("unknown output field 'mean_" + name + "'");
  }
  double duration() const { return duration_; }

  // The moments until now of a statistic other than a mean.
  MomentArrays moments(const Statistic& statistic, const Source& source) {
    add_waiting(source);
    return moments_.arrays_of(statistic);
  }

  // Over layers until now; none where nobody asks for them. Collective.
  std::optional<LayerSums> layers(const Source& source) {
    if (!layers_.any()) return std::nullopt;
    add_waiting(source);
    return layers_.sums();
  }

  // `longest`: the averaging time that there may have been until now; `last_dt`: the last step.
  void visit_state(StateVisitor& visitor, double longest, double last_dt) {
    for (Mean& mean : means_)
      for (std::size_t d = 0; d < mean.sums.size(); ++d)
        visit_field(visitor, "means/" + mean.name + "/" + std::to_string(d), mean.sums[d]);
    // What waits is less than 0 behind a step that failed, of any size.
    visitor.visit("means_waiting", waiting_, {-largest_stored, last_dt});
    visitor.visit("means_duration", duration_, {0, longest});
    moments_.visit_state(visitor, duration_ - waiting_);
    layers_.visit_state(visitor, longest);
  }

 private:
  struct Mean {
    std::string name;
    std::vector<Field<Dim, Space>> sums;
  };

  void add_waiting(const Source& source) {
    add(waiting_, source);
    waiting_ = 0;
  }

  void add(double weight, const Source& source) {
    if (weight == 0) return;
    const auto view_of = [&](const std::string& name) { return source.values_of(name)[0]->view(); };
    moments_.add(weight, source.present(), view_of);
    layers_.add(weight, source.present(), view_of);
    for (Mean& mean : means_) {
      const Values values = source.values_of(mean.name);
      for (std::size_t i = 0; i < values.size(); ++i)
        mean.sums[i].values() = mean.sums[i].values() + weight * values[i]->values();
    }
  }

  std::vector<Mean> means_;
  Moments<Dim, Space> moments_;
  LayerStatistics<Dim, Space> layers_;
  double waiting_ = 0;   // weight of the present fields that has not been added
  double duration_ = 0;  // T
};

}  // namespace hodge::sim
