// hodge bench scaling, by one process and by several.
#include "tools/hodge/bench/scaling.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/support/program_in_processes.hpp"

namespace hodge::tools::bench {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using tests::mpiexec;

class Scaling : public tests::Processes {
 protected:
  // The results of a run whose arguments follow `bench scaling`.
  Json results(const test::ProgramResult& run) {
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    return Json::parse(test::read_text(folder / "results/scaling.json"));
  }
  static constexpr const char* quickly =
      "bench scaling --quick --device cpu --output results --overwrite ";
};

const Json& rows(const Json& data, const char* table) {
  return data.at("tables").at(table).at("rows");
}

double number(const Json& row, const char* key) {
  return row.at(key).get<double>();
}

TEST_F(Scaling, one_process_measures_all_cases_and_states_messages) {
  const Json data = results(shell(std::string("\"$H\" ") + quickly));
  EXPECT_EQ(rows(data, "steps").size(), 8u);
  EXPECT_THAT(data.at("notes").dump(), HasSubstr("one process sends no messages"));
  std::set<int> processes;
  for (const Json& row : rows(data, "model")) {
    processes.insert(row.at("processes").get<int>());
    if (row.at("processes") == 1) {
      EXPECT_NEAR(number(row, "predicted_ms"), number(row, "measured_ms"), 1e-9) << row;
      EXPECT_DOUBLE_EQ(number(row, "efficiency"), 1);
    } else {
      EXPECT_GT(number(row, "neighbours_ms"), 0) << row;
      EXPECT_LT(number(row, "efficiency"), 1) << row;
    }
  }
  EXPECT_EQ(processes, (std::set<int>{1, 2, 8, 64, 512}));
}

TEST_F(Scaling, several_processes_count_their_messages_and_compare_with_one) {
  HODGE_NEEDS_MPI();
  const std::string only = "--only 'rk3 direct' ";
  results(shell(std::string("\"$H\" ") + quickly + only));
  std::filesystem::rename(folder / "results/scaling.json", folder / "one.json");
  const Json data = results(in_processes(2, quickly + only + "--against one.json"));
  for (const Json& row : rows(data, "steps")) {
    EXPECT_EQ(row.at("processes"), 2);
    EXPECT_GT(number(row, "kilobytes_sent"), 0) << row;
    EXPECT_GT(number(row, "messages_ms"), 0) << row;
    EXPECT_LT(number(row, "messages_ms"), number(row, "ms_a_step")) << row;
  }
  const Json& efficiency = rows(data, "efficiency");
  ASSERT_EQ(efficiency.size(), 2u);
  for (const Json& row : efficiency) {
    EXPECT_EQ(row.at("processes_before"), 1);
    EXPECT_DOUBLE_EQ(number(row, "speed_up"), 2 * number(row, "efficiency")) << row;
  }
}

// Of weak cases: each of two processes has the box of one.
TEST_F(Scaling, what_one_process_states_is_what_two_processes_count) {
  HODGE_NEEDS_MPI();
  const Json data = results(in_processes(2, std::string(quickly) + "--only 'direct weak'"));
  std::size_t compared = 0;
  for (const char* scheme : {"rk3", "bdf2"}) {
    const auto stated = stated_messages(weak_case(scheme, "", 16, 2));
    ASSERT_TRUE(stated);
    for (const Json& row : rows(data, "messages")) {
      if (!row.at("of").get<std::string>().starts_with(scheme)) continue;
      for (std::size_t k = 0; k < linalg::message_kinds; ++k) {
        if (row.at("messages") != linalg::message_kind_names[k]) continue;
        EXPECT_DOUBLE_EQ(number(row, "calls"), (*stated)[k].calls) << row;
        if ((*stated)[k].bytes > 0) {
          EXPECT_NEAR(1000 * number(row, "kilobytes"), (*stated)[k].bytes, 1e-6) << row;
        }
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 8u);
  EXPECT_FALSE(stated_messages(weak_case("bdf2", "cg", 16, 2)));
}

TEST_F(Scaling, several_processes_measure_nothing_else) {
  HODGE_NEEDS_MPI();
  for (const char* names : {"", " step", " scaling spmv"}) {
    const auto result = in_processes(2, std::string("bench") + names);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, StartsWith("hodge bench: 2 processes were started, and they measure "
                                       "scaling alone, not s"));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_TRUE(is_empty());
  }
}

// A row of the table "steps".
Json step_row(const char* kind, int processes, double ms) {
  return {{"case", "c"}, {"scheme", "rk3"}, {"pressure", "direct"},   {"kind", kind},
          {"box", "b"},  {"device", "cpu"}, {"processes", processes}, {"ms_a_step", ms}};
}

TEST(ScalingEfficiency, is_the_speed_up_over_the_growth_of_the_processes) {
  BenchOptions options;
  options.quick = true;
  options.device = "cpu";
  ExperimentRun run("scaling", "a description", options);
  ResultTable& steps = run.add_table("steps", "Steps");
  for (const char* kind : {"weak", "strong"}) {
    std::vector<Cell> cells;
    const Json row = step_row(kind, 8, 10);
    for (const auto& [name, value] : row.items()) cells.push_back(key(name, value));
    steps.add(cells);
  }
  const Json older = {
      {"tables", {{"steps", {{"rows", {step_row("weak", 2, 8), step_row("strong", 2, 30)}}}}}}};
  compare_scaling(older, run);
  const Json found = run.json();
  const Json& weak = rows(found, "efficiency")[0];
  EXPECT_DOUBLE_EQ(number(weak, "efficiency"), 0.8);
  EXPECT_DOUBLE_EQ(number(weak, "speed_up"), 3.2);
  const Json& strong = rows(found, "efficiency")[1];
  EXPECT_DOUBLE_EQ(number(strong, "efficiency"), 0.75);
  EXPECT_DOUBLE_EQ(number(strong, "speed_up"), 3);
}

}  // namespace
}  // namespace hodge::tools::bench
