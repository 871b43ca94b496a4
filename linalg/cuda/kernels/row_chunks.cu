// Cuda space: the first rows of chunks that begin with lines, in memory of the GPU.
#include "linalg/cuda/kernels/row_chunks.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "linalg/processes/row_lines.hpp"
#include "linalg/processes/sum_chunks.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg::cuda {

namespace {

constexpr int length_of_unknown = 1024;  // where nobody knows the rows of all processes

// Null where the vector has another length than the rows that are shared.
const RowLines* lines_of(const SharedRows& shared, int rows) {
  const RowLines* const lines = shared.lines;
  const bool fit = lines != nullptr && lines->begins_with(shared.first) &&
                   lines->begins_with(shared.first + rows);
  return fit ? lines : nullptr;
}

std::vector<int> first_rows(const RowLines& lines, std::int64_t first, int rows, int length) {
  std::vector<int> firsts;
  const auto all = lines.first_rows();
  const std::int64_t end = first + rows;
  for (auto line = std::lower_bound(all.begin(), all.end(), first); line != all.end(); ++line) {
    if (*line >= end) break;
    for (std::int64_t row = *line; row < *(line + 1); row += length)
      firsts.push_back(static_cast<int>(row - first));
  }
  firsts.push_back(rows);
  return firsts;
}

// Tables that were asked for before. A table that makes room for another one is freed, which makes
// the recordings invalid that use it (space/replay.hpp).
class Tables {
 public:
  RowChunks of(const RowLines& lines, std::int64_t first, int rows, int length) {
    for (const Table& t : tables_)
      if (t.lines == lines.id() && t.first == first && t.rows == rows && t.length == length)
        return t.chunks();
    const std::vector<int> firsts = first_rows(lines, first, rows, length);
    Table made{lines.id(), first, rows, length, static_cast<int>(firsts.size()) - 1, nullptr};
    made.data = static_cast<int*>(Cuda::allocate(made.bytes()));
    Cuda::upload(firsts.data(), made.data, made.bytes());
    Table& oldest = tables_[next_];
    next_ = (next_ + 1) % tables_.size();
    if (oldest.data != nullptr) Cuda::deallocate(oldest.data, oldest.bytes());
    oldest = made;
    return made.chunks();
  }

 private:
  struct Table {
    std::uint64_t lines = 0;
    std::int64_t first = 0;
    int rows = 0, length = 0, count = 0;
    int* data = nullptr;

    RowChunks chunks() const { return {rows, count, length, data}; }
    std::size_t bytes() const { return sizeof(int) * (static_cast<std::size_t>(count) + 1); }
  };
  std::array<Table, 128> tables_;
  std::size_t next_ = 0;
};

// Of one thread, as the stream is. Its memory is freed with the program.
Tables& tables() {
  static Tables the_tables;
  return the_tables;
}

}  // namespace

Communicator* processes_to_sum() {
  const SharedRows& shared = shared_rows();
  return shared.is_shared() ? shared.processes : nullptr;
}

SummedRows rows_to_sum(int rows, bool many) {
  const SharedRows& shared = shared_rows();
  Communicator* const processes = processes_to_sum();
  const std::int64_t of_all = processes == nullptr ? rows : shared.total;
  const int length =
      of_all > 0 || processes == nullptr ? chunk_length(of_all, many) : length_of_unknown;
  if (const RowLines* const lines = lines_of(shared, rows))
    return {tables().of(*lines, shared.first, rows, length), processes};
  const int count = static_cast<int>((static_cast<long long>(rows) + length - 1) / length);
  return {{rows, count, length}, processes};
}

}  // namespace hodge::linalg::cuda
