
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>

#include "linalg/base/errors.hpp"
#include "sim/app/run/provenance.hpp"
#include "sim/app/run/run_plan.hpp"
#include "sim/app/run/summary.hpp"
#include "sim/base/text.hpp"
#include "sim/flow/pressure_method.hpp"

namespace hodge::sim {
namespace {

using Json = nlohmann::ordered_json;

std::string utc_text(double seconds) {
  const std::time_t whole = static_cast<std::time_t>(seconds);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(whole));
}

// The words of README.md for exit codes.
const char* error_kind(int exit_code) {
  return exit_code == 2 ? "input" : exit_code == 3 ? "numerical" : "machine";
}

Json beginning(const RunOptions& options, const char* status, int exit_code) {
  return {{"hodge", options.version},
          {"status", status},
          {"exit_code", exit_code},
          {"file", options.file}};
}

Json grid_facts(const RunFacts& facts) {
  const Grid& grid = facts.flow.grid();
  Json cells = Json::array(), systems = Json::object();
  for (int d = 0; d < grid.dim(); ++d) cells.push_back(grid.cells(d));
  for (const FlowSystem& system : solved_systems(facts.settings, facts.problem, grid))
    systems[system.name] = {{"rows", system.rows}, {"nonzeros", system.nonzeros}};
  return {{"cells", cells}, {"cell_count", grid.cell_count()}, {"systems", systems}};
}

Json time_budget(const TimeBudget& budget) {
  return {{"total", budget.total},
          {"assembly", budget.assembly},
          {"transport", budget.transport},
          {"pressure", budget.pressure},
          {"reactions", budget.reactions},
          {"diagnostics", budget.diagnostics},
          {"checkpoints", budget.checkpoints},
          {"output", budget.output},
          {"other", std::max(0.0, budget.other())}};
}

Json solves(const RunStatistics& statistics) {
  Json all = Json::object();
  for (const IterationStatistics& system : statistics.systems)
    all[system.system] = {
        {"solves", system.solves}, {"iterations", system.iterations}, {"largest", system.largest}};
  return all;
}

Json optional_number(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json point_of(const Point& x, int dim) {
  Json list = Json::array();
  for (int d = 0; d < dim; ++d) list.push_back(x[d]);
  return list;
}

Json body_facts(const BodyFrame& body, const Grid& grid) {
  const int dim = grid.dim();
  Json of{{"centroid", point_of(body.centroid, dim)},
          {"volume", body.volume},
          {"moments_about", point_of(body.about, dim)}};
  if (body.box)
    of["control_volume"] = {{"lower", point_of(body.box_lower(grid), dim)},
                            {"upper", point_of(body.box_upper(grid), dim)}};
  else
    of["no_control_volume"] = body.without_box;
  return of;
}

// Reference values, definitions, and the bodies; of a run that has ended with their coefficients.
Json forces_facts(const RunFacts& facts) {
  const Grid& grid = facts.flow.grid();
  Json forces = Json::object();
  if (const auto by = force_reference(facts.settings, facts.problem, grid)) {
    forces["reference"] = {{"speed", by->speed},
                           {"area", by->area},
                           {"length", optional_number(by->length)},
                           {"density", by->density},
                           {"viscosity", facts.problem.viscosity},
                           {"reynolds", optional_number(by->reynolds)},
                           {"blockage", optional_number(by->blockage)}};
    forces["definitions"] = {
        {"drag", coefficient_definition}, {"lift", coefficient_definition},
        {"moment", moment_definition},    {"strouhal", strouhal_definition},
        {"reynolds", "U L / nu"},         {"blockage", "A / area of the box across the drag"}};
  }
  for (const BodyFrame& body : facts.flow.body_frames())
    forces["bodies"][body.name] = body_facts(body, grid);
  return forces;
}

// The keys between the message and the errors.
void add_facts(Json& json, const RunFacts& facts) {
  const Settings& settings = facts.settings;
  json["case"] = settings.case_name;
  json["parameters"] = settings.parameters;
  json["device"] = facts.flow.device_name();
  json["grid"] = grid_facts(facts);
  json["memory_bytes"] = memory_estimate(settings, facts.problem);
  json["started"] = utc_text(facts.started);
  json["finished"] = utc_text(seconds_since_1970());
  json["step"] = facts.flow.step();
  json["time"] = facts.flow.time();
  json["end_time"] = settings.time.end;
  json["steps"] = facts.statistics.steps;
  json["cell_steps_per_second"] = facts.statistics.cell_steps_per_second();
  json["seconds"] = time_budget(facts.statistics.seconds);
  json["solves"] = solves(facts.statistics);
  if (!facts.problem.prescribed_velocity)
    json["pressure_solver"] = pressure_method_text(settings, facts.problem);
  if (!facts.flow.body_frames().empty() && !facts.problem.prescribed_velocity)
    json["forces"] = forces_facts(facts);
  json["provenance"] = provenance_json(facts);
  Json& inputs = json["inputs"] = Json::object();
  for (const InputFile& input : settings.inputs) inputs[one_line(input.file)] = input.digest;
}

void add_coefficients(const std::vector<BodyCoefficients>& all, Json& forces) {
  for (const BodyCoefficients& of : all) {
    const Frequency& f = of.lift_frequency;
    Json& body = forces["bodies"][of.body]["coefficients"];
    body = {{"from", of.from},
            {"to", of.to},
            {"drag", optional_number(of.drag)},
            {"lift", optional_number(of.lift)},
            {"moment", optional_number(of.moment)},
            {"control_drag", optional_number(of.control_drag)},
            {"control_lift", optional_number(of.control_lift)},
            {"strouhal", optional_number(of.strouhal)},
            {"strouhal_uncertainty", optional_number(of.strouhal_uncertainty)}};
    if (!f.why_none.empty())
      body["no_frequency"] = f.why_none;
    else
      body["lift_oscillation"] = {{"frequency", f.value},
                                  {"uncertainty", f.uncertainty},
                                  {"amplitude", f.amplitude},
                                  {"periods", f.periods}};
  }
}

Json errors(const RunResult& result) {
  Json all = Json::object();
  if (!result.errors) return all;
  for (const auto& [name, l2, max] : result.errors->known()) all[name] = {{"l2", l2}, {"max", max}};
  return all;
}

Json walls(const WallSummary& summary) {
  Json all = Json::object();
  for (const WallResult& result : summary.results)
    all[result.name] = {{"value", result.of.value}, {"error", optional_number(result.of.error)}};
  return all;
}

Json results(const RunResults& results) {
  Json quantities = Json::object();
  for (const QuantityResult& of : results.quantities)
    quantities[of.name] = {{"final", optional_number(of.last)},
                           {"mean", optional_number(of.mean)},
                           {"rms", optional_number(of.rms)}};
  return {{"from", optional_number(results.from)},
          {"to", optional_number(results.to)},
          {"quantities", quantities}};
}

// Names of files need not be UTF-8, JSON must be.
std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json failed(const RunOptions& options, const std::exception& failure) {
  Json json = beginning(options, "failed", exit_code_of(failure));
  json["end"] = "error";
  json["error"] = error_kind(exit_code_of(failure));
  json["message"] = failure.what();
  return json;
}

}  // namespace

double seconds_since_1970() {
  using namespace std::chrono;
  return duration<double>(system_clock::now().time_since_epoch()).count();
}

const char* name_of(RunEnd end) {
  constexpr const char* in_their_order[] = {"end_time", "steps",  "wall_clock",
                                            "steady",   "signal", "stopped"};
  return in_their_order[static_cast<int>(end)];
}

int exit_code_of(const std::exception& failure) {
  const auto* error = dynamic_cast<const Error*>(&failure);
  return error == nullptr ? 4 : error->exit_code();
}

std::string summary_json(const RunFacts& facts, const RunResult& result) {
  const bool interrupted = result.end == RunEnd::interrupted || result.end == RunEnd::stopped;
  Json json =
      beginning(facts.options, interrupted ? "interrupted" : "completed", result.exit_code());
  json["end"] = name_of(result.end);
  json["message"] = ending_text(result, facts.settings);
  add_facts(json, facts);
  if (!result.coefficients.empty()) add_coefficients(result.coefficients, json["forces"]);
  if (!result.walls.results.empty()) json["walls"] = walls(result.walls);
  json["errors"] = errors(result);
  json["results"] = results(result.results);
  json["directory"] = result.directory.string();
  json["open"] = result.open.string();
  return text_of(json);
}

std::string summary_json(const RunFacts& facts, const std::exception& failure) {
  Json json = failed(facts.options, failure);
  add_facts(json, facts);
  json["directory"] = facts.settings.output.directory;
  return text_of(json);
}

std::string summary_json(const RunOptions& options, const std::exception& failure) {
  return text_of(failed(options, failure));
}

}  // namespace hodge::sim
