// summary.json of runs that end well, badly, or on a full disk.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "linalg/base/errors.hpp"
#include "sim/app/run/summary.hpp"
#include "tests/support/failing_file_system.hpp"
#include "tests/support/fake_run.hpp"

namespace hodge::sim {
namespace {

using nlohmann::json;
using test::FakeFlow;
using test::FakeRun;

json summary_of(const FakeRun& fake) {
  return json::parse(test::read_text(fake.file("summary.json")));
}

TEST(SummaryFile, says_how_a_run_ended_and_where_its_files_are) {
  FakeRun fake;
  fake.settings.parameters = {{"reynolds", 100}};
  FakeFlow flow;
  flow.errors = ErrorNorms{1e-4, 2e-4, 3e-4, 4e-4};
  fake.problem.exact.emplace();
  fake.run(flow);
  const json summary = summary_of(fake);
  EXPECT_EQ(summary["hodge"], "test");
  EXPECT_EQ(summary["status"], "completed");
  EXPECT_EQ(summary["case"], "fake");
  EXPECT_EQ(summary["parameters"]["reynolds"], 100);
  EXPECT_EQ(summary["device"], "a fake device");
  EXPECT_EQ(summary["grid"]["cell_count"], 12);
  EXPECT_EQ(summary["step"], 20);
  EXPECT_EQ(summary["solves"]["u"]["iterations"], 140);
  EXPECT_EQ(summary["errors"]["velocity"]["max"], 2e-4);
  EXPECT_EQ(summary["directory"], fake.settings.output.directory);
  EXPECT_EQ(summary["open"], fake.file("fake.pvd").string());
}

TEST(SummaryFile, names_a_signal_and_its_exit_code) {
  FakeRun fake;
  FakeFlow flow({.during_step = [](long step) {
    if (step == 3) ::raise(SIGTERM);
  }});
  fake.run(flow);
  const json summary = summary_of(fake);
  EXPECT_EQ(summary["status"], "interrupted");
  EXPECT_EQ(summary["end"], "signal");
  EXPECT_EQ(summary["exit_code"], 143);
}

TEST(SummaryFile, a_failure_is_in_it_with_what_had_been_done) {
  FakeRun fake;
  FakeFlow flow({.lost_at_step = 8});
  EXPECT_THROW(fake.run(flow), NumericalError);
  const json summary = summary_of(fake);
  EXPECT_EQ(summary["status"], "failed");
  EXPECT_EQ(summary["error"], "numerical");
  EXPECT_EQ(summary["exit_code"], 3);
  EXPECT_THAT(std::string(summary["message"]), testing::HasSubstr("stopped after step 8"));
  EXPECT_EQ(summary["steps"], 8);
}

TEST(SummaryFile, whoever_asked_gets_the_text_of_the_file) {
  FakeRun fake;
  FakeFlow flow;
  std::string text;
  RunOptions options{.version = "test", .console = -1};
  options.summary = [&](const std::string& given) { text = given; };
  run(flow, fake.settings, fake.problem, options);
  EXPECT_EQ(text, test::read_text(fake.file("summary.json")));
}

TEST(SummaryFile, a_full_disk_hides_neither_the_error_nor_the_summary_of_whoever_asked) {
  FakeRun fake;
  std::optional<test::FileSizeLimit> limit;
  FakeFlow flow({.during_step = [&](long step) {
    if (step == 8) limit.emplace(600);
  }});
  std::string text;
  RunOptions options{.version = "test", .console = -1};
  options.summary = [&](const std::string& given) { text = given; };
  EXPECT_THROW(run(flow, fake.settings, fake.problem, options), IoError);
  limit.reset();
  EXPECT_EQ(json::parse(text)["error"], "machine");
  EXPECT_EQ(json::parse(text)["exit_code"], 4);
  EXPECT_FALSE(std::filesystem::exists(fake.file("summary.json")));
}

TEST(SummaryFile, numbers_and_names_that_json_cannot_hold_leave_it_valid) {
  FakeRun fake;
  fake.settings.parameters = {{"x", std::numeric_limits<double>::infinity()}};
  FakeFlow flow;
  RunOptions options{.version = "test", .console = -1};
  options.file = "a\xff\"b.yaml";
  run(flow, fake.settings, fake.problem, options);
  EXPECT_TRUE(summary_of(fake)["parameters"]["x"].is_null());
}

TEST(SummaryFile, an_error_of_the_library_is_one_of_the_machine) {
  EXPECT_EQ(exit_code_of(ConfigError("")), 2);
  EXPECT_EQ(exit_code_of(std::runtime_error("")), 4);
}

}  // namespace
}  // namespace hodge::sim
