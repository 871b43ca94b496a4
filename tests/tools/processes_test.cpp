// The program as one of several processes: what it says, and how all of them end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/matrix_files.hpp"
#include "tests/support/program_in_processes.hpp"

namespace hodge::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

using tests::mpiexec;
using tests::Processes;

constexpr char as_first_of_two[] = "OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 ";

// A copy of the program has no module beside it.
TEST_F(Processes, without_the_module_one_line_says_how_to_build_it) {
  const auto first = shell("mkdir bin && cp \"$H\" bin/hodge && " + std::string(as_first_of_two) +
                           "bin/hodge solve a.mtx");
  EXPECT_EQ(first.exit_code, 2);
  EXPECT_EQ(first.out, "");
  EXPECT_THAT(first.err, StartsWith("2 processes were started (Open MPI), but this program has no "
                                    "MPI: build it with tools/run.sh --parallel"));
  EXPECT_THAT(first.err, HasSubstr("libhodge_mpi.so"));
  EXPECT_EQ(std::count(first.err.begin(), first.err.end(), '\n'), 1);
}

TEST_F(Processes, a_module_that_cannot_be_loaded_is_told_as_such) {
  test::write_text(folder / "short.so",
                   "\x7f"
                   "ELF");
  const auto whole =
      tests::program_path().parent_path().parent_path() / "lib/hodge/libhodge_mpi.so";
  const std::string bytes = std::filesystem::exists(whole) ? test::read_text(whole) : "no module";
  test::write_text(folder / "cut.so", bytes.substr(0, bytes.size() / 2));
  for (const std::string module : {"/nowhere/m.so", "./short.so", "./cut.so"}) {
    const auto result =
        shell(as_first_of_two + ("HODGE_MPI_MODULE=" + module) + " \"$H\" solve a.mtx");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, StartsWith("2 processes were started (Open MPI), but the MPI module "
                                       "cannot be loaded: " +
                                       module + ": "));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

TEST_F(Processes, a_library_that_is_no_module_is_refused) {
  const auto result =
      shell(std::string(as_first_of_two) + "HODGE_MPI_MODULE=libc.so.6 \"$H\" solve a.mtx");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("another version of hodge"));
}

TEST_F(Processes, the_version_says_which_mpi_a_run_would_take_or_why_none) {
  const auto version_with = [&](const std::string& module) {
    return shell("HODGE_MPI_MODULE=" + module + " \"$H\" --version").out;
  };
  EXPECT_THAT(version_with("/nowhere/m.so"),
              HasSubstr("\nMPI: no, /nowhere/m.so: cannot open shared object file"));
  EXPECT_THAT(version_with("libc.so.6"),
              HasSubstr("\nMPI: no, libhodge_mpi.so belongs to another version of hodge\n"));
  EXPECT_THAT(shell("\"$H\" --version").out,
              testing::ContainsRegex(mpiexec.empty() ? "\nMPI: no, built without it\n"
                                                     : "\nMPI: yes, [A-Z].* [0-9.]+\n"));
}

TEST_F(Processes, a_launcher_of_one_process_changes_nothing) {
  const auto result =
      shell("OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0 HODGE_MPI_MODULE=/nowhere \"$H\" cases");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("lid_driven_cavity"));
}

TEST_F(Processes, a_command_for_one_process_is_refused_once_and_creates_nothing) {
  HODGE_NEEDS_MPI();
  for (const std::string command : {"sweep x.yaml --over time.end=1,2", "gauss", "cases"}) {
    const auto result = in_processes(2, command + " < /dev/null");
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_EQ(result.out, "");
    const std::string name = command.substr(0, command.find(' '));
    EXPECT_THAT(result.err,
                AllOf(StartsWith("hodge " + name +
                                 ": runs in one process only so far, and 2 were "
                                 "started ("),
                      HasSubstr("; commands for several processes: run, compare, study, validate, "
                                "solve, bench\n")));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_TRUE(is_empty());
  }
}

// Without MPI nobody can be asked whether all were started alike.
TEST_F(Processes, the_version_is_printed_without_the_module) {
  const auto result =
      shell(std::string(as_first_of_two) + "HODGE_MPI_MODULE=/nowhere/m.so \"$H\" --version");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\nMPI: no, /nowhere/m.so: "));
}

TEST_F(Processes, only_the_first_one_prints_the_version_and_what_is_wrong) {
  HODGE_NEEDS_MPI();
  const auto version = in_processes(2, "--version");
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out, shell("\"$H\" --version").out);
  const auto wrong = in_processes(3, "solve a.mtx --method gmrs");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("unknown solver 'gmrs'"));
  EXPECT_EQ(std::count(wrong.err.begin(), wrong.err.end(), '\n'), 1) << wrong.err;
}

TEST_F(Processes, wrong_input_that_is_found_after_the_start_ends_all_with_one_line) {
  HODGE_NEEDS_MPI();
  const auto missing = in_processes(3, "solve missing.mtx");
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_EQ(missing.out, "");
  EXPECT_EQ(missing.err, "missing.mtx: cannot be read: No such file or directory\n");
  const auto setting = in_processes(2, "solve a.mtx --tolerance -1");
  EXPECT_EQ(setting.exit_code, 2);
  EXPECT_THAT(setting.err, StartsWith("tolerance is -1"));
  EXPECT_EQ(std::count(setting.err.begin(), setting.err.end(), '\n'), 1) << setting.err;
}

// The lines of a report that do not depend on the number of processes or on the clock.
std::string comparable(const std::string& report) {
  std::string kept;
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("device ") && !line.starts_with("processes ") &&
        !line.starts_with("time "))
      kept += line + "\n";
  return kept;
}

class SolvesByProcesses : public Processes {
 protected:
  void write_matrix(const std::string& name, const tests::HostMatrix& matrix) {
    test::write_text(folder / name, tests::matrix_market_text(matrix));
  }
  void expect_the_bits_of_one(const std::string& arguments, const std::vector<int>& counts) {
    SCOPED_TRACE(arguments);
    const auto alone =
        shell("\"$H\" " + arguments + " --overwrite --output x1.mtx --history h1.csv");
    ASSERT_EQ(alone.exit_code, 0) << alone.err;
    for (const int count : counts) {
      const auto shared =
          in_processes(count, arguments + " --overwrite --output x.mtx --history h.csv");
      ASSERT_EQ(shared.exit_code, 0) << shared.err;
      EXPECT_EQ(shared.err, "");
      std::string text = comparable(shared.out), expected = comparable(alone.out);
      for (std::string* report : {&text, &expected}) {  // the names of the files differ
        const std::size_t history = report->find("\nhistory ");
        ASSERT_NE(history, std::string::npos);
        report->resize(history);
      }
      EXPECT_EQ(text, expected) << count;
      EXPECT_THAT(shared.out, HasSubstr("processes       " + std::to_string(count) + "\n"));
      EXPECT_EQ(test::read_text(folder / "x.mtx"), test::read_text(folder / "x1.mtx")) << count;
      EXPECT_EQ(test::read_text(folder / "h.csv"), test::read_text(folder / "h1.csv")) << count;
    }
  }
};

TEST_F(SolvesByProcesses, have_the_bits_of_one) {
  HODGE_NEEDS_MPI();
  write_matrix("spd.mtx", tests::poisson({30, 31, 1}));
  write_matrix("conv.mtx", tests::convection_diffusion({25, 20, 1}, 2.0));
  for (const char* arguments :
       {"solve spd.mtx --device cpu", "solve conv.mtx --method gmres --device cpu"})
    expect_the_bits_of_one(arguments, {2, 3, 4});
}

// A small system is solved by each GPU as a whole, a large one by all together.
TEST_F(SolvesByProcesses, have_the_bits_of_one_Cuda) {
  HODGE_NEEDS_MPI();
  HODGE_NEEDS_GPU();
  write_matrix("conv.mtx", tests::convection_diffusion({25, 20, 1}, 2.0));
  write_matrix("large.mtx", tests::poisson({700, 640, 1}));
  for (const char* arguments :
       {"solve conv.mtx --method gmres --device cuda",
        "solve large.mtx --device cuda --preconditioner ssor_sai --tolerance 1e-3",
        "solve large.mtx --device cuda --preconditioner multigrid --tolerance 1e-6"})
    expect_the_bits_of_one(arguments, {2, 3});
}

TEST_F(Processes, a_system_of_fewer_rows_than_a_piece_is_solved) {
  HODGE_NEEDS_MPI();
  test::write_text(folder / "tiny.mtx", tests::matrix_market_text(tests::poisson({3, 2, 1})));
  const auto result = in_processes(4, "solve tiny.mtx --output x.mtx");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const double value : tests::read_array(folder / "x.mtx")) EXPECT_NEAR(value, 1.0, 1e-6);
}

TEST_F(Processes, a_solve_that_does_not_converge_ends_all_with_one_line) {
  HODGE_NEEDS_MPI();
  test::write_text(folder / "spd.mtx", tests::matrix_market_text(tests::poisson({12, 12, 1})));
  const auto result = in_processes(3, "solve spd.mtx --max-iterations 2");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, StartsWith("hodge: not converged: "));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

// Process 0 waits for the start of the one that fails.
TEST_F(Processes, an_error_of_another_one_ends_all_and_names_it) {
  HODGE_NEEDS_MPI();
  test::write_text(folder / "spd.mtx", tests::matrix_market_text(tests::poisson({12, 12, 1})));
  const auto result = launch(mpiexec +
                             " -n 1 \"$H\" solve spd.mtx : -n 1 env HODGE_MPI_MODULE=/nowhere/m.so "
                             "\"$H\" solve spd.mtx : -n 1 \"$H\" solve spd.mtx");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(StartsWith("rank 1: 3 processes were started ("),
                                HasSubstr("cannot be loaded: /nowhere/m.so: ")));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

TEST_F(Processes, what_is_not_parallel_or_not_here_is_refused) {
  HODGE_NEEDS_MPI();
  test::write_text(folder / "spd.mtx", tests::matrix_market_text(tests::poisson({12, 12, 1})));
  for (const auto& [option, error] : {std::pair{"--device cuda:99", "device 'cuda:99': "},
                                      {"--compare", "hodge solve: --compare"}}) {
    const auto result = in_processes(2, std::string("solve spd.mtx ") + option);
    EXPECT_EQ(result.exit_code, 2) << option;
    EXPECT_THAT(result.err, StartsWith(error)) << option;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

}  // namespace
}  // namespace hodge::tools
