// The Flow of one dimension and space: NavierStokes with what is measured of it. Over 400 lines: an
// interface of many questions, most of which are answered in a line or two.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/base/sum_tiles.hpp"
#include "sim/base/times.hpp"
#include "sim/compare/solver_comparison.hpp"
#include "sim/discrete/bodies/signed_distance.hpp"
#include "sim/discrete/probes/sampler.hpp"
#include "sim/discrete/probes/surface_sampler.hpp"
#include "sim/discrete/processes/brought_values.hpp"
#include "sim/discrete/processes/part_of_box.hpp"
#include "sim/flow/cell_arrays.hpp"
#include "sim/flow/diagnostics.hpp"
#include "sim/flow/error_norms.hpp"
#include "sim/flow/flow.hpp"
#include "sim/flow/forces.hpp"
#include "sim/flow/initial_values.hpp"
#include "sim/flow/make_grid_flow.hpp"
#include "sim/flow/mean_fields.hpp"
#include "sim/flow/quantities.hpp"
#include "sim/flow/sharp_forces.hpp"
#include "sim/time/layers_read.hpp"
#include "sim/time/step_control.hpp"
#include "sim/time/time_step.hpp"

namespace hodge::sim {

template <int Dim, class Space>
class GridFlow final : public Flow {
 public:
  // Where `processes` are several, each has a part of the box, and all calls that do more than look
  // up a number are collective.
  GridFlow(const Settings& settings, const Problem& problem, const Grid& grid,
           const FluidDomain& domain, linalg::Communicator& processes)
      : grid_(grid),
        problem_(problem),
        bodies_(domain.bodies),
        cut_(domain.cut),
        solvers_{settings.pressure, settings.transport, settings.scalars},
        part_(part_of_box<Dim, Space>(processes, grid, problem.boundaries,
                                      layers_read_beyond_cuts(settings, problem))),
        flow_(settings, problem, grid, domain, part_ ? part_->layout() : layout_of<Dim>(grid)),
        quantities_(problem, grid, flow_.grid.layout()),
        window_(statistics_window(settings.output)),
        means_(flow_.grid.layout(), fields_that_are_no_scalars(settings.output.fields),
               layer_statistics(settings)),
        scratch_(scratch_values(grid)),
        results_(measured_count),
        frames_(sim::body_frames(grid, problem, domain.bodies, domain.cut, settings.forces)),
        forces_(force_count<Dim> * frames_.size()) {
    prepare_forces();
    flow_.measured = &measured_;
    for (int d = 0; d < Dim; ++d) {
      const std::vector<double>& widths = grid.axis(d).widths;
      const double smallest = *std::min_element(widths.begin(), widths.end());
      stiffness_ += 4 / (smallest * smallest);
      length_ = std::max(length_, grid.axis(d).length());
    }
    InitialValues<Dim> initial = InitialFields<Dim>(problem, grid, flow_.grid.layout()).values();
    initial.short_time = short_time_of_sides(settings, problem, grid);
    const StepReport report = sim::start(flow_, initial);
    problem_.stored_state.reset();
    if (!report.ok) throw NumericalError(report.failure);
    if (const auto complaint = missed_divergence(report, diagnostics()))
      throw NumericalError("the initial velocity: " + *complaint);
  }

  StepReport advance(double dt) override {
    const bool averages = means_.any() && window_.has(time(), time() + dt);
    if (averages)
      means_.begin_step(dt, averaged_);
    else
      means_.leave_window(averaged_);
    measured_.are_present = false;
    StepReport report = sim::advance(flow_, dt);
    if (keeps_places_ && report.ok) flow_.fields.return_to_place();
    if (averages) report.ok ? means_.end_step(dt) : means_.cancel_step(dt);
    return report;
  }
  double time() const override { return flow_.fields.time; }
  long step() const override { return flow_.fields.step; }
  void set_time(double t) override {
    if (t == flow_.fields.time) return;
    flow_.fields.time = t;
    if (flow_.varying.change_in_time) refresh_coefficients_of_level();
  }

  void compare_solvers(const Settings& settings, ComparisonSink* sink) override {
    const bool wanted = sink && settings.compare;
    Settings chosen = settings;
    chosen.pressure = solvers_.pressure;
    chosen.transport = solvers_.transport;
    chosen.scalars = solvers_.scalars;
    comparison_ = wanted ? make_solver_comparison<Space>(chosen, *sink) : nullptr;
    observe_solves(flow_, comparison_.get());
  }

  Diagnostics diagnostics() const override {
    const linalg::SummingOver box(flow_.grid.layout().whole_extents());
    const DiagnosedFields<Dim> fields{flow_.grid.view(),
                                      flow_.sides(),
                                      flow_.fields.velocity.view(),
                                      flow_.fields.previous.view(),
                                      flow_.fields.pressure_of_level().view(),
                                      flow_.bodies.view(),
                                      problem_.density,
                                      flow_.grid.box_volume(),
                                      stiffness_,
                                      length_,
                                      has_sides(flow_.boundary.sides_of_whole_box())};
    const double dt = flow_.fields.last_dt;
    // What the step has measured is asked for once: later the fields may have been changed.
    Diagnostics now = diagnose(fields, dt, measured_.level, measured_.results,
                               std::exchange(measured_.are_present, false));
    if (step() == 0) now.velocity_rate = now.rate_of_change = flow_.fields.start_rate;
    now.diffusion = present_diffusion();
    measure_flow_force(now.diffusion);
    for (const auto& scalar : flow_.fields.scalars) {
      const ScalarChange change =
          scalar_change<Dim, Space>(flow_.grid.layout().interior(), scalar.domain.bodies,
                                    scalar.now.view(), scalar.before.view(), results_);
      now.scalar_rates.push_back(dt > 0 ? change.largest / dt : 0.0);
      now.rate_of_change = std::max(now.rate_of_change, now.scalar_rates.back());
      now.scalar_sizes.push_back(change.finite ? change.size
                                               : std::numeric_limits<double>::infinity());
    }
    return now;
  }
  std::vector<std::string> systems() const override { return system_names(flow_); }

  std::vector<CellArray> cell_arrays(const std::vector<std::string>& names) const override {
    std::vector<CellArray> arrays;
    for (const std::string& name : names)
      with_source(name, [&](auto field, const auto& source) {
        arrays.push_back(array_of<decltype(field)>(source, name));
      });
    return arrays;
  }

  std::vector<FieldInMemory> fields_in_memory() const override {
    std::vector<FieldInMemory> fields;
    const auto add = [&](const std::string& name, const Field<Dim, Space>& field, int axis) {
      FieldInMemory& stored = fields.emplace_back(FieldInMemory{.name = name});
      const auto view = field.view();
      stored.values = view.origin;
      stored.on_gpu = !std::is_same_v<Space, linalg::Host>;
      for (int d = 0; d < Dim; ++d) {
        const auto at = static_cast<std::size_t>(d);
        stored.extents[at] = field.layout().cells[d] + (d == axis ? 1 : 0);
        stored.strides[at] = view.stride[d];
      }
    };
    for (int d = 0; d < Dim; ++d)
      add(std::string("velocity_") + axis_names[d], flow_.fields.velocity[d], d);
    add("pressure", flow_.fields.pressure_of_level(), at_cells);
    for (const auto& scalar : flow_.fields.scalars) add(scalar.name, scalar.now, at_cells);
    Space::synchronize();
    return fields;
  }
  void keep_places(bool wanted) override { keeps_places_ = wanted; }
  void change_formulas(const Problem& problem, const std::string&) override {
    sim::change_formulas(flow_, problem);
    problem_.boundaries = problem.boundaries;
    problem_.force = problem.force;
    problem_.flow_force = problem.flow_force;
    problem_.scalars = problem.scalars;
  }

  void fill(Frame& frame, const std::vector<std::string>& names,
            const std::string& precision) const override {
    fill_cells(CellsOf::whole_box, frame, names, precision);
  }
  void fill_range(Frame& frame, const CellRange& cells, const std::vector<std::string>& names,
                  const std::string& precision) const override {
    fill_cells(CellsOf::whole_box, frame, names, precision, box_of<Dim>(cells));
  }
  void fill_part(Frame& frame, const std::vector<std::string>& names,
                 const std::string& precision) const override {
    fill_cells(CellsOf::own_layers, frame, names, precision);
  }

  const std::vector<BodyFrame>& body_frames() const override { return frames_; }
  std::vector<BodyForce> forces() const override {
    const linalg::SummingOver box(flow_.grid.layout().whole_extents());
    ForceFields<Dim> fields{flow_.grid.view(), flow_.fields.velocity.view(),
                            flow_.fields.pressure_of_level().view(), flow_.bodies.view()};
    refresh_flow_force<Dim, Space>(flow_,
                                   {flow_.fields.velocity.view(), flow_.fields.velocity.view()},
                                   time(), 0.0, {{&ScalarState<Dim, Space>::now, 1.0}});
    for (int d = 0; d < Dim; ++d) {
      fields.forcing[d] = forcing_of(flow_, d, time(), {{&ScalarState<Dim, Space>::now, 1.0}});
      fields.forcing[d].uniform = flow_.flow_rates.published(d);
    }
    fields.density = problem_.density;
    fields.viscosity = flow_.viscosity;
    fields.coefficient = flow_.varying.of_velocity();
    std::vector<BodyForce> forces = forces_of(fields);
    add_control_forces(fields, forces);
    return forces;
  }

  std::optional<ErrorNorms> error_norms() const override {
    if (!has_exact_solution(problem_)) return std::nullopt;
    const auto whole = [this](const Field<Dim, Space>& field) {
      return whole_field(flow_.grid.layout(), dense_values(field));
    };
    HostState<Dim> state;
    for (int d = 0; d < Dim; ++d) state.velocity[d] = whole(flow_.fields.velocity[d]);
    state.pressure = whole(flow_.fields.pressure_of_level());
    for (const auto& scalar : flow_.fields.scalars) state.scalars.push_back(whole(scalar.now));
    if (part_ && !part_->is_first()) return std::nullopt;  // process 0 alone has the whole
    if (!fluid_parts_) fluid_parts_.emplace(grid_, problem_, bodies_);
    return sim::error_norms<Dim>(grid_, problem_, *fluid_parts_, state, time());
  }

  std::vector<Quantity> quantities() const override {
    const linalg::SummingOver box(flow_.grid.layout().whole_extents());
    std::vector<Quantity> values = quantities_.measure(
        {flow_.grid.view(), flow_.bodies.view(), flow_.sides(), flow_.fields.velocity.view()},
        measured_scalars());
    const InflowBalance<Dim, Space>& balance = flow_.boundary.balance();
    if (balance.any()) values.push_back({"inflow_correction", balance.correction()});
    add_pressure_gradients(values);
    add_viscosity(values);
    return values;
  }

  std::optional<LayerSums> layer_sums() const override { return means_.layers(averaged_); }

  std::unique_ptr<PointSampler> make_sampler(
      const std::vector<Point>& points, const std::vector<std::string>& fields) const override {
    return std::make_unique<Sampler<Dim, Space>>(
        SampledBox{grid_, problem_.boundaries, bodies_, media_of_scalars()}, points, fields,
        scalar_names(problem_),
        [this] {
          return SampledFields<Dim>{present_fields(), scalar_views()};
        },
        flow_.grid.layout());
  }

  std::unique_ptr<PointSampler> make_surface_sampler(
      const std::vector<std::string>& names) const override {
    return std::make_unique<SurfaceSampler<Dim, Space>>(
        grid_, problem_, surfaces(names),
        [this] {
          const PresentFields<Dim> now = present_fields();
          std::vector<ScalarOnSurface<Dim>> scalars;
          for (const auto& scalar : flow_.fields.scalars) {
            refresh_bodies(scalar, time());
            scalars.push_back(
                {scalar.now.view(), scalar.domain.bodies, scalar.domain.sides, scalar.diffusivity});
            if (scalar.own) scalars.back().gain = scalar.own->bodies.gain();
            if (scalar.own) scalars.back().loss = scalar.own->bodies.loss();
            scalars.back().time = time();
          }
          return std::pair{
              SurfaceFields<Dim>{now.grid, flow_.sides(), now.bodies, now.velocity, now.pressure,
                                 problem_.density, flow_.viscosity, flow_.varying.of_velocity()},
              std::move(scalars)};
        },
        flow_.grid.layout());
  }
  std::vector<FacedSurface> surfaces(const std::vector<std::string>& names) const override {
    return surfaces_of(grid_, problem_, bodies_, names);
  }

  void visit_state(StateVisitor& visitor) override {
    measured_.are_present = measured_.are_present && !visitor.restores();
    sim::visit_state(flow_, visitor);
    if (visitor.restores() && flow_.varying.any) refresh_coefficients_of_level();
    const bool is_before_window = has_reached(window_.from, time());
    if (visitor.restores() && is_before_window) return;
    const double longest = std::max(0.0, std::min(time(), window_.to) - window_.from);
    means_.visit_state(visitor, longest + rounding_of(time(), time()), flow_.fields.last_dt);
  }

  const Grid& grid() const override { return grid_; }
  std::string device_name() const override {
    if (part_ == nullptr || std::is_same_v<Space, linalg::Host>) return Space::device_name();
    return Space::device_name() + ", messages by " +
           Space::way_of_messages(flow_.grid.layout().halo->processes());
  }

 private:
  LayerStatistics<Dim, Space> layer_statistics(const Settings& settings) const {
    const std::optional<LayerPlan> plan = layer_plan(settings, problem_, grid_);
    if (!plan) return {};
    std::array<double, Dim> lengths;
    for (int d = 0; d < Dim; ++d) lengths[static_cast<std::size_t>(d)] = grid_.axis(d).length();
    return LayerStatistics<Dim, Space>(*plan, flow_.grid.layout(), lengths);
  }

  void refresh_coefficients_of_level() {
    StepReport report;
    if (!refresh_present_coefficients(flow_, report)) throw NumericalError(report.failure);
  }

  PresentDiffusion present_diffusion() const {
    PresentDiffusion now;
    if (const auto& viscosity = flow_.varying.viscosity) {
      now.viscosity = 1.5 * viscosity->range().largest - 0.5 * viscosity->range().least;
      now.least_viscosity = viscosity->range().least;
    }
    const auto& scalars = flow_.fields.scalars;
    if (std::ranges::none_of(scalars, [](const auto& scalar) { return scalar.varying != nullptr; }))
      return now;
    now.least_diffusivity = std::numeric_limits<double>::infinity();
    for (const auto& scalar : scalars) {
      const double least = scalar.varying ? scalar.varying->range().least : scalar.diffusivity,
                   largest = scalar.varying ? scalar.varying->range().largest : scalar.diffusivity;
      now.diffusivity = std::max(now.diffusivity, largest);
      now.least_diffusivity = std::min(now.least_diffusivity, least);
    }
    return now;
  }

  // How fast forces of the flow change with it.
  void measure_flow_force(PresentDiffusion& now) const {
    if (!flow_.flow_force) return;
    const ConstVelocityView<Dim> u = flow_.fields.velocity.view();
    const FlowAtFaces<Dim> from =
        flow_at_faces<Dim, Space>(flow_, {u, u}, time(), {{&ScalarState<Dim, Space>::now, 1.0}});
    for (int d = 0; d < Dim; ++d) {
      if (!flow_.flow_force->has_formula(d)) continue;
      const auto [decay, coupling] = flow_.flow_force->rates(given_force(flow_, d, time()), from);
      now.force_decay = std::max(now.force_decay, decay);
      now.force_coupling = std::max(now.force_coupling, coupling);
    }
  }

  // Where it varies, with the dissipation that it makes, the integral of 2 nu S:S.
  void add_viscosity(std::vector<Quantity>& values) const {
    if (!flow_.varying.viscosity) return;
    const CoefficientRange& range = flow_.varying.viscosity->range();
    values.push_back({"viscosity_minimum", range.least});
    values.push_back({"viscosity_maximum", range.largest});
    const VelocityGradients<Dim> on{flow_.grid.view(), flow_.bodies.view(), flow_.sides(),
                                    flow_.fields.velocity.view()};
    values.push_back(
        {"dissipation", flow_.viscosity * varying_dissipation(on, flow_.varying.of_velocity(),
                                                              flow_.grid.layout(), dissipation_)});
  }

  void prepare_forces() {
    if (flow_.velocity_is_prescribed()) return;
    for (BodyFrame& frame : frames_) {
      levers_.push_back(lever_of<Dim>(frame, grid_, problem_.boundaries));
      if (!flow_.flow_rates.any()) continue;
      frame.box.reset();
      frame.without_box = "force.flow_rate changes the pressure after a step";
    }
    flow_.control_volumes =
        ControlVolumes<Dim, Space>(frames_, grid_, problem_.boundaries, flow_.grid.layout());
  }
  // None before the first step.
  std::vector<BodyForce> forces_of(const ForceFields<Dim>& fields) const {
    if (!flow_.sharp) return body_forces(fields, frames_, levers_, forces_);
    return sharp_body_forces(sharp_fields(fields), frames_, levers_, forces_);
  }
  SharpForceFields<Dim> sharp_fields(const ForceFields<Dim>& fields) const {
    SharpForceFields<Dim> sharp{fields, flow_.fields.previous.view(), flow_.fields.last_dt};
    for (int d = 0; d < Dim; ++d) {
      sharp.faces[d] = flow_.sharp->view(d).faces;
      sharp.resistance[d] = flow_.resistance.view(d);
    }
    sharp.pieces = flow_.sharp->pieces();
    sharp.side_flows = flow_.boundary.side_flows();
    return sharp;
  }

  void add_control_forces(const ForceFields<Dim>& fields, std::vector<BodyForce>& forces) const {
    if (!flow_.control_volumes.any() || step() == 0) return;
    const std::vector<double> all = flow_.control_volumes.to_host();
    if (all.empty()) return;
    const double* next = all.data();
    for (std::size_t k = 0; k < forces.size(); ++k) {
      if (!frames_[k].box) continue;
      std::array<double, 3>& force = forces[k].control.emplace();
      for (int d = 0; d < Dim; ++d) force[static_cast<std::size_t>(d)] = *next++;
    }
    if (std::ranges::none_of(frames_, &BodyFrame::box_ends_in_passed_side)) return;
    const std::vector<BodyForce> beyond =
        force_beyond_sections(sharp_fields(fields), frames_, levers_, forces_);
    for (std::size_t k = 0; k < forces.size(); ++k)
      for (std::size_t d = 0; d < Dim && frames_[k].box_ends_in_passed_side; ++d)
        (*forces[k].control)[d] += beyond[k].viscous[d];
  }

  void fill_cells(CellsOf cells, Frame& frame, const std::vector<std::string>& names,
                  const std::string& precision,
                  const std::optional<Box<Dim>>& only = std::nullopt) const {
    frame.step = step();
    frame.time = time();
    frame.arrays.resize(names.size());
    for (std::size_t i = 0; i < names.size(); ++i)
      with_source(names[i], [&](auto field, auto source) {
        source.cells = cells;
        source.only = only;
        store<decltype(field)>(source, names[i], precision, frame.arrays[i]);
      });
  }

  PresentFields<Dim> present_fields() const {
    return {flow_.grid.view(),
            flow_.fields.velocity.view(),
            flow_.fields.pressure_of_level().view(),
            flow_.bodies.view(),
            {},
            nullptr,
            flow_.viscosity,
            flow_.varying.of_velocity().cells,
            flow_.varying.eddy_view()};
  }

  // Those that hold flow rates.
  void add_pressure_gradients(std::vector<Quantity>& values) const {
    if (!flow_.flow_rates.any()) return;
    const std::vector<double> acceleration = flow_.flow_rates.published_to_host();
    for (int d = 0; d < Dim; ++d)
      if (flow_.flow_rates.holds(d))
        values.push_back({std::string("pressure_gradient_") + axis_names[d],
                          0.0 - problem_.density * acceleration[static_cast<std::size_t>(d)]});
  }

  const ScalarState<Dim, Space>* find_scalar(const std::string& name) const {
    for (const auto& scalar : flow_.fields.scalars)
      if (scalar.name == name) return &scalar;
    return nullptr;
  }

  std::vector<std::vector<int>> media_of_scalars() const {
    std::vector<std::vector<int>> media;
    for (const ScalarProblem& scalar : problem_.scalars) {
      media.emplace_back();
      for (std::size_t k = 0; k < problem_.solids.size(); ++k)
        if (heat_in(problem_.solids[k], scalar.name) != nullptr)
          media.back().push_back(static_cast<int>(k) + 1);
    }
    return media;
  }

  // At the present time, the conditions of bodies too.
  std::vector<MeasuredScalar<Dim>> measured_scalars() const {
    std::vector<MeasuredScalar<Dim>> measured;
    const std::vector<std::vector<int>> media = media_of_scalars();
    for (const auto& scalar : flow_.fields.scalars) {
      refresh_bodies(scalar, time());
      measured.push_back(
          {scalar.now.view(), scalar.domain.bodies, scalar.domain.coefficient, scalar.diffusivity});
      if (!scalar.own) continue;
      measured.back().gain = scalar.own->bodies.gain();
      measured.back().loss = scalar.own->bodies.loss();
      if (!scalar.own->bodies.conducts_sharply()) continue;
      measured.back().owner = scalar.own->bodies.owners();
      measured.back().sides = scalar.domain.sides;
      measured.back().conductors = media[measured.size() - 1];
      measured.back().beyond_owner = [this, &scalar](int body) {
        return scalar.own->bodies.beyond_owner(body, scalar.now.view(), scalar.before.view(),
                                               flow_.fields.last_dt, scalar.source->at(time()),
                                               scalar.source->uniform(time()), time());
      };
    }
    return measured;
  }

  std::vector<ConstFieldView<Dim>> scalar_views() const {
    std::vector<ConstFieldView<Dim>> views;
    for (const auto& scalar : flow_.fields.scalars) views.push_back(scalar.now.view());
    return views;
  }

  // The components of a field.
  typename MeanFields<Dim, Space>::Values values_of(const std::string& name) const {
    if (const auto* scalar = find_scalar(name)) return {&scalar->now};
    const OutputField* const field = find_output_field(name);
    if (field && field->is == StoredField::pressure) return {&flow_.fields.pressure_of_level()};
    typename MeanFields<Dim, Space>::Values components;
    for (int d = 0; d < Dim; ++d) components.push_back(&flow_.fields.velocity[d]);
    return components;
  }

  // take(field, source) of the output array with this name. A scalar is shown as the pressure is:
  // by its values. Errors: ConfigError for an unknown name.
  template <class Take>
  void with_source(const std::string& name, Take take) const {
    CellArraySource<Dim, Space> source{present_fields(), flow_.grid.layout(), scratch_, results_};
    if (const auto* const scalar = find_scalar(name)) {
      source.fields.pressure = scalar->now.view();
      take(PressureOutput{}, source);
    } else if (const auto averaged = averaged_field(name)) {
      with_mean(source, *averaged, take);
    } else if (const auto statistic = find_statistic(name)) {
      source.fields.moments = means_.moments(*statistic, averaged_);
      with_moments(source, components_of(name, Dim), take);
    } else if (name == SignedDistanceOutput::row.name) {
      source.fields.of_cells = of_cells(name, [this](const CellRange& cells) {
        return signed_distances(grid_, problem_.solids, problem_.boundaries.periodic_axes(), cells);
      });
      take(SignedDistanceOutput{}, source);
    } else if (name == OpenFractionOutput::row.name) {
      source.fields.of_cells = of_cells(name, [this](const CellRange& cells) {
        return open_fractions(grid_, bodies_, cut_, cells);
      });
      take(OpenFractionOutput{}, source);
    } else if (!with_output_field(name, [&](auto field) { take(field, source); })) {
      throw ConfigError("unknown output field '" + name + "'");
    }
  }

  // A field that bodies make: once, of the own cells.
  template <class Make>
  const double* of_cells(const std::string& name, Make make) const {
    linalg::Buffer<double, Space>& values = of_cells_[name];
    if (values.size() == 0) {
      const Layout<Dim>& own = flow_.grid.layout();
      CellRange cells;
      for (int d = 0; d < Dim; ++d) {
        cells.lower[static_cast<std::size_t>(d)] = own.before[d];
        cells.upper[static_cast<std::size_t>(d)] = own.before[d] + own.cells[d];
      }
      const std::vector<double> made = make(cells);
      values = linalg::Buffer<double, Space>(std::span<const double>(made));
    }
    return values.data();
  }

  // Zeros before any time has been averaged over.
  template <class Take>
  void with_mean(CellArraySource<Dim, Space> source, const std::string& averaged, Take take) const {
    const auto& integral = means_.integral(averaged, averaged_);
    if (means_.duration() > 0) source.divisor = means_.duration();
    const OutputField* const field = find_output_field(averaged);
    if (field && field->is == StoredField::velocity) {
      for (int d = 0; d < Dim; ++d) source.fields.velocity.component[d] = integral[d].view();
      return take(VelocityOutput{}, source);
    }
    source.fields.pressure = integral[0].view();
    take(PressureOutput{}, source);
  }

  template <class Take>
  static void with_moments(const CellArraySource<Dim, Space>& source, int components, Take take) {
    if (components == 1) return take(MomentOutput<1>{}, source);
    if (components == 3) return take(MomentOutput<3>{}, source);
    take(MomentOutput<MomentArrays::most>{}, source);
  }

  std::vector<std::string> fields_that_are_no_scalars(std::vector<std::string> names) const {
    std::erase_if(names, [this](const std::string& name) { return find_scalar(name) != nullptr; });
    return names;
  }

  Grid grid_;
  double stiffness_ = 0, length_ = 0;  // as the diagnostics take them
  Problem problem_;
  std::vector<std::uint8_t> bodies_;  // of every cell, or none
  std::vector<CutCell> cut_;
  struct {
    SystemSettings pressure, transport, scalars;
  } solvers_;                             // as chosen
  bool keeps_places_ = false;             // of the fields, for who reads them in the memory
  std::unique_ptr<PartOfBox<Dim>> part_;  // null: this process has all cells
  NavierStokes<Dim, Space> flow_;
  std::unique_ptr<SolveObserver<Space>> comparison_;
  Quantities<Dim, Space> quantities_;
  TimeWindow window_;  // of the means and moments
  const typename MeanFields<Dim, Space>::Source averaged_{
      [this](const std::string& name) { return values_of(name); },
      [this] { return present_fields(); }};
  mutable MeanFields<Dim, Space> means_;
  mutable linalg::Buffer<double, Space> scratch_;  // of cell_arrays and frames
  mutable std::map<std::string, linalg::Buffer<double, Space>> of_cells_;
  mutable linalg::Buffer<double, Space> results_;  // scratch of diagnostics
  mutable linalg::Buffer<double, Space> dissipation_{1};
  mutable MeasuredCells<Space> measured_;  // its level: mean pressure at the last diagnostics
  std::vector<BodyFrame> frames_;
  std::vector<Lever<Dim>> levers_;  // of each body
  mutable linalg::Buffer<double, Space> forces_;
  mutable std::optional<FluidParts<Dim>> fluid_parts_;  // once errors are measured
};

template <int Dim, class Space>
std::unique_ptr<Flow> make_grid_flow(const FlowParts& of) {
  return std::make_unique<GridFlow<Dim, Space>>(of.settings, of.problem, of.grid, of.domain,
                                                of.processes);
}

}  // namespace hodge::sim
