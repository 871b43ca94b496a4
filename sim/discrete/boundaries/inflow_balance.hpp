// Takes the net inflow of regions without an open side (closed_inflow.hpp) out of their inflow, on
// the device: every inflow face of a region gets the same change of velocity.
//
//   net_r = sum over the inflow faces of region r of A u.n,    u.n -= net_r / sum A
//
// A is what bodies leave open of a face. The correction is subtracted from the offsets of the
// closures, which must hold the values of the formulas: sides that vary in time are evaluated anew
// before each correction, the others are corrected once. Cost: one small download per correction.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/discrete/boundaries/closed_inflow.hpp"
#include "sim/discrete/boundaries/field_boundary.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/discrete/processes/halo_exchange.hpp"

namespace hodge::sim {

// A net flux below this fraction of the most that has passed so far is rounding.
inline constexpr double balance_round_off = 1e-12;

// Through the faces that one region has in a side.
template <int Dim, class Space>
void measure_passing(const GridView<Dim>& grid, const BodyView<Dim>& bodies, const Box<Dim>& faces,
                     const ClosureView<Dim>& closure, const int* regions, int region, int axis,
                     int side, PassingFlux* result) {
  const double sign = side == 0 ? -1.0 : 1.0;
  const int face = SideIndices{grid.cells[axis], side}.face();
  linalg::reduce<Space, 2>(
      faces, {linalg::Reduction::sum, linalg::Reduction::sum},
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[2]) {
        const bool here = regions[closure.position(axis, c)] == region;
        const double area = bodies.open(axis, with(c, axis, face)) * grid.face_area(axis, c);
        const double out = here ? sign * area * closure.offset(axis, side, c) : 0.0;
        value[0] = out;
        value[1] = out < 0.0 ? -out : out;
      },
      &result->outward);  // and `gross`, which follows it
}

// On the device.
struct MeasuredInflow {
  const PassingFlux* fluxes;    // [region * sides + side]
  const double* inverse_areas;  // of each region
  int sides;
};

// offsets -= sign * net / area of the region of each face.
template <class Space>
void spread_net_flux(const MeasuredInflow& measured, const int* regions, double sign, int size,
                     double* offsets) {
  linalg::for_each<Space>(size, [=] HODGE_LAMBDA(int i) {
    const int region = regions[i];
    if (region < 0) return;
    double net = 0.0;
    for (int k = 0; k < measured.sides; ++k)
      net += measured.fluxes[region * measured.sides + k].outward;
    offsets[i] -= sign * net * measured.inverse_areas[region];
  });
}

template <int Dim, class Space>
class InflowBalance {
 public:
  InflowBalance(const ClosedInflow& inflow, const Layout<Dim>& layout, const Boundaries& boundaries)
      : inflow_(inflow),
        layout_(layout),
        fluxes_(inflow.regions.size() * inflow.sides.size()),
        on_host_(fluxes_.size()),
        touches_(fluxes_.size(), false),
        most_(inflow.regions.size()),
        rounding_(inflow.regions.size()) {
    std::vector<double> inverse_areas;
    for (const ClosedRegion& region : inflow.regions)
      inverse_areas.push_back(1.0 / region.inflow_area);
    inverse_areas_ = linalg::Buffer<double, Space>(std::span<const double>(inverse_areas));
    for (std::size_t k = 0; k < inflow.sides.size(); ++k) {
      const std::vector<int> padded = padded_regions(inflow.sides[k], boundaries);
      regions_.emplace_back(std::span<const int>(padded));
      for (const int r : inflow.sides[k].region)
        if (r >= 0) touches_[flux_number(static_cast<std::size_t>(r), k)] = true;
    }
  }

  bool any() const { return inflow_.any(); }
  const ClosedInflow& inflow() const { return inflow_; }
  // The next refresh brings the values of these formulas, which are to be balanced anew.
  void change_formulas(const Boundaries& boundaries) {
    inflow_.changes = inflow_changes(inflow_, boundaries);
    applied_ = false;
  }
  // What did not balance when it was applied last; the offsets are then those of the formulas.
  const std::optional<std::string>& complaint() const { return complaint_; }
  // The largest net flux of a region that was taken out when it was applied last, L^3/T.
  double correction() const { return correction_; }

  // At every refresh of the components' sides, which brings them to time t.
  void apply(const GridView<Dim>& grid, const BodyView<Dim>& bodies,
             std::vector<FieldBoundary<Dim, Space>>& components, double t) {
    if (!any() || (applied_ && !inflow_.changes)) return;
    measure(grid, bodies, components);
    for (std::size_t r = 0; r < most_.size(); ++r) rounding_[r] = balance_round_off * most_[r];
    complaint_ = imbalance(inflow_, on_host_, t, rounding_);
    if (complaint_) return;
    const MeasuredInflow measured{fluxes_.data(), inverse_areas_.data(),
                                  static_cast<int>(inflow_.sides.size())};
    for (std::size_t k = 0; k < inflow_.sides.size(); ++k) {
      const auto [axis, side] = place_of(k);
      spread_net_flux<Space>(measured, regions_[k].data(), side == 0 ? -1.0 : 1.0,
                             static_cast<int>(regions_[k].size()),
                             components[axis].offsets(axis, side));
    }
    applied_ = true;
  }

  void visit_state(StateVisitor& visitor) {
    if (!any() || !inflow_.changes) return;
    std::vector<double> most = most_;
    visitor.visit("velocity/most_inflow", most);
    for (const double flux : most)
      if (!(flux >= 0)) visitor.refuse("velocity/most_inflow", "has a value below 0");
    if (most.size() == most_.size()) most_ = std::move(most);  // else a restart changed the solids
  }

 private:
  std::size_t flux_number(std::size_t region, std::size_t side) const {
    return region * inflow_.sides.size() + side;
  }
  std::pair<int, int> place_of(std::size_t side) const {
    return {inflow_.sides[side].axis, inflow_.sides[side].side};
  }

  // Whether this process has cells beside the side.
  bool is_here(const ClosedInflow::OfSide& of) const {
    return layout_.halo == nullptr || !layout_.halo->has_neighbour(of.axis, of.side);
  }

  // Over the padded layer of the side, if it is here: its ghosts belong to the faces that they
  // copy.
  std::vector<int> padded_regions(const ClosedInflow::OfSide& of,
                                  const Boundaries& boundaries) const {
    std::vector<int> padded;
    if (!is_here(of)) return padded;
    const Box<Dim> faces = one_layer(layout_.whole_box(), of.axis);
    for_each_on_host(layer(layout_, of.axis), [&](const Index<Dim>& c) {
      Index<Dim> inner = with(layout_.in_whole(c), of.axis, 0);
      for (int d = 0; d < Dim; ++d)
        inner[d] = inner_cell(inner[d], faces.upper[d], boundaries.periodic(d));
      padded.push_back(of.region[static_cast<std::size_t>(faces.position(inner))]);
    });
    return padded;
  }

  void measure(const GridView<Dim>& grid, const BodyView<Dim>& bodies,
               std::vector<FieldBoundary<Dim, Space>>& components) {
    for (std::size_t k = 0; k < inflow_.sides.size(); ++k) {
      const auto [axis, side] = place_of(k);
      Box<Dim> faces = side_faces(layout_, axis);
      if (!is_here(inflow_.sides[k])) faces.upper = faces.lower;
      for (std::size_t r = 0; r < inflow_.regions.size(); ++r)
        if (touches_[flux_number(r, k)])
          measure_passing<Dim, Space>(grid, bodies, faces, components[axis].view(),
                                      regions_[k].data(), static_cast<int>(r), axis, side,
                                      fluxes_.data() + flux_number(r, k));
    }
    fluxes_.download(std::span<PassingFlux>(on_host_));
    correction_ = 0;
    for (std::size_t r = 0; r < inflow_.regions.size(); ++r) {
      const PassingFlux total = total_of(inflow_, on_host_, r);
      most_[r] = std::max(most_[r], total.gross);
      correction_ = std::max(correction_, std::abs(total.outward));
    }
  }

  ClosedInflow inflow_;
  Layout<Dim> layout_;
  std::vector<linalg::Buffer<int, Space>> regions_;  // of the padded layer of each side
  linalg::Buffer<double, Space> inverse_areas_;
  linalg::Buffer<PassingFlux, Space> fluxes_;  // of every region and side
  std::vector<PassingFlux> on_host_;
  std::vector<bool> touches_;  // of every region and side
  std::vector<double> most_;   // that has passed through each region
  std::vector<double> rounding_;
  std::optional<std::string> complaint_;
  double correction_ = 0;
  bool applied_ = false;
};

}  // namespace hodge::sim
