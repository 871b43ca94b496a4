// `hodge reproduce`: claims from rows of experiments, and the whole command on small sizes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/run_hodge.hpp"
#include "tools/hodge/bench/experiment.hpp"
#include "tools/hodge/reproduce/reproduction.hpp"

namespace hodge::tools::reproduce {
namespace {

using ::testing::HasSubstr;

Json experiment(const std::string& name, const std::string& table, const Json& rows,
                const std::string& device = "cuda") {
  return {{"experiment", name},
          {"devices", Json::array({{{"name", device}, {"hardware", "a device"}}})},
          {"notes", Json::array()},
          {"tables", {{table, {{"rows", rows}}}}}};
}

const Reproduction& named(const std::string& name) {
  static const std::vector<Reproduction> all = all_reproductions();
  for (const Reproduction& one : all)
    if (name == one.name) return one;
  throw std::runtime_error("no reproduction is named " + name);
}

// The claim whose quantity holds the text.
Claim claim_of(const std::string& name, const Findings& findings, const std::string& text) {
  for (const Claim& claim : named(name).claims(findings))
    if (claim.of.find(text) != std::string::npos) return claim;
  throw std::runtime_error("no claim holds " + text);
}

TEST(Reproduce, every_reproduction_reads_experiments_that_exist) {
  for (const Reproduction& one : all_reproductions()) {
    EXPECT_FALSE(one.experiments.empty()) << one.name;
    for (const char* experiment : one.experiments)
      EXPECT_NE(bench::find_experiment(experiment), nullptr) << one.name << ": " << experiment;
  }
}

TEST(Reproduce, what_was_not_measured_has_no_verdict_that_it_holds) {
  const Findings none;
  for (const Reproduction& one : all_reproductions())
    for (const Claim& claim : one.claims(none))
      if (claim.measured.empty()) {
        EXPECT_THAT(claim.verdict, HasSubstr("not measured")) << one.name << ": " << claim.of;
        EXPECT_FALSE(claim.ratio) << one.name << ": " << claim.of;
      }
}

TEST(Reproduce, a_sum_beside_the_published_one) {
  Findings findings;
  findings.add(experiment("dots", "sums",
                          {{{"how", "one after the other"}, {"device", "cpu"}, {"sum", 991.1420}},
                           {{"how", "hodge"}, {"device", "cuda"}, {"sum", 998.0}}}));
  const Claim first = claim_of("float_sums", findings, "one after the other");
  EXPECT_EQ(first.measured, "991.14");
  EXPECT_EQ(first.verdict, "holds");
  EXPECT_THAT(claim_of("float_sums", findings, "hodge").verdict, HasSubstr("FAILS"));
}

TEST(Reproduce, ratios_of_kernels_are_compared_with_ratios) {
  Findings findings;
  const auto row = [](const char* kernel, double seconds) {
    return Json{
        {"matrix", "like_c-26"}, {"device", "cuda"}, {"kernel", kernel}, {"seconds", seconds}};
  };
  findings.add(
      experiment("gmres", "kernels", {row("csr_two_step, 512", 0.002), row("csr_scalar", 0.001)}));
  const Claim claim = claim_of("gmres_kernels", findings, "like_c-26: 100 products, scalar");
  EXPECT_NEAR(*claim.ratio, 0.5 / 6.5, 1e-12);
  EXPECT_THAT(claim.verdict, HasSubstr("does not hold"));
}

TEST(Reproduce, iterations_that_rise_with_alpha_are_counted) {
  Findings findings;
  Json rows = Json::array();
  const auto add = [&](const char* matrix, double alpha, int iterations) {
    rows.push_back({{"matrix", matrix},
                    {"form", "truncated"},
                    {"order", 1},
                    {"omega", 0.8},
                    {"alpha", alpha},
                    {"iterations", iterations},
                    {"converged", true}});
  };
  add("falling", 0.5, 40);
  add("falling", 1.0, 30);
  add("rising", 0.5, 30);
  add("rising", 1.0, 31);
  findings.add(experiment("ssor_sai", "sweep", rows));
  EXPECT_EQ(claim_of("ssor_alpha", findings, "M1").measured, "1 of 2");
}

TEST(Reproduce, omega_auto_is_compared_with_the_best_omega_of_each_matrix) {
  Findings findings;
  Json rows = Json::array();
  const auto add = [&](const char* matrix, const Json& omega, int iterations) {
    rows.push_back({{"matrix", matrix},
                    {"form", "truncated"},
                    {"order", 2},
                    {"omega", omega},
                    {"iterations", iterations},
                    {"converged", true}});
  };
  add("first", 0.5, 40);
  add("first", 0.9, 50);
  add("first", "auto", 42);
  add("second", 0.5, 90);
  add("second", 0.9, 80);
  add("second", "auto", 80);
  findings.add(experiment("ssor_sai", "sweep", rows));
  EXPECT_EQ(claim_of("ssor_auto", findings, "truncated, order 2").measured,
            "1.00 to 1.05, mean 1.02");
}

TEST(Reproduce, the_document_cites_every_work_and_lists_its_items) {
  const std::string text = literature_markdown(all_reproductions(), {}, "hodge reproduce");
  for (const Publication& one : publications()) {
    EXPECT_THAT(text, HasSubstr(one.citation));
    for (const Item& item : one.items) EXPECT_THAT(text, HasSubstr(item.what));
  }
}

TEST(Reproduce, what_cannot_be_written_or_read_is_refused_before_anything_is_measured) {
  const test::TemporaryDirectory folder;
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"--markdown", "none/LITERATURE.md"},
        {"--matrices", "none"},
        {"--from", "none"},
        {"no_such_table"}}) {
    std::vector<std::string> arguments{"reproduce", "--quick", "--device", "cpu"};
    arguments.insert(arguments.end(), wrong.begin(), wrong.end());
    const test::ProgramResult result = test::run_hodge(arguments, folder.path());
    EXPECT_EQ(result.exit_code, 2) << wrong.front();
    EXPECT_EQ(result.out, "") << wrong.front();
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

}  // namespace
}  // namespace hodge::tools::reproduce
