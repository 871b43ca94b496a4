// The rows of a matrix as points of the box that it names (CsrMatrix::box).
#pragma once

#include <cstdint>
#include <optional>

#include "linalg/direct/shared_box.hpp"
#include "linalg/matrices/csr.hpp"
#include "linalg/matrices/interface_rows.hpp"

namespace hodge::linalg {

template <class Space>
struct PointsOfRows {
  SharedPoints points{};                     // that each process has
  const Buffer<int, Space>* rows = nullptr;  // of the own points; null: each has one, in order
};

// None: the matrix names no box, or one that its rows do not fit. Collective where processes share
// the rows, with the same answer on all of them.
template <class Space, class T>
std::optional<PointsOfRows<Space>> points_of_rows(const CsrMatrix<Space, T>& a) {
  const RowSharing* const sharing = a.pattern().sharing().get();
  if (sharing == nullptr) {
    const auto rows = rows_of_box(a);
    if (!rows) return {};
    return PointsOfRows<Space>{{}, *rows};
  }
  if (a.box() == nullptr) return {};
  const auto all = static_cast<std::int64_t>(a.box()->rows());
  if (const GridRows<Space>* const grid = a.pattern().grid()) {
    const SharedPoints points =
        shared_points(sharing->processes(), static_cast<std::int64_t>(grid->row_of_cell.size()));
    if (points.first.back() == all) return PointsOfRows<Space>{points, &grid->row_of_cell};
  }
  if (sharing->blocks().rows() != all) return {};
  return PointsOfRows<Space>{points_of(sharing->processes(), sharing->blocks()), nullptr};
}

}  // namespace hodge::linalg
