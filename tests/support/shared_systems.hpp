// Systems whose rows several processes share, for tests that compare the bits with one process.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "linalg/matrices/distribute.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/processes_in_threads.hpp"

namespace hodge::tests {

using linalg::sum_piece;

// Blocks of very different sizes; of three processes or more, the second one holds no rows.
inline linalg::RowBlocks uneven_blocks(int rows, int processes) {
  const std::int64_t pieces = (rows + sum_piece - 1) / sum_piece;
  std::vector<std::int64_t> first{0};
  for (int p = 1; p < processes; ++p) {
    const std::int64_t before =
        p == 2 ? first.back() / sum_piece : pieces * p * p / (processes * processes);
    first.push_back(std::min<std::int64_t>(rows, before * sum_piece));
  }
  first.push_back(rows);
  return linalg::RowBlocks(std::move(first));
}

// What a process has of a system.
struct OwnRows {
  linalg::Communicator& processes;
  const linalg::RowBlocks& blocks;

  template <class T = double>
  std::unique_ptr<linalg::CsrMatrix<linalg::Host, T>> matrix(
      const HostMatrix& whole, linalg::Symmetry symmetry = linalg::Symmetry::unknown) const {
    return linalg::distribute(*whole.in<linalg::Host, T>(symmetry), processes, blocks);
  }
  template <class T>
  linalg::Vector<linalg::Host, T> vector(const std::vector<T>& whole) const {
    return linalg::Vector<linalg::Host, T>(
        linalg::own_part(std::span<const T>(whole), processes, blocks));
  }
  template <class T>
  std::vector<T> whole(const linalg::Vector<linalg::Host, T>& own) const {
    return linalg::gather_rows(own, processes, blocks);
  }
  bool is_first() const { return processes.rank() == 0; }
};

// program(own rows) on 1, 2, 3 and 4 processes; each returns what process 0 gives back.
template <class Result>
std::vector<Result> by_numbers_of_processes(int rows,
                                            const std::function<Result(const OwnRows&)>& program) {
  std::vector<Result> results;
  for (int count = 1; count <= 4; ++count) {
    const linalg::RowBlocks blocks = uneven_blocks(rows, count);
    Result of_first{};
    run_in_processes(count, [&](linalg::Communicator& processes) {
      const Result own = program({processes, blocks});
      if (processes.rank() == 0) of_first = own;
    });
    results.push_back(std::move(of_first));
  }
  return results;
}

}  // namespace hodge::tests
