// Values of output fields at fixed points, computed where the fields are.
//
//   value[column * points + i] = sum_k weight_k q(c_k)    the stencil of point i: point_stencil.hpp
//
// Stencils are made and uploaded once, one set for each location of values. A call runs one kernel
// per column over the points, allocates nothing on the device and downloads columns x points
// numbers. Fields must have their ghosts filled. Inside solids the value is 0.
#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/operators/cell_values.hpp"
#include "sim/discrete/probes/point_sampler.hpp"
#include "sim/discrete/probes/point_stencil.hpp"

namespace hodge::sim {

// The present fields; scalars in the order of the problem.
template <int Dim>
struct SampledFields {
  GridView<Dim> grid;
  ConstVelocityView<Dim> velocity;
  ConstFieldView<Dim> pressure;
  std::vector<ConstFieldView<Dim>> scalars;
};

template <int Dim, class Space>
void sample_field(const ConstFieldView<Dim>& field, const PointStencil<Dim>* stencils, int points,
                  double* values) {
  linalg::for_each<Space>(
      points, [=] HODGE_LAMBDA(int i) { values[i] = interpolated(field, stencils[i]); });
}

template <int Dim>
HODGE_HD double interpolated_vorticity(const GridView<Dim>& grid, const ConstVelocityView<Dim>& u,
                                       int axis, const PointStencil<Dim>& stencil) {
  double sum = 0.0;
  for (int k = 0; k < PointStencil<Dim>::corners; ++k)
    if (stencil.weight[k] != 0.0)
      sum += stencil.weight[k] * vorticity(grid, u, axis, stencil.at[k]);
  return sum;
}

template <int Dim, class Space>
void sample_vorticity(const GridView<Dim>& grid, const ConstVelocityView<Dim>& u, int axis,
                      const PointStencil<Dim>* stencils, int points, double* values) {
  linalg::for_each<Space>(points, [=] HODGE_LAMBDA(int i) {
    values[i] = interpolated_vorticity(grid, u, axis, stencils[i]);
  });
}

template <int Dim, class Space>
class Sampler {
 public:
  // Errors: ConfigError for a point beyond the box or a field that is none.
  Sampler(const SampledBox& box, const std::vector<Point>& points,
          const std::vector<std::string>& fields, const std::vector<std::string>& scalars)
      : points_(static_cast<int>(points.size())), columns_(field_columns(fields, Dim)) {
    for (const std::string& field : fields) add_columns(field, scalars);
    for (const Column& column : sources_) add_stencils(box, points, column);
    values_ = linalg::Buffer<double, Space>(columns_.size() * points.size());
  }

  const std::vector<std::string>& columns() const { return columns_; }
  std::size_t points() const { return static_cast<std::size_t>(points_); }

  void sample(const SampledFields<Dim>& fields, std::span<double> values) const {
    double* out = values_.data();
    for (const Column& column : sources_) {
      sample(fields, column, out);
      out += points_;
    }
    values_.download(values);
  }

 private:
  enum class Source { velocity, pressure, vorticity, scalar };
  struct Column {
    Source source;
    int component;               // of velocity; axis of vorticity; number of a scalar
    std::size_t place() const {  // which set of stencils
      return source == Source::velocity ? static_cast<std::size_t>(component)
                                        : static_cast<std::size_t>(source) + Dim;
    }
  };

  void add_columns(const std::string& field, const std::vector<std::string>& scalars) {
    if (field == "velocity") {
      for (int d = 0; d < Dim; ++d) sources_.push_back({Source::velocity, d});
    } else if (field == "pressure") {
      sources_.push_back({Source::pressure, 0});
    } else if (field == "vorticity") {
      for (int axis = Dim == 2 ? 2 : 0; axis < 3; ++axis)
        sources_.push_back({Source::vorticity, axis});
    } else {
      sources_.push_back({Source::scalar, position_of(field, scalars)});
    }
  }

  static int position_of(const std::string& field, const std::vector<std::string>& scalars) {
    for (std::size_t i = 0; i < scalars.size(); ++i)
      if (scalars[i] == field) return static_cast<int>(i);
    throw ConfigError("probes: unknown field '" + field + "'");
  }

  static SampledLocation location(const Column& column, const Boundaries& boundaries) {
    switch (column.source) {
      case Source::velocity:
        return velocity_location(column.component);
      case Source::pressure:
        return pressure_location(boundaries);
      case Source::vorticity:
        return vorticity_location();
      case Source::scalar:
        break;
    }
    return scalar_location();
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
    const auto component = static_cast<std::size_t>(column.component);
    switch (column.source) {
      case Source::velocity:
        return sample_field<Dim, Space>(fields.velocity[column.component], stencils, points_, out);
      case Source::pressure:
        return sample_field<Dim, Space>(fields.pressure, stencils, points_, out);
      case Source::vorticity:
        return sample_vorticity<Dim, Space>(fields.grid, fields.velocity, column.component,
                                            stencils, points_, out);
      case Source::scalar:
        return sample_field<Dim, Space>(fields.scalars[component], stencils, points_, out);
    }
  }

  int points_;
  std::vector<std::string> columns_;
  std::vector<Column> sources_;  // what each column is made of
  std::array<linalg::Buffer<PointStencil<Dim>, Space>, Dim + 4> stencils_;
  mutable linalg::Buffer<double, Space> values_;  // scratch of sample
};

}  // namespace hodge::sim
