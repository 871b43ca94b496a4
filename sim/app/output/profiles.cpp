#include "sim/app/output/profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/csv_row.hpp"
#include "sim/discrete/operators/output_fields.hpp"
#include "sim/flow/moment_plan.hpp"

namespace hodge::sim {
namespace {

constexpr const char* solids = "solid";

// One component of an array.
struct ComponentOf {
  const CellArray& array;
  std::size_t component = 0;
  double operator()(std::size_t cell) const {
    return array.values[cell * static_cast<std::size_t>(array.components) + component];
  }
};

class Profiles {
 public:
  Profiles(const Grid& grid, int axis, const std::vector<CellArray>& arrays)
      : grid_(grid), axis_(axis), arrays_(arrays) {
    const CellArray* const bodies = find(solids);
    const auto cells = static_cast<std::size_t>(grid.cell_count());
    for (std::size_t cell = 0; cell < cells; ++cell) {
      areas_.push_back(bodies && bodies->values[cell] != 0 ? 0.0 : area_of(cell));
      layers_.push_back(position(cell, axis));
    }
  }

  std::string text() {
    for (const CellArray& array : arrays_) add(array);
    std::string text;
    for (int i = 0; i < grid_.cells(axis_); ++i) {
      CsvRow row{{axis_names[axis_], grid_.axis(axis_).centre(i)}};
      for (const auto& [name, values] : columns_)
        row.push_back({name, values[static_cast<std::size_t>(i)]});
      text += (i == 0 ? csv_header(row) : "") + csv_line(row);
    }
    return text;
  }

 private:
  int position(std::size_t cell, int d) const {
    auto rest = static_cast<int>(cell);
    for (int e = 0; e < d; ++e) rest /= grid_.cells(e);
    return rest % grid_.cells(d);
  }
  double area_of(std::size_t cell) const {
    double area = 1;
    for (int d = 0; d < grid_.dim(); ++d)
      if (d != axis_) area *= grid_.axis(d).widths[static_cast<std::size_t>(position(cell, d))];
    return area;
  }

  const CellArray* find(const std::string& name) const {
    const auto found = std::ranges::find(arrays_, name, &CellArray::name);
    return found == arrays_.end() ? nullptr : &*found;
  }
  ComponentOf mean(const std::string& field, int component = 0) const {
    return {*find("mean_" + field), static_cast<std::size_t>(component)};
  }

  // Of value(cell), layer by layer; 0 where all cells are solid.
  template <class Value>
  std::vector<double> average(Value value) const {
    const auto layers = static_cast<std::size_t>(grid_.cells(axis_));
    std::vector<double> sums(layers), areas(layers);
    for (std::size_t cell = 0; cell < areas_.size(); ++cell) {
      const auto layer = static_cast<std::size_t>(layers_[cell]);
      sums[layer] += areas_[cell] * value(cell);
      areas[layer] += areas_[cell];
    }
    for (std::size_t layer = 0; layer < layers; ++layer)
      if (areas[layer] > 0) sums[layer] /= areas[layer];
    return sums;
  }

  std::vector<double> covariance(const ComponentOf& within, const ComponentOf& q,
                                 const ComponentOf& r) const {
    const std::vector<double> mean_q = average(q), mean_r = average(r);
    return average([&](std::size_t cell) {
      const auto layer = static_cast<std::size_t>(layers_[cell]);
      return within(cell) + (q(cell) - mean_q[layer]) * (r(cell) - mean_r[layer]);
    });
  }

  static std::vector<double> root(std::vector<double> squares) {
    for (double& square : squares) square = std::sqrt(std::max(0.0, square));
    return squares;
  }

  std::vector<std::string> names_of(const std::string& field) const {
    return field_columns({field}, grid_.dim());
  }

  void add(const CellArray& array) {
    const auto statistic = find_statistic(array.name);
    if (!statistic) return;
    switch (statistic->kind) {
      case StatisticKind::mean:
        return add_means(statistic->of);
      case StatisticKind::rms:
        return add_rms(array, statistic->of);
      case StatisticKind::stress:
        return add_stresses(array);
      case StatisticKind::flux:
        return add_fluxes(array, statistic->of);
    }
  }

  void add_means(const std::string& field) {
    const std::vector<std::string> names = names_of(field);
    for (std::size_t d = 0; d < names.size(); ++d)
      columns_.emplace_back(names[d] + "_mean", average(mean(field, static_cast<int>(d))));
  }

  void add_rms(const CellArray& array, const std::string& field) {
    const std::vector<std::string> names = names_of(field);
    for (std::size_t d = 0; d < names.size(); ++d) {
      CellArray squares{"", 1, std::vector<double>(areas_.size())};
      for (std::size_t cell = 0; cell < areas_.size(); ++cell)
        squares.values[cell] = std::pow(ComponentOf{array, d}(cell), 2);
      const ComponentOf q = mean(field, static_cast<int>(d));
      columns_.emplace_back(names[d] + "_rms", root(covariance({squares}, q, q)));
    }
  }

  // Component k of the six has the same rows and columns in 2D, where those with z are left out.
  void add_stresses(const CellArray& array) {
    const std::vector<std::string> names = names_of("velocity");
    for (std::size_t k = 0; k < MomentArrays::most; ++k) {
      const int a = stress_row<3>(static_cast<int>(k)), b = stress_column<3>(static_cast<int>(k));
      if (b >= grid_.dim()) continue;
      const std::string &first = names[static_cast<std::size_t>(a)],
                        &second = names[static_cast<std::size_t>(b)];
      std::vector<double> values = covariance({array, k}, mean("velocity", a), mean("velocity", b));
      if (a != b)
        columns_.emplace_back(fmt::format("{}_{}_covariance", first, second), std::move(values));
      else if (!find("rms_velocity"))
        columns_.emplace_back(first + "_rms", root(std::move(values)));
    }
  }

  void add_fluxes(const CellArray& array, const std::string& scalar) {
    const std::vector<std::string> names = names_of("velocity");
    for (std::size_t d = 0; d < names.size(); ++d)
      columns_.emplace_back(
          fmt::format("{}_{}_covariance", names[d], scalar),
          covariance({array, d}, mean("velocity", static_cast<int>(d)), mean(scalar)));
  }

  const Grid& grid_;
  int axis_;
  const std::vector<CellArray>& arrays_;
  std::vector<double> areas_;  // of every cell, 0 in solids
  std::vector<int> layers_;    // of every cell
  std::vector<std::pair<std::string, std::vector<double>>> columns_;
};

}  // namespace

std::vector<std::string> fields_of_profiles(const std::vector<std::string>& output_fields,
                                            bool has_solids) {
  std::vector<std::string> fields;
  std::ranges::copy_if(output_fields, std::back_inserter(fields),
                       [](const std::string& field) { return find_statistic(field).has_value(); });
  if (has_solids) fields.emplace_back(solids);
  return fields;
}

std::string profiles_text(const Grid& grid, int axis, const std::vector<CellArray>& arrays) {
  return Profiles(grid, axis, arrays).text();
}

}  // namespace hodge::sim
