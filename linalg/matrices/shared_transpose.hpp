// A^T of a matrix whose rows processes share: each entry is sent to the process that owns the row
// of its column. Host only.
//
// Rows of A^T ascend by global row of A, as on one process. setup: two lists per pair of neighbours
// and a sort of the entries; refresh: the values, one message each way.
#pragma once

#include <memory>
#include <vector>

#include "linalg/matrices/csr.hpp"

namespace hodge::linalg {

template <class T>
class SharedTranspose {
 public:
  explicit SharedTranspose(const CsrMatrix<Host, T>& a);  // collective

  const std::shared_ptr<const CsrPattern<Host>>& pattern() const { return pattern_; }
  // The values of A^T from those of `a`, on the pattern that the constructor has seen. Collective.
  // ShapeError for another number of entries.
  void take_values(const CsrMatrix<Host, T>& a, Buffer<T, Host>& values);

 private:
  struct Entry;
  void make_pattern(const RowSharing& sharing, const std::vector<Entry>& entries);

  Communicator* processes_;
  std::shared_ptr<const CsrPattern<Host>> pattern_;
  std::vector<std::vector<int>> sent_;         // positions in A of what goes to each process
  std::vector<std::vector<T>> outgoing_;       // their values
  std::vector<std::pair<int, int>> incoming_;  // processes, and how many values each one sends
  std::vector<T> collected_;                   // the values of A, then those of others by rank
  std::vector<int> order_;                     // entry k of A^T is collected_[order_[k]]
  std::vector<OutgoingMessage> outgoing_messages_;
  std::vector<IncomingMessage> incoming_messages_;
};

}  // namespace hodge::linalg
