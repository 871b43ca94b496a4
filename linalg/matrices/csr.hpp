// Compressed sparse rows. The pattern is built once; values are stored apart from the pattern, so
// that new values leave the pattern alone.
//
//   row_offsets: rows + 1 ints, row i holds the entries row_offsets[i] .. row_offsets[i+1] - 1
//   columns:     nonzeros ints, strictly ascending in each row
//   values:      nonzeros of T
//
// Indices are 32-bit: 2^31 or more rows or non-zeros are refused (ShapeError).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "linalg/cost/system_size.hpp"
#include "linalg/matrices/described_box.hpp"
#include "linalg/matrices/device_ghosts.hpp"
#include "linalg/matrices/diagonals.hpp"
#include "linalg/matrices/grid_rows.hpp"
#include "linalg/matrices/operator.hpp"
#include "linalg/matrices/row_sharing.hpp"
#include "linalg/matrices/separable_system.hpp"
#include "linalg/matrices/spmv.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

template <class Space>
class CsrPattern {
 public:
  // Takes arrays in the memory of the space, checks their sizes, and finds the diagonal entries,
  // the lengths of the rows and the diagonals. Costs as much as a few products.
  CsrPattern(int rows, int cols, Buffer<int, Space> row_offsets, Buffer<int, Space> columns);
  // Copies host arrays, which are checked entry by entry (ShapeError names the row).
  CsrPattern(int rows, int cols, std::span<const int> row_offsets, std::span<const int> columns);
  // The own rows of a square system that processes share; columns are numbered by `sharing`
  // (row_sharing.hpp). Collective.
  CsrPattern(std::shared_ptr<const RowSharing> sharing, std::span<const int> row_offsets,
             std::span<const int> columns);

  int rows() const { return rows_; }
  int cols() const { return cols_; }  // of rows that are shared, without the ghosts
  int nonzeros() const { return static_cast<int>(columns_.size()); }
  const Buffer<int, Space>& row_offsets() const { return row_offsets_; }
  const Buffer<int, Space>& columns() const { return columns_; }
  const Buffer<int, Space>& diagonal() const { return diagonal_; }
  const RowStatistics& statistics() const { return statistics_; }
  // The diagonals that the entries lie on; empty if there are too many.
  const Diagonals<Space>& diagonals() const { return diagonals_; }
  // The automatic choice of a kernel, and the rows that this kernel leaves out.
  const SpmvPlan& plan() const { return plan_; }
  const LongRows<Space>& long_rows() const { return long_rows_; }
  // Null: one process holds all rows.
  const std::shared_ptr<const RowSharing>& sharing() const { return sharing_; }
  // Null: one process holds all rows, or the space is the Host.
  const DeviceGhosts* ghosts_on_device() const { return ghosts_on_device_.get(); }
  // ShapeError if processes share the rows; `what` needs all of them.
  void require_all_rows(const char* what) const;

  // The places of the rows on a grid, for multigrid; null unless place_on() was called.
  void place_on(GridRows<Space> grid) { grid_ = std::move(grid); }
  const GridRows<Space>* grid() const { return grid_ ? &*grid_ : nullptr; }

 private:
  void analyse(const int* columns);
  void find_kernel(const RowStatistics& rows, const int* columns, Communicator& processes);

  int rows_, cols_;
  std::shared_ptr<const RowSharing> sharing_;
  std::shared_ptr<const DeviceGhosts> ghosts_on_device_;
  Buffer<int, Space> row_offsets_, columns_;
  Buffer<int, Space> diagonal_;  // position of the first entry of row i with column >= i
  RowStatistics statistics_;
  Diagonals<Space> diagonals_;
  SpmvPlan plan_;
  LongRows<Space> long_rows_;
  std::optional<GridRows<Space>> grid_;
};

template <class Space, class T = double>
class CsrMatrix : public LinearOperator<Space, T> {
 public:
  explicit CsrMatrix(std::shared_ptr<const CsrPattern<Space>> pattern,
                     Symmetry symmetry = Symmetry::unknown);

  int rows() const override { return pattern_->rows(); }
  int cols() const override { return pattern_->cols(); }
  Symmetry symmetry() const override { return symmetry_; }
  SharedRows shared_rows() const override {
    if (pattern_->sharing()) return pattern_->sharing()->rows();
    const GridRows<Space>* const grid = pattern_->grid();
    const bool has_lines = grid != nullptr && grid->row_of_cell.size() == 0;
    return {.line = has_lines ? grid->shape.extent[0] : 0,
            .lines = grid != nullptr ? grid->lines.get() : nullptr};
  }
  const CsrMatrix* csr() const override { return this; }
  const CsrPattern<Space>& pattern() const { return *pattern_; }
  const std::shared_ptr<const CsrPattern<Space>>& shared_pattern() const { return pattern_; }
  Buffer<T, Space>& values() {
    diagonal_is_written_ = false;
    return values_;
  }
  const Buffer<T, Space>& values() const { return values_; }
  CsrView<T> view() const;
  CsrView<T> csr_view() const override { return view(); }

  SystemSize system_size() const;

  // Says that the entries are those of this system, for methods that use it; null: not known. Where
  // the pattern is placed on a grid (place_on), cells may have no row: nothing flows to these
  // cells, and rows may be pinned (space/box_rows_view.hpp). The entries are compared here. If they
  // are those of the system to rounding, products and the finest level of multigrid read the arrays
  // of the axes in place of the entries: say so again after new values. Where processes share the
  // rows, the system is that of all rows, and the call is collective.
  void describe_as(std::shared_ptr<const SeparableSystem> system);
  // The system whose rows are all of its box; null: not known.
  const SeparableSystem* separable() const {
    return described_ && described_->rows() == this->total_rows() ? described_.get() : nullptr;
  }
  // What describe_as() said; null: nothing.
  const std::shared_ptr<const SeparableSystem>& described() const { return described_; }
  // The system whose arrays are read in place of the entries; null: there is none.
  const std::shared_ptr<const SeparableSystem>& box_system() const {
    return arrays_ ? described_ : none_;
  }
  // Names a separable system on the points of pattern().grid(), the matrix but for the rows and
  // entries that are missing, for the preconditioner direct; null: that of describe_as().
  void place_in(std::shared_ptr<const SeparableSystem> box) { placed_ = std::move(box); }
  const std::shared_ptr<const SeparableSystem>& box() const {
    return placed_ ? placed_ : described_;
  }

  // Keeps the diagonal a second time, apart, for code that writes new values often: jacobi then
  // reads one value of each row, not all of its lines. Who writes the entries, after values(),
  // writes it too and says so; the next values() takes that back.
  void keep_diagonal() { diagonal_values_ = Buffer<T, Space>(static_cast<std::size_t>(rows())); }
  T* diagonal_to_write() { return diagonal_values_.data(); }  // null: not kept
  void diagonal_is_written() { diagonal_is_written_ = diagonal_values_.size() > 0; }

  // Sets the kernel of all later products; ConfigError for an impossible choice (spmv.hpp).
  // csr_two_step allocates 8 bytes per non-zero.
  void use(const SpmvChoice& choice);
  // The kernel in words: "csr_scalar", "csr_vector, 8 lanes per row; 10 long rows separately",
  // "arrays of 3 axes".
  std::string kernel() const;

  void spmv(double alpha, const Vector<Space, T>& x, double beta, const Vector<Space, T>& b,
            Vector<Space, T>& y) const override;
  void spmv_dots(const Vector<Space, T>& x, const Vector<Space, T>& w, Vector<Space, T>& y,
                 const ProductDots& dots, const Vector<Space, T>* v) const override;
  void residual_dots(const Vector<Space, T>& x, const Vector<Space, T>& b, Vector<Space, T>& r,
                     const ProductDots& dots) const override;

 private:
  std::shared_ptr<const CsrPattern<Space>> pattern_;
  Buffer<T, Space> values_, diagonal_values_;
  bool diagonal_is_written_ = false;  // with the present values
  Symmetry symmetry_;
  std::shared_ptr<const SeparableSystem> described_, placed_, none_;
  std::optional<DescribedBox<Space>> arrays_;
  SpmvPlan plan_;
  bool kernel_is_named_ = false;  // by use()
  Buffer<double, Space> products_;
  double* products_data_ = nullptr;  // of products_; a const product writes there
};

}  // namespace hodge::linalg
