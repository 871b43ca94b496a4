// A running simulation, whatever its dimension and execution space: what a run loop drives.
//
// make_flow chooses the device, checks the settings against the problem and the memory, and
// projects the initial velocity. Errors: ConfigError, MemoryError (before anything large is
// allocated), DeviceError, NumericalError (the initial projection failed).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/processes/communicator.hpp"
#include "linalg/solve/solve_report.hpp"
#include "sim/base/state_visitor.hpp"
#include "sim/discrete/bodies/body_frames.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/discrete/probes/point_sampler.hpp"
#include "sim/discrete/probes/surface_faces.hpp"
#include "sim/discrete/processes/decomposition.hpp"
#include "sim/flow/field_in_memory.hpp"
#include "sim/flow/frame.hpp"
#include "sim/flow/frame_pieces.hpp"
#include "sim/flow/layer_sums.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"
#include "sim/time/present_diffusion.hpp"
#include "sim/time/step_report.hpp"

namespace hodge::sim {

struct Diagnostics {
  double cfl_rate;        // max over cells of sum_d |u_d| / h_d, moving walls included, 1/T
  double kinetic_energy;  // integral of |u|^2 / 2 over the box
  double max_divergence;  // max |div u|, 1/T
  double max_speed;       // max |u| at cell centres, L/T
  double rate_of_change;  // the largest of the rates below
  bool finite;            // every velocity and pressure is a number
  // Before the first step: max |du/dt|, where the initial pressure was solved for, else 0. After it
  // max |u^n - u^{n-1}| / dt over faces, L/T^2; max |c^n - c^{n-1}| / dt over cells of each scalar
  double velocity_rate = 0;
  double divergence_rounding = 0;  // what rounding may leave of max |div u|, 1/T
  std::vector<double> scalar_rates = {};
  std::vector<double> scalar_sizes{};  // max |c| of each scalar; infinite where one is no number
  PresentDiffusion diffusion{};        // of coefficients that vary
};

// The force of the fluid on one body (or on all), M L / T^2; in 2D a unit of length along z.
struct BodyForce {
  std::string body;
  std::array<double, 3> pressure{}, viscous{};
  std::array<double, 3> pressure_moment{}, viscous_moment{};  // in 2D along z alone
  // By the balance of momentum in a box around the body; none where it has no box.
  std::optional<std::array<double, 3>> control{};
};

// A number of the present fields with the name of its column in history.csv (sim/OUTPUT.md).
struct Quantity {
  std::string name;
  double value;
};

struct FieldErrors {
  std::string name;
  double l2 = 0;  // square root of the mean over the box of (c - exact)^2
  double max = 0;
};

struct ErrorNorms {
  double velocity_l2 = 0;   // square root of the mean over the box of |u - exact|^2, at faces
  double velocity_max = 0;  // largest |u_d - exact_d| of any component, at faces
  double pressure_l2 = 0;   // the same at cell centres, the means of both pressures removed
  double pressure_max = 0;
  std::vector<FieldErrors> scalars{};  // those whose exact solution is known
  bool knows_velocity = true;          // and the pressure; else only scalars are known

  std::vector<FieldErrors> known() const;  // velocity, pressure, scalars
};

class ComparisonSink;

class Flow {
 public:
  virtual ~Flow() = default;
  // One step of size dt > 0. Where a solve fails the report says so and the fields stay as they
  // were.
  [[nodiscard]] virtual StepReport advance(double dt) = 0;
  virtual double time() const = 0;
  virtual long step() const = 0;
  virtual void set_time(double t) = 0;  // snaps the clock on t; |t - time()| must be round-off
  virtual Diagnostics diagnostics() const = 0;
  // The names of the systems of a step, in the order in which reports have them.
  virtual std::vector<std::string> systems() const = 0;
  // velocity (3 components), pressure (1), vorticity (1 in 2D: omega_z, 3 in 3D), at cell centres.
  virtual std::vector<CellArray> cell_arrays(const std::vector<std::string>& names) const = 0;
  // The present velocity on faces, pressure and scalars of this process's cells, complete in
  // memory; the next step changes them. The fields of the next level lie elsewhere unless
  // keep_places(true) was called, which costs two copies of velocity and scalars a step.
  virtual std::vector<FieldInMemory> fields_in_memory() const { return {}; }
  virtual void keep_places(bool) {}
  // From the next step on the velocities and scalar values of sides, the force and the sources are
  // those of this problem, which is the one that the flow was made of in everything else. `config`:
  // of the problem, for other processes (processes/leading_flow.hpp).
  virtual void change_formulas(const Problem&, const std::string& /*config*/) {}
  // The same as arrays of a frame, whose memory is used again. `precision`: single or double; an
  // array with a value that no float holds is double all the same.
  virtual void fill(Frame& frame, const std::vector<std::string>& names,
                    const std::string& precision) const;
  // The same of a part of the box.
  virtual void fill_range(Frame& frame, const CellRange& cells,
                          const std::vector<std::string>& names,
                          const std::string& precision) const = 0;
  // The same of the cells that this process has, where several share the flow.
  virtual void fill_part(Frame& frame, const std::vector<std::string>& names,
                         const std::string& precision) const {
    fill(frame, names, precision);
  }
  // Frames that each of several processes writes its piece of, by a writer of its own; null where
  // one process has all cells. The flow must outlive the pieces.
  virtual std::unique_ptr<FramePieces> make_pieces(const Settings&, const MakePieceWriter&) {
    return nullptr;
  }
  virtual std::optional<ErrorNorms> error_norms() const = 0;  // none without an exact solution
  // Integrals and fluxes that make sense for the problem, always the same ones in the same order.
  virtual std::vector<Quantity> quantities() const { return {}; }
  // Averages over layers of cells and over the time of the statistics until now; none where the
  // settings ask for no profile.
  virtual std::optional<LayerSums> layer_sums() const { return std::nullopt; }
  // The named output fields (a column a component) at points of the box, linear between their
  // values and to the sides (probes/point_stencil.hpp). The flow must outlive the sampler, which
  // reads its present fields. Errors: ConfigError for a point beyond the box, an unknown field.
  virtual std::unique_ptr<PointSampler> make_sampler(
      const std::vector<Point>& points, const std::vector<std::string>& fields) const = 0;
  // Pressure, friction and fluxes (probes/surface_sampler.hpp) on the named sides and bodies, face
  // by face in the order of surfaces(). Errors: ConfigError for another name.
  virtual std::unique_ptr<PointSampler> make_surface_sampler(
      const std::vector<std::string>&) const {
    return nullptr;
  }
  virtual std::vector<FacedSurface> surfaces(const std::vector<std::string>&) const { return {}; }
  // The values of make_sampler() once: values[point][column].
  std::vector<std::vector<double>> values_at(const std::vector<Point>& points,
                                             const std::vector<std::string>& fields) const;
  // From now on the systems of the steps that settings.compare names are solved by its solvers,
  // too, and the sink is told; a null sink ends that. The fields are those of a run without it.
  virtual void compare_solvers(const Settings&, ComparisonSink*) {}
  virtual std::vector<BodyForce> forces() const { return {}; }  // one a body, in their order
  // Where the bodies are, in the same order.
  virtual const std::vector<BodyFrame>& body_frames() const {
    static const std::vector<BodyFrame> none;
    return none;
  }
  // Everything that the next steps follow from: saved and restored, they are the same bit for bit.
  virtual void visit_state(StateVisitor& visitor) = 0;
  virtual const Grid& grid() const = 0;
  virtual std::string device_name() const = 0;
};

// Where `processes` are several, each makes the part that it has of the flow. All of
// them then call each function of Flow together, but for those that look up a number or a name:
// time, step, systems, grid, device_name. Process 0 has the results; what the others return of
// fields is not whole. sim/processes makes this one flow, which process 0 drives.
std::unique_ptr<Flow> make_flow(const Settings& settings, const Problem& problem,
                                linalg::Communicator& processes = linalg::one_process());

// The same in one space, of what has been checked.
template <class Space>
std::unique_ptr<Flow> make_flow_in(const Settings& settings, const Problem& problem,
                                   const Grid& grid,
                                   linalg::Communicator& processes = linalg::one_process());

// Whether a projection kept what it promised. The residual of the pressure system is
// factor V div u cell by cell, so its tolerance bounds max |div u| (time/pressure_solve.hpp);
// the diagnostics measure it. A promise that is missed by less than a factor of 10 is not worth a
// stop, nor is what rounding leaves: of the outflows of a cell, 1e-12 max sum_d |u_d| / h_d, and of
// the pressure gradient, eps dt / rho max |p| sum_d 4 / h_d^2 with the smallest widths
// (diagnostics.hpp).
//
// Measured and promised, as the beginning of a sentence; nothing where the promise is kept or none
// was made.
std::optional<std::string> missed_divergence(const StepReport& report, const Diagnostics& now);

inline constexpr const char* cause_of_missed_divergence =
    "mass that cannot balance, or a pressure system that is not that of the flow; neither should "
    "get here, so please report it with this file";

// The estimate does not fit: nothing has been allocated, and all processes that share the flow find
// it alike.
struct MemoryRefused : MemoryError {
  using MemoryError::MemoryError;
};

struct SharedDevice {
  std::string name;
  int processes = 1;
};
// What is needed for what, and the bytes that are available to each process.
MemoryRefused memory_refused(const Settings& settings, const Problem& problem,
                             const SharedDevice& device, double available);

// Bytes on the device that make_flow will allocate for these settings, by what they are for.
struct MemoryPart {
  std::string what;
  std::size_t bytes;
};
std::vector<MemoryPart> memory_parts(const Settings& settings, const Problem& problem);

// Their sum.
std::size_t memory_estimate(const Settings& settings, const Problem& problem);

// Those of one of several processes, with the largest slab.
double memory_of_part(const Settings& settings, const Problem& problem, const Decomposition& slabs);

}  // namespace hodge::sim
