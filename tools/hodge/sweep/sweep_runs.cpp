#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <thread>

#include "linalg/files/atomic_file.hpp"
#include "linalg/files/directories.hpp"
#include "sim/app/output/run_lock.hpp"
#include "sim/app/run/signals.hpp"
#include "sim/base/durations.hpp"
#include "sim/base/text.hpp"
#include "tools/hodge/program/program.hpp"
#include "tools/hodge/sweep/child.hpp"
#include "tools/hodge/sweep/run_record.hpp"
#include "tools/hodge/sweep/sweep.hpp"

namespace hodge::tools {
namespace {

using sim::Json;

constexpr auto pause = std::chrono::milliseconds(20);  // between two looks at the runs

// The command line of a run. The values of the sweep are the last ones.
std::vector<std::string> words_of(const SweepArguments& arguments, const Sweep& sweep,
                                  std::size_t k) {
  const SweepRun& run = sweep.runs[k];
  std::vector<std::string> words{"run", arguments.file, "--json", "--output",
                                 sweep.directory_of(k).string()};
  for (const auto& assignments : {arguments.overrides, sweep.assignments(k)})
    for (const std::string& assignment : assignments)
      words.insert(words.end(), {"--set", assignment});
  words.insert(words.end(), {"--set", "output.name=" + sim::double_quoted(run.output_name)});
  if (!arguments.device.empty()) words.insert(words.end(), {"--device", arguments.device});
  if (run.start == SweepStart::restart) words.insert(words.end(), {"--restart", "latest"});
  if (run.start == SweepStart::overwrite) words.emplace_back("--overwrite");
  return words;
}

const char* start_text(SweepStart start) {
  switch (start) {
    case SweepStart::finished:
      return "is finished already";
    case SweepStart::restart:
      return "goes on from its newest checkpoint";
    case SweepStart::overwrite:
      return "begins anew";
    case SweepStart::fresh:
      break;
  }
  return "begins";
}

class SweepRunner {
 public:
  SweepRunner(const SweepArguments& arguments, const Sweep& sweep)
      : arguments_(arguments), sweep_(sweep), summaries_(sweep.runs.size()) {}

  // The exit code.
  int run() {
    for (std::size_t k = 0; k < sweep_.runs.size(); ++k) {
      if (sweep_.runs[k].start != SweepStart::finished) {
        waiting_.push_back(k);
        continue;
      }
      summaries_[k] = summary_in(sweep_.directory_of(k));
      say_of(k, start_text(SweepStart::finished));
    }
    write_tables();
    while (!running_.empty() || (!waiting_.empty() && !was_stopped())) {
      start_some();
      std::this_thread::sleep_for(pause);
      hand_on_signal();
      collect();
    }
    return was_stopped() ? 128 + signals_.received() : largest_code();
  }

  const Summaries& summaries() const { return summaries_; }

 private:
  struct Running {
    std::size_t run;
    std::unique_ptr<Child> child;
  };

  bool was_stopped() const { return signals_.received() != 0; }

  int largest_code() const {
    int largest = 0;
    for (const Json& summary : summaries_)
      largest = std::max(largest, summary.value("exit_code", 0));
    return largest;
  }

  // The cores, divided among the runs.
  int threads() const {
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    return arguments_.jobs == 1 ? 0 : std::max(1, cores / arguments_.jobs);
  }

  void start_some() {
    while (!waiting_.empty() && !was_stopped() &&
           running_.size() < static_cast<std::size_t>(arguments_.jobs)) {
      const std::size_t k = waiting_.front();
      waiting_.pop_front();
      say_of(k, start_text(sweep_.runs[k].start));
      running_.push_back({k, std::make_unique<Child>(words_of(arguments_, sweep_, k), threads())});
    }
  }

  void hand_on_signal() {
    if (!was_stopped() || handed_on_) return;
    handed_on_ = true;
    for (const Running& running : running_) running.child->signal(signals_.received());
  }

  void collect() {
    const std::size_t before = running_.size();
    // Each is asked once: it may end between two questions, and its summary would be lost.
    std::erase_if(running_, [this](const Running& running) {
      if (!running.child->has_ended()) return false;
      note_end(running.run, running.child->summary());
      return true;
    });
    if (running_.size() != before) write_tables();
  }

  void note_end(std::size_t k, const Json& summary) {
    summaries_[k] = summary;
    const std::string message = sim::one_line(summary.value("message", ""));
    if (summary["status"] == "failed")
      fail(4, fmt::format("{}: {}", sweep_.name(k), message));
    else
      say_of(k, message);
  }

  void say_of(std::size_t k, const std::string& what) const {
    if (arguments_.quiet) return;
    say("[{}/{}] {}: {}\n", k + 1, sweep_.runs.size(), sweep_.name(k), what);
    std::cout.flush();
  }

  void write_tables() const {
    write_file_atomically(sweep_.directory / table_file, sweep_csv(sweep_, summaries_));
    write_file_atomically(sweep_.directory / markdown_file, sweep_markdown(sweep_, summaries_));
  }

  const SweepArguments& arguments_;
  const Sweep& sweep_;
  const sim::SignalGuard signals_;
  Summaries summaries_;  // null: not ended
  std::deque<std::size_t> waiting_;
  std::vector<Running> running_;
  bool handed_on_ = false;
};

}  // namespace

int sweep_command(const SweepArguments& arguments) {
  const auto sweep = planned_sweep(arguments);
  if (!sweep) return 2;
  make_directory(sweep->directory);
  const sim::RunLock lock(sweep->directory);
  if (arguments.overwrite)
    for (std::size_t k = 0; k < sweep->runs.size(); ++k) forget_run(sweep->directory_of(k));
  if (!arguments.quiet)
    say("{} runs of {} in {}\n", sweep->runs.size(), sim::one_line(arguments.file),
        sweep->directory.string());
  SweepRunner runner(arguments, *sweep);
  const int code = runner.run();
  if (!arguments.quiet)
    say("\n{}final values; means, rms and all quantities: {}\n",
        sweep_text(*sweep, runner.summaries(), arguments.show),
        (sweep->directory / table_file).string());
  return code;
}

}  // namespace hodge::tools
