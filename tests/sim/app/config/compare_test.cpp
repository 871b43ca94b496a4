// The section `compare`, from YAML to settings and back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/app/config/settings_yaml.hpp"
#include "sim/compare/solver_text.hpp"
#include "tests/support/expect_error.hpp"

namespace hodge::sim::compare_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::vector<CaseSchema> cases{{.name = "cavity",
                                     .parameters = {},
                                     .dimensions = {2, 3},
                                     .lower = {0, 0, 0},
                                     .upper = {1, 1, 1}}};

Settings read(const std::string& compare, const std::string& scheme = "bdf2") {
  const std::string head = "case: cavity\ngrid: {cells: [8, 8]}\ntime: {end: 2, scheme: " + scheme +
                           "}\nsolvers: {pressure: {tolerance: 1e-5, max_iterations: 77}}\n";
  return settings_from_yaml(parse_yaml(head + "compare: " + compare, "f.yaml"), "f", cases);
}

std::string error_of(const std::string& compare) {
  return test::message_of<ConfigError>([&] { read(compare); });
}

std::vector<std::string> texts(const std::vector<SystemSettings>& solvers) {
  std::vector<std::string> all;
  for (const auto& solver : solvers) all.push_back(solver_text(solver));
  return all;
}

TEST(CompareSettings, entries_are_read_in_their_order_with_the_limits_of_the_configured_solver) {
  const CompareSettings compare =
      *read(
           "{every: 3, pressure: [{method: gmres, restart: 9, preconditioner: {kind: jacobi}}, "
           "{method: cg}], max_seconds: 0.5, histories: true}")
           .compare;
  EXPECT_EQ(texts(compare.pressure), (std::vector<std::string>{"gmres(9) + jacobi", "cg + none"}));
  EXPECT_EQ(compare.pressure[1].max_iterations, 77);
  EXPECT_EQ(compare.pressure[1].tolerance, 1e-5);
  EXPECT_TRUE(compare.transport.empty());
  EXPECT_EQ(compare.max_seconds, 0.5);
  EXPECT_TRUE(compare.histories);
}

TEST(CompareSettings, a_section_without_lists_gets_methods_that_suit_the_systems) {
  const CompareSettings implicit = *read("{every: 1}").compare;
  EXPECT_THAT(texts(implicit.pressure),
              testing::IsSupersetOf({"cg + jacobi", "cg + ssor_sai order 1 omega 1",
                                     "cg + ssor_sai order 2 omega 1.6", "bicgstab + none",
                                     "bicg + jacobi", "gmres(8) + ssor_sai order 1 omega 1",
                                     "gmres(16) + none", "gmres(32) + jacobi"}));
  EXPECT_THAT(texts(implicit.transport), testing::Contains("gmres(32) + jacobi"));
  EXPECT_THAT(texts(implicit.transport), testing::Not(testing::Contains(StartsWith("cg "))));
  const CompareSettings explicit_convection = *read("{every: 1}", "cn_ab2").compare;
  EXPECT_THAT(texts(explicit_convection.transport), testing::Contains("cg + jacobi"));
}

TEST(CompareSettings, slow_solvers_are_given_up_but_where_the_file_says_never) {
  EXPECT_EQ(read("{every: 1}").compare->give_up, 3.0);
  EXPECT_EQ(read("{give_up: 1.5}").compare->give_up, 1.5);
  EXPECT_EQ(read("{give_up: never}").compare->give_up, std::nullopt);
  EXPECT_THAT(error_of("{give_up: 1}"), HasSubstr("expected a number > 1, or never"));
  EXPECT_THAT(error_of("{give_up: often}"), HasSubstr("expected a number > 1, or never"));
}

TEST(CompareSettings, steps_are_counted_or_named) {
  const CompareSettings counted = *read("{every: 5, from: 3, to: 13}").compare;
  const CompareSettings named = *read("{steps: [7, 2]}").compare;
  std::vector<long> at_counted, at_named;
  for (long step = 1; step < 30; ++step) {
    if (counted.at_step(step)) at_counted.push_back(step);
    if (named.at_step(step)) at_named.push_back(step);
  }
  EXPECT_EQ(at_counted, (std::vector<long>{3, 8, 13}));
  EXPECT_EQ(at_named, (std::vector<long>{2, 7}));
}

TEST(CompareSettings, a_method_for_symmetric_matrices_may_be_tried_on_others) {
  EXPECT_EQ(texts(read("{transport: [{method: cg}]}").compare->transport),
            std::vector<std::string>{"cg + none"});
}

TEST(CompareSettings, wrong_values_are_refused_with_their_place) {
  EXPECT_THAT(error_of("{pressure: [{method: cg, tolerance: 1e-3}]}"),
              testing::AllOf(StartsWith("f.yaml:5:"),
                             HasSubstr("tolerance is shared by all compared solvers")));
  EXPECT_THAT(error_of("{pressure: [{preconditioner: {kind: jacobi}}]}"),
              HasSubstr("missing key 'method' in compare.pressure[0]"));
  EXPECT_THAT(error_of("{pressure: [{method: cgs}]}"), HasSubstr("compare.pressure[0].method"));
  EXPECT_THAT(error_of("{pressure: {method: cg}}"), HasSubstr("expected a list of solvers"));
  EXPECT_THAT(error_of("{steps: [1], every: 2}"), HasSubstr("expected only one of them"));
  EXPECT_THAT(error_of("{steps: []}"), HasSubstr("empty list"));
  EXPECT_THAT(error_of("{from: 5, to: 4}"), HasSubstr("compare.to is 4"));
  EXPECT_THAT(error_of("{histories: yes}"), HasSubstr("expected true or false"));
  EXPECT_THAT(error_of("{ever: 2}"), HasSubstr("did you mean 'every'"));
}

TEST(CompareSettings, the_resolved_file_reads_back_to_the_same_settings) {
  for (const std::string text :
       {"{every: 4, from: 2}", "{give_up: 7}", "{give_up: never}",
        "{steps: [1, 9], transport: [{method: gmres, restart: 12, fallback: "
        "[bicg], preconditioner: {kind: neumann, degree: 3}}]}",
        "{to: 7, max_seconds: 0.25, histories: true, scalars: [{method: bicg}]}"}) {
    const Settings settings = read(text);
    const std::string resolved = settings_to_yaml(settings);
    const Settings again = settings_from_yaml(parse_yaml(resolved, "g.yaml"), "g", cases);
    EXPECT_EQ(settings_to_yaml(again), resolved);
    EXPECT_EQ(texts(again.compare->pressure), texts(settings.compare->pressure));
    EXPECT_EQ(texts(again.compare->scalars), texts(settings.compare->scalars));
    EXPECT_EQ(again.compare->steps, settings.compare->steps);
    EXPECT_EQ(again.compare->max_seconds, settings.compare->max_seconds);
    EXPECT_EQ(again.compare->give_up, settings.compare->give_up);
  }
  EXPECT_FALSE(read("{}").compare->every);
}

// Processes that share a run read the resolved file of process 0, and have to do the same solves.
TEST(CompareSettings, default_solvers_are_the_ones_of_the_resolved_file) {
  const std::string text = R"yaml(
case: cavity
grid: {cells: [8, 8]}
time: {end: 2, scheme: cn_ab2}
solvers:
  pressure: {method: cg, guess: previous, fallback: [gmres], max_seconds: 7}
  transport: {refresh: never, guess: projected, max_iterations: 33, max_seconds: 5}
compare: {every: 2}
)yaml";
  const Settings settings = settings_from_yaml(parse_yaml(text, "f.yaml"), "f", cases);
  const Settings again =
      settings_from_yaml(parse_yaml(settings_to_yaml(settings), "g.yaml"), "g", cases);
  for (const auto list : {&CompareSettings::pressure, &CompareSettings::transport}) {
    const std::vector<SystemSettings>&own = (*settings.compare).*list,
          &read_back = (*again.compare).*list;
    ASSERT_EQ(texts(own), texts(read_back));
    for (std::size_t k = 0; k < own.size(); ++k) {
      SCOPED_TRACE(solver_text(own[k]));
      EXPECT_EQ(own[k].refresh, read_back[k].refresh);
      EXPECT_EQ(own[k].fallback, read_back[k].fallback);
      EXPECT_EQ(own[k].max_seconds, read_back[k].max_seconds);
      EXPECT_EQ(own[k].max_iterations, read_back[k].max_iterations);
      EXPECT_EQ(own[k].guess, read_back[k].guess);
      EXPECT_EQ(own[k].automatic, read_back[k].automatic);
    }
  }
}

}  // namespace
}  // namespace hodge::sim::compare_test
