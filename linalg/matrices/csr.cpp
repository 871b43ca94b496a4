#include "linalg/matrices/csr.hpp"

#include <climits>
#include <string>
#include <vector>

#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace {

void check_sizes(int rows, int cols, std::size_t offsets, std::size_t nonzeros) {
  if (rows < 0 || cols < 0 || offsets != static_cast<std::size_t>(rows) + 1) {
    throw ShapeError("CSR pattern of " + std::to_string(rows) + " x " + std::to_string(cols) +
                     ": " + std::to_string(offsets) + " row offsets, expected rows + 1");
  }
  if (nonzeros >= static_cast<std::size_t>(INT_MAX)) {
    throw ShapeError("CSR pattern: " + std::to_string(nonzeros) +
                     " non-zeros do not fit 32-bit indices");
  }
}

std::span<const int> checked_columns(int rows, int cols, std::span<const int> offsets,
                                     std::span<const int> columns) {
  check_sizes(rows, cols, offsets.size(), columns.size());
  const auto fail = [](int row, const std::string& what) {
    throw ShapeError("CSR pattern, row " + std::to_string(row) + ": " + what);
  };
  if (offsets.front() != 0 || static_cast<std::size_t>(offsets.back()) != columns.size()) {
    fail(rows, "offsets must run from 0 to the number of columns stored");
  }
  for (int i = 0; i < rows; ++i) {
    if (offsets[i + 1] < offsets[i] || offsets[i + 1] > offsets.back()) {
      fail(i, "row offsets decrease");
    }
    for (int k = offsets[i]; k < offsets[i + 1]; ++k) {
      if (columns[k] < 0 || columns[k] >= cols) {
        fail(i,
             "column " + std::to_string(columns[k]) + " is outside 0.." + std::to_string(cols - 1));
      }
      if (k > offsets[i] && columns[k] <= columns[k - 1]) fail(i, "columns are not ascending");
    }
  }
  return columns;
}

}  // namespace

template <class Space>
CsrPattern<Space>::CsrPattern(int rows, int cols, Buffer<int, Space> row_offsets,
                              Buffer<int, Space> columns)
    : rows_(rows), cols_(cols), row_offsets_(std::move(row_offsets)), columns_(std::move(columns)) {
  check_sizes(rows_, cols_, row_offsets_.size(), columns_.size());
  analyse(columns_.data());
}

template <class Space>
CsrPattern<Space>::CsrPattern(int rows, int cols, std::span<const int> row_offsets,
                              std::span<const int> columns)
    : CsrPattern(rows, cols, Buffer<int, Space>(row_offsets),
                 Buffer<int, Space>(checked_columns(rows, cols, row_offsets, columns))) {}

template <class Space>
CsrPattern<Space>::CsrPattern(std::shared_ptr<const RowSharing> sharing,
                              std::span<const int> row_offsets, std::span<const int> columns)
    : rows_(sharing->own_rows()),
      cols_(sharing->own_rows()),
      sharing_(std::move(sharing)),
      ghosts_on_device_(device_ghosts<Space>(sharing_->exchange())),
      row_offsets_(row_offsets),
      columns_(columns) {
  check_sizes(rows_, cols_, row_offsets.size(), columns.size());
  analyse(Buffer<int, Space>(std::span<const int>(sharing_->placed(columns))).data());
}

template <class Space>
void CsrPattern<Space>::require_all_rows(const char* what) const {
  if (!sharing_) return;
  throw ShapeError(std::string(what) +
                   " of a matrix whose rows processes share, expected one with " +
                   "all rows: gather it first (WholeMatrix)");
}

// columns: those of the entries, or where they are seen from the first row.
template <class Space>
void CsrPattern<Space>::analyse(const int* columns) {
  diagonal_ = Buffer<int, Space>(static_cast<std::size_t>(rows_));
  find_diagonal<Space>(rows_, row_offsets_.data(), columns, diagonal_.data());
  statistics_ = row_statistics<Space>(rows_, cols_, nonzeros(), row_offsets_.data(), columns);
  if (sharing_)
    find_kernel(whole_statistics(*sharing_, statistics_), columns, sharing_->processes());
  else
    find_kernel(statistics_, columns, one_process());
}

// By the rows of all processes.
template <class Space>
void CsrPattern<Space>::find_kernel(const RowStatistics& rows, const int* columns,
                                    Communicator& processes) {
  const int* const offsets = row_offsets_.data();
  diagonals_ = find_diagonals<Space>(rows_, rows.longest, offsets, columns);
  if (sharing_) {
    const DiagonalsView& own = diagonals_.shape;
    const std::vector<int> all =
        whole_diagonals(*sharing_, std::span(own.offset, static_cast<std::size_t>(own.count)),
                        own.count == 0 && nonzeros() > 0);
    diagonals_ = all.empty() ? Diagonals<Space>()
                             : find_diagonals<Space>(rows_, rows.longest, offsets, columns, all);
  }
  plan_ = automatic_spmv<Space>(rows, diagonals_.shape.count);
  const int most = longest_row_of<Space>(plan_);
  if (rows.longest > most) long_rows_ = find_long_rows<Space>(rows_, offsets, most, processes);
}

template <class Space, class T>
CsrMatrix<Space, T>::CsrMatrix(std::shared_ptr<const CsrPattern<Space>> pattern, Symmetry symmetry)
    : pattern_(std::move(pattern)),
      values_(static_cast<std::size_t>(pattern_->nonzeros())),
      symmetry_(symmetry),
      plan_(pattern_->plan()) {}

template <class Space, class T>
void CsrMatrix<Space, T>::use(const SpmvChoice& choice) {
  const SpmvPlan plan = resolve(choice, pattern_->plan(), pattern_->diagonals().shape.count);
  const bool two_step = plan.kernel == SpmvKernel::csr_two_step;
  if (two_step && pattern_->sharing())
    throw ConfigError("the kernel csr_two_step for rows that processes share, expected another");
  const std::size_t needed = two_step ? values_.size() : 0;
  if (products_.size() != needed) products_ = Buffer<double, Space>(needed);
  products_data_ = products_.data();
  plan_ = plan;
  kernel_is_named_ = choice.kernel != SpmvChoice{}.kernel;
}

template <class Space, class T>
void CsrMatrix<Space, T>::describe_as(std::shared_ptr<const SeparableSystem> system) {
  described_ = std::move(system);
  arrays_.reset();
  if (described_)
    arrays_ =
        DescribedBox<Space>::of(*described_, pattern_->grid(), view(), pattern_->sharing().get());
}

template <class Space, class T>
SystemSize CsrMatrix<Space, T>::system_size() const {
  SystemSize size{static_cast<std::size_t>(rows()), static_cast<std::size_t>(pattern_->nonzeros()),
                  sizeof(T), symmetry_ == Symmetry::symmetric};
  size.on_grid = pattern_->grid() != nullptr;
  if (size.on_grid) size.dim = pattern_->grid()->shape.dim;
  size.few_diagonals = pattern_->diagonals().shape.count > 0;
  if (arrays_) size.box = arrays_->has_all_rows() ? BoxForm::all_cells : BoxForm::some_cells;
  if (const SeparableSystem* const around = box().get()) {
    size.dim = static_cast<int>(around->axes.size());
    size.box_points = static_cast<std::size_t>(around->rows());
    size.transforms = around->most_transform_values() * sizeof(T);
  }
  return size;
}

template <class Space, class T>
std::string CsrMatrix<Space, T>::kernel() const {
  if (view().multiplies_by_box())
    return "arrays of " + std::to_string(arrays_->view().dim) + " axes";
  const std::size_t apart = pattern_->long_rows().rows.size();
  return describe(plan_, pattern_->diagonals().shape.count) +
         (apart == 0 ? "" : "; " + std::to_string(apart) + " long rows separately");
}

template <class Space, class T>
CsrView<T> CsrMatrix<Space, T>::view() const {
  GhostRowsView ghosts = pattern_->sharing() ? pattern_->sharing()->view() : GhostRowsView{};
  ghosts.on_device = pattern_->ghosts_on_device();
  return {pattern_->rows(),
          pattern_->cols(),
          pattern_->nonzeros(),
          pattern_->row_offsets().data(),
          pattern_->columns().data(),
          pattern_->diagonal().data(),
          values_.data(),
          diagonal_is_written_ ? diagonal_values_.data() : nullptr,
          plan_,
          pattern_->diagonals().view(),
          pattern_->long_rows().view(),
          products_data_,
          false,
          arrays_ && !kernel_is_named_ ? arrays_->view() : BoxRowsView{},
          ghosts};
}

namespace {

template <class Matrix, class V>
void check_shapes(const Matrix& a, const V& x, const V& y) {
  if (x.size() != a.cols() || y.size() != a.rows()) {
    throw ShapeError("a " + std::to_string(a.rows()) + " x " + std::to_string(a.cols()) +
                     " matrix cannot map x of " + std::to_string(x.size()) + " to y of " +
                     std::to_string(y.size()) + " entries");
  }
}

// For w . A x.
template <class Matrix, class V>
void check_left(const Matrix& a, const V& w) {
  if (a.rows() != a.cols()) {
    throw ShapeError("w . A x of a " + std::to_string(a.rows()) + " x " + std::to_string(a.cols()) +
                     " matrix, expected a square one");
  }
  if (w.size() != a.rows()) {
    throw ShapeError("w . A x of " + std::to_string(a.rows()) + " rows with w of " +
                     std::to_string(w.size()) + " entries");
  }
}

}  // namespace

template <class Space, class T>
void CsrMatrix<Space, T>::spmv(double alpha, const Vector<Space, T>& x, double beta,
                               const Vector<Space, T>& b, Vector<Space, T>& y) const {
  check_shapes(*this, x, b);
  check_shapes(*this, x, y);
  Space::spmv(view(), alpha, x.data(), beta, b.data(), y.data());
}

template <class Space, class T>
void CsrMatrix<Space, T>::spmv_dots(const Vector<Space, T>& x, const Vector<Space, T>& w,
                                    Vector<Space, T>& y, const ProductDots& dots,
                                    const Vector<Space, T>* v) const {
  check_shapes(*this, x, y);
  check_left(*this, w);
  if (v != nullptr) check_left(*this, *v);
  Space::spmv_dots(view(), x.data(), w.data(), y.data(), dots, v != nullptr ? v->data() : nullptr);
}

template <class Space, class T>
void CsrMatrix<Space, T>::residual_dots(const Vector<Space, T>& x, const Vector<Space, T>& b,
                                        Vector<Space, T>& r, const ProductDots& dots) const {
  check_shapes(*this, x, r);
  check_left(*this, b);
  if (rows() == 0) return LinearOperator<Space, T>::residual_dots(x, b, r, dots);
  Space::residual_dots(view(), x.data(), b.data(), r.data(), dots);
}

#define HODGE_PATTERN(Space) template class CsrPattern<Space>;
#define HODGE_MATRIX(Space, T) template class CsrMatrix<Space, T>;
HODGE_FOR_EACH_SPACE(HODGE_PATTERN)
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_MATRIX)

}  // namespace hodge::linalg
