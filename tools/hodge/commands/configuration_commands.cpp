// hodge check, init and schema: configurations before they run.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "linalg/files/atomic_file.hpp"
#include "sim/app/config/schema.hpp"
#include "sim/app/run/preview.hpp"
#include "sim/app/run/run.hpp"
#include "sim/app/run/run_plan.hpp"
#include "sim/base/text.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/init/starter_file.hpp"
#include "tools/hodge/program/job.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/program/program.hpp"
#include "tools/hodge/schema/json_schema.hpp"

namespace hodge::tools {
namespace {

struct CheckArguments {
  std::vector<std::string> files, overrides;
};

// The directory may have an earlier run, which `hodge run` refuses without --overwrite or
// --restart.
void warn_of_directory(const Job& job) {
  try {
    sim::check_start(job.settings, job.problem, {});
  } catch (const Error& error) {
    print_doubts(job, {{"output.directory", error.what()}});
  }
}

// How many processes share a run is known when it is launched.
int check(const std::string& file, Job job) {
  job.settings.parallel.processes.reset();
  const sim::RunPlan plan = sim::run_plan(job.settings, job.problem);
  sim::require_memory(plan, job.settings, job.problem);
  const sim::Preview begin = sim::preview(job.settings, job.problem);
  print_doubts(job, begin.doubts);
  warn_of_directory(job);
  Lines lines = job_lines(job, begin);
  lines.emplace_back("frames", frames_text(plan));
  std::cout << sim::one_line(file) + ": ok\n" + text_of(lines);
  return 0;
}

// Every file is checked, whatever the others are; the worst exit code is returned.
int check_command(const CheckArguments& arguments) {
  int worst = 0;
  for (const std::string& file : arguments.files) {
    const int code = guarded([&] {
      const Job job = load_job({file, arguments.overrides});
      print_warnings(job);
      return with_places(job, [&] { return check(file, job); });
    });
    worst = std::max(worst, code);
  }
  return worst;
}

struct InitArguments {
  std::string name, file;
  bool all = false, overwrite = false;
};

int init_command(const InitArguments& arguments) {
  const bool prints = arguments.file == "-";
  const std::string file =
      arguments.file.empty() || prints ? arguments.name + ".yaml" : arguments.file;
  const auto text = [&] {
    return starter_text(*cases::find_case(arguments.name), case_schemas(), file,
                        arguments.all ? StarterForm::whole : StarterForm::brief);
  };
  if (prints) {
    std::cout << text();
    return 0;
  }
  if (!arguments.overwrite && std::filesystem::exists(file))
    throw wrong_input(
        "{0} is there already: give another name, as in hodge init {1} my_{1}.yaml, or --overwrite",
        file, arguments.name);
  write_file_atomically(file, text());
  say("{0}: edit it, then: hodge run {0}\n", file);
  return 0;
}

int schema_command(const std::string& file) {
  const std::string text = json_schema(case_schemas()).dump(1) + "\n";
  if (file.empty())
    std::cout << text;
  else
    write_file_atomically(file, text);
  return 0;
}

}  // namespace

void add_check_command(CLI::App& app, std::function<int()>& action) {
  auto [command, arguments] =
      add_command(app, action, "check", "Check configurations; nothing is written", check_command);
  add_configurations_option(command, arguments.files, "Configurations, YAML files");
  add_set_option(command, arguments.overrides);
}

void add_init_command(CLI::App& app, std::function<int()>& action) {
  auto [command, arguments] = add_command(
      app, action, "init", "Write a commented configuration of a case to begin with", init_command);
  command.add_option("CASE", arguments.name, "A name of `hodge cases`")
      ->required()
      ->check(one_of("case", sim::names_of(cases::case_table())));
  command.add_option("FILE", arguments.file, "Where to write it: CASE.yaml; - is the output")
      ->check(not_empty());
  command.add_flag("--all", arguments.all, "With every setting, not only those to edit first");
  command.add_flag("--overwrite", arguments.overwrite, "Replace the file");
}

void add_schema_command(CLI::App& app, std::function<int()>& action) {
  auto [command, file] =
      add_command(app, action, "schema",
                  "Write the JSON schema of configurations, which editors complete and check by",
                  schema_command);
  command.add_option("FILE", file, "Where to write it; without it the standard output")
      ->check(not_empty());
}

}  // namespace hodge::tools
