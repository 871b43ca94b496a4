// Between the points that a process has of a box in blocks, and the rows that it has of the system
// in layers (processes/part_boxes.hpp).
//
//   right side, guess    at_points -> of_rows        entries of the matrix    at points -> of rows
//   solution             of_rows -> at_points
//
// A row is the same at both ends: entries in the order of the columns of the whole system. So a
// system has the bits of one process however the box is cut.
//
// Memory per row: 8 bytes of numbers and 16 of values, once entries have moved 8 and 24 more for
// each of them.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "linalg/matrices/csr.hpp"
#include "sim/discrete/assembly/shared_entries.hpp"
#include "sim/discrete/assembly/shared_unknowns.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/discrete/processes/list_move.hpp"

namespace hodge::sim {

// Where the entries of rows are written; values null: they are kept as they are.
struct RowEntries {
  const int* row_offsets = nullptr;
  double* values = nullptr;
  double* diagonal = nullptr;  // written a second time; null: nowhere
};

template <int Dim>
struct MovedRows {
  Unknowns<Dim> of_system;  // the points whose rows this process has
};

// The unknowns of a location that a part has, in indices of the whole box. whole: its unknowns
// there. The part at the upper end of an axis has the faces in that side, too.
template <int Dim>
Box<Dim> unknowns_of_part(const Box<Dim>& whole, const Layout<Dim>& part) {
  Box<Dim> own = whole;
  for (int d = 0; d < Dim; ++d) {
    const int first = part.before[d], behind = first + part.cells[d];
    own.lower[d] = std::max(whole.lower[d], first);
    if (part.behind[d] > 0 || part.cells[d] == 0) own.upper[d] = std::min(whole.upper[d], behind);
    own.upper[d] = std::max(own.lower[d], own.upper[d]);
  }
  return own;
}

template <int Dim, class Space>
class RowMoves : public MovedRows<Dim> {
 public:
  // `part`: the block of this process, of whose unknowns the host can read the numbers in `own`;
  // in_layers: those in its layers, and on_host the same with numbers that the host can read.
  // Collective.
  RowMoves(const Layout<Dim>& part, const Unknowns<Dim>& own, const Unknowns<Dim>& in_layers,
           const Unknowns<Dim>& on_host)
      : MovedRows<Dim>{in_layers},
        processes_(&part.halo->processes()),
        lists_(part, own, on_host),
        to_rows_(*processes_, lists_.at_points, lists_.of_rows),
        to_points_(*processes_, lists_.of_rows, lists_.at_points) {}

  void to_rows(const double* at_points, double* of_rows) const { to_rows_(at_points, of_rows); }
  void to_points(const double* of_rows, double* at_points) const { to_points_(of_rows, at_points); }

  // Room for the entries of the rows of the own points, which have so many each.
  RowEntries entries(const linalg::CsrPattern<Space>& pattern) const {
    if (!entries_)
      entries_ =
          std::make_unique<Entries>(*processes_, lists_, offsets_on_host(pattern.row_offsets()));
    return {entries_->row_offsets.data(), entries_->values.data()};
  }
  // Brings them to the rows of the system.
  void entries_to_rows(double* values) const { entries_->to_rows(entries_->values.data(), values); }

 private:
  using Numbers = typename ListMove<Space>::Numbers;

  // Rows by the process at the other end; entries of the rows of the own points.
  struct Lists {
    Lists(const Layout<Dim>& part, const Unknowns<Dim>& own, const Unknowns<Dim>& rows)
        : entry_count(entry_counts(own)) {
      const int processes = part.halo->processes().size(), rank = part.halo->processes().rank();
      const Box<Dim>& whole = rows.among_processes->whole.box;
      const Layout<Dim> own_layers = layers_of(part, rank);
      const auto numbers = [&](const Layout<Dim>& here, const Layout<Dim>& there,
                               const Unknowns<Dim>& unknowns) {
        std::vector<int> found;
        const Box<Dim> common =
            common_points(unknowns_of_part(whole, here), unknowns_of_part(whole, there));
        for_each_on_host(common, [&](Index<Dim> c) {
          for (int d = 0; d < Dim; ++d) c[d] -= here.before[d];
          if (unknowns.contains(c)) found.push_back(unknowns.row(c));
        });
        return found;
      };
      for (int p = 0; p < processes; ++p) {
        at_points.push_back(numbers(part, layers_of(part, p), own));
        of_rows.push_back(numbers(own_layers, block_of(part, p), rows));
      }
    }

    Numbers at_points, of_rows;
    std::vector<int> entry_count;
  };

  struct Entries {
    Entries(linalg::Communicator& processes, const Lists& lists,
            const std::vector<int>& offsets_of_rows)
        : Entries(processes, lists, offsets_of_rows, offsets_of(lists.entry_count)) {}
    Entries(linalg::Communicator& processes, const Lists& lists,
            const std::vector<int>& offsets_of_rows, const std::vector<int>& offsets)
        : row_offsets(std::span<const int>(offsets)),
          values(static_cast<std::size_t>(offsets.back())),
          to_rows(processes, entries_of(lists.at_points, offsets),
                  entries_of(lists.of_rows, offsets_of_rows)) {}

    linalg::Buffer<int, Space> row_offsets;
    linalg::Buffer<double, Space> values;
    ListMove<Space> to_rows;
  };

  static std::vector<int> offsets_of(const std::vector<int>& counts) {
    std::vector<int> offsets{0};
    for (const int count : counts) offsets.push_back(offsets.back() + count);
    return offsets;
  }
  static Numbers entries_of(const Numbers& rows, const std::vector<int>& offsets) {
    Numbers entries(rows.size());
    for (std::size_t p = 0; p < rows.size(); ++p)
      for (const int row : rows[p])
        for (int k = offsets[static_cast<std::size_t>(row)];
             k < offsets[static_cast<std::size_t>(row) + 1]; ++k)
          entries[p].push_back(k);
    return entries;
  }
  static std::vector<int> offsets_on_host(const linalg::Buffer<int, Space>& offsets) {
    std::vector<int> host(offsets.size());
    Space::download(offsets.data(), host.data(), offsets.bytes());
    return host;
  }

  linalg::Communicator* processes_;
  Lists lists_;
  ListMove<Space> to_rows_, to_points_;
  mutable std::unique_ptr<Entries> entries_;  // made when they are first asked for
};

template <int Dim, class Space>
const RowMoves<Dim, Space>& moves_of(const Unknowns<Dim>& unknowns) {
  return static_cast<const RowMoves<Dim, Space>&>(*unknowns.moved);
}

// The points whose rows of the system this process has.
template <int Dim>
const Unknowns<Dim>& rows_of_system(const Unknowns<Dim>& unknowns) {
  return unknowns.moved != nullptr ? unknowns.moved->of_system : unknowns;
}

// x := what write(vector) writes at the own points. at_points: a vector to write to where these are
// not those of the rows. Collective.
template <int Dim, class Space, class Write>
void write_rows(const Unknowns<Dim>& unknowns, linalg::Vector<Space>& at_points,
                linalg::Vector<Space>& x, const Write& write) {
  if (unknowns.moved == nullptr) return write(x);
  at_points.resize(unknowns.rows);
  write(at_points);
  moves_of<Dim, Space>(unknowns).to_rows(at_points.data(), x.data());
}

// read(vector of x at the own points). Collective.
template <int Dim, class Space, class Read>
void read_rows(const Unknowns<Dim>& unknowns, const linalg::Vector<Space>& x,
               linalg::Vector<Space>& at_points, const Read& read) {
  if (unknowns.moved == nullptr) return read(x);
  at_points.resize(unknowns.rows);
  moves_of<Dim, Space>(unknowns).to_points(x.data(), at_points.data());
  read(std::as_const(at_points));
}

enum class MatrixValues { refresh, keep };

// write(entries) writes the rows of the own points, unless it is to keep the values of the matrix.
// Collective.
template <int Dim, class Space, class Write>
void write_matrix(const Unknowns<Dim>& unknowns, linalg::CsrMatrix<Space>& matrix,
                  MatrixValues values, const Write& write) {
  const bool keeps = values == MatrixValues::keep;
  if (unknowns.moved == nullptr) {
    write(RowEntries{matrix.pattern().row_offsets().data(),
                     keeps ? nullptr : matrix.values().data(),
                     keeps ? nullptr : matrix.diagonal_to_write()});
    if (!keeps) matrix.diagonal_is_written();
    return;
  }
  const RowMoves<Dim, Space>& moves = moves_of<Dim, Space>(unknowns);
  const RowEntries entries = moves.entries(matrix.pattern());
  if (keeps) return write(RowEntries{entries.row_offsets});
  write(entries);
  moves.entries_to_rows(matrix.values().data());
}

}  // namespace hodge::sim
