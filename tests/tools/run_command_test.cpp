// `hodge run` as a user and as a script sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "sim/base/table.hpp"
#include "tests/support/run_hodge.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::tools {

using sim::Json;
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string short_cavity =
    "case: lid_driven_cavity\ngrid: {cells: [8, 8]}\ntime: {end: 0.2, step: {size: 0.05}}\n"
    "output: {frames: {every: 0.1}}\ndevice: cpu\n";
// Its pressure cannot converge.
const std::string hopeless =
    short_cavity + "solvers: {pressure: {method: cg, tolerance: 1e-12, max_iterations: 1}}\n";

struct RunCommand : testing::Test {
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder.path() / name) << text;
  }
  test::ProgramResult run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "run");
    return test::run_hodge(arguments, folder.path());
  }
  Json summary(const std::string& directory) {
    return Json::parse(test::read_text(folder.path() / directory / "summary.json"));
  }
  bool exists(const std::string& path) { return std::filesystem::exists(folder.path() / path); }

  test::TemporaryDirectory folder;
};

TEST_F(RunCommand, leaves_a_summary_for_scripts) {
  write("a.yaml", short_cavity);
  EXPECT_EQ(run({"a.yaml"}).exit_code, 0);
  const Json json = summary("output/a");
  EXPECT_EQ(json["status"], "completed");
  EXPECT_EQ(json["exit_code"], 0);
  EXPECT_EQ(json["end"], "end_time");
  EXPECT_EQ(json["message"], "reached t = 0.2");
  EXPECT_EQ(json["file"], "a.yaml");
  EXPECT_EQ(json["steps"], 4);
  EXPECT_EQ(json["time"], 0.2);
  EXPECT_EQ(json["grid"]["cells"], Json({8, 8}));
  EXPECT_EQ(json["grid"]["systems"]["u"]["rows"], 56);
  EXPECT_EQ(json["solves"]["pressure"]["solves"], 4);
  EXPECT_GT(json["seconds"]["total"], 0);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / std::string(json["open"])));
}

TEST_F(RunCommand, tells_scripts_what_it_would_do) {
  write("a.yaml", short_cavity);
  const test::ProgramResult result = run({"a.yaml", "--dry-run", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json plan = Json::parse(result.out)[0];
  EXPECT_EQ(plan["file"], "a.yaml");
  EXPECT_EQ(plan["status"], "planned");
  EXPECT_EQ(plan["case"], "lid_driven_cavity");
  EXPECT_EQ(plan["cell_count"], 64);
  EXPECT_EQ(plan["systems"]["u"]["rows"], 56);
  EXPECT_EQ(plan["systems"]["pressure"]["rows"], 64);
  EXPECT_EQ(plan["steps"], 4);
  EXPECT_EQ(plan["processes"], 1);
  EXPECT_EQ(plan["most_layers"], 8);
  EXPECT_EQ(plan["first_step"], 0.05);
  EXPECT_EQ(plan["frames"], 3);
  EXPECT_EQ(plan["directory"], "output/a");
  EXPECT_GT(plan["available_bytes"], plan["device_bytes"]);
  EXPECT_FALSE(exists("output"));
}

TEST_F(RunCommand, says_where_its_results_come_from) {
  write("a b.yaml", short_cavity);
  EXPECT_EQ(run({"a b.yaml", "--output", "out"}).exit_code, 0);
  const Json from = summary("out")["provenance"];
  EXPECT_THAT(std::string(from["command"]), testing::EndsWith("run 'a b.yaml' --output out"));
  EXPECT_THAT(std::string(from["commit"]), testing::ContainsRegex("^(unknown|[0-9a-f]{40})"));
  EXPECT_FALSE(std::string(from["host"]).empty());
  EXPECT_FALSE(std::string(from["processor"]).empty());
  EXPECT_GT(from["threads"], 0);
  EXPECT_TRUE(from["libraries"].contains("VTK"));
  const std::string log = test::read_text(folder.path() / "out/log.txt");
  EXPECT_THAT(log, HasSubstr("\ncommand   " + std::string(from["command"])));
  EXPECT_THAT(log, HasSubstr("\nlibraries BLAS "));
}

TEST_F(RunCommand, a_failure_has_a_summary_too) {
  write("a.yaml", hopeless);
  const test::ProgramResult result = run({"a.yaml"});
  EXPECT_EQ(result.exit_code, 3);
  const Json json = summary("output/a");
  EXPECT_EQ(json["status"], "failed");
  EXPECT_EQ(json["exit_code"], 3);
  EXPECT_EQ(json["error"], "numerical");
  EXPECT_THAT(result.err, HasSubstr(std::string(json["message"])));
  EXPECT_EQ(json["step"], 0);
}

TEST_F(RunCommand, several_files_run_in_turn_and_a_failure_stops_none_of_the_others) {
  write("a.yaml", hopeless);
  write("b.yaml", short_cavity);
  const test::ProgramResult result = run({"a.yaml", "b.yaml"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.out, HasSubstr("[1/2] a.yaml\n"));
  EXPECT_THAT(result.out, HasSubstr("[2/2] b.yaml\n"));
  EXPECT_EQ(summary("output/a")["exit_code"], 3);
  EXPECT_EQ(summary("output/b")["exit_code"], 0);
  const std::string closing = result.out.substr(result.out.rfind("exit code"));
  EXPECT_THAT(closing, testing::ContainsRegex("a.yaml +failed +3 +error"));
  EXPECT_THAT(closing, testing::ContainsRegex("b.yaml +completed +0 +end_time +4 +0.2"));
}

TEST_F(RunCommand, of_several_files_a_wrong_one_stops_all_before_anything_is_written) {
  write("a.yaml", short_cavity);
  write("b.yaml", "case: lid_driven_cavity\ngrid: {cels: [8, 8]}\ntime: {end: 1}\n");
  write("c.yaml", "case: none\n");
  const test::ProgramResult result = run({"a.yaml", "b.yaml", "c.yaml"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("b.yaml:2:8: unknown key 'cels' in grid"));
  EXPECT_THAT(result.err, HasSubstr("\nc.yaml:1:7: case: unknown case 'none'"));
  EXPECT_FALSE(exists("output"));
}

TEST_F(RunCommand, of_several_files_a_full_run_directory_stops_all) {
  write("a.yaml", short_cavity);
  write("b.yaml", short_cavity);
  EXPECT_EQ(run({"b.yaml", "--quiet"}).exit_code, 0);
  const test::ProgramResult result = run({"a.yaml", "b.yaml"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("the output directory output/b is not empty"));
  EXPECT_FALSE(exists("output/a"));
}

TEST_F(RunCommand, several_files_have_folders_of_their_own) {
  write("a.yaml", short_cavity);
  write("b.yaml", short_cavity);
  EXPECT_EQ(run({"a.yaml", "b.yaml", "--output", "out", "--quiet"}).exit_code, 0);
  EXPECT_TRUE(exists("out/a/summary.json"));
  EXPECT_TRUE(exists("out/b/summary.json"));
  const test::ProgramResult same = run({"a.yaml", "a.yaml", "--output", "twice"});
  EXPECT_EQ(same.exit_code, 2);
  EXPECT_THAT(same.err, HasSubstr("a.yaml and a.yaml both write to twice/a"));
  EXPECT_FALSE(exists("twice"));
}

TEST_F(RunCommand, a_quiet_run_says_nothing_and_logs_everything) {
  write("a.yaml", short_cavity);
  const test::ProgramResult result = run({"a.yaml", "-q"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out + result.err, "");
  EXPECT_THAT(test::read_text(folder.path() / "output/a/log.txt"), HasSubstr("reached t = 0.2"));
  write("b.yaml", hopeless);
  EXPECT_THAT(run({"b.yaml", "-q"}).err, HasSubstr("pressure"));
}

TEST_F(RunCommand, a_verbose_run_has_a_line_a_step_with_the_residual_of_every_solve) {
  write("a.yaml", short_cavity);
  const std::string out = run({"a.yaml", "--verbose"}).out;
  for (const char* step : {"\nstep 1, ", "\nstep 2, ", "\nstep 3, ", "\nstep 4, "})
    EXPECT_THAT(out, HasSubstr(step));
  EXPECT_THAT(out, testing::ContainsRegex("; u [0-9]+, [0-9.e-]+, [0-9.e-]+ s"));
  EXPECT_THAT(out, testing::ContainsRegex("; pressure 1, direct, [0-9.e-]+ s"));
  EXPECT_EQ(run({"a.yaml", "-v", "-q"}).exit_code, 2);
}

TEST_F(RunCommand, json_is_a_list_of_summaries_and_nothing_else) {
  write("a.yaml", short_cavity);
  write("b.yaml", hopeless);
  const test::ProgramResult result = run({"a.yaml", "b.yaml", "--json"});
  EXPECT_EQ(result.exit_code, 3);
  const Json list = Json::parse(result.out);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0], summary("output/a"));
  EXPECT_EQ(list[1], summary("output/b"));
}

TEST_F(RunCommand, json_has_runs_that_never_began) {
  write("a.yaml", "case: none\n");
  const test::ProgramResult wrong = run({"a.yaml", "--json"});
  EXPECT_EQ(wrong.exit_code, 2);
  Json list = Json::parse(wrong.out);
  EXPECT_EQ(list[0]["status"], "failed");
  EXPECT_EQ(list[0]["error"], "input");
  EXPECT_EQ(std::string(list[0]["message"]) + "\n", wrong.err);
  write("b.yaml", short_cavity);
  run({"b.yaml", "--quiet"});
  list = Json::parse(run({"b.yaml", "--json"}).out);
  EXPECT_THAT(std::string(list[0]["message"]), HasSubstr("is not empty"));
}

// But for the sides' values and the tables of the file.
TEST_F(RunCommand, a_dry_run_says_how_large_checkpoints_become) {
  write("a.yaml",
        "case: custom\ngrid: {cells: [128, 96]}\nfluid: {viscosity: 0.01}\n"
        "scalars: {a: {diffusivity: 0.01}}\ntime: {end: 1, steps: 1, step: {size: 1e-4}}\n"
        "output: {fields: [velocity, mean_velocity, reynolds_stress]}\ndevice: cpu\n");
  const std::string projected = "solvers={pressure: {method: cg, guess: projected}}";
  for (const std::string& set :
       {std::string("time.scheme=bdf2"), std::string("time.scheme=rk3"),
        std::string("time.scheme=ab2"), std::string("time.scheme=cn_ab2"), projected,
        std::string("solvers={transport: {guess: projected}, scalars: {guess: extrapolated}}"),
        std::string("solvers={transport: {refresh: never}}"),
        std::string("solvers={scalars: {preconditioner: {kind: multigrid}}}")}) {
    const Json plan =
        Json::parse(run({"a.yaml", "--dry-run", "--json", "--overwrite", "--set", set}).out)[0];
    ASSERT_EQ(run({"a.yaml", "--quiet", "--overwrite", "--set", set}).exit_code, 0) << set;
    const double bytes = static_cast<double>(
        std::filesystem::file_size(folder.path() / "output/a/checkpoints/a_00000001.h5"));
    EXPECT_NEAR(plan["checkpoint_bytes"].get<double>(), bytes, 0.03 * bytes) << set;
  }
}

TEST_F(RunCommand, a_dry_run_says_what_is_needed_and_writes_nothing) {
  write("a.yaml", short_cavity);
  const test::ProgramResult result = run({"a.yaml", "--dry-run"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, StartsWith("a.yaml: would run\n"));
  EXPECT_THAT(result.out, HasSubstr("\n  cells      64\n"));
  EXPECT_THAT(result.out, HasSubstr("\n  unknowns   u 56, v 56, pressure 64; in all 176\n"));
  EXPECT_THAT(result.out,
              HasSubstr("\n  nonzeros   u 250, v 250, pressure no matrix; in all 500\n"));
  EXPECT_THAT(run({"a.yaml", "--dry-run", "--set", "solvers.pressure.method=cg"}).out,
              HasSubstr("\n  nonzeros   u 250, v 250, pressure 288; in all 788\n"));
  // velocity 3, pressure 1, vorticity 1, as floats; frames at 0, 0.1, 0.2
  EXPECT_THAT(result.out, HasSubstr("\n  host       3.84 kB for frames on their way to the disk"));
  EXPECT_THAT(result.out, HasSubstr("\n  frames     3 frames of about 1.28 kB each, 3.84 kB in "
                                    "all, before compression\n"));
  EXPECT_FALSE(exists("output"));
  const Json json = Json::parse(run({"a.yaml", "--dry-run", "--json"}).out)[0];
  EXPECT_EQ(json["status"], "planned");
  EXPECT_EQ(json["steps"], 4);
  EXPECT_EQ(json["frame_bytes"], 1280);
  EXPECT_EQ(json["systems"]["u"]["nonzeros"], 250);
  EXPECT_EQ(json["systems"]["pressure"]["nonzeros"], 0);
  EXPECT_GT(json["device_bytes"], 64 * 8);
}

TEST_F(RunCommand, help_has_the_exit_codes) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"--help"}, {"run", "--help"}}) {
    const std::string out = test::run_hodge(arguments, folder.path()).out;
    for (const char* code : {"  0    done", "  2    wrong input", "  3    numerical failure",
                             "  4    the machine", "  130  ended by SIGINT"})
      EXPECT_THAT(out, HasSubstr(code));
  }
}

TEST_F(RunCommand, overrides_reach_lists_and_nested_keys_and_name_the_nearest_key) {
  write("a.yaml", short_cavity + "probes: {points: {centre: [0.5, 0.5]}}\n");
  const auto set = [&](const std::string& assignment) {
    return run({"a.yaml", "--dry-run", "--set", assignment});
  };
  EXPECT_THAT(set("grid.cells.1=16").out, HasSubstr("cells      128\n"));
  EXPECT_THAT(set("solvers.pressure.preconditioner.kind=jacobi").out, HasSubstr("cg with jacobi"));
  EXPECT_EQ(set("probes.points.wake=[0.75, 0.5]").exit_code, 0);
  EXPECT_EQ(set("solids.0={sphere: {centre: [0.5, 0.5], radius: 0.2}}").exit_code, 0);
  EXPECT_THAT(set("solvers.presure.tolerance=1e-6").err,
              HasSubstr("unknown key 'presure' in solvers, did you mean 'pressure'?"));
  EXPECT_THAT(set("tiem.end=2").err, HasSubstr("unknown key 'tiem', did you mean 'time'?"));
}

}  // namespace
}  // namespace hodge::tools
