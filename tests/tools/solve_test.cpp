// The command `hodge solve`. Over 400 lines: its options and messages share a few small matrices.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "linalg/solve/registry.hpp"
#include "tests/support/matrix_files.hpp"
#include "tests/support/run_hodge.hpp"

namespace hodge::tools {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class SolveCommand : public testing::Test {
 protected:
  SolveCommand() {
    write("spd.mtx", tests::poisson({12, 12, 1}));
    write("neumann.mtx", tests::poisson({12, 12, 1}, true));
    write("convection.mtx", tests::convection_diffusion({12, 12, 1}, 2.0));
  }
  void write(const std::string& name, const tests::HostMatrix& a) {
    test::write_text(folder / name, tests::matrix_market_text(a));
  }
  test::ProgramResult solve(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "solve");
    if (arguments.back() != "no device") {
      arguments.insert(arguments.end(), {"--device", "cpu"});
    } else {
      arguments.pop_back();
    }
    return test::run_hodge(arguments, folder.path());
  }
  void expect_wrong(const std::vector<std::string>& arguments, const std::string& line) {
    const test::ProgramResult result = solve(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, line + "\n");
  }

  test::TemporaryDirectory folder;
};

TEST_F(SolveCommand, without_a_right_side_the_solution_is_one) {
  const auto result = solve({"spd.mtx", "--output", "x.mtx"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, HasSubstr("144 x 144, 672 non-zeros, symmetric, kernel "));
  EXPECT_THAT(result.out, HasSubstr("A 1, so that x = 1"));
  EXPECT_THAT(result.out,
              HasSubstr("cg (chosen: the matrix is symmetric with a positive diagonal)"));
  EXPECT_THAT(result.out, ContainsRegex("status +converged\n"));
  const auto x = tests::read_array(folder / "x.mtx");
  ASSERT_EQ(x.size(), 144u);
  double most = 0;
  for (const double value : x) most = std::max(most, std::abs(value - 1));
  EXPECT_LT(most, 1e-5);
  EXPECT_THAT(result.out, HasSubstr(fmt::format("{:.3e} (max |x - exact| / max |exact|)", most)));
}

// Right sides whose squares leave the range of double.
TEST_F(SolveCommand, tiny_and_huge_right_sides_are_solved_and_not_called_so) {
  const auto right_side = [&](const std::string& value) {
    std::string text = "%%MatrixMarket matrix array real general\n144 1\n";
    for (int i = 0; i < 144; ++i) text += value + "\n";
    test::write_text(folder / "b.mtx", text);
  };
  const auto solution = [&](const std::string& value, const std::string& method) {
    right_side(value);
    const auto result =
        solve({"spd.mtx", "b.mtx", "--method", method, "--output", "x.mtx", "--overwrite"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, ContainsRegex("status +converged\n"));
    return tests::read_array(folder / "x.mtx");
  };
  for (const std::string method : {"cg", "bicgstab", "gmres", "gauss"}) {
    const auto ordinary = solution("1", method);
    for (const std::string power : {"-300", "-170", "200", "300"}) {
      const auto x = solution("1e" + power, method);
      for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(x[i] / std::pow(10.0, std::stod(power)), ordinary[i], 1e-4 * ordinary[i])
            << method << power;
    }
  }
  test::write_text(folder / "huge.mtx",
                   "%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 1e200\n");
  test::write_text(folder / "b1.mtx", "%%MatrixMarket matrix array real general\n1 1\n1e-200\n");
  const auto lost = solve({"huge.mtx", "b1.mtx", "--output", "y.mtx"});
  EXPECT_EQ(lost.exit_code, 3) << lost.out;
  EXPECT_THAT(lost.err, HasSubstr("too large or too small for floating-point numbers;"));
  EXPECT_THAT(lost.err, HasSubstr("; scale the equations or the unknowns"));
  EXPECT_FALSE(std::filesystem::exists(folder / "y.mtx"));
}

TEST_F(SolveCommand, a_start_at_the_solution_takes_no_iteration) {
  std::string ones = "%%MatrixMarket matrix array real general\n144 1\n";
  for (int i = 0; i < 144; ++i) ones += "1\n";
  test::write_text(folder / "ones.mtx", ones);
  const auto result = solve({"spd.mtx", "--start", "ones.mtx"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, ContainsRegex("start +ones.mtx\n"));
  EXPECT_THAT(result.out, ContainsRegex("iterations +0\n"));
  test::write_text(folder / "short.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n");
  expect_wrong({"spd.mtx", "--start", "short.mtx"},
               "short.mtx: 1 entries, but spd.mtx has 144 rows");
}

TEST_F(SolveCommand, the_kernel_of_the_products_is_the_named_one) {
  const auto result = solve({"spd.mtx", "--kernel", "csr_two_step"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("kernel csr_two_step"));
  EXPECT_EQ(solve({"spd.mtx", "--kernel", "csr"}).exit_code, 2);
}

TEST_F(SolveCommand, a_right_side_from_a_file_is_solved_to_the_tolerance) {
  const auto a = tests::convection_diffusion({12, 12, 1}, 2.0);
  const auto b = tests::random_values(144, 3);
  test::write_text(folder / "b.mtx", tests::vector_text(b));
  for (const char* method : {"bicg", "bicgstab", "gmres"}) {
    const auto result =
        solve({"convection.mtx", "b.mtx", "--method", method, "--preconditioner", "ssor_sai",
               "--order", "2", "--tolerance", "1e-10", "--output", "x.mtx", "--overwrite"});
    ASSERT_EQ(result.exit_code, 0) << method << ": " << result.err;
    const auto x = tests::read_array(folder / "x.mtx");
    ASSERT_EQ(x.size(), b.size());
    EXPECT_LE(tests::residual_norm(a, b, x), 1e-10 * tests::norm2(b)) << method;
  }
}

TEST_F(SolveCommand, settings_reach_the_preconditioner_and_are_printed) {
  const auto result = solve({"spd.mtx", "--method", "cg", "--preconditioner", "ssor_sai", "--form",
                             "truncated", "--order", "2", "--omega", "0.75", "--alpha", "0.5"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("ssor_sai, form truncated, order 2, omega 0.75, alpha 0.5\n"));
  EXPECT_THAT(solve({"convection.mtx", "--method", "gmres", "--restart", "7"}).out,
              HasSubstr("gmres, restart 7\n"));
  const auto by_itself =
      solve({"spd.mtx", "--method", "cg", "--preconditioner", "ssor_sai", "--omega", "auto"});
  EXPECT_THAT(by_itself.out, HasSubstr("ssor_sai, form factored, order 1, omega auto\n"));
  EXPECT_THAT(by_itself.out, testing::ContainsRegex("made +chosen omega [01].?[0-9]?\n"));
  EXPECT_EQ(solve({"spd.mtx", "--preconditioner", "ssor_sai", "--omega", "much"}).exit_code, 2);
  EXPECT_EQ(
      solve({"spd.mtx", "--preconditioner", "multigrid", "--smoother", "jacobi", "--omega", "auto"})
          .exit_code,
      2);
  EXPECT_THAT(solve({"spd.mtx", "--preconditioner", "multigrid", "--smoother", "jacobi", "--omega",
                     "0.7", "--coarsest-cells", "9"})
                  .out,
              HasSubstr("multigrid, smoother jacobi, cycle v, precision single, smoothings 1, "
                        "coarsest_cells 9, omega 0.7\n"));
}

TEST_F(SolveCommand, the_history_starts_at_the_initial_residual_and_ends_at_the_target) {
  ASSERT_EQ(solve({"spd.mtx", "--history", "history.csv"}).exit_code, 0);
  const auto lines = test::lines_of(folder / "history.csv");
  ASSERT_GT(lines.size(), 5u);
  EXPECT_EQ(lines[0], "iteration,residual");
  EXPECT_EQ(lines[1].substr(0, 2), "0,");
  EXPECT_LT(std::stod(lines.back().substr(lines.back().find(',') + 1)),
            1e-8 * std::stod(lines[1].substr(2)) * 1.01);
}

TEST_F(SolveCommand, a_singular_consistent_system_is_solved_without_its_null_space) {
  const auto result = solve({"neumann.mtx", "--null-space", "constant", "--output", "x.mtx"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("constants, projected out"));
  EXPECT_NEAR(tests::mean(tests::read_array(folder / "x.mtx")), 0.0, 1e-12);
}

// Another method has the same matrix.
TEST_F(SolveCommand, all_methods_that_fail_on_a_singular_matrix_are_told_of_its_null_space) {
  const auto zero_sums = [](double scale) {
    return tests::from_dense({{scale, -scale, 0}, {-scale, 2 * scale, -scale}, {0, -scale, scale}});
  };
  test::write_text(folder / "b.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n1\n1\n");
  for (const double scale : {1.0, 1e-9, 1e9}) {
    write("singular.mtx", zero_sums(scale));
    for (const std::string method : {"cg", "bicg", "bicgstab", "gmres", "gauss"}) {
      const auto result = solve({"singular.mtx", "b.mtx", "--method", method});
      EXPECT_EQ(result.exit_code, 3) << method;
      EXPECT_THAT(result.err, HasSubstr("the rows of A sum to zero, so A is singular: try "
                                        "--null-space constant"))
          << method << " " << scale;
      EXPECT_THAT(result.err, Not(HasSubstr("take gmres"))) << method;
    }
  }
  EXPECT_THAT(solve({"singular.mtx", "b.mtx", "--compare"}).err,
              HasSubstr("pairs has converged; the rows of A sum to zero"));
}

TEST_F(SolveCommand, gauss_counts_columns_as_the_file_does) {
  write("second.mtx", tests::from_dense({{1, 0, 1}, {1, 0, 2}, {3, 0, 1}}));
  EXPECT_THAT(solve({"second.mtx", "--method", "gauss"}).err, HasSubstr("no pivot in column 2;"));
}

TEST_F(SolveCommand, too_few_iterations_end_with_3_and_what_to_try) {
  const auto result =
      solve({"spd.mtx", "--method", "cg", "--max-iterations", "3", "--output", "x.mtx"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.out, ContainsRegex("status +NOT CONVERGED, max_iterations"));
  EXPECT_THAT(result.err, HasSubstr("hodge: not converged: cg + jacobi: max_iterations"));
  EXPECT_THAT(result.err, HasSubstr("--max-iterations"));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
  EXPECT_FALSE(std::filesystem::exists(folder / "x.mtx"));
}

TEST_F(SolveCommand, cg_says_why_it_cannot_solve) {
  auto negative = tests::poisson({5, 5, 1});
  for (double& value : negative.values) value = -value;
  write("negative.mtx", negative);
  const auto result = solve({"negative.mtx", "--method", "cg", "--preconditioner", "none"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("the operator is not positive definite"));
  EXPECT_THAT(result.err, HasSubstr("solve -A x = -b"));
  const auto nonsymmetric = solve({"convection.mtx", "--method", "cg"});
  EXPECT_EQ(nonsymmetric.exit_code, 3);
  EXPECT_THAT(nonsymmetric.err, HasSubstr("the method needs a symmetric operator"));
  EXPECT_THAT(nonsymmetric.err, HasSubstr("bicgstab, gmres"));
}

TEST_F(SolveCommand, a_diagonal_with_holes_is_named_by_row) {
  write("hole.mtx", tests::from_dense({{2, 1, 0}, {1, 0, 1}, {0, 1, 2}}));
  const auto result = solve({"hole.mtx", "--method", "gmres", "--preconditioner", "jacobi"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.out, HasSubstr("(row 2)"));
  EXPECT_THAT(result.out, ContainsRegex("residual +not computed: the set-up failed\n"));
  EXPECT_THAT(result.err, HasSubstr("(row 2)"));
  EXPECT_THAT(result.err, HasSubstr("0 iterations, no residual computed, right side "));
  EXPECT_THAT(result.err, HasSubstr("take --preconditioner none"));
  EXPECT_EQ(solve({"hole.mtx", "--method", "gmres"}).exit_code, 0);
}

TEST_F(SolveCommand, compare_tries_all_pairs_and_sorts_them_by_time) {
  const auto result = solve({"convection.mtx", "--compare", "--csv", "table.csv"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("cg: the matrix is not symmetric"));
  const auto lines = test::lines_of(folder / "table.csv");
  ASSERT_GT(lines.size(), 15u);
  EXPECT_EQ(
      lines[0],
      "method,preconditioner,made,iterations,seconds,setup_seconds,solve_seconds,true_residual,"
      "status");
  const auto all = test::read_text(folder / "table.csv");
  for (const char* part :
       {"bicgstab,none,", "bicgstab,jacobi,", "\"bicg, transpose implicit\",jacobi",
        "\"gmres, restart 30\",none", "\"neumann, degree 2\"",
        "\"ssor_sai, form factored, order 2, omega auto\"",
        "\"ssor_sai, form truncated, order 1, omega auto, alpha 1\""}) {
    EXPECT_THAT(all, HasSubstr(part));
  }
  EXPECT_THAT(lines[1], testing::EndsWith(",converged"));
}

TEST_F(SolveCommand, compare_says_that_multigrid_has_no_grid_and_what_it_does_instead) {
  write("grid.mtx", tests::poisson({20, 20, 1}));
  const auto result = solve({"grid.mtx", "--compare", "--method", "cg", "--csv", "t.csv"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("without a grid: aggregates of rows stand for"));
  EXPECT_THAT(test::read_text(folder / "t.csv"), HasSubstr("\"no grid: aggregates, rows 400, "));
  // Rows without neighbours cannot be joined.
  tests::Entries diagonal;
  for (int i = 0; i < 600; ++i) diagonal[{i, i}] = 1 + i % 7;
  write("diagonal.mtx", tests::from_entries(600, 600, diagonal));
  const auto alone =
      solve({"diagonal.mtx", "--compare", "--method", "cg", "--preconditioner", "multigrid"});
  EXPECT_THAT(alone.out, HasSubstr("no grid, no aggregates: rows 600 by the smoother alone"));
  const auto without = solve({"grid.mtx", "--compare", "--preconditioner", "jacobi"});
  EXPECT_THAT(without.out, Not(HasSubstr("grid:")));
}

TEST_F(SolveCommand, a_fixed_omega_that_is_too_large_for_a_plate_is_named) {
  // The square of [-1, 2, -1], whose entries at distance 2 are positive.
  tests::Entries beam;
  const double couplings[] = {6, -4, 1};
  for (int i = 0; i < 300; ++i)
    for (int j = std::max(0, i - 2); j <= std::min(299, i + 2); ++j)
      beam[{i, j}] = couplings[std::abs(i - j)];
  write("beam.mtx", tests::from_entries(300, 300, beam));
  const auto result = solve({"beam.mtx", "--method", "cg", "--preconditioner", "ssor_sai",
                             "--omega", "1.5", "--max-iterations", "20"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("try --omega auto"));
}

TEST_F(SolveCommand, a_direct_method_takes_no_preconditioner) {
  const auto result = solve({"convection.mtx", "--method", "gauss"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("none (chosen: the method is a direct one)"));
  EXPECT_THAT(result.out, Not(HasSubstr("mean factor")));
  expect_wrong({"spd.mtx", "--method", "gauss", "--preconditioner", "jacobi"},
               "hodge solve: --preconditioner belongs to iterative methods, and gauss is a direct "
               "one; leave it out");
}

TEST_F(SolveCommand, compare_leaves_preconditioners_out_where_the_diagonal_has_holes) {
  write("hole.mtx", tests::from_dense({{2, 1, 0}, {1, 0, 1}, {0, 1, 2}}));
  const auto result = solve({"hole.mtx", "--compare", "--csv", "t.csv"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("preconditioners: 1 diagonal entries are missing, 0 zero"));
  EXPECT_THAT(test::read_text(folder / "t.csv"), Not(HasSubstr("jacobi")));
}

TEST_F(SolveCommand, compare_keeps_to_what_is_named) {
  const auto result = solve({"spd.mtx", "--compare", "--method", "cg", "--preconditioner",
                             "ssor_sai", "--form", "factored", "--omega", "1.5", "--csv", "t.csv"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto lines = test::lines_of(folder / "t.csv");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[1] + lines[2], HasSubstr("order 1, omega 1.5"));
  EXPECT_THAT(lines[1] + lines[2], HasSubstr("order 2, omega 1.5"));
}

TEST_F(SolveCommand, a_comparison_in_which_all_fail_ends_with_3) {
  const auto result = solve({"spd.mtx", "--compare", "--method", "cg", "--max-iterations", "2"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, ContainsRegex("hodge: none of the [0-9]+ pairs has converged"));
  EXPECT_THAT(result.out, HasSubstr("max_iterations"));
}

TEST_F(SolveCommand, unknown_names_get_the_nearest_one) {
  const auto method = solve({"spd.mtx", "--method", "gmrs"});
  EXPECT_EQ(method.exit_code, 2);
  EXPECT_THAT(method.err,
              HasSubstr("--method: unknown solver 'gmrs', did you mean 'gmres'? known: "));
  const auto kind = solve({"spd.mtx", "--preconditioner", "jakobi"});
  EXPECT_EQ(kind.exit_code, 2);
  EXPECT_THAT(kind.err, HasSubstr("unknown preconditioner 'jakobi', did you mean 'jacobi'?"));
}

TEST_F(SolveCommand, settings_of_others_are_refused) {
  expect_wrong({"spd.mtx", "--preconditioner", "jacobi", "--omega", "1.2"},
               "hodge solve: --omega is a setting of ssor_sai and multigrid, not of jacobi; add "
               "--preconditioner ssor_sai or leave --omega out");
  expect_wrong({"spd.mtx", "--order", "2"},
               "hodge solve: --order is a setting of ssor_sai, which is not asked for; add "
               "--preconditioner ssor_sai or leave --order out");
  expect_wrong({"spd.mtx", "--method", "cg", "--restart", "9"},
               "hodge solve: --restart is a setting of gmres, not of cg; add --method gmres or "
               "leave --restart out");
  expect_wrong({"spd.mtx", "--preconditioner", "ssor_sai", "--alpha", "0.5"},
               "hodge solve: --alpha is a setting of form truncated; add --form truncated or "
               "leave --alpha out");
  expect_wrong(
      {"spd.mtx", "--preconditioner", "multigrid", "--smoother", "chebyshev", "--omega", "1.2"},
      "hodge solve: --omega is a setting of smoother ssor_sai or jacobi; add --smoother ssor_sai "
      "or jacobi or leave --omega out");
  expect_wrong({"spd.mtx", "--csv", "t.csv"},
               "hodge solve: --csv takes the table of --compare; add --compare");
  expect_wrong({"spd.mtx", "--compare", "--output", "x.mtx"},
               "hodge solve: --output belongs to a single solve; leave it or --compare out");
}

TEST_F(SolveCommand, a_refused_setting_names_every_method_that_has_it) {
  const auto refusal = [&](const linalg::OptionOfTable& one, const char* chooser,
                           const char* chosen) {
    std::string flag = "--" + one.option.name;
    std::ranges::replace(flag, '_', '-');
    return solve({"spd.mtx", chooser, chosen, flag, one.option.value_text()}).err;
  };
  const auto owners_in = [](const auto& table, const std::string& name) {
    std::string owners;
    for (const auto& entry : table)
      for (const linalg::Option& option : entry.options({}))
        if (option.name == name)
          owners += (owners.empty() ? "" : " and ") + std::string(entry.name);
    return owners;
  };
  for (const auto& one : linalg::preconditioner_options())
    EXPECT_THAT(
        refusal(one, "--preconditioner", "none"),
        HasSubstr(" is a setting of " + owners_in(linalg::preconditioner_table(), one.option.name) +
                  ", not of none; add --preconditioner "));
  for (const auto& one : linalg::solver_options())
    EXPECT_THAT(refusal(one, "--method", "cg"),
                HasSubstr(" is a setting of " + owners_in(linalg::solver_table(), one.option.name) +
                          ", not of cg; add --method "));
}

TEST_F(SolveCommand, values_out_of_range_are_refused_before_the_file_is_read) {
  EXPECT_THAT(solve({"missing.mtx", "--preconditioner", "ssor_sai", "--omega", "2"}).err,
              testing::StartsWith("omega is 2"));
  EXPECT_THAT(solve({"missing.mtx", "--tolerance", "-1"}).err,
              testing::StartsWith("tolerance is -1"));
  EXPECT_THAT(solve({"missing.mtx", "--max-iterations", "0"}).err,
              testing::StartsWith("max_iterations is 0"));
}

TEST_F(SolveCommand, files_that_do_not_fit_are_wrong_input) {
  expect_wrong({"missing.mtx"}, "missing.mtx: cannot be read: No such file or directory");
  write("wide.mtx", tests::from_dense({{1, 2, 3}, {4, 5, 6}}));
  expect_wrong({"wide.mtx"}, "wide.mtx: a 2 x 3 matrix, expected a square one");
  test::write_text(folder / "short.mtx", tests::vector_text({1, 2, 3}));
  expect_wrong({"spd.mtx", "short.mtx"}, "short.mtx: 3 entries, but spd.mtx has 144 rows");
  test::write_text(folder / "bad.mtx",
                   "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 x 1\n");
  const auto bad = solve({"bad.mtx"});
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_THAT(bad.err, testing::StartsWith("bad.mtx:3: "));
}

TEST_F(SolveCommand, inputs_are_never_written_to) {
  const std::string before = test::read_text(folder / "spd.mtx");
  std::filesystem::create_symlink("spd.mtx", folder / "alias.mtx");
  expect_wrong({"spd.mtx", "--output", "./spd.mtx"},
               "./spd.mtx: is an input, expected another file to write to");
  expect_wrong({"spd.mtx", "--output", "alias.mtx"},
               "alias.mtx: is an input, expected another file to write to");
  expect_wrong({"spd.mtx", "--output", "none/x.mtx"}, "none/x.mtx: there is no directory none");
  EXPECT_EQ(test::read_text(folder / "spd.mtx"), before);
}

TEST_F(SolveCommand, small_and_trivial_systems_are_solved) {
  write("one.mtx", tests::from_dense({{4}}));
  const auto result = solve({"one.mtx"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  test::write_text(folder / "zero.mtx", tests::vector_text(std::vector<double>(144, 0.0)));
  EXPECT_EQ(solve({"spd.mtx", "zero.mtx"}).exit_code, 0);
}

}  // namespace
}  // namespace hodge::tools
