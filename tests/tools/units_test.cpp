// One problem in nine systems of units, with all default settings: the dimensionless results agree.
// Steps follow the Courant number, the velocity starts at rest, and so do its scales.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sim/model/schemes.hpp"
#include "tests/support/run_hodge.hpp"

namespace hodge::tools {
namespace {

// How many of the units a metre, a second, a kilogram and a mole are.
struct Units {
  const char* name;
  double metre, second, kilogram, mole;

  double velocity() const { return metre / second; }
  double acceleration() const { return velocity() / second; }
  double diffusivity() const { return metre * velocity(); }
  double pressure() const { return kilogram * acceleration() / (metre * metre); }
  double density() const { return kilogram / (metre * metre * metre); }
};

constexpr Units si{"m, s, kg, mol", 1, 1, 1, 1};
constexpr Units systems[] = {{"nm, s, kg, mol", 1e9, 1, 1, 1},
                             {"um, ms, g, mol", 1e6, 1e3, 1e3, 1},
                             {"mm, s, g, fmol", 1e3, 1, 1e3, 1e15},
                             {"km, s, t, mol", 1e-3, 1, 1e-3, 1},
                             {"m, fs, kg, mol", 1, 1e15, 1, 1},
                             {"km, year, t, mol", 1e-3, 1 / 3.15576e7, 1e-3, 1},
                             {"m, s, kg, Gmol", 1, 1, 1, 1e-9},
                             {"mile, min, lb, 1e15 mol", 1 / 1609.344, 1 / 60.0, 2.20462, 1e-15}};

// {name} stands for a number with a unit: its value in SI.
using Numbers = std::vector<std::pair<std::string, double>>;

std::string filled(std::string text, const Numbers& numbers) {
  for (const auto& [name, value] : numbers)
    for (std::size_t at; (at = text.find("{" + name + "}")) != std::string::npos;)
      text.replace(at, name.size() + 2, fmt::format("{}", value));
  return text;
}

Numbers numbers_in(const Units& u) {
  Numbers all;
  const auto add = [&](const std::string& name, double value) { all.emplace_back(name, value); };
  for (const double x : {0.17, 0.31, 0.4, 0.45, 0.5, 0.6, 0.71, 0.8, 1.0, 1.05, 1.2, 1.63, 2.0})
    add(fmt::format("{} m", x), x * u.metre);
  for (const double k : {1.0, 3.0}) add(fmt::format("{} / m", k), k / u.metre);
  for (const double r : {5.0, 7.0}) add(fmt::format("{} / s", r), r / u.second);
  for (const double t : {0.02, 0.3}) add(fmt::format("{} s", t), t * u.second);
  for (const double p : {0.2, 2.3}) add(fmt::format("{} Pa", p), p * u.pressure());
  for (const double d : {0.01, 0.02, 0.03}) add(fmt::format("{} m2/s", d), d * u.diffusivity());
  for (const double c : {0.0, 0.5, 1.0, 2.0}) add(fmt::format("{} mol", c), c * u.mole);
  add("1.3 kg/m3", 1.3 * u.density());
  add("6 m/s2", 6 * u.acceleration());
  add("0.7 m/s", 0.7 * u.velocity());
  add("6 /ms", 6 / (u.metre * u.second));
  add("0.5 mol/s", 0.5 * u.mole / u.second);
  add("4 /(mol s)", 4 / (u.mole * u.second));
  return all;
}

// A flow with temperature and two substances that react, or that have sources where the scheme
// takes no reactions.
struct Setting {
  const char* name;
  const char *grid, *sides, *inlet_of_heat, *inlet_of_substances;
};

constexpr Setting settings[] = {
    {"a stretched box with a lid, direct", "stretching: {y: {kind: tanh, strength: 1.5}}",
     "boundaries: {y_upper: {kind: wall, velocity: [\"{0.7 m/s}*min({5 / s}*t, 1)\", 0]}}", "", ""},
    {"a step between pressures, auto", "",
     "boundaries: {x_lower: {kind: pressure, pressure: {2.3 Pa}},\n"
     "             x_upper: {kind: outflow, pressure: {0.2 Pa}}}\n"
     "solids: [{box: {lower: [{0.8 m}, 0], upper: [{1.2 m}, {0.4 m}]}}]",
     ", x_lower: {value: 0.1}", ", boundaries: {x_lower: {value: {1 mol}}}"},
    {"a cylinder in a stream, cg with multigrid", "",
     "boundaries: {x_lower: {kind: inflow, velocity: [\"{6 /ms}*y*({1 m} - y)\", 0]},\n"
     "             x_upper: outflow}\n"
     "solids: [{sphere: {centre: [{0.8 m}, {0.5 m}], radius: {0.17 m}}}]\n"
     "solvers: {pressure: {method: cg}}",
     ", x_lower: {value: 0.1}", ", boundaries: {x_lower: {value: {1 mol}}}"},
};

std::string file_of(const Setting& setting, const sim::TimeScheme& scheme, const Units& units) {
  const std::string driving = scheme.lets_scalars_react()
                                  ? "reaction: \"-{4 /(mol s)}*a*b\""
                                  : "source: \"{0.5 mol/s}*sin({3 / m}*x)\"";
  return filled(
      fmt::format(
          "case: custom\n"
          "grid: {{cells: [20, 12], lower: [0, 0], upper: [{{2 m}}, {{1 m}}]{}{}}}\n"
          "fluid: {{viscosity: {{0.02 m2/s}}, density: {{1.3 kg/m3}}}}\n"
          "{}\n"
          "scalars:\n"
          "  heat: {{diffusivity: {{0.03 m2/s}}, buoyancy: [0, {{6 m/s2}}], boundaries:\n"
          "    {{y_lower: {{value: \"1 + 0.2*sin({{7 / s}}*t)\"}}, y_upper: {{value: 0}}{}}}}}\n"
          "  a: {{diffusivity: {{0.01 m2/s}}, initial: \"{{1 mol}}*(1 + cos({{3 / m}}*x))\",\n"
          "    {}{}}}\n"
          "  b: {{diffusivity: {{0.02 m2/s}}, initial: \"{{2 mol}}*{{1 / m}}*y\", {}{}}}\n"
          "time: {{scheme: {}, end: {{0.3 s}}, step: {{cfl: 0.4, max: {{0.02 s}}}}}}\n"
          "output: {{checkpoint: none, directory: out}}\n"
          "probes:\n"
          "  points: {{p: [{{0.45 m}}, {{0.6 m}}], q: [{{1.63 m}}, {{0.31 m}}],\n"
          "    r: [{{1.05 m}}, {{0.71 m}}]}}\n"
          "device: cpu\n",
          *setting.grid != '\0' ? ", " : "", setting.grid, setting.sides, setting.inlet_of_heat,
          driving, setting.inlet_of_substances, driving, setting.inlet_of_substances, scheme.name),
      numbers_in(units));
}

// The last part of a column's name: "p_u" is a value at the point p.
std::string kind_of(const std::string& column) {
  const bool is_at_point = column.size() > 2 && column[1] == '_';
  const std::string name = is_at_point ? column.substr(2) : column;
  return name == "v" ? "u" : name;
}

// The factor of a kind of values in these units; 0: it is not compared.
double factor_of(const std::string& kind, const Units& u) {
  const std::map<std::string, double> factors{{"t", u.second},
                                              {"dt", u.second},
                                              {"cfl", 1},
                                              {"max_speed", u.velocity()},
                                              {"u", u.velocity()},
                                              {"pressure", u.pressure()},
                                              {"vorticity", 1 / u.second},
                                              {"vorticity_z", 1 / u.second},
                                              {"heat", 1},
                                              {"a", u.mole},
                                              {"b", u.mole}};
  const auto found = factors.find(kind);
  return found == factors.end() ? 0 : found->second;
}

// The numbers of all compared columns, by kind, in SI.
using Results = std::map<std::string, std::vector<double>>;

void read_table(const std::filesystem::path& path, const Units& units, Results& results) {
  std::istringstream lines(test::read_text(path));
  std::vector<std::string> columns;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::size_t column = 0;
    const bool is_heading = columns.empty();
    for (std::string cell; std::getline(cells, cell, ','); ++column) {
      if (is_heading) {
        columns.push_back(cell);
        continue;
      }
      const std::string kind = kind_of(columns.at(column));
      const double factor = factor_of(kind, units);
      if (factor > 0) results[kind].push_back(cell.empty() ? 0 : std::stod(cell) / factor);
    }
  }
}

Results run(const std::string& file, const Units& units) {
  const test::TemporaryDirectory folder;
  test::write_text(folder / "file.yaml", file);
  const test::ProgramResult end = test::run_hodge({"run", "--quiet", "file.yaml"}, folder.path());
  EXPECT_EQ(end.exit_code, 0) << end.err << file;
  Results results;
  if (end.exit_code != 0) return results;
  read_table(folder / "out" / "history.csv", units, results);
  read_table(folder / "out" / "probes.csv", units, results);
  return results;
}

void expect_same(const Results& one, const Results& other) {
  ASSERT_EQ(one.size(), other.size());
  for (const auto& [kind, values] : one) {
    const std::vector<double>& theirs = other.at(kind);
    ASSERT_EQ(values.size(), theirs.size()) << kind;
    double largest = 0, difference = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      largest = std::max(largest, std::abs(values[i]));
      difference = std::max(difference, std::abs(values[i] - theirs[i]));
    }
    EXPECT_GT(largest, 0) << kind;
    EXPECT_LE(difference, 1e-6 * largest) << kind;
  }
}

class UnitsOfScheme : public ::testing::TestWithParam<std::string> {};

TEST_P(UnitsOfScheme, change_no_dimensionless_result) {
  const sim::TimeScheme& scheme = sim::find_time_scheme(GetParam());
  for (const Setting& setting : settings) {
    const Results reference = run(file_of(setting, scheme, si), si);
    ASSERT_GT(reference.size(), 8U);
    for (const Units& units : systems) {
      SCOPED_TRACE(fmt::format("{}, {}, {}", setting.name, scheme.name, units.name));
      expect_same(reference, run(file_of(setting, scheme, units), units));
    }
  }
}

// Stokes flow is linear: a lid of 1e-30 m/s moves the fluid as one of 1e-7 m/s does, where each
// step takes the fluid 1e-32 cells far.
TEST_P(UnitsOfScheme, nor_does_the_speed_of_a_creeping_flow) {
  const auto flow = [](const std::string& speed) {
    return run(fmt::format("case: custom\n"
                           "grid: {{cells: [12, 12], lower: [0, 0], upper: [1, 1]}}\n"
                           "fluid: {{viscosity: 1}}\n"
                           "boundaries: {{y_upper: {{kind: wall, velocity: [{}, 0]}}}}\n"
                           "solids: [{{box: {{lower: [0.3, 0.3], upper: [0.5, 0.5]}}}}]\n"
                           "time: {{scheme: {}, end: 0.01, step: {{size: 5.0e-4}}}}\n"
                           "output: {{checkpoint: none, directory: out}}\n"
                           "probes: {{points: {{p: [0.6, 0.7], q: [0.7, 0.4]}}}}\n"
                           "device: cpu\n",
                           speed, GetParam()),
               si);
  };
  Results fast = flow("1.0e-7"), slow = flow("1.0e-30");
  for (const char* kind : {"u", "pressure", "vorticity", "max_speed"})
    for (double& value : slow[kind]) value *= 1e23;
  fast.erase("cfl");
  slow.erase("cfl");
  expect_same(fast, slow);
}

std::vector<std::string> all_schemes() {
  std::vector<std::string> names;
  for (const sim::TimeScheme& scheme : sim::time_scheme_table()) names.push_back(scheme.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, UnitsOfScheme, ::testing::ValuesIn(all_schemes()),
                         [](const auto& of) { return of.param; });

}  // namespace
}  // namespace hodge::tools
