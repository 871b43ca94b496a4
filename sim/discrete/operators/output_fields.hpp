// The fields that frames, time averages and probes may hold: a struct each, with its row of facts
// and its value at the centre of a cell. A new field is a struct here and its name in OutputFields.
//
// at(fields, component, c) is called on the device, for components below the dimension: the third
// component of a vector in 2D is 0. Scalars are output fields, too, by their names, without a row.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/operators/cell_values.hpp"

namespace hodge::sim {

// Of one statistic of the fluctuations (flow/moments.hpp): W times each of its components,
// unpadded, W the time that was averaged over; null where a component is 0.
struct MomentArrays {
  static constexpr int most = 6;
  const double* of[most] = {};
  double factor = 1;         // 1 / W
  bool is_root = false;      // the statistic is the root of this
  bool of_velocity = false;  // of its fluctuations, or of fluxes by them
};

// The present fields of a flow, ghosts filled.
template <int Dim>
struct PresentFields {
  GridView<Dim> grid;
  ConstVelocityView<Dim> velocity;
  ConstFieldView<Dim> pressure;
  BodyView<Dim> bodies;
  MomentArrays moments{};
  const double* of_cells = nullptr;  // of a field that bodies make: its values, unpadded
  double viscosity = 0;
  ConstFieldView<Dim> varying{};  // the viscosity of a cell over `viscosity`; null: 1
  ConstFieldView<Dim> eddy{};     // eddy viscosity; null: 0
};

// Cells of which sharp bodies have more than half are shown as the bodies', at rest, as whole cells
// of a body are. What is not 0 at the surface, as vorticity, goes on to the last open part.
template <int Dim>
HODGE_HD bool is_at_rest(const PresentFields<Dim>& f, const Index<Dim>& c) {
  return f.bodies.cuts_faces && f.bodies.fluid(c) < 0.5;
}

// The field of the flow that an output field is. Those alone have time averages, and probes
// interpolate between their values; all others are computed from them at the centres of cells.
enum class StoredField { none, velocity, pressure };

struct OutputField {
  const char* name;
  const char* description;
  std::array<int, 2> components;  // of a cell, in 2D and in 3D
  StoredField is = StoredField::none;
  bool has_probes = true;          // its values may be interpolated
  bool is_for_all_probes = true;   // of those, in probes whose files name no fields
  bool comes_with_solids = false;  // in runs with solids whose files name no fields
};

struct VelocityOutput {
  static constexpr OutputField row{
      .name = "velocity",
      .description = "at cell centres, 3 components",
      .components = {3, 3},
      .is = StoredField::velocity,
  };
  template <int Dim>
  HODGE_HD static double at(const PresentFields<Dim>& f, int component, const Index<Dim>& c) {
    return is_at_rest(f, c) ? 0.0 : cell_velocity(f.velocity, component, c);
  }
};

struct PressureOutput {
  static constexpr OutputField row{
      .name = "pressure",
      .description = "at cell centres, its mean removed where only differences matter",
      .components = {1, 1},
      .is = StoredField::pressure,
  };
  template <int Dim>
  HODGE_HD static double at(const PresentFields<Dim>& f, int /*component*/, const Index<Dim>& c) {
    return f.pressure(c);
  }
};

struct VorticityOutput {
  static constexpr OutputField row{
      .name = "vorticity",
      .description = "curl of the velocity at cell centres; in 2D its z component",
      .components = {1, 3},
  };
  template <int Dim>
  HODGE_HD static double at(const PresentFields<Dim>& f, int component, const Index<Dim>& c) {
    return vorticity(f.grid, f.velocity, Dim == 2 ? 2 : component, c);
  }
};

struct SpeedOutput {
  static constexpr OutputField row{
      .name = "speed",
      .description = "abs(velocity) at cell centres",
      .components = {1, 1},
      .is_for_all_probes = false,
  };
  template <int Dim>
  HODGE_HD static double at(const PresentFields<Dim>& f, int /*component*/, const Index<Dim>& c) {
    return is_at_rest(f, c) ? 0.0 : cell_speed(f.velocity, c);
  }
};

struct QCriterionOutput {
  static constexpr OutputField row{
      .name = "q_criterion",
      .description = "(rotation rate^2 - strain rate^2) / 2 at cell centres: > 0 in vortices",
      .components = {1, 1},
      .is_for_all_probes = false,
  };
  template <int Dim>
  HODGE_HD static double at(const PresentFields<Dim>& f, int /*component*/, const Index<Dim>& c) {
    return q_criterion(f.grid, f.velocity, c);
  }
};

struct StrainRateOutput {
  static constexpr OutputField row{
      .name = "strain_rate",
      .description = "(2 S:S)^(1/2) at cell centres, S the symmetric part of grad u",
      .components = {1, 1},
      .is_for_all_probes = false,
  };
  template <int Dim>
  HODGE_HD static double at(const PresentFields<Dim>& f, int /*component*/, const Index<Dim>& c) {
    return strain_rate(f.grid, f.velocity, c);
  }
};

struct ViscosityOutput {
  static constexpr OutputField row{
      .name = "viscosity",
      .description = "kinematic, at cell centres, L^2/T",
      .components = {1, 1},
      .is_for_all_probes = false,
  };
  template <int Dim>
  HODGE_HD static double at(const PresentFields<Dim>& f, int /*component*/, const Index<Dim>& c) {
    return f.varying.origin != nullptr ? f.viscosity * f.varying(c) : f.viscosity;
  }
};

struct EddyViscosityOutput {
  static constexpr OutputField row{
      .name = "eddy_viscosity",
      .description = "of the turbulence model, at cell centres, L^2/T; a part of the viscosity",
      .components = {1, 1},
      .is_for_all_probes = false,
  };
  template <int Dim>
  HODGE_HD static double at(const PresentFields<Dim>& f, int /*component*/, const Index<Dim>& c) {
    return f.eddy.origin != nullptr ? f.eddy(c) : 0.0;
  }
};

struct SolidOutput {
  static constexpr OutputField row{
      .name = "solid",
      .description = "0 in the fluid, in a solid the number of its body, from 1",
      .components = {1, 1},
      .has_probes = false,
      .comes_with_solids = true,
  };
  template <int Dim>
  HODGE_HD static double at(const PresentFields<Dim>& f, int /*component*/, const Index<Dim>& c) {
    return f.bodies.body(c);
  }
};

// The values that PresentFields::of_cells has.
struct ListedOutput {
  template <int Dim>
  HODGE_HD static double at(const PresentFields<Dim>& f, int /*component*/, const Index<Dim>& c) {
    const Box<Dim> cells{Index<Dim>::filled(0), f.grid.cells};
    return f.of_cells[cells.position(c)];
  }
};

struct SignedDistanceOutput : ListedOutput {
  static constexpr OutputField row{
      .name = "signed_distance",
      .description = "distance of cell centres from the nearest surface of a solid, L; < 0 within",
      .components = {1, 1},
      .has_probes = false,
  };
};

struct OpenFractionOutput : ListedOutput {
  static constexpr OutputField row{
      .name = "open_fraction",
      .description = "1 in the fluid, 0 in a solid, of cells that sharp ones cut the fluid part",
      .components = {1, 1},
      .has_probes = false,
  };
};

// A statistic of the fluctuations, which has no row in the table: its name says of which fields.
template <int Components>
struct MomentOutput {
  static constexpr OutputField row{
      .name = "",
      .description = "",
      .components = {Components, Components},
  };
  template <int Dim>
  HODGE_HD static double at(const PresentFields<Dim>& f, int component, const Index<Dim>& c) {
    const double* const values = f.moments.of[component];
    if (values == nullptr || (f.moments.of_velocity && is_at_rest(f, c))) return 0.0;
    const Box<Dim> cells{Index<Dim>::filled(0), f.grid.cells};
    const double moment = f.moments.factor * values[cells.position(c)];
    return f.moments.is_root ? std::sqrt(moment > 0.0 ? moment : 0.0) : moment;
  }
};

using OutputFields =
    std::tuple<VelocityOutput, PressureOutput, VorticityOutput, SpeedOutput, QCriterionOutput,
               StrainRateOutput, ViscosityOutput, EddyViscosityOutput, SolidOutput,
               SignedDistanceOutput, OpenFractionOutput>;

inline constexpr auto output_field_rows =
    std::apply([](auto... field) { return std::array{decltype(field)::row...}; }, OutputFields{});

constexpr std::span<const OutputField> output_field_table() {
  return output_field_rows;
}

// visit(field), of the struct above with this name; false where there is none.
template <class Visit>
bool with_output_field(std::string_view name, Visit visit) {
  return std::apply(
      [&](auto... field) {
        return ((name == decltype(field)::row.name ? (visit(field), true) : false) || ...);
      },
      OutputFields{});
}

// The row of a name; null: a scalar, or nothing.
const OutputField* find_output_field(std::string_view name);

// Of a field or its mean in frames; of those that is not 0 in every flow of the dimension.
int components_of(const std::string& field, int dim);
int computed_components_of(const std::string& field, int dim);

// The columns of output fields in probe files, a component each: u, v, w of velocity, but
// velocity_x, ... where a scalar has one of these names; pressure; vorticity in 2D and vorticity_x,
// ... in 3D; a scalar by its name.
std::vector<std::string> field_columns(const std::vector<std::string>& fields, int dim);

// Statistics over time are output fields as well:
//
//   mean_<field>      of velocity, pressure, scalars
//   rms_<field>       of their fluctuations q' = q - mean: <q' q'>^(1/2)
//   reynolds_stress   <u_d' u_e'>: xx, yy, zz, xy, yz, xz, as VTK orders symmetric tensors
//   flux_<scalar>     <u_d' c'>
enum class StatisticKind { mean, rms, stress, flux };
struct Statistic {
  StatisticKind kind;
  std::string of;  // the field; the scalar of a flux
};
std::optional<Statistic> find_statistic(const std::string& name);

// The field that `name` is the mean of, if it is one.
std::optional<std::string> averaged_field(const std::string& name);

// `fields` and the statistics of those among them that have some.
std::vector<std::string> with_statistics(std::vector<std::string> fields);

// What a run with these fields averages where its file does not say it: means, Reynolds stress,
// rms and fluxes of scalars.
std::vector<std::string> usual_statistics(const std::vector<std::string>& fields);

// Those of `fields` that probes may have: no statistics, nothing that cannot be interpolated.
std::vector<std::string> fields_of_probes(std::vector<std::string> fields);
// Those of them that probes have whose file names none.
std::vector<std::string> usual_fields_of_probes(const std::vector<std::string>& fields);

}  // namespace hodge::sim
