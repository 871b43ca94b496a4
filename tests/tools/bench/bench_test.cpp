#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/matrix_files.hpp"
#include "tests/support/run_hodge.hpp"
#include "tools/hodge/bench/experiment.hpp"

namespace hodge::tools::bench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// Runs an experiment with --quick on the CPU and returns its JSON.
json quick(const std::string& name, const std::vector<std::string>& more = {}) {
  const test::TemporaryDirectory folder;
  std::vector<std::string> arguments{"bench", name,       "--quick", "--device",
                                     "cpu",   "--output", "results"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const auto result = test::run_hodge(arguments, folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(std::filesystem::exists(folder / ("results/" + name + ".md")));
  const json data = json::parse(test::read_text(folder / ("results/" + name + ".json")));
  EXPECT_EQ(data.at("experiment"), name);
  EXPECT_EQ(data.at("quick"), true);
  EXPECT_EQ(data.at("precision"), "double");
  EXPECT_EQ(data.at("devices").size(), 1u);
  EXPECT_GT(data.at("devices")[0].at("copy_bytes_per_second").get<double>(), 0);
  for (const auto& [table, content] : data.at("tables").items()) {
    EXPECT_FALSE(content.at("rows").empty()) << table;
    const auto lines = test::lines_of(folder / ("results/" + name + "_" + table + ".csv"));
    EXPECT_EQ(lines.size(), 1 + content.at("rows").size()) << table;
  }
  return data;
}

std::set<std::string> values_of(const json& rows, const char* key) {
  std::set<std::string> values;
  for (const json& row : rows) values.insert(row.at(key));
  return values;
}

TEST(Bench, spmv_measures_every_kernel_on_every_matrix_that_it_suits) {
  const json data = quick("spmv");
  EXPECT_TRUE(data.at("yardsticks").contains("cuSPARSE"));
  const json rows = data.at("tables").at("products").at("rows");
  const auto kernels = values_of(rows, "kernel"), matrices = values_of(rows, "matrix");
  EXPECT_EQ(kernels.count("csr_scalar") + kernels.count("automatic"), 2u);
  EXPECT_GE(matrices.size(), 4u);
  std::map<std::string, std::set<std::string>> measured;  // matrices, by kernel
  for (const json& row : rows) {
    EXPECT_GT(row.at("share_of_copy").get<double>(), 0) << row;
    EXPECT_TRUE(measured[row.at("kernel")].insert(row.at("matrix")).second) << row;
  }
  for (const auto& [kernel, of] : measured) {
    if (kernel != "csr_diagonals") {
      EXPECT_EQ(of, matrices) << kernel;
    }
  }
  EXPECT_EQ(measured.at("csr_diagonals").count("poisson_2d_64"), 1u);
  EXPECT_EQ(measured.at("csr_diagonals").count("circuit_2000"), 0u);
}

TEST(Bench, spmv_runs_on_other_matrices_too) {
  const test::TemporaryDirectory folder;
  test::write_text(folder / "mine.mtx", tests::matrix_market_text(tests::poisson({9, 9, 1})));
  test::write_text(folder / "broken.mtx", "nonsense\n");
  const json data = quick("spmv", {"--matrices", folder.path().string()});
  const auto matrices = values_of(data.at("tables").at("products").at("rows"), "matrix");
  EXPECT_EQ(matrices.count("mine"), 1u);
  EXPECT_EQ(matrices.count("broken"), 0u);
  EXPECT_THAT(data.at("notes").dump(), HasSubstr("broken is left out: "));
}

TEST(Bench, ssor_sai_sweeps_builds_and_solves) {
  const json data = quick("ssor_sai");
  const json tables = data.at("tables");
  const json sweep = tables.at("sweep").at("rows");
  const auto is_poisson = [](const json& row) {
    return row.at("matrix") == "poisson_2d_24_neumann";
  };
  // cg alone, then both orders: 3 omegas of each form, auto, and omega 0.8 with 2 alphas.
  EXPECT_EQ(std::count_if(sweep.begin(), sweep.end(), is_poisson), 1 + 2 * (3 + 3 + 2 + 2));
  int plain = 0, best = 1000;
  for (const json& row : sweep) {
    if (!is_poisson(row)) continue;
    if (row.at("preconditioner") == "none") plain = row.at("iterations");
    if (row.at("converged").get<bool>()) best = std::min(best, row.at("iterations").get<int>());
    EXPECT_EQ(row.contains("reason"), !row.at("converged").get<bool>()) << row;
    EXPECT_EQ(row.contains("made"), row.value("omega", json()) == "auto") << row;
  }
  EXPECT_LT(3 * best, 2 * plain);
  for (const json& row : tables.at("build").at("rows")) {
    if (row.contains("difference_from_scipy")) {
      EXPECT_LT(row.at("difference_from_scipy").get<double>(), 1e-10) << row;
    }
  }
  const json built = tables.at("build").at("rows");
  EXPECT_TRUE(std::any_of(built.begin(), built.end(),
                          [](const json& row) { return row.at("alpha") == 0.9; }));
  std::map<std::string, std::vector<int>> of_files;  // iterations, in the order of the rows
  for (const json& row : tables.at("solve").at("rows"))
    if (row.at("of") == "file") of_files[row.at("matrix")].push_back(row.at("iterations"));
  EXPECT_EQ(of_files.size(), 2u) << "bcsstk01 and nos4 alone are symmetric positive definite";
  for (const auto& [matrix, iterations] : of_files) {
    ASSERT_EQ(iterations.size(), 5u) << matrix;  // alone; M1 and M2, omega chosen and then given
    EXPECT_LT(iterations[1], iterations[0]) << matrix;
    EXPECT_EQ(iterations[1], iterations[2]) << matrix;
    EXPECT_EQ(iterations[3], iterations[4]) << matrix;
  }
  EXPECT_TRUE(tables.contains("alignment"));
}

TEST(Bench, gmres_measures_cycles_and_keeps_histories) {
  const json data = quick("gmres");
  const json rows = data.at("tables").at("cycles").at("rows");
  std::set<int> lengths;
  for (const json& row : rows) lengths.insert(row.at("m").get<int>());
  EXPECT_EQ(lengths, (std::set<int>{8, 16, 32}));
  const json history = data.at("series").at("histories").at("poisson_2d_32_random").at("cpu");
  ASSERT_GT(history.size(), 10u);
  EXPECT_EQ(history[0].get<double>(), 1.0);
  EXPECT_LT(history.back().get<double>(), 1.0);
}

TEST(Bench, transpose_measures_atomics_and_the_explicit_transpose) {
  const json rows = quick("transpose").at("tables").at("products").at("rows");
  for (const char* key : {"build_ms", "refresh_ms", "explicit_ms", "atomic_csr_ms", "atomic_coo_ms",
                          "exchanged_coo_ms"}) {
    for (const json& row : rows) EXPECT_GT(row.at(key).get<double>(), 0) << key;
  }
}

TEST(Bench, gauss_solves_accurately) {
  const json data = quick("gauss");
  EXPECT_TRUE(data.at("yardsticks").contains("LAPACK"));
  const json tables = data.at("tables");
  for (const json& row : tables.at("dense").at("rows")) {
    EXPECT_LT(row.at("scaled_residual").get<double>(), 16) << row;
  }
  EXPECT_TRUE(tables.contains("batched"));
}

TEST(Bench, krylov_measures_iterations_beside_a_yardstick_or_says_why_not) {
  const json data = quick("krylov");
  const std::string yardstick = data.at("yardsticks").at("SciPy, one core");
  EXPECT_TRUE(yardstick == "measured" || yardstick.rfind("absent: ", 0) == 0) << yardstick;
  std::set<std::string> methods;
  for (const json& row : data.at("tables").at("iterations").at("rows")) {
    EXPECT_GT(row.at("ms_an_iteration").get<double>(), 0) << row;
    if (row.at("by") != "hodge") continue;
    methods.insert(row.at("method").get<std::string>() + " " +
                   row.at("preconditioner").get<std::string>());
    EXPECT_EQ(row.at("iterations"), 60) << row;
    EXPECT_GT(row.at("bytes_a_row").get<double>(), 100) << row;
    EXPECT_GT(row.at("share_of_copy").get<double>(), 0) << row;
    EXPECT_GT(row.at("device_megabytes").get<double>(), row.at("solver_megabytes").get<double>());
  }
  EXPECT_EQ(methods,
            (std::set<std::string>{"cg none", "cg jacobi", "bicgstab none", "gmres(30) none"}));
}

TEST(Bench, step_splits_the_time_of_whole_steps) {
  const json data = quick("step");
  const json rows = data.at("tables").at("steps").at("rows");
  std::set<std::string> flows;
  for (const json& row : rows) {
    flows.insert(row.at("case").get<std::string>() + " " + row.at("scheme").get<std::string>());
    double parts = 0;
    for (const char* part : {"assembly", "transport", "pressure", "diagnostics", "other"})
      parts += row.at(part + std::string("_ms")).get<double>();
    EXPECT_NEAR(parts, row.at("ms_a_step").get<double>(), 1e-9) << row;
    EXPECT_GT(row.at("pressure_iterations").get<double>(), 0) << row;
    EXPECT_EQ(row.contains("transport_iterations"),
              row.at("scheme") == "bdf2" || row.at("scheme") == "cn_ab2")
        << row;
    EXPECT_GT(row.at("share_of_copy").get<double>(), 0) << row;
    // Fields, matrices and vectors of a small grid with its ghosts.
    EXPECT_GT(row.at("memory_bytes_a_cell").get<double>(), 300) << row;
    EXPECT_LT(row.at("memory_bytes_a_cell").get<double>(), 30000) << row;
  }
  EXPECT_EQ(flows,
            (std::set<std::string>{"taylor_green_3d bdf2", "taylor_green_3d rk3",
                                   "taylor_green_3d ab2", "taylor_green_3d cn_ab2", "channel rk3",
                                   "channel_wale rk3", "channel_dynamic rk3", "heated_cavity rk3",
                                   "sphere rk3", "sharp_sphere rk3", "lid_driven_cavity bdf2"}));
  // Taylor-Green by bdf2, periodic, 7 entries a row: assembly moves 10 values of fields, 3 x (7
  // entries + right side), u* and the right side of the pressure, of 8 bytes each.
  const json& first = rows[0];
  const double copy = data.at("devices")[0].at("copy_bytes_per_second").get<double>();
  EXPECT_NEAR(first.at("assembly_share").get<double>() * 1e-3 *
                  first.at("assembly_ms").get<double>() * copy / (8 * 8 * 8),
              8 * (10 + 3 * 8 + 4), 1e-6);
}

TEST(Bench, accuracy_tells_the_error_of_the_grid_from_that_of_the_step) {
  const json data = quick("accuracy");
  std::map<std::string, double> errors;  // "taylor_green 16 x 16 rk3 0.4"
  for (const json& row : data.at("tables").at("runs").at("rows"))
    errors[fmt::format("{} {} {} {:g}", row.at("case").get<std::string>(),
                       row.at("grid").get<std::string>(), row.at("scheme").get<std::string>(),
                       row.at("cfl").get<double>())] = row.at("error").get<double>();
  EXPECT_EQ(errors.size(), 2u * 2u * 5u * 3u);
  // Of second order on the grid, whatever the step of rk3; the step of backward Euler is seen.
  EXPECT_NEAR(errors.at("taylor_green 16 x 16 rk3 0.4") / errors.at("taylor_green 32 x 32 rk3 0.4"),
              4, 0.3);
  EXPECT_NEAR(errors.at("taylor_green 32 x 32 rk3 1.6"), errors.at("taylor_green 32 x 32 rk3 0.4"),
              1e-2 * errors.at("taylor_green 32 x 32 rk3 0.4"));
  EXPECT_GT(errors.at("taylor_green 32 x 32 backward_euler 3.2"),
            2 * errors.at("taylor_green 32 x 32 backward_euler 0.8"));
  EXPECT_GT(errors.at("heated_cavity 16 x 16 rk3 0.4"),
            3 * errors.at("heated_cavity 32 x 32 rk3 0.4"));
  int sentences = 0;
  for (const json& note : data.at("notes"))
    if (note.get<std::string>().find("the grid alone has an error") != std::string::npos)
      ++sentences;
  EXPECT_EQ(sentences, 4);
}

TEST(Bench, only_the_named_sizes_run) {
  const json rows = quick("step", {"--only", "driven"}).at("tables").at("steps").at("rows");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].at("case"), "lid_driven_cavity");
  const test::TemporaryDirectory folder;
  const auto none = test::run_hodge(
      {"bench", "step", "--quick", "--device", "cpu", "--only", "river"}, folder.path());
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("--only river: no size, case or matrix of step has this"));
}

TEST(Bench, output_writes_frames_of_both_precisions_and_leaves_none) {
  const json data = quick("output");
  const json rows = data.at("tables").at("frames").at("rows");
  EXPECT_EQ(values_of(rows, "precision"), (std::set<std::string>{"single", "double"}));
  for (const json& row : rows) {
    const double bytes = row.at("precision") == "single" ? 4 : 8;
    EXPECT_EQ(row.at("megabytes"), 1e-6 * 4 * 512 * bytes);
    EXPECT_GT(row.at("file_megabytes").get<double>(), 0);
    EXPECT_GT(row.at("seconds_a_frame").get<double>(), 0);
    EXPECT_GT(row.at("plain_seconds").get<double>(), 0);
  }
}

TEST(Bench, every_experiment_is_known_by_name) {
  for (const Experiment& experiment : experiment_table()) {
    EXPECT_EQ(find_experiment(experiment.name), &experiment);
  }
  EXPECT_EQ(find_experiment("nothing"), nullptr);
}

TEST(Bench, wrong_input_is_one_line) {
  const test::TemporaryDirectory empty;
  const auto wrong = [&](const std::vector<std::string>& arguments, const std::string& text) {
    const auto result = test::run_hodge(arguments, empty.path());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_THAT(result.err, HasSubstr(text));
  };
  wrong({"bench", "spmw"}, "unknown experiment 'spmw', did you mean 'spmv'? known: ");
  wrong({"bench", "--device", "gpu"}, "expected auto, cpu, cuda or cuda:N, not 'gpu'");
  wrong({"bench", "spmv", "--matrices", "nowhere"},
        "--matrices nowhere: there is no such directory");
  wrong({"bench", "--against", "nowhere.json"}, "--against nowhere.json: there is no such file");
  EXPECT_TRUE(std::filesystem::is_empty(empty.path()));
}

}  // namespace
}  // namespace hodge::tools::bench
