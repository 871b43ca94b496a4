#include "linalg/processes/shared_sums.hpp"

#include <algorithm>
#include <vector>

namespace hodge::linalg {

void sum_over_processes(const SharedRows& rows, std::span<ExactSum> sums) {
  if (!rows.is_shared() || sums.empty()) return;
  std::vector<std::int64_t> message;
  message.reserve(sums.size() * ExactSum::word_count);
  for (ExactSum& sum : sums) {
    const auto words = sum.words();
    message.insert(message.end(), words.begin(), words.end());
  }
  rows.processes->sum(message);
  auto from = message.cbegin();
  for (ExactSum& sum : sums) {
    std::copy_n(from, ExactSum::word_count, sum.words().begin());
    from += ExactSum::word_count;
  }
}

void maximum_over_processes(const SharedRows& rows, std::span<double> values) {
  if (rows.is_shared() && !values.empty()) rows.processes->maximum(values);
}

}  // namespace hodge::linalg
