// A^T of a matrix whose rows processes share: each entry is sent to the process that owns the row
// of its column.
//
// Rows of A^T ascend by global row of A, as on one process. setup: on the host, two lists per pair
// of neighbours and a sort of the entries; refresh: the values, one message each way.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "linalg/matrices/csr.hpp"

namespace hodge::linalg {

template <class Space, class T>
class SharedTranspose {
 public:
  explicit SharedTranspose(const CsrMatrix<Space, T>& a);  // collective

  const std::shared_ptr<const CsrPattern<Space>>& pattern() const { return pattern_; }
  // The values of A^T from those of `a`, on the pattern that the constructor has seen. Collective.
  // ShapeError for another number of entries.
  void take_values(const CsrMatrix<Space, T>& a, Buffer<T, Space>& values);

 private:
  struct Entry;
  // What goes to another process or comes from there.
  struct Share {
    int process;
    std::size_t count;  // values
  };
  void make_pattern(const RowSharing& sharing, const std::vector<Entry>& entries);

  Communicator* processes_;
  std::shared_ptr<const CsrPattern<Space>> pattern_;
  std::vector<Share> to_, from_;
  Buffer<int, Space> sent_;     // positions in A of what goes to others, in the order of to_
  Buffer<T, Space> outgoing_;   // their values
  Buffer<T, Space> collected_;  // the values of A, then those of others in the order of from_
  Buffer<int, Space> order_;    // entry k of A^T is collected_[order_[k]]
  std::vector<OutgoingMessage> outgoing_messages_;
  std::vector<IncomingMessage> incoming_messages_;
};

}  // namespace hodge::linalg
