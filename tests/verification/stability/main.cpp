// hodge_stability_table: measures the largest stable CFL number of each time scheme with each
// convection scheme, beside von Neumann analysis, prints them as the table of
// docs/MEASURED.md, and fills the table of sim/time/stability.cpp. The table stands there as
// `hodge_stability_table --cells 16 --steps 300` prints it (minutes).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/files/read_file.hpp"
#include "sim/base/table.hpp"
#include "tests/verification/stability/stability.hpp"

namespace hodge::stability {
namespace {

struct Arguments {
  StabilityRules rules;
  double cell_peclet = 10;
  bool analysis_alone = false;
  std::string fill;
};

// Null where there is none.
sim::Json limit_text(double cfl) {
  if (std::isnan(cfl)) return nullptr;
  if (cfl == 0) return "none";
  if (std::isinf(cfl)) return "any";
  return fmt::format("{:.2f}", cfl);
}

// A column with the largest stable CFL number of a pair of schemes; NaN where there is none.
struct LimitColumn {
  sim::Column column;
  std::function<double(const sim::StablePair& pair)> largest_cfl;
};

std::vector<LimitColumn> limit_columns(const Arguments& arguments) {
  constexpr double no_diffusion = std::numeric_limits<double>::infinity();
  const double peclet = arguments.cell_peclet;
  const std::string at_peclet = fmt::format(", Pe {:g}", peclet);
  std::vector<LimitColumn> columns;
  const auto analyse = [&](const char* key, const std::string& heading, int dim, double at) {
    columns.push_back({{key, heading}, [=](const sim::StablePair& pair) {
                         if (!has_symbol(pair.convection)) return std::nan("");
                         return largest_stable_cfl({pair.time, pair.convection, 0, at, dim});
                       }});
  };
  const auto measure = [&](const char* key, const std::string& heading, Carried carried, bool plane,
                           double at) {
    columns.push_back({{key, heading}, [=, &arguments](const sim::StablePair& pair) {
                         return measured_stable_cfl(
                             {pair.time, pair.convection, carried, plane, at}, arguments.rules);
                       }});
  };
  analyse("analysis_line", "analysis, line", 1, no_diffusion);
  analyse("analysis_plane", "plane", 2, no_diffusion);
  analyse("analysis_diffusion", "line" + at_peclet, 1, peclet);
  if (arguments.analysis_alone) return columns;
  measure("scalar_line", "measured, scalar, line", Carried::scalar, false, no_diffusion);
  measure("scalar_plane", "plane", Carried::scalar, true, no_diffusion);
  measure("scalar_diffusion", "line" + at_peclet, Carried::scalar, false, peclet);
  measure("velocity_plane", "velocity, plane", Carried::velocity, true, no_diffusion);
  measure("velocity_diffusion", "plane" + at_peclet, Carried::velocity, true, peclet);
  return columns;
}

std::string markdown(std::span<const sim::StablePair> pairs, const Arguments& arguments) {
  const std::vector<LimitColumn> limits = limit_columns(arguments);
  std::vector<sim::Column> columns{
      {"time", "time"}, {"convection", "convection"}, {"default", "default"}, {"limit", "limit"}};
  for (const LimitColumn& limit : limits) columns.push_back(limit.column);
  columns.push_back({"contraction", "deferred: contraction at the default", "{:.2f}"});
  sim::Table table("stability", "Largest stable CFL numbers", columns);
  for (const sim::StablePair& pair : pairs) {
    sim::Json row{{"time", pair.time},
                  {"convection", pair.convection},
                  {"default", fmt::format("{}", pair.default_cfl)},
                  {"limit", limit_text(pair.largest_cfl)}};
    for (const LimitColumn& limit : limits)
      row[limit.column.key] = limit_text(limit.largest_cfl(pair));
    const double factor = contraction({pair.time, pair.convection, pair.default_cfl});
    if (!std::isnan(factor)) row["contraction"] = factor;
    table.add(row);
  }
  return table.markdown();
}

void fill_table(const Arguments& arguments) {
  const std::vector<sim::StablePair> pairs =
      found_pairs(sim::stability_table(), arguments.analysis_alone ? nullptr : &arguments.rules);
  if (arguments.fill.empty()) {
    std::cout << markdown(pairs, arguments);
    return;
  }
  const std::string source = read_file(arguments.fill), filled = with_pairs(source, pairs);
  if (filled != source) write_file_atomically(arguments.fill, filled);
  std::cout << arguments.fill << (filled == source ? ": nothing changes\n" : ": filled anew\n");
}

int run(int argc, char** argv) {
  CLI::App app("Measures the stability of time schemes with convection schemes (minutes)");
  Arguments arguments;
  app.add_option("--cells", arguments.rules.cells, "Cells along an axis, 32 by default")
      ->check(CLI::Range(4, 1024));
  app.add_option("--steps", arguments.rules.steps, "Steps of a run, 400 by default")
      ->check(CLI::PositiveNumber);
  app.add_option("--peclet", arguments.cell_peclet,
                 "Cell Peclet number of the columns with diffusion, 10 by default")
      ->check(CLI::PositiveNumber);
  app.add_flag("--analysis", arguments.analysis_alone, "Without the measurements (seconds)");
  app.add_option("--fill", arguments.fill,
                 "Write the limits into this file, sim/time/stability.cpp, and print no table")
      ->check(CLI::ExistingFile);
  try {
    app.parse(argc, argv);
    fill_table(arguments);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const Error& error) {
    std::cerr << "hodge_stability_table: " << error.what() << '\n';
    return 1;
  }
}

}  // namespace
}  // namespace hodge::stability

int main(int argc, char** argv) {
  return hodge::stability::run(argc, argv);
}
