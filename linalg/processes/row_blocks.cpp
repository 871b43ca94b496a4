#include "linalg/processes/row_blocks.hpp"

#include <algorithm>
#include <climits>
#include <string>

#include "linalg/base/errors.hpp"

namespace hodge::linalg {

RowBlocks::RowBlocks(std::vector<std::int64_t> first, int line)
    : first_(std::move(first)), line_(line) {
  const int step = line > 0 ? line : sum_piece;
  check([step](std::int64_t row) { return row % step == 0; },
        "a multiple of " + std::to_string(step));
}

RowBlocks::RowBlocks(std::vector<std::int64_t> first, std::shared_ptr<const RowLines> lines)
    : first_(std::move(first)), lines_(std::move(lines)) {
  check([this](std::int64_t row) { return lines_->begins_with(row); }, "the beginning of a line");
}

template <class Begins>
void RowBlocks::check(const Begins& begins, const std::string& expected) const {
  if (first_.size() < 2 || first_.front() != 0)
    throw ShapeError("blocks of rows begin with row 0 and end with the number of rows");
  for (std::size_t p = 0; p + 1 < first_.size(); ++p) {
    const std::int64_t begin = first_[p], end = first_[p + 1];
    const auto fail = [&](const std::string& what) {
      throw ShapeError("rows " + std::to_string(begin) + " to " + std::to_string(end) +
                       " of process " + std::to_string(p) + ": " + what);
    };
    if (end < begin) fail("the first rows of the processes must ascend");
    if (end - begin > INT_MAX) fail("more rows than 32-bit indices can tell apart");
    if (!begins(begin) && begin != rows()) fail("expected a beginning at " + expected);
  }
}

RowBlocks RowBlocks::even(std::int64_t rows, int processes, int step) {
  if (rows < 0 || processes < 1)
    throw ShapeError(std::to_string(rows) + " rows of " + std::to_string(processes) +
                     " processes, expected one process at least");
  const std::int64_t pieces = (rows + step - 1) / step;
  std::vector<std::int64_t> first;
  for (std::int64_t p = 0; p <= processes; ++p)
    first.push_back(std::min(rows, pieces * p / processes * step));
  return RowBlocks(std::move(first));
}

int RowBlocks::owner(std::int64_t row) const {
  const auto next = std::upper_bound(first_.begin(), first_.end(), row);
  return static_cast<int>(next - first_.begin()) - 1;
}

SharedRows RowBlocks::shared_rows(Communicator& communicator) const {
  if (communicator.size() != processes())
    throw ShapeError("rows in " + std::to_string(processes()) + " blocks for " +
                     std::to_string(communicator.size()) + " processes");
  return {.processes = &communicator,
          .first = first(communicator.rank()),
          .line = line_,
          .total = rows(),
          .lines = lines_.get()};
}

}  // namespace hodge::linalg
