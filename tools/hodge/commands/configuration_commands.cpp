// hodge check, init and schema: configurations before they run.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <iterator>

#include "linalg/files/atomic_file.hpp"
#include "linalg/files/directories.hpp"
#include "sim/app/config/schema.hpp"
#include "sim/app/run/preview.hpp"
#include "sim/app/run/run.hpp"
#include "sim/app/run/run_plan.hpp"
#include "sim/base/text.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/init/starter_file.hpp"
#include "tools/hodge/program/job_text.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/program/outputs.hpp"
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

int check(const std::string& file, const Job& job) {
  const sim::RunPlan plan = sim::run_plan(job.settings, job.problem);
  sim::require_memory(plan, job.settings, job.problem);
  const sim::Preview begin = sim::preview(job.settings, job.problem);
  print_doubts(job, begin.doubts);
  warn_of_directory(job);
  Lines lines = job_lines(job, begin);
  std::ranges::copy(frame_lines(plan), std::back_inserter(lines));
  std::cout << sim::one_line(file) + ": ok\n" + text_of(lines);
  return 0;
}

// Every file is checked, whatever the others are; the worst exit code is returned.
int check_command(const CheckArguments& arguments) {
  int worst = 0;
  for (const std::string& file : arguments.files) {
    const int code = guarded([&] {
      const Job job = load_job({file, arguments.overrides}, cases::known_cases());
      print_warnings(job);
      return with_places(job, [&] { return check(file, job); });
    });
    worst = std::max(worst, code);
  }
  return worst;
}

struct InitArguments {
  std::string name;
  std::filesystem::path file;
  bool all = false, overwrite = false;
};

int init_command(const InitArguments& arguments) {
  const std::string usual = arguments.name + ".yaml";
  const std::filesystem::path file =
      arguments.file.empty() ? std::filesystem::path(usual) : arguments.file;
  check_outputs({file}, {}, arguments.overwrite);
  const bool is_kept = !is_written_directly(file);
  write_file_atomically(file,
                        starter_text(*cases::find_case(arguments.name), cases::known_cases(),
                                     is_kept ? file.string() : usual,
                                     arguments.all ? StarterForm::whole : StarterForm::brief));
  if (is_kept) say("{0}: edit it, then: hodge run {0}\n", file.string());
  return 0;
}

struct SchemaArguments {
  std::string only, former_file;
  std::filesystem::path output = "/dev/stdout";
  bool overwrite = false;
};

int schema_command(const SchemaArguments& arguments) {
  if (!arguments.former_file.empty())
    throw wrong_input(
        "hodge schema: unexpected {}: a file to write is named by --output FILE, a case by --case "
        "NAME",
        sim::quote(arguments.former_file));
  check_outputs({arguments.output}, {}, arguments.overwrite);
  std::vector<sim::CaseSchema> cases = cases::known_cases();
  if (!arguments.only.empty())
    std::erase_if(cases, [&](const sim::CaseSchema& one) { return one.name != arguments.only; });
  write_file_atomically(arguments.output, json_schema(cases).dump(1) + "\n");
  return 0;
}

}  // namespace

void add_check_command(CLI::App& app, Action& action) {
  auto [command, arguments] =
      add_command(app, action, "check", "Check configurations; nothing is written", check_command);
  add_configurations_option(command, arguments.files, "Configurations, YAML files");
  add_set_option(command, arguments.overrides);
}

void add_init_command(CLI::App& app, Action& action) {
  auto [command, arguments] = add_command(
      app, action, "init", "Write a commented configuration of a case to begin with", init_command);
  command.add_option("CASE", arguments.name, "A name of `hodge cases`")
      ->required()
      ->check(one_of("case", sim::names_of(cases::case_table())));
  add_output_file_option(command, "FILE", arguments.file,
                         "Where to write it: CASE.yaml; - is the output");
  command.add_flag("--all", arguments.all, "With every setting, not only those to edit first");
  add_overwrite_option(command, arguments.overwrite);
}

void add_schema_command(CLI::App& app, Action& action) {
  auto [command, arguments] =
      add_command(app, action, "schema",
                  "Write the JSON schema of configurations, which editors complete and check by",
                  schema_command);
  add_name_option(command, "--case", arguments.only, "Of this case alone, a name of `hodge cases`",
                  "case", sim::names_of(cases::case_table()));
  add_output_file_option(command, "--output", arguments.output,
                         "Where to write it; without it the standard output");
  add_overwrite_option(command, arguments.overwrite);
  command.add_option("FILE", arguments.former_file)->group("");  // what --output names now
}

}  // namespace hodge::tools
