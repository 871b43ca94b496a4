// `hodge sweep`: values and names by hand, whole sweeps by the real program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/support/expect_error.hpp"
#include "tests/support/run_hodge.hpp"
#include "tools/hodge/sweep/sweep.hpp"

namespace hodge::tools {
namespace {

namespace fs = std::filesystem;
using test::ProgramResult;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Words = std::vector<std::string>;

std::string message_of_axes(const Words& over) {
  return test::message_of<ConfigError>([&] { (void)sweep_axes(over); });
}

TEST(SweepAxes, are_divided_at_commas_outside_of_brackets_and_quotes) {
  const auto axes = sweep_axes(
      {"parameters.reynolds=50, 100,1e3", "grid.cells=[64, 64],[8, 4]", "force.0=sin(x, 1),'a,b'"});
  EXPECT_THAT(axes[0].values, ElementsAre("50", "100", "1e3"));
  EXPECT_THAT(axes[1].values, ElementsAre("[64, 64]", "[8, 4]"));
  EXPECT_THAT(axes[2].values, ElementsAre("sin(x, 1)", "'a,b'"));
}

TEST(SweepAxes, are_called_by_the_last_part_of_their_key_where_that_is_no_number) {
  const auto axes = sweep_axes({"solvers.pressure.tolerance=1", "solvers.transport.tolerance=1",
                                "grid.cells.0=8", "time.scheme=rk3", "time.end=1"});
  Words columns;
  for (const SweepAxis& axis : axes) columns.push_back(axis.column);
  EXPECT_THAT(columns, ElementsAre("solvers.pressure.tolerance", "solvers.transport.tolerance",
                                   "grid.cells.0", "scheme", "time.end"));
}

TEST(SweepAxes, are_refused_with_the_form_that_was_expected) {
  EXPECT_THAT(message_of_axes({"reynolds"}),
              HasSubstr("--over reynolds: expected KEY=VALUE,VALUE"));
  EXPECT_THAT(message_of_axes({"a=1,,2"}), HasSubstr("--over a=1,,2: an empty value"));
  EXPECT_THAT(message_of_axes({"a="}), HasSubstr("an empty value"));
  EXPECT_THAT(message_of_axes({"a=[1, 2"}), HasSubstr("a bracket or a quote does not close"));
  EXPECT_THAT(message_of_axes({"a=1,2,1"}), HasSubstr("the value '1' stands there twice"));
  EXPECT_THAT(message_of_axes({"a=1", "a=2"}), HasSubstr("--over names 'a' twice"));
  EXPECT_THAT(message_of_axes({"output.directory=a,b"}),
              HasSubstr("names the run directories itself"));
}

TEST(SweepAxes, of_too_many_combinations_cost_nothing) {
  const test::TemporaryDirectory folder;
  std::string values = "1";
  for (int i = 2; i <= 1000; ++i) values += "," + std::to_string(i);
  Words words{"sweep", "missing.yaml"};
  for (int axis = 1; axis <= 12; ++axis) {
    words.insert(words.end(), {"--over", "a" + std::to_string(axis) + "=" + values});
    if (axis == 1) continue;
    const ProgramResult result = test::run_hodge(words, folder.path());
    EXPECT_EQ(result.exit_code, 2);
    const std::string count = axis < 7 ? "1" + std::string(3 * axis, '0') : "more than 9e18";
    EXPECT_EQ(result.err, "--over: " + count +
                              " combinations, expected at most 1000: take fewer values, or allow "
                              "more by --at-most\n");
  }
}

TEST(SweepAxes, name_every_combination_by_its_number) {
  Sweep sweep;
  sweep.directory = "d";
  sweep.axes = {{"a.x", "x", {"1", "2"}, {"one", "two"}},
                {"b", "b", {"p", "q", "r"}, {"p", "q", "r"}}};
  EXPECT_EQ(sweep.name(0), "x=one,b=p");
  EXPECT_EQ(sweep.name(4), "x=two,b=q");
  EXPECT_THAT(sweep.values(5), ElementsAre("2", "r"));
  EXPECT_THAT(sweep.assignments(2), ElementsAre("a.x=1", "b=r"));
  EXPECT_EQ(sweep.directory_of(3), "d/x=two,b=p");
}

constexpr const char* swept_cavity = R"yaml(
case: lid_driven_cavity
parameters: {reynolds: 100}
grid: {cells: [8, 8]}
time: {end: 0.4, step: {size: 0.05}}
probes: {points: {centre: [0.5, 0.5]}}
device: cpu
)yaml";

struct Sweeps : testing::Test {
  Sweeps() { test::write_text(folder / "cavity.yaml", swept_cavity); }
  static Words words(const Words& more) {
    Words words{"sweep", "cavity.yaml", "--output", "out"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  ProgramResult sweep(const Words& more) const {
    return test::run_hodge(words(more), folder.path());
  }
  std::vector<std::string> table() const { return test::lines_of(folder / "out/sweep.csv"); }
  nlohmann::json summary(const std::string& run) const {
    return nlohmann::json::parse(test::read_text(folder / "out" / run / "summary.json"));
  }
  test::TemporaryDirectory folder;
};

TEST_F(Sweeps, run_every_combination_and_tabulate_its_results) {
  const ProgramResult result = sweep(
      {"--over", "parameters.reynolds=50,100", "--over", "grid.cells=[8, 8],[12, 8]", "--jobs=2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ASSERT_EQ(table().size(), 5U);
  EXPECT_THAT(table()[0], StartsWith("run,reynolds,cells,status,exit_code,end,steps,t,seconds,from,"
                                     "to,kinetic_energy,kinetic_energy_mean,kinetic_energy_rms,"));
  EXPECT_THAT(table()[0], AllOf(HasSubstr(",centre_u,centre_u_mean,"), HasSubstr(",message"),
                                Not(HasSubstr("iterations")), Not(HasSubstr("cfl"))));
  EXPECT_THAT(table()[1],
              StartsWith(R"("reynolds=50,cells=8x8",50,"[8, 8]",completed,0,end_time,8,)"));
  EXPECT_THAT(table()[4],
              StartsWith(R"("reynolds=100,cells=12x8",100,"[12, 8]",completed,0,end_time,8,0.4,)"));
  const auto made = summary("reynolds=100,cells=12x8");
  EXPECT_EQ(made["parameters"]["reynolds"], 100);
  EXPECT_EQ(made["grid"]["cells"], (nlohmann::json{12, 8}));
  EXPECT_THAT(result.out, HasSubstr("[4/4] reynolds=100,cells=12x8: reached t = 0.4"));
  EXPECT_THAT(test::read_text(folder / "out/sweep.md"),
              AllOf(HasSubstr("### Final values"), HasSubstr("| 50 | [8, 8] | completed | 0 |")));
}

TEST_F(Sweeps, a_run_that_fails_has_its_row_and_the_others_go_on) {
  // One iteration is enough for the looser tolerance only.
  const ProgramResult result =
      sweep({"--over", "parameters.reynolds=1,100", "--set", "solvers.pressure.method=cg", "--set",
             "solvers.pressure.max_iterations=1", "--set", "solvers.pressure.fallback=[]", "--over",
             "solvers.pressure.tolerance=1e-10,0.9"});
  EXPECT_EQ(result.exit_code, 3) << result.out << result.err;
  ASSERT_EQ(table().size(), 5U);
  EXPECT_THAT(table()[1], AllOf(HasSubstr(",failed,3,error,"), HasSubstr("pressure")));
  EXPECT_THAT(table()[2], HasSubstr(",completed,0,end_time,"));
  EXPECT_THAT(result.err, HasSubstr("reynolds=1,tolerance=1e-10: "));
}

TEST_F(Sweeps, say_every_wrong_value_once_before_anything_is_written) {
  const ProgramResult result =
      sweep({"--over", "parameters.reynolds=50,many,-1", "--over", "time.end=1,soon"});
  EXPECT_EQ(result.exit_code, 2);
  const auto count = [&](const std::string& text) {
    int found = 0;
    for (std::size_t at = result.err.find(text); at != std::string::npos;
         at = result.err.find(text, at + 1))
      ++found;
    return found;
  };
  EXPECT_EQ(count("--over parameters.reynolds=many: "), 1) << result.err;
  EXPECT_EQ(count("--over parameters.reynolds=-1: "), 1) << result.err;
  EXPECT_EQ(count("--over time.end=soon: "), 1) << result.err;
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(Sweeps, called_again_do_what_is_missing) {
  ASSERT_EQ(sweep({"--over", "parameters.reynolds=50,100"}).exit_code, 0);
  const auto finished = summary("reynolds=50")["finished"];
  const auto written = fs::last_write_time(folder / "out/reynolds=50/summary.json");
  const ProgramResult again = sweep({"--over", "parameters.reynolds=50,100,200"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(fs::last_write_time(folder / "out/reynolds=50/summary.json"), written);
  EXPECT_THAT(again.out, HasSubstr("[1/3] reynolds=50: is finished already"));
  ASSERT_EQ(table().size(), 4U);
  EXPECT_THAT(table()[1], HasSubstr("50,50,completed"));
  EXPECT_THAT(table()[3], HasSubstr("200,200,completed"));
}

TEST_F(Sweeps, refuse_runs_of_another_configuration_but_overwrite_them) {
  ASSERT_EQ(sweep({"--over", "parameters.reynolds=50"}).exit_code, 0);
  const Words other{"--over", "parameters.reynolds=50", "--set", "time.scheme=rk3"};
  const ProgramResult refused = sweep(other);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("out/reynolds=50 holds a run of another configuration: "
                                     "time.scheme is bdf2 there and rk3 now"));
  Words overwriting = other;
  overwriting.emplace_back("--overwrite");
  EXPECT_EQ(sweep(overwriting).exit_code, 0);
}

// The first run is stopped after its first checkpoint and goes on from there; its results are those
// of a run that was left alone, bit for bit.
TEST_F(Sweeps, that_were_interrupted_go_on_from_checkpoints) {
  const Words values{"--over", "parameters.reynolds=50,100", "--set", "time.end=40",
                     "--set",  "output.checkpoint.every=1"};
  const fs::path first = folder / "out/reynolds=50";
  ProgramResult stopped;
  ASSERT_TRUE(test::in_time([&] {
    fs::remove_all(folder / "out");
    test::RunningHodge running(words(values), folder.path());
    while (!fs::exists(first / "checkpoints/cavity_reynolds=50_00000040.h5"))
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    running.send(SIGINT);
    stopped = running.wait();
    return summary("reynolds=50")["status"] != "completed";
  }));
  EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_THAT(table()[1], HasSubstr("50,50,interrupted,130,signal,"));
  EXPECT_THAT(table()[2], HasSubstr("100,100,pending,"));
  const ProgramResult again = sweep(values);
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("[1/2] reynolds=50: goes on from its newest checkpoint"));
  const ProgramResult alone =
      test::run_hodge({"run", "cavity.yaml", "--output", "alone", "--set", "parameters.reynolds=50",
                       "--set", "time.end=40", "--set", "output.checkpoint.every=1"},
                      folder.path());
  ASSERT_EQ(alone.exit_code, 0);
  const auto expected = nlohmann::json::parse(test::read_text(folder / "alone/summary.json"));
  EXPECT_EQ(summary("reynolds=50")["results"], expected["results"]);
  EXPECT_EQ(summary("reynolds=50")["step"], 800);
}

TEST_F(Sweeps, may_have_more_combinations_where_that_is_told) {
  const Words four{"--over", "parameters.reynolds=50,100", "--over", "time.end=0.05,0.1"};
  Words refused = four, told = four;
  refused.insert(refused.end(), {"--at-most", "3"});
  told.insert(told.end(), {"--at-most", "4"});
  const ProgramResult result = sweep(refused);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--over: 4 combinations, expected at most 3"));
  EXPECT_FALSE(fs::exists(folder / "out"));
  EXPECT_EQ(sweep(told).exit_code, 0);
}

TEST_F(Sweeps, keep_tables_of_others) {
  const Words one{"--over", "time.end=0.05"};
  for (const char* name : {"sweep.csv", "sweep.md"}) {
    fs::create_directories(folder / "out");
    test::write_text(folder / "out" / name, "precious\n");
    const ProgramResult result = sweep(one);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(std::string(name) + ": is there already"));
    EXPECT_EQ(test::read_text(folder / "out" / name), "precious\n");
    fs::remove_all(folder / "out");
  }
  EXPECT_EQ(sweep(one).exit_code, 0);
  EXPECT_EQ(sweep(one).exit_code, 0);
}

// What the runs print needs no disk.
TEST_F(Sweeps, need_no_room_in_the_folder_of_temporary_files) {
  if (std::system("unshare -rm mount -t tmpfs -o ro none /tmp 2>/dev/null") != 0)
    GTEST_SKIP() << "no file system may be mounted here";
  const std::string line =
      "mount --bind '" + folder.path().string() + "' /mnt && cd /mnt && " +
      "mount -t tmpfs -o ro none /tmp && ! touch /tmp/x 2>/dev/null && exec '" +
      tests::program_path().string() +
      "' sweep cavity.yaml --over parameters.reynolds=50 --output out --quiet";
  EXPECT_EQ(std::system(("unshare -rm sh -c \"" + line + "\"").c_str()), 0);
  EXPECT_THAT(table()[1], HasSubstr("50,50,completed,0,"));
}

TEST_F(Sweeps, show_the_columns_that_are_asked_for) {
  const ProgramResult result =
      sweep({"--over", "parameters.reynolds=50", "--show", "centre_u_mean,steps"});
  EXPECT_THAT(result.out, AllOf(HasSubstr("centre_u_mean"), Not(HasSubstr("kinetic_energy"))));
  const ProgramResult wrong = sweep({"--over", "parameters.reynolds=50", "--show", "centre_w"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--show: unknown column 'centre_w', did you mean "));
}

}  // namespace
}  // namespace hodge::tools
