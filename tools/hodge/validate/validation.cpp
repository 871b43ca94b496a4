#include "tools/hodge/validate/validation.hpp"

#include <chrono>
#include <iostream>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/space/device.hpp"
#include "linalg/version.hpp"
#include "tools/hodge/program/outputs.hpp"
#include "tools/hodge/program/python.hpp"
#include "tools/hodge/validate/all.hpp"

namespace hodge::tools {
namespace {

Report run_validation(const Validation& validation, const ValidateOptions& options) {
  using Clock = std::chrono::steady_clock;
  Report report(validation.name, options);
  std::cout << fmt::format("{}: {}", validation.name, validation.description) << std::endl;
  const auto start = Clock::now();
  try {
    for (const auto part : validation.parts) part(report);
  } catch (const NumericalError& error) {
    report.failure = error.what();
  }
  report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (!report.rows().empty()) std::cout << '\n' << report.table().text() << '\n';
  if (!report.failure.empty()) std::cout << "  " << report.failure << '\n';
  std::cout << fmt::format("{}: {} ({:.1f} s)\n", validation.name,
                           report.passed() ? "passed" : "FAILED", report.seconds)
            << std::endl;
  return report;
}

Table summary_of(const std::vector<Report>& reports) {
  Table table("summary", "Summary",
              {{"validation", "validation"},
               {"judged", "values judged"},
               {"failed", "outside"},
               {"seconds", "seconds", "{:.1f}"},
               {"verdict", "verdict"}});
  for (const Report& report : reports)
    table.add({{"validation", report.name()},
               {"judged", report.judged()},
               {"failed", report.failed()},
               {"seconds", report.seconds},
               {"verdict", report.passed()          ? "passed"
                           : report.failure.empty() ? "FAILED"
                                                    : "FAILED: " + report.failure}});
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

std::string markdown_of(const ValidateArguments& arguments, const std::vector<Report>& reports) {
  const std::string device = linalg::on_device(arguments.options.device,
                                               []<class Space>() { return Space::device_name(); });
  std::string text =
      fmt::format("`{}`, hodge {}, double precision, on {}\n\n{}\n",
                  command_of(arguments, fmt::format("{}", fmt::join(arguments.names, " "))),
                  version, device, summary_of(reports).markdown());
  for (const Report& report : reports)
    text += fmt::format("{}\n`{}`: {}\n\n", report.table().markdown(),
                        command_of(arguments, report.name()),
                        find_validation(report.name())->description);
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

void check_folders(const ValidateArguments& arguments, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (!arguments.output.empty())
      check_output_folder(
          arguments.output / name,
          [&name](const std::string& file) {
            return Report::is_written(file) || (file.starts_with(name) && file.ends_with(".png"));
          },
          {}, arguments.overwrite);
}

}  // namespace

std::span<const Validation> validation_table() {
  static const Validations table = validations::all();
  return table;
}

const Validation* find_validation(std::string_view name) {
  for (const Validation& entry : validation_table())
    if (name == entry.name) return &entry;
  return nullptr;
}

void run_validations(const ValidateArguments& arguments) {
  std::vector<Report> reports;
  std::vector<std::string> failed;
  check_outputs({arguments.markdown}, {}, arguments.overwrite);
  const std::vector<std::string> names = chosen_names(arguments);
  check_folders(arguments, names);
  for (const std::string& name : names) {
    const Report& report =
        reports.emplace_back(run_validation(*find_validation(name), arguments.options));
    if (!report.passed()) failed.push_back(name);
    if (arguments.output.empty()) continue;
    report.write(arguments.output / name);
    plot("plot_validation.py", arguments.output / name / "curves.csv");
  }
  std::cout << summary_of(reports).text() << std::endl;
  if (!arguments.markdown.empty())
    write_file_atomically(arguments.markdown, markdown_of(arguments, reports));
  if (!failed.empty())
    throw NumericalError(fmt::format("outside the bounds: {}", fmt::join(failed, ", ")));
}

}  // namespace hodge::tools
