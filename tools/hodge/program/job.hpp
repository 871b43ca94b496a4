// A configuration file with the case that it names: everything that a run needs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/app/config/settings_yaml.hpp"
#include "sim/model/problem.hpp"

namespace hodge::tools {

struct Job {
  sim::Settings settings;
  sim::Problem problem;
};

// The cases as the reader of configurations wants them.
std::vector<sim::CaseSchema> case_schemas();

// `device`: in place of the file's; empty: the file's. The state that the job begins with is read
// unless it `restarts`.
// Errors: ConfigError, which names the file, also where the case refuses its parameters or its
// grid.
Job load_job(const sim::ConfigSource& source, const std::string& device = "",
             bool restarts = false);

using Lines = std::vector<std::pair<std::string, std::string>>;

// A job in lines of a name and a text, for `hodge check` and `hodge run --dry-run`.
Lines job_lines(const Job& job);

// One indented line each, the texts aligned.
std::string text_of(const Lines& lines);

}  // namespace hodge::tools
