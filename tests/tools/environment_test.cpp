// What the program does with the environment that it is started in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "tests/support/paths.hpp"
#include "tests/support/run_hodge.hpp"

namespace hodge::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

struct ShellResult {
  int exit_code = -1;
  std::string text;  // both outputs
};

ShellResult in_shell(const std::string& line) {
  ShellResult said;
  FILE* const pipe = ::popen(("( " + line + " ) 2>&1").c_str(), "r");
  std::array<char, 4096> part{};
  for (std::size_t n = 0; (n = std::fread(part.data(), 1, part.size(), pipe)) > 0;)
    said.text.append(part.data(), n);
  const int status = ::pclose(pipe);
  said.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return said;
}

const std::string hodge_program = tests::program_path().string();

TEST(Environment, a_number_of_threads_that_is_none_is_refused_in_one_line) {
  for (const char* value : {"abc", "", "0", "-1", "+3", "2,", "4x", "99999999999"}) {
    const ShellResult said =
        in_shell(std::string("OMP_NUM_THREADS='") + value + "' " + hodge_program + " --version");
    EXPECT_EQ(said.exit_code, 2) << value;
    EXPECT_EQ(said.text, std::string("OMP_NUM_THREADS is '") + value +
                             "', expected a whole number > 0, such as 4\n");
  }
  for (const char* value : {"1", " 2 ", "4,2,1"}) {
    const ShellResult said =
        in_shell(std::string("OMP_NUM_THREADS='") + value + "' " + hodge_program + " --version");
    EXPECT_EQ(said.exit_code, 0) << value;
    EXPECT_THAT(said.text, Not(HasSubstr("OMP")));
  }
}

TEST(Environment, a_stack_or_an_address_space_that_is_too_small_is_refused_in_one_line) {
  const ShellResult small = in_shell("ulimit -s 64; " + hodge_program + " --version");
  EXPECT_EQ(small.exit_code, 2);
  EXPECT_EQ(small.text,
            "the stack is limited to less than 1024 kB, expected 1024 kB or more (ulimit -s)\n");
  const ShellResult raised = in_shell("ulimit -S -s 64; " + hodge_program + " schemes");
  EXPECT_EQ(raised.exit_code, 0) << raised.text;
  if (in_shell("ldd " + hodge_program).text.find("libopenblas") == std::string::npos)
    GTEST_SKIP() << "built without OpenBLAS";
  for (const char* kilobytes : {"200000", "250000"}) {
    const ShellResult said =
        in_shell(std::string("ulimit -v ") + kilobytes + "; OMP_NUM_THREADS=1 timeout 20 " +
                 hodge_program + " --version");
    EXPECT_EQ(said.exit_code, 2) << kilobytes;
    EXPECT_THAT(said.text, HasSubstr("the address space is limited (ulimit -v)"));
    EXPECT_EQ(std::count(said.text.begin(), said.text.end(), '\n'), 1) << said.text;
  }
}

// SkylakeX has AVX-512, which not every processor has; OpenBLAS takes its default for a name that
// it does not know.
TEST(Environment, a_processor_that_the_blas_cannot_be_is_refused_in_one_line) {
  const std::string libraries = in_shell("ldd " + hodge_program).text;
  const bool is_openblas = libraries.find("libopenblas") != std::string::npos;
  if (!is_openblas && libraries.find("libblis") == std::string::npos)
    GTEST_SKIP() << "built without OpenBLAS and BLIS";
  const std::string cpu = test::read_text("/proc/cpuinfo");
  if (is_openblas && cpu.find("avx512") != std::string::npos) GTEST_SKIP() << "has AVX-512";
  const std::string variable = is_openblas ? "OPENBLAS_CORETYPE" : "BLIS_ARCH_TYPE",
                    value = is_openblas ? "SkylakeX" : "99";
  const ShellResult said = in_shell(variable + "=" + value + " " + hodge_program + " cases");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_THAT(said.text,
              testing::StartsWith(variable + " is '" + value + "', with which the BLAS"));
  EXPECT_EQ(std::count(said.text.begin(), said.text.end(), '\n'), 1);
}

// OpenBLAS takes those of a Pentium 4 for a processor that is newer than OpenBLAS.
TEST(Environment, the_blas_has_kernels_for_the_instructions_of_the_processor) {
  const std::string cpu = test::read_text("/proc/cpuinfo");
  if (in_shell(hodge_program + " --version").text.find("OpenBLAS") == std::string::npos)
    GTEST_SKIP() << "built without OpenBLAS";
  if (cpu.find(" avx2 ") == std::string::npos) GTEST_SKIP() << "a processor without AVX2";
  for (const char* bound : {"unset OMP_PROC_BIND; ", "export OMP_PROC_BIND=true; "}) {
    const std::string start = std::string("unset OPENBLAS_CORETYPE; ") + bound;
    EXPECT_THAT(in_shell(start + hodge_program + " --version").text, Not(HasSubstr("Prescott")));
    EXPECT_THAT(in_shell(start + "OPENBLAS_CORETYPE=Prescott " + hodge_program + " --version").text,
                HasSubstr(" for Prescott"));
  }
}

// A restart must not inherit the core to which OpenMP has bound the first start.
TEST(Environment, bound_threads_have_all_cores) {
#ifdef __clang__
  GTEST_SKIP() << "the OpenMP of Clang begins after that of the BLAS, which has bound the thread";
#endif
  const test::TemporaryDirectory folder;
  test::write_text(folder / "run.yaml",
                   "case: lid_driven_cavity\ngrid: {cells: [8, 8]}\ntime: {end: 1, steps: 1}\n");
  const std::string plan = "cd '" + folder.path().string() + "' && unset OMP_NUM_THREADS; ",
                    line = hodge_program +
                           " run run.yaml --dry-run --device cpu | grep -o '[0-9]* thread'";
  const ShellResult free = in_shell(plan + line);
  EXPECT_THAT(free.text, HasSubstr(" thread"));
  EXPECT_EQ(in_shell(plan + "export OMP_PROC_BIND=true; " + line).text, free.text);
}

TEST(Environment, the_version_names_the_commit_and_the_libraries) {
  const ShellResult said = in_shell(hodge_program + " --version");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_THAT(said.text, testing::ContainsRegex("\ncommit: (unknown|[0-9a-f]{40})"));
  EXPECT_THAT(said.text, testing::ContainsRegex("\nlibraries: BLAS .*VTK [0-9.]+, HDF5 [0-9.]+"));
}

// It starts itself anew where nothing says how threads wait.
TEST(Environment, the_process_has_the_name_of_the_program) {
  const ShellResult said = in_shell(
      "unset GOMP_SPINCOUNT OMP_WAIT_POLICY OMP_PROC_BIND OMP_PLACES; sleep 10 2> /dev/null | " +
      hodge_program +
      " gauss & P=$!; for i in $(seq 200); do N=$(cat /proc/$P/comm); "
      "[ \"$N\" = hodge ] && break; sleep 0.05; done; kill $P; echo \"$N\"");
  EXPECT_EQ(said.text, "hodge\n");
}

TEST(Environment, the_dynamic_loader_may_start_the_program) {
  const std::string loader = "/lib64/ld-linux-x86-64.so.2";
  if (!std::filesystem::exists(loader)) GTEST_SKIP() << "no " << loader;
  const ShellResult said = in_shell(loader + " " + hodge_program + " --version");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_THAT(said.text, testing::StartsWith("hodge "));
}

// Its runs are started by the same loader with the same options.
TEST(Environment, the_dynamic_loader_may_start_a_sweep) {
  const std::string loader = "/lib64/ld-linux-x86-64.so.2";
  if (!std::filesystem::exists(loader)) GTEST_SKIP() << "no " << loader;
  const test::TemporaryDirectory folder;
  test::write_text(folder / "a.yaml",
                   "case: lid_driven_cavity\ngrid: {cells: [8, 8]}\ntime: {end: 1, steps: 1}\n");
  const ShellResult said = in_shell(
      "cd '" + folder.path().string() + "' && unset OMP_NUM_THREADS GOMP_SPINCOUNT; " + loader +
      " --library-path /nowhere " + hodge_program + " sweep a.yaml --over 'grid.cells=[8, 8]'");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("[1/1] cells=8x8: stopped after 1 steps"));
  const std::string summary = test::read_text(folder / "output/a_sweep/cells=8x8/summary.json");
  EXPECT_THAT(summary, HasSubstr(loader + " --library-path /nowhere /"));
}

TEST(Environment, a_limit_on_the_size_of_files_is_an_error_of_writing) {
  const test::TemporaryDirectory folder;
  test::write_text(folder / "run.yaml", R"(
case: lid_driven_cavity
grid: {cells: [48, 48]}
time: {end: 1, steps: 20, step: {size: 0.01}}
output: {frames: {every: 0.05}, checkpoint: {every: 0.01}}
device: cpu
)");
  const ShellResult said = in_shell("cd '" + folder.path().string() + "' && ulimit -f 4 && " +
                                    hodge_program + " run run.yaml --output out --quiet");
  EXPECT_EQ(said.exit_code, 4) << said.text;
  EXPECT_THAT(said.text, HasSubstr("File too large"));
}

// A folder in which someone else may have put a module of the name of one that is imported.
TEST(Environment, no_python_module_comes_from_the_present_folder) {
  const test::TemporaryDirectory folder;
  for (const char* name : {"numpy.py", "matplotlib.py", "json.py", "scipy.py"})
    test::write_text(folder / name, "open('executed', 'w').write('')\n");
  test::write_text(folder / "run.yaml",
                   "case: kovasznay\ngrid: {cells: [8, 8]}\ntime: {end: 1, steps: 1}\n");
  (void)in_shell("cd '" + folder.path().string() + "' && " + hodge_program +
                 " bench spmv --quick --only poisson_2d_64 --output b");
  EXPECT_FALSE(std::filesystem::exists(folder / "executed"));
  const std::string script = (tests::source_dir() / "tools/run.sh").string();
  const std::string calls = test::read_text(script);
  for (std::size_t at = calls.find("python3 "); at != std::string::npos;
       at = calls.find("python3 ", at + 1))
    EXPECT_EQ(calls.substr(at, 10), "python3 -I") << calls.substr(at, 60);
}

// Eight times as many take about 8 times as long; where each looks at all, 64 times.
TEST(Environment, many_parameters_are_read_in_time_that_grows_as_they_do) {
  const auto seconds_of = [](int count) {
    const test::TemporaryDirectory folder;
    std::string text = "case: custom\ngrid: {cells: [8, 8]}\nfluid: {viscosity: p" +
                       std::to_string(count - 1) +
                       "}\ntime: {end: 1, step: {max: 0.1}}\nparameters:\n  p0: 1e-6\n";
    for (int i = 1; i < count; ++i)
      text += "  p" + std::to_string(i) + ": p" + std::to_string(i - 1) + " + 1e-6\n";
    test::write_text(folder / "f.yaml", text);
    const test::ProgramResult result = test::run_hodge({"check", "f.yaml"}, folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.cpu_seconds;
  };
  EXPECT_LT(seconds_of(45000), 32 * std::max(seconds_of(5625), 0.02));
}

}  // namespace
}  // namespace hodge::tools
