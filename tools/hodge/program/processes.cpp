#include "tools/hodge/program/processes.hpp"

#include <omp.h>

#include <chrono>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <thread>

#include "linalg/processes/all_processes.hpp"
#include "linalg/processes/in_first.hpp"
#include "tools/hodge/program/program.hpp"
#include "tools/hodge/program/watch_others.hpp"

namespace hodge::tools {
namespace {

// Processes that fail for the same reason do so at about the same time.
constexpr double seconds_for_others = 3;

void choose_threads(linalg::Communicator& processes) {
  const int threads = linalg::fair_threads(processes);
  if (std::getenv("OMP_NUM_THREADS") == nullptr) omp_set_num_threads(threads);
}

// After the process has done its work with this exit code. Returns that of all.
int end_with_others(linalg::AllProcesses& all, OnlyFirstTalks& voice,
                    std::optional<WatchOthers>& watch, int code) {
  const double patience = code == 0 ? std::numeric_limits<double>::infinity() : seconds_for_others;
  const auto end = all.end_together(code, patience);
  watch.reset();
  if (!end) {
    voice.tell_errors();
    all.abort(code);
  }
  if (end->first_failed == all.rank()) voice.tell_errors();
  all.finish();
  return end->exit_code;
}

}  // namespace

OnlyFirstTalks::OnlyFirstTalks(int rank) : rank_(rank) {
  if (rank == 0) return;
  out_before_ = std::cout.rdbuf(&out_);
  err_before_ = std::cerr.rdbuf(&err_);
}

OnlyFirstTalks::~OnlyFirstTalks() {
  if (rank_ == 0) return;
  std::cout.rdbuf(out_before_);
  std::cerr.rdbuf(err_before_);
}

void OnlyFirstTalks::tell_errors() {
  if (rank_ == 0) return;
  std::string text;
  std::istringstream lines(err_.str());
  for (std::string line; std::getline(lines, line);)
    text += fmt::format("rank {}: {}\n", rank_, line);
  std::ostream(err_before_) << text << std::flush;
  err_.str("");
}

int in_all_processes(const linalg::Launch& launch, OnlyFirstTalks& voice,
                     const std::function<int()>& action) {
  linalg::AllProcesses* all = nullptr;
  std::optional<WatchOthers> watch;
  const int started = guarded([&] {
    all = &linalg::start_all_processes(launch);
    choose_threads(*all);
    watch.emplace(others_on_machine(*all));
    return 0;
  });
  if (started != 0) {
    // The launcher ends all processes when the first one has failed: process 0 speaks first.
    if (launch.rank != 0) {
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds_for_others));
      voice.tell_errors();
    }
    return started;
  }
  const int code = guarded(action);
  try {
    return end_with_others(*all, voice, watch, code);
  } catch (const std::exception& error) {
    fail(4, std::string("hodge: ") + error.what());
    voice.tell_errors();
    all->abort(code != 0 ? code : 4);
    return 4;  // GCC 12 does not see that abort() does not return
  }
}

void in_first_process(linalg::Communicator& all, const std::function<void()>& action) {
  // Never seen: process 0 says what has happened, and the exit code of all is the largest.
  if (!linalg::done_by_first(all, action)) throw Error(1, "process 0 has failed");
}

}  // namespace hodge::tools
