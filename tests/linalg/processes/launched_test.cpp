#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/processes/all_processes.hpp"
#include "tests/support/expect_error.hpp"

namespace hodge::linalg {
namespace {

// Environment variables for one test; the tests may have been started by a launcher themselves.
class Launched : public testing::Test {
 protected:
  Launched() {
    for (const char* name :
         {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE",
          "MV2_COMM_WORLD_RANK", "PMI_SIZE", "PMI_RANK", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID",
          "SLURM_NTASKS", "PMIX_RANK", "HODGE_MPI_MODULE", "OMPI_COMM_WORLD_LOCAL_SIZE",
          "MV2_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}) {
      const char* const value = std::getenv(name);
      before_[name] = value == nullptr ? std::nullopt : std::optional<std::string>(value);
      ::unsetenv(name);
    }
  }
  ~Launched() override {
    for (const auto& [name, value] : before_)
      value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
  }
  void set(const std::vector<std::pair<const char*, const char*>>& variables) {
    for (const auto& [name, value] : variables) ::setenv(name, value, 1);
  }

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

TEST_F(Launched, without_a_launcher_there_is_one_process) {
  const Launch launch = launched_processes();
  EXPECT_EQ(launch.size, 1);
  EXPECT_EQ(launch.rank, 0);
  EXPECT_FALSE(launch.several());
}

TEST_F(Launched, processes_of_this_machine_are_those_that_the_launcher_counts_or_all) {
  set({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "3"}});
  EXPECT_EQ(launched_processes().on_machine, 4);
  set({{"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}});
  EXPECT_EQ(launched_processes().on_machine, 2);
}

TEST_F(Launched, every_launcher_is_recognised_by_its_variables) {
  const std::vector<std::pair<const char*, const char*>> launchers{
      {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
      {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"},
      {"PMI_SIZE", "PMI_RANK"},
      {"SLURM_STEP_NUM_TASKS", "PMIX_RANK"}};
  for (const auto& [size, rank] : launchers) {
    set({{size, "4"}, {rank, "3"}});
    const Launch launch = launched_processes();
    EXPECT_EQ(launch.size, 4) << size;
    EXPECT_EQ(launch.rank, 3) << size;
    EXPECT_TRUE(launch.several());
    ::unsetenv(size);
    ::unsetenv(rank);
  }
}

TEST_F(Launched, mpirun_within_a_slurm_job_counts) {
  set({{"SLURM_STEP_NUM_TASKS", "2"}, {"PMIX_RANK", "5"}});
  set({{"OMPI_COMM_WORLD_SIZE", "8"}, {"OMPI_COMM_WORLD_RANK", "5"}});
  EXPECT_EQ(launched_processes().size, 8);
}

TEST_F(Launched, the_batch_script_of_a_slurm_job_is_one_process) {
  set({{"SLURM_NTASKS", "16"}, {"SLURM_PROCID", "0"}});
  EXPECT_FALSE(launched_processes().several());
}

TEST_F(Launched, values_that_no_launcher_sets_are_refused) {
  set({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "4"}});
  EXPECT_THROW(launched_processes(), ConfigError);
  set({{"OMPI_COMM_WORLD_SIZE", "four"}, {"OMPI_COMM_WORLD_RANK", "0"}});
  EXPECT_THROW(launched_processes(), ConfigError);
  set({{"OMPI_COMM_WORLD_SIZE", "4x"}});
  EXPECT_THROW(launched_processes(), ConfigError);
  set({{"OMPI_COMM_WORLD_SIZE", "-4"}});
  EXPECT_THROW(launched_processes(), ConfigError);
}

TEST_F(Launched, a_named_module_that_cannot_be_loaded_is_told_as_such) {
  const Launch launch{2, 0, "Open MPI"};
  for (const char* file : {"/nowhere/libhodge_mpi.so", "/proc/self/exe"}) {
    ::setenv("HODGE_MPI_MODULE", file, 1);
    try {
      start_all_processes(launch);
      ADD_FAILURE() << "expected an error for " << file;
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), testing::StartsWith("2 processes were started (Open MPI), but the "
                                                    "MPI module cannot be loaded: "));
      EXPECT_THAT(error.what(), testing::HasSubstr(file));
    }
  }
}

TEST_F(Launched, without_a_start_all_processes_are_this_one) {
  EXPECT_EQ(&all_processes(), &one_process());
}

TEST(FairThreads, processes_on_the_same_cores_divide_them) {
  const int alone = fair_threads(one_process());
  EXPECT_GE(alone, 1);
  // Stands for `size` processes that all say the same as this one.
  class Copies : public Communicator {
   public:
    explicit Copies(int size) : size_(size) {}
    int rank() const override { return 0; }
    int size() const override { return size_; }
    void sum(std::span<std::int64_t>) override {}
    void maximum(std::span<double>) override {}
    void broadcast(std::span<std::byte>, int) override {}
    void gather(std::span<const std::byte> own, std::span<std::byte> all,
                std::span<const std::size_t> sizes) override {
      for (std::size_t p = 0; p < sizes.size(); ++p)
        std::copy(own.begin(), own.end(),
                  all.begin() + static_cast<std::ptrdiff_t>(p * own.size()));
    }
    void start_exchange(std::span<const OutgoingMessage>,
                        std::span<const IncomingMessage>) override {}
    void finish_exchange() override {}

   private:
    int size_;
  };
  for (const int size : {1, 2, 3, 1000}) {
    Copies copies(size);
    EXPECT_EQ(fair_threads(copies), std::max(1, alone / size));
  }
}

}  // namespace
}  // namespace hodge::linalg
