#include "linalg/matrices/whole_system.hpp"

#include <climits>
#include <string>

#include "linalg/processes/lists.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

template <class Space, class T>
void WholeVectors<Space, T>::setup(const LinearOperator<Space, T>& a) {
  shared_ = a.shared_rows();
  if (!shared_.is_shared()) return;
  if (shared_.total > INT_MAX)
    throw ShapeError("a whole system of " + std::to_string(shared_.total) +
                     " rows on one process, more than 32-bit indices can tell apart");
  counts_ = gather_one(*shared_.processes, static_cast<std::size_t>(a.rows()));
  own_values_.resize(static_cast<std::size_t>(a.rows()));
  values_.resize(static_cast<std::size_t>(shared_.total));
  whole_r_.resize(static_cast<int>(shared_.total));
  whole_z_.resize(static_cast<int>(shared_.total));
}

template <class Space, class T>
void WholeVectors<Space, T>::gather(const Vec& own, Vec& whole) {
  own.download(own_values_);
  gather_known(*shared_.processes, std::span<const T>(own_values_),
               std::span<const std::size_t>(counts_), std::span(values_));
  whole.upload(values_);
}

template <class Space, class T>
void WholeVectors<Space, T>::take(const Vec& whole, Vec& own) const {
  const auto first = static_cast<std::size_t>(shared_.first);
  if (own.size() > 0)
    Space::copy(whole.data() + first, own.data(), sizeof(T) * static_cast<std::size_t>(own.size()));
}

namespace {

// Of all cells, in the whole system. Collective.
template <class Space>
Buffer<int, Space> whole_rows_of_cells(const RowSharing& sharing, const GridRows<Space>& grid) {
  std::vector<int> rows = grid.row_of_cell.to_host();
  for (int& row : rows)
    if (row >= 0) row += static_cast<int>(sharing.rows().first);
  rows = gather_lists(sharing.processes(), std::span<const int>(rows));
  return Buffer<int, Space>(std::span<const int>(rows));
}

}  // namespace

template <class Space, class T>
void WholeMatrix<Space, T>::setup(const CsrMatrix<Space, T>& a) {
  matrix_ = &a;
  whole_.reset();
  const RowSharing* const sharing = a.pattern().sharing().get();
  if (sharing == nullptr) return;
  Communicator& processes = sharing->processes();
  std::vector<int> lengths = a.pattern().row_offsets().to_host();
  for (std::size_t i = 0; i + 1 < lengths.size(); ++i) lengths[i] = lengths[i + 1] - lengths[i];
  lengths.pop_back();
  std::vector<int> columns;  // whole rows are counted in 32 bits
  for (const int column : a.pattern().columns().to_host())
    columns.push_back(static_cast<int>(sharing->global_column(column)));
  counts_ = gather_one(processes, columns.size());
  const std::vector<int> all_columns = gather_lists(processes, std::span<const int>(columns));
  std::vector<int> offsets{0};
  for (const int length : gather_lists(processes, std::span<const int>(lengths)))
    offsets.push_back(offsets.back() + length);
  const auto rows = static_cast<int>(sharing->rows().total);
  const auto pattern = std::make_shared<CsrPattern<Space>>(
      rows, rows, std::span<const int>(offsets), std::span<const int>(all_columns));
  if (const GridRows<Space>* const grid = a.pattern().grid())
    pattern->place_on(
        {grid->shape, whole_rows_of_cells(*sharing, *grid), sharing->blocks().lines()});
  whole_ = std::make_unique<CsrMatrix<Space, T>>(pattern, a.symmetry());
  matrix_ = whole_.get();
  gather_values(a);
  if (a.described() != nullptr) whole_->describe_as(a.described());
  if (a.box() != a.described()) whole_->place_in(a.box());
}

template <class Space, class T>
void WholeMatrix<Space, T>::refresh(const CsrMatrix<Space, T>& a) {
  if (a.pattern().sharing() == nullptr) {
    matrix_ = &a;
    return;
  }
  gather_values(a);
  if (a.box_system() != whole_->box_system()) whole_->describe_as(a.described());
}

template <class Space, class T>
void WholeMatrix<Space, T>::gather_values(const CsrMatrix<Space, T>& a) {
  const std::vector<T> own = a.values().to_host();
  values_.resize(whole_->values().size());
  gather_known(a.pattern().sharing()->processes(), std::span<const T>(own),
               std::span<const std::size_t>(counts_), std::span(values_));
  whole_->values().upload(values_);
}

#define HODGE_WHOLE(Space, T)            \
  template class WholeVectors<Space, T>; \
  template class WholeMatrix<Space, T>;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_WHOLE)

}  // namespace hodge::linalg
