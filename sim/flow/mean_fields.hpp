// Averages of fields over time, accumulated where the fields are, for the output arrays
// mean_<field>.
//
//   mean = 1/T int q dt = sum_n (dt_n + dt_{n+1})/2 q^n / T        the trapezoidal rule
//
// Half of dt is the weight of the fields before a step, half that of the fields after it. The
// second half is added with the first half of the next step, so each field is read once per step.
// Memory: one field per component.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linalg/base/errors.hpp"
#include "sim/base/state_visitor.hpp"
#include "sim/discrete/operators/output_fields.hpp"

namespace hodge::sim {

template <int Dim, class Space>
class MeanFields {
 public:
  // The fields of the flow that an averaged field has as components.
  using Values = std::vector<const Field<Dim, Space>*>;

  // `fields`: the output fields of the settings.
  MeanFields(const Layout<Dim>& layout, const std::vector<std::string>& fields) {
    for (const std::string& name : fields) {
      const std::optional<std::string> of = averaged_field(name);
      if (!of) continue;
      Mean& mean = means_.emplace_back();
      mean.name = *of;
      for (int d = 0; d < computed_components_of(*of, Dim); ++d) mean.sums.emplace_back(layout);
    }
  }

  bool any() const { return !means_.empty(); }

  // Before a step of size dt and after it; values_of(name) gives the present Values of a field.
  template <class ValuesOf>
  void begin_step(double dt, ValuesOf values_of) {
    add(waiting_ + 0.5 * dt, values_of);
    duration_ += 0.5 * dt;
    waiting_ = 0;
  }
  void end_step(double dt) {
    waiting_ += 0.5 * dt;
    duration_ += 0.5 * dt;
  }

  void cancel_step(double dt) {  // in place of end_step: the fields are those before
    waiting_ = -0.5 * dt;
    duration_ -= 0.5 * dt;
  }

  // The integral over the time until now, a field a component; divided by duration() the mean.
  template <class ValuesOf>
  const std::vector<Field<Dim, Space>>& integral(const std::string& name, ValuesOf values_of) {
    add(waiting_, values_of);
    waiting_ = 0;
    for (const Mean& mean : means_)
      if (mean.name == name) return mean.sums;
    throw ConfigError("unknown output field 'mean_" + name + "'");
  }
  double duration() const { return duration_; }

  void visit_state(StateVisitor& visitor) {
    for (Mean& mean : means_)
      for (std::size_t d = 0; d < mean.sums.size(); ++d)
        visit_values(visitor, "means/" + mean.name + "/" + std::to_string(d),
                     mean.sums[d].values());
    visitor.visit("means_waiting", waiting_);
    visitor.visit("means_duration", duration_, {.least = 0});
  }

 private:
  struct Mean {
    std::string name;
    std::vector<Field<Dim, Space>> sums;
  };

  template <class ValuesOf>
  void add(double weight, ValuesOf values_of) {
    if (weight == 0) return;
    for (Mean& mean : means_) {
      const Values values = values_of(mean.name);
      for (std::size_t i = 0; i < values.size(); ++i)
        mean.sums[i].values() = mean.sums[i].values() + weight * values[i]->values();
    }
  }

  std::vector<Mean> means_;
  double waiting_ = 0;   // weight of the present fields that has not been added
  double duration_ = 0;  // T
};

}  // namespace hodge::sim
