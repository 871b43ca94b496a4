#include "sim/processes/process_log.hpp"

#include <fmt/format.h>

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

}  // namespace

ProcessLog::ProcessLog(Sharers& sharers, const Settings& settings, const Flow& flow) {
  linalg::Communicator& processes = sharers.processes();
  const auto [first, behind] = sharers.own_layers();
  path_ = (std::filesystem::path(settings.output.directory) /
           fmt::format("log.rank{}.txt", processes.rank()))
              .string();
  head_ = fmt::format("process {} of {} on {}\ncells {} to {} along {}, of {}\nmessages by {}\n",
                      processes.rank(), processes.size(), flow.device_name(), first, behind - 1,
                      axis_names[static_cast<std::size_t>(settings.grid.dim - 1)],
                      flow.grid().description(), way_of_messages(processes, settings.device));
}

std::ofstream& ProcessLog::file() {
  if (!file_.is_open()) {
    file_.open(path_, std::ios::app);
    file_ << head_;
  }
  return file_;
}

StepReport ProcessLog::advance(Flow& flow, double dt) {
  const linalg::MessageTotals before = linalg::message_count().all();
  const linalg::Clock clock;
  StepReport report = flow.advance(dt);
  const double seconds = clock.seconds();
  const linalg::MessageTotals after = linalg::message_count().all();
  file() << fmt::format("step {}  t {:.6g}  {:.6f} s, in messages {:.6f} s  {} bytes sent\n",
                        flow.step(), flow.time(), seconds, after.seconds - before.seconds,
                        after.bytes - before.bytes)
         << std::flush;
  if (!report.ok) error(report.failure);
  return report;
}

void ProcessLog::error(const std::string& what) {
  file() << "error: " << what << std::endl;
}

}  // namespace hodge::sim
