// The rows of a matrix A that differ from those of the separable system B of its box, and those
// coupled with them, as rows over the points of the box: beside solids couplings are missing or
// smaller, and rows may be pinned. For solvers/capacitance.hpp, with
//
//   z = B^-1 v for a v that is 0 outside of these rows: (A z)_i = (B z)_i = 0 in all other rows i
//   z = D v, D = omega / a_ii in the rows that differ, 0 in others: (A z)_i = 0 in all other rows i
//
// A singular B leaves out the constant. If A then has rows whose entries do not sum to 0, the sum
// of v need not be 0, and B is replaced by B + d e e^T, with the unit vector e of a point c of
// these rows and a pin d > 0 (the sum of its row):
//
//   v' = v - e sum(v),   z' = B^-1 v',   z = z' - z'_c + sum(v) / d
//
// Memory: per row 4 ints and a value, and a value and two ints per entry; while they are found
// three ints per row of A. Cost: that of about three products with A.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "linalg/matrices/csr.hpp"
#include "linalg/matrices/separable_system.hpp"
#include "linalg/space/box_rows_view.hpp"
#include "linalg/vectors/buffer.hpp"
#include "linalg/vectors/vector.hpp"

namespace hodge::linalg {

// The row of each point of the box that a matrix names: null where every point has one, in order.
// No value: it names none, or one that its rows do not fit.
template <class Space, class T>
std::optional<const Buffer<int, Space>*> rows_of_box(const CsrMatrix<Space, T>& a) {
  if (a.box() == nullptr) return {};
  const GridRows<Space>* const grid = a.pattern().grid();
  if (grid != nullptr && grid->row_of_cell.size() == static_cast<std::size_t>(a.box()->rows()))
    return &grid->row_of_cell;
  if (a.box()->rows() != a.rows()) return {};
  return nullptr;
}

// How a vector of the box stands for one of the rows.
struct BoxUnits {
  const double* unit = nullptr;  // the box has multiples of it; null: 1
  const double* sum = nullptr;   // of all entries of the right side, for the pin; null: no pin
};

template <class Space, class T>
class InterfaceRows {
 public:
  // Allocates, and waits. row_of_cell: rows_of_box(a).
  void find(const CsrMatrix<Space, T>& a, const SeparableSystem& box,
            const Buffer<int, Space>* row_of_cell);
  // New values of A in the same pattern. False if they differ from B in other rows too, or need
  // another pin: find() them again. Waits, and allocates nothing.
  bool refresh(const CsrMatrix<Space, T>& a);

  int size() const { return static_cast<int>(rows_.size()); }
  bool is_pinned() const { return pin_cell_ >= 0; }
  // The points of the box whose values take() and the pin of add() read, ascending. Waits.
  std::vector<int> points_read() const;

  // All of the following are guarded (space.hpp).
  // out_i = x_row(i)
  template <class Value>
  void gather(const Value* x, Value* out) const;
  // The right side of a solve of the box, from all rows.
  void extend(const Vector<Space, T>& r, BoxUnits units, Vector<Space, T>& box) const;
  // The same from the interface rows, where all other points are 0 already.
  template <class Value>
  void put(const Vector<Space, T>& r, BoxUnits units, Vector<Space, Value>& box) const;
  // z and (A z)_i in the interface rows.
  template <class Value>
  void take(const Vector<Space, Value>& box, BoxUnits units, Vector<Space, T>& z,
            Vector<Space, T>& az) const;
  // x = x + z in all rows.
  void add(const Vector<Space, T>& box, BoxUnits units, Vector<Space, T>& x) const;
  // z = D v
  void smooth(const Vector<Space, T>& v, Vector<Space, T>& z) const;
  // out = v - A z, for a z that is 0 outside of the rows that differ.
  void subtract_product(const Vector<Space, T>& z, const Vector<Space, T>& v,
                        Vector<Space, T>& out) const;
  // x = x + z in the interface rows.
  void add_in_rows(const Vector<Space, T>& z, Vector<Space, T>& x) const;

  // What a kernel that compares rows needs.
  struct Comparison {
    CsrView<T> a;
    BoxRowsView box;  // all points, as if they were rows
    const int* row_of_cell;
    double shift, factor;
  };

  // For kernels alone.
  Comparison comparison(const CsrMatrix<Space, T>& a) const;
  int differing_rows(const Comparison& rows) const;
  void fill_entries(const CsrMatrix<Space, T>& a);
  bool find_pin(bool replace);

 private:
  int points_ = 0;
  bool is_singular_ = false;
  double shift_ = 0, factor_ = 1;
  const int* row_of_cell_ = nullptr;
  BoxRowsView box_;
  Buffer<double, Space> weights_[3], couplings_[3];
  Buffer<int, Space> rows_, cells_;           // of A, and where they lie in the box
  Buffer<int, Space> offsets_, entry_cells_;  // their entries, as in CsrPattern
  Buffer<int, Space> entry_rows_;             // which of the interface rows, or -1
  Buffer<T, Space> values_;
  Buffer<int, Space> differs_;  // 1: from the row of the box, when they were found
  Buffer<T, Space> smoothing_;  // D
  Buffer<double, Space> row_sums_;
  int pin_cell_ = -1;
  double inverse_pin_ = 0;
};

}  // namespace hodge::linalg
