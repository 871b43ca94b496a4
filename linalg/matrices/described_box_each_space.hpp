// The bodies of described_box.hpp.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "linalg/matrices/described_box.hpp"
#include "linalg/space/this_space.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg {

namespace detail {

template <class T>
HODGE_HD double diagonal_of(const CsrView<T>& a, int row) {
  const int k = a.diagonal[row];
  const bool present = k < a.row_offsets[row + 1] && a.columns[k] == row;
  return present ? static_cast<double>(a.values[k]) : 0.0;
}

// Whether the diagonal is nearer to that of a pinned row than to that of another one.
template <class T>
HODGE_HD bool is_pinned(const CsrView<T>& a, const BoxRowsView& box, int row, int cell) {
  double diagonal = 0.0;
  box.for_each_face(cell, [&](double k, int) { diagonal += k; });
  const double pin = diagonal > 0.0 ? diagonal : 1.0;
  return diagonal_of(a, row) > diagonal + 0.5 * pin;
}

template <class T>
HODGE_HD double row_difference(const CsrView<T>& a, const BoxRowsView& box, int row) {
  const int stored = box.stored_cell(row);
  const int cell = stored < 0 ? ~stored : stored;
  double diagonal = 0.0, to_neighbours = 0.0;
  box.for_each_face(cell, [&](double k, int there) {
    diagonal += k;
    to_neighbours += there < 0 ? 0.0 : k;
  });
  if (stored < 0) diagonal += diagonal > 0.0 ? diagonal : 1.0;
  double largest = diagonal, difference = 0.0;
  bool has_diagonal = false;
  for (int entry = a.row_offsets[row]; entry < a.row_offsets[row + 1]; ++entry) {
    const int column = a.columns[entry];
    const double value = static_cast<double>(a.values[entry]), size = value < 0 ? -value : value;
    double expected = column == row ? diagonal : 0.0;
    box.for_each_face(cell, [&](double k, int there) {
      expected -= there == column ? k : 0.0;
      to_neighbours -= there == column ? k : 0.0;
    });
    const double by = value < expected ? expected - value : value - expected;
    if (by != by) return by;  // NaN
    difference = by > difference ? by : difference;
    largest = size > largest ? size : largest;
    has_diagonal = has_diagonal || column == row;
  }
  const double missing =
      (has_diagonal ? 0.0 : diagonal) + (to_neighbours < 0 ? -to_neighbours : to_neighbours);
  difference = missing > difference ? missing : difference;
  return difference == 0.0 ? 0.0 : difference / largest;
}

// Writes the cell of each row, ~cell of a pinned one: `cells` of them, the first at box.first_cell,
// have rows. False if the rows do not ascend with their cells.
template <class Space, class T>
bool number_cells(const CsrView<T>& a, const BoxRowsView& box, int cells, int* cell_of_row) {
  for_each<Space>(cells, [=] HODGE_LAMBDA(int i) {
    const int p = box.first_cell + i, row = box.row_of_cell[p];
    if (row >= 0) cell_of_row[row] = is_pinned(a, box, row, p) ? ~p : p;
  });
  const auto [falls] =
      reduce_to_host<Space, 1>(a.rows, {Reduction::max}, [=] HODGE_LAMBDA(int row, double* value) {
        const int above = cell_of_row[row], below = cell_of_row[row > 0 ? row - 1 : 0];
        const bool rises = (above < 0 ? ~above : above) > (below < 0 ? ~below : below);
        value[0] = row > 0 && !rises ? 1.0 : 0.0;
      });
  return falls == 0.0;
}

inline bool fits(const SeparableSystem& system, const GridShape& shape) {
  const int dim = static_cast<int>(system.axes.size());
  bool fits = dim == shape.dim;
  for (int d = 0; d < dim && fits; ++d) {
    const SeparableAxis& axis = system.axes[static_cast<std::size_t>(d)];
    fits = axis.points() == shape.extent[d] && axis.periodic == shape.periodic[d];
  }
  return fits;
}

}  // namespace detail

template <class Space>
DescribedBox<Space>::DescribedBox(const SeparableSystem& system) {
  view_.dim = static_cast<int>(system.axes.size());
  for (int d = 0; d < view_.dim; ++d) {
    const SeparableAxis& axis = system.axes[static_cast<std::size_t>(d)];
    weights_[d] = Buffer<double, Space>(std::span(axis.weights));
    couplings_[d] = Buffer<double, Space>(std::span(axis.couplings));
    view_.axis[d] = {axis.points(), axis.periodic, std::as_const(weights_[d]).data(),
                     std::as_const(couplings_[d]).data()};
  }
}

template <class Space>
std::optional<DescribedBox<Space>> DescribedBox<Space>::of_whole(const SeparableSystem& system,
                                                                 const GridRows<Space>* grid,
                                                                 int rows) {
  if (rows == 0 || system.rows() > 0x7fffffff) return {};
  DescribedBox box(system);
  box.own_cells_ = static_cast<int>(system.rows());
  if (grid != nullptr && grid->row_of_cell.size() > 0)
    box.view_.row_of_cell = grid->row_of_cell.data();
  if (box.view_.row_of_cell == nullptr && system.rows() != rows) return {};
  return box;
}

template <class Space>
std::optional<DescribedBox<Space>> DescribedBox<Space>::of_window(const SeparableSystem& system,
                                                                  const GridRows<Space>* grid,
                                                                  const RowSharing& sharing) {
  const std::vector<int> rows = grid != nullptr ? grid->row_of_cell.to_host() : std::vector<int>();
  const std::optional<BoxWindow> window = window_of_box(system, sharing, rows);
  if (!window) return {};
  DescribedBox box(window->system);
  box.own_cells_ = window->cells;
  box.column_of_cell_ = Buffer<int, Space>(std::span(window->column_of_cell));
  box.view_.first_cell = window->first_cell;
  box.view_.column_of_cell = std::as_const(box.column_of_cell_).data();
  if (!window->has_all_rows) box.view_.row_of_cell = box.view_.column_of_cell;
  return box;
}

template <class Space>
template <class T>
std::optional<DescribedBox<Space>> DescribedBox<Space>::of(const SeparableSystem& system,
                                                           const GridRows<Space>* grid,
                                                           const CsrView<T>& a,
                                                           const RowSharing* sharing) {
  constexpr double rounding = sizeof(T) == sizeof(double) ? 1e-13 : 1e-5;
  if (a.rows != a.cols || system.shift != 0 || system.factor != 1) return {};
  if (grid != nullptr && !detail::fits(system, grid->shape)) return {};
  std::optional<DescribedBox> box =
      sharing == nullptr ? of_whole(system, grid, a.rows) : of_window(system, grid, *sharing);
  if (!box) return {};
  // Maxima are those of all processes that share the rows, and of no others.
  const SharingRows maxima(sharing == nullptr ? SharedRows{} : sharing->rows());
  BoxRowsView& view = box->view_;
  if (!box->has_all_rows()) {
    box->cell_of_row_ = Buffer<int, Space>(static_cast<std::size_t>(a.rows));
    if (!detail::number_cells<Space>(a, view, box->own_cells_, box->cell_of_row_.data())) return {};
    view.cell_of_row = std::as_const(box->cell_of_row_).data();
  }
  BoxRowsView all_columns = view;
  if (sharing != nullptr) all_columns.row_of_cell = view.column_of_cell;
  if (!(box_difference<Space>(a, all_columns) <= rounding)) return {};
  return box;
}

// NaN counts as infinite: a maximum ignores it.
template <class Space, class T>
double box_difference(const CsrView<T>& a, const BoxRowsView& box) {
  const auto [largest] =
      reduce_to_host<Space, 1>(a.rows, {Reduction::max}, [=] HODGE_LAMBDA(int row, double* value) {
        const double difference = detail::row_difference(a, box, row);
        value[0] = difference == difference ? difference : 1e300;
      });
  return largest;
}

template class DescribedBox<ThisSpace>;
#define HODGE_DESCRIBED_BOX(T)                                                                   \
  template std::optional<DescribedBox<ThisSpace>> DescribedBox<ThisSpace>::of(                   \
      const SeparableSystem&, const GridRows<ThisSpace>*, const CsrView<T>&, const RowSharing*); \
  template double box_difference<ThisSpace>(const CsrView<T>&, const BoxRowsView&);
HODGE_DESCRIBED_BOX(double)
HODGE_DESCRIBED_BOX(float)
#undef HODGE_DESCRIBED_BOX

}  // namespace hodge::linalg
