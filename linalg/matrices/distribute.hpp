// Matrices and vectors whose rows processes share, from whole ones and back.
//
//   const RowBlocks blocks = RowBlocks::even(rows, processes.size());
//   const auto own = share_rows(processes, blocks, row_offsets, global_columns, values);
//   Vector<Host> b = ..., x(own->rows());             // the entries of the own rows
//   LinearSolver<Host>(settings, own->rows()).solve(*own, b, x);
//   const std::vector<double> all = gather_rows(x, processes, blocks);
//
// Solvers give the same bits for any number of processes (row_sharing.hpp). With one process the
// matrices are ordinary ones. All functions that take a communicator are collective.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "linalg/matrices/csr.hpp"
#include "linalg/processes/row_blocks.hpp"

namespace hodge::linalg {

// A square matrix of blocks.rows() rows from the own rows of each process: row_offsets of rows + 1
// numbers, global columns ascending in each row, and their values. ShapeError for sizes that do not
// fit together and for columns that do not ascend. A process that throws leaves the others waiting.
template <class T, class Space = Host>
std::unique_ptr<CsrMatrix<Space, T>> share_rows(Communicator& processes, const RowBlocks& blocks,
                                                std::span<const int> row_offsets,
                                                std::span<const std::int64_t> global_columns,
                                                std::span<const T> values,
                                                Symmetry symmetry = Symmetry::unknown);

// The own rows of a square matrix that every process has as a whole.
template <class T>
std::unique_ptr<CsrMatrix<Host, T>> distribute(const CsrMatrix<Host, T>& whole,
                                               Communicator& processes, const RowBlocks& blocks);

// The part of a whole vector that belongs to the own rows.
template <class T>
std::span<const T> own_part(std::span<const T> whole, const Communicator& processes,
                            const RowBlocks& blocks) {
  return whole.subspan(static_cast<std::size_t>(blocks.first(processes.rank())),
                       static_cast<std::size_t>(blocks.rows_of(processes.rank())));
}

// The whole vector, on every process.
template <class T>
std::vector<T> gather_rows(const Vector<Host, T>& own, Communicator& processes,
                           const RowBlocks& blocks);

}  // namespace hodge::linalg
