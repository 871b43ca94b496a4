#include "linalg/matrices/shared_transpose.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include "linalg/processes/lists.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

template <class Space, class T>
struct SharedTranspose<Space, T>::Entry {
  std::int64_t row, column;  // of A
  int position;              // in collected_
};

template <class Space, class T>
SharedTranspose<Space, T>::SharedTranspose(const CsrMatrix<Space, T>& a)
    : processes_(&a.pattern().sharing()->processes()) {
  struct Place {
    std::int64_t row, column;
  };
  const RowSharing& sharing = *a.pattern().sharing();
  const std::vector<int> offsets = a.pattern().row_offsets().to_host(),
                         columns = a.pattern().columns().to_host();
  const auto count = static_cast<std::size_t>(processes_->size());
  std::vector<Entry> entries;
  std::vector<std::vector<Place>> places(count);
  std::vector<std::vector<int>> sent(count);
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row)
    for (int k = offsets[row]; k < offsets[row + 1]; ++k) {
      const int own_number = columns[static_cast<std::size_t>(k)];
      const std::int64_t global_row = sharing.rows().first + static_cast<std::int64_t>(row),
                         column = sharing.global_column(own_number);
      if (own_number < a.cols()) {
        entries.push_back({global_row, column, k});
      } else {
        const auto owner = static_cast<std::size_t>(sharing.blocks().owner(column));
        places[owner].push_back({global_row, column});
        sent[owner].push_back(k);
      }
    }
  int position = a.pattern().nonzeros();
  std::vector<int> positions_sent;
  const auto received = exchange_lists(*processes_, places);
  for (std::size_t p = 0; p < count; ++p) {
    if (!sent[p].empty()) to_.push_back({static_cast<int>(p), sent[p].size()});
    positions_sent.insert(positions_sent.end(), sent[p].begin(), sent[p].end());
    if (!received[p].empty()) from_.push_back({static_cast<int>(p), received[p].size()});
    for (const Place& place : received[p]) entries.push_back({place.row, place.column, position++});
  }
  sent_ = Buffer<int, Space>(std::span<const int>(positions_sent));
  outgoing_ = Buffer<T, Space>(positions_sent.size());
  collected_ = Buffer<T, Space>(static_cast<std::size_t>(position));
  std::sort(entries.begin(), entries.end(), [](const Entry& one, const Entry& other) {
    return std::tie(one.column, one.row) < std::tie(other.column, other.row);
  });
  make_pattern(sharing, entries);
}

template <class Space, class T>
void SharedTranspose<Space, T>::make_pattern(const RowSharing& sharing,
                                             const std::vector<Entry>& entries) {
  std::vector<int> offsets(static_cast<std::size_t>(sharing.own_rows()) + 1, 0), order;
  std::vector<std::int64_t> columns;  // of A^T
  for (const Entry& entry : entries) {
    ++offsets[static_cast<std::size_t>(entry.column - sharing.rows().first) + 1];
    columns.push_back(entry.row);
    order.push_back(entry.position);
  }
  for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
  order_ = Buffer<int, Space>(std::span<const int>(order));
  const auto transposed =
      std::make_shared<const RowSharing>(*processes_, sharing.blocks(), offsets, columns);
  const std::vector<int> numbers = transposed->numbered(columns);
  pattern_ = std::make_shared<const CsrPattern<Space>>(transposed, std::span<const int>(offsets),
                                                       std::span<const int>(numbers));
}

template <class Space, class T>
void SharedTranspose<Space, T>::take_values(const CsrMatrix<Space, T>& a,
                                            Buffer<T, Space>& values) {
  std::size_t received = 0;
  for (const Share& share : from_) received += share.count;
  if (a.values().size() + received != collected_.size())
    throw ShapeError("refresh of a transposed matrix: " + std::to_string(a.values().size()) +
                     " own entries, expected " + std::to_string(collected_.size() - received) +
                     "; call setup() for another pattern");
  Space::gather(static_cast<int>(sent_.size()), sent_.data(), a.values().data(), outgoing_.data());
  outgoing_messages_.clear();
  incoming_messages_.clear();
  T* next = outgoing_.data();
  for (const auto& [process, count] : to_) {
    outgoing_messages_.push_back({process, std::as_bytes(std::span(next, count))});
    next += count;
  }
  next = collected_.data() + a.values().size();
  for (const auto& [process, count] : from_) {
    incoming_messages_.push_back({process, std::as_writable_bytes(std::span(next, count))});
    next += count;
  }
  Space::start_exchange(*processes_, outgoing_messages_, incoming_messages_);
  if (a.values().size() > 0) Space::copy(a.values().data(), collected_.data(), a.values().bytes());
  Space::finish_exchange(*processes_);
  Space::gather(static_cast<int>(order_.size()), order_.data(), collected_.data(), values.data());
}

#define HODGE_SHARED_TRANSPOSE(Space, T) template class SharedTranspose<Space, T>;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_SHARED_TRANSPOSE)

}  // namespace hodge::linalg
