#include "tools/hodge/validate/validation.hpp"

#include <fmt/format.h>

#include <chrono>
#include <iostream>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/space/device.hpp"
#include "linalg/version.hpp"
#include "sim/app/config/schema.hpp"
#include "tools/hodge/program/python.hpp"

namespace hodge::tools {
namespace {

struct Outcome {
  Report report;
  std::string failure;  // of a run; empty where all ran
  double seconds = 0;

  bool passed() const { return failure.empty() && report.passed(); }
};

Outcome run_validation(const Validation& validation, const ValidateOptions& options) {
  using Clock = std::chrono::steady_clock;
  Outcome outcome{Report(validation.name, options), "", 0};
  std::cout << fmt::format("{}: {}", validation.name, validation.description) << std::endl;
  const auto start = Clock::now();
  try {
    validation.run(outcome.report);
  } catch (const NumericalError& error) {
    outcome.failure = error.what();
  }
  outcome.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (!outcome.report.rows().empty()) std::cout << '\n' << outcome.report.table().text() << '\n';
  if (!outcome.failure.empty()) std::cout << "  " << outcome.failure << '\n';
  std::cout << fmt::format("{}: {} ({:.1f} s)\n", validation.name,
                           outcome.passed() ? "passed" : "FAILED", outcome.seconds)
            << std::endl;
  return outcome;
}

Table summary_of(const std::vector<Outcome>& outcomes) {
  Table table("summary", "Summary",
              {{"validation", "validation"},
               {"judged", "values judged"},
               {"failed", "outside"},
               {"seconds", "seconds", "{:.1f}"},
               {"verdict", "verdict"}});
  for (const Outcome& outcome : outcomes) {
    table.add({{"validation", outcome.report.name()},
               {"judged", outcome.report.judged()},
               {"failed", outcome.report.failed()},
               {"seconds", outcome.seconds},
               {"verdict", outcome.passed()          ? "passed"
                           : outcome.failure.empty() ? "FAILED"
                                                     : "FAILED: " + outcome.failure}});
  }
  return table;
}

std::string command_of(const ValidateArguments& arguments, const std::string& name) {
  std::string command = "hodge validate";
  if (!name.empty()) command += " " + name;
  if (arguments.options.quick) command += " --quick";
  if (arguments.options.large) command += " --large";
  if (arguments.options.device != "auto") command += " --device " + arguments.options.device;
  return command;
}

std::string device_text(const std::string& device) {
  return linalg::on_device(device, []<class Space>() { return Space::device_name(); });
}

std::string markdown_of(const ValidateArguments& arguments, const std::vector<Outcome>& outcomes) {
  std::string text =
      fmt::format("`{}`, hodge {}, double precision, on {}\n\n{}\n",
                  command_of(arguments, fmt::format("{}", fmt::join(arguments.names, " "))),
                  version, device_text(arguments.options.device), summary_of(outcomes).markdown());
  for (const Outcome& outcome : outcomes) {
    const std::string& name = outcome.report.name();
    text += fmt::format("{}\n`{}`: {}\n\n", outcome.report.table().markdown(),
                        command_of(arguments, name), find_validation(name)->description);
  }
  return text;
}

std::vector<std::string> chosen_names(const ValidateArguments& arguments) {
  if (!arguments.names.empty()) return arguments.names;
  std::vector<std::string> names;
  for (const Validation& validation : validation_table()) {
    if (validation.has_quick || !arguments.options.quick)
      names.emplace_back(validation.name);
    else
      std::cout << fmt::format("{}: left out, it has no quick form\n", validation.name);
  }
  return names;
}

}  // namespace

void run_validations(const ValidateArguments& arguments) {
  const std::vector<std::string> names = chosen_names(arguments);
  std::vector<Outcome> outcomes;
  std::vector<std::string> failed;
  for (const std::string& name : names) {
    outcomes.push_back(run_validation(*find_validation(name), arguments.options));
    if (!outcomes.back().passed()) failed.push_back(name);
    if (arguments.output.empty()) continue;
    outcomes.back().report.write(arguments.output / name);
    plot("plot_validation.py", arguments.output / name / "curves.csv");
  }
  std::cout << summary_of(outcomes).text() << std::endl;
  if (!arguments.markdown.empty())
    write_file_atomically(arguments.markdown, markdown_of(arguments, outcomes));
  if (!failed.empty())
    throw NumericalError(fmt::format("outside the bounds: {}", fmt::join(failed, ", ")));
}

}  // namespace hodge::tools
