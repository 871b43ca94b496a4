#include "sim/processes/process_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "linalg/base/timing.hpp"
#include "linalg/processes/message_count.hpp"
#include "linalg/space/device.hpp"
#include "sim/base/point.hpp"

namespace hodge::sim {
namespace {

std::string way_of_messages(linalg::Communicator& processes, const std::string& device) {
  return linalg::on_device(linalg::device_of_process(processes, device), [&]<class Space>() {
    return std::string(Space::way_of_messages(processes));
  });
}

// "3 to 6 along y"
std::string layers_of_process(const Decomposition& slabs, int process, int dim) {
  return fmt::format("{} to {} along {}", slabs.first(process), slabs.last(process) - 1,
                     axis_names[dim - 1]);
}

}  // namespace

ProcessLog::ProcessLog(Sharers& sharers, const Settings& settings, const Flow& flow) {
  linalg::Communicator& processes = sharers.processes();
  path_ = (std::filesystem::path(settings.output.directory) /
           fmt::format("log.rank{}.txt", processes.rank()))
              .string();
  head_ = fmt::format("process {} of {} on {}\ncells {}, of {}\nmessages by {}\n", processes.rank(),
                      processes.size(), flow.device_name(),
                      layers_of_process(sharers.slabs(), processes.rank(), settings.grid.dim),
                      flow.grid().description(), way_of_messages(processes, settings.device));
}

void ProcessLog::write(const std::string& lines) {
  if (is_given_up_) return;
  try {
    const bool is_first = !file_;
    if (is_first) file_.emplace(path_, O_WRONLY | O_CREAT | O_APPEND);
    file_->write(is_first ? head_ + lines : lines);
  } catch (const IoError& error) {
    is_given_up_ = true;
    fmt::print(stderr, "hodge: warning: {}: the run goes on without this log\n", error.what());
  }
}

StepReport ProcessLog::advance(Flow& flow, double dt) {
  const linalg::MessageTotals before = linalg::message_count().all();
  const linalg::Clock clock;
  StepReport report = flow.advance(dt);
  const double seconds = clock.seconds();
  const linalg::MessageTotals after = linalg::message_count().all();
  write(fmt::format("step {}  t {:.6g}  {:.6f} s, in messages {:.6f} s  {} bytes sent\n",
                    flow.step(), flow.time(), seconds, after.seconds - before.seconds,
                    after.bytes - before.bytes));
  if (!report.ok) error(report.failure);
  return report;
}

void ProcessLog::error(const std::string& what) {
  write("error: " + what + "\n");
}

}  // namespace hodge::sim
