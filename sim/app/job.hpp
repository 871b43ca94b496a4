// A configuration with the case that it names: everything that a run needs.
//
// The table of cases is above sim, so whoever loads a job passes it along (cases/registry.hpp has
// those that come with hodge).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/app/config/places.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

using KnownCases = std::span<const CaseSchema>;

struct Job {
  Settings settings;
  Problem problem;
  YamlNode file{};     // for the places of errors
  KnownCases cases{};  // that it was loaded with
  // The resolved configuration, where with_other_formulas has made it.
  std::shared_ptr<const YamlNode> resolved{};
};

// `device`: in place of the file's; empty: the file's. The state that the job begins with is read
// unless it `restarts`.
// Errors: ConfigError, which names the file, also where the case refuses its parameters or its
// grid.
Job load_job(const ConfigSource& source, KnownCases cases, const std::string& device = "",
             bool restarts = false);

// The same of a configuration as a run writes it (settings_to_yaml).
Job load_job_text(const std::string& config, KnownCases cases, bool restarts);

// The job with other formulas, for a flow that has been made of it (Flow::change_formulas): the
// assignments are those of --set, of velocities of sides, conditions of scalars,
// scalars.NAME.source, force, or parameters in these. Errors: ConfigError behind `set path=text: `,
// for anything else that would change too.
Job with_other_formulas(const Job& job, const std::vector<std::string>& assignments);

// Whether the state that the job begins with is there and suits it. Errors: as above.
void check_state_to_begin_with(Job job, KnownCases cases);

// Whatever can be known before anything is allocated, with bodies counted as the file counts them.
// Errors: KeyError.
void check_case(const Settings& settings, const Problem& problem);

// The error with the place of its key in the file.
PlacedError placed(const Job& job, const KeyError& error);

// Calls action(), and gives the errors that blame a key of the file their place.
template <class Action>
auto with_places(const Job& job, const Action& action) {
  try {
    return action();
  } catch (const KeyError& error) {
    throw placed(job, error);
  }
}

}  // namespace hodge::sim
