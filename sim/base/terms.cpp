#include "sim/base/terms.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hodge::sim {
namespace {

char lower_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool counts(char c) {
  const char low = lower_letter(c);
  return (low >= 'a' && low <= 'z') || (c >= '0' && c <= '9');
}

// Whether both have the same letters and digits, and any.
bool same_word(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  for (bool any = false;; any = true) {
    while (i < a.size() && !counts(a[i])) ++i;
    while (j < b.size() && !counts(b[j])) ++j;
    if (i == a.size() || j == b.size()) return any && i == a.size() && j == b.size();
    if (lower_letter(a[i++]) != lower_letter(b[j++])) return false;
  }
}

bool has_word(const FieldTerm& term, std::string_view word) {
  for (std::size_t begin = 0; begin < term.words.size();) {
    const std::size_t end = std::min(term.words.find(',', begin), term.words.size());
    if (same_word(term.words.substr(begin, end - begin), word)) return true;
    begin = end + 1;
  }
  return false;
}

bool is_known(std::string_view name, std::span<const std::string> known) {
  return std::ranges::find(known, name) != known.end();
}

bool fits(const FieldTerm& term, std::string_view word, std::span<const std::string> known) {
  return (term.beside.empty() || is_known(term.beside, known)) && has_word(term, word);
}

std::string_view last_part_of(std::string_view path) {
  return path.substr(path.rfind('.') + 1);  // npos + 1 is 0
}

}  // namespace

std::span<const FieldTerm> term_table() {
  using enum FieldTerm::Kind;
  // Where a word has several meanings, the first that fits counts.
  static constexpr std::string_view single_precision =
      "single precision is for preconditioner.precision (multigrid) and transforms (capacitance)";
  static constexpr FieldTerm terms[] = {
      // What there is none of. Keys of solids are known by the key `sphere`.
      {missing,
       "rans, des, ddes, urans, dynamic_smagorinsky, k_epsilon, k_omega, k_omega_sst, sst, "
       "spalart_allmaras, wall_model, wall_function, wall_functions",
       "turbulence models of this kind"},
      {missing,
       "motion, moving, velocity, angular_velocity, rotation, rotating, rotate, omega, trajectory, "
       "path, translation, oscillation, spring",
       "bodies that move", "sphere"},
      {missing,
       "motion, body_motion, moving_bodies, moving_body, rigid_body, rigid_bodies, fsi, "
       "dynamic_mesh, "
       "overset, moving_mesh",
       "bodies that move"},
      {missing,
       "vof, level_set, phases, phase_field, two_phase, multiphase, free_surface, surface_tension, "
       "cavitation",
       "flows of two phases"},
      {name,
       "adaptive, adaptive_step, adaptive_time_step, adaptive_dt, adjust_time_step, "
       "adjustable_time_step, variable_step",
       "time.step.cfl", "cfl"},
      {name,
       "adaptive, adaptive_step, adaptive_time_step, adaptive_dt, adjust_time_step, "
       "adjustable_time_step, variable_step",
       "time.step.cfl", "steady"},
      {missing, "amr, refine, refinement, refinements, octree",
       "grids that are refined locally (grid.stretching varies the cells along an axis)"},
      {missing, "adaptive, adapt",
       "grids that are refined locally (grid.stretching varies the cells along an axis)", "grid"},
      {missing, "adaptive, adapt",
       "grids that are refined locally (grid.stretching varies the cells along an axis)",
       "stretching"},
      {missing, "compressible, mach, mach_number, equation_of_state, eos, ideal_gas",
       "compressible flows"},
      {missing, "precision, mixed_precision, single_precision",
       "runs in another precision than double (output.precision is that of frames)", "grid"},
      {advice, "precision, mixed_precision, single_precision", single_precision, "transport"},
      {advice, "precision, mixed_precision, single_precision", single_precision, "preconditioner"},
      {missing, "particles, lagrangian, dpm, tracers", "particles"},
      {missing, "radiation", "models of radiation"},
      {missing, "porous, porosity, darcy, permeability, forchheimer", "porous media"},
      {missing, "mrf", "frames that rotate in a part of the box"},
      {missing, "axisymmetric, cylindrical, spherical, polar",
       "coordinates other than Cartesian ones"},
      {missing, "coordinates", "coordinates other than Cartesian ones", "grid"},
      {missing, "coordinates", "coordinates other than Cartesian ones", "stretching"},

      // Keys, by sections.
      {name, "reynolds, reynolds_number, re", "parameters.reynolds"},
      {name, "rayleigh_number, ra", "parameters.rayleigh"},
      {name, "prandtl_number, pr", "parameters.prandtl"},
      {name, "constants, variables, params", "parameters"},
      {name, "mesh, domain, box", "grid"},
      {name,
       "turbulence_model, les, eddy_viscosity, smagorinsky, germano, wale, vreman, sigma, subgrid, "
       "subgrid_model, sgs_model",
       "turbulence.model"},
      {name,
       "rheology, viscosity_model, transport_model, non_newtonian, power_law, carreau, cross, "
       "bingham, herschel_bulkley, yield_stress, sutherland",
       "fluid.viscosity"},
      {name, "nx, ny, nz, n_cells, ncells, num_cells, resolution, nodes", "grid.cells"},
      {name, "origin, lo, xmin, x_min, domain_lower", "grid.lower"},
      {name, "hi, xmax, x_max, extent, domain_upper", "grid.upper"},
      {name, "grading, clustering, bias", "grid.stretching"},
      {name, "nu, kinematic_viscosity, mu, dynamic_viscosity, fluid_viscosity", "fluid.viscosity"},
      {name, "rho, rho0", "fluid.density"},
      {name, "coriolis, rotating_frame, srf, omega, angular_velocity", "rotation"},
      {name, "gravity, g, body_force, acceleration, pressure_gradient", "force"},
      {name, "bc, bcs, boundary, boundary_condition, boundary_conditions", "boundaries"},
      {name, "left, west, xmin, x_min, xlo", "x_lower"},
      {name, "right, east, xmax, x_max, xhi", "x_upper"},
      {name, "bottom, south, ymin, y_min, ylo", "y_lower"},
      {name, "top, north, ymax, y_max, yhi", "y_upper"},
      {name, "back, zmin, z_min, zlo", "z_lower"},
      {name, "front, zmax, z_max, zhi", "z_upper"},
      {name, "type, model", "kind"},
      {name, "ic, ics, initial_condition, initial_conditions, initialize", "initial"},
      {name, "analytical, analytic, exact_solution", "exact"},
      {name, "temperature", "scalars"},
      {name, "species, tracer, concentration, passive_scalar, passive_scalars", "scalars"},
      {name, "d, diffusion, diffusion_coefficient, conductivity, thermal_diffusivity, kappa, alpha",
       "diffusivity"},
      {name, "beta, expansion, thermal_expansion", "buoyancy"},
      {name, "t_ref, reference", "neutral"},
      {name,
       "bodies, body, obstacle, obstacles, objects, geometry, immersed_bodies, immersed_boundary",
       "solids"},
      {name, "circle, disc, disk, ball", "sphere"},
      {name, "tube, rod", "cylinder"},
      {name, "square, rectangle, cube, cuboid, block, plate", "box"},
      {name, "stl, triangles", "surface"},
      {name, "filename, path", "file"},
      {name, "origin, position, centroid", "centre"},
      {name, "diameter, r", "radius"},
      {name, "coefficients, drag, lift, drag_coefficient, lift_coefficient", "forces"},
      {name, "u_ref, u_inf, reference_velocity", "speed"},
      {name, "speed", "velocity", "kind"},
      {name,
       "volumetric_flow_rate, volume_flow_rate, volume_flow, mass_flow_rate, mass_flow, discharge",
       "flow_rate", "kind"},
      {name, "l_ref, a_ref, diameter", "length"},
      {name, "end_time, t_end, tend, t_max, tmax, t_final, final_time, stop_time, duration",
       "time.end"},
      {name, "dt, delta_t, time_step, timestep, step_size", "time.step.size"},
      {name, "dt_max, max_dt, dtmax", "time.step.max"},
      {name, "courant, courant_number, max_co, cfl_max, max_cfl", "time.step.cfl"},
      {name, "n_steps, nsteps, max_steps, num_steps", "time.steps"},
      {name, "wall_time, walltime, max_seconds, time_limit", "time.wall_clock"},
      {name, "integrator, time_scheme, time_integration, method", "time.scheme", "steady"},
      {name, "steady_state", "time.steady"},
      {name, "advection", "convection"},
      {name, "advection_scheme, convection_scheme, div_schemes", "convection.scheme"},
      {name, "poisson, linear_solver, linear_solvers", "solvers"},
      {name, "velocity, momentum, momentum_equation", "solvers.transport", "transport"},
      {name, "solver, algorithm", "method"},
      {name, "pc, precon", "preconditioner"},
      {name, "tol, rtol, reltol, relative_tolerance, eps", "tolerance"},
      {name, "atol, abstol", "absolute_tolerance"},
      {name, "maxit, maxiter, max_iter, iterations, itmax", "max_iterations"},
      {name, "write, io, results", "output"},
      {name, "dir, folder, path", "output.directory"},
      {name, "write_interval, output_interval, interval, frequency, vtk, paraview, snapshots",
       "output.frames.every"},
      {name, "write_fields, quantities", "output.fields"},
      {name, "monitors, monitor, sensors, sample", "probes"},
      {name, "coordinates, positions, locations", "probes.points", "lines"},
      {name, "backend, gpu, cuda", "device"},
      {name, "mpi, decomposition, partition", "parallel"},

      // Values.
      {name, "crank_nicolson, cn, imex, cnab2", "cn_ab2"},
      {name, "implicit_euler, euler, bdf1", "backward_euler"},
      {name, "adams_bashforth, abm2", "ab2"},
      {name, "runge_kutta, rk, rk4, rk2, ssprk3, ssp_rk3", "rk3"},
      {name, "linear, cds, cd2, second_order", "central"},
      {name, "first_order, uds, donor_cell", "upwind"},
      {name, "upwind2, linear_upwind, luds, sou, second_order_upwind, cubista", "quick"},
      {name, "tvd, limited, muscl, minmod, superbee, vanalbada, mc", "van_leer"},
      {name, "no_slip, solid, fixed_wall, moving_wall", "wall"},
      {name, "inlet, velocity_inlet, inlet_velocity", "inflow"},
      {name, "outlet, open, convective_outflow, outlet_inlet", "outflow"},
      {name, "pressure_outlet, pressure_inlet, total_pressure", "pressure"},
      {name, "symmetry, symmetric, free_slip, symmetry_plane", "slip"},
      {name, "cyclic, period", "periodic"},
      {name, "dirichlet, fixed_value", "value"},
      {name, "neumann, fixed_gradient, zero_gradient, gradient, adiabatic, insulated", "flux"},
      {name, "robin, mixed", "convective"},
      {name, "pcg, conjugate_gradient, conjugate_gradients", "cg"},
      {name, "bcgs, bicgstab2, pbicgstab, pbicg", "bicgstab"},
      {name, "fgmres, lgmres, minres", "gmres"},
      {name, "fft, dct, dst, fourier, spectral, poisson, fast_poisson, fishpack", "direct"},
      {name, "lu, dense", "gauss"},
      {name, "amg, gamg, gmg, mg, boomeramg, hypre, pyamg", "multigrid"},
      {name, "ilu, ilu0, ilut, ic, ic0, dic, dilu, ichol, cholesky, ssor, sor, sgs, gauss_seidel",
       "ssor_sai"},
      {name, "diagonal, diag, point_jacobi", "jacobi"},
      {name, "identity, no, off", "none"},
      {name, "hyperbolic, geometric", "tanh"},
      {name, "gpu, nvidia", "cuda"},
      {name, "openmp, omp, host", "cpu"},

      // Names of formulas.
      {name, "time", "t"},
      {name, "fabs", "abs"},
      {name, "heaviside", "step"},
      {name, "arctan", "atan"},
      {name, "arctan2", "atan2"},
      {name, "arcsin", "asin"},
      {name, "arccos", "acos"},
      {name, "where, ifelse", "if"},
      {name, "fmod", "mod"},
      {name, "rand, random", "noise"},
      {advice, "pow, power", "a power is written a^b", "atan2"},

      // Options and commands.
      {name, "resume, continue", "--restart"},
      {name, "force, clobber", "--overwrite"},
      {name, "gpu, cuda, cpu, backend", "--device"},
      {name, "parameter, define, override, d", "--set"},
      {name, "preview, plan", "--dry-run"},
      {name, "out, outdir", "--output"},
      {name, "simulate, start, solver, resume, restart", "run"},
      {name, "new, create, template, example", "init"},
      {name, "lint, test, validate_file", "check"},
      {name, "list", "cases"},

      // What is asked for elsewhere.
      {advice, "amg, gamg, mg, multigrid, boomeramg",
       "multigrid is a preconditioner: method cg with preconditioner {kind: multigrid}", "cg"},
      {advice, "ilu, ic, ssor, ssor_sai, jacobi",
       "that is a preconditioner: a method such as cg or bicgstab uses it", "cg"},
      {advice, "restart, resume, continue", "a run goes on with hodge run FILE --restart latest"},
      {advice, "threads, n_threads, num_threads, openmp",
       "the environment says how many threads: OMP_NUM_THREADS=4"},
      {advice, "processes, nprocs, np, n_procs, ranks",
       "the launcher says how many processes: mpirun -n 4 hodge run FILE"},
      {advice, "bounds, size, lengths", "grid.lower and grid.upper give the box", "grid"},
      {advice, "bounds, size, lengths", "its corners lower and upper give the box", "lower"},
      {advice, "lx, ly, lz, dx, dy, dz",
       "the box is given by lower and upper, its cells by their number"},
  };
  return terms;
}

std::vector<const FieldTerm*> find_terms(std::string_view word,
                                         std::span<const std::string> known) {
  std::vector<const FieldTerm*> found;
  for (const FieldTerm& term : term_table())
    if (fits(term, word, known)) found.push_back(&term);
  return found;
}

std::string known_synonym(std::string_view word, std::span<const std::string> known) {
  for (const FieldTerm* term : find_terms(word, known)) {
    const std::string_view here = last_part_of(term->answer);
    if (term->kind == FieldTerm::Kind::name && is_known(here, known)) return std::string(here);
  }
  return {};
}

std::string answer_to(std::string_view word, std::span<const std::string> known) {
  for (const FieldTerm* term : find_terms(word, known)) {
    if (term->kind == FieldTerm::Kind::missing)
      return fmt::format("{} are not supported yet", term->answer);
    if (term->kind == FieldTerm::Kind::advice) return std::string(term->answer);
  }
  return {};
}

}  // namespace hodge::sim
