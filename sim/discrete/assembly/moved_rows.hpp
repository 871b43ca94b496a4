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
  // `part`: the block of this process; own: its unknowns; in_layers: those of its layers.
  // Collective.
  RowMoves(const Layout<Dim>& part, const Unknowns<Dim>& own, const Unknowns<Dim>& in_layers)
      : MovedRows<Dim>{in_layers}, own_(own), part_(part), rows_(lists(part, own, in_layers)) {}

  void to_rows(const double* at_points, double* of_rows) const { rows_.there(at_points, of_rows); }
  void to_points(const double* of_rows, double* at_points) const { rows_.back(of_rows, at_points); }

  // Room for the entries of the rows of the own points.
  RowEntries entries(const linalg::CsrPattern<Space>& pattern) const {
    if (!entries_) {
      std::vector<int> offsets_of_rows(pattern.row_offsets().size());
      pattern.row_offsets().download(offsets_of_rows);
      entries_ = std::make_unique<Entries>(part_.halo->processes(), rows_, own_, offsets_of_rows);
    }
    return {entries_->row_offsets.data(), entries_->values.data()};
  }
  // Brings them to the rows of the system.
  void entries_to_rows(double* values) const {
    entries_->move.there(entries_->values.data(), values);
  }

 private:
  using Move = ListMove<Space>;
  using Numbers = typename Move::Numbers;

  // The rows of `unknowns` that the cells of `here` and of each process have in common.
  template <class LayoutOf>
  static Numbers common_rows(const Layout<Dim>& here, const Unknowns<Dim>& unknowns,
                             const Box<Dim>& whole, const LayoutOf& layout_of) {
    Numbers rows;
    for (int p = 0; p < here.halo->processes().size(); ++p) {
      rows.emplace_back();
      const Box<Dim> common =
          common_points(unknowns_of_part(whole, here), unknowns_of_part(whole, layout_of(p)));
      for_each_on_host(common, [&](Index<Dim> c) {
        for (int d = 0; d < Dim; ++d) c[d] -= here.before[d];
        if (unknowns.contains(c)) rows.back().push_back(unknowns.row(c));
      });
    }
    return rows;
  }
  static Move lists(const Layout<Dim>& part, const Unknowns<Dim>& own,
                    const Unknowns<Dim>& in_layers) {
    const Box<Dim>& whole = in_layers.among_processes->whole.box;
    const UnknownsOnHost<Dim, Space> points(own), rows(in_layers);
    return Move(
        part.halo->processes(),
        common_rows(part, points.view(), whole, [&](int p) { return layers_of(part, p); }),
        common_rows(layers_of(part), rows.view(), whole, [&](int p) { return block_of(part, p); }));
  }

  struct Entries {
    Entries(linalg::Communicator& processes, const Move& rows, const Unknowns<Dim>& own,
            const std::vector<int>& offsets_of_rows)
        : Entries(processes, rows, offsets_of_rows,
                  row_offsets_of(UnknownsOnHost<Dim, Space>(own).view())) {}
    Entries(linalg::Communicator& processes, const Move& rows,
            const std::vector<int>& offsets_of_rows, const std::vector<int>& offsets)
        : row_offsets(std::span<const int>(offsets)),
          values(static_cast<std::size_t>(offsets.back())),
          move(processes, entries_of(rows.given(), offsets),
               entries_of(rows.taken(), offsets_of_rows)) {}

    linalg::Buffer<int, Space> row_offsets;
    linalg::Buffer<double, Space> values;
    Move move;
  };

  static Numbers entries_of(const Numbers& rows, const std::vector<int>& offsets) {
    Numbers entries(rows.size());
    for (std::size_t p = 0; p < rows.size(); ++p)
      for (const int row : rows[p])
        for (int k = offsets[static_cast<std::size_t>(row)];
             k < offsets[static_cast<std::size_t>(row) + 1]; ++k)
          entries[p].push_back(k);
    return entries;
  }

  Unknowns<Dim> own_;
  Layout<Dim> part_;
  Move rows_;
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
