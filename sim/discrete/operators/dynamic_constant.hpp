// C = C_s^2 of dynamic_smagorinsky (closures/dynamic_smagorinsky.hpp) in every cell, of a level.
//
// `periodic`  The test filter goes along all periodic axes, and the means < > over whole lines,
//             planes or the box along them, each cell with its widths. So C depends on the other
//             coordinates alone; beside walls neither filter nor mean crosses what is not
//             homogeneous.
// `local`     The filter goes along all three axes, and the means over the 27 cells around each.
//             In a side that is not periodic the cell itself stands for what is beyond.
//
// C is bounded by 0 and the square of turbulence.constant. Cells of bodies do not count. C is found
// at the end of each step from its velocity and kept in the next one, whose stages have their own
// |S|: of first order in time, and nothing but the velocity decides it.
//
// Sums go cell by cell along each axis, over all processes in the order of their layers, so that
// bits do not depend on their number. Nothing waits for the host, unless messages do.
//
// Memory per cell: 12 fields. Bytes of a step per cell: velocity 24; what is filtered 80, written
// and read; products 16, written and read.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "linalg/processes/lists.hpp"
#include "linalg/processes/message_count.hpp"
#include "linalg/vectors/buffer.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/operators/closures/dynamic_smagorinsky.hpp"
#include "sim/discrete/operators/coefficient_fields.hpp"
#include "sim/discrete/operators/resolved_gradient.hpp"
#include "sim/discrete/processes/halo_exchange.hpp"
#include "sim/model/turbulence.hpp"

namespace hodge::sim {

// Where C is read: the same along axes with a stride of 0.
struct ConstantView {
  const double* origin = nullptr;
  int stride[3] = {};

  HODGE_HD double operator()(const Index<3>& c) const {
    return origin[c[0] * stride[0] + c[1] * stride[1] + c[2] * stride[2]];
  }
};

// What is filtered, at cells: u_i, S_ij in the order of FilteredFlow, |S|.
inline constexpr int filtered_count = 3 + FilteredFlow::pairs + 1;
template <class T>
struct FilteredFields {
  T* origin[filtered_count] = {};
  FieldView<3, T> any{};  // of their strides

  HODGE_HD FieldView<3, T> operator[](int k) const {
    FieldView<3, T> view = any;
    view.origin = origin[k];
    return view;
  }
};

struct TestFilter {
  bool along[3] = {};
  bool continues[3][2] = {};  // whether there is a cell beyond the part
  Index<3> cells{};
  double ratio_squared = 1;  // a^2

  // The neighbour of c along e, c itself beyond a side.
  HODGE_HD Index<3> beside(const Index<3>& c, int e, int step) const {
    const int i = c[e] + step;
    const bool missing = (i < 0 && !continues[e][0]) || (i >= cells[e] && !continues[e][1]);
    return missing ? c : c.shifted(e, step);
  }
  HODGE_HD static double weight(int step) { return step == 0 ? 4.0 / 6.0 : 1.0 / 6.0; }
};

// With one more layer where the filter reads beyond the part.
inline Box<3> filtered_box(const TestFilter& filter) {
  Box<3> box{Index<3>::filled(0), filter.cells};
  for (int e = 0; e < 3; ++e) {
    if (filter.along[e] && filter.continues[e][0]) --box.lower[e];
    if (filter.along[e] && filter.continues[e][1]) ++box.upper[e];
  }
  return box;
}

template <class Space>
void resolve_for_filter(const ResolvedVelocity<3>& on, const Box<3>& box,
                        const FilteredFields<double>& to) {
  linalg::for_each<Space>(box, [=] HODGE_LAMBDA(const Index<3>& c) {
    const VelocityGradient<3> gradient = resolved_gradient(on, c);
    const bool fluid = !on.bodies.excludes(at_cells, c);
    double strain[FilteredFlow::pairs];
    for (int k = 0; k < FilteredFlow::pairs; ++k)
      strain[k] = fluid ? gradient.strain(FilteredFlow::first(k), FilteredFlow::second(k)) : 0.0;
    for (int d = 0; d < 3; ++d) to[d](c) = fluid ? cell_mean(on, d, c) : 0.0;
    for (int k = 0; k < FilteredFlow::pairs; ++k) to[3 + k](c) = strain[k];
    to[filtered_count - 1](c) = size_of_strain(strain);
  });
}

// The filter along x and y.
HODGE_HD inline FilteredFlow filtered_plane(const FilteredFields<const double>& from,
                                            const TestFilter& filter, const Index<3>& c) {
  FilteredFlow sum;
  const int x = filter.along[0] ? 1 : 0, y = filter.along[1] ? 1 : 0;
  for (int j = -y; j <= y; ++j) {
    const Index<3> row = filter.beside(c, 1, j);
    for (int i = -x; i <= x; ++i) {
      const Index<3> at = filter.beside(row, 0, i);
      const double weight =
          (x > 0 ? TestFilter::weight(i) : 1.0) * (y > 0 ? TestFilter::weight(j) : 1.0);
      double velocity[3], strain[FilteredFlow::pairs];
      for (int d = 0; d < 3; ++d) velocity[d] = from[d](at);
      for (int k = 0; k < FilteredFlow::pairs; ++k) strain[k] = from[3 + k](at);
      sum.add(weight, velocity, strain, from[filtered_count - 1](at));
    }
  }
  return sum;
}

// L:M and M:M in every cell, times the widths along the axes of means. A thread goes along z and
// keeps the planes that its cells share.
struct GermanoPass {
  GridView<3> grid;
  BodyView<3> bodies;
  TestFilter filter;
  bool averaged[3];
  FilteredFields<const double> from;
  FieldView<3> lm, mm;

  static constexpr int planes = 8;

  HODGE_HD void store(const FilteredFlow& flow, const Index<3>& c) const {
    const double width = std::cbrt(grid.cell_volume(c));
    GermanoProducts products = germano_products(flow, width * width, filter.ratio_squared);
    double weight = bodies.excludes(at_cells, c) ? 0.0 : 1.0;
    for (int e = 0; e < 3; ++e)
      if (averaged[e]) weight *= grid.width(e, c[e]);
    lm(c) = weight * products.lm;
    mm(c) = weight * products.mm;
  }

  HODGE_HD void operator()(const Index<3>& block) const {
    Index<3> c = block;
    c[2] = block[2] * planes;
    const int end = c[2] + planes < filter.cells[2] ? c[2] + planes : filter.cells[2];
    if (!filter.along[2]) {
      for (; c[2] < end; ++c[2]) store(filtered_plane(from, filter, c), c);
      return;
    }
    FilteredFlow below = filtered_plane(from, filter, filter.beside(c, 2, -1));
    FilteredFlow here = filtered_plane(from, filter, c);
    for (; c[2] < end; ++c[2]) {
      const FilteredFlow above = filtered_plane(from, filter, filter.beside(c, 2, 1));
      FilteredFlow sum;
      sum.add(TestFilter::weight(-1), below);
      sum.add(TestFilter::weight(0), here);
      sum.add(TestFilter::weight(1), above);
      store(sum, c);
      below = here;
      here = above;
    }
  }
};

// Values for every index of a box, two after another: L:M and M:M.
template <class T>
struct PairsView {
  T* values = nullptr;
  int stride[2] = {};  // of y and z, in pairs

  HODGE_HD T* operator()(const Index<3>& c) const {
    return values + 2 * (c[0] + stride[0] * c[1] + stride[1] * c[2]);
  }
};

// to := sums along an axis.
template <class Space, class From>
void sum_along(int axis, int count, const Box<3>& box, const From& from,
               const PairsView<double>& to) {
  linalg::for_each<Space>(box, [=] HODGE_LAMBDA(const Index<3>& c) {
    double sum[2] = {0.0, 0.0};
    for (int i = 0; i < count; ++i) {
      const Index<3> at = c.shifted(axis, i);
      double values[2];
      from(at, values);
      sum[0] += values[0];
      sum[1] += values[1];
    }
    to(c)[0] = sum[0];
    to(c)[1] = sum[1];
  });
}

struct FieldsAsPairs {
  ConstFieldView<3> lm, mm;
  HODGE_HD void operator()(const Index<3>& c, double (&values)[2]) const {
    values[0] = lm(c);
    values[1] = mm(c);
  }
};
struct StoredPairs {
  PairsView<const double> of;
  HODGE_HD void operator()(const Index<3>& c, double (&values)[2]) const {
    values[0] = of(c)[0];
    values[1] = of(c)[1];
  }
};

HODGE_HD inline double bounded_constant(double lm, double mm, double largest) {
  const double c = mm > 0.0 ? lm / mm : 0.0;
  return c > 0.0 ? (c < largest ? c : largest) : 0.0;
}

// C of the sums in `lines`, over `count` layers where all layers have one C.
template <class Space>
void divide_sums(const PairsView<const double>& sums, const Index<3>& lines, int count,
                 bool all_layers, double largest, double* constants) {
  Box<3> box{Index<3>::filled(0), lines};
  if (all_layers) box.upper[2] = 1;
  linalg::for_each<Space>(box, [=] HODGE_LAMBDA(const Index<3>& c) {
    double lm = 0.0, mm = 0.0;
    for (int k = 0; k < count; ++k) {
      const double* const at = sums(c.shifted(2, k));
      lm += at[0];
      mm += at[1];
    }
    constants[c[0] + lines[0] * (c[1] + lines[1] * c[2])] = bounded_constant(lm, mm, largest);
  });
}

// C of the 27 cells around each.
template <class Space>
void divide_around(const TestFilter& filter, const FieldsAsPairs& products, double largest,
                   Field<3, Space>& constants) {
  const FieldView<3> to = constants.view();
  linalg::for_each<Space>(constants.layout().interior(), [=] HODGE_LAMBDA(const Index<3>& c) {
    double sum[2] = {0.0, 0.0};
    for (int k = -1; k <= 1; ++k)
      for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
          double values[2];
          products(filter.beside(filter.beside(filter.beside(c, 2, k), 1, j), 0, i), values);
          sum[0] += values[0];
          sum[1] += values[1];
        }
    to(c) = bounded_constant(sum[0], sum[1], largest);
  });
}

template <class Space>
class DynamicConstant {
 public:
  // `whole`: the sides of the whole box.
  DynamicConstant(const Turbulence& turbulence, const SideKinds<3>& whole, const Layout<3>& layout)
      : largest_(turbulence.constant * turbulence.constant),
        layout_(layout),
        lm_(layout),
        mm_(layout) {
    for (int k = 0; k < filtered_count; ++k) filtered_.emplace_back(layout);
    bool any_periodic = false;
    for (int e = 0; e < 3; ++e) {
      averaged_[e] = whole.wraps[e];
      any_periodic = any_periodic || averaged_[e];
    }
    is_local_ = turbulence.average == average_names[1] || !any_periodic;
    double axes = 0;
    for (int e = 0; e < 3; ++e) {
      averaged_[e] = averaged_[e] && !is_local_;
      filter_.along[e] = is_local_ || averaged_[e];
      axes += filter_.along[e];
    }
    filter_.ratio_squared = std::pow(2.0, 2.0 * axes / 3.0);
    filter_.cells = layout.cells;
    if (!is_local_) make_room();
  }

  ConstantView view() const {
    ConstantView view{constants_.data(), {}};
    if (is_local_) {
      const ConstFieldView<3> c = filtered_.back().view();
      view.origin = c.origin;
      view.stride[0] = 1;
      for (int e = 1; e < 3; ++e) view.stride[e] = c.stride[e];
      return view;
    }
    int stride = 1;
    for (int e = 0; e < 3; ++e) {
      view.stride[e] = averaged_[e] ? 0 : stride;
      if (!averaged_[e]) stride *= layout_.cells[e];
    }
    return view;
  }

  void find(const ResolvedVelocity<3>& velocity) {
    for (int e = 0; e < 3; ++e)
      for (int side = 0; side < 2; ++side)
        filter_.continues[e][side] = velocity.sides.continues[e][side];
    FilteredFields<double> to;
    to.any = filtered_[0].view();
    for (int k = 0; k < filtered_count; ++k) to.origin[k] = filtered_[k].view().origin;
    resolve_for_filter<Space>(velocity, filtered_box(filter_), to);
    GermanoPass pass{
        velocity.grid, velocity.bodies, filter_, {averaged_[0], averaged_[1], averaged_[2]}, {},
        lm_.view(),    mm_.view()};
    pass.from.any = std::as_const(filtered_[0]).view();
    for (int k = 0; k < filtered_count; ++k) pass.from.origin[k] = to.origin[k];
    Box<3> blocks = layout_.interior();
    blocks.upper[2] = (blocks.upper[2] + GermanoPass::planes - 1) / GermanoPass::planes;
    linalg::for_each<Space>(blocks, pass);
    if (!is_local_) return average_along_axes();
    fill_coefficient_ghosts(velocity.sides, lm_);
    fill_coefficient_ghosts(velocity.sides, mm_);
    divide_around<Space>(filter_, {std::as_const(lm_).view(), std::as_const(mm_).view()}, largest_,
                         filtered_.back());
  }

 private:
  // Lines along z of a cell, or of sums over x and y.
  Index<3> extents_of_lines() const {
    Index<3> extent = layout_.cells;
    for (int e = 0; e < 2; ++e)
      if (averaged_[e]) extent[e] = 1;
    return extent;
  }

  void make_room() {
    const Index<3> lines = extents_of_lines();
    const auto plane = static_cast<std::size_t>(lines[0]) * static_cast<std::size_t>(lines[1]);
    const auto layers = static_cast<std::size_t>(layout_.whole(2));
    lines_ = linalg::Buffer<double, Space>(2 * plane * (averaged_[2] ? layers : layers_here()));
    constants_ = linalg::Buffer<double, Space>(plane * (averaged_[2] ? 1 : layers_here()));
    if (averaged_[0] && averaged_[1])
      rows_ = linalg::Buffer<double, Space>(2 * static_cast<std::size_t>(layout_.cells[0]) *
                                            layers_here());
    if (averaged_[2] && layout_.halo != nullptr)
      for (const int count : linalg::gather_one(layout_.halo->processes(), layout_.cells[2]))
        bytes_.push_back(2 * sizeof(double) * plane * static_cast<std::size_t>(count));
  }
  std::size_t layers_here() const { return static_cast<std::size_t>(layout_.cells[2]); }

  // Along y first, whose lines lie beside each other, then along x, then along z over all
  // processes.
  void average_along_axes() {
    const FieldsAsPairs products{std::as_const(lm_).view(), std::as_const(mm_).view()};
    const Index<3> lines = extents_of_lines();
    const int first = averaged_[2] ? layout_.before[2] * lines[0] * lines[1] : 0;
    const PairsView<double> own{lines_.data() + 2 * first, {lines[0], lines[0] * lines[1]}};
    const Box<3> box{Index<3>::filled(0), lines};
    if (averaged_[0] && averaged_[1]) {
      const int n = layout_.cells[0];
      const PairsView<double> rows{rows_.data(), {n, n}};
      sum_along<Space>(1, layout_.cells[1], {box.lower, {{n, 1, lines[2]}}}, products, rows);
      sum_along<Space>(0, n, box, StoredPairs{{rows.values, {n, n}}}, own);
    } else {
      const int axis = averaged_[1] ? 1 : 0;
      const int count = averaged_[axis] ? layout_.cells[axis] : 1;
      sum_along<Space>(axis, count, box, products, own);
    }
    if (!bytes_.empty()) {
      const linalg::CountedMessages counted(
          linalg::MessageKind::gathers,
          bytes_[static_cast<std::size_t>(layout_.halo->processes().rank())]);
      Space::gather_parts(layout_.halo->processes(), reinterpret_cast<std::byte*>(lines_.data()),
                          bytes_);
    }
    divide_sums<Space>({lines_.data(), {lines[0], lines[0] * lines[1]}}, lines,
                       averaged_[2] ? layout_.whole(2) : 1, averaged_[2], largest_,
                       constants_.data());
  }

  double largest_;
  Layout<3> layout_;
  TestFilter filter_;
  bool averaged_[3] = {};
  bool is_local_ = false;
  std::vector<Field<3, Space>> filtered_;  // the last one then C, where it is local
  Field<3, Space> lm_, mm_;
  linalg::Buffer<double, Space> rows_, lines_, constants_;
  std::vector<std::size_t> bytes_;  // of the lines of each process, where they are shared
};

}  // namespace hodge::sim
