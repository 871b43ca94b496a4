// The Taylor-Green vortex in 3D at Re = 1600: the rate at which it loses kinetic energy against a
// spectral solution on 512^3, its largest value and when that comes.
//
//   eps(t) = -dE/dt, E the mean of |u|^2 / 2; central differences of the energies of single steps
//
// 64^3 cells for the early time, before small eddies appear; without --quick also 128^3 past the
// peak, and 64^3 with dynamic_smagorinsky; with --large 256^3.
//
// Bounds: those of a second-order scheme. Until t = 3 the error of eps is 4.0 % on 64^3 and 1.4 %
// on 128^3; on 128^3 the largest eps, which needs eddies of the size of a few cells, comes 4 %
// early and is 8 % too large. On 256^3 a fourth of these is expected; the bounds allow for half.
// With the model on 64^3 the largest eps is 8 % too small and comes 8 % early; before it eps is up
// to 65 % too large, because C of the whole box is not 0 where vortices stretch.
#include <numbers>

#include "sim/discrete/operators/closures/closures.hpp"
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::taylor_green_3d {

constexpr double early = 3;
constexpr double volume = 8 * std::numbers::pi * std::numbers::pi * std::numbers::pi;
const std::string dissipation_file = "tgv3d_Re1600_spectral512.csv";
const std::string spectral_source = "van Rees et al. 2011, 512^3 spectral";

struct VortexStudy {
  int cells;
  double end;
  long steps;
  double early_bound;             // relative, of eps until `early`
  double peak_bound, time_bound;  // relative; 0 where the run ends before
  bool has_model = false;         // eps until `early` is not judged then
};

// eps at the times between the steps.
Profile run_vortex(const VortexStudy& study, Report& report) {
  Settings settings =
      case_settings(report, "taylor_green_3d", {study.cells, study.cells, study.cells}, {},
                    study.has_model ? "rk3" : "cn_ab2");
  if (study.has_model) {
    constexpr const sim::Closure& model = sim::DynamicSmagorinskyClosure::row;
    settings.turbulence = {model.name, model.constant};
  }
  settings.pressure.tolerance = 1e-5;
  ProfilePoint before{0, 0.125};  // time and energy
  Profile rate;
  run_case(report, settings,
           {.end = study.end,
            .steps = study.steps,
            .name = cells_text(settings),
            .observe = [&](const Flow& flow) {
              const ProfilePoint now{flow.time(), flow.diagnostics().kinetic_energy / volume};
              rate.push_back({0.5 * (before.position + now.position),
                              (before.value - now.value) / (now.position - before.position)});
              before = now;
            }});
  return rate;
}

// The point until `early` whose eps is relatively farthest off.
void add_early(const std::string& run, const Profile& rate, const Profile& published, double bound,
               Report& report) {
  Row farthest{"", run, 1, 1, relative(bound), spectral_source};
  for (const auto& [t, eps] : between(published, 0.1, std::min(early, rate.back().position))) {
    Row row = farthest;
    row.measured = interpolate(rate, t);
    row.published = eps;
    row.quantity = fmt::format("eps until t = {}, farthest: t = {:.2f}", early, t);
    if (std::abs(*row.error()) > std::abs(*farthest.error())) farthest = row;
  }
  report.add(farthest);
}

void run_vortex_studies(Report& report) {
  std::vector<VortexStudy> studies{{64, early, 120, 0.05, 0, 0}};
  if (!report.options.quick) studies.push_back({128, 10.5, 525, 0.02, 0.1, 0.05});
  if (!report.options.quick) studies.push_back({64, 10.5, 210, 0, 0.1, 0.1, true});
  if (report.options.large) studies.push_back({256, 10.5, 1050, 0.01, 0.05, 0.025});
  const Profile published = read_reference(dissipation_file, "eps");
  Figure& figure = report.figure("dissipation rate", "t", "-dE/dt");
  for (const VortexStudy& study : studies) {
    const std::string name = fmt::format("{0} x {0} x {0} cells, {1} steps{2}", study.cells,
                                         study.steps, study.has_model ? ", dynamic model" : "");
    const Profile rate = run_vortex(study, report);
    figure.add_measured(name, rate);
    if (!study.has_model) add_early(name, rate, published, study.early_bound, report);
    if (study.peak_bound == 0) continue;
    const ProfilePoint measured = extremum(rate, +1), expected = extremum(published, +1);
    report.add({"largest eps", name, measured.value, expected.value, relative(study.peak_bound),
                spectral_source});
    report.add({"its time", name, measured.position, expected.position, relative(study.time_bound),
                spectral_source});
  }
  Profile drawn;  // every quarter of a unit of time
  for (const ProfilePoint& point : between(published, 0, studies.back().end))
    if (std::fmod(point.position + 1e-9, 0.25) < 1e-6) drawn.push_back(point);
  figure.add_published(spectral_source, drawn);
}

Validations describe() {
  return {
      {"dissipation of the vortex at Re 1600 against a spectral solution", {run_vortex_studies}}};
}

}  // namespace hodge::tools::validations::taylor_green_3d
