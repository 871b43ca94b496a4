#include "linalg/matrices/shared_transpose.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include "linalg/processes/lists.hpp"

namespace hodge::linalg {

template <class T>
struct SharedTranspose<T>::Entry {
  std::int64_t row, column;  // of A
  int position;              // in collected_
};

template <class T>
SharedTranspose<T>::SharedTranspose(const CsrMatrix<Host, T>& a)
    : processes_(&a.pattern().sharing()->processes()),
      sent_(static_cast<std::size_t>(processes_->size())),
      outgoing_(sent_.size()) {
  struct Place {
    std::int64_t row, column;
  };
  const RowSharing& sharing = *a.pattern().sharing();
  const CsrView<T> view = a.view();
  std::vector<Entry> entries;
  std::vector<std::vector<Place>> places(sent_.size());
  for (int row = 0; row < view.rows; ++row)
    for (int k = view.row_offsets[row]; k < view.row_offsets[row + 1]; ++k) {
      const std::int64_t global_row = sharing.rows().first + row,
                         column = sharing.global_column(view.columns[k]);
      const auto owner = static_cast<std::size_t>(sharing.blocks().owner(column));
      if (view.columns[k] < view.cols) {
        entries.push_back({global_row, column, k});
      } else {
        places[owner].push_back({global_row, column});
        sent_[owner].push_back(k);
      }
    }
  int position = view.nonzeros;
  const auto received = exchange_lists(*processes_, places);
  for (std::size_t p = 0; p < received.size(); ++p) {
    outgoing_[p].resize(sent_[p].size());
    if (!received[p].empty())
      incoming_.emplace_back(static_cast<int>(p), static_cast<int>(received[p].size()));
    for (const Place& place : received[p]) entries.push_back({place.row, place.column, position++});
  }
  collected_.resize(static_cast<std::size_t>(position));
  std::sort(entries.begin(), entries.end(), [](const Entry& one, const Entry& other) {
    return std::tie(one.column, one.row) < std::tie(other.column, other.row);
  });
  make_pattern(sharing, entries);
}

template <class T>
void SharedTranspose<T>::make_pattern(const RowSharing& sharing,
                                      const std::vector<Entry>& entries) {
  std::vector<int> offsets(static_cast<std::size_t>(sharing.own_rows()) + 1, 0);
  std::vector<std::int64_t> columns;  // of A^T
  for (const Entry& entry : entries) {
    ++offsets[static_cast<std::size_t>(entry.column - sharing.rows().first) + 1];
    columns.push_back(entry.row);
    order_.push_back(entry.position);
  }
  for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
  const auto transposed =
      std::make_shared<const RowSharing>(*processes_, sharing.blocks(), offsets, columns);
  const std::vector<int> numbers = transposed->numbered(columns);
  pattern_ = std::make_shared<const CsrPattern<Host>>(transposed, std::span<const int>(offsets),
                                                      std::span<const int>(numbers));
}

template <class T>
void SharedTranspose<T>::take_values(const CsrMatrix<Host, T>& a, Buffer<T, Host>& values) {
  std::size_t received = 0;
  for (const auto& from : incoming_) received += static_cast<std::size_t>(from.second);
  if (a.values().size() + received != collected_.size())
    throw ShapeError("refresh of a transposed matrix: " + std::to_string(a.values().size()) +
                     " own entries, expected " + std::to_string(collected_.size() - received) +
                     "; call setup() for another pattern");
  outgoing_messages_.clear();
  incoming_messages_.clear();
  for (std::size_t p = 0; p < sent_.size(); ++p) {
    for (std::size_t i = 0; i < sent_[p].size(); ++i)
      outgoing_[p][i] = a.values().data()[sent_[p][i]];
    if (!sent_[p].empty())
      outgoing_messages_.push_back({static_cast<int>(p), std::as_bytes(std::span(outgoing_[p]))});
  }
  T* next = collected_.data() + a.values().size();
  for (const auto& [process, count] : incoming_) {
    const std::span part(next, static_cast<std::size_t>(count));
    incoming_messages_.push_back({process, std::as_writable_bytes(part)});
    next += count;
  }
  processes_->start_exchange(outgoing_messages_, incoming_messages_);
  std::copy_n(a.values().data(), a.values().size(), collected_.data());
  processes_->finish_exchange();
  for (std::size_t k = 0; k < order_.size(); ++k)
    values.data()[k] = collected_[static_cast<std::size_t>(order_[k])];
}

template class SharedTranspose<double>;
template class SharedTranspose<float>;

}  // namespace hodge::linalg
