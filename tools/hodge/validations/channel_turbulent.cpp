// Turbulent flow between plates at Re_tau = 178.12, driven by a flow rate: bulk and centre
// velocity, friction, the mean profile, the largest fluctuations, and the budget of their energy.
//
//   --quick   24 x 32 x 24 cells in a box of pi x 2 x pi/3 for a short time: the initial state
//             becomes turbulent and stays so
//   default   32 x 48 x 32 cells in that box, the smallest that keeps turbulence. It holds one pair
//             of vortices: averages over 6 h/u_tau were 1 to 3 % off in the mean velocity, 2 % in
//             the friction, up to 5 % in u' and v' and 10 % in w', and the bounds are wider by half
//   --large   320 x 160 x 240 cells in the box of the published simulation, 4 pi x 2 x 4 pi/3, for
//             50 h/u_tau, 10 of them before the averages begin: some 46,000 steps of 12.3 million
//             cells, 6 minutes on one H200
//
// Reference: R. D. Moser, J. Kim & N. N. Mansour, Phys. Fluids 11, 1999. Bounds of --large: 1.5 %
// for integrals, 1 % for the mean profile beyond y+ = 1, 3 % for fluctuations, 2 % of the largest
// production for the balance of the budget: what cells of 7 x 0.9 to 3.4 x 3.1 viscous lengths and
// averages over 40 h/u_tau leave of central differences.
#include <numbers>

#include "sim/app/output/profiles.hpp"
#include "sim/app/run/stepper.hpp"
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::channel_turbulent {

constexpr double published_re_tau = 178.12;
constexpr const char* profiles_file = "mkm1999_Re_tau180_profiles.csv";
constexpr const char* budget_file = "mkm1999_Re_tau180_budget.csv";
const std::string spectral = "Moser, Kim & Mansour 1999";

struct Bounds {  // relative
  double integral, friction, profile, fluctuation, balance;
};
struct ChannelRun {
  std::vector<int> cells;
  double length, span;  // over h
  double strength;      // of the stretching
  double start, end;    // of the averages, in h/u_tau
  Bounds bounds;        // 0: not judged
};

ChannelRun chosen(const Report& report) {
  constexpr double pi = std::numbers::pi;
  if (report.options.large)
    return {{320, 160, 240}, 4 * pi, 4 * pi / 3, 1.3, 10, 50, {0.015, 0.015, 0.01, 0.03, 0.02}};
  if (report.options.quick) return {{24, 32, 24}, pi, pi / 3, 1.6, 2.5, 5, {0, 0, 0, 0, 0}};
  return {{32, 48, 32}, pi, pi / 3, 1.8, 6, 20, {0.05, 0.1, 0.06, 0.15, 0.03}};
}

Settings channel_settings(const Report& report, const ChannelRun& run) {
  Settings settings = case_settings(report, "channel_turbulent", run.cells,
                                    {{"re_tau", published_re_tau}, {"driving", 1}}, "rk3");
  settings.grid.axes[0].upper = run.length;
  settings.grid.axes[2].upper = run.span;
  settings.grid.axes[1].stretching = "tanh";
  settings.grid.axes[1].strength = run.strength;
  settings.time.end = run.end;
  settings.time.step.cfl = 0.9;
  settings.time.step.max = 0.01;
  settings.output.fields = {};
  settings.output.statistics =
      sim::StatisticsSettings{.start = run.start, .end = {}, .profile = "y"};
  return settings;
}

// The steps of `hodge run`.
FlowPointer run_channel(Report& report, const Settings& settings, const Problem& problem) {
  FlowPointer flow = sim::make_shared_flow(report.options.leader, settings, problem);
  sim::Stepper steps(*flow, settings, problem);
  const std::string name = cells_text(settings);
  while (!steps.ended()) {
    const sim::NextStep next = steps.next();
    if (const auto complaint = steps.refusal(next)) throw NumericalError(name + ": " + *complaint);
    const sim::StepReport taken = steps.take(next);
    if (!taken.ok) throw NumericalError(name + ": " + taken.failure);
    if (const auto complaint = steps.look()) throw NumericalError(name + ": " + *complaint);
  }
  report.progress(fmt::format("{}: {} steps to t = {:.4g}", name, flow->step(), flow->time()));
  return flow;
}

// In units of the wall, against y+: the mean of both halves, whose layers mirror each other.
Profile folded(const sim::Profiles& profiles, const std::vector<double>& values, double sign,
               double unit, double viscous_length) {
  Profile folded;
  const std::size_t n = values.size();
  for (std::size_t j = 0; j < n / 2; ++j)
    folded.push_back({profiles.wall_distances[j] / viscous_length,
                      0.5 * (values[j] + sign * values[n - 1 - j]) / unit});
  return folded;
}

Bound bound_of(double relative_bound) {
  return relative_bound > 0 ? relative(relative_bound) : Bound{};
}

struct Channel {
  Report& report;
  const sim::Profiles& profiles;
  std::string name;
  Bounds bounds;
  double u_tau, length;  // of the wall

  Profile of(const std::string& column, double sign, double unit) const {
    return folded(profiles, profiles[column].values, sign, unit, length);
  }
  std::string error_text(const sim::WithError& of) const {
    return of.error ? fmt::format("{}, +- {:.2g}", name, *of.error) : name;
  }
};

void add_integrals(const Channel& channel) {
  const double of_bulk = channel.bounds.integral, of_friction = channel.bounds.friction;
  const std::array<std::tuple<const char*, double, double>, 3> published{
      {{"Ub+", 15.68, of_bulk}, {"Uc+", 18.30, of_bulk}, {"Cf", 8.14e-3, of_friction}}};
  for (const sim::WallResult& result : channel.profiles.results) {
    const std::string run = channel.error_text(result.of);
    if (result.name == "Re_tau")
      channel.report.add({"Re_tau", run, result.of.value, published_re_tau, Bound{}, spectral});
    for (const auto& [name, value, bound] : published)
      if (result.name == name)
        channel.report.add({name, run, result.of.value, value, bound_of(bound), spectral});
  }
}

void add_mean(const Channel& channel) {
  const Profile measured = channel.of("u_mean", 1, channel.u_tau);
  const Profile published = read_reference(profiles_file, "u");
  Row farthest{"", channel.name, 1, 1, bound_of(channel.bounds.profile), spectral};
  for (const auto& [y, u] : between(published, 1, measured.back().position)) {
    if (y < measured.front().position) continue;
    Row row = farthest;
    row.measured = interpolate(measured, y);
    row.published = u;
    row.position = y;
    row.quantity = fmt::format("U+ beyond y+ = 1, farthest: y+ = {:.1f}", y);
    if (std::abs(*row.error()) > std::abs(*farthest.error())) farthest = row;
  }
  channel.report.add(farthest);
  Figure& figure = channel.report.figure("mean velocity", "y+", "U+");
  figure.add_measured(channel.name, measured);
  figure.add_published(spectral, published);
}

void add_fluctuations(const Channel& channel) {
  struct Fluctuation {
    const char *text, *column, *published;
    double sign, unit, y;
  };
  const double u = channel.u_tau;
  Figure& figure = channel.report.figure("fluctuations", "y+", "rms, and -<u'v'>");
  for (const Fluctuation& of :
       {Fluctuation{"u' at y+ = 15.3", "u_rms", "u_rms", 1, u, 15.281},
        Fluctuation{"v' at y+ = 52", "v_rms", "v_rms", 1, u, 52.171},
        Fluctuation{"w' at y+ = 35", "w_rms", "w_rms", 1, u, 35.053},
        Fluctuation{"-<u'v'> at y+ = 30", "u_v_covariance", "minus_uv", -1, -u * u, 30.019}}) {
    const Profile measured = channel.of(of.column, of.sign, of.unit);
    const Profile published = read_reference(profiles_file, of.published);
    channel.report.add({of.text, channel.name, interpolate(measured, of.y),
                        interpolate(published, of.y), bound_of(channel.bounds.fluctuation),
                        spectral});
    figure.add_measured(of.column, measured);
    figure.add_published(std::string(of.column) + ", " + spectral, published);
  }
}

void add_budget(const Channel& channel, const sim::WallFlow& wall) {
  Figure& figure = channel.report.figure("budget of k", "y+", "nu / u_tau^4");
  const double unit = channel.u_tau * channel.u_tau * channel.u_tau / channel.length;
  for (const char* term : {"production", "dissipation", "turbulent_transport", "viscous_diffusion",
                           "pressure_transport"}) {
    const Profile measured = channel.of(std::string("k_") + term, 1, unit);
    const Profile published = read_reference(budget_file, term);
    figure.add_measured(term, measured);
    figure.add_published(std::string(term) + ", " + spectral, published);
    if (std::string(term) == "production")
      channel.report.add({"largest production of k", channel.name, extremum(measured, 1).value,
                          extremum(published, 1).value, Bound{}, spectral});
  }
  const double balance = channel.bounds.balance;
  channel.report.limit("largest residual of the budget over the largest production", channel.name,
                       wall.residual / wall.production, balance > 0 ? at_most(balance) : Bound{},
                       "0");
}

void run_channels(Report& report) {
  const ChannelRun run = chosen(report);
  const Settings settings = channel_settings(report, run);
  const Problem problem = case_problem(settings);
  const FlowPointer flow = run_channel(report, settings, problem);
  const sim::Fluid fluid{problem.viscosity, problem.density};
  const sim::Profiles profiles = sim::profiles_of(flow->layer_sums().value(), flow->grid(), fluid);
  const sim::WallFlow& wall = profiles.wall.value();
  const Channel channel{report,     profiles,   cells_text(settings),
                        run.bounds, wall.u_tau, fluid.viscosity / wall.u_tau};
  report.limit("largest Reynolds stress over u_tau^2: the flow is turbulent", channel.name,
               wall.stress / wall.friction, at_least(0.5), "Moser, Kim & Mansour 1999: 0.72");
  add_integrals(channel);
  add_mean(channel);
  add_fluctuations(channel);
  add_budget(channel, wall);
}

Validations describe() {
  return {{"turbulent channel at Re_tau 178 against a spectral simulation", {run_channels}}};
}

}  // namespace hodge::tools::validations::channel_turbulent
