// Runs the program as several processes, by the mpirun that it was built with.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

#include "linalg/space/space.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/run_hodge.hpp"
#include "tests/support/yaml_files.hpp"

#ifndef HODGE_MPIEXEC
#define HODGE_MPIEXEC ""
#endif

namespace hodge::tests {

inline const std::string mpiexec = HODGE_MPIEXEC;

// Without what mpirun adds when a process ends with an error: blocks between lines of `---`.
inline std::string without_mpirun(const std::string& text) {
  std::string own;
  std::istringstream lines(text);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("-----"))
      inside = !inside;
    else if (!inside && !line.empty() && !line.starts_with("["))
      own += line + "\n";
  }
  return own;
}

class Processes : public testing::Test {
 protected:
  // A shell line in which $H is the program, run in the folder of the test.
  test::ProgramResult shell(const std::string& line) {
    const std::string program = program_path().string();
    const std::string whole = "cd '" + folder.path().string() + "' && export H='" + program +
                              "' && ( " + line + " ) > out.txt 2> err.txt";
    const int status = std::system(whole.c_str());
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    const test::ProgramResult result{code, test::read_text(folder / "out.txt"),
                                     without_mpirun(test::read_text(folder / "err.txt"))};
    std::filesystem::remove(folder / "out.txt");
    std::filesystem::remove(folder / "err.txt");
    return result;
  }
  test::ProgramResult in_processes(int count, const std::string& arguments) {
    return launch(mpiexec + " -n " + std::to_string(count) + " \"$H\" " + arguments);
  }
  // More processes than cores, as root. mpirun ends with an error where they wait for ever.
  test::ProgramResult launch(const std::string& line) {
    return shell(
        "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 MPIEXEC_TIMEOUT=300 "
        "OMPI_MCA_rmaps_base_oversubscribe=true "
        "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe "
        "OMPI_MCA_btl_vader_single_copy_mechanism=none ASAN_OPTIONS=detect_leaks=0; "
        "unset OMP_NUM_THREADS; " +
        line);
  }
  bool is_empty() const { return std::filesystem::is_empty(folder.path()); }

  test::TemporaryDirectory folder;
};

// Runs of x.yaml.
class RunsOfOneFile : public Processes {
 protected:
  void write(const std::string& yaml) { test::write_text(folder / "x.yaml", yaml); }
  void expect_run(int count, const std::string& arguments) {
    const auto result = in_processes(count, "run x.yaml --quiet " + arguments);
    ASSERT_EQ(result.exit_code, 0) << count << " processes: " << result.err;
    EXPECT_EQ(result.out + result.err, "");
  }
};

#define HODGE_NEEDS_MPI() \
  if (::hodge::tests::mpiexec.empty()) GTEST_SKIP() << "built without MPI"

inline bool has_gpu() {
#if HODGE_HAS_CUDA
  return linalg::Cuda::device_count() > 0;
#else
  return false;
#endif
}

#define HODGE_NEEDS_GPU() \
  if (!tests::has_gpu()) GTEST_SKIP() << "no usable GPU on this machine"

}  // namespace hodge::tests
