#include "linalg/processes/ghost_exchange.hpp"

#include "linalg/processes/lists.hpp"
#include "linalg/processes/message_count.hpp"

namespace hodge::linalg {

GhostExchange::GhostExchange(Communicator& processes, std::span<const GhostPlace> ghosts)
    : processes_(&processes),
      ghosts_(static_cast<int>(ghosts.size())),
      incoming_(sizeof(double) * ghosts.size()) {
  std::vector<std::vector<int>> wanted(static_cast<std::size_t>(processes.size()));
  for (std::size_t g = 0; g < ghosts.size(); ++g) {
    if (senders_.empty() || senders_.back().process != ghosts[g].owner)
      senders_.push_back({ghosts[g].owner, g, 0});
    ++senders_.back().count;
    wanted[static_cast<std::size_t>(ghosts[g].owner)].push_back(ghosts[g].row);
  }
  const std::vector<std::vector<int>> asked = exchange_lists(processes, wanted);
  for (int p = 0; p < processes.size(); ++p) {
    const std::vector<int>& rows = asked[static_cast<std::size_t>(p)];
    if (rows.empty()) continue;
    receivers_.push_back({p, packed_.size(), rows.size()});
    packed_.insert(packed_.end(), rows.begin(), rows.end());
  }
  outgoing_.resize(sizeof(double) * packed_.size());
}

template <class T>
void GhostExchange::start(const T* own) const {
  T* const packed = reinterpret_cast<T*>(outgoing_.data());
  T* const ghosts = reinterpret_cast<T*>(incoming_.data());
  for (std::size_t i = 0; i < packed_.size(); ++i) packed[i] = own[packed_[i]];
  outgoing_messages_.clear();
  incoming_messages_.clear();
  for (const Part& part : receivers_)
    outgoing_messages_.push_back(
        {part.process, std::as_bytes(std::span(packed + part.first, part.count))});
  for (const Part& part : senders_)
    incoming_messages_.push_back(
        {part.process, std::as_writable_bytes(std::span(ghosts + part.first, part.count))});
  const CountedMessages counted(MessageKind::neighbours, outgoing_messages_);
  processes_->start_exchange(outgoing_messages_, incoming_messages_);
}

template <class T>
const T* GhostExchange::finish() const {
  const CountedMessages waiting(MessageKind::neighbours);
  processes_->finish_exchange();
  return reinterpret_cast<const T*>(incoming_.data());
}

template void GhostExchange::start(const double*) const;
template void GhostExchange::start(const float*) const;
template const double* GhostExchange::finish() const;
template const float* GhostExchange::finish() const;

}  // namespace hodge::linalg
