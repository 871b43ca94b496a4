// Values of output fields at fixed points, computed where the fields are.
//
//   value[column * points + i] = sum_k weight_k q(c_k)    the stencil of point i: point_stencil.hpp
//
// Stencils are made and uploaded once, one set for each location of values. A call runs one kernel
// per column over the points, allocates nothing on the device and downloads columns x points
// numbers. Fields must have their ghosts filled. Inside solids the value is 0.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/operators/output_fields.hpp"
#include "sim/discrete/probes/point_sampler.hpp"
#include "sim/discrete/probes/point_stencil.hpp"

namespace hodge::sim {

// The present fields; scalars in the order of the problem.
template <int Dim>
struct SampledFields {
  PresentFields<Dim> flow;
  std::vector<ConstFieldView<Dim>> scalars;
};

template <int Dim, class Space>
void sample_field(const ConstFieldView<Dim>& field, const PointStencil<Dim>* stencils, int points,
                  double* values) {
  linalg::for_each<Space>(
      points, [=] HODGE_LAMBDA(int i) { values[i] = interpolated(field, stencils[i]); });
}

// An output field that is computed at the centres of cells.
template <class Field, int Dim>
HODGE_HD double interpolated_output(const PresentFields<Dim>& fields, int component,
                                    const PointStencil<Dim>& stencil) {
  double sum = 0.0;
  for (int k = 0; k < PointStencil<Dim>::corners; ++k)
    if (stencil.weight[k] != 0.0)
      sum += stencil.weight[k] * Field::at(fields, component, stencil.at[k]);
  return sum;
}

template <class Field, class Space, int Dim>
void sample_output(const PresentFields<Dim>& fields, int component,
                   const PointStencil<Dim>* stencils, int points, double* values) {
  linalg::for_each<Space>(points, [=] HODGE_LAMBDA(int i) {
    values[i] = interpolated_output<Field>(fields, component, stencils[i]);
  });
}

template <int Dim, class Space>
class Sampler final : public PointSampler {
 public:
  // `present` gives the fields of the flow whenever they are sampled. Errors: ConfigError for a
  // point beyond the box or a name that is no field.
  Sampler(const SampledBox& box, const std::vector<Point>& points,
          const std::vector<std::string>& names, const std::vector<std::string>& scalars,
          std::function<SampledFields<Dim>()> present)
      : points_(static_cast<int>(points.size())),
        columns_(field_columns(names, Dim)),
        present_(std::move(present)) {
    for (const std::string& name : names) add_columns(name, scalars);
    for (const Column& column : sources_) add_stencils(box, points, column);
    values_ = linalg::Buffer<double, Space>(columns_.size() * points.size());
  }

  const std::vector<std::string>& columns() const override { return columns_; }
  std::size_t points() const override { return static_cast<std::size_t>(points_); }

  void sample(std::span<double> values) const override {
    const SampledFields<Dim> fields = present_();
    double* out = values_.data();
    for (const Column& column : sources_) {
      sample(fields, column, out);
      out += points_;
    }
    values_.download(values);
  }

 private:
  struct Column {
    const OutputField* field;  // null: a scalar
    int component;             // or the number of the scalar
    StoredField is() const { return field ? field->is : StoredField::none; }
    std::size_t place() const {  // which set of stencils
      if (is() == StoredField::velocity) return static_cast<std::size_t>(component);
      return Dim + (field == nullptr ? 2 : is() == StoredField::pressure ? 0 : 1);
    }
  };

  void add_columns(const std::string& name, const std::vector<std::string>& scalars) {
    const OutputField* const field = find_output_field(name);
    if (field == nullptr || !field->has_probes)
      return sources_.push_back({nullptr, position_of(name, scalars)});
    for (int d = 0; d < computed_components_of(name, Dim); ++d) sources_.push_back({field, d});
  }

  static int position_of(const std::string& field, const std::vector<std::string>& scalars) {
    for (std::size_t i = 0; i < scalars.size(); ++i)
      if (scalars[i] == field) return static_cast<int>(i);
    throw ConfigError("probes: unknown field '" + field + "'");
  }

  static SampledLocation location(const Column& column, const Boundaries& boundaries) {
    const bool is_velocity = column.is() == StoredField::velocity;
    SampledLocation location{.d = is_velocity ? column.component : at_cells};
    for (const auto [axis, side] : sides_of_box(Dim))
      location.ghosts[axis][side] =
          column.field == nullptr || is_velocity ||
          (column.is() == StoredField::pressure && boundaries.sides[axis][side].traits().is_open());
    return location;
  }

  void add_stencils(const SampledBox& box, const std::vector<Point>& points, const Column& column) {
    linalg::Buffer<PointStencil<Dim>, Space>& stencils = stencils_[column.place()];
    if (stencils.size() == points.size()) return;
    std::vector<PointStencil<Dim>> on_host;
    for (const Point& point : points)
      on_host.push_back(point_stencil<Dim>(box, location(column, box.boundaries), point));
    stencils =
        linalg::Buffer<PointStencil<Dim>, Space>(std::span<const PointStencil<Dim>>(on_host));
  }

  void sample(const SampledFields<Dim>& fields, const Column& column, double* out) const {
    const PointStencil<Dim>* const stencils = stencils_[column.place()].data();
    const int component = column.component;
    if (column.field == nullptr)
      return sample_field<Dim, Space>(fields.scalars[static_cast<std::size_t>(component)], stencils,
                                      points_, out);
    if (column.is() == StoredField::velocity)
      return sample_field<Dim, Space>(fields.flow.velocity[component], stencils, points_, out);
    if (column.is() == StoredField::pressure)
      return sample_field<Dim, Space>(fields.flow.pressure, stencils, points_, out);
    with_output_field(column.field->name, [&](auto field) {
      sample_output<decltype(field), Space>(fields.flow, component, stencils, points_, out);
    });
  }

  int points_;
  std::vector<std::string> columns_;
  std::function<SampledFields<Dim>()> present_;
  std::vector<Column> sources_;  // what each column is made of
  std::array<linalg::Buffer<PointStencil<Dim>, Space>, Dim + 3> stencils_;
  mutable linalg::Buffer<double, Space> values_;  // scratch of sample
};

}  // namespace hodge::sim
