// A configuration file with the case that it names: everything that a run needs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/app/config/places.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {
struct Doubt;
struct Preview;
struct RunPlan;
}  // namespace hodge::sim

namespace hodge::tools {

struct Job {
  sim::Settings settings;
  sim::Problem problem;
  sim::YamlNode file{};  // for the places of errors
};

// The error with the place of its key in the file.
sim::PlacedError placed(const Job& job, const sim::KeyError& error);

// Calls action(), and gives the errors that blame a key of the file their place.
template <class Action>
auto with_places(const Job& job, const Action& action) {
  try {
    return action();
  } catch (const sim::KeyError& error) {
    throw placed(job, error);
  }
}

// The cases as the reader of configurations wants them.
std::vector<sim::CaseSchema> case_schemas();

// `device`: in place of the file's; empty: the file's. The state that the job begins with is read
// unless it `restarts`.
// Errors: ConfigError, which names the file, also where the case refuses its parameters or its
// grid.
Job load_job(const sim::ConfigSource& source, const std::string& device = "",
             bool restarts = false);

// Whether the state that the job begins with is there and suits it. Errors: as above.
void check_state_to_begin_with(Job job);

// The same of a configuration as a run writes it (sim::settings_to_yaml).
Job load_job_text(const std::string& config, bool restarts);

// Tells on stderr which settings of the file have no effect and which sides drive a flow that may
// not be meant; `processes` run it, 0: not known.
void print_warnings(const Job& job, int processes = 0);

// Tells on stderr what may be meant otherwise.
void print_doubts(const Job& job, const std::vector<sim::Doubt>& doubts);

using Lines = std::vector<std::pair<std::string, std::string>>;

// A job in lines of a name and a text, for `hodge check` and `hodge run --dry-run`.
Lines job_lines(const Job& job, const sim::Preview& begin);

// Those of what it begins with: widths of cells, first step, bounds of scalars, flow rates.
Lines preview_lines(const Job& job, const sim::Preview& begin);

// "21 frames of at most 1.3 MB each, 27 MB in all, before compression"
std::string frames_text(const sim::RunPlan& plan);

// One indented line each, the texts aligned.
std::string text_of(const Lines& lines);

}  // namespace hodge::tools
