#include "tools/hodge/bench/experiment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "linalg/base/errors.hpp"
#include "linalg/version.hpp"
#include "tests/support/run_hodge.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::tools::bench {
namespace {

using testing::HasSubstr;

BenchOptions quick_on_the_cpu() {
  BenchOptions options;
  options.quick = true;
  options.device = "cpu";
  return options;
}

// Three rows of `bench transpose` as it is now; the file below has two of them as they were.
ExperimentRun run_of_today() {
  ExperimentRun run("transpose", "a description", quick_on_the_cpu());
  ResultTable& table = run.add_table("products", "Products");
  const auto add = [&](const char* matrix, double ms) {
    table.add({key("matrix", matrix), key("size", 4), timing("ms", "time, ms", ms, "{:.3f}")});
  };
  add("a", 3);
  add("b", 1);
  add("new", 1);
  return run;
}

Json older_file(const std::string& hardware) {
  return {{"experiment", "transpose"},
          {"version", version},
          {"precision", "double"},
          {"quick", true},
          {"devices", {{{"name", "cpu"}, {"hardware", hardware}}}},
          {"tables",
           {{"products",
             {{"rows",
               {{{"matrix", "b"}, {"size", 4}, {"ms", 4.0}},
                {{"matrix", "a"}, {"size", 8}, {"ms", 4.0}},
                {{"matrix", "a"}, {"size", 4}, {"ms", 2.0}}}}}}}}};
}

Json compared(const Json& older) {
  const test::TemporaryDirectory folder;
  test::write_text(folder / "older.json", older.dump());
  ExperimentRun run = run_of_today();
  OlderResults(folder / "older.json").compare(run);
  return run.json();
}

TEST(Against, rows_are_matched_by_their_keys_and_sorted_by_what_has_become_slower) {
  const Json rows = compared(older_file("any")).at("tables").at("against").at("rows");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("row"), "a, 4");
  EXPECT_EQ(rows[0].at("time"), "time, ms");
  EXPECT_DOUBLE_EQ(rows[0].at("ratio").get<double>(), 1.5);
  EXPECT_EQ(rows[1].at("row"), "b, 4");
  EXPECT_DOUBLE_EQ(rows[1].at("ratio").get<double>(), 0.25);
}

TEST(Against, rows_without_a_partner_are_named) {
  const std::string notes = compared(older_file("any")).at("notes").dump();
  EXPECT_THAT(notes, HasSubstr("that this run has not, 1: a, 8"));
  EXPECT_THAT(notes, HasSubstr("rows of this run that"));
  EXPECT_THAT(notes, HasSubstr("has not, 1: new, 4"));
}

TEST(Against, rows_of_a_table_that_has_none_now_are_named) {
  Json older = older_file("any");
  older["tables"]["batched"] = {{"keys", {"n"}}, {"rows", {{{"n", 2}}}}};
  const test::TemporaryDirectory folder;
  test::write_text(folder / "older.json", older.dump());
  ExperimentRun run = run_of_today();
  run.add_table("batched", "Many small systems");
  OlderResults(folder / "older.json").compare(run);
  EXPECT_THAT(run.json().at("notes").dump(), HasSubstr("that this run has not, 2: a, 8; 2"));
}

TEST(Against, other_hardware_and_another_version_are_said) {
  Json older = older_file("an abacus");
  older["version"] = "0.0.1";
  std::string notes = compared(older).at("notes").dump();
  EXPECT_THAT(notes, HasSubstr("measured on other hardware, an abacus, not on "));
  EXPECT_THAT(notes, HasSubstr("has another version: 0.0.1, here "));
  const std::string here = run_of_today().json().at("devices")[0].at("hardware");
  notes = compared(older_file(here)).at("notes").dump();
  EXPECT_THAT(notes, testing::Not(HasSubstr("hardware")));
  EXPECT_THAT(notes, testing::Not(HasSubstr("version")));
}

TEST(Against, a_file_without_the_device_or_with_no_row_in_common_is_no_failure) {
  Json older = older_file("any");
  older["devices"] = Json::array();
  older["tables"]["products"]["rows"] = Json::array();
  const Json report = compared(older);
  EXPECT_FALSE(report.at("tables").contains("against"));
  EXPECT_THAT(report.at("notes").dump(), HasSubstr("has nothing of the device cpu"));
  EXPECT_THAT(report.at("notes").dump(), HasSubstr("no row has a partner to compare with"));
}

TEST(Against, a_foreign_file_is_one_sentence) {
  const test::TemporaryDirectory folder;
  const auto message_of = [&](const std::string& text) -> std::string {
    test::write_text(folder / "file", text);
    try {
      OlderResults older(folder / "file");
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message_of("nonsense"), HasSubstr("it is not JSON, expected a NAME.json"));
  EXPECT_THAT(message_of("[1, 2]"), HasSubstr("it holds no tables of an experiment"));
  EXPECT_THAT(message_of("{\"experiment\": \"spmv\", \"tables\": {\"products\": 3}}"),
              HasSubstr("it holds no tables of an experiment"));
  EXPECT_THAT(message_of("{\"experiment\": \"weather\", \"tables\": {}}"),
              HasSubstr("its experiment is 'weather', known are "));
  EXPECT_EQ(message_of(older_file("any").dump()), "accepted");
  try {
    OlderResults older(folder.path());
    ADD_FAILURE() << "a folder is accepted";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is no such file"));
  }
}

TEST(Against, the_program_compares_with_its_own_file_and_refuses_another_before_it_measures) {
  const test::TemporaryDirectory folder;
  const std::vector<std::string> run{"bench",    "transpose", "--quick", "--device", "cpu",
                                     "--output", "results",   "--only",  "poisson"};
  ASSERT_EQ(test::run_hodge(run, folder.path()).exit_code, 0);
  // Without a name it is the experiment of the file.
  const auto again = test::run_hodge({"bench", "--against", "results/transpose.json", "--quick",
                                      "--device", "cpu", "--only", "poisson"},
                                     folder.path());
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("Times over those of results/transpose.json"));
  EXPECT_THAT(again.out, HasSubstr("now / before"));
  EXPECT_THAT(again.out, testing::Not(HasSubstr("other hardware")));
  const auto other =
      test::run_hodge({"bench", "spmv", "--against", "results/transpose.json"}, folder.path());
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_EQ(other.out, "");
  EXPECT_THAT(other.err, HasSubstr("it holds the experiment transpose, but spmv is to run"));
}

}  // namespace
}  // namespace hodge::tools::bench
