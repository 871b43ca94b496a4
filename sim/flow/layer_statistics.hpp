// Takes the sums of layer_sums.hpp where the fields are, over layers of cells and over time.
//
//   a step   adds each product, times its time and its part of the area, to sums of lines: those of
//            every 16th cell along the first axis that is averaged over share one
//   a batch  ends after a time that doubles whenever there are 64 batches, which are then added two
//            by two. The sums of lines are added over the places of a line on the device, and over
//            the lines of a layer on the host, in the order of the cells of the whole box: the same
//            bits for any number of processes, which have parts of the lines.
//
// Nothing is allocated on the device after the start. Steps send no messages; the end of a batch is
// collective.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linalg/processes/lists.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/base/state_visitor.hpp"
#include "sim/discrete/operators/fixed_location.hpp"
#include "sim/discrete/operators/output_fields.hpp"
#include "sim/discrete/processes/halo_exchange.hpp"
#include "sim/discrete/processes/visit_lists.hpp"
#include "sim/flow/layer_sums.hpp"

namespace hodge::sim {

// The part of a layer's area that belongs to a value: of component `d` (at_cells: a cell), or to
// the difference of two of them along e.
template <int Dim>
struct LayerArea {
  GridView<Dim> grid;
  double inverse;  // 1 / the area of the whole layer

  HODGE_HD double operator()(int axis, int d, int e, const Index<Dim>& c) const {
    double area = inverse;
    for (int g = 0; g < Dim; ++g) {
      const bool between = (g == d) != (g == e);
      if (g != axis) area *= between ? grid.distance(g, c[g]) : grid.width(g, c[g]);
    }
    return area;
  }
};

// Adds what belongs to index c of layer c[axis].
template <int Dim, class Axis>
HODGE_HD void add_exchange(const PresentFields<Dim>& fields, const LayerArea<Dim>& area, Axis axis,
                           const Index<Dim>& c, double (&s)[ExchangeSums<Dim>::count]) {
  using Sums = ExchangeSums<Dim>;
  const GridView<Dim>& grid = fields.grid;
  const double v = fields.velocity[axis](c);
  unrolled<Dim>([&](auto d) {
    const ConstFieldView<Dim> u = fields.velocity[d];
    const double here = u(c), part = area(axis, d, at_cells, c);
    s[Sums::first(d)] += part * here;
    s[Sums::second(d)] += part * here * here;
    unrolled<Dim>([&](auto e) {
      if (e == axis) return;
      const double difference = e == d
                                    ? (u(c.shifted(e, 1)) - here) * grid.inverse_width(e, c[e])
                                    : (here - u(c.shifted(e, -1))) * grid.inverse_distance(e, c[e]);
      s[Sums::slope(d)] += area(axis, d, e, c) * difference * difference;
    });
    if (d == axis) {
      const double next = u(c.shifted(axis, 1)), in_cell = area(axis, at_cells, at_cells, c);
      const Index<Dim> below = c.shifted(axis, -1);
      const double h = grid.width(axis, c[axis]), h_below = grid.width(axis, c[axis] - 1);
      const double p = (h * fields.pressure(below) + h_below * fields.pressure(c)) / (h + h_below);
      s[Sums::pair(d)] += in_cell * here * next;
      s[Sums::below(d)] += part * here * p;
      s[Sums::carried(d)] += in_cell * 0.5 * (here + next) * here * next;
    } else {
      const double under = u(c.shifted(axis, -1));
      const double w = grid.width(d, c[d]), w_before = grid.width(d, c[d] - 1);
      const double carrier =
          (w_before * fields.velocity[axis](c.shifted(d, -1)) + w * v) / (w_before + w);
      s[Sums::pair(d)] += part * under * here;
      s[Sums::below(d)] += part * carrier * under;
      s[Sums::above(d)] += part * carrier * here;
      s[Sums::carried(d)] += part * carrier * under * here;
    }
  });
}

template <int Dim>
HODGE_HD void add_cell(const PresentFields<Dim>& fields, const LayerArea<Dim>& area, int axis,
                       const Index<Dim>& c, double (&s)[CellSums<Dim>::count]) {
  using Sums = CellSums<Dim>;
  if (fields.bodies.excludes(at_cells, c)) return;
  const double part = area(axis, at_cells, at_cells, c), p = fields.pressure(c);
  double u[Dim];
  for (int d = 0; d < Dim; ++d) u[d] = cell_velocity(fields.velocity, d, c);
  s[Sums::fluid] += part;
  int second = Sums::second, third = Sums::third;
  for (int d = 0; d < Dim; ++d) {
    s[Sums::first + d] += part * u[d];
    for (int e = d; e < Dim; ++e) {
      s[second++] += part * u[d] * u[e];
      for (int f = e; f < Dim; ++f) s[third++] += part * u[d] * u[e] * u[f];
    }
  }
  s[Sums::pressure] += part * p;
  s[Sums::pressure_square] += part * p * p;
}

template <int Dim>
HODGE_HD void add_scalar(const PresentFields<Dim>& fields, const ConstFieldView<Dim>& scalar,
                         const LayerArea<Dim>& area, int axis, const Index<Dim>& c,
                         double (&s)[ScalarSums<Dim>::count]) {
  using Sums = ScalarSums<Dim>;
  if (fields.bodies.excludes(at_cells, c)) return;
  const double part = area(axis, at_cells, at_cells, c), q = scalar(c);
  s[Sums::first] += part * q;
  s[Sums::second] += part * q * q;
  for (int d = 0; d < Dim; ++d)
    s[Sums::flux + d] += part * q * cell_velocity(fields.velocity, d, c);
}

// Lines of cells and their sums: of sum k at places[k * size + box.position(c)].
template <int Dim>
struct LineSums {
  Box<Dim> box;     // c[shared]: a place
  int shared = -1;  // the axis along which cells share places; -1: none
  int cells = 1;    // along it
  double* places = nullptr;
};

// add(c, s) adds what belongs to cell c.
template <class Space, int Count, int Dim, class Add>
void add_to_lines(const LineSums<Dim>& lines, double weight, Add add) {
  const std::ptrdiff_t size = lines.box.size();
  linalg::for_each<Space>(lines.box, [=] HODGE_LAMBDA(const Index<Dim>& place) {
    double s[Count];
    for (int k = 0; k < Count; ++k) s[k] = 0.0;
    if (lines.shared < 0) {
      add(place, s);
    } else {
      const int step = lines.box.upper[lines.shared];
      for (Index<Dim> c = place; c[lines.shared] < lines.cells; c[lines.shared] += step) add(c, s);
    }
    double* const sums = lines.places + lines.box.position(place);
    for (int k = 0; k < Count; ++k) sums[k * size] += weight * s[k];
  });
}

template <int Dim, class Space, class Axis>
void add_exchange_along(Axis axis, const LineSums<Dim>& lines, const PresentFields<Dim>& fields,
                        const LayerArea<Dim>& area, double weight) {
  constexpr int count = ExchangeSums<Dim>::count;
  add_to_lines<Space, count>(lines, weight,
                             [=] HODGE_LAMBDA(const Index<Dim>& c, double(&s)[count]) {
                               add_exchange(fields, area, axis, c, s);
                             });
}
template <int Dim, class Space>
void add_exchange_to_lines(int axis, const LineSums<Dim>& lines, const PresentFields<Dim>& fields,
                           const LayerArea<Dim>& area, double weight) {
  if (axis == 0) return add_exchange_along<Dim, Space>(Fixed<0>{}, lines, fields, area, weight);
  if (axis == 1) return add_exchange_along<Dim, Space>(Fixed<1>{}, lines, fields, area, weight);
  if constexpr (Dim == 3) add_exchange_along<Dim, Space>(Fixed<2>{}, lines, fields, area, weight);
}
template <int Dim, class Space>
void add_cells_to_lines(int axis, const LineSums<Dim>& lines, const PresentFields<Dim>& fields,
                        const LayerArea<Dim>& area, double weight) {
  constexpr int count = CellSums<Dim>::count;
  add_to_lines<Space, count>(lines, weight,
                             [=] HODGE_LAMBDA(const Index<Dim>& c, double(&s)[count]) {
                               add_cell(fields, area, axis, c, s);
                             });
}
template <int Dim, class Space>
void add_scalar_to_lines(int axis, const LineSums<Dim>& lines, const PresentFields<Dim>& fields,
                         const ConstFieldView<Dim>& scalar, const LayerArea<Dim>& area,
                         double weight) {
  constexpr int count = ScalarSums<Dim>::count;
  add_to_lines<Space, count>(lines, weight,
                             [=] HODGE_LAMBDA(const Index<Dim>& c, double(&s)[count]) {
                               add_scalar(fields, scalar, area, axis, c, s);
                             });
}

// sums[k][c without the shared axis] = the sum over the places of each line.
template <int Dim, class Space>
void add_up_places(const LineSums<Dim>& lines, int count, double* sums) {
  Box<Dim> across = lines.box;
  const int places = lines.shared < 0 ? 1 : lines.box.extent(lines.shared);
  if (lines.shared >= 0) across.upper[lines.shared] = 1;
  const std::ptrdiff_t size = lines.box.size(), size_across = across.size();
  linalg::for_each<Space>(across, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    for (int k = 0; k < count; ++k) {
      double sum = 0.0;
      for (int i = 0; i < places; ++i) {
        const Index<Dim> place = lines.shared < 0 ? c : with(c, lines.shared, i);
        sum += lines.places[k * size + lines.box.position(place)];
      }
      sums[k * size_across + across.position(c)] = sum;
    }
  });
}

template <int Dim, class Space>
class LayerStatistics {
 public:
  LayerStatistics() = default;
  // `layout`: of the part of this process; lengths are those of the whole box.
  LayerStatistics(const LayerPlan& plan, const Layout<Dim>& layout,
                  const std::array<double, Dim>& lengths)
      : sums_{plan}, any_(true), lines_layout_(layout) {
    lines_layout_.alignment = 1;
    lines_.shared = shared_axis(Dim, plan.axis);
    if (lines_.shared >= 0) {
      lines_.cells = layout.cells[lines_.shared];
      lines_layout_.cells[lines_.shared] = std::min(lines_.cells, line_places);
    }
    lines_.box = lines_layout_.interior();
    for (int d = 0; d < Dim; ++d)
      if (d != plan.axis) inverse_area_ /= lengths[static_cast<std::size_t>(d)];
    const auto values =
        static_cast<std::size_t>(lines_.box.size()) * static_cast<std::size_t>(plan.count());
    places_ = linalg::Buffer<double, Space>(values);
    const int places = lines_.shared < 0 ? 1 : lines_.box.extent(lines_.shared);
    across_ = linalg::Buffer<double, Space>(values / static_cast<std::size_t>(std::max(1, places)));
  }

  bool any() const { return any_; }

  // Adds the present values; a negative weight takes some away that was added too much.
  // scalar_of(name): its values.
  template <class ScalarOf>
  void add(double weight, const PresentFields<Dim>& fields, const ScalarOf& scalar_of) {
    if (!any() || weight == 0) return;
    weight_ += weight;
    const LayerPlan& plan = sums_.plan;
    const LayerArea<Dim> area{fields.grid, inverse_area_};
    LineSums<Dim> lines = lines_;
    lines.places = places_.data();
    const auto go_on = [&](int count) { lines.places += count * lines.box.size(); };
    if (plan.has_exchange)
      add_exchange_to_lines<Dim, Space>(plan.axis, lines, fields, area, weight);
    go_on(plan.exchange());
    add_cells_to_lines<Dim, Space>(plan.axis, lines, fields, area, weight);
    go_on(CellSums<Dim>::count);
    for (const std::string& name : plan.scalars) {
      add_scalar_to_lines<Dim, Space>(plan.axis, lines, fields, scalar_of(name), area, weight);
      go_on(ScalarSums<Dim>::count);
    }
    length_ = length_ > 0 ? length_ : first_steps * std::abs(weight);
    if (weight_ >= length_) end_batch();
  }

  // With the batch that has not ended. Collective.
  LayerSums sums() {
    LayerSums all = sums_;
    if (weight_ > 0) all.batches.push_back({weight_, layers()});
    return all;
  }

  void visit_state(StateVisitor& visitor, double longest) {
    if (!any()) return;
    StateGroup group(visitor, "layers");
    group.visit("weight", weight_, {-longest, longest});
    group.visit("length", length_, {0, largest_stored});
    std::vector<double> batches;
    for (const LayerBatch& batch : sums_.batches) {
      batches.push_back(batch.weight);
      batches.insert(batches.end(), batch.sums.begin(), batch.sums.end());
    }
    group.visit("batches", batches);
    if (visitor.restores()) restore(group, batches, longest);
    const auto per_sum = static_cast<std::size_t>(lines_.box.size());
    visit_on_host(group, places_, [&](std::span<double> values) {
      for (std::size_t k = 0; k < static_cast<std::size_t>(sums_.plan.count()); ++k)
        visit_list(group, "lines/" + std::to_string(k), lines_layout_, listed_cells,
                   values.subspan(k * per_sum, per_sum));
    });
  }

 private:
  static constexpr std::size_t most_batches = 64;
  static constexpr double first_steps = 16;

  void restore(StateVisitor& group, const std::vector<double>& batches, double longest) {
    const auto size = 1 + static_cast<std::size_t>(sums_.plan.count() * sums_.plan.layers);
    if (batches.size() % size != 0 || batches.size() / size >= most_batches)
      group.refuse("batches", "has " + std::to_string(batches.size()) + " values, expected " +
                                  std::to_string(size) + " for each of less than 64 batches");
    sums_.batches.clear();
    for (auto next = batches.begin(); next != batches.end(); next += static_cast<long>(size)) {
      if (!(*next > 0 && *next <= longest))
        group.refuse("batches", "has a batch of another time than there has been");
      sums_.batches.push_back({*next, {next + 1, next + static_cast<long>(size)}});
    }
  }

  void end_batch() {
    sums_.batches.push_back({weight_, layers()});
    Space::clear(places_.data(), places_.bytes());
    weight_ = 0;
    if (sums_.batches.size() < most_batches) return;
    std::vector<LayerBatch> pairs;
    for (std::size_t b = 0; b < most_batches; b += 2) {
      LayerBatch& pair = pairs.emplace_back(std::move(sums_.batches[b]));
      const LayerBatch& other = sums_.batches[b + 1];
      pair.weight += other.weight;
      for (std::size_t i = 0; i < pair.sums.size(); ++i) pair.sums[i] += other.sums[i];
    }
    sums_.batches = std::move(pairs);
    length_ *= 2;
  }

  // Of the present batch.
  std::vector<double> layers() {
    const LayerPlan& plan = sums_.plan;
    LineSums<Dim> lines = lines_;
    lines.places = places_.data();
    add_up_places<Dim, Space>(lines, plan.count(), across_.data());
    const std::vector<double> own = across_.to_host();
    const bool is_shared = lines_layout_.halo != nullptr;
    const std::vector<double> all =
        is_shared ? linalg::gather_lists(lines_layout_.halo->processes(), std::span(own)) : own;
    // Of each process: sum after sum the lines of its layers of the last axis.
    std::vector<std::size_t> parts{own.size()};
    if (is_shared) parts = linalg::gather_one(lines_layout_.halo->processes(), own.size());
    Box<Dim> across = lines_.box;
    if (lines_.shared >= 0) across.upper[lines_.shared] = 1;
    std::size_t below_last = 1;
    for (int d = 0; d + 1 < Dim; ++d) below_last *= static_cast<std::size_t>(across.upper[d]);
    const auto count = static_cast<std::size_t>(plan.count());
    std::vector<double> layers(count * static_cast<std::size_t>(plan.layers));
    std::size_t begin = 0, last = 0;  // of a process; its first layer along the last axis
    for (const std::size_t size : parts) {
      const std::size_t of_sum = size / count;
      for (std::size_t k = 0; k < count; ++k)
        for (std::size_t i = 0; i < of_sum; ++i) {
          const std::size_t layer =
              plan.axis == Dim - 1 ? last + i / below_last
              : plan.axis == 0     ? i % static_cast<std::size_t>(plan.layers)
                                   : i % below_last / static_cast<std::size_t>(across.upper[0]);
          layers[k * static_cast<std::size_t>(plan.layers) + layer] += all[begin + k * of_sum + i];
        }
      begin += size;
      last += of_sum / below_last;
    }
    return layers;
  }

  LayerSums sums_;  // batches that have ended
  bool any_ = false;
  Layout<Dim> lines_layout_{};
  LineSums<Dim> lines_{};
  double inverse_area_ = 1;
  linalg::Buffer<double, Space> places_, across_;
  double weight_ = 0;  // of the present batch
  double length_ = 0;  // of a batch; 0: not known yet
};

}  // namespace hodge::sim
