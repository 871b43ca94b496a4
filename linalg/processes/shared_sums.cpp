#include "linalg/processes/shared_sums.hpp"

#include <algorithm>
#include <vector>

#include "linalg/processes/message_count.hpp"

namespace hodge::linalg {

void sum_over_processes(const SharedRows& rows, std::span<ExactSum> sums) {
  if (!rows.is_shared() || sums.empty()) return;
  std::vector<std::int64_t> message;
  message.reserve(sums.size() * ExactSum::word_count);
  for (ExactSum& sum : sums) {
    const auto words = sum.words();
    message.insert(message.end(), words.begin(), words.end());
  }
  const CountedMessages counted(MessageKind::reductions, std::as_bytes(std::span(message)).size());
  rows.processes->sum(message);
  auto from = message.cbegin();
  for (ExactSum& sum : sums) {
    std::copy_n(from, ExactSum::word_count, sum.words().begin());
    from += ExactSum::word_count;
  }
}

void maximum_over_processes(const SharedRows& rows, std::span<double> values) {
  if (!rows.is_shared() || values.empty()) return;
  const CountedMessages counted(MessageKind::reductions, values.size_bytes());
  rows.processes->maximum(values);
}

}  // namespace hodge::linalg
