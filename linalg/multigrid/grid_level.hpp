// A level of the multigrid cycle on a Cartesian grid (grid_cycle.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "linalg/multigrid/box_stencil.hpp"
#include "linalg/multigrid/choose_coarsening.hpp"
#include "linalg/multigrid/coarsest.hpp"
#include "linalg/multigrid/shared_layers.hpp"
#include "linalg/multigrid/small_cycle.hpp"
#include "linalg/space/traffic.hpp"

namespace hodge::linalg::multigrid {

// A stencil, its coarsening to the next level, and vectors. With a `system` the couplings are those
// of this system, and only the inverse diagonal is stored.
template <int Dim, class Space, class T>
struct GridLevel {
  using Array = HaloArray<T>;
  static constexpr T jacobi_damping = static_cast<T>(0.8);

  // layers_used: that this process computes or reads.
  GridLevel(const LevelShape<Dim>& shape, const std::vector<Layers>& layers_used, bool symmetric,
            const MultigridSettings& settings, const SeparableSystem* system = nullptr)
      : used(cells_of(shape, layers_used)),
        stencil(shape, symmetric, used, system == nullptr),
        z(static_cast<std::size_t>(shape.cells()), used),
        r(z.size(), used),
        t(z.size(), used),
        s(z.size(), used),
        smoother(smoother_of(settings)),
        omega(static_cast<T>(settings.omega)),
        layers(shape.layers()) {
    if (system != nullptr) box.emplace(*system);
  }
  // Of a level that is used as a whole.
  GridLevel(const LevelShape<Dim>& shape, bool symmetric, const MultigridSettings& settings,
            const SeparableSystem* system = nullptr)
      : GridLevel(shape, {shape.layers()}, symmetric, settings, system) {}
  StencilView<Dim, T> view() {
    StencilView<Dim, T> a = stencil.view();
    a.transposed = transposed;
    return a;
  }
  // use(the stencil, with the couplings where they are)
  template <class Use>
  void with_stencil(const Use& use) {
    if (box) return use(box->view(view()));
    use(view());
  }
  int cells() const { return stencil.shape().cells(); }

  // While the levels are made, t holds the row sums. Each process has computed its part of these
  // and of the stencil: brings it what it reads of others.
  void bring_stencil_together() {
    const StencilView<Dim, T> a = stencil.view();
    bring_together(a.inverse);
    bring_together(t.data());
    for (int d = 0; d < Dim && a.uppers[d] != nullptr; ++d) {
      bring_together(a.uppers[d]);
      if (a.lowers[d] != nullptr) bring_together(a.lowers[d]);
    }
  }
  void choose_coarsening() {
    with_stencil([&](const auto& a) {
      if (layers.processes == nullptr) {
        to_coarser = coarsening_of<Dim, Space>(a, lists);
        return;
      }
      to_coarser = coarsening_by<Dim>(
          a.shape, shared_slice_couplings<Dim, Space>(*layers.processes, layers.own, a), lists);
    });
  }
  void compute(GridLevel& coarse) {
    with_stencil([&](const auto& a) {
      coarsen<Dim, Space>(to_coarser, coarse.layers.part, a, std::as_const(t).data(), coarse.view(),
                          coarse.t.data());
    });
    coarse.bring_stencil_together();
  }
  // That the passes of this process compute.
  int own_cells() const { return stencil.shape().layer() * layers.own.count(); }
  Holes<T> holes_to(GridLevel& coarse) {
    return {holes ? view().inverse : nullptr, coarse.holes ? coarse.view().inverse : nullptr,
            std::as_const(near_holes).data()};
  }

  Array of_z() { return {z.data(), &halo_of_z_}; }
  Array of_r() { return {r.data(), &halo_of_r_}; }
  Array of_t() { return {t.data(), &halo_of_t_}; }

  // z_out = start + S right_side; a null start is 0.
  template <class R, class Z>
  void smooth(HaloArray<const R> right_side, HaloArray<const T> start, HaloArray<Z> z_out) {
    const T* const inverse = view().inverse;
    const R* const b = right_side.values;
    count_pass<R>(passes().smoothing(start.values == nullptr));
    count_moved<Space>(own_cells() * (static_cast<double>(sizeof(Z)) - sizeof(T)));
    const Halo written = z_out.of_level != nullptr ? layers.widest() : Halo{};
    const Halo allowed = start.values == nullptr ? written : written.within(start.halo());
    Halo done;
    switch (smoother) {
      case Smoother::ssor_sai: {
        // The second sweep reads a layer above.
        const Halo first =
            do_rows_reading(right_side, both_sides, {1, 0}, layers.widest(),
                            LowerSweep<Constants, T, R>{inverse, omega, b, s.data()});
        done = first.without({0, 1}).within(allowed);
        do_rows(layers.with(done),
                UpperSweep<Constants, T, Z>{inverse, omega, s.data(), start.values, z_out.values});
        break;
      }
      case Smoother::jacobi:
        done = right_side.halo().within(allowed);
        for_each_part(layers.with(done), layers.all.end, [&](const Layers& part) {
          scaled_step<Dim, Space>(view(), part, omega * jacobi_damping, b, start.values,
                                  z_out.values);
        });
        break;
      case Smoother::chebyshev:
        done = do_rows_reading(right_side, both_sides, both_sides, allowed,
                               SecondChebyshevStep<Constants, T, R, Z>{
                                   inverse, chebyshev_step<T>(2.0), b, start.values, z_out.values});
        break;
    }
    z_out.set(done);
  }
  template <class R>
  void residual(HaloArray<const R> right_side, HaloArray<const T> x, Array d) {
    count_pass<R>(passes().residual());
    d.set(do_rows_reading(
        x, both_sides, both_sides, right_side.halo(),
        ResidualRow<Constants, T, R>{view().inverse, right_side.values, x.values, d.values}));
  }
  void restrict_to(GridLevel& coarse, HaloArray<const T> d) {
    count_vectors<Space, T>(own_cells() + coarse.own_cells(), 1);
    count_moved<Space>(coarse.holes ? coarse.own_cells() : 0);
    if (!d.halo().covers(layers.restricted)) {
      start(layers.for_restriction, d.values);
      layers.for_restriction.finish();
    }
    restrict_to_coarse<Dim, Space>(to_coarser, holes_to(coarse), coarse.layers.part, d.values,
                                   coarse.r.data());
    coarse.gather_right_side();
  }
  void prolong_from(GridLevel& coarse, Array x) {
    count_vectors<Space, T>(2LL * own_cells() + coarse.own_cells(), 1);
    count_moved<Space>(holes || coarse.holes ? coarse.own_cells() : 0);
    const T* const correction = std::as_const(coarse.z).data();
    Halo halo = coarse.layers.processes == nullptr ? layers.widest()
                                                   : layers.prolonged.from(coarse.halo_of_z_);
    if (!halo.covers({0, 0})) {
      coarse.start(layers.for_prolongation, correction);
      layers.for_prolongation.finish();
      halo = {0, 0};
    }
    halo = halo.within(x.halo());
    prolong_and_add<Dim, Space>(to_coarser, holes_to(coarse), layers.with(halo), correction,
                                x.values);
    x.set(halo);
  }
  // Of r each process has its part.
  void gather_right_side() {
    halo_of_r_ = {};
    layers.gather.run(reinterpret_cast<std::byte*>(r.data()), bytes_of_layer<T>());
  }
  // Where the transfers to and from `coarse` are those around holes; once the stencils are there.
  void mark_holes(GridLevel& coarse) {
    const Holes<T> holes_here = holes_to(coarse);
    if (!holes_here.any()) return;
    if (near_holes.size() == 0)
      near_holes = PartBuffer<std::uint8_t, Space>(coarse.z.size(), coarse.used);
    const Layers all = coarse.stencil.shape().layers();
    for_each_part(layers.processes != nullptr ? layers.parents : all, all.end,
                  [&](const Layers& part) {
                    mark_near_holes<Dim, Space>(to_coarser, holes_here, part, near_holes.data());
                  });
  }
  void factor() {
    if (!coarsest) coarsest.emplace(cells());
    coarsest->factor(view(), t.data());
  }
  void solve(HaloArray<const T> right_side, Array x) {
    coarsest->solve(transposed, right_side.values, x.values);
  }
  SmallLevel<Dim, T> as_small() {
    return {view(), to_coarser, z.data(), r.data(), t.data(), s.data()};
  }
  bool run_at_once() {
    if (small.count == 0) return false;
    for (int k = 0; k < small.count; ++k) small.level[k].a.transposed = transposed;
    small.dense.transposed = transposed;
    count_moved<Space>(small_values() * sizeof(T));
    SmallCycle<Space>::run(small);
    return true;
  }

  std::vector<PartRange> used;  // cells
  Stencil<Dim, Space, T> stencil;
  std::optional<BoxArrays<Dim, Space, T>> box;
  PartBuffer<T, Space> z, r, t, s;
  Smoother smoother;
  T omega;
  Coarsening<Dim> to_coarser{};
  AxisLists<Dim, Space> lists;  // of to_coarser
  // Set if some level joins only thin cells: w and f cycles then correct once, because second
  // corrections on so many levels would cost more than they gain, and overshoot.
  bool once = false;
  bool transposed = false;                     // S and A are those of A^T
  bool holes = false;                          // some cells have no unknown
  PartBuffer<std::uint8_t, Space> near_holes;  // Holes::near of to_coarser, if there are any
  std::optional<Coarsest<Space, T>> coarsest;  // of the last level
  SmallLevels<Dim, T> small;   // this level and all coarser ones, if one kernel does them all
  SharedLayers<Space> layers;  // that this process computes

 private:
  PassValues passes() const { return {smoother, Dim, box || stencil.symmetric(), box.has_value()}; }
  // Of a pass that reads a right side of R.
  template <class R>
  void count_pass(double values) {
    count_moved<Space>(own_cells() * ((values - 1) * sizeof(T) + sizeof(R)));
  }
  // Of the small levels: the stencil and four vectors of each; the inverse of the last matrix.
  double small_values() const {
    double values = static_cast<double>(small.dense.n) * small.dense.n;
    for (int k = 0; k < small.count; ++k)
      values += small.level[k].a.shape.cells() * (5 + passes().couplings());
    return values;
  }
  template <class R>
  std::size_t bytes_of_layer() const {
    return sizeof(R) * static_cast<std::size_t>(stencil.shape().layer());
  }
  void bring_together(T* values) {
    start(layers.of_stencil, values);
    layers.of_stencil.finish();
    layers.gather.run(reinterpret_cast<std::byte*>(values), bytes_of_layer<T>());
  }
  // Only the arrays of a level are sent, never a vector of the solver.
  template <class R>
  void start(LayerExchange<Space>& exchange, const R* values) const {
    exchange.start(reinterpret_cast<std::byte*>(const_cast<R*>(values)), bytes_of_layer<R>());
  }
  template <class Operation>
  void do_rows(const Layers& of, const Operation& operation) {
    if (of.empty()) return;
    with_stencil([&](const auto& a) { for_each_row<Space>(a, of, operation); });
  }
  // In the own layers and as many beside them as `read` and `allowed` let it: the operation reads
  // layers `of_cell` of `read` beside that of a cell. If `read` does not have the halo `needed`,
  // the neighbours send it, the widest one. Returns the halo of the result.
  template <class R, class Operation>
  Halo do_rows_reading(HaloArray<const R> read, const Halo& needed, const Halo& of_cell,
                       const Halo& allowed, const Operation& operation) {
    const bool sends = layers.processes != nullptr && !read.halo().covers(needed);
    if (sends) read.set(layers.widest());
    const Halo done = read.halo().without(of_cell).within(allowed);
    const Layers range = layers.with(done), inner = layers.inner;
    if (sends) start(layers.beside, read.values);
    // On a GPU one kernel is faster.
    if (!sends || !std::is_same_v<Space, Host> || !range.has(inner)) {
      if (sends) layers.beside.finish();
      do_rows(range, operation);
      return done;
    }
    do_rows(inner, operation);
    layers.beside.finish();
    do_rows({range.begin, inner.begin}, operation);
    do_rows({inner.end, range.end}, operation);
    return done;
  }

  static constexpr Halo both_sides{1, 1};
  Halo halo_of_z_, halo_of_r_, halo_of_t_;
};

}  // namespace hodge::linalg::multigrid
