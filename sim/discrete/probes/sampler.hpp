// Values of output fields at fixed points, computed where the fields are.
//
//   value[column * points + i] = sum_k weight_k q(c_k)    the stencil of point i: point_stencil.hpp
//
// Stencils are made and uploaded once, one set for each location of values. A call runs one kernel
// per column over the points, allocates nothing on the device and downloads columns x points
// numbers. Fields must have their ghosts filled. Inside solids the value is 0, but for scalars that
// these conduct.
//
// Where processes share the box, each computes its share of the points (shared_points.hpp), one
// message brings all columns together, and all processes get all values.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/base/rounded_product.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/operators/output_fields.hpp"
#include "sim/discrete/probes/point_sampler.hpp"
#include "sim/discrete/probes/point_stencil.hpp"
#include "sim/discrete/probes/shared_points.hpp"

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
      sum +=
          linalg::rounded_product(stencil.weight[k], Field::at(fields, component, stencil.at[k]));
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
  // `present` gives the fields of the flow whenever they are sampled. `part`: the layout of these
  // fields, where it is a part of the box; the constructor and sample() are then collective.
  // Errors: ConfigError for a point beyond the box or a name that is no field.
  Sampler(const SampledBox& box, const std::vector<Point>& points,
          const std::vector<std::string>& names, const std::vector<std::string>& scalars,
          std::function<SampledFields<Dim>()> present, const Layout<Dim>& part = {})
      : points_(points.size()),
        columns_(field_columns(names, Dim)),
        present_(std::move(present)),
        stencils_(Dim + 3 + scalars.size()) {
    for (const std::string& name : names) add_columns(box, name, scalars);
    if (part.halo != nullptr) shared_.emplace(part);
    std::size_t computed = 0;
    for (const Column& column : sources_) {
      const Stencils& stencils = add_stencils(box, points, column);
      computed += stencils.here.size();
      if (shared_) divided_.push_back(&*stencils.divided);
    }
    values_ = linalg::Buffer<double, Space>(computed);
  }

  const std::vector<std::string>& columns() const override { return columns_; }
  std::size_t points() const override { return points_; }

  void sample(std::span<double> values) const override {
    const SampledFields<Dim> fields = present_();
    double* out = values_.data();
    for (const Column& column : sources_) {
      sample(fields, column, out);
      out += stencils_[column.place()].here.size();
    }
    if (shared_)
      shared_->bring_together(divided_, values_.to_host(), values);
    else
      values_.download(values);
  }

 private:
  // Of the points for one location of values.
  struct Stencils {
    linalg::Buffer<PointStencil<Dim>, Space> here;  // those that this process computes
    std::optional<DividedPoints<Dim>> divided{};    // among processes
    bool made = false;
  };

  struct Column {
    const OutputField* field;  // null: a scalar
    int component;             // or the number of the scalar
    std::vector<int> media{};  // of the scalar
    StoredField is() const { return field ? field->is : StoredField::none; }
    std::size_t place() const {  // which set of stencils
      if (is() == StoredField::velocity) return static_cast<std::size_t>(component);
      if (!media.empty()) return Dim + 3 + static_cast<std::size_t>(component);
      return Dim + (field == nullptr ? 2 : is() == StoredField::pressure ? 0 : 1);
    }
  };

  void add_columns(const SampledBox& box, const std::string& name,
                   const std::vector<std::string>& scalars) {
    const OutputField* const field = find_output_field(name);
    if (field == nullptr || !field->has_probes) {
      const int scalar = position_of(name, scalars);
      return sources_.push_back({nullptr, scalar, box.media_of(static_cast<std::size_t>(scalar))});
    }
    for (int d = 0; d < computed_components_of(name, Dim); ++d) sources_.push_back({field, d});
  }

  static int position_of(const std::string& field, const std::vector<std::string>& scalars) {
    for (std::size_t i = 0; i < scalars.size(); ++i)
      if (scalars[i] == field) return static_cast<int>(i);
    throw ConfigError("probes: unknown field '" + field + "'");
  }

  static SampledLocation location(const Column& column, const Boundaries& boundaries) {
    const bool is_velocity = column.is() == StoredField::velocity;
    SampledLocation location{.d = is_velocity ? column.component : at_cells, .media = column.media};
    for (const auto [axis, side] : sides_of_box(Dim))
      location.ghosts[axis][side] =
          column.field == nullptr || is_velocity ||
          (column.is() == StoredField::pressure && boundaries.sides[axis][side].traits().is_open());
    return location;
  }

  const Stencils& add_stencils(const SampledBox& box, const std::vector<Point>& points,
                               const Column& column) {
    Stencils& stencils = stencils_[column.place()];
    if (std::exchange(stencils.made, true)) return stencils;
    std::vector<PointStencil<Dim>> on_host;
    for (const Point& point : points)
      on_host.push_back(point_stencil<Dim>(box, location(column, box.boundaries), point));
    if (shared_) {
      stencils.divided = shared_->divide(on_host);
      on_host = std::exchange(stencils.divided->own, {});
    }
    stencils.here =
        linalg::Buffer<PointStencil<Dim>, Space>(std::span<const PointStencil<Dim>>(on_host));
    return stencils;
  }

  void sample(const SampledFields<Dim>& fields, const Column& column, double* out) const {
    const auto& here = stencils_[column.place()].here;
    const PointStencil<Dim>* const stencils = here.data();
    const int component = column.component, points = static_cast<int>(here.size());
    if (column.field == nullptr)
      return sample_field<Dim, Space>(fields.scalars[static_cast<std::size_t>(component)], stencils,
                                      points, out);
    if (column.is() == StoredField::velocity)
      return sample_field<Dim, Space>(fields.flow.velocity[component], stencils, points, out);
    if (column.is() == StoredField::pressure)
      return sample_field<Dim, Space>(fields.flow.pressure, stencils, points, out);
    with_output_field(column.field->name, [&](auto field) {
      sample_output<decltype(field), Space>(fields.flow, component, stencils, points, out);
    });
  }

  std::size_t points_;
  std::vector<std::string> columns_;
  std::function<SampledFields<Dim>()> present_;
  std::vector<Column> sources_;                     // what each column is made of
  std::vector<Stencils> stencils_;                  // by place()
  std::optional<SharedPoints<Dim>> shared_;         // where processes share the box
  std::vector<const DividedPoints<Dim>*> divided_;  // then, of each column
  mutable linalg::Buffer<double, Space> values_;    // scratch of sample
};

}  // namespace hodge::sim
