// `hodge reproduce`: claims from rows of experiments, and the whole command on small sizes.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/paths.hpp"
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
  findings.add(experiment("gmres", "sums",
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

// cg alone, with M1 and with M2, each in a millisecond an iteration.
void add_solves(Json& rows, const std::string& matrix, const char* of, int alone, int m1, int m2) {
  const auto add = [&](const char* kind, const Json& order, int iterations) {
    Json row{{"matrix", matrix},         {"of", of},
             {"device", "cuda"},         {"preconditioner", kind},
             {"setup_ms", 1.0},          {"solve_ms", 1.0 * iterations},
             {"iterations", iterations}, {"converged", iterations <= 5000}};
    if (!order.is_null()) row.update(Json{{"form", "truncated"}, {"order", order}, {"omega", 0.9}});
    rows.push_back(row);
  };
  add("none", Json(), alone);
  add("ssor_sai", 1, m1);
  add("ssor_sai", 2, m2);
}

TEST(Reproduce, cg_is_judged_by_matrices_of_files_and_boxes_are_told_beside) {
  Json rows = Json::array();
  for (int i = 0; i < 5; ++i)
    add_solves(rows, "like_the_paper_" + std::to_string(i), "file", 400, 100, 50);
  add_solves(rows, "easy", "file", 200, 100, 120);
  add_solves(rows, "hard", "file", 5001, 3000, 2900);
  add_solves(rows, "poisson", "box", 190, 100, 99);
  Findings findings;
  findings.add(experiment("ssor_sai", "solve", rows));
  const Claim m1 = claim_of("ssor_cg", findings, "files: iterations of cg alone / with M1");
  EXPECT_EQ(m1.measured, "median 4.0, at least 3 on 5 of 6; 1 more converge with M1 only");
  EXPECT_EQ(m1.verdict, "holds");
  const Claim time = claim_of("ssor_cg", findings, "files: time with M1 / with M2");
  EXPECT_EQ(time.measured, "median 1.98, M2 has less on 6 of 7");
  EXPECT_EQ(time.verdict, "holds");
  for (const char* of : {"poisson: iterations of cg alone / with M1", "poisson: time"}) {
    EXPECT_THAT(claim_of("ssor_cg", findings, of).verdict, HasSubstr("told beside")) << of;
  }
}

TEST(Reproduce, few_matrices_of_files_judge_nothing) {
  Json rows = Json::array();
  add_solves(rows, "small", "file", 400, 100, 50);
  add_solves(rows, "poisson", "box", 190, 100, 99);
  Findings findings;
  findings.add(experiment("ssor_sai", "solve", rows));
  for (const Claim& claim : named("ssor_cg").claims(findings)) {
    EXPECT_THAT(claim.verdict, testing::AnyOf(HasSubstr("not judged"), HasSubstr("told beside")))
        << claim.of;
  }
}

TEST(Reproduce, the_set_up_is_compared_at_the_published_alpha) {
  Json rows = Json::array();
  for (const auto& [alpha, ratio] : {std::pair{0.9, 202.0}, std::pair{1.0, 303.0}})
    rows.push_back(
        {{"order", 1}, {"alpha", alpha}, {"where", "cuda"}, {"faster_than_scipy", ratio}});
  Findings findings;
  findings.add(experiment("ssor_sai", "build", rows));
  const Claim claim = claim_of("ssor_setup", findings, "M1, omega 1, alpha 0.9");
  EXPECT_EQ(claim.measured, "202 to 202, mean 202");
  EXPECT_DOUBLE_EQ(*claim.ratio, 2);
  EXPECT_FALSE(claim_of("ssor_setup", findings, "M1, omega 1, alpha 1").ratio);
}

TEST(Reproduce, means_of_restarts_are_those_of_the_matrices_that_a_machine_has) {
  Json rows = Json::array();
  for (const char* matrix : {"ASIC_680ks", "G3_circuit", "Largebasis", "kkt_power"})
    rows.push_back({{"matrix", std::string("like_") + matrix},
                    {"where", "cuda"},
                    {"m", 8},
                    {"faster_than_one_thread", 31.3}});
  Findings findings;
  findings.add(experiment("gmres", "cycles", rows));
  const Claim claim = claim_of("gmres_restarts", findings, "mean of 4 matrices, m = 8");
  EXPECT_EQ(claim.published, "15.6 times on machine 2, a Core i7 920");
  EXPECT_NEAR(*claim.ratio, 2, 1e-12);
  EXPECT_EQ(claim_of("gmres_restarts", findings, "mean of 9 matrices, m = 8").measured, "");
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

// Its figures are those of the machines that it names, its statements those of the program.
TEST(Reproduce, the_document_in_the_repository_says_what_the_program_says) {
  const std::string text = test::read_text(tests::source_dir() / "linalg/LITERATURE.md");
  for (const Publication& one : publications())
    for (const Item& item : one.items)
      EXPECT_THAT(text, HasSubstr(fmt::format("| {} | {} |", item.what, item.state)));
  for (const Reproduction& one : all_reproductions())
    for (const Claim& claim : one.claims({}))
      if (text.find("| " + claim.of + " |") != std::string::npos) {
        EXPECT_THAT(text, HasSubstr(fmt::format("| {} | {} |", claim.of, claim.published)));
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

// Of the experiments of the other reproductions there are no files.
TEST(Reproduce, only_what_is_named_is_read_and_printed) {
  const test::TemporaryDirectory folder;
  test::write_text(
      folder / "gmres.json",
      experiment("gmres", "sums", {{{"how", "hodge"}, {"device", "cuda"}, {"sum", 998.0}}}).dump());
  const test::ProgramResult result =
      test::run_hodge({"reproduce", "float_sums", "--from", "."}, folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const Reproduction& one : all_reproductions())
    EXPECT_EQ(result.out.find(fmt::format("\n{}: ", one.name)) != std::string::npos,
              one.name == std::string("float_sums"))
        << one.name;
}

}  // namespace
}  // namespace hodge::tools::reproduce
